"""Vehicle against vehicle and against a wall: speed changes by momentum and restitution, energy, crush by the curve."""

import dataclasses

import numpy as np
import pytest

from mannequin.engine.build.validate import validate
from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import Actor, Obstacle, Scenario, Settings
from mannequin.models.parts.tables import read_table
from mannequin.models.vehicles.barrier_tests import (
    BODY_OF_CLASS,
    NO_CRUSH_SPEED,
    TABLE,
    BarrierTest,
    front_stiffness,
    slope,
    slopes,
)
from mannequin.models.vehicles.crush import (
    RESTITUTION,
    crush_materials,
    strips_across,
    unloading_curve,
)
from mannequin.models.vehicles.form.styles import CLASSES
from mannequin.models.vehicles.road_vehicle import MASSES, build_vehicle

SPEED = 8.0
"""m/s"""
SHARE = 0.25
"""Of the energy that the crush curves of the tests give back: a restitution of a half."""


def springy(kind):
    """A vehicle whose crush curves give back SHARE at every depth."""
    model = build_vehicle(kind)
    model.materials = [
        dataclasses.replace(m, unloading=None, energy_retention=SHARE) if m.name.startswith("crush") else m
        for m in model.materials
    ]
    return model


def settings(**more):
    """Without gravity, ground and friction: nothing but the blow."""
    given = {"duration": 0.5, "time_step": 1e-4, "output_step": 2e-3, "gravity": (0.0, 0.0, 0.0)}
    return Settings(**(given | {"ground": False, "friction": 0.0, "reactions": False} | more))


def speeds(recording, scenario):
    """(actors, times, 3) velocity of each actor's centre of mass, and their masses."""
    found, masses, first = [], [], 0
    for actor in scenario.actors:
        mass = np.array([body.mass for body in actor.model.bodies])
        part = recording.velocity[:, first : first + len(mass)]
        found.append(np.einsum("b,tbk->tk", mass, part) / mass.sum())
        masses.append(mass.sum())
        first += len(mass)
    return np.array(found), np.array(masses)


def collision(first, second, place, turn=0.0, speed=SPEED):
    scenario = Scenario(
        "collision",
        [
            Actor("first", first, velocity=(speed, 0.0, 0.0)),
            Actor("second", second, position=place, orientation=(turn, 0.0, 0.0)),
        ],
        settings=settings(),
    )
    return scenario, run(scenario)


@pytest.fixture(scope="module")
def head_on():
    return collision(springy("saloon"), springy("suv"), (4.7, 0.0, 0.0), 180.0)


def test_central_collision_changes_speeds_as_momentum_and_restitution_say(head_on):
    """Closed form: dv1 = -m2 (1 + e) v / (m1 + m2), dv2 = m1 (1 + e) v / (m1 + m2), e = sqrt(share given back)."""
    scenario, recording = head_on
    velocity, mass = speeds(recording, scenario)
    change = (velocity[:, -1] - velocity[:, 0])[:, 0]
    blow = (1.0 + np.sqrt(SHARE)) * SPEED / mass.sum()
    assert change == pytest.approx([-mass[1] * blow, mass[0] * blow], rel=0.02)


def test_momentum_is_kept_to_round_off_and_energy_within_1_percent(head_on):
    scenario, recording = head_on
    velocity, mass = speeds(recording, scenario)
    momentum = np.einsum("a,atk->tk", mass, velocity)
    assert np.abs(momentum - momentum[0]).max() < 1e-12 * mass[0] * SPEED
    assert abs(recording.energy[-1, -1]) < 0.01 * 0.5 * mass[0] * SPEED**2


def test_every_strip_of_the_front_has_one_contact_and_no_wheel_has(head_on):
    _, recording = head_on
    names = [recording.ellipsoid_names[event["ellipsoid_a"]] for event in recording.contacts]
    assert sorted(names) == [f"front_{k}" for k in range(1, 7)]
    assert {recording.ellipsoid_names[event["ellipsoid_b"]] for event in recording.contacts} == {"bumper"}


