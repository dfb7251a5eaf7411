"""What a sweep says against what is known in closed form."""

import math

import numpy as np
import pytest
from scipy import stats
from thrown_ball import FAST, SLOW, make_sweep, make_throw, make_throw_plan, throw_range

from mannequin.analysis.measures.measure import FLAG
from mannequin.sweeps.conduct import conduct, make_runner, open_journal
from mannequin.sweeps.design import points
from mannequin.sweeps.folder import finish, read_summary
from mannequin.sweeps.plan import Plan
from mannequin.sweeps.report import beyond_trust
from mannequin.sweeps.spec import BEYOND_CURVE, Design, Distribution, Parameter, Quantity
from mannequin.sweeps.statistics import one_at_a_time_ends, percentile, rank_correlation, share, sobol
from mannequin.sweeps.table import Table, read_table, read_traces


def swept(plan, folder):
    with open_journal(plan, folder) as journal:
        assert conduct(plan, journal, make_runner(plan, processes=0))
        finish(plan, journal, folder)
    return read_table(plan, folder)


@pytest.fixture(scope="module")
def throw(tmp_path_factory):
    """256 throws at Sobol points: plan, folder and table."""
    from mannequin.sweeps.plan import write_plan

    plan = make_throw_plan("sobol", 256)
    folder = write_plan(plan, tmp_path_factory.mktemp("throw"))
    return plan, folder, swept(plan, folder)


def test_range_of_each_throw_is_that_of_the_parabola(throw):
    _, _, table = throw
    # the symplectic step falls behind by half a step: 1e-4 s at up to 7 m/s
    assert np.max(np.abs(table.numbers["range"] - throw_range(table.numbers["speed"]))) < 1.5e-3


def test_ranges_are_spread_as_the_analytic_distribution(throw):
    """P(range < r) = P(speed < the speed that throws so far), since the range rises with the speed."""
    _, _, table = throw
    speeds = np.linspace(SLOW, FAST, 20001)

    def known(ranges):
        return np.interp(ranges, throw_range(speeds), (speeds - SLOW) / (FAST - SLOW))

    assert stats.kstest(table.numbers["range"], known).pvalue > 0.05
    shifted = table.numbers["range"] * 1.1
    assert stats.kstest(shifted, known).pvalue < 0.05, "the test would not notice ranges 10 % too long"
    mean = float(np.mean(throw_range(speeds)))
    error = float(np.std(throw_range(speeds))) / math.sqrt(256)
    assert abs(np.mean(table.numbers["range"]) - mean) < 3.0 * error


def test_percentiles_and_shares_hold_the_true_values(throw):
    _, folder, _ = throw
    summary = read_summary(folder)
    for percent, entry in summary["measures"]["range"]["percentiles"].items():
        truth = float(throw_range(np.array(SLOW + (FAST - SLOW) * float(percent) / 100.0)))
        assert entry["low"] < truth < entry["high"]
    far = summary["events"]["far"]
    assert far["low"] < 0.25 < far["high"]
    assert summary["events"]["landed"]["value"] == 1.0


def test_speed_matters_and_friction_does_not(throw):
    _, _, table = throw
    assert rank_correlation(table.numbers["speed"], table.numbers["range"])[0] > 0.999
    assert abs(rank_correlation(table.numbers["friction"], table.numbers["range"])[0]) < 0.15


def test_traces_follow_the_parabola(throw):
    plan, folder, table = throw
    paths = read_traces(folder)
    assert paths.shape == (256, 1, 5, 3)
    quarter = 0.25  # s: the second of five moments of one second
    up, along = (table.numbers["speed"] * part for part in (0.5, math.sqrt(0.75)))
    assert np.allclose(paths[:, 0, 1, 0], along * quarter, atol=1e-3)
    assert np.allclose(
        paths[:, 0, 1, 2] - paths[:, 0, 0, 2], up * quarter - 0.5 * 9.81 * quarter**2, atol=2e-3
    )


def test_first_touch_is_marked_on_the_body(throw):
    _, _, table = throw
    assert set(table.texts["touch body"]) == {"man/head"}
    radius = np.sqrt(sum(table.numbers[f"touch {axis}"] ** 2 for axis in "xyz"))
    assert np.allclose(radius, 0.1, atol=0.011)  # on the skin, less the penetration at the peak


