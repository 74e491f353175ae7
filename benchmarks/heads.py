"""Every head of SmolLM2, silenced and patched one by one, on two questions about a short text.

    python -m benchmarks heads [bridge] [tower] [draws]

The prompt ends before the name of a town that stands in the text. `lead` is how much larger its
logit is than that of a second town, which stands there in a second text. Each row of `heads.csv`:
a head's direct part of the lead, the lead with the head silent, and the lead where at the last
position the head has found what it finds in the second text.

`draws` patches five heads together, on both questions: the five that cost the bridge most, chosen
from `heads.csv`; 40 draws of five from the upper half of the layers; and other heads of the very
layers of the chosen, as many in each, in all ways there are (40), into `heads_drawn.csv`.
"""

import csv
import itertools
import sys
from collections import Counter

import torch

from benchmarks.measure import RESULTS, merge
from book.helpers.questions import BRIDGE, TOWER, Question, prompt
from course_lib.published import smollm2
from course_lib.transformer.interventions import Head, attribute, found_by_heads, patch

UPPER = 15  # of 30 layers; the draws take heads from here on


def leads(model, layer: int, state, values, last, direction):
    """The lead with each head of `layer` exchanged for `values` (H, T, d), one head a text."""
    heads = model.config.num_heads
    output = model.stack.layers[layer].self_attention.W_o

    def exchange(module, inputs):
        joined = inputs[0].clone().unflatten(-1, (heads, -1))
        for head in range(heads):
            joined[head, last:, head] = values[head, last:]
        return (joined.flatten(2),)

    x, hook = state.expand(heads, -1, -1), output.register_forward_pre_hook(exchange)
    for number in range(layer, len(model.stack.layers)):
        x = model.stack.layers[number](x, is_causal=True)[0]
        hook.remove()
    return model.stack.norm(x[:, -1]) @ direction


def rows(model, tokenizer, question: Question) -> list[dict[str, object]]:
    """One row for each head."""
    towns = [tokenizer.encode(" " + town).ids[0] for town in question.towns]
    here, there = (prompt(tokenizer, question, town) for town in question.towns)
    table = model.embedding.tokens.weight
    direction = table[towns[0]] - table[towns[1]]
    direct, _ = attribute(model, here, direction)
    other, states = found_by_heads(model, there), []
    hooks = [
        layer.register_forward_pre_hook(lambda m, inputs: states.append(inputs[0]))
        for layer in model.stack.layers
    ]
    whole = model(here)[0][0, -1]
    for hook in hooks:
        hook.remove()
    found = []
    for layer, state in enumerate(states):
        new = other[layer][0].transpose(0, 1)
        silent = leads(model, layer, state, torch.zeros_like(new), 0, direction)
        patched = leads(model, layer, state, new, -1, direction)
        for head in range(model.config.num_heads):
            found.append({
                "text": question.name, "layer": layer, "head": head,
                "whole": f"{whole[towns[0]] - whole[towns[1]]:.3f}",
                "direct": f"{direct[layer, head]:.3f}",
                "silent": f"{silent[head]:.3f}", "patched": f"{patched[head]:.3f}",
            })  # fmt: skip
        print(question.name, layer, flush=True)
    return found


def chosen() -> list[Head]:
    """The five heads whose patch costs the bridge most, from the stored table."""
    with open(RESULTS / "heads.csv", encoding="utf-8") as file:
        bridge = [row for row in csv.DictReader(file) if row["text"] == BRIDGE.name]
    bridge.sort(key=lambda row: float(row["patched"]))
    return [(int(row["layer"]), int(row["head"])) for row in bridge[:5]]


def draws(five: list[Head], heads: int = 9, layers: int = 30) -> dict[str, list[list[Head]]]:
    """The chosen five, fives of the upper layers, and all fives of others in the same layers."""
    drawn = []
    for seed in range(40):
        generator = torch.Generator().manual_seed(seed)
        places = torch.randperm(heads * (layers - UPPER), generator=generator)[:5] + heads * UPPER
        drawn.append([divmod(place, heads) for place in places.tolist()])
    ways = [
        itertools.combinations([(layer, h) for h in range(heads) if (layer, h) not in five], count)
        for layer, count in Counter(layer for layer, _ in five).items()
    ]
    others = [[head for part in parts for head in part] for parts in itertools.product(*ways)]
    return {"chosen": [five], "upper layers": drawn, "same layers": others}


def drawn_rows(model, tokenizer, question: Question) -> list[dict[str, object]]:
    """The lead with each set of heads patched together; the layers below the sets run once."""
    first, second = (tokenizer.encode(" " + town).ids[0] for town in question.towns)
    direction = model.embedding.tokens.weight[first] - model.embedding.tokens.weight[second]
    here, there = (prompt(tokenizer, question, town) for town in question.towns)
    found, states = found_by_heads(model, there), []
    hook = model.stack.layers[UPPER].register_forward_pre_hook(lambda m, i: states.append(i[0]))
    model(here)
    hook.remove()
    rows = []
    for kind, sets in draws(chosen()).items():
        for number, heads in enumerate(sets):
            x = states[0]
            with patch(model, {(at, h): found[at][:, :, h] for at, h in heads}, last=1):
                for layer in model.stack.layers[UPPER:]:
                    x = layer(x, is_causal=True)[0]
            lead = model.stack.norm(x[0, -1]) @ direction
            names = " ".join(f"{at}.{h}" for at, h in heads)
            rows.append({"text": question.name, "kind": kind, "draw": number, "heads": names,
                         "patched": f"{lead:.3f}"})  # fmt: skip
    return rows


@torch.no_grad()
def main() -> None:
    model, tokenizer = smollm2()
    asked = sys.argv[1:] or [BRIDGE.name, TOWER.name, "draws"]
    for question in (BRIDGE, TOWER):
        if question.name in asked:
            merge("heads", rows(model, tokenizer, question), ("text", "layer", "head"))
    for question in (BRIDGE, TOWER) if "draws" in asked else ():
        found = drawn_rows(model, tokenizer, question)
        merge("heads_drawn", found, ("text", "kind", "draw"))
