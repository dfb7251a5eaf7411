"""The folder of a finished sweep: tables, summary, report, digests; and single runs taken from it."""

import json
import math
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..analysis.files import manifest
from ..analysis.files.run_folder import write_run
from ..engine.runs.recording import Recording
from ..engine.runs.simulation import run
from ..engine.spec import Scenario
from ..io_json import atomic, strict_json
from ..io_json.errors import FileError
from .bench import scenario_of
from .journal import Journal
from .plan import FILE_NAME, SCENARIO_NAME, Plan, read_plan
from .report import RANDOM_DESIGNS, beyond_trust, build_report, representative
from .statistics import PERCENTILES, Estimate, percentile, share
from .table import PARQUET_NAME, Table, read_table, write_tables

SUMMARY_NAME, REPORT_NAME, DIGESTS_NAME = "summary.json", "report.html", "digests.sha256"
RUNS_FOLDER = "runs"


def is_finished(folder: Path, report: bool = True) -> bool:
    """Whether a sweep came to its end, with its report where that is wanted. The digests are written last."""
    return (folder / DIGESTS_NAME).exists() and (not report or (folder / REPORT_NAME).exists())


def finish(plan: Plan, journal: Journal, folder: Path, report: bool = True) -> list[Path]:
    """Write the results of a complete journal; returns the files. Raises FileError."""
    written = write_tables(plan, journal, folder)
    table = read_table(plan, folder)
    summary = summarise(plan, table) | {"parquet": (folder / PARQUET_NAME).exists()}
    text = json.dumps(summary, indent=1, ensure_ascii=False, allow_nan=False)
    written.append(folder / SUMMARY_NAME)
    atomic.write_text(written[-1], text + "\n")
    if report:
        written.append(folder / REPORT_NAME)
        atomic.write_text(written[-1], build_report(plan, table, read_plan(folder)[1]))
    names = [FILE_NAME, SCENARIO_NAME, *(path.name for path in written)]
    lines = [f"{manifest.sha256_of_file(folder / name)}  {name}\n" for name in names]
    atomic.write_text(folder / DIGESTS_NAME, "".join(lines))
    return written


def summarise(plan: Plan, table: Table) -> dict[str, Any]:
    """The main figures, for programs."""
    measures = {}
    for quantity in plan.sweep.measures:
        values = representative(plan, table.numbers[quantity.name])
        found = {percent: percentile(values, percent) for percent in PERCENTILES}
        text = f"median {found[50].text}, 5 % {found[5].text}, 95 % {found[95].text} {quantity.unit}".rstrip()
        measures[quantity.name] = {
            "unit": quantity.unit,
            "percentiles": {str(percent): _members(estimate) for percent, estimate in found.items()},
            "text": text,
            "flags": beyond_trust(plan, table, quantity),
        }
    events = {}
    for event in plan.sweep.events:
        estimate = share(representative(plan, table.numbers[event.name]))
        ends = f"({100 * estimate.low:.1f} to {100 * estimate.high:.1f} %)"
        events[event.name] = {
            **_members(estimate),
            "text": f"{100 * estimate.value:.1f} % {ends} of the runs",
        }
    return {
        "name": plan.sweep.name,
        "digest": plan.digest,
        "runs": plan.runs,
        "statuses": dict(sorted(Counter(table.status).items())),
        "coarse": len(table.coarse),
        "spread_as_inputs": plan.sweep.design.kind in RANDOM_DESIGNS,
        "measures": measures,
        "events": events,
    }


def _members(estimate: Estimate) -> dict[str, float | None]:
    """For JSON, which has no NaN."""
    members = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: None if math.isnan(value) else value for name, value in members.items()}


def read_summary(folder: Path) -> dict[str, Any]:
    """The main figures of a finished sweep. Raises FileError."""
    path = Path(folder) / SUMMARY_NAME
    remedy = "Run the sweep to its end"
    try:
        content = strict_json.parse(strict_json.decode(strict_json.read_bytes(path)))
    except FileError as error:
        raise FileError(f"cannot be read ({error.message})", path=path, remedy=remedy) from error
    if not _is_summary(content):
        raise FileError("is not the summary of a sweep", path=path, remedy=remedy)
    return content


def _is_summary(content: Any) -> bool:
    """Whether JSON content has what readers of a summary rely on."""
    if not isinstance(content, dict) or type(content.get("runs")) is not int:
        return False
    parts = [content.get(name) for name in ("statuses", "measures", "events")]
    if not all(isinstance(part, dict) for part in parts):
        return False
    texts = [entry.get("text") for part in parts[1:] for entry in part.values() if isinstance(entry, dict)]
    return len(texts) == len(parts[1]) + len(parts[2]) and all(isinstance(text, str) for text in texts)


def single_run(plan: Plan, index: int) -> tuple[Scenario, Recording]:
    """One run of a sweep made again: its scenario and its recording. Raises FileError or EngineError."""
    scenario = scenario_of(plan.task, plan.points[_number(plan, index)])
    return scenario, run(scenario)


def _number(plan: Plan, index: int) -> int:
    """The number of a run that there is. Raises FileError."""
    if not 0 <= index < plan.runs:
        raise FileError(f"there is no run {index}", remedy=f"Give 0 to {plan.runs - 1}")
    return index


def write_single_run(plan: Plan, index: int, folder: Path) -> Path:
    """Make one run again and write it as an ordinary run folder inside the sweep's. Raises FileError or EngineError."""
    values = plan.points[_number(plan, index)].tolist()
    overrides = {p.address: value for p, value in zip(plan.sweep.parameters, values, strict=True)}
    return write_again(scenario_of(plan.task, plan.points[index]), folder, {"sweep_run": index, **overrides})


def write_again(scenario: Scenario, folder: Path, overrides: dict[str, Any]) -> Path:
    """Run a scenario of a sweep or fit and write it as an ordinary run folder inside that one's. Raises FileError or
    EngineError."""
    started = datetime.now(UTC)
    return write_run(
        scenario,
        run(scenario),
        folder / RUNS_FOLDER,
        started=started,
        ended=datetime.now(UTC),
        inputs=[folder / FILE_NAME, folder / SCENARIO_NAME],
        overrides=overrides,
    )
