"""Scaled dot-product and multi-head attention against torch's own and x-transformers."""

from importlib.metadata import version

import torch
import torch.nn.functional as F
from torch import nn
from x_transformers.x_transformers import Attention

from benchmarks.measure import against, take_turns, write
from course_lib import MultiHeadAttention, scaled_dot_product_attention
from course_lib.kernels import flash_attention


def scaled_dot() -> list[dict[str, object]]:
    rows = []
    for T, rounds in ((512, 60), (2048, 15), (4096, 9)):
        q, k, v = torch.randn(3, 1, 8, T, 64)
        for is_causal in (False, True):
            setting = {"is_causal": is_causal}
            runs = {
                "course_lib": lambda s=setting, x=(q, k, v): scaled_dot_product_attention(
                    *x, need_weights=False, **s
                ),
                "F.scaled_dot_product_attention": lambda s=setting, x=(q, k, v): (
                    F.scaled_dot_product_attention(*x, **s)
                ),
                "flash_attention, readable tiles": lambda s=setting, x=(q, k, v): flash_attention(
                    *x, **s
                ),
            }
            with torch.no_grad():
                found = against(
                    "course_lib", take_turns(runs, rounds), T=T, S=T, H=8, d=64, **setting
                )
            rows += found
    return rows


def multi_head() -> list[dict[str, object]]:
    rows = []
    E, H = 512, 8
    theirs = nn.MultiheadAttention(E, H, batch_first=True)
    ours = MultiHeadAttention.from_torch(theirs)
    other = Attention(E, heads=H, dim_head=E // H, flash=True)
    for training in (False, True):
        for module in (theirs, ours, other):
            module.train(training)
        for T, rounds in ((128, 600), (512, 60), (1024, 20)):
            x = torch.randn(4, T, E)
            for need_weights in (False, True):

                def run(f, training=training):
                    with torch.set_grad_enabled(training):
                        out = f()
                    if training:
                        out.sum().backward()

                calls = {
                    "course_lib": lambda x=x, w=need_weights: ours(x, need_weights=w)[0],
                    "nn.MultiheadAttention": lambda x=x, w=need_weights: theirs(
                        x, x, x, need_weights=w, average_attn_weights=False
                    )[0],
                }
                if not need_weights:
                    calls["x-transformers Attention"] = lambda x=x: other(x)
                runs = {name: lambda f=f, run=run: run(f) for name, f in calls.items()}
                passes = "forward + backward" if training else "forward"
                setting = {"passes": passes, "T": T, "need_weights": need_weights, "batch": 4}
                rows += against("course_lib", take_turns(runs, rounds), **setting, d_model=E, H=H)
    return rows


def main() -> None:
    torch.manual_seed(0)
    write("scaled_dot", scaled_dot())
    write("multi_head", multi_head(), x_transformers=version("x-transformers"))
