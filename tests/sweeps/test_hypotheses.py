"""Likelihood ratios from runs, held against closed forms; calibration over 200 synthetic cases; the command."""

import json
import math

import numpy as np
import pytest
from thrown_ball import make_sweep, make_throw

from mannequin.__main__ import main
from mannequin.analysis.measures.throw_formulas import searle_speeds
from mannequin.commands import EXIT_OK, EXIT_USAGE
from mannequin.sweeps.hypotheses.ratio import (
    UNINFORMATIVE,
    Ratio,
    agreement,
    calibrate,
    counted_ratio,
    density_ratio,
    expected_information,
    run_likelihoods,
)

PUSH, TRIP, SPREAD, ERROR, RUNS = 2.0, 1.0, 0.4, 0.2, 400
"""Where somebody comes to lie (m) if pushed or tripped, how that is spread, how well it is measured."""


def made_up(mean, draw, runs=RUNS):
    return draw.normal(mean, SPREAD, (runs, 1))


def exact_log_ratio(evidence, kernel=0.0):
    """Of two bell curves of one width: linear in the evidence. A kernel widens both."""
    variance = SPREAD**2 + ERROR**2 + kernel**2
    return ((evidence - TRIP) ** 2 - (evidence - PUSH) ** 2) / (2.0 * variance)


def test_the_ratio_is_that_of_the_closed_form_and_its_interval_covers_it():
    """200 cases, each with sweeps of its own. The kernel (Silverman's width, in closed form too) widens both curves,
    which pulls ratios a little towards 1: the cautious side."""
    draw, errors = np.random.default_rng(5), np.array([ERROR])
    kernel = SPREAD * (4.0 / (3.0 * RUNS)) ** 0.2
    covered, off = 0, []
    for case in range(200):
        mean = (PUSH, TRIP)[case % 2]
        evidence = np.array([draw.normal(mean, math.hypot(SPREAD, ERROR))])
        sweeps = [made_up(PUSH, draw), made_up(TRIP, draw)]
        ratio = density_ratio(*(run_likelihoods(values, evidence, errors) for values in sweeps), seed=case)
        widened = exact_log_ratio(evidence[0], kernel)
        covered += math.log(ratio.low) <= widened <= math.log(ratio.high)
        off.append(math.log(ratio.value) - widened)
    assert abs(np.median(off)) < 0.05, "no bias besides the kernel's"
    assert covered >= 176, "95 % intervals: fewer than 88 % of 200 would be a chance of 1 in 10,000"


def test_rates_of_misleading_evidence_over_200_synthetic_cases():
    """The true hypothesis is favoured as often as two bell curves of this distance allow: Phi(d / 2)."""
    draw = np.random.default_rng(7)
    found = calibrate((made_up(PUSH, draw), made_up(TRIP, draw)), np.array([ERROR]), cases=200)
    distance = (PUSH - TRIP) / math.hypot(SPREAD, ERROR)
    expected = 0.5 * (1.0 + math.erf(distance / 2.0 / math.sqrt(2.0)))
    tolerance = 3.0 * math.sqrt(expected * (1.0 - expected) / 200.0)
    assert found.cases == 200 and abs(found.favoured - expected) < tolerance
    assert found.misleading <= 1.0 - expected + tolerance


def test_evidence_that_tells_nothing_contains_one_and_says_so():
    """Both sweeps are of the same law."""
    draw, errors = np.random.default_rng(3), np.array([ERROR])
    contained = 0
    for case in range(100):
        one, two = made_up(PUSH, draw, 150), made_up(PUSH, draw, 150)
        evidence = draw.normal(PUSH, SPREAD, 1)
        density = density_ratio(*(run_likelihoods(v, evidence, errors) for v in (one, two)), seed=case)
        counted = counted_ratio(agreement(one, evidence, errors), agreement(two, evidence, errors))
        contained += density.low <= 1.0 <= density.high
        assert counted.low <= counted.value <= counted.high
        if not density.is_informative:
            assert density.words("a", "b") == UNINFORMATIVE
    assert contained >= 88


def test_words_follow_the_scale():
    assert "weak support for 'a' over 'b'" in Ratio(5.0, 2.0, 9.0).words("a", "b")
    assert "moderate support for 'b' over 'a'" in Ratio(0.02, 0.01, 0.1).words("a", "b")
    assert "strong support" in Ratio(5000.0, 1000.0, 9000.0).words("a", "b")
    assert Ratio(5.0, 0.9, 9.0).words("a", "b") == UNINFORMATIVE


def test_counting_with_no_agreeing_run_has_an_open_end():
    ratio = counted_ratio(np.ones(50, dtype=bool), np.zeros(50, dtype=bool))
    assert ratio.low > 5.0 and ratio.high > 500.0


