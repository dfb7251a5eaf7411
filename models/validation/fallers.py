"""Falls of people who respond, as rows: each fall against published spreads, and populations against published means
and shares."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...engine.spec import Response
from .active_falls import (
    BANDS,
    HARD,
    HOMES,
    PEOPLE,
    SIDEWAYS,
    Band,
    Fall,
    every_combination,
    population,
    run_falls,
)
from .experiment import Experiment, experiment
from .row import Row
from .running import AS_GIVEN, Runner

_POPULATIONS: dict[tuple[str, float], list[Fall]] = {}


def older_adults(run: Runner = AS_GIVEN) -> list[Fall]:
    """Falls of random older adults in random directions, run once for each step."""
    return _known("older", run, population(experiment("older_adults").set_up["count"]))


def young_adults(run: Runner = AS_GIVEN) -> list[Fall]:
    """Falls of random young adults to a side, run once for each step. Assumed: latency 0.18 +- 0.04 s, strength
    1 +- 0.2 of their sex's, within 20 degrees of sideways, leaning 4 to 10 degrees."""
    rng = np.random.default_rng(2)
    cases = []
    for _ in range(SIDEWAYS.set_up["count"]):
        response = Response(
            "adult",
            latency=round(float(np.clip(rng.normal(0.18, 0.04), 0.05, 0.4)), 4),
            strength=round(float(np.clip(rng.normal(1.0, 0.2), 0.5, 1.5)), 4),
        )
        degrees = float(rng.choice((90.0, 270.0)) + rng.uniform(-20.0, 20.0))
        cases.append(
            ("young", response, PEOPLE[int(rng.integers(2))], degrees, float(rng.uniform(4.0, 10.0)))
        )
    return _known("young", run, cases)


def _known(name: str, run: Runner, cases: Sequence) -> list[Fall]:
    key = (name, run.share)
    if key not in _POPULATIONS:
        _POPULATIONS[key] = run_falls(cases, share=run.share)
    return _POPULATIONS[key]


def protective_falls(run: Runner = AS_GIVEN) -> list[Row]:
    """Every combination of response, person, direction and lean against mean +- 2 sd."""
    cases = [case for case in every_combination() if isinstance(case[1], Response)]
    rows = []
    for fall in _known("combinations", run, cases):
        check = f"{fall.model}, {fall.kind}, {fall.direction} from {fall.lean:g} degrees"
        rows += [_row(check, fall, band) for band in BANDS if band.only in ("", fall.direction)]
    return rows


def _row(check: str, fall: Fall, band: Band) -> Row:
    test = replace(experiment(band.experiment), check=check)
    value = fall.values[band.quantity]
    if math.isnan(value):
        return test.did_not_happen(band.quantity, "did not happen")
    return test.row(band.quantity, value)


def populations(run: Runner = AS_GIVEN) -> list[Row]:
    """Random older adults and young people: means against published means, shares against published shares."""
    older, young = older_adults(run), young_adults(run)
    rows = [_mean_row(band, young if band.only else older) for band in BANDS]
    rows.append(_hard_heads(older))
    gaps = np.array([fall.values["hand before pelvis"] for fall in young])
    gaps = gaps[~np.isnan(gaps)]
    pulled = experiment("mattress_falls").of(who=YOUNG)
    rows.append(pulled.words("mean of wrist before pelvis", f"{gaps.mean():.0f} ms"))
    how = SIDEWAYS.set_up
    within = float(np.mean((gaps >= how["earliest"]) & (gaps <= how["latest"])))
    to_a_side = (
        ("pelvis strikes", _struck(young, "pelvis")),
        ("hand strikes", _struck(young, "hand")),
        ("hand between 12 ms after and 175 ms before the pelvis", within),
    )
    at_home = (
        ("pelvis strikes", _struck(older, "pelvis"), ANY_TOUCH),
        ("head strikes", _struck(older, "head"), ANY_TOUCH),
        ("head strikes", _struck(older, "head", HARD), FAST_TOUCH),
    )
    rows += [_share_row(SIDEWAYS, YOUNG, len(young), *found) for found in to_a_side]
    rows += [_share_row(HOMES, OLDER + only, len(older), *found) for *found, only in at_home]
    return rows


YOUNG, OLDER = (
    f"{experiment(name).set_up['count']} random {who}"
    for name, who in (("sideways_falls", "young adults, sideways"), ("older_adults", "older adults"))
)
"""Titles of the two populations"""
ANY_TOUCH, FAST_TOUCH = ", any touch", f", faster than {HARD:g} m/s"


def _mean_row(band: Band, falls: Sequence[Fall]) -> Row:
    """The mean of what happened against the published mean +- 1 sd."""
    values = np.array([fall.values[band.quantity] for fall in falls])
    values = values[~np.isnan(values)]
    sd = f"{values.std(ddof=1):.{band.digits}f}"
    remark = f"sd {sd}, published {band.sd:g}; mean to 1 sd; {len(values)} falls"
    test = SIDEWAYS.of(who=YOUNG) if band.only else experiment("older_adults").of(who=OLDER)
    limits = experiment(band.experiment).spread(band.quantity, 1.0)
    return test.row(f"mean of {band.quantity}", float(values.mean()), remark, limits)


def _share_row(test: Experiment, who: str, people: int, quantity: str, found: float) -> Row:
    share = 0.01 * test.quantities[quantity].mean
    remark = "band: twice the scatter of shares of both samples"
    return test.of(who=who).row(
        quantity, 100.0 * found, remark, _share_band(share, test.set_up["count"], people)
    )


def _hard_heads(falls: Sequence[Fall]) -> Row:
    """Mean speed of the heads that strike, without those that are laid down; for information, as `HARD` is chosen."""
    speeds = np.array([fall.values["head speed"] for fall in falls])
    speeds = speeds[np.nan_to_num(speeds) > HARD]
    test = experiment("older_adults").of(who=OLDER + FAST_TOUCH)
    found = f"{speeds.mean():.2f} m/s" if len(speeds) else "did not happen"
    remark = f"{len(speeds)} falls; not counted, as the bound is chosen"
    low, high = experiment("real_falls").spread("head speed", 1.0)
    return replace(test.words("mean of head speed", found, remark), published=f"{low:.2f} to {high:.2f} m/s")


def _struck(falls: Sequence[Fall], part: str, least: float = 0.0) -> float:
    speeds = np.array([fall.values[f"{part} speed"] for fall in falls])
    return float(np.mean(np.nan_to_num(speeds, nan=-1.0) > least))


def _share_band(share: float, first: int, second: int) -> tuple[float, float]:
    """% between which the share of a sample of `second` lies where that of `first` was `share` (two binomial sd; at
    least one case)."""
    sd = math.sqrt(max(share * (1.0 - share), 1.0 / first) * (1.0 / first + 1.0 / second))
    return round(100.0 * max(share - 2.0 * sd, 0.0), 1), round(100.0 * min(share + 2.0 * sd, 1.0), 1)
