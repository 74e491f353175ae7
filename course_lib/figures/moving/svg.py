"""Still pictures for where nothing moves: no JavaScript, print, EPUB. Plain SVG, own colours.

A style sheet may override the colours, which are attributes; without one, they are the light ones.
"""

from xml.sax.saxutils import escape

from course_lib.figures.moving.encoder_decoder_events import low
from course_lib.figures.style import (
    ACCENT,
    CONTEXT,
    DECODER,
    ENCODER,
    INK,
    LINE,
    MUTED,
    SERIES,
)

WIDE = 640
PARTS = {"encoder": ENCODER, "context": CONTEXT, "decoder": DECODER}  # of a translator


def picture(height: int, title: str, description: str, drawn: str) -> str:
    """An SVG of the figure's height, with a title and a description for those who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="attn-still" role="img" '
        f'viewBox="0 0 {WIDE} {height}" width="{WIDE}" height="{height}" font-size="13" '
        f'font-family="sans-serif"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{drawn}</svg>"
    )


def words(x, y, text, *, anchor="start", color=INK) -> str:
    kind = ' class="attn-muted"' if color == MUTED else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}"{kind}>'
        f"{escape(str(text))}</text>"
    )


def bars(labels, values, *, x=0.0, y=0.0, width=WIDE, row=24, title="", most=None, digits=3) -> str:
    """Bars from a common zero, each with its label before it and its number behind it."""
    most = max(most or 0, *map(abs, values), 1e-9)
    start = x + min(0.4 * width, 12 + 7.5 * max(len(str(label)) for label in labels))
    least = min(0.0, *values)
    scale = (x + width - 52 - start) / (most - (least if least < 0 else 0))
    zero = start - least * scale
    drawn = [words(start, y + 14, title, color=MUTED)]
    for i, (label, value) in enumerate(zip(labels, values, strict=True)):
        top, length = y + 22 + row * i, abs(value) * scale
        left = zero if value >= 0 else zero - length
        drawn += [
            words(x, top + row * 0.65, label),
            f'<rect class="attn-bar" x="{left:.1f}" y="{top + 2:.1f}" width="{max(length, 1):.1f}" '
            f'height="{row - 6}" fill="{ACCENT}"/>',
            words(
                max(zero, left + length) + 5,
                top + row * 0.65,
                f"{value:.{digits}f}".replace("-", "−"),
            ),
        ]
    return "".join(drawn)


def heat(weights, rows, columns, *, x=0.0, y=0.0, width=WIDE, height=300) -> str:
    """A matrix of weights: rows are queries, columns are keys, heavier is darker."""
    start = x + min(0.3 * width, 14 + 7.5 * max(len(str(label)) for label in rows))
    w, h = (x + width - start) / len(columns), (height - 40) / len(rows)
    drawn = [words(x, y + 14, "query / target ↓   key / source →", color=MUTED)]
    for s, label in enumerate(columns):
        drawn.append(words(start + w * (s + 0.5), y + 34, label, anchor="middle"))
    for t, label in enumerate(rows):
        top = y + 40 + h * t
        drawn.append(words(start - 6, top + h / 2 + 4, label, anchor="end"))
        for s, weight in enumerate(weights[t]):
            drawn.append(
                f'<rect class="attn-cell" x="{start + w * s:.1f}" y="{top:.1f}" width="{w:.1f}" '
                f'height="{h:.1f}" fill="{ACCENT}" fill-opacity="{0.6 * max(weight, 0):.2f}" '
                f'style="--w:{max(weight, 0):.2f}" stroke="{LINE}"/>'
            )
            if w >= 34 and weight >= 0.005:
                middle = start + w * (s + 0.5)
                drawn.append(words(middle, top + h / 2 + 4, f"{weight:.2f}", anchor="middle"))
    return "".join(drawn)


def curves(xs, series: dict, *, width=WIDE, height=300) -> str:
    """Lines over common xs, each named at its right end; the caller has taken the logarithms."""
    low = min(min(ys) for ys in series.values())
    high = max(max(ys) for ys in series.values())
    wide, tall = xs[-1] - xs[0] or 1, high - low or 1  # one x, or flat curves
    right, bottom = width - 200, height - 24
    drawn = [f'<path d="M20 10V{bottom}H{right}" fill="none" stroke="{MUTED}"/>']
    for (name, ys), color in zip(series.items(), SERIES, strict=False):
        places = [
            (
                20 + (right - 20) * (x - xs[0]) / wide,
                bottom - (bottom - 12) * (y - low) / tall,
            )
            for x, y in zip(xs, ys, strict=True)
        ]
        path = "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
        drawn += [
            f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"/>',
            words(right + 6, places[-1][1] + 4, name, color=color),
        ]
    return "".join(drawn)


def _box(x, y, wide, kind, round_, *lines) -> str:
    drawn = [words(x, y + 16 + 17 * i, line, anchor="middle") for i, line in enumerate(lines)]
    return (
        f'<rect class="attn-part attn-{kind}" x="{x - wide / 2:.1f}" y="{y}" width="{wide:.1f}" '
        f'height="{8 + 17 * len(lines)}" rx="{round_}" fill="none" stroke="{PARTS[kind]}" '
        f'stroke-width="2"/>{"".join(drawn)}'
    )


def translator(data) -> str:
    """The last event, with the shapes of the moving figure: boxes, an oval, rounded boxes."""
    last, at, wide = data["frames"][-1], data["at"], WIDE / len(data["source"])
    drawn = [words(0, 12, "encoder", color=ENCODER)]
    for j, (word, state) in enumerate(zip(data["source"], data["states"], strict=True)):
        x = wide * (j + 0.5)
        drawn.append(words(x, 30, word, anchor="middle"))
        drawn.append(_box(x, 38, min(wide - 12, 150), "encoder", 0, low("h", j + 1), state))
        if data["looks"]:
            thick = 0.5 + 9 * last["links"][j]
            drawn.append(
                f'<line class="attn-line attn-context" x1="{x:.1f}" y1="81" x2="320" '
                f'y2="{at["attention"] + 54}" stroke="{CONTEXT}" stroke-width="{thick:.1f}"/>'
            )
            drawn.append(words(x + 8, at["attention"] + 14, last["chips"][j]))
    if data["looks"]:
        drawn.append(_box(320, at["attention"] + 54, 190, "context", 13, last["context"]))
        drawn.append(words(0, at["attention"] + 71, "attention", color=CONTEXT))
    y = at["decoder"] + 24
    drawn += [words(0, y - 12, "decoder", color=DECODER)]
    drawn.append(_box(100, y, 190, "decoder", 9, *last["state"]))
    if data["writes"]:
        drawn.append(_box(540, y, 190, "decoder", 9, last["word"], "is written"))
        drawn.append(words(0, at["written"] + 18, f"written: {last['written']}"))
    for i, (name, value) in enumerate(last["rows"]):
        drawn.append(words(0, at["rows"] + 15 + 22 * i, f"{name}: {value}"))
    for i, (word, score, p) in enumerate(last["bars"]):
        drawn.append(words(0, at["bars"] + 15 + 22 * i, f"{word}: score {score}, p = {p:.2f}"))
    if data["weights"]:
        size = {"y": at["map"], "width": 480, "height": 90 + 22 * len(data["target"])}
        rows = heat(data["weights"], data["target"], data["source"], **size)
        drawn.append(f'<g style="--accent:var(--green)">{rows.replace(ACCENT, CONTEXT)}</g>')
    return "".join(drawn)
