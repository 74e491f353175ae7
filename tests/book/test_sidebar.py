"""The sidebar: parts as folds, of which the page's own is open."""

import re

from study import sidebar


def test_of_the_sidebar_s_parts_the_page_s_own_is_open():
    def part(name, current=""):
        line = f'<li class="toctree-l1 {current}"><a href="#">page</a></li>'
        title = f'<p class="caption"><span class="caption-text">{name}</span></p>'
        return f'{title}\n<ul class="nav">{line}</ul>'

    at_b = sidebar.folded(part("A") + part("B", "current") + part("C"))
    assert re.findall(r'<details class="attn-part"( open="")?>', at_b) == ["", ' open=""', ""]
    assert at_b.count("<li") == 3 and "caption-text" in at_b and 'class="caption"' not in at_b
    nowhere = sidebar.folded(part("A") + part("B") + part("C"))
    assert re.findall(r'<details class="attn-part"( open="")?>', nowhere)[2] == ""
    assert nowhere.count(' open=""') == 2
