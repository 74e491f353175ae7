"""nbval compares what a canonical notebook stores: text, and never images or HTML.

Exactly, but for a number after `≈`, which `tests/nbval.cfg` takes out on both sides.
"""

from pathlib import Path

from tools.notebooks import canonical_outputs

try:
    from nbval.plugin import IPyNbCell
except ImportError:  # the library's own tests run without the notebook tools
    IPyNbCell = None


def pytest_configure(config):
    if config.getoption("nbval", False) and config.option.nbval_sanitize_with is None:
        config.option.nbval_sanitize_with = Path(__file__).parent / "tests" / "nbval.cfg"


if IPyNbCell is not None:
    compare = IPyNbCell.compare_outputs

    def compare_canonical(self, test, ref, skip_compare=None):
        return compare(self, canonical_outputs(test), canonical_outputs(ref), skip_compare)

    IPyNbCell.compare_outputs = compare_canonical
