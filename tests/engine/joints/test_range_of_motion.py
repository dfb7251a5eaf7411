"""Published ranges on a model with OpenMBD's joint frames: signs shown by where the limb goes, not by the table."""

import numpy as np
import pytest

from mannequin.engine.maths.rotations import matrix_from_zyx
from mannequin.engine.spec import AxisLimits, Body, Joint, Model
from mannequin.models.people.ambrosio_joints import AMBROSIO_TABLE_2, cone_limits, revolute_limits
from mannequin.models.people.joint_damping import RELAXED, apply_joint_damping
from mannequin.models.people.range_of_motion import (
    OPENMBD_JOINTS,
    RANGES,
    apply_range_of_motion,
    size_factor,
    weight_moment,
)

HALF_TURN = np.diag([1.0, -1.0, -1.0, 1.0])


def placed(x, y, z, turn=HALF_TURN):
    frame = np.array(turn, dtype=float)
    frame[:3, 3] = (x, y, z)
    return tuple(tuple(row) for row in frame)


def make_person(mass=75.0, height=1.75, turn=HALF_TURN):
    """One side of a person with OpenMBD's joint names, straight and facing +x; masses and lengths after Winter."""
    s = height / 1.75
    rows = [  # joint, parent, child, centre in the parent, share of the mass, centre of mass in the child
        ("rootJoint", None, "pelvis", (0.0, 0.0, 0.0), 0.353, (0.0, 0.0, 0.0)),  # and the right limbs
        ("lowerbackJnt", "pelvis", "lower", (0.0, 0.0, 0.1), 0.139, (0.0, 0.0, 0.1)),
        ("upperbackJnt", "lower", "upper", (0.0, 0.0, 0.2), 0.216, (0.0, 0.0, 0.15)),
        ("neckJnt", "upper", "neck", (0.0, 0.0, 0.26), 0.02, (0.0, 0.0, 0.05)),
        ("headJnt", "neck", "head", (0.0, 0.0, 0.12), 0.061, (0.02, 0.0, 0.06)),
        ("hiplJnt", "pelvis", "thigh", (0.0, 0.08, 0.0), 0.1, (0.0, 0.0, -0.18)),
        ("kneelJnt", "thigh", "shank", (0.0, 0.0, -0.43), 0.0465, (0.0, 0.0, -0.19)),
        ("anklelJnt", "shank", "foot", (0.0, 0.0, -0.43), 0.0145, (0.1, 0.0, -0.03)),
        ("shoulderlJnt", "upper", "arm", (0.0, 0.17, 0.22), 0.028, (0.0, 0.0, -0.14)),
        ("elbowlJnt", "arm", "forearm", (0.0, 0.0, -0.33), 0.016, (0.0, 0.0, -0.11)),
        ("wristlJnt", "forearm", "hand", (0.0, 0.0, -0.25), 0.006, (0.0, 0.0, -0.08)),
    ]
    joints, bodies = [], []
    for name, parent, child, centre, share, com in rows:
        kind = "free" if parent is None else "spherical"
        T1 = placed(*(s * x for x in centre), turn=turn)
        joints.append(Joint(name, kind, parent, child, T1=T1, T2=placed(0, 0, 0, turn=turn)))
        bodies.append(Body(child, share * mass, (0.01, 0.01, 0.01, 0, 0, 0), tuple(s * x for x in com)))
    return Model("person", bodies, joints, height=height)


def joint_of(model, name):
    return next(joint for joint in model.joints if joint.name == name)


def moved(joint, zyx, point):
    """Where a point of the child goes, relative to the joint centre, in the parent's axes, when the joint turns."""
    R = np.eye(4)
    R[:3, :3] = matrix_from_zyx(zyx)
    T = np.array(joint.T1) @ R @ np.linalg.inv(np.array(joint.T2))
    return (T @ [*point, 1.0])[:3] - np.array(joint.T1)[:3, 3]


