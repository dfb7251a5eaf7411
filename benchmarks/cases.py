"""The scenarios that are timed. Free flight, fall, tackle, car against pedestrian, staircase; and families that grow.

All at a time step of 1e-4 s and an output step of 1e-3 s. The people are limp (no motors): MuJoCo gets the same bodies,
joints, joint damping and ellipsoids, and nothing that it has no counterpart for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..engine import Actor, Body, Ellipsoid, Joint, Model, Obstacle, Scenario, Settings
from ..engine.runs.placing import moved, place_on_ground
from ..io_json.scenario_json import read_scenario
from ..models.library import load_model, scenario_path
from ..models.scenarios.obstacles import stair

TIME_STEP = 1.0e-4
STAIR_STRIPS = 40
"""Quads across every face of the staircase mesh: 25 faces of 40 quads make 2,000 triangles."""
CLEARANCE = 1.0e-4
"""m above the floor at the start."""


@dataclass(frozen=True)
class Case:
    """A scenario for this engine and the one that MuJoCo runs beside it."""

    name: str
    scenario: Scenario
    for_mujoco: Scenario
    note: str = ""


def limp(scenario: Scenario, duration: float) -> Scenario:
    """The scenario without motors, nor the tone of a response, which is made of motors, at the benchmark's steps."""
    settings = replace(scenario.settings, time_step=TIME_STEP, output_step=1.0e-3, duration=duration)
    actors = [
        replace(
            actor,
            motors={},
            response=None,
            model=replace(actor.model, joints=[replace(joint, motor=None) for joint in actor.model.joints]),
        )
        for actor in scenario.actors
    ]
    return replace(scenario, actors=actors, settings=settings)


def shipped(name: str, duration: float) -> Scenario:
    """A shipped scenario, limp."""
    return limp(read_scenario(scenario_path(name)), duration)


def with_male(scenario: Scenario, floor: float = 0.0) -> Scenario:
    """The scenario's only actor replaced by the shipped man in the same posture, standing at the height `floor`."""
    man = replace(scenario.actors[0], name="man", model=load_model("male"))
    man = moved(place_on_ground(man, CLEARANCE), (0.0, 0.0, floor))
    return limp(replace(scenario, actors=[man]), scenario.settings.duration)


def stair_mesh(blocks: list[Obstacle], strips: int = STAIR_STRIPS) -> Obstacle:
    """The staircase of `models.scenarios.obstacles.stair` as one mesh: landing, its back, and every riser and tread."""
    landing, *steps = blocks
    width = landing.half_size[1]
    top = 2.0 * landing.half_size[2]
    profile = [(-2.0 * landing.half_size[0], 0.0), (-2.0 * landing.half_size[0], top), (0.0, top)]
    for step in steps:
        height = 2.0 * step.half_size[2]
        profile += [
            (step.position[0] - step.half_size[0], height),
            (step.position[0] + step.half_size[0], height),
        ]
    profile.append((profile[-1][0], 0.0))
    y = np.linspace(-width, width, strips + 1)
    vertices = np.array([(x, across, z) for x, z in profile for across in y])
    a = (np.arange(len(profile) - 1)[:, None] * (strips + 1) + np.arange(strips)).reshape(-1)
    b = a + strips + 1
    triangles = np.concatenate([np.stack([a, b, b + 1], axis=1), np.stack([a, b + 1, a + 1], axis=1)])
    return Obstacle("staircase", "mesh", vertices=vertices, triangles=triangles)


def free_flight(duration: float) -> Case:
    """The man tumbling in the air."""
    man = Actor("man", load_model("male"), position=(0.0, 0.0, 50.0), angular_velocity=(1.0, 2.0, 3.0))
    scenario = limp(Scenario("free flight", [man], settings=Settings(ground=False)), duration)
    return Case("free flight", scenario, scenario)


def fall(duration: float) -> Case:
    """The man falling from standing on the ground plane."""
    scenario = with_male(shipped("fall_standing", duration))
    return Case("fall", scenario, scenario)


def tackle(duration: float) -> Case:
    """Two men running into each other."""
    scenario = shipped("rugby_tackle", duration)
    return Case("tackle", scenario, scenario)


def car_pedestrian(duration: float) -> Case:
    """A car against a walking man: the old model of ellipsoids, as MuJoCo would take a carried mesh for its hull."""
    scenario = read_scenario(scenario_path("car_pedestrian"))
    car, man = scenario.actors
    scenario = limp(replace(scenario, actors=[replace(car, model=load_model("car")), man]), duration)
    return Case("car and man", scenario, scenario)


