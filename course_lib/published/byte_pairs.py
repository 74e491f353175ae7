"""The tokenizer of a GGUF file: byte pairs, as GPT-2 introduced them and Llama 3 has them.

A text is first split into pieces, which pairs never cross. How is a name in the header,
`tokenizer.ggml.pre`; another split gives other tokens without a word, so a name that is not listed
here is refused.

Radford et al. (2019), "Language models are unsupervised multitask learners",
https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf,
section 2.2.
"""

import re
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors

from course_lib.published.gguf import GGUFFile

# Words, numbers of at most `digits` digits, other signs, ends of lines, spaces.
BY_DIGITS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,{digits}}}"
    r"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
SPLITS = {  # by its name in the header; None: GPT-2's own
    "gpt-2": None,
    "smollm": pre_tokenizers.Digits(individual_digits=True),
    "llama-bpe": pre_tokenizers.Split(Regex(BY_DIGITS.format(digits=3)), "isolated"),
    "qwen2": pre_tokenizers.Split(Regex(BY_DIGITS.format(digits=1)), "isolated"),
}
WHOLE_PIECES = ("llama-bpe",)  # a piece that is a token is taken whole, whatever pairs make it
BEGINS = ("llama-bpe",)  # a text begins with a mark, unless the header says that it does not
# What a header may say of a tokenizer beside what is read, and changes no token: the ids of marks,
# how a chat is laid out, scores, which byte pairs do not need; and what is switched off.
HARMLESS = re.compile(r"tokenizer\.(chat_templates?(\..+)?|ggml\.(\w+_token_id|scores))")
OFF = ("add_space_prefix", "add_sep_token", "remove_extra_whitespaces")
FOLLOWED = ("model", "pre", "tokens", "token_type", "merges", "add_bos_token", "add_eos_token")
# Kinds of tokens: of text, of no text such as <|im_end|>, one that its maker added: <think>.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED = 1, 2, 3, 4, 5


def byte_pair_tokenizer(file: GGUFFile, *, split: str | None = None) -> Tokenizer:
    """The tokenizer of the file.

    Control tokens and tokens that a maker added are found in a text before anything else, so what a
    user types may be read as one: `tokenizer.encode_special_tokens = True` makes control tokens
    ordinary text, which a chat needs for whatever its user wrote.

    Args:
        file: one with a `tokenizer.ggml.model` of "gpt2".
        split: how a text is split into pieces, for a file that does not say it: one of `SPLITS`.

    Raises:
        ValueError: for another kind of tokenizer, a split or a kind of token that is not read here,
            and a file that does not say its split.
    """
    said = {
        name.removeprefix("tokenizer.ggml."): file.field(name)
        for name in file.fields()
        if name.startswith("tokenizer.")
    }
    split = _checked(file, said, split)
    tokens, kinds = said["tokens"], said.get("token_type", [NORMAL] * len(said["tokens"]))
    merges = [tuple(pair.split(" ")) for pair in said["merges"]]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, ignore_merges=split in WHOLE_PIECES))
    tokenizer.pre_tokenizer = _pieces(split)
    tokenizer.decoder = decoders.ByteLevel()
    marked = [*zip(tokens, kinds, strict=True)]
    control = [token for token, kind in marked if kind in (CONTROL, UNKNOWN)]
    added = [token for token, kind in marked if kind == USER_DEFINED]
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in control])
    tokenizer.add_tokens([AddedToken(token, normalized=False) for token in added])
    first = _mark(file, said, "bos", split in BEGINS)
    last = _mark(file, said, "eos", False)
    if first or last:
        tokenizer.post_processor = _around(tokens, first, last)
    return tokenizer


def _pieces(split: str) -> Any:
    """Splits a text, and writes each byte as a sign that can be seen."""
    first = SPLITS[split]
    if isinstance(first, pre_tokenizers.Split):
        by_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        return pre_tokenizers.Sequence([first, by_bytes])
    as_gpt2 = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return as_gpt2 if first is None else pre_tokenizers.Sequence([first, as_gpt2])


def _mark(file: GGUFFile, said: dict[str, Any], name: str, usual: bool) -> list[int]:
    """The token that stands at this end of each text, or none."""
    if not said.get(f"add_{name}_token", usual):
        return []
    if f"{name}_token_id" not in said:
        raise ValueError(
            f"{file.path} puts a mark at an end of each text and does not say which: the header "
            f"lacks tokenizer.ggml.{name}_token_id."
        )
    return [said[f"{name}_token_id"]]


def _around(tokens: list[str], first: list[int], last: list[int]) -> processors.TemplateProcessing:
    """Puts these before and behind each text."""
    marks = [(f"mark{i}", i, tokens[i]) for i in {*first, *last}]
    named = [{"id": name, "ids": [i], "tokens": [token]} for name, i, token in marks]
    template = [*(f"mark{i}" for i in first), "$A", *(f"mark{i}" for i in last)]
    return processors.TemplateProcessing(single=template, special_tokens=named)


def _checked(file: GGUFFile, said: dict[str, Any], split: str | None) -> str:
    """The split, of a header that this tokenizer follows."""
    if lacking := [name for name in ("model", "tokens", "merges") if name not in said]:
        names = ", ".join(f"tokenizer.ggml.{name}" for name in lacking)
        raise ValueError(f"the header of {file.path} lacks {names}: it has no tokenizer of bytes.")
    if said["model"] != "gpt2":
        raise ValueError(
            f"the tokenizer of {file.path} is of the kind {said['model']!r} "
            "(tokenizer.ggml.model): read here is 'gpt2', byte pairs."
        )
    if said.get("add_space_prefix"):
        raise ValueError(
            f"{file.path} puts a space before each text (tokenizer.ggml.add_space_prefix): that is "
            "not read here."
        )
    for name, value in said.items():
        full = name if name.startswith("tokenizer.") else f"tokenizer.ggml.{name}"
        if name in FOLLOWED or HARMLESS.fullmatch(full) or (name in OFF and not value):
            continue
        at = f" = {value!r}" if name in OFF else ""
        raise ValueError(
            f"the header of {file.path} says {full}{at}, which this tokenizer does not follow: its "
            "tokens would be others."
        )
    stated = said.get("pre")
    if None not in (stated, split) and stated != split:
        raise ValueError(f"{file.path} says that its split is {stated!r}, and split= {split!r}.")
    found = stated or split
    if found not in SPLITS:
        what = "does not say how it splits" if found is None else f"splits by {found!r}"
        raise ValueError(
            f"{file.path} {what} a text into pieces (tokenizer.ggml.pre): read here are "
            f"{', '.join(SPLITS)}. With another split the tokens would be others. If you know that "
            "it is one of these and the file does not say it, give it as split=."
        )
    kinds = set(said.get("token_type", ())) - {NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED}
    if kinds:
        raise ValueError(
            f"{file.path} has tokens of kind {sorted(kinds)} (tokenizer.ggml.token_type), which "
            "byte pairs do not have."
        )
    return found
