"""The roofline calculator: its numbers are those of course_lib.estimates."""

import pytest

from course_lib.estimates import Machine, ModelConfig, kv_cache_bytes, step_time
from course_lib.figures.moving import roofline_figure
from course_lib.figures.moving.roofline import step

CONFIG = ModelConfig(layers=4, d_model=256, heads=8, d_ff=1024, vocabulary=1000)
MACHINE = Machine(flops=3e14, bandwidth=2e12)
WEIGHTS = 4 * (4 * 256**2 + 3 * 256 * 1024) + 1000 * 256


@pytest.mark.parametrize("batch", [1, 64])
def test_operations_and_bytes_of_decode_are_counted_by_hand(batch):
    found = step(CONFIG, MACHINE, 2048, batch, prefill=False)
    attend = 4 * 4 * 256 * 2048  # layers, two products, width, positions
    assert found["operations"] == pytest.approx(batch * (2 * WEIGHTS + attend))
    cache = kv_cache_bytes(CONFIG, 2048, batch)
    assert found["bytes"] == pytest.approx(2 * WEIGHTS + cache)
    assert found["seconds"] == step_time(CONFIG, MACHINE, 2048, batch=batch)


def test_the_figure_has_every_stop_and_says_where_the_roof_turns():
    figure = roofline_figure(CONFIG, MACHINE, batches=(1, 64), lengths=(128, 2048), at=(64, 128))
    assert figure.state == {"batch": 1, "length": 0}
    decode = figure.data["steps"]["decode"]
    assert decode[1][1] == step(CONFIG, MACHINE, 2048, 64, prefill=False)
    more, less = figure.data["steps"]["prefill"][0][0], decode[0][0]
    assert more["operations"] / more["bytes"] > 50 * less["operations"] / less["bytes"]
    assert "turns flat at 150 operations a byte" in repr(figure)
