"""Sweeps of hypotheses held against evidence: ratios, what each hypothesis needs, and what would tell them apart."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from ...io_json.errors import FileError
from ..plan import Plan, read_plan
from ..table import Table, read_table
from .ratio import (
    Calibration,
    Ratio,
    agreement,
    calibrate,
    counted_ratio,
    density_ratio,
    expected_information,
    run_likelihoods,
)
from .spec import Question

FEWEST = 20
"""Complete runs that a hypothesis needs."""


@dataclass(frozen=True)
class Case:
    """The sweep of one hypothesis."""

    name: str
    folder: Path
    digest: str
    """Of everything that the sweep depends on, as its plan states it"""
    plan: Plan
    table: Table
    values: np.ndarray
    """(runs, evidence) of complete runs; NaN where what was found did not come about in a run"""
    kept: np.ndarray
    """(runs,) numbers of these runs in the table"""


@dataclass(frozen=True)
class Pair:
    """Two hypotheses compared."""

    first: str
    second: str
    counted: Ratio
    density: Ratio
    calibration: Calibration

    @property
    def words(self) -> str:
        """The verdict: that of the two methods which says less."""
        weaker = min(
            (self.counted, self.density), key=lambda r: abs(np.log(r.value)) if r.is_informative else -1.0
        )
        return weaker.words(self.first, self.second)


@dataclass(frozen=True)
class Need:
    """What of an input's range remains where a hypothesis explains the evidence."""

    hypothesis: str
    parameter: str
    unit: str
    before: tuple[float, float]
    """5 and 95 % of the runs"""
    after: tuple[float, float]
    """The same, weighted by how well each run explains the evidence"""


@dataclass(frozen=True)
class Judgement:
    """All that came out."""

    question: Question
    cases: tuple[Case, ...]
    agreeing: dict[str, tuple[int, int]]
    """Runs that agree, and all, by hypothesis"""
    pairs: tuple[Pair, ...]
    needs: tuple[Need, ...]
    information: tuple[tuple[str, float, float], ...]
    """Measure, error assumed for it, expected bits; the best first"""
    best: dict[str, tuple[int, ...]]
    """Numbers of the runs that agree, by hypothesis, the most likely first"""


def judge(question: Question) -> Judgement:
    """Hold finished sweeps against the evidence. Raises FileError."""
    cases = tuple(_read(question, number) for number in range(len(question.hypotheses)))
    evidence = np.array([item.value for item in question.evidence])
    errors = np.array([item.sd for item in question.evidence])
    agree = {case.name: agreement(case.values, evidence, errors) for case in cases}
    likely = {case.name: run_likelihoods(case.values, evidence, errors) for case in cases}
    pairs = tuple(
        Pair(
            one.name,
            two.name,
            counted_ratio(agree[one.name], agree[two.name]),
            density_ratio(likely[one.name], likely[two.name], question.seed),
            calibrate((one.values, two.values), errors, question.cases, question.seed),
        )
        for one, two in combinations(cases, 2)
    )
    return Judgement(
        question,
        cases,
        {name: (int(np.count_nonzero(found)), len(found)) for name, found in agree.items()},
        pairs,
        tuple(need for case in cases for need in _needs(case, likely[case.name])),
        _information(question, cases),
        {case.name: _best(case, agree[case.name], likely[case.name]) for case in cases},
    )


def _best(case: Case, agrees: np.ndarray, likelihood: np.ndarray) -> tuple[int, ...]:
    order = np.argsort(-likelihood, kind="stable")
    return tuple(int(case.kept[index]) for index in order if agrees[index])


def _read(question: Question, number: int) -> Case:
    hypothesis = question.hypotheses[number]
    plan, stated = read_plan(hypothesis.folder)
    table = read_table(plan, hypothesis.folder)
    names = [name for item in question.evidence for name in item.columns]
    missing = [name for name in names if name not in table.numbers]
    if missing:
        known = ", ".join(quantity.name for quantity in plan.sweep.measures)
        raise FileError(
            f"the sweep of '{hypothesis.name}' has no measure '{missing[0]}'",
            path=hypothesis.folder,
            remedy=f"Add it to the sweep, or use one of: {known}",
        )
    columns = np.stack([item.values(table.numbers) for item in question.evidence], axis=1)
    kept = np.flatnonzero(table.completed)
    if len(kept) < FEWEST:
        raise FileError(
            f"the sweep of '{hypothesis.name}' has {len(kept)} complete runs, too few to judge by",
            path=hypothesis.folder,
            remedy=f"Run at least {FEWEST}, better some hundreds",
        )
    digest = str(stated.get("digest", ""))
    return Case(hypothesis.name, hypothesis.folder, digest, plan, table, columns[kept], kept)


def _needs(case: Case, likelihood: np.ndarray) -> list[Need]:
    total = float(np.sum(likelihood))
    if total <= 0.0:
        return []
    found = []
    for parameter in case.plan.sweep.parameters:
        values = case.table.numbers[parameter.name][case.kept]
        order = np.argsort(values)
        shares = np.cumsum(likelihood[order]) / total
        ends = [
            float(values[order][min(int(np.searchsorted(shares, q)), len(values) - 1)]) for q in (0.05, 0.95)
        ]
        before = np.percentile(values, [5, 95])
        found.append(
            Need(
                case.name,
                parameter.name,
                parameter.unit,
                (float(before[0]), float(before[1])),
                (ends[0], ends[1]),
            )
        )
    return found


def _information(question: Question, cases: tuple[Case, ...]) -> tuple[tuple[str, float, float], ...]:
    """Expected bits of the evidence, and of every other measure that all sweeps have; one without evidence is taken as
    measured to a twentieth of its range."""
    used = {name for item in question.evidence for name in item.columns}
    columns = {
        item.measure: ([case.values[:, k] for case in cases], item.sd)
        for k, item in enumerate(question.evidence)
    }
    for quantity in cases[0].plan.sweep.measures:
        name = quantity.name
        if name not in used and all(name in case.table.numbers for case in cases):
            columns[name] = ([case.table.numbers[name][case.kept] for case in cases], 0.0)
    found = []
    for name, (given, sd) in columns.items():
        values = [column[np.isfinite(column)] for column in given]
        if any(len(column) < FEWEST for column in values):
            continue
        error = sd or float(np.ptp(np.concatenate(values))) / 20.0
        if error > 0.0:
            found.append((name, error, expected_information(values, error, seed=question.seed)))
    return tuple(sorted(found, key=lambda row: -row[2]))
