"""The main job from nothing to results, run by `make demo`: a standing fall is simulated, reported and filmed.

Each step is one command line. To add a step, add a row to `steps`.
"""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out"
SCENARIO = "fall_standing"
FILM, BLEND, PAGE = OUT / "demo_film.mp4", OUT / "demo.blend", OUT / "demo_view.html"


def run_step(title: str, arguments: tuple[str, ...]) -> str:
    """Run one step with its progress on the terminal; return what it printed. Ends the demo where it fails."""
    print(f"{title}: mannequin {' '.join(arguments)}", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "mannequin", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    if done.returncode != 0:
        print(f"demo: this step failed with code {done.returncode}", file=sys.stderr)
        sys.exit(done.returncode)
    print("".join(f"  {line}\n" for line in done.stdout.splitlines()), end="", flush=True)
    return done.stdout


def main() -> int:
    """Run the steps in order and stop at the first that fails."""
    started = time.perf_counter()
    OUT.mkdir(exist_ok=True)
    run_step("[1/5] Compile the engine", ("warmup",))
    printed = run_step("[2/5] Simulate a standing fall", ("run", SCENARIO, "--out", str(OUT)))
    folder = printed.splitlines()[0]
    run_step("[3/5] Make the report", ("report", folder))
    run_step("[4/5] Make the viewer's page", ("view", folder, "--out", str(PAGE)))
    look = ("--camera", "three_quarter", "--speed", "0.5", "--case", "demo", "--readout", "head acceleration")
    run_step("[5/5] Bake and film it", ("render", folder, *look, "--out", str(FILM), "--blend", str(BLEND)))
    print(f"Done in {time.perf_counter() - started:.0f} s. Look at {FILM}, open {PAGE} in a browser")
    print(f"and {BLEND} in Blender, and see")
    print(f"{folder}: recording, CSV tables, summary, report, manifest.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
