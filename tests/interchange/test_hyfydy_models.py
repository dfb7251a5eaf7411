"""Hyfydy files as models and back: values are kept, and what they mean is the same."""

import dataclasses
import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine import spec, validate
from mannequin.engine.bodies.posture import actor_poses, body_poses, joint_rotation
from mannequin.interchange.common import solids
from mannequin.interchange.common.axes import Z_UP_FROM_Y_UP, matrix_from_xyz, xyz_from_matrix
from mannequin.interchange.common.findings import Findings
from mannequin.interchange.hyfydy.document import read_text
from mannequin.interchange.hyfydy.read import loads, read_hfd
from mannequin.interchange.hyfydy.write import dumps
from mannequin.io_json import model_json
from mannequin.io_json.errors import FileError
from mannequin.models.library import library_path

C = Z_UP_FROM_Y_UP
BALL = "body {{ name = {} mass = 1 inertia = [ 1 1 1 ] }}"
JOINT = "joint {{ name = j parent = a child = b pos_in_parent = [ 0 0 0 ] pos_in_child = [ 0 1 0 ] {} }}"


def pair(words: str, more: str = "") -> spec.Joint:
    """Joint j of two balls with the given words in it."""
    text = f"model {{ {BALL.format('a')} {BALL.format('b')} {JOINT.format(words)} {more} }}"
    return loads(text).actor.model.joints[-1]


def components(text: str) -> dict:
    """Everything a text says, without places."""

    def plain(value):
        if dataclasses.is_dataclass(value):
            return {
                f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value) if f.name != "place"
            }
        return [plain(item) for item in value] if isinstance(value, list) else value

    return plain(read_text(text, Findings()))


def test_a_file_read_and_written_says_the_same(everything) -> None:
    """Every property of every component comes back; only the order and what joints are named by may change."""
    before = components(everything.read_text())
    after = components(dumps(read_hfd(everything).actor.model)[0])
    for geometry in before["geometries"]:
        geometry["material"] = geometry["material"] or "rubber"  # the default, now by name
    for name, parts in before.items():
        if isinstance(parts, list):
            key = "joint" if name == "motors" else "name"
            parts.sort(key=lambda part: part[key])
            after[name].sort(key=lambda part: part[key])
    for motor in (*before["motors"], *after["motors"]):
        motor["target_ori"] = tuple(round(value, 15) for value in motor["target_ori"])
    assert after == before


def test_written_again_it_is_the_same_text(everything) -> None:
    text = dumps(read_hfd(everything).actor.model)[0]
    assert dumps(loads(text).actor.model)[0] == text


def test_our_file_keeps_what_we_have_no_field_for(everything) -> None:
    """.hfd to .json to .hfd is as .hfd to .hfd."""
    model = read_hfd(everything).actor.model
    again = model_json.loads(json.dumps(json.loads(model_json.dumps(model))))
    assert dumps(again)[0] == dumps(model)[0]


def test_the_model_can_be_simulated(everything) -> None:
    imported = read_hfd(everything)
    model, findings = imported.as_model()
    scenario, _ = imported.as_scenario()
    assert [issue for issue in validate(model) if issue.severity == "error"] == []
    assert [issue for issue in validate(scenario) if issue.severity == "error"] == []
    reported = "\n".join(map(str, findings))
    for part in ("slide", "closes a loop", "capsule", "box", "stands still", "gravity", "start", "mesh"):
        assert part in reported


def test_the_start_is_that_of_the_file(everything) -> None:
    """The root's pose and velocity, turned by the default of its degree of freedom; the knee by its own."""
    actor = read_hfd(everything).actor
    assert actor.position == (0.1, 0.3, 1.2)
    assert actor.velocity == (1, -3, 2)
    assert actor.angular_velocity == (0.1, -0.3, 0.2)
    theirs = Rotation.from_euler("XYZ", [10, 20, 30], degrees=True) * Rotation.from_euler(
        "z", 4, degrees=True
    )
    ours = Rotation.from_euler("ZYX", actor.orientation, degrees=True).as_matrix()
    np.testing.assert_allclose(ours, C @ theirs.as_matrix() @ C.T, atol=1e-14)
    assert actor.joint_angles["knee_r"][0] == pytest.approx(-12, abs=1e-13)


