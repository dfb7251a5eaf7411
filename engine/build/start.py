"""The state of a simulation: what changes from step to step, and its start from a scenario."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

import numpy as np

from .connections.state import new_connection_state
from .energy import TERMS
from .joints.arrays import FRICTION_STATE_SIZE
from .joints.passive import start_friction
from .kinematics import forward_kinematics
from .muscles.state import new_muscle_state
from .rotations import inverse_transform, matrix_from_zyx, quaternion_from_matrix
from .spec import Actor, Joint, Scenario
from .start import new_contact_state
from .tree import FREE, SPHERICAL, Tree, TreeBuilder, actor_transform, coordinate_counts
from .workspace import new_workspace

if TYPE_CHECKING:
    from .system import Kernel

State = namedtuple(
    "State",
    [
        "q",  # (nq,) coordinates, laid out as Tree says
        "u",  # (nu,) speeds
        "contact",  # Touches
        "connections",  # ConnectionState
        "muscles",  # MuscleState
        "joint_history",  # (n, 5) friction history of the joints
        "released",  # (n,) 1 where a prescribed motion has let go
        "touched",  # (actors,) 1 once an actor has been hit
        "work",  # (TERMS,) work done by each kind of force since the start, J
        "work_kept",  # (TERMS,) the same before a trial step
        "energy_start",  # (2,) kinetic plus gravity energy at the start, gravity energy at the start, J
        "last_quaternion",  # (b, 4) orientations of the last frame
        "clock",  # (4,) see stepping
        "elapsed",  # (1,) s since the last output time
        "longest_step",  # (1,) s
        "culprit",  # (1,) moving body that made the run stop
    ],
)


def start_coordinates(scenario: Scenario, tree: Tree, builder: TreeBuilder) -> tuple[np.ndarray, np.ndarray]:
    """(q, u) of a scenario's start."""
    nq, nu = coordinate_counts(tree)
    q, u = np.zeros(nq), np.zeros(nu)
    for i, (actor_index, joint) in enumerate(builder.moving_specs):
        actor = scenario.actors[actor_index]
        qa, ua = tree.q_address[i], tree.u_address[i]
        if tree.joint_type[i] == FREE:
            q[qa : qa + 7], u[ua : ua + 6] = free_root_start(actor, joint)
        elif tree.joint_type[i] == SPHERICAL:
            angles = actor.joint_angles.get(joint.name, (0.0, 0.0, 0.0))
            q[qa : qa + 4] = quaternion_from_matrix(matrix_from_zyx(angles))
            u[ua : ua + 3] = actor.joint_velocities.get(joint.name, (0.0, 0.0, 0.0))
        else:
            q[qa] = np.radians(actor.joint_angles.get(joint.name, (0.0, 0.0, 0.0))[0])
            u[ua] = actor.joint_velocities.get(joint.name, (0.0, 0.0, 0.0))[0]
    return q, u


def free_root_start(actor: Actor, joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates (7,) and speeds (6,) of a free root: pose of its joint frame, velocity of that frame's origin."""
    frame = actor_transform(actor) @ np.array(joint.T1, dtype=float)
    frame[:3, :3] = frame[:3, :3] @ matrix_from_zyx(actor.joint_angles.get(joint.name, (0.0, 0.0, 0.0)))
    body = frame @ inverse_transform(np.array(joint.T2, dtype=float))
    omega = np.array(actor.angular_velocity, dtype=float)
    velocity = np.array(actor.velocity, dtype=float) + np.cross(omega, frame[:3, 3] - body[:3, 3])
    own = np.array(actor.joint_velocities.get(joint.name, (0.0, 0.0, 0.0)), dtype=float)
    q = np.concatenate([frame[:3, 3], quaternion_from_matrix(frame[:3, :3])])
    return q, np.concatenate([velocity, frame[:3, :3].T @ omega + own])


def new_state(kernel: Kernel, q: np.ndarray, u: np.ndarray, longest_step: float, actors: int) -> State:
    """The state at the start, from its coordinates and speeds."""
    tree = kernel.tree
    bodies = len(tree.mass)
    history = np.zeros((bodies, FRICTION_STATE_SIZE))
    if (kernel.joints.friction > 0.0).any():
        start_friction(kernel.joints, tree.joint_type, tree.q_address, q, history)
    w = new_workspace(tree)
    if len(kernel.connections.point_body) > 0 or len(kernel.muscles.kind) > 0:
        forward_kinematics(tree, q, u, w)
    return State(
        q=q.copy(),
        u=u.copy(),
        contact=new_contact_state(kernel.surfaces, bodies),
        connections=new_connection_state(kernel.connections, w),
        muscles=new_muscle_state(kernel.muscles, tree, kernel.authored, w),
        joint_history=history,
        released=np.zeros(bodies, dtype=np.int64),
        touched=np.zeros(actors, dtype=np.int64),
        work=np.zeros(TERMS),
        work_kept=np.zeros(TERMS),
        energy_start=np.zeros(2),
        last_quaternion=np.tile([1.0, 0.0, 0.0, 0.0], (len(kernel.authored.mass), 1)),
        clock=np.zeros(4, dtype=np.int64),
        elapsed=np.zeros(1),
        longest_step=np.full(1, longest_step),
        culprit=np.zeros(1, dtype=np.int64),
    )
