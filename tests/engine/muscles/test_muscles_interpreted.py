"""The same muscles without Numba: the late kernels run as plain Python, to the same numbers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

SUPPORT = Path(__file__).resolve().parents[2] / "support"
CODE = """
import json, sys
import numpy as np
from muscle_rigs import limb_model
from mannequin.engine import Actor, Scenario, Settings, run
from mannequin.engine.jit import decorators as jit

assert jit.IS_COMPILED == (sys.argv[1] == "compiled")
model = limb_model(np.random.default_rng(0))
actor = Actor("limb", model, position=(0.0, 0.0, 2.0), joint_angles={"hinge": (25.0, 0.0, 0.0)})
settings = Settings(duration=0.004, output_step=1e-3, ground=False)
recording = run(Scenario("s", [actor], settings=settings))
print(json.dumps([recording.muscle.tolist(), recording.position.tolist(), recording.muscle_energy.tolist()]))
"""


def result(kind: str) -> list[np.ndarray]:
    environment = os.environ | {
        "MANNEQUIN_INTERPRETED": "0" if kind == "compiled" else "1",
        "PYTHONPATH": str(SUPPORT),
    }
    done = subprocess.run(
        [sys.executable, "-c", CODE, kind],
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [np.array(values) for values in json.loads(done.stdout)]


def test_interpreted_and_compiled_agree():
    for one, other in zip(result("compiled"), result("interpreted"), strict=True):
        assert np.abs(one).max() > 0.0
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
