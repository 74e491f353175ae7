"""Claims about training: what they let pass, what they refuse, and what they write down."""

import json
import math

import pytest

from book.helpers.claims import RECORD, claim


@pytest.mark.parametrize(
    ("value", "limits", "passes"),
    [
        (0.9, {"at_least": 0.8}, True),
        (0.8, {"at_least": 0.8}, True),
        (0.7, {"at_least": 0.8}, False),
        (0.3, {"at_most": 0.2}, False),
        (0.5, {"at_least": 0.4, "at_most": 0.6}, True),
        (0.7, {"at_least": 0.4, "at_most": 0.6}, False),
        (math.nan, {"at_least": 0.0}, False),
    ],
)
def test_a_claim_holds_its_range(value, limits, passes):
    if passes:
        claim("score", value, **limits)
    else:
        with pytest.raises(AssertionError, match=r"score: .*, and the page says"):
            claim("score", value, **limits)


def test_claims_are_recorded_with_their_margin_also_those_that_fail(tmp_path, monkeypatch):
    monkeypatch.setenv(RECORD, str(tmp_path / "claims"))
    claim("BLEU", 93, at_least=90, at_most=100)
    with pytest.raises(AssertionError):
        claim("loss", 0.5, at_most=0.2)
    with pytest.raises(ValueError, match="needs a limit"):
        claim("score", 1.0)
    lines = (tmp_path / "claims").read_text(encoding="utf-8").splitlines()
    good, bad = map(json.loads, lines)
    assert good["margin"] == 3 and bad["margin"] == pytest.approx(-0.3)
