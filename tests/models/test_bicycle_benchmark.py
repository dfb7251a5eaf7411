"""The benchmark bicycle: the engine's own bodies, joints and tyres have its weave and capsize speeds.

Parameters and speeds: J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab: Linearized dynamics equations for the
balance and steer of a bicycle. Proc. R. Soc. A 463, 2007, 1955-1982, table 1: weave 4.292 m/s, capsize 6.024 m/s. It
rolls without slip on knife edges: here on thin wheels with tyres so stiff that they hardly slip.
"""

import math

import numpy as np
import pytest

from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import Actor, Joint, Material, Model, PairMaterial, Scenario, Settings, Wheel
from mannequin.models.parts.bodies import make_body, make_ellipsoid
from mannequin.models.parts.rigid import Piece

BASE, TRAIL, TILT = 1.02, 0.08, math.pi / 10.0
REAR, FRONT = 0.3, 0.35
WEAVE, CAPSIZE = 4.292, 6.024


def matrix(xx, yy, zz, xz=0.0):
    """Inertia from the benchmark's axes (z down) to ours (z up): the product changes its sign."""
    return np.array([[xx, 0.0, -xz], [0.0, yy, 0.0], [-xz, 0.0, zz]])


def bicycle():
    """Four bodies; actor frame on the ground under the rear wheel."""
    at = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))

    def shifted(x, z):
        return (at[0][:3] + (x,), at[1], at[2][:3] + (z,), at[3])

    wheels = {"rear": ((0.0, 0.0, REAR), 2.0, 0.0603, 0.12), "front": ((BASE, 0.0, FRONT), 3.0, 0.1405, 0.28)}
    bodies = [
        make_body(
            "frame", Piece(85.0, np.array([0.3, 0.0, 0.9]), matrix(9.2, 11.0, 2.8, 2.4)), (0, 0, 0), []
        ),
        make_body(
            "fork",
            Piece(4.0, np.array([0.9, 0.0, 0.7]), matrix(0.05892, 0.06, 0.00708, -0.00756)),
            (0, 0, 0),
            [],
        ),
    ]
    for name, (centre, mass, xx, yy) in wheels.items():
        tread = make_ellipsoid(f"tread_{name}", centre, (centre[2], 0.004, centre[2]), centre, "rubber")
        piece = Piece(mass, np.array(centre), matrix(xx, yy, xx))
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


def modes(model, speed):
    """Eigenvalues (4,) of lean and steer at a speed, from a run after a small push: x' = A x fitted to it."""
    actor = Actor(
        "bike",
        model,
        velocity=(speed, 0.0, 0.0),
        angular_velocity=(0.02, 0.0, 0.0),
        joint_velocities={"rear_axle": (speed / REAR, 0.0, 0.0), "front_axle": (speed / FRONT, 0.0, 0.0)},
    )
    recording = run(
        Scenario(
            "push",
            [actor],
            pairs=[PairMaterial("rubber", "ground", 5.0, 5.0)],
            settings=Settings(duration=1.6, output_step=0.002, time_step=1.0e-4),
        )
    )
    frame = recording.body_index("bike", "frame")
    axes = recording.rotation(frame)
    lean = np.arcsin(axes[:, 2, 1])
    axis = np.array([-math.sin(TILT), 0.0, math.cos(TILT)])
    steer = recording.joint_angle[:, recording.joint_index("bike", "head")] @ axis
    rates = np.gradient(np.column_stack([lean, steer]), recording.times, axis=0, edge_order=2)
    state = np.column_stack([lean, steer, rates])
    change = np.gradient(rates, recording.times, axis=0, edge_order=2)
    fitted = slice(50, -5)
    lower, *_ = np.linalg.lstsq(state[fitted], change[fitted], rcond=None)
    matrix = np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), lower.T])
    return np.linalg.eigvals(matrix)


def crossing(speeds, values):
    """Speed at which a straight line through the values passes zero."""
    slope, start = np.polyfit(speeds, values, 1)
    return -start / slope


def test_weave_and_capsize_speeds():
    """Within 5 % of the published ones: the real part of the weave pair, and the slow real mode, pass zero there."""
    model = bicycle()
    speeds = (4.0, 4.3, 4.6)
    weave = [max(m.real for m in modes(model, v) if abs(m.imag) > 0.5) for v in speeds]
    assert crossing(speeds, weave) == pytest.approx(WEAVE, rel=0.05)
    speeds = (5.6, 6.0, 6.4)
    capsize = [max(m.real for m in modes(model, v) if abs(m.imag) < 0.5) for v in speeds]
    assert crossing(speeds, capsize) == pytest.approx(CAPSIZE, rel=0.05)
