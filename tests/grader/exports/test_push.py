"""`attn push` against a server on this machine that speaks Canvas's documented API."""

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import pytest

from course_lib.cli import main
from grader.exports import canvas_api
from grader.gradebook.database import DATABASE, Gradebook
from tests.grader.class_rows import row, task

STEM, TOKEN = "01_softmax", "a-token"
GRADE = re.compile(r"grade_data\[(\d+)\]\[posted_grade\]")


class Canvas(BaseHTTPRequestHandler):
    """Course 7 with assignment 456, its submissions on two pages, and the bulk update as a job."""

    def do_GET(self):
        path, first = urlsplit(self.path).path, "page=2" not in self.path
        place = "/api/v1/courses/7/assignments/456"
        state = self.server
        answers = {
            "/api/v1/courses/7": {"id": 7, "name": "Attention"},
            place: {"id": 456, "course_id": 7, "name": "Softmax", "points_possible": state.points},
            "/api/v1/progress/1": {"id": 1, "workflow_state": state.job},
        }
        if path == f"{place}/submissions":
            all_of_them = [{"user_id": user, "score": s} for user, s in state.scores.items()]
            host = state.elsewhere or f"http://{self.headers['Host']}"
            more = f'<{host}{path}?page=2>; rel="next"'
            return self.say(200, all_of_them[:2] if first else all_of_them[2:], more * first)
        return self.say(200 if path in answers else 404, answers.get(path, {"errors": "none"}))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        for key, value in parse_qsl(body):
            user = int(GRADE.fullmatch(key)[1])
            self.server.sent[user] = value
            if user not in self.server.deaf:
                self.server.scores[user] = float(value)
        self.say(200, {"id": 1, "workflow_state": "queued"})

    def say(self, status, data, link=""):
        time.sleep(self.server.silent)
        path = urlsplit(self.path).path
        moved, code, to = self.server.moved
        if moved and path.endswith(moved):
            self.send_response(code)
            self.send_header("Location", to)
            self.end_headers()
            return
        instead = [odd for end, odd in self.server.instead.items() if path.endswith(end)]
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            status, data = 401, {"errors": [{"message": "Invalid access token."}]}
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Bearer realm="canvas-lms"')
        if link:
            self.send_header("Link", link)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(instead[0] if instead else json.dumps(data).encode())

    def log_message(self, *words):
        pass


@pytest.fixture
def canvas(monkeypatch):
    with ThreadingHTTPServer(("127.0.0.1", 0), Canvas) as server:
        server.scores, server.sent, server.deaf = {11: 8.0, 12: 5.0, 13: None, 99: 3.0}, {}, ()
        server.points, server.job = 8.0, "completed"
        server.instead, server.moved, server.elsewhere, server.silent = {}, ("", 0, ""), "", 0
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("CANVAS_TOKEN", TOKEN)
        monkeypatch.setenv("CANVAS_URL", f"http://127.0.0.1:{server.server_port}")
        yield server
        server.shutdown()


@pytest.fixture
def out(tmp_path):
    """ann has her grade there, bob another, cyd none; dee is from Moodle, eve handed in nothing."""
    with Gradebook(tmp_path / DATABASE) as gradebook:
        for student, user, *points in (
            ("ann", 11, 4, 4),
            ("bob", 12, 4, 2),
            ("cyd", 13, 0, 4),
            ("gus", 14, 4, 4),
            ("fay", 12, 0, 0),
        ):
            one = row(student, *(task(f"t{i}", score) for i, score in enumerate(points)))
            place = f"{student}_{user}_90{user}_{STEM}.ipynb"
            if student != "fay":
                gradebook.record(student, STEM, "v", student, str(user), one.data, place)
        one = row("dee", task("t", 4))
        place = "dee_99_assignsubmission_file/01_softmax.ipynb"
        gradebook.record("dee", STEM, "v", "dee", "99", one.data, place)
        gradebook.record("eve", STEM, "v", "", "", row("eve", status="missing").data)
    return tmp_path


def attn(out, *more, assignment=f"{STEM}=456", course="7"):
    words = ["push", out, "--to", "canvas", "--course", course, "--assignment", assignment, *more]
    return main([str(word) for word in words])


def test_it_shows_what_changes_and_sends_nothing_unless_told_to(canvas, out, capsys):
    assert attn(out) == 0
    printed = capsys.readouterr().out
    changes = "2 grades change.\n  bob (12): 5 → 6\n  cyd (13): none → 4\n"
    assert f"{STEM}, Softmax: {changes}" in printed
    assert "1 are the same already; 3 have none to send" in printed
    assert (
        "  dee: nothing says who that is on Canvas" in printed
    )  # 99 is Moodle's, and another's here
    assert "  gus: Canvas's id 14 is not in this assignment" in printed
    assert "  eve: no grade yet (missing)" in printed and "Nothing was sent." in printed
    assert canvas.sent == {}


def test_with_yes_only_rows_of_the_gradebook_are_sent_and_read_back(canvas, out, capsys):
    assert attn(out, "--yes") == 0
    assert canvas.sent == {12: "6", 13: "4"} and canvas.scores[99] == 3.0
    assert "2 grades sent, and read back as they were sent." in capsys.readouterr().out
    canvas.sent.clear()
    assert attn(out, "--yes") == 0 and canvas.sent == {}


