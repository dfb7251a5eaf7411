"""The benchmark bicycle: the engine's own bodies, joints and tyres have its weave and capsize speeds.

Parameters and speeds: J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab: Linearized dynamics equations for the
balance and steer of a bicycle. Proc. R. Soc. A 463, 2007, 1955-1982, table 1: weave 4.292 m/s, capsize 6.024 m/s. It
rolls without slip on knife edges: here on thin wheels with tyres so stiff that they hardly slip.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from mannequin.engine.spec import Material
from mannequin.models.validation.bicycle import benchmark_bicycle, bicycle, crossing, growth, modes
from mannequin.models.vehicles.light.build import build_light_vehicle
from mannequin.models.vehicles.light.kinds import LIGHT_VEHICLES, WEIGHTS

WEAVE, CAPSIZE = 4.292, 6.024


def test_weave_and_capsize_speeds():
    """Within 5 % of the published ones."""
    weave, capsize = benchmark_bicycle()
    assert weave.value == pytest.approx(WEAVE, rel=0.05)
    assert capsize.value == pytest.approx(CAPSIZE, rel=0.05)


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


def test_linear_equations_are_those_of_the_paper():
    """They have its weave and capsize speeds."""
    assert growth(linear(BENCHMARK, WEAVE - 0.01), True) > 0.0 > growth(linear(BENCHMARK, WEAVE + 0.01), True)
    slow = [growth(linear(BENCHMARK, v), False) for v in (CAPSIZE - 0.01, CAPSIZE + 0.01)]
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
        growth(linear(table, v), True) if any(abs(e.imag) > 0.5 for e in linear(table, v)) else 1.0
        for v in speeds
    ]
    expected = float(speeds[np.flatnonzero(np.array(weave) > 0.0)[-1]])
    axles = {
        "rear_wheel_axle": LIGHT_VEHICLES[kind].rear_radius,
        "front_wheel_axle": LIGHT_VEHICLES[kind].front_radius,
    }
    near = [expected - 0.3, expected, expected + 0.3]
    found = [growth(modes(model, v, axles, "steering", table["lam"]), True) for v in near]
    assert crossing(near, found) == pytest.approx(expected, rel=0.05)
