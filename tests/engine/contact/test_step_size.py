"""Peak acceleration of the head in a fall: the default step against one fifty times shorter."""

import numpy as np
import pytest

from mannequin.analysis.measures.channels import filtered
from mannequin.engine import Actor, Scenario, Settings, run
from mannequin.engine.jit import decorators as jit
from mannequin.engine.runs.placing import place_on_ground
from mannequin.models.library import load_model

pytestmark = pytest.mark.skipif(not jit.IS_COMPILED, reason="a million steps: hours when interpreted")


def peak(direction: tuple, time_step: float) -> tuple[float, float]:
    """(peak m/s2 of the head's centre as measures have it, speed m/s at which the head meets the ground), falling from
    45 degrees. Measures have it from the head's sensor, filtered by CFC 1000."""
    actor = Actor("man", load_model("male"), position=(0, 0, 1), orientation=direction)
    settings = Settings(time_step=time_step, output_step=1e-3, duration=1.0, friction=0.5, reactions=False)
    recording = run(Scenario("fall", [place_on_ground(actor, 0.0005)], settings=settings))
    head = recording.body_index("man", "head")
    event = recording.contacts[recording.contacts["body_a"] == head][0]
    signal = filtered(recording.channel("man head", "acceleration"))
    assert signal.filter == "CFC 1000"
    return float(np.linalg.norm(signal.values, axis=1).max()), float(event["approach_speed"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "direction",
    [(0.0, -45.0, 0.0), (0.0, 0.0, 45.0), (0.0, 45.0, 0.0)],
    ids=["backward", "sideways", "forward"],
)
def test_peak_head_acceleration_at_the_default_step(direction):
    """Within 2 % of a step of 2e-6 s for the speed at which the head meets the ground: the peak of a Hertzian impact
    goes with its power 6/5. The speed is that of the whole fall before, after a shoulder that gives: within 3 %."""
    reference, true_speed = peak(direction, 2e-6)
    value, speed = peak(direction, 1e-4)
    assert speed > 0.2 and reference > 100.0
    assert speed == pytest.approx(true_speed, rel=0.03)
    assert value / speed**1.2 == pytest.approx(reference / true_speed**1.2, rel=0.02)