def test_crush_is_that_of_two_springs_in_series(head_on):
    """x = v sqrt(m / k) with m the reduced mass and 1 / k = 1 / k1 + 1 / k2; the deepest strip is in the middle, where
    the fronts bulge, the mean is what the energy says."""
    scenario, recording = head_on
    mass = [MASSES["saloon"], MASSES["suv"]]
    stiffness = []
    for kind, m in zip(("saloon", "suv"), mass, strict=True):
        front = crush_materials(CLASSES[kind], m)[0].loading[-1]
        stiffness.append(strips_across(CLASSES["saloon"].width) * front[1] / front[0])
    k = 1.0 / sum(1.0 / value for value in stiffness)
    reduced = mass[0] * mass[1] / sum(mass)
    depth = np.array([event["peak_penetration"] for event in recording.contacts])
    assert np.sqrt((depth**2).mean()) == pytest.approx(SPEED * np.sqrt(reduced / k), rel=0.06)


def test_the_order_of_actors_does_not_matter_much():
    """The strips of the one or those of the other meet a mesh: the same change of speed."""
    scenario, recording = collision(springy("suv"), springy("saloon"), (4.7, 0.0, 0.0), 180.0)
    velocity, mass = speeds(recording, scenario)
    change = (velocity[:, -1] - velocity[:, 0])[:, 0]
    assert change[0] == pytest.approx(-mass[1] * 1.5 * SPEED / mass.sum(), rel=0.02)


def test_side_is_struck_with_the_curve_of_the_side():
    scenario, recording = collision(springy("saloon"), springy("saloon"), (3.4, 0.0, 0.0), 90.0)
    assert {recording.ellipsoid_names[event["ellipsoid_b"]] for event in recording.contacts} <= {
        "side",
        "underbody",
    }
    velocity, mass = speeds(recording, scenario)
    momentum = np.einsum("a,atk->tk", mass, velocity)
    assert np.abs(momentum - momentum[0]).max() < 1e-12 * mass[0] * SPEED
    assert velocity[1, -1, 0] > 0.5 * SPEED


def test_wall_gives_the_speed_back_by_the_restitution_and_the_crush_of_a_spring():
    model = springy("saloon")
    wall = Obstacle("wall", "box", half_size=(0.5, 3.0, 2.0), position=(3.3, 0.0, 1.0))
    scenario = Scenario(
        "wall", [Actor("car", model, velocity=(SPEED, 0.0, 0.0))], [wall], settings=settings()
    )
    recording = run(scenario)
    velocity, mass = speeds(recording, scenario)
    assert velocity[0, -1, 0] == pytest.approx(-np.sqrt(SHARE) * SPEED, rel=0.03)
    front = crush_materials(CLASSES["saloon"], float(mass[0]))[0].loading[-1]
    k = strips_across(CLASSES["saloon"].width) * front[1] / front[0]
    depth = np.array([e["peak_penetration"] for e in recording.contacts if e["peak_force"] > 1e3])
    assert np.sqrt((depth**2).mean()) == pytest.approx(SPEED * np.sqrt(mass[0] / k), rel=0.06)


@pytest.mark.parametrize("speed", [SPEED, 2.0 * SPEED])
def test_shipped_curves_give_back_what_restitution_by_speed_says(speed):
    """Two springs in series: each gives back 0.3 of its speed up to the depth of a barrier at 5 mph, less in proportion
    to the depth beyond, 0.1 at least; the squares of these are shares of the energy that each has taken."""
    kinds = ("saloon", "suv")
    scenario, recording = collision(*map(build_vehicle, kinds), (4.7, 0.0, 0.0), 180.0, speed)
    velocity, mass = speeds(recording, scenario)
    k = np.array([front_stiffness(kind, m) for kind, m in zip(kinds, mass, strict=True)])
    depth = speed * np.sqrt(mass.prod() / mass.sum() / (1.0 / k).sum()) / k
    low = 5.0 * 0.44704 * np.sqrt(mass / k)
    back = np.clip(0.3 * low / depth, RESTITUTION, 0.3)
    expected = np.sqrt((back**2 / k).sum() / (1.0 / k).sum())
    assert (velocity[1, -1, 0] - velocity[0, -1, 0]) / speed == pytest.approx(expected, abs=0.02)


def test_unloading_curve_has_the_areas_that_it_says():
    curve = np.array(unloading_curve(1000.0, 0.1))
    depth = np.linspace(0.0, 1.5, 15001)
    area = np.cumsum(np.interp(depth, curve[:, 0], curve[:, 1])) * (depth[1] - depth[0])
    share = area / np.maximum(500.0 * depth**2, 1e-9)
    at = lambda x: share[round(x * 1e4)]  # noqa: E731
    assert np.sqrt([at(0.05), at(0.1), at(0.2), at(0.3), at(1.0)]) == pytest.approx(
        [0.3, 0.3, 0.15, 0.1, 0.1], abs=0.005
    )


