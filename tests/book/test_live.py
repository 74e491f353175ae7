"""Python in the page, without a browser: what its parts are, and how a cell is run."""

import importlib.util
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from live import parts

import course_lib
from tests.native_verdicts import VERDICTS
from tools import live

ROOT = Path(__file__).parents[2]
LIVE = ROOT / "book" / "_ext" / "live"


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def runner(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    return load(LIVE / "python" / "live_runner.py")


def text_of(runner, source: str) -> tuple[str, list[str] | None]:
    texts = []
    failure = runner.run(1, source, lambda text, kind: texts.append(text))
    return "".join(texts), failure


def test_drawing_does_nothing_and_an_error_is_its_last_line_then_where(runner, monkeypatch):
    """tests/browser/test_live_cells.py has what a page prints; here is what no page's cell does."""
    for name in [n for n in sys.modules if n.startswith(runner.DRAWS)]:
        monkeypatch.delitem(sys.modules, name)
    source = """
import matplotlib.pyplot as plt
from course_lib.figures import heatmap
fig, (left, right) = plt.subplots(1, 2)
for ax in fig.axes: raise ValueError("nothing to draw on")
with plt.style.context("x"): left.plot([1])[0].set(color="red")
right["a"] = heatmap([[1]])
plt.show()"""
    assert text_of(runner, source) == ("", None)
    text, (last, trace) = text_of(runner, "print(1)\n1 / 0")
    assert (text, last) == ("1\n", "ZeroDivisionError: division by zero")
    assert "live_runner" not in trace and "<cell 1>" in trace
    wrong = "x = 1\ndef f(x)\n    return x"
    said, where = text_of(runner, wrong)[1]
    assert said == "SyntaxError: line 2: expected ':'"
    assert "    def f(x)\n            ^" in where and "ast.py" not in where
    assert text_of(runner, "if x:\npass")[1][0].startswith("IndentationError: line 2: ")
    assert text_of(runner, "eval('def')")[1][0] == "SyntaxError: invalid syntax", "not the cell's"
    assert text_of(runner, "raise SystemExit(3)")[1][0] == "SystemExit: 3"
    for said in text_of(runner, "raise ValueError('x' * 10**6)")[1]:
        assert len(said) < 30_000 and said.endswith("(cut after 20,000 characters)")
    sent = []
    runner.run(1, "for _ in range(9): print(end='')", lambda *one: sent.append(one))
    assert sent == [], "or an endless loop would fill the page with messages"


def test_the_stand_ins_equal_the_library():
    stand_in = load(LIVE / "python" / "course_lib" / "gate" / "softmax.py")
    generator = np.random.default_rng(0)
    for dtype in (np.float32, np.float64):
        scores = (100 * generator.normal(size=(3, 4, 5))).astype(dtype)
        mask = generator.random((4, 5)) < 0.5
        mask[0] = False
        for dim in (-1, 1, 0):
            got = stand_in.online_softmax(scores, 2, dim, return_running=True)
            expected = course_lib.online_softmax(scores, 2, dim, return_running=True)
            for one, other in zip(got, expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)
            for name, rest in (("softmax", ()), ("masked_softmax", (mask,))):
                expected = getattr(course_lib, name)(scores, *rest, dim=dim)
                got = getattr(stand_in, name)(scores, *rest, dim=dim)
                assert got.dtype == expected.dtype
                np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-7)


