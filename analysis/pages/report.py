"""The report of a run, as an expert writes it: what was asked, what was assumed, what happened, what came out and how
sure it is; then method and limits; defaults and internals in appendices. One content, as a page and as paged document.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import matplotlib
import numpy as np
import PIL

from ...engine.runs.recording import COMPLETED
from ...engine.spec import Actor
from ...engine.spec.values import STANDARD_GRAVITY
from ...io_json.marks import KEY as MARKS
from ..files import manifest
from ..files.run_folder import Run, add_files
from ..measures import Measure, evaluate_families
from ..measures.catalogue import shown_families
from ..measures.channels import NotMeasured, body_channel, filtered
from ..measures.expected_error import expected_error, kind_of_case
from ..measures.measure import FLAG
from ..measures.signals import resultant
from ..measures.step_resolution import UNRESOLVED, step_warnings
from ..plausibility import implausible_inputs, is_person
from ..plots import figures as plots
from . import appendices
from .blocks import (
    Block,
    Box,
    Bullets,
    Document,
    Examiner,
    Heading,
    Paragraph,
    Picture,
    Section,
    Table,
    rows_of,
    to_html,
)
from .limitations import LIMITATIONS
from .marks import marks_blocks
from .paged import to_pdf
from .provenance import Input, list_inputs, plain_input
from .rendering import Looks, picture_of
from .shown import EDITED, shown_sentences
from .step_check import Difference, StepCheck, check_step
from .story import Moment, tell
from .wording import percent, plain_name, plain_title, quantity, rounded, speed

GROUP, HTML_NAME, PDF_NAME = "report", "report.html", "report.pdf"
RESOLUTION = 110
KEY_CRITERIA = (
    "HIC15",
    "HIC36",
    "3 ms clip, contiguous",
    "BrIC",
    "Nij",
    "chest deflection",
    "viscous criterion",
)
KEY_FAMILIES = ("Impact speed at first touch", "Throw distance and rest position")
MATTERS = 0.05
"""Share of the spread of a result from which on an input matters."""
EXPECTED = (
    "Error to expect: mean and standard deviation (or, where that is larger, the published spread) of what simulations "
    "of that kind were off from published tests that did not set the model, in % of the published value "
    "(docs/validation.md); a dash where there is no such test."
)
BEFORE, AFTER = 0.04, 0.08
"""s of the curve beside a moment"""
PLACES = ("question", "assumptions", "course of events", "results", "conclusion")
"""Where the examiner's own text may stand."""
METHOD = (
    "The bodies are rigid parts joined by joints with ranges of motion, resistance and, where listed, motors. Their "
    "motion is computed from Newton's and Euler's equations in small time steps; surfaces press on each other by force "
    "curves and rub by Coulomb's friction. Nothing was drawn or adjusted afterwards. Sensors are sampled at every time "
    "step and filtered as SAE J211 asks before anything is read from them."
)


@dataclass(frozen=True)
class Chart:
    """A picture from elsewhere, such as of a sweep or of hypotheses."""

    png: bytes
    caption: str


@dataclass(frozen=True)
class Options:
    """How a report is made."""

    risk_curves: bool = False
    court: bool = False
    """Whether it is called complete only with an origin for every input that matters."""
    influence: dict[str, float] = field(default_factory=dict)
    """Address of an input to its share in the spread of the results, from a sweep."""
    texts: dict[str, str] = field(default_factory=dict)
    """The examiner's own text by its place."""

    def facts(self, has_check: bool, charts: Sequence[Chart], looks: Looks) -> str:
        """For the program that makes the report again."""
        made_with = {"matplotlib": matplotlib.__version__, "pillow": PIL.__version__}
        how = {
            "step_check": has_check,
            "charts": [chart.caption for chart in charts],
            "dressed": list(looks.names),
            "made_with": made_with,
        }
        return json.dumps({**asdict(self), **how})


