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
    "speculative decoding": "speculative_decoding",
    "attention sink": "windows_sinks_and_gates",
    "softmax overflow": "softmax_on_a_computer",
    "query key value": "queries_keys_values",
    "scaled dot product": "queries_keys_values",
    "encoder decoder": "bottleneck learning_to_translate",
    "teacher forcing": "learning_to_translate",
    "layer norm": "the_block",
    "why divide by sqrt d": "what_the_division_repairs",
    "bahdanau": "additive_attention",
    "embedding": "a_network_that_reads",
    "attention is all you need": "why_the_transformer_won a_transformer_translates",
    "linear attention": "a_state_in_place_of_a_cache",
    "GQA": "heads_that_share",
    "MLA": "latent_attention",
    "FlexAttention": "a_mask_as_a_function",
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
    "beam search": "several_beginnings",
    "top p": "choosing_the_next_token",
    "sliding window": "a_window_of_words",
    "paged attention": "a_server",
    "state space model": "a_state_in_place_of_a_cache",
    "luong attention": "luong",
    "attention map": "reading_alignments",
    "word alignment": "alignment_models",
    "BERT": "pretrained_models",
    "ViT": "beyond_text",
    "online softmax": "flash_attention softmax_on_a_computer",
    "hard attention": "soft_and_hard",
    "LSTM": "an_lstm_in_its_place a_network_that_reads",
    "gradescope": "grading_a_class adopting_the_course",
    "number of parameters": "reading_any_configuration",
    # Whole questions, and words that no page is called by.
    "why do we need softmax in attention": "softmax what_attention_is softmax_in_depth",
    "vanishing gradients": "what_the_division_repairs",
    "byte pair encoding": "words_in_pieces",
    "BLEU": "learning_to_translate bottleneck a_translator_that_looks",
    "copy mechanism": "answers_and_sound",
    "alibi slopes": "positions",
    "lower triangular mask": "causal_attention",
    "flash attention backward pass": "flash_attention why_flash_attention_is_fast",
    "how many parameters does llama have": "reading_any_configuration",
    "attention weights sum to one": "softmax context_vectors what_attention_is",
    "difference between bahdanau and luong attention": "luong additive_attention",
    "why multiple heads": "many_heads",
    "permutation equivariance": "positions self_and_cross_attention",
    "quadratic memory in sequence length": "what_attention_costs flash_attention",
    "rope scaling long context": "positions",
    "MQA vs GQA": "heads_that_share",
    "greedy decoding vs sampling": "choosing_the_next_token",
    "shifted right decoder input": "learning_to_translate a_transformer_translates",
    "graph attention network": "beyond_text",
    "memory bandwidth bound decoding": "generating_with_a_cache why_flash_attention_is_fast",
    "padding mask": "softmax self_and_cross_attention a_transformer_translates context_vectors",
    "dropout": "training_in_depth learning_to_translate the_block many_heads",
    "late submissions": "grading_a_class",
    "key value memory per token": "generating_with_a_cache heads_that_share",
    "why is attention quadratic": "what_attention_costs misconceptions",
    "how to mask future tokens": "causal_attention",
    "speech recognition attention": "a_translator_that_listens",
    "LSTM vs transformer": "why_the_transformer_won",
    "cost of long prompts": "what_attention_costs generating_with_a_cache a_server",
    "what are attention sinks": "windows_sinks_and_gates",
    "translating long sentences fails": "bottleneck",
    "convert torch multihead attention weights": "many_heads",
    "attention for images": "beyond_text small_experiments",
    "how does beam search work": "several_beginnings",
    "gradient of the softmax": "softmax_in_depth",
    "run the exercises in colab": "adopting_the_course index",
    "sinusoidal vs learned positions": "positions",
    "how does an encoder decoder work": "bottleneck learning_to_translate",
    "does attention explain the prediction": "does_a_map_explain",
    "memory of kv cache llama": "generating_with_a_cache reading_any_configuration",
    "monotonic alignment": "local_attention",
    "time complexity self attention": "what_attention_costs why_the_transformer_won",
    "grade a folder of notebooks": "grading_a_class adopting_the_course",
    "hopfield network": "soft_dictionary",
}
LISTED = """asked => {
    history.replaceState(null, "", "?q=" + encodeURIComponent(asked));
    const found = Search._performSearch(...Search._parseQuery(asked));
    return found.reverse().map(([page]) => page.replace("book/", ""));
}"""


@pytest.fixture
def search(visit, site):
    seen = visit(f"{site}search.html?q=softmax")
    seen.page.locator("#search-results li p.context").first.wait_for()
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


@pytest.mark.parametrize(
    ("typed", "read", "page"),
    [
        ("sofmax", "softmax", "softmax"),
        ("attenion", "attention", "what_attention_is"),
        ("bahdanu", "bahdanau", "additive_attention luong"),
        ("Luogn atention", "luong attention", "luong"),
    ],
)
def test_a_misspelled_word_finds_and_says_what_was_looked_for(visit, site, typed, read, page):
    seen = visit(f"{site}search.html?q={typed}")
    rows = seen.page.locator("#search-results li")
    rows.first.wait_for()
    assert seen.page.locator(".attn-meant").inner_text() == (
        f"No page has “{typed}”. Shown is what was found for “{read}”."
    )
    found = seen.page.evaluate(LISTED, typed)[:3]
    assert set(page.split()) & set(found), found
    assert seen.console == []


def test_a_word_that_pages_have_is_looked_for_as_it_stands(search):
    assert search.locator(".attn-meant").count() == 0
    for typed in ("softmax", "rope", "vLLM", "xqzvw"):
        search.evaluate(LISTED, typed)
        assert search.locator(".attn-meant").count() == 0, typed


EXCERPT = """([text, word]) => {
    const page = `<div role="main"><p>${text}</p></div>`;
    return Search.makeSearchSummary(page, new Set([word]), "").textContent;
}"""


def test_an_excerpt_is_cut_between_words_and_shows_the_word_itself(search):
    text = "A property of dropout is told first. Rope turns two features. " + "longer words " * 40
    found = search.evaluate(EXCERPT, [text, "rope"])
    assert found.startswith("Rope turns two features.") and len(found) < 260
    assert found.endswith(("longer …", "words …"))
    found = search.evaluate(EXCERPT, [text, "elsewhere"])
    assert found.startswith("A property") and found.endswith(("longer …", "words …"))


def test_every_phrase_belongs_to_a_page_that_is_there():
    lines = yaml.safe_load((ROOT / "book" / "search_terms.yml").read_text(encoding="utf-8"))
    gone = [page for page in lines if not list((ROOT / "book").glob(f"{Path(page).name}.*"))]
    assert gone == []
