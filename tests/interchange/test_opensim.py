"""OpenSim files: what is read, against frames worked out here with SciPy, and what is reported or refused.

`arm.osim` has one part of every kind. `test_opensim_itself.py` compares with OpenSim's own program.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from mannequin.engine import validate
from mannequin.engine.bodies.posture import actor_poses, body_poses
from mannequin.engine.maths.piecewise import piece_table, piecewise, spline_pieces, spline_slopes
from mannequin.interchange.common.axes import Z_UP_FROM_Y_UP as C
from mannequin.interchange.opensim.functions import Function
from mannequin.interchange.opensim.read import loads, read_osim
from mannequin.io_json.errors import FileError

ARM = Path(__file__).resolve().parent / "arm.osim"


def frame(rotation: Rotation | None = None, place=(0, 0, 0)) -> np.ndarray:
    result = np.eye(4)
    result[:3, :3] = (rotation or Rotation.identity()).as_matrix()
    result[:3, 3] = place
    return result


def euler(*angles: float) -> Rotation:
    """Body-fixed x-y-z, as OpenSim has it."""
    return Rotation.from_euler("XYZ", angles)


def expected_poses(lean=0.1, flexion=0.5, wrist=0.0, shoulder=(0.2, 0.3, 0.4)) -> dict[str, np.ndarray]:
    """Poses of the bodies of arm.osim with y up, from the numbers in the file."""
    trunk = frame(euler(lean, -0.2, 0.3), (0.4, 0.9, -0.5))
    joint = trunk @ frame(euler(0.1, 0.2, 0.3), (0.02, 0.4, 0.18)) @ frame(euler(*shoulder))
    upper = joint @ np.linalg.inv(frame(euler(-0.2, 0.1, 0.05), (0, 0.01, 0)))
    axis = np.array([0.0494, 0.0366, 0.9981])
    bend = Rotation.from_rotvec(axis / np.linalg.norm(axis) * (-flexion + 0.05))
    turn = Rotation.from_rotvec([0, 0.1, 0]) * bend * Rotation.from_rotvec([0.2, 0, 0])
    # the spline through four points is the cubic through them
    slide = np.polyval(np.polyfit((0, 0.5, 1, 2), (0, 0.001, 0.003, 0.004), 3), flexion)
    lower = upper @ frame(place=(0.006, -0.29, -0.012)) @ frame(turn, (slide, 0, 0))
    hand = lower @ frame(euler(0.3, 0, 0), (0, -0.25, 0)) @ frame(Rotation.from_rotvec([0, 0, wrist]))
    watch = lower @ np.linalg.inv(frame(euler(0, 0.5, 0), (0, 0.2, 0)))
    return {"trunk": trunk, "upper_arm": upper, "forearm": lower, "hand": hand, "watch": watch}


def assert_same_poses(ours: dict, theirs: dict) -> None:
    assert set(ours) == set(theirs)
    for name, pose in theirs.items():
        np.testing.assert_allclose(ours[name][:3, :3], C @ pose[:3, :3] @ C.T, atol=1e-14, err_msg=name)
        np.testing.assert_allclose(ours[name][:3, 3], C @ pose[:3, 3], atol=1e-14, err_msg=name)


def test_bodies_stand_where_the_file_puts_them() -> None:
    assert_same_poses(actor_poses(read_osim(ARM).actor), expected_poses())


def test_coordinates_turn_the_same_way() -> None:
    """Another flexion of the elbow is our angle, in the same sense; it slides by its curve."""
    actor = read_osim(ARM).actor
    actor.joint_angles["elbow"] = (np.degrees(1.3), 0, 0)
    actor.joint_angles["wrist"] = (np.degrees(-0.4), 0, 0)
    assert_same_poses(actor_poses(actor), expected_poses(flexion=1.3, wrist=-0.4))


def test_joint_types_and_limits() -> None:
    joints = {joint.name: joint for joint in read_osim(ARM).actor.model.joints}
    kinds = {name: joint.type for name, joint in joints.items()}
    assert kinds == {
        "root": "free",
        "shoulder": "spherical",
        "elbow": "custom",
        "wrist": "revolute",
        "strap": "fixed",
    }
    shoulder = joints["shoulder"].limits
    # their x, y, z are our x, z, -y; ours are listed Z, Y, X
    assert np.radians(shoulder.lower) == pytest.approx((-0.5, -1, -1))
    assert np.radians(shoulder.upper) == pytest.approx((0.5, 2, 2))
    assert np.radians(joints["elbow"].limits.upper[0]) == pytest.approx(2.2)
    wrist = joints["wrist"].limits
    assert (wrist.lower[0], wrist.upper[0]) == pytest.approx((-50, 60))
    assert (wrist.stiffness, wrist.damping) == pytest.approx((0.0, 0.1 * 180 / np.pi))
    assert all(joint.damping == 0.0 for joint in joints.values() if joint.type in ("revolute", "spherical"))


def test_masses_and_inertias() -> None:
    bodies = {body.name: body for body in read_osim(ARM).actor.model.bodies}
    trunk = bodies["trunk"]
    assert (trunk.mass, trunk.center_of_mass) == (30, (0.01, -0.03, 0.2))
    theirs = np.array([[1.1, 0.02, -0.03], [0.02, 0.7, 0.04], [-0.03, 0.04, 1.3]])
    xx, yy, zz, xy, yz, xz = trunk.inertia
    ours = np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])
    np.testing.assert_allclose(ours, C @ theirs @ C.T, atol=1e-16)
    assert 0 < bodies["watch"].mass < 1e-3


def test_muscles_and_wraps() -> None:
    imported = read_osim(ARM)
    biceps, brachialis = imported.actor.model.muscles
    assert (biceps.form, biceps.tendon, biceps.max_contraction_velocity) == ("thelen", "elastic", 8)
    assert (biceps.max_isometric_force, biceps.optimal_fibre_length, biceps.tendon_slack_length) == (
        600,
        0.12,
        0.27,
    )
    assert np.radians(biceps.pennation) == pytest.approx(0.1)
    assert [point.body for point in biceps.path] == ["trunk", "upper_arm", "upper_arm", "forearm"]
    when = biceps.path[1].when
    assert (when.joint, np.radians((when.lower, when.upper))) == ("elbow", pytest.approx((1.0, 2.0)))
    assert biceps.path[0].position == (0.03, -0.17, 0.41)
    (wrap,) = biceps.wraps
    assert (wrap.surface, wrap.segment, wrap.side) == ("elbow_roll", 2, (-1, 0, 0))
    assert (brachialis.form, brachialis.tendon, brachialis.damping) == ("millard", "rigid", 0.05)
    moving = brachialis.path[1]
    assert moving.position == pytest.approx((0.01 * 0.5 + 0.02, -0.001, -0.03))
    (shift,) = moving.shifts
    assert (shift.joint, shift.direction) == ("elbow", (1, 0, 0))
    assert dict(shift.terms) == pytest.approx({0: -0.01 * 0.5, 1: 0.01})
    (roll,) = imported.actor.model.wrap_surfaces
    assert (roll.body, roll.shape, roll.radius, roll.length) == ("upper_arm", "cylinder", 0.02, 0.06)
    assert roll.position == (0.01, -0.02, -0.29)
    np.testing.assert_allclose(roll.orientation, C @ euler(0.1, 0.2, 0.3).as_matrix(), atol=1e-15)


def test_springs() -> None:
    model = read_osim(ARM).actor.model
    (sling,) = model.springs
    assert (sling.start.position, sling.start.body, sling.end.body) == ((0, 0, 2), None, "hand")
    assert (sling.stiffness, sling.rest_length) == (100, 0.8)
    (spring,) = next(joint for joint in model.joints if joint.name == "elbow").springs
    angle, torque = zip(*spring.curve, strict=True)
    assert np.interp(np.degrees(0.7), angle, torque) == pytest.approx(-5 * (0.7 - 0.2))
    assert spring.damping == 0.3


def test_constraints() -> None:
    """A point held to another is a stiff pin; one that is off is not there."""
    (weld,) = read_osim(ARM).actor.model.welds
    assert (weld.start.body, weld.start.position) == ("trunk", (0.1, -0.3, 0.2))
    assert (weld.end.body, weld.end.position) == ("hand", (0, -0.01, -0.1))
    assert weld.rotational_stiffness == 0


def test_contact() -> None:
    """Two surfaces in series: k1 d1^1.5 = k2 d2^1.5 = F, and Simbody's own formula for the sum of depths."""
    imported = read_osim(ARM)
    hand = next(body for body in imported.actor.model.bodies if body.name == "hand")
    (fist,) = hand.ellipsoids
    (floor,) = imported.obstacles
    assert (fist.semi_axes, fist.position) == ((0.04,) * 3, (0.01, -0.02, -0.08))
    assert floor.position == (0, 0, 0.1)
    normal = Rotation.from_euler("ZYX", floor.orientation, degrees=True).apply([0, 0, 1])
    np.testing.assert_allclose(normal, [0, 0, 1], atol=1e-12)
    material = next(m for m in imported.actor.model.materials if m.name == fist.material)
    depth, stiffness = 0.003, 600000 ** (2 / 3) / 2
    simbody = 4 / 3 * stiffness * depth * np.sqrt(0.04 * stiffness * depth)
    share = floor.material.stiffness ** (2 / 3) / (
        floor.material.stiffness ** (2 / 3) + material.stiffness ** (2 / 3)
    )
    assert material.stiffness * (share * depth) ** 1.5 == pytest.approx(simbody, rel=1e-12)
    assert (material.damping, material.static_friction, material.dynamic_friction) == (1.5, 0.8, 0.6)
    settings = imported.settings
    assert (settings.friction_law, settings.friction_rule, settings.friction_velocity) == (
        "hollars",
        "harmonic",
        0.13,
    )
    assert settings.gravity == (0, 0, -9.8)


