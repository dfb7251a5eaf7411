"""Every block of the Hyfydy manual 1.0.0 has a small file that reads and runs; where the manual prints a formula, the
run agrees with it, worked out here from the manual's text.

One step of forward Euler changes a velocity by force / mass times the step, so a run of one step shows the force at the
given start.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from mannequin.engine import run, spec, validate
from mannequin.interchange.hyfydy.configuration import configuration_blocks
from mannequin.interchange.hyfydy.read import loads
from mannequin.interchange.hyfydy.state import state_of

GROUND = "body { name = ground mass = 0 inertia = [ 0 0 0 ] }"
FLOOR = f"{GROUND} geometry {{ name = floor type = plane normal = [ 0 1 0 ] body = ground }}"
STEP = 1e-6
EXPLICIT = "forward_euler_integrator {}"


def scenario_of(text: str, config: str = "", state: str = "", **settings) -> spec.Scenario:
    blocks = configuration_blocks(config) if config else ()
    scenario, _ = loads(
        f"model {{ {text} }}", "test", blocks, state_of(state) if state else None
    ).as_scenario()
    for name, value in settings.items():
        setattr(scenario.settings, name, value)
    return scenario


def one_step(text: str, config: str, state: str = ""):
    """The recording of a run of one step."""
    return run(
        scenario_of(text, f"{config} {EXPLICIT}", state, duration=STEP, time_step=STEP, output_step=STEP)
    )


def body_row(recording, name: str) -> int:
    return [label.split("/")[-1] for label in recording.body_names].index(name)


def force(recording, mass: float, name: str = "a") -> np.ndarray:
    """(3,) mean force (N) on a body in the step, in the file's axes."""
    i = body_row(recording, name)
    x, y, z = mass * (recording.velocity[-1, i] - recording.velocity[0, i]) / STEP
    return np.array([x, z, -y])


def messages(text: str, config: str = "") -> str:
    imported = loads(f"model {{ {text} }}", "test", configuration_blocks(config) if config else ())
    return "\n".join(map(str, imported.findings.list()))


# ---------------------------------------------------------------- chapter 2: every component runs

BODY = "body { name = a mass = 2 inertia = [ 0.1 0.2 0.3 ] pos = [ 0 1 0 ] }"
CHILD = """body {{ name = b mass = 1 inertia = [ 0.1 0.1 0.1 ] {} {{ name = j parent = a pos_in_parent = [ 0 -0.2 0 ]
    pos_in_child = [ 0 0.2 0 ] {} }} }}"""
MUSCLE = """{} {{ name = m max_isometric_force = 100 optimal_fiber_length = 0.1 tendon_slack_length = 0.2
    path [ {{ body = a pos = [ 0.05 0 0 ] }} {{ body = b pos = [ 0.05 0 0 ] }} ] }}"""
