"""OpenSim files beyond one free person: several roots, muscles from the ground, a root in a plane, a platform that
moves, springs along paths, bushings and limit forces."""

from dataclasses import replace

import numpy as np
import pytest
from gait_osim import LINE, NONE, ZERO, X, Y, Z, coordinate_text, frame_text, gait_osim, joint_text, text

from mannequin.engine import Scenario, run, validate
from mannequin.engine.bodies.posture import actor_poses
from mannequin.interchange.common.findings import Findings
from mannequin.interchange.common.hinges import plain_model
from mannequin.interchange.opensim.read import loads

BALL_INERTIA = (0.02, 0.02, 0.02, 0.0, 0.0, 0.0)


def osim_text(bodies: list[str], joints: str, forces: str = "", constraints: str = "") -> bytes:
    parts = "".join(
        f'<Body name="{name}"><mass>2</mass><mass_center>0 0 0</mass_center>'
        f"<inertia>{text(BALL_INERTIA)}</inertia></Body>"
        for name in bodies
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" ?><OpenSimDocument Version="40000"><Model name="world">'
        '<Ground name="ground"/><gravity>0 -9.80665 0</gravity>'
        f'<BodySet name="bodyset"><objects>{parts}</objects></BodySet>'
        f'<JointSet name="jointset"><objects>{joints}</objects></JointSet>'
        f'<ForceSet name="forceset"><objects>{forces}</objects></ForceSet>'
        f'<ConstraintSet name="constraintset"><objects>{constraints}</objects></ConstraintSet>'
        "</Model></OpenSimDocument>"
    ).encode()


def simple_joint(
    tag: str, name: str, child: str, coordinates: str, parent: str = "ground", place=NONE
) -> str:
    return (
        f'<{tag} name="{name}"><socket_parent_frame>{name}_p</socket_parent_frame>'
        f"<socket_child_frame>{name}_c</socket_child_frame><coordinates>{coordinates}</coordinates><frames>"
        f"{frame_text(name + '_p', parent, place, NONE)}{frame_text(name + '_c', child, NONE, NONE)}"
        f"</frames></{tag}>"
    )


def free_joint(name: str, child: str, height: float) -> str:
    names = [f"{name}_{part}" for part in ("rx", "ry", "rz", "tx", "ty", "tz")]
    values = (0.1, 0.0, 0.2, 0.3, height, 0.0)
    rows = "".join(coordinate_text(n, v, -10, 10) for n, v in zip(names, values, strict=True))
    return simple_joint("FreeJoint", name, child, rows)


def path_text(points: list[tuple[str, tuple[float, ...]]]) -> str:
    rows = "".join(
        f'<PathPoint name="p{k}"><socket_parent_frame>{"/ground" if body == "ground" else "/bodyset/" + body}'
        f"</socket_parent_frame><location>{text(place)}</location></PathPoint>"
        for k, (body, place) in enumerate(points)
    )
    return f'<GeometryPath name="path"><PathPointSet><objects>{rows}</objects></PathPointSet></GeometryPath>'


def muscle(name: str, points: list) -> str:
    return (
        f'<Millard2012EquilibriumMuscle name="{name}">{path_text(points)}'
        "<max_isometric_force>500</max_isometric_force><optimal_fiber_length>0.2</optimal_fiber_length>"
        "<tendon_slack_length>0.1</tendon_slack_length></Millard2012EquilibriumMuscle>"
    )


def errors(imported) -> list[str]:
    scenario, _ = imported.as_scenario()
    return [str(issue) for issue in validate(scenario) if issue.severity == "error"]


def test_tug_of_war_keeps_both_muscles() -> None:
    """A block that is free, between two muscles from the ground."""
    forces = muscle("left", [("ground", (0, 0.05, -0.35)), ("block", (0, 0, -0.05))])
    forces += muscle("right", [("ground", (0, 0.05, 0.35)), ("block", (0, 0, 0.05))])
    imported = loads(osim_text(["block"], free_joint("free", "block", 0.05), forces))
    assert [m.name for m in imported.actor.model.muscles] == ["left", "right"]
    kinds = {joint.child: joint.type for joint in imported.actor.model.joints}
    assert kinds == {"ground": "fixed", "block": "bushing"}
    assert errors(imported) == []


def test_several_free_roots_fall_alike() -> None:
    """A ball and a goalkeeper: both are there, and each falls freely."""
    joints = free_joint("one", "ball", 1.0) + free_joint("two", "keeper", 2.0)
    imported = loads(osim_text(["ball", "keeper"], joints))
    assert errors(imported) == []
    scenario, _ = imported.as_scenario()
    scenario.settings.duration = 0.2
    recording = run(scenario)
    for name, height in (("ball", 1.0), ("keeper", 2.0)):
        b = recording.body_names.index(name)
        fallen = height - 0.5 * 9.80665 * recording.times**2
        np.testing.assert_allclose(recording.position[:, b, 2], fallen, atol=2e-4)
        np.testing.assert_allclose(recording.position[:, b, :2], [[0.3, 0.0]] * recording.frames, atol=1e-9)


