"""Hands that meet the ground: an arrest from one metre of shoulder height, and forward falls from standing."""

from itertools import pairwise

import numpy as np

from ...engine.responses.compile import strength_of
from ...engine.runs.recording import Recording
from ...engine.spec import Actor, Model, Response, Scenario, Settings
from ...engine.spec.response import PRESETS
from ...engine.spec.response_joints import RESPONSE_JOINTS
from ..library import load_model
from ..parts.placement import body_transforms
from ..people.posture import both
from ..scenarios.falls import FRICTION, stand
from .experiment import experiment
from .row import GRAVITY, Row
from .running import AS_GIVEN, Runner


def hand_force(recording: Recording) -> float:
    """Largest force of the ground on one hand, N."""
    hands = [recording.body_index("man", name) for name in ("HandL", "HandR")]
    return float(np.linalg.norm(recording.contact_force[:, hands], axis=2).max())


def arrest(elbow: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(largest force of one hand N, in body weights) of a man who is let go with his shoulders 1 m above the ground,
    the body straight, arms out with elbows bent by so much, and who responds."""
    posture = both({"shoulder": (0.0, 75.0, 0.0), "elbow": (0.0, elbow, 0.0)})
    man = stand("man", "male", posture, lean=(0.0, _lean_for(posture), 0.0))
    man.response = Response("adult", latency=0.0)
    return _landed(man, run)


def _landed(man: Actor, run: Runner) -> tuple[float, float]:
    settings = Settings(
        duration=0.9, time_step=2e-5, output_step=2e-4, friction=FRICTION, ground_friction=0.7
    )
    force = hand_force(run(Scenario("arrest", [man], settings=settings, default_sensors=False)))
    return force, force / (GRAVITY * sum(body.mass for body in man.model.bodies))


def stiff_arrest(elbow: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """The same with nearly straight arms that nobody gives way with: held by twice the assumed tone."""
    posture = both({"shoulder": (0.0, 75.0, 0.0), "elbow": (0.0, elbow, 0.0)})
    man = stand("man", "male", posture, lean=(0.0, _lean_for(posture), 0.0), tone=2.0)
    return _landed(man, run)


def _lean_for(posture: dict) -> float:
    """Degrees forward at which the shoulders of the man stand 1 m above the ground."""
    for lean in range(20, 80):
        man = stand("man", "male", posture, lean=(0.0, float(lean), 0.0))
        at = body_transforms(man.model, man.joint_angles, man.position, man.orientation)
        if at["UpperArmL"][2, 3] <= experiment("arrest").set_up["shoulder_height"]:
            return float(lean)
    raise ValueError("the shoulders of the man 'male' are above 1 m at every lean: take another posture")


def forward_fall(response: Response, lean: float, run: Runner = AS_GIVEN) -> float:
    """N on a hand of a man who falls forward from standing and reaches for the ground."""
    man = stand("man", "male", both({"knee": (0.0, 2.0, 0.0)}), lean=(0.0, lean, 0.0))
    man.response = response
    settings = Settings(
        duration=1.8, time_step=5e-5, output_step=5e-4, friction=FRICTION, ground_friction=0.7
    )
    return hand_force(run(Scenario("forward", [man], settings=settings, default_sensors=False)))


def energy_of_bending(torque: float, upper: float, fore: float, bend: float) -> float:
    """J that an arm of these lengths (m) takes up while a steady force on the hand, along the line to the shoulder,
    bends the elbow to so many degrees, where it needs the torque (N m): F e = T, with e its distance from that line."""
    reach = np.sqrt(upper**2 + fore**2 + 2.0 * upper * fore * np.cos(np.radians(bend)))
    away = upper * fore * np.sin(np.radians(bend)) / reach
    return float(torque / away * (upper + fore - reach))


def lowering_energy(model: Model, strength: float, bend: float) -> float:
    """% of weight times height that one arm of somebody of this strength takes up in bending the elbow so far."""
    poses = body_transforms(model)
    frames = {joint.name: poses[joint.child] @ np.array(joint.T2) for joint in model.joints}
    places = [frames[f"{name}lJnt"][:3, 3] for name in ("shoulder", "elbow", "wrist")]
    lengths = [float(np.linalg.norm(b - a)) for a, b in pairwise(places)]
    elbow = next(entry for entry in RESPONSE_JOINTS if "elbowlJnt" in entry.names)
    torque = elbow.torque * strength * strength_of(model).upper
    weight = GRAVITY * sum(body.mass for body in model.bodies)
    return 100.0 * energy_of_bending(torque, *lengths, bend) / (weight * model.height)


def lowering() -> list[Row]:
    """Energy that arms take up while the body is lowered slowly: of how much arms can hold."""
    test = experiment("arms_lowering")
    model, bends = load_model(test.set_up["model"]), test.set_up["bends"]
    rows = []
    for who, preset in (("young", "adult"), ("older", "elderly")):
        found = [lowering_energy(model, PRESETS[preset].strength, bend) for bend in bends]
        shares = " to ".join(f"{share:.1f}" for share in found)
        words = f"{shares} % with elbows bent to {bends[0]:g} and {bends[1]:g} degrees"
        rows.append(test.words(f"{who}, energy of one arm", words))
    return rows


def arms(run: Runner = AS_GIVEN) -> list[Row]:
    """Forces of hands that break a fall."""
    rows, means = [], {}
    for name, let_go, floor in (
        ("arrest", arrest, "adult response, rigid floor"),
        ("arrest_stiff", stiff_arrest, "rigid floor"),
    ):
        test = experiment(name)
        for elbow in test.set_up["elbows"]:
            force, weights = let_go(elbow, run)
            rows.append(test.of(elbow=elbow).row("force of one hand", weights, f"{force:.0f} N; {floor}"))
        means[name] = np.mean([row.value for row in rows if row.experiment == name])
    less = 100.0 * (1.0 - means["arrest"] / means["arrest_stiff"])
    rows.append(experiment("arms_natural_and_stiff").words("force of one hand", f"{less:.0f} % less"))
    test = experiment("wrist_fall")
    for lean in test.set_up["leans"]:
        force = forward_fall(Response("adult"), lean, run)
        rows.append(test.of(lean=lean).row("force of one wrist", 1e-3 * force))
    return rows + lowering()
