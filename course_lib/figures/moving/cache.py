"""A key/value cache that grows: the prompt at once, then a row for each word that is written."""

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import check_labels
from course_lib.figures.style import ACCENT, MUTED, WARM

ROW = 20  # pixels of a word's row


def cache_figure(words, *, prompt: int, bytes_per_token: int) -> Figure:
    """Step through prefill and decode and watch keys and values pile up.

    A step of prefill computes a row of keys and values for each word of the prompt; a step of
    decode computes one and reads the others. Scores of a word: itself and all words before it.

    Args:
        words: the prompt and what is written after it, the labels of the rows.
        prompt: how many words are the prompt at first.
        bytes_per_token: of the keys and values of one word in all layers.

    Raises:
        ValueError: for fewer than two words, and a prompt that is not shorter than the text.
    """
    n = len(words)
    words = check_labels("words", words, n, (n,))
    if not 1 <= prompt < n:
        raise ValueError(f"the prompt needs at least 1 and at most {n - 1} words, got {prompt}.")
    label = "A cache growing through prefill and decode"
    lines = [said(n, prompt, step) for step in range(n - prompt + 1)]
    height = 26 + ROW * n
    return Figure(
        "cache",
        label,
        lines,
        height=height,
        data={"words": words, "prompt": prompt, "bytes": int(bytes_per_token)},
        state={"prompt": prompt, "step": 0},
        described=" ".join(lines),
        drawn=_rows(words, prompt),
        below=(150, 305),
    )


def said(n: int, prompt: int, step: int) -> str:
    """What a step computes and what is kept after it."""
    kept = prompt + step
    if step == 0:
        return f"Prefill: {prompt} rows computed, {prompt * (prompt + 1) // 2} scores, {kept} kept."
    return f"Decode: 1 row computed, {kept} scores, {kept} kept."


def _rows(words: list[str], prompt: int) -> str:
    """The last step, standing still: one new row, all others kept."""
    left = 12 + 7.5 * max(map(len, words))
    wide = (svg.WIDE - left - 110) / 2
    drawn = [
        svg.words(left + i * (wide + 6), 16, name, color=MUTED)
        for i, name in enumerate(("key", "value"))
    ]
    for i, word in enumerate(words):
        y, newest = 24 + ROW * i, i == len(words) - 1
        drawn.append(svg.words(0, y + 13, word))
        for j in range(2):
            drawn.append(
                f'<rect x="{left + j * (wide + 6):.1f}" y="{y}" width="{wide:.1f}" '
                f'height="{ROW - 4}" fill="{WARM if newest else ACCENT}"/>'
            )
        label = f"new, {len(words)} scores" if newest else "kept"
        drawn.append(svg.words(left + 2 * wide + 14, y + 13, label))
    return "".join(drawn)
