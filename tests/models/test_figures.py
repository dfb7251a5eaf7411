"""The shipped people and dummies: published masses and inertias, exact mirrors, no gaps, right signs."""

import itertools
import math

import numpy as np
import pytest

from mannequin.models import library
from mannequin.models.parts.placement import body_transforms, ellipsoid_shapes
from mannequin.models.people.human import build_adult

TABLED = ("hybrid3_50th",)
PERSONS = ("male", "female", "child_3", "child_6")
FIGURES = (*TABLED, *PERSONS)
PEOPLE = (*FIGURES, "ambrosio")

# De Leva 1996, table 4, typed again from the table: stature of the sample (m); per segment the share of mass (%),
# length (mm) and radii of gyration (%) about the sagittal, transverse and longitudinal axis.
DE_LEVA = {
    "male": (
        1.741,
        {
            "head": (6.94, 242.9, 30.3, 31.5, 26.1),
            "upper_trunk": (15.96, 242.1, 50.5, 32.0, 46.5),
            "middle_trunk": (16.33, 215.5, 48.2, 38.3, 46.8),
            "lower_trunk": (11.17, 145.7, 61.5, 55.1, 58.7),
            "upper_arm": (2.71, 281.7, 28.5, 26.9, 15.8),
            "forearm": (1.62, 268.9, 27.6, 26.5, 12.1),
            "thigh": (14.16, 422.2, 32.9, 32.9, 14.9),
            "shank": (4.33, 440.3, 25.1, 24.6, 10.2),
        },
        {"hand": (0.61, 187.9, 28.8, 23.5, 18.4), "foot": (1.37, 258.1, 25.7, 24.5, 12.4)},
    ),
    "female": (
        1.735,
        {
            "head": (6.68, 243.7, 27.1, 29.5, 26.1),
            "upper_trunk": (15.45, 228.0, 46.6, 31.4, 44.9),
            "middle_trunk": (14.65, 205.3, 43.3, 35.4, 41.5),
            "lower_trunk": (12.47, 181.5, 43.3, 40.2, 44.4),
            "upper_arm": (2.55, 275.1, 27.8, 26.0, 14.8),
            "forearm": (1.38, 264.3, 26.1, 25.7, 9.4),
            "thigh": (14.78, 368.5, 36.9, 36.4, 16.2),
            "shank": (4.81, 438.6, 26.7, 26.3, 9.2),
        },
        {"hand": (0.56, 170.1, 24.4, 20.8, 15.4), "foot": (1.29, 228.3, 29.9, 27.9, 13.9)},
    ),
}
MEMBERS = {
    "head": ("head", "Neck", "NeckUpper"),
    "upper_trunk": ("UpperBack", "Chest", "Sternum", "ClavicleL", "ClavicleR"),
    "middle_trunk": ("LowerBack", "Abdomen", "AbdomenFront"),
    "lower_trunk": ("pelvis",),
    "upper_arm": ("UpperArmL",),
    "forearm": ("ForearmL",),
    "thigh": ("ThighL",),
    "shank": ("ShankL",),
    "hand": ("HandL",),
    "foot": ("FootL",),
}
TOTALS = {
    "male": 90.3,
    "female": 77.9,
    "child_3": 15.46,
    "child_6": 23.41,
    "hybrid3_50th": 78.15,
    "ambrosio": 75.0,
}
STATURES = {"male": 1.754, "female": 1.612, "child_3": 0.945, "child_6": 1.143, "hybrid3_50th": 1.753}


@pytest.fixture(scope="module")
def models():
    return {name: library.load_model(name) for name in library.list_models()}


@pytest.fixture(scope="module")
def tabled():
    """The man and the woman of `models build`, by tables alone, as tall and heavy as the shipped ones."""
    return {sex: build_adult(sex, STATURES[sex], TOTALS[sex]) for sex in ("male", "female")}


def body(model, name):
    return next(b for b in model.bodies if b.name == name)


def matrix(six):
    xx, yy, zz, xy, yz, xz = six
    return np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])


def merged(model, names):
    """Mass, centre and inertia about it of some bodies in the rest pose, by six point masses per body.

    A body with principal moments A, B, C is the same as pairs of points at +-r along its principal axes; so no
    parallel-axis formula of the program is used.
    """
    transforms = body_transforms(model)
    points, masses = [], []
    for name in names:
        part = body(model, name)
        turn, origin = transforms[name][:3, :3], transforms[name][:3, 3]
        moments, axes = np.linalg.eigh(turn @ matrix(part.inertia) @ turn.T)
        centre = turn @ np.array(part.center_of_mass) + origin
        second = (
            moments.sum() / 2 - moments
        ) / part.mass  # integral of the coordinate squared, per unit mass
        for axis in range(3):
            reach = axes[:, axis] * math.sqrt(3 * max(second[axis], 0.0))
            points += [centre + reach, centre - reach]
            masses += [part.mass / 6] * 2
    points, masses = np.array(points), np.array(masses)
    centre = masses @ points / masses.sum()
    d = points - centre
    inertia = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, d, strict=True))
    return masses.sum(), centre, inertia


