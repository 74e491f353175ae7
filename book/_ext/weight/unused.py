"""Style sheets cut down to the rules that a page can match: of the theme's, a tenth.

A rule stays when each class and each id of its selector stands on a page or in a script, which may
set it later. What the selector says inside :not(…) and its like does not count.
"""

import re
from collections.abc import Iterable

import tinycss2

NAMED = re.compile(r"""\b(?:class|id)=(?:"([^"]*)"|'([^']*)')""")
WORD = re.compile(r"[\w-]+")
COMPOSED = ("bs-",)  # class names that Bootstrap puts together from parts
GROUPS = ("media", "supports")  # what holds rules, which are looked through one by one


def vocabulary(pages: Iterable[str], scripts: Iterable[str]) -> set[str]:
    """Every class and id of the pages, and every word of the scripts."""
    values = (a or b for page in pages for a, b in NAMED.findall(page))
    words = {name for value in values for name in value.split()}
    return words.union(*map(WORD.findall, scripts))


def trimmed(css: str, words: set[str]) -> str:
    """The style sheet without the rules that match nothing; licences stay."""
    return "".join(_kept(rule, words) for rule in tinycss2.parse_stylesheet(css))


def _kept(rule, words: set[str]) -> str:
    if rule.type == "comment":
        return rule.serialize() if rule.value.startswith("!") else ""
    if rule.type == "qualified-rule":
        selectors = [one for one in _selectors(rule.prelude) if _may_match(one, words)]
        heads = ",".join(tinycss2.serialize(one).strip() for one in selectors)
        return f"{heads}{{{tinycss2.serialize(rule.content)}}}\n" if selectors else ""
    if rule.type == "at-rule" and rule.lower_at_keyword in GROUPS:
        inner = "".join(_kept(one, words) for one in tinycss2.parse_rule_list(rule.content))
        head = f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}"
        return f"{head}{{{inner}}}\n" if inner else ""
    return rule.serialize() + "\n" if rule.type == "at-rule" else ""


def _selectors(prelude: list) -> list[list]:
    """The selectors of a rule, which commas separate."""
    found = [[]]
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            found.append([])
        else:
            found[-1].append(token)
    return found


def _may_match(selector: list, words: set[str]) -> bool:
    named = [
        token.value
        for before, token in zip([None, *selector], selector, strict=False)
        if token.type == "hash" or (token.type == "ident" and before is not None and before == ".")
    ]
    return all(name in words or name.startswith(COMPOSED) for name in named)
