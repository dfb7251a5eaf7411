"""Headforms and legforms shot at the points of a grid on a vehicle, as the protection of pedestrians is tested.

Masses, speeds, angles and areas: UN Regulation 127 and Euro NCAP as a public guide quotes them (child 3.5 kg at 50
degrees, adult 4.5 kg at 65 degrees below the horizontal, 35 or 40 km/h). Headforms are 165 mm across.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from ..analysis.measures.hic import hic
from ..analysis.measures.signals import G0
from ..analysis.measures.wrap_around import places_on_tape, skin_of
from ..engine.runs.recording import Recording
from ..engine.runs.simulation import run
from ..engine.spec import Actor, Body, ContactMesh, Ellipsoid, Joint, Material, Model, Scenario, Settings
from ..io_json.errors import FileError
from ..models.scenarios.leg_rigs import legform_test
from ..models.validation.leg_response import legform_response

RADIUS, GAP = 0.0825, 0.01
"""m: of a headform, and from the surface at the start."""
FIRST, BORDER, LAST = 1.0, 1.7, 2.1
"""m of wrap-around distance: where the child's area begins, where the adult's does, and where that ends."""
EDGE = 0.15
"""m from the side of the vehicle that is left out; assumed (the regulation has side reference lines)."""
FLESH = Material("steel", loading=((0.0, 0.0), (0.001, 1.0e6)), energy_retention=1.0, source="Rigid headform")


@dataclass(frozen=True)
class HeadformShot:
    """What one headform met."""

    wrap_around_m: float
    across_m: float
    form: str
    zone: str
    """The zone of the largest force; empty where it met nothing"""
    hic15: float
    peak_g: float
    depth_mm: float


@dataclass(frozen=True)
class LegformShot:
    """What one legform met; limits of the regulation: 170 g, 19 degrees, 6 mm (from memory, unverified)."""

    across_m: float
    acceleration_g: float
    bending_degrees: float
    shear_mm: float


FORMS = {"child": (3.5, 50.0), "adult": (4.5, 65.0)}
"""Name of a headform to its mass, kg, and the angle of its flight below the horizontal, degrees."""


def surface_of(model: Model) -> ContactMesh:
    """The contact mesh of a vehicle. Raises FileError."""
    for body in model.bodies:
        if body.surface is not None:
            return body.surface
    raise FileError(
        f"'{model.name}' has no contact mesh to lay a grid on",
        remedy="Generate the vehicle, or give a body a surface",
    )


def headform(mass: float) -> Model:
    """A rigid ball."""
    inertia = 0.4 * mass * RADIUS**2
    shape = Ellipsoid("ball", (RADIUS,) * 3, material="steel")
    body = Body("headform", mass, (inertia,) * 3 + (0.0,) * 3, (0.0, 0.0, 0.0), [shape])
    return Model("headform", [body], [Joint("root", "free", None, "headform")], [FLESH])


def columns(model: Model, step: float) -> list[float]:
    """m: lateral places of the grid, from right to left, with one in the middle."""
    half = float(np.abs(skin_of(surface_of(model))[:, 1]).max()) - EDGE
    count = int(half / step)
    return [round(step * k, 4) for k in range(-count, count + 1)]


def headform_shots(model: Model, step: float = 0.2, speed: float = 40.0 / 3.6) -> Iterator[HeadformShot]:
    """Shoot at every point of the grid that the vehicle has; speed in m/s."""
    surface = surface_of(model)
    distances = [round(float(distance), 4) for distance in np.arange(FIRST, LAST + 1e-9, step)]
    for across in columns(model, step):
        for distance, place in zip(distances, places_on_tape(surface, across, distances), strict=True):
            name = "child" if distance < BORDER else "adult"
            if place is not None:
                yield _headform_shot(model, name, distance, across, *place, speed)


def _headform_shot(
    model: Model,
    name: str,
    distance: float,
    across: float,
    place: np.ndarray,
    normal: np.ndarray,
    speed: float,
) -> HeadformShot:
    mass, angle = FORMS[name]
    flight = np.array([-np.cos(np.radians(angle)), 0.0, -np.sin(np.radians(angle))])
    start = place + RADIUS * normal - (GAP / max(0.2, float(-flight @ normal))) * flight
    ball = Actor("headform", headform(mass), position=tuple(start), velocity=tuple(speed * flight))
    recording = run(Scenario("shot", [Actor("vehicle", model), ball], settings=shot_settings()))
    g = np.linalg.norm(recording.acceleration[:, recording.body_index("headform", "headform")], axis=1) / G0
    zone, depth = _met(recording)
    return HeadformShot(
        distance, across, name, zone, hic(recording.times, g, 0.015).value, float(g.max()), 1000.0 * depth
    )


def _met(recording: Recording) -> tuple[str, float]:
    """Zone of the hardest contact of a shot, and its depth, m."""
    if not len(recording.contacts):
        return "", 0.0
    event = recording.contacts[int(np.argmax(recording.contacts["peak_force"]))]
    side = "b" if event["ellipsoid_b"] >= 0 and _is_vehicle(recording, event["body_b"]) else "a"
    return recording.ellipsoid_names[event[f"ellipsoid_{side}"]], float(event["peak_penetration"])


def _is_vehicle(recording: Recording, body: int) -> bool:
    return recording.actor_names[recording.body_actor[body]] == "vehicle"


def shot_settings() -> Settings:
    """Of the flight and the blow alone: no gravity, no ground, no friction."""
    return Settings(
        duration=0.04,
        time_step=5e-5,
        output_step=1e-4,
        gravity=(0.0, 0.0, 0.0),
        ground=False,
        friction=0.0,
        reactions=False,
    )


def legform_shots(model: Model, step: float = 0.2) -> Iterator[LegformShot]:
    """Shoot a legform at the bumper at every lateral place of the grid."""
    skin = skin_of(surface_of(model))
    for across in columns(model, step):
        low = skin[(np.abs(skin[:, 1] - across) <= 0.05) & (skin[:, 2] < 1.0)]
        if len(low):
            found = legform_response(legform_test(model, float(low[:, 0].max()), across))
            yield LegformShot(across, found.acceleration, found.bending, found.shear)


def table_of(shots: list[HeadformShot] | list[LegformShot]) -> str:
    """The shots as CSV."""
    rows = [asdict(shot) for shot in shots]
    lines = [",".join(rows[0])]
    lines += [",".join(f"{v:.4g}" if isinstance(v, float) else str(v) for v in row.values()) for row in rows]
    return "\n".join([*lines, ""])