def build_document(
    run: Run,
    step_check: StepCheck | None = None,
    options: Options | None = None,
    charts: Sequence[Chart] = (),
    looks: Looks | None = None,
) -> Document:
    """The content of the report. `step_check` None: the report states that the check was not made. `looks`: how actors
    look in its pictures."""
    options, looks = options or Options(), looks or Looks()
    measured = evaluate_families(run.scenario, run.recording, options.risk_curves)
    families = shown_families(run.scenario, measured)
    inputs = list_inputs(run.scenario)
    texts = options.texts
    sections = [
        Section("asked", "What was asked", tuple(_asked(run, texts))),
        Section("assumed", "What was assumed", tuple(_assumed(run, inputs, options))),
        Section("happened", "What happened", tuple(_happened(run, texts, looks))),
        Section("results", "Results", tuple(_results(run, families, step_check, texts))),
        Section("inputs", "Inputs that matter", tuple(_inputs(run, inputs, options))),
    ]
    if run.scenario.extras.get(MARKS):
        sections.append(Section("marks", "Marks at the place", tuple(marks_blocks(run))))
    if charts:
        pictures = tuple(Picture(chart.png, chart.caption) for chart in charts)
        sections.append(Section("spread", "Other inputs, other hypotheses", pictures))
    sections += [
        Section("conclusion", "Conclusion", (Examiner("Conclusion", texts.get("conclusion", "")),)),
        Section("method", "Method", (Paragraph(METHOD), *appendices.versions_sentence(run))),
        Section("quality", "Numerical quality", tuple(appendices.quality(run, step_check))),
        Section("limits", "Limitations", (Bullets(LIMITATIONS),)),
        Section("warnings", "Warnings and notes", tuple(appendices.warnings(run))),
        Section(
            "measures",
            "Measures and their definitions",
            tuple(appendices.measures(families, step_check)),
            True,
        ),
        Section("contacts", "Impacts and contacts", tuple(appendices.contacts(run)), True),
        Section(
            "parameters", "All parameters and their sources", tuple(appendices.parameters(run, inputs)), True
        ),
        Section("plots", "Plots", tuple(appendices.curves(run)), True),
        Section("files", "Versions, files and digests", tuple(appendices.files(run)), True),
    ]
    content = run.manifest
    return Document(
        title=f"{plain_title(run.scenario.name)}: simulation report",
        subtitle=f"Run {content['run']}, id {manifest.run_id(content)}, computed {content['started']} with Mannequin "
        f"{content['versions']['mannequin']}.",
        footer=f"{run.scenario.name}, run {content['run']}, manifest {content['sha256'][:32]}",
        opening=tuple(_opening(run, inputs, options)),
        facts=options.facts(step_check is not None, charts, looks),
        sections=tuple(sections),
    )


def build_report(
    run: Run,
    *,
    step_check: StepCheck | None = None,
    risk_curves: bool = False,
    options: Options | None = None,
) -> str:
    """The report as the HTML text of one page."""
    return to_html(build_document(run, step_check, options or Options(risk_curves=risk_curves)))


def write_report(
    run: Run,
    *,
    step_halving: bool = True,
    risk_curves: bool = False,
    options: Options | None = None,
    charts: Sequence[Chart] = (),
    looks: Looks | None = None,
    progress: Callable[[Any], None] | None = None,
) -> list[Any]:
    """Make the report and put it into the run folder with its digests, as page and as PDF; returns the paths written.
    Raises FileError."""
    check = check_step(run.scenario, run.recording, progress) if step_halving else None
    options = options or Options(risk_curves=risk_curves)
    return add_files(run.folder, GROUP, report_files(run, check, options, charts, looks))


def report_files(
    run: Run,
    check: StepCheck | None,
    options: Options,
    charts: Sequence[Chart] = (),
    looks: Looks | None = None,
) -> dict[str, bytes]:
    """The files of a report by their names in the run folder."""
    document = build_document(run, check, options, charts, looks)
    made = {HTML_NAME: to_html(document).encode("utf-8"), PDF_NAME: to_pdf(document)}
    return made | {f"report_charts/{number}.png": chart.png for number, chart in enumerate(charts, start=1)}


def missing_origins(run: Run, options: Options) -> list[str]:
    """What of the inputs that matter has no origin, those of the largest influence first."""
    return _missing(list_inputs(run.scenario), options)