def test_what_is_not_carried_over_is_reported() -> None:
    imported = read_osim(ARM)
    printed = "\n".join(map(str, imported.as_model()[1]))
    for part in (
        "WrapTorus",
        "tenth of a gram",
        "range of motion",
        "CoordinateActuator",
    ):
        assert part in printed
    for part in ("stands still", "start", "Thelen's curves", "fast Millard"):
        assert part in printed
    assert "stands still" not in "\n".join(map(str, imported.as_scenario()[1]))


def test_it_can_be_simulated() -> None:
    scenario, _ = read_osim(ARM).as_scenario()
    assert [str(issue) for issue in validate(scenario) if issue.severity == "error"] == []


OLD = """<OpenSimDocument Version="30000"><Model name="old"><BodySet><objects>
<Body name="ground"><mass>0</mass></Body>
<Body name="leg"><mass>3</mass><mass_center>0 -0.1 0</mass_center>
<inertia_xx>0.03</inertia_xx><inertia_yy>0.02</inertia_yy><inertia_zz>0.04</inertia_zz>
<inertia_xy>0.001</inertia_xy><inertia_xz>0</inertia_xz><inertia_yz>0</inertia_yz>
<Joint><PinJoint name="hip"><parent_body>ground</parent_body>
<location_in_parent>0 1 0.1</location_in_parent><orientation_in_parent>0 0.2 0</orientation_in_parent>
<location>0 0.2 0</location><orientation>0.1 0 0</orientation>
<CoordinateSet><objects><Coordinate name="q"><default_value>0.6</default_value></Coordinate></objects></CoordinateSet>
</PinJoint></Joint></Body></objects></BodySet>
<ForceSet><objects><Schutte1993Muscle_Deprecated name="m"><GeometryPath><PathPointSet><objects>
<PathPoint name="a"><location>0 1.2 0</location><body>ground</body></PathPoint>
<PathPoint name="b"><location>0 -0.2 0</location><body>leg</body></PathPoint>
</objects></PathPointSet></GeometryPath><max_isometric_force>10</max_isometric_force></Schutte1993Muscle_Deprecated>
</objects></ForceSet></Model></OpenSimDocument>"""


