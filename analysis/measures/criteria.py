"""Criteria of head, neck, trunk and legs, from channels of sensors (`channels`)."""

from collections.abc import Callable, Collection, Iterable

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Actor, Scenario
from ...engine.spec.body_roles import role_body
from .brain import CRITICAL, bric
from .channels import NotMeasured, Signal, body_channel, filtered
from .clip import clip_contiguous, clip_cumulative
from .head import Head, HeadError, find_heads
from .hic import hic
from .impact import body_label
from .measure import Measure
from .neck import CASES, INTERCEPTS, nij
from .severity import gsi
from .signals import G0, resultant

RIGID_HEAD = (
    "For a rigid head of the model's mass. Comparable with tests of dummy heads; says nothing of a particular person's "
    "tolerance."
)
ACCELEROMETER = (
    "Sensor at the centre of mass, every step: acceleration minus gravity, resultant, in g (9.80665 m/s2)."
)
HEAD_CFC, NECK_CFC, ROTATION_CFC = 1000, 600, 60
HIC_WINDOWS = {"HIC15": 0.015, "HIC36": 0.036}
SEVERITIES: dict[str, tuple[Callable[[np.ndarray, np.ndarray], float], str, str]] = {
    "GSI": (gsi, "", "Gadd severity index: integral of a^2.5 over the whole run."),
    "3 ms clip, contiguous": (clip_contiguous, "g", "Largest level held without a break for 3 ms."),
    "3 ms clip, cumulative": (clip_cumulative, "g", "Level exceeded for 3 ms in total."),
}
"""Criterion to how it is taken from times (s) and acceleration (g), its unit and what it is."""
NO_HEAD = 'no body is a head: name one "head", give it this role, or name it in the scenario\'s outputs'
NAN = float("nan")


def head_measures(
    scenario: Scenario, recording: Recording, wanted: Collection[str] | None = None
) -> list[Measure]:
    """Head and neck criteria of every head; where there is no head, one that gives the reason.

    wanted: names of those asked for; the others are not worked out. Absent: all.
    """
    try:
        heads = find_heads(scenario, recording)
    except HeadError as error:
        return [_no_head(str(error))]
    if not heads:
        return [_no_head(NO_HEAD)]
    measures = []
    for head in heads:
        for names, take in HEAD_CRITERIA.items():
            asked = names if wanted is None else [name for name in names if name in wanted]
            measures += take(scenario, recording, head, asked) if asked else []
    return measures


def _no_head(reason: str) -> Measure:
    definition = "HIC, GSI, 3 ms clip, BrIC and Nij need a head."
    return Measure("head measures", "run", NAN, "", definition, RIGID_HEAD, (reason,))


def _missing(name: str, subject: str, definition: str, validity: str, reason: NotMeasured | str) -> Measure:
    return Measure(name, subject, NAN, "", definition, validity, (str(reason),))


def head_signal(
    scenario: Scenario, recording: Recording, head: Head
) -> tuple[np.ndarray, np.ndarray, Signal]:
    """(times, resultant in g, filtered signal) of a head's accelerometer. Raises NotMeasured."""
    signal = filtered(body_channel(scenario, recording, head.body_index, "acceleration"), HEAD_CFC)
    return signal.times, resultant(signal.values) / G0, signal


def hic_definition(window: float) -> str:
    """In words, for a longest window in s."""
    return (
        "Head injury criterion, largest of (t2-t1) [mean a from t1 to t2]^2.5 over windows of up to "
        f"{window * 1e3:g} ms. "
        f"{ACCELEROMETER}"
    )


def _linear_measures(
    scenario: Scenario, recording: Recording, head: Head, asked: Collection[str]
) -> list[Measure]:
    """HIC15, HIC36, GSI and the 3 ms clips of one head, those that are asked for."""
    try:
        times, acceleration, signal = head_signal(scenario, recording, head)
    except NotMeasured as reason:
        return [
            _missing(name, head.subject, hic_definition(window), RIGID_HEAD, reason)
            for name, window in HIC_WINDOWS.items()
            if name in asked
        ]
    common = {"filter": signal.filter, "head": head.chosen}
    measures = []
    for name, window in HIC_WINDOWS.items():
        if name not in asked:
            continue
        result = hic(times, acceleration, window)
        details = {"from_s": result.start, "to_s": result.end, **common}
        measures.append(
            Measure(
                name,
                head.subject,
                result.value,
                "",
                hic_definition(window),
                RIGID_HEAD,
                signal.warnings,
                details,
            )
        )
    for name, (criterion, unit, summary) in SEVERITIES.items():
        if name in asked:
            value, definition = criterion(times, acceleration), f"{summary} {ACCELEROMETER}"
            measures.append(
                Measure(name, head.subject, value, unit, definition, RIGID_HEAD, signal.warnings, common)
            )
    return measures