def test_a_roster_says_who_is_who_and_two_rows_of_one_person_are_none_s(canvas, out, capsys):
    (out / "roster.csv").write_text("student,lms_id\ndee,12\neve,13\n")
    assert attn(out, "--yes", "--roster", out / "roster.csv", "--missing-as-zero") == 0
    printed = capsys.readouterr().out
    for student, user in (("bob", 12), ("dee", 12), ("cyd", 13), ("eve", 13)):
        assert f"  {student}: another row has Canvas's id {user} too" in printed
    assert canvas.sent == {}


def test_what_canvas_did_not_take_is_said(canvas, out, capsys):
    canvas.deaf = (13,)
    assert attn(out, "--yes") == 2
    assert "Canvas did not take 1 of 2 grades" in capsys.readouterr().err
    canvas.job = "failed"
    assert attn(out, "--yes") == 2 and "its job is failed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variable", "value", "how", "sentence"),
    [
        ("CANVAS_TOKEN", "", {}, "No access token is given"),
        ("CANVAS_TOKEN", "wrong", {}, "refused: the access token is not valid"),
        ("CANVAS_URL", "", {}, "Say where Canvas is: --url"),
        ("CANVAS_URL", "http://canvas.example.org", {}, "begins with https://"),
        ("CANVAS_URL", "http://127.0.0.1:9", {}, "cannot be reached: ConnectionRefusedError"),
        ("X", "", {"course": "8"}, "refused: there is no such course or assignment"),
        ("X", "", {"assignment": f"{STEM}=457"}, "refused: there is no such course or assignment"),
        ("X", "", {"assignment": "457"}, "EXERCISE=NUMBER is needed"),
        ("X", "", {"assignment": "02_x=456"}, "has no row for 02_x"),
    ],
)
def test_what_is_missing_or_refused_is_a_sentence(
    variable, value, how, sentence, canvas, out, capsys, monkeypatch
):
    monkeypatch.setenv(variable, value)
    assert attn(out, "--yes", **how) == 2
    assert (
        sentence in (errors := capsys.readouterr().err)
        and TOKEN not in errors
        and canvas.sent == {}
    )


def test_another_assignment_is_told_by_its_points(canvas, out, capsys):
    canvas.points = 20.0
    assert attn(out, "--yes") == 2 and canvas.sent == {}
    assert "has 8 points, and Canvas's assignment 456 ('Softmax') has 20" in capsys.readouterr().err


NULL = {"id": 456, "name": "Softmax", "points_possible": None}
ODD = {  # what Canvas, or whoever answers in its place, says instead
    "no points": ("/456", NULL, "has no points"),
    "points in words": ("/456", NULL | {"points_possible": "8"}, "has no points"),
    "no name": ("/456", {"points_possible": 8.0}, "for the name not as Canvas does"),
    "a list": ("/456", [NULL], "for what was asked for not as Canvas does"),
    "an object": ("/submissions", {"user_id": 11}, "for what was asked for not as"),
    "numbers": ("/submissions", [1, 2], "for a list of submissions not as"),
    "anonymous": ("/submissions", [{"anonymous_id": "ab1cD", "score": 1}], "graded anonymously"),
    "a score in words": ("/submissions", [{"user_id": 11, "score": "8"}], "the score of a"),
    "not JSON": ("/456", b"<html>", "for what was asked for not as Canvas does"),
    "deep": ("/456", b"[" * 100_000, "for what was asked for not as Canvas does"),
    "no job": ("/update_grades", {"id": 1}, "for the workflow_state not as Canvas does"),
    "no number": ("/update_grades", {"workflow_state": "queued"}, "for the id not as Canvas does"),
}


@pytest.mark.parametrize("what", ODD)
def test_an_answer_that_is_not_canvas_s_is_a_sentence(what, canvas, out, capsys):
    place, data, sentence = ODD[what]
    canvas.instead = {place: data if type(data) is bytes else json.dumps(data).encode()}
    assert attn(out, "--yes") == 2
    errors = capsys.readouterr().err
    assert sentence in errors and TOKEN not in errors and "Traceback" not in errors


@pytest.mark.parametrize("path", ["/456", "/submissions", "/update_grades", "/progress/1"])
@pytest.mark.parametrize("status", [301, 307, 500])
def test_grades_and_token_go_to_no_other_place(path, status, canvas, out, capsys):
    """And whoever repeats our header in an error does not get it printed."""
    other = ThreadingHTTPServer(("127.0.0.1", 0), Canvas)
    asked = []
    other.RequestHandlerClass = lambda *how: asked.append(how)
    canvas.moved = path, status, f"http://127.0.0.1:{other.server_port}/{TOKEN}"
    with other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        assert attn(out, "--yes") == 2
        other.shutdown()
    errors = capsys.readouterr().err
    assert "refused: " in errors and TOKEN not in errors and not asked


def test_a_next_page_elsewhere_is_not_read(canvas, out, capsys):
    canvas.elsewhere = "http://127.0.0.1:9"
    assert attn(out, "--yes") == 2
    assert "which is another place" in capsys.readouterr().err and canvas.sent == {}


def test_a_silent_canvas_holds_nobody(canvas, out, capsys, monkeypatch):
    monkeypatch.setattr(canvas_api, "PATIENCE", 0.2)
    canvas.silent = 1.0
    assert attn(out) == 2 and "cannot be reached: TimeoutError" in capsys.readouterr().err
