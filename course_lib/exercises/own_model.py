"""A language model of what a student wrote: the parts from `mine.py`, SmolLM2's numbers, and what
it says with each part wrong. All that stands between a student's functions and the model is here.

    take_parts()                      writes the parts into this cell of the notebook
    model, tokenizer, reference = open_model()
    what_it_says(own, model, tokenizer)
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor

from course_lib.checker.cells import folder_here, shell_here
from course_lib.checker.kept_answers import RIGHT, WRONG, Part, arranged, parts_in, read_text
from course_lib.exercises import CATALOGUE
from course_lib.exercises.mutants import source
from course_lib.exercises.your_own_model import lent
from course_lib.exercises.your_own_model.lent import IMPORTS, PARTS
from course_lib.transformer.language_model import LanguageModel

PROMPT = "Once upon a time, a small cat"
SHARE, TEMPERATURE = 0.8, 0.7  # of top-p, where a token is drawn
# The listed mistake of each part that a stranger makes.
STRANGERS = {
    "softmax_with_temperature": "multiplied",
    "scaled_dot_product_attention": "softmax-over-queries",
    "split_heads": "every-h-th-feature",
    "merge_heads": "features-interleaved",
    "causal_mask": "inverted",
    "attend_with_cache": "unscaled",
    "rotate": "positions-ignored",
    "top_p": "least-likely-first",
}
DRAWN = ("softmax_with_temperature", "top_p")  # at work only where a token is drawn
MADE = "In its place: a tiny model with drawn numbers, which writes words by chance."
AGAIN = "# To take the parts from mine.py anew: own_model.take_parts()"


def parts_text() -> str:
    """The parts as a cell holds them: yours from `mine.py`, the others lent. A part of yours brings
    the answers beside it that it calls."""
    mine = parts_in(read_text(folder_here() / RIGHT))
    wanted, chosen = list(PARTS), {}
    while wanted:
        name = wanted.pop()
        if name in chosen:
            continue
        if name in mine:
            chosen[name] = Part(mine[name].home, mine[name].raw)
            words = set(re.findall(r"\w+", mine[name].raw))
            wanted += [one for one in mine if one in words and mine[one].home == mine[name].home]
        else:
            chosen[name] = Part(PARTS[name], source(getattr(lent, name)).rstrip())
    order = {name: number for number, name in enumerate(CATALOGUE.tasks)}
    text = arranged(dict(sorted(chosen.items(), key=lambda item: order[item[0]])))
    whose = "".join(f'    "{n}": "{"yours" if n in mine else "lent"}",\n' for n in PARTS)
    return f"{AGAIN}\n{IMPORTS}\n\n{text}\n\nWHOSE = {{\n{whose}}}"


def take_parts() -> None:
    """Define your parts and write them into the cell that calls this, in the place of what stands
    there. Outside a notebook they are printed."""
    shell = shell_here()
    if shell is None:
        print(parts_text())
    else:
        text = parts_text()
        shell.set_next_input(text, replace=True)
        shell.run_cell(text, store_history=False).raise_error()
        print("Your parts are defined, and stand in this cell now for who reads your notebook.")
        print("If they do not, paste here what this prints: print(own_model.parts_text())")


def report(whose: Mapping[str, str]) -> None:
    """Print which parts are yours and which are lent."""
    for name, home in PARTS.items():
        print(f"{whose.get(name, 'missing'):7} {name} (exercise {home.partition('_')[0]})")
    yours = sum(whose.get(name) == "yours" for name in PARTS)
    print(f"{yours} of {len(PARTS)} parts are yours.")


def open_model() -> tuple[dict[str, Any], Any, LanguageModel]:
    """SmolLM2 as a dictionary of matrices, its tokenizer, and the reference that has the same
    numbers. Where the file, a package or memory is missing: a sentence, and a tiny made model."""
    try:
        from course_lib.published import smollm2

        reference, tokenizer = smollm2()
    except (ModuleNotFoundError, FileNotFoundError, MemoryError) as missing:
        print(f"Without SmolLM2: {missing}")
        print(MADE)
        reference, tokenizer = made_model()
    return matrices_of(reference), tokenizer, reference


def matrices_of(model: LanguageModel) -> dict[str, Any]:
    """A `LanguageModel` as `own_logits` reads it. The numbers are the model's own, not copied."""
    config = model.config
    names = {"W_q": "self_attention.W_q", "W_k": "self_attention.W_k"}
    names |= {"W_v": "self_attention.W_v", "W_o": "self_attention.W_o"}
    names |= {"gate": "feed_forward.W_1", "down": "feed_forward.W_2", "up": "feed_forward.W_3"}
    names |= {"norm_1": "self_norm", "norm_2": "feed_norm"}
    sizes: dict[str, Any] = {
        "heads": config.num_heads,
        "groups": config.num_kv_heads or config.num_heads,
    }
    sizes["base"] = config.rotary_base
    state = model.state_dict()
    return {
        "embedding": state["embedding.tokens.weight"],
        "layers": [
            {n: state[f"stack.layers.{i}.{at}.weight"] for n, at in names.items()} | sizes
            for i in range(config.num_layers)
        ],
        "norm": state["stack.norm.weight"],
    }