def test_the_layout_before_version_4() -> None:
    """Joints inside bodies; and a muscle from the ground, for which the ground becomes a body."""
    actor = loads(OLD.encode()).actor
    pose = frame(euler(0, 0.2, 0), (0, 1, 0.1)) @ frame(euler(0, 0, 0.6))
    pose = pose @ np.linalg.inv(frame(euler(0.1, 0, 0), (0, 0.2, 0)))
    poses = actor_poses(actor)
    np.testing.assert_allclose(poses["leg"][:3, :3], C @ pose[:3, :3] @ C.T, atol=1e-15)
    np.testing.assert_allclose(poses["leg"][:3, 3], C @ pose[:3, 3], atol=1e-15)
    assert [point.body for point in actor.model.muscles[0].path] == ["ground", "leg"]
    np.testing.assert_array_equal(body_poses(actor.model)["ground"], np.eye(4))
    assert actor.model.bodies[1].inertia == (0.03, 0.04, 0.02, 0, 0, -0.001)
    assert [i for i in validate(actor.model) if i.severity == "error"] == []


@pytest.mark.parametrize("count", [3, 4, 7])
def test_splines_against_scipy(count: int) -> None:
    """SciPy's not-a-knot spline has other ends; with the ends' third derivative it must be the same curve."""
    rng = np.random.default_rng(count)
    x, y = np.cumsum(rng.uniform(0.2, 1.0, count)), rng.normal(size=count)
    slopes = spline_slopes(x, y)
    spline = CubicSpline(x, y, bc_type=((1, slopes[0]), (1, slopes[-1])))
    inside = np.linspace(x[0], x[-1], 50)[:-1]  # the straight piece beyond has no bend
    table = piece_table([spline_pieces(list(zip(x, y, strict=True)))])
    ours = np.array([piecewise(table, 0, float(value)) for value in inside])
    for order in range(3):
        np.testing.assert_allclose(ours[:, order], spline(inside, order), atol=1e-10)
    if count >= 4:
        for k, points in ((0, slice(0, 4)), (-1, slice(-4, None))):
            cubic = np.polynomial.Polynomial.fit(x[points], y[points], 3).convert()
            assert spline(x[k], 3) == pytest.approx(6 * cubic.coef[3], rel=1e-8)
    assert Function("spline", tuple(x), tuple(y))(x[-1] + 2) == pytest.approx(y[-1] + 2 * slopes[-1])


