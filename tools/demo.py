"""The main job from nothing to results, as far as it is built; run by `make demo`.

Each step is one command line. To add a step, add a row to STEPS.
"""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out"

# what it does, arguments of `python -m mannequin`
STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (("Compile the engine", ("warmup",)),)

STILL_TO_COME = "Still to come: simulating a fall, its report, the baked scene and the video."


def run_step(number: int, title: str, arguments: tuple[str, ...]) -> int:
    """Run one step with its output on the terminal, and return its exit code."""
    print(f"[{number}/{len(STEPS)}] {title}: mannequin {' '.join(arguments)}", flush=True)
    return subprocess.call([sys.executable, "-m", "mannequin", *arguments], cwd=ROOT)


def main() -> int:
    """Run the steps in order and stop at the first that fails."""
    started = time.perf_counter()
    OUT.mkdir(exist_ok=True)
    for number, (title, arguments) in enumerate(STEPS, start=1):
        code = run_step(number, title, arguments)
        if code != 0:
            print(f"demo: this step failed with code {code}", file=sys.stderr)
            return code
    print(f"Done in {time.perf_counter() - started:.0f} s. {STILL_TO_COME}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
