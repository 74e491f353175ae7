"""Attention as formulas: the files that a student reads.

In reading order: `softmax`, `masks`, `scores`, `scaled_dot_product`, `additive`, `luong`, `hard`,
`multi_head`, `positions`, `cache`, `latent`, `linear`.
`checks` and `arrays` say what fits.
"""
