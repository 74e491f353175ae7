"""Attention as formulas: the files that a student reads.

In reading order: `softmax`, `masks`, `scores`, `scaled_dot_product`, `additive`, `luong`, `hard`,
`multi_head`, `positions`, `cache`, `latent`, `linear`.
`checks` and `arrays` say what fits.

A function or module is called with its paper's names, and returns its weights by default where the
weights are what one looks at:

    called                        names                need_weights   mask
    scaled_dot_product_attention  query, key, value    True           fourth
    AdditiveAttention             query, keys, values  True           fourth
    LuongAttention                query, keys, values  True           fourth
    HardAttention                 query, keys, values  True           fourth
    MultiHeadAttention            query, key, value    False          by name
    LatentAttention               query, key, value    False          by name
    linear_attention              q, k, v              no weights     no mask
    delta_rule                    q, k, v              no weights     no mask
"""
