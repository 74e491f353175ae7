"""Figures that move, by hand and by keyboard: in Jupyter with the kernel, on a page without one."""

from course_lib.figures.moving.agreement import agreement_figure
from course_lib.figures.moving.attention_step import attention_step_figure
from course_lib.figures.moving.block import block_figure
from course_lib.figures.moving.bottleneck import bottleneck_figure
from course_lib.figures.moving.cache import cache_figure
from course_lib.figures.moving.cost import cost_figure
from course_lib.figures.moving.decoders import additive_coordinate_figure, decoder_orders_figure
from course_lib.figures.moving.encoder_decoder import encoder_decoder_figure
from course_lib.figures.moving.figure import Figure
from course_lib.figures.moving.gate import gate_figure
from course_lib.figures.moving.heard import heard_figure
from course_lib.figures.moving.maps import causal_figure, heads_figure, heatmap_figure
from course_lib.figures.moving.online import online_softmax_figure
from course_lib.figures.moving.own_sentence import own_sentence_figure
from course_lib.figures.moving.page_models import Trained
from course_lib.figures.moving.roofline import roofline_figure
from course_lib.figures.moving.rotary import rotary_figure
from course_lib.figures.moving.rounds import rounds_figure
from course_lib.figures.moving.scores import scaling_figure, score_functions_figure
from course_lib.figures.moving.sharing import sharing_figure
from course_lib.figures.moving.softmax import softmax_figure

__all__ = [
    "Figure",
    "Trained",
    "additive_coordinate_figure",
    "agreement_figure",
    "attention_step_figure",
    "block_figure",
    "bottleneck_figure",
    "cache_figure",
    "causal_figure",
    "cost_figure",
    "decoder_orders_figure",
    "encoder_decoder_figure",
    "gate_figure",
    "heads_figure",
    "heard_figure",
    "heatmap_figure",
    "online_softmax_figure",
    "own_sentence_figure",
    "roofline_figure",
    "rotary_figure",
    "rounds_figure",
    "scaling_figure",
    "score_functions_figure",
    "sharing_figure",
    "softmax_figure",
]
