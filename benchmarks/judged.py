"""What a trained translator is judged by: where its heaviest weights lie, and BLEU."""

from course_lib.translation import Pair, Translator, alignment_error_rate, bleu, hard_links


def looked(maps: list, pairs: list[Pair]) -> dict[str, float]:
    """Where the heaviest weights lie, and the alignment error rate."""
    links = [hard_links(weights) for weights in maps]
    count = sum(map(len, links))
    right = sum(len(found & p.links) for found, p in zip(links, pairs, strict=True))
    late = sum(
        (t, s - 1) in p.links and (t, s) not in p.links
        for found, p in zip(links, pairs, strict=True)
        for t, s in found
    )
    aer = alignment_error_rate(links, [p.links for p in pairs])
    return {"right": right / count, "late": late / count, "aer": aer}


def written(found: list, pairs: list[Pair]) -> dict[str, float]:
    return {"bleu": bleu(found, [pair.target for pair in pairs])}


def judged(translator: Translator, pairs: list[Pair], looks: bool = True) -> dict[str, float]:
    found = written(translator.translate([pair.source for pair in pairs]), pairs)
    return found | (looked(translator.align(pairs), pairs) if looks else {})
