"""Run by IPython before a notebook's first cell: every whole-number seed that it sets is shifted.

tools/portable.py copies this file into a kernel's start-up folder. Shifted are torch.manual_seed,
manual_seed of a torch.Generator, NumPy's and Python's seeds: what a page draws weights, batches,
dropout and toy data from, also inside course_lib. Not shifted are the sentences of the parallel
corpus, whose seed is a text: they are data, which a page quotes.
"""

import os
import random

import numpy as np
import torch

SHIFT = int(os.environ["COURSE_SEED_SHIFT"])


def shifted(seed):
    """The seed, moved far enough that a page's neighbouring seeds are not drawn again."""
    whole = isinstance(seed, (int, np.integer)) and not isinstance(seed, bool)
    return int(seed) + 1000 * SHIFT if whole else seed


def shift_first(function):
    """The function with its first argument, a seed, shifted."""

    def call(*arguments, **named):
        named = {name: shifted(x) if name == "seed" else x for name, x in named.items()}
        return function(*map(shifted, arguments[:1]), *arguments[1:], **named)

    return call


class Generator(torch.Generator):
    def manual_seed(self, seed):
        return super().manual_seed(shifted(seed))


class Random(random.Random):
    def seed(self, a=None, version=2):
        super().seed(shifted(a), version)


torch.Generator = Generator
torch.manual_seed = torch.random.manual_seed = shift_first(torch.manual_seed)
np.random.seed = shift_first(np.random.seed)
np.random.default_rng = shift_first(np.random.default_rng)
random.Random = Random
random.seed = shift_first(random.seed)
