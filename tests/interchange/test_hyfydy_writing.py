"""What a model of ours holds and Hyfydy cannot hold is reported when it is written, and the rest is still right."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine import spec
from mannequin.engine.bodies.posture import body_poses
from mannequin.engine.spec.muscles import Excitation, Muscle, PathPoint, PathWrap, WrapSurface
from mannequin.interchange.hyfydy.read import loads
from mannequin.interchange.hyfydy.write import dumps
from mannequin.io_json.model_json import read_model
from mannequin.models.library import library_path, list_models

INERTIA = (0.1, 0.12, 0.14, 0.0, 0.0, 0.0)


def turned(rotation: Rotation, place=(0.0, 0.0, 0.0)) -> tuple:
    rows = np.eye(4)
    rows[:3, :3], rows[:3, 3] = rotation.as_matrix(), place
    return tuple(map(tuple, rows.tolist()))


def two_bodies(**fields) -> spec.Model:
    """A base and a limb on a joint with the given fields."""
    bodies = [spec.Body("base", 2.0, INERTIA), spec.Body("limb", 1.0, INERTIA)]
    joint = spec.Joint(
        "joint", "spherical", "base", "limb", turned(Rotation.identity(), (0, 0, 0.5)), damping=0.0
    )
    return spec.Model("m", bodies, [spec.Joint("root", "free", None, "base"), replace(joint, **fields)])


def findings_text(model: spec.Model) -> str:
    return "\n".join(map(str, dumps(model)[1]))


def muscle(**fields) -> Muscle:
    path = (PathPoint("base", (0.1, 0, 0)), PathPoint("limb", (0.1, 0, 0.1)))
    return replace(Muscle("pull", path, 100.0, 0.1, 0.2), **fields)


CASES = {
    "cone": (
        lambda m: setattr(m.joints[1], "cone", spec.ConeLimits((40, 40, 40, 40))),
        "joint 'joint': left out its cone",
    ),
    "friction": (
        lambda m: setattr(m.joints[1], "friction", spec.JointFriction(3.0)),
        "left out its friction",
    ),
    "spring": (
        lambda m: m.joints[1].springs.append(spec.JointSpring("z", ((0, 0), (1, -1)))),
        "left out its springs",
    ),
    "motor": (
        lambda m: setattr(m.joints[1], "motor", spec.Motor(5, gain_over_time=((0, 1), (1, 2)))),
        "what its motor does over time",
    ),
    "motor by speed": (
        lambda m: setattr(m.joints[1], "motor", spec.Motor(5, torque_over_speed=((0, 1), (8, 0)))),
        "its motor's largest torque is the same at every rate",
    ),
    "damping": (
        lambda m: (setattr(m.joints[1], "motor", spec.Motor(5)), setattr(m.joints[1], "damping", 2.0)),
        "its damping is left out: it has a motor",
    ),
    "belt": (
        lambda m: m.belts.append(
            spec.Belt("b", [spec.Point((0, 0, 0)), spec.Point((0, 0, 0), "limb")], [False] * 2, 9)
        ),
        "belt 'b': left out",
    ),
    "coupler": (lambda m: m.couplers.append(spec.Coupler("c", "joint", "joint")), "coupler 'c': left out"),
    "pairs": (lambda m: m.contact_exclude.append(("base", "limb")), "pairs of bodies"),
    "spring curve": (
        lambda m: m.springs.append(
            spec.SpringDamper("s", spec.Point((0, 0, 2)), spec.Point((0, 0, 0), "limb"), 9, tension_only=True)
        ),
        "left out its tension only",
    ),
    "weld": (
        lambda m: m.welds.append(
            spec.Weld("w", spec.Point((0, 0, 2)), spec.Point((0, 0, 0), "limb"), break_force=9.0)
        ),
        "left out its break force",
    ),
    "ellipsoid": (
        lambda m: m.bodies[0].ellipsoids.append(spec.Ellipsoid("e", (0.1, 0.2, 0.3))),
        "capsule of the same",
    ),
    "material": (
        lambda m: m.materials.append(spec.Material("soft", loading=((0, 0), (0.01, 100)))),
        "the law 'curve' became Hunt-Crossley",
    ),
    "frame": (lambda m: setattr(m.bodies[1], "center_of_mass", (0, 0, 0.1)), "its frame moved"),
    "wrap": (
        lambda m: (
            m.wrap_surfaces.append(WrapSurface("ball", "base", "sphere", 0.05)),
            m.muscles.append(muscle(wraps=(PathWrap("ball"),))),
        ),
        "Hyfydy has no wrapping",
    ),
    "form": (lambda m: m.muscles.append(muscle(form="thelen")), "chosen outside the file"),
    "excitation": (
        lambda m: m.muscles.append(muscle(excitation=Excitation(0.3))),
        "what excites it is left out",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_the_format_cannot_hold_is_reported(name: str) -> None:
    change, message = CASES[name]
    model = two_bodies()
    assert findings_text(model) == ""
    change(model)
    assert message in findings_text(model)
    loads(dumps(model)[0])  # and what is written can be read


@pytest.mark.parametrize("law", ["linear", "lankarani_nikravesh"])
def test_other_laws_have_the_same_force_at_a_centimetre(law: str) -> None:
    model = two_bodies()
    exponent = 1.0 if law == "linear" else 1.8
    model.materials.append(spec.Material("m", law, stiffness=3e5, exponent=exponent, static_friction=0.5))
    (again,) = loads(dumps(model)[0]).actor.model.materials
    assert again.stiffness * 0.01**1.5 == pytest.approx(3e5 * 0.01**exponent, rel=1e-12)


def test_a_curve_keeps_its_energy() -> None:
    model = two_bodies()
    model.materials.append(
        spec.Material("m", loading=((0, 0), (0.01, 300), (0.02, 1500)), static_friction=0.5)
    )
    (again,) = loads(dumps(model)[0]).actor.model.materials
    energy = 0.01 * 300 / 2 + 0.01 * (300 + 1500) / 2
    assert 0.4 * again.stiffness * 0.02**2.5 == pytest.approx(energy, rel=1e-12)


def test_limits_about_turned_axes() -> None:
    """Joint axes that are axes of the body in another order and sense keep their ranges."""
    turn = Rotation.from_matrix([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    limits = spec.AxisLimits((-10, -20, -30), (40, 50, 60), 300.0, 5.0)
    frames = {"T1": turned(turn, (0, 0, 0.5)), "T2": turned(turn)}
    model = two_bodies(limits=limits, **frames)
    assert "limits" not in findings_text(model).replace("limit damping", "")
    joint = loads(dumps(model)[0]).actor.model.joints[1]
    # the same turn in both: about our joint's z, which is y of the body
    vector = turn.apply([0, 0, 1])
    lower, upper = (
        np.array(bound)[::-1] @ np.abs(vector) for bound in (joint.limits.lower, joint.limits.upper)
    )
    sign = 1.0 if vector.sum() > 0 else -1.0
    assert sorted((sign * lower, sign * upper)) == pytest.approx([-10, 40])
    # the damping agrees 5 degrees past the limit
    assert joint.limits.stiffness == pytest.approx(300)
    assert joint.limits.damping_factor * 300 * np.radians(5.0) == pytest.approx(5)


def test_a_hinge_askew_takes_the_nearest_axis_and_says_how_far() -> None:
    axis = (0.0, np.sin(0.1), np.cos(0.1))
    model = two_bodies(type="revolute", axis=axis, limits=spec.AxisLimits((-5, 0, 0), (70, 0, 0)))
    assert f"{np.degrees(0.1):.1f} degrees off" in findings_text(model)
    joint = loads(dumps(model)[0]).actor.model.joints[1]
    assert (joint.type, joint.axis) == ("revolute", (0, 0, 1))
    assert (joint.limits.lower[0], joint.limits.upper[0]) == (-5, 70)


def test_products_of_inertia_become_principal_axes() -> None:
    """The inertia in the world is the same, and the joint is where it was."""
    model = two_bodies()
    model.bodies[1].inertia = (0.1, 0.12, 0.14, 0.01, -0.02, 0.015)
    model.bodies[1].center_of_mass = (0.01, 0.02, 0.03)
    actor = loads(dumps(model)[0]).actor
    before, after = body_poses(model)["limb"], body_poses(actor.model)["limb"]
    np.testing.assert_allclose(after[:3, 3], before[:3, :3] @ [0.01, 0.02, 0.03] + before[:3, 3], atol=1e-12)
    xx, yy, zz, xy, yz, xz = model.bodies[1].inertia
    whole = before[:3, :3] @ np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]]) @ before[:3, :3].T
    diagonal = np.diag(actor.model.bodies[1].inertia[:3])
    np.testing.assert_allclose(after[:3, :3] @ diagonal @ after[:3, :3].T, whole, atol=1e-12)


def test_ellipsoids_keep_length_and_cross_section() -> None:
    turn = Rotation.from_euler("ZYX", [20, 30, 40], degrees=True).as_matrix()
    model = two_bodies()
    ellipsoid = spec.Ellipsoid("e", (0.05, 0.3, 0.08), (0.1, 0.2, 0.3), tuple(map(tuple, turn.tolist())))
    model.bodies[0].ellipsoids = [ellipsoid]
    (again,) = loads(dumps(model)[0]).actor.model.bodies[0].ellipsoids
    assert max(again.semi_axes) == pytest.approx(0.3)
    assert sorted(again.semi_axes)[0] ** 2 == pytest.approx(0.05 * 0.08)
    longest = np.array(again.orientation)[:, int(np.argmax(again.semi_axes))]
    assert abs(longest @ turn[:, 1]) == pytest.approx(1)
    assert again.position == pytest.approx((0.1, 0.2, 0.3))


@pytest.mark.parametrize("name", list_models())
def test_shipped_models_are_written_and_read(name: str) -> None:
    model = read_model(library_path(name))
    text, _ = dumps(model)
    again = loads(text).actor.model
    assert sum(body.mass for body in again.bodies) == pytest.approx(sum(body.mass for body in model.bodies))
    assert_same_words(dumps(again)[0], dumps(loads(dumps(again)[0]).actor.model)[0])


def as_matrix(ori: re.Match) -> str:
    """The nine numbers of a rotation, which is written in angles where 15 digits of them are exact."""
    given = {key: float(value) for key, value in re.findall(r"(\w) = (\S+)", ori[1])}
    angles = [given.get(key, 0.0) for key in "xyz"]
    turn = (
        Rotation.from_quat([*angles, given["w"]])
        if "w" in given
        else Rotation.from_euler("XYZ", angles, degrees=True)
    )
    return " ".join(f"{number:.17g}" for number in turn.as_matrix().ravel())


def assert_same_words(first: str, second: str) -> None:
    """The same text, but for the last digits of numbers and the way in which a rotation is written."""
    first, second = (re.sub(r"\bori \{([^}]*)\}", as_matrix, text) for text in (first, second))
    for a, b in zip(first.split(), second.split(), strict=True):
        try:
            assert float(a) == pytest.approx(float(b), abs=1e-13)
        except ValueError:
            assert a == b


@pytest.mark.parametrize(
    "words", ["shape {", "shape { type = cone }", "mesh { pos = x }", "pos = 3", 7, None, ["a"]]
)
def test_kept_words_that_somebody_spoilt_are_left_out(words) -> None:
    model = two_bodies()
    for part in (model, *model.bodies, model.joints[1]):
        part.extras["hyfydy"] = words
    assert dumps(model)[0] == dumps(two_bodies())[0]
