"""A figure that moves: a widget where there is a kernel, a custom element where there is none."""

import json
from functools import cache
from pathlib import Path

import anywidget
import traitlets

from course_lib.figures.moving import svg

SCRIPTS = Path(__file__).parents[1] / "js"
SHARED = ("common.js", "map.js", "lines.js")


def modules(name: str) -> list[str]:
    """The files of a figure's script in their order: what all share, the parts of this one, itself.

    A part of NAME.js is called NAME.PART.js.
    """
    return [*SHARED, *sorted(p.name for p in SCRIPTS.glob(f"{name}.*.js")), f"{name}.js"]


@cache
def script(name: str) -> str:
    """The text of a file beside the figures' modules."""
    return (SCRIPTS / name).read_text(encoding="utf-8")


class Figure(anywidget.AnyWidget):
    """What a notebook shows as a widget, a page as `<attn-NAME>`, and a terminal as text.

    data: what is drawn, computed by the cell. state: what the reader has moved; in a notebook it
    may be read and set. lines: what is read off it, the text of a terminal. drawn: the picture
    without JavaScript, in SVG; described: what it shows, for those who do not see it, the lines
    unless given.
    below: pixels that controls and sentence need, on a screen and on a phone, so that the page does
    not jump when they come.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    data = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        name: str,
        label: str,
        lines: list[str],
        *,
        height: int,
        data: dict,
        state: dict,
        drawn: str,
        described: str = "",
        below: tuple[int, int] = (100, 144),
    ) -> None:
        self.name, self.below, self.text = name, below, "\n".join([label, *lines])
        self.still = svg.picture(height, label, described or "; ".join(lines), drawn)
        super().__init__(
            data={"label": label, "height": height, **data},
            state=state,
            _esm="\n".join(map(script, modules(name))),
            _css=script("figures.css"),
        )

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        held = json.dumps({"data": self.data, "state": self.state}, ensure_ascii=False)
        for sign in "<>&":  # the page may be HTML or, in an EPUB, XML
            held = held.replace(sign, f"\\u{ord(sign):04x}")
        tag = f"attn-{self.name}"
        wide, narrow = (self.data["height"] + below for below in self.below)
        return (
            f'<{tag} class="attn-figure" style="--wide:{wide}px;--narrow:{narrow}px">'
            f'{self.still}<script type="application/json">{held}</script></{tag}>'
        )

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/plain": self.text, "text/html": self._repr_html_()}, metadata
