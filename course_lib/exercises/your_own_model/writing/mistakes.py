"""What goes wrong in `own_text`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.your_own_model.writing.task import own_text

STEP = "logits, caches = step(tokens, caches)"
GIVES = "return torch.cat(written, dim=1)"
MISTAKES = Mistakes(own_text, globals())
MISTAKES.change(
    "prompt-returned", "caches, written = None, []", "caches, written = None, [tokens]"
).says("""
    You return the prompt, too. The new tokens alone are asked.
""")
MISTAKES.change(
    "prompt-s-last-first",
    "caches, written = None, []\n    for _ in range(length)",
    "caches, written = None, [tokens[:, -1:]]\n    for _ in range(length - 1)",
).says("""
    Your result begins with the prompt's last token. The new tokens alone are asked.
""")
MISTAKES.change("caches-forgotten", STEP, "logits, _ = step(tokens, None)").says("""
    Your model forgets everything at each step. Hand the caches that a step returns to the next one.
""")
MISTAKES.change("first-logits", "logits[:, -1]", "logits[:, 0]").says("""
    You take the logits at the first token of what was read. Those of the next token stand at the
    last: `logits[:, -1]`.
""")
MISTAKES.change("own-rule", "choose(logits[:, -1])", "logits[:, -1].argmax(-1)").says("""
    You always take the likeliest token. Which one is taken, `choose` says.
""")
MISTAKES.change(
    "probabilities-to-choose", "choose(logits[:, -1])", "choose(logits[:, -1].softmax(-1))"
).says("""
    You hand probabilities to `choose`. It takes the logits themselves: a rule that changes them, by
    a temperature or by lowering those of some words, gets the wrong numbers else.
""")
MISTAKES.change(
    "ends-at-a-repeated-token",
    "written.append(tokens)",
    "if written and torch.equal(tokens, written[-1]):\n            break\n"
    "        written.append(tokens)",
).says("""
    You end the text where a token comes twice in a row. Nothing ends it early: write `length`
    tokens.
""")
MISTAKES.change(
    "one-too-few",
    "range(length)",
    "range(length - 1)",
    GIVES,
    "return torch.cat(written, dim=1) if written else tokens[:, :0]",
).says("""
    You write one token too few.
""")
MISTAKES.change("one-too-many", "range(length)", "range(length + 1)").says("""
    You write one token too many.
""")
MISTAKES.change(
    "first-caches-for-ever",
    STEP,
    "logits, got = step(tokens, caches)\n        caches = got if caches is None else caches",
).says("""
    Every later step gets the caches that the first one returned. Hand on those of the step before:
    `logits, caches = step(tokens, caches)`.
""")
MISTAKES.change(
    "written-read-into-the-caches",
    STEP,
    "logits, caches = step(torch.cat(written, dim=1) if written else tokens, caches)",
).says("""
    You give `step` all that you have written, on top of the caches, which hold it already. Give it
    the newest token alone.
""")
MISTAKES.change(
    "prompt-token-again",
    "tokens = choose(logits[:, -1])[:, None]",
    "new = choose(logits[:, -1])[:, None]; tokens = tokens[:, -1:]",
    "written.append(tokens)",
    "written.append(new)",
).says("""
    Your model reads the last token of the prompt again and again. It has to read the token that was
    chosen.
""")
MISTAKES.change("all-logits-to-choose", "choose(logits[:, -1])[:, None]", "choose(logits)").says("""
    You hand the logits of all places to `choose`. It takes those of the last one, (B, V):
    `logits[:, -1]`.
""")
MISTAKES.change(
    "token-without-an-axis",
    "choose(logits[:, -1])[:, None]  # (B, 1): all that is new\n        written.append(tokens)",
    "choose(logits[:, -1])\n        written.append(tokens[:, None])",
).says("""
    `step` takes tokens (B, T), and you hand it (B,). Give the new token an axis:
    `choose(…)[:, None]`.
""")
MISTAKES.change(
    "read-again",
    STEP,
    "logits, _ = step(torch.cat([given, *written], dim=1), None)",
    "caches, written = None, []",
    "given, written = tokens, []",
).says("""
    You read the whole text again at every step. What you write is right, and the caches are there
    so that each token is read once: hand them on, and read the new token alone.
""")
MISTAKES.change(
    "all-read-into-the-caches",
    STEP,
    "logits, caches = step(torch.cat([given, *written], dim=1), caches)",
    "caches, written = None, []",
    "given, caches, written = tokens, None, []",
).says("""
    You read the whole text at every step, on top of the caches, which hold it already. Read the
    new token alone.
""")
MISTAKES.change("a-list", GIVES, "return [one[:, 0].tolist() for one in written]").says("""
    You return a list. Join the tokens to one tensor (B, length).
""")
MISTAKES.change("positions-first", GIVES, "return torch.cat(written, dim=1).T.clone()").says("""
    Your result has the tokens before the texts. A row is a text: (B, length).
""")
TAKES = "choose(logits[:, -1])[:, None]"
MISTAKES.change(
    "prompt-s-last-twice",
    "caches, written = None, []",
    "caches, written = step(tokens, None)[1], []\n    tokens = tokens[:, -1:]",
).says("""
    Your model reads the last token of the prompt twice. The logits of the first new token came when
    it was read the first time: choose from those.
""")
MISTAKES.change(
    "flattened-logits",
    TAKES,
    TAKES.replace("logits[:, -1])", "logits.flatten(0, 1))[-len(logits) :]"),
).says("""
    You hand the logits of all places to `choose`, in one long row, and take its last answers: they
    are those of the last text's places. Each text has its last place: `logits[:, -1]`.
""")
MISTAKES.change(
    "written-read-twice",
    STEP,
    "logits, caches = step(torch.cat([tokens, tokens], dim=1) if written else tokens, caches)",
).says("""
    Your model reads each token that it writes twice. Hand it to `step` once.
""")
