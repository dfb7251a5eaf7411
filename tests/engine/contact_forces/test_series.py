"""Two curves in series: against the sum of inverses while they rise, and against a brute-force press when they fall."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mannequin.engine.contact.curves import authored_curve
from mannequin.engine.contact.series import STEEPEST_FALL, series_curve
from mannequin.engine.maths.hysteresis import loading_force, retention_at

HEAD = (
    (0.0, 0.0),
    (0.001, 200.0),
    (0.005, 2000.0),
    (0.01, 7000.0),
    (0.02, 13000.0),
    (0.05, 19000.0),
    (0.1, 23000.0),
)
BONNET = ((0.0, 0.0), (0.02, 7000.0), (0.06, 400.0), (0.08, 400.0))
WINDSCREEN = ((0.0, 0.0), (0.01, 15000.0), (0.011, 3000.0), (0.05, 800.0))
"""Shapes of the falling curves in docs/derivations.md, Differences from OpenMBD: the peak and the last force are those
of OpenMBD's car."""
HARDENING = ((0.0, 0.0), (0.02, 7000.0), (0.06, 400.0), (0.08, 3000.0), (0.09, 1500.0), (0.12, 20000.0))
STRONG = ((0.0, 0.0), (0.02, 9000.0), (0.06, 500.0), (0.08, 500.0))
SOFT = ((0.0, 0.0), (0.05, 12000.0))


def curve_of(points, retention=0.25, beyond_last="extend"):
    return authored_curve(points, None, retention, beyond_last)


def force_at(points, x):
    return loading_force(points.packed(), 0, len(points.depth), float(x))[0]


class PressedSurface:
    """Independent model of one surface: dense tables instead of break points."""

    def __init__(self, points, retention):
        self.x, self.f = np.array(points).T
        self.retention = retention
        self.depth = self.deepest = 0.0
        self.table = None

    def load(self, x):
        end = self.x[-1]
        slope = max(0.0, (self.f[-1] - self.f[-2]) / (end - self.x[-2]))
        return np.interp(x, self.x, self.f) + slope * np.maximum(0.0, x - end)

    def force(self, x):
        if x >= self.deepest:
            return float(self.load(x))
        if self.table is None or self.table[0] != self.deepest:
            self.table = (self.deepest, *self.unloading_table())
        return float(np.interp(x, self.table[1], self.table[2]))

    def unloading_table(self):
        m, r = self.deepest, self.retention
        grid = np.linspace(0.0, m, 40001)
        least = np.minimum.accumulate(self.load(grid)[::-1])[::-1]
        squeezed = np.interp(m - (m - grid) / (0.5 * r), grid, least, left=0.0)
        share = r / (2.0 - r)
        return grid, share * least + (1.0 - share) * squeezed

    def move(self, x):
        self.depth = x
        self.deepest = max(self.deepest, x)


def press(first, second, retention, depths):
    """Force at growing common depths, found by letting the face between the surfaces slide until both push alike."""
    a, b = PressedSurface(first, retention), PressedSurface(second, retention)
    forces = []
    advance = 0.0
    for total in depths:
        step = 0.25 * (total - a.depth - b.depth)
        a_depth = a.depth + max(0.0, advance)
        last = 0.0
        for _ in range(100_000):
            excess = a.force(a_depth) - b.force(total - a_depth)
            if excess == 0.0:
                break
            direction = -np.sign(excess)
            if direction == -last:
                step *= 0.5
                if step < 1e-10:
                    break
            last = direction
            a_depth = min(max(0.0, a_depth + direction * step), total)
        advance = a_depth - a.depth
        a.move(a_depth)
        b.move(total - a_depth)
        forces.append(0.5 * (a.force(a.depth) + b.force(b.depth)))
    return np.array(forces)


def own_falls(first, second):
    """(lowest force, highest force, slope) of every falling piece of the two curves."""
    pieces = [pair for points in (first, second) for pair in itertools.pairwise(points)]
    return [(f1, f0, (f0 - f1) / (x1 - x0)) for (x0, f0), (x1, f1) in pieces if f1 < f0]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (HEAD, BONNET),
        (BONNET, HEAD),
        (HEAD, HARDENING),
        (SOFT, HARDENING),
        (STRONG, HARDENING),
        (HEAD, WINDSCREEN),
    ],
)
def test_falling_curves_against_brute_force(first, second):
    """On the pressed path; where that drops at once, above it until the stated steepest fall has come down."""
    depths = np.linspace(0.0, 0.13, 2601)[1:]
    expected = press(first, second, 0.25, depths)
    combined = series_curve(curve_of(first), curve_of(second))
    found = np.array([force_at(combined, x) for x in depths])
    spacing = depths[1] - depths[0]
    falls = own_falls(first, second)
    bridged = np.zeros(len(depths), dtype=bool)
    for i in range(1, len(depths)):
        drop = expected[i - 1] - expected[i]
        steepest = [
            STEEPEST_FALL * slope for low, high, slope in falls if low < expected[i - 1] <= high + 20.0
        ]
        if drop > 20.0 and drop > 0.9 * min(steepest) * spacing:
            fall = expected[i - 1] - min(steepest) * (depths - depths[i] - 2.0 * spacing)
            bridged |= (depths >= depths[i] - 2.0 * spacing) & (fall >= expected)
    assert bridged.mean() < 0.05
    assert found[~bridged] == pytest.approx(expected[~bridged], rel=0.01, abs=40.0)
    assert (found >= expected - 40.0).all()
    assert combined.slope.min() >= -STEEPEST_FALL * max(slope for _, _, slope in falls) * (1.0 + 1e-9)


