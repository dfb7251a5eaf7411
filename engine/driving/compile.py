"""Specs of wheels and drives to `Tyres` and `Drivers`, the motors by which drivers act, and the start of a drive."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import nan, radians

import numpy as np

from ..bodies.tree import OnBody, Tree, TreeBuilder, actor_transform
from ..maths.inertia import inertia_matrix
from ..maths.packing import floats, integers, starts
from ..maths.rotations import inverse_transform
from ..spec import Actor, Drive, Joint, Model, Motor, Wheel
from ..spec.values import STANDARD_GRAVITY
from .arrays import DRIVE_NUMBERS, TYRE_NUMBERS, Drivers, Tyres

PERIOD = 0.002
"""s between two calls of drivers."""
BRAKE_DAMPING = 1.0e6
"""N m s/rad: how firmly a brake holds a wheel, up to its torque. Assumed."""
ARMS = Motor(stiffness=300.0, damping=15.0, max_torque=80.0, source="Arms that steer a two-wheeler; assumed")
"""Motor of the steering of a two-wheeler whose rider balances it."""


def axle_of(model: Model, wheel: Wheel) -> Joint:
    """Joint on which a wheel turns."""
    return next(joint for joint in model.joints if joint.child == wheel.body)


def wheel_place(model: Model, wheel: Wheel) -> np.ndarray:
    """Centre of a wheel in the frame of its body, m: of its first ellipsoid."""
    body = next(body for body in model.bodies if body.name == wheel.body)
    return np.array(body.ellipsoids[0].position, dtype=float)


def drive_motors(actor: Actor) -> dict[str, Motor]:
    """Brakes of the wheels of a driven actor, and the arms that steer one that is balanced."""
    if actor.drive is None:
        return {}
    brake = Motor(damping=BRAKE_DAMPING, max_torque=0.0, source="Brake")
    motors = {axle_of(actor.model, wheel).name: brake for wheel in actor.model.wheels}
    if actor.drive.balance:
        motors |= {wheel.steering: ARMS for wheel in actor.model.wheels if wheel.steering}
    return motors


def rolling_start(actor: Actor) -> Actor:
    """The actor with the velocity of its drive and wheels that roll at it."""
    if actor.drive is None or actor.drive.speed is None:
        return actor
    speed = float(actor.drive.speed)
    rates = {
        axle_of(actor.model, wheel).name: (speed / wheel.radius, 0.0, 0.0) for wheel in actor.model.wheels
    }
    forward = actor_transform(actor)[:3, 0]
    return replace(
        actor,
        velocity=tuple(speed * float(x) for x in forward),
        joint_velocities={**actor.joint_velocities, **rates},
    )


def tyre_numbers(actors: Sequence[Actor]) -> dict[tuple[int, str], int]:
    """Place among all tyres of each actor's wheel, by actor and body."""
    wheels = [(a, wheel.body) for a, actor in enumerate(actors) for wheel in actor.model.wheels]
    return {wheel: number for number, wheel in enumerate(wheels)}


def compile_tyres(
    actors: Sequence[Actor],
    tree: Tree,
    on_body: OnBody,
    ellipsoids: Sequence[tuple[int, str]],
) -> Tyres:
    """Arrays of all tyres, without the addresses of the kernels. ellipsoids: actor and body of each."""
    wheels = [(a, actor.model, wheel) for a, actor in enumerate(actors) for wheel in actor.model.wheels]
    number = tyre_numbers(actors)
    places = [on_body(a, wheel.body, wheel_place(model, wheel)) for a, model, wheel in wheels]
    hosts = [host for host, _, _ in places]
    return Tyres(
        forces_address=0,
        commit_address=0,
        of_ellipsoid=integers(number.get(owner, -1) for owner in ellipsoids),
        body=integers(hosts),
        axis=floats((tree.axis[host] for host in hosts), 3),
        centre=floats((place for _, _, place in places), 3),
        numbers=floats((_tyre_row(wheel) for _, _, wheel in wheels), TYRE_NUMBERS),
    )


def _tyre_row(wheel: Wheel) -> tuple[float, ...]:
    return (
        wheel.radius,
        wheel.load,
        wheel.cornering_stiffness,
        wheel.slip_stiffness,
        wheel.side_friction,
        wheel.load_sensitivity,
        wheel.stiffness_sensitivity,
        wheel.relaxation,
        wheel.slip_relaxation,
        wheel.rolling_resistance,
    )


