"""Arithmetic of language models: parameters, bytes, operations, and the time of a step.

Everything here multiplies sizes; nothing is built or run. The counts are of the matrices that
matter: norms and biases (below one percent) are left out, but for a model that is there
(`config_of`).

The rules are those of Austin et al. (2025), "How to scale your model",
https://jax-ml.github.io/scaling-book/, chapters on Transformers and inference.
"""

from course_lib.estimates.config import ModelConfig
from course_lib.estimates.counts import (
    active_parameters,
    flops_per_token,
    kv_cache_bytes,
    parameter_count,
    state_bytes,
)
from course_lib.estimates.fields import read_config
from course_lib.estimates.machines import MACHINES, Machine
from course_lib.estimates.measuring import measure
from course_lib.estimates.own import config_of
from course_lib.estimates.released import Released
from course_lib.estimates.roofline import step_time

__all__ = [
    "MACHINES",
    "Machine",
    "ModelConfig",
    "Released",
    "active_parameters",
    "config_of",
    "flops_per_token",
    "kv_cache_bytes",
    "measure",
    "parameter_count",
    "read_config",
    "state_bytes",
    "step_time",
]