@pytest.mark.parametrize(("partner", "peak"), [(BONNET, 7000.0), (WINDSCREEN, 15000.0)])
def test_head_reaches_the_peak_of_what_it_hits(partner, peak):
    """OpenMBD caps these at the last force of the falling curve, 400 N and 800 N."""
    combined = series_curve(curve_of(HEAD), curve_of(partner))
    assert combined.force.max() == pytest.approx(peak, rel=1e-12)
    head_depth = np.interp(peak, [f for _, f in HEAD], [x for x, _ in HEAD])
    at_peak = combined.depth[np.argmax(combined.force)]
    assert at_peak == pytest.approx(head_depth + partner[1][0], rel=1e-12)


@st.composite
def rising_curves(draw):
    count = draw(st.integers(1, 5))
    depths = np.cumsum(draw(st.lists(st.floats(0.001, 0.02), min_size=count, max_size=count)))
    forces = np.cumsum(draw(st.lists(st.floats(10.0, 5000.0), min_size=count, max_size=count)))
    return ((0.0, 0.0), *((float(x), float(f)) for x, f in zip(depths, forces, strict=True)))


@st.composite
def any_curves(draw):
    count = draw(st.integers(1, 6))
    depths = np.cumsum(draw(st.lists(st.floats(0.001, 0.02), min_size=count, max_size=count)))
    forces = draw(st.lists(st.integers(0, 90_000).map(lambda n: 0.1 * n), min_size=count, max_size=count))
    return ((0.0, 0.0), *((float(x), float(f)) for x, f in zip(depths, forces, strict=True)))


@settings(deadline=None)
@given(rising_curves(), rising_curves(), st.floats(0.0, 1.0))
def test_rising_curves_add_their_depths_exactly(first, second, part):
    """x(F) = x_A(F) + x_B(F), at any force up to the smaller last one, to round-off."""
    force = part * min(first[-1][1], second[-1][1])
    depth = sum(float(np.interp(force, [f for _, f in c], [x for x, _ in c])) for c in (first, second))
    combined = series_curve(curve_of(first), curve_of(second))
    assert force_at(combined, depth) == pytest.approx(force, rel=1e-9, abs=1e-6)
    assert len(combined.depth) <= len(first) + len(second) - 1


@settings(deadline=None, max_examples=300)
@given(any_curves(), any_curves(), st.floats(0.05, 1.0), st.floats(0.05, 1.0), st.booleans())
def test_any_two_curves_join_to_a_continuous_passive_curve(first, second, keep_a, keep_b, hold):
    beyond = "hold" if hold else "extend"
    a, b = curve_of(first, keep_a, beyond), curve_of(second, keep_b, beyond)
    combined = series_curve(a, b)
    length = np.diff(combined.depth)
    assert combined.depth[0] == 0.0 and combined.force[0] == 0.0 and (length > 0.0).all()
    ends = combined.force[:-1] + combined.slope[:-1] * length
    assert ends == pytest.approx(combined.force[1:], rel=1e-9, abs=1e-6)
    assert combined.slope[-1] >= 0.0 and (combined.force >= -1e-9).all()
    assert combined.force.max() <= max(*(f for _, f in first), *(f for _, f in second)) * (1 + 1e-9) + 1e-6
    assert (combined.unload <= combined.force * (1.0 + 1e-9) + 1e-6).all()
    last = combined.unload[:-1] + combined.unload_slope[:-1] * length
    assert (last <= ends * (1.0 + 1e-9) + 1e-6).all()
    round_off = 1e-12 * combined.work[-1]
    assert (np.diff(combined.returned) <= np.diff(combined.work) * (1.0 + 1e-9) + 1e-9 + round_off).all()


def assert_continuous(combined, round_off):
    """Depths rise, pieces join, forces are finite and not negative."""
    length = np.diff(combined.depth)
    assert combined.depth[0] == 0.0 and (length > 0.0).all()
    assert all(np.isfinite(column).all() for column in combined)
    ends = combined.force[:-1] + combined.slope[:-1] * length
    assert ends == pytest.approx(combined.force[1:], rel=1e-9, abs=round_off)
    assert combined.slope[-1] >= 0.0 and (combined.force >= -round_off).all()


