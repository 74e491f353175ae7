"""What goes wrong in `switch_off`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.inside_a_model.switching.task import switch_off

MISTAKES = Mistakes(switch_off, globals())
MISTAKES.change("left-behind", "hook.remove()", "pass").says("""
    Your hooks, or zeros, stay in the model, and the next measurement is made on a damaged one. Undo
    them before you return.
""")
MISTAKES.change(
    "left-after-an-error",
    "        return logits\n",
    "",
    "finally:",
    "except KeyError:\n        raise\n    else:",
    "hook.remove()",
    "hook.remove()\n    return logits",
).says("""
    When the model raises an error, your hooks, or zeros, stay. Undo them in `finally`, which runs
    in any case.
""")
MISTAKES.change(
    "left-in-training", "hook.remove()", "hook.remove()\n            model.train()"
).says("""
    You leave the model in training mode. What its mode was before, it must be again: `was =
    model.training` first, and `model.train(was)` at the end.
""")
MISTAKES.change(
    "left-in-evaluation", "hook.remove()", "hook.remove()\n            model.eval()"
).says("""
    You leave the model in evaluation mode. What its mode was before, it must be again: `was =
    model.training` first, and `model.train(was)` at the end.
""")
MISTAKES.change(
    "left-without-gradients",
    "logits, _weights = model(tokens)",
    "logits, _weights = model.requires_grad_(False)(tokens)",
).says("""
    You leave the model with `requires_grad` False. To compute without gradients, write `with
    torch.no_grad():`, which leaves the parameters as they are.
""")
MISTAKES.change("pair", "logits, _weights = model(tokens)", "logits = model(tokens)").says(
    "You return the pair of the model. Return the logits alone."
)
MISTAKES.change(
    "every-h-th-feature",
    "unflatten(-1, (num_heads, -1))  # (B, T, H, d)",
    "unflatten(-1, (-1, num_heads)).mT.clone()",
    "found.flatten(2)",
    "found.mT.flatten(2)",
).says("""
    The numbers of a head lie side by side: head h has the features h · d to (h + 1) · d. You take
    every H-th feature.
""")
MISTAKES.change("heads-from-one", "head] = 0", "head - 1] = 0").says(
    "You count heads from 1. The first head is number 0."
)
MISTAKES.change(
    "in-every-layer",
    "for layer, head in heads:",
    "for layer, head in [(i, h) for _, h in heads for i in range(len(model.stack.layers))]:",
).says("""
    You switch off the head in every layer. Only the one of its layer is asked.
""")
MISTAKES.change("whole-layer", "found[:, :, head] = 0", "found[:] = 0").says("""
    You switch off the whole layer. Only the heads of the list are asked.
""")
MISTAKES.change(
    "the-others",
    "for layer, head in heads:",
    "for layer, head in [(i, h) for i, one in enumerate(model.stack.layers) "
    "for h in range(one.self_attention.num_heads) if (i, h) not in heads]:",
).says("""
    You switch off the others. The heads of the list are to be silent.
""")
MISTAKES.change("first-alone", "in heads:", "in heads[:1]:").says(
    "You switch off the first head of the list alone."
)
MISTAKES.change("last-alone", "in heads:", "in heads[-1:]:").says(
    "You switch off the last head of the list alone."
)
family(
    MISTAKES,
    """Of several heads of one layer you switch off one alone. Perhaps a dictionary by layers, or
    a hook in the place of another, keeps one of them.""",
    one_of_each_layer=("in heads:", "in dict(heads).items():"),
    first_of_each_layer=("in heads:", "in dict(heads[::-1]).items():"),
)
MISTAKES.change("head-0-goes-on", "in heads:", "in [one for one in heads if one[1]]:").says(
    "Head 0 counts as none. It is the first head: perhaps an `if` asks for the number itself."
)
MISTAKES.change("layer-0-goes-on", "in heads:", "in [one for one in heads if one[0]]:").says(
    "Layer 0 counts as none. It is the first layer: perhaps an `if` asks for the number itself."
)
MISTAKES.change("turned-round", "for layer, head in", "for head, layer in").says(
    "You take (layer, head) for (head, layer)."
)
family(
    MISTAKES,
    """You put a mean in the place of what the head found. Zero is asked.""",
    mean_for_zero=("head] = 0", "head] = found[:, :, head].mean(1, True)"),
    one_mean_for_zero=("head] = 0", "head] = found[:, :, head].mean()"),
)
MISTAKES.change("last-position", "found[:, :, head]", "found[:, -1:, head]").says("""
    Your head is silent at the last position alone. Zero its output at all positions.
""")
MISTAKES.change(
    "after-the-projection",
    "(module, inputs, head",
    "(module, given, out, head",
    "inputs[0].clone()",
    "out.clone()",
    "return (found.flatten(2),)",
    "return found.flatten(2)",
    "register_forward_pre_hook",
    "register_forward_hook",
).says("""
    You set features of the layer's output to zero, where the heads are mixed already. Zero the
    *input* of W_o.
