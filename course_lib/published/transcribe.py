"""What Whisper writes, greedily, and where it looks while it writes.

Radford et al. (2022), "Robust speech recognition via large-scale weak supervision",
https://arxiv.org/abs/2212.04356, section 2.3: the text begins with tokens that say what to do.
"""

import copy
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float
from tokenizers import Tokenizer
from torch import Tensor

from course_lib.published.whisper import Heard, Whisper
from course_lib.validation.arguments import integer, one_of

START, END = "<|startoftranscript|>", "<|endoftext|>"
NO_SPEECH, NO_TIMES = "<|nocaptions|>", "<|notimestamps|>"
TASKS = ("transcribe", "translate")


class Transcript(NamedTuple):
    """A text, and how it came about.

    text: all pieces joined.
    pieces: the T pieces as text, with their leading blanks. A letter of several bytes may be cut in
        two; each part then shows as �.
    tokens: their numbers.
    probabilities: what the model gave each piece when it wrote it.
    weights: of the cross-attention, in each layer and head, of the step that wrote each piece.
    language: what was told, or heard where nothing was told.
    no_speech: what the model gave, before it wrote, to there being no speech.
    """

    text: str
    pieces: list[str]
    tokens: list[int]
    probabilities: list[float]
    weights: Float[Tensor, "layers heads T S"]
    language: str
    no_speech: float


@torch.no_grad()
def transcribe(
    model: Whisper,
    tokenizer: Tokenizer,
    heard: Heard,
    *,
    language: str | None = None,
    task: Literal["transcribe", "translate"] = "transcribe",
    max_pieces: int = 224,
) -> Transcript:
    """Write what was said, taking the likeliest piece at each step.

        heard = model.start(log_mel(samples, rate)[None])
        transcribe(model, tokenizer, heard, language="fr").text
        transcribe(model, tokenizer, heard, language="fr", task="translate").text

    Marks and sounds that are no speech are not written, nor is a first blank or an empty text: the
    lists come with the model.

    Args:
        heard: one sound, as `model.start` makes it of features (1, 80, 3000); it stays as it is.
        language: "en", "fr", …; None takes the likeliest.
        task: "transcribe" writes the language that is spoken, "translate" writes English.
        max_pieces: how many pieces are written at most, up to 444.

    Raises:
        ValueError: for a language or a task that the model does not know, and several sounds.
    """
    one_of("task", task, TASKS)
    most = model.config.max_length - 4  # of the positions, what to do takes four
    if integer("max_pieces", max_pieces, 1) > most:
        raise ValueError(f"max_pieces must be at most {most}, got {max_pieces}.")
    if heard.memory is None or heard.memory[0].held()[0].shape[0] != 1 or heard.length:
        raise ValueError(
            "heard must be one sound of which nothing was written: "
            "model.start(log_mel(samples, rate)[None])."
        )
    heard, known = copy.copy(heard), languages(tokenizer)
    first = model(None, torch.tensor([[number(tokenizer, START)]]), cache=heard)[0][0, 0]  # (V,)
    no_speech = float(first.softmax(0)[number(tokenizer, NO_SPEECH)])
    if language is None:
        language = max(known, key=lambda name: float(first[known[name]]))
    elif language not in known:
        raise ValueError(f"language must be one such as 'en' or 'fr', got {language!r}.")
    new = [known[language], number(tokenizer, f"<|{task}|>"), number(tokenizer, NO_TIMES)]
    tokens, probabilities, rows = [], [], []
    for _ in range(max_pieces):
        logits, weights = model(None, torch.tensor([new]), cache=heard, need_weights=True)
        logits = logits[0, -1]
        token = int((logits + forbidden(model, tokenizer, first=not tokens)).argmax())
        if token == number(tokenizer, END):
            break
        new = [token]
        tokens.append(token)
        probabilities.append(float(logits.softmax(0)[token]))
        rows.append(torch.cat([layer[:, :, -1] for layer in weights or []]))  # (layers, heads, S)
    pieces = [tokenizer.decode([token]) for token in tokens]
    shape = model.config.num_layers, model.config.num_heads, 0, model.times.num_embeddings
    maps = torch.stack(rows, dim=2) if rows else torch.zeros(shape)
    text = tokenizer.decode(tokens).strip()
    return Transcript(text, pieces, tokens, probabilities, maps, language, no_speech)


def forbidden(model: Whisper, tokenizer: Tokenizer, *, first: bool) -> Float[Tensor, " V"]:
    """0 for each piece that may be written next, and −inf for the others."""
    added = torch.zeros(model.embedding.tokens.num_embeddings)
    added[number(tokenizer, END) + 1 :] = -torch.inf  # what follows the end is no text
    never = [*model.never, *(model.never_first if first else [])]
    return added.index_fill(0, torch.tensor(never, dtype=torch.long), -torch.inf)


def languages(tokenizer: Tokenizer) -> dict[str, int]:
    """The languages by their short names, and the tokens that name them: all between two others."""
    tokens = range(number(tokenizer, START) + 1, number(tokenizer, "<|translate|>"))
    return {str(tokenizer.id_to_token(token)).strip("<|>"): token for token in tokens}


def number(tokenizer: Tokenizer, token: str) -> int:
    """The number of a token that says what to do.

    Raises:
        ValueError: where the tokenizer has none of this name.
    """
    found = tokenizer.token_to_id(token)
    if found is None:
        raise ValueError(f"the tokenizer has no {token}: take the one that whisper() returns.")
    return found
