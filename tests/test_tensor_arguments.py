"""Every tensor or list that a public function takes: what it does not mean gets a sentence.

One table of (function, argument, values that it must not be); `test_arguments` has the numbers.
"""

import math
import re

import numpy as np
import pytest
import torch
from argument_table import PAIR, TOKENS, Table, X, model, seq2seq, translator

import course_lib as cl
from course_lib import estimates, generation, kernels, translation
from course_lib.gate.masks import padding_mask
from course_lib.published.minilm import BertEncoder
from course_lib.transformer import EncoderDecoder, Layer
from course_lib.transformer.positions import relative_position_bucket

Y = torch.randn(2, 5, 4)
TWICE = cl.KeyValueCache()
WEIGHTS = torch.full((2, 3), 1 / 3)
TWO = torch.tensor([[1, 2], [3, 4]])
SMALL = {"d_model": 8, "num_heads": 2, "d_hidden": 8}
CORES = torch.tensor([[math.nan, 0.5]]), torch.tensor([[-0.5, 1.5]]), torch.ones(2, 0)


def bert(tokens):
    return BertEncoder(8, 2, 1, 8, 9)(tokens)


def cache():
    filled = cl.KeyValueCache()
    filled.append(torch.randn(2, 1, 3, 4), torch.randn(2, 1, 3, 4))
    return filled


def filled_cache():
    filled = cl.KeyValueCache()
    filled.append(torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 4))
    return filled


def draft(**changed):
    given = {"drafted": torch.tensor([1]), "q": torch.full((1, 4), 0.25)}
    return generation.judge(**(given | {"p": torch.full((2, 4), 0.25)} | changed))


# Of a vocabulary of 9 tokens.
BAD_TOKENS = [TWO.float(), TWO > 1, TWO.tolist(), TWO.numpy(), None, "x", TWO + 90, TWO - 90]
FLOATS = [None, "x", X.tolist(), X.long(), X > 0]
SCORES = {"dot": cl.dot_scores, "scaled": cl.scaled_dot_scores}
ADDITIVE = {"query_proj": X, "key_proj": Y, "v_a": X[0, 0]}
CONCAT = {"query": X, "keys": Y, "W_a": torch.randn(3, 8), "v_a": torch.randn(3)}
GENERAL = {"query": X, "keys": Y, "W_a": torch.randn(4, 4)}
OTHER_BATCH, OTHER_DTYPE = torch.randn(3, 5, 4), Y.double()