class Words:
    """A tokenizer of a few words, for the made model."""

    words = (
        "a",
        "cat",
        "dog",
        "the",
        "sat",
        "saw",
        "ran",
        "and",
        "red",
        "old",
        "house",
        "in",
        "on",
    )

    def encode(self, text: str) -> Any:
        ids = [self.words.index(w) if w in self.words else 0 for w in text.lower().split()]
        return type("Encoding", (), {"ids": ids})

    def decode(self, ids: list[int]) -> str:
        return " ".join(["", *(self.words[i] for i in ids)])


def made_model() -> tuple[LanguageModel, Words]:
    """A model of drawn numbers, built as SmolLM2 is."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = LanguageModel(
            len(Words.words), d_model=32, num_heads=4, num_kv_heads=2, num_layers=3, d_hidden=48,
            positions="rotary", rotary_base=1000.0, norm="rms", norm_eps=1e-5,
            feed_forward="gated", bias=False, scale_embedding=False,
        )  # fmt: skip
        for weight in model.parameters():
            if weight.ndim > 1:
                torch.nn.init.normal_(weight, std=0.4)
    return model.eval().requires_grad_(False), Words()


def encode(tokenizer: Any, text: str) -> Tensor:
    return torch.tensor([tokenizer.encode(text).ids])


def writes(
    own: Mapping[str, Any], model: Mapping, tokenizer: Any, length: int, drawn: bool = False,
    prompt: str = PROMPT, seed: int = 0,
) -> str:  # fmt: skip
    """What the student's model writes: the likeliest tokens, or `drawn` ones."""
    generator = torch.Generator().manual_seed(seed)

    def choose(logits: Tensor) -> Tensor:
        if not drawn:
            return logits.argmax(-1)
        chances = own["own_choice"](logits, TEMPERATURE, SHARE)
        return chances.multinomial(1, generator=generator)[:, 0]

    step = partial(own["own_logits"], model)
    with torch.no_grad():
        written = own["own_text"](step, choose, encode(tokenizer, prompt), length)
    return tokenizer.decode(written[0].tolist())


def wrong_parts(folder: Any = None) -> dict[str, tuple[str, Callable]]:
    """Each part wrong: as you had it, from `mine_wrong.py`, or as a stranger has it."""
    kept = parts_in(read_text((folder or folder_here()) / WRONG))
    found = {}
    for name in PARTS:
        if name in kept:
            space: dict[str, Any] = {}
            exec(IMPORTS + arranged(kept), space)
            found[name] = "yours", space[name]
        else:
            mistakes = CATALOGUE.tasks[name].mistakes
            wrong = next(one.answer for one in mistakes if one.name == STRANGERS[name])
            found[name] = "a stranger's", wrong
    return found


def what_it_says(own: Mapping[str, Any], model: Mapping, tokenizer: Any, length: int = 6) -> None:
    """Print what the model writes with each part in turn replaced by a wrong one. `own` is where
    your functions find each other: `globals()` of the notebook."""
    for drawn in (False, True):
        print(f"{'right, drawn' if drawn else 'right, the likeliest':47}", end="")
        print(repr(writes(own, model, tokenizer, length, drawn)))
    for name, (whose, wrong) in wrong_parts().items():
        try:
            with patch.dict(own["own_attention"].__globals__, {name: wrong}):
                said = repr(writes(own, model, tokenizer, length, name in DRAWN))
        except Exception as error:  # a wrong part may raise whatever it likes
            said = f"raises {type(error).__name__}: {str(error).splitlines()[0][:60]}"
        print(f"{name:30} {whose:16}{said}")
