"""What happens in a translator, event by event: what is drawn, and a sentence that says it."""

from typing import Any

import numpy as np

BARS = 4  # words of the vocabulary, the most probable
PART = {"step": "decoder", "join": "decoder", "mix": "decoder", "squeeze": "decoder",
        "write": "word", "keep": "map"}  # fmt: skip
FRESH = {"chips": [], "links": [], "context": "", "rows": [], "bars": [], "word": ""}


def low(letter: str, n: int) -> str:
    """A letter with an index: h₁₂."""
    return letter + "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(n))


def number(x: float, digits: int = 2) -> str:
    return f"{round(float(x), digits) + 0.0:g}".replace("-", "−")


def vector(numbers, digits: int = 2) -> str:
    """A vector of two numbers, or of four, whole; of a longer one the first two."""
    shown = numbers if len(numbers) in (1, 2, 4) else numbers[:2]
    rest = ["…"] * (len(shown) < len(numbers))
    return f"({', '.join([number(x, digits) for x in shown] + rest)})"


def frames(once, each, source, target, vocabulary, names, given):
    """The figure after each event; what an event changes stays until the next target word."""
    frame = {"read": len(source), "state": ["s₀", ""], "fed": "", "written": "", "kept": 0, **FRESH}
    if once:
        for j, word in enumerate(source, 1):
            before = f" and {low('h', j - 1)}" if j > 1 else ""
            says = f"The encoder reads “{word}” and computes {low('h', j)} from it{before}."
            yield {**frame, "on": "encoder", "read": j, "says": says}
        says = f"Hand-over: from the last state, {low('h', len(source))}, comes s₀, the decoder's "
        yield {**frame, "on": "hand", "says": f"{says}first state."}
    for t, word in enumerate(target):
        asking = vector(given["asking"][t]) if "asking" in given else ""
        frame |= {**FRESH, "state": [names[t], asking]}
        if "step" in each or "keep" in each:
            frame["fed"] = target[t - 1] if t else "<start>"
        one = {name: array[t] for name, array in given.items() if name != "states"}
        for kind in each:
            frame["on"] = PART.get(kind, "attention")
            if kind in ("step", "write", "keep"):
                frame |= _decode(kind, t, word, frame, vocabulary, one)
            elif kind in ("join", "mix", "squeeze"):
                frame |= _output(kind, frame, given.get("states"), one)
            else:
                frame |= _attend(kind, t, frame["state"][0], source, given.get("states"), one)
            yield dict(frame)


def _attend(kind, t, name, source, states, one) -> dict:
    """From a state of the decoder to a context: numbers for each source word, at the links."""
    changes: dict[str, Any] = {"links": []}
    if kind in ("add", "bend"):
        rows = one["summed"] if kind == "add" else np.tanh(one["summed"])
        chips = [vector(row) for row in rows]
        says = f"Add: W_a {name} + U_a h" if kind == "add" else "Bend: the tanh of each"
    elif kind == "score":
        chips, says = [number(e) for e in one["scores"]], f"Score: v_a and {name} give the scores e"
        if "summed" in one:
            says = "Score: v_a weighs the numbers of each word and adds them up, e"
    else:
        chips, says = [number(w) for w in one["weights"]], "Softmax: scores become weights α"
        changes["links"] = [round(float(w), 4) for w in one["weights"]]
    pairs = ", ".join(f"{word} {chip}" for word, chip in zip(source, chips, strict=True))
    says = f"{says}: {pairs}."
    if kind == "context":
        c = low("c", t + 1)
        changes["context"] = c
        most = int(one["weights"].argmax())
        says = f"Context: {c} is the sum of the encoder's states, each times its weight; the "
        says += f"largest is {chips[most]}, of “{source[most]}”."
        if states is not None:
            changes["context"] = f"{c} = {vector(one['weights'] @ states)}"
            if states.shape[1] == 2:
                terms = zip(chips, states, strict=True)
                says = " + ".join(f"{chip} × {vector(h)}" for chip, h in terms)
                says = f"Context: {says} = {vector(one['weights'] @ states)}."
    return {**changes, "chips": chips, "says": says}


def _output(kind, frame, states, one) -> dict:
    """Join, mix, squeeze: from context and state to the vector that the word is scored with."""
    if kind == "join":
        says = f"[c; s] = {vector(np.append(one['weights'] @ states, one['asking']))}"
    elif kind == "mix":
        says = f"W_c [c; s] = {vector(one['mixed'])}"
    else:
        says = f"tanh = {vector(np.tanh(one['mixed']), 3)}"
    return {"rows": [*frame["rows"], [kind, says]], "says": f"{kind.capitalize()}: {says}."}


def _decode(kind, t, word, frame, vocabulary, one) -> dict:
    """The decoder's loop: read the last word, write the next, leave the weights behind."""
    name = frame["state"][0]
    if kind == "step":
        says = f"The decoder reads “{frame['fed']}” and computes {name} from it and {low('s', t)}."
        return {"says": says}
    if kind == "keep":
        return {"kept": t + 1, "says": f"The weights of “{word}” stay: row {t + 1} of the map."}
    changes = {"word": word, "written": f"{frame['written']} {word}".strip()}
    says = f"“{word}” is written"
    if "logits" in one:
        p = np.exp(one["logits"] - one["logits"].max())
        p /= p.sum()
        best = range(len(p)) if len(p) <= BARS else np.argsort(-p)[:BARS].tolist()
        scored = [[vocabulary[i], number(one["logits"][i]), round(float(p[i]), 4)] for i in best]
        changes["bars"] = scored
        chosen = p[list(vocabulary).index(word)]
        says = f"Score: W_o scores each word, softmax makes probabilities. {says}, p = {chosen:.2f}"
    return {**changes, "says": f"{says}."}
