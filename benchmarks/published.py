"""SmolLM2 on one core: our `LanguageModel` beside `transformers`, same weights, one process.

At once: a prompt of 64 tokens, and of 256. Step: one more token after a prompt of 128, with the
cache; the caches of both grow by a token in each round. The logits of both are compared before
anything is timed. Processor time.
"""

import time

import torch
from transformers import AutoModelForCausalLM, DynamicCache

from benchmarks.measure import against, take_turns, write
from course_lib.published import smollm2
from course_lib.published.releases import MODELS

ROUNDS = 30


@torch.no_grad()
def main() -> None:
    ours, _ = smollm2()
    file = MODELS["smollm2"].files[0].kept
    theirs = AutoModelForCausalLM.from_pretrained(
        file.parent, gguf_file=file.name, dtype=torch.float32, attn_implementation="sdpa"
    ).eval()
    tokens = torch.randint(1000, 40_000, (1, 256), generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(ours(tokens)[0], theirs(tokens).logits, atol=1e-3, rtol=0)
    rows = []
    for length in (64, 256):
        prompt = tokens[:, :length]
        runs = {"course_lib": lambda p=prompt: ours(p), "transformers": lambda p=prompt: theirs(p)}
        seconds = take_turns(runs, ROUNDS // 3, time.process_time)
        rows += against("transformers", seconds, what="at once", tokens=length)
    prompt, one = tokens[:, :128], tokens[0, :1]
    _, state = ours.prefill(prompt)
    cache = DynamicCache(config=theirs.config)
    theirs(prompt, past_key_values=cache, use_cache=True)
    runs = {
        "course_lib": lambda: ours.step(one, state),
        "transformers": lambda: theirs(one[None], past_key_values=cache, use_cache=True),
    }
    rows += against(
        "transformers", take_turns(runs, ROUNDS, time.process_time), what="step", tokens=128
    )
    write("published", rows)
