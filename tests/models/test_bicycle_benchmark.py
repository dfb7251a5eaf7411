"""The benchmark bicycle: the engine's own bodies, joints and tyres have its weave and capsize speeds.

Parameters and speeds: J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab: Linearized dynamics equations for the
balance and steer of a bicycle. Proc. R. Soc. A 463, 2007, 1955-1982, table 1: weave 4.292 m/s, capsize 6.024 m/s. It
rolls without slip on knife edges: here on thin wheels with tyres so stiff that they hardly slip.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import Actor, Joint, Material, Model, PairMaterial, Scenario, Settings, Wheel
from mannequin.models.parts.bodies import make_body, make_ellipsoid
from mannequin.models.parts.rigid import Piece
from mannequin.models.vehicles.light.build import build_light_vehicle
from mannequin.models.vehicles.light.kinds import LIGHT_VEHICLES, WEIGHTS

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


def modes(model, speed, axles=None, head="head", tilt=TILT):
    """Eigenvalues (4,) of lean and steer at a speed, from a run after a small push: x' = A x fitted to it."""
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


def linear(p, speed):
    """Eigenvalues (4,) of the linearized equations of the paper's appendix A. p: its 25 parameters, z down."""
    s, c = math.sin(p["lam"]), math.cos(p["lam"])
    w, t, (mR, mB, mH, mF) = p["w"], p["c"], (p[f"m{k}"] for k in "RBHF")
    rR, rF, (xB, zB), (xH, zH) = p["rR"], p["rF"], p["B"], p["H"]
    (Bxx, Bzz, Bxz), (Hxx, Hzz, Hxz) = p["IB"], p["IH"]
    (Rxx, Ryy), (Fxx, Fyy) = p["IR"], p["IF"]
    mT, mA = mR + mB + mH + mF, mH + mF
    xT = (xB * mB + xH * mH + w * mF) / mT
    zT = (-rR * mR + zB * mB + zH * mH - rF * mF) / mT
    Txx = Rxx + Bxx + Hxx + Fxx + mR * rR**2 + mB * zB**2 + mH * zH**2 + mF * rF**2
    Txz = Bxz + Hxz - mB * xB * zB - mH * xH * zH + mF * w * rF
    Tzz = Rxx + Bzz + Hzz + Fxx + mB * xB**2 + mH * xH**2 + mF * w**2
    xA, zA = (xH * mH + w * mF) / mA, (zH * mH - rF * mF) / mA
    Axx = Hxx + Fxx + mH * (zH - zA) ** 2 + mF * (rF + zA) ** 2
    Axz = Hxz - mH * (xH - xA) * (zH - zA) + mF * (w - xA) * (rF + zA)
    Azz = Hzz + Fxx + mH * (xH - xA) ** 2 + mF * (w - xA) ** 2
    uA = (xA - w - t) * c - zA * s
    All = mA * uA**2 + Axx * s**2 + 2.0 * Axz * s * c + Azz * c**2
    Alx, Alz = -mA * uA * zA + Axx * s + Axz * c, mA * uA * xA + Axz * s + Azz * c
    mu, SR, SF = t / w * c, Ryy / rR, Fyy / rF
    ST, SA = SR + SF, mA * uA + mu * mT * xT
    M = np.array([[Txx, Alx + mu * Txz], [Alx + mu * Txz, All + 2.0 * mu * Alz + mu**2 * Tzz]])
    K0 = np.array([[mT * zT, -SA], [-SA, -SA * s]])
    K2 = np.array([[0.0, (ST - mT * zT) / w * c], [0.0, (SA + SF * s) / w * c]])
    cross = mu * ST + SF * c
    C1 = np.array(
        [[0.0, cross + Txz / w * c - mu * mT * zT], [-cross, Alz / w * c + mu * (SA + Tzz / w * c)]]
    )
    K, C = 9.81 * K0 + speed**2 * K2, speed * C1
    return np.linalg.eigvals(
        np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, np.hstack([K, C]))]])
    )


