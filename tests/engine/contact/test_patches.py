"""Contacts of the same two bodies on one patch share one force (docs/derivations.md, Patches)."""

from dataclasses import replace

import numpy as np
import pytest
from headforms import (
    MASS,
    RADIUS,
    SPEED,
    STEEL,
    CarSurface,
    car_material,
    headform,
    plate_hic,
    shots_at_car,
)

from mannequin.engine import Actor, Body, Ellipsoid, Joint, Material, Model, Scenario, Settings, run
from mannequin.engine.contact.arrays import CONTACT_WIDTH, NORMAL, PATCH, POINT
from mannequin.engine.contact.patches import likeness
from mannequin.engine.jit.decorators import interpreted
from mannequin.engine.spec import MULTI_CONTACT_MODES, PrescribedMotion
from mannequin.models.library import load_model
from mannequin.models.parts.placement import lowest_point
from mannequin.models.people.human import build_adult

BONNET = np.linspace(1.28, 1.74, 6), np.linspace(-0.42, 0.42, 4)
SCREEN = np.linspace(0.56, 0.84, 4), np.linspace(-0.3, 0.3, 4)
"""x and y of headform impacts, m: the panels, one headform radius and more from other materials."""


@pytest.mark.parametrize(("part", "grid"), [("bonnet", BONNET), ("windscreen", SCREEN)])
def test_headform_on_the_car_is_as_on_one_plate_of_its_material(part, grid):
    """40 points of the shipped car, each under several overlapping ellipsoids. The plate is one flat surface."""
    surface = CarSurface(load_model("car"))
    hits = [
        surface.first_on(np.array([x, y, 3.0]), np.array([0.0, 0.0, -1.0])) for x in grid[0] for y in grid[1]
    ]
    assert {name for _, name, _ in hits} == {part}
    points = [
        (x, y, 3.0 - hit[0])
        for (x, y), hit in zip(((x, y) for x in grid[0] for y in grid[1]), hits, strict=True)
    ]
    normal = np.mean([hit[2] for hit in hits], axis=0)
    inward = -normal / np.linalg.norm(normal)
    recordings, found = shots_at_car(points, [inward] * len(points))
    touched = [len(r.contacts) for r in recordings]
    assert np.median(touched) >= 3  # else there was nothing to share
    found = found.reshape(len(grid[0]), len(grid[1]))
    assert found == pytest.approx(np.full(found.shape, plate_hic(car_material(part))), rel=0.10)
    for axis in (0, 1):
        assert np.abs(np.diff(np.log(found), axis=axis)).max() < np.log(1.08)
    energy = 0.5 * MASS * SPEED**2
    assert max(np.abs(r.energy[:, -1]).max() for r in recordings) < 1e-3 * energy


def held_bonnet():
    """The bonnet of the shipped car alone, held in place, its curve elastic."""
    car = load_model("car")
    body = next(b for b in car.bodies if b.name == "bonnet")
    elastic = [replace(m, energy_retention=1.0) for m in car.materials if m.name == "bonnet"]
    return Model("bonnet", [body], [Joint("root", "fixed", None, "bonnet")], elastic)


def led_ball(start, velocities, mode):
    """A ball led along straight stretches (duration s, velocity m/s) over the elastic bonnet, without friction."""
    rows, t, ramp = [(0.0, 0.0, 0.0, 0.0)], 0.0, 1e-4
    for duration, velocity in velocities:
        rows += [(t + ramp, *velocity), (t + duration, *velocity)]
        t += duration
    rows.append((t + ramp, 0.0, 0.0, 0.0))
    ball = Actor(
        "headform", headform(STEEL), position=start, prescribed=[PrescribedMotion(None, tuple(rows))]
    )
    settings = Settings(
        duration=t, time_step=5e-5, output_step=1e-4, gravity=(0.0, 0.0, 0.0), ground=False, friction=0.0,
        multi_contact=mode, reactions=False,
    )  # fmt: skip
    return run(Scenario("led", [Actor("bonnet", held_bonnet()), ball], settings=settings))