def test_expected_information_is_none_for_one_law_and_a_bit_for_two_far_apart():
    draw = np.random.default_rng(1)
    same = expected_information([draw.normal(0, 1, 200), draw.normal(0, 1, 200)], 0.1, draws=150)
    apart = expected_information([draw.normal(0, 1, 200), draw.normal(50, 1, 200)], 0.1, draws=150)
    assert same < 0.05 and apart == pytest.approx(1.0, abs=0.01)


def searle_distance(speed: float, angle: float, friction: float, height: float = 0.0) -> float:
    """Throw distance (m) of a body launched at a speed (m/s) and angle (rad above level) from a height (m)."""
    reach = speed * (math.cos(angle) + friction * math.sin(angle))
    return friction * height + reach**2 / (2.0 * friction * 9.80665)


def test_searles_bounds_hold_for_every_angle():
    """Whatever the angle of the launch, the speed lies between the two bounds of the distance it gives."""
    for friction in (0.5, 0.7):
        for angle in np.radians(np.linspace(0.0, 60.0, 13)):
            distance = searle_distance(12.0, angle, friction)
            low, high = searle_speeds(np.array([distance]), friction)
            reached = 12.0 * (np.cos(angle) + friction * np.sin(angle))
            assert low[0] <= 12.0 + 1e-9 and reached <= high[0] + 1e-9
    steepest = math.atan(0.7)
    assert searle_speeds(np.array([searle_distance(12.0, steepest, 0.7)]), 0.7)[0][0] == pytest.approx(12.0)
    assert searle_distance(10.0, 0.0, 0.7, 1.0) == pytest.approx(7.98120, rel=1e-3)


def test_runs_without_what_was_found_count_against_their_hypothesis():
    """Half of the second sweep's runs had no such contact: it explains the evidence half as well."""
    values, evidence, errors = made_up(PUSH, np.random.default_rng(2)), np.array([PUSH]), np.array([ERROR])
    half = np.concatenate([values, np.full_like(values, np.nan)])
    first, second = (run_likelihoods(v, evidence, errors) for v in (values, half))
    assert np.mean(first) / np.mean(second) == pytest.approx(2.0, rel=1e-12)
    counted = counted_ratio(*(agreement(v, evidence, errors) for v in (values, half)))
    assert counted.value == pytest.approx(2.0, rel=0.01)
    never = np.full_like(values, np.nan)
    assert density_ratio(first, run_likelihoods(never, evidence, errors)).low > 1e6
    assert calibrate((values, never), errors).cases == 0
    assert calibrate((values, half), errors, cases=20).cases == 20


