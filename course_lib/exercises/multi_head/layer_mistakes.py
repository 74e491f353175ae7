"""What goes wrong in `MultiHeadAttention` with its four layers and the joining of its heads."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family

PROJECTED = "self.W_q(query), self.W_k(key), self.W_v(value)"
SPLIT = "split_heads(x, self.num_heads)"
JOINED = "merge_heads(weights @ v)"
OUTPUT = "self.W_o(merge_heads(weights @ v))"


def layer_mistakes(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """One of query, key and value goes into its heads without its layer. Each has its own:
        `self.W_q(query)`, `self.W_k(key)`, `self.W_v(value)`.""",
        value_as_it_is=(PROJECTED, "self.W_q(query), self.W_k(key), value"),
        key_as_it_is=(PROJECTED, "self.W_q(query), key, self.W_v(value)"),
        query_as_it_is=(PROJECTED, "query, self.W_k(key), self.W_v(value)"),
    )
    family(
        mistakes,
        """Your keys, your values or both are made of `query`. Keys come from `key` and values from
        `value`, `self.W_k(key)` and `self.W_v(value)`: only in self-attention is it all one.""",
        keys_and_values_of_the_query=(
            PROJECTED,
            "self.W_q(query), self.W_k(query), self.W_v(query)",
        ),
        keys_of_the_query=(PROJECTED, "self.W_q(query), self.W_k(query), self.W_v(value)"),
        values_of_the_query=(PROJECTED, "self.W_q(query), self.W_k(key), self.W_v(query)"),
    )
    family(
        mistakes,
        """Your queries are not made of `query`. They come from it, `self.W_q(query)`: only in
        self-attention are key and value the same.""",
        queries_of_the_key=(PROJECTED, "self.W_q(key), self.W_k(key), self.W_v(value)"),
        queries_of_the_value=(PROJECTED, "self.W_q(value), self.W_k(key), self.W_v(value)"),
    )
    family(
        mistakes,
        """Your keys are made of `value`. They come from `key`: `self.W_k(key)`.""",
        keys_of_the_value=(PROJECTED, "self.W_q(query), self.W_k(value), self.W_v(value)"),
    )
    family(
        mistakes,
        """Keys and values have changed places: queries meet the keys, and the weights blend the
        values.""",
        key_and_value_exchanged=(PROJECTED, "self.W_q(query), self.W_k(value), self.W_v(key)"),
        keys_blended=("merge_heads(weights @ v)", "merge_heads(weights @ k)"),
    )
    family(
        mistakes,
        """You hand `split_heads` the size of a head, d_model / num_heads. It wants their number:
        `split_heads(x, self.num_heads)`.""",
        size_for_number=(SPLIT, "split_heads(x, x.shape[-1] // self.num_heads)"),
        size_for_number_and_its_root=(
            SPLIT,
            "split_heads(x, x.shape[-1] // self.num_heads)",
            "math.sqrt(q.shape[-1])",
            "math.sqrt(query.shape[-1] // self.num_heads)",
        ),
    )
    family(
        mistakes,
        """A layer is used twice in a row, or after one another. Each of the four works once:
        three before the attention, W_o after it.""",
        output_twice=(OUTPUT, f"self.W_o({OUTPUT})"),
        query_twice=(PROJECTED, "self.W_q(self.W_q(query)), self.W_k(key), self.W_v(value)"),
        value_output_twice=(OUTPUT, "self.W_o(self.W_v(merge_heads(weights @ v)))"),
    )
    family(
        mistakes,
        """The heads are not side by side: one of them, or their sum or mean, stands in for all.
        Join them along the last axis, (B, T, H · d/H).""",
        first_head_for_all=(JOINED, "(weights @ v)[:, 0].repeat(1, 1, self.num_heads)"),
        heads_added=(JOINED, "(weights @ v).sum(1).repeat(1, 1, self.num_heads)"),
        heads_averaged=(JOINED, "(weights @ v).mean(1).repeat(1, 1, self.num_heads)"),
    )
    family(
        mistakes,
        """You put the result through a function that is not asked for. Between the heads and
        W_o stands nothing, and after W_o neither.""",
        relu_before=(JOINED, "torch.relu(merge_heads(weights @ v))"),
        relu_after=(OUTPUT, f"torch.relu({OUTPUT})"),
        tanh_after=(OUTPUT, f"torch.tanh({OUTPUT})"),
    )
    family(
        mistakes,
        """Your attention is always causal. Only the mask that is given forbids anything.""",
        always_causal=(
            "weights = parts.weigh(scores, mask)",
            "below = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()\n"
            "        weights = parts.weigh(scores, below if mask is None else mask & below)",
        ),
    )
    family(
        mistakes,
        """You multiply the scores by the mask, or add it: a score of 0 still gets weight, for
        exp(0) = 1. Set forbidden scores to -inf.""",
        mask_added_then_zeros=(
            "parts.weigh(scores, mask)",
            "parts.weigh(scores, None) if mask is None else "
            "torch.softmax(scores + mask, -1) * mask",
        ),
        mask_added_alone=(
            "parts.weigh(scores, mask)",
            "parts.weigh(scores if mask is None else scores + mask, None)",
        ),
    )