def test_report_says_what_was_found(throw):
    _, folder, _ = throw
    text = (folder / "report.html").read_text()
    for said in (
        "actors.man.speed",
        "uniform from 2.0 to 6.0",
        "landed",
        "256 of 256",
        "rank correlation",
        "assumed",
    ):
        assert said in text


ISHIGAMI = {"first": (0.3139, 0.4424, 0.0), "total": (0.5576, 0.4424, 0.2437)}
"""Of sin x1 + 7 sin(x2)^2 + 0.1 x3^4 sin x1 on (-pi, pi)^3; Ishigami & Homma 1990, variances in closed form."""


def test_share_of_flagged_runs_is_said():
    sweep = make_sweep(
        runs=8, measures=[Quantity("hic", measure="HIC15", of="man/head")], events=[], marks=[]
    )
    plan = Plan(sweep, make_throw(), np.zeros((8, 2)))
    values = np.array([100.0, 699.0, 701.0, 2500.0, np.nan, 50.0, 60.0, 70.0])
    texts = {"message": [""] * 8, BEYOND_CURVE: ["hic", "", "other; hic", "", "", "", "hicx", ""]}
    said = beyond_trust(plan, Table(["completed"] * 8, {"hic": values}, texts), sweep.measures[0])
    assert [text.partition(":")[0] for text in said] == [
        f"{FLAG} 2 of 7 runs (28.6 %)",
        f"{FLAG} 1 of 7 runs (14.3 %)",
        f"{FLAG} 2 of 7 runs (28.6 %)",
    ]
    assert "tolerance" in said[0] and "risk curves" in said[1] and "force curve" in said[2]


def ishigami_parameters():
    spread = Distribution("uniform", low=-math.pi, high=math.pi)
    return [Parameter(f"x{i}", f"x{i}", spread) for i in (1, 2, 3)]


def ishigami(x):
    return np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def test_sobol_indices_of_ishigami():
    values = ishigami(points(Design("saltelli", 2048, seed=3), ishigami_parameters()))
    found = sobol(values, 3)
    assert found.base == 2048
    for kind, known in ISHIGAMI.items():
        estimates = getattr(found, kind)
        assert np.allclose([e.value for e in estimates], known, atol=0.02), kind
        assert all(e.low - 0.01 < value < e.high + 0.01 for e, value in zip(estimates, known, strict=True))


def test_sobol_indices_survive_failed_runs():
    values = ishigami(points(Design("saltelli", 2048, seed=3), ishigami_parameters()))
    values[2048 + 1500] = np.nan  # the B point of base point 1500 failed
    found = sobol(values, 3)
    assert found.base == 1024
    assert np.allclose([e.value for e in found.total], ISHIGAMI["total"], atol=0.04)
    assert sobol(np.full(40, np.nan), 3) is None


def test_percentile_interval_is_that_of_the_binomial():
    """The k-th and l-th smallest values hold the median with P(k <= Binomial(n, 1/2) < l)."""
    rng = np.random.default_rng(1)
    values = rng.exponential(size=101)
    found = percentile(values, 50)
    ordered = np.sort(values)
    first, last = (int(np.flatnonzero(ordered == end)[0]) + 1 for end in (found.low, found.high))
    covered = sum(math.comb(101, i) for i in range(first, last)) / 2**101
    assert 0.95 <= covered < 0.97
    assert np.isnan(percentile(values[:10], 95).high), "ten values cannot bound their 95 % from above"


def test_share_interval_is_wilsons():
    found, z = share(np.array([1.0] * 7 + [0.0] * 33)), 1.959963984540054
    p, n = 7 / 40, 40
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), rel=1e-12)


def test_one_at_a_time_has_each_input_at_its_ends(tmp_path):
    plan = make_throw_plan("one_at_a_time")
    table = swept_in(plan, tmp_path)
    middle, ends = one_at_a_time_ends(table.numbers["range"], 2)
    assert middle == pytest.approx(throw_range(np.array(4.0)), abs=1.5e-3)
    assert ends[0] == pytest.approx(throw_range(np.array([2.2, 5.8])), abs=1.5e-3)
    assert ends[1] == pytest.approx([middle, middle], abs=1e-9)


def swept_in(plan, folder):
    from mannequin.sweeps.plan import write_plan

    return swept(plan, write_plan(plan, folder))