def _missing(inputs: Sequence[Input], options: Options) -> list[str]:
    rows = []
    for entry in _mattering(inputs, options):
        if not entry.stated.is_known or entry.stated.missing and options.court:
            rows.append(
                f"{plain_input(entry.name)} ({rounded(entry.value)} {entry.unit}".rstrip()
                + f"): {entry.stated.missing}"
            )
    return rows


def _influence(entry: Input, options: Options) -> float:
    """Share of an input in the spread of the results, by its address or that of a part of it; NaN where not known."""
    shares = [
        value
        for address, value in options.influence.items()
        if address == entry.name
        or address.startswith(f"{entry.name}.")
        or f"settings.{address}" == entry.name
    ]
    return max(shares, default=float("nan"))


def _mattering(inputs: Sequence[Input], options: Options) -> list[Input]:
    """Inputs of the event that matter: by the sweep where there is one, else all that were given; strongest first."""
    if options.influence:
        known = [(entry, _influence(entry, options)) for entry in inputs]
        chosen = [(entry, share) for entry, share in known if share >= MATTERS]
        return [entry for entry, _ in sorted(chosen, key=lambda pair: -pair[1])]
    return [entry for entry in inputs if entry.is_of_event]


def _opening(run: Run, inputs: Sequence[Input], options: Options) -> Iterator[Block]:
    recording = run.recording
    yield Box(
        (
            "This is the result of a computer simulation, not recorded footage and not an eyewitness account. It is "
            "meant to be explained by the expert who made it and answers for its inputs.",
        )
    )
    if options.court and (missing := _missing(inputs, options)):
        yield Box(("This report is not complete. What is missing first:", *missing), True)
    if recording.status == UNRESOLVED:
        yield Box((f"The run is of no use: {recording.message}",), True)
    elif recording.status != COMPLETED:
        reached = f"{recording.times[-1]:.4g} s" if recording.frames else "no output time"
        yield Box(
            (
                f"The run did not complete: {recording.status}. {recording.message}",
                f"It reached {reached} of {run.scenario.settings.duration:g} s; everything below is up to there.",
            ),
            True,
        )
    if warnings := step_warnings(run.scenario, recording):
        yield Box(tuple(warnings), True)
    if shown := shown_sentences(run):
        yield Box(tuple(shown), shown[0] == EDITED)


def _asked(run: Run, texts: Mapping[str, str]) -> Iterator[Block]:
    yield Examiner("The question", texts.get("question", ""))
    yield Paragraph(f"The scenario that was computed: {run.scenario.description or run.scenario.name}")


def _assumed(run: Run, inputs: Sequence[Input], options: Options) -> Iterator[Block]:
    scenario = run.scenario
    items = []
    for actor in scenario.actors:
        mass = sum(body.mass for body in actor.model.bodies)
        pace = float(np.linalg.norm(actor.velocity))
        motion = f"moving at {speed(pace)} at the start" if pace > 0.01 else "at rest at the start"
        version = f" version {actor.model.version}" if actor.model.version else ""
        model = f"model {actor.model.name}{version}"
        items.append(f"{actor.name}: {_size(actor)}{quantity(mass, 'kg')}, {motion} ({model}).")
    around = ["level ground"] if scenario.settings.ground else []
    around += [f"{plain_name(obstacle.name)} ({obstacle.shape})" for obstacle in scenario.obstacles]
    items.append(f"Surroundings: {', '.join(around) or 'none'}.")
    yield Bullets(tuple(items))
    if options.texts.get("assumptions"):
        yield Examiner("Assumptions", options.texts["assumptions"])
    if flagged := [
        f"{issue.place}: {issue.message}. {issue.remedy}." for issue in implausible_inputs(scenario)
    ]:
        yield Box(("Inputs to be questioned:", *flagged), True)
    if without := [plain_input(entry.name) for entry in _mattering(inputs, options) if entry.is_assumed]:
        yield Paragraph(
            f"Without a source, and therefore assumed: {', '.join(without)}. They should be varied before conclusions "
            "are drawn."
        )
    if overrides := run.manifest.get("overrides"):
        changed = "; ".join(f"{name} = {value}" for name, value in overrides.items())
        yield Paragraph(f"Changed for this run on the command line or in the panel: {changed}.")


