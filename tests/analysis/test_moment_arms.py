"""Moment arms: closed forms, coupled joints, differences, the command, and OpenSim's own numbers."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from muscle_rigs import INSERTION, ORIGIN, RADIUS, hinge_model, limb_model, pulley_muscle

from mannequin.__main__ import main
from mannequin.analysis.muscles.moment_arms import (
    MomentArms,
    Turn,
    joint_motion,
    joint_range,
    plot_moment_arms,
)
from mannequin.engine import AxisLimits, Coupler
from mannequin.engine.spec.muscles import PathPoint
from mannequin.io_json.model_json import write_model

ANGLES = np.linspace(-40.0, 40.0, 9)


def test_a_straight_muscle_over_a_hinge():
    """Ends at distances a and b from the axis with the angle phi between them: l^2 = a^2 + b^2 - 2 a b cos(phi)."""
    model = hinge_model(pulley_muscle(wraps=()))
    curve = MomentArms(model).curve("muscle", joint_motion(model, "hinge"), ANGLES)
    o, i = np.array(ORIGIN), np.array(INSERTION)
    for angle, length, arm in zip(np.radians(curve.angle), curve.length, curve.moment_arm, strict=True):
        turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
        reach = turn @ i
        assert length == pytest.approx(np.linalg.norm(o - reach), rel=1e-13)
        pull = (o - reach) / np.linalg.norm(o - reach)
        assert arm == pytest.approx(np.cross(reach, pull)[1], rel=1e-10)  # torque of a unit pull about +y


def test_over_a_pulley_it_is_the_radius_and_the_sign_is_that_of_the_torque():
    model = hinge_model(pulley_muscle())
    curve = MomentArms(model).curve("muscle", joint_motion(model, "hinge"), (-40.0, -10.0, 0.0))
    assert curve.moment_arm == pytest.approx(RADIUS, rel=1e-10)
    assert np.diff(curve.length)[0] < 0.0  # it shortens as the angle grows


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("muscle", ["one", "two", "three"])
def test_v19_equals_minus_the_slope_of_the_length(axis, muscle):
    model = limb_model(np.random.default_rng(3))
    motion = joint_motion(model, "ball", axis)
    curve = MomentArms(model, {"hinge": (20.0, 0.0, 0.0)}).curve(muscle, motion, np.linspace(-25, 25, 6))
    assert np.abs(curve.moment_arm).max() > 5e-4
    assert curve.moment_arm == pytest.approx(curve.difference, abs=1e-6)


def test_coupled_joints_add_with_their_ratios():
    """The coupling matrix: r about a set of joints is the sum of the single ones, each times its ratio."""
    model = limb_model(np.random.default_rng(3))
    arms = MomentArms(model)
    single = [arms.curve("two", (Turn(joint),), (0.0,)).moment_arm[0] for joint in ("ball", "hinge")]
    both = arms.curve("two", (Turn("ball"), Turn("hinge", ratio=0.4)), (0.0, 20.0))
    assert both.moment_arm[0] == pytest.approx(single[0] + 0.4 * single[1], rel=1e-12)
    assert both.moment_arm == pytest.approx(both.difference, abs=1e-6)


def test_a_joints_own_couplers_move_along():
    model = limb_model(np.random.default_rng(3))
    model.couplers = [Coupler("c", "ball", "hinge", "y", ratio=0.4, offset=5.0)]
    motion = joint_motion(model, "ball")
    assert motion[1] == Turn("hinge", (0.0, 1.0, 0.0), 0.4, 5.0)
    assert joint_motion(model, "ball", "x") == (Turn("ball", (1.0, 0.0, 0.0)),)
    curve = MomentArms(model).curve("two", motion, (0.0, 10.0))
    assert curve.moment_arm == pytest.approx(curve.difference, abs=1e-6)


def test_the_range_is_that_of_the_limits():
    model = hinge_model(pulley_muscle())
    assert joint_range(model, "hinge") == (-45.0, 45.0)
    model.joints[1] = replace(model.joints[1], limits=AxisLimits((-10.0, 0.0, 0.0), (20.0, 0.0, 0.0)))
    assert joint_range(model, "hinge") == (-10.0, 20.0)


def test_the_plot_shows_arm_and_length():
    model = hinge_model(pulley_muscle())
    figure = plot_moment_arms([MomentArms(model).curve("muscle", joint_motion(model, "hinge"), ANGLES)])
    assert [axes.get_ylabel() for axes in figure.axes] == ["moment arm (mm)", "path length (mm)"]


# ---------------------------------------------------------------- command


def test_the_command_prints_and_writes(tmp_path, capsys):
    write_model(hinge_model(pulley_muscle()), tmp_path / "hinge.json")
    table, plot = tmp_path / "arms.csv", tmp_path / "arms.svg"
    code = main(["moment-arms", str(tmp_path / "hinge.json"), "--muscle", "mus*", "--joint", "hinge", "--from", "-40",
                 "--to", "0", "--steps", "4", "--csv", str(table), "--plot", str(plot)])  # fmt: skip
    assert code == 0
    assert "40.0000" in capsys.readouterr().out
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [float(row["angle_deg"]) for row in rows] == [-40.0, -30.0, -20.0, -10.0, 0.0]
    assert float(rows[0]["moment_arm_m"]) == pytest.approx(RADIUS)
    assert plot.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--muscle", "biceps", "--joint", "hinge"], "has muscle"),
        (["--joint", "knee"], "there are hinge"),
        (["--joint", "hinge:w"], "x, y or z"),
        (["--joint", "hinge:y:much"], "not a number"),
        (["--joint", "hinge", "--at", "hinge=1"], "three angles"),
        (["--joint", "hinge", "--steps", "0"], "1 or more"),
    ],
)
def test_the_command_refuses_in_one_line(arguments, says, tmp_path, capsys):
    write_model(hinge_model(pulley_muscle()), tmp_path / "hinge.json")
    assert main(["moment-arms", str(tmp_path / "hinge.json"), *arguments]) == 2
    message = capsys.readouterr().err
    assert says in message and message.count("\n") == 1


# ---------------------------------------------------------------- OpenSim

WRAPS = {
    "straight": None,
    "cylinder": ("WrapCylinder", (0.0, 0.0, 0.0)),
    "sphere": ("WrapSphere", (0.0, 0.0, 0.0)),
    "ellipsoid": ("WrapEllipsoid", (0.0, 0.0, 0.0)),
}
TOLERANCE = {"straight": 1e-9, "cylinder": 1e-6, "sphere": 1e-6, "ellipsoid": 2e-3}
"""m; OpenSim's ellipsoid path follows a plane section, not the geodesic: it can only be longer."""