def test_a_led_ball_feels_no_seams_and_gains_no_work_on_a_closed_path():
    """Pressed 40 mm deep, led over a dozen seams at 1 m/s and back to where it began: 0.1 mm between output times."""
    surface = CarSurface(held_bonnet())
    depth = 0.04
    distance = surface.first_on(np.array([1.35, -0.2, 3.0]), np.array([0.0, 0.0, -1.0]))[0]
    start = (1.35, -0.2, 3.0 - distance + RADIUS + 0.005)
    # along the bonnet's slope, so that the depth stays about the same
    far = surface.first_on(np.array([1.65, -0.2, 3.0]), np.array([0.0, 0.0, -1.0]))[0]
    slope = (distance - far) / 0.3
    stretches = [
        (depth + 0.005, (0.0, 0.0, -1.0)),
        (0.3, (1.0, 0.0, slope)),
        (0.4, (0.0, 1.0, 0.0)),
        (0.3, (-1.0, 0.0, -slope)),
        (0.4, (0.0, -1.0, 0.0)),
        (depth + 0.005, (0.0, 0.0, 1.0)),
    ]
    recording = led_ball(start, stretches, "patches")
    body = recording.body_index("headform", "headform")
    force = np.linalg.norm(recording.contact_force[:, body], axis=1)
    pressed = (recording.times > depth + 0.01) & (recording.times < recording.times[-1] - depth - 0.01)
    assert len(recording.contacts) > 12
    assert np.abs(np.diff(np.log(force[pressed]))).max() < 0.005
    work = recording.energy[:, 2]
    assert abs(work[-1]) < 0.01 * np.abs(work).max()


def lying(mode):
    """A man by tables, no two of whose bodies are one flesh, laid on his back on the ground, sinking in under his
    weight."""
    man = build_adult("male", 1.754, 90.3)
    flat = (0.0, -90.0, 0.0)
    low = lowest_point(man, orientation=flat)
    settings = Settings(duration=0.4, multi_contact=mode, output_step=0.01)
    actor = Actor("man", man, position=(0.0, 0.0, -low), orientation=flat)
    return run(Scenario("lying", [actor], settings=settings))


def test_a_person_at_rest_is_the_same_to_the_bit_where_patches_do_not_overlap():
    """Both buttocks lie on the ground beside each other: two contacts of one body that share nothing."""
    none, patches = lying("none"), lying("patches")
    assert patches.contacts["share"].min() == 1.0
    bodies = patches.contacts["body_a"].tolist()
    assert max(bodies.count(body) for body in set(bodies)) >= 2
    assert np.array_equal(none.position, patches.position)
    assert np.array_equal(none.contact_force, patches.contact_force)


def knobs(places, mass=1.0, friction=None):
    """A free body with a ball of 20 mm at each place, springs of 1e5 N/m with dampers."""
    skin = Material("m", law="linear", stiffness=1e5, damping=500.0, static_friction=friction)
    balls = [
        Ellipsoid(f"ball_{k}", (0.02, 0.02, 0.02), place, material="m") for k, place in enumerate(places)
    ]
    body = Body("body", mass, (1e3, 1e3, 1e3, 0.0, 0.0, 0.0), ellipsoids=balls)
    return Model("knobs", [body], [Joint("root", "free", None, "body")], [skin])


def pushes(top, bottom, height):
    """Normal forces at the start of two free bodies above each other, and the sum of all forces."""
    settings = Settings(
        gravity=(0.0, 0.0, 0.0), ground=False, contact_history=True, duration=0.001, start_overlap_limit=1.0
    )
    actors = [Actor("top", top, position=(0.0, 0.0, height)), Actor("bottom", bottom)]
    recording = run(Scenario("knobs", actors, settings=settings))
    first = recording.contact_history[recording.contact_history["time"] == 0.0]
    return first["normal_force"], recording.contact_force.sum(axis=1)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_ellipsoids_at_one_place_carry_the_p_norm_of_one(count):
    """n equal contacts: n^(1/16) of one, each its nth part; two springs of 1e5 N/m in series, 2 mm deep: 100 N."""
    found, total = pushes(knobs([(0.0, 0.0, 0.0)] * count), knobs([(0.0, 0.0, 0.0)]), 0.038)
    assert len(found) == count
    assert found == pytest.approx(np.full(count, 100.0 * count ** (1 / 16) / count), rel=1e-9)
    assert np.abs(total).max() < 1e-12


def test_the_deeper_of_two_governs():
    """1 mm and 2 mm deep at one place: works 1 to 4, so r = 4^16, and the deeper keeps its force to 1e-9."""
    found, _ = pushes(knobs([(0.0, 0.0, 0.0), (0.0, 0.0, 0.001)]), knobs([(0.0, 0.0, 0.0)]), 0.038)
    r = 4.0**16
    expected = [100.0 * (1 + 1 / r) ** (-15 / 16), 50.0 * (1 + r) ** (-15 / 16)]
    assert found == pytest.approx(expected, rel=1e-6)


