"""`python -m course_lib.estimates config.json --gpu H100 --context 131072`: a model's card."""

import argparse
import json
import sys
from functools import partial

from course_lib.estimates.card import as_text, card
from course_lib.estimates.machines import MACHINES
from course_lib.terminal import run_command


def main(arguments: list[str] | None = None) -> int:
    """Prints the card, or the sentence that says why there is none; 0 or 2."""
    return run_command(partial(_run, arguments))


def _run(arguments: list[str] | None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m course_lib.estimates",
        description="What a released model weighs, keeps and takes, from its config.json.",
    )
    parser.add_argument("config", help="a maker's config.json, or the folder that holds it")
    parser.add_argument("--gpu", default="H100", help=f"one of {', '.join(MACHINES)} (H100)")
    parser.add_argument("--context", type=int, default=131_072, help="tokens of each text (131072)")
    parser.add_argument("--batch", type=int, default=1, help="texts at once (1)")
    parser.add_argument("--as-type", help="the model_type of the class that the model follows")
    parser.add_argument(
        "--accept", action="append", default=[], help="a field that you know to change no size"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    try:
        found = card(
            given.config,
            given.gpu,
            given.context,
            given.batch,
            as_type=given.as_type,
            accept=tuple(given.accept),
        )
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(found, ensure_ascii=False, indent=1) if given.json else as_text(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
