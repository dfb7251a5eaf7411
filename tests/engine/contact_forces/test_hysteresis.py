"""Force curves: loading, unloading, reloading, what is lost, what lies past the last point."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad_vec, trapezoid

from mannequin.engine.contact.materials import RigidSurface, build_material_table
from mannequin.engine.contact.normal_force import normal_force
from mannequin.engine.maths.hysteresis import loading_force, unloading_force
from mannequin.engine.spec import Material, Settings

HEAD = ((0, 0), (0.001, 200), (0.005, 2000), (0.01, 7000), (0.02, 13000), (0.05, 19000), (0.1, 23000))
"""Cranium of OpenMBD's man; its file gives an unloading curve of a quarter at each point."""
QUARTER = tuple((x, 0.25 * f) for x, f in HEAD)
WHEEL = ((0, 0), (0.01, 500), (0.02, 1200), (0.03, 2170), (0.035, 2800), (0.0405, 3500))
BONNET = ((0.0, 0.0), (0.02, 7000.0), (0.06, 400.0), (0.08, 900.0), (0.1, 600.0), (0.12, 5000.0))


@st.composite
def curves(draw, rising):
    """A loading curve from (0, 0) and an unloading curve below it."""
    count = draw(st.integers(1, 6))
    steps = draw(st.lists(st.floats(0.001, 0.03), min_size=count, max_size=count))
    forces = draw(st.lists(st.floats(10.0, 9000.0), min_size=count, max_size=count))
    if rising:
        forces = list(np.cumsum(forces))
    depths = list(np.cumsum(steps))
    ratios = draw(st.lists(st.floats(0.05, 1.0), min_size=count, max_size=count))
    loading = ((0.0, 0.0), *zip(depths, forces, strict=True))
    unloading = ((0.0, 0.0), *((x, r * f) for x, r, f in zip(depths, ratios, forces, strict=True)))
    return tuple(map(tuple, loading)), tuple(map(tuple, unloading))


def row_of(material, **options):
    return build_material_table([material, RigidSurface()], {}, Settings(**options), meeting=[(0, 1)])


def path(table, x, deepest):
    return normal_force(table, 0, x, deepest, 1.0, 0.0)[0]


def area(curve, depth):
    """Area under a piecewise-linear curve up to `depth`, by the trapezoidal rule on its own points."""
    x = np.union1d([p[0] for p in curve if p[0] < depth], [0.0, depth])
    return trapezoid(np.interp(x, *np.array(curve, dtype=float).T), x)


def path_area(table, deepest):
    """Area under the unloading path by an adaptive rule, which closes in on the kinks: steps of one size miss those
    that are squeezed towards the deepest point, by up to 2e-4 of the area."""
    return quad_vec(lambda x: path(table, float(x), deepest), 0.0, deepest, epsabs=0.0, epsrel=1e-8)[0]


@pytest.mark.parametrize("mass_speed", [(1.0, 0.5), (4.5, 2.0), (4.5, 5.5), (20.0, 6.0)])
@pytest.mark.parametrize("curve", [HEAD, WHEEL])
@pytest.mark.parametrize("given_as", ["ratio", "curve"])
def test_quarter_of_the_energy_gives_half_the_speed(bounce, mass_speed, curve, given_as):
    """e = sqrt(share) at several depths (docs/derivations.md, Hysteresis), for OpenMBD's own curves, with a ratio and
    with its unloading curve."""
    unloading = tuple((x, 0.25 * f) for x, f in curve) if given_as == "curve" else None
    table = row_of(Material(loading=curve, unloading=unloading, energy_retention=0.25))
    assert bounce(table, *mass_speed, 1e-5).restitution == pytest.approx(0.5, rel=2e-3)


@pytest.mark.parametrize("retention", [0.0225, 0.1, 0.5, 0.8, 1.0])
def test_restitution_is_the_root_of_the_retention(bounce, retention):
    """An energy ratio of 0.0225, not 0.25, is a restitution of 0.15 (docs/derivations.md, Hysteresis)."""
    table = row_of(Material(loading=HEAD, energy_retention=retention))
    assert bounce(table, 4.5, 3.0, 4e-6).restitution == pytest.approx(math.sqrt(retention), rel=5e-3)


def test_restitution_of_a_given_unloading_curve_changes_with_depth(bounce):
    """Retention 0.9 in the first millimetres, far less below: e = sqrt(W_unload / W_load) at each depth."""
    loading = ((0.0, 0.0), (0.01, 4000.0), (0.03, 6000.0))
    unloading = ((0.0, 0.0), (0.01, 3600.0), (0.012, 500.0), (0.03, 600.0))
    table = row_of(Material(loading=loading, unloading=unloading))
    found = []
    for speed in (1.0, 3.0, 6.0):
        result = bounce(table, 4.0, speed, 5e-6)
        expected = math.sqrt(area(unloading, result.deepest) / area(loading, result.deepest))
        assert result.restitution == pytest.approx(expected, rel=2e-3)
        found.append(result.restitution)
    assert found[0] > 0.9 > 0.7 > found[-1]


