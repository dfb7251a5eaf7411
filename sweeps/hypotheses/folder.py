"""The results of hypotheses as files: a page, a chart, and the figures for programs, with their digests."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ...analysis.files import manifest
from ...analysis.measures.throw_formulas import CERTAINTY
from ...analysis.pages import html_page as page
from ...analysis.plausibility import is_person
from ...analysis.plots.figures import png_bytes
from ...analysis.plots.throw_chart import plot_throw
from ...io_json import atomic
from ...io_json.errors import FileError
from ...io_json.names import safe_name
from .chart import plot_judgement
from .judge import Judgement

RESULT, PAGE, CHART, THROW, DIGESTS = (
    "judgement.json",
    "report.html",
    "chart.png",
    "throw.png",
    "digests.sha256",
)
RESOLUTION = 130
THROW_MEASURE, SPEED_WORDS = "throw distance", ("impact speed", "speed")


def describe(judgement: Judgement) -> dict[str, Any]:
    """The figures for programs."""
    return {
        "name": judgement.question.name,
        "evidence": [
            {"measure": item.measure, "value": item.value, "sd": item.sd, "source": item.source}
            for item in judgement.question.evidence
        ],
        "sweeps": {
            case.name: {"runs": case.plan.runs, "digest": case.digest, "folder": case.folder.name}
            for case in judgement.cases
        },
        "agreeing": {
            name: {"runs": part, "of": whole, "numbers": list(judgement.best[name])}
            for name, (part, whole) in judgement.agreeing.items()
        },
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "counted": asdict(pair.counted),
                "density": asdict(pair.density),
                "calibration": asdict(pair.calibration),
                "words": pair.words,
            }
            for pair in judgement.pairs
        ],
        "needs": [asdict(need) for need in judgement.needs],
        "information": [
            {"measure": name, "error": error, "bits": bits} for name, error, bits in judgement.information
        ],
    }


def write(judgement: Judgement, out: Path, friction: float = 0.66) -> Path:
    """Write the folder of a judgement and return it. Raises FileError."""
    content = describe(judgement)
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    folder = (
        out / f"{safe_name(judgement.question.name, 'hypotheses')}_{manifest.sha256_of(text.encode())[:8]}"
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            f"cannot be made ({error.strerror})", path=folder, remedy="Choose another place"
        ) from error
    files = {RESULT: text.encode("utf-8"), CHART: png_bytes(plot_judgement(judgement), RESOLUTION)}
    if (throw := _throw(judgement, friction)) is not None:
        files[THROW] = throw
    files[PAGE] = _page(judgement, files).encode("utf-8")
    for name, data in files.items():
        atomic.write_bytes(folder / name, data)
    lines = [f"{manifest.sha256_of(data)}  {name}\n" for name, data in files.items()]
    atomic.write_text(folder / DIGESTS, "".join(lines))
    return folder


def _throw(judgement: Judgement, friction: float) -> bytes | None:
    """Throw results under the published formulas, where the sweeps have a throw distance of a person and a speed."""
    speeds, distances = [], []
    for case in judgement.cases:
        people = {actor.name for actor in case.plan.scenario.actors if is_person(actor)}
        asked = case.plan.sweep.measures
        way = next((q.name for q in asked if q.measure == THROW_MEASURE and q.of in people), None)
        names = list(case.table.numbers)
        pace = next((name for word in SPEED_WORDS for name in names if word in name.lower()), None)
        if way is None or pace is None:
            return None
        distances.append(case.table.numbers[way][case.kept])
        speeds.append(np.abs(case.table.numbers[pace][case.kept]))
    return png_bytes(plot_throw(np.concatenate(speeds), np.concatenate(distances), friction), RESOLUTION)


def _page(judgement: Judgement, files: dict[str, bytes]) -> str:
    question = judgement.question
    evidence = [
        (item.measure, f"{item.value:.4g}", f"{item.sd:.3g}", item.source or "not given")
        for item in question.evidence
    ]
    pairs = [
        (f"{p.first} against {p.second}", p.counted.text, p.density.text, p.words) for p in judgement.pairs
    ]
    needs = [
        (
            n.hypothesis,
            n.parameter,
            f"{n.before[0]:.3g} to {n.before[1]:.3g}",
            f"{n.after[0]:.3g} to {n.after[1]:.3g}",
            n.unit,
        )
        for n in judgement.needs
    ]
    information = [(name, f"{error:.3g}", f"{bits:.2f}") for name, error, bits in judgement.information]
    agreeing = [(name, f"{part} of {whole}") for name, (part, whole) in judgement.agreeing.items()]
    sections = [
        (
            "evidence",
            "Evidence",
            page.table(("measure", "value", "standard deviation", "source"), evidence, numbers=(1, 2))
            + page.paragraph(
                "Places that have an ellipse are taken from its middle, along and across it. The tolerance of a fit is "
                "two standard deviations."
            ),
        ),
        (
            "ratios",
            "Likelihood ratios",
            page.table(("hypotheses", "by counting", "by kernel density", "in words"), pairs)
            + page.paragraph(
                "How many times better the first hypothesis explains the evidence than the second, with the 95 % "
                "interval from the number of runs. Errors of the model are not in it. The words are those of the "
                "method that says less."
            )
            + page.table(("hypothesis", "runs that agree within two standard deviations"), agreeing)
            + page.picture(files[CHART], "Runs of each hypothesis, and the evidence."),
        ),
        (
            "calibration",
            "Calibration",
            "".join(
                page.paragraph(f"{p.first} against {p.second}: {p.calibration.text}") for p in judgement.pairs
            ),
        ),
        (
            "needs",
            "What each hypothesis needs to be true",
            page.table(
                ("hypothesis", "input", "range of the sweep", "range that explains the evidence", "unit"),
                needs,
            )
            + page.paragraph(
                "Ranges hold 90 % of the runs, the second one weighted by how well each explains the evidence."
            ),
        ),
        (
            "information",
            "What would tell them apart best",
            page.table(("measure", "standard deviation", "expected bits"), information, numbers=(1, 2))
            + page.paragraph(
                "Expected information of measuring each, before it is measured; one bit decides between two. Measures "
                "without evidence are taken as measured to a twentieth of their range."
            ),
        ),
    ]
    if THROW in files:
        sections.append(
            (
                "throw",
                "Throw results and published formulas",
                page.picture(files[THROW], "Searle's bounds; regressions with their scatter.")
                + "".join(page.paragraph(text) for text in CERTAINTY),
            )
        )
    opening = f"<h1>{page.text(question.name)}</h1>" + page.box([pair.words for pair in judgement.pairs])
    return page.page(f"{question.name}: hypotheses", opening, sections)


def read_chart(folder: Path) -> tuple[bytes, str]:
    """The chart of a folder of hypotheses with its caption, for a report. Raises FileError."""
    try:
        content = json.loads((folder / RESULT).read_text("utf-8"))
        words = " ".join(
            f"{pair['first']} against {pair['second']}: {pair['words']}" for pair in content["pairs"]
        )
        return (folder / CHART).read_bytes(), f"{content['name']}. {words}"
    except (OSError, ValueError, KeyError, TypeError) as error:
        remedy = "Give a folder that `hypotheses` wrote"
        raise FileError("holds no result of hypotheses", path=folder, remedy=remedy) from error
