"""The course's exercises, and `check`, `hint` and `show` over all of them.

An exercise is a folder with an `EXERCISE`: for each task its reference answer, its cases, and the
mistakes that we know. It is imported when one of its tasks is asked for. `break_…` is the task to
find an input on which a stranger's answer is wrong (`strangers.py`), `which_…`, `predict_…`,
`repair_…` and `say_…` ask something else about a stranger (`stranger_forms/`); `…_bug` asks for
the line of a program of lab 2 as well.
"""

import importlib
import re
from typing import Any

from course_lib.checker.cells import names_here, watch
from course_lib.checker.check import check_answer
from course_lib.checker.loading import said_once
from course_lib.checker.say.report import Report
from course_lib.checker.say.target import Target
from course_lib.checker.show import show_task
from course_lib.checker.tasks import Catalogue, Exercise
from course_lib.checker.tasks.own import own_exercise, own_tasks, with_own_mistakes

TASKS = {
    "01_softmax": "softmax softmax_with_temperature masked_softmax softmax_backward "
    "break_masked_softmax",
    "02_context_vectors": "dot_scores context_vector attend which_attend",
    "03_worked_translation": "context_vectors decoder_output align predict_align",
    "04_bahdanau": "additive_scores BahdanauAttention repair_additive_scores",
    "05_luong": "luong_scores local_weights break_local_weights",
    "06_translator": "teacher_forcing_pair sequence_loss greedy_decode alignment_error_rate "
    "predict_sequence_loss",
    "07_scaled_dot_product": "scaled_dot_product_attention sinusoidal_positions response "
    "break_scaled_dot_product_attention",
    "08_multi_head": "split_heads merge_heads MultiHeadAttention keys_in_use say_keys_in_use",
    "09_causal": "causal_mask causal_attention attend_with_cache far_share break_causal_attention",
    "10_flash": "streaming_attention attention_backward break_streaming_attention",
    "11_positions": "rotate alibi repair_rotate",
    "12_generation": "grouped_query_attention sliding_window_mask top_p kv_cache_bytes break_top_p",
    "13_your_own_model": "own_attention own_logits own_choice own_text",
    "lab_1_your_translator": "Translator train_step translate",
    "lab_2_find_the_bug": "next_token_loss next_token_loss_bug attend_to_words "
    "attend_to_words_bug attend_in_heads attend_in_heads_bug recent_keys recent_keys_bug "
    "add_positions add_positions_bug layer_norm layer_norm_bug weigh_with_dropout "
    "weigh_with_dropout_bug attend_to_past attend_to_past_bug train_language_model beam_search",
    "lab_3_write_the_test": "test_attention test_causal test_cache",
    "lab_4_read_the_map": "measure_map name_map",
    "lab_5_size_a_model": "count_parameters most_texts prefill_seconds decode_seconds",
    "lab_6_inside_a_model": "first_token_share previous_token_share induction_share switch_off "
    "bytes_per_step",
    "lab_7_hear_where_it_looks": "peak_times monotone_path words_from_pieces share_inside silence",
}
TASKS |= own_tasks(TASKS)


def load(stem: str) -> Exercise:
    """The exercise of a notebook: that of "01_softmax" lies in the folder `softmax`."""
    folder = re.sub(r"^(lab_)?\d+_", "", stem)
    own = own_exercise(stem)
    return with_own_mistakes(own or importlib.import_module(f"{__name__}.{folder}").EXERCISE)


CATALOGUE = Catalogue({stem: tasks.split() for stem, tasks in TASKS.items()}, load)
hint = CATALOGUE.hint


def check(
    answer: Any, seed: int | None = None, *, device: str = "cpu", keep_wrong: bool = False
) -> Report:
    """Check your answer against the task that carries its name.

    In a notebook a right answer is kept in `mine.py` beside it, from which notebook 13 makes a
    language model. With the environment variable COURSE_MINE=no nothing is kept.

    Args:
        answer: the function or class that you wrote.
        seed: draws the same inputs again; without it they are new at each call.
        device: "cuda" runs what is right on the CPU once more, with the same inputs on the GPU.
        keep_wrong: keep an answer that is wrong as well, in `mine_wrong.py`: notebook 13 shows what
            a model says with it. It stays on this machine.

    Returns:
        The report. It never raises, and what cannot be checked gets a report that says why.
    """
    with said_once():
        return check_answer(CATALOGUE, answer, seed, device, keep_wrong)


def show(task: Any, seed: int = 0) -> Target:
    """Three small inputs of a task and the right result for each, drawn, before any code is
    written.

    Args:
        task: the task's name, or your function or class.
        seed: another one draws other inputs.
    """
    return show_task(CATALOGUE, task, seed)


def is_answer(thing: Any) -> bool:
    return CATALOGUE.task_of(thing, names_here())[0] is not None


watch(check, is_answer)
