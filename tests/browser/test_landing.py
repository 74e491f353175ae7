"""The landing page: the field on its first screen is light, still, and says what PyTorch says."""

import gzip
import json
import re

import numpy as np
import pytest
from site_links import BOOK

from book.helpers.everyday import EverydayCorpus
from book.helpers.everyday.reading import words_of
from course_lib.figures.moving.parameters import unpacked
from course_lib.translation import Seq2Seq, Translator, Vocabulary

ADDED = 160_000  # bytes of the field, gzipped: its script, two models, its still picture
WHOLE = 250_000  # bytes of the page with all that it loads, gzipped where that helps
STILL = 0.01  # layout shift from the first paint until all is written
SHIFT = """async () => {
    let sum = 0;
    const add = (list) => list.forEach(one => { sum += one.value; });
    const observer = new PerformanceObserver(list => add(list.getEntries()));
    observer.observe({type: 'layout-shift', buffered: true});
    for (let i = 0; i < 2; i += 1)
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    add(observer.takeRecords());
    return sum;
}"""
READ = """figure => ({
    words: [...figure.querySelectorAll('.attn-own-words')]
        .map(line => [...line.children].map(word => word.textContent.trim())),
    weights: [...figure.querySelectorAll('.attn-paper [data-row][data-column]')]
        .map(cell => parseFloat(cell.style.getPropertyValue('--w'))),
})"""


def field() -> str:
    """The field's element as the page holds it."""
    return re.search(
        r"<attn-own-sentence.*?</attn-own-sentence>", (BOOK / "index.html").read_text("utf-8"), re.S
    )[0]


def held() -> dict:
    """What the field is given, models among it."""
    name = re.search(r'data-from="(\w+)"', field())[1]
    text = (BOOK / "_static" / "figures" / "held" / f"{name}.js").read_text("utf-8")
    return json.loads(text.partition("] = ")[2].rstrip().rstrip(";"))["data"]


def is_written(page) -> None:
    """Wait until the field's last word stands there: then a screen reader hears all of it."""
    page.locator("attn-own-sentence .attn-own-heard", has_text=".").wait_for(state="attached")


def in_pytorch(model: dict, words: dict) -> Translator:
    """The translator in PyTorch, with the bytes that the page runs and the words of the first."""
    values = unpacked(model["tensors"], model["bytes"])
    source, target = (Vocabulary.from_words(words[side]) for side in ("source", "target"))
    twin = Seq2Seq(
        len(source), len(target), attention=model["score"], order="luong", dropout=0.0,
        embedding_dim=values["encoder.embedding.weight"].shape[1],
        hidden_dim=values["decoder.rnn.weight_hh_l0"].shape[1],
        bidirectional="encoder.rnn.weight_hh_l0_reverse" in values,
    ).eval()  # fmt: skip
    named = twin.state_dict()
    twin.load_state_dict({name: value.view(named[name].shape) for name, value in values.items()})
    return Translator(twin, source, target)


@pytest.fixture
def landing(visit, site):
    return visit(site + "index.html", reduced_motion="reduce")


def test_the_field_is_light(landing, site):
    """By its own files and the still picture; common styles are every figure's."""
    is_written(landing.page)
    own = [url.removeprefix(site) for url in landing.requests if "_static/figures/" in url]
    files = [BOOK / name.partition("?")[0] for name in own if not name.endswith(".css")]
    assert len(files) == 2, files
    parts = [file.read_bytes() for file in files] + [field().encode()]
    assert sum(len(gzip.compress(part)) for part in parts) <= ADDED


def test_all_that_it_loads_is_light(landing, site):
    is_written(landing.page)
    names = {url.removeprefix(site).partition("?")[0] for url in landing.requests if site in url}
    parts = [(BOOK / name).read_bytes() for name in names]
    assert len(parts) > 10, names
    assert sum(min(len(part), len(gzip.compress(part))) for part in parts) <= WHOLE


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves_while_it_is_written_and_nobody_else_is_asked(visit, site, width):
    seen = visit(site + "index.html", width=width)
    is_written(seen.page)
    assert seen.page.evaluate(SHIFT) <= STILL
    assert seen.page.locator(".attn-own-words").first.inner_text().strip()
    assert seen.outside(site) == [] and seen.console == []


@pytest.mark.parametrize("width", [360, 375])
def test_the_field_and_what_it_writes_are_on_the_first_screen_of_a_phone(visit, site, width):
    page = visit(site + "index.html", width=width, height=812, reduced_motion="reduce").page
    figure = page.locator("attn-own-sentence")
    for part in (figure.get_by_role("textbox"), figure.locator(".attn-own-words").last):
        box = part.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 812


def test_200_held_out_sentences_are_written_as_pytorch_writes_them(landing):
    data = held()
    models = [in_pytorch(model, data["models"][0]) for model in data["models"]]
    asked = EverydayCorpus().pairs(400, split="test")
    read = [pair.source for pair in asked if "<unk>" not in pair.source]
    read = [words for words in read if words_of(" ".join(words)) == words]
    told = zip(*(model.translate(read, max_length=40) for model in models), strict=True)
    # An unknown word that a model writes is shown as a copy or as "(?)".
    both = [(words, all_told) for words, all_told in zip(read, told, strict=True)
            if not any("<unk>" in one.words for one in all_told)][:200]  # fmt: skip
    assert len(both) == 200
    sentences = [words for words, _ in both]
    expected = [list(column) for column in zip(*(all_told for _, all_told in both), strict=True)]
    figure = landing.page.locator("attn-own-sentence")
    figure.get_by_role("button", name="matrix").click()
    typed = figure.get_by_role("textbox")
    for i, sentence in enumerate(sentences):
        typed.fill(" ".join(sentence))
        typed.press("Enter")
        found = figure.evaluate(READ)
        assert found["words"] == [list(told[i].words) for told in expected], sentence
        weights = np.reshape(found["weights"], expected[0][i].weights.shape)
        np.testing.assert_allclose(weights, expected[0][i].weights, atol=1e-2, rtol=0)
    assert len({tuple(one.words) for one in expected[0]}) > 100, "it says different things"
