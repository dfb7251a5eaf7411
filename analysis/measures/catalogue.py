"""All measures of a run, in the order of the report."""

from collections.abc import Callable

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from .brain import CRITICAL, bric
from .clip import clip_contiguous, clip_cumulative
from .filters import filter_channel
from .head import Head, HeadError, find_heads
from .hic import hic
from .impact import absorbed_energy, body_label, contact_durations, contact_forces, impact_speeds
from .measure import Measure
from .neck import CASES, INTERCEPTS, nij
from .risk import CURVES
from .severity import gsi
from .signals import accelerometer, resultant, sampling_rate
from .throw import throw_measures

RIGID_HEAD = (
    "For a rigid head of the model's mass. Comparable with tests of dummy heads; says nothing of a particular person's "
    "tolerance."
)
ACCELEROMETER = (
    "Accelerometer at the centre of mass: acceleration minus gravity, resultant, in g (9.80665 m/s2)."
)
HEAD_CFC, NECK_CFC, ROTATION_CFC = 1000, 600, 60


def evaluate(scenario: Scenario, recording: Recording, risk_curves: bool = False) -> list[Measure]:
    """Every measure of a run. Risk curves only when asked for."""
    families = evaluate_families(scenario, recording, risk_curves)
    return [measure for family in families.values() for measure in family]


def evaluate_families(
    scenario: Scenario, recording: Recording, risk_curves: bool = False
) -> dict[str, list[Measure]]:
    """The measures by family, in the order of the report; empty families are left out."""
    if recording.frames == 0:
        return {}
    families = {name: family(scenario, recording) for name, family in FAMILIES.items()}
    if risk_curves:
        families = _with_risk(families)
    return {name: measures for name, measures in families.items() if measures}


def _with_risk(families: dict[str, list[Measure]]) -> dict[str, list[Measure]]:
    """The families with that of the risk curves after the criteria they are for."""
    head = families.pop(HEAD_FAMILY)
    return {HEAD_FAMILY: head, "Risk curves": risk_measures(head), **families}


def head_measures(scenario: Scenario, recording: Recording) -> list[Measure]:
    """Head and neck criteria of every head; where there is no head, one that gives the reason."""
    try:
        heads = find_heads(scenario, recording)
    except HeadError as error:
        return [_no_head(str(error))]
    if not heads:
        return [_no_head('no body is named "head": name one in the scenario\'s outputs to get head measures')]
    measures = []
    for head in heads:
        measures += _linear_measures(scenario, recording, head)
        measures.append(_bric_measure(recording, head))
        measures += _neck_measures(scenario, recording, head)
    return measures


def _no_head(reason: str) -> Measure:
    definition = "HIC, GSI, 3 ms clip, BrIC and Nij need a head."
    return Measure("head measures", "run", float("nan"), "", definition, RIGID_HEAD, (reason,))


def _linear_measures(scenario: Scenario, recording: Recording, head: Head) -> list[Measure]:
    """HIC15, HIC36, GSI and the 3 ms clips of one head."""
    signal = accelerometer(scenario, recording, head.body_index)
    times, filtered, warnings = filter_channel(recording.times, signal, HEAD_CFC)
    acceleration = resultant(filtered)
    common = {"filter": "none" if _unfiltered(warnings) else f"CFC {HEAD_CFC}", "head": head.chosen}
    if not np.all(np.isfinite(acceleration)):
        reason = ("the head's acceleration is not finite: the run diverged",)
        return [Measure("HIC15", head.subject, float("nan"), "", ACCELEROMETER, RIGID_HEAD, reason)]
    measures = []
    for name, window in (("HIC15", 0.015), ("HIC36", 0.036)):
        result = hic(times, acceleration, window)
        details = {"from_s": result.start, "to_s": result.end, **common}
        definition = (
            f"Head injury criterion, largest of (t2-t1) [mean a from t1 to t2]^2.5 over windows of up to "
            f"{window * 1e3:g} ms. {ACCELEROMETER}"
        )
        measures.append(
            Measure(name, head.subject, result.value, "", definition, RIGID_HEAD, warnings, details)
        )
    for name, value, unit, summary in (
        ("GSI", gsi(times, acceleration), "", "Gadd severity index: integral of a^2.5 over the whole run."),
        (
            "3 ms clip, contiguous",
            clip_contiguous(times, acceleration),
            "g",
            "Largest level held without a break for 3 ms.",
        ),
        (
            "3 ms clip, cumulative",
            clip_cumulative(times, acceleration),
            "g",
            "Level exceeded for 3 ms in total.",
        ),
    ):
        definition = f"{summary} {ACCELEROMETER}"
        measures.append(Measure(name, head.subject, value, unit, definition, RIGID_HEAD, warnings, common))
    return measures


def _unfiltered(warnings: tuple[str, ...]) -> bool:
    return any(warning.startswith("not filtered") for warning in warnings)


def _bric_measure(recording: Recording, head: Head) -> Measure:
    turn = head.to_head_axes(recording, recording.angular_velocity[:, head.body_index])
    _, filtered, warnings = filter_channel(recording.times, turn, ROTATION_CFC)
    peaks = np.max(np.abs(filtered), axis=0)
    return Measure(
        "BrIC",
        head.subject,
        bric(filtered),
        "",
        "Brain injury criterion: root of the sum of (peak |angular velocity| / critical value)^2 over the head axes; "
        f"critical values {', '.join(f'{c:g}' for c in CRITICAL['average'])} rad/s about x (forward), y (lateral), "
        "z (along the neck).",
        "For a rigid head, and only as good as the neck of the model. Assumes the head's axes stated in outputs.",
        warnings,
        {
            "peak_x_rad/s": float(peaks[0]),
            "peak_y_rad/s": float(peaks[1]),
            "peak_z_rad/s": float(peaks[2]),
            "filter": "none" if _unfiltered(warnings) else f"CFC {ROTATION_CFC}",
        },
    )


