"""The class of a released model, built at full size on the meta device: shapes, and no numbers."""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import torch

# Types that a maker calls otherwise than the library, whose fields are the same.
ALIASES = {
    "kimi_k2": "deepseek_v3",
    "kimi_k2_5": "kimi_k25",
    "minimax_m3": "minimax_m3_vl_text",
    "deepseek_v3_2": "deepseek_v32",
}
# Not of the model: a maker's own code is never run, and how the weights are stored is read apart.
TAKEN_OUT = (
    "auto_map",
    "quantization_config",
    "quantization",
    "compression_config",
    "dtype",
    "torch_dtype",
    "attn_implementation",
    "_attn_implementation",
    "experts_implementation",
    "model_type",
)
_ONE_AT_A_TIME = threading.RLock()  # `listening` changes a class of the library while it runs


def known_types() -> set[str]:
    """Every `model_type` of the installed library."""
    from transformers import CONFIG_MAPPING

    return set(CONFIG_MAPPING)


def build_config(kind: str, fields: dict) -> Any:
    """The configuration object, or a sentence with the field that its class refuses."""
    from transformers import CONFIG_MAPPING

    try:
        with quiet():
            return CONFIG_MAPPING[kind](**strip(fields))
    except (ImportError, OSError) as error:
        raise ValueError(
            f"The class {kind} of transformers cannot be built here: {error}"
        ) from None
    except Exception as error:  # validators of the library raise many types, each with the field
        said = " ".join(str(error).split())
        raise ValueError(f"The class {kind} of transformers refuses the file: {said}") from None


def ask(config: Any, name: str) -> Any:
    """A value of a configuration; None where it has none, or one for each layer."""
    try:
        return getattr(config, name, None)
    except Exception:  # of the library, for what differs by layer
        return None


def strip(fields: dict) -> dict:
    """Without what is not the model's, at each level; an unknown activation has no weights."""
    from transformers.activations import ACT2FN

    found: dict = {}
    for name, value in fields.items():
        if name in TAKEN_OUT and not (name == "model_type" and found is None):
            continue
        if isinstance(value, dict) and name.endswith("_config"):
            value = strip(value) | (
                {"model_type": value["model_type"]} if "model_type" in value else {}
            )
        if name in ("hidden_act", "hidden_activation") and value not in ACT2FN:
            value = "silu"
        found[name] = value
    return found


def build_model(config: Any) -> torch.nn.Module:
    """The model of a configuration on the meta device, in bfloat16.

    The class in `architectures` where the library has it, else the one of a language model, of
    pictures and text, of an encoder and a decoder, or the bare one.
    """
    import transformers

    automatic = [
        transformers.AutoModelForCausalLM,
        transformers.AutoModelForImageTextToText,
        transformers.AutoModelForSeq2SeqLM,
        transformers.AutoModel,
    ]
    named = [getattr(transformers, name, None) for name in config.architectures or ()]
    named = [cls for cls in named if cls and isinstance(config, getattr(cls, "config_class", ()))]
    failed = None
    for cls in (*named, *automatic):
        try:
            with quiet(), _bfloat16(), torch.device("meta"):
                model = cls(config) if cls in named else cls.from_config(config)
            return model.eval()
        except Exception as error:  # the next class may do; the first failure is the telling one
            failed = failed or error
    said = " ".join(str(failed).split()).split(" Model type should be one of")[0][:300]
    raise ValueError(f"The class {config.model_type} of transformers cannot be built: {said}")


@contextlib.contextmanager
def listening() -> Iterator[dict[str, list]]:
    """Collects the fields that are read from configurations, and their values, while it lasts."""
    from transformers import PretrainedConfig

    listened: Any = PretrainedConfig
    heard: dict[str, list] = {}
    original = listened.__getattribute__

    def hear(self: Any, name: str) -> Any:
        asked = [] if name[0] == "_" else heard.setdefault(name, [])  # also for what is not there
        value = original(self, name)
        asked.append(value)
        return value

    with _ONE_AT_A_TIME:
        listened.__getattribute__ = hear
        try:
            yield heard
        finally:
            listened.__getattribute__ = original


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without the library's warnings, which are about running a model."""
    from logging import CRITICAL

    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity(CRITICAL)
    try:
        yield
    finally:
        logging.set_verbosity(before)


@contextlib.contextmanager
def _bfloat16() -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
