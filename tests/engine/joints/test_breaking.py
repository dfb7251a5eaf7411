"""Joints and connections that give way: when, once, with momentum exact and the ledger closed."""

from dataclasses import replace

import numpy as np
import pytest
import toy_joints
from mechanisms import free_space, momenta, scenario_of

from mannequin.engine import (
    Body,
    Joint,
    JointBreak,
    JointSpring,
    Model,
    Motor,
    Point,
    Scenario,
    SpringDamper,
    Weld,
    run,
    validate,
)

MASS = toy_joints.MASS
STIFFNESS = 800.0
SPRING = JointSpring("z", ((-1.0, STIFFNESS), (1.0, -STIFFNESS)))
WEIGHTLESS = {"gravity": (0.0, 0.0, 0.0), "time_step": 1e-5, "output_step": 1e-3, "duration": 0.1}
MOVING = {"joint_velocities": {"joint": (1.0, 0.0, 0.0)}}


def slider(*breaks, integrator="symplectic_euler", **fields):
    """A mass thrown at 1 m/s against a spring of 800 N/m: its force reaches 40 N after 78.5 ms."""
    steps = WEIGHTLESS | {"integrator": integrator}
    return toy_joints.one_joint("prismatic", MOVING, steps, springs=[SPRING], breaks=list(breaks), **fields)


@pytest.mark.parametrize("integrator", ["symplectic_euler", "runge_kutta_4"])
def test_a_spring_breaks_at_its_load(integrator):
    """k x = 20 N at x = 25 mm: from there it flies on with what is left of its speed, sqrt(v^2 - k x^2 / m)."""
    recording = run(slider(JointBreak(load=20.0), integrator=integrator))
    (event,) = recording.breaks
    assert event["time"] == pytest.approx(np.arcsin(0.5) / 20.0, abs=3e-5)
    assert event["load"] == pytest.approx(20.0, rel=2e-3)
    assert event["energy"] == pytest.approx(0.5 * STIFFNESS * 0.025**2, rel=3e-3)
    assert recording.joint_slide_rate[-1, 0, 2] == pytest.approx(np.sqrt(1.0 - 0.25), rel=1e-3)
    # what the spring held is gone from the bodies, and the ledger says where
    passive = recording.energy[-1, 6]
    assert passive == pytest.approx(-0.25, rel=3e-3)
    assert abs(recording.energy[:, -1]).max() < 1e-4
    assert any("gave way" in line and "20" in line and " N " in line for line in recording.warnings)


def test_it_breaks_by_energy():
    recording = run(slider(JointBreak(energy=0.5)))
    (event,) = recording.breaks
    assert event["time"] == pytest.approx(np.arcsin(np.sqrt(0.5)) / 20.0, abs=3e-5)
    assert recording.joint_slide_rate[-1, 0, 2] == pytest.approx(np.sqrt(0.5), rel=1e-3)


def test_what_is_left_goes_on_resisting():
    """With a quarter left the mass swings with half the frequency: x = x0 + ... peaks where k/8 x^2 = m v^2 / 2."""
    recording = run(slider(JointBreak(load=20.0, residual=0.25)))
    speed2, left = 0.75, 0.25 * STIFFNESS
    peak = np.sqrt(0.025**2 + MASS * speed2 / left)
    long = run(replace_settings(slider(JointBreak(load=20.0, residual=0.25)), duration=0.25))
    assert len(recording.breaks) == len(long.breaks) == 1, "it breaks once"
    assert long.joint_slide[:, 0, 2].max() == pytest.approx(peak, rel=1e-3)


def replace_settings(scenario: Scenario, **values) -> Scenario:
    return replace(scenario, settings=replace(scenario.settings, **values))


def test_nothing_breaks_unless_chosen_or_below_the_bound():
    assert len(run(slider()).breaks) == 0
    holding = run(slider(JointBreak(load=41.0)))
    assert len(holding.breaks) == 0
    np.testing.assert_array_equal(holding.joint_slide, run(slider()).joint_slide)


def two_bodies(kind: str, **fields) -> Scenario:
    """Two bodies that fly and tumble freely, joined by a sprung joint that will give way."""
    bodies = [
        Body(name, mass, (0.02, 0.03, 0.04, 0.001, 0.002, -0.001), center_of_mass=(0.05, 0.02, 0.1))
        for name, mass in (("a", 2.0), ("b", 1.0))
    ]
    joint = Joint("bone", kind, "a", "b", damping=0.0, **fields)
    model = Model("pair", bodies, [Joint("root", "free", None, "a"), joint])
    settings = free_space(
        gravity=(0.0, 0.0, 0.0), duration=0.05, output_step=1e-3, time_step=2e-5, integrator="runge_kutta_4"
    )
    slides = {"joint_slide_velocities": {"bone": (1.0, 0.5, -0.2)}} if kind == "bushing" else {}
    return scenario_of(
        model,
        settings,
        velocity=(1.0, 0.5, -0.3),
        angular_velocity=(2.0, 20.0, 5.0),
        joint_velocities={"bone": (4.0, 8.0, 2.0)},
        **slides,
    )


def line(axis: str, slope: float, unit: float) -> JointSpring:
    return JointSpring(axis, ((-1.0, slope * unit), (1.0, -slope * unit)))


BONE = [line(axis, 2000.0, np.radians(1.0)) for axis in "xyz"]
HELD = [line(f"along_{axis}", 2e4, 1.0) for axis in "xyz"]