def compile_drivers(
    actors: Sequence[Actor],
    builder: TreeBuilder,
    motor_row: np.ndarray,
    on_body: OnBody,
    poses: Callable[[int], dict[str, np.ndarray]],
) -> Drivers:
    """Arrays of all drivers, without the address of the kernel. motor_row (n,): motor of each moving body. poses:
    bodies of an actor at its start, body frame to world (4, 4)."""
    driven = [(a, actor) for a, actor in enumerate(actors) if actor.drive is not None]
    tyre = tyre_numbers(actors)
    roots, frames, centres = [], [], []
    for a, actor in driven:
        root = next(joint for joint in actor.model.joints if joint.parent is None)
        bodies = poses(a)
        to_actor = inverse_transform(actor_transform(actor))
        frame = inverse_transform(to_actor @ bodies[root.child])  # actor frame in the root body's
        host, _, place = on_body(a, root.child, frame[:3, 3])
        roots.append(host)
        frames.append((frame[:3, :3], place))
        centres.append(
            {
                wheel.body: (to_actor @ bodies[wheel.body] @ [*wheel_place(actor.model, wheel), 1.0])[:3]
                for wheel in actor.model.wheels
            }
        )
    every = [
        (a, actor, wheel, at)
        for (a, actor), at in zip(driven, centres, strict=True)
        for wheel in actor.model.wheels
    ]
    tables = [table for _, actor in driven for table in _tables(actor.drive)]
    return Drivers(
        address=0,
        actor=integers(a for a, _ in driven),
        body=integers(roots),
        axes=floats((rotation.ravel() for rotation, _ in frames), 9),
        place=floats((place for _, place in frames), 3),
        numbers=floats(
            (_numbers(actor, at) for (_, actor), at in zip(driven, centres, strict=True)), DRIVE_NUMBERS
        ),
        wheel_first=starts(len(actor.model.wheels) for _, actor in driven),
        wheel=integers(
            (_wheel_row(a, actor, wheel, tyre, builder, motor_row) for a, actor, wheel, _ in every), 4
        ),
        wheel_numbers=floats((_wheel_numbers(actor.model, wheel, at) for _, actor, wheel, at in every), 5),
        table_first=starts(len(table) for table in tables),
        table=floats((row for table in tables for row in table), 3),
    )


def _wheel_row(
    a: int, actor: Actor, wheel: Wheel, tyre: dict, builder: TreeBuilder, motor_row: np.ndarray
) -> tuple[int, ...]:
    axle = builder.moving_joint[a, axle_of(actor.model, wheel).name]
    steering = motor_row[builder.moving_joint[a, wheel.steering]] if wheel.steering else -1
    return tyre[a, wheel.body], int(motor_row[axle]), axle, int(steering)


def _wheel_numbers(model: Model, wheel: Wheel, centres: dict[str, np.ndarray]) -> tuple[float, ...]:
    total = sum(other.brake_torque for other in model.wheels)
    share = wheel.brake_torque / total if total > 0.0 else 0.0
    return wheel.radius, wheel.brake_torque, share, wheel.drive_share, float(centres[wheel.body][1])


def _numbers(actor: Actor, centres: dict[str, np.ndarray]) -> tuple[float, ...]:
    """Row of `Drivers.numbers`."""
    drive, model = actor.drive, actor.model
    front = [centres[wheel.body][0] for wheel in model.wheels if wheel.steering]
    rear = [centres[wheel.body][0] for wheel in model.wheels if not wheel.steering]
    ahead = float(np.mean(front)) if front else max(rear)
    behind = float(np.mean(rear)) if rear else 0.0
    return (
        _driven_mass(model) + drive.load,
        STANDARD_GRAVITY * (drive.braking or 0.0),
        drive.brake_start,
        drive.pedal_time,
        float(drive.anti_lock),
        float(drive.keep_speed),
        drive.speed or 0.0,
        STANDARD_GRAVITY * drive.engine_drag,
        drive.preview,
        max(0.1, ahead - behind),
        behind,
        float(drive.balance),
    )


def _driven_mass(model: Model) -> float:
    """kg: of the vehicle, with the inertia of its wheels over the square of their radius."""
    bodies = {body.name: body for body in model.bodies}
    mass = sum(body.mass for body in model.bodies)
    for wheel in model.wheels:
        axle = axle_of(model, wheel)
        axis = np.array(axle.T2, float)[:3, :3] @ np.array(axle.axis, float)
        mass += float(axis @ inertia_matrix(bodies[wheel.body].inertia) @ axis) / wheel.radius**2
    return mass


def _tables(drive: Drive) -> list[list[tuple[float, float, float]]]:
    """Rows of pedal, steering, path and trace."""
    pedal = [(t, share, 0.0) for t, share in drive.pedal or ()]
    steering = [(t, radians(angle), 0.0) for t, angle in drive.steering or ()]
    path = [(x, y, 0.0) for x, y in drive.path or ()]
    trace = [(row[0], row[1], radians(row[2]) if len(row) > 2 else nan) for row in drive.trace or ()]
    return [pedal, steering, path, trace]
