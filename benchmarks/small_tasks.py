"""Trainings of the pages whose task is no translation of sentences, from one seed each.

Copies, two questions at a place, spellings, dates, pixels: `seeds.py` calls them and stores what
they return, {run: {measure: value}}.
"""

import datetime
import itertools
import random

import numpy as np
import torch

from benchmarks.page_programs import program
from book.helpers import two_places
from book.helpers.dates import DateCorpus
from book.helpers.pronunciations import load_pronunciations, pairs_of, score, words_of
from course_lib import MultiHeadAttention
from course_lib.translation import Pair, make_batch, train

COPIES = {250: 0.005, 2500: 0.005}  # steps: rate, on valid


def how_a_model_copies(seed: int) -> dict[str, dict]:
    """The rival with both heads in one layer, as long as the copier and ten times as long.

    Its learning rates are chosen with seed 0, by the loss on sequences of their own.
    """
    found = {}
    page = program("how_a_model_copies", None, ("copies-imports", "head", "copier"))
    valid, known = page["repeats"](500, torch.Generator().manual_seed(98))
    asked = known[:, :-1]
    settings = [*itertools.product((250, 2500), (0.0025, 0.005, 0.01, 0.02))]
    if seed:
        settings = [(250, COPIES[250]), (2500, COPIES[2500])]
    for steps, rate in settings if seed < 3 else ():
        rival = page["train_copier"]((2,), seed, steps, rate)
        with torch.no_grad():
            logits = rival(valid)[0][:, :-1]
        loss = torch.nn.functional.cross_entropy(logits[asked], valid[:, 1:][asked]).item()
        right = page["judge"](rival)[0]
        found[f"one layer, {steps} steps, {rate}"] = {"right": right, "valid loss": loss}
    return found


def many_heads(seed: int) -> dict[str, dict]:
    """The task of two places with one head, two and four, each at five learning rates."""
    found = {}
    letters, digits, answers, _ = two_places.make_batch(500, torch.Generator().manual_seed(98))
    kinds = {"1": (1, 32, 300), "2": (2, 32, 300), "4": (4, 32, 300), "1, wide": (1, 64, 600)}
    settings = itertools.product(kinds.items(), (0.00125, 0.0025, 0.005, 0.01, 0.02))
    for (name, (heads, width, steps)), rate in settings if seed < 3 else ():
        model = two_places.train(
            lambda heads=heads, width=width: MultiHeadAttention(width, heads),
            steps, rate, d=width, seed=seed,
        )  # fmt: skip
        with torch.no_grad():
            logits = model(letters, digits)[0].flatten(0, 2)
        loss = torch.nn.functional.cross_entropy(logits, answers.flatten()).item()
        right = two_places.accuracy(model)
        measures = {"valid loss": loss, "better": max(right), "other": min(right)}
        found[f"{name}, {rate}"] = measures
    return found


def spelling_into_sound(seed: int) -> dict[str, dict]:
    dictionary = load_pronunciations()
    short = [p for p in pairs_of(dictionary, "train") if len(p.source) <= 5]
    random.Random(0).shuffle(short)
    easy = [word for word in words_of(dictionary, "test") if len(word) <= 5][:400]
    settings = {"hidden_dim": 96, "embedding_dim": 32, "learning_rate": 8e-3}
    run = train(short[:6000], "general", epochs=5, seed=seed, progress=False, **settings)
    answers = [found.words for found in run.translate([list(word) for word in easy])]
    result = score(dictionary, easy, answers)
    return {"general": {"words wrong": result.word_error, "sounds wrong": result.phoneme_error}}


def reading_dates(seed: int) -> dict[str, dict]:
    dates = DateCorpus(seed=0)
    pairs, test = dates.pairs(4000), dates.pairs(1000, split="test")
    settings = {"batch_size": 32, "learning_rate": 6e-3, "hidden_dim": 64, "embedding_dim": 32}
    run = train(pairs, "general", epochs=10, seed=seed, progress=False, **settings)
    found = run.translate([pair.source for pair in test])
    exact = [one.words == pair.target for one, pair in zip(found, test, strict=True)]
    names = {"dates": dates, "dated": run, "datetime": datetime, "make_batch": make_batch, "np": np}
    names |= {"Pair": Pair, "date_pairs": pairs, "date_test": test, "written": found}
    page = program("reading_dates", names)
    april = page["p"][run.target.encode(["4"])[0]].item()
    march = page["p"][run.target.encode(["3"])[0]].item()
    measures = {"exact": float(np.mean(exact)), "april": april, "march": march}
    measures["mistakes: the month, a name"] = page["named_month"]
    for name in ("day first", "month first"):
        measures[f"two readings, p {name}"] = float(page["given"][name].mean())
    for name, value in page["alone"].items():
        measures[f"one reading, p {name}"] = float(value)
    for first_year, (day_first, month_first) in page["shares"].items():
        measures |= {f"{first_year} day first": day_first, f"{first_year} month first": month_first}
    return {"general": measures}


def beyond_text(seed: int) -> dict[str, dict]:
    page = program("beyond_text")
    torch.manual_seed(seed)
    vit = page["learn"](page["ViT"](), page["name_loss"], steps=350)
    unseen, right, touched = page["one_shape"](500, seed=1)
    with torch.no_grad():
        logits, rows = vit(unseen)
    on_shape = touched[torch.arange(500), rows.argmax(-1)].double().mean().item()
    named = (logits.argmax(-1) == right).double().mean().item()
    return {"class token": {"right": named, "on the shape": on_shape}}


def what_one_head_does(seed: int) -> dict[str, dict]:
    """Two heads exchange what they write, or only their values."""
    page = program("what_one_head_does")
    reader = page["train"](lambda: page["MultiHeadAttention"](32, 2), 300, 0.02, seed=seed)
    reader.requires_grad_(False)
    names = ("previous: right", "previous: other", "twin: right", "twin: other")
    return {
        run: dict(zip(names, page["judge"](page["exchange"](reader, run)), strict=True))
        for run in ("W_v and W_o", "W_v")
    }
