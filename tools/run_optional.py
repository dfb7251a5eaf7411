"""Run the benchmarks or the window tests where they exist, and say plainly where they do not.

    python tools/run_optional.py benchmarks | tests/gui [arguments for pytest]

Exit codes: those of what is run; 0 where there are no benchmarks yet; 77 where there are no window tests, which is
also what a window test run ends with on a machine that cannot show a window.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXIT_CANNOT_BE_HAD = 77


def run_benchmarks() -> int:
    """Run benchmarks/__main__.py, the one door to all benchmarks."""
    if not (ROOT / "benchmarks" / "__main__.py").exists():
        print("bench: there are no benchmarks yet")
        return 0
    return subprocess.call([sys.executable, ROOT / "benchmarks", *sys.argv[2:]], cwd=ROOT)


def run_gui_tests() -> int:
    """Run tests/gui/__main__.py, which starts a real Blender window and the tests in it."""
    if not (ROOT / "tests" / "gui" / "__main__.py").exists():
        print("gui-test: there are no window tests yet")
        return EXIT_CANNOT_BE_HAD
    return subprocess.call([sys.executable, ROOT / "tests" / "gui", *sys.argv[2:]], cwd=ROOT)


RUNNERS = {"benchmarks": run_benchmarks, "tests/gui": run_gui_tests}

if __name__ == "__main__":
    sys.exit(RUNNERS[sys.argv[1]]())
