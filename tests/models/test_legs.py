"""Legs that give and break: the cut of a bone keeps the body, the rigs repeat published failures, people choose it.

Failure moments are the models' own data (means of one source), so that rows of bending show that statics around the
joint are right; the force of the cart is of another source, and so is predicted.
"""

from copy import deepcopy

import numpy as np
import pytest
from people_data import needs_people

from mannequin.commands import EXIT_OK, EXIT_USAGE
from mannequin.engine import Actor, Body, Ellipsoid, Joint, Material, Model, Scenario, Settings, run, validate
from mannequin.engine.bodies.posture import body_poses
from mannequin.engine.spec import Person
from mannequin.engine.spec.model import SPRING_AXES
from mannequin.io_json.model_json import read_model
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import load_model, scenario_path
from mannequin.models.parts.bodies import body_share
from mannequin.models.parts.bones import Bone, cut_piece, split_bone
from mannequin.models.parts.frames import CENTRAL, transform
from mannequin.models.parts.placement import body_transforms, ellipsoid_shapes
from mannequin.models.parts.rigid import Piece, join
from mannequin.models.people import legs
from mannequin.models.people.cutting import cut
from mannequin.models.people.person_model import build_person
from mannequin.models.people.person_skin import skin_of
from mannequin.models.people.shape import solve
from mannequin.models.people.standing import frames
from mannequin.models.scenarios import leg_rigs
from mannequin.models.validation.leg_response import bending_failure, cart_failure, legform_response

PEOPLE = ("male", "female", "child_3", "child_6", "hybrid3_50th", "male_muscles")
ARM = Bone(100.0, 8.0, 1.0, source="test")


def whole(model) -> Piece:
    """The model at rest as one rigid piece, in the world."""
    poses = body_poses(model)
    pieces = []
    for body in model.bodies:
        part, frame = body_share(body, 1.0), np.array(poses[body.name])
        turn = frame[:3, :3]
        pieces.append(Piece(part.mass, turn @ part.centre + frame[:3, 3], turn @ part.inertia @ turn.T))
    return join(pieces)


@pytest.mark.parametrize("name", PEOPLE)
def test_a_person_with_such_legs_has_the_same_mass_and_inertia(name):
    before, model = whole(load_model(name)), legs.give_legs(load_model(name))
    after = whole(model)
    assert after.mass == pytest.approx(before.mass, rel=1e-10)
    np.testing.assert_allclose(after.centre, before.centre, atol=1e-10)
    np.testing.assert_allclose(after.inertia, before.inertia, atol=1e-9)
    assert len(model.bodies) == len(load_model(name).bodies) + 4
    assert not [issue for issue in validate(Scenario("s", [Actor("a", model)])) if issue.severity == "error"]


def test_muscles_and_feet_stay_where_they_are():
    model = legs.give_legs(load_model("male_muscles"))
    old = load_model("male_muscles")
    now, then = body_poses(model), body_poses(old)
    np.testing.assert_allclose(now["FootL"], then["FootL"], atol=1e-10)
    moved = 0
    for muscle, before in zip(model.muscles, old.muscles, strict=True):
        for point, was in zip(muscle.path, before.path, strict=True):
            place = np.array(now[point.body]) @ [*point.position, 1.0]
            np.testing.assert_allclose(place, np.array(then[was.body]) @ [*was.position, 1.0], atol=1e-9)
            moved += point.body != was.body
    assert moved > 4


def test_any_limb_of_any_actor_can_be_cut():
    model = load_model("ambrosio")
    carriers = {joint.parent for joint in model.joints}
    limb = [joint.child for joint in model.joints if joint.parent is not None and joint.child in carriers][-1]
    before = whole(model)
    joint = split_bone(model, limb, ARM, f"{limb}_far", f"{limb}_bone", share=0.4)
    np.testing.assert_allclose(whole(model).inertia, before.inertia, atol=1e-8)
    assert joint.parent == limb and joint.child == f"{limb}_far"
    assert joint.breaks[0].load == 100.0


