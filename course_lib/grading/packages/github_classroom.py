"""GitHub Classroom: a workflow that grades each push, and the reporter's JSON.

The workflow runs `attn check`-like grading on the student's own runner, so its points are feedback:
whoever can change the workflow can change them. The grades that count come from `attn grade`.
"""

import json
from pathlib import Path

from course_lib.grading.tasks.task import Exercise

WORKFLOW = """name: Autograding
on: [push, workflow_dispatch]
permissions:
  actions: read
  contents: read
  checks: write
jobs:
  grade:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/checkout@v4
        with:
          repository: attention-course/attention
          path: course
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
      - run: sudo apt-get install -y --no-install-recommends bubblewrap libseccomp2
      - run: pip install --constraint course/constraints.txt "./course[grade]"
      - id: EXERCISE_ID
        run: |
          mkdir -p work/in/submission
          cp EXERCISE.ipynb work/in/submission/
          attn grade work/in --out work/out
          attn export work/out --to github-classroom --output work/report
          echo "result=$(cat work/report/submission/EXERCISE.base64)" >> "$GITHUB_OUTPUT"
      - uses: classroom-resources/autograding-grading-reporter@v1
        env:
          EXERCISE_ENV_RESULTS: "${{ steps.EXERCISE_ID.outputs.result }}"
        with:
          runners: EXERCISE_ID
"""


def write(exercise: Exercise, output: Path) -> list[Path]:
    """`.github/workflows/classroom.yml` and `.github/classroom/autograding.json`."""
    folder = output / f"{exercise.stem}-github-classroom" / ".github"
    workflow = folder / "workflows" / "classroom.yml"
    tests = folder / "classroom" / "autograding.json"
    for path in (workflow, tests):
        path.parent.mkdir(parents=True, exist_ok=True)
    name = "exercise-" + exercise.stem.replace("_", "-")
    text = WORKFLOW.replace("EXERCISE_ID", name)
    text = text.replace("EXERCISE_ENV", name.upper()).replace("EXERCISE", exercise.stem)
    workflow.write_text(text)
    tests.write_text(json.dumps({"tests": [_test(exercise)]}, indent=2) + "\n")
    return [workflow, tests]


def _test(exercise: Exercise) -> dict:
    return {
        "name": exercise.stem,
        "setup": "",
        "run": f"attn check {exercise.stem}.ipynb",
        "input": "",
        "output": "",
        "comparison": "included",
        "timeout": 10,
        "points": exercise.max_score,
    }
