"""The picture and the table of *Since 2023*, from book/timeline.yml.

    python -m tools.timeline             writes both into book/since_2023.md

They stand between comments that name them; the rest of the page is written by hand.
"""

import re
from html import escape
from pathlib import Path

import yaml

BOOK = Path(__file__).resolve().parents[1] / "book"
PAGE = BOOK / "since_2023.md"
ROOT, FIRST, LEFT, STEP = 2017, 2019, 160, 79  # of the picture: years, and pixels for a year
LANE, LOW, LETTER = 60, 36, 6.1


def timeline() -> list[dict]:
    """The groups of the file, each with its rows."""
    return yaml.safe_load((BOOK / "timeline.yml").read_text(encoding="utf-8"))


def rows() -> list[dict]:
    return [row for group in timeline() for row in group["rows"]]


def what_changes(row: dict) -> str:
    """What a row says of an idea: the change, the models that have it, or the class to look at."""
    said = row["changes"][0].upper() + row["changes"][1:] + "."
    if "found" in row:
        said += f" *In* {row['found']}."
    if "class" in row:
        said += f" *Class:* {', '.join(f'`{name}`' for name in row['class'])}."
    return said


def table() -> str:
    """One table: a line for each group, and its rows by their years."""
    lines = ["| year | what | what changes in the formula | in this book |", "|---|---|---|---|"]
    for group in timeline():
        lines.append(f"| | **{group['group']}** | | |")
        for row in sorted(group["rows"], key=lambda row: row["year"]):
            cited = f" {{cite:p}}`{','.join(row['cite'])}`" if "cite" in row else ""
            name = f"**{row['what']}**" if row.get("first") else row["what"]
            lines.append(f"| {row['year']} | {name}{cited} | {what_changes(row)} | {row['run']} |")
    return "\n".join(lines)


def picture() -> str:
    """A tree in time: from the softmax of all pairs a branch for each group with words in it."""
    lanes = [group for group in timeline() if any("picture" in row for row in group["rows"])]
    heights = [LANE + LOW * any(row.get("low") for row in lane["rows"]) for lane in lanes]
    height = sum(heights) + 8
    middle, top, parts, told = height // 2, 0, [], []
    for lane, tall in zip(lanes, heights, strict=True):
        shown = [row for row in lane["rows"] if "picture" in row]
        drawn, at = branch(lane["group"], shown, top, middle)
        parts += drawn
        top += tall
        told.append(f"{lane['group']}: " + ", ".join(f"{w} {at[w][2]}" for w in at))
    width = LEFT + STEP * (2026 - FIRST) + 60
    title = f"A tree, in time. From the softmax over all pairs of {ROOT} come {'; '.join(told)}."
    return "\n".join(
        [
            "```{raw} html",
            '<div class="attn-scroll" tabindex="0" role="group" aria-label="What came from what">',
            f'<svg class="attn-descent" viewBox="0 0 {width} {height}" role="img"'
            ' aria-labelledby="descent-title">',
            f'<title id="descent-title">{escape(title)}</title>',
            f'<text class="root" x="4" y="{middle - 8}">softmax</text>',
            f'<text class="root" x="4" y="{middle + 10}">of all pairs</text>',
            f'<text class="year" x="4" y="{middle + 26}">{ROOT}</text>',
            *parts,
            "</svg>",
            "</div>",
            "```",
        ]
    )


def branch(
    name: str, shown: list[dict], top: int, middle: int
) -> tuple[list[str], dict[str, tuple[float, int, int]]]:
    """The texts and lines of a branch, and for each of its words the place and the year."""
    line, parts, at = top + 34, [f'<text class="branch" x="100" y="{top + 19}">{name}</text>'], {}
    for row in shown:
        word, year = row["picture"], row["year"]
        x, y = LEFT + STEP * (year - FIRST), line + LOW * row.get("low", False)
        half = LETTER * len(word) / 2
        parts.append(f'<text x="{x}" y="{y + 4}" text-anchor="middle">{escape(word)}</text>')
        parts.append(f'<text class="year" x="{x}" y="{y + 18}" text-anchor="middle">{year}</text>')
        before = [w for w in at if at[w][1] == y][-1:]
        for earlier in row.get("after", before):
            parts.append(joined(at[earlier], len(earlier), x, y, half))
        if not at:
            start = x - half - 8
            bend = f"C 100 {middle} 84 {line} 104 {line}"
            parts.append(f'<path d="M 84 {middle} {bend} H {start:.0f}"/>')
        elif row.get("low") and "after" not in row:
            parts.append(
                f'<path d="M 84 {middle} C 100 {middle} 84 {y} 104 {y} H {x - half - 8:.0f}"/>'
            )
        at[word] = (x, y, year)
    return parts, at


def joined(start: tuple[float, int, int], letters: int, x: float, y: int, half: float) -> str:
    """A line from the end of one word to the beginning of a later one, or down to one below."""
    from_x, from_y, _ = start
    left, right = from_x + LETTER * letters / 2 + 8, x - half - 8
    if from_y == y:
        return f'<path d="M {left:.0f} {y} H {right:.0f}"/>'
    if from_x == x:
        return f'<path d="M {x - half - 16:.0f} {from_y + 6} V {y} H {right:.0f}"/>'
    turn = max(left, right - 30)  # level until the word before is passed
    bend = (turn + right) / 2
    curve = f"C {bend:.0f} {from_y} {bend:.0f} {y} {right:.0f} {y}"
    return f'<path d="M {left:.0f} {from_y} H {turn:.0f} {curve}"/>'


def replaced(page: str) -> str:
    """The page with the picture and the table as the file has them."""
    for name, made in (("picture", picture()), ("table", table())):
        between = re.compile(rf"(<!-- {name}[^\n]* -->\n).*?(<!-- end -->)", re.S)
        page, found = between.subn(lambda part, made=made: f"{part[1]}{made}\n{part[2]}", page)
        if found != 1:
            raise ValueError(f"since_2023.md needs one place between comments for the {name}.")
    return page


if __name__ == "__main__":
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