def jointed_knobs(words):
    """Two bodies on a slider that cannot move by the first force, a ball of `knobs` on each, both at one place."""
    skin = Material("m", law="linear", stiffness=1e5, damping=500.0)
    bodies = [
        Body(
            f"body_{k}",
            1.0,
            (1e3, 1e3, 1e3, 0.0, 0.0, 0.0),
            ellipsoids=[Ellipsoid(f"ball_{k}", (0.02, 0.02, 0.02), material="m")],
            flesh=word,
        )
        for k, word in enumerate(words)
    ]
    joints = [
        Joint("root", "free", None, "body_0"),
        Joint("slider", "prismatic", "body_0", "body_1", axis=(0.0, 0.0, 1.0)),
    ]
    return Model("jointed", bodies, joints, [skin])


@pytest.mark.parametrize(
    ("words", "each"), [(("", ""), 100.0), (("a", "b"), 100.0), (("a", "a"), 100.0 * 2 ** (1 / 16) / 2)]
)
@pytest.mark.parametrize("is_above", [True, False])
def test_bodies_of_one_flesh_share_as_surfaces_of_one_body_do(words, each, is_above):
    """The same closed form as above; bodies without a word, or with different words, each carry their own force."""
    jointed, other = jointed_knobs(words), knobs([(0.0, 0.0, 0.0)])
    found, total = pushes(jointed, other, 0.038) if is_above else pushes(other, jointed, 0.038)
    assert found == pytest.approx([each, each], rel=1e-9)
    assert np.abs(total).max() < 1e-12


def contact_row(point, normal, patch):
    row = np.zeros(CONTACT_WIDTH)
    row[POINT : POINT + 3], row[NORMAL : NORMAL + 3], row[PATCH] = point, normal, patch
    return row


def test_likeness_of_two_patches():
    """1 within half their reach, 0 from where they touch, 1/2 in between; the same when the bodies change sides."""
    like = interpreted(likeness)
    up = (0.0, 0.0, 1.0)
    one = contact_row((0.0, 0.0, 0.0), up, 0.03)
    for distance, expected in ((0.0, 1.0), (0.019, 1.0), (0.03, 0.5), (0.04, 0.0), (0.1, 0.0)):
        other = contact_row((distance, 0.0, 0.005), up, 0.01)
        assert like(one, other, 1.0) == pytest.approx(expected, abs=1e-12)
        swapped = contact_row((distance, 0.0, 0.005), (0.0, 0.0, -1.0), 0.01)
        assert like(one, swapped, -1.0) == like(one, other, 1.0)
        assert like(one, swapped, 1.0) == 0.0
    for degrees, expected in ((0.0, 1.0), (29.0, 1.0), (61.0, 0.0), (90.0, 0.0)):
        turned = (np.sin(np.radians(degrees)), 0.0, np.cos(np.radians(degrees)))
        assert like(one, contact_row((0.0, 0.0, 0.0), turned, 0.01), 1.0) == expected


@pytest.mark.parametrize("mode", MULTI_CONTACT_MODES)
def test_stiction_holds_with_the_whole_normal_force_in_every_mode(mode):
    """On two balls at one place, on a slope of 0.7 of the friction angle. Were the factor of the mode on the limit of
    the bristle as well as on the force, half the limit would be left in mode continuous, and the body would slide."""
    friction, steep = 0.5, 0.7
    bottom = knobs([(0.0, 0.0, -0.3)], 10.0, friction)
    bottom.bodies[0].ellipsoids[0].semi_axes = (0.3, 0.3, 0.3)
    still = PrescribedMotion(None, ((0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    angle = np.arctan(steep * friction)
    settings = Settings(
        gravity=(9.81 * np.sin(angle), 0.0, -9.81 * np.cos(angle)), ground=False, duration=0.3, multi_contact=mode,
        friction=friction,
    )  # fmt: skip
    actors = [
        Actor("top", knobs([(0.0, 0.0, 0.0)] * 2, 1.0, friction), position=(0.0, 0.0, 0.02)),
        Actor("bottom", bottom, prescribed=[still]),
    ]
    recording = run(Scenario("slope", actors, settings=settings))
    assert abs(recording.position[-1, 0, 0]) < 1e-4