@pytest.mark.parametrize("sex", ["male", "female"])
def test_segments_are_de_levas(tabled, sex):
    model = tabled[sex]
    stature, segments, turned = DE_LEVA[sex]
    total = {**segments, **turned}
    paired = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")
    percent = sum(row[0] * (2 if name in paired else 1) for name, row in total.items())
    scale = model.height / stature
    for name, (share, length, sagittal, transverse, longitudinal) in total.items():
        mass, _, inertia = merged(model, MEMBERS[name])
        expected_mass = share / percent * TOTALS[sex]
        expected = (
            expected_mass
            * (np.array([sagittal, transverse, longitudinal]) / 100 * length / 1000 * scale) ** 2
        )
        if name == "hand":  # palm to the thigh: turned by 90 degrees about the limb
            expected = expected[[1, 0, 2]]
        if name == "foot":  # long axis forward
            expected = expected[[2, 1, 0]]
        assert mass == pytest.approx(expected_mass, rel=1e-9), name
        assert np.allclose(inertia, np.diag(expected), rtol=1e-8, atol=1e-10), name


def test_centres_lie_where_de_leva_puts_them(tabled):
    """Thigh, shank and upper arm of the man: percentages of the joint distance, and worked out metres."""
    model = tabled["male"]
    at = body_transforms(model)
    for limb, lower, percent, metres in (
        ("ThighL", "ShankL", 40.95, 0.1742),
        ("ShankL", "FootL", 43.95, 0.1950),
        ("UpperArmL", "ForearmL", 57.72, 0.1638),
        ("ForearmL", "HandL", 45.74, 0.1239),
    ):
        length = at[limb][2, 3] - at[lower][2, 3]
        drop = -body(model, limb).center_of_mass[2]
        assert drop == pytest.approx(percent / 100 * length, rel=1e-9)
        assert drop == pytest.approx(metres, abs=2e-4)


@pytest.mark.parametrize("name", PEOPLE)
def test_mass_and_names(models, name):
    model = models[name]
    # The published total of the 3-year-old dummy is rounded: its parts sum to 15.463 kg, the 6-year-old's to 23.407 kg.
    assert sum(b.mass for b in model.bodies) == pytest.approx(TOTALS[name], abs=0.0035)
    for names in (
        [b.name for b in model.bodies],
        [j.name for j in model.joints],
        [e.name for b in model.bodies for e in b.ellipsoids],
    ):
        assert len(names) == len(set(names))


@pytest.mark.parametrize("name", FIGURES)
def test_size(models, name):
    model = models[name]
    assert len(model.bodies) == (23 if name.startswith("hybrid3") else 24)
    assert sum(len(b.ellipsoids) for b in model.bodies) >= 35
    shapes = ellipsoid_shapes(model, body_transforms(model))
    lowest = {b: c[2] - np.linalg.norm(h[2]) for b, _, c, h in shapes if b.startswith("Foot")}
    assert min(lowest.values()) == pytest.approx(0.0, abs=1e-9) and len(lowest) == 2
    assert min(c[2] - np.linalg.norm(h[2]) for _, _, c, h in shapes) == pytest.approx(0.0, abs=1e-9)
    assert max(c[2] + np.linalg.norm(h[2]) for _, _, c, h in shapes) == pytest.approx(
        STATURES[name], abs=1e-9
    )


@pytest.mark.parametrize("name", [*PEOPLE, "car", "bicycle"])
def test_inertias_are_physical(models, name):
    for part in models[name].bodies:
        low, middle, high = np.linalg.eigvalsh(matrix(part.inertia))
        assert low > 0 and low + middle >= high * (1 - 1e-12), part.name