def staircase(duration: float) -> Case:
    """The man falling down a staircase mesh of 2,000 triangles."""
    blocks = stair()
    start = replace(shipped("stairs_fall", duration), obstacles=blocks)
    on_boxes = with_male(start, 2.0 * blocks[0].half_size[2])
    on_mesh = replace(on_boxes, obstacles=[stair_mesh(blocks)])
    return Case("staircase", on_mesh, on_boxes, "MuJoCo: 12 boxes, as it takes a mesh for its convex hull")


CASES: dict[str, tuple[Callable[[float], Case], float]] = {
    "free flight": (free_flight, 4.0),
    "fall": (fall, 2.0),
    "tackle": (tackle, 1.0),
    "car and man": (car_pedestrian, 1.0),
    "staircase": (staircase, 2.0),
}
"""Name to the function that makes the case, and the simulated seconds."""


def lying_man(duration: float) -> Scenario:
    """The man dropped flat on his back from 0.01 mm: many contacts from the first steps on."""
    man = Actor("man", load_model("male"), orientation=(0.0, -90.0, 0.0))
    man = place_on_ground(man, 1.0e-5)
    return limp(Scenario("lying", [man]), duration)


def chain(bodies: int, duration: float, ellipsoids: int = 0) -> Scenario:
    """A chain of equal rods with ball joints, tumbling in the air; with ellipsoids: lying on the ground."""
    curve = ((0.0, 0.0), (0.01, 2000.0))
    each = max(1, ellipsoids // bodies) if ellipsoids else 0
    places = (np.arange(each) + 0.5) * 0.2 / each if each else []
    surfaces = [
        Ellipsoid(f"e{k}", (0.02, 0.03, 0.03), position=(float(x), 0.0, 0.0), force_curve=curve)
        for k, x in enumerate(places)
    ]
    shift = ((1.0, 0.0, 0.0, 0.2), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    rods, joints = [], []
    for i in range(bodies):
        own = [replace(surface, name=f"{surface.name}_{i}") for surface in surfaces]
        rods.append(
            Body(
                f"rod{i}",
                1.0,
                (2e-4, 3.4e-3, 3.4e-3, 0.0, 0.0, 0.0),
                center_of_mass=(0.1, 0.0, 0.0),
                ellipsoids=own,
            )
        )
        if i == 0:
            joints.append(Joint("root", "free", None, "rod0"))
        else:
            joints.append(Joint(f"joint{i}", "spherical", f"rod{i - 1}", f"rod{i}", T1=shift, damping=0.01))
    actor = Actor(
        "chain",
        Model("chain", rods, joints),
        position=(0.0, 0.0, 0.031 if ellipsoids else 10.0),
        angular_velocity=(0.0, 0.0, 0.0) if ellipsoids else (0.3, 0.5, 0.2),
    )
    settings = Settings(duration=duration, ground=ellipsoids > 0)
    return Scenario(f"chain of {bodies}", [actor], settings=settings)


def crowd(actors: int, duration: float) -> Scenario:
    """Limp men standing in rows 0.9 m apart, all falling."""
    one = with_male(shipped("fall_standing", duration))
    side = int(np.ceil(np.sqrt(actors)))
    people = [
        replace(moved(one.actors[0], (0.9 * (k % side), 0.9 * (k // side), 0.0)), name=f"man{k}")
        for k in range(actors)
    ]
    return replace(one, actors=people)


def terrain(triangles: int, duration: float) -> Scenario:
    """The man falling on his back on a rough floor whose triangles are 0.1 m whatever their number."""
    cells = max(2, round(np.sqrt(triangles / 2.0)))
    line = 0.1 * (np.arange(cells + 1) - 0.5 * cells)
    x, y = np.meshgrid(line, line, indexing="ij")
    z = 0.01 * np.sin(3.0 * x) * np.cos(2.0 * y)
    vertices = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    a = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).reshape(-1)
    b = a + cells + 1
    faces = np.concatenate([np.stack([a, b, b + 1], axis=1), np.stack([a, b + 1, a + 1], axis=1)])
    flat = lying_man(duration)
    man = moved(flat.actors[0], (0.0, 0.0, 0.02))
    floor = Obstacle("floor", "mesh", vertices=vertices, triangles=faces)
    return replace(flat, actors=[man], obstacles=[floor], settings=replace(flat.settings, ground=False))
