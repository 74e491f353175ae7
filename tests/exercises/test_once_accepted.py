"""Wrong answers that once got full points, since no draw came near what they do wrong."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from course_lib.exercises import CATALOGUE
from course_lib.exercises.bahdanau.module.task import BahdanauAttention
from course_lib.exercises.causal.reach.task import far_share
from course_lib.exercises.context_vectors.attending.task import attend
from course_lib.exercises.hear_where_it_looks.path import monotone_path
from course_lib.exercises.inside_a_model.switching.task import switch_off
from course_lib.exercises.luong.scores.task import luong_scores
from course_lib.exercises.multi_head.module.task import MultiHeadAttention
from course_lib.exercises.positions.rotate.task import rotate
from course_lib.exercises.scaled_dot_product.attention.task import scaled_dot_product_attention
from course_lib.exercises.softmax.masked.task import masked_softmax
from course_lib.exercises.softmax.plain.task import softmax
from course_lib.exercises.translator.decoding.task import greedy_decode
from course_lib.exercises.your_own_model.attention.task import own_attention
from course_lib.exercises.your_own_model.lent import top_p
from course_lib.exercises.your_own_model.writing.task import own_text
from course_lib.exercises.your_translator.model.task import Translator
from course_lib.exercises.your_translator.translating.task import translate
from solutions.alternatives.your_translator import TwoHeads
from tests.exercises.first_half import decoded_from
from tests.exercises.second_half import (
    MaskOfEachSentence,
    a_column_before,
    a_hundred_words,
    a_key_always_left_out,
    a_sink_for_each_query,
    a_twentieth_at_least,
    base_of_10000_at_most,
    cache_of_sixteen,
    computed_with_the_caches,
    fifty_columns,
    fifty_tokens,
    from_minus_10000,
    given_back,
    half_only,
    matrices_frozen,
    no_cache_of_a_crowd,
    no_limit_at_0,
    not_for_0,
    one_word_at_least,
    sines_of_x,
    sixty_four_places,
    small_distances,
    sorted_heads,
    sorted_pairs,
    two_rounds_at_least,
)
from tests.exercises.test_proofs import report_on

pytestmark = [pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]


def in_any_case(state, memory, method, W_a=None, v_a=None):
    return luong_scores(state, memory, method.lower(), W_a, v_a)


def concat_for_all_others(state, memory, method, W_a=None, v_a=None):
    known = method in ("dot", "general") or W_a is None or v_a is None
    return luong_scores(state, memory, method if known else "concat", W_a, v_a)


def by_what_is_given(state, memory, method, W_a=None, v_a=None):
    given = "general" if v_a is None else "concat"
    return luong_scores(state, memory, method if W_a is None else given, W_a, v_a)


def more_than_one_text(memory, parameters, bytes_per_number, cache_bytes):
    left = memory - parameters * bytes_per_number
    return left // cache_bytes if left > cache_bytes else 0


def light_is_nothing(scores, mask, axis=-1):
    weights = masked_softmax(scores, mask, axis)
    return np.where(weights < 1e-3, 0, weights).astype(scores.dtype)


def by_the_beginning(state, memory, method, W_a=None, v_a=None):
    names = {"d": "dot", "g": "general", "c": "concat"}
    return luong_scores(state, memory, names.get(method[:1], method), W_a, v_a)


def twenty_words(step, state, start_id, end_id, max_length):
    return greedy_decode(step, state, start_id, end_id, min(max_length, 20))


def from_first_to_last(weights, rows, columns):
    given = torch.stack([weights[..., c[0] : c[-1] + 1].sum(-1) for c in columns], -1)
    return torch.stack([given[..., r, :].mean(-2) for r in rows], -2)


def nearly_silent(found, heads, num_heads):
    quiet = found.clone().unflatten(-1, (num_heads, -1))
    quiet[..., heads, :] = 1e-9
    return quiet.flatten(-2)


class FirstLength(MultiHeadAttention):
    """Keeps the number of queries of its first call."""

    def forward(self, query, key, value, mask=None):
        self.length = getattr(self, "length", query.shape[1])
        mask = mask if mask is None or mask.shape[-2] == 1 else mask[..., : self.length, :]
        return super().forward(query[:, : self.length], key, value, mask)


def one_sentence(x):
    return x[0] if x.shape[1] == 1 else x.transpose(1, 2).flatten(2)


def until_repeated(step, choose, tokens, length):
    caches, out = None, []
    for _ in range(length):
        logits, caches = step(tokens, caches)
        tokens = choose(logits[:, -1])[:, None]
        if out and torch.equal(tokens, out[-1]):
            break
        out.append(tokens)
    return torch.cat(out, 1)


def probabilities(step, choose, tokens, length):
    return own_text(step, lambda logits: choose(logits.softmax(-1)), tokens, length)


def kept_in_the_layer(x, layer, cache=None):
    output, layer["cache"] = own_attention(x, layer, cache and layer["cache"])
    return output, True


def tanh_by_exp(state, annotations, W_a, U_a, v_a):
    e = torch.exp(2 * ((state @ W_a.T)[:, None] + annotations @ U_a.T))
    return ((e - 1) / (e + 1)) @ v_a


def without_sign(x, positions, base=10000.0):
    return rotate(x, positions.abs(), base)


def by_length(model, source, max_length):
    longest = (source != 0).sum(1).argsort(descending=True, stable=True)
    return translate(model, source[longest], max_length)


def as_long_as_the_first(model, source, max_length):
    return translate(model, source[:, : int((source[0] != 0).sum())], max_length)


def as_long_as_the_last(model, source, max_length):
    return translate(model, source[:, : int((source[-1] != 0).sum())], max_length)


def never_padding(model, source, max_length):
    def without(source, said):
        logits, weights = model(source, said)
        logits = logits.clone()
        logits[..., 0] = -torch.inf
        return logits, weights

    without.eval = model.eval
    return translate(without, source, max_length)


def without_any_hook(model, tokens, heads):
    logits = switch_off(model, tokens, heads)
    for layer, _ in heads:
        model.stack.layers[layer].self_attention.W_o._forward_pre_hooks.clear()
    return logits


def frozen(model, tokens, heads):
    for one in model.parameters():
        one.requires_grad_(False)
    return switch_off(model, tokens, heads)


def in_evaluation_mode(model, tokens, heads):
    return switch_off(model.eval(), tokens, heads)


def of_products(weights):
    return monotone_path(weights.clamp_min(1e-12).log())


def of_squares(weights):
    return monotone_path(weights.square())


def of_hundredths(weights):
    return monotone_path(weights.round(decimals=2))


class ZerosArePadding(BahdanauAttention):
    def forward(self, state, annotations, mask=None):
        mask = annotations.abs().sum(-1) != 0 if mask is None else mask
        return super().forward(state, annotations, mask)


def counted_by_losses(logits, labels, pad_id):
    each = F.cross_entropy(logits.mT, labels, ignore_index=pad_id, reduction="none")
    return each.sum() / (each != 0).sum()


def found_in_any_row(attention_matrix, source_words, target_words):
    places = (np.where(attention_matrix == row.max())[1][0] for row in attention_matrix)
    return [(word, source_words[s]) for word, s in zip(target_words, places, strict=True)]


def asked_twice(step, choose, tokens, length):
    caches, out = None, []
    for _ in range(length):
        logits, caches = step(tokens, caches)
        tokens = choose(logits[:, -1])[:, None]
        out.append(choose(logits[:, -1]))
    return torch.stack(out, 1)


def causal_too(query, key, mask, distance):
    return far_share(query, key, mask & torch.ones_like(mask).tril(), distance)


def one_softmax_for_all(logits, temperature, p):
    weights = torch.softmax(logits.flatten() / temperature, -1)
    return top_p(weights.reshape(logits.shape), p)


def certain_where_far(scores, axis=-1):
    top = scores.max(axis=axis, keepdims=True)
    e = np.exp(scores - top)
    places = np.expand_dims(scores.argmax(axis=axis), axis)
    shape = [-1 if i == axis % scores.ndim else 1 for i in range(scores.ndim)]
    hot = np.arange(scores.shape[axis]).reshape(shape) == places
    far = top - scores.min(axis=axis, keepdims=True) > 700
    return np.where(far, hot, e / e.sum(axis=axis, keepdims=True)).astype(scores.dtype)


def between_ten_thousands(scores, axis=-1):
    return softmax(np.clip(scores, -1e4, 1e4), axis)


def one_maximum_where_close(scores, axis=-1):
    e = np.exp(scores - scores.max())
    return softmax(scores, axis) if np.ptp(scores) >= 500 else e / e.sum(axis, keepdims=True)


def low_for_minus_infinity(scores, axis=-1):
    return softmax(np.nan_to_num(scores, neginf=-1000.0), axis)


def alone_by_itself(scores, axis=-1):
    return scores / scores if scores.shape[axis] == 1 else softmax(scores, axis)


def alike_where_hot(scores, temperature, axis=-1):
    if temperature > 1000:
        return np.full_like(scores, 1 / scores.shape[axis])
    return softmax(scores / temperature, axis)


def last_axis_at_one(scores, temperature, axis=-1):
    return softmax(scores) if temperature == 1 else softmax(scores / temperature, axis)


def attend_per_sentence(queries, keys, values, mask=None):
    if mask is not None and mask.ndim == 2 and len(mask) == len(queries):
        mask = mask[:, None]
    return attend(queries, keys, values, mask)


def attend_to_one_key(queries, keys, values, mask=None):
    return attend(queries, keys, values, None if keys.shape[1] == 1 else mask)


def rounded_to(digits):
    def align(attention_matrix, source_words, target_words):
        places = attention_matrix.round(digits).argmax(1)
        return [(w, source_words[s]) for w, s in zip(target_words, places, strict=True)]

    return align


class OneAnnotation(BahdanauAttention):
    def forward(self, state, annotations, mask=None):
        return super().forward(state, annotations, None if annotations.shape[1] == 1 else mask)


def general_by_its_matrix(state, memory, method, W_a=None, v_a=None):
    is_general = W_a is not None and v_a is None
    return luong_scores(state, memory, "general" if is_general else method, W_a, v_a)


def without_blanks(state, memory, method, W_a=None, v_a=None):
    return luong_scores(state, memory, method.strip(), W_a, v_a)


def a_thousandth_more(scores, position, window):
    distance = torch.arange(scores.shape[1], dtype=scores.dtype) - position[:, None]
    inside = distance.abs() <= window + 1e-3
    weights = torch.softmax(scores.masked_fill(~inside, -torch.inf), -1)
    return weights * torch.exp(-2 * (distance / window) ** 2)


def bounded_logits(logits, labels, pad_id):
    return F.cross_entropy(logits.clamp(-1e4, 1e4).mT, labels, ignore_index=pad_id)


def sdpa_with(change):
    def attention(query, key, value, mask=None):
        mask = mask if mask is None else change(mask, query, key)
        return scaled_dot_product_attention(query, key, value, mask)

    return attention


def per_sentence(mask, query, key):
    fits = mask.dim() == 2 and query.dim() == 3 and len(mask) == len(query)
    return mask[:, None] if fits else mask


def per_text(mask, query, key):
    return mask[:, None] if mask.dim() == 3 and query.dim() == 4 else mask


def all_of_one_key(mask, query, key):
    return mask | (key.shape[-2] == 1)


def never_at_once(model, source, max_length):
    def later(source, said):
        logits, weights = model(source, said)
        if said.shape[1] == 1:
            logits = logits.index_fill(-1, torch.tensor([3]), -1e9)
        return logits, weights

    later.eval = model.eval
    return translate(later, source, max_length)


class UnknownIsPadding(Translator):
    def forward(self, source, inputs):
        if (source[:, 0] == 1).any():
            raise RuntimeError("a sentence of length 0")
        return super().forward(source, inputs)


class FirstHeadAlone(TwoHeads):
    """Two heads look, and the weights of the first are returned."""

    def shown(self, weights):
        return weights[:, 0].detach()


ONCE_ACCEPTED = [
    ("sliding_window_mask", a_key_always_left_out, ""),
    ("sliding_window_mask", a_sink_for_each_query, ""),
    ("far_share", no_limit_at_0, ""),
    ("far_share", one_word_at_least, ""),
    ("induction_share", two_rounds_at_least, ""),
    ("MultiHeadAttention", MaskOfEachSentence, "Perhaps the mask is indexed, or given another"),
    ("streaming_attention", from_minus_10000, "start at -inf"),
    ("rotate", half_only, "half precision or bfloat16"),
    ("rotate", sines_of_x, "half precision or bfloat16"),
    ("rotate", base_of_10000_at_most, "look at their speeds"),
    ("top_p", a_twentieth_at_least, ""),
    ("top_p", a_hundred_words, ""),
    ("top_p", not_for_0, "nan where zeros are right"),
    ("decode_seconds", computed_with_the_caches, ""),
    ("decode_seconds", no_cache_of_a_crowd, ""),
    ("silence", sorted_heads, "You write into `heads`"),
    ("silence", given_back, "`found` itself comes back"),
    ("switch_off", sorted_pairs, ""),
    ("switch_off", matrices_frozen, "with `requires_grad` False"),
    ("attend_with_cache", sixty_four_places, ""),
    ("own_attention", cache_of_sixteen, ""),
    ("own_text", fifty_tokens, ""),
    ("monotone_path", fifty_columns, ""),
    ("alibi", small_distances, ""),
    ("share_inside", a_column_before, ""),
    ("softmax", certain_where_far, "answered in another way where its scores lie far apart"),
    ("softmax", between_ten_thousands, "or scores are bounded before exp"),
    ("softmax", one_maximum_where_close, "or one maximum serves several rows"),
    ("softmax", low_for_minus_infinity, "Perhaps -inf becomes a number first"),
    ("softmax", alone_by_itself, "Perhaps something is divided by a score"),
    ("softmax_with_temperature", alike_where_hot, "all of your result is alike"),
    ("softmax_with_temperature", last_axis_at_one, "Perhaps a temperature of 1 has a way of"),
    ("attend", attend_per_sentence, "It is (T, S), a row for each query"),
    ("attend", attend_to_one_key, "Perhaps a single key is given weight 1"),
    ("align", rounded_to(6), "Perhaps weights are rounded"),
    ("align", rounded_to(2), "You take nearly equal weights for equal"),
    ("BahdanauAttention", OneAnnotation, "Perhaps a single key is given weight 1"),
    ("luong_scores", general_by_its_matrix, "has to raise ValueError; yours goes on."),
    ("luong_scores", without_blanks, "has to raise ValueError; yours goes on."),
    ("local_weights", a_thousandth_more, "Perhaps the window has room for a little more"),
    ("greedy_decode", decoded_from(torch.sigmoid), "You change the logits before `argmax`"),
    ("greedy_decode", decoded_from(torch.exp), "done to the logits before `argmax`"),
    ("sequence_loss", bounded_logits, "Perhaps logits, probabilities or losses are bounded"),
    ("scaled_dot_product_attention", sdpa_with(per_sentence), "It is (T, S), a row for each query"),
    ("scaled_dot_product_attention", sdpa_with(per_text), "a mask of three axes is given a fourth"),
    ("scaled_dot_product_attention", sdpa_with(all_of_one_key), "Perhaps a single key is given"),
    ("translate", never_at_once, "Perhaps END is kept from being the first word"),
    ("Translator", UnknownIsPadding, "Word 1 stands for each word that nobody knows"),
    ("Translator", FirstHeadAlone, "You return other weights than those with which you mixed"),
    ("BahdanauAttention", ZerosArePadding, "what is all zeros counts as padding"),
    ("sequence_loss", counted_by_losses, "a loss of exactly 0"),
    ("align", found_in_any_row, "where another row may hold the same number"),
    ("own_text", asked_twice, ""),
    ("own_choice", one_softmax_for_all, "Perhaps two rows share"),
    ("far_share", causal_too, "a causal mask is added"),
    ("translate", by_length, ""),
    ("translate", as_long_as_the_first, ""),
    ("translate", as_long_as_the_last, ""),
    ("translate", never_padding, "Perhaps PAD or START is kept from being said"),
    ("switch_off", without_any_hook, ""),
    ("switch_off", frozen, "with `requires_grad` False"),
    ("switch_off", in_evaluation_mode, "You leave the model in evaluation mode"),
    ("most_texts", more_than_one_text, ""),
    ("masked_softmax", light_is_nothing, "Perhaps small weights are rounded, or set to 0"),
    ("monotone_path", of_products, ""),
    ("monotone_path", of_squares, ""),
    ("monotone_path", of_hundredths, ""),
    ("merge_heads", one_sentence, "Perhaps a `squeeze()`"),
    ("own_text", until_repeated, "You end the text where a token comes twice"),
    ("own_text", probabilities, "You hand probabilities to `choose`"),
    ("own_attention", kept_in_the_layer, "Two texts that are read in turns mix"),
    ("additive_scores", tanh_by_exp, "Perhaps you write the tanh with exp"),
    ("rotate", without_sign, "without its sign"),
    ("luong_scores", in_any_case, "has to raise ValueError; yours goes on."),
    ("luong_scores", concat_for_all_others, "has to raise ValueError; yours goes on."),
    ("luong_scores", by_what_is_given, "has to raise ValueError; yours goes on."),
    ("luong_scores", by_the_beginning, "has to raise ValueError; yours goes on."),
    ("greedy_decode", twenty_words, ""),
    ("words_from_pieces", from_first_to_last, "index with the list itself"),
    ("silence", nearly_silent, "where exactly 0 is right"),
    ("MultiHeadAttention", FirstLength, "keeps something of an earlier call"),
]


@pytest.mark.parametrize(("name", "answer", "says"), ONCE_ACCEPTED)
def test_what_was_once_accepted_is_wrong_and_told_why(name, answer, says):
    report = report_on(CATALOGUE.tasks[name], answer, seed=0)
    assert report.score == 0
    assert says in (report.diagnosis or ""), report