def body(name: str, joint: str = "") -> str:
    return f"<Body name='{name}'><mass>1</mass><inertia>1 1 1 0 0 0</inertia>{joint}</Body>"


def document(bodies: str, joints: str = "") -> bytes:
    sets = f"<BodySet><objects>{bodies}</objects></BodySet><JointSet><objects>{joints}</objects></JointSet>"
    return f"<OpenSimDocument Version='40000'><Model name='m'>{sets}</Model></OpenSimDocument>".encode()


def ends(parent: str, child: str) -> str:
    return (
        f"<socket_parent_frame>{parent}</socket_parent_frame><socket_child_frame>{child}</socket_child_frame>"
    )


BOMB = b"""<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>
<OpenSimDocument Version="40000">&c;</OpenSimDocument>"""


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (BOMB, None, "document type declaration"),
        (b"\n <a", "line 2, column 2", "unclosed token"),
        (b"<a>\n<b></a>", "line 2, column 6", "mismatched tag"),
        (b"", "line 1, column 1", "no element found"),
        (b"<Model/>", "line 1, column 1", "not an OpenSim file"),
        (b"<OpenSimDocument Version='10903'><Model/></OpenSimDocument>", "line 1, column 1", "too old"),
        (b"<OpenSimDocument Version='40000'/>", "line 1, column 1", "no <Model>"),
        (document(""), "line 1, column 34", "no body"),
        (
            document(body("a").replace("1 1 1 0 0 0", "1 1\n1 0 0 x")),
            f"line 1, column {document(body('a')).index(b'<inertia>') + 1}",
            "not 6 numbers",
        ),
        (
            document(body("a"), f"<WeldJoint name='j'>{ends('/ground', '/bodyset/b')}</WeldJoint>"),
            None,
            "no body or frame 'b'",
        ),
        (b"<a>" * 200, "line 1, column 301", "nested deeper"),
        (b"\xff\xfe", None, "XML"),
    ],
)
def test_bad_files_are_refused_with_their_place(data: bytes, place: str | None, message: str) -> None:
    with pytest.raises(FileError) as caught:
        loads(data)
    assert message in caught.value.message, str(caught.value)
    assert place is None or caught.value.place == place
    assert caught.value.remedy


