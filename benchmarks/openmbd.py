"""OpenMBD beside this engine on OpenMBD's own man, where the folder of a checkout is given by OPENMBD_DIR.

OpenMBD (Tierney 2026) is plain Python and NumPy. It runs in a process of its own with its folder on the module path;
this engine reads the very model file. Both fall from OpenMBD's own start, with damping and limits as each has them.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from ..engine import Actor, Scenario, Settings
from ..io_json.model_json import read_model
from .cases import TIME_STEP
from .timing import engine_only

VARIABLE = "OPENMBD_DIR"
MODEL = "openmbd_male.json"
START = (0.0, 0.0, 1.05)
"""m: where OpenMBD's window puts the root of its man."""
STEPS = 100
DRIVER = Path(__file__).with_name("openmbd_driver.py")


def their_microseconds(folder: Path, repeats: int, steps: int = STEPS) -> dict:
    """Microseconds of CPU a step of OpenMBD, as a spread."""
    done = subprocess.run(
        [
            sys.executable,
            str(DRIVER),
            MODEL,
            " ".join(map(str, START)),
            repr(TIME_STEP),
            str(steps),
            str(repeats),
        ],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"OpenMBD in {folder} did not run:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def same_fall(folder: Path, duration: float) -> Scenario:
    """OpenMBD's man at its default start, in this engine."""
    man = Actor("man", read_model(folder / MODEL), position=START)
    settings = Settings(time_step=TIME_STEP, duration=duration, absorb_ground_overlap=True)
    return Scenario("OpenMBD's fall", [man], settings=settings)


def measure(repeats: int) -> dict | None:
    """Microseconds a step of both and their ratio; None where no checkout is given."""
    given = os.environ.get(VARIABLE, "")
    if not given:
        return None
    folder = Path(given).resolve()
    if not (folder / "physics_engine.py").is_file() or not (folder / MODEL).is_file():
        return {"error": f"{VARIABLE} is {folder}, which has no physics_engine.py and {MODEL}"}
    theirs = their_microseconds(folder, repeats)
    ours = engine_only(same_fall(folder, 1.0), repeats)["engine_us"]
    return {"openmbd_us": theirs, "engine_us": ours, "ratio": theirs["median"] / ours["median"]}
