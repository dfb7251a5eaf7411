"""Coordinates and speeds at the start of a scenario."""

import numpy as np

from ..bodies.tree import Tree, TreeBuilder, actor_transform, coordinate_counts
from ..driving.compile import rolling_start
from ..maths.rotations import inverse_transform, matrix_from_zyx, quaternion_from_matrix
from ..spec import Actor, Joint, Scenario
from ..spec.joint_types import BALL, FREE

ZERO = (0.0, 0.0, 0.0)


def start_coordinates(scenario: Scenario, tree: Tree, builder: TreeBuilder) -> tuple[np.ndarray, np.ndarray]:
    """(q, u) of a scenario's start."""
    nq, nu = coordinate_counts(tree)
    q, u = np.zeros(nq), np.zeros(nu)
    actors = [rolling_start(actor) for actor in scenario.actors]
    for i, ((actor_index, joint), motion) in enumerate(
        zip(builder.moving_specs, builder.moving_motions, strict=True)
    ):
        actor = actors[actor_index]
        qa, ua = tree.q_address[i], tree.u_address[i]
        angles = actor.joint_angles.get(joint.name, ZERO)
        rates = actor.joint_velocities.get(joint.name, ZERO)
        if motion.group == FREE:
            q[qa : qa + 7], u[ua : ua + 6] = free_root_start(actor, joint)
        elif motion.group == BALL:
            q[qa : qa + 4] = quaternion_from_matrix(matrix_from_zyx(angles))
            u[ua : ua + 3] = rates
        else:
            slides = actor.joint_slides.get(joint.name, ZERO)
            slide_rates = actor.joint_slide_velocities.get(joint.name, ZERO)
            q[qa] = motion.coordinate(joint.kind.typed(motion, angles, slides))
            u[ua] = (slide_rates if motion.slides and joint.kind.has_both else rates)[motion.place]
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
