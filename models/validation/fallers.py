"""Falls of people who respond, as rows: each fall against published spreads, and populations against published means
and shares."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...engine.spec import Response
from .active_falls import (
    BANDS,
    CHOI,
    FELDMAN,
    HARD,
    HEAD_SHARE,
    PELVIS_SHARE,
    PEOPLE,
    Band,
    Fall,
    every_combination,
    population,
    run_falls,
)
from .falls import REAL_FALLS
from .row import READ, Comparison, Row, Source
from .running import AS_GIVEN, Runner

OLDER_ADULTS, YOUNG_ADULTS = 200, 44
"""Random people of the two populations; of the second as many as were published."""
SIDEWAYS = Source(FELDMAN, READ)
HOMES = Source(
    "Komisar et al., 2388 falls of 658 residents of care homes: share of falls in which it struck", READ
)
NAMES = {"pelvis": "pelvis speed", "head": "head speed", "hand": "hand speed"}
"""Quantity of `BANDS` to that of the rows of other falls."""
EARLIEST, LATEST = -12.0, 175.0
"""ms, range of the hand before the pelvis (Feldman and Robinovitch)"""
_POPULATIONS: dict[tuple[str, float], list[Fall]] = {}


def older_adults(run: Runner = AS_GIVEN) -> list[Fall]:
    """Falls of random older adults in random directions, run once for each step."""
    return _known("older", run, population(OLDER_ADULTS))


def young_adults(run: Runner = AS_GIVEN) -> list[Fall]:
    """Falls of random young adults to a side, run once for each step. Assumed: latency 0.18 +- 0.04 s, strength
    1 +- 0.2 of their sex's, within 20 degrees of sideways, leaning 4 to 10 degrees."""
    rng = np.random.default_rng(2)
    cases = []
    for _ in range(YOUNG_ADULTS):
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
    source = SIDEWAYS if band.source == FELDMAN else REAL_FALLS
    test = Comparison("falls", check, source)
    low, high = round(band.mean - 2.0 * band.sd, 2), round(band.mean + 2.0 * band.sd, 2)
    quantity, value = NAMES.get(band.quantity, band.quantity), fall.values[band.quantity]
    if math.isnan(value):
        return test.words(quantity, f"{low:g} to {high:g} {band.unit}", "did not happen")
    return test.row(quantity, value, band.unit, (low, high), digits=band.digits)


def populations(run: Runner = AS_GIVEN) -> list[Row]:
    """Random older adults and young people: means against published means, shares against published shares."""
    older, young = older_adults(run), young_adults(run)
    rows = []
    for band in BANDS:
        is_young = band.source == FELDMAN
        people = young if is_young else older
        values = np.array([fall.values[band.quantity] for fall in people])
        values = values[~np.isnan(values)]
        source = SIDEWAYS if is_young else Source(CHOI, READ)
        who = f"{len(people)} random {'young adults, sideways' if is_young else 'older adults'}"
        sd = f"{values.std(ddof=1):.{band.digits}f}"
        remark = f"sd {sd}, published {band.sd:g}; mean to 1 sd; {len(values)} falls"
        quantity = f"mean of {NAMES.get(band.quantity, band.quantity)}"
        rows.append(
            Comparison("falls", who, source).row(
                quantity,
                float(values.mean()),
                band.unit,
                (band.mean - band.sd, band.mean + band.sd),
                remark,
                band.digits,
            )
        )
    rows.append(_hard_heads(older))
    gaps = np.array([fall.values["hand before pelvis"] for fall in young])
    gaps = gaps[~np.isnan(gaps)]
    shares = (
        (young, SIDEWAYS, "pelvis strikes", 0.90, YOUNG_ADULTS, _struck(young, "pelvis")),
        (young, SIDEWAYS, "hand strikes", 0.98, YOUNG_ADULTS, _struck(young, "hand")),
        (young, SIDEWAYS, "hand between 12 ms after and 175 ms before the pelvis", 1.0, YOUNG_ADULTS,
         float(np.mean((gaps >= EARLIEST) & (gaps <= LATEST)))),
        (older, HOMES, "pelvis strikes", PELVIS_SHARE, 2388, _struck(older, "pelvis")),
        (older, HOMES, "head strikes", HEAD_SHARE, 2388, _struck(older, "head")),
        (older, HOMES, "head strikes", HEAD_SHARE, 2388, _struck(older, "head", HARD), f", faster than {HARD:g} m/s"),
    )  # fmt: skip
    for people, source, quantity, share, count, found, *only in shares:
        which = (
            "young adults, sideways"
            if people is young
            else "older adults" + (only[0] if only else ", any touch")
        )
        who = f"{len(people)} random {which}"
        remark = "band: twice the scatter of shares of both samples"
        rows.append(
            Comparison("falls", who, source).row(
                quantity, 100.0 * found, "%", _share_band(share, count, len(people)), remark, 0
            )
        )
    return rows


def _hard_heads(falls: Sequence[Fall]) -> Row:
    """Mean speed of the heads that strike, without those that are laid down; for information, as `HARD` is chosen."""
    band = next(band for band in BANDS if band.quantity == "head")
    speeds = np.array([fall.values["head"] for fall in falls])
    speeds = speeds[np.nan_to_num(speeds) > HARD]
    who = f"{len(falls)} random older adults, faster than {HARD:g} m/s"
    found = f"{speeds.mean():.2f} m/s" if len(speeds) else "did not happen"
    remark = f"{len(speeds)} falls; not counted, as the bound is chosen"
    published = f"{band.mean - band.sd:.2f} to {band.mean + band.sd:.2f} m/s"
    return Comparison("falls", who, Source(CHOI, READ)).words("mean of head speed", published, found, remark)


def _struck(falls: Sequence[Fall], part: str, least: float = 0.0) -> float:
    speeds = np.array([fall.values[part] for fall in falls])
    return float(np.mean(np.nan_to_num(speeds, nan=-1.0) > least))


def _share_band(share: float, first: int, second: int) -> tuple[float, float]:
    """% between which the share of a sample of `second` lies where that of `first` was `share` (two binomial sd; at
    least one case)."""
    sd = math.sqrt(max(share * (1.0 - share), 1.0 / first) * (1.0 / first + 1.0 / second))
    return round(100.0 * max(share - 2.0 * sd, 0.0), 1), round(100.0 * min(share + 2.0 * sd, 1.0), 1)
