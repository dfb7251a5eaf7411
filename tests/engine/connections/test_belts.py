"""Belts: hand-worked statics, virtual work, slack, slip rings."""

import numpy as np
import pytest

from mannequin.engine.connections.arrays import BROKEN, LAST_FORCE
from mannequin.engine.spec import Belt


def test_three_point_static_case(yard, point):
    """A band over a body point between two anchors, worked by hand.

    Anchors at (-3, 0, 0) and (3, 0, 0), the body point at (0, 0, 0) at the start: 6 m of band. Pushed to (0, 4, 0) both
    segments are 5 m long: strain 4/6, tension 900 * 4/6 = 600 N, force on the point 2 * 600 * 4/5 = 960 N back.
    """
    belt = Belt(
        "lap", [point(None, -3, 0, 0), point(0, 0, 0, 0), point(None, 3, 0, 0)], [False, True, False], 900.0
    )
    y = yard(1, belts=[belt])
    y.set(0, (0, 4, 0))
    force, _ = y.forces()
    assert force[0] == pytest.approx([0.0, -960.0, 0.0])
    assert y.state.force[0] == pytest.approx(600.0)
    assert y.state.load_force[0] == pytest.approx(600.0 * np.array([0.6, 0.8, 0.0])), (
        "the anchor is pulled too"
    )
    assert y.state.load_force.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)


def seat_belt(point, slip, **fields):
    """Shoulder anchor, chest, buckle, lap, floor anchor: a three-point belt, chest and lap on bodies 0 and 1."""
    points = [point(None, 0, 0.3, 1.2), point(0, 0.1, 0, 0), point(None, 0, -0.3, 0.3), point(1, 0.1, 0, 0),
              point(None, 0, 0.3, 0.2)]  # fmt: skip
    return Belt("belt", points, slip, stiffness=5000.0, **fields)


PLACES = {0: (0.1, 0.0, 0.8), 1: (0.1, 0.0, 0.3)}
SLIP_RING = [False, True, True, True, False]
CLAMPED_BUCKLE = [False, True, False, True, False]


def lengths(y):
    nodes = np.array([[0, 0.3, 1.2], y.w.position[0] + [0.1, 0, 0], [0, -0.3, 0.3], y.w.position[1] + [0.1, 0, 0],
                      [0, 0.3, 0.2]])  # fmt: skip
    return np.linalg.norm(np.diff(nodes, axis=0), axis=1)


def test_slip_ring_gives_one_tension_and_a_clamp_two(yard, point):
    for slip, groups in ((SLIP_RING, [[0, 1, 2, 3]]), (CLAMPED_BUCKLE, [[0, 1], [2, 3]])):
        y = yard(2, belts=[seat_belt(point, slip)], place=PLACES)
        rest = lengths(y)
        y.set(0, (0.3, 0.0, 0.8))
        y.set(1, (0.12, 0.0, 0.3))
        force, _ = y.forces()
        tensions = [5000.0 * (lengths(y)[g].sum() / rest[g].sum() - 1.0) for g in groups]
        assert y.state.force[0] == pytest.approx(max(tensions))
        chest = y.w.position[0] + [0.1, 0, 0]
        pulls = [np.array([0, 0.3, 1.2]) - chest, np.array([0, -0.3, 0.3]) - chest]
        expected = tensions[0] * sum(pull / np.linalg.norm(pull) for pull in pulls)
        assert force[0] == pytest.approx(expected)


def test_forces_follow_from_virtual_work(yard, point):
    """Undamped, the force on each body is minus the difference of EA (L - L0)^2 / (2 L0)."""
    y = yard(2, belts=[seat_belt(point, SLIP_RING)], place=PLACES)
    rest = lengths(y).sum()
    base = {0: np.array([0.3, 0.05, 0.75]), 1: np.array([0.2, -0.1, 0.33])}

    def energy(moves):
        for k, position in moves.items():
            y.set(k, position)
        return 5000.0 * (lengths(y).sum() - rest) ** 2 / (2 * rest)

    expected = np.zeros((2, 3))
    for k in range(2):
        for axis in range(3):
            step = 1e-6 * np.eye(3)[axis]
            expected[k, axis] = (
                -(energy(base | {k: base[k] + step}) - energy(base | {k: base[k] - step})) / 2e-6
            )
    energy(base)
    assert y.forces()[0] == pytest.approx(expected, rel=1e-5, abs=1e-3)


def test_slack_and_no_push(yard, point):
    y = yard(2, belts=[seat_belt(point, SLIP_RING, slack=0.05)], place=PLACES)
    rest = lengths(y).sum() + 0.05
    assert y.forces()[0] == pytest.approx(np.zeros((2, 3)))
    y.set(0, (0.0, 0.0, 0.8), velocity=(-5, 0, 0))
    assert y.forces()[0] == pytest.approx(np.zeros((2, 3)))
    y.set(0, (0.4, 0.0, 0.8))
    y.forces()
    assert y.state.force[0] == pytest.approx(5000.0 * (lengths(y).sum() / rest - 1.0))


def test_damping_takes_energy(yard, point):
    still = yard(2, belts=[seat_belt(point, SLIP_RING, damping=40.0)], place=PLACES)
    rng = np.random.default_rng(4)
    for _ in range(10):
        speeds = rng.uniform(-3, 3, (2, 3))
        for k, place in enumerate(((0.3, 0.0, 0.8), (0.2, 0.0, 0.3))):
            still.set(k, place)
        elastic, _ = still.forces()
        for k, place in enumerate(((0.3, 0.0, 0.8), (0.2, 0.0, 0.3))):
            still.set(k, place, velocity=speeds[k])
        damped, _ = still.forces()
        assert np.sum((damped - elastic) * speeds) <= 1e-9


def test_breaking_and_record(yard, point):
    y = yard(2, belts=[seat_belt(point, CLAMPED_BUCKLE, break_force=500.0)], place=PLACES)
    y.set(0, (0.6, 0.0, 0.8))
    y.forces()
    largest = y.state.force[0]
    assert largest > 500.0
    y.commit(0.07)
    assert y.forces()[0] == pytest.approx(np.zeros((2, 3))), "all spans part"
    assert (y.state.parted[0], y.state.taken[0, LAST_FORCE]) == (BROKEN, largest)
    assert y.state.parted_time[0] == 0.07
