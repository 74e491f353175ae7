"""How the field reads a sentence that somebody typed: js/own-sentence.reading.js, in Python."""

import re

IN_FULL = {"can't": "can not", "cannot": "can not", "won't": "will not", "let's": "let us"}
SAID_OF = ("he", "she", "it", "that", "this", "there", "here", "what", "where", "who", "how",
           "when", "why", "everyone")  # fmt: skip
ENDINGS = {"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}


def words_of(text: str) -> list[str]:
    """The words of an English sentence, in small letters and in full: "it's" is "it is"."""
    found: list[str] = []
    for typed in re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text):
        word = typed.lower().replace("’", "'")
        ending = next((end for end in ENDINGS if word.endswith(end)), None)
        if word in IN_FULL:
            found += IN_FULL[word].split()
        elif ending:
            found += [word.removesuffix(ending), ENDINGS[ending]]
        elif word.endswith("'s"):
            stem = word.removesuffix("'s")
            found += [stem, "is" if stem in SAID_OF else "'s"]
        else:
            found += re.findall("[^']+'?", word)
    return found