@pytest.mark.parametrize("name", PEOPLE)
def test_right_side_is_the_left_mirrored_to_the_bit(models, name):
    model = models[name]
    lefts = [b for b in model.bodies if b.name.endswith("L")]
    assert lefts
    for left in lefts:
        right = body(model, left.name[:-1] + "R")
        assert right.mass == left.mass
        assert right.inertia == tuple(v * s for v, s in zip(left.inertia, (1, 1, 1, -1, -1, 1), strict=True))
        assert right.center_of_mass == tuple(
            v * s for v, s in zip(left.center_of_mass, (1, -1, 1), strict=True)
        )
        for a, b in zip(left.ellipsoids, right.ellipsoids, strict=True):
            assert b.semi_axes == a.semi_axes and b.material == a.material
            assert b.position == tuple(v * s for v, s in zip(a.position, (1, -1, 1), strict=True))
    for part in model.bodies:
        if part.name[-1] not in "LR":
            assert part.center_of_mass[1] == 0.0 and part.inertia[3] == 0.0 and part.inertia[4] == 0.0


@pytest.mark.parametrize("name", FIGURES)
def test_equal_angles_give_a_mirrored_posture(models, name):
    model = models[name]
    rng = np.random.default_rng(7)
    angles = {}
    for joint in model.joints:
        if (
            joint.type == "spherical"
            and "lJnt" in joint.name
            and joint.name.replace("lJnt", "rJnt") != joint.name
        ):
            turn = tuple(rng.uniform(-40, 40, 3))
            angles[joint.name] = angles[joint.name.replace("lJnt", "rJnt")] = turn
    assert len(angles) == 12
    at = body_transforms(model, angles)
    flip = np.diag([1.0, -1.0, 1.0])
    for left in (b.name for b in model.bodies if b.name.endswith("L")):
        a, b = at[left], at[left[:-1] + "R"]
        assert np.allclose(flip @ a[:3, 3], b[:3, 3], atol=1e-12)
        assert np.allclose(flip @ a[:3, :3] @ flip, b[:3, :3], atol=1e-12)


@pytest.mark.parametrize(
    ("joint", "axis", "moved", "direction"),
    [
        # joint, turn (Z, Y, X) of 30 degrees, point moved (body, point in it), where it must go
        ("hip{}Jnt", "Y", ("Shank", (0, 0, 0)), (1, 0, 0)),
        ("hip{}Jnt", "X", ("Shank", (0, 0, 0)), (0, 1, 0)),
        ("hip{}Jnt", "Z", ("Foot", (0.2, 0, 0)), (0, -1, 0)),
        ("knee{}Jnt", "Y", ("Foot", (0, 0, 0)), (-1, 0, 0)),
        ("knee{}Jnt", "X", ("Foot", (0, 0, 0)), (0, 1, 0)),
        ("knee{}Jnt", "Z", ("Foot", (0.2, 0, 0)), (0, 1, 0)),
        ("ankle{}Jnt", "Y", ("Foot", (0.2, 0, 0)), (0, 0, 1)),
        ("ankle{}Jnt", "X", ("Foot", (0, 0.1, 0)), (0, 0, 1)),
        ("ankle{}Jnt", "Z", ("Foot", (0.2, 0, 0)), (0, -1, 0)),
        ("shoulder{}Jnt", "Y", ("Hand", (0, 0, 0)), (1, 0, 0)),
        ("shoulder{}Jnt", "X", ("Hand", (0, 0, 0)), (0, 1, 0)),
        ("shoulder{}Jnt", "Z", ("Hand", (0.1, 0, 0)), (0, -1, 0)),
        ("elbow{}Jnt", "Y", ("Hand", (0, 0, 0)), (1, 0, 0)),
        ("elbow{}Jnt", "X", ("Hand", (0, 0, 0)), (0, 1, 0)),
        ("elbow{}Jnt", "Z", ("Hand", (0.1, 0, 0)), (0, -1, 0)),
        ("wrist{}Jnt", "Y", ("Hand", (0, 0, -0.1)), (0, -1, 0)),
        ("wrist{}Jnt", "X", ("Hand", (0, 0, -0.1)), (1, 0, 0)),
        ("wrist{}Jnt", "Z", ("Hand", (0.1, 0, 0)), (0, -1, 0)),
    ],
)
def test_signs_of_limb_angles(models, joint, axis, moved, direction):
    """Directions are for the left side, +y outward; the right side must mirror them."""
    model = models["male"]
    turn = {"Z": (30.0, 0, 0), "Y": (0, 30.0, 0), "X": (0, 0, 30.0)}[axis]
    for side, mirror in (("l", 1.0), ("r", -1.0)):
        part, point = moved[0] + side.upper(), np.array([*moved[1], 1.0]) * (1, mirror, 1, 1)
        before = (body_transforms(model)[part] @ point)[:3]
        after = (body_transforms(model, {joint.format(side): turn})[part] @ point)[:3]
        step = (after - before) * (1, mirror, 1)
        assert step @ np.array(direction) == pytest.approx(np.abs(step).max()) and np.linalg.norm(step) > 0.02


