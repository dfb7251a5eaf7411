"""The folder of a finished fit: every run that was made, the agreeing set, the answer, the report, the best run."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from ...analysis.files import manifest
from ...analysis.files.run_folder import write_run
from ...engine.runs.simulation import run
from ...io_json import atomic
from ...io_json.csv_cells import text_cell
from ..bench import scenario_of
from ..folder import DIGESTS_NAME, REPORT_NAME, RUNS_FOLDER
from ..plan import SCENARIO_NAME
from .answer import Answer, plain
from .evaluate import Evaluator
from .plan import FILE_NAME, FitPlan
from .report import build_fit_report

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
    started = datetime.now(UTC)
    scenario = scenario_of(plan.task, np.asarray(answer.best))
    recording = run(scenario)
    names = [unknown.address for unknown in plan.evidence.unknowns]
    return write_run(
        scenario,
        recording,
        folder / RUNS_FOLDER,
        started=started,
        ended=datetime.now(UTC),
        inputs=[folder / FILE_NAME, folder / SCENARIO_NAME],
        overrides=dict(zip(names, answer.best.tolist(), strict=True)),
    )
