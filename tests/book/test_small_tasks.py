"""The made data of small_experiments are what the page says, and a run can be repeated."""

from functools import partial

import torch

from book.helpers import small_pictures, small_sequences
from book.helpers.small_trials import draw, trials


def test_half_of_the_questions_ask_for_a_colour_that_is_not_there():
    draw.manual_seed(0)
    (colours, shapes, asked), answers = small_pictures.questions(2000)
    there = colours == asked[:, None]
    assert torch.equal(there.any(1), answers < small_pictures.NONE)
    assert 0.45 < there.any(1).double().mean() < 0.55
    assert torch.equal(shapes[there], answers[there.any(1)])
    assert (small_pictures.questions(200, absent=False)[1] < small_pictures.NONE).all()


def test_objects_lie_in_different_cells_and_new_captions_are_not_in_training():
    draw.manual_seed(0)
    _, kinds, places = small_pictures.scenes(500)
    assert all(len(set(row)) == 3 for row in places.tolist())
    assert set((kinds > 0).sum(1).tolist()) == {1, 2, 3}
    known, new = (set(map(tuple, x.tolist())) for x in (small_pictures.KNOWN, small_pictures.NEW))
    assert len(known) == 22 and len(new) == 3 and not known & new


def test_the_hidden_letter_has_a_partner_that_its_relatives_show():
    draw.manual_seed(0)
    relatives, new, hidden = small_sequences.families(200, relatives=40)
    rows = torch.cat([relatives, new[:, None]], 1)
    wanted = rows.gather(2, hidden[:, None].expand(-1, 41, -1)) ^ 1
    assert ((rows == wanted).all(1).sum(1) == 1).all()


def test_the_dot_moves_one_place_in_each_frame():
    draw.manual_seed(0)
    film, right = small_sequences.films(100)
    places = film.argmax(-1)
    steps = (places[:, 1:] - places[:, :-1]) % 5
    assert torch.equal(steps, torch.where(right > 0, 1, 4)[:, None].expand(-1, 2).long())


def test_a_seed_gives_the_same_run_again():
    join = partial(small_sequences.pictures_in_a_language_model, lambda x, seen, gate: x + seen)
    first, second, again = (trials(join, [seed])[0] for seed in (0, 1, 0))
    assert first == again != second