BRIC_DEFINITION = (
    "Brain injury criterion: root of the sum of (peak |angular velocity| / critical value)^2 over the head axes; "
    f"critical values {', '.join(f'{c:g}' for c in CRITICAL['average'])} rad/s about x (forward), y (lateral), "
    "z (along the neck)."
)
BRIC_VALIDITY = (
    "For a rigid head, and only as good as the neck of the model. Assumes the head's axes stated in outputs."
)


def _bric_measure(
    scenario: Scenario, recording: Recording, head: Head, _asked: Collection[str]
) -> list[Measure]:
    try:
        channel = body_channel(scenario, recording, head.body_index, "turn_rate")
    except NotMeasured as reason:
        return [_missing("BrIC", head.subject, BRIC_DEFINITION, BRIC_VALIDITY, reason)]
    signal = filtered(channel, ROTATION_CFC)
    turn = signal.values @ head.axes.T
    peaks = np.max(np.abs(turn), axis=0)
    details = {f"peak_{axis}_rad/s": float(peak) for axis, peak in zip("xyz", peaks, strict=True)}
    details |= {"filter": signal.filter}
    return [
        Measure(
            "BrIC",
            head.subject,
            bric(turn),
            "",
            BRIC_DEFINITION,
            BRIC_VALIDITY,
            signal.warnings,
            details,
        )
    ]


NIJ_DEFINITION = (
    "Neck injury criterion Fz/Fint + My/Mint of the load that the neck exerts on the head at the head joint, in head "
    "axes (SAE J211: x forward, y right, z down; tension and flexion positive). The head joint is taken as the "
    "occipital condyles."
)
NIJ_VALIDITY = (
    "Indicative only: a neck of one or two joints without muscles does not carry load as a dummy's or a person's "
    "neck does."
)


def _neck_measures(
    scenario: Scenario, recording: Recording, head: Head, _asked: Collection[str]
) -> list[Measure]:
    """Nij with its four cases, and the peak axial forces."""
    size = scenario.outputs.get("neck_size", next(iter(INTERCEPTS)))
    try:
        if head.joint_index is None:
            raise NotMeasured("the head has no joint to another body")
        if size not in INTERCEPTS:
            raise NotMeasured(f"outputs.neck_size '{size}' is not one of {', '.join(INTERCEPTS)}")
        force, moment = (
            filtered(body_channel(scenario, recording, head.body_index, quantity), NECK_CFC)
            for quantity in ("joint_force", "joint_moment")
        )
    except NotMeasured as reason:
        return [_missing("Nij", head.subject, NIJ_DEFINITION, NIJ_VALIDITY, reason)]
    axial, bending = (force.values @ head.axes.T)[:, 2], (moment.values @ head.axes.T)[:, 1]
    histories = nij(axial, bending, INTERCEPTS[size])
    peaks = {case: float(np.max(histories[case])) for case in CASES}
    worst = max(CASES, key=peaks.__getitem__)
    common = {"joint": recording.joint_names[head.joint_index], "filter": force.filter}
    moment_of_worst = float(force.times[int(np.argmax(histories[worst]))])
    details = {**peaks, "worst": worst, "time_s": moment_of_worst, "intercepts": size, **common}
    measures = [
        Measure("Nij", head.subject, peaks[worst], "", NIJ_DEFINITION, NIJ_VALIDITY, force.warnings, details)
    ]
    for name, history in (("neck tension", axial), ("neck compression", -axial)):
        definition = f"Largest {name.split()[1]} along the head's z axis at the head joint."
        measures.append(_peak(name, head.subject, history, force, "N", definition, NIJ_VALIDITY, common))
    return measures


HEAD_CRITERIA: dict[tuple[str, ...], Callable[..., list[Measure]]] = {
    (*HIC_WINDOWS, *SEVERITIES): _linear_measures,
    ("BrIC",): _bric_measure,
    ("Nij", "neck tension", "neck compression"): _neck_measures,
}
"""Names of measures of a head to the function that takes them together, in the order of the report."""


def _peak(
    name: str,
    subject: str,
    history: np.ndarray,
    signal: Signal,
    unit: str,
    definition: str,
    validity: str,
    details: dict,
) -> Measure:
    """The largest value of an (n,) history of a signal, zero where it is never positive."""
    k = int(np.argmax(history))
    found = {"time_s": float(signal.times[k]), **details}
    value = max(float(history[k]), 0.0)
    return Measure(name, subject, value, unit, definition, validity, signal.warnings, found)


