"""The translator that the first half builds: short, built in sight, and equal to the library's."""

from pathlib import Path

import pytest
import torch

from course_lib.translation import ParallelCorpus, Seq2Seq, Vocabulary, make_batch
from tools.notebooks import read

ROOT = Path(__file__).parents[2]
WHOLE = ("program-1", "program-2", "program-3")
PIECES = {
    "a_network_that_reads": "program-reader",
    "bottleneck": "program-read",
    "additive_attention": "program-score",
}
TWIN = {  # a part of the page's translator, and what the library calls it
    "reader.embedding": "encoder.embedding",
    "reader.gru": "encoder.rnn",
    "writer.embedding": "decoder.embedding",
    "writer.gru": "decoder.rnn",
    "score": "decoder.attention",
    "W_": "decoder.W_",
}


def cell(page: str, name: str) -> str:
    (found,) = [c for c in read(ROOT / "book" / f"{page}.ipynb").cells if c.id == name]
    return found.source


def lines(source: str) -> list[str]:
    """The lines of code, without what only comments on them."""
    return [text for line in source.splitlines() if (text := line.partition("#")[0].rstrip())]


PROGRAM = "\n\n\n".join(cell("a_translator_that_looks", name) for name in WHOLE)


def test_the_whole_translator_has_at_most_46_lines():
    assert len(lines(PROGRAM)) <= 46


@pytest.mark.parametrize("page", PIECES)
def test_a_piece_is_in_the_whole_as_its_page_wrote_it(page):
    piece = cell(page, PIECES[page]).partition("\n\n\nmodel =")[0]
    assert [line for line in lines(piece) if line not in lines(PROGRAM)] == []


def test_the_page_of_the_lstm_has_the_same_program():
    copy = "\n".join(lines(cell("an_lstm_in_its_place", "lstm-program")))
    assert copy.endswith("\n".join(lines(PROGRAM + "\n" + cell("a_translator_that_looks", "fit"))))


def test_with_the_same_numbers_it_computes_what_the_library_computes():
    pairs = ParallelCorpus(seed=0).pairs(24, clauses=(1, 2))
    english = Vocabulary(pair.source for pair in pairs)
    french = Vocabulary(pair.target for pair in pairs)
    names = {"nn": torch.nn, "torch": torch, "PAD": 0, "START": 2, "french": french}
    exec(PROGRAM, names)
    torch.manual_seed(0)
    model = names["Translator"](len(english), len(french))
    twin = Seq2Seq(
        len(english), len(french), attention="additive", order="luong", bidirectional=False,
        embedding_dim=32, hidden_dim=64, dropout=0.0,
    ).eval()  # fmt: skip
    renamed = {}
    for name, value in model.state_dict().items():
        part = next(part for part in TWIN if name.startswith(part))
        renamed[TWIN[part] + name.removeprefix(part)] = value
    twin.load_state_dict(renamed)
    batch = make_batch(pairs, english, french)
    with torch.no_grad():
        ours, _, weights = model(batch.source, batch.lengths, batch.inputs)
        theirs, their_weights = twin(batch.source, batch.lengths, batch.inputs)
    real = batch.labels != 0
    torch.testing.assert_close(ours[real], theirs[real], atol=1e-6, rtol=0)
    torch.testing.assert_close(weights[real], their_weights[real], atol=1e-6, rtol=0)
    found = names["translate"](model, batch.source, batch.lengths, limit=5)
    assert len(found) == 24