TABLE = [
    *((n, lambda v, f=f: f(X, v), "keys", [*FLOATS, X[0, 0], OTHER_BATCH, OTHER_DTYPE])
      for n, f in SCORES.items()),
    *((n, lambda v, f=f, given=given, a=a: f(**(given | {a: v})), a,
       [*FLOATS, torch.tensor(1.0), given[a].double()])
      for n, f, given in (("additive", cl.additive_scores, ADDITIVE),
                          ("concat", cl.concat_scores, CONCAT),
                          ("general", cl.general_scores, GENERAL))
      for a in given),
    ("attend", lambda v: cl.attend(torch.ones(2, 3, 5), v), "values", [OTHER_BATCH]),
    ("additive", lambda v: cl.AdditiveAttention(4, 4, 3)(X, Y, key_proj=v), "key_proj",
     ["x", [1.0], torch.ones(2, 5, 3).long(), torch.ones(2, 5, 4)]),
    ("padding_mask", padding_mask, "lengths", [None, "ab", [1.5], [[1]], [True], [-1]]),
    *((f.__name__, f, "weights", [*CORES, torch.tensor(1.0), [0.5], WEIGHTS.long()])
      for f in (cl.sample_choice, cl.straight_through_gumbel)),
    ("reinforce", lambda v: cl.reinforce_loss(v, WEIGHTS), "log_prob", FLOATS),
    ("reinforce", lambda v: cl.reinforce_loss(WEIGHTS, v), "reward", [None, [1.0], WEIGHTS > 0]),
    ("append", lambda v: cl.KeyValueCache().append(v, Y), "keys", [*FLOATS, Y[0, 0], OTHER_BATCH]),
    ("append", lambda v: cl.KeyValueCache().append(Y, v), "values", [*FLOATS, Y[:1], OTHER_BATCH]),
    ("reorder", lambda v: cache().reorder(v), "index",
     [None, [0, 1], np.array([0]), torch.tensor([True, False]), torch.tensor([0.0]), TWO]),
    ("delta_rule", lambda v: cl.delta_rule(X, X, X, v), "beta",
     [*FLOATS, torch.rand(2, 3).double(), torch.rand(2, 4)]),
    ("rotary", lambda v: cl.rotary_embedding(X, frequencies=v), "frequencies",
     [[1.0, 1.0], torch.ones(2).long(), torch.ones(3), torch.ones(2).half(),
      torch.ones(2).bfloat16()]),
    ("rotary", lambda v: cl.rotary_embedding(X, v), "positions",
     [torch.ones(3).half(), torch.ones(3).bfloat16(), torch.ones(3) > 0, torch.ones(4)]),
    ("heads", lambda v: cl.MultiHeadAttention(4, 2)(v), "query", [*FLOATS, X.double(), X[0]]),
    ("latent", lambda v: cl.LatentAttention(4, 2, latent_dim=2)(v), "query", [X.half()]),
    ("from_torch", cl.MultiHeadAttention.from_torch, "module", [None, 3]),
    ("explain", lambda v: cl.explain(v, Y), "query", [*FLOATS, X.double(), OTHER_BATCH]),
    ("explain", lambda v: cl.explain(X, Y, mask=v), "mask", [torch.ones(3, 5), torch.ones(9) > 0]),
    ("flash", lambda v: kernels.flash_attention(X, v, v), "k", [*FLOATS, OTHER_BATCH]),
    # tokens
    *((n, f, "tokens", [*BAD_TOKENS, TWO[0]])
      for n, f in (("model", model()), ("rotary", model(positions="rotary")), ("bert", bert))),
    ("step", lambda v: model().step(v, model().start()), "tokens",
     [torch.ones(1), torch.tensor([99])]),
    *((n, f, "tokens", [TWO.float(), TWO + 90])
      for n, f in (("seq2seq", lambda v: seq2seq()(v, [2, 2], TWO)),
                   ("target", lambda v: seq2seq(attention="none")(TWO, [2, 2], v)),
                   ("bahdanau", lambda v: seq2seq(order="bahdanau")(TWO, [2, 2], v)),
                   ("encoder", lambda v: EncoderDecoder(9, 9, **SMALL).encode(v, [2, 2])))),
    *((n, lambda v, m=m: m.encode(v, [2, 2]), "source", [None, "x", TWO.tolist(), TWO[0]])
      for n, m in (("seq2seq", seq2seq()), ("transformer", EncoderDecoder(9, 9, **SMALL)))),
    *((n, lambda v, m=m: m.encode(TWO, v), "lengths",
       [None, [2], [2, 2, 2], [2, 3], [2.0, 2.0], "ab"])
      for n, m in (("seq2seq", seq2seq()), ("transformer", EncoderDecoder(9, 9, **SMALL)))),
    ("seq2seq", lambda v: seq2seq().encode(TWO, v), "lengths", [[2, 0]]),
    ("learned", lambda v: model(positions="learned")(TOKENS, positions=v), "positions",
     [-1, torch.tensor([-1, 0]), torch.tensor([0.0, 1.0]), torch.tensor([0, 1, 2]), [0, 1]]),
    ("sinusoids", lambda v: model()(TOKENS, positions=v), "positions",
     [torch.tensor([0.0, 1.0]), torch.tensor([True, False]), torch.tensor(1), [0, 1]]),
    ("caches", lambda v: model(num_layers=2)(TOKENS, caches=v), "caches",
     [[], [cl.KeyValueCache()], [cl.KeyValueCache()] * 2, [cl.KeyValueCache() for _ in range(3)],
      [filled_cache(), cl.KeyValueCache()]]),
    ("one cache in two layers", lambda v: model(num_layers=3)(TOKENS, caches=v), "caches",
     [[TWICE, cl.KeyValueCache(), TWICE]]),
    *((f"cross {c}", lambda v, c=c: Layer(cross=c, **SMALL)(torch.ones(1, 2, 8), memory=v),
       "memory", [None if c else torch.ones(1, 3, 8)])
      for c in (True, False)),
    ("bucket", relative_position_bucket, "relative", [None, [1], torch.ones(2), torch.ones(2) > 0]),
    *((n, f, "mask", [[[[True, True]]], np.ones((1, 1, 2), bool), torch.ones(1, 1, 2)])
      for n, f in (("prefill", lambda v: model().prefill(TOKENS, v)),
                   ("generate", lambda v: model().generate(TOKENS, 1, mask=v)))),
    *((f.__name__, lambda v, f=f: f(Table(), v, Table(), max_length=1, end=4), "tokens",
       [None, [1], torch.tensor([1.0]), torch.tensor([True]), TWO])
      for f in (generation.greedy_search,)),
    ("judge", lambda v: draft(drafted=v), "drafted", [None, [1], torch.tensor([1.0]), TWO]),
    *(("judge", lambda v, n=n: draft(**{n: v}), n,
       [None, [0.5], torch.full((1, 4), math.nan), torch.full((2, 4), -0.25), torch.ones(3, 5)])
      for n in ("p", "q")),
    *((n, f, "generator", [3, "x", np.random.default_rng(0)])
      for n, f in (("sample", lambda v: generation.sample(X, generator=v)),
                   ("greedy", lambda v: generation.sample(X, temperature=0, generator=v)),
                   ("generate", lambda v: model().generate(TOKENS, 1, generator=v)),
                   ("judge", lambda v: draft(generator=v)),
                   ("draft", lambda v: generation.speculative_decode(model(), model(), TOKENS, 1,
                                                                     generator=v)),
                   ("choice", lambda v: cl.sample_choice(WEIGHTS, v)),
                   ("gumbel", lambda v: cl.straight_through_gumbel(WEIGHTS, generator=v)),
                   ("batches", lambda v: translation.make_batches([PAIR], None, None, 2, v)))),
    *((f.__name__, lambda v, f=f, more=more: f(Table(), torch.tensor([1]), Table(), max_length=1,
                                              end=4, forbidden=v, **more), "forbidden",
       [3, None, "ab", [1.5], [9], [-1], range(5)])
      for f, more in ((generation.greedy_search, {}), (generation.beam_search, {"beam": 2}))),
    # translation
    *(("bleu", lambda v, n=n: translation.bleu(**({"translations": [["a"]], "references": [["a"]]}
                                                  | {n: v})), n, [3, None, "ab"])
      for n in ("translations", "references")),
    ("by length", lambda v: translation.bleu_by_length([PAIR], v), "translations", [3, None, "ab"]),
    ("clauses", lambda v: translation.ParallelCorpus().pairs(2, v), "clauses",
     [3, None, "ab", (1,), (1, 2, 3), (2, 1), (1.0, 2)]),
    ("pad", translation.pad, "rows", ["ab", 3, [], [[1.5]], [[True]], [["1"]], [1]]),
    ("words", translation.Vocabulary.from_words, "words",
     [["a"], [*translation.vocabulary.SPECIALS, "a", "a"], []]),
    ("vocabulary", translation.Vocabulary, "sentences", [3, None, "ab"]),
    *((n, f, "pairs", [3, "ab", ["ab"], [None], (p for p in [PAIR])])
      for n, f in (("train", lambda v: translation.train(v, epochs=0, progress=False)),
                   ("align", lambda v: translator().align(v)),
                   ("batches", lambda v: translation.make_batches(v, None, None, 2)))),
    ("translate", lambda v: translator().translate(v), "sources", [3, None, "a b"]),
    ("aids", lambda v: seq2seq(aids=v), "aids", [3, "progress", [["progress"]], ["none"]]),
    # estimates
    *((f.__name__, f, "config", [None, "x", model().config])
      for f in (estimates.parameter_count, estimates.active_parameters, estimates.flops_per_token,
                estimates.state_bytes)),
    ("measure", lambda v: estimates.measure({"model_type": "llama"}, accept=v), "accept",
     ["hidden_size", 3, [None]]),
    ("measure", lambda v: estimates.measure({"model_type": "llama"}, as_type=v), "as_type",
     [3, ["a"]]),
    ("measure", estimates.measure, "path", [None, 3, ["a"]]),
]  # fmt: skip
ROWS = [
    pytest.param(f, argument, bad, id=f"{name}-{argument}-{i}")
    for name, f, argument, values in TABLE
    for i, bad in enumerate(values)
]


@pytest.mark.parametrize(("f", "argument", "bad"), ROWS)
def test_a_tensor_or_list_that_is_not_meant_is_refused_by_name(f, argument, bad, as_a_user):
    with pytest.raises((TypeError, ValueError, IndexError)) as error:
        f(bad)
    said, where = str(error.value), str(error.traceback[-1].path)
    assert "course_lib" in where, f"{said} (raised in {where})"
    assert re.search(rf"\b{argument}\b", said), said
