"""Blows to a person's trunk as scenarios: thorax, shoulder and abdomen struck by an impactor. The person sits upright
and free, without gravity during the blow, legs level."""

import numpy as np

from ...engine.spec import Actor, Body, Ellipsoid, Joint, Material, Model, Scenario, Settings
from ..library import load_model
from ..parts.placement import body_transforms, ellipsoid_shapes
from ..people.posture import both
from ..people.shipped import shipped_person
from .rigs import CERTIFICATIONS, ending

STEEL = Material("steel", loading=((0.0, 0.0), (0.001, 1.0e6)), energy_retention=1.0, source="Rigid")
PENDULUM_MASS, PENDULUM_RADIUS = 23.4, 0.0762
"""kg and m of the disc that thorax (49 CFR 572.36) and shoulders are struck with."""
BAR_MASS, BAR_RADIUS = 48.0, 0.0125
"""kg and m of the bar that abdomens were struck with: in the middle of 32 to 64 kg (Cavanaugh et al. 1986)."""


def disc(mass: float, radius: float, name: str = "impactor") -> Model:
    """A rigid cylinder's face as a flat ellipsoid of the given radius, across x."""
    return _tool(name, mass, 0.25 * mass * radius**2, (0.05, radius, radius))


def _tool(name: str, mass: float, inertia: float, half: tuple[float, float, float]) -> Model:
    body = Body(
        name, mass, (inertia, inertia, inertia, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), [Ellipsoid("face", half)]
    )
    body.ellipsoids[0].material = STEEL.name
    return Model(name, [body], [Joint("root", "free", None, name)], [STEEL])


def _struck(
    name: str, model_name: str, tool: Model, place: np.ndarray, way: np.ndarray, speed: float
) -> Scenario:
    """A person struck at `place` (m) by a tool that moves along the unit vector `way` and touches it 5 mm later."""
    (shape,) = tool.bodies[0].ellipsoids
    start = np.asarray(place) - (shape.semi_axes[0] + 0.005) * way
    turn = (float(np.degrees(np.arctan2(-way[1], -way[0]))), 0.0, 0.0)
    probe = Actor(
        "probe",
        tool,
        position=tuple(round(float(x), 6) for x in start),
        orientation=turn,
        velocity=tuple(float(speed * x) + 0.0 for x in way),
    )
    person = Actor(
        "dummy",
        load_model(model_name),
        model_reference=model_name,
        joint_angles=_sitting(),
        person=shipped_person(model_name),
    )
    settings = Settings(
        duration=0.08,
        time_step=2.0e-5,
        output_step=1.0e-4,
        gravity=(0.0, 0.0, 0.0),
        ground=False,
        contact_history=True,
    )
    return Scenario(
        name,
        [person, probe],
        settings=settings,
        description=f"The model {model_name}, upright and free, struck by {tool.bodies[0].mass:g} kg at {speed:g} m/s.",
        sources={"actors.probe": "See models/scenarios/trunk_rigs.py"},
    )


def _sitting() -> dict:
    return both({"hip": (0.0, 90.0, 0.0)})


def _surface(model_name: str, ellipsoid: str) -> tuple[np.ndarray, np.ndarray]:
    """(centre, half axes as columns) of an ellipsoid of a sitting person, m."""
    model = load_model(model_name)
    shapes = ellipsoid_shapes(model, body_transforms(model, _sitting()))
    return next((c, h) for _, e, c, h in shapes if e.name == ellipsoid)


def _foremost(model_name: str, body: str) -> float:
    """Largest x of a sitting person's body, m."""
    model = load_model(model_name)
    shapes = ellipsoid_shapes(model, body_transforms(model, _sitting()))
    return max(float(c[0] + np.linalg.norm(h[0])) for name, _, c, h in shapes if name == body)


def thorax_blow(speed: float | None = None, model_name: str = "hybrid3_50th") -> Scenario:
    """The sternum struck from the front; a dummy by the pendulum and, where none is given, the speed of its own
    certification."""
    test = CERTIFICATIONS.get(model_name)
    mass, radius, own_speed = (PENDULUM_MASS, PENDULUM_RADIUS, 6.71) if test is None else test.probe
    centre, _ = _surface(model_name, "sternum")
    front = np.array([_foremost(model_name, "Sternum"), 0.0, centre[2]])
    name = "thorax_pendulum" + ending(model_name)
    speed = own_speed if speed is None else speed
    return _struck(name, model_name, disc(mass, radius), front, np.array([-1.0, 0.0, 0.0]), speed)


def shoulder_blow(speed: float = 4.5, model_name: str = "male") -> Scenario:
    """The left shoulder struck from the side, the arm hanging."""
    centre, half = _surface(model_name, "deltoid_l")
    side = np.array([centre[0], centre[1] + float(np.linalg.norm(half[1])), centre[2]])
    tool = disc(PENDULUM_MASS, PENDULUM_RADIUS)
    return _struck("shoulder_impact", model_name, tool, side, np.array([0.0, -1.0, 0.0]), speed)


def abdomen_blow(speed: float = 6.1, model_name: str = "male") -> Scenario:
    """The abdomen struck from the front by a bar across."""
    centre, half = _surface(model_name, "abdomen")
    front = np.array([centre[0] + float(np.linalg.norm(half[0])), 0.0, centre[2]])
    tool = _tool("impactor", BAR_MASS, 1.0, (BAR_RADIUS, 0.12, BAR_RADIUS))
    return _struck("abdomen_impact", model_name, tool, front, np.array([-1.0, 0.0, 0.0]), speed)
