"""The lab's plain model in the capstone's time: the recipe of task 1 as the loop trains it."""

import time

import torch

from course_lib.exercises.your_translator.model.task import Translator
from course_lib.exercises.your_translator.training.task import train_step
from course_lib.exercises.your_translator.translating.task import translate


class WithTranslate(Translator):
    def translate(self, source):
        return translate(self, source, max_length=60)


def train_translator(source, target, sizes, seconds):
    """The sizes and the rate of the lab's loop, on short sentences alone."""
    start = time.process_time()
    torch.manual_seed(0)
    model = WithTranslate(*sizes, 32, 64)
    optimizer = torch.optim.Adam(model.parameters(), 5e-3)
    short = torch.nonzero((source != 0).sum(1) <= 12)[:, 0]
    done = 0.0
    while done < 1:
        rows = short[torch.randperm(len(short))[:32]]
        words, said = source[rows], target[rows]
        words, said = words[:, (words != 0).any(0)], said[:, (said != 0).any(0)]
        done = (time.process_time() - start) / (0.9 * seconds)
        optimizer.param_groups[0]["lr"] = 5e-3 * max(0.0, min(done / 0.1, (1 - done) / 0.9))
        train_step(model, optimizer, words, said, 1.0)
    return model
