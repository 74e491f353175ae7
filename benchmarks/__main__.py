"""python -m benchmarks [NAME]...   (all in NAMES, or those named; gpu only when it is named)"""

import importlib
import sys

NAMES = ("additive", "scaled_dot", "decode", "positions", "step_time", "lengths")

for name in sys.argv[1:] or NAMES:
    if name not in (*NAMES, "gpu"):
        sys.exit(f"There is no benchmark {name!r}. There are {', '.join(NAMES)} and gpu.")
    importlib.import_module(f"benchmarks.{name}").main()