def test_surroundings(everything) -> None:
    imported = read_hfd(everything)
    floor, step = imported.obstacles
    assert (floor.shape, floor.orientation, floor.material.name) == ("plane", (0, 0, 0), "stone")
    assert (step.shape, step.half_size, step.position) == ("box", (0.2, 0.5, 0.1), (1, -0.2, 0.1))
    assert step.orientation == pytest.approx((30, 0, 0))  # about the vertical
    assert imported.settings.gravity == (0, 0, -1.62)


def test_a_plane_may_face_anywhere() -> None:
    text = """geometry { name = wall type = plane normal { x = -1 } ori { z = -60 } body = ground }
        body { name = ground mass = 0 inertia = [ 0 0 0 ] }"""
    (wall,) = loads(f"model {{ {BALL.format('a')} {text} }}").obstacles
    normal = Rotation.from_euler("ZYX", wall.orientation, degrees=True).apply([0, 0, 1])
    expected = C @ Rotation.from_euler("z", -60, degrees=True).apply([-1, 0, 0])
    np.testing.assert_allclose(normal, expected, atol=1e-15)


# ---------------------------------------------------------------- joints


@pytest.mark.parametrize(
    ("limits", "kind", "axis"),
    [
        ("", "spherical", None),
        ("limits = [ 0..0 0..0 0..0 ]", "fixed", None),
        ("limits = [ -1..1 0..0 0..0 ]", "revolute", (1, 0, 0)),
        ("limits = [ 0..0 -1..1 0..0 ]", "revolute", (0, 0, 1)),
        ("limits = [ 0..0 0..0 -1..1 ]", "revolute", (0, -1, 0)),
        ("limits = [ -1..1 0..0 -1..1 ]", "spherical", None),
        ("limits = [ 0..0 10..10 -1..1 ]", "spherical", None),
    ],
)
def test_ranges_without_width_lock(limits: str, kind: str, axis) -> None:
    joint = pair(limits)
    assert joint.type == kind
    assert axis is None or joint.axis == axis


def test_limits_of_a_ball_joint_are_those_about_its_axes() -> None:
    """Turning about one axis of theirs, by an angle within its range, is within ours about the same axis, and so on."""
    limits = pair("limits = [ -10..20 -30..40 -50..60 ] limit_stiffness = 7").limits
    for axis, (low, high) in enumerate(((-10, 20), (-30, 40), (-50, 60))):
        for angle in (low, high):
            ours = C @ (np.eye(3)[axis] * angle)  # rotation vector, x y z
            bounds = (np.array(limits.lower)[::-1], np.array(limits.upper)[::-1])
            touching = np.isclose(ours, bounds[0]) | np.isclose(ours, bounds[1])
            assert touching[np.argmax(np.abs(ours))]
    assert limits.stiffness == 7


def test_a_fixed_joint_stands_at_its_locked_angle() -> None:
    joint = pair("ref_ori = [ 20 0 0 ] limits = [ 0..0 0..0 30..30 ]")
    theirs = Rotation.from_euler("x", 20, degrees=True) * Rotation.from_euler("z", 30, degrees=True)
    np.testing.assert_allclose(np.array(joint.T1)[:3, :3], C @ theirs.as_matrix() @ C.T, atol=1e-15)
    assert joint.type == "fixed"


