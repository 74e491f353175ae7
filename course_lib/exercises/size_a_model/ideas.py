"""What the book says of each solution: the idea, and what it costs."""

IDEAS = {
    "count_parameters": (
        "List the matrices with their shapes and add up their areas. Queries and output are as "
        "wide as the model; keys and values are as wide as their few heads. Nearly all parameters "
        "lie in the layers, so an error in one matrix is multiplied by their number, and the "
        "embeddings are counted once.",
        "A dozen multiplications; no model is built.",
    ),
    "most_texts": (
        "A memory holds the weights once and a cache for each text. What is left beside the "
        "weights, divided by one cache and rounded down, is the number of texts. When the weights "
        "alone do not fit the division would give a negative number, and the answer is none.",
        "A subtraction and a division of whole numbers, so nothing is rounded on the way.",
    ),
    "prefill_seconds": (
        "Two kinds of work: each token meets each parameter, and each pair of tokens meets in "
        "each layer. The first grows with the length, the second with its square, so in a long "
        "enough prompt attention is most of it. A causal model needs half of the pairs.",
        "The formula is a line; what it estimates is 2 · parameters · length operations and more.",
    ),
    "decode_seconds": (
        "A step reads and computes at the same time and is done when the slower of the two is. "
        "The weights are read once for all texts, so a larger batch makes each token cheaper "
        "until computing, or the caches, take over. Ask of each term whether it grows with the "
        "batch.",
        "Two divisions and a comparison: the roofline with one roof of each kind.",
    ),
}
