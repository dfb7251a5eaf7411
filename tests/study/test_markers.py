"""A trial made from a simulated motion gives the motion back."""

import numpy as np
import pytest
from c3d_trial import write_c3d

import mannequin as mq
from mannequin.engine import Actor, Scenario, Settings, run
from mannequin.engine.runs.placing import moved, place_on_ground
from mannequin.interchange.motions import Trial, read_c3d
from mannequin.io_json.errors import FileError
from mannequin.models.library import load_model

SPREAD = 0.08
"""m of the markers of a body from its centre of mass."""


@pytest.fixture(scope="module")
def man():
    """A man thrown through the air, so that all his joints move."""
    actor = place_on_ground(Actor("man", load_model("male")))
    return moved(
        Actor(
            "man",
            actor.model,
            position=actor.position,
            orientation=(60.0, 5.0, 0.0),
            velocity=(1.0, 0.5, 0.0),
            angular_velocity=(0.5, 1.0, 0.3),
        ),
        (0.0, 0.0, 1.0),
    )


@pytest.fixture(scope="module")
def markers(man):
    """Three on each body that is not tiny."""
    found = []
    for body in man.model.bodies:
        if body.mass > 0.5:
            for k, arm in enumerate(SPREAD * np.eye(3)):
                point = tuple(float(x) for x in np.array(body.center_of_mass) + arm)
                found.append(mq.Marker(f"{body.name}{k}", body.name, point))
    return found


@pytest.fixture(scope="module")
def motion(man):
    settings = Settings(duration=0.1, output_step=0.01, ground=False)
    return run(Scenario("thrown", [man], settings=settings))


def seen(motion, markers) -> Trial:
    """What cameras would see of the markers."""
    places = []
    for marker in markers:
        b = motion.body_index("man", marker.body)
        places.append(motion.origin(b) + motion.rotation(b) @ np.array(marker.point))
    names = tuple(marker.name for marker in markers)
    return Trial("thrown", names, motion.times, np.stack(places, axis=1))


@pytest.fixture(scope="module")
def tracked(man, motion, markers, tmp_path_factory):
    """Through a .c3d file, with a tenth of the markers not seen now and then."""
    ezc3d = pytest.importorskip("ezc3d")
    trial = seen(motion, markers)
    points = 1000.0 * trial.positions
    points[::3, ::10] = np.nan
    path = tmp_path_factory.mktemp("trial") / "thrown.c3d"
    write_c3d(ezc3d, path, trial.markers, points, 100.0)
    upright = Actor("man", man.model)
    return mq.track(upright, read_c3d(path), markers)


def test_motion_of_a_c3d_trial_comes_back_within_two_millimetres(tracked, motion):
    assert np.nanmax(tracked.residuals) < 0.002
    heavy = [b for b, mass in enumerate(motion.body_mass) if mass > 0.5]
    for frame in range(len(tracked.times)):
        origins, _ = tracked.poses(frame)
        wanted = np.array([motion.origin(b)[frame] for b in heavy])
        assert np.abs(origins[heavy] - wanted).max() < 0.002


def test_start_from_a_trial_goes_on_as_the_motion_went(tracked, motion, man):
    start = mq.start_from(Actor("man", man.model), tracked, 0.05)
    again = run(Scenario("on", [start], settings=Settings(duration=0.001, output_step=0.001, ground=False)))
    heavy = [b for b, mass in enumerate(motion.body_mass) if mass > 0.5]
    assert np.abs(again.position[0, heavy] - motion.position[5, heavy]).max() < 0.003
    # central differences over 20 ms of a motion whose accelerations are some 10 m/s2
    assert np.abs(again.velocity[0, heavy] - motion.velocity[5, heavy]).max() < 0.1


def test_trial_without_the_markers_is_refused(man, motion, markers):
    other = Trial("other", ("X",), motion.times, np.zeros((motion.frames, 1, 3)))
    with pytest.raises(FileError, match="0 of the"):
        mq.track(man, other, markers)
    with pytest.raises(FileError, match="no body"):
        mq.track(man, seen(motion, markers[:3]), [mq.Marker(m.name, "tail", m.point) for m in markers[:3]])


@pytest.mark.slow
def test_height_is_found_from_a_trial(man, motion, markers):
    """A trial of somebody 8 % taller."""
    trial = seen(motion, markers)
    taller = Trial("taller", trial.markers, trial.times, 1.08 * trial.positions)
    model, sized = mq.scaled_to(man.model, taller, markers, mass=100.0)
    assert model.height == pytest.approx(1.08 * man.model.height, rel=0.005)
    assert sum(body.mass for body in model.bodies) == pytest.approx(100.0, rel=1e-3)
    assert sized[0].point == pytest.approx(1.08 * np.array(markers[0].point), rel=0.005)