def test_bodies_meet_at_the_joint_in_the_reference_orientation() -> None:
    text = f"model {{ {BALL.format('a')} {BALL.format('b')} {JOINT.format('ref_ori = [ 10 20 30 ]')} }}"
    poses = body_poses(loads(text).actor.model)
    turn = Rotation.from_euler("XYZ", [10, 20, 30], degrees=True).as_matrix()
    np.testing.assert_allclose(poses["b"][:3, :3], C @ turn @ C.T, atol=1e-15)
    np.testing.assert_allclose(poses["b"][:3, 3], -C @ turn @ [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize("limits", ["", "limits = [ 0..0 -99..99 0..0 ]"])
def test_motor_targets_are_the_same_turn(limits: str) -> None:
    words = "target_ori = [ 0 40 0 ] target_vel = [ 0 2 0 ] torque_offset = [ 0 3 0 ]"
    joint = pair(limits, f"joint_motor {{ joint = j stiffness = 1 {words} }}")
    turn = joint_rotation(joint, joint.motor.target)
    np.testing.assert_allclose(turn, Rotation.from_rotvec([0, 0, np.radians(40)]).as_matrix(), atol=1e-15)
    first = 2 if joint.type == "spherical" else 0  # about the vertical, or the only one
    assert joint.motor.target_velocity[first] == 2
    assert joint.motor.base_torque[first] == 3


def test_a_motor_that_only_damps_is_damping() -> None:
    assert pair("").damping == 0.0  # not our default: the file has none
    joint = pair("", "joint_motor { joint = j damping = 2.5 }")
    assert (joint.motor, joint.damping) == (None, 2.5)


def test_limit_damping_is_in_proportion() -> None:
    """k a (1 + b w), as in the manual, 3.1.1."""
    limits = pair("limits = [ 0..0 0..0 -1..1 ] limit_stiffness = 300 limit_damping = 1.5").limits
    assert (limits.stiffness, limits.damping, limits.damping_factor) == (300, 0, 1.5)


# ---------------------------------------------------------------- options


def test_mirror() -> None:
    """The image of every point lies across z = 0, and every turn is the mirrored one."""
    text = """model { model_options { mirror = 1 } body { name = a mass = 1 inertia = [ 1 1 1 ] }
        body { name = leg_r mass = 1 inertia = [ 1 2 2.5 ] joint { name = hip_r parent = a pos_in_parent = [ 1 2 3 ]
        pos_in_child = [ 4 5 6 ] ref_ori = [ 10 20 30 ] limits = [ -1..2 -3..4 -5..6 ] } }
        geometry { name = foot type = sphere radius = 1 body = leg_r pos = [ 7 8 9 ] }
        point_path_muscle { name = m_r max_isometric_force = 1 optimal_fiber_length = 1 tendon_slack_length = 1
        path [ { body = a pos = [ 1 2 3 ] } { body = leg_r pos = [ 4 5 6 ] } ] } }"""
    model = loads(text).actor.model
    poses = body_poses(model)
    reflection = np.diag([1.0, -1.0, 1.0])  # their z is our minus y
    np.testing.assert_allclose(
        poses["leg_l"][:3, :3], reflection @ poses["leg_r"][:3, :3] @ reflection, atol=1e-15
    )
    np.testing.assert_allclose(poses["leg_l"][:3, 3], reflection @ poses["leg_r"][:3, 3], atol=1e-14)
    right, left = (next(j for j in model.joints if j.name == f"hip_{side}").limits for side in "rl")
    # a mirrored turn keeps its component about y (across the plane) and changes sign about x and z
    assert (left.lower, left.upper) == (
        (-right.upper[0], right.lower[1], -right.upper[2]),
        (-right.lower[0], right.upper[1], -right.lower[2]),
    )
    (foot,) = model.bodies[2].ellipsoids
    assert foot.position == (7, 9, 8)
    assert [point.body for point in model.muscles[1].path] == ["a", "leg_l"]


def test_scale() -> None:
    """Twice as long: mass by 8, inertia by 32, whether given or from a shape."""
    text = """model {{ model_options {{ scale = {} }} body {{ name = a mass = 3 inertia = [ 1 1 1 ] }}
        body {{ name = b shape {{ type = capsule radius = 0.1 height = 0.3 }} }} {} }}"""
    joint = JOINT.format("")
    one, two = (loads(text.format(scale, joint)).actor.model for scale in (1, 2))
    for small, big in zip(one.bodies, two.bodies, strict=True):
        assert big.mass == pytest.approx(8 * small.mass)
        assert big.inertia == pytest.approx(tuple(32 * value for value in small.inertia))
    assert np.array(two.joints[-1].T2)[2, 3] == 2


@pytest.mark.parametrize("kind", ["sphere", "cylinder", "capsule", "box"])
def test_mass_of_solids(kind: str) -> None:
    """Against a fine grid of points inside the solid."""
    n = 120
    side = (np.arange(n) + 0.5) / n - 0.5
    x, y, z = np.meshgrid(side * 0.4, side * 0.8, side * 0.4, indexing="ij")
    beyond = np.maximum(np.abs(y) - 0.2, 0.0)
    inside, (mass, moments) = {
        "sphere": (x * x + y * y + z * z < 0.04, solids.sphere(1000.0, 0.2)),
        "cylinder": ((x * x + z * z < 0.04) & (np.abs(y) < 0.3), solids.cylinder(1000.0, 0.2, 0.6)),
        "capsule": (x * x + z * z + beyond**2 < 0.04, solids.capsule(1000.0, 0.2, 0.4)),
        "box": (
            (np.abs(x) < 0.15) & (np.abs(y) < 0.3) & (np.abs(z) < 0.1),
            solids.box(1000.0, (0.3, 0.6, 0.2)),
        ),
    }[kind]
    cell = 1000.0 * 0.4 * 0.8 * 0.4 / n**3
    x, y, z = x[inside], y[inside], z[inside]
    expected = [cell * np.sum(square) for square in (y * y + z * z, x * x + z * z, x * x + y * y)]
    assert mass == pytest.approx(cell * inside.sum(), rel=2e-3)
    assert moments == pytest.approx(expected, rel=4e-3)


# ---------------------------------------------------------------- our models


@pytest.mark.parametrize("name", ["male", "hybrid3_50th", "bicycle"])
def test_models_of_ours_written_and_read_are_the_same_mechanism(name: str) -> None:
    """Centres of mass, inertias in the world and joint centres agree, though body frames may have moved."""
    model = model_json.read_model(library_path(name))
    actor = loads(dumps(model)[0]).actor
    again = actor.model
    ours, theirs = body_poses(model), actor_poses(actor)
    bodies = {body.name: body for body in again.bodies}
    for body in model.bodies:
        twin = bodies[body.name]
        assert twin.mass == body.mass
        a, b = ours[body.name], theirs[body.name]
        np.testing.assert_allclose(
            a[:3, :3] @ body.center_of_mass + a[:3, 3], b[:3, :3] @ twin.center_of_mass + b[:3, 3], atol=1e-12
        )
        np.testing.assert_allclose(
            world_inertia(body, a), world_inertia(twin, b), atol=1e-12 * np.trace(world_inertia(body, a))
        )
    centres = {joint.name: joint for joint in again.joints}
    for joint in model.joints:
        if joint.parent is not None:
            twin = centres[joint.name]
            one = (ours[joint.child] @ np.array(joint.T2, dtype=float))[:3, 3]
            two = (theirs[joint.child] @ np.array(twin.T2, dtype=float))[:3, 3]
            np.testing.assert_allclose(one, two, atol=1e-12)


def world_inertia(body: spec.Body, pose: np.ndarray) -> np.ndarray:
    xx, yy, zz, xy, yz, xz = (float(value) for value in body.inertia)
    return pose[:3, :3] @ np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]]) @ pose[:3, :3].T


