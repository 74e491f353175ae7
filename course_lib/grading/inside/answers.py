"""Find a task's answer among a notebook's answer cells and run it, without running the others.

Cells are `(task, source)`: the task that the cell's metadata names, or None; a cell of the
student's own that only defines names, `HELPER`. For a task we take the
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
FAILED = "__imports_that_failed__"
HELPER = ""  # in the place of a task: a cell that is no answer; it runs if it only defines
NO_COURSE = "course_lib is not there when answers are graded; write the answer yourself"
NO_TORCH = "torch may be used from exercise 04 on; write this answer with NumPy"
REFUSED = {"course_lib": NO_COURSE, "torch": NO_TORCH}  # an answer that leans on one is told so
TOOLS = {"check", "hint"}  # of course_lib; an answer that still calls them is an answer
DEFINITIONS = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AnnAssign, ast.Pass),
)
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


def own_text(cells: Cells, task: str) -> str:
    """The text of a task's own cell; "" when it has none."""
    own = own_cell(cells, task)
    return "" if own is None else cells[own][1]


def answer_cells(cells: Cells, task: str) -> list[str]:
    """The sources to run for a task, in order, its own last; empty when it has no answer."""
    own = own_cell(cells, task)
    if own is None:
        return []
    defines = [defined_names(source) for _, source in cells]
    chosen, queue = {own}, [own]
    while queue:
        needed = free_names(cells[queue.pop()][1]) - {task}
        more = {
            i
            for i, (name, source) in enumerate(cells)
            if i not in chosen and defines[i] & needed
            if name != HELPER or only_defines(source)
        }
        chosen |= more
        queue += more
    return [cells[i][1] for i in sorted(chosen - {own})] + [cells[own][1]]


def only_defines(source: str) -> bool:
    """Whether a cell imports, defines and assigns, and does nothing else."""
    try:
        body = ast.parse(_plain(source)).body
    except Exception:
        return False
    return all(isinstance(s, DEFINITIONS) or _is_text(s) for s in body)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


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


def run_answer(
    task: str,
    imports: Sequence[str],
    sources: Sequence[str],
    refused: Iterable[str] = ("course_lib",),
) -> Any:
    """What the cells define under the task's name: imports first, then each source. When the task
    stays undefined, or leans on a refused package, the Observation that says why."""
    statements = needed_imports(imports, sources)
    for package in refused:
        if leans_on(package, task, statements, sources):
            return Observation(error="ImportError", message=REFUSED[package])
    space: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins, FAILED: {}}
    flags = _future_flags(statements)
    _execute(statements, "<imports>", space, flags)
    problem = None
    for number, source in enumerate(sources):
        flags, problem = _run(source, f"<answer {number}>", space, flags)
    if task in space:
        return space[task]
    undefined = Observation(error="NameError", message=f"the cell does not define {task}")
    failed = space.get(FAILED)
    return (failed.get(task) if type(failed) is dict else None) or problem or undefined


def import_that_failed(answer: Any, seen: Observation) -> Observation:
    """What an answer did; where it misses a name whose import failed, that import's error."""
    space = getattr(answer, "__globals__", None) or {}
    missing = re.match(r"name '(\w+)' is not defined", seen.message)
    if seen.error != "NameError" or missing is None or type(space.get(FAILED)) is not dict:
        return seen
    return space[FAILED].get(missing[1], seen)


def leans_on(
    package: str, task: str, statements: Sequence[ast.stmt], sources: Sequence[str]
) -> bool:
    """Whether an answer uses a package, by an import of its own or one of the notebook's."""
    defined = set().union(*map(defined_names, sources))
    needed = (set().union(*map(free_names, sources)) | {task}) - defined - TOOLS
    if any(_imports(s, package) and _binds(s) & needed for s in statements):
        return True
    for source in sources:
        try:
            tree = ast.parse(_plain(source))
        except Exception:  # it will say so when it is run
            continue
        used = needed | _names_used(tree) - TOOLS
        for node in ast.walk(tree):
            # What the cells also define themselves is theirs, whatever was imported before.
            if _imports(node, package) and _binds(node) & (
                used - defined if node in tree.body else used
            ):
                return True
    return False


def _names_used(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _imports(node: ast.AST, package: str) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] == package
    names = node.names if isinstance(node, ast.Import) else []
    return any(alias.name.partition(".")[0] == package for alias in names)


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
            if type(failed := space.get(FAILED)) is dict:
                failed |= dict.fromkeys(_binds(statement), describe_error(error))
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