""")
family(
    MISTAKES,
    """All your hooks silence the heads of the last round: a function reads a name of the loop when
    it is called, and the loop is over by then. Hand it in, `def silence(module, inputs,
    head=head)`.""",
    late=("head=head, num_heads", "num_heads"),
    late_list=(
        "for layer, head in heads:",
        "for layer in range(len(model.stack.layers)):\n"
        "            mine = [head for one, head in heads if one == layer]",
        "head=head, num_heads",
        "num_heads",
        "found[:, :, head] = 0",
        "found[:, :, mine] = 0",
    ),
)
family(
    MISTAKES,
    """You take (layer, head) for (head, layer).""",
    exchanged_and_sliced=(
        "for layer, head in",
        "for head, layer in",
        "found[:, :, head] = 0",
        "found[:, :, head : head + 1] = 0",
    ),
)
family(
    MISTAKES,
    """You silence other features than the head's. Head h has the features h · d to (h + 1) · d of
    W_o's input.""",
    head_after=("found[:, :, head] = 0", "found[:, :, head + 1 : head + 2] = 0"),
    one_feature=("found[:, :, head] = 0", "found[:, :, 0, head] = 0"),
    features_from_the_number=(
        "found[:, :, head] = 0",
        "found = found.flatten(2); found[..., head : head + inputs[0].shape[-1] // num_heads] = 0",
        "found.flatten(2),",
        "found,",
    ),
)
family(
    MISTAKES,
    """You take the number of heads for the size of one. A head has d = W_o.in_features // num_heads
    numbers, and head h the features h · d to (h + 1) · d.""",
    number_for_size=(
        "found[:, :, head] = 0",
        "found = found.flatten(2); found[..., head * num_heads : (head + 1) * num_heads] = 0",
        "found.flatten(2),",
        "found,",
    ),
)
family(
    MISTAKES,
    """You keep the head and silence all others of its layer. It is the heads of the list that are
    to be zero.""",
    kept_alone=(
        "found[:, :, head] = 0",
        "found[:, :, [h for h in range(num_heads) if h != head]] = 0",
    ),
)
family(
    MISTAKES,
    """Your heads are silent in the first text alone. Zero them in all.""",
    first_text=("found[:, :, head] = 0", "found[:1, :, head] = 0"),
)
family(
    MISTAKES,
    """You zero rows of W_o, the features that it gives. A head enters by *columns* of its weight:
    `W_o.weight[:, h * d : (h + 1) * d]`, or by the input of W_o.""",
    rows_of_the_matrix=(
        "(module, inputs, head",
        "(module, inputs, out, head",
        "found = inputs[0].clone().unflatten(-1, (num_heads, -1))  # (B, T, H, d)",
        "found = out.clone().unflatten(-1, (num_heads, -1))",
        "found[:, :, head] = 0",
        "found[:, :, head] = module.bias.unflatten(0, (num_heads, -1))[head]",
        "return (found.flatten(2),)",
        "return found.flatten(2)",
        "register_forward_pre_hook",
        "register_forward_hook",
    ),
)
MISTAKES.change("nothing", "found[:, :, head] = 0", "pass").says("""
    You switch nothing off: the logits are those of the whole model.
""")
MISTAKES.change("layers-from-one", "layers[layer]", "layers[layer - 1]").says(
    "You count layers from 1. The first layer is number 0."
)
family(
    MISTAKES,
    """The last number of each head goes on. A slice ends before its end: `h * d : (h + 1) * d` has
    d numbers.""",
    one_number_left=("found[:, :, head] = 0", "found[:, :, head, :-1] = 0"),
)
HEAD_OFF = """found = inputs[0].clone().unflatten(-1, (num_heads, -1))  # (B, T, H, d)
                found[:, :, head] = 0
                return (found.flatten(2),)"""
MISTAKES.change(
    "size-by-the-silent",
    HEAD_OFF,
    """layers = [model.stack.layers[one].self_attention.W_o for one, _ in heads]
                silent = sum(one is module for one in layers)
                found, size = inputs[0].clone(), inputs[0].shape[-1] // silent
                found[..., head * size : (head + 1) * size] = 0
                return (found,)""",
).says("""
    You divide the features by the number of heads that are to be silent. The size of a head is the
    features divided by all heads of the layer: `attention.num_heads`.
""")
MISTAKES.change("last-logits-alone", "return logits", "return logits[:, -1]").says("""
    You return the logits of the last position alone. All positions are asked for, (B, T, V).
""")
MISTAKES.change("probabilities", "return logits", "return logits.softmax(-1)").says("""
    You return probabilities. The logits themselves are asked for: leave out the softmax.
""")
MISTAKES.change(
    "query-silent",
    "attention.W_o.register_forward_pre_hook(silence)",
    "attention.W_q.register_forward_hook(\n"
    "                lambda module, _, out, silence=silence: silence(module, (out,))[0])",
).says("""
    You set the queries of a head to zero. It then looks at all places equally and goes on adding
    what it finds there. Set to zero what it has found: its part of the input of W_o.
""")
