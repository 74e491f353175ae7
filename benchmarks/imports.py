"""How long `import course_lib` takes beside `import torch` alone, each in a fresh process."""

import subprocess
import sys

from benchmarks.measure import against, take_turns, write


def main() -> None:
    def start(code: str):
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    runs = {"import torch": start("import torch"), "import course_lib": start("import course_lib")}
    write("imports", against("import torch", take_turns(runs, 9)))


if __name__ == "__main__":
    main()