def opensim_arm(osim, wrap):
    """Two bodies on pins about z, a muscle over the second pin, a surface there; OpenSim's own interface."""
    model = osim.Model()
    model.setName("arm")
    parent = model.getGround()
    for name in ("upper", "lower"):
        body = osim.Body(name, 1.0, osim.Vec3(0, -0.15, 0), osim.Inertia(0.01, 0.001, 0.01))
        place = osim.Vec3(0) if name == "upper" else osim.Vec3(0, -0.3, 0)
        joint = osim.PinJoint(f"{name}_pin", parent, place, osim.Vec3(0), body, osim.Vec3(0), osim.Vec3(0))
        joint.updCoordinate().setName(f"{name}_angle")
        model.addBody(body)
        model.addJoint(joint)
        parent = body
    upper, lower = model.getBodySet().get("upper"), model.getBodySet().get("lower")
    muscle = osim.Millard2012EquilibriumMuscle("muscle", 500.0, 0.15, 0.2, 0.0)
    muscle.addNewPathPoint("origin", model.getGround(), osim.Vec3(0.03, 0.05, 0.01))
    muscle.addNewPathPoint("via", upper, osim.Vec3(0.04, -0.1, 0.0))
    muscle.addNewPathPoint("insertion", lower, osim.Vec3(0.02, -0.1, -0.01))
    model.addForce(muscle)
    if wrap is not None:
        surface = getattr(osim, wrap[0])()
        surface.setName("round")
        surface.set_translation(osim.Vec3(0, -0.3, 0))
        if wrap[0] == "WrapCylinder":
            surface.set_radius(0.03)
            surface.set_length(0.5)
        elif wrap[0] == "WrapSphere":
            surface.set_radius(0.03)
        else:
            surface.set_dimensions(osim.Vec3(0.03, 0.035, 0.04))
        upper.addWrapObject(surface)
        muscle.updGeometryPath().addPathWrap(surface)
    model.finalizeConnections()
    return model


@pytest.mark.parametrize("kind", WRAPS)
def test_lengths_and_moment_arms_are_opensims(kind, tmp_path):
    osim = pytest.importorskip("opensim", reason="OpenSim is not installed")
    from mannequin.interchange.opensim import read_osim

    osim.Logger.setLevelString("off")
    theirs = opensim_arm(osim, WRAPS[kind])
    theirs.printToXML(str(tmp_path / "arm.osim"))
    model, findings = read_osim(tmp_path / "arm.osim").as_model()
    arms = MomentArms(model)
    state = theirs.initSystem()
    muscle = osim.Muscle.safeDownCast(theirs.getForceSet().get("muscle"))
    coordinates = theirs.getCoordinateSet()
    wrapped = 0
    for upper in (-20.0, 25.0):
        for lower in (-70.0, -40.0, -10.0, 20.0, 50.0):
            for name, value in (("upper_angle", upper), ("lower_angle", lower)):
                coordinates.get(name).setValue(state, np.radians(value))
            theirs.realizePosition(state)
            length = muscle.getLength(state)
            arms.posture = {"upper_pin": (upper, 0.0, 0.0), "lower_pin": (lower, 0.0, 0.0)}
            arms.place((), 0.0)
            ours = arms.geometry.length(0)
            assert ours == pytest.approx(length, abs=TOLERANCE[kind])
            assert ours <= length + 1e-6  # their arc on an ellipsoid is measured by its chords
            wrapped += int(arms.geometry._state.touching.sum() if kind != "straight" else 1)
            for name, joint in (("upper_angle", "upper_pin"), ("lower_angle", "lower_pin")):
                arm = muscle.computeMomentArm(state, coordinates.get(name))
                bound = 1e-6 if kind != "ellipsoid" else 4e-3
                assert arms.moment_arm("muscle", (Turn(joint),)) == pytest.approx(arm, abs=bound)
    assert wrapped >= 3


def test_a_path_point_on_a_third_body_changes_the_moment_arm():
    """A check that the comparison above could fail: the lever belongs to the joint that the path crosses."""
    model = limb_model(np.random.default_rng(3))
    moved = replace(model.muscles[0], path=(model.muscles[0].path[0], PathPoint("lower", (0.05, 0.0, -0.1))))
    other = replace(model, muscles=[moved, *model.muscles[1:]])
    one = MomentArms(model).curve("one", joint_motion(model, "hinge"), (0.0,)).moment_arm[0]
    two = MomentArms(other).curve("one", joint_motion(other, "hinge"), (0.0,)).moment_arm[0]
    assert one == 0.0 and abs(two) > 1e-3