def test_an_unknown_joint_is_reported() -> None:
    joint = f"<ScapulothoracicJoint name='j'>{ends('/ground', '/bodyset/a')}</ScapulothoracicJoint>"
    imported = loads(document(body("a"), joint))
    assert imported.actor.model.joints[0].type == "fixed"
    assert "ScapulothoracicJoint is not known" in str(imported.findings.list()[0])


# ---------------------------------------------------------------- joints that slide


def coordinates(**values: float) -> str:
    each = (
        f"<Coordinate name='{name}'><default_value>{value}</default_value><range>-2 2</range></Coordinate>"
        for name, value in values.items()
    )
    return f"<coordinates>{''.join(each)}</coordinates>"


def moved(kind: str, values: dict[str, float]) -> np.ndarray:
    """Pose of the child's joint frame in the parent's, from OpenSim's definition of each joint."""
    v = list(values.values())
    if kind == "SliderJoint":
        return frame(place=(v[0], 0, 0))
    if kind == "PlanarJoint":
        return frame(Rotation.from_rotvec([0, 0, v[0]]), (v[1], v[2], 0))
    return frame(Rotation.from_euler("XY", v))


@pytest.mark.parametrize(
    ("kind", "ours", "values"),
    [
        ("SliderJoint", "prismatic", {"x": 0.13}),
        ("PlanarJoint", "planar", {"turn": 0.7, "x": 0.1, "y": -0.2}),
        ("UniversalJoint", "universal", {"first": 0.5, "second": -0.9}),
    ],
)
def test_sliders_planar_and_universal_joints(kind: str, ours: str, values: dict[str, float]) -> None:
    """Exact, in turned and shifted frames: the body stands where the file puts it, and no finding says otherwise."""
    offsets = (
        "<frames>"
        "<PhysicalOffsetFrame name='p'><socket_parent>/bodyset/a</socket_parent><translation>0.1 0.2 0.3</translation>"
        "<orientation>0.3 -0.4 0.5</orientation></PhysicalOffsetFrame>"
        "<PhysicalOffsetFrame name='c'><socket_parent>/bodyset/b</socket_parent><translation>-0.1 0 0.2</translation>"
        "<orientation>-0.2 0.6 0.1</orientation></PhysicalOffsetFrame></frames>"
    )
    joints = (
        f"<FreeJoint name='root'>{ends('/ground', '/bodyset/a')}</FreeJoint>"
        f"<{kind} name='j'>{ends('p', 'c')}{offsets}{coordinates(**values)}</{kind}>"
    )
    imported = loads(document(body("a") + body("b"), joints))
    (joint,) = [j for j in imported.actor.model.joints if j.name == "j"]
    assert joint.type == ours
    near = frame(euler(0.3, -0.4, 0.5), (0.1, 0.2, 0.3))
    far = frame(euler(-0.2, 0.6, 0.1), (-0.1, 0.0, 0.2))
    expected = near @ moved(kind, values) @ np.linalg.inv(far)
    pose = np.linalg.inv(actor_poses(imported.actor)["a"]) @ actor_poses(imported.actor)["b"]
    np.testing.assert_allclose(pose[:3, :3], C @ expected[:3, :3] @ C.T, atol=1e-12)
    np.testing.assert_allclose(pose[:3, 3], C @ expected[:3, 3], atol=1e-12)
    printed = "\n".join(map(str, imported.as_model()[1]))
    assert "held at the default value" not in printed and "ball joint" not in printed
    if ours == "prismatic":
        assert (joint.limits.lower[0], joint.limits.upper[0]) == (-2, 2)
    elif ours == "planar":
        assert joint.slide.limits.upper[:2] == (2, 2)
    assert [i for i in validate(imported.actor.model) if i.severity == "error"] == []
