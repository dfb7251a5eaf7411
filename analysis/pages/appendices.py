"""The parts of a report behind its results: numerical quality, warnings, and the appendices with every detail."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ...engine.runs.recording import Recording
from ..files import manifest
from ..files.run_folder import Run
from ..files.summary import residual_share
from ..measures import Measure
from ..measures.channels import NotMeasured, body_channel
from ..measures.expected_error import NONE, expected_errors
from ..measures.impact import surface_label
from ..measures.impacts import JOIN_GAP, impact_rows, share_text
from ..measures.measure import FLAG
from ..measures.step_resolution import all_warnings
from ..plots import figures as plots
from ..plots.highlights import plotted_bodies, plotted_joints
from .blocks import Block, Box, Bullets, Definition, Heading, Paragraph, Picture, Table, rows_of
from .provenance import Input, plain_input
from .step_check import Difference, StepCheck
from .wording import digits

RESOLUTION = 110
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
MEASURE_HEADER = ("measure", "of", "value", "step error", "details", "notes")


def versions_sentence(run: Run) -> Iterator[Block]:
    """With what it was computed, in one sentence."""
    versions, settings = run.manifest["versions"], run.scenario.settings
    program = (
        f"Mannequin {versions['mannequin']} (engine {versions['engine_sources']}, {versions['engine_mode']})"
    )
    step = f"time step {1e6 * settings.time_step:g} microseconds, {settings.duration:g} s in all"
    yield Paragraph(f"Computed with {program}, integrator {settings.integrator.replace('_', ' ')}, {step}.")


def quality(run: Run, check: StepCheck | None) -> Iterator[Block]:
    """Energy, penetration, and what a finer run changes."""
    recording = run.recording
    if recording.frames > 1:
        caption = "Energy ledger of the run; below, the numerical error."
        yield Picture(plots.png_bytes(plots.plot_energy(recording), RESOLUTION), caption, 0.8)
        share = 100.0 * residual_share(recording)
        yield Paragraph(f"Largest numerical energy error: {share:.3g} % of the energy in the run.")
    if len(recording.contacts):
        deepest = recording.contacts[int(np.argmax(recording.contacts["peak_penetration"]))]
        yield Paragraph(
            f"Largest penetration of two surfaces: {1e3 * deepest['peak_penetration']:.1f} mm "
            f"({surface_label(recording, deepest, 'a')} on {surface_label(recording, deepest, 'b')})."
        )
    yield Heading("Step check")
    if check is None:
        yield Box(("The run was not repeated at half the time step: step check not made.",), True)
        return
    yield Paragraph(f"The run was repeated more finely ({check.change}); it {check.refined_status}.")
    rows = [
        (d.name, d.subject, digits(d.value, 4), digits(d.refined, 4), d.unit, error_text(d))
        for d in check.differences
    ]
    yield Table(("value", "of", "this run", "finer run", "unit", "difference"), rows_of(rows), (2, 3, 5))


def error_text(difference: Difference) -> str:
    """How much the finer run changes a value."""
    if np.isnan(difference.relative):
        return "not in the finer run"
    return f"{100.0 * difference.relative:.2g} %"


def warnings(run: Run) -> Iterator[Block]:
    """What the engine and the models have to say."""
    notes = [(actor.name, text) for actor in run.scenario.actors for text in actor.model.notes]
    said = {f"actor '{name}': {text}" for name, text in notes}  # the engine passes notes of models on
    lines = [f"Warning: {text}" for text in all_warnings(run.scenario, run.recording) if text not in said]
    lines += run.scenario.notes
    lines += [f"{name}: {text}" for name, text in notes]
    yield Bullets(tuple(lines)) if lines else Paragraph("None.")


def measures(families: Mapping[str, Sequence[Measure]], check: StepCheck | None) -> Iterator[Block]:
    """One table for each family, with the error that the step check found, its notes by number, and the definitions
    below it."""
    errors = {(d.name, d.subject): error_text(d) for d in check.differences} if check else {}
    if not families:
        yield Paragraph("No output times, so nothing was measured.")
    for family, found in families.items():
        notes = list(dict.fromkeys(text for measure in found for text in measure.remarks))
        rows = [
            (
                measure.name,
                measure.subject,
                value_text(measure),
                errors.get((measure.name, measure.subject), ""),
                details(measure),
                " ".join(f"[{notes.index(text) + 1}]" for text in measure.remarks),
            )
            for measure in found
        ]
        yield Heading(family)
        yield Table(MEASURE_HEADER, rows_of(rows), (2, 3), (0, 1))
        yield from (Paragraph(f"[{number}] {text}.", "note") for number, text in enumerate(notes, start=1))
        for name, definition, validity in dict.fromkeys((m.name, m.definition, m.validity) for m in found):
            yield Definition(name, f"{definition} Validity: {validity} Error to expect: {_expected(name)}.")


def _expected(name: str) -> str:
    """What the validation found of a measure, by kind of case."""
    return "; ".join(error.sentence for error in expected_errors(name)) or NONE


def value_text(measure: Measure) -> str:
    """The value with its unit, to four digits and without an exponent, and a mark where it is flagged."""
    if np.isnan(measure.value):
        return "not available"
    return f"{digits(measure.value, 4)} {measure.unit}".rstrip() + (f" {FLAG}" if measure.flags else "")


def details(measure: Measure) -> str:
    """Further figures of a measure in one line."""

    def show(value: object) -> str:
        return f"{value:.4g}" if isinstance(value, float) else str(value)

    parts = []
    for name, value in measure.details.items():
        label, _, unit = name.rpartition("_")
        has_unit = bool(label) and unit in ("s", "m", "m/s", "N", "J", "rad/s")
        parts.append(
            f"{(label if has_unit else name).replace('_', ' ')} {show(value)}{' ' + unit if has_unit else ''}"
        )
    return ", ".join(parts)


def contacts(run: Run) -> Iterator[Block]:
    """Impacts by time, then every contact."""
    recording = run.recording
    rows = impact_rows(run.scenario, recording) if recording.frames else []
    if not rows:
        yield Paragraph("Nothing touched anything.")
        return
    hardest = sorted(rows, key=lambda row: -row[0].peak_force)[:LISTED_IMPACTS]
    kept = [row for row in rows if row in hardest]
    lines = [
        (
            f"{impact.start:.4f}",
            f"{impact.end:.4f}",
            first,
            second,
            f"{impact.approach_speed:.2f}",
            f"{impact.peak_force:,.0f}",
            f"{impact.peak_time:.4f}",
            share_text(recording, impact),
        )
        for impact, first, second in kept
    ]
    yield Paragraph(
        f"Contacts of the same two bodies less than {1e3 * JOIN_GAP:g} ms apart are one impact; bodies that are "
        "fixed to each other count as one. The force is the sum of their contacts."
    )
    header = (
        "from (s)", "to (s)", "body", "struck", "approach (m/s)", "largest force (N)", "at (s)",
        "shares of the impulse",
    )  # fmt: skip
    yield Table(header, rows_of(lines), (0, 1, 4, 5, 6), (2, 3))
    if len(rows) > len(kept):
        yield Paragraph(f"The {len(kept)} hardest of {len(rows)}.")
    yield Heading("Timeline of contacts")
    yield from timeline(recording)


def timeline(recording: Recording) -> Iterator[Block]:
    """Contacts of each body part over time."""
    yield Picture(
        plots.png_bytes(plots.plot_timeline(recording), RESOLUTION),
        "Contacts of each body part over time, with the largest normal force.",
    )
    rows = []
    for event in recording.contacts[:LISTED_CONTACTS]:
        start, end, *rest = (
            "open"
            if np.isnan(event[member])
            else f"{round(factor * float(event[member]), places) + 0.0:,.{places}f}"
            for member, _, factor, places in CONTACT_COLUMNS
        )
        rows.append((start, end, *(surface_label(recording, event, side) for side in "ab"), *rest))
    begin, end, *rest = (heading for _, heading, _, _ in CONTACT_COLUMNS)
    yield Table((begin, end, "surface", "touches", *rest), rows_of(rows), (0, 1, 4, 5, 6, 7, 8), (2,))
    if len(recording.contacts) > LISTED_CONTACTS:
        yield Paragraph(
            f"The first {LISTED_CONTACTS} of {len(recording.contacts)}; all are in the contacts table."
        )


def parameters(run: Run, inputs: Sequence[Input]) -> Iterator[Block]:
    """Every input under its plain name, with its address and its source."""
    assumed = sum(entry.is_assumed for entry in inputs)
    yield Paragraph(f"{assumed} of {len(inputs)} inputs have no source and are listed first, as assumed.")
    rows = [
        (
            plain_input(entry.name),
            entry.value,
            entry.unit,
            f"assumed: {entry.origin}" if entry.is_assumed else entry.source,
            entry.name,
        )
        for entry in inputs
    ]
    marked = tuple(k for k, entry in enumerate(inputs) if entry.is_assumed)
    yield Table(
        ("input", "value", "unit", "source", "address"),
        rows_of(rows),
        labels=(2,),
        digests=(4,),
        marked=marked,
    )


def curves(run: Run) -> Iterator[Block]:
    """Curves of sensors, of bodies and of joints."""
    recording = run.recording
    if recording.frames < 2:
        yield Paragraph("Too few output times to plot.")
        return
    if recording.channel_sensor:
        yield Paragraph(
            "Sensors, sampled at every time step and filtered by SAE J211 channel frequency classes (CFC) before "
            "they were thinned out for these plots; in body axes unless stated."
        )
    yield from (plotted(plots.plot_channel(channel)) for channel in recording.channels.values())
    yield Paragraph(
        "World axes. Position, velocity and acceleration are those of the centre of mass. The acceleration is that "
        "of the motion, at the output times, and only of parts without a sensor; an accelerometer, as used for the "
        "measures, shows it less gravity."
    )
    for body in plotted_bodies(run.scenario, recording):
        for kind in ("position", "velocity", "angular velocity", "acceleration", "contact force"):
            if kind == "acceleration" and has_accelerometer(run, body):
                continue  # drawn above, from its sensor
            yield plotted(plots.plot_body(recording, body, kind))
    for joint in plotted_joints(run.scenario, recording):
        yield plotted(plots.plot_joint(run.scenario, recording, joint))


def has_accelerometer(run: Run, body: int) -> bool:
    """Whether a sensor measures the acceleration of a body."""
    try:
        body_channel(run.scenario, run.recording, body, "acceleration")
    except NotMeasured:
        return False
    return True


def plotted(figure: plots.Figure) -> Picture:
    """A figure that has its title drawn in it."""
    return Picture(plots.png_bytes(figure, RESOLUTION), figure.axes[0].get_title(), 0.8)


def files(run: Run) -> Iterator[Block]:
    """Versions, machine, and the digests of all files."""
    content = run.manifest
    facts = [*content["versions"].items(), *content["platform"].items()]
    facts += [("started", content["started"]), ("ended", content["ended"]), ("status", content["status"])]
    listed = [("input", entry) for entry in content["inputs"]] + [
        ("output", entry) for entry in content["outputs"]
    ]
    rows = [(kind, entry["path"], entry["bytes"], entry["sha256"]) for kind, entry in listed]
    rows.append(("manifest", manifest.FILE_NAME, "", content["sha256"]))
    facts = [(name.replace("_", " "), value) for name, value in facts]
    yield Table(("what", "value"), rows_of(facts), labels=(0,))
    yield Table(("kind", "file", "bytes", "SHA-256"), rows_of(rows), (2,), digests=(1, 3))
    yield Paragraph(
        "The manifest's digest is that of its content without this digest. To check the whole folder and "
        "simulate again: python -m mannequin verify, followed by the run folder."
    )
