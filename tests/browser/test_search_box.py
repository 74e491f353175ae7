"""What people type finds the page that answers among the first three, and a sentence of it."""

from pathlib import Path

import pytest
import yaml

from tools.contents import ROOT, listed

# What was typed, and the pages that answer it.
ASKED = {
    "KV cache": "generating_with_a_cache",
    "moodle": "grading_a_class adopting_the_course",
    "vLLM": "a_server",
    "flash": "flash_attention",
    "multi head": "many_heads",
    "positional encoding": "positions",
    "transformer": "a_transformer_translates why_the_transformer_won",
    "temperature": "choosing_the_next_token softmax",
    "mamba": "a_state_in_place_of_a_cache",
    "induction head": "inside_a_published_model",
    "speculative decoding": "choosing_the_next_token",
    "attention sink": "windows_sinks_and_gates",
    "softmax overflow": "softmax_on_a_computer",
    "query key value": "queries_keys_values",
    "scaled dot product": "queries_keys_values",
    "encoder decoder": "bottleneck learning_to_translate",
    "teacher forcing": "learning_to_translate",
    "layer norm": "the_block",
    "why divide by sqrt d": "queries_keys_values",
    "bahdanau": "additive_attention",
    "embedding": "a_network_that_reads",
    "attention is all you need": "why_the_transformer_won a_transformer_translates",
    "linear attention": "a_state_in_place_of_a_cache",
    "GQA": "heads_that_share",
    "rope": "positions",
    "cross entropy": "learning_to_translate",
    "vision transformer": "beyond_text",
    "seq2seq": "bottleneck learning_to_translate",
    "grouped query attention": "heads_that_share",
    "rotary embeddings": "positions",
    "causal mask": "causal_attention",
    "self attention": "self_and_cross_attention",
    "cross attention": "self_and_cross_attention",
    "residual connection": "the_block",
    "beam search": "choosing_the_next_token",
    "top p": "choosing_the_next_token",
    "sliding window": "windows_sinks_and_gates",
    "paged attention": "a_server",
    "state space model": "a_state_in_place_of_a_cache",
    "luong attention": "luong",
    "attention map": "reading_alignments",
    "word alignment": "alignment_models",
    "BERT": "pretrained_models",
    "ViT": "beyond_text",
    "online softmax": "flash_attention softmax_on_a_computer",
    "hard attention": "soft_and_hard",
    "LSTM": "a_network_that_reads",
    "gradescope": "grading_a_class adopting_the_course",
    "number of parameters": "reading_any_configuration",
}
LISTED = """asked => {
    history.replaceState(null, "", "?q=" + encodeURIComponent(asked));
    const found = Search._performSearch(...Search._parseQuery(asked));
    return found.reverse().map(([page]) => page.replace("book/", ""));
}"""


@pytest.fixture
def search(visit, site):
    seen = visit(f"{site}search.html?q=softmax")
    seen.page.locator("#search-results li p.context").first.wait_for(timeout=20_000)
    return seen.page


def test_the_right_page_is_among_the_first_three(search):
    here = {name: pages.split() for name, pages in ASKED.items()}
    asked = {q: p for q, p in here.items() if any(f"book/{page}" in listed() for page in p)}
    found = {question: search.evaluate(LISTED, question) for question in asked}
    twice = {q: pages for q, pages in found.items() if len(set(pages)) < len(pages)}
    assert not twice, "one row a page"
    found = {question: pages[:3] for question, pages in found.items()}
    wrong = {q: found[q] for q, pages in asked.items() if not set(pages) & set(found[q])}
    assert len(wrong) <= 0.05 * len(asked), wrong


def test_an_excerpt_is_a_sentence_with_the_word(search):
    texts = search.locator("#search-results li p.context").all_inner_texts()[:5]
    assert texts and all("softmax" in text.lower() for text in texts)
    assert all(len(text) < 260 and "Contents" not in text for text in texts)


def test_every_phrase_belongs_to_a_page_that_is_there():
    lines = yaml.safe_load((ROOT / "book" / "search_terms.yml").read_text(encoding="utf-8"))
    gone = [page for page in lines if not list((ROOT / "book").glob(f"{Path(page).name}.*"))]
    assert gone == []