@pytest.mark.parametrize("joint", ["lowerbackJnt", "upperbackJnt", "neckJnt", "headJnt"])
def test_signs_of_spine_angles(models, joint):
    model = models["male"]
    top = np.array([0.0, 0.0, 0.15, 1.0])
    nose = np.array([0.15, 0.0, 0.0, 1.0])
    rest = body_transforms(model)["head"]
    for turn, point, direction in (
        ((0, 10.0, 0), top, (1, 0, 0)),
        ((0, 0, 10.0), top, (0, -1, 0)),
        ((10.0, 0, 0), nose, (0, 1, 0)),
    ):
        moved = body_transforms(model, {joint: turn})["head"]
        step = ((moved - rest) @ point)[:3]
        assert step @ np.array(direction) > 0.7 * np.linalg.norm(step) > 0.005


def carriers(model):
    """Body to the body that it is fixed to, or slides on by a little."""
    root = {b.name: b.name for b in model.bodies}
    for joint in model.joints:
        if joint.type in ("fixed", "prismatic"):
            root[joint.child] = root[joint.parent]
    return root


@pytest.mark.parametrize("name", [*TABLED, "ambrosio"])
def test_joint_centres_lie_in_both_bodies(models, name):
    """In an ellipsoid of the child and of the parent (or of a body fixed to it, or sliding on it by a little)."""
    model = models[name]
    at, root = body_transforms(model), carriers(model)
    shapes = ellipsoid_shapes(model, at)

    def covered(point, owner):
        return any(
            np.linalg.norm(np.linalg.solve(half, point - centre)) <= 1.0
            for part, _, centre, half in shapes
            if root[part] == root[owner]
        )

    for joint in model.joints:
        if joint.type in ("spherical", "revolute"):
            point = (at[joint.child] @ np.array(joint.T2))[:3, 3]
            assert covered(point, joint.child), f"{joint.name}: child"
            assert covered(point, joint.parent), f"{joint.name}: parent"


def turns_of(joint):
    """None, and each turn (Z, Y, X) to the end of the joint's range about one axis: 90 degrees where a cone ends it, 45
    where curves do."""
    end = 90.0 if joint.cone else 45.0
    low, high = (joint.limits.lower, joint.limits.upper) if joint.limits else ((-end,) * 3, (end,) * 3)
    axes = range(3 if joint.type == "spherical" else 1)
    return [np.zeros(3), *(np.eye(3)[axis] * way[axis] for axis in axes for way in (low, high))]


@pytest.mark.parametrize("name", PEOPLE)
def test_no_gap_opens_at_any_joint(models, name):
    """Bent to each end of its range, the surfaces on both sides of a joint still reach into each other: points of the
    child's ellipsoids lie inside the parent's (with what is fixed to either, or slides on it by a little)."""
    model, root = models[name], carriers(models[name])
    unit = np.random.default_rng(2).normal(size=(300, 3))
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    points = np.concatenate([unit, 0.6 * unit])
    for joint in model.joints:
        for turn in turns_of(joint) if joint.type in ("spherical", "revolute") else ():
            shapes = ellipsoid_shapes(model, body_transforms(model, {joint.name: tuple(turn)}))
            theirs = [(c, h) for part, _, c, h in shapes if root[part] == root[joint.parent]]
            ours = np.concatenate(
                [c + points @ h.T for part, _, c, h in shapes if root[part] == root[joint.child]]
            )
            inside = [(np.linalg.solve(h, (ours - c).T) ** 2).sum(axis=0) < 1.0 for c, h in theirs]
            assert np.any(inside), (joint.name, turn)


@pytest.mark.parametrize("name", PEOPLE)
def test_volume_fits_mass(models, name):
    """Volume of the union by random points (not the program's grid): 950 to 1250 kg/m3."""
    model = models[name]
    shapes = ellipsoid_shapes(model, body_transforms(model))
    low = np.min([c - np.linalg.norm(h, axis=1) for _, _, c, h in shapes], axis=0)
    high = np.max([c + np.linalg.norm(h, axis=1) for _, _, c, h in shapes], axis=0)
    points = np.random.default_rng(3).uniform(low, high, (60000, 3))
    inside = np.zeros(len(points), bool)
    for _, _, centre, half in shapes:
        inside |= (np.linalg.solve(half, (points - centre).T) ** 2).sum(0) <= 1
    volume = inside.mean() * np.prod(high - low)
    assert 950 < sum(b.mass for b in model.bodies) / volume < 1250


