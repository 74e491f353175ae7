"""A figure as data: the page has the script that draws it."""

import json


class Figure:
    """What the library's Figure takes; `page` is what its element in a page holds."""

    def __init__(self, name, label, lines, *, height, data, state, below=(100, 144), **_):
        self.page = json.dumps({
            "tag": f"attn-{name}", "wide": height + below[0], "narrow": height + below[1],
            "held": {"data": {"label": label, "height": height, **data}, "state": state},
        })  # fmt: skip
