"""Tyres and drivers as flat arrays, and what changes of them during a run."""

from collections import namedtuple

import numpy as np

Tyres = namedtuple(
    "Tyres",
    [
        "forces_address",  # of the kernels (`jit.late`)
        "commit_address",
        "of_ellipsoid",  # (e,) tyre that an ellipsoid belongs to, or -1
        "body",  # (n,) moving body of the wheel
        "axis",  # (n, 3) of its turn, in the moving frame; it rolls forward by positive turns
        "centre",  # (n, 3) of the wheel in the moving frame, m
        "numbers",  # (n, TYRE_NUMBERS) columns below
    ],
)
(
    RADIUS,
    LOAD,
    CORNERING,
    SLIPPING,
    SIDE_FRICTION,
    LOAD_SENSITIVITY,
    STIFFNESS_SENSITIVITY,
    RELAXATION,
    SLIP_RELAXATION,
    ROLLING,
) = range(10)
TYRE_NUMBERS = 10
"""Columns of `Tyres.numbers`: fields of `spec.Wheel` in its units."""

TyreState = namedtuple(
    "TyreState",
    [
        "deflection",  # (n, 2) of the tread along and across the wheel, m
        "ahead",  # (n, 2) the same at the end of the step of the last evaluation
        "flow",  # (n, 4) of the last evaluation: sliding along and across, rolling speed (m/s), its step (s)
        "force",  # (n, 3) of the last evaluation: load, force along, force across (N)
        "gathered",  # (n, GATHERED) scratch: sums over the contacts of a tyre, weighted by their load
    ],
)
GATHERED = 12
"""Load (N), and weighted by it: normal (3), point (3), sliding velocity (3), peak friction, sliding friction. Once
these are used, force on the wheel (3, N) and moment of rolling resistance (3, N m) from column 1 on."""

Drivers = namedtuple(
    "Drivers",
    [
        "address",  # of the kernel
        "actor",  # (d,)
        "body",  # (d,) moving body of the root
        "axes",  # (d, 9) actor frame in that moving frame
        "place",  # (d, 3) of the actor frame's origin there, m
        "numbers",  # (d, DRIVE_NUMBERS) columns below
        "wheel_first",  # (d + 1,)
        "wheel",  # (k, 4) tyre, motor of its brake, moving body, motor of its steering or -1
        "wheel_numbers",  # (k, 5) rolling radius (m), brake torque at the full pedal (N m), its share of all,
        # share of the engine's force, and y of the wheel (m)
        "table_first",  # (4 d + 1,) rows of pedal, steering, path, trace of each driver
        "table",  # (r, 3) their numbers; angles in rad
    ],
)
(
    MASS,
    BRAKING,
    BRAKE_START,
    PEDAL_TIME,
    ANTI_LOCK,
    KEEPS_SPEED,
    SPEED,
    DRAG,
    PREVIEW,
    WHEELBASE,
    REAR,
    BALANCES,
) = range(12)
DRIVE_NUMBERS = 12
"""Columns of `Drivers.numbers`: mass with what turns (kg), deceleration asked for (m/s2; 0: none), s, s, 1 or 0, 1 or
0, speed at the start (m/s), drag of the engine (m/s2), s, m, x of the rear axle in the actor frame (m), 1 or 0."""
PEDAL, STEERING, PATH, TRACE = range(4)

DriverState = namedtuple(
    "DriverState",
    [
        "wanted",  # (d,) speed that is to be reached, m/s; NaN before the brakes are used
        "at",  # (d,) segment of the path
        "stood",  # (d,) s: since when it stands; NaN while it goes
        "fallen",  # (d,) 1: a two-wheeler lies or its rider has let go, and nobody drives it
        "release",  # (k,) share of the brake torque that the anti-lock brake leaves
    ],
)


def new_tyre_state(tyres: Tyres) -> TyreState:
    """Tyres without deflection."""
    n = len(tyres.body)
    return TyreState(
        deflection=np.zeros((n, 2)),
        ahead=np.zeros((n, 2)),
        flow=np.zeros((n, 4)),
        force=np.zeros((n, 3)),
        gathered=np.zeros((n, GATHERED)),
    )


def new_driver_state(drivers: Drivers) -> DriverState:
    """Drivers who have done nothing yet."""
    return DriverState(
        wanted=np.full(len(drivers.actor), np.nan),
        at=np.zeros(len(drivers.actor), dtype=np.int64),
        stood=np.full(len(drivers.actor), np.nan),
        fallen=np.zeros(len(drivers.actor), dtype=np.int64),
        release=np.ones(len(drivers.wheel)),
    )