@pytest.mark.parametrize("kind", CLASSES)
def test_stiffness_is_that_of_the_class_and_goes_with_the_mass(kind):
    vehicle = CLASSES[kind]
    usual, heavy = (crush_materials(vehicle, share * MASSES[kind])[0].loading[-1] for share in (1.0, 1.3))
    whole = strips_across(vehicle.width) * usual[1] / usual[0]
    assert whole == pytest.approx(MASSES[kind] * np.median(slopes(BODY_OF_CLASS[kind])) ** 2, rel=1e-3)
    assert heavy[1] == pytest.approx(1.3 * usual[1], rel=1e-3)


def test_slope_of_an_even_crush_is_campbells():
    """b1 = (V - b0) / C, where every depth is the same."""
    assert slope(15.0, (0.5,) * 6) == pytest.approx((15.0 - NO_CRUSH_SPEED) / 0.5, rel=1e-12)


def test_every_barrier_test_is_met_by_its_own_slope():
    """Energy per mass, integrated finely across the front with depths straight between the places, is V^2 / 2."""
    places = np.arange(6)
    across = (np.arange(5000) + 0.5) / 1000.0
    tests = read_table(TABLE, BarrierTest)
    for test in tests:
        depths = 0.001 * np.array(test.depths)
        slowed = NO_CRUSH_SPEED + slope(test.speed / 3.6, tuple(depths)) * np.interp(across, places, depths)
        assert np.mean(slowed**2) == pytest.approx((test.speed / 3.6) ** 2, rel=1e-5), test.number
        assert 2004 <= test.year <= 2025 and test.body in BODY_OF_CLASS.values(), test.number
        assert 1000 < test.mass < 4000, test.number
    assert len({test.number for test in tests}) == len(tests) == 68


def test_a_saloon_is_crushed_by_a_wall_as_barrier_tests_of_cars_are():
    """At 56 km/h, with the curves as shipped: the depth of the strips, less what springs back up to b0, lies in the
    middle half of the tests' mean depths."""
    speed = 56.3 / 3.6
    wall = Obstacle("wall", "box", half_size=(0.5, 3.0, 2.0), position=(3.3, 0.0, 1.0))
    scenario = Scenario(
        "wall",
        [Actor("car", build_vehicle("saloon"), velocity=(speed, 0.0, 0.0))],
        [wall],
        settings=settings(duration=0.2),
    )
    recording = run(scenario)
    depth = np.array([e["peak_penetration"] for e in recording.contacts if e["peak_force"] > 1e3])
    left = np.sqrt((depth**2).mean()) * (1.0 - NO_CRUSH_SPEED / speed)
    tested = [0.001 * np.mean(test.depths) for test in read_table(TABLE, BarrierTest) if test.body == "car"]
    low, high = np.quantile(tested, (0.25, 0.75))
    assert low < left < high, (left, low, high)


def test_people_do_not_touch_the_structure():
    """A ball at the bumper has the contact of the zone alone."""
    from headforms import headform

    ball = Actor("ball", headform(), position=(2.5, 0.0, 0.5), velocity=(-5.0, 0.0, 0.0))
    scenario = Scenario(
        "ball",
        [Actor("car", build_vehicle("saloon")), ball],
        settings=settings(duration=0.08, time_step=5e-5),
    )
    recording = run(scenario)
    assert {recording.ellipsoid_names[e["ellipsoid_b"]] for e in recording.contacts} == {"bumper"}
    assert {recording.ellipsoid_names[e["ellipsoid_a"]] for e in recording.contacts} == {"ball"}


def test_bad_structures_are_refused():
    model = build_vehicle("hatchback")
    surface = model.bodies[0].surface
    for change, message in (
        ({"reach": 0.0}, "reach is 0"),
        ({"direction": (0.0, 0.0, 1.0)}, "no direction to the side"),
        ({"material": "jelly"}, "unknown material 'jelly'"),
    ):
        blocks = [dataclasses.replace(surface.structure[0], **change), *surface.structure[1:]]
        model.bodies[0].surface = dataclasses.replace(surface, structure=blocks)
        assert any(message in issue.message for issue in validate(model)), message
    zones = [dataclasses.replace(surface.zones[0], crush="jelly"), *surface.zones[1:]]
    model.bodies[0].surface = dataclasses.replace(surface, zones=zones)
    assert any("unknown crush material 'jelly'" in issue.message for issue in validate(model))
