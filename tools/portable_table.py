"""The tables of `make portable`: page × mode, every claim with its worst value, every failure."""

Results = dict[tuple[str, str], dict]


def tables(results: Results) -> str:
    return "\n".join([*pages(results), "", *claims(results), "", *failures(results)])


def row(cells) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def pages(results: Results) -> list[str]:
    """A line for each page: seconds in each mode, or how many cells failed; seeds that passed."""
    modes = list(dict.fromkeys(mode for _, mode in results if not mode.startswith("seed")))
    lines = [row(["page", *modes, "seeds"]), row(["---"] * (len(modes) + 2))]
    for page in dict.fromkeys(page for page, _ in results):
        cells = []
        for mode in modes:
            result = results.get((page, mode))
            cells.append("" if result is None else short(result))
        seeds = [r for (p, mode), r in results.items() if p == page and mode.startswith("seed")]
        passed = sum(not result["failures"] for result in seeds)
        lines.append(row([page, *cells, f"{passed} of {len(seeds)}" if seeds else ""]))
    return lines


def short(result: dict) -> str:
    if result["failures"]:
        return f"**{len(result['failures'])} failed**"
    return f"{result['seconds']:.0f} s"


def claims(results: Results) -> list[str]:
    """A line for each claim, the one with the least room first."""
    made: dict[tuple[str, str], list[tuple[dict, str]]] = {}
    for (page, mode), result in results.items():
        for claim in result["claims"]:
            made.setdefault((page, claim["name"]), []).append((claim, mode))
    if not made:
        return ["No page made a claim."]
    head = ["page", "claim", "says", "worst", "room", "in", "lowest to highest", "runs"]
    lines = [row(head), row(["---"] * len(head))]
    by_room = sorted(made.items(), key=lambda item: relative(min_margin(item[1])[0]))
    for (page, name), runs in by_room:
        worst, mode = min_margin(runs)
        values = [claim["value"] for claim, _ in runs]
        says = [f"≥ {worst['at_least']:g}"] if worst["at_least"] is not None else []
        says += [f"≤ {worst['at_most']:g}"] if worst["at_most"] is not None else []
        spread = f"{min(values):.4g} to {max(values):.4g}"
        cells = [page, name, ", ".join(says), f"{worst['value']:.4g}", f"{worst['margin']:.3g}"]
        lines.append(row([*cells, mode, spread, len(runs)]))
    return lines


def min_margin(runs: list[tuple[dict, str]]) -> tuple[dict, str]:
    """The run that came nearest to its limit; a value that is not a number is nearest of all."""
    return min(runs, key=lambda run: (run[0]["margin"] == run[0]["margin"], run[0]["margin"]))


def relative(claim: dict) -> float:
    """The margin in units of the limit, so that claims of different size can be ordered."""
    limits = [abs(x) for x in (claim["at_least"], claim["at_most"]) if x]
    return claim["margin"] / min(limits) if limits else claim["margin"]


def failures(results: Results) -> list[str]:
    lines = [
        f"- {page} in {mode}: {what}"
        for (page, mode), result in results.items()
        for what in result["failures"]
    ]
    return [f"{len(lines)} failures", "", *lines] if lines else ["0 failures"]
