"""Which page shows which figure that moves, and what moves each of them."""

FIGURES = {
    "softmax": "softmax",
    "agreement": "context_vectors",
    "translation": "worked_translation",
    "coordinate": "additive_attention",
    "orders": "luong",
    "scores": "luong",
    "heatmap": "reading_alignments",
    "scaling": "queries_keys_values",
    "heads": "many_heads",
    "rotary": "positions",
    "causal": "causal_attention",
    "cost": "what_attention_costs",
    "online": "flash_attention",
    "bottleneck": "bottleneck",
    "block": "self_and_cross_attention",
    "roofline": "flash_attention",
    "cache": "generating_with_a_cache",
    "sharing": "heads_that_share",
}

# Every chapter with maps of learned weights, one or several of them.
MAPS = (
    "what_attention_is",
    "alignment_models",
    "additive_attention",
    "luong",
    "a_translator_that_looks",
    "training_in_depth",
    "reading_alignments",
    "self_and_cross_attention",
    "many_heads",
    "causal_attention",
    "beyond_text",
)


def move(name: str, found) -> None:
    """What moves every figure by keyboard: a button that leads on, a slider, or the map itself."""
    nexts = found.get_by_role("button", name="Next")
    slider = found.locator("input[type=range]")
    target = next((t.first for t in (nexts, slider) if t.count()), found.locator(".attn-paper"))
    target.focus()
    found.page.keyboard.press("Enter" if nexts.count() else "ArrowRight")