def test_a_uniform_rod_is_cut_into_two_uniform_rods():
    """Closed form: a rod of length L has m L^2 / 12; cut at 0.3 L its parts have 0.3 and 0.7 of mass and length."""
    rod = Piece(2.0, np.array([0.0, 0.0, -0.5]), np.diag([1.0, 1.0, 0.0]) * 2.0 / 12.0)
    near, far = cut_piece(rod, np.array([0.0, 0.0, -1.0]), 0.3)
    assert (near.mass, far.mass) == pytest.approx((0.6, 1.4))
    assert near.centre[2] == pytest.approx(-0.15) and far.centre[2] == pytest.approx(-0.65)
    assert near.inertia[0, 0] == pytest.approx(0.6 * 0.3**2 / 12.0)
    assert far.inertia[1, 1] == pytest.approx(1.4 * 0.7**2 / 12.0)


def test_a_leaning_rod_is_cut_on_its_line():
    """Closed form: a thin rod that leans against the axis is cut into two rods on its own line, whatever it leans."""
    way = np.array([0.3, 0.0, -1.0])
    mass, length = 2.0, float(np.linalg.norm(way))
    unit = way / length
    middle = 0.5 * way
    rod = Piece(mass, middle, mass * length**2 / 12.0 * (np.eye(3) - np.outer(unit, unit)))
    near, far = cut_piece(rod, np.array([0.0, 0.0, -1.0]), 0.3)
    np.testing.assert_allclose([near.centre, far.centre], [0.15 * way, 0.65 * way], atol=1e-12)
    for part, share in ((near, 0.3), (far, 0.7)):
        own = share * mass * (share * length) ** 2 / 12.0 * (np.eye(3) - np.outer(unit, unit))
        np.testing.assert_allclose(part.inertia, own, atol=1e-12)


def test_a_cone_like_limb_is_cut_with_its_taper():
    """Closed form: mass on a line of 1 m whose density falls straight from twice its mean to nothing has its centre at
    1/3 and the variance 1/18. Beyond its middle lies a quarter of it, with the centre at 2/3 and the variance 1/72."""
    mass, axis = 4.0, np.array([0.0, 0.0, -1.0])
    thin = Piece(mass, axis / 3.0, np.diag([1.0, 1.0, 0.0]) * mass / 18.0)
    near, far = cut_piece(thin, axis, 0.5, end=1.0)
    assert (near.mass, far.mass) == pytest.approx((3.0, 1.0))
    assert far.centre[2] == pytest.approx(-2.0 / 3.0)
    assert far.inertia[0, 0] == pytest.approx(1.0 / 72.0)
    assert 3.0 * near.centre[2] + far.centre[2] == pytest.approx(mass * thin.centre[2])


@pytest.mark.parametrize("end", [0.34, 9.0, -1.0])
def test_mass_that_cannot_end_there_is_spread_evenly(end):
    """No straight density has this centre and variance and ends so near, so far or on the wrong side."""
    rod = Piece(2.0, np.array([0.0, 0.0, -0.5]), np.diag([1.0, 1.0, 0.0]) * 2.0 / 12.0)
    _, far = cut_piece(rod, np.array([0.0, 0.0, -1.0]), 0.3, end=end)
    assert far.mass == pytest.approx(1.4)


PEOPLE_CUT = [Person(1, 40, 1.754, 90.3), Person(0, 40, 1.612, 77.9), Person(1, 45, 1.76, 140)]


@needs_people
@pytest.mark.parametrize("person", PEOPLE_CUT, ids=str)
def test_halves_of_a_made_persons_limbs_weigh_what_their_mesh_has(person):
    """The mesh itself cut across the middle of thigh and shank: the far half has its share to 0.02 of the limb, where
    an even spread is wrong by 0.04 to 0.06."""
    model = legs.give_legs(deepcopy(build_person(person)))
    mass = {body.name: body.mass for body in model.bodies}
    skin = skin_of(solve(person))
    pieces, placed = cut(skin), frames(skin)
    for stem, (far, _) in legs.BONE_NAMES.items():
        child = {"Thigh": "Shank", "Shank": "Foot"}[stem]
        frame = placed[stem]
        corners = (pieces.vertices[pieces.triangles[stem]] - frame.joint) @ frame.turn.T
        beyond = volume_below(corners, 0.5 * float((placed[child].origin - frame.origin)[2]))
        share = mass[far + "L"] / (mass[far + "L"] + mass[stem + "L"])
        assert share == pytest.approx(beyond / volume_below(corners, np.inf), abs=0.02)


