"""Which page shows which figure that moves, and what moves each of them."""

import re

import pytest

from tools.contents import listed

FIGURES = {
    "softmax": "softmax",
    "agreement": "context_vectors",
    "encoder-decoder": "worked_translation",
    "coordinate": "additive_attention",
    "orders": "luong",
    "scores": "scores_in_depth",
    "heatmap": "the_noun_of_it",
    "scaling": "what_the_division_repairs",
    "heads": "which_heads_a_model_needs",
    "rotary": "positions",
    "causal": "writing_word_by_word",
    "cost": "what_attention_costs",
    "online": "flash_attention",
    "bottleneck": "by_heart_or_understood",
    "block": "the_block",
    "roofline": "why_flash_attention_is_fast",
    "cache": "generating_with_a_cache",
    "sharing": "heads_that_share",
    "own-sentence": "a_translator_that_looks",
    "gate": "a_network_that_reads",
    "heard": "a_translator_that_listens",
    "rounds": "alignment_models",
    "attention-step": "what_attention_is",
}


def need(page: str) -> None:
    """Skip what asks for a page that this copy of the course leaves out."""
    found = re.search(r"(?:book|exercises)/\w+(?=\.html)", page)
    if found and found[0] not in listed():
        pytest.skip(f"_toc.yml has no line for {found[0]}")


def said(found) -> str:
    return found.locator(".attn-said").inner_text()


def move(found) -> None:
    """What moves every figure by keyboard: a button that leads on, a slider, or the map itself."""
    nexts = found.get_by_role("button", name="Next")
    slider = found.locator("input[type=range]")
    target = next((t.first for t in (nexts, slider) if t.count()), found.locator(".attn-paper"))
    target.focus()
    found.page.keyboard.press("Enter" if nexts.count() else "ArrowRight")
