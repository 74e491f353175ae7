"""Find a task's answer among a notebook's answer cells and run it, without running the others.

Cells are `(task, source)`: the task that the cell's metadata names, or None. For a task we take the
last cell that defines its name, as the last definition wins in a notebook; else the last cell whose
metadata names it. Of the other answers and of the notebook's imports only those run that it uses:
a fault in one answer never costs the points of another. Which names other cells define is read from
their text, so that no parser has to survive a hostile cell that the task does not need.
"""

import __future__

import ast
import builtins
import linecache
import re
import symtable
from collections.abc import Iterable, Sequence
from typing import Any

from course_lib.grading.inside.execute import describe_error
from course_lib.grading.inside.inputs import Observation

Cells = Sequence[tuple[str | None, str]]
BINDING = re.compile(
    r"^(?:(?:async )?def|class)\s+([^\W\d]\w*)|^([^\W\d]\w*)\s*(?::[^=\n]*)?=", re.M
)
MAGIC = re.compile(r"^[%!?].*$|^\w[\w.]*\?+$", re.M)  # IPython's own lines


def defined_names(source: str) -> set[str]:
    """The names that lines at the left margin define by `def`, `class` or `=`."""
    return {first or second for first, second in BINDING.findall(source)}


def own_cell(cells: Cells, task: str) -> int | None:
    """The place of a task's answer; None when there is none."""
    own = [i for i, (_, source) in enumerate(cells) if task in defined_names(source)]
    own = own or [i for i, (name, _) in enumerate(cells) if name == task]
    return own[-1] if own else None


def answer_cells(cells: Cells, task: str) -> list[str]:
    """The sources to run for a task, in order, its own last; empty when it has no answer."""
    own = own_cell(cells, task)
    if own is None:
        return []
    defines = [defined_names(source) for _, source in cells]
    chosen, queue = {own}, [own]
    while queue:
        needed = free_names(cells[queue.pop()][1]) - {task}
        more = {i for i in range(len(cells)) if i not in chosen and defines[i] & needed}
        chosen |= more
        queue += more
    return [cells[i][1] for i in sorted(chosen - {own})] + [cells[own][1]]


def free_names(source: str) -> set[str]:
    """The global names that a cell uses and does not define itself."""
    try:
        table = symtable.symtable(_plain(source), "<answer>", "exec")
    except Exception:  # it will say so when it is run
        return set()
    bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    used: set[str] = set()
    queue = [table]
    while queue:
        table = queue.pop()
        at_top = table.get_type() == "module"
        used |= {
            s.get_name()
            for s in table.get_symbols()
            if s.is_referenced() and (at_top or s.is_global())
        }
        queue += table.get_children()
    return used - bound


def needed_imports(imports: Iterable[str], sources: Sequence[str]) -> list[ast.stmt]:
    """Of the notebook's import statements those whose names the sources use."""
    needed = set().union(*map(free_names, sources))
    chosen = []
    for text in imports:
        try:
            statements = ast.parse(text).body
        except Exception:  # a line of prose that begins with "from"
            continue
        chosen += [s for s in statements if _binds(s) & (needed | {"*"}) or _is_future(s)]
    return chosen


def _binds(statement: ast.stmt) -> set[str]:
    names = getattr(statement, "names", [])
    return {alias.asname or alias.name.partition(".")[0] for alias in names}


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def run_answer(task: str, imports: Sequence[str], sources: Sequence[str]) -> Any:
    """What the cells define under the task's name: imports first, then each source. When the task
    stays undefined, the Observation that says why."""
    space: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
    statements = needed_imports(imports, sources)
    flags = _future_flags(statements)
    _execute(statements, "<imports>", space, flags)
    problem = None
    for number, source in enumerate(sources):
        flags, problem = _run(source, f"<answer {number}>", space, flags)
    if task in space:
        return space[task]
    return problem or Observation(error="NameError", message=f"the cell does not define {task}")


def _run(source: str, name: str, space: dict, flags: int) -> tuple[int, Observation | None]:
    """Run a whole cell; what it defined before an error stays, as in a notebook."""
    try:
        tree = ast.parse(_plain(source))
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    except BaseException as error:
        return flags, describe_error(error)
    flags |= _future_flags(tree.body)
    return flags, _execute(tree.body, name, space, flags)


def _execute(
    statements: Sequence[ast.stmt], name: str, space: dict, flags: int
) -> Observation | None:
    """Run statements in order. A failing import is passed over, any other failure ends the cell."""
    for statement in statements:
        try:
            code = compile(ast.Module([statement], []), name, "exec", flags, dont_inherit=True)
            exec(code, space)
        except BaseException as error:
            if not isinstance(statement, ast.Import | ast.ImportFrom):
                return describe_error(error)
    return None


def _plain(source: str) -> str:
    """The source without IPython's own lines, where Python cannot read it with them."""
    if not MAGIC.search(source):
        return source
    try:
        ast.parse(source)
    except SyntaxError:
        return MAGIC.sub("pass", source)
    return source


def _future_flags(statements: Iterable[ast.stmt]) -> int:
    names = [alias.name for s in statements if _is_future(s) for alias in s.names]
    features = [getattr(__future__, name, None) for name in names]
    return sum({feature.compiler_flag for feature in features if feature})