def test_a_fall_of_no_length_is_passed():
    """Both surfaces give way at the same force and depth: there is nothing to bridge."""
    first = ((0.0, 0.0), (0.01, 2000.0), (0.011, 0.0), (0.012, 10000.0))
    second = ((0.0, 0.0), (0.01, 1.0), (0.02, 2000.0), (0.021, 1000.0), (0.022, 0.0), (0.023, 2000.0))
    assert_continuous(series_curve(curve_of(first, 1.0, "hold"), curve_of(second, 0.25, "hold")), 1e-6)


def test_a_snap_from_the_end_of_the_trace_falls_until_it_meets_it():
    """A surface gives way for good at its last point while the other, far stiffer there, lets go at once."""
    weak = ((0.0, 0.0), (1e-9, 999.0), (1.0, 1000.0), (1.001, 999.0))
    other = ((0.0, 0.0), (1.0, 999.0), (1.000001, 999.0), (1.000001001, 1e9))
    combined = series_curve(curve_of(weak, 0.0, "hold"), curve_of(other, 0.0, "hold"))
    assert_continuous(combined, 1e-6)
    assert combined.slope[-1] == 0.0 and force_at(combined, 10.0) == pytest.approx(999.0)


@st.composite
def curves_of_any_size(draw):
    """All that `validate` lets through: points a picometre or a metre apart, forces from nothing to a teranewton."""
    count = draw(st.integers(1, 12))
    steps = st.sampled_from([1e-12, 1e-9, 1e-6, 1e-3, 1e-2, 1.0])
    depths = itertools.accumulate(draw(st.lists(steps, min_size=count, max_size=count)))
    sizes = st.sampled_from([0.0, 1e-6, 1.0, 1e3, 2e3, 1e9, 1e12])
    forces = draw(st.lists(sizes, min_size=count, max_size=count))
    return ((0.0, 0.0), *zip(depths, forces, strict=True))


@settings(deadline=None, max_examples=200)
@given(curves_of_any_size(), curves_of_any_size(), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.booleans())
def test_no_size_of_a_curve_stops_the_press(first, second, keep_a, keep_b, hold):
    beyond = "hold" if hold else "extend"
    combined = series_curve(curve_of(first, keep_a, beyond), curve_of(second, keep_b, beyond))
    assert (np.diff(combined.depth) > 0.0).all()
    assert all(np.isfinite(column).all() for column in combined)


@settings(deadline=None, max_examples=50)
@given(any_curves(), any_curves(), st.floats(0.05, 1.0))
def test_order_of_the_surfaces_does_not_matter(first, second, retention):
    forces = [f for _, f in (*first[1:], *second[1:])]
    assume(
        min(abs(f - g) for f, g in itertools.combinations(forces, 2)) > 1.0
    )  # or it is open which collapses first
    a, b = curve_of(first, retention), curve_of(second, retention)
    one, other = series_curve(a, b), series_curve(b, a)
    for x in np.linspace(0.0, 0.3, 60):
        scale = 1e-6 * (1.0 + force_at(one, x))
        assert force_at(one, x) == pytest.approx(force_at(other, x), abs=scale)


@settings(deadline=None, max_examples=50)
@given(any_curves())
def test_against_something_hard_the_curve_is_its_own(points):
    """A partner ten thousand times stiffer than any slope shifts the curve by its own depth and no more."""
    hard = ((0.0, 0.0), (1e-5, 1e6))
    own, combined = curve_of(points), series_curve(curve_of(points), curve_of(hard, 1.0))
    for x in np.linspace(0.0, 0.2, 40):
        shift = max(force_at(own, p) for p in [x, *own.depth[own.depth < x]]) / 1e11
        near = [force_at(own, x - d) for d in np.linspace(0.0, 1.001 * shift, 4)]
        assert min(near) - 1e-3 <= force_at(combined, x) <= max(near) + 1e-3


def test_retention_of_a_pair_is_the_energy_mean():
    """Two linear surfaces: the softer takes the larger share of the energy."""
    soft = curve_of(((0.0, 0.0), (0.03, 3000.0)), 0.8)
    hard = curve_of(((0.0, 0.0), (0.01, 3000.0)), 0.2)
    combined = series_curve(soft, hard)
    for depth in (0.004, 0.04, 0.3):
        segment = int(np.searchsorted(combined.depth, depth, side="right")) - 1
        found = retention_at(combined.packed(), segment, depth)
        assert found == pytest.approx(0.75 * 0.8 + 0.25 * 0.2, rel=1e-12)


def test_level_curve_limits_the_pair():
    """A surface that holds its last force yields for ever; the pair cannot carry more."""
    combined = series_curve(curve_of(SOFT, beyond_last="hold"), curve_of(HEAD))
    assert force_at(combined, 1.0) == pytest.approx(12000.0)
