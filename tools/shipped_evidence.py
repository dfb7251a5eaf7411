"""Write the shipped evidence again from its truth: marks and video points of the run it was made with.

.venv/bin/python tools/shipped_evidence.py

Due when the car, the man or the engine have changed; tests/sweeps/test_fit_pedestrian.py says so.
"""

import re

import numpy as np

from mannequin.engine import run
from mannequin.engine.runs.recording import Recording
from mannequin.io_json.resolve import SHIPPED_FOLDER, resolve_model
from mannequin.io_json.scenario_json import read_scenario
from mannequin.sweeps import contacts
from mannequin.sweeps.fit.camera import pixels, projection
from mannequin.sweeps.fit.spec import read_evidence
from mannequin.sweeps.inputs import with_inputs

PATH = SHIPPED_FOLDER / "sweeps" / "pedestrian_evidence.json"
TRUTH = {"actors.car.speed": 10.3, "actors.man.position.1": -0.12}
"""What the evidence is made with; the road's friction is left as in the scenario."""


def hardest_mark(recording: Recording, touch) -> np.ndarray:
    """Place (m) of the hardest contact that is meant, in the frame of what bears the mark."""
    chosen, of_is_a = contacts.select(recording, touch)
    events = recording.contacts[chosen]
    k = int(np.argmax(events["peak_force"]))
    return events["point_b" if of_is_a[k] else "point_a"][k]


def main() -> None:
    """Run the truth, replace the numbers in the file's text."""
    evidence = read_evidence(PATH)
    scenario = read_scenario(resolve_model(evidence.scenario, None))
    recording = run(with_inputs(scenario, [*evidence.changes.items(), *TRUTH.items()]))
    mark, video = evidence.targets
    text, place = PATH.read_text(encoding="utf-8"), hardest_mark(recording, mark.contact)
    written = ", ".join(f"{value:.3f}" for value in place)
    text = re.sub(r'"point": \[[^\]]*\]', f'"point": [{written}]', text, count=1)
    for tracked in video.points:
        body = recording.body_index(*tracked.body.split("/"))
        at = [np.interp(tracked.time, recording.times, axis) for axis in recording.position[:, body].T]
        x, y = np.round(pixels(projection(video.camera), np.array([at]))[0]).astype(int)
        before = rf'("time": {tracked.time:g}, "body": "{tracked.body}", "pixel": )\[[^\]]*\]'
        text = re.sub(before, rf"\g<1>[{x}, {y}]", text)
    PATH.write_text(text, encoding="utf-8")
    print(f"{PATH.name}: mark at {written}, {len(video.points)} video points")


if __name__ == "__main__":
    main()
