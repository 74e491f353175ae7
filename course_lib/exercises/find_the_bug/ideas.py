"""What the book says of each repair: the idea, and what it costs."""

IDEAS = {
    "next_token_loss": (
        "Row t of the logits was computed from the tokens up to t, so its label is token t + 1. "
        "One shift does it: the last row has no label, and the first token is nobody's label. "
        "Somebody had shifted twice. The loss falls all the same, since the token after next can "
        "be guessed, too.",
        "Two slices, which copy nothing, and a loss over B · (T − 1) · V numbers.",
    ),
    "attend_to_words": (
        "A softmax shares out one whole among all that it is given. What must not get a share has "
        "to be out before the sharing: a score of −∞ becomes a weight of exactly 0, and the rest "
        "sums to 1. Zeros written afterwards take shares away and give them to nobody.",
        "One pass over the B · T · S scores, as the wrong line did.",
    ),
    "attend_in_heads": (
        "`reshape` reads numbers in the order of the axes and knows nothing of their meaning. The "
        "heads' axis stands second, so it must go back beside the features before the two become "
        "one. What was split by unflatten and transpose is put together by transpose and flatten, "
        "in the opposite order.",
        "`reshape` after `transpose` copies B · T · d_model numbers; that is the price of the "
        "right order.",
    ),
    "recent_keys": (
        "Count distances, not places: a query has distance 0 to itself. The distances 0 to window "
        "− 1 are `window` of them, so the comparison is strict. The smallest window tells: with 1 "
        "a query sees itself alone.",
        "T · S comparisons.",
    ),
    "add_positions": (
        "A cache keeps what came before, so new tokens go on counting where it ends. An argument "
        "that is never used is a good place to look for a bug. At once and token by token must "
        "give the same numbers: that is the test for everything that has a cache.",
        "One slice of the table and B · T · d additions.",
    ),
    "layer_norm": (
        "A layer norm asks about one token at a time: mean and variance run over its features, "
        "the last axis. Over any other axis a token's numbers depend on its neighbours, in the "
        "text or in the batch, and what a model says of a sentence depends on who stands beside "
        "it.",
        "Two passes over B · T · d numbers, whichever axis they run along.",
    ),
    "weigh_with_dropout": (
        "`F.dropout` is a function and cannot know whether a model is in training; `nn.Dropout` "
        "asks its module. Its third argument says so, and its default is True. Whoever calls the "
        "function passes on what they were told.",
        "In training one random number for each of B · T · S weights; otherwise nothing.",
    ),
    "attend_to_past": (
        "Two sentences of a symptom, two bugs. The last query stands beside the last key, so the "
        "mask's triangle begins S − T further right. And a score sums d products, so its spread "
        "grows with √d, whatever the number of keys. With T = S the first bug does not show at "
        "all: a test needs one query and several keys.",
        "As before: B · T · S scores of d products each.",
    ),
    "train_language_model": (
        "Three bugs that hide each other: a loss that is too good, for two reasons, and steps that "
        "are too bad. Taking them apart is the work: a text of two tokens has no token to see "
        "ahead, a text without padding no padding to count, and one step no gradients from "
        "before. What is left in such a run is one bug. A mean has two numbers, and zeroing "
        "padding repairs the upper one alone.",
        "One pass forwards and one backwards for each batch, with the bugs or without.",
    ),
    "beam_search": (
        "The model, the rule for texts that have ended, and the bookkeeping of the beams can each "
        "be tried alone: one word tells whether the model is right, one beam needs no "
        "bookkeeping, and where no text ends the rule is idle. Whatever belongs to a text, its "
        "words and its cache, goes where the text goes. Of two assignments to one place the "
        "second stands.",
        "For each word of each beam one step of the decoder, and a copy of the cache.",
    ),
}
