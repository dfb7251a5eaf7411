"""The main job from nothing to results, run by `make demo`: a woman of 71 falls, and it is reported and filmed.

Each step is one command line. To add a step, add a row to `main`.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out"
SCENARIO = ROOT / "models" / "scenarios" / "fall_standing.json"
PERSON = {"sex": 0, "age": 71, "height": 1.63, "mass": 58}
SHOTS = [
    {"kind": "wide", "end": 0.7},
    {"kind": "side", "start": 0.7, "end": 1.6},
    {
        "kind": "three_quarter",
        "start": 0.8,
        "end": 1.25,
        "slowness": 5,
        "ease": 0.2,
        "hold": 0.8,
        "orbit": 25,
        "title": "Replay",
    },
]
"""Two shots as the fall goes on, and a slow replay of the impact."""
FILM, BLEND, PAGE = OUT / "demo_film.mp4", OUT / "demo.blend", OUT / "demo_view.html"
DEMO, LIST = OUT / "demo.json", OUT / "demo_shots.json"


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


def write_inputs() -> None:
    """The shipped standing fall with a person in place of the model, and the shots of its film."""
    scenario = json.loads(SCENARIO.read_text(encoding="utf-8"))
    del scenario["actors"][0]["model"]
    scenario["actors"][0]["person"] = PERSON
    scenario["name"] = "demo"
    DEMO.write_text(json.dumps(scenario, indent=1), encoding="utf-8")
    LIST.write_text(json.dumps(SHOTS, indent=1), encoding="utf-8")


def main() -> int:
    """Run the steps in order and stop at the first that fails."""
    started = time.perf_counter()
    OUT.mkdir(exist_ok=True)
    write_inputs()
    run_step("[1/5] Compile the engine", ("warmup",))
    printed = run_step("[2/5] Simulate the fall of a woman of 71", ("run", str(DEMO), "--out", str(OUT)))
    folder = printed.splitlines()[0]
    run_step("[3/5] Make the report", ("report", folder))
    run_step("[4/5] Make the viewer's page", ("view", folder, "--out", str(PAGE)))
    look = (
        "--shots",
        str(LIST),
        "--stage",
        "day",
        "--ground",
        "concrete",
        "--sheet",
        "--size",
        "640x360",
        "--case",
        "demo",
    )
    label = ("--readout", "head acceleration", "--label", "speed:head")
    made = ("--out", str(FILM), "--blend", str(BLEND))
    run_step("[5/5] Bake and film it", ("render", folder, *look, *label, *made))
    print(f"Done in {time.perf_counter() - started:.0f} s. Look at {FILM}, open {PAGE} in a browser")
    print(f"and {BLEND} in Blender, and see")
    print(f"{folder}: recording, CSV tables, summary, report, manifest.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
