"""Where workers keep their files: marked folders of one parent. Nothing else is deleted."""

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from pathlib import Path

MARK = ".attn-worker"  # in each folder that a run made, and in no other


def new_folder() -> tuple[Path, int]:
    """A folder for one worker, and a descriptor that holds it: the lock ends with the process."""
    folder = Path(tempfile.mkdtemp(prefix="worker-", dir=_parent()))
    hold = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    with contextlib.suppress(OSError):  # where folders cannot be locked, none is ever removed
        fcntl.flock(hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
    (folder / MARK).touch()  # after the lock: what has a mark and no lock was left behind
    return folder, hold


def remove_left_folders() -> None:
    """Remove what runs that were killed left: marked folders of our parent that nobody holds."""
    for mark in _parent().glob(f"worker-*/{MARK}"):
        with contextlib.suppress(OSError):  # another run was faster, or holds it
            folder = os.open(mark.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(mark.parent, ignore_errors=True)
            finally:
                os.close(folder)


def _parent() -> Path:
    """The one folder in which all of this user's workers have theirs; a new one where its name is
    taken by a link, by somebody else's folder, or by one that others may write."""
    parent = Path(tempfile.gettempdir(), f"attn-workers-{os.geteuid()}")
    with contextlib.suppress(FileExistsError):
        parent.mkdir(mode=0o711)
    status = parent.lstat()
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    if ours and not status.st_mode & 0o022:
        parent.chmod(0o711)  # a worker that is another user passes through
        return parent
    other = Path(tempfile.mkdtemp(prefix="attn-workers-"))
    other.chmod(0o711)
    return other
