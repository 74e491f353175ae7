"""GitHub Classroom: a workflow that grades each push, and the reporter's JSON.

The workflow runs `attn check`-like grading on the student's own runner, so its points are feedback:
whoever can change the workflow can change them. The grades that count come from `attn grade`.
"""

import json
from pathlib import Path

from course_lib.address import REPOSITORY
from course_lib.checker.errors import InputError
from course_lib.checker.tasks.task import Exercise

GITHUB = "https://github.com/"

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
          # The course itself, with its library and its grader.
          repository: {course}
          path: course
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
      - run: sudo apt-get install -y --no-install-recommends bubblewrap libseccomp2
      # Ubuntu lets only programs that it knows make namespaces; the sandbox needs one.
      - run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0
      # Editable, so that the solutions lie outside of what cells may read.
      - run: >-
          pip install --constraint course/constraints.txt
          --extra-index-url https://download.pytorch.org/whl/cpu
          --editable ./course --editable ./course/grader
      - id: {runner}
        run: |
          # Every notebook, at any depth: which of them it is, its cells say, as for a class.
          mkdir -p work/in/submission
          find . \\( -path ./course -o -path ./work -o -path './.*' \\) -prune -o \\
            -type f -name '*.ipynb' -print0 | xargs -0 -r cp --parents -t work/in/submission
          grade="attn grade work/in --from folders --exercise {exercise} --out work/out"
          # A fault of ours is no grade: the reporter is not reached.
          if ! $grade 2>&1 | tee work/log || grep -q '"needs-attention"' work/out/grades.csv
          then
            if grep -qE 'Nothing was handed in for|holds no work for an exercise' work/log; then
              echo "::error::No notebook of the repository holds an answer of {exercise}."
              exit 1
            fi
            echo "::error::The grader failed. It is not a grade; please tell your instructor."
            exit 1
          fi
          attn export work/out --to github-classroom --output work/report
          echo "result=$(cat work/report/submission/{exercise}.base64)" >> "$GITHUB_OUTPUT"
      - uses: classroom-resources/autograding-grading-reporter@v1
        env:
          {variable}: "${{ steps.{runner}.outputs.result }}"
        with:
          runners: {runner}
"""


def write(exercise: Exercise, output: Path) -> list[Path]:
    """`.github/workflows/classroom.yml` and `.github/classroom/autograding.json`.

    Raises InputError where the course has no address on GitHub: the workflow fetches it from there.
    """
    if not REPOSITORY.startswith(GITHUB):
        raise InputError(
            "The workflow fetches your course from GitHub, and this copy of it has "
            f"{f'the address {REPOSITORY}' if REPOSITORY else 'no address'}. "
            "First: make address URL=https://github.com/someone/your-course"
        )
    folder = output / f"{exercise.stem}-github-classroom" / ".github"
    name = "exercise-" + exercise.stem.replace("_", "-")
    values = {
        "{course}": REPOSITORY.removeprefix(GITHUB),
        "{runner}": name,
        # The reporter reads the variable named after the runner, in capitals.
        "{variable}": f"{name.upper()}_RESULTS",
        "{exercise}": exercise.stem,
    }
    workflow = WORKFLOW
    for mark, value in values.items():
        workflow = workflow.replace(mark, value)
    test = {"name": exercise.stem, "setup": "", "run": f"attn check {exercise.stem}.ipynb"}
    test |= {"input": "", "output": "", "comparison": "included", "timeout": 10}
    tests = {"tests": [test | {"points": exercise.max_score}]}
    files = {
        folder / "workflows" / "classroom.yml": workflow,
        folder / "classroom" / "autograding.json": json.dumps(tests, indent=2) + "\n",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(files)