@pytest.mark.parametrize("angles", [(0.3, -0.2, 1.1), (3.0, 1.5, -2.0), (0.4, np.pi / 2, 0.0)])
def test_euler_angles_against_scipy(angles) -> None:
    matrix = Rotation.from_euler("XYZ", angles).as_matrix()
    np.testing.assert_allclose(matrix_from_xyz(angles), matrix, atol=1e-15)
    np.testing.assert_allclose(matrix_from_xyz(xyz_from_matrix(matrix)), matrix, atol=1e-14)


# ---------------------------------------------------------------- bad files


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@", "0 models"),
        ("model { } @model { }", "2 models"),
        ("@body { }", "outside the model"),
        ("model @{ }", "no body with a mass"),
        ("model {\n  body { name = a mass = @x }\n}", "'x' is not a number"),
        ("model { body { name = a mass = 1 @mass = 2 } }", "given twice"),
        ("model { body @{ name = a mass = 1 } }", "no mass properties"),
        ("model { body { name = a shape @{ type = sphere } } }", "no radius"),
        ("model { body { name = a shape @{ type = cone } } }", "unknown shape"),
        ("model { @body = 3 }", "not a group"),
        (f"model {{ {BALL.format('a')}\n {BALL.format('a').replace('{', '@{', 1)} }}", "are named 'a'"),
        (f"model {{ {BALL.format('a')} joint @{{ parent = a }} }}", "has no pos_in_parent"),
        (f"model {{ {BALL.format('a')} {JOINT.format('').replace('{', '@{', 1)} }}", "no body 'b'"),
        (f"model {{ {BALL.format('a')}\n\n geometry @{{ body = a type = cone }} }}", "unknown shape"),
        (
            f"model {{ {BALL.format('a')} geometry @{{ body = a type = box dim = [ 0 1 1 ] }} }}",
            "no dim above 0",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, message: str) -> None:
    """The mark @ stands where the error is."""
    before = text[: text.index("@")]
    place = f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"
    with pytest.raises(FileError) as caught:
        loads(text.replace("@", ""))
    assert (caught.value.place, message in caught.value.message) == (place, True), str(caught.value)
    assert caught.value.remedy


