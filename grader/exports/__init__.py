"""Grades for other systems. An export is a function from rows to the files it wrote."""

from grader.exports import canvas, junit, moodle, moss, nbgrader, pages, per_submission, ranking

FORMATS = {
    "csv": pages.write_csv,
    "html": pages.write_html,
    "canvas": canvas.write,
    "moodle": moodle.write,
    "moss": moss.write,
    "nbgrader": nbgrader.write,
    "junit": junit.write,
    "ranking": ranking.write,
    "gradescope": per_submission.write_gradescope,
    "github-classroom": per_submission.write_github,
}
