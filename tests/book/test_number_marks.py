"""The mark ≈, which tells tests that a number is trained, does not reach a page."""

import pytest
from docutils import nodes
from docutils.utils import new_document
from study import marks


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("first loss ≈ 4.42; log 80 = 4.38", "first loss 4.42; log 80 = 4.38"),
        ("8/1/20 → ≈ 2020-01-28", "8/1/20 → 2020-01-28"),
        ("<td>≈ 44</td><td>≈ −0.5</td>", "<td>44</td><td>−0.5</td>"),
        ("epoch  loss\n    1  ≈ 3.90", "epoch  loss\n    1    3.90"),
        ("log 80 ≈ the loss", "log 80 ≈ the loss"),
    ],
)
def test_the_mark_goes_and_columns_stay(printed, shown):
    assert marks.without(printed) == shown


def test_only_what_a_cell_prints_loses_it():
    document = new_document("page")
    output = nodes.container(nb_element="cell_code_output")
    output += [nodes.literal_block("≈ 1", "≈ 1"), nodes.raw("", "<td>≈ 2</td>", format="html")]
    document += [nodes.paragraph("", "about ≈ 3"), nodes.literal_block("", "≈ 4"), output]
    marks.take_out(None, document)
    assert [node.astext() for node in output] == ["1", "<td>2</td>"]
    assert output[0].rawsource == "1"
    assert [node.astext() for node in document][:2] == ["about ≈ 3", "≈ 4"]