def test_adults_stay_physical_at_the_edges_of_adult_sizes():
    for sex, height, mass in itertools.product(("male", "female"), (1.42, 2.1), (40, 160)):
        for part in build_adult(sex, height, mass).bodies:
            low, middle, high = np.linalg.eigvalsh(matrix(part.inertia))
            assert low > 0 and low + middle >= high * (1 - 1e-12), (sex, height, mass, part.name)


AAOS = (("hip", -30, 120), ("knee", 0, 135), ("elbow", 0, 150), ("ankle", -50, 20), ("wrist", -70, 80))
"""Degrees about Y, flexion positive: hip 120/30, knee 135/0, elbow 150/0, ankle 20 up and 50 down, wrist 80/70."""
# Soucie et al. 2011, typed again: hip extension and flexion, knee flexion, elbow flexion, plantarflexion and
# dorsiflexion; boys of 2 to 8 and of 9 to 19 years, women of 20 to 44 and of 45 to 69 years, men of 20 to 44, for whom
# the AAOS's ranges hold, and of 45 to 69.
SOUCIE = {
    "hip": ((28.3, 18.2, 18.1, 16.7, 17.4, 13.5), (131.1, 135.2, 133.8, 130.8, 130.4, 127.2)),
    "knee": (None, (147.8, 142.2, 141.9, 137.8, 137.7, 132.9)),
    "elbow": (None, (151.4, 148.3, 150.0, 148.3, 144.6, 143.5)),
    "ankle": ((55.8, 52.8, 62.1, 56.5, 54.6, 49.4), (22.8, 16.3, 13.8, 11.6, 12.7, 11.9)),
}
YOUNG_MEN = 4


def ball_joints(model):
    """Name to ball joint, of those with limits or a cone: the neck has curves instead (test_tissue)."""
    joints = {j.name: j for j in model.joints if j.type == "spherical"}
    assert len(joints) == 16
    necks = [joints.pop(joint) for joint in ("neckJnt", "headJnt")]
    assert all(len(j.springs) == 3 for j in necks)
    assert all((j.limits or j.cone) and j.damping > 0 for j in joints.values())
    assert all(joints[f"{part}lJnt"].limits == joints[f"{part}rJnt"].limits for part, _, _ in AAOS)
    assert all(joints[f"shoulder{side}Jnt"].cone for side in "lr")
    return joints


def test_joint_limits_are_in_the_files(models):
    """AAOS; spine 80/25 over two joints; hip abduction 45 and adduction 30 as X; the same on both sides."""
    for name in FIGURES:
        wrist = ball_joints(models[name])["wristlJnt"].limits
        assert (wrist.lower[1:], wrist.upper[1:]) == ((-70, -30), (80, 20))
    for name in TABLED:
        joints = ball_joints(models[name])
        back = [joints[j].limits for j in ("lowerbackJnt", "upperbackJnt")]
        assert sum(limits.upper[1] for limits in back) == 80
        assert -sum(limits.lower[1] for limits in back) == 25
        for joint, low, high in AAOS:
            limits = joints[f"{joint}lJnt"].limits
            assert (limits.lower[1], limits.upper[1]) == (low, high)
        assert (joints["hiplJnt"].limits.lower[2], joints["hiplJnt"].limits.upper[2]) == (-30, 45)


@pytest.mark.parametrize(
    ("name", "years", "middles", "first"),
    [
        ("child_3", 3, (5, 14), 0),
        ("child_6", 6, (5, 14), 0),
        ("female", 40, (32, 57), 2),
        ("male", 40, (32, 57), 4),
    ],
)
def test_ranges_of_persons_go_with_age_and_sex(models, name, years, middles, first):
    """The AAOS's range times what people of that age and sex have over men of 20 to 44, on a straight line between the
    middles of their groups of age; the trunk loses 0.4 % a year after 30, as the neck does (Youdas et al. 1992)."""
    joints = ball_joints(models[name])
    for part, low, high in AAOS[:-1]:
        limits = joints[f"{part}lJnt"].limits
        for end, adult, measured in zip(
            (limits.lower[1], limits.upper[1]), (low, high), SOUCIE[part], strict=True
        ):
            own = None if measured is None else np.interp(years, middles, measured[first : first + 2])
            assert end == pytest.approx(
                adult * (1.0 if own is None else own / measured[YOUNG_MEN]), abs=0.01
            ), part
    back = sum(joints[f"{part}backJnt"].limits.upper[1] for part in ("lower", "upper"))
    assert back == pytest.approx(80.0 * (1.0 - 0.004 * max(0, years - 30)), abs=0.02)


def test_only_the_dummy_has_joint_friction(models):
    for name in FIGURES:
        held = [j.name for j in models[name].joints if j.friction]
        assert len(held) == (12 if name == "hybrid3_50th" else 0)
