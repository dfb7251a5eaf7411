"""Joints by functions of coordinates against closed forms, in files, checks, tables and edits; muscles over points that
such a joint moves."""

import numpy as np
import pytest
from gait_osim import gait_osim

from mannequin.analysis.files.csv_files import joint_angles_zyx
from mannequin.engine import (
    Actor,
    Body,
    Excitation,
    Joint,
    JointFunction,
    JointSlide,
    Model,
    PrescribedMotion,
    Scenario,
    Settings,
    accelerations,
    compile_system,
    run,
    validate,
)
from mannequin.engine.bodies.courses import find_coordinates, joint_course
from mannequin.engine.bodies.posture import actor_poses
from mannequin.engine.runs.muscle_paths import MuscleGeometry
from mannequin.interchange.opensim.read import loads
from mannequin.io_json import model_json
from mannequin.models.editing.edit import set_joint_type
from mannequin.models.editing.mirror import mirrored_joint
from mannequin.models.editing.scaling import scale_model

GRAVITY, MASS = 9.81, 2.0
WIRE = ((0.0, 0.1), (1.0, -0.3), (2.0, 0.8), (3.0, 0.5))
"""Height of a wire over the way along it: powers and coefficients."""
SPLINE = ((-2.0, 0.3), (-1.2, 0.1), (-0.5, 0.0), (0.0, 0.05), (0.7, 0.2), (1.5, 0.1))


def settings(**changes) -> Settings:
    given = {"duration": 0.02, "output_step": 1e-3, "time_step": 1e-3, "integrator": "runge_kutta_4"}
    return Settings(ground=False, gravity=(0.0, 0.0, -GRAVITY), **(given | changes))


def wire(damping: float = 0.0) -> Scenario:
    """A bead on a wire in the plane of x and z."""
    functions = [
        JointFunction("shift", (1.0, 0.0, 0.0), "way"),
        JointFunction("shift", (0.0, 0.0, 1.0), "way", terms=WIRE),
    ]
    joint = Joint("wire", "custom", None, "bead", functions=functions, slide=JointSlide(damping))
    model = Model("bead", [Body("bead", MASS, (0.1, 0.1, 0.1, 0, 0, 0))], [joint])
    actor = Actor("bead", model, joint_slides={"wire": (0.3, 0.0, 0.0)})
    actor.joint_slide_velocities = {"wire": (1.5, 0.0, 0.0)}
    return Scenario("wire", [actor], settings=settings())


@pytest.mark.parametrize("damping", [0.0, 3.0])
def test_a_bead_on_a_wire(damping: float) -> None:
    """Lagrange: m (1 + f'^2) q'' + m f' f'' q'^2 + m g f' = -c q'."""
    height = np.polynomial.Polynomial([c for _, c in WIRE])
    slope, bend = height.deriv()(0.3), height.deriv(2)(0.3)
    expected = (-damping * 1.5 / MASS - slope * bend * 1.5**2 - GRAVITY * slope) / (1.0 + slope**2)
    (rate,) = accelerations(compile_system(wire(damping)))
    assert rate == pytest.approx(expected, rel=1e-12)


def test_the_bead_stays_on_its_wire_and_keeps_its_energy() -> None:
    scenario = wire()
    scenario.settings.duration = 0.5
    recording = run(scenario)
    x, y, z = recording.position[:, 0].T
    np.testing.assert_allclose(z, np.polynomial.Polynomial([c for _, c in WIRE])(x), atol=1e-12)
    energy = 0.5 * MASS * (recording.velocity[:, 0] ** 2).sum(-1) + MASS * GRAVITY * z
    assert np.abs(y).max() == 0.0 and np.abs(energy - energy[0]).max() < 1e-8 * abs(energy[0])


def test_one_turn_by_its_coordinate_is_a_hinge() -> None:
    axis = (0.0, 0.6, 0.8)
    inertia = (0.05, 0.06, 0.07, 0.001, 0.002, 0.003)
    found = []
    for joint in (
        Joint("j", "revolute", None, "b", axis=axis),
        Joint("j", "custom", None, "b", functions=[JointFunction("turn", axis, "angle")]),
    ):
        model = Model("m", [Body("b", 1.5, inertia, center_of_mass=(0.2, 0.1, -0.3))], [joint])
        actor = Actor("a", model, joint_angles={"j": (40.0, 0, 0)}, joint_velocities={"j": (2.0, 0, 0)})
        found.append(run(Scenario("s", [actor], settings=settings(duration=0.1))))
    for what in (
        "position",
        "acceleration",
        "joint_angle",
        "joint_rate",
        "reaction_force",
        "reaction_moment",
    ):
        first, second = (getattr(recording, what) for recording in found)
        np.testing.assert_allclose(first, second, atol=1e-10)


def knee() -> Joint:
    functions = [
        JointFunction("turn", (0.0, 0.0, 1.0), "flexion"),
        JointFunction("turn", (1.0, 0.0, 0.0), "flexion", points=SPLINE),
        JointFunction("turn", (0.0, 1.0, 0.0), "rotation"),
        JointFunction("shift", (0.0, 1.0, 0.0), "flexion", points=SPLINE),
        JointFunction("shift", (1.0, 0.0, 0.0), "gap"),
    ]
    return Joint("knee_l", "custom", None, "shank_l", functions=functions, ellipsoid=(0.02, 0.03, 0.01))


@pytest.mark.parametrize("flexion", [-1.9, -0.4, 1.2])
def test_coordinates_are_found_from_a_pose(flexion: float) -> None:
    at = {"gap": 0.05, "flexion": flexion, "rotation": 0.3}
    found = find_coordinates(knee(), *joint_course(knee(), at))
    assert found == pytest.approx(at, abs=1e-9)


