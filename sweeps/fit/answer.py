"""The answer of a fit: the range of each unknown that agrees with the evidence, and what the evidence cannot decide."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..statistics import rank_correlation
from .evaluate import Evaluator
from .search import misfit
from .spec import Evidence

DECIDED, NARROWED, OPEN = "decided", "narrowed", "not decided"
NARROW, WIDE = 0.35, 0.85
"""Shares of the given range: up to the first an unknown is decided, above the second it is not."""
TIED = 0.7
"""Rank correlation within the agreeing set from which two unknowns count as known only together."""
FEWEST = 20
"""Agreeing starts below which no ranges and ties are given."""


@dataclass(frozen=True)
class Finding:
    """Result for one unknown."""

    name: str
    unit: str
    given: tuple[float, float]
    low: float
    """Lowest value of an agreeing start,"""
    high: float
    """highest,"""
    middle: float
    """and their median."""
    verdict: str

    @property
    def share(self) -> float:
        """Of the given range that still agrees."""
        return (self.high - self.low) / (self.given[1] - self.given[0])

    @property
    def text(self) -> str:
        """In a sentence."""
        found = f"{self.low:.4g} to {self.high:.4g} {self.unit}".rstrip()
        share = f"{100.0 * self.share:.0f} % of the range given"
        if self.verdict == OPEN:
            return f"{self.name}: the evidence cannot decide it; {found} ({share}) agree."
        return f"{self.name}: {found} agree, {share}."


@dataclass(frozen=True)
class Answer:
    """The outcome of a fit."""

    findings: list[Finding]
    ties: list[tuple[str, str, float]]
    """Unknowns that are known only together, with their rank correlation."""
    runs: int
    agreeing: int
    best: np.ndarray
    """(d,) the start with the smallest misfit."""
    best_deviations: np.ndarray
    """(targets,) in tolerances."""
    is_complete: bool
    """False where the runs were used up before enough agreeing starts were known and their ranges had settled."""

    @property
    def is_consistent(self) -> bool:
        """Whether any start agrees with all of the evidence."""
        return self.agreeing > 0


def conclude(evidence: Evidence, evaluator: Evaluator, is_complete: bool) -> Answer:
    """The answer that the runs so far give."""
    agreeing = evaluator.agreeing()
    points = np.array([evaluator.points[index] for index in agreeing])
    deviations = np.array(evaluator.deviations)
    best = int(np.argmin(misfit(deviations)))
    return Answer(
        _findings(evidence, points) if len(points) else [],
        _ties(evidence, points) if len(points) >= FEWEST else [],
        evaluator.count,
        len(agreeing),
        evaluator.points[best],
        deviations[best],
        is_complete,
    )


def _findings(evidence: Evidence, points: np.ndarray) -> list[Finding]:
    findings = []
    for unknown, values in zip(evidence.unknowns, points.T, strict=True):
        low, high = float(np.min(values)), float(np.max(values))
        share = (high - low) / (unknown.high - unknown.low)
        verdict = DECIDED if share <= NARROW else OPEN if share > WIDE else NARROWED
        middle = float(np.median(values))
        findings.append(
            Finding(unknown.name, unknown.unit, (unknown.low, unknown.high), low, high, middle, verdict)
        )
    return findings


def _ties(evidence: Evidence, points: np.ndarray) -> list[tuple[str, str, float]]:
    names = [unknown.name for unknown in evidence.unknowns]
    ties = []
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            strength, _ = rank_correlation(points[:, i], points[:, j])
            if abs(strength) >= TIED:
                ties.append((names[i], names[j], strength))
    return ties


def statements(answer: Answer) -> list[str]:
    """The answer in plain sentences."""
    if not answer.is_consistent:
        return [
            "No start within the ranges given agrees with all of the evidence. Either a range is too narrow, a "
            "tolerance too strict, a piece of evidence wrong, or the model cannot do what happened."
        ]
    lines = [finding.text for finding in answer.findings]
    lines += [
        f"{first} and {second} are known only together (rank correlation {strength:+.2f} among the starts that agree): "
        "to know one, the other must be known from elsewhere."
        for first, second, strength in answer.ties
    ]
    if not answer.is_complete:
        lines.append(
            f"The {answer.runs} runs allowed were used up before the ranges had settled ({answer.agreeing} starts "
            "agree): the set is likely wider than said here. Allow more runs."
        )
    return lines


def plain(answer: Answer, evidence: Evidence) -> dict[str, Any]:
    """The answer as JSON holds it."""
    names = [unknown.name for unknown in evidence.unknowns]
    return {
        "runs": answer.runs,
        "agreeing": answer.agreeing,
        "is_consistent": answer.is_consistent,
        "is_complete": answer.is_complete,
        "unknowns": {
            finding.name: {
                "low": finding.low,
                "high": finding.high,
                "median": finding.middle,
                "unit": finding.unit,
                "share_of_range": finding.share,
                "verdict": finding.verdict,
            }
            for finding in answer.findings
        },
        "known_only_together": [list(tie) for tie in answer.ties],
        "best": dict(zip(names, answer.best.tolist(), strict=True)),
        "best_deviations": {
            target.name: float(value)
            for target, value in zip(evidence.targets, answer.best_deviations, strict=True)
        },
        "statements": statements(answer),
    }