def test_targets_are_read_as_the_closed_form_has_them():
    """Every kind of target, off by a known amount from where the sled is: the readings are these amounts."""
    from sled import FRICTION, REST, RUNNER, SPEED, G, sled

    from mannequin.engine import run
    from mannequin.sweeps.fit.camera import pixels, projection
    from mannequin.sweeps.fit.spec import Camera, Target, TrackedPoint
    from mannequin.sweeps.hypotheses.readings import asked_by
    from mannequin.sweeps.outcomes import Observer, columns
    from mannequin.sweeps.spec import Quantity, Sweep, Touch

    camera = Camera(
        position=(0.5, -6.0, 1.5), target=(0.5, 0.0, 0.0), focal_length=1200.0, centre=[640.0, 360.0]
    )
    moment, corner = 0.2, np.array([0.5, 0.3, 0.1])
    there = SPEED * moment - 0.5 * FRICTION * G * moment**2
    seen = pixels(projection(camera), np.array([[there, 0.0, RUNNER], [there, 0.0, RUNNER] + corner]))
    points = [
        TrackedPoint(moment, "sled/deck", [float(x) for x in seen[0]]),
        TrackedPoint(moment, "sled/deck", [float(x) for x in seen[1]], tuple(corner)),
    ]
    targets = [
        Target("place", "rest_position", 0.2, body="sled", position=[REST, 0.1]),
        Target("ellipse", "rest_position", 1.0, body="sled", position=[REST, 0.0], ellipse=(0.4, 0.1, 90.0)),
        Target("turn", "rest_orientation", 15.0, body="sled/deck", orientation=(10.0, 0.0, 0.0)),
        Target("scrape", "contact_mark", 0.1, contact=Touch("sled/deck", "ground"), point=(0.0, 0.0, 0.0)),
        Target("picture", "video_points", 8.0, camera=camera, points=points),
        Target("way", "measure", 0.1, measure=Quantity("", body="sled", component="x"), value=REST),
    ]
    scenario = sled()
    asked = asked_by(targets, scenario)
    sweep = Sweep("", "", [], measures=asked.measures, marks=asked.marks)
    taken = Observer(sweep).values(scenario, run(scenario))
    numbers = {n: np.array([v]) for n, v in zip(columns(sweep), taken, strict=True) if not isinstance(v, str)}
    off = {item.measure: float(item.values(numbers)[0]) - item.value for item in asked.evidence}
    sd = {item.measure: item.sd for item in asked.evidence}
    engine = 0.01  # m of this sled's way, see test_fit.py
    assert off["place, x (m)"] == pytest.approx(0.0, abs=engine) and sd["place, x (m)"] == 0.1
    assert off["place, y (m)"] == pytest.approx(-0.1, abs=1e-3)
    across = "ellipse, across its ellipse (m)"
    assert off[across] == pytest.approx(0.0, abs=engine) and sd[across] == pytest.approx(0.05)
    assert sd["ellipse, along its ellipse (m)"] == pytest.approx(0.2)
    assert (
        off["turn, turn about z (degrees)"] == pytest.approx(-10.0, abs=0.05)
        and sd["turn, turn about z (degrees)"] == 7.5
    )
    sideways = abs(off["scrape, y (m)"])
    assert sideways == pytest.approx(0.3, abs=1e-3), "under a runner"
    for name in ("picture 1", "picture 2"):
        for part in ("right", "down"):
            assert off[f"{name}, {part} (pixels)"] == pytest.approx(0.0, abs=1.0)
    assert off["way"] == pytest.approx(0.0, abs=engine)


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory):
    """Two finished sweeps of the engine: a ball pushed at 4 to 6 m/s, or let go at 2 to 4 m/s."""
    from mannequin.sweeps.conduct import complete, make_runner, open_journal
    from mannequin.sweeps.plan import make_plan, write_plan

    out, folders = tmp_path_factory.mktemp("sweeps"), {}
    for name, low, high in (("pushed", 4.0, 6.0), ("tripped", 2.0, 4.2)):
        sweep = make_sweep(runs=60)
        sweep.name = name
        speed = sweep.parameters[0].distribution
        speed.low, speed.high = low, high
        plan = make_plan(sweep, make_throw())
        folders[name] = write_plan(plan, out, {})
        with open_journal(plan, folders[name]) as journal:
            complete(plan, journal, folders[name], lambda plan=plan: make_runner(plan), True, None, None)
    return folders


@pytest.mark.long
def test_the_command_favours_the_push_that_was(sweeps, tmp_path, capsys):
    from thrown_ball import throw_range

    from mannequin.sweeps.plan import read_plan

    plan, _ = read_plan(sweeps["pushed"])
    measure = plan.sweep.measures[0].name
    document = {
        "format": "mannequin-hypotheses",
        "name": "push or trip",
        "hypotheses": [{"name": name, "sweep": str(folder)} for name, folder in sweeps.items()],
        "evidence": [{"measure": measure, "value": float(throw_range(np.array(5.3))), "sd": 0.15}],
        "cases": 40,
    }
    path = tmp_path / "question.json"
    path.write_text(json.dumps(document))
    assert main(["hypotheses", str(path), "--out", str(tmp_path / "out"), "--json"]) == EXIT_OK
    found = json.loads(capsys.readouterr().out)
    (pair,) = found["pairs"]
    assert pair["density"]["low"] > 1.0 and pair["counted"]["value"] > 1.0
    assert "support for 'pushed' over 'tripped'" in pair["words"]
    speed = next(
        need
        for need in found["needs"]
        if need["hypothesis"] == "pushed" and need["parameter"] == plan.sweep.parameters[0].name
    )
    assert speed["after"][0] < 5.3 < speed["after"][1] and speed["after"][1] - speed["after"][0] < 1.3
    assert found["information"][0]["bits"] > 0.3
    folder = next((tmp_path / "out").iterdir())
    assert (folder / "report.html").exists() and (folder / "chart.png").exists()
    document["evidence"][0]["sd"] = 0.0
    path.write_text(json.dumps(document))
    assert main(["hypotheses", str(path), "--out", str(tmp_path / "out")]) == EXIT_USAGE


@pytest.mark.long
def test_influence_of_a_sweep_orders_its_inputs(sweeps):
    from mannequin.sweeps.influence import influence_of, sweep_charts

    shares = influence_of(sweeps["pushed"])
    assert max(shares.values()) > 0.8 and min(shares.values()) < 0.2, (
        "the speed matters, the friction does not"
    )
    assert all(png.startswith(b"\x89PNG") for png, _ in sweep_charts(sweeps["pushed"]))
