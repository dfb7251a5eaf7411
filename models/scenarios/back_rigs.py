"""Trunks on a held pelvis as scenarios: pushed at the back's lower ribs, pulled to the side slowly, a dummy's bent
forward."""

import numpy as np

from ...engine.maths.rotations import inverse_transform
from ...engine.spec import Actor, ForcePulse, Joint, Model, Scenario, Sensor, Settings
from ..library import load_model
from ..parts.placement import body_transforms
from ..people.posture import tone_motors
from .rigs import NECK_CHAIN, described_part, ending

RIBS, LUMBAR = "UpperBack", "lowerbackJnt"
"""Body that is pushed, and the joint between pelvis and lower back."""
PUSHES = ((2.0, 0.05), (2.4, 0.1), (2.9, 0.15), (3.5, 0.25), (4.2, 0.4))
"""s at which a push begins, and how long it is: half sines of 1.25 to 10 Hz, forward and backward in turn (chosen;
published is a random force of up to 10 Hz)."""
SETTLING = 2.0
"""s before the first push or pull in which the trunk comes to rest."""
SLOW = 40.0
"""s of a slow pull, whose force is half a sine (regulations ask for 0.5 to 1.5 degrees a second)."""


def held_trunk(model: Model, without: tuple[str, ...] = ()) -> Model:
    """All of a figure but the legs and what `without` names, with all that it carries; the pelvis is held."""
    gone = {
        joint.child for joint in model.joints if joint.parent == "pelvis" and joint.name.startswith("hip")
    }
    gone |= set(without)
    for _ in model.joints:
        gone |= {joint.child for joint in model.joints if joint.parent in gone}
    kept = {body.name for body in model.bodies} - gone
    words = f"Trunk of the model {model.name} on a held pelvis."
    trunk = described_part(model, kept, f"{model.name}_trunk", words)
    trunk.joints = [
        Joint("held", "fixed", None, joint.child) if joint.parent is None else joint for joint in trunk.joints
    ]
    return trunk


def rib_point(model: Model) -> np.ndarray:
    """(3,) m, where trunks are pushed, in the frame of the ribs' body: the joint between lumbar and thoracic spine,
    which stands at the lower end of the breastbone, about as high as the tenth thoracic vertebra (assumed to be
    there)."""
    joint = next(joint for joint in model.joints if joint.child == RIBS)
    return np.array([row[3] for row in joint.T2[:3]], dtype=float)


def trunk_pushed(model_name: str = "male", tone: float | None = None, push: float = 30.0) -> Scenario:
    """An upright trunk, pushed at the ribs' lower end forward and backward by up to `push` (N). tone: share of the
    assumed muscle tone that holds it, under gravity; none: tissue alone, without gravity, as it would sink."""
    model = load_model(model_name)
    trunk = held_trunk(model)
    point = tuple(round(float(x), 6) for x in rib_point(model))
    pulses = [
        ForcePulse(RIBS, (push * (-1.0) ** k, 0.0, 0.0), start, length, point)
        for k, (start, length) in enumerate(PUSHES)
    ]
    actor = Actor(
        "trunk",
        trunk,
        force_pulses=pulses,
        motors={} if tone is None else tone_motors(trunk, {}, tone),
    )
    settings = Settings(duration=5.2, output_step=1e-3, ground=False)
    if tone is None:
        settings.gravity = (0.0, 0.0, 0.0)
    return Scenario(
        "trunk_pushed",
        [actor],
        settings=settings,
        description=f"The trunk of the model {model_name} on a held pelvis, pushed at its lower ribs by {push:g} N.",
        sources={
            "actors.trunk.force_pulses": "Size and frequencies of Moorhouse and Granata 2005; form chosen"
        },
    )


def trunk_pulled_aside(model_name: str = "male", force: float = 120.0) -> Scenario:
    """A trunk without gravity, pulled slowly to its right at the ribs' lower end by up to `force` (N)."""
    model = load_model(model_name)
    point = tuple(round(float(x), 6) for x in rib_point(model))
    pull = ForcePulse(RIBS, (0.0, -force, 0.0), 0.0, SLOW, point)
    return Scenario(
        "trunk_pulled_aside",
        [Actor("trunk", held_trunk(model), force_pulses=[pull])],
        settings=Settings(
            duration=0.5 * SLOW, time_step=2e-4, output_step=0.01, gravity=(0.0, 0.0, 0.0), ground=False
        ),
        sensors=[Sensor("lumbar", "trunk", "LowerBack", acceleration=False, joint_moment=True)],
        description=f"The trunk of the model {model_name} on a held pelvis, pulled to its right slowly.",
        sources={"actors.trunk.force_pulses": "Chosen: enough to reach the end of the range"},
    )


def torso_flexion(model_name: str = "hybrid3_3", force: float = 220.0) -> Scenario:
    """A dummy's upright trunk, without head and neck, pulled forward slowly at the height of the occipital condyles
    by up to `force` (N) and let go (49 CFR 572.125, .135, .145)."""
    model = load_model(model_name)
    frames = body_transforms(model)
    head = next(joint for joint in model.joints if joint.child == "head")
    condyles = (frames["head"] @ np.array(head.T2, dtype=float))[:, 3]
    point = inverse_transform(frames[RIBS]) @ condyles
    pull = ForcePulse(RIBS, (force, 0.0, 0.0), SETTLING, SLOW, tuple(round(float(x), 6) for x in point[:3]))
    return Scenario(
        f"torso_flexion{ending(model_name)}",
        [Actor("trunk", held_trunk(model, NECK_CHAIN[:1]), force_pulses=[pull])],
        settings=Settings(duration=SETTLING + SLOW + 5.0, time_step=2e-4, output_step=0.01, ground=False),
        description=f"The trunk of the model {model_name} on a held pelvis, bent forward by a slow pull.",
        sources={"actors.trunk.force_pulses": "49 CFR 572.145, torso flexion test"},
    )
