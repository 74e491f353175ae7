"""A cell's text as Jupyter runs it: prompts and a common indent taken off, IPython's own commands
out of the way.

The steps are IPython's (`IPython.core.inputtransformer2`), in its order; a command of its own, such
as `!pip install` or `%matplotlib inline`, defines nothing and becomes `pass`, and where its result
is given a name, `None`. Each line keeps its number.
"""

import ast
import itertools
import re
import textwrap
import tokenize
from collections.abc import Iterator, Sequence

MOST_COMMANDS = 500  # of one cell, as in IPython
INDENT = re.compile(r"[ \t]+")
PYTHON_PROMPT = re.compile(r"^\s*>>>[ \t]?")
GOES_ON = re.compile(r"^\s*\.\.\.[ \t]?")
IPYTHON_PROMPT = re.compile(r"^(?:((\[nav\]|\[ins\])? )?In \[\d+\]: |\s*\.{3,}: ?)")
QUOTES = re.compile(r"(?<!\\)(\"{3}|'{3})")
COMMAND = re.compile(r"^[ \t]*[%!?,;/]|=[ \t]*[%!]|\?[ \t]*$", re.M)  # where there may be one
CELL_COMMAND = re.compile(r"%%(?!\w+\?)(\w*)")
RUNS_ITS_CELL = ("time", "capture", "prun")  # the lines of any other are not the notebook's Python
HELP = re.compile(r"(?!\d)[\w*]+(?:\.(?!\d)[\w*]+|\[-?\d+\])*\?{1,2}$")
LONGEST_NAME = 300
SIGNS = frozenset("!?%,;/")
LAYOUT = (tokenize.INDENT, tokenize.DEDENT)
Found = tuple[int, int, int, str]  # line, column, last line, what stands there instead


def plain(source: str) -> str:
    """The cell as Python; where IPython could not read it either, as far as that goes."""
    text = cleaned(source)
    lines = text.split("\n")
    first = _first(lines)
    if match := CELL_COMMAND.match(lines[first]):
        rest = lines[first + 1 :]
        return "\n" * (first + 1) + plain("\n".join(rest)) if match[1] in RUNS_ITS_CELL else ""
    if not COMMAND.search(text):
        return text
    try:
        ast.parse(text)
    except SyntaxError:
        return _without_commands(text)
    return text


def cleaned(source: str) -> str:
    """The cell without prompts and without an indent of all of it. No parser looks at it."""
    lines = textwrap.dedent(source.replace("\r\n", "\n")).split("\n")
    first = _first(lines)
    indent = INDENT.match(lines[first])
    if indent and not lines[first].lstrip().startswith("#"):  # so IPython did until version 8
        lines = [line.removeprefix(indent[0]) for line in lines]
    lines = _without_python_prompts(lines)
    if any(map(IPYTHON_PROMPT.match, lines[first : first + 2])):
        lines = [IPYTHON_PROMPT.sub("", line) for line in lines]
    return "\n".join(lines)


def _without_python_prompts(lines: list[str]) -> list[str]:
    """Where a line begins with `>>>`, but in a text of several lines, all prompts come off."""
    if not any(map(PYTHON_PROMPT.match, lines)):
        return lines
    inside, quotes, pasted = [], "", False
    for line in lines:
        inside.append(bool(quotes) and not pasted)
        for found in QUOTES.findall(line):
            pasted = pasted if quotes else bool(PYTHON_PROMPT.match(line) or GOES_ON.match(line))
            quotes = "" if found == quotes else quotes or found
    if not any(
        PYTHON_PROMPT.match(line) for line, text in zip(lines, inside, strict=True) if not text
    ):
        return lines
    parts = []
    for text, group in itertools.groupby(zip(lines, inside, strict=True), lambda one: one[1]):
        block = [line for line, _ in group]
        if not text:
            block = [
                (PYTHON_PROMPT if PYTHON_PROMPT.match(one) else GOES_ON).sub("", one)
                for one in block
            ]
            block = textwrap.dedent("\n".join(block)).split("\n")
        parts += block
    return parts


def _first(lines: Sequence[str]) -> int:
    """The first line with something on it."""
    return next((number for number, line in enumerate(lines) if line.strip()), 0)


def _without_commands(text: str) -> str:
    """What follows a command need not be Python, so that each is looked for when the one before it
    is gone; what stands above one at the left margin has been looked through."""
    lines = text.split("\n")
    start = 0
    for _ in range(MOST_COMMANDS):
        found, start = _first_command(lines, start)
        if found is None:
            break
        line, column, last, instead = found
        lines[line] = lines[line][:column] + instead
        lines[line + 1 : last + 1] = [""] * (last - line)
    return "\n".join(lines)


