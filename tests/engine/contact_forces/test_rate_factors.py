"""Curves over touch speed (docs/derivations.md, Touch speed)."""

import numpy as np
import pytest
from impacts import free_body, scene

from mannequin.engine import Actor, Material, Settings, run
from mannequin.engine.contact.materials import RigidSurface, build_material_table
from mannequin.engine.contact.normal_force import loading_work, normal_force
from mannequin.engine.spec import PairMaterial
from mannequin.engine.spec.validation import Refused

CURVE = ((0.0, 0.0), (0.01, 1000.0), (0.02, 4000.0))
FACTORS = ((1.0, 0.5), (3.0, 1.0), (5.0, 3.0))


def fast(**fields) -> Material:
    return Material("fast", loading=CURVE, rate_factors=FACTORS, **fields)


def table_of(*surfaces):
    return build_material_table(surfaces, {}, Settings())


def force(table, depth, touch, deepest=None, row=0):
    return normal_force(table, row, depth, depth if deepest is None else deepest, touch, 0.0)[0]


@pytest.mark.parametrize(
    ("touch", "factor"),
    [(0.0, 0.5), (1.0, 0.5), (2.0, 0.75), (3.0, 1.0), (4.5, 2.5), (5.0, 3.0), (40.0, 3.0)],
)
def test_force_and_work_are_scaled_by_the_factor_of_the_touch_speed(touch, factor):
    """Against something rigid; straight between the points, constant beyond."""
    table, plain = table_of(fast(), RigidSurface()), table_of(Material(loading=CURVE), RigidSurface())
    row, own = int(table.law_index[0, 1]), int(plain.law_index[0, 1])
    for depth, deepest in ((0.004, 0.004), (0.015, 0.015), (0.03, 0.03), (0.008, 0.02)):
        expected = factor * force(plain, depth, 0.0, deepest, own)
        assert force(table, depth, touch, deepest, row) == pytest.approx(expected, rel=1e-12)
        work = factor * loading_work(plain, own, depth, 0.0)
        assert loading_work(table, row, depth, touch) == pytest.approx(work, rel=1e-12)


def test_two_surfaces_are_in_series_at_every_speed():
    """Two springs: g k and k carry g k k / (g k + k) each."""
    spring = ((0.0, 0.0), (0.1, 1e4))
    soft = Material("soft", loading=spring, rate_factors=FACTORS)
    table = table_of(soft, Material("other", loading=spring))
    row = int(table.law_index[0, 1])
    for touch, g in FACTORS:
        stiffness = 1e5 * g / (g + 1.0)
        assert force(table, 0.01, touch, row=row) == pytest.approx(0.01 * stiffness, rel=1e-9)
    between = force(table, 0.01, 2.0, row=row)
    assert force(table, 0.01, 1.0, row=row) < between < force(table, 0.01, 3.0, row=row)


def test_a_pair_takes_the_factors_of_its_own_material():
    surfaces = [Material(loading=CURVE), Material(loading=CURVE)]
    pair = PairMaterial("a", "b", material=fast())
    table = build_material_table(surfaces, {(0, 1): pair}, Settings())
    row = int(table.law_index[0, 1])
    assert force(table, 0.01, 5.0, row=row) == pytest.approx(3000.0)


@pytest.mark.parametrize("touch", [0.5, 2.2, 4.1, 9.0])
def test_no_path_makes_energy(touch):
    """Random presses and releases of one touch: work put in minus work given back never falls below zero."""
    table = table_of(fast(energy_retention=0.4), RigidSurface())
    row = int(table.law_index[0, 1])
    rng = np.random.default_rng(int(10 * touch))
    depth, deepest, work = 0.0, 0.0, 0.0
    for target in rng.uniform(0.0, 0.03, 60):
        path = np.linspace(depth, target, 400)
        for x, y in zip(path[:-1], path[1:], strict=True):
            middle = 0.5 * (x + y)
            work += (y - x) * normal_force(table, row, middle, deepest, touch, np.sign(y - x))[0]
            deepest = max(deepest, y)
        depth = target
        assert work > -1e-3


@pytest.mark.parametrize("speed", [0.5, 2.0, 4.0, 6.0])
def test_a_drop_meets_the_stiffness_of_its_speed_and_the_same_restitution(speed):
    """A spring k g(v): peak v sqrt(k g m), rebound sqrt(retention) at every speed."""
    k, mass, retention = 2e5, 1.0, 0.36
    skin = Material(
        "skin", loading=((0.0, 0.0), (0.1, 0.1 * k)), energy_retention=retention, rate_factors=FACTORS
    )
    g = np.interp(speed, *zip(*FACTORS, strict=True))
    ball = Actor("ball", free_body(skin, mass), position=(0, 0, 0.1), velocity=(0, 0, -speed))
    recording = run(scene(ball, duration=0.05, time_step=2e-5, gravity=(0, 0, 0)))
    event = recording.contacts[0]
    assert event["peak_force"] == pytest.approx(speed * np.sqrt(k * g * mass), rel=0.01)
    assert recording.velocity[-1, 0, 2] == pytest.approx(speed * np.sqrt(retention), rel=0.02)
    assert np.abs(recording.energy[:, -1]).max() < 1e-3 * 0.5 * mass * speed**2


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        (((0.0, 1.0), (0.0, 2.0)), "rate factors"),
        (((-1.0, 1.0), (2.0, 2.0)), "touch speed"),
        (((0.0, 0.0), (2.0, 2.0)), "factor"),
        (((0.0, 1.0),), "rate factors"),
    ],
)
def test_bad_factors_are_refused_by_name(factors, message):
    skin = Material("skin", loading=CURVE, rate_factors=factors)
    with pytest.raises(Refused, match=message):
        run(scene(Actor("ball", free_body(skin), position=(0, 0, 1.0))))