def python(place: Path, *words: str) -> str:
    """What a Python prints that finds the course in `place` alone."""
    environment = {"PYTHONPATH": str(place), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-W", "ignore", "-c", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def in_a_page(tmp_path: Path, code: str, *words: str) -> str:
    """The same with the parts that a page has and NumPy, without torch."""
    with zipfile.ZipFile(io.BytesIO(parts.course())) as archive:
        archive.extractall(tmp_path)
    without = "import sys; sys.modules['torch'] = None; import live_runner\n"
    return python(tmp_path, without + code, *words)


def test_the_pages_checker_gives_the_native_verdicts(tmp_path):
    """On every right answer and every known mistake of the three exercises: the same cases, the
    same sentence."""
    native = json.loads(python(ROOT, VERDICTS))
    page = json.loads(in_a_page(tmp_path, VERDICTS, "browser"))
    assert len(native) > 150 and set(native) == set(page)
    assert {name: (native[name], page[name]) for name in native if native[name] != page[name]} == {}


def test_parts_that_cannot_be_had_are_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(live, "PLACE", tmp_path / "live")
    monkeypatch.delenv("COURSE_CI", raising=False)
    monkeypatch.setattr(live.shutil, "which", lambda name: None)
    assert live.main() == 0
    assert "npm is missing" in capsys.readouterr().out
    monkeypatch.setenv("COURSE_CI", "1")
    assert live.main() == 1, "CI and publishing have them"
    assert not (tmp_path / "live").exists()


def test_without_the_editor_the_cells_run_all_the_same(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(live, "PLACE", tmp_path)
    (tmp_path / "LICENCES.txt").touch()
    monkeypatch.delenv("COURSE_CI", raising=False)
    monkeypatch.setattr(live.shutil, "which", lambda name: None)
    assert live.main() == 0
    said = capsys.readouterr().out
    assert said.startswith("What a reader types into a page has no colours: npm is missing")
    monkeypatch.setenv("COURSE_CI", "1")
    assert live.main() == 1
    (tmp_path / "codemirror.txt").write_text("Made of something older.")
    assert live.main() == 1, "an editor of other packages is none"
    (tmp_path / "codemirror.txt").write_text(f"Made of {live.editor_stamp()}.")
    assert live.main() == 0


def test_the_editors_packages_have_exact_versions_and_hashes():
    lock = json.loads((live.EDITOR / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    asked = json.loads((live.EDITOR / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert lock.pop("")["dependencies"] == asked
    assert all(one["integrity"].startswith("sha512-") for one in lock.values())
    assert {one["license"] for one in lock.values()} == {"MIT"}
    assert all(lock[f"node_modules/{name}"]["version"] == wanted for name, wanted in asked.items())


def test_the_editors_licences_are_those_of_what_is_in_it(tmp_path):
    for name, text in (("@a/b", "MIT of A"), ("c", "MIT of A"), ("d", "MIT of D"), ("e", "no")):
        folder = tmp_path / "node_modules" / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"name": name, "version": "1.0"}))
        (folder / "LICENSE").write_text(text)
    used = [f"node_modules/{name}/index.js" for name in ("d", "@a/b", "c")]
    text = live.editor_licences(tmp_path, ["names.js", *used])
    assert "@a/b 1.0, c 1.0\n\nMIT of A" in text and "d 1.0\n\nMIT of D" in text
    assert "e 1.0" not in text


def test_modules_that_cannot_be_compiled_are_a_sentence(tmp_path):
    with pytest.raises(OSError, match="could not compile"):
        live.compiled(tmp_path)  # an empty folder


def test_another_wheel_or_archive_is_refused(tmp_path, monkeypatch):
    name = next(iter(live.WHEELS))
    (tmp_path / name).write_bytes(b"not the wheel")
    monkeypatch.setenv("LIVE_WHEELS", str(tmp_path))
    with pytest.raises(OSError, match="SHA-256"):
        live.wheel(tmp_path)
    monkeypatch.setenv("LIVE_WHEELS", str(tmp_path / "empty"))
    with pytest.raises(OSError, match="holds none of"):
        live.wheel(tmp_path)
    with tarfile.open(tmp_path / "other.tgz", "w:gz"):
        pass
    monkeypatch.setattr(live, "pack", lambda package, place: tmp_path / "other.tgz")
    with pytest.raises(OSError, match="SHA-256"):
        live.runtime(tmp_path)


def test_the_workers_versions_are_those_that_are_fetched():
    version = live.PYODIDE.rpartition("@")[2]
    assert f"/v{version}/" in live.DISTRIBUTION
    for script in (LIVE / "js" / "worker.js", live.COMPILE):
        assert f'"version": "{version}"' in script.read_text(encoding="utf-8")