DOWN, TOE, UP = (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


@pytest.mark.parametrize("turn", [HALF_TURN, np.eye(4)], ids=["OpenMBD frames", "plain frames"])
@pytest.mark.parametrize(
    ("name", "point", "front", "rear"),
    [
        ("hiplJnt", DOWN, 120.0, 30.0),
        ("kneelJnt", DOWN, 0.0, 135.0),
        ("elbowlJnt", DOWN, 150.0, 0.0),
        ("wristlJnt", DOWN, 80.0, 70.0),
    ],
)
def test_flexion_goes_the_right_way(turn, name, point, front, rear):
    """Turned about Y to its upper and lower limit, the limb stands this far in front of and behind the vertical."""
    model = make_person(turn=turn)
    apply_range_of_motion(model)
    joint = joint_of(model, name)
    angles = []
    for bound in (joint.limits.lower, joint.limits.upper):
        x, y, z = moved(joint, (0.0, bound[1], 0.0), point)
        assert y == pytest.approx(0.0, abs=1e-12)
        angles.append(np.degrees(np.arctan2(x, -z)))
    assert sorted(angles) == pytest.approx([-rear, front], abs=1e-9)


def test_ankle_and_trunk():
    model = make_person()
    apply_range_of_motion(model)
    ankle, back = joint_of(model, "anklelJnt"), joint_of(model, "lowerbackJnt")
    toes = [moved(ankle, (0.0, bound[1], 0.0), TOE)[2] for bound in (ankle.limits.lower, ankle.limits.upper)]
    assert sorted(np.degrees(np.arcsin(toes))) == pytest.approx([-50.0, 20.0])
    lean = [moved(back, (0.0, bound[1], 0.0), UP)[0] for bound in (back.limits.lower, back.limits.upper)]
    assert sorted(np.degrees(np.arcsin(lean))) == pytest.approx([-15.0, 50.0]), (
        "bends forward further than backward"
    )


def test_left_hip_sideways_and_turning():
    model = make_person()
    apply_range_of_motion(model)
    hip = joint_of(model, "hiplJnt")
    sideways = [moved(hip, (0.0, 0.0, bound[2]), DOWN)[1] for bound in (hip.limits.lower, hip.limits.upper)]
    assert sorted(np.degrees(np.arcsin(sideways))) == pytest.approx([-30.0, 45.0]), (
        "left leg: left is outward"
    )
    assert (hip.limits.lower[0], hip.limits.upper[0]) == (-45.0, 45.0)


def test_right_side_mirrors_the_left():
    mapping = {"hiplJnt": ("hip", "right"), "shoulderlJnt": ("shoulder", "right")}
    left, right = make_person(), make_person()
    apply_range_of_motion(left)
    apply_range_of_motion(right, mapping)
    a, b = joint_of(left, "hiplJnt").limits, joint_of(right, "hiplJnt").limits
    assert (b.lower[1], b.upper[1]) == (a.lower[1], a.upper[1])
    for k in (0, 2):
        assert (b.lower[k], b.upper[k]) == (-a.upper[k], -a.lower[k])
    p, q = joint_of(left, "shoulderlJnt").cone, joint_of(right, "shoulderlJnt").cone
    assert q.quadrant_angles == tuple(p.quadrant_angles[k] for k in (0, 3, 2, 1))
    assert q.twist == (-p.twist[1], -p.twist[0])


@pytest.mark.parametrize(
    ("zyx", "free"),
    [
        ((0.0, 170.0, 0.0), True),  # flexed overhead
        ((0.0, -59.0, 0.0), True),  # drawn back
        ((0.0, -75.0, 0.0), False),
        ((0.0, 0.0, 170.0), True),  # abducted overhead, to the left
        ((0.0, 0.0, -29.0), True),
        ((0.0, 0.0, -45.0), False),
        ((69.0, 0.0, 0.0), True),  # turned inward (to the right)
        ((80.0, 0.0, 0.0), False),
        ((-89.0, 0.0, 0.0), True),
        ((-100.0, 0.0, 0.0), False),
    ],
)
def test_left_shoulder_cone_in_the_kernel(bench, zyx, free):
    model = make_person()
    apply_range_of_motion(model)
    from scipy.spatial.transform import Rotation

    q = np.roll(Rotation.from_matrix(matrix_from_zyx(zyx)).as_quat(), 1)
    torque = bench(cone=joint_of(model, "shoulderlJnt").cone)(q if q[0] >= 0 else -q, np.zeros(3)).total()
    assert (np.linalg.norm(torque) < 1e-9) == free


@pytest.mark.parametrize(("mass", "height"), [(90.0, 1.754), (75.0, 1.75), (15.0, 1.0), (8.0, 0.7)])
def test_every_limit_holds_its_limb_within_five_degrees(mass, height):
    """The moment of weight of the outstretched limb is met before 5 degrees past the limit."""
    model = make_person(mass, height)
    apply_range_of_motion(model)
    for joint in model.joints[1:]:
        moment = weight_moment(model, joint)
        assert moment > 0.0
        if joint.limits is not None:
            assert np.degrees(moment / joint.limits.stiffness) < 5.0
        else:
            x = 5.0 / joint.cone.width
            assert joint.cone.torque * (3 * x**2 - 2 * x**3) > moment


def test_weight_moment_of_a_leg():
    model = make_person()
    hip = joint_of(model, "hiplJnt")
    masses = 75.0 * np.array([0.1, 0.0465, 0.0145])
    reach = np.array([0.18, 0.43 + 0.19, 0.86 + 0.03])
    by_hand = 9.81 * np.hypot(masses @ reach, masses[2] * 0.1)
    assert weight_moment(model, hip) == pytest.approx(by_hand)


def test_stiffness_and_damping_scale_with_the_person():
    adult, child = make_person(), make_person(15.0, 1.0)
    assert size_factor(adult) == pytest.approx(1.0)
    assert size_factor(child) == pytest.approx(15.0 / 75.0 * 1.0 / 1.75)
    for model in (adult, child):
        apply_range_of_motion(model)
        apply_joint_damping(model)
    assert joint_of(adult, "kneelJnt").limits.stiffness == pytest.approx(226.0 / np.radians(11.5), abs=1e-3)
    assert joint_of(adult, "hiplJnt").damping == RELAXED["hip"].value
    assert joint_of(child, "wristlJnt").limits.stiffness < 0.2 * joint_of(adult, "wristlJnt").limits.stiffness
    assert joint_of(child, "hiplJnt").damping == pytest.approx(
        RELAXED["hip"].value * size_factor(child), abs=1e-4
    )


def test_unknown_joints_are_reported_and_own_limits_kept():
    model = make_person()
    joint_of(model, "kneelJnt").limits = own = AxisLimits((0, 0, 0), (1, 1, 1))
    joint_of(model, "hiplJnt").name = "hip of a stranger"
    notes = apply_range_of_motion(model)
    assert joint_of(model, "kneelJnt").limits is own
    assert joint_of(model, "hip of a stranger").limits is None
    assert "joint 'kneelJnt': keeps its own range of motion" in notes
    assert any("'hip of a stranger'" in note and "does not name it" in note for note in notes)
    assert len(notes) == 10, "one note per joint that turns"


def test_oblique_joint_frames_are_reported():
    turn = np.eye(4)
    turn[:3, :3] = matrix_from_zyx((0.0, 0.0, 30.0))
    model = make_person(turn=turn)
    notes = apply_range_of_motion(model)
    assert all("not along the person's" in note for note in notes)
    assert all(joint.limits is None and joint.cone is None for joint in model.joints)


def test_a_hinge_takes_the_range_about_its_axis():
    model = make_person()
    knee = joint_of(model, "kneelJnt")
    knee.type, knee.axis = "revolute", (0.0, 1.0, 0.0)
    apply_range_of_motion(model)
    assert (knee.limits.lower[0], knee.limits.upper[0]) == (-135.0, 0.0)
    assert moved(knee, (0.0, knee.limits.lower[0], 0.0), DOWN)[0] < 0.0, "the shank bends to the rear"


def test_every_mapped_joint_has_a_range():
    assert {key for key, _ in OPENMBD_JOINTS.values()} <= set(RANGES)
    assert {key for key, _ in OPENMBD_JOINTS.values()} <= set(RELAXED)
    assert len(OPENMBD_JOINTS) == 16


def test_table_2():
    """Secant stiffness 1126 N m/rad (docs/derivations.md, Range of motion), and the hinges' ranges from the straight
    limb."""
    assert AMBROSIO_TABLE_2["shoulder"].secant_stiffness == pytest.approx(1126.0, abs=0.1)
    knee = revolute_limits("knee", flexion_sign=-1.0)
    assert (knee.lower[0], knee.upper[0]) == (-135.0, 0.0)
    elbow = revolute_limits("elbow")
    assert (elbow.lower[0], elbow.upper[0]) == (0.0, 135.0)
    assert revolute_limits("head_neck").upper[0] == 19.0
    hip = cone_limits("hip", (0, 0, 1), (0, 1, 0), (0, 0, 1), twist=(-45.0, 45.0))
    assert (hip.quadrant_angles, hip.torque, hip.width) == ((10.0, 120.0, 50.0, 45.0), 452.0, 11.5)
    with pytest.raises(ValueError, match="use revolute_limits"):
        cone_limits("knee", (0, 0, 1), (1, 0, 0), (0, 0, 1))
    with pytest.raises(ValueError, match="use cone_limits"):
        revolute_limits("hip")