def _first_command(lines: list[str], start: int) -> tuple[Found | None, int]:
    """The first command from this line on, and the last line up to there that begins a statement at
    the left margin."""
    for tokens in _statements(lines, start):
        first = next((one for one in tokens if one.type not in LAYOUT), tokens[0])
        if not first.start[1] and first.type not in (tokenize.COMMENT, tokenize.NL):
            start = first.start[0] - 1
        kinds = (_help, _assigned, _escaped)  # where two begin at one place, the first of these
        found = [one for find in kinds if (one := find(tokens, lines))]
        if found:
            return min(found, key=lambda one: one[:2]), start
    return None, start


def _statements(lines: list[str], start: int) -> Iterator[list[tokenize.TokenInfo]]:
    """The tokens of each statement, as far as there are any: an open bracket joins lines."""
    statement: list[tokenize.TokenInfo] = []
    depth = 0
    rows = (f"{line}\n" for line in itertools.islice(lines, start, None))
    try:
        for token in tokenize.generate_tokens(rows.__next__):
            (row, column), (end, behind) = token.start, token.end
            token = token._replace(start=(row + start, column), end=(end + start, behind))
            statement.append(token)
            if token.type == tokenize.NEWLINE or (token.type == tokenize.NL and not depth):
                yield statement
                statement = []
            depth += token.string in ("(", "[", "{")
            depth -= token.string in (")", "]", "}") and depth > 0
    except (tokenize.TokenError, SyntaxError):
        pass  # it ends within a text or a bracket, or goes on with what is no Python
    if statement:
        yield statement


def _help(tokens: Sequence[tokenize.TokenInfo], lines: Sequence[str]) -> Found | None:
    """`np.exp?`, `np.*load*??`: a question mark ends the statement."""
    if len(tokens) < 3 or tokens[-2].string != "?":
        return None
    start = next(token for token in tokens if token.type not in LAYOUT).start
    line, column, last = start[0] - 1, start[1], tokens[-2].start[0] - 1
    content = "\n".join([lines[line][column:], *lines[line + 1 : last + 1]])
    return (line, column, last, "pass") if HELP.search(content[-LONGEST_NAME:]) else None


def _assigned(tokens: Sequence[tokenize.TokenInfo], lines: Sequence[str]) -> Found | None:
    """`files = !ls`, `here = %pwd`: a command behind the first `=` outside of brackets."""
    depth = 0
    for number, token in enumerate(tokens):
        if token.string == "=" and not depth:
            behind = [one for one in tokens[number + 1 :] if not one.string.isspace()]
            break
        depth += token.string in ("(", "[", "{")
        depth -= token.string in (")", "]", "}") and depth > 0
    else:
        return None
    shell = behind and behind[0].string == "!" and not token.line.strip().startswith("=")
    magic = len(behind) > 1 and behind[0].string == "%" and behind[1].type == tokenize.NAME
    if not (shell or magic):
        return None
    line, column = behind[0].start[0] - 1, behind[0].start[1]
    return line, column, _end(lines, line), "None"


def _escaped(tokens: Sequence[tokenize.TokenInfo], lines: Sequence[str]) -> Found | None:
    """A statement that begins with a sign of IPython's: `%time`, `!ls`, `?np`, `,f a b`, `/f 1`."""
    first = next((token for token in tokens if token.type not in LAYOUT), None)
    if first is None or first.string not in SIGNS:
        return None
    line, column = first.start[0] - 1, first.start[1]
    last = _end(lines, line)
    parts = [lines[line][column:], *lines[line + 1 : last + 1]]
    parts = [part.rstrip()[:-1] for part in parts[:-1]] + [parts[-1].rstrip()]
    return line, column, last, _instead(" ".join(parts))


def _instead(command: str) -> str:
    sign, (name, _, rest) = command[0], command[1:].partition(" ")
    if sign == ",":
        words = '", "'.join(rest.split())
        return f'{name}("{words}")'
    if sign == ";":
        return f'{name}("{rest}")'
    if sign == "/":
        return f"{name}({', '.join(rest.split())})"
    if sign == "%" and name == "time" and _is_python(rest):
        return rest  # it runs in the notebook, and what it defines stays
    return "pass"


def _is_python(text: str) -> bool:
    try:
        return bool(ast.parse(text).body)
    except (SyntaxError, ValueError):
        return False


def _end(lines: Sequence[str], line: int) -> int:
    """The last of the lines that a backslash at the end joins to this one."""
    while lines[line].endswith("\\") and line + 1 < len(lines):
        line += 1
    return line
