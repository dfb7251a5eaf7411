"""A scenario as MuJoCo's XML: the same bodies, joints, joint damping and ellipsoids, and the same start.

What MuJoCo has no counterpart for is left out: range of motion given as cones, force-penetration curves (it uses its
own soft constraints), joint friction. Actors touch each other and the obstacles, and never themselves, as here.
Names: "actor/body", "actor/joint".
"""

from __future__ import annotations

import mujoco
import numpy as np

from ..engine import Actor, Joint, Obstacle, Scenario
from ..engine.posture import joint_rotation
from ..engine.rotations import matrix_from_zyx, quaternion_from_matrix
from ..engine.tree import actor_transform

MOST_ACTORS = 30
"""Contact masks have 32 bits."""


def numbers(values) -> str:
    """Numbers as an attribute, to the last bit."""
    return " ".join(repr(float(value)) for value in np.ravel(values))


def pose(transform: np.ndarray) -> str:
    """pos and quat attributes of a 4x4 transform."""
    return f'pos="{numbers(transform[:3, 3])}" quat="{numbers(quaternion_from_matrix(transform[:3, :3]))}"'


def joint_damping(joint: Joint, scenario: Scenario) -> float:
    """N m s/rad"""
    settings = scenario.settings
    own = settings.default_joint_damping if joint.damping is None else joint.damping
    return own * settings.joint_damping


def joint_xml(actor: Actor, joint: Joint, scenario: Scenario) -> str:
    """The joint element, in the child's frame; nothing for a fixed joint."""
    T2 = np.array(joint.T2, dtype=float)
    name = f'name="{actor.name}/{joint.name}"'
    if joint.type == "free":
        return f"<freejoint {name}/>"
    if joint.type == "fixed":
        return ""
    common = f'{name} pos="{numbers(T2[:3, 3])}" damping="{joint_damping(joint, scenario)!r}"'
    if joint.type == "spherical":
        return f'<joint type="ball" {common}/>'
    return f'<joint type="hinge" axis="{numbers(T2[:3, :3] @ joint.axis)}" {common}/>'


def body_xml(actor: Actor, joint: Joint, scenario: Scenario, mask: str) -> str:
    """The child of a joint with all that hangs on it. Our products of inertia are minus MuJoCo's."""
    body = next(body for body in actor.model.bodies if body.name == joint.child)
    rest = np.array(joint.T1, dtype=float) @ np.linalg.inv(np.array(joint.T2, dtype=float))
    ixx, iyy, izz, ixy, iyz, ixz = body.inertia
    text = f'<body name="{actor.name}/{body.name}" {pose(rest)}>'
    text += f'<inertial mass="{float(body.mass)!r}" pos="{numbers(body.center_of_mass)}"'
    text += f' fullinertia="{numbers((ixx, iyy, izz, -ixy, -ixz, -iyz))}"/>'
    text += joint_xml(actor, joint, scenario)
    for ellipsoid in body.ellipsoids:
        frame = np.eye(4)
        frame[:3, :3] = ellipsoid.orientation
        frame[:3, 3] = ellipsoid.position
        text += (
            f'<geom type="ellipsoid" size="{numbers(ellipsoid.semi_axes)}" {pose(frame)} {mask} mass="0"/>'
        )
    for other in actor.model.joints:
        if other.parent == body.name:
            text += body_xml(actor, other, scenario, mask)
    return text + "</body>"


def obstacle_xml(obstacle: Obstacle, mask: str) -> str:
    """A plane or a box."""
    frame = np.eye(4)
    frame[:3, :3] = matrix_from_zyx(obstacle.orientation)
    frame[:3, 3] = obstacle.position
    if obstacle.shape not in ("plane", "box"):
        raise ValueError(f"obstacle '{obstacle.name}': no {obstacle.shape} in the comparison with MuJoCo")
    size = (50.0, 50.0, 1.0) if obstacle.shape == "plane" else obstacle.half_size
    return f'<geom type="{obstacle.shape}" size="{numbers(size)}" {pose(frame)} {mask}/>'


