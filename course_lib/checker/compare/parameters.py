"""What is said of a module whose parameters are not those that the checker loads."""

import re

FITS_NOT = "the parameters do not fit: it has "
NAMES_FIT_NOT = re.compile("the names of the layers do not fit: it has .* where (.*) are needed")
ONE = re.compile(r"([\w.]+) (\([\d, ]*\))")
BIAS = "{0} a bias, and none is asked for: `nn.Linear(…, bias=False)`."
NO_BIAS = "{0} no bias, and one is asked for: leave out `bias=False`."
TURNED = (
    "{0} turned round. `nn.Linear(a, b)` takes first how many numbers come in, then how many go "
    "out; its weight is then (b, a)."
)
EXCHANGED = (
    "{0} and {1} have each other's shape: look which of them maps what, and so how many numbers "
    "come into it."
)
NAMES = "The shapes are right, the names are not. Call your layers {0}, exactly so."
MISSING = (
    "{0} missing. Make each layer in `__init__`, as `self.{1} = nn.Linear(…)`: what is made in "
    "`forward`, or kept in a list or dictionary, is not seen."
)
TOO_MANY = "{0} not asked for. Leave it out: the checker loads {1} and nothing else."
PLAIN = (
    "{0} a plain parameter here. Make it a layer, `self.{1} = nn.Linear(…)`, whose matrix is then "
    "called `{1}.weight`."
)
SHAPES = (
    "{0} another shape than needed, {1} in place of {2}. `nn.Linear(a, b)` takes first how many "
    "numbers come in, then how many go out; its weight is then (b, a)."
)


def about_parameters(message: str) -> str | None:
    """The sentence for the error of `run.tensors.construct`; None where there is none."""
    if other_names := NAMES_FIT_NOT.match(message):
        return NAMES.format(" and ".join(f"`{name}`" for name in other_names[1].split(", ")))
    if not message.startswith(FITS_NOT):
        return None
    left, _, right = message.removeprefix(FITS_NOT).partition(" where ")
    have, need = dict(ONE.findall(left)), dict(ONE.findall(right))
    layers = [name.rpartition(".")[0] or name for name in need]
    if not have and all(name.endswith(".bias") for name in need):
        return NO_BIAS.format(_listed(layers, "has", "have"))
    if not have:
        return MISSING.format(_listed(_once(layers), "is", "are"), layers[0])
    if not need or all(name.endswith(".bias") for name in have):
        if all(name.endswith(".bias") for name in have):
            return BIAS.format(_listed([name[:-5] for name in have], "has", "have"))
        extra = _once([name.rpartition(".")[0] or name for name in have])
        return TOO_MANY.format(_listed(extra, "is", "are"), "the layers that the task names")
    if have.keys() == need.keys():
        turned = [name for name in have if have[name] == _turned(need[name])]
        if turned == list(have):
            return TURNED.format(_listed([name.rpartition(".")[0] for name in have], "is", "are"))
        names = list(have)
        if (
            len(names) == 2
            and have[names[0]] == need[names[1]]
            and have[names[1]] == need[names[0]]
        ):
            return EXCHANGED.format(*(f"`{name}`" for name in names))
        return SHAPES.format(f"`{names[0]}` has", have[names[0]], need[names[0]])
    plain = [name for name in have if "." not in name and f"{name}.weight" in need]
    if plain:
        return PLAIN.format(_listed(plain, "is", "are"), plain[0])
    return None


def _turned(shape: str) -> str:
    return f"({', '.join(reversed(shape.strip('()').split(', ')))})"


def _once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _listed(names: list[str], one: str, many: str) -> str:
    return f"{' and '.join(f'`{name}`' for name in names)} {one if len(names) == 1 else many}"
