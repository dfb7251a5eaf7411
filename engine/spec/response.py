"""How a living person responds to a fall: presets with the source of every number, and what an actor may change.

"Assumed" is a number without a measurement behind it. Sources were read as abstracts only.
"""

from dataclasses import dataclass
from math import inf

from .description import Choices, described

RESPONSE_PRESETS = Choices(
    adult="A conscious adult",
    elderly="An older adult: later, slower and weaker",
    child="A child: later than an adult; its strength goes with its size",
    unconscious="An unconscious person: limp from the start",
    tone="Only muscle tone, which fades after landing: nothing is done against the fall",
)
ARMING = Choices(
    balance="From the start time on: balance is watched",
    touch="From the first touch of another actor, or of an obstacle other than the ground",
    release="From the moment a prescribed motion of the actor lets go",
)

BALANCING = Choices(
    motors="Motors of the joints",
    muscles="Muscles of the model's legs about the axes across the body; motors of the joints about the others",
)


@dataclass(frozen=True)
class Preset:
    """Numbers of a kind of person; those that an actor may change are fields of `Response` of the same name."""

    latency: float
    neck_latency: float
    rise: float
    strength: float
    quickness: float
    tone: float
    elbow: float
    legs: float
    arms: float
    fade: float
    rest: float
    asymmetry: float


PRESETS = {
    "adult": Preset(0.15, 0.07, 0.06, 1.0, 1.0, 0.5, 25.0, 1.0, 1.0, 0.6, 0.3, 0.1),
    "elderly": Preset(0.20, 0.09, 0.09, 0.6, 0.7, 0.35, 33.0, 0.7, 1.0, 0.5, 0.2, 0.1),
    "child": Preset(0.20, 0.09, 0.08, 1.0, 1.0, 0.5, 25.0, 1.0, 1.0, 0.6, 0.3, 0.1),
    "unconscious": Preset(inf, inf, 0.05, 0.05, 1.0, 0.03, 0.0, 0.0, 0.0, 0.05, 0.5, 0.0),
    "tone": Preset(inf, inf, 0.05, 1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.3, 0.1, 0.0),
}
_ASSUMED = dict.fromkeys(Preset.__dataclass_fields__, "assumed")
PRESET_SOURCES: dict[str, dict[str, str]] = {
    "adult": _ASSUMED
    | {
        "latency": "assumed: between the 0.05 to 0.09 s of the neck and the 0.20 to 0.25 s at which a step begins "
        "(general knowledge)",
        "neck_latency": "onset of neck muscles 0.05 to 0.09 s after a disturbance (general knowledge)",
        "strength": "1 is the strength of a mid-size man (joint table); a woman's and a child's follow from the model",
        "elbow": "assumed; older adults land with elbows 8 degrees more bent (Borrelli et al.)",
    },
    "elderly": _ASSUMED
    | {
        "latency": "assumed; reaction itself is not slower with age (Robinovitch et al. 2005)",
        "strength": "knee extensors 32 % weaker (Lanza et al. 2003), energy that arms take up 45 % less "
        "(Sran et al. 2010): 0.6 between both",
        "quickness": "hands in place after 615 instead of 530 ms forward, 799 instead of 658 ms sideways "
        "(Robinovitch et al. 2005); 0.7 assumed from it",
        "elbow": "8 degrees more bent than young adults (Borrelli et al.)",
    },
    "child": _ASSUMED | {"strength": "by the size of the model, assumed"},
    "unconscious": _ASSUMED,
    "tone": _ASSUMED,
}
"""Preset to number to source."""


@dataclass
class Response:
    """What a person does against a fall: reaches for the ground, carries the head, bends hips and knees, lets go."""

    preset: str = described(
        "Who responds: where the numbers come from", options=RESPONSE_PRESETS, default="adult"
    )
    arming: str = described(
        "From when on a loss of balance counts; walking is a series of such losses",
        options=ARMING,
        default="balance",
    )
    start: float = described("Time before which nothing is noticed", "s", low=0, default=0.0)
    latency: float | None = described(
        "From the loss of balance to the first torque of arms and legs",
        "s",
        low=0,
        high=1,
        digits=3,
        new=0.15,
        absent="the preset's",
    )
    neck_latency: float | None = described(
        "From the loss of balance to the first torque of the neck",
        "s",
        low=0,
        high=1,
        digits=3,
        new=0.07,
        absent="the preset's",
    )
    rise: float | None = described(
        "Time constant with which muscles go from tone to full strength",
        "s",
        low=0.001,
        high=0.5,
        digits=3,
        new=0.06,
        absent="the preset's",
    )
    strength: float | None = described(
        "Factor on the largest torques of a person of this sex and size",
        low=0,
        high=2,
        new=1.0,
        absent="the preset's",
    )
    quickness: float | None = described(
        "Factor on the turn rates with which limbs are moved", low=0, high=2, new=1.0, absent="the preset's"
    )
    tone: float | None = described(
        "Share of the stiffness with which joints are held before the response",
        label="Standing Tone",
        low=0,
        high=1,
        new=0.5,
        absent="the preset's",
    )
    elbow: float | None = described(
        "Bend of the elbows at landing", "degrees", low=0, high=90, new=25.0, absent="the preset's"
    )
    legs: float | None = described(
        "How far hips and knees bend: 0 not at all, 1 to a squat or kneel",
        low=0,
        high=1,
        new=1.0,
        absent="the preset's",
    )
    arms: float | None = described(
        "How far arms reach for the ground: 0 not at all", low=0, high=1, new=1.0, absent="the preset's"
    )
    fade: float | None = described(
        "Time constant with which strength fades after the trunk has landed",
        "s",
        low=0.01,
        high=5,
        new=0.6,
        absent="the preset's",
    )
    rest: float | None = described(
        "Share of the strength that is left after landing", low=0, high=1, new=0.3, absent="the preset's"
    )
    asymmetry: float | None = described(
        "Share by which the right side is sooner and quicker than the left",
        low=-0.5,
        high=0.5,
        new=0.1,
        absent="the preset's",
    )
    knock_out: float | None = described(
        "Mean acceleration of the head over 2 ms at which the person becomes unconscious",
        "g",
        low=10,
        high=500,
        new=150.0,
        absent="never",
        switch="Knock-Out",
    )
    balance: bool = described(
        "Keep balance by ankles and hips while standing, until it is lost", default=False
    )
    balance_by: str = described(
        "What moves the legs of somebody who keeps balance", options=BALANCING, default="motors"
    )
    steps: int = described(
        "Steps that may be taken to regain balance before it is given up; 0 is none", low=0, high=6, default=0
    )
    soft_landing: bool = described(
        "Knees give when the feet meet the ground after a free fall", default=False
    )
    stiffen: bool = described(
        "Hold the posture with full strength from the first touch of another actor or an obstacle",
        default=False,
    )
    startle: float | None = described(
        "Time of a fright, such as a horn: neck, shoulders and elbows bend for a moment",
        "s",
        low=0,
        new=0.0,
        absent="none",
        switch="Startle",
    )
    brace: float | None = described(
        "Time from which the person sees it coming: limbs are held with full strength and pushed straight, against "
        "wheel and floor",
        "s",
        low=0,
        new=0.0,
        absent="never",
        switch="Brace",
    )
    source: str = ""

    def number(self, name: str) -> float:
        """A number of the preset, or the one in its place."""
        own = getattr(self, name)
        return float(getattr(PRESETS[self.preset], name) if own is None else own)