def mjcf(scenario: Scenario, fuse: bool = True) -> str:
    """The whole scenario. fuse: bodies on fixed joints become part of their parent, as this engine does it too."""
    if len(scenario.actors) > MOST_ACTORS:
        raise ValueError(f"{len(scenario.actors)} actors: MuJoCo's contact masks allow {MOST_ACTORS}")
    settings = scenario.settings
    everyone = sum(2 << k for k in range(len(scenario.actors)))
    still = f'contype="1" conaffinity="{everyone}" friction="{settings.friction} 0 0"'
    text = (
        f'<mujoco><compiler fusestatic="{str(fuse).lower()}" inertiafromgeom="false" balanceinertia="true"/>'
    )
    text += f'<option timestep="{settings.time_step!r}" gravity="{numbers(settings.gravity)}"/><worldbody>'
    if settings.ground:
        text += obstacle_xml(Obstacle("ground", "plane"), still)
    for obstacle in scenario.obstacles:
        text += obstacle_xml(obstacle, still)
    for k, actor in enumerate(scenario.actors):
        mask = f'contype="{2 << k}" conaffinity="{1 | (everyone ^ (2 << k))}"'
        root = next(joint for joint in actor.model.joints if joint.parent is None)
        text += body_xml(actor, root, scenario, mask)
    return text + "</worldbody></mujoco>"


def build(scenario: Scenario, fuse: bool = True) -> mujoco.MjModel:
    """The compiled MuJoCo model."""
    return mujoco.MjModel.from_xml_string(mjcf(scenario, fuse))


def start(model: mujoco.MjModel, scenario: Scenario) -> mujoco.MjData:
    """The state at the start of the scenario."""
    data = mujoco.MjData(model)
    for actor in scenario.actors:
        for joint in actor.model.joints:
            if joint.type == "fixed":
                continue
            entry = model.joint(f"{actor.name}/{joint.name}")
            qa, ua = entry.qposadr[0], entry.dofadr[0]
            if joint.type == "free":
                enter_root(data, actor, joint, qa, ua)
            else:
                enter_joint(data, actor, joint, qa, ua)
    mujoco.mj_forward(model, data)
    return data


def enter_root(data: mujoco.MjData, actor: Actor, joint: Joint, qa: int, ua: int) -> None:
    """Pose and velocity of a root; MuJoCo counts the turn rate in body axes."""
    frame = actor_transform(actor) @ np.array(joint.T1, dtype=float)
    body = frame @ np.linalg.inv(np.array(joint.T2, dtype=float))
    data.qpos[qa : qa + 3] = body[:3, 3]
    data.qpos[qa + 3 : qa + 7] = quaternion_from_matrix(body[:3, :3])
    data.qvel[ua : ua + 3] = actor.velocity
    data.qvel[ua + 3 : ua + 6] = body[:3, :3].T @ np.array(actor.angular_velocity, dtype=float)


def enter_joint(data: mujoco.MjData, actor: Actor, joint: Joint, qa: int, ua: int) -> None:
    """Angle and rate of a joint. MuJoCo turns about the child's own axes: T2 R inverse(T2)."""
    axes = np.array(joint.T2, dtype=float)[:3, :3]
    angles = actor.joint_angles.get(joint.name, (0.0, 0.0, 0.0))
    rates = np.array(actor.joint_velocities.get(joint.name, (0.0, 0.0, 0.0)), dtype=float)
    if joint.type == "revolute":
        data.qpos[qa] = np.radians(angles[0])
        data.qvel[ua] = rates[0]
        return
    turn = axes @ joint_rotation(joint, angles) @ axes.T
    data.qpos[qa : qa + 4] = quaternion_from_matrix(turn)
    data.qvel[ua : ua + 3] = axes @ rates
