"""The four requests of `attn push` to Canvas. Its answers are read as a stranger's: each has the
form that Canvas documents, or the command ends with a sentence. A request has a time limit, follows
no redirect and goes to one host only; the token stands in no message."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from course_lib.checker.errors import InputError
from course_lib.checker.escape import one_line

PATIENCE = 30  # seconds for one answer
LONGEST_WAIT = 300  # seconds until Canvas has taken the grades
MAX_BYTES = 20 << 20  # of one answer
MOST_PAGES = 1_000
MOST_SAID = 200  # characters of Canvas's own words
REFUSED = {401: "the access token is not valid", 403: "the token may not do this"}
REFUSED |= {404: "there is no such course or assignment"}
DONE = ("completed", "failed")


class _Stays(urllib.request.HTTPRedirectHandler):
    """A redirect would send grades, and perhaps the token, to another place."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Course:
    """One course on Canvas."""

    def __init__(self, url: str, token: str, number: int) -> None:
        self.url, self.token, self.number = url, token, number
        self.opener = urllib.request.build_opener(_Stays)

    def assignment(self, number: str) -> tuple[str, float]:
        """Name and points of an assignment. Raises InputError where it has none."""
        found, _ = self._ask(self._place(number))
        name, points = self._of(found, "name", str), found.get("points_possible")
        if not _is_number(points):
            raise InputError(
                f"Canvas's assignment {number} ({one_line(name)!r}) has no points: is it one that "
                "is graded? Give it its points there."
            )
        return name, float(points)

    def scores(self, number: str) -> dict[str, float | None]:
        """The score of each user who is in an assignment; None for no score yet."""
        found: dict[str, float | None] = {}
        for one in self._pages(f"{self._place(number)}/submissions?per_page=100"):
            user, score = one.get("user_id"), one.get("score")
            if type(user) is not int:
                raise InputError(
                    f"Canvas does not say whose the submissions of assignment {number} are: it is "
                    "graded anonymously there. Show the names there first."
                )
            if score is not None and not _is_number(score):
                raise self._unknown("the score of a submission")
            found[str(user)] = score
        return found

    def update(self, number: str, grades: dict[str, str]) -> None:
        """Send grades by user, and wait until Canvas has taken them."""
        fields = {f"grade_data[{user}][posted_grade]": grade for user, grade in grades.items()}
        job, _ = self._ask(f"{self._place(number)}/submissions/update_grades", fields)
        place = f"/api/v1/progress/{self._of(job, 'id', int)}"
        end = time.monotonic() + LONGEST_WAIT
        while (state := self._of(job, "workflow_state", str)) not in DONE:
            if time.monotonic() > end:
                break
            time.sleep(0.5)
            job, _ = self._ask(place)
        if state != "completed":
            raise InputError(f"Canvas has not taken the grades: its job is {self._say(state)}.")

    def _place(self, number: str) -> str:
        return f"/api/v1/courses/{self.number}/assignments/{number}"

    def _pages(self, place: str) -> Iterator[dict[str, Any]]:
        for _ in range(MOST_PAGES):
            found, link = self._ask(place, kind=list)
            for one in found:
                if type(one) is not dict:
                    raise self._unknown("a list of submissions")
                yield one
            following = [part for part in link.split(",") if 'rel="next"' in part]
            if not following:
                return
            url = following[0].partition("<")[2].partition(">")[0]
            if not url.startswith(self.url + "/"):
                raise InputError(
                    f"Canvas at {self.url} sends on to {self._say(url)}, which is another place: "
                    "no further page was read."
                )
            place = url.removeprefix(self.url)
        raise self._unknown("a list of submissions")

    def _ask(
        self, place: str, fields: dict[str, str] | None = None, kind: type = dict
    ) -> tuple[Any, str]:
        """What Canvas answers, of this kind, and its header with the next page."""
        request = urllib.request.Request(
            self.url + place,
            None if fields is None else urlencode(fields).encode(),
            {"Authorization": f"Bearer {self.token}", "User-Agent": "attn"},
        )
        try:
            with self.opener.open(request, timeout=PATIENCE) as answer:
                text, link = answer.read(MAX_BYTES + 1), answer.headers.get("Link", "")
        except urllib.error.HTTPError as error:
            words = REFUSED.get(error.code) or self._say(f"{error.code} {error.reason}")
            moved = f", and would send on to {self._say(error.headers.get('Location', ''))}"
            more = moved if 300 <= error.code < 400 else ""
            raise InputError(f"Canvas at {self.url} refused: {words}{more}.") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            name = type(reason if isinstance(reason, Exception) else error).__name__
            raise InputError(f"Canvas at {self.url} cannot be reached: {name}.") from None
        try:
            found = json.loads(text) if len(text) <= MAX_BYTES else None
        except (ValueError, RecursionError):
            found = None
        if type(found) is not kind:
            raise self._unknown("what was asked for")
        return found, link

    def _of(self, found: dict[str, Any], key: str, kind: type) -> Any:
        if type(found.get(key)) is not kind:
            raise self._unknown(f"the {key}")
        return found[key]

    def _unknown(self, what: str) -> InputError:
        return InputError(
            f"Canvas at {self.url} answers, but for {what} not as Canvas does: is this its address?"
        )

    def _say(self, text: str) -> str:
        """Canvas's own words, shortened, without the token."""
        return one_line(text.replace(self.token, "…"))[:MOST_SAID]


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and value == value and abs(value) < 1e9
