"""Joint types that the product does not have: a slider and a screw, against closed forms and the oracles.

As a script in a process of its own, with a copy of the package whose table of joint types ends with `ENTRIES`:
MANNEQUIN_INTERPRETED=1 python toy_joints.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np

from mannequin.engine import (
    Body,
    Joint,
    JointSpring,
    Model,
    Motor,
    PrescribedMotion,
    Recording,
    Settings,
    TorquePulse,
    accelerations,
    compile_system,
    run,
    validate,
)
from mannequin.engine.bodies.kinematics import forward_kinematics
from mannequin.engine.bodies.newton_euler import inverse_dynamics
from mannequin.engine.bodies.virtual_power import mass_matrix
from mannequin.engine.bodies.workspace import new_workspace
from mannequin.engine.spec import Actor, Scenario

PITCH = 0.05
"""m/rad"""
ENTRIES = f"""
JOINT_TYPES |= {{
    "toy_slider": JointType("toy_slider", "Slides along one axis", (Motion(AXIS, slide=1.0),)),
    "toy_screw": JointType("toy_screw", "Turns and slides", (Motion(AXIS, turn=1.0, slide={PITCH}),)),
    "toy_slide_and_screw": JointType(
        "toy_slide_and_screw", "Slides along x, and turns and slides along z",
        (sliding("x"), Motion(AXIS, turn=1.0, slide={PITCH}, letter="z")),
    ),
}}
"""
"""What a developer would add to engine/spec/joint_types.py."""
MASS, INERTIA, G = 2.0, (0.01, 0.02, 0.03, 0.0, 0.0, 0.0), 9.81
UP = (0.0, 0.0, 1.0)


def one_joint(kind: str, start: dict | None = None, settings: dict | None = None, **joint) -> Scenario:
    """A body on one joint to the ground, along z, in Runge-Kutta steps of 1 ms."""
    model = Model("nut", [Body("nut", MASS, INERTIA)], [Joint("joint", kind, None, "nut", axis=UP, **joint)])
    chosen = {"time_step": 1e-3, "output_step": 5e-3, "duration": 0.02, "integrator": "runge_kutta_4"}
    chosen |= {"ground": False, "default_joint_damping": 0.0} | (settings or {})
    return Scenario("toy", [Actor("nut", model, **(start or {}))], settings=Settings(**chosen))


def falling(kind: str) -> Scenario:
    """A body on one joint along z that starts with a speed of 1."""
    return one_joint(kind, {"joint_velocities": {"joint": (1.0, 0.0, 0.0)}})


def check_fall(recording: Recording, advance: float, inertia: float, turns: float) -> None:
    """Its coordinate accelerates with m g p / (I + m p^2): a slider with g, a nut on a screw of pitch p more slowly."""
    t = recording.times
    way = t - 0.5 * MASS * G * advance / inertia * t**2
    np.testing.assert_allclose(recording.position[:, 0, 2], advance * way, rtol=0, atol=1e-12)
    np.testing.assert_allclose(recording.joint_angle[:, 0, 2], turns * way, rtol=0, atol=1e-12)
    assert abs(recording.energy[-1, -1]) < 1e-12
    # the guide carries no weight along the axis; the thread of a screw does
    weight = recording.reaction_force[:, 0, 2]
    np.testing.assert_allclose(weight, MASS * G * (1.0 - MASS * advance**2 / inertia), rtol=0, atol=1e-10)


def check_screw(recording: Recording) -> None:
    """A nut on a screw."""
    check_fall(recording, PITCH, 0.03 + MASS * PITCH**2, 1.0)


def check_forces() -> None:
    """Damping, a curve spring, a motor and a pulse on a slider, in newtons and metres."""
    free = {"gravity": (0.0, 0.0, 0.0)}
    moving = {"joint_velocities": {"joint": (1.0, 0.0, 0.0)}}
    recording = run(one_joint("toy_slider", moving, free, damping=20.0))
    t = recording.times
    np.testing.assert_allclose(recording.velocity[:, 0, 2], np.exp(-20.0 / MASS * t), rtol=0, atol=1e-10)
    assert abs(recording.energy[-1, -1]) < 1e-9
    spring = JointSpring("z", ((-1.0, 800.0), (1.0, -800.0)))
    recording = run(one_joint("toy_slider", moving, free, springs=[spring]))
    np.testing.assert_allclose(recording.position[:, 0, 2], np.sin(20.0 * t) / 20.0, rtol=0, atol=1e-8)
    placed = {"joint_angles": {"joint": (0.5, 0.0, 0.0)}}
    motor = Motor(stiffness=800.0, target=(0.25, 0.0, 0.0))
    recording = run(one_joint("toy_slider", placed, free, motor=motor))
    np.testing.assert_allclose(recording.position[:, 0, 2], 0.25 + 0.25 * np.cos(20.0 * t), rtol=0, atol=1e-8)
    pulse = {"torque_pulses": [TorquePulse("joint", (0.0, 0.0, 100.0), 0.0, 0.01)]}
    stepped = free | {"integrator": "symplectic_euler"}
    recording = run(one_joint("toy_slider", pulse, stepped))
    np.testing.assert_allclose(recording.velocity[-1, 0, 2], 100.0 * 0.02 / np.pi / MASS, rtol=1e-12)
    table = tuple((0.01 * k, 0.1 * k) for k in range(4))
    driven = {"prescribed": [PrescribedMotion("joint", table)]} | {
        "joint_velocities": {"joint": (10.0, 0.0, 0.0)}
    }
    recording = run(one_joint("toy_slider", driven, {"integrator": "symplectic_euler"}))
    np.testing.assert_allclose(recording.position[:, 0, 2], 10.0 * recording.times, rtol=0, atol=1e-9)
    assert abs(recording.energy[-1, -1]) < 1e-9 * np.abs(recording.energy[-1]).max()


def check_equation_of_motion() -> None:
    """In a chain with every group of motion M u_dot + h = 0, and inverse dynamics finds no force."""
    rng = np.random.default_rng(7)
    kinds = ("free", "toy_slider", "spherical", "toy_screw", "toy_slide_and_screw", "fixed", "toy_slider")
    bodies, joints, rates = [], [], {}
    for k, kind in enumerate(kinds):
        bodies.append(Body(f"b{k}", float(rng.uniform(0.5, 2.0)), (0.02, 0.03, 0.04, 0.001, 0.002, -0.001),
                           center_of_mass=tuple(rng.normal(scale=0.1, size=3).tolist())))  # fmt: skip
        axis = rng.normal(size=3)
        T1 = np.eye(4)
        T1[:3, 3] = rng.normal(scale=0.2, size=3)
        joints.append(Joint(f"j{k}", kind, f"b{k - 1}" if k else None, f"b{k}", T1=tuple(map(tuple, T1.tolist())),
                            axis=tuple((axis / np.linalg.norm(axis)).tolist()), damping=0.0))  # fmt: skip
        rates[f"j{k}"] = tuple(rng.normal(size=3).tolist())
    actor = Actor("chain", Model("chain", bodies, joints), velocity=(0.3, -0.2, 0.1), joint_velocities=rates,
                  joint_angles={"j1": (0.2, 0.0, 0.0), "j3": (40.0, 0.0, 0.0)})  # fmt: skip
    system = compile_system(Scenario("chain", [actor], settings=Settings(ground=False)))
    q, u, w = system.q_start, system.u_start, new_workspace(system.tree)
    forward_kinematics(system.tree, q, u, w)
    gravity = (0.0, 0.0, -G)
    M, u_dot = mass_matrix(system.tree, w), accelerations(system)
    bias = inverse_dynamics(system.tree, q, u, np.zeros_like(u), gravity)
    size = (np.abs(M) @ np.abs(u_dot) + np.abs(bias)).max()
    assert len(u) == 6 + 1 + 3 + 1 + 2 + 1
    assert np.abs(M @ u_dot + bias).max() < 1e-12 * size
    assert np.abs(inverse_dynamics(system.tree, q, u, u_dot, gravity)).max() < 1e-12 * size


def check_file(folder: Path) -> None:
    """A model with the new types is written, read again and found good."""
    from mannequin.io_json.model_json import read_model, write_model

    scenario = one_joint("toy_screw")
    model = scenario.actors[0].model
    write_model(model, folder / "screw.json")
    again = read_model(folder / "screw.json")
    assert again.joints[0].type == "toy_screw"
    found = [str(issue) for issue in validate(scenario) if issue.severity == "error"]
    assert found == [], found


def check(folder: Path) -> None:
    """Everything, with the types in the table."""
    check_fall(run(falling("toy_slider")), 1.0, MASS, 0.0)
    check_screw(run(falling("toy_screw")))
    check_forces()
    check_equation_of_motion()
    check_file(folder)


if __name__ == "__main__":
    check(Path(sys.argv[1]))
