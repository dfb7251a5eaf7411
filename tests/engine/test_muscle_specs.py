"""What is refused in an authored muscle, and what the message says."""

from dataclasses import replace

import pytest

from mannequin.engine import Actor, Body, Joint, Model, Scenario, validate
from mannequin.engine.spec.muscles import (
    Activation,
    Excitation,
    Muscle,
    PathPoint,
    PathWrap,
    StretchReflex,
    WrapSurface,
)
from mannequin.models.editing.scaling import scale_model

MUSCLE = Muscle(
    "biceps",
    (PathPoint("upper", (0.02, 0.0, -0.05)), PathPoint("lower", (0.02, 0.0, -0.04))),
    max_isometric_force=600.0,
    optimal_fibre_length=0.12,
    tendon_slack_length=0.2,
    wraps=(PathWrap("elbow"),),
)
ELBOW = WrapSurface("elbow", "upper", "cylinder", radius=0.02, position=(0.0, 0.0, -0.3))


def arm(muscle=MUSCLE, surface=ELBOW):
    inertia = (0.01, 0.01, 0.002, 0.0, 0.0, 0.0)
    bodies = [Body("upper", 2.0, inertia), Body("lower", 1.5, inertia)]
    down = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, -0.3), (0, 0, 0, 1))
    joints = [
        Joint("shoulder", "spherical", None, "upper"),
        Joint("elbow", "revolute", "upper", "lower", T1=down, axis=(0.0, 1.0, 0.0)),
    ]
    return Model("arm", bodies, joints, muscles=[muscle], wrap_surfaces=[surface], height=1.75)


def errors(model):
    return [str(issue) for issue in validate(model) if issue.severity == "error"]


def test_a_sound_muscle_has_no_issue():
    assert errors(arm()) == []


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"path": MUSCLE.path[:1]}, "Give an origin and an insertion"),
        ({"path": (MUSCLE.path[0], PathPoint("hand", (0, 0, 0)))}, "unknown body 'hand'"),
        ({"path": (MUSCLE.path[0], MUSCLE.path[0])}, "path points 0 and 1 are the same"),
        ({"path": (MUSCLE.path[0], PathPoint("upper", (0, 0, 0))), "wraps": ()}, "whole path is on 'upper'"),
        ({"path": (MUSCLE.path[0], PathPoint("lower", (0, 0)))}, "not 3 numbers"),
        ({"wraps": (PathWrap("knee"),)}, "unknown wrap surface 'knee'"),
        ({"wraps": (PathWrap("elbow", segment=1),)}, "Choose a stretch from 0 to 0"),
        ({"wraps": (PathWrap("elbow", side=(0.0, 0.0, 0.0)),)}, "has no length"),
        ({"max_isometric_force": 0.0}, "max isometric force"),
        ({"optimal_fibre_length": -0.1}, "optimal fibre length"),
        ({"tendon_slack_length": 0.0}, "tendon slack length"),
        ({"pennation": 90.0}, "pennation"),
        ({"form": "hill"}, "millard, geyer_herr, thelen"),
        ({"tendon": "stiff"}, "elastic, rigid"),
        ({"acts": "magic"}, "forces, joint_torques"),
        ({"damping": 0.0}, "undefined at zero activation"),
        ({"activation": Activation(form="x")}, "first_order, rate"),
        ({"activation": Activation(rise_time=0.0)}, "rise time"),
        ({"activation": Activation(start=2.0)}, "activation at the start"),
        ({"excitation": Excitation(tone=1.5)}, "tone"),
        ({"excitation": Excitation(curve=((0.0, 0.0), (1.0, 2.0)))}, "a value of the excitation curve"),
        ({"excitation": Excitation(curve=((0.0, 0.0),))}, "excitation curve"),
        ({"excitation": Excitation(reflex=StretchReflex(1.0, delay=2.0))}, "excitation, reflex: delay"),
    ],
)
def test_a_bad_muscle_is_named_with_a_remedy(changes, says):
    (message,) = errors(arm(replace(MUSCLE, **changes)))
    assert "muscle 'biceps'" in message and says in message


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"body": "hand"}, "unknown body 'hand'"),
        ({"shape": "cube"}, "sphere, cylinder, ellipsoid"),
        ({"radius": 0.0}, "radius"),
        ({"length": -1.0}, "length"),
        ({"shape": "ellipsoid"}, "a semi-axis"),
        ({"ellipsoid": "arm", "shape": "ellipsoid"}, "'upper' has no ellipsoid 'arm'"),
        ({"orientation": ((2.0, 0, 0), (0, 1, 0), (0, 0, 1))}, "not orthonormal"),
    ],
)
def test_a_bad_surface_is_named_with_a_remedy(changes, says):
    messages = errors(arm(surface=replace(ELBOW, **changes)))
    assert messages and all("wrap surface 'elbow'" in message for message in messages)
    assert any(says in message for message in messages)


def test_a_rigid_tendon_may_have_no_length():
    assert errors(arm(replace(MUSCLE, tendon="rigid", tendon_slack_length=0.0))) == []


def test_an_excitation_must_fit_a_muscle():
    scenario = Scenario("s", [Actor("a", arm(), excitations={"triceps": Excitation(tone=0.5)})])
    (issue,) = [issue for issue in validate(scenario) if issue.severity == "error"]
    assert "unknown muscle 'triceps'" in issue.message
    fits = {"bi*": Excitation(tone=0.5)}
    assert not errors(Scenario("s", [Actor("a", arm(), excitations=fits)]))


def test_scaling_takes_muscles_along():
    """Twice as tall: lengths double. Three times the mass: forces triple, so joint torques grow with both."""
    model = arm()
    mass = sum(body.mass for body in model.bodies)
    scaled = scale_model(model, 2.0 * 1.75 / 1.4, 3.0 * mass)
    factor = 2.0 / 1.4
    muscle, surface = scaled.muscles[0], scaled.wrap_surfaces[0]
    assert muscle.max_isometric_force == pytest.approx(1800.0)
    assert muscle.optimal_fibre_length == pytest.approx(0.12 * factor)
    assert muscle.path[0].position == pytest.approx([c * factor for c in MUSCLE.path[0].position])
    assert surface.radius == pytest.approx(0.02 * factor)
    assert surface.position == pytest.approx([c * factor for c in ELBOW.position])
    assert model.muscles[0] == MUSCLE
