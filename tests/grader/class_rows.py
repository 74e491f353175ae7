"""Rows of a small class, as the gradebook holds them."""

from grader.gradebook.rows import Row
from grader.submissions.roster import Person, Roster

HOSTILE = "<script>\x1b[2J\u202e'\"&"


def task(name, score, mistake=None, message="", status="graded"):
    return {
        "name": name,
        "status": status,
        "score": score,
        "max_score": 4,
        "mistake": mistake,
        "diagnosis": mistake and f"You forgot {HOSTILE}.",
        "hint": "Think.",
        "cases": [
            {"name": "values", "passed": score > 0, "message": message, "hidden": False},
            {"name": "rows sum to one", "passed": score > 0, "message": "", "hidden": True},
        ],
        "example": {"inputs": [["x", HOSTILE]], "expected": "1", "got": HOSTILE},
    }


def row(student, *tasks, status="graded", lms_id=""):
    fault = status == "needs-attention"
    score = None if fault else sum(t["score"] for t in tasks)
    data = {
        "status": status,
        "score": score,
        "max_score": 8,
        "profile": "strong",
        "note": "",
        "tasks": list(tasks),
    }
    return Row(student, "01_softmax", "ab" * 32, lms_id, data)


ROWS = [
    row("=1+1", task("softmax", 4), task("masked_softmax", 0, "no maximum", HOSTILE)),
    row("ann", task("softmax", 4), task("masked_softmax", 4), lms_id="12"),
    row(HOSTILE, task("softmax", 0, status="crashed"), status="crashed"),
    row("ours", status="needs-attention"),
    row("nobody", status="missing"),
]
ROSTER = Roster([Person("ann", "Ann Lee", email="a@x", lms_id="12", sis_id="s12", login="alee")])
