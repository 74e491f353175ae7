"""Which page shows which figure that moves, and what moves each of them."""

FIGURES = {
    "softmax": "01_softmax",
    "translation": "03_worked_translation",
    "scores": "06_luong",
    "heatmap": "08_reading_alignments",
    "scaling": "10_queries_keys_values",
    "heads": "12_multi_head",
    "causal": "13_causal",
    "cost": "15_cost",
    "online": "16_flash",
}

# Every chapter with maps of learned weights, one or several of them.
MAPS = (
    "03_worked_translation",
    "05_bahdanau",
    "06_luong",
    "07_training_a_translator",
    "08_reading_alignments",
    "11_self_and_cross_attention",
    "12_multi_head",
    "13_causal",
    "17_pretrained",
    "18_applications",
)


def move(name: str, found) -> None:
    """What moves every figure by keyboard: a button that leads on, a slider, or the map itself."""
    nexts = found.get_by_role("button", name="Next")
    slider = found.locator("input[type=range]")
    target = next((t.first for t in (nexts, slider) if t.count()), found.locator(".attn-paper"))
    target.focus()
    found.page.keyboard.press("Enter" if nexts.count() else "ArrowRight")
