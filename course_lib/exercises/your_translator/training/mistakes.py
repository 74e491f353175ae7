"""What goes wrong in `train_step`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.translator.loss.task import sequence_loss
from course_lib.exercises.your_translator.training.task import train_step


def _to_length(model, clip):
    length = sum((one.grad**2).sum() for one in model.parameters()) ** 0.5
    for one in model.parameters():
        one.grad *= clip / length


def _mean_of_means(logits, labels, pad):
    rows = [sequence_loss(a[None], b[None], pad) for a, b in zip(logits, labels, strict=True)]
    return torch.stack(rows).mean()


MISTAKES = Mistakes(train_step, globals())
MISTAKES.change("not-forgotten", "optimizer.zero_grad()", "pass").says("""
    The gradients of earlier batches are still there, and are added up. `optimizer.zero_grad()`
    belongs before `loss.backward()`.
""")
MISTAKES.change("no-step", "optimizer.step()", "pass").says("""
    Nothing changes: no step is taken, or the gradient is forgotten before the step. The order is
    `zero_grad`, `backward`, clip, `step`.
""")
MISTAKES.change(
    "always-shortened",
    "nn.utils.clip_grad_norm_(model.parameters(), clip)",
    "_to_length(model, clip)",
).says("""
    You bring each gradient to the length `clip`, also a short one, which then becomes longer.
    Shorten it only where it is longer.
""")
MISTAKES.change("clipped-by-value", "clip_grad_norm_", "clip_grad_value_").says("""
    You clip each number of the gradient, which turns it into another direction. Shorten the whole:
    `clip_grad_norm_`.
""")
MISTAKES.change(
    "clipped-one-by-one",
    "nn.utils.clip_grad_norm_(model.parameters(), clip)",
    "[nn.utils.clip_grad_norm_(one, clip) for one in model.parameters()]",
).says("""
    You shorten the gradient of each parameter on its own. It is one gradient: give
    `clip_grad_norm_` all parameters at once.
""")
MISTAKES.change("evaluation-mode", "model.train()", "pass").says("""
    The model stays in evaluation mode, so its dropout sleeps. `model.train()` first: whoever
    translated in between has switched it off.
""")
MISTAKES.change(
    "without-start",
    "model(source, inputs)",
    "model(source, target)",
    "(logits, labels, PAD)",
    "(logits, labels[:, 1:], PAD)",
).says("""
    The decoder never reads START, so nobody asks it for the first word. It reads `inputs`, one
    place longer than the target, and must say `labels`.
""")
MISTAKES.change("labels-read", "model(source, inputs)", "model(source, labels)").says("""
    The decoder reads the words that it must say, so it learns to copy. It reads START and the words
    before.
""")
MISTAKES.change("inputs-for-labels", "(logits, labels, PAD)", "(logits, inputs, PAD)").says("""
    The model must say the words that it has just read, START among them: it learns to copy. The
    labels are the words that come next, and END.
""")
MISTAKES.change(
    "inputs-and-labels-exchanged",
    "model(source, inputs)",
    "model(source, labels)",
    "(logits, labels, PAD)",
    "(logits, inputs, PAD)",
).says("""
    Inputs and labels are exchanged: the decoder reads the labels and must say START and the words
    before. The order of the pair is `inputs, labels`.
""")
MISTAKES.change(
    "source-and-target-exchanged",
    "teacher_forcing_pair(target,",
    "teacher_forcing_pair(source,",
    "model(source, inputs)",
    "model(target, inputs)",
).says("""
    Source and target are exchanged: the encoder reads `source`, and the decoder's pair is made of
    `target`.
""")
MISTAKES.change(
    "shifted-twice",
    "model(source, inputs)",
    "model(source, torch.cat([inputs[:, :1], inputs[:, :-1]], 1))",
).says("""
    The decoder reads words that are one place too old: somebody shifted, and somebody shifted
    again.
""")
MISTAKES.change(
    "target-twice", "teacher_forcing_pair(target, START, END, PAD)", "target, target"
).says("""
    The decoder reads the target and must say the same target, word for word: it learns to copy.
    `teacher_forcing_pair` makes what is read and what is said.
""")
MISTAKES.change(
    "start-not-read",
    "model(source, inputs)",
    "model(source, nn.functional.pad(target, (0, 1), value=PAD))",
).says("""
    Your decoder reads the target without START in front. It reads START and the words before, so
    at the first place it hears START and must say the first word.
""")
MISTAKES.change(
    "begins-with-end",
    "model(source, inputs)",
    "model(source, inputs.masked_fill(inputs == START, END))",
).says("The decoder begins with END. It begins with START.")
MISTAKES.change(
    "end-behind-padding",
    "(logits, labels, PAD)",
    "(logits, nn.functional.pad(target, (0, 1), value=END), PAD)",
).says("""
    END stands behind the padding, so short sentences never learn to stop. It comes right after the
    last word.
""")
MISTAKES.change(
    "softmax-first", "(logits, labels, PAD)", "(logits.softmax(-1), labels, PAD)"
).says("""
    The softmax is taken twice: `sequence_loss` wants logits and takes it itself.
""")
MISTAKES.change(
    "end-not-taught",
    "(logits, labels, PAD)",
    "(logits, labels.masked_fill(labels == END, PAD), PAD)",
).says("END is no label here, so the model never learns to stop.")
MISTAKES.change(
    "padding-counted",
    "sequence_loss(logits, labels, PAD)",
    "nn.functional.cross_entropy(logits.mT, labels)",
).says("""
    Padding counts in the loss: the model learns to say it. Leave labels of PAD out.
""")
MISTAKES.change(
    "mean-of-means", "sequence_loss(logits, labels, PAD)", "_mean_of_means(logits, labels, PAD)"
).says("""
    You take the mean over the sentences of their means. Each word of the batch counts the same.
""")
MISTAKES.change(
    "loss-afterwards", "return loss", "return sequence_loss(model(source, inputs)[0], labels, PAD)"
).says("""
    You return the loss after the step. Return the one that the step was made from: it costs nothing
    more.
""")
MISTAKES.change("tensor", "loss.item()", "loss").says("""
    You return a tensor, which holds on to everything that made it. Return a number: `loss.item()`.
""")
MISTAKES.change("nothing-returned", "return loss.item()", "return None").says(
    "You return nothing. Return the loss: `return loss.item()`."
)
MISTAKES.change(
    "parameters-clipped",
    "nn.utils.clip_grad_norm_(model.parameters(), clip)",
    "[one.data.clamp_(-clip, clip) for one in model.parameters()]",
).says("""
    You clip the parameters themselves. What is shortened is their *gradient*, before the step:
    `nn.utils.clip_grad_norm_(model.parameters(), clip)`.
""")
MISTAKES.change("two-steps", "optimizer.step()", "optimizer.step()\n    optimizer.step()").says("""
    You take two steps with one gradient. Each batch moves the model once.
""")
MISTAKES.change("pad-for-start", "(target, START,", "(target, PAD,").says("""
    The decoder begins with PAD. It begins with START.
""")
MISTAKES.change("numbers-of-exercise-06", "START, END, PAD)", "1, 2, PAD)").says("""
    You take 1 for START and 2 for END, as in exercise 06. In this vocabulary PAD is 0, START is 2
    and END is 3.
""")
MISTAKES.change(
    "end-is-read",
    "model(source, inputs)",
    "model(source, torch.cat([inputs[:, :1], labels[:, :-1]], 1))",
).says("""
    In shorter sentences the model reads END, which is 3 here. It never reads END: after the last
    word of a sentence its inputs are PAD.
""")
