"""Helpers for a start that makes sense: on the ground, clear of everything, with velocities from two poses."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from .contact.arrays import COUNT, ELLIPSOID_A, ELLIPSOID_B, OBSTACLE, PENETRATION
from .errors import EngineError
from .posture import actor_poses, ellipsoid_bottoms, joint_rotation
from .rotations import quaternion_from_matrix
from .spec import Actor, Scenario, Vector
from .start import find_touches
from .state import new_state
from .system import compile_system
from .vector import quat_log

TOUCHING = 1.0e-7
"""m: overlap that counts as none."""
MOST_MOVES = 500


def moved(actor: Actor, shift: Vector) -> Actor:
    """The actor with its frame moved by a world vector (m)."""
    return replace(actor, position=tuple(float(a + b) for a, b in zip(actor.position, shift, strict=True)))


def lowest_point(actor: Actor) -> float:
    """Smallest z (m) of any ellipsoid of the actor."""
    bottoms = ellipsoid_bottoms(actor.model, actor_poses(actor))
    if not bottoms:
        raise EngineError(f"actor '{actor.name}' has no ellipsoid to stand on; give its bodies ellipsoids")
    return min(bottoms)


def place_on_ground(actor: Actor, clearance: float = 0.0) -> Actor:
    """The actor raised or lowered so that its lowest point is `clearance` metres above the ground plane z = 0."""
    return moved(actor, (0.0, 0.0, clearance - lowest_point(actor)))


def clear_shift(
    scenario: Scenario,
    actor: str,
    direction: Vector = (0.0, 0.0, 1.0),
    clearance: float = 0.0,
    most: float = 10.0,
) -> float:
    """Smallest move (m) along a direction that frees an actor of all obstacles and other actors, plus `clearance`.

    Freeing two convex shapes takes at least their penetration depth in any direction, so moving by the deepest one,
    again and again, never jumps over the first free place. Raises EngineError where there is none within `most`
    metres.
    """
    index = next((k for k, other in enumerate(scenario.actors) if other.name == actor), None)
    if index is None:
        raise EngineError(f"scenario '{scenario.name}' has no actor '{actor}'")
    along = np.array(direction, dtype=float)
    if not np.linalg.norm(along) > 0.0:
        raise EngineError(f"the direction in which to clear actor '{actor}' has no length; give a direction")
    along = along / np.linalg.norm(along)
    shift = 0.0
    for _ in range(MOST_MOVES):
        depth = _deepest(scenario, index, tuple(shift * along))
        if depth <= TOUCHING:
            return shift + clearance if shift > 0.0 else 0.0
        shift += depth
        if shift > most:
            break
    raise EngineError(
        f"actor '{actor}' is not free within {most:g} m along ({along[0]:.3g}, {along[1]:.3g}, {along[2]:.3g}); "
        "choose another direction or place it by hand"
    )


def _deepest(scenario: Scenario, index: int, shift: Vector) -> float:
    """Largest overlap (m) of actor `index`, moved by `shift`, with obstacles and other actors."""
    actors = list(scenario.actors)
    actors[index] = moved(actors[index], shift)
    settings = replace(scenario.settings, start_overlap_limit=inf, absorb_ground_overlap=False)
    system = compile_system(replace(scenario, actors=actors, settings=settings))
    state = new_state(system.kernel, system.q_start, system.u_start, system.longest_step, len(actors))
    touches = find_touches(system.kernel, state)
    depth = 0.0
    for j in range(int(touches.counter[COUNT])):
        a, b, obstacle = (int(touches.who[j, column]) for column in (ELLIPSOID_A, ELLIPSOID_B, OBSTACLE))
        owners = {system.ellipsoids[a].actor} | (set() if obstacle >= 0 else {system.ellipsoids[b].actor})
        if index in owners and (obstacle >= 0 or len(owners) == 2):
            depth = max(depth, float(touches.contact[j, PENETRATION]))
    return depth


def with_velocities(earlier: Actor, later: Actor, interval: float) -> Actor:
    """The earlier actor with the steady velocities that carry it into the later pose within `interval` seconds.

    Root: straight motion of its body's origin and a turn about a fixed world axis (the shorter way). Joints: a turn
    about a fixed axis of the child joint frame; a revolute joint by the difference of its angles.
    """
    if not interval > 0.0:
        raise EngineError(f"the poses of actor '{earlier.name}' are {interval} s apart; give a time above 0")
    root = next(joint for joint in earlier.model.joints if joint.parent is None)
    first, second = (actor_poses(actor)[root.child] for actor in (earlier, later))
    joint_velocities = {}
    for joint in earlier.model.joints:
        if joint is root or joint.type == "fixed":
            continue
        start, end = (actor.joint_angles.get(joint.name, (0.0, 0.0, 0.0)) for actor in (earlier, later))
        if joint.type == "revolute":
            rate = (float(np.radians(end[0] - start[0])) / interval, 0.0, 0.0)
        else:
            rate = _turn_rate(joint_rotation(joint, start).T @ joint_rotation(joint, end), interval)
        if any(rate):
            joint_velocities[joint.name] = rate
    return replace(
        earlier,
        velocity=tuple(float(x) for x in (second[:3, 3] - first[:3, 3]) / interval),
        angular_velocity=_turn_rate(second[:3, :3] @ first[:3, :3].T, interval),
        joint_velocities=joint_velocities,
    )


def _turn_rate(rotation: np.ndarray, interval: float) -> Vector:
    """Rotation vector of a rotation over the interval, rad/s."""
    w, x, y, z = (float(value) for value in quaternion_from_matrix(rotation))
    return tuple(part / interval for part in quat_log((w, x, y, z)))