def test_a_root_in_a_plane_stays_in_it() -> None:
    """The whole gait model, let go from a random posture: nothing leaves the sagittal plane by the root."""
    imported = loads(gait_osim().encode())
    kinds = {joint.name: joint.type for joint in imported.actor.model.joints}
    assert kinds["ground_pelvis"] == kinds["knee_r"] == "custom" and errors(imported) == []
    scenario, _ = imported.as_scenario()
    scenario.settings.duration, scenario.settings.output_step = 0.05, 0.01
    recording = run(scenario)
    assert recording.status == "completed"
    pelvis = recording.body_names.index("pelvis")
    across = recording.origin(pelvis)[:, 1]
    assert np.abs(across - across[0]).max() < 1e-12
    assert np.abs(recording.rotation(pelvis)[:, 1] - [0.0, 1.0, 0.0]).max() < 1e-12


def test_a_platform_moves_as_the_file_prescribes() -> None:
    """It slides by 0.2 t^2 and carries a free ball above it, which does not move with it."""
    function = (
        "<prescribed_function><PolynomialFunction><coefficients>0.2 0 0.1</coefficients></PolynomialFunction>"
        "</prescribed_function><prescribed>true</prescribed>"
    )
    slide = f'<Coordinate name="slide"><default_value>0.1</default_value>{function}</Coordinate>'
    joints = simple_joint("SliderJoint", "rail", "platform", slide) + free_joint("root", "ball", 3.0)
    imported = loads(osim_text(["platform", "ball"], joints))
    assert errors(imported) == []
    scenario, _ = imported.as_scenario()
    scenario.settings.duration = 0.5
    recording = run(scenario)
    platform = recording.body_names.index("platform")
    np.testing.assert_allclose(recording.position[:, platform, 0], 0.1 + 0.2 * recording.times**2, atol=1e-5)


def test_springs_along_paths() -> None:
    """Between two points a spring that only pulls; over several a belt with the same force; its tension at a pose."""
    joints = free_joint("root", "block", 1.0)
    spring = "<resting_length>0.4</resting_length><stiffness>300</stiffness><dissipation>0.1</dissipation>"
    points = [("ground", (0, 2, 0)), ("block", (0, 0.1, 0))]
    longer = "<resting_length>9</resting_length><stiffness>300</stiffness>"
    forces = f'<PathSpring name="rope">{path_text(points)}{spring}</PathSpring>'
    over = [points[0], ("block", (0, 0.2, 0)), ("ground", (1, 1, 0))]
    forces += f'<PathSpring name="ring">{path_text(over)}{longer}</PathSpring>'
    forces += f'<PathSpring name="tight">{path_text(over)}{spring}</PathSpring>'
    forces += f'<PathActuator name="pull">{path_text(points)}</PathActuator>'
    imported = loads(osim_text(["block"], joints, forces))
    model = imported.actor.model
    (rope,) = model.springs
    assert (rope.stiffness, rope.rest_length, rope.tension_only) == (300, 0.4, True)
    (ring,) = model.belts
    assert ring.stiffness == pytest.approx(300 * 9) and ring.slip == [False, True, False]
    printed = "\n".join(map(str, imported.as_model()[1]))
    for part in ("dissipation", "stretched at the start", "excitation from 0 to 1"):
        assert part in printed
    (pull,) = model.muscles
    assert (pull.form, pull.max_isometric_force, pull.path[0].body) == ("actuator", 1.0, "ground")
    assert errors(imported) == []


def test_bushings_and_what_is_told() -> None:
    frames = frame_text("f1", "ground", (0, 1, 0), NONE) + frame_text("f2", "block", (0, 0.1, 0), NONE)
    bushing = (
        '<BushingForce name="mount"><socket_frame1>f1</socket_frame1><socket_frame2>f2</socket_frame2>'
        f"<frames>{frames}</frames><rotational_stiffness>10 10 10</rotational_stiffness>"
        "<translational_stiffness>1000 1000 4000</translational_stiffness>"
        "<rotational_damping>0 0 0</rotational_damping><translational_damping>5 5 5</translational_damping>"
        "</BushingForce>"
    )
    line = (
        '<PointOnLineConstraint name="rail"><socket_line_body>/ground</socket_line_body>'
        "<socket_follower_body>/bodyset/block</socket_follower_body><line_direction_vec>0 2 0</line_direction_vec>"
        "<point_on_line>0.3 0.9 0</point_on_line><point_on_follower>0 0 0</point_on_follower>"
        "</PointOnLineConstraint>"
    )
    imported = loads(osim_text(["block"], free_joint("root", "block", 0.9), bushing, line))
    rail, weld = imported.actor.model.welds
    assert rail.line == pytest.approx((0, 0, 1)) and rail.start.position == pytest.approx((0.3, 0, 0.9))
    assert (weld.start.body, weld.end.body) == (None, "block")
    assert (weld.stiffness, weld.damping, weld.rotational_stiffness) == pytest.approx((2000, 5, 10))
    printed = "\n".join(map(str, imported.as_model()[1]))
    assert "with the mean of the file's" in printed and "stiff spring and damper" in printed


