"""The folder of a finished fit: every run that was made, the agreeing set, the answer, the report, the best run."""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...analysis.files import manifest
from ...io_json import atomic
from ...io_json.csv_cells import text_cell
from ...io_json.errors import FileError
from ..bench import scenario_of
from ..folder import DIGESTS_NAME, REPORT_NAME, write_again
from ..plan import FILE_NAME, SCENARIO_NAME
from ..table import TRACES_NAME, write_traces
from .answer import Answer, plain
from .evaluate import Evaluator
from .plan import FitPlan, read_fit_plan
from .report import build_fit_report
from .search import misfit

TABLE_NAME, ANSWER_NAME = "runs.csv", "answer.json"


def finish_fit(plan: FitPlan, evaluator: Evaluator, answer: Answer, folder: Path) -> list[Path]:
    """Write the results of the runs; returns the files. Raises FileError or EngineError."""
    best = _write_best(plan, answer, folder)
    atomic.write_text(folder / TABLE_NAME, _table(plan, evaluator))
    content = plain(answer, plan.evidence) | {
        "digest": plan.digest,
        "best_run": str(best.relative_to(folder)),
    }
    atomic.write_text(folder / ANSWER_NAME, json.dumps(content, indent=1, allow_nan=False) + "\n")
    atomic.write_text(folder / REPORT_NAME, build_fit_report(plan, evaluator, answer))
    names = [FILE_NAME, SCENARIO_NAME, TABLE_NAME, ANSWER_NAME, REPORT_NAME]
    if plan.evidence.traces is not None:
        write_traces(folder, plan.evidence.traces, evaluator.traces, evaluator.count)
        names.append(TRACES_NAME)
    lines = [f"{manifest.sha256_of_file(folder / name)}  {name}\n" for name in names]
    atomic.write_text(folder / DIGESTS_NAME, "".join(lines))
    return [folder / name for name in names]


def _table(plan: FitPlan, evaluator: Evaluator) -> str:
    """CSV of all runs in order: unknowns, deviations in tolerances, whether all agree."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    unknowns = [unknown.name for unknown in plan.evidence.unknowns]
    names = ["run", "status", *unknowns, *(target.name for target in plan.evidence.targets), "agrees"]
    writer.writerow(map(text_cell, names))
    agreeing = set(evaluator.agreeing().tolist())
    rows = zip(evaluator.statuses, evaluator.points, evaluator.deviations, strict=True)
    for index, (status, point, deviations) in enumerate(rows):
        writer.writerow([index, status, *point.tolist(), *deviations.tolist(), int(index in agreeing)])
    return text.getvalue()


def _write_best(plan: FitPlan, answer: Answer, folder: Path) -> Path:
    """The start with the smallest misfit as an ordinary run folder."""
    names = [unknown.address for unknown in plan.evidence.unknowns]
    overrides = dict(zip(names, answer.best.tolist(), strict=True))
    return write_again(scenario_of(plan.task, np.asarray(answer.best)), folder, overrides)


@dataclass(frozen=True)
class FitRuns:
    """The runs of a finished fit, in order."""

    points: np.ndarray
    """(runs, unknowns)"""
    deviations: np.ndarray
    """(runs, targets) in tolerances"""
    agreeing: np.ndarray
    """Numbers of those that agree with all of the evidence, the best first."""


def read_fit(folder: Path) -> tuple[FitPlan, dict[str, Any], FitRuns]:
    """Plan, content of the answer's file, and runs of a finished fit. Raises FileError."""
    plan = read_fit_plan(folder)
    unknowns, targets = len(plan.evidence.unknowns), len(plan.evidence.targets)
    try:
        answer = json.loads((folder / ANSWER_NAME).read_text("utf-8"))
        with open(folder / TABLE_NAME, encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))[1:]
        numbers = np.array([line[2:] for line in lines], dtype=float).reshape(
            len(lines), unknowns + targets + 1
        )
    except FileNotFoundError as error:
        raise FileError("is not there yet", path=error.filename, remedy="Run the fit to its end") from None
    except (OSError, ValueError, IndexError, csv.Error) as error:
        raise FileError(f"cannot be read ({error})", path=folder, remedy="Run the fit again") from error
    points, deviations = numbers[:, :unknowns], numbers[:, unknowns:-1]
    agreeing = np.flatnonzero(numbers[:, -1] == 1.0)
    best_first = agreeing[np.argsort(misfit(deviations[agreeing]), kind="stable")]
    return plan, answer, FitRuns(points, deviations, best_first)
