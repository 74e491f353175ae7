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
