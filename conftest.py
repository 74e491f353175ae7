"""What holds for every run of pytest here.

nbval compares what a canonical notebook stores: text, and never images or HTML. Exactly, but for a
number after `≈`, which `tests/nbval.cfg` takes out on both sides. With COURSE_RECORDED=1, as in
`make test`, what the book's build printed is compared, and a notebook runs once and not twice. With
COURSE_MODELS=no a notebook that loads a published model is skipped, and so is one that plays
recordings where there are none: it stays as it is stored.

In CI (COURSE_CI=1) a test that skips because the machine lacks something fails instead.
"""

import os
import re
from pathlib import Path

import pytest

# `check` keeps what students write beside their notebooks; ours are in the repository already.
os.environ.setdefault("COURSE_MINE", "no")
# Nobody waits for a sentence here, and what a test finds hangs on no clock.
os.environ.setdefault("COURSE_WAIT", "no")


def pytest_configure(config):
    """nbval is slow to import: it comes by `-p nbval.plugin` alone, for who compares notebooks."""
    if not config.pluginmanager.hasplugin("nbval.plugin"):
        return
    from nbval.plugin import IPyNbCell, IPyNbFile

    from tools.execute import stays_as_stored, without_models
    from tools.notebooks import canonical_outputs
    from tools.recorded import Recorded, recorded

    if config.option.nbval_sanitize_with is None:
        config.option.nbval_sanitize_with = Path(__file__).parent / "tests" / "nbval.cfg"
    compare = IPyNbCell.compare_outputs

    def compare_canonical(self, test, ref, skip_compare=None):
        return compare(self, canonical_outputs(test), canonical_outputs(ref), skip_compare)

    IPyNbCell.compare_outputs = compare_canonical
    start = IPyNbFile.setup

    def setup_recorded(self):
        notebook = recorded(Path(self.path), Path(__file__).parent)
        if notebook is None:
            return start(self)
        self.kernel = Recorded(notebook)
        self.setup_sanitize_files()

    if os.environ.get("COURSE_RECORDED") == "1":
        IPyNbFile.setup = setup_recorded
    runs = IPyNbFile.setup

    def setup_with_models(self):
        if stays_as_stored(Path(__file__).parent, Path(self.path)):
            why = "COURSE_MODELS=no" if without_models() else "its recordings are not here"
            pytest.skip(f"{self.name} stays as it is stored: {why}")
        runs(self)

    IPyNbFile.setup = setup_with_models


# How the tests say that a browser, a wall or a checker is missing.
LACKING = re.compile(
    "no browser|not built|is not there: run|bubblewrap|libseccomp|epubcheck|not installed|"
    "could not import|no node"
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    return without_excuse(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    return without_excuse(report)


def without_excuse(report):
    """A skip that speaks of something missing is a failure where the workflow installs it."""
    if os.environ.get("COURSE_CI") == "1" and report.outcome == "skipped":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if LACKING.search(reason):
            report.outcome = "failed"
            report.longrepr = f"COURSE_CI=1, where this must run. {reason}"
    return report
