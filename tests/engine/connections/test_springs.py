"""Spring-dampers and ropes against closed forms."""

import numpy as np
import pytest

from mannequin.engine.connections.arrays import BROKEN, LAST_FORCE, LAST_GAP
from mannequin.engine.connections.stability import ease_dampers, point_mobility
from mannequin.engine.spec import SpringDamper


def test_force_and_moment(yard, point):
    """Hooke's force along the line, at the attached points."""
    y = yard(1, [SpringDamper("s", point(None, 0, 0, 2), point(0, 0.1, 0, 0), 100.0, rest_length=1.5)])
    y.set(0, (0, 0, 0), turn=(0, 0, np.pi / 2))
    force, torque = y.forces()
    along = np.array([0.0, 0.1, 0.0]) - np.array([0.0, 0.0, 2.0])
    expected = -100.0 * (np.linalg.norm(along) - 1.5) * along / np.linalg.norm(along)
    assert force[0] == pytest.approx(expected)
    assert torque[0] == pytest.approx(np.cross([0.0, 0.1, 0.0], expected))


def test_rest_length_is_taken_from_the_start(yard, point):
    y = yard(1, [SpringDamper("s", point(None, 0, 0, 0), point(0, 0, 0, 0), 100.0)], place={0: (3, 4, 0)})
    assert y.forces()[0][0] == pytest.approx(np.zeros(3))
    y.set(0, (6, 8, 0))
    assert y.forces()[0][0] == pytest.approx(-500.0 * np.array([0.6, 0.8, 0.0]))


def test_damper_and_power(yard, point):
    y = yard(
        2, [SpringDamper("s", point(0, 0, 0, 0), point(1, 0, 0, 0), 0.0, damping=20.0)], place={1: (1, 0, 0)}
    )
    y.set(1, (1, 0, 0), velocity=(3, 5, 0))
    y.set(0, (0, 0, 0), velocity=(1, 0, 0))
    force, _ = y.forces()
    assert force[0] == pytest.approx([40.0, 0.0, 0.0])
    assert force[1] == pytest.approx([-40.0, 0.0, 0.0])
    assert y.power() == pytest.approx(-20.0 * 2.0**2)


def test_rope_never_pushes_and_is_continuous(yard, point):
    rope = SpringDamper(
        "r", point(None, 0, 0, 0), point(0, 0, 0, 0), 1000.0, 50.0, rest_length=1.0, tension_only=True
    )
    y = yard(1, [rope])
    for z, v in ((0.5, -100.0), (0.999, 100.0), (1.0 + 1e-9, 100.0), (1.01, -100.0)):
        y.set(0, (0, 0, z), velocity=(0, 0, v))
        assert y.forces()[0][0, 2] == pytest.approx(0.0, abs=1e-5)
    y.set(0, (0, 0, 1.1), velocity=(0, 0, 1.0))
    assert y.forces()[0][0, 2] == pytest.approx(-(100.0 + 50.0))
    y.set(0, (0, 0, 1.1), velocity=(0, 0, 50.0))
    assert y.forces()[0][0, 2] == pytest.approx(-200.0), "the damper adds at most as much as the spring"


def test_curve(yard, point):
    curve = ((-0.1, -50.0), (0.0, 0.0), (0.1, 20.0), (0.2, 100.0))
    y = yard(
        1, [SpringDamper("s", point(None, 0, 0, 0), point(0, 0, 0, 0), 0.0, rest_length=1.0, curve=curve)]
    )
    for length, tension in ((0.95, -25.0), (1.05, 10.0), (1.15, 60.0), (1.3, 180.0)):
        y.set(0, (0, length, 0))
        assert y.forces()[0][0, 1] == pytest.approx(-tension)