def volume_below(corners, level):
    """Volume (m3) of a closed mesh (n, 3, 3) below a height, by its sections at 400 heights."""
    low, high = corners[..., 2].min(), corners[..., 2].max()
    heights, step = np.linspace(low, high, 401, retstep=True)
    middles = heights[:-1] + 0.5 * step
    return step * sum(section(corners, z) for z in middles[middles < level])


def section(corners, z):
    """Area (m2) of the section of a closed mesh at a height: of each triangle that is cut, the turn about the axis."""
    area = 0.0
    for triangle in corners[np.ptp((corners[..., 2] > z).astype(int), axis=1) > 0]:
        ends = {}
        for a, b in zip(triangle, np.roll(triangle, -1, axis=0), strict=True):
            if (a[2] > z) != (b[2] > z):
                ends[bool(a[2] > z)] = a + (z - a[2]) / (b[2] - a[2]) * (b - a)
        area += 0.5 * (ends[True][0] * ends[False][1] - ends[True][1] * ends[False][0])
    return abs(area)


@needs_people
@pytest.mark.parametrize("person", [Person(0, 40, 1.612, 77.9), Person(1, 45, 1.76, 140)], ids=str)
def test_legs_of_made_people_can_break_too(person):
    """Flesh of a thigh leans against its bone; mass and inertia are what they were."""
    model = deepcopy(build_person(person))
    before = whole(model)
    legs.give_legs(model)
    after = whole(model)
    assert after.mass == pytest.approx(before.mass)
    np.testing.assert_allclose(after.inertia, before.inertia, atol=1e-6)
    assert not [issue for issue in validate(Scenario("s", [Actor("a", model)])) if issue.severity == "error"]


@pytest.mark.parametrize(
    ("body", "share", "words"),
    [("pelvis", 0.5, "is a root"), ("FootL", 0.5, "carries nothing"), ("ShankL", 1.2, "outside the bone"),
     ("nobody", 0.5, "no body")],
)  # fmt: skip
def test_what_cannot_be_cut_is_said(body, share, words):
    with pytest.raises(ValueError, match=words):
        split_bone(load_model("male"), body, ARM, "far", "bone", share)


@pytest.mark.parametrize(
    ("what", "low", "high"), [("tibia", 222.0, 360.0), ("femur", 279.0, 485.0), ("knee", 127.0, 351.0)]
)
def test_bending_to_failure_lies_in_the_published_spread(what, low, high):
    """Kerrigan et al. 2003: tibia 291 +- 69, femur 382 +- 103, knee 134 +- 7 N m (earlier 284 to 351). By statics
    around the specimen, from the force of a support; the angle of a bone by the beam's closed form."""
    scenario = leg_rigs.leg_bending(what)
    found = bending_failure(scenario, what)
    assert low <= found.moment <= high
    assert found.moment == pytest.approx(found.inside, rel=0.01)
    if what == "knee":
        assert found.angle == pytest.approx(16.2, abs=0.2)  # Bose et al. 2008
    else:
        stem = {"tibia": "Shank", "femur": "Thigh"}[what]
        length = 2.0 * leg_rigs.half_span(load_model("male_legs"), what)
        radius = legs.BONE_RADII[stem] * 1.754 / legs.MIDSIZE
        assert np.radians(found.angle) == pytest.approx(0.015 * length / (3.0 * radius), rel=0.01)


@needs_people
@pytest.mark.parametrize("person", [Person(1, 40, 1.754, 90.3), Person(0, 30, 1.68, 62)], ids=str)
def test_a_made_persons_knee_gives_way_in_the_rig(person, monkeypatch):
    """The mass of a made leg does not lie on its axis: held in the plane of the load, the knee fails at the moment that
    is set (134 N m times the cube of the stature: Kerrigan et al. 2003) and near 16.2 degrees (Bose et al. 2008)."""
    model = legs.give_legs(deepcopy(build_person(person)))
    monkeypatch.setattr(leg_rigs, "load_model", lambda name: model)
    found = bending_failure(leg_rigs.leg_bending("knee"), "knee")
    moment = legs.KNEE_MOMENT * (person.height / legs.MIDSIZE) ** 3
    assert found.inside == pytest.approx(moment, rel=0.01)
    assert found.moment == pytest.approx(moment, rel=0.01)
    assert found.angle == pytest.approx(16.2, abs=0.2)