@pytest.mark.parametrize(
    ("kind", "springs", "breaks"),
    [
        ("spherical", BONE, [JointBreak(load=30.0)]),
        ("bushing", [*BONE, *HELD], [JointBreak(load=30.0, residual=0.1)]),
        ("bushing", [*BONE, *HELD], [JointBreak("along_x", load=40.0), JointBreak("y", load=10.0)]),
        ("universal", BONE[:2], [JointBreak(load=20.0)]),
    ],
)
def test_momentum_is_exact_and_the_ledger_closed(kind, springs, breaks):
    """A bone that breaks in flight: linear and angular momentum kept to 1e-9, energy to the error of the steps."""
    scenario = two_bodies(kind, springs=springs, breaks=breaks)
    recording = run(scenario)
    assert len(recording.breaks) == len(breaks)
    linear, angular = momenta(scenario, recording)
    assert np.abs(linear - linear[0]).max() < 1e-9 * np.abs(linear).max()
    assert np.abs(angular - angular[0]).max() < 1e-9 * np.abs(angular).max()
    size = recording.energy[0, 0]
    assert np.abs(recording.energy[:, -1]).max() < 1e-6 * size
    assert not np.allclose(recording.joint_angle[-1], run(two_bodies(kind, springs=springs)).joint_angle[-1])


def test_one_axis_gives_way_and_the_others_hold():
    scenario = two_bodies("spherical", springs=BONE, breaks=[JointBreak("y", load=5.0)])
    recording = run(scenario)
    turned = np.abs(np.degrees(recording.joint_angle[:, 1])).max(axis=0)
    assert len(recording.breaks) == 1
    assert turned[1] > 20.0
    assert turned[0] < 5.0


DRIVE = Motor(stiffness=20.0, damping=0.1, target=(0.0, 20.0, 20.0))


@pytest.mark.parametrize("extra", [{"motor": DRIVE}, {"damping": 3.0}])
def test_motor_and_damping_go_with_the_axis_that_gave_way(extra):
    """About y both are gone with the spring, so the turn rate there stays (equal moments of inertia about the centre:
    Euler's equations have no gyroscopic torque); about x they act on."""
    ball = Body("ball", 1.0, (0.05, 0.05, 0.05, 0.0, 0.0, 0.0))
    fields = {"damping": 0.0, "springs": [line("y", 800.0, np.radians(1.0))]} | extra
    joint = Joint("bone", "spherical", None, "ball", breaks=[JointBreak("y", load=0.01)], **fields)
    steps = {"duration": 0.03, "output_step": 1e-3, "time_step": 1e-5}
    settings = free_space(gravity=(0.0, 0.0, 0.0), joint_damping=1.0, **steps)
    model = Model("one", [ball], [joint])
    recording = run(scenario_of(model, settings, joint_velocities={"bone": (2.0, 2.0, 0.0)}))
    (event,) = recording.breaks
    after = recording.times > event["time"] + 1e-4
    rates = recording.joint_rate[after, 0]
    assert np.ptp(rates[:, 1]) < 2e-3
    assert np.ptp(rates[:, 0]) > 0.3
    assert abs(recording.energy[:, -1]).max() < 1e-3 * abs(recording.energy).max()


# ---------------------------------------------------------------- connections


def hung(**connection) -> Scenario:
    """A body of 2 kg under a weld or a spring to a point of the world, in weightlessness, thrown at 1 m/s along z."""
    model = Model(
        "bob", [Body("bob", 2.0, (0.01, 0.01, 0.01, 0, 0, 0))], [Joint("root", "free", None, "bob")]
    )
    settings = free_space(gravity=(0.0, 0.0, 0.0), duration=0.1, output_step=1e-3, time_step=1e-5)
    scenario = scenario_of(model, settings, velocity=(0.0, 0.0, 1.0), angular_velocity=(0.0, 0.0, 5.0))
    return replace(scenario, **connection)


def ends():
    return Point((0.0, 0.0, 0.0)), Point((0.0, 0.0, 0.0), "bob", "actor")


def test_a_spring_breaks_by_energy():
    world, bob = Point((0.0, 0.0, -1.0)), Point((0.0, 0.0, 0.0), "bob", "actor")
    recording = run(hung(springs=[SpringDamper("cord", world, bob, 800.0, break_energy=0.5)]))
    (event,) = recording.breaks
    assert event["energy"] == pytest.approx(0.5, rel=2e-3)
    assert recording.velocity[-1, 0, 2] == pytest.approx(np.sqrt(0.5), rel=1e-3)
    assert any("'cord' broke" in line for line in recording.warnings)


def test_a_weld_breaks_by_its_moment():
    """5 rad/s against 40 N m/rad on 0.01 kg m2: 2 N m after asin(2 / (5 sqrt(0.4))) / sqrt(4000) s."""
    weld = Weld("pin", *ends(), 1e3, 0.0, rotational_stiffness=40.0, break_torque=2.0)
    recording = run(hung(welds=[weld]))
    (event,) = recording.breaks
    expected = np.arcsin(2.0 / (5.0 * np.sqrt(0.4))) / np.sqrt(4000.0)
    assert event["time"] == pytest.approx(expected, abs=3e-5)
    assert event["load"] == pytest.approx(2.0, rel=5e-3)
    assert any("N m" in line and "'pin'" in line for line in recording.warnings)


# ---------------------------------------------------------------- checks


@pytest.mark.parametrize(
    ("kind", "found", "words"),
    [
        ("prismatic", JointBreak(), "nothing says when it gives way"),
        ("universal", JointBreak("z", load=1.0), "does not move in the axis 'z'"),
        ("fixed", JointBreak(load=1.0), "a fixed joint cannot give way"),
        ("prismatic", JointBreak(load=-1.0), "load"),
        ("prismatic", JointBreak(load=1.0, residual=2.0), "residual"),
    ],
)
def test_breaks_are_checked(kind, found, words):
    scenario = toy_joints.one_joint(kind, breaks=[found])
    assert any(words in str(issue) for issue in validate(scenario) if issue.severity == "error")