def test_words_that_are_not_in_the_manual_are_reported() -> None:
    imported = loads("model { body { name = a mass = 1 inertia = [ 1 1 1 ] colour = red } }")
    assert [str(finding) for finding in imported.findings.list()] == [
        "body 'a': left out 'colour', which the manual does not describe"
    ]


def test_several_free_bodies_are_all_there() -> None:
    joint = JOINT.format("")
    text = f"model {{ {BALL.format('z')} {BALL.format('a')} {BALL.format('b')} {joint} }}"
    imported = loads(text.replace("name = z", "name = z pos = [ 3 0 0 ] lin_vel = [ 0 2 0 ]"))
    model = imported.actor.model
    assert [body.name for body in model.bodies] == ["ground", "z", "a", "b"]
    assert "body 'ground': added" in str(imported.findings.list()[0])
    assert imported.actor.joint_slides["z free"] == (3, 0, 0)
    assert imported.actor.joint_slide_velocities["z free"] == (0, 0, 2)
    assert [i for i in validate(imported.as_scenario()[0]) if i.severity == "error"] == []
    again = read_text(dumps(model)[0], Findings())
    assert ([body.name for body in again.bodies], len(again.joints)) == (["z", "a", "b"], 1)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (
            "limits { x = 0..0 y = 0..0 z = 0..0 } translation_limits { x = 0..0 y = -0.02..0.05 z = 0..0 }",
            "prismatic",
        ),
        ("translation_limits { x = -0.01..0.02 y = -0.03..0.04 z = -0.05..0.06 }", "bushing"),
    ],
)
def test_joints_that_slide_are_read_and_written_again(words: str, kind: str) -> None:
    """Their y is our z, their z our minus y."""
    text = f"model {{ {BALL.format('a')} {BALL.format('b')} {JOINT.format(words)} }}"
    model = loads(text.replace("joint {", "joint_6dof {")).actor.model
    joint = model.joints[-1]
    assert joint.type == kind
    if kind == "prismatic":
        assert joint.axis == (0, 0, 1)
        assert (joint.limits.lower[0], joint.limits.upper[0]) == (-0.02, 0.05)
    else:
        assert joint.slide.limits.lower == (-0.01, -0.06, -0.03)
        assert joint.slide.limits.upper == (0.02, 0.05, 0.04)
    again = loads(dumps(model)[0]).actor.model.joints[-1]
    assert (again.type, again.axis, again.limits, again.slide) == (
        kind,
        joint.axis,
        joint.limits,
        joint.slide,
    )
