"""Attention as modules, which keep what they have learned: `additive`, `luong`, `hard`,
`multi_head`, `latent`, and the `cache` of keys and values."""
