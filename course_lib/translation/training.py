"""Training a translator: batches, loss, clipping, early stop, and checkpoints that resume."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from course_lib.generation import evaluating
from course_lib.translation.corpus import Pair
from course_lib.translation.model import Seq2Seq
from course_lib.translation.translator import Translator, read_checkpoint
from course_lib.translation.vocabulary import PAD, Batch, Vocabulary, check_pairs, make_batches
from course_lib.validation.arguments import flag, integer, number

WARM_UP = 0.1  # share of the steps in which the learning rate rises; then it falls to nothing


def train(
    pairs: Sequence[Pair],
    attention: str = "none",
    *,
    seed: int = 0,
    valid: Sequence[Pair] | None = None,
    epochs: int = 10,
    batch_size: int = 64,
    learning_rate: float = 3e-3,
    clip: float = 1.0,
    sampling: float = 0.0,
    patience: int = 2,
    min_count: int = 1,
    progress: bool = True,
    checkpoint: str | Path | None = None,
    device: torch.device | str = "cpu",
    on_epoch: Callable[[Translator], None] | None = None,
    **model_settings: Any,
) -> Translator:
    """Train a translator: teacher forcing, Adam, a learning rate that rises and then falls.

        loss = mean over the target words (with <end>, without <pad>) of −log p(y_t | y_<t, x)

    Args:
        attention: "none", "additive" (in Bahdanau's order, unless `order` says otherwise),
            "uniform", "dot", "general", "concat", "local-m" or "local-p" (in Luong's). All else is
            the same for every kind: encoder, epochs, and no training aids.
        model_settings: what `Seq2Seq` takes, e.g. `order`, `bidirectional`, `hidden_dim`,
            `dropout`.
        seed: decides weights, batches and dropout; the same call gives the same translator.
        valid: pairs for early stopping: training ends when their loss has not fallen for `patience`
            epochs, and the best epoch's weights are returned.
        clip: the largest norm of the gradient.
        sampling: share of scheduled sampling in the last epoch, rising from 0.
        min_count: rarer words become <unk>.
        checkpoint: a file that is written after each epoch. If it exists, training goes on from it,
            and ends as if it had never stopped.
        on_epoch: called with the translator after each epoch.

    Raises:
        ValueError: for no pairs, an empty sentence, or another run's checkpoint.
        FloatingPointError: at the step where the loss or the gradient is no longer a finite number,
            or the loss of the valid pairs is not.
        FileNotFoundError: for a checkpoint in a folder that does not exist.

    The result's `history` has "loss" and "grad_norm" per step, "epoch_loss" and, with `valid`,
    "valid_loss" per epoch.
    """
    for each in (pairs, *([valid] if valid else [])):
        check_pairs(each)
    epochs, batch_size = integer("epochs", epochs, 0), integer("batch_size", batch_size, 1)
    patience, seed = integer("patience", patience, 0), integer("seed", seed)
    learning_rate = number("learning_rate", learning_rate, above=0)
    clip = number("clip", clip, above=0)
    sampling, progress = number("sampling", sampling, least=0, most=1), flag("progress", progress)
    if checkpoint is not None and not Path(checkpoint).parent.is_dir():
        raise FileNotFoundError(
            f"checkpoint: there is no folder {Path(checkpoint).parent} to write it into; make it "
            "first."
        )
    model_settings.setdefault("order", "bahdanau" if attention == "additive" else "luong")
    device = torch.device(device)
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        source = Vocabulary((pair.source for pair in pairs), min_count)
        target = Vocabulary((pair.target for pair in pairs), min_count)
        model = Seq2Seq(len(source), len(target), attention=attention, **model_settings).to(device)
        settings = {
            "attention": str(attention), "seed": seed, "epochs": epochs, "batch_size": batch_size,
            "learning_rate": learning_rate, "clip": clip, "sampling": sampling,
            "patience": patience, "pairs": len(pairs), "valid_pairs": len(valid or ()),
            **{name: model.config[name] for name in model_settings},  # as the model takes them
        }  # fmt: skip
        translator = Translator(model, source, target, settings)
        run = _TrainingLoop(translator, math.ceil(len(pairs) / batch_size))
        if checkpoint is not None and Path(checkpoint).exists():
            run.load(Path(checkpoint))
        held_out = make_batches(valid, source, target, 256) if valid else []
        while run.epoch < epochs and not run.stopped:
            batches = make_batches(pairs, source, target, batch_size, run.generator)
            run.one_epoch(batches, progress)
            if held_out:
                run.update_early_stopping(mean_loss(model, held_out))
            if checkpoint is not None:
                run.save(Path(checkpoint))
            if on_epoch is not None:
                on_epoch(translator)
        if run.best is not None:
            model.load_state_dict(run.best)
    model.eval()
    return translator


@torch.no_grad()
def mean_loss(model: Seq2Seq, batches: Sequence[Batch]) -> float:
    """The loss per target word over all batches, with teacher forcing and without dropout."""
    total = words = 0.0
    with evaluating(model):
        for batch in batches:
            batch = batch.to(model.device)
            logits, _ = model(batch.source, batch.lengths, batch.inputs, need_weights=False)
            total += _loss(logits, batch.labels, "sum").item()
            words += (batch.labels != PAD).sum().item()
    return total / words


class _TrainingLoop:
    """The state of one training run: all that a checkpoint must hold to resume exactly."""

    def __init__(self, translator: Translator, steps_per_epoch: int) -> None:
        self.translator, self.model = translator, translator.model
        self.settings = translator.settings
        self.optimizer = torch.optim.Adam(self.model.parameters(), self.settings["learning_rate"])
        total = self.settings["epochs"] * steps_per_epoch
        rise = max(1, round(WARM_UP * total))
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer,
            lambda step: min((step + 1) / rise, (total - step) / max(1, total - rise)),
        )
        self.generator = torch.Generator().manual_seed(self.settings["seed"])
        self.epoch, self.waited, self.best = 0, 0, None

    @property
    def stopped(self) -> bool:
        return self.best is not None and self.waited >= self.settings["patience"]

    def one_epoch(self, batches: Sequence[Batch], progress: bool) -> None:
        from tqdm.auto import tqdm

        name = f"epoch {self.epoch + 1}/{self.settings['epochs']}"
        history = self.translator.history
        share = self.settings["sampling"] * self.epoch / max(1, self.settings["epochs"] - 1)
        self.model.train()
        with tqdm(batches, desc=name, disable=not progress) as bar:
            for batch in bar:
                loss, norm = self._step(batch.to(self.model.device), share)
                history["loss"].append(loss)
                history["grad_norm"].append(norm)
                bar.set_postfix(loss=f"{loss:.3f}")
        self.epoch += 1
        history["epoch_loss"].append(sum(history["loss"][-len(batches) :]) / len(batches))
        self.model.eval()

    def _step(self, batch: Batch, sampling: float) -> tuple[float, float]:
        logits, _ = self.model(
            batch.source, batch.lengths, batch.inputs, sampling=sampling, need_weights=False
        )
        loss = _loss(logits, batch.labels)
        self.optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.settings["clip"])
        for name, value in (("loss", loss.item()), ("norm of the gradient", norm.item())):
            if not math.isfinite(value):
                raise FloatingPointError(
                    f"the {name} became {value} at step {len(self.translator.history['loss']) + 1} "
                    f"(epoch {self.epoch + 1}). Try a smaller learning_rate or clip."
                )
        self.optimizer.step()
        self.scheduler.step()
        return loss.item(), norm.item()

    def update_early_stopping(self, valid_loss: float) -> None:
        """Remember the best epoch's weights, and how many epochs ago it was."""
        losses = self.translator.history.setdefault("valid_loss", [])
        if not math.isfinite(valid_loss):  # no loss is below NaN: its epoch would stay the best
            raise FloatingPointError(
                f"the loss of the valid pairs became {valid_loss} after epoch {self.epoch}. Try a "
                "smaller learning_rate or clip."
            )
        self.waited = 0 if not losses or valid_loss < min(losses) else self.waited + 1
        losses.append(valid_loss)
        if self.waited == 0:
            self.best = {k: v.detach().clone() for k, v in self.model.state_dict().items()}

    def save(self, path: Path) -> None:
        device = self.model.device
        content = {
            **self.translator.content(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(),
            "generator": self.generator.get_state(),
            "rng": torch.get_rng_state(),
            "cuda_rng": torch.cuda.get_rng_state(device) if device.type == "cuda" else None,
            "epoch": self.epoch, "waited": self.waited, "best": self.best,
        }  # fmt: skip
        scratch = path.with_name(path.name + ".new")
        torch.save(content, scratch)
        scratch.replace(path)  # an interrupted write never spoils the last good one

    def load(self, path: Path) -> None:
        content = read_checkpoint(path)
        self.translator.check_same(content, path)
        if "optimizer" not in content:
            raise ValueError(f"{path} holds a finished translator; load it with Translator.load.")
        self.model.load_state_dict(content["model"])
        self.optimizer.load_state_dict(content["optimizer"])
        self.scheduler.load_state_dict(content["scheduler"])
        self.generator.set_state(content["generator"])
        torch.set_rng_state(content["rng"])
        if content["cuda_rng"] is not None:
            torch.cuda.set_rng_state(content["cuda_rng"], self.model.device)
        self.translator.history = content["history"]
        self.epoch, self.waited = content["epoch"], content["waited"]
        self.best = content["best"]


def _loss(logits: torch.Tensor, labels: torch.Tensor, reduction: str = "mean") -> torch.Tensor:
    return nn.functional.cross_entropy(
        logits.flatten(0, 1), labels.flatten(), ignore_index=PAD, reduction=reduction
    )
