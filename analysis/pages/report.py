"""The report of a run: one HTML file with everything a reader needs to judge it, and nothing from the network."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...engine.runs.recording import COMPLETED, Recording
from ...io_json.marks import KEY as MARKS
from ..files import manifest
from ..files.run_folder import Run, add_files
from ..files.summary import residual_share
from ..measures import Measure, evaluate_families
from ..measures.channels import NotMeasured, body_channel
from ..measures.impact import surface_label
from ..measures.impacts import JOIN_GAP, impact_rows, share_text
from ..measures.measure import FLAG
from ..measures.step_resolution import UNRESOLVED, all_warnings, step_warnings
from ..plots import figures as plots
from ..plots.highlights import plotted_bodies, plotted_joints
from . import html_page as page
from .drawing import draw_key_frame, key_frames
from .limitations import LIMITATIONS
from .marks import marks_section
from .provenance import list_inputs
from .step_check import Difference, StepCheck, check_step

RESOLUTION = 110
MEASURE_HEADER = ("measure", "of", "value", "step error", "details", "notes")
KEY_CRITERIA = ("HIC15", "HIC36", "3 ms clip, contiguous", "BrIC", "Nij")
LISTED_CONTACTS = 80
LISTED_IMPACTS = 40
CONTACT_COLUMNS = (
    ("start", "from (s)", 1, 4),
    ("end", "to (s)", 1, 4),
    ("approach_speed", "approach (m/s)", 1, 3),
    ("sliding_speed", "sliding (m/s)", 1, 3),
    ("peak_force", "peak (N)", 1, 0),
    ("peak_penetration", "depth (mm)", 1000, 1),
    ("energy", "energy (J)", 1, 2),
)
"""Members of a contact event that are listed: heading, factor from SI, digits."""


def build_report(
    run: Run,
    *,
    step_check: StepCheck | None = None,
    risk_curves: bool = False,
) -> str:
    """The HTML text of the report. `step_check` None: the report states that the check was not made."""
    families = evaluate_families(run.scenario, run.recording, risk_curves)
    sections = [
        ("key-results", "Key results", _key_results(run, families, step_check)),
        ("scenario", "Scenario", _scenario(run)),
        ("parameters", "Parameters and their sources", _parameters(run)),
        ("pictures", "Key frames", _pictures(run)),
        ("impacts", "Impacts", _impacts(run)),
        ("contacts", "Timeline of contacts", _contacts(run.recording)),
        *([("marks", "Marks at the place", marks_section(run))] if run.scenario.extras.get(MARKS) else []),
        ("measures", "Measures", _measures(families, step_check)),
        ("plots", "Plots", "".join(_plots(run))),
        ("quality", "Numerical quality", _quality(run.recording, step_check)),
        ("warnings", "Warnings and notes", _warnings(run)),
        ("limitations", "Limitations", page.bullets(LIMITATIONS)),
        ("files", "Versions, files and digests", _files(run)),
    ]
    return page.page(f"{run.scenario.name}: simulation report", _opening(run), sections)


def write_report(
    run: Run,
    *,
    step_halving: bool = True,
    risk_curves: bool = False,
    progress: Callable[[Any], None] | None = None,
) -> list[Any]:
    """Make the report and put it into the run folder with its digest; returns the paths written. Raises FileError."""
    check = check_step(run.scenario, run.recording, progress) if step_halving else None
    text = build_report(run, step_check=check, risk_curves=risk_curves)
    return add_files(run.folder, "report", {"report.html": text.encode("utf-8")})


def _opening(run: Run) -> str:
    content, recording = run.manifest, run.recording
    lines = [
        "This is the result of a computer simulation, not recorded footage and not an eyewitness account. It is "
        "meant to be explained by the expert who made it and answers for its inputs.",
    ]
    parts = [
        f"<h1>{page.text(run.scenario.name)}</h1>",
        page.paragraph(
            f"Simulation report. Run {content['run']}, id {manifest.run_id(content)}, computed "
            f"{content['started']} with Mannequin {content['versions']['mannequin']}.",
            "faint",
        ),
        page.box(lines),
    ]
    if recording.status == UNRESOLVED:
        parts.append(page.box([f"The run is of no use: {recording.message}"], alarm=True))
    elif recording.status != COMPLETED:
        reached = f"{recording.times[-1]:.4g} s" if recording.frames else "no output time"
        parts.append(
            page.box(
                [
                    f"The run did not complete: {recording.status}. {recording.message}",
                    f"It reached {reached} of {run.scenario.settings.duration:g} s; everything below is up to there.",
                ],
                alarm=True,
            )
        )
    if warnings := step_warnings(run.scenario, recording):
        parts.append(page.box(warnings, alarm=True))
    return "".join(parts)


def _scenario(run: Run) -> str:
    scenario = run.scenario
    actors = [
        (
            actor.name,
            f"{actor.model.name} {actor.model.version}".strip(),
            f"{sum(body.mass for body in actor.model.bodies):.2f}",
            f"{actor.model.height:.3f}" if actor.model.height else "",
            len(actor.model.bodies),
            _vector(actor.position),
            _vector(actor.velocity),
        )
        for actor in scenario.actors
    ]
    header = (
        "actor",
        "model",
        "mass (kg)",
        "stature (m)",
        "bodies",
        "start position (m)",
        "start velocity (m/s)",
    )
    parts = [page.paragraph(scenario.description)] if scenario.description else []
    parts.append(page.table(header, actors, numbers=(2, 3, 4)))
    surroundings = ["ground plane z = 0"] if scenario.settings.ground else []
    surroundings += [f"{obstacle.name} ({obstacle.shape})" for obstacle in scenario.obstacles]
    parts.append(page.paragraph("Surroundings: " + (", ".join(surroundings) or "none") + "."))
    return "".join(parts)


def _vector(values: Sequence[float]) -> str:
    return "(" + ", ".join(f"{value:.5g}" for value in values) + ")"


def _parameters(run: Run) -> str:
    inputs = list_inputs(run.scenario)
    assumed = sum(entry.is_assumed for entry in inputs)
    rows = [
        (
            entry.name,
            entry.value,
            entry.unit,
            f"assumed: {entry.origin}" if entry.is_assumed else entry.source,
        )
        for entry in inputs
    ]
    count = f"{assumed} of {len(inputs)} inputs have no source and are listed first, as assumed."
    overrides = run.manifest.get("overrides") or {}
    parts = [page.paragraph(count)]
    if overrides:
        changed = "; ".join(f"{name} = {value}" for name, value in overrides.items())
        parts.append(page.paragraph(f"Changed for this run on the command line or in the panel: {changed}."))
    classes = ["assumed" if entry.is_assumed else "" for entry in inputs]
    parts.append(page.table(("input", "value", "unit", "source"), rows, labels=(2,), row_classes=classes))
    return "".join(parts)


def _pictures(run: Run) -> str:
    frames = key_frames(run.recording)
    if not frames:
        return page.paragraph("The run has no output times.")
    indices = [frame for frame, _ in frames]
    parts = [
        page.paragraph(
            "Drawn to scale from the recording, in parallel projection: outlines of the contact ellipsoids, lines "
            "between the centres of mass of joined body parts."
        )
    ]
    pictures = []
    for frame, why in frames:
        figure = draw_key_frame(run.scenario, run.recording, frame, indices)
        caption = f"t = {run.recording.times[frame]:.4f} s" + (f": {why}" if why else "")
        pictures.append(page.picture(plots.png_bytes(figure, 2 * RESOLUTION), caption))
    return "".join([*parts, page.grid(pictures)])


def _impacts(run: Run) -> str:
    """Contacts of the same two bodies joined to impacts, by time."""
    rows = impact_rows(run.scenario, run.recording) if run.recording.frames else []
    if not rows:
        return page.paragraph("Nothing touched anything.")
    hardest = sorted(rows, key=lambda row: -row[0].peak_force)[:LISTED_IMPACTS]
    kept = [row for row in rows if row in hardest]
    lines = [
        (
            f"{impact.start:.4f}",
            f"{impact.end:.4f}",
            first,
            second,
            f"{impact.approach_speed:.3f}",
            f"{impact.peak_force:.0f}",
            f"{impact.peak_time:.4f}",
            share_text(run.recording, impact),
        )
        for impact, first, second in kept
    ]
    header = (
        "from (s)", "to (s)", "body", "struck", "approach (m/s)", "largest force (N)", "at (s)",
        "shares of the impulse",
    )  # fmt: skip
    remark = (
        f"Contacts of the same two bodies less than {1e3 * JOIN_GAP:g} ms apart are one impact; bodies that are "
        "fixed to each other count as one. The force is the sum of their contacts. What each impact did to "
        "the head is under Measures."
    )
    parts = [page.paragraph(remark), page.table(header, lines, numbers=(0, 1, 4, 5, 6), labels=(2, 3))]
    if len(rows) > len(kept):
        parts.append(page.paragraph(f"The {len(kept)} hardest of {len(rows)}."))
    return "".join(parts)


def _contacts(recording: Recording) -> str:
    contacts = recording.contacts
    if not len(contacts):
        return page.paragraph("Nothing touched anything.")
    parts = [
        page.picture(
            plots.png_bytes(plots.plot_timeline(recording), RESOLUTION),
            "Contacts of each body part over time, with the largest normal force.",
        )
    ]
    rows = []
    for event in contacts[:LISTED_CONTACTS]:
        start, end, *rest = (
            "open" if np.isnan(event[member]) else f"{factor * event[member]:.{digits}f}"
            for member, _, factor, digits in CONTACT_COLUMNS
        )
        rows.append((start, end, *(surface_label(recording, event, side) for side in "ab"), *rest))
    begin, end, *rest = (heading for _, heading, _, _ in CONTACT_COLUMNS)
    header = (begin, end, "surface", "touches", *rest)
    parts.append(page.table(header, rows, numbers=(0, 1, 4, 5, 6, 7, 8), labels=(2,)))
    if len(contacts) > LISTED_CONTACTS:
        parts.append(
            page.paragraph(f"The first {LISTED_CONTACTS} of {len(contacts)}; all are in the contacts table.")
        )
    return "".join(parts)


def _key_results(run: Run, families: Mapping[str, Sequence[Measure]], check: StepCheck | None) -> str:
    """The few values most readers look for first, beside those of the finer run."""
    chosen = [measure for measure in families.get("Head and neck", ()) if measure.name in KEY_CRITERIA]
    for family in ("Contact forces", "Impact speed at first touch"):
        chosen += sorted(families.get(family, ()), key=lambda measure: -measure.value)[:1]
    chosen += families.get("Throw distance and rest position", ())
    finer = {(d.name, d.subject): d.refined for d in check.differences} if check else {}
    rows = [
        (measure.name, measure.subject, measure.text, _finer_text(measure, finer))
        for measure in chosen
        if not np.isnan(measure.value)
    ]
    refined_error = finer.get(("numerical energy error", "run"))
    rows.append(
        (
            "numerical energy error",
            "run",
            f"{100.0 * residual_share(run.recording):.3g} %",
            "" if refined_error is None else f"{refined_error:.3g} %",
        )
    )
    remark = (
        "The definition, the validity and the notes that belong to each value are below, under Measures. "
        f"{FLAG} marks a value beyond its range of trust; its first note says which."
    )
    header = ("value", "of", "this run", "finer run")
    return page.paragraph(remark) + page.table(header, rows, numbers=(2, 3)) + _assurance(check)


def _finer_text(measure: Measure, finer: Mapping[tuple[str, str], float]) -> str:
    refined = finer.get((measure.name, measure.subject), float("nan"))
    return "" if np.isnan(refined) else f"{refined:.4g} {measure.unit}".rstrip()


def _assurance(check: StepCheck | None) -> str:
    """What the column of the finer run is, in one sentence."""
    if check is None:
        return page.paragraph(
            "The step check was not made: how far these values depend on the time step is not known."
        )
    return page.paragraph(f"Finer run: {check.change}. All differences are listed under Numerical quality.")


def _measures(families: Mapping[str, Sequence[Measure]], check: StepCheck | None) -> str:
    """One table for each family, with the error that the step check found, its notes by number, and the definitions
    below it."""
    errors = {(d.name, d.subject): _error_text(d) for d in check.differences} if check else {}
    parts = []
    for family, measures in families.items():
        notes = list(dict.fromkeys(text for measure in measures for text in measure.remarks))
        rows = [
            (
                measure.name,
                measure.subject,
                measure.text,
                errors.get((measure.name, measure.subject), ""),
                _details(measure),
                " ".join(f"[{notes.index(text) + 1}]" for text in measure.remarks),
            )
            for measure in measures
        ]
        parts += [
            page.heading(family),
            page.table(MEASURE_HEADER, rows, numbers=(2, 3), labels=(0, 1)),
        ]
        parts += [page.paragraph(f"[{number}] {text}.", "note") for number, text in enumerate(notes, start=1)]
        definitions = {(m.name, m.definition, m.validity) for m in measures}
        for name, definition, validity in sorted(
            definitions, key=lambda entry: [m.name for m in measures].index(entry[0])
        ):
            parts.append(page.definition(name, definition, f"Validity: {validity}"))
    return "".join(parts) or page.paragraph("No output times, so nothing was measured.")


def _error_text(difference: Difference) -> str:
    """How much the finer run changes a value."""
    if np.isnan(difference.relative):
        return "not in the finer run"
    return f"{100.0 * difference.relative:.2g} %"


def _details(measure: Measure) -> str:
    def show(value: object) -> str:
        return f"{value:.4g}" if isinstance(value, float) else str(value)

    details = []
    for name, value in measure.details.items():
        label, _, unit = name.rpartition("_")
        has_unit = bool(label) and unit in ("s", "m", "m/s", "N", "J", "rad/s")
        details.append(
            f"{(label if has_unit else name).replace('_', ' ')} {show(value)}{' ' + unit if has_unit else ''}"
        )
    return ", ".join(details)


def _plots(run: Run) -> Iterator[str]:
    recording = run.recording
    if recording.frames < 2:
        yield page.paragraph("Too few output times to plot.")
        return
    yield from _channel_plots(recording)
    yield page.paragraph(
        "World axes. Position, velocity and acceleration are those of the centre of mass. The acceleration is that "
        "of the motion, at the output times, and only of parts without a sensor; an accelerometer, as used for the "
        "measures, shows it less gravity."
    )
    for body in plotted_bodies(run.scenario, recording):
        for kind in ("position", "velocity", "angular velocity", "acceleration", "contact force"):
            if kind == "acceleration" and _has_accelerometer(run, body):
                continue  # drawn above, from its sensor
            figure = plots.plot_body(recording, body, kind)
            yield page.plot(plots.png_bytes(figure, RESOLUTION), figure.axes[0].get_title())
    for joint in plotted_joints(run.scenario, recording):
        figure = plots.plot_joint(run.scenario, recording, joint)
        yield page.plot(plots.png_bytes(figure, RESOLUTION), figure.axes[0].get_title())


def _has_accelerometer(run: Run, body: int) -> bool:
    try:
        body_channel(run.scenario, run.recording, body, "acceleration")
    except NotMeasured:
        return False
    return True


def _channel_plots(recording: Recording) -> Iterator[str]:
    """What the sensors measured, filtered by their classes."""
    if recording.channel_sensor:
        yield page.paragraph(
            "Sensors, sampled at every time step and filtered by SAE J211 channel frequency classes (CFC) before "
            "they were thinned out for these plots; in body axes unless stated."
        )
    for channel in recording.channels.values():
        figure = plots.plot_channel(channel)
        yield page.plot(plots.png_bytes(figure, RESOLUTION), figure.axes[0].get_title())


def _quality(recording: Recording, check: StepCheck | None) -> str:
    parts = []
    if recording.frames > 1:
        caption = "Energy ledger of the run; below, the numerical error."
        parts.append(page.picture(plots.png_bytes(plots.plot_energy(recording), RESOLUTION), caption))
        parts.append(
            page.paragraph(
                f"Largest numerical energy error: {100.0 * residual_share(recording):.3g} % of the energy in the run."
            )
        )
    if len(recording.contacts):
        deepest = recording.contacts[int(np.argmax(recording.contacts["peak_penetration"]))]
        parts.append(
            page.paragraph(
                f"Largest penetration of two surfaces: {1e3 * deepest['peak_penetration']:.1f} mm "
                f"({surface_label(recording, deepest, 'a')} on {surface_label(recording, deepest, 'b')})."
            )
        )
    parts.append(page.heading("Step check"))
    if check is None:
        parts.append(
            page.box(["The run was not repeated at half the time step: step check not made."], alarm=True)
        )
        return "".join(parts)
    parts.append(
        page.paragraph(f"The run was repeated more finely ({check.change}); it {check.refined_status}.")
    )
    rows = [
        (d.name, d.subject, f"{d.value:.5g}", f"{d.refined:.5g}", d.unit, _error_text(d))
        for d in check.differences
    ]
    header = ("value", "of", "this run", "finer run", "unit", "difference")
    parts.append(page.table(header, rows, numbers=(2, 3, 5)))
    return "".join(parts)


def _warnings(run: Run) -> str:
    lines = [f"Warning: {text}" for text in all_warnings(run.scenario, run.recording)]
    lines += run.scenario.notes
    lines += [f"{actor.name}: {text}" for actor in run.scenario.actors for text in actor.model.notes]
    return page.bullets(lines) if lines else page.paragraph("None.")


def _files(run: Run) -> str:
    content = run.manifest
    facts = [*content["versions"].items(), *content["platform"].items()]
    facts += [("started", content["started"]), ("ended", content["ended"]), ("status", content["status"])]
    files = [("input", entry) for entry in content["inputs"]] + [
        ("output", entry) for entry in content["outputs"]
    ]
    rows = [(kind, entry["path"], entry["bytes"], entry["sha256"]) for kind, entry in files]
    rows.append(("manifest", manifest.FILE_NAME, "", content["sha256"]))
    return "".join(
        [
            page.table(("what", "value"), facts, labels=(0,)),
            page.table(("kind", "file", "bytes", "SHA-256"), rows, numbers=(2,), digests=(1, 3)),
            page.paragraph(
                "The manifest's digest is that of its content without this digest. To check the whole folder and "
                "simulate again: python -m mannequin verify, followed by the run folder."
            ),
        ]
    )