LIMIT = (
    '<CoordinateLimitForce name="stop"><coordinate>{name}</coordinate><upper_limit>{upper}</upper_limit>'
    "<upper_stiffness>2</upper_stiffness><lower_limit>{lower}</lower_limit><lower_stiffness>3</lower_stiffness>"
    "<damping>0.5</damping><transition>{transition}</transition></CoordinateLimitForce>"
)


def limit_spring(name: str, upper: float, lower: float, transition: float):
    """The spring of a limit force on the hinge or the slider of a chain."""
    joints = simple_joint("PinJoint", "hinge", "arm", coordinate_text("turn", 0, -2, 2))
    joints += simple_joint("SliderJoint", "rail", "cart", coordinate_text("way", 0, -2, 2), "arm")
    force = LIMIT.format(name=name, upper=upper, lower=lower, transition=transition)
    imported = loads(osim_text(["arm", "cart"], joints, force))
    assert errors(imported) == []
    (spring,) = [s for joint in imported.actor.model.joints for s in joint.springs]
    return spring


@pytest.mark.parametrize(
    ("name", "upper", "lower", "transition", "unit"),
    [("turn", 30.0, -20.0, 10.0, 180 / np.pi), ("way", 0.3, -0.2, 0.1, 1.0)],
)
def test_limit_forces(name: str, upper: float, lower: float, transition: float, unit: float) -> None:
    """Past the transition the force of the whole stiffness; in it Simbody's step; nothing inside."""
    spring = limit_spring(name, upper, lower, transition)
    at, force = np.array(spring.curve).T

    def expected(x: float) -> float:
        over, under = max(0.0, x - upper), max(0.0, lower - x)
        steps = [min(1.0, part / transition) for part in (over, under)]
        rise = [s**3 * (10 - 15 * s + 6 * s * s) for s in steps]
        return -2.0 * rise[0] * over + 3.0 * rise[1] * under

    for x in np.linspace(lower - 3 * transition, upper + 3 * transition, 57):
        assert np.interp(x, at, force) == pytest.approx(expected(x), abs=0.01 * 3.0 * transition)


def test_coordinates_that_something_follows_are_our_own() -> None:
    """A joint of three turns is a ball joint, but for a force on one of its coordinates, which it then has."""
    names = ["flexion", "adduction", "rotation"]
    axes = [(n, d, LINE) for n, d in zip(names, (Z, X, Y), strict=True)] + [("", d, ZERO) for d in (X, Y, Z)]
    coordinates = "".join(coordinate_text(n, 0.1, -2, 2) for n in names)
    hip = joint_text("hip", ("ground", NONE, NONE, "leg", NONE, NONE), coordinates, axes)
    assert loads(osim_text(["leg"], hip)).actor.model.joints[0].type == "spherical"
    force = LIMIT.format(name="adduction", upper=30, lower=-20, transition=5)
    imported = loads(osim_text(["leg"], hip, force))
    (joint,) = imported.actor.model.joints
    assert joint.type == "custom" and [s.axis for s in joint.springs] == ["y"]
    assert imported.actor.joint_angles["hip"] == pytest.approx((np.degrees(0.1),) * 3)
    assert errors(imported) == []
    assert isinstance(imported.as_scenario()[0], Scenario)


def test_other_programs_get_hinges_and_still_points() -> None:
    """Bodies stand where they stood at the start, and turn by the same numbers; what is held is reported."""
    actor = loads(gait_osim().encode()).actor
    findings = Findings()
    plain = replace(actor, model=plain_model(actor.model, actor.joint_angles, findings))
    kinds = {joint.name: joint.type for joint in plain.model.joints}
    assert kinds["knee_r"] == kinds["ankle_l"] == "revolute" and kinds["ground_pelvis"] == "custom"
    before, after = actor_poses(actor), actor_poses(plain)
    for name, pose in before.items():
        np.testing.assert_allclose(after[name], pose, atol=1e-12)
    printed = "\n".join(map(str, findings.list()))
    assert "it is a hinge there" in printed and "always there" in printed
    assert [str(issue) for issue in validate(plain.model) if issue.severity == "error"] == []
