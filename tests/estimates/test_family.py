"""The families' defaults against the installed classes."""

import pytest

from course_lib.estimates import family
from course_lib.estimates.names import TYPES

pytest.importorskip("transformers")
FIELDS = {
    "head_dim": family.HEAD_DIM,
    "num_key_value_heads": family.KV_HEADS,
    "n_shared_experts": family.SHARED_EXPERTS,
    "first_k_dense_replace": family.DENSE_FIRST,
}
# Kimi K2 is built as DeepSeek-V3; these attend by latents, and read neither of the first two.
LATENT = {"deepseek_v2", "deepseek_v3", "deepseek_v32", "glm_moe_dsa", "kimi_k2", "kimi_linear"}


@pytest.mark.parametrize("kind", sorted(TYPES))
def test_a_default_is_the_one_of_the_class(kind):
    from transformers import CONFIG_MAPPING

    from course_lib.estimates.field_checks import defaults

    known = defaults(CONFIG_MAPPING["deepseek_v3" if kind == "kimi_k2" else kind])
    assert (kind in family.TIED) == bool(known["tie_word_embeddings"])
    for name, table in FIELDS.items():
        if kind in LATENT and name in ("head_dim", "num_key_value_heads"):
            continue
        assert table.get(kind) == (known.get(name) or None), name
    if kind in family.WINDOW:
        assert family.WINDOW[kind] == known["sliding_window"]


@pytest.mark.parametrize("kind", sorted(family.PERIOD))
def test_a_period_is_the_one_of_the_class(kind):
    from transformers import CONFIG_MAPPING

    config = CONFIG_MAPPING[kind](num_hidden_layers=24)
    full = [i for i, what in enumerate(config.layer_types) if what == "full_attention"]
    assert full == list(range(family.PERIOD[kind] - 1, 24, family.PERIOD[kind]))
