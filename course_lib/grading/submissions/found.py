"""What lies in a folder or an archive: files sorted out into submissions, and what was refused."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from course_lib.grading.submissions.names import (
    SUFFIX,
    Name,
    Owner,
    is_canvas,
    is_exercise,
    is_fit,
    last_exercise,
    parse_flat,
    parse_folder,
    parse_in_folder,
)
from course_lib.grading.submissions.notebook import Unreadable

TOO_DEEP = "too deep; <student>/<exercise>.ipynb is needed"
SUBMITTED = "submitted"  # where nbgrader keeps <student>/<assignment>/<notebook>.ipynb
Parts = tuple[str, ...]
Reader = Callable[[], tuple[bytes | None, str]]  # a file's bytes and its SHA-256


@dataclass(frozen=True)
class File:
    """A notebook's path below the input, when it was written, and how to read it."""

    parts: Parts
    date: float
    read: Reader = field(repr=False, compare=False)


@dataclass(frozen=True)
class Submission:
    """One student's file for one exercise, and how to read it when its turn comes."""

    student: str
    exercise: str
    read: Reader = field(repr=False, compare=False)
    lms_id: str = ""
    owner: Owner | None = None
    order: tuple = ()
    place: str = ""  # its path in the input
    conflict: str = ""  # why nobody can say which file is this student's


@dataclass
class Found:
    """What lies in the input: submissions, students who handed in nothing, and what was refused."""

    submissions: list[Submission] = field(default_factory=list)
    empty: list[Owner] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def sort_out(
    files: Sequence[File], folders: Sequence[Parts], exercises: Collection[str], root: str = ""
) -> Found:
    """Every file with its owner, and the owners of folders that hold no notebook; `root` is the
    name of the folder that holds all."""
    found = Found()
    held = {file.parts[:depth] for file in files for depth in range(1, len(file.parts))}
    outermost = {file.parts[0] for file in files}
    nbgrader = root == SUBMITTED or outermost == {SUBMITTED}
    depth = int(outermost == {SUBMITTED})
    if not nbgrader or any(len(file.parts) != depth + 3 for file in files):
        nbgrader, depth = False, _wrapping([file.parts for file in files], exercises)
    places = [_without_assignment(file.parts[depth:], exercises, nbgrader) for file in files]
    flat = [parts[0].removesuffix(SUFFIX) for parts in places if len(parts) == 1]
    canvas = all(is_canvas(stem) for stem in flat if last_exercise(stem, exercises)[1])
    deep: list[tuple[File, Parts]] = []
    for file, parts in zip(files, places, strict=True):
        path = "/".join(file.parts)
        if len(parts) > 2:
            found.refused.append(f"{path}: {TOO_DEEP}")
            deep.append((file, parts))
        elif not all(map(is_fit, parts)):
            found.refused.append(f"{path}: its path leads out of the input or is no plain name")
        else:
            name = _name(parts, exercises, canvas)
            if nbgrader:  # of two assignments with this notebook neither is the later one
                name = replace(name, owner=replace(name.owner, source=path.rpartition("/")[0]))
            _add(found, file, name, exercises)
    if found.submissions:  # else nobody's folder is known to be a student's
        _add_deep(found, deep, exercises)
    found.empty += [
        parse_folder(parts[depth], exercises)
        for parts in folders
        if len(parts) == depth + 1 and parts not in held and is_fit(parts[depth])
    ]
    return found


def _add(found: Found, file: File, name: Name, exercises: Collection[str]) -> None:
    owner, path = name.owner, "/".join(file.parts)
    if name.exercise not in exercises:
        found.refused.append(f"{path}: no exercise of the course stands in its name")
        if owner.lms_id or (owner.source != "flat files" and owner.student):
            found.empty.append(owner)
    elif not owner.student:
        found.refused.append(f"{path}: no student stands in its name")
    else:
        order = (*name.order, file.date, len(found.submissions))
        who = (owner.student, name.exercise, file.read, owner.lms_id, owner, order)
        found.submissions.append(Submission(*who, path))


def _add_deep(found: Found, deep: list[tuple[File, Parts]], exercises: Collection[str]) -> None:
    """Who handed in nothing but files that lie too deep has a row that says so."""
    have = {(one.owner, one.exercise) for one in found.submissions}
    for file, parts in deep:
        owner = parse_folder(parts[0], exercises)
        exercise = is_exercise(parts[-1].removesuffix(SUFFIX), exercises)
        if not is_fit(parts[0]) or (owner, exercise) in have:
            continue
        found.empty.append(owner)
        if exercise:
            have.add((owner, exercise))
            who = (owner.student, exercise, _too_deep, owner.lms_id, owner, (0, (), file.date))
            found.submissions.append(Submission(*who, "/".join(file.parts)))


def _too_deep() -> tuple[None, str]:
    raise Unreadable(f"It was not read: it lies {TOO_DEEP}.")


def _name(parts: Parts, exercises: Collection[str], canvas: bool) -> Name:
    stem = parts[-1].removesuffix(SUFFIX)
    if len(parts) == 1:
        return parse_flat(stem, exercises, canvas)
    return parse_in_folder(parts[0], stem, exercises)


def _without_assignment(parts: Parts, exercises: Collection[str], nbgrader: bool = False) -> Parts:
    """Without a folder that only names the exercise: nbgrader's is inside the student's, others
    have the students' inside it. nbgrader's assignments have any name."""
    if len(parts) == 3 and parts[1] in exercises:
        return (parts[0], parts[2])
    if len(parts) == 3 and parts[0] in exercises:
        return parts[1:]
    if len(parts) == 3 and nbgrader:
        return (parts[0], parts[2])
    return parts


def _wrapping(places: Sequence[Parts], exercises: Collection[str]) -> int:
    """How many outer folders hold everything and are nobody's: a.zip → class/<student>/…"""
    depth = 0
    while len({parts[depth] for parts in places if len(parts) > depth + 1}) == 1:
        inner = [_without_assignment(parts[depth:], exercises) for parts in places]
        if min(map(len, inner)) >= 3 or _are_flat(inner, exercises):
            depth += 1
        else:
            break
    return depth


def _are_flat(places: Sequence[Parts], exercises: Collection[str]) -> bool:
    """Whether files in one folder each name their own student, so that the folder does not."""
    stems = [parts[-1].removesuffix(SUFFIX) for parts in places if len(parts) == 2]
    named = [stem for stem in stems if last_exercise(stem, exercises)[0]]
    own = any(is_exercise(stem, exercises) for stem in stems)
    return len(stems) == len(places) and bool(named) and not own