@pytest.mark.xfail(strict=True, reason="known miss: flesh is rigid with its bone here (docs/validation.md)")
@pytest.mark.parametrize(("bone", "low", "high"), [("tibia", 1190.0, 7070.0), ("femur", 1310.0, 8370.0)])
def test_a_bone_struck_by_a_cart_fails_in_the_published_range(bone, low, high):
    """Kress and Porta."""
    force, _ = cart_failure(leg_rigs.leg_cart(bone), bone)
    assert low <= force <= high


def test_the_legform_is_the_published_one_and_meets_what_it_was_fitted_to():
    model = leg_rigs.legform_model()
    assert sum(body.mass for body in model.bodies) == pytest.approx(13.4, abs=0.1)
    angles, moments = np.array([(0.0, 0.0), *leg_rigs.LEGFORM.bending]).T
    energy = float(((moments[1:] + moments[:-1]) * np.diff(np.radians(angles))).sum() / 2.0)
    assert 93.0 <= energy <= 107.0  # static certification: 100 +- 7 J to 15 degrees
    found = legform_response(leg_rigs.legform_certification())
    assert 120.0 <= found.acceleration <= 250.0
    assert 3.5 <= found.shear <= 6.0


def test_pedestrians_legs_break_and_the_report_says_so():
    scenario = read_scenario(scenario_path("car_pedestrian"))
    scenario.settings.duration = 0.1
    recording = run(scenario)
    broken = {recording.joint_names[event["joint"]] for event in recording.breaks}
    assert "kneelJnt" in broken, "the struck side"
    knee = next(e for e in recording.breaks if recording.joint_names[e["joint"]] == "kneelJnt")
    # bending sideways (Kerrigan et al. 2003) or sliding sideways (of the order of Kajzer et al. 1997), for his stature
    scale = 1.754 / 1.753
    limit = {"x": 134.0 * scale**3, "along_y": 2500.0 * scale**2}[SPRING_AXES[knee["axis"]]]
    assert 1.0 <= knee["load"] / limit <= 1.05
    assert any("Legs give and break" in note for note in scenario.actors[1].model.notes)
    assert any("'kneelJnt' of 'man' gave way" in line for line in recording.warnings)
    residual = np.abs(recording.energy[:, -1]).max()
    assert residual < 0.01 * recording.energy[0, :2].sum()


def test_nothing_breaks_in_people_who_did_not_choose_it():
    for name in PEOPLE:
        assert not any(joint.breaks for joint in load_model(name).joints)


def test_the_command_gives_legs_to_any_person(tmp_path, capsys):
    from mannequin.__main__ import main

    path = tmp_path / "woman.json"
    assert main(["models", "legs", "female", "--out", str(path)]) == EXIT_OK
    assert "Legs give and break" in capsys.readouterr().out
    model = read_model(path)
    # 134 N m times the cube of 1.612 / 1.753
    knee = next(joint for joint in model.joints if joint.name == "kneelJnt")
    assert knee.breaks[0].load == pytest.approx(134.0 * (model.height / 1.753) ** 3, rel=1e-3)
    assert main(["models", "legs", str(path), "--out", str(path)]) == EXIT_USAGE
    assert "break already" in capsys.readouterr().err
    assert main(["models", "legs", "car", "--out", str(path)]) == EXIT_USAGE
    assert "no joint" in capsys.readouterr().err


BAR, PLATE = (0.3, 0.02, 0.02), (5.0, 0.02, 5.0)
"""Half axes of a bar across a leg and of what is as good as a flat plate, m."""