COMPONENTS = {
    "model": f"name = m gravity = [ 0 -1.62 0 ] {BODY}",
    "body by mass": BODY,
    "joint": f"{BODY} {CHILD.format('joint', 'limits { x = 0..0 y = 0..0 z = -90..10 } limit_stiffness = 100')}",
    "joint_6dof": BODY
    + CHILD.format("joint_6dof", "translation_limits { x = 0..0 y = -0.05..0.05 z = 0..0 }"),
    "spring": f"""{GROUND} {BODY} spring {{ parent = ground child = a pos_in_parent = [ 0 2 0 ]
        pos_in_child = [ 0 0 0 ] rest_length = 0.5 stiffness = 100 damping = 1 }}""",
    "material": f"{BODY} material {{ name = skin stiffness = 1e4 damping = 1 static_friction = 0.9 }}",
    "model_options": f"model_options {{ mirror = 1 scale = 1.1 density = 900 joint_limit_stiffness = 10 }} {BODY}",
    "point_path_muscle": BODY + CHILD.format("joint", "") + MUSCLE.format("point_path_muscle"),
    "joint_point_path_muscle": BODY + CHILD.format("joint", "") + MUSCLE.format("joint_point_path_muscle"),
    "joint_motor": f"{BODY} {CHILD.format('joint', '')} joint_motor {{ joint = j stiffness = 10 damping = 1 }}",
    "mesh": BODY[:-1] + "mesh { shape { type = box dim = [ 1 1 1 ] } color { h = 0.5 s = 1 v = 0.5 } } }",
    "dof": f"{BODY} dof {{ name = tilt source = a_rz default = 5 range = -90..90 }}",
}
COMPONENTS |= {
    f"body of a {kind}": f"body {{ name = a density = 500 shape {{ type = {kind} {size} }} pos = [ 0 1 0 ] }}"
    for kind, size in (
        ("sphere", "radius = 0.1"),
        ("cylinder", "radius = 0.1 height = 0.3"),
        ("capsule", "radius = 0.1 height = 0.3"),
        ("box", "dim = [ 0.1 0.2 0.3 ]"),
    )
}
COMPONENTS |= {
    f"geometry: {kind}": f"{FLOOR} {BODY} geometry {{ type = {kind} {size} body = {body} }}"
    for kind, size, body in (
        ("sphere", "radius = 0.1", "a"),
        ("capsule", "radius = 0.1 height = 0.3", "a"),
        ("box", "dim = [ 0.1 0.2 0.3 ]", "a"),
        ("plane", "normal = [ 1 1 0 ]", "ground"),
    )
}


@pytest.mark.parametrize("name", COMPONENTS)
def test_every_component_runs(name):
    scenario = scenario_of(COMPONENTS[name], duration=0.002)
    assert [issue for issue in validate(scenario) if issue.severity == "error"] == []
    recording = run(scenario)
    assert np.isfinite(recording.position).all()
    assert "manual" not in messages(COMPONENTS[name])


def test_spring_force():
    """2.3.5: stiffness times (length - rest length) along the line, less damping times its speed."""
    text = f"""gravity = [ 0 0 0 ] {GROUND} body {{ name = a mass = 2 inertia = [ 1 1 1 ] lin_vel = [ 0 3 0 ] }}
        spring {{ parent = ground child = a pos_in_parent = [ 0 2 0 ] pos_in_child = [ 0 0 0 ] rest_length = 0.5
        stiffness = 100 damping = 7 }}"""
    # the ground pulls up with 150 N, and the length falls at 3 m/s
    np.testing.assert_allclose(force(one_step(text, ""), 2.0), [0, 100 * 1.5 - 7 * 3, 0], atol=1e-3)


# ---------------------------------------------------------------- 3.1 joint forces


def swing(config: str, angle: float, rate: float) -> float:
    """Torque (N m) in a hinge about z with limits of -10 and 20 degrees, at an angle (degrees) and a speed."""
    text = f"""gravity = [ 0 0 0 ] {GROUND} body {{ name = a mass = 1 inertia = [ 0.5 0.5 0.5 ]
        joint {{ name = j parent = ground pos_in_parent = [ 0 0 0 ] pos_in_child = [ 0 0 0 ]
        limits {{ x = 0..0 y = 0..0 z = -10..20 }} limit_stiffness = 300 limit_damping = 0.8 }} }}"""
    state = f"values {{ a_rz = {np.radians(angle)!r} }} velocities {{ a_rz = {rate!r} }}"
    recording = one_step(text, config, state)
    # their z is our minus y
    return -0.5 * (recording.angular_velocity[-1, 0, 1] - recording.angular_velocity[0, 0, 1]) / STEP


