"""What the last runs had to say to a person beyond the rows themselves, for the overview."""

import json
from dataclasses import asdict, dataclass, field

from grader.gradebook.database import Gradebook
from grader.gradebook.rows import Row

HEARD = "heard"  # the setting that holds it


@dataclass
class Heard:
    """What a person should hear first.

    `off_roster` has a note on each row, STUDENT/EXERCISE, that is nobody's whom the roster has;
    `nothing` who of the roster has handed in nothing, by exercise.
    """

    off_roster: dict[str, str] = field(default_factory=dict)
    nothing: dict[str, list[str]] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)  # scores, by the last run
    nobody_s: list[str] = field(default_factory=list)  # files of the last run
    alike: list[str] = field(default_factory=list)  # names of rows

    def of(self, row: Row) -> str:
        """The note on a row that is on no roster; "" where it is on one."""
        return self.off_roster.get(f"{row.student}/{row.exercise}", "")


def load_heard(gradebook: Gradebook) -> Heard:
    """What was said; nothing in a gradebook that is older than this."""
    try:
        return Heard(**gradebook.loaded(gradebook.setting(HEARD) or "{}"))
    except TypeError:
        return Heard()


def keep_heard(gradebook: Gradebook, heard: Heard) -> None:
    """Keep it in place of what was said before."""
    gradebook.set_setting(HEARD, json.dumps(asdict(heard), ensure_ascii=False))