STEEP = (
    (0.02734375, 10),
    (0.0390625, 20),
    (0.048828125, 30),
    (0.05078125, 40),
    (0.0625, 971),
    (0.0859375, 981),
)
"""Soft, then forty times as stiff: nearly all of the area lies under the part that is squeezed."""
STEEP_BACK = tuple((x, f) for (x, _), f in zip(STEEP, (0.625, 1.25, 1.875, 10, 242.75, 981), strict=True))


@settings(deadline=None, max_examples=25)
@given(curves(rising=True), st.floats(0.05, 1.3))
@example((((0, 0), *STEEP), ((0, 0), *STEEP_BACK)), 0.59375)
def test_returned_energy_of_rising_curves(curve, part):
    """Area under the path equals that under the authored unloading curve, at any depth."""
    loading, unloading = curve
    deepest = part * loading[-1][0]
    table = row_of(Material(loading=loading, unloading=unloading, beyond_last="hold"))
    inside = min(deepest, loading[-1][0])
    expected = area(unloading, inside) + (deepest - inside) * unloading[-1][1]
    assert path_area(table, deepest) == pytest.approx(expected, rel=1e-6)


@settings(deadline=None, max_examples=60)
@given(curves(rising=False), st.floats(0.01, 1.4))
def test_path_is_continuous_and_rises(curve, part):
    """From zero at zero penetration to the loading force at the deepest point, without a jump, never falling."""
    loading, unloading = curve
    deepest = part * loading[-1][0]
    table = row_of(Material(loading=loading, unloading=unloading))
    top = path(table, deepest, 0.0)
    x = np.linspace(0.0, deepest, 3001)
    force = np.array([path(table, float(p), deepest) for p in x])
    assert force[0] == 0.0 and force[-1] == pytest.approx(top, rel=1e-12, abs=1e-9)
    assert path(table, deepest * (1.0 - 1e-12), deepest) == pytest.approx(top, rel=1e-6, abs=1e-6)
    assert (np.diff(force) >= -1e-9 * max(top, 1.0)).all()
    steepest = max(abs(b[1] - a[1]) / (b[0] - a[0]) for a, b in itertools.pairwise(loading))
    retention = min(u / f for (_, f), (_, u) in zip(loading[1:], unloading[1:], strict=True))
    assert np.diff(force).max() <= steepest * 3.0 / retention * (x[1] - x[0]) * 1.001


@settings(deadline=None, max_examples=60)
@given(curves(rising=False), st.lists(st.floats(0.0, 1.5), min_size=2, max_size=8))
def test_no_history_makes_energy(curve, turns):
    """Press and let go between random depths: force is continuous, and no closed cycle gives more than it took."""
    loading, unloading = curve
    table = row_of(Material(loading=loading, unloading=unloading))
    last = loading[-1][0]
    x, deepest, energy, force = 0.0, 0.0, 0.0, 0.0
    closed: dict[float, float] = {0.0: 0.0}
    scale = max(f for _, f in loading) * last
    for turn in [*(t * last for t in turns), 0.0]:
        for p in np.linspace(x, turn, 600)[1:]:
            ahead = path(table, float(p), deepest)
            energy += 0.5 * (force + ahead) * (float(p) - x)
            x, force, deepest = float(p), ahead, max(deepest, float(p))
        if turn in closed:
            assert energy >= closed[turn] - 2e-3 * scale
        closed[turn] = energy
    assert energy >= -2e-3 * scale


def test_second_touch_of_a_dent_gives_no_energy():
    """Falling and hardening again: unloaded to zero at two depths, the second trip gives less than it takes."""
    table = row_of(Material(loading=BONNET, energy_retention=1.0))
    depths = np.linspace(0.01, 0.12, 12).tolist()
    given_back = [path_area(table, depth) for depth in depths]
    pressed = [area(BONNET, depth) for depth in depths]
    for i, j in itertools.combinations(range(len(depths)), 2):
        assert given_back[j] <= given_back[i] + pressed[j] - pressed[i] + 1e-3


def test_collapsed_surface_never_pushes_harder_than_when_it_began_to_unload():
    table = row_of(Material(loading=BONNET, energy_retention=0.9))
    top = path(table, 0.06, 0.0)
    assert top == pytest.approx(400.0)
    assert max(path(table, x, 0.06) for x in np.linspace(0.0, 0.06, 500).tolist()) == pytest.approx(top)


def test_reloading_follows_the_path_and_then_the_curve():
    table = row_of(Material(loading=HEAD, energy_retention=0.25))
    deepest = 0.012
    assert path(table, 0.008, deepest) < path(table, 0.008, 0.0)
    assert path(table, deepest, deepest) == pytest.approx(7000.0 + 0.002 * 6e5)
    assert path(table, 0.015, deepest) == pytest.approx(7000.0 + 0.005 * 6e5)