def pressed_on_thigh(places, depth, is_one_flesh=True, is_cut=True, presser=BAR):
    """N with which a bar or plate is pushed back that lies on a thigh `depth` (m) deep at places (m beyond the middle),
    by body; the thigh is one long ellipsoid of 80 mm, its bone cut half-way."""
    flesh = Material("flesh", law="linear", stiffness=1e5)
    half = 0.2
    limb = Body(
        "limb",
        8.0,
        (0.12, 0.12, 0.03, 0.0, 0.0, 0.0),
        center_of_mass=(0.0, 0.0, -half),
        ellipsoids=[Ellipsoid("limb", (0.08, 0.08, half), (0.0, 0.0, -half), material="flesh")],
        flesh="leg",
    )
    foot = Body("foot", 1.0, (0.01, 0.01, 0.01, 0.0, 0.0, 0.0))
    joints = [
        Joint("root", "free", None, "hip"),
        Joint("top", "spherical", "hip", "limb"),
        Joint("end", "spherical", "limb", "foot", T1=transform(CENTRAL, (0.0, 0.0, -2 * half))),
    ]
    hip = Body("hip", 1.0, (0.01, 0.01, 0.01, 0.0, 0.0, 0.0))
    model = Model("leg", [hip, limb, foot], joints, [flesh])
    if is_cut:
        split_bone(model, "limb", Bone(300.0, 5.0), "far", "inside")
    if not is_one_flesh:
        for body in model.bodies:
            body.flesh = ""
    shapes = [s for body in model.bodies for s in body.ellipsoids]
    assert len(shapes) == (2 if is_cut else 1)
    found = []
    for place in places:
        thick = max(_thickness(model, -half - place), 0.0)
        bar = Body(
            "bar", 50.0, (1.0,) * 3 + (0.0,) * 3, ellipsoids=[Ellipsoid("bar", presser, material="flesh")]
        )
        across = Model("bar", [bar], [Joint("root", "free", None, "bar")], [flesh])
        settings = Settings(
            gravity=(0.0, 0.0, 0.0),
            ground=False,
            contact_history=True,
            duration=0.001,
            start_overlap_limit=1.0,
        )
        actors = [
            Actor("leg", model),
            Actor("bar", across, position=(0.0, thick + 0.02 - depth, -half - place)),
        ]
        recording = run(Scenario("bar", actors, settings=settings))
        first = recording.contact_history[recording.contact_history["time"] == 0.0]
        found.append(first["normal_force"])
    return found


def _thickness(model, height):
    """y to which the leg's surfaces reach at a height, m; they stand plumb."""
    ends = [
        centre[1] + half[1, 1] * (1.0 - ((height - centre[2]) / half[2, 2]) ** 2) ** 0.5
        for _, _, centre, half in ellipsoid_shapes(model, body_transforms(model))
        if abs(height - centre[2]) < half[2, 2]
    ]
    return max(ends, default=0.0)


def test_flesh_of_a_cut_bone_is_met_once():
    """A bar as deep in the flesh of the cut leg as in that of the whole one is pushed back as hard, at the cut and
    beside it; were both halves to push, it would be twice that at the cut. Two equal forces on one patch add up to
    2^(1/16) of one."""
    places = (-0.08, -0.03, 0.0, 0.03, 0.08)
    whole = [force.sum() for force in pressed_on_thigh(places, 0.02, is_cut=False)]
    once = [force.sum() for force in pressed_on_thigh(places, 0.02)]
    assert once == pytest.approx(whole, rel=0.10)
    apart = pressed_on_thigh((0.0,), 0.02, is_one_flesh=False)[0].sum()
    assert apart > 1.7 * once[2]


def test_a_plate_over_both_halves_of_a_bone_meets_the_flesh_once():
    """The halves' crests lie 10 cm apart, and so do the points where a plate meets them: 12 % more than one half alone
    at 20 mm, 2^(1/16) at 40 mm, where it would be twice as much."""
    for depth, most in ((0.02, 1.15), (0.04, 1.05)):
        (once,) = pressed_on_thigh((0.0,), depth, presser=PLATE)
        (apart,) = pressed_on_thigh((0.0,), depth, presser=PLATE, is_one_flesh=False)
        assert apart == pytest.approx([apart[0]] * 2)
        assert apart[0] <= once.sum() < most * apart[0]


def test_what_strikes_one_half_of_a_bone_pushes_that_half():
    """60 mm beside the cut the nearer half bears nearly all, so that the bone's moment is that of a blow there."""
    near, far = (force.max() / force.sum() for force in pressed_on_thigh((-0.06, 0.06), 0.02))
    assert near > 0.95 and far > 0.95
