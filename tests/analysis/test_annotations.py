"""What labels say: against finite differences and plain geometry of the recording's places."""

import numpy as np
import pytest

from mannequin.analysis.annotations import AnnotationError, annotation_of, at_times
from mannequin.engine import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path


@pytest.fixture(scope="module")
def recording():
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.3
    scenario.actors[0].velocity = (3.0, 0.0, 0.0)
    return run(scenario)


def test_labels_say_what_the_places_show(recording):
    head = recording.body_names.index("head")
    place, times = recording.position[:, head], recording.times
    speed = annotation_of(recording, "speed:Head")
    moved = np.linalg.norm(np.gradient(place, times, axis=0), axis=1)
    assert np.abs(speed.values - moved)[2:-2].max() < 0.05 and (speed.anchor == place).all()
    height = annotation_of(recording, "height: head")
    assert height.values == pytest.approx(place[:, 2]) and (height.end[:, 2] == 0.0).all()
    way = annotation_of(recording, "way:head")
    assert way.values[-1] == pytest.approx(np.hypot(*(place[-1] - place[0])[:2])) and way.values[0] == 0.0
    other = next(name for name in recording.body_names if name != "head")
    distance = annotation_of(recording, f"distance:head:{other}")
    gap = recording.position[:, recording.body_names.index(other)] - place
    assert distance.values == pytest.approx(np.sqrt((gap**2).sum(axis=1)))
    angle = annotation_of(recording, f"angle:{recording.actor_names[0]}/head")
    assert angle.unit == "degrees" and angle.values.max() < 180.0
    force = annotation_of(recording, "force:head")
    assert force.shown is not None and force.values.max() == pytest.approx(
        np.linalg.norm(recording.contact_force[:, head], axis=1).max() / 1000.0
    )
    moment = 0.5 * (times[3] + times[4])
    between = at_times(speed, times, np.array([times[3], moment]))
    assert between.values == pytest.approx([speed.values[3], 0.5 * (speed.values[3] + speed.values[4])])
    assert between.anchor.shape == (2, 3)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("colour:head", "is no label"),
        ("speed", "is no label"),
        ("distance:head", "is no label"),
        ("speed:tail", "no body 'tail'"),
    ],
)
def test_a_label_that_cannot_be_made_says_why(recording, asked, message):
    with pytest.raises(AnnotationError, match=message):
        annotation_of(recording, asked)
