"""Heads dropped on their sites at several ages, and skulls pressed in by an anvil."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ...engine.spec import (
    Actor,
    Body,
    Ellipsoid,
    Joint,
    Material,
    Model,
    Person,
    PrescribedMotion,
    Scenario,
    Settings,
)
from ..library import load_model
from ..parts.placement import body_transforms, ellipsoid_shapes, lowest_point
from ..people.person_model import build_person
from ..scenarios.rigs import single_body
from .experiment import Experiment, experiment
from .head import head_acceleration
from .row import Row
from .running import AS_GIVEN, Runner

SITES = {
    "forehead": (0.0, 120.0, 0.0),
    "occiput": (0.0, -90.0, 0.0),
    "vertex": (0.0, 180.0, 0.0),
    "left parietal": (0.0, 0.0, -90.0),
    "right parietal": (0.0, 0.0, 90.0),
}
"""Site to the turn (degrees Z, Y, X) that puts it lowest."""
YOUNG, OLD = Person(0.5, 1.0, 0.75, 9.5), Person(0.5, 16.0, 1.68, 59.0)
"""Sex, years, m, kg: the youngest that can be made, and the age of the oldest head of the test; usual sizes."""


@dataclass(frozen=True)
class Drop:
    """A head dropped on a plate."""

    acceleration: float
    """g, largest"""
    stiffness: float
    """N/mm, largest force over largest depth"""
    duration: float
    """ms of the contact"""


@cache
def _head(name: str) -> Model:
    people = {"1 year": YOUNG, "16 years": OLD}
    return single_body(build_person(people[name]) if name in people else load_model(name), "head")


def drop(name: str, site: str, height: float, run: Runner = AS_GIVEN) -> Drop:
    """Drop the head of a model, or of a person of "1 year" or "16 years", on a site from a height (m)."""
    model, turn = _head(name), SITES[site]
    low = lowest_point(model, orientation=turn)
    actor = Actor("head", model, position=(0.0, 0.0, round(height - low, 6)), orientation=turn)
    duration = round(float(np.sqrt(2.0 * height / 9.81)) + 0.04, 3)
    settings = Settings(duration=duration, time_step=1e-5, output_step=1e-4, friction=0.3)
    recording = run(Scenario("head_drop_site", [actor], settings=settings))
    event = recording.contacts[0]
    return Drop(
        float(head_acceleration(recording, "head").max()),
        1e-3 * float(event["peak_force"] / event["peak_penetration"]),
        1e3 * float(event["end"] - event["start"]),
    )


def _site_means(name: str, height: float, run: Runner) -> dict[str, float]:
    found = [drop(name, site, height, run) for site in SITES]
    return {
        "peak acceleration": float(np.mean([one.acceleration for one in found])),
        "stiffness": float(np.mean([one.stiffness for one in found])),
        "duration": float(np.mean([one.duration for one in found])),
    }


def head_ages(run: Runner = AS_GIVEN) -> list[Row]:
    """How peak, stiffness and duration of drops change from one to sixteen years; and the lateral drop of adults."""
    rows = []
    for name in ("head_ages_15", "head_ages_30"):
        test = experiment(name)
        young, old = (_site_means(age, test.set_up["height"], run) for age in ("1 year", "16 years"))
        for quantity in young:
            change = 100.0 * (old[quantity] / young[quantity] - 1.0)
            remark = f"{young[quantity]:.3g} at 1 year, {old[quantity]:.3g} at 16 years"
            rows.append(test.row(f"change of {quantity}", change, remark))
    test = experiment("head_lateral")
    for name in test.set_up["models"]:
        found = drop(name, test.set_up["site"], test.set_up["height"], run).acceleration
        rows.append(test.of(model=name).row("peak resultant", found))
    return rows


STEEL = Material("steel", loading=((0.0, 0.0), (0.001, 1.0e7)), energy_retention=1.0, source="Rigid")
ANVIL_RADIUS = 0.048
"""m of the hemispherical anvil (Yoganandan et al. 1995; general knowledge of medium confidence)."""


@dataclass(frozen=True)
class Pressed:
    """A skull pressed in until the force at which specimens failed."""

    depth: float
    """mm"""
    stiffness: float
    """N/mm, force over depth"""
    energy: float
    """J"""


def press(name: str, site: str, force: float, speed: float, run: Runner = AS_GIVEN) -> Pressed:
    """Press a rigid anvil into a held head at a constant speed (m/s) and read it where the force (N) is reached."""
    model = _head(name)
    held = Model(model.name, model.bodies, [Joint("root", "fixed", None, "head")], model.materials)
    shapes = ellipsoid_shapes(held, body_transforms(held, orientation=SITES[site]))
    # lowest point of each surface; of one that is turned it is not straight below its centre
    poles = (centre - half @ half[2] / np.linalg.norm(half[2]) for _, _, centre, half in shapes)
    lowest = min(poles, key=lambda pole: pole[2])
    start = (float(lowest[0]), float(lowest[1]), float(lowest[2]) - ANVIL_RADIUS - 1e-4)
    ball = Ellipsoid("anvil", (ANVIL_RADIUS,) * 3, material="steel")
    anvil = Model(
        "anvil",
        [Body("anvil", 10.0, (0.1, 0.1, 0.1, 0.0, 0.0, 0.0), ellipsoids=[ball])],
        [Joint("root", "free", None, "anvil")],
        [STEEL],
    )
    table = ((0.0, 0.0, 0.0, speed), (1.0, 0.0, 0.0, speed))
    tool = Actor(
        "anvil",
        anvil,
        position=start,
        velocity=(0.0, 0.0, speed),
        prescribed=[PrescribedMotion(None, table, source="Constant speed")],
    )
    way = 0.010
    step = round(way / speed / 2000.0, 9)
    settings = Settings(
        duration=round(way / speed, 6),
        time_step=step,
        output_step=step,
        gravity=(0.0, 0.0, 0.0),
        ground=False,
    )
    scenario = Scenario("skull", [Actor("head", held, orientation=SITES[site]), tool], settings=settings)
    recording = run(scenario)
    index = recording.body_index("anvil", "anvil")
    forces = np.linalg.norm(recording.contact_force[:, index], axis=1)
    ways = (
        recording.position[:, index, 2] - recording.position[int(np.flatnonzero(forces > 0.0)[0]), index, 2]
    )
    at = int(np.flatnonzero(forces >= force)[0])
    energy = float(((forces[1 : at + 1] + forces[:at]) * np.diff(ways[: at + 1])).sum() / 2.0)
    return Pressed(1e3 * float(ways[at]), 1e-3 * force / float(ways[at]), energy)


def skulls(run: Runner = AS_GIVEN) -> list[Row]:
    """Skulls pressed in, fast and slowly; the side of the head under a disc and a plate."""
    rows = []
    for name in ("skull_fast", "skull_slow", "frontal_bone_slow"):
        test = experiment(name)
        found = _pressed(test, run)
        rows += [test.row(quantity, getattr(found, quantity)) for quantity in test.quantities]
    for name in ("skull_side_disc", "skull_side_plate"):
        test = experiment(name)
        found, published = _pressed(test, run).stiffness, test.quantities["stiffness"].mean
        remark = f"{100.0 * (found / published - 1.0):+.0f} %; one curve for the side, whatever strikes it"
        rows.append(test.words("stiffness", f"{found:.0f} N/mm", remark))
    return rows


def _pressed(test: Experiment, run: Runner) -> Pressed:
    how = test.set_up
    return press(how["model"], how["site"], how["force"], how["speed"], run)
