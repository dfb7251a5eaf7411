"""How far each measure can be trusted, in one place: every bound with what it is and where it comes from.

A value is flagged where it lies beyond

* the *curve*: a contact went deeper than the data of its force curve, so that the force was extrapolated or held;
* the *tolerance*: a published limit for the quantity. Rigid bodies do not break or give way, so a larger value says
that the limit is exceeded, not by how much it would have been in a person;
* the *data* of the risk curves that are read by it.

A flag is no error: it says what the number no longer means.
"""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from .impact import surface_label
from .measure import Measure


@dataclass(frozen=True)
class Bound:
    """The largest value of a measure up to which it means what its definition says."""

    measure: str
    most: float
    unit: str
    kind: str
    """"tolerance" or "data\""""
    source: str


VIANO = "Viano 1989, Accid Anal Prev 21:553: critical injury of every fourth cadaver"
FMVSS_208 = "FMVSS 208, mid-size adult male dummy; general knowledge, the text was not read"
FMVSS_208_SUMMARY = "FMVSS 208; read in a summary, cetris.it/tecnica/injurycriteria.htm"
DIRECTIVE = "Directive 96/79/EC, as UN R94; read in a summary, cetris.it/tecnica/injurycriteria.htm"
BOUNDS = (
    Bound("HIC15", 700.0, "", "tolerance", FMVSS_208),
    Bound("HIC36", 1000.0, "", "tolerance", f"{DIRECTIVE}; FMVSS 208 before 2000"),
    Bound("impact HIC15", 700.0, "", "tolerance", FMVSS_208),
    Bound("3 ms clip, contiguous", 80.0, "g", "tolerance", DIRECTIVE),
    Bound("3 ms clip, cumulative", 80.0, "g", "tolerance", DIRECTIVE),
    Bound("impact 3 ms clip", 80.0, "g", "tolerance", DIRECTIVE),
    Bound("Nij", 1.0, "", "tolerance", FMVSS_208),
    Bound("neck tension", 4170.0, "N", "tolerance", FMVSS_208),
    Bound("neck compression", 4000.0, "N", "tolerance", FMVSS_208),
    Bound("chest 3 ms clip", 60.0, "g", "tolerance", FMVSS_208_SUMMARY),
    Bound("chest deflection", 63.0, "mm", "tolerance", FMVSS_208),
    Bound("viscous criterion", 1.0, "m/s", "tolerance", DIRECTIVE),
    Bound("abdomen compression", 44.0, "%", "tolerance", f"{VIANO} (from the side)"),
    Bound("abdomen viscous criterion", 1.98, "m/s", "tolerance", f"{VIANO} (from the side)"),
    Bound("femur compression", 10_000.0, "N", "tolerance", FMVSS_208_SUMMARY),
    Bound("tibia compression", 8000.0, "N", "tolerance", DIRECTIVE),
    Bound("BrIC", 1.0, "", "tolerance", "assumed: 45 % AIS 4+ by the curve of Takhounts et al. 2013"),
    Bound("HIC15", 2000.0, "", "data", "assumed: few of the tests behind the HIC risk curves lie higher"),
    Bound("BrIC", 1.5, "", "data", "assumed: few of the tests behind the BrIC risk curves lie higher"),
)
"""Bounds by measure; one measure may have several."""

DEEPER_THAN_CURVE = 1.0 + 1e-9
"""Share of the depth at which a curve ends from which on a contact counts as beyond it."""
OF_CONTACTS = ("peak contact force", "energy absorbed", "contact duration")
"""Measures that follow from the contacts of their subject directly."""


def flagged(scenario: Scenario, recording: Recording, measures: list[Measure]) -> list[Measure]:
    """The measures, each with the flags that it deserves."""
    curve = curve_flags(recording)
    return [
        dataclasses.replace(measure, flags=(*value_flags(measure), *of_curve(measure, curve)))
        for measure in measures
    ]


def value_flags(measure: Measure) -> tuple[str, ...]:
    """Flags that follow from the value alone."""
    return tuple(bound_text(bound) for bound in bounds_of(measure.name) if exceeds(measure.value, bound))


def bounds_of(name: str) -> list[Bound]:
    """Bounds of a measure, by its name."""
    return [bound for bound in BOUNDS if bound.measure == name]


def exceeds(value: float, bound: Bound) -> bool:
    """Whether a value lies beyond a bound; what is not available does not."""
    return not math.isnan(value) and value > bound.most


def bound_text(bound: Bound) -> str:
    """What it means that a value lies beyond a bound, in one sentence without its full stop."""
    limit = f"{bound.most:g} {bound.unit}".rstrip()
    if bound.kind == "tolerance":
        return (
            f"beyond the published tolerance of {limit} ({bound.source}): the model does not break, so that the "
            "value says that the limit is exceeded, not by how much it would be in a person"
        )
    return (
        f"beyond the data of the risk curves, {limit} ({bound.source}): a risk read from it is extrapolated"
    )


def curve_flags(recording: Recording) -> dict[str, str]:
    """Subject ("actor / body") to a flag, for bodies with a contact deeper than its force curve has data."""
    contacts, ends = recording.contacts, recording.contact_curve_end
    if len(ends) != len(contacts):
        return {}
    flags: dict[str, str] = {}
    beyond = np.flatnonzero(contacts["peak_penetration"] > DEEPER_THAN_CURVE * ends)
    for number in beyond[np.argsort(-(contacts["peak_penetration"][beyond] / ends[beyond]), kind="stable")]:
        event = contacts[number]
        surfaces = [surface_label(recording, event, side) for side in "ab"]
        text = (
            f"beyond the end of a force curve: {' on '.join(surfaces)} at {event['peak_time']:.4f} s was "
            f"{1e3 * event['peak_penetration']:.1f} mm deep, the curve has data to {1e3 * ends[number]:.1f} mm"
        )
        for label in surfaces:
            if " / " in label:
                flags.setdefault(label.rpartition(" / ")[0], text)
    return flags


def of_curve(measure: Measure, flags: dict[str, str]) -> tuple[str, ...]:
    """Of `curve_flags` that of the measure's body, where the measure follows from its contacts."""
    subject = measure.subject.partition(", impact ")[0]
    follows = measure.name in OF_CONTACTS or bool(bounds_of(measure.name)) or "acceleration" in measure.name
    return (flags[subject],) if follows and subject in flags and not math.isnan(measure.value) else ()
