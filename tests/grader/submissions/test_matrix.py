"""Whatever a student calls a file, no other student's row changes: every platform, every trick."""

import itertools
import json

import pytest

from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from tests.grader.submissions.small_class import EVERYWHERE, STEMS, notebook

STEM = "01_softmax"
PEOPLE = (  # login, name, Canvas's form of the name, id
    ("ada", "Ada Lovelace", "lovelaceada", 4711),
    ("ben", "Ben Ng", "ngben", 4712),
    ("mallory", "Mallory M", "mallorym", 4713),
)
# The platform's own part of a path, and which of a person's names their row has.
FORMS = {
    "folders": ("{0}/", 0),
    "moodle": ("{1}_{3}_assignsubmission_file_/", 1),
    "moodle, flat": ("{1}_{3}_assignsubmission_file_", 1),
    "canvas": ("{2}_{3}_9{3}_", 2),
    "gradescope": ("submission_{3}/", 1),
    "github": ("hw1-{0}/", 0),
    "nbgrader": ("{0}/week1/", 0),
}
PLATFORMS = {
    platform: ([form.format(*one) for one in PEOPLE], [one[name] for one in PEOPLE])
    for platform, (form, name) in FORMS.items()
}
METADATA = "".join(
    f"submission_{id}:\n  :submitters:\n  - :name: {name}\n    :sid: '{id}'\n"
    for _, name, _, id in PEOPLE
)


def tricks(ada, ben):
    """What Mallory calls her files: each is a list, for she may hand in several."""
    forms = [f"{ada}{STEM}.ipynb", f"x_{ada}{STEM}.ipynb", f"{ada}{ben}{STEM}.ipynb"]
    other = ("ada", "Ada Lovelace", "lovelaceada", "lovelaceada_4711_94711", "submission_4711")
    names = [f"{name}_{STEM}.ipynb" for name in other] + [f"{STEM}_{name}.ipynb" for name in other]
    ids = ["_4711_94711_", "_4711_assignsubmission_file_", "x_4711_1_", "-ada-", "01-softmax-ada"]
    return {
        "her own name": [f"mallory_{STEM}.ipynb"],
        "another's name": names,
        "another's place": [form.replace("/", "_") for form in forms],
        "two names": [f"ada_ben_{STEM}.ipynb", f"{STEM}_{STEM}.ipynb", f"ada_{STEM}_ben.ipynb"],
        "ids of others": [f"{id}{STEM}.ipynb" for id in ids],
        "dashes": [f"{STEM}-1.ipynb", "01-softmax-ada.ipynb", f"-{STEM}.ipynb", "--ada--.ipynb"],
        "unicode": ["\u200bada.ipynb", "ada\u202e.ipynb", "а\u0301da.ipynb", "ｚ.ipynb"],
        "folders of her own": [*forms, f"ada/{STEM}.ipynb", f"a/b/c/d/{STEM}.ipynb", "../x.ipynb"],
        "many, twice": [f"{STEM}.ipynb", f"{STEM} (1).ipynb", f"{STEM}-2.ipynb"],
        "junk": [f"junk {number}.ipynb" for number in range(130)]
        + ["a.pdf", "b.zip", METADATA[:9]],
        "the platform's list": ["submission_metadata.yml", "timestamp.txt", "course.toml"],
    }


CASES = [
    (platform, trick)
    for platform, (places, _) in PLATFORMS.items()
    for trick in tricks(*places[:2])
]


@EVERYWHERE
@pytest.mark.parametrize(("platform", "trick"), CASES)
def test_every_row_is_its_owner_s(put, platform, trick, tmp_path):
    places, names = PLATFORMS[platform]
    layout = platform.partition(",")[0]
    honest = {f"{places[0]}{STEM}.ipynb": notebook("ada", "softmax")}
    honest[f"{places[1]}any name.ipynb"] = notebook("ben", "softmax", "masked")
    if layout == "gradescope":
        honest["submission_metadata.yml"] = METADATA.encode()
    flat = not places[2].endswith("/")
    hers = {
        f"{places[2]}{name.replace('/', '_') if flat else name}".replace("../", "up/"): notebook(
            "mallory", *task
        )
        for name, task in zip(
            tricks(*places[:2])[trick],
            itertools.cycle([("softmax",), (), ("attend",)]),
            strict=False,
        )
    }
    how = {"assignment": "hw1"} if layout == "github" else {}
    alone = collect(put(tmp_path / "alone", honest), STEMS, layout, **how)
    lines = collect(put(tmp_path / "all", {**hers, **honest}), STEMS, layout, **how)
    wrote = {}
    for line in lines:
        if line.read and line.path.endswith(".ipynb"):
            who = json.loads(line.read()[0])["who"]
            wrote.setdefault(who, set()).add(line.student)
    assert wrote["ada"] == {names[0]} and wrote["ben"] == {names[1]}
    assert wrote.get("mallory", {names[2]}) <= {names[2], ""}
    rows = {(one.student, one.exercise) for one in found_in(lines).submissions}
    assert rows >= {(names[0], STEM), (names[1], STEM)}
    assert {student for student, _ in rows} <= set(names)
    assert {(one.student, one.exercise) for one in found_in(alone).submissions} <= rows


# What Mallory is called on the platform, where she may choose that herself.
CALLED = {
    "github": ("hw1-{}/", ["m-ada", "hw1-ada", "01-softmax-ada", "ada-", "-ada", "ada-hw1-ada"]),
    "canvas": ("{}_4713_90003_", ["lovelaceada", "anon", "LATE"]),
    "moodle": ("{}_4713_assignsubmission_file_/", ["Ada Lovelace", "Participant", "4711"]),
    "folders": ("{}/", ["ada\u200b", "ada ", " ada", "\u200eada", "Ada", "ada\u202e", "ada\t"]),
    "nbgrader": ("{}/week1/", ["ada\u200b", "Ada", "ada "]),
}


@EVERYWHERE
@pytest.mark.parametrize(
    ("platform", "called"), [(p, name) for p, (_, names) in CALLED.items() for name in names]
)
def test_a_name_like_another_s_is_a_row_of_its_own(put, platform, called, tmp_path):
    places, names = PLATFORMS[platform]
    files = {f"{CALLED[platform][0].format(called)}{STEM}.ipynb": notebook("mallory", "softmax")}
    files[f"{places[0]}{STEM}.ipynb"] = notebook("ada", "softmax")
    how = {"assignment": "hw1"} if platform == "github" else {}
    lines = collect(put(tmp_path, files), STEMS, platform, **how)
    wrote = {json.loads(line.read()[0])["who"]: line.student for line in lines}
    assert wrote["mallory"] not in ("", wrote["ada"])
    ada = names[0] if called not in ("lovelaceada", "Ada Lovelace") else f"{names[0]} (4711)"
    assert wrote["ada"] == ada
    assert all(name.isprintable() for name in wrote.values())