def knee_model() -> Model:
    body = Body("shank_l", 3.0, (0.05, 0.05, 0.01, 0, 0, 0), center_of_mass=(0.0, -0.2, 0.02))
    return Model("leg", [body], [knee()], height=1.75)


def test_files_hold_it(tmp_path) -> None:
    model_json.write_model(knee_model(), tmp_path / "leg.json")
    assert model_json.read_model(tmp_path / "leg.json") == knee_model()


def test_tables_have_its_coordinates_and_motion_can_be_prescribed() -> None:
    """Angles of the table are those of the table that prescribes them, in degrees."""
    times = np.linspace(0.0, 0.1, 11)
    rows = [(t, -30.0 + 100.0 * t, 50.0 * t, 0.0, 0.1 * t, 0.0, 0.0) for t in times]
    actor = Actor("a", knee_model(), joint_angles={"knee_l": (-30.0, 0.0, 0.0)})
    actor.prescribed = [PrescribedMotion("knee_l", tuple(rows))]
    scenario = Scenario("s", [actor], settings=settings(duration=0.1, integrator="symplectic_euler"))
    recording = run(scenario)
    angles = joint_angles_zyx(scenario, recording)[:, 0]
    # the last row ends within a step of the last frame
    np.testing.assert_allclose(angles[1:, 0], -30.0 + 100.0 * recording.times[1:], atol=1e-3)
    np.testing.assert_allclose(angles[1:, 1], 50.0 * recording.times[1:], atol=1e-3)


WRONG = {
    "has no coordinate": [JointFunction("turn", (0.0, 0.0, 1.0))],
    "moves nothing": [
        JointFunction(coordinate="a"),
        JointFunction("shift", coordinate="b", terms=((0.0, 1.0),)),
    ],
    "more than 3": [JointFunction(coordinate="a") for _ in range(4)],
    "not of unit length": [JointFunction("turn", (0.0, 0.0, 2.0), "a")],
    "whole number": [JointFunction(coordinate="a", terms=((0.5, 1.0),))],
    "polynomial and a spline": [JointFunction(coordinate="a", terms=((1.0, 1.0),), points=SPLINE)],
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_functions_are_refused(message: str) -> None:
    model = knee_model()
    model.joints[0].functions = WRONG[message]
    assert any(message in str(issue) for issue in validate(model) if issue.severity == "error")


def test_functions_belong_to_custom_joints() -> None:
    model = knee_model()
    model.joints[0].type = "revolute"
    assert any("has functions of coordinates" in str(issue) for issue in validate(model))
    set_joint_type(model, "shank_l", "revolute")
    assert not model.joints[0].functions and not [i for i in validate(model) if i.severity == "error"]
    set_joint_type(model, "shank_l", "custom")
    assert not [i for i in validate(model) if i.severity == "error"]


def test_mirrored_and_scaled() -> None:
    """The image of a pose is the pose of the image, at the same coordinates; a scaled joint slides in proportion."""
    at = {"gap": 0.0, "flexion": -0.7, "rotation": 0.2}
    mirror = np.diag([1.0, -1.0, 1.0])
    rotation, shift = joint_course(knee(), at)
    turned, shifted = joint_course(mirrored_joint(knee()), at)
    np.testing.assert_allclose(turned, mirror @ rotation @ mirror, atol=1e-12)
    np.testing.assert_allclose(shifted, mirror @ shift, atol=1e-12)
    scaled = scale_model(knee_model(), 2.0 * 0.875, 3.0 * 1.0).joints[0]
    assert joint_course(scaled, at)[1] == pytest.approx(shift, abs=1e-9)
    longer = scale_model(knee_model(), 1.925, 3.3).joints[0]
    assert joint_course(longer, at)[1] == pytest.approx(1.1 * shift, abs=1e-6)


@pytest.fixture(scope="module")
def gait() -> Actor:
    return loads(gait_osim().encode()).actor


def test_lengths_change_by_the_jacobian(gait) -> None:
    """Also where the knee moves a point of the path in its body."""
    geometry = MuscleGeometry(gait.model)
    q, u = geometry.system.q_start.copy(), np.zeros(len(geometry.system.u_start))
    tree = geometry.system.tree
    moving = geometry.moving("knee_r")
    at, speed = tree.q_address[moving], tree.u_address[moving]
    for flexion in (-1.7, -0.9, -0.1):
        lengths = []
        for value in (flexion - 1e-6, flexion + 1e-6, flexion):
            q[at] = value
            geometry.place_coordinates(q, u)
            lengths.append([geometry.length(i) for i in range(len(geometry.names))])
        slopes = (np.array(lengths[1]) - lengths[0]) / 2e-6
        rates = [geometry.jacobian(i)[speed] for i in range(len(geometry.names))]
        np.testing.assert_allclose(rates, slopes, atol=1e-8)


def test_the_work_of_muscles_over_moving_points_is_in_the_ledger(gait) -> None:
    """Tense muscles move the legs: what they did on the bodies is what the bodies gained."""
    actor = Actor("gait", gait.model, joint_angles=gait.joint_angles, joint_slides=gait.joint_slides)
    actor.excitations = {"*": Excitation(tone=0.6)}
    scenario = Scenario("s", [actor], settings=settings(duration=0.03, time_step=1e-4, joint_limits=False))
    recording = run(scenario)
    gained = recording.energy[-1, 0] - recording.energy[0, 0]
    assert abs(gained) > 1.0 and np.abs(recording.energy[:, -1]).max() < 1e-4 * abs(gained)
    poses = actor_poses(actor)
    for b, name in enumerate(recording.body_names):
        np.testing.assert_allclose(recording.origin(b)[0], poses[name][:3, 3], atol=1e-12)