@pytest.mark.parametrize("prefix", ["", "planar_"])
@pytest.mark.parametrize(("angle", "rate"), [(25, 2), (25, -0.5), (-18, -2), (-18, 0.5), (5, 3)])
def test_limit_torque_of_pnld(prefix, angle, rate):
    """3.1.1: -k theta (1 + k_w w), with w counted outwards, so that it damps on both sides (docs/derivations.md, Range
    of motion)."""
    theta = np.radians(angle - 20 if angle > 20 else angle + 10 if angle < -10 else 0)
    expected = -300 * theta * (1 + 0.8 * rate * np.sign(theta))
    found = swing(f"composite_force {{ {prefix}joint_force_pnld {{}} }}", angle, rate)
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(("angle", "rate"), [(25, 2), (25, -0.5), (-18, -2), (5, 3)])
def test_limit_torque_of_pd(angle, rate):
    """3.1.2: -k theta - k_w w past a limit."""
    theta = np.radians(angle - 20 if angle > 20 else angle + 10 if angle < -10 else 0)
    expected = -300 * theta - 0.8 * rate * (theta != 0)
    assert swing("joint_force_pd {}", angle, rate) == pytest.approx(expected, rel=1e-4, abs=1e-6)


def test_without_a_joint_force_limits_do_not_act():
    assert swing("composite_force { joint_motor_force {} }", 25, 1) == pytest.approx(0, abs=1e-9)
    assert "joint limits do not act" in messages(BODY, "joint_motor_force {}")


# ---------------------------------------------------------------- 3.2 contact forces

K, K2, C, C2, MU, MU2, DEPTH, NORMAL_SPEED = 11006.4, 30000.0, 0.5, 1.1, 0.9, 0.4, 0.004, -0.3


def pressed(config: str, slip: float) -> np.ndarray:
    """Force on a ball that is DEPTH in a floor of another material, and moves into it and along it."""
    text = f"""gravity = [ 0 0 0 ]
        material {{ name = skin stiffness = {K} damping = {C} static_friction = {MU} dynamic_friction = 0.6 }}
        material {{ name = stone stiffness = {K2} damping = {C2} static_friction = {MU2} }}
        {GROUND} body {{ name = a mass = 50 inertia = [ 9 9 9 ] pos = [ 0 {0.1 - DEPTH!r} 0 ]
        lin_vel = [ {slip!r} {NORMAL_SPEED} 0 ] }}
        geometry {{ name = floor type = plane normal = [ 0 1 0 ] body = ground material = stone }}
        geometry {{ name = ball type = sphere radius = 0.1 body = a material = skin }}"""
    return force(one_step(text, f"composite_force {{ simple_collision_detection {{}} {config} }}"), 50.0)


def expected_normal(law: str) -> float:
    """3.2.3 with the properties combined as in 3.2.2. F = (k d)^1.5 ... is how the manual's stiffness is meant
    (docs/formats/hyfydy.md)."""
    k, c = K * K2 / (K + K2), 0.5 * (C + C2)
    if law == "contact_force_pd":
        return k * DEPTH - c * NORMAL_SPEED
    return (k * DEPTH) ** 1.5 * (1 - 1.5 * c * NORMAL_SPEED)


