"""The benchmark bicycle of Meijaard et al. 2007: the engine's own bodies, joints and tyres, and its modes of lean and
steer."""

import math
from collections.abc import Sequence

import numpy as np

from ...engine.spec import Actor, Joint, Material, Model, PairMaterial, Scenario, Settings, Wheel
from ..parts.bodies import make_body, make_ellipsoid
from ..parts.rigid import Piece
from .experiment import experiment
from .row import Row
from .running import AS_GIVEN, Runner

BASE, TRAIL, TILT = 1.02, 0.08, math.pi / 10.0
REAR, FRONT = 0.3, 0.35
"""m, radii of the wheels; before: wheelbase, trail (m) and tilt of the steering axis (rad), table 1 of the paper"""


def _matrix(xx: float, yy: float, zz: float, xz: float = 0.0) -> np.ndarray:
    """Inertia from the benchmark's axes (z down) to ours (z up): the product changes its sign."""
    return np.array([[xx, 0.0, -xz], [0.0, yy, 0.0], [-xz, 0.0, zz]])


def bicycle() -> Model:
    """Four bodies; actor frame on the ground under the rear wheel."""
    at = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))

    def shifted(x, z):
        return (at[0][:3] + (x,), at[1], at[2][:3] + (z,), at[3])

    wheels = {"rear": ((0.0, 0.0, REAR), 2.0, 0.0603, 0.12), "front": ((BASE, 0.0, FRONT), 3.0, 0.1405, 0.28)}
    bodies = [
        make_body(
            "frame", Piece(85.0, np.array([0.3, 0.0, 0.9]), _matrix(9.2, 11.0, 2.8, 2.4)), (0, 0, 0), []
        ),
        make_body(
            "fork",
            Piece(4.0, np.array([0.9, 0.0, 0.7]), _matrix(0.05892, 0.06, 0.00708, -0.00756)),
            (0, 0, 0),
            [],
        ),
    ]
    for name, (centre, mass, xx, yy) in wheels.items():
        tread = make_ellipsoid(f"tread_{name}", centre, (centre[2], 0.004, centre[2]), centre, "rubber")
        piece = Piece(mass, np.array(centre), _matrix(xx, yy, xx))
        bodies.append(make_body(name, piece, centre, [tread]))
    pivot = shifted(BASE + TRAIL, 0.0)
    joints = [
        Joint("root", "free", None, "frame"),
        Joint(
            "head",
            "revolute",
            "frame",
            "fork",
            T1=pivot,
            T2=pivot,
            axis=(-math.sin(TILT), 0.0, math.cos(TILT)),
            damping=0.0,
        ),
        Joint(
            "rear_axle", "revolute", "frame", "rear", T1=shifted(0.0, REAR), axis=(0.0, 1.0, 0.0), damping=0.0
        ),
        Joint(
            "front_axle",
            "revolute",
            "fork",
            "front",
            T1=shifted(BASE, FRONT),
            axis=(0.0, 1.0, 0.0),
            damping=0.0,
        ),
    ]
    tyre = {
        "cornering_stiffness": 900.0,
        "slip_stiffness": 900.0,
        "side_friction": 1.0,
        "rolling_resistance": 0.0,
    }
    tyre |= {
        "load_sensitivity": 0.0,
        "stiffness_sensitivity": 0.0,
        "relaxation": 0.005,
        "slip_relaxation": 0.005,
    }
    return Model(
        "benchmark",
        bodies,
        joints,
        [Material("rubber", law="linear", stiffness=2.0e6, damping=1.0)],
        wheels=[Wheel("rear", REAR, 500.0, **tyre), Wheel("front", FRONT, 400.0, **tyre)],
    )


def modes(
    model: Model,
    speed: float,
    axles: dict[str, float] | None = None,
    head: str = "head",
    tilt: float = TILT,
    run: Runner = AS_GIVEN,
) -> np.ndarray:
    """Eigenvalues (4,) in 1/s of lean and steer at a speed (m/s), from a run after a small push: x' = A x fitted to
    it. axles: joint to radius of its wheel (m); head: the steering's joint, tilted by `tilt` (rad)."""
    axles = axles or {"rear_axle": REAR, "front_axle": FRONT}
    actor = Actor(
        "bike",
        model,
        velocity=(speed, 0.0, 0.0),
        angular_velocity=(0.02, 0.0, 0.0),
        joint_velocities={joint: (speed / radius, 0.0, 0.0) for joint, radius in axles.items()},
    )
    recording = run(
        Scenario(
            "push",
            [actor],
            pairs=[PairMaterial("rubber", "ground", 5.0, 5.0), PairMaterial("tyre", "ground", 5.0, 5.0)],
            settings=Settings(duration=1.6, output_step=0.002, time_step=1.0e-4),
        )
    )
    frame = recording.body_index("bike", "frame")
    axes = recording.rotation(frame)
    lean = np.arcsin(axes[:, 2, 1])
    axis = np.array([-math.sin(tilt), 0.0, math.cos(tilt)])
    steer = recording.joint_angle[:, recording.joint_index("bike", head)] @ axis
    rates = np.gradient(np.column_stack([lean, steer]), recording.times, axis=0, edge_order=2)
    state = np.column_stack([lean, steer, rates])
    change = np.gradient(rates, recording.times, axis=0, edge_order=2)
    fitted = slice(50, -5)
    lower, *_ = np.linalg.lstsq(state[fitted], change[fitted], rcond=None)
    matrix = np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), lower.T])
    return np.linalg.eigvals(matrix)


def crossing(speeds: Sequence[float], values: Sequence[float]) -> float:
    """Speed at which a straight line through the values passes zero."""
    slope, start = np.polyfit(speeds, values, 1)
    return -start / slope


def benchmark_bicycle(run: Runner = AS_GIVEN) -> list[Row]:
    """Speeds at which the weave pair and the slow real mode pass zero."""
    model, test = bicycle(), experiment("bicycle_benchmark")
    rows = []
    for mode, swings in (("weave", True), ("capsize", False)):
        speeds = test.set_up[f"{mode}_speeds"]
        found = [growth(modes(model, speed, run=run), swings) for speed in speeds]
        rows.append(test.row(f"{mode} speed", crossing(speeds, found)))
    return rows


def growth(eigenvalues: np.ndarray, swings: bool) -> float:
    """Largest real part (1/s) of the modes that swing, or of those that do not."""
    return max(value.real for value in eigenvalues if (abs(value.imag) > 0.5) == swings)
