"""Welds and pins: forces, moments, the third law, release and breaking."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine.connections.arrays import BROKEN, LAST_FORCE, LAST_GAP, RELEASED
from mannequin.engine.connections.stability import ease_dampers
from mannequin.engine.spec import Weld


def test_pin_force_and_gap(yard, point):
    y = yard(1, welds=[Weld("w", point(None, 0, 0, 1), point(0, 0, 0, 0.5), stiffness=1e4, damping=0.0)])
    y.set(0, (0.0, 0.02, 0.5))
    force, torque = y.forces()
    assert force[0] == pytest.approx([0.0, -200.0, 0.0])
    # at the middle of the gap, 0.01 short of the body's own point
    assert torque[0] == pytest.approx(np.cross([0.0, -0.01, 0.5], force[0]))
    y.commit(0.0)
    assert y.state.taken[0, LAST_GAP] == pytest.approx(0.02)


def test_third_law_with_gap_spin_and_turning(yard, point):
    weld = Weld("w", point(0, 0.3, 0, 0), point(1, 0, 0.2, 0), 1e4, 300.0, 80.0, 3.0)
    y = yard(2, welds=[weld])
    rng = np.random.default_rng(6)
    for _ in range(10):
        for k in range(2):
            y.set(k, *(rng.uniform(-1, 1, 3) for _ in range(4)))
        force, torque = y.forces()
        assert force.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-8)
        moment = torque.sum(axis=0) + sum(np.cross(y.w.position[k], force[k]) for k in range(2))
        assert moment == pytest.approx(np.zeros(3), abs=1e-8)


def two_in_motion(y, seed):
    """Set two bodies in any pose and motion; returns, by the time from now, the gap between their points and their
    rotations as they move on."""
    rng = np.random.default_rng(seed)
    pose = [(rng.uniform(-1, 1, 3), Rotation.from_rotvec(rng.uniform(-0.6, 0.6, 3))) for _ in range(2)]
    speed = [(rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)) for _ in range(2)]
    for k, ((p, R), (v, w)) in enumerate(zip(pose, speed, strict=True)):
        y.set(k, p, R.as_rotvec(), v, w)

    def moved(dt):
        (pa, Ra), (pb, Rb) = (
            (p + dt * v, Rotation.from_rotvec(dt * w) * R) for (p, R), (v, w) in zip(pose, speed, strict=True)
        )
        return (pb + Rb.apply([0, 0.2, 0])) - (pa + Ra.apply([0.3, 0, 0])), Ra, Rb

    return moved


def test_power_is_minus_the_rate_of_energy(yard, point):
    """Without dampers: power = -d/dt (k gap^2 / 2 + k_r turn^2 / 2), by moving the bodies a little."""
    weld = Weld("w", point(0, 0.3, 0, 0), point(1, 0, 0.2, 0), 1e3, 0.0, 80.0, 0.0)
    y = yard(2, welds=[weld])
    moved = two_in_motion(y, 7)

    def energy(dt):
        gap, Ra, Rb = moved(dt)
        return 500.0 * gap @ gap + 40.0 * (Rb * Ra.inv()).magnitude() ** 2

    y.forces()
    assert y.power() == pytest.approx(-(energy(1e-6) - energy(-1e-6)) / 2e-6, rel=1e-6)


def test_dampers_take_energy_and_ignore_common_motion(yard, point):
    weld = Weld("w", point(0, 0.3, 0, 0), point(1, 0, 0.2, 0), 0.0, 300.0, 0.0, 3.0)
    y = yard(2, welds=[weld])
    rng = np.random.default_rng(8)
    for _ in range(10):
        for k in range(2):
            y.set(k, *(rng.uniform(-1, 1, 3) for _ in range(4)))
        y.forces()
        assert y.power() < 0.0
    omega = np.array([1.0, 2.0, 3.0])
    for k in range(2):
        position = rng.uniform(-1, 1, 3)
        y.set(k, position, velocity=np.cross(omega, position), omega=omega)
    force, torque = y.forces()
    assert force == pytest.approx(np.zeros((2, 3)), abs=1e-9)
    assert torque == pytest.approx(np.zeros((2, 3)), abs=1e-9)


def test_turning_is_held_as_at_the_start(yard, point):
    weld = Weld("w", point(None, 0, 0, 0), point(0, 0, 0, 0), 0.0, 0.0, 50.0, 0.0)
    y = yard(1, welds=[weld])
    y.set(0, turn=(0.0, 0.3, 0.0))
    assert y.forces()[1][0] == pytest.approx([0.0, -15.0, 0.0])


def test_release_and_break(yard, point):
    welds = [
        Weld("timed", point(None, 0, 0, 0), point(0, 0, 0, 0), 1e3, 0.0, release_time=0.5),
        Weld("weak", point(None, 0, 0, 0), point(0, 0, 0, 0), 1e3, 0.0, break_force=50.0),
    ]
    y = yard(1, welds=welds)
    y.set(0, (0.01, 0, 0))
    assert y.forces(0.4)[0][0, 0] == pytest.approx(-20.0)
    y.commit(0.4)
    assert y.forces(0.5)[0][0, 0] == pytest.approx(-10.0), "let go at the release time itself"
    y.commit(0.5)
    y.set(0, (0.06, 0, 0))
    y.forces(0.6)
    y.commit(0.6)
    assert y.forces(0.7)[0][0, 0] == 0.0
    assert y.state.parted.tolist() == [RELEASED, BROKEN]
    assert y.state.parted_time.tolist() == [0.5, 0.6]
    assert y.state.taken[1, LAST_FORCE] == pytest.approx(60.0)


def test_default_weld_is_stable_on_a_light_body(yard, point):
    """The default weld off the centre of a light body, stepped explicitly at 1e-4 s, settles once it is eased."""
    y = yard(1, welds=[Weld("w", point(None, 0, 0, 0.05), point(0, 0, 0, 0.05))])
    y.tree.mass[0], y.tree.inertia[0] = 0.1, (5e-5, 5e-5, 5e-5, 0.0, 0.0, 0.0)
    y.cn, notes = ease_dampers(y.cn, y.tree, 1e-4, ["w"])
    assert len(notes) == 1 and notes[0].startswith("weld 'w': damping 500 eased to")
    p, v, R, omega = np.zeros(3), np.array([1.0, 0.0, 0.0]), Rotation.identity(), np.zeros(3)
    for _ in range(3000):
        y.set(0, p, R.as_rotvec(), v, omega)
        force, torque = y.forces()
        v = v + 1e-4 * force[0] / 0.1
        omega = omega + 1e-4 * torque[0] / 5e-5
        p, R = p + 1e-4 * v, Rotation.from_rotvec(1e-4 * omega) * R
        assert np.linalg.norm(v) < 2.0
    assert y.state.gap[0] < 1e-3


def test_a_point_on_a_line_slides_freely_along_it(yard, point):
    """Force and place by hand: a bead 3 cm beside a line along (1, 2, 2) / 3 through the world's (0, 0, 1)."""
    line, aside = np.array([1.0, 2.0, 2.0]) / 3.0, np.array([2.0, 1.0, -2.0]) / 3.0
    weld = Weld("w", point(None, 0, 0, 1), point(0, 0, 0, 0.5), 1e4, 0.0, line=(1.0, 2.0, 2.0))
    y = yard(1, welds=[weld])
    bead = np.array([0.0, 0.0, 1.0]) + 0.7 * line + 0.03 * aside
    y.set(0, bead - [0.0, 0.0, 0.5], velocity=5.0 * line)
    force, torque = y.forces()
    assert force[0] == pytest.approx(-300.0 * aside)
    assert torque[0] == pytest.approx(
        np.cross([0.0, 0.0, 0.5], force[0]) + np.cross(-0.015 * aside, force[0])
    )
    assert y.power() == pytest.approx(0.0, abs=1e-9)
    y.commit(0.0)
    assert y.state.taken[0, LAST_GAP] == pytest.approx(0.03)


def test_power_of_a_line_is_minus_the_rate_of_energy(yard, point):
    """Both bodies move and turn: power = -d/dt (k distance from the line^2 / 2), and the third law holds."""
    line = np.array([0.0, 0.6, 0.8])
    y = yard(2, welds=[Weld("w", point(0, 0.3, 0, 0), point(1, 0, 0.2, 0), 1e3, 0.0, line=tuple(line))])
    moved = two_in_motion(y, 17)

    def energy(dt):
        gap, Ra, _ = moved(dt)
        beside = gap - (gap @ Ra.apply(line)) * Ra.apply(line)
        return 500.0 * beside @ beside

    force, torque = y.forces()
    assert y.power() == pytest.approx(-(energy(1e-6) - energy(-1e-6)) / 2e-6, rel=1e-6)
    assert force.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
    moment = torque.sum(axis=0) + sum(np.cross(y.w.position[k], force[k]) for k in range(2))
    assert moment == pytest.approx(np.zeros(3), abs=1e-9)
