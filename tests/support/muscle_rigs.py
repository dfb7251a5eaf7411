"""Small models with muscles: a hinge that a muscle crosses over a pulley, and a three-body limb."""

import dataclasses

import numpy as np

from mannequin.engine import Actor, Body, Joint, Model, PrescribedMotion, Scenario, Settings
from mannequin.engine.spec.muscles import Activation, Excitation, Muscle, PathPoint, PathWrap, WrapSurface

INERTIA = (0.01, 0.01, 0.004, 0.0, 0.0, 0.0)
RADIUS = 0.04
"""m: of the pulley, a cylinder along the hinge's axis y."""
ALONG_Y = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
PULLEY = WrapSurface("pulley", "base", "cylinder", radius=RADIUS, orientation=ALONG_Y)
ORIGIN, INSERTION = (-0.02, 0.0, 0.2), (-0.02, 0.0, -0.15)


def shift(x=0.0, y=0.0, z=0.0):
    return ((1, 0, 0, x), (0, 1, 0, y), (0, 0, 1, z), (0, 0, 0, 1))


def pulley_muscle(**changes) -> Muscle:
    """A muscle behind the hinge: it runs over the pulley, so its lever is the radius. It turns the arm positively."""
    values = {
        "name": "muscle",
        "path": (PathPoint("base", ORIGIN), PathPoint("arm", INSERTION)),
        "wraps": (PathWrap("pulley", side=(-1.0, 0.0, 0.0)),),
        "max_isometric_force": 800.0,
        "optimal_fibre_length": 0.15,
        "tendon_slack_length": 0.2,
        "activation": Activation(start=0.0),
        "excitation": Excitation(tone=0.5),
    }
    return Muscle(**values | changes)


def hinge_model(*muscles: Muscle, mass: float = 2.0) -> Model:
    """An arm on a hinge about y at the origin of a base that stands still; gravity pulls it down to angle zero."""
    bodies = [Body("base", 1.0, INERTIA), Body("arm", mass, INERTIA, center_of_mass=(0.0, 0.0, -0.15))]
    joints = [
        Joint("root", "fixed", None, "base"),
        Joint("hinge", "revolute", "base", "arm", axis=(0.0, 1.0, 0.0), damping=0.0),
    ]
    return Model("hinge", bodies, joints, muscles=list(muscles), wrap_surfaces=[PULLEY])


def scenario(model: Model, angle: float = 0.0, **settings) -> Scenario:
    """The model alone in the air, its hinge at an angle (degrees)."""
    values = {"duration": 0.1, "ground": False, "default_joint_damping": 0.0} | settings
    actor = Actor(
        "rig", model, position=(0.0, 0.0, 2.0), joint_angles={"hinge": (angle, 0.0, 0.0)} if angle else {}
    )
    return Scenario("rig", [actor], settings=Settings(**values))


def driven(model: Model, rate: float, angle: float = 0.0, **settings) -> Scenario:
    """The hinge turned at a constant rate (degrees a second)."""
    made = scenario(model, angle, **settings)
    table = ((0.0, angle, 0.0, 0.0), (10.0, angle + 10.0 * rate, 0.0, 0.0))
    actor = dataclasses.replace(
        made.actors[0],
        prescribed=[PrescribedMotion("hinge", table)],
        joint_velocities={"hinge": (np.radians(rate), 0.0, 0.0)},
    )
    return dataclasses.replace(made, actors=[actor])


def limb_model(rng: np.random.Generator, acts: str = "forces") -> Model:
    """Trunk free in space, upper and lower limb on a ball joint and a hinge; three muscles, all three surfaces."""
    bodies = [
        Body("trunk", 20.0, (0.5, 0.4, 0.3, 0.01, 0.0, 0.0), center_of_mass=(0.0, 0.01, 0.1)),
        Body("upper", 4.0, (0.05, 0.05, 0.01, 0.0, 0.0, 0.0), center_of_mass=(0.0, 0.0, -0.15)),
        Body("lower", 2.0, (0.03, 0.03, 0.005, 0.0, 0.0, 0.0), center_of_mass=(0.01, 0.0, -0.12)),
        Body("cuff", 0.3, (0.002, 0.002, 0.001, 0.0, 0.0, 0.0)),
    ]
    joints = [
        Joint("root", "free", None, "trunk"),
        Joint("ball", "spherical", "trunk", "upper", T1=shift(0.0, 0.1, 0.0), damping=0.1),
        Joint("hinge", "revolute", "upper", "lower", T1=shift(z=-0.3), axis=(0.0, 1.0, 0.0), damping=0.1),
        Joint("cuff", "fixed", "lower", "cuff", T1=shift(z=-0.1)),
    ]
    surfaces = [
        WrapSurface("ball", "trunk", "sphere", radius=0.04, position=(0.0, 0.1, 0.0)),
        WrapSurface("roll", "upper", "cylinder", radius=0.03, position=(0.0, 0.0, -0.3), orientation=ALONG_Y),
        WrapSurface("egg", "upper", "ellipsoid", semi_axes=(0.03, 0.035, 0.1), position=(0.0, 0.0, -0.12)),
    ]

    def near(x, y, z):
        return tuple(float(c) for c in np.array([x, y, z]) + rng.uniform(-0.004, 0.004, 3))

    common = {"max_isometric_force": 900.0, "optimal_fibre_length": 0.12, "acts": acts, "pennation": 12.0}
    common |= {"excitation": Excitation(tone=0.4)}
    muscles = [
        Muscle("one", (PathPoint("trunk", near(0.03, 0.1, 0.15)), PathPoint("upper", near(0.03, 0.0, -0.1))),
               wraps=(PathWrap("ball"),), tendon_slack_length=0.14, **common),
        Muscle("two", (PathPoint("trunk", near(0.05, 0.1, 0.1)), PathPoint("upper", near(0.05, 0.0, -0.2)),
                       PathPoint("lower", near(0.01, 0.0, -0.08))),
               wraps=(PathWrap("roll", segment=1),), tendon_slack_length=0.3, **common),
        Muscle("three", (PathPoint("trunk", near(-0.02, 0.1, 0.05)), PathPoint("cuff", near(-0.02, 0.0, 0.03))),
               wraps=(PathWrap("egg"), PathWrap("roll")), tendon_slack_length=0.33, **common),
    ]  # fmt: skip
    return Model("limb", bodies, joints, muscles=muscles, wrap_surfaces=surfaces)