BENCHMARK = {
    "w": 1.02, "c": 0.08, "lam": math.pi / 10.0, "rR": 0.3, "rF": 0.35, "mR": 2.0, "mB": 85.0, "mH": 4.0, "mF": 3.0,
    "B": (0.3, -0.9), "H": (0.9, -0.7), "IB": (9.2, 2.8, 2.4), "IH": (0.05892, 0.00708, -0.00756),
    "IR": (0.0603, 0.12), "IF": (0.1405, 0.28),
}  # fmt: skip


def parameters(kind):
    """The same of one of our bicycles, from its tables."""
    v, t = LIGHT_VEHICLES[kind], WEIGHTS[kind]
    return {
        "w": v.wheelbase, "c": v.trail, "lam": math.radians(90.0 - v.head_angle), "rR": v.rear_radius,
        "rF": v.front_radius, "mR": t.rear_wheel, "mB": t.frame, "mH": t.fork, "mF": t.front_wheel,
        "B": (t.frame_centre[0] * v.wheelbase, -t.frame_centre[1]),
        "H": (t.fork_centre[0] * v.wheelbase, -t.fork_centre[1]),
        "IB": (t.frame_inertia[0], t.frame_inertia[2], -t.frame_inertia[3]),
        "IH": (t.fork_inertia[0], t.fork_inertia[2], -t.fork_inertia[3]),
        "IR": (0.55 * t.rear_axle, t.rear_axle), "IF": (0.55 * t.front_axle, t.front_axle),
    }  # fmt: skip


def fastest_weave(eigenvalues):
    """Real part of the oscillating pair that grows most."""
    return max(value.real for value in eigenvalues if abs(value.imag) > 0.5)


def test_linear_equations_are_those_of_the_paper():
    """They have its weave and capsize speeds."""
    assert (
        fastest_weave(linear(BENCHMARK, WEAVE - 0.01)) > 0.0 > fastest_weave(linear(BENCHMARK, WEAVE + 0.01))
    )
    slow = [
        max(e.real for e in linear(BENCHMARK, v) if abs(e.imag) < 0.5)
        for v in (CAPSIZE - 0.01, CAPSIZE + 0.01)
    ]
    assert slow[0] < 0.0 < slow[1]


def test_our_city_bicycle_weaves_below_the_speed_of_the_linear_equations():
    """The generated model, on the benchmark's stiff thin tyres and without drag in its head, within 5 %."""
    kind = "city_bicycle"
    made = build_light_vehicle(replace(LIGHT_VEHICLES[kind], front_tyre=0.010, rear_tyre=0.010))
    stiff = {field: getattr(bicycle().wheels[0], field) for field in (
        "cornering_stiffness", "slip_stiffness", "side_friction", "rolling_resistance", "load_sensitivity",
        "stiffness_sensitivity", "relaxation", "slip_relaxation")}  # fmt: skip
    model = replace(
        made,
        wheels=[replace(wheel, load=90.0, **stiff) for wheel in made.wheels],
        joints=[replace(joint, damping=0.0) for joint in made.joints],
        materials=[
            Material("tyre", law="linear", stiffness=1.0e6, damping=1.0) if m.name == "tyre" else m
            for m in made.materials
        ],
    )
    table = parameters(kind)
    speeds = np.linspace(1.0, 9.0, 400)
    weave = [
        fastest_weave(linear(table, v)) if any(abs(e.imag) > 0.5 for e in linear(table, v)) else 1.0
        for v in speeds
    ]
    expected = float(speeds[np.flatnonzero(np.array(weave) > 0.0)[-1]])
    axles = {
        "rear_wheel_axle": LIGHT_VEHICLES[kind].rear_radius,
        "front_wheel_axle": LIGHT_VEHICLES[kind].front_radius,
    }
    near = [expected - 0.3, expected, expected + 0.3]
    found = [fastest_weave(modes(model, v, axles, "steering", table["lam"])) for v in near]
    assert crossing(near, found) == pytest.approx(expected, rel=0.05)
