"""What a decoder carries from one step to the next."""

from dataclasses import dataclass, fields, replace

from torch import Tensor


@dataclass(frozen=True)
class DecoderState:
    """The decoder's own state, and what it may look at.

    All three decoders step alike: `logits, state, weights = decoder.step(tokens, state)`.

    hidden (B, d): s_t.
    memory (B, S', d), mask (B, S'): what the decoder may look at. S' is S, the source's length,
        unless an aid made the memory longer.
    source_mask (B, S): True at the sentence's own words.  position: words written so far.
    key_proj (B, S, a): U_a h, for additive attention, computed once for a whole translation.
    input_feed (B, d): the last s̃ with input feeding, else None.
    """

    hidden: Tensor
    memory: Tensor
    mask: Tensor
    source_mask: Tensor
    key_proj: Tensor | None = None
    input_feed: Tensor | None = None
    position: int = 0

    @property
    def lengths(self) -> Tensor:
        """The number of words in each source sentence, (B,)."""
        return self.source_mask.sum(-1)

    def next(self, hidden: Tensor, input_feed: Tensor | None = None) -> "DecoderState":
        """The state one word later; the memory stays as it is."""
        return replace(self, hidden=hidden, input_feed=input_feed, position=self.position + 1)

    def __deepcopy__(self, memo: dict) -> "DecoderState":
        parts = {f.name: getattr(self, f.name) for f in fields(self)}
        # A clone, because torch copies no tensor that a gradient flows through.
        return replace(self, **{k: v.clone() for k, v in parts.items() if isinstance(v, Tensor)})

    def reorder(self, index: Tensor) -> "DecoderState":
        """The states of the rows `index` (N,) of the batch: rows may repeat, as in beam search."""
        parts = {f.name: getattr(self, f.name) for f in fields(self)}
        return replace(self, **{k: v[index] for k, v in parts.items() if isinstance(v, Tensor)})