LEG_VALIDITY = (
    "Of a rigid bone on the joints of the model; a load cell in mid-shaft, as a dummy has it, would show less of the "
    "leg's own inertia."
)
CHEST_VALIDITY = (
    "Of the rigid part of the trunk, with the spine; chest deflection is a measure of its own where the model has a "
    "sternum."
)
LEGS = (
    ("left_femur", "femur compression"),
    ("right_femur", "femur compression"),
    ("left_tibia", "tibia compression"),
    ("right_tibia", "tibia compression"),
)


def trunk_and_leg_measures(scenario: Scenario, recording: Recording) -> list[Measure]:
    """3 ms clip of every chest, load of every lower neck, axial load of femurs and tibias, where they are measured."""
    measures: list[Measure] = []
    for actor in scenario.actors:
        if role_body(actor.model, "head") is not None:
            for measure in _of_actor(scenario, recording, actor):
                try:
                    measures.append(measure())
                except NotMeasured:
                    continue
    return measures


def _of_actor(scenario: Scenario, recording: Recording, actor: Actor) -> Iterable[Callable[[], Measure]]:
    for role, name in LEGS:
        if (body := role_body(actor.model, role)) is not None:
            yield lambda b=body.name, n=name: _axial(scenario, recording, actor, b, n)
    if (body := role_body(actor.model, "chest")) is not None:
        yield lambda b=body.name: _chest(scenario, recording, recording.body_index(actor.name, b))
    if (body := role_body(actor.model, "neck")) is not None:
        for quantity, unit in (("joint_force", "N"), ("joint_moment", "N m")):
            yield lambda b=body.name, q=quantity, u=unit: _lower_neck(
                scenario, recording, recording.body_index(actor.name, b), q, u
            )


def _chest(scenario: Scenario, recording: Recording, body: int) -> Measure:
    signal = filtered(body_channel(scenario, recording, body, "acceleration"), 180)
    value = clip_contiguous(signal.times, resultant(signal.values) / G0)
    definition = f"Largest level held without a break for 3 ms. {ACCELEROMETER}"
    return Measure(
        "chest 3 ms clip",
        body_label(recording, body),
        value,
        "g",
        definition,
        CHEST_VALIDITY,
        signal.warnings,
        {"filter": signal.filter},
    )


def _lower_neck(scenario: Scenario, recording: Recording, body: int, quantity: str, unit: str) -> Measure:
    signal = filtered(body_channel(scenario, recording, body, quantity), NECK_CFC)
    what = quantity.removeprefix("joint_")
    definition = f"Largest resultant {what} at the joint below the neck, of the trunk on the neck."
    details = {"filter": signal.filter, "joint": recording.joint_names[body]}
    return _peak(
        f"lower neck {what}",
        body_label(recording, body),
        resultant(signal.values),
        signal,
        unit,
        definition,
        NIJ_VALIDITY,
        details,
    )


def _axial(scenario: Scenario, recording: Recording, actor: Actor, body: str, name: str) -> Measure:
    """Load along the line from the upper joint through the centre of mass."""
    index = recording.body_index(actor.name, body)
    signal = filtered(body_channel(scenario, recording, index, "joint_force"))
    joint = next(joint for joint in actor.model.joints if joint.child == body)
    line = np.asarray(recording.body_com[index]) - np.array([row[3] for row in joint.T2[:3]], dtype=float)
    if np.linalg.norm(line) == 0.0:
        raise NotMeasured("the bone has no length")
    axial = signal.values @ (line / np.linalg.norm(line))
    definition = (
        "Largest force along the bone at its upper joint (hip or knee), pressing; along the line from the joint "
        "through the centre of mass."
    )
    details = {"filter": signal.filter, "largest_pull_N": max(0.0, -float(np.min(axial)))}
    return _peak(name, body_label(recording, index), axial, signal, "N", definition, LEG_VALIDITY, details)


def peak_accelerations(scenario: Scenario, recording: Recording) -> list[Measure]:
    """Largest resultant of every accelerometer, through its filter class."""
    measures = []
    for body in range(len(recording.body_names)):
        try:
            signal = filtered(body_channel(scenario, recording, body, "acceleration"))
        except NotMeasured:
            continue
        measures.append(
            _peak(
                "peak acceleration",
                body_label(recording, body),
                resultant(signal.values) / G0,
                signal,
                "g",
                f"Largest value. {ACCELEROMETER} Body parts without a sensor are not listed: frames miss peaks.",
                CHEST_VALIDITY,
                {"filter": signal.filter},
            )
        )
    return measures