def _size(actor: Actor) -> str:
    """Sex and age of a person, and the height of whoever has one, with a comma behind."""
    person = actor.person
    who = f"{'male' if person.sex >= 0.5 else 'female'}, {person.age:g} years, " if person else ""
    return who + (f"{actor.model.height:.2f} m tall, " if actor.model.height else "")


def _happened(run: Run, texts: Mapping[str, str], looks: Looks) -> Iterator[Block]:
    moments = tell(run.scenario, run.recording)
    if not moments:
        yield Paragraph("The run has no output times.")
        return
    if texts.get("course of events"):
        yield Examiner("Course of events", texts["course of events"])
    yield Paragraph(_about_pictures(run, looks), "note")
    for moment in moments:
        frame = int(np.clip(np.searchsorted(run.recording.times, moment.time), 0, run.recording.frames - 1))
        yield Heading(moment.title)
        yield Paragraph(moment.text)
        time = float(run.recording.times[frame])
        caption = f"{moment.title}{moment.shown}{f', {time:.3f} s after the start' if time > 0.0 else ' of the run'}."
        focus = set(moment.focus) or None
        yield Picture(picture_of(run.scenario, run.recording, frame, focus, looks), caption)
        yield from _curve(run, moment)


def _about_pictures(run: Run, looks: Looks) -> str:
    """How the pictures are to be read."""
    to_scale = "Pictures are drawn to scale from the recording, in parallel projection"
    if not looks.names:
        return f"{to_scale}: each body part by its contact surfaces, lines on the ground one metre apart."
    others = [actor.name for actor in run.scenario.actors if actor.name not in looks.names]
    rest = f" Shown by contact surfaces: {', '.join(others)}." if others else ""
    return (
        f"{to_scale}, lines on the ground one metre apart. Shown by a skin that follows the computed bodies: "
        f"{', '.join(looks.names)}.{rest} What touched was computed from contact surfaces under the skin: skins may "
        "overlap or stand apart by some centimetres. Colours and clothes have no meaning."
    )


def _curve(run: Run, moment: Moment) -> Iterator[Block]:
    """The acceleration that belongs beside a moment, where a sensor measured it."""
    if moment.body < 0:
        return
    try:
        signal = filtered(body_channel(run.scenario, run.recording, moment.body, "acceleration"))
    except NotMeasured:
        return
    inside = (signal.times >= moment.time - BEFORE) & (signal.times <= moment.time + AFTER)
    if np.count_nonzero(inside) < 8:
        return
    name = plain_name(run.recording.body_names[moment.body])
    times, values = 1000.0 * signal.times[inside], resultant(signal.values[inside]) / STANDARD_GRAVITY
    figure = plots.plot_line(
        times, values, f"Acceleration of the {name}", "time (ms)", "g", mark=1000.0 * moment.time
    )
    caption = (
        f"Acceleration of the {name} (resultant, {signal.filter}) around that moment, marked by the line."
    )
    yield Picture(plots.png_bytes(figure, RESOLUTION), caption, 0.62)


def _results(
    run: Run, families: Mapping[str, Sequence[Measure]], check: StepCheck | None, texts: Mapping[str, str]
) -> Iterator[Block]:
    errors = {(d.name, d.subject): d for d in check.differences} if check else {}
    people = {actor.name for actor in run.scenario.actors if is_person(actor)}
    kind = kind_of_case(run.scenario)
    groups = [("Over the whole run", _key_measures(families, people)), *_by_impact(families)]
    shown = [(title, [m for m in measures if not np.isnan(m.value)]) for title, measures in groups]
    notes = list(dict.fromkeys(flag for _, measures in shown for m in measures for flag in m.flags))
    yield Paragraph(_assurance(check))
    for title, measures in shown:
        if not measures:
            continue
        yield Heading(title)
        rows = [
            (
                _result_name(m),
                _of(m),
                quantity(m.value, m.unit),
                _error(m, errors),
                _expected(m, kind),
                _marks(m, notes),
            )
            for m in measures
        ]
        marked = tuple(k for k, m in enumerate(measures) if m.flags)
        yield Table(
            ("result", "of", "value", "numerical error", "error to expect", "flags"),
            rows_of(rows),
            (2, 3, 4),
            (0,),
            marked=marked,
        )
    for number, note in enumerate(notes, start=1):
        yield Paragraph(f"{FLAG} [{number}] {note}.", "note")
    yield Paragraph(EXPECTED, "note")
    yield Paragraph("Definitions, validity and further values are in the appendix on measures.", "note")
    if texts.get("results"):
        yield Examiner("Results", texts["results"])