def test_elastic_surface_unloads_on_its_loading_curve():
    table = row_of(Material(loading=HEAD, energy_retention=1.0))
    for x in (0.0005, 0.004, 0.013, 0.04):
        assert path(table, x, 0.06) == pytest.approx(np.interp(x, *np.array(HEAD).T), rel=1e-12)


def test_past_the_last_point():
    extend = row_of(Material(loading=HEAD))
    hold = row_of(Material(loading=HEAD, beyond_last="hold"))
    falling = row_of(Material(loading=((0.0, 0.0), (0.02, 7000.0), (0.06, 400.0))))
    assert path(extend, 0.15, 0.0) == pytest.approx(23000.0 + 0.05 * 4000.0 / 0.05)
    assert path(hold, 0.15, 0.0) == pytest.approx(23000.0)
    assert path(falling, 0.15, 0.0) == pytest.approx(400.0)


def test_slope_is_the_derivative_on_every_branch():
    table = row_of(Material(loading=HEAD, unloading=QUARTER))
    points = table.points
    count = len(points)
    h = 1e-9
    for x in (0.0004, 0.0031, 0.0077, 0.016, 0.03, 0.2):
        slope = loading_force(points, 0, count, x)[1]
        ends = [loading_force(points, 0, count, x + s)[0] for s in (-h, h)]
        assert slope == pytest.approx((ends[1] - ends[0]) / (2.0 * h), rel=1e-5)
    for x in (0.0004, 0.0031, 0.0077, 0.016, 0.0205, 0.02125):
        slope = unloading_force(points, 0, count, x, 0.0217)[1]
        ends = [unloading_force(points, 0, count, x + s, 0.0217)[0] for s in (-h, h)]
        assert slope == pytest.approx((ends[1] - ends[0]) / (2.0 * h), rel=1e-5)


def test_stiffness_at_the_turning_point_is_that_of_the_way_ahead():
    table = row_of(Material(loading=HEAD, energy_retention=0.25))
    loading = normal_force(table, 0, 0.015, 0.015, 1.0, 0.1)
    unloading = normal_force(table, 0, 0.015, 0.015, 1.0, -0.1)
    assert loading[0] == unloading[0]
    below = path(table, 0.015 - 1e-8, 0.015)
    assert loading[2] == pytest.approx(6e5)
    assert unloading[2] == pytest.approx((loading[0] - below) / 1e-8, rel=1e-4)


def test_stiffness_is_never_negative_on_a_falling_curve():
    table = row_of(Material(loading=BONNET, damping=0.5))
    for x, deepest, v in itertools.product((0.01, 0.03, 0.09), (0.0, 0.11), (-1.0, 0.0, 1.0)):
        assert min(normal_force(table, 0, x, deepest, 1.0, v)) >= 0.0


def test_amplification_scales_with_the_approach_speed_and_has_no_jump():
    """docs/derivations.md, Rate amplification, with C1 = 1.2, C2 = 0.5, C3 = 2, C4 = 1.5."""
    table = row_of(Material(loading=HEAD, energy_retention=1.0, amplification=(1.2, 0.5, 2.0, 1.5)))
    static = float(np.interp(0.012, *np.array(HEAD).T))
    for v, factor in ((0.0, 1.2), (2.0, 1.7), (4.5, 1.2 + 0.5 * 2.25**1.5), (-3.0, 1.2)):
        force, elastic, stiffness, damping = normal_force(table, 0, 0.012, 0.0, 1.0, v)
        assert force == pytest.approx(factor * static, rel=1e-12)
        assert elastic == pytest.approx(1.2 * static, rel=1e-12)
        assert stiffness == pytest.approx(factor * 6e5, rel=1e-12)
        h = 1e-6
        ends = [normal_force(table, 0, 0.012, 0.0, 1.0, v + s)[0] for s in (-h, h)]
        assert damping == pytest.approx((ends[1] - ends[0]) / (2.0 * h), rel=1e-4, abs=2.0)


def test_proportional_damping_scales_with_the_elastic_force():
    table = row_of(Material(loading=HEAD, energy_retention=1.0, damping=0.2))
    for v in (-2.0, 0.0, 3.0):
        force, elastic, _, damping = normal_force(table, 0, 0.012, 0.02, 1.0, v)
        assert force == pytest.approx(elastic * (1.0 + 0.2 * v))
        assert damping == pytest.approx(0.2 * elastic)
    assert normal_force(table, 0, 1e-9, 0.02, 1.0, 10.0)[0] < 1e-3


def test_scenario_damping_replaces_that_of_curves():
    material = Material(loading=HEAD, energy_retention=1.0, damping=0.2)
    constant = row_of(material, contact_damping=150.0, contact_damping_mode="constant")
    replaced = row_of(material, contact_damping=0.7)
    force, elastic, _, damping = normal_force(constant, 0, 0.012, 0.02, 1.0, 2.0)
    assert force == pytest.approx(elastic + 300.0) and damping == 150.0
    force, elastic, _, _ = normal_force(replaced, 0, 0.012, 0.02, 1.0, 2.0)
    assert force == pytest.approx(elastic * 2.4)
