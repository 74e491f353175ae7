"""Gradescope's export: folders `submission_301`, and a list of whose they are."""

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from course_lib.checker.errors import InputError
from course_lib.checker.notebook import Unreadable
from grader.submissions.files import File, Reader
from grader.submissions.platforms import Evidence, Place

METADATA = "submission_metadata.yml"
SUBMISSION = re.compile(r"submission_\d+")


def depth_of(files: Sequence[File]) -> int:
    """How many folders hold the list. Raises InputError where there is none."""
    return len(_metadata(files)[0].parts) - 1


def _metadata(files: Sequence[File]) -> tuple[File, Reader]:
    """The list: the outermost file of that name that lies in no student's folder."""
    for file in sorted(files, key=lambda file: len(file.parts)):
        *folders, name = file.parts
        if name == METADATA and file.read and not any(map(SUBMISSION.fullmatch, folders)):
            return file, file.read
    raise InputError(
        f"There is no {METADATA}, which says whose each folder is: give the zip of Gradescope's "
        "*Export Submissions* as it came."
    )


def with_names(
    files: Sequence[File], placed: Sequence[tuple[File, Place]]
) -> list[tuple[File, Place]]:
    """Each file under the names of all who handed it in together, with the time of that."""
    import yaml

    try:
        data, _ = _metadata(files)[1]()
        known = yaml.load((data or b"").decode("utf-8-sig"), _loader(yaml))
    except (Unreadable, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"Gradescope's {METADATA} cannot be read: {error}.") from None
    known = known if type(known) is dict else {}
    named = []
    for file, place in placed:
        one = known.get(place.owner.called)
        one = one if type(one) is dict else {}
        file = replace(file, date=_time(one.get(":created_at")) or file.date)
        team = [who for who in one.get(":submitters") or [] if type(who) is dict]
        team = [[str(who.get(f":{key}") or "") for key in ("name", "sid", "email")] for who in team]
        called = [name or email or sid for name, sid, email in team]
        for number, (_, sid, email) in enumerate(team):
            who = Evidence(called[number], "gradescope", sid or email, place.owner.place)
            owner = replace(who, email=email, number=sid, name=called[number])
            others = ", ".join(called[:number] + called[number + 1 :])
            named.append((file, replace(place, owner=owner, others=others)))
        if not one.get(":submitters"):
            named.append((file, place))
    return named


def _loader(yaml: Any) -> Any:
    """Reads what is tagged as an object of Ruby's as the plain data that it holds."""

    class Plain(yaml.CSafeLoader):
        def of_ruby(self, _: str, node: Any) -> Any:
            if isinstance(node, yaml.MappingNode):
                return self.construct_mapping(node, deep=True)
            if isinstance(node, yaml.SequenceNode):
                return self.construct_sequence(node, deep=True)
            return self.construct_scalar(node)

    Plain.add_multi_constructor("!ruby", Plain.of_ruby)
    return Plain


def _time(value: Any) -> str:
    if type(value) is dict:  # Rails' own kind of time
        value = value.get("utc")
    if not isinstance(value, datetime.datetime):
        return ""
    return (value if value.tzinfo else value.replace(tzinfo=datetime.UTC)).isoformat()
