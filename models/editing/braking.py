"""Brakes of any model with wheels: torques for a rate of slowing (docs/derivations.md, Brakes for a deceleration)."""

import numpy as np

from ...engine.maths.inertia import inertia_matrix
from ...engine.spec import Model, Motor
from ...engine.spec.values import STANDARD_GRAVITY
from ..parts.placement import body_transforms
from .errors import EditError
from .wheels import UP, wheels_of

HOLD = 500.0
"""N m s/rad: so much of damping that the largest torque is reached at a few rad/s; a wheel at rest is held."""


def brake_motors(
    model: Model, deceleration: float, begin: float = 0.0, speed: float = 0.0
) -> dict[str, Motor]:
    """Motors by joint that brake a model from a speed (m/s) on level ground at a rate (m/s2), from a time (s) on.

    The rate is the mean over the stop: what the damping of the wheels' joints gives at half the speed is left to it.

    Axles brake in the ratio of the loads that they have then, so all tyres use the same adhesion, deceleration / g;
    where the ground gives less, they slide and the rate is that of sliding.
    """
    wheels, poses = wheels_of(model), body_transforms(model)
    if not wheels:
        raise EditError(f"model '{model.name}' has no wheel to brake")
    bodies = {body.name: body for body in model.bodies}
    ahead = np.cross(wheels[0].axis, UP)
    masses = np.array([body.mass for body in model.bodies])
    places = np.array(
        [poses[n][:3, :3] @ np.array(b.center_of_mass) + poses[n][:3, 3] for n, b in bodies.items()]
    )
    mass, centre = masses.sum(), masses @ places / masses.sum()
    hubs = np.array([poses[w.body][:3, 3] for w in wheels])
    height = float(centre[2] - min(hub[2] - w.radius for hub, w in zip(hubs, wheels, strict=True)))
    loads = wheel_loads((hubs - centre) @ ahead, mass, height, deceleration)
    if np.min(loads) <= 0.0:
        asked = deceleration / STANDARD_GRAVITY
        raise EditError(f"model '{model.name}' would turn over at {asked:.2f} g: ask for less deceleration")
    damping = {joint.name: float(joint.damping or 0.0) for joint in model.joints}
    motors = {}
    for wheel, load in zip(wheels, loads, strict=True):
        turn = poses[wheel.body][:3, :3].T @ wheel.axis
        inertia = float(turn @ inertia_matrix(bodies[wheel.body].inertia) @ turn)
        force = load * deceleration / STANDARD_GRAVITY
        torque = force * wheel.radius + inertia * deceleration / wheel.radius
        torque -= damping[wheel.joint] * 0.5 * speed / wheel.radius
        motors[wheel.joint] = Motor(
            damping=HOLD,
            max_torque=max(0.0, round(torque, 3)),
            gain_over_time=((0.0, 0.0), (begin, 0.0), (begin + 0.01, 1.0)) if begin > 0.0 else None,
            source=f"Brake for {deceleration / STANDARD_GRAVITY:.3g} g",
        )
    return motors


def deceleration_of(model: Model, motors: dict[str, Motor], speed: float = 0.0) -> tuple[float, float]:
    """Rate (m/s2) for which motors of `brake_motors` brake a model from a speed (m/s), and the time (s) from which on.

    The forces of all wheels slow down the mass and the turning wheels: with torques T, radii r, inertias I and dampings
    d, (sum T / r + sum d v / 2 r2) = a (m + sum I / r2). 0 where no wheel has a motor.
    """
    bodies = {body.name: body for body in model.bodies}
    damping = {joint.name: float(joint.damping or 0.0) for joint in model.joints}
    force, inertia, begin = 0.0, sum(body.mass for body in model.bodies), 0.0
    braked = [wheel for wheel in wheels_of(model) if wheel.joint in motors]
    poses = body_transforms(model)
    for wheel in braked:
        motor = motors[wheel.joint]
        turn = poses[wheel.body][:3, :3].T @ wheel.axis
        force += (motor.max_torque or 0.0) / wheel.radius + 0.5 * damping[
            wheel.joint
        ] * speed / wheel.radius**2
        inertia += float(turn @ inertia_matrix(bodies[wheel.body].inertia) @ turn) / wheel.radius**2
        begin = motor.gain_over_time[1][0] if motor.gain_over_time else 0.0
    return (force / inertia if braked else 0.0), begin


def wheel_loads(places: np.ndarray, mass: float, height: float, deceleration: float) -> np.ndarray:
    """(n,) N on wheels at places (n,), m ahead of the centre of mass, which is at a height (m), while it slows down.

    Wheels ahead share one load and wheels behind the other, from the balance of forces and of moments.
    """
    front = places > 0.0
    if front.all() or not front.any():
        raise EditError("all wheels are on one side of the centre of mass: the vehicle cannot stand")
    fore, aft = places[front].mean(), places[~front].mean()
    on_front = mass * (-STANDARD_GRAVITY * aft + deceleration * height) / (fore - aft)
    shares = np.where(front, on_front / front.sum(), (mass * STANDARD_GRAVITY - on_front) / (~front).sum())
    return shares