@pytest.mark.parametrize("law", ["contact_force_pd", "contact_force_hunt_crossley"])
@pytest.mark.parametrize("slip", [0.001, 0.5])
def test_contact_force(law, slip):
    """3.2.3.1 and 3.2.3.2: friction is min(viscosity slip, mu F_n)."""
    normal = expected_normal(law)
    friction = min(800 * slip, np.sqrt(MU * MU2) * normal)
    found = pressed(f"{law} {{ viscosity = 800 }}", slip)
    np.testing.assert_allclose(found, [-friction, normal, 0], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("slip", [0.05, 0.2, 2.0])
def test_contact_force_of_simbody(slip):
    """3.2.3.4: Hollars' friction, min(s, 1) (mu_d + 2 (mu_s - mu_d) / (1 + s^2)) with s = slip / transition."""
    normal = expected_normal("contact_force_hunt_crossley_sb")
    static, dynamic, s = np.sqrt(MU * MU2), np.sqrt(0.6 * MU2), slip / 0.2
    friction = normal * min(s, 1) * (dynamic + 2 * (static - dynamic) / (1 + s * s))
    found = pressed("contact_force_hunt_crossley_sb { transition_velocity = 0.2 }", slip)
    np.testing.assert_allclose(found, [-friction, normal, 0], rtol=1e-3, atol=1e-3)


def test_contact_takes_a_detection_and_a_response():
    """3.2: "both must be present"."""
    text = f"{FLOOR} {BODY} geometry {{ type = sphere radius = 0.1 body = a }}"
    for config in ("contact_force_pd {}", "simple_collision_detection {}"):
        assert scenario_of(text, config).obstacles == []
        assert "nothing touches anything" in messages(text, config)


@pytest.mark.parametrize("between", [0, 1])
def test_collision_between_objects(between):
    """3.2.1.1: without it only planes are touched; with it, bodies touch each other and whatever else is still."""
    text = f"""{FLOOR} {BODY} geometry {{ type = box dim = [ 1 1 1 ] name = block body = ground pos = [ 9 0 0 ] }}
        body {{ name = b mass = 1 inertia = [ 1 1 1 ] pos = [ 0 1.19 0 ] }} gravity = [ 0 0 0 ]
        geometry {{ type = sphere radius = 0.1 body = a }} geometry {{ type = sphere radius = 0.1 body = b }}"""
    config = f"""composite_force {{ simple_collision_detection {{ enable_collision_between_objects = {between} }}
        contact_force_hunt_crossley {{}} }}"""
    scenario = scenario_of(text, config, "velocities { b_ty = -1 a_ty = 0 }", duration=0.1)
    assert [o.name for o in scenario.obstacles] == ["floor", "block"][: 1 + between]
    assert ("only planes" in messages(text, config)) == (not between)
    recording = run(scenario)
    moved = abs(recording.velocity[-1, body_row(recording, "a"), 2]) > 0.1
    assert moved == bool(between)


# ---------------------------------------------------------------- 3.3 actuator forces

LENGTH, OPTIMAL, SLACK, FORCE, ACTIVATION = 0.33, 0.1, 0.2, 1000.0, 0.6
PULLED = f"""gravity = [ 0 0 0 ] {GROUND} body {{ name = a mass = 100 inertia = [ 9 9 9 ] pos = [ {LENGTH} 0 0 ] }}
    point_path_muscle {{ name = m max_isometric_force = {FORCE} optimal_fiber_length = {OPTIMAL}
    tendon_slack_length = {SLACK} path [ {{ body = ground pos = [ 0 0 0 ] }} {{ body = a pos = [ 0 0 0 ] }} ] }}"""


def millard(length):
    """3.3.1: f_L a + f_P at no speed, and the tendon. The manual's second c_P1 is c_P2 (docs/derivations.md,
    Muscle-tendon units)."""
    active = 1.5 * (length - 1) ** 3 - 2.75 * (length - 1) ** 2 + 1 if 0.46899 < length < 1.80528 else 0
    passive = 1.08027 * (length - 1) ** 3 + 1.27368 * (length - 1) ** 2 if length > 1 else 0
    return ACTIVATION * active + passive, lambda e: 260.972 * e * e + 7.9706 * e


def geyer_herr(length):
    """Geyer and Herr 2010: w = 0.56, c = 0.05; the parallel element ((l - 1) / w)^2; tendon (e / 0.04)^2."""
    active = np.exp(np.log(0.05) * (abs(length - 1) / 0.56) ** 3)
    passive = ((length - 1) / 0.56) ** 2 if length > 1 else 0
    return ACTIVATION * active + passive, lambda e: (e / 0.04) ** 2


def thelen(length):
    """Thelen 2003 as in OpenSim: gamma = 0.45, k_PE = 4, e_0M = 0.6, toe at 0.609 e_0T with e_0T = 0.033."""
    passive = (np.exp(4 * (length - 1) / 0.6) - 1) / (np.exp(4) - 1) if length > 1 else 0
    toe, k_toe, f_toe = 0.609 * 0.033, 3.0, 0.33

    def tendon(e):
        if e <= toe:
            return f_toe / (np.exp(k_toe) - 1) * (np.exp(k_toe * e / toe) - 1)
        return 1.712 / 0.033 * (e - toe) + f_toe

    return ACTIVATION * np.exp(-((length - 1) ** 2) / 0.45) + passive, tendon


@pytest.mark.parametrize(
    ("block", "curves"),
    [
        ("muscle_force_m2012fast { xi = 0.1 v_max = 12 }", millard),
        ("muscle_force_gh2010 {}", geyer_herr),
        ("muscle_force_tj2003 {}", thelen),
    ],
)
def test_muscle_in_equilibrium(block, curves):
    """Fibre and tendon pull alike, and the body is pulled by that, towards what stands still."""

    def gap(length):
        fibre, tendon = curves(length)
        return fibre - tendon(max(0.0, (LENGTH - OPTIMAL * length - SLACK) / SLACK))

    expected = FORCE * curves(brentq(gap, 0.7, 1.29))[0]
    recording = one_step(
        PULLED, f"composite_force {{ joint_force_pnld {{}} {block} }}", f"activations {{ m = {ACTIVATION} }}"
    )
    np.testing.assert_allclose(force(recording, 100.0), [-expected, 0, 0], rtol=2e-3, atol=1e-6)


def test_muscle_properties_and_activation_rates():
    """3.3.1 and 4.3: xi and v_max, and da/dt = (u - a) (c1 u + c2); from 0.6 at no excitation exp(-c2 t)."""
    config = "muscle_force_m2012fast { xi = 0.2 v_max = 12 } symplectic_euler_integrator { deactivation_rate = 30 }"
    scenario = scenario_of(PULLED, config, f"activations {{ m = {ACTIVATION} }}", duration=0.02)
    (muscle,) = scenario.actors[0].model.muscles
    assert (muscle.damping, muscle.max_contraction_velocity, muscle.activation.rise_rate) == (0.2, 12, 100)
    recording = run(scenario)
    assert recording.muscle_channel("activation")[-1, 0] == pytest.approx(
        ACTIVATION * np.exp(-30 * 0.02), rel=1e-6
    )


def test_a_tug_of_war_keeps_both_muscles():
    """Two equal muscles that hang on what stands still pull a block from both sides: it stays where it is, and comes
    back when it is displaced."""
    other = """point_path_muscle {{ name = n max_isometric_force = {} optimal_fiber_length = {} tendon_slack_length = {}
        path [ {{ body = ground pos = [ {} 0 0 ] }} {{ body = a pos = [ 0 0 0 ] }} ] }}"""
    text = PULLED + other.format(FORCE, OPTIMAL, SLACK, 2 * LENGTH)
    state = "activations { m = 0.6 n = 0.6 }"
    scenario = scenario_of(text, "", state)
    assert [muscle.name for muscle in scenario.actors[0].model.muscles] == ["m", "n"]
    assert abs(force(one_step(text, "muscle_force_m2012fast {}", state), 100.0)[0]) < 1e-3
    aside = state + f"values {{ a_tx = {LENGTH + 0.005} }}"
    assert force(one_step(text, "muscle_force_m2012fast {}", aside), 100.0)[0] < -10


MOTOR = f"""gravity = [ 0 0 0 ] {GROUND} body {{ name = a mass = 1 inertia = [ 0.5 0.5 0.5 ]
    joint {{ name = j parent = ground pos_in_parent = [ 0 0 0 ] pos_in_child = [ 0 0 0 ] }} }}
    joint_motor {{ joint = j stiffness = 10 damping = 3 target_ori = [ 0 0 40 ] target_vel = [ 0 0 1 ]
    torque_offset = [ 0 0 2 ] max_torque = {{}} }}"""


@pytest.mark.parametrize("most", [1e6, 5.0])
def test_joint_motor_force(most):
    """2.4.3: torque_0 + k_p r(q^-1 q_t) + k_d (v_t - v), no larger than max_torque."""
    state = "values { a_rz = 0.2 } velocities { a_rz = 0.5 }"
    recording = one_step(MOTOR.replace("{}", str(most)), "joint_force_pnld {} joint_motor_force {}", state)
    found = -0.5 * (recording.angular_velocity[-1, 0, 1] - recording.angular_velocity[0, 0, 1]) / STEP
    assert found == pytest.approx(min(most, 2 + 10 * (np.radians(40) - 0.2) + 3 * (1 - 0.5)), rel=1e-4)
    still = one_step(MOTOR.replace("{}", "100"), "joint_force_pnld {}", state)
    assert np.abs(still.angular_velocity[-1] - still.angular_velocity[0]).max() < 1e-12


def test_what_no_force_moves_is_left_out_and_told():
    text = COMPONENTS["point_path_muscle"] + "joint_motor { joint = j damping = 1 }"
    told = messages(text, "composite_force { joint_force_pnld {} }")
    assert "no muscle_force is given" in told and "no joint_motor_force is given" in told


# ---------------------------------------------------------------- 3.4 external forces


@pytest.mark.parametrize("gravity", [(0, -9.81, 0), (0, 0, 0), (1, -2, 3)])
def test_gravity(gravity):
    text = f"gravity = [ {gravity[0]} {gravity[1]} {gravity[2]} ] {BODY}"
    np.testing.assert_allclose(force(one_step(text, ""), 2.0), 2.0 * np.array(gravity), atol=1e-8)


def test_perturbation():
    """3.4.2: a force for a time gives F T / m, a moment M T / I; the words are assumed, and that is told."""
    text = f"gravity = [ 0 0 0 ] {BODY} perturbation {{ name = shove body = a force = [ 30 0 10 ] start_time = 0.01 "
    text += "duration = 0.0205 } perturbation { body = a moment = [ 0 0 0.4 ] start_time = 0.01 duration = 0.0205 }"
    recording = run(scenario_of(text, duration=0.05))
    expected = np.array([30, -10, 0]) * 0.0205 / 2.0
    np.testing.assert_allclose(recording.velocity[-1, 0], expected, rtol=1e-6, atol=1e-9)
    assert recording.angular_velocity[-1, 0, 1] == pytest.approx(-0.4 * 0.0205 / 0.3, rel=1e-6)
    assert "which are assumed" in messages(text)
    off = scenario_of(text, "enable_external_forces = 0")
    assert off.actors[0].force_pulses == []


# ---------------------------------------------------------------- chapter 4


@pytest.mark.parametrize(
    ("block", "ours", "fallen"),
    [
        ("forward_euler_integrator {}", "forward_euler", lambda n: n * (n - 1) / 2),
        ("symplectic_euler_integrator {}", "symplectic_euler", lambda n: n * (n + 1) / 2),
        ("midpoint_euler_integrator {}", "midpoint", lambda n: n * n / 2),
    ],
)
def test_integrators(block, ours, fallen):
    """4.2: after n steps of h in free fall a body has fallen g h^2 times the sum that the manual's updates give."""
    scenario = scenario_of(BODY, block, duration=0.1, time_step=0.01, output_step=0.01)
    assert scenario.settings.integrator == ours
    recording = run(scenario)
    drop = recording.position[0, 0, 2] - recording.position[-1, 0, 2]
    assert drop == pytest.approx(9.81 * 0.01**2 * fallen(10), rel=1e-9)


@pytest.mark.parametrize("block", ["planar_symplectic_euler_integrator {}", "planar_joint_force_pd {}"])
def test_planar_blocks(block):
    """3.1.3 and 4.4: nothing leads out of the x-y plane, and a body flies there as it does in space."""
    joint = CHILD.format("joint", "limits { x = -10..10 y = 0..0 z = -90..90 } limit_stiffness = 0")
    state = "velocities { a_tx = 2 a_ty = 1 a_rz = 3 b_rz = -2 } values { a_tz = 0 a_rz = 0.3 b_rz = 0.1 }"
    free = run(scenario_of(BODY + joint, "", state, duration=0.1))
    scenario = scenario_of(BODY + joint, block, state, duration=0.1)
    assert [j.type for j in scenario.actors[0].model.joints] == ["planar", "revolute"]
    flat = run(scenario)
    assert np.abs(flat.position[:, :, 1]).max() < 1e-12
    np.testing.assert_allclose(flat.position, free.position, atol=2e-5)


def test_what_a_planar_model_leaves_out_is_told():
    imported = loads(
        f"model {{ {BODY} }}",
        blocks=configuration_blocks("planar_joint_force_pd {}"),
        state=state_of("velocities { a_tz = 1 }"),
    )
    assert any("out of the x-y plane" in finding.message for finding in imported.findings.list())


def test_an_integrator_that_the_manual_does_not_name():
    told = messages(BODY, "error_control_integrator_psem { accuracy = 0.01 }")
    assert "the manual describes no such integrator: symplectic_euler" in told
    assert "left out 'accuracy'" in told


# ---------------------------------------------------------------- blocks where they may stand


def test_blocks_in_a_model_beside_it_and_in_a_wrapper():
    blocks = 'composite_force { joint_force_pd = "" contact_force_pd { viscosity = 7 } simple_collision_detection {} }'
    inside = loads(f"model {{ {BODY} {blocks} }}")
    beside = loads(f"model {{ {BODY} }} {blocks}")
    wrapped = loads(
        f"model {{ {BODY} }}", blocks=configuration_blocks(f"ModelHyfydy {{ model_file = a.hfd {blocks} }}")
    )
    for imported in (inside, beside, wrapped):
        assert (imported.settings.friction_law, imported.settings.friction_viscosity) == ("viscous", 7)
        assert not any("manual" in finding.message for finding in imported.findings.list())


def test_a_treadmill_takes_along_what_stands_on_it():
    """A still body with a velocity: a box on it is driven by mu g and then goes at the belt's speed."""
    feet = " ".join(
        f"geometry {{ name = f{k} type = sphere radius = 0.02 body = a material = rubber pos = [ {x} -0.08 {z} ] }}"
        for k, (x, z) in enumerate((x, z) for x in (-0.3, 0.3) for z in (-0.2, 0.2))
    )
    text = f"""material {{ name = rubber stiffness = 11006.4 static_friction = 0.5 }} {feet}
        body {{ name = treadmill mass = 0 inertia = [ 0 0 0 ] lin_vel = [ -1.2 0 0 ]
        geometry {{ name = belt type = box dim = [ 4 0.1 2 ] pos = [ 0 0.05 0 ] }} }}
        body {{ name = a mass = 10 inertia = [ 0.5 0.5 0.5 ] pos = [ 0 0.1985 0 ] }}"""
    config = """composite_force { simple_collision_detection { enable_collision_between_objects = 1 }
        contact_force_hunt_crossley_sb { transition_velocity = 0.02 } }"""
    scenario = scenario_of(text, config, duration=0.5)
    assert scenario.obstacles[0].belt_velocity == (-1.2, 0, 0)
    recording = run(scenario)
    v, times = recording.velocity[:, 0, 0], recording.times
    slipping = (times > 0.05) & (v > -1.1)
    slope = np.polyfit(times[slipping], v[slipping], 1)[0]
    assert slope == pytest.approx(-0.5 * 9.81, rel=0.02)
    assert v[-1] == pytest.approx(-1.2, abs=2e-3)
    assert abs(recording.position[-1, 0, 2] - recording.position[0, 0, 2]) < 2e-3