def test_breaking(yard, point):
    y = yard(
        1,
        [
            SpringDamper(
                "s", point(None, 0, 0, 0), point(0, 0, 0, 0), 100.0, rest_length=1.0, break_force=30.0
            )
        ],
    )
    y.set(0, (1.2, 0, 0))
    y.forces()
    y.commit(0.1)
    y.set(0, (1.4, 0, 0))
    assert y.forces(0.2)[0][0, 0] == pytest.approx(-40.0), "it breaks only when the step is taken"
    y.commit(0.2)
    assert y.forces(0.3)[0][0, 0] == 0.0
    assert (y.state.parted[0], y.state.parted_time[0]) == (BROKEN, 0.2)
    assert y.state.taken[0, LAST_FORCE] == pytest.approx(40.0)
    assert y.state.taken[0, LAST_GAP] == pytest.approx(0.4)


def test_oscillator_period(yard, point):
    """2 kg on 800 N/m without damping: 20 rad/s."""
    y = yard(1, [SpringDamper("s", point(None, 0, 0, 0), point(0, 0, 0, 0), 800.0, rest_length=1.0)])
    x, v, h = 1.1, 0.0, 1e-4
    steps = round(2 * np.pi / 20.0 / h)
    for _ in range(steps):
        y.set(0, (x, 0, 0), velocity=(v, 0, 0))
        v += h * y.forces()[0][0, 0] / 2.0
        x += h * v
    assert x == pytest.approx(1.1, abs=1e-4)


def test_third_law(yard, point):
    """Random points, poses and velocities: forces and moments of the pair cancel to round-off."""
    springs = [
        SpringDamper("s", point(0, 0.1, 0.2, -0.3), point(1, -0.2, 0.1, 0.4), 300.0, 20.0, rest_length=0.5)
    ]
    y = yard(2, springs)
    rng = np.random.default_rng(2)
    for _ in range(10):
        for k in range(2):
            y.set(k, *(rng.uniform(-2, 2, 3) for _ in range(4)))
        force, torque = y.forces()
        assert force.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-10)
        moment = torque.sum(axis=0) + sum(np.cross(y.w.position[k], force[k]) for k in range(2))
        assert moment == pytest.approx(np.zeros(3), abs=1e-9)


def test_mobility_of_a_free_body(yard, point):
    """1/m + r^2/I about the weakest axis across r, and 1/m at the centre of mass."""
    tree = yard(1).tree
    assert point_mobility(tree, 0, np.zeros(3)) == pytest.approx(0.5)
    assert point_mobility(tree, 0, np.array([0.0, 0.0, 0.3])) == pytest.approx(0.5 + 0.09 / 0.02)
    assert point_mobility(tree, 1, np.zeros(3)) == 0.0


def test_hard_dampers_are_eased_and_reported(yard, point):
    """h c m = 25: explicit stepping would explode; eased, the relative speed dies away."""
    y = yard(
        1, [SpringDamper("s", point(None, 0, 0, 0), point(0, 0, 0, 0), 0.0, damping=5e5, rest_length=1.0)]
    )
    y.cn, notes = ease_dampers(y.cn, y.tree, 1e-4, ["s"])
    assert notes == [
        "spring 's': damping 500000 eased to 1.92e+04 for the time step; a smaller step keeps more of it"
    ]
    x, v = 1.0, 3.0
    for _ in range(100):
        y.set(0, (x, 0, 0), velocity=(v, 0, 0))
        before, v = v, v + 1e-4 * y.forces()[0][0, 0] / 2.0
        assert 0.0 <= v <= before
        x += 1e-4 * v
    assert v < 1e-6
    soft = yard(1, [SpringDamper("t", point(None, 0, 0, 0), point(0, 0, 0, 0), 100.0, damping=10.0)])
    eased, notes = ease_dampers(soft.cn, soft.tree, 1e-4, ["t"])
    assert notes == []
    assert eased.springs.gains[0, 1] == pytest.approx(10.0, rel=1e-3)


def test_too_stiff_springs_are_reported(yard, point):
    y = yard(1, [SpringDamper("s", point(None, 0, 0, 0), point(0, 0, 0, 0), 1e9)])
    _, notes = ease_dampers(y.cn, y.tree, 1e-4, ["s"])
    assert len(notes) == 1 and "spring 's': too stiff for a time step of 0.0001 s" in notes[0]