NIJ_DEFINITION = (
    "Neck injury criterion Fz/Fint + My/Mint of the load that the neck exerts on the head at the head joint, in head "
    "axes (SAE J211: x forward, y right, z down; tension and flexion positive). The head joint is taken as the "
    "occipital condyles."
)
NIJ_VALIDITY = (
    "Indicative only: a neck of one or two joints without muscles does not carry load as a dummy's or a person's "
    "neck does."
)


def _neck_measures(scenario: Scenario, recording: Recording, head: Head) -> list[Measure]:
    """Nij with its four cases, and the peak axial forces."""
    if head.joint_index is None or recording.reaction_force.shape != recording.joint_rate.shape:
        reason = (
            "the head has no joint to another body"
            if head.joint_index is None
            else "joint reactions were not recorded: set reactions to true"
        )
        return [Measure("Nij", head.subject, float("nan"), "", NIJ_DEFINITION, NIJ_VALIDITY, (reason,))]
    force = head.to_head_axes(recording, recording.reaction_force[:, head.joint_index])
    moment = head.to_head_axes(recording, recording.reaction_moment[:, head.joint_index])
    times, load, warnings = filter_channel(recording.times, np.hstack([force, moment]), NECK_CFC)
    axial, bending = load[:, 2], load[:, 4]
    size = scenario.outputs.get("neck_size", next(iter(INTERCEPTS)))
    if size not in INTERCEPTS:
        reason = (f"outputs.neck_size '{size}' is not one of {', '.join(INTERCEPTS)}",)
        return [Measure("Nij", head.subject, float("nan"), "", NIJ_DEFINITION, NIJ_VALIDITY, reason)]
    histories = nij(axial, bending, INTERCEPTS[size])
    peaks = {case: float(np.max(histories[case])) for case in CASES}
    worst = max(CASES, key=peaks.__getitem__)
    common = {
        "joint": recording.joint_names[head.joint_index],
        "filter": "none" if _unfiltered(warnings) else f"CFC {NECK_CFC}",
    }
    details = {
        **peaks,
        "worst": worst,
        "time_s": float(times[int(np.argmax(histories[worst]))]),
        "intercepts": size,
        **common,
    }
    measures = [
        Measure("Nij", head.subject, peaks[worst], "", NIJ_DEFINITION, NIJ_VALIDITY, warnings, details)
    ]
    for name, history in (("neck tension", axial), ("neck compression", -axial)):
        k = int(np.argmax(history))
        definition = f"Largest {name.split()[1]} along the head's z axis at the head joint."
        measures.append(
            Measure(
                name,
                head.subject,
                max(float(history[k]), 0.0),
                "N",
                definition,
                NIJ_VALIDITY,
                warnings,
                {"time_s": float(times[k]), **common},
            )
        )
    return measures


def peak_accelerations(scenario: Scenario, recording: Recording) -> list[Measure]:
    """Largest resultant accelerometer reading of every body, unfiltered."""
    measures = []
    rate = sampling_rate(recording.times)
    warnings = ()
    if not rate >= 1e4 * (1.0 - 1e-9):
        warnings = (f"sampled {rate:.6g} times per second: a peak between two output times may be missed",)
    for body in range(len(recording.body_names)):
        reading = resultant(accelerometer(scenario, recording, body))
        frame = int(np.argmax(reading))
        measures.append(
            Measure(
                "peak acceleration",
                body_label(recording, body),
                float(reading[frame]),
                "g",
                f"Largest value at the output times, unfiltered. {ACCELEROMETER}",
                "Of a rigid body part. A rigid torso has no chest deflection, so no chest criterion follows from it.",
                warnings,
                {"time_s": float(recording.times[frame])},
            )
        )
    return measures


def risk_measures(measures: list[Measure]) -> list[Measure]:
    """Every risk curve applied to the measures it is for."""
    return [
        Measure(
            f"risk of {curve.severity} ({curve.name})",
            measure.subject,
            curve.probability(measure.value),
            "",
            f"Curve '{curve.name}' applied to {measure.name} = {measure.value:.4g}.",
            "Share of a tested population, not the probability of injury of a particular person. Curves for the same "
            "criterion differ by a factor of two and more.",
        )
        for curve in CURVES
        for measure in measures
        if measure.name == curve.criterion and not np.isnan(measure.value)
    ]


HEAD_FAMILY = "Head and neck"
FAMILIES: dict[str, Callable[[Scenario, Recording], list[Measure]]] = {
    HEAD_FAMILY: head_measures,
    "Impact speed at first touch": lambda scenario, recording: impact_speeds(recording),
    "Contact forces": lambda scenario, recording: contact_forces(recording),
    "Contact durations": lambda scenario, recording: contact_durations(recording),
    "Energy absorbed": lambda scenario, recording: absorbed_energy(recording),
    "Throw distance and rest position": lambda scenario, recording: throw_measures(recording),
    "Peak accelerations": peak_accelerations,
}
"""Family of measures to the function that takes them, in the order of the report."""