def _expected(measure: Measure, kind: str) -> str:
    """Bias and scatter that the validation found of such a measure, or a dash."""
    found = expected_error(measure.name, kind)
    return "-" if found is None else found.text


def _key_measures(families: Mapping[str, Sequence[Measure]], people: set[str]) -> list[Measure]:
    """Criteria, and the first of each key family, those of people and their heads before all others."""
    chosen = [m for family in families.values() for m in family if m.name in KEY_CRITERIA]

    def order(measure: Measure) -> tuple[bool, bool]:
        actor, _, body = measure.subject.partition(" / ")
        return actor not in people, "head" not in body.lower()

    for family in KEY_FAMILIES:
        chosen += sorted((m for m in families.get(family, ()) if m not in chosen), key=order)[:4]
    return chosen


def _by_impact(families: Mapping[str, Sequence[Measure]]) -> list[tuple[str, list[Measure]]]:
    """Measures of each impact of a head, under what it struck and when."""
    found: dict[str, list[Measure]] = {}
    for measure in (m for family in families.values() for m in family if m.name.startswith("impact ")):
        if ", impact " in measure.subject:
            when = f"{measure.details['time_s']:.3f} s"
            struck = plain_name(str(measure.details["touched"]))
            found.setdefault(f"{measure.subject}: on {struck}, {when} after the start", []).append(measure)
    return list(found.items())


def _result_name(measure: Measure) -> str:
    return measure.name.removeprefix("impact ") if ", impact " in measure.subject else measure.name


def _of(measure: Measure) -> str:
    return measure.subject.partition(", impact")[0]


def _error(measure: Measure, errors: Mapping[tuple[str, str], Difference]) -> str:
    difference = errors.get((measure.name, measure.subject))
    if difference is None or np.isnan(difference.relative):
        return "not known"
    return percent(difference.relative)


def _marks(measure: Measure, notes: Sequence[str]) -> str:
    return (
        " ".join([FLAG, *(f"[{notes.index(flag) + 1}]" for flag in measure.flags)]) if measure.flags else ""
    )


def _assurance(check: StepCheck | None) -> str:
    """What the column of errors is."""
    if check is None:
        return "The step check was not made: how far these values depend on the time step is not known."
    about = f"The numerical error is what the value changes by in a finer run ({check.change})."
    return f"{about} It says nothing about the inputs."


def _inputs(run: Run, inputs: Sequence[Input], options: Options) -> Iterator[Block]:
    chosen = _mattering(inputs, options)
    if options.influence:
        yield Paragraph(
            "Ordered by their share in the spread of the results, from the sweep that belongs to this report."
        )
    else:
        yield Paragraph(
            "What was given for this event. No sweep belongs to this report, so the influence of each is not known."
        )
    rows = []
    for entry in chosen:
        origin, share = entry.stated, _influence(entry, options)
        rows.append(
            (
                plain_input(entry.name),
                f"{rounded(entry.value)} {entry.unit}".strip(),
                origin.kind or "no origin",
                origin.source or "",
                origin.uncertainty,
                origin.exhibit,
                "" if np.isnan(share) else percent(share),
            )
        )
    header = ("input", "value", "origin", "source", "uncertainty", "exhibit", "influence")
    marked = tuple(k for k, entry in enumerate(chosen) if entry.is_assumed)
    yield Table(header, rows_of(rows), (6,), (0, 2), marked=marked)
    if marked:
        yield Paragraph("Shaded: assumed, or without an origin.", "note")
