"""Falls from standing beside published falls of people: limp, held by tone, and with a protective response.

What was fitted: nothing to a published number. Postures of the response were chosen by eye from pictures of its falls,
so that speeds and times are no blind predictions either. All kinds are measured alike, and all are printed.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from math import radians

import numpy as np

from ...engine.responses.compile import sole_corners
from ...engine.runs.recording import Recording
from ...engine.spec import Response, Scenario, Settings
from ..pages.models_page import table
from ..people.posture import both, tone_motors
from ..scenarios.falls import FRICTION, stand
from .experiment import Experiment, experiment
from .running import Runner

DIRECTIONS = {"forward": 0.0, "backward": 180.0, "sideways": 90.0}
"""Degrees from ahead to the left."""
LEANS = (5.0, 8.0)
PEOPLE = ("male", "female")
KINDS: dict[str, float | Response | None] = {
    "passive": None,
    "tone 0.5": 0.5,
    "tone 1": 1.0,
    "response, adult": Response("adult"),
    "response, elderly": Response("elderly"),
}
"""What moves the person: nothing, so many times the assumed tone, or a response."""
LEAST_FORCE = 20.0
"""N: softer touches are no impacts."""
BEYOND = 0.02
"""m of the extrapolated centre of mass beyond the soles: imbalance, as the response has it."""
SINKING = 0.2
"""m/s of the pelvis: the descent begins when it last got faster than this. Chosen."""
PARTS = {"pelvis": ("pelvis", "buttock", "femur_1"), "head": ("head",), "hand": ("Hand",)}
"""Beginnings of the names of bodies and ellipsoids that count: the trochanter belongs to the thigh and lands first."""


@dataclass(frozen=True)
class Band:
    """A published mean and its standard deviation."""

    quantity: str
    unit: str
    mean: float
    sd: float
    experiment: str
    """File of `experiments`"""
    digits: int
    """After the point, where a value is shown"""
    only: str = ""
    """Direction for which it was published; empty: any."""

    def misses(self, value: float) -> float:
        """Distance from the mean in standard deviations."""
        return abs(value - self.mean) / self.sd


REAL, SIDEWAYS = experiment("real_falls"), experiment("sideways_falls")
CHOI, FELDMAN = experiment("older_adults").source.text, SIDEWAYS.source.text
HOMES = experiment("care_homes")


def _bands(test: Experiment, only: str = "") -> list[Band]:
    """Published means with their deviations of an experiment; `only`: the direction for which they stand."""
    return [
        Band(known.name, known.unit, known.mean, known.sd, test.name, known.digits, only)
        for known in test.quantities.values()
        if known.mean is not None and known.sd is not None
    ]


BANDS = (*_bands(REAL), *_bands(SIDEWAYS, "sideways"))
HARD = 1.0
"""m/s: slower strikes are heads that are laid down, which nobody would see in a video. Chosen."""
STRIKES = """Why heads strike more often than the published 35 %. A quarter of these people do not reach for the ground,
which is assumed, and nearly all of their heads strike. Arms of women, half as strong as men's and weakened by age
once more, give way, though they take up as much energy as measured (2.2 to 3.7 % of weight times height in a young
woman, published 3.1): a forward fall has several times more. Until people's limbs were as limp as they are, a dummy's
damping held many of them. And every touch of more than 20 N counts here, late and slow ones included, while published
shares are of strikes that were seen in videos; nobody here steps, holds on to something or falls from a chair.
None of it was tuned."""


@dataclass(frozen=True)
class Fall:
    """One fall and what was measured of it; NaN where something did not happen."""

    kind: str
    model: str
    direction: str
    lean: float
    values: dict[str, float]
    """Quantity of `BANDS` to its value."""


def fall_scenario(
    kind: float | Response | None, model: str, degrees: float, lean: float, duration: float = 3.0
) -> Scenario:
    """Somebody who leans by `lean` degrees towards a direction falls from standing."""
    posture = both({"knee": (0.0, 2.0, 0.0)})
    ahead, left = np.cos(radians(degrees)), np.sin(radians(degrees))
    turn = tuple(round(lean * part, 9) + 0.0 for part in (0.0, ahead, -left))
    person = stand("person", model, posture, lean=turn)
    if isinstance(kind, Response):
        person.response = kind
    elif kind is not None:
        person.motors = tone_motors(person.model, posture, kind)
    settings = Settings(duration=duration, friction=FRICTION, ground_friction=0.7, reactions=False)
    return Scenario(f"fall_{model}_{degrees:g}", [person], settings=settings, default_sensors=False)


def first_strike(recording: Recording, part: str) -> tuple[float, float] | None:
    """(time s, vertical speed m/s at the point that touches) of the first impact of a part on the ground, or None."""
    names = PARTS[part]
    for event in recording.contacts:
        body = recording.body_names[event["body_a"]]
        surface = recording.ellipsoid_names[event["ellipsoid_a"]]
        counts = body.startswith(names) or surface.split("/")[-1].startswith(names)
        if counts and event["obstacle_b"] >= 0 and event["peak_force"] >= LEAST_FORCE:
            return float(event["start"]), float(event["approach_speed"])
    return None


def imbalance_time(scenario: Scenario, recording: Recording) -> float:
    """Time (s) at which the extrapolated centre of mass leaves the soles, seen in 36 directions; NaN: never."""
    mass = recording.body_mass / recording.body_mass.sum()
    centre = np.einsum("b,fbi->fi", mass, recording.position)
    speed = np.einsum("b,fbi->fi", mass, recording.velocity)
    corners = [
        recording.origin(b) + recording.rotation(b) @ corner
        for name, corner in sole_corners(scenario.actors[0].model)
        for b in [recording.body_index("person", name)]
    ]
    points = np.stack(corners, axis=1)
    lowest = points[:, :, 2].min(axis=1, keepdims=True)
    place = centre[:, :2] + speed[:, :2] * np.sqrt(np.maximum(centre[:, 2:] - lowest, 0.3) / 9.81)
    angles = np.radians(np.arange(0.0, 360.0, 10.0))
    ways = np.stack([np.cos(angles), np.sin(angles)])
    reach = np.where((points[:, :, 2] < lowest + 0.03)[..., None], points[:, :, :2] @ ways, -np.inf)
    beyond = (place @ ways - reach.max(axis=1)).max(axis=1) > BEYOND
    return float(recording.times[beyond.argmax()]) if beyond.any() else float("nan")


def measured(scenario: Scenario, recording: Recording) -> dict[str, float]:
    """Quantity of `BANDS` to its value in a run, NaN where something did not happen."""
    strikes = {part: first_strike(recording, part) for part in PARTS}
    values = {
        f"{part} speed": float("nan") if strike is None else strike[1] for part, strike in strikes.items()
    }
    times = {part: float("nan") if strike is None else strike[0] for part, strike in strikes.items()}
    pelvis = recording.body_index("person", "pelvis")
    slow = np.flatnonzero((recording.velocity[:, pelvis, 2] > -SINKING) & (recording.times < times["pelvis"]))
    descent = recording.times[slow[-1]] if len(slow) else float("nan")
    values["imbalance to pelvis"] = 1000.0 * (times["pelvis"] - imbalance_time(scenario, recording))
    values["descent to pelvis"] = 1000.0 * (times["pelvis"] - descent)
    values["hand before pelvis"] = 1000.0 * (times["pelvis"] - times["hand"])
    return values


def run_falls(
    cases: Iterable[tuple[str, float | Response | None, str, float, float]],
    progress: Callable[[str], None] | None = None,
    share: float = 1.0,
) -> list[Fall]:
    """Run (kind, what moves the person, model, direction in degrees, lean in degrees) on all cores, at a share of the
    time step."""
    chosen = list(cases)
    scenarios = [fall_scenario(*case[1:]) for case in chosen]
    numbers = count(1)

    def fall_of(place: int, recording: Recording) -> Fall:
        kind, _, model, degrees, lean = chosen[place]
        fall = Fall(kind, model, _word(degrees), lean, measured(scenarios[place], recording))
        if progress is not None:
            progress(f"fall {next(numbers)} of {len(chosen)}")
        return fall

    return Runner(share).many(scenarios, fall_of)


def _word(degrees: float) -> str:
    """Name of a direction, or its angle."""
    return next((name for name, value in DIRECTIONS.items() if value == degrees), f"{degrees:.0f} degrees")


def every_combination() -> list[tuple[str, float | Response | None, str, float, float]]:
    """All kinds, people, directions and leans."""
    return [
        (kind, moved_by, model, degrees, lean)
        for kind, moved_by in KINDS.items()
        for model in PEOPLE
        for degrees in DIRECTIONS.values()
        for lean in LEANS
    ]


def population(count: int, seed: int = 1) -> list[tuple[str, float | Response | None, str, float, float]]:
    """Random older adults who fall in random directions. All distributions are assumed: latency 0.22 +- 0.06 s,
    strength 0.5 +- 0.2 of their sex's, legs bent from not at all to fully, a quarter without a reach of the arms."""
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(count):
        response = Response(
            "elderly",
            latency=round(float(np.clip(rng.normal(0.22, 0.06), 0.05, 0.6)), 4),
            strength=round(float(np.clip(rng.normal(0.5, 0.2), 0.05, 1.0)), 4),
            legs=round(float(rng.uniform(0.0, 1.0)), 4),
            arms=0.0 if rng.uniform() < 0.25 else 1.0,
        )
        model = PEOPLE[int(rng.integers(2))]
        kind = "reaches" if response.arms else "does not reach"
        cases.append((kind, response, model, float(rng.uniform(0.0, 360.0)), float(rng.uniform(4.0, 10.0))))
    return cases


def counts(falls: Sequence[Fall], sds: float, quantities: Sequence[str] = ()) -> tuple[int, int]:
    """(values within so many standard deviations of the published mean, values), of what happened."""
    inside = total = 0
    for fall in falls:
        for band in BANDS:
            value = fall.values[band.quantity]
            is_asked = not quantities or band.quantity in quantities
            if is_asked and not np.isnan(value) and band.only in ("", fall.direction):
                total += 1
                inside += band.misses(value) <= sds
    return inside, total


def _text(fall: Fall, band: Band) -> str:
    """A cell: the value, bold where it is over two standard deviations off."""
    value = fall.values[band.quantity]
    if np.isnan(value):
        return "-"
    shown = f"{value:.{band.digits}f}"
    is_off = band.only in ("", fall.direction) and band.misses(value) > 2.0
    return f"**{shown}**" if is_off else shown


def summary_rows(falls: Sequence[Fall]) -> list[list[str]]:
    """One row per kind: how many values lie inside, and how many heads struck."""
    rows = []
    for kind in dict.fromkeys(fall.kind for fall in falls):
        mine = [fall for fall in falls if fall.kind == kind]
        shares = ["{} of {}".format(*counts(mine, sds)) for sds in (1.0, 2.0)]
        speeds = "{} of {}".format(*counts(mine, 2.0, ("head speed", "pelvis speed")))
        heads = [fall.values["head speed"] for fall in mine if not np.isnan(fall.values["head speed"])]
        struck = f"{len(heads)} of {len(mine)}" + (f", up to {max(heads):.1f} m/s" if heads else "")
        rows.append([kind, *shares, speeds, struck])
    return rows


def population_rows(falls: Sequence[Fall]) -> list[list[str]]:
    """One row per quantity: mean and standard deviation beside the published, and how many fell so."""
    rows = []
    for band in BANDS:
        values = np.array([fall.values[band.quantity] for fall in falls])
        values = values[~np.isnan(values)]
        found = f"{values.mean():.{band.digits}f} +- {values.std(ddof=1):.{band.digits}f}"
        share = f"{100.0 * len(values) / len(falls):.0f} %"
        rows.append([f"{band.quantity}, {band.unit}", f"{band.mean:g} +- {band.sd:g}", found, share])
    return rows


def strike_rows(people: Sequence[Fall]) -> list[list[str]]:
    """One row per group of a population: falls, share in which the head struck, and share in which it did so fast."""
    groups = {
        "all": list(people),
        "who reach": [fall for fall in people if fall.kind == "reaches"],
        "who do not": [fall for fall in people if fall.kind == "does not reach"],
        "men": [fall for fall in people if fall.model == "male"],
        "women": [fall for fall in people if fall.model == "female"],
    }
    rows = []
    for name, mine in groups.items():
        speeds = np.array([fall.values["head speed"] for fall in mine])
        shares = (100.0 * np.mean(~np.isnan(speeds)), 100.0 * np.mean(np.nan_to_num(speeds) > HARD))
        rows.append([name, str(len(mine)), *(f"{share:.0f} %" for share in shares)])
    return rows


def section(falls: Sequence[Fall], people: Sequence[Fall] = ()) -> list[str]:
    """Lines of docs/validation.md."""
    lines = ["## Falls with a protective response", "", TEXT]
    head = ["kind", "inside 1 sd", "inside 2 sd", "head and pelvis speed inside 2 sd", "head strikes"]
    lines += [*table(head, summary_rows(falls)), ""]
    if people:
        struck = sum(not np.isnan(fall.values["head speed"]) for fall in people) / len(people)
        lines += [
            f"{len(people)} random older adults, of assumed distributions (`population` in "
            f"`models/validation/active_falls.py`): the head strikes in {100.0 * struck:.0f} % of the falls; in care "
            f"homes in {HOMES.quantities['head strikes'].mean:.0f} %, where some fell from a chair or were caught.",
            "",
            *table(["quantity", "published", "older adults", "of all falls"], population_rows(people)),
            "",
            STRIKES,
            "",
            *table(
                ["older adults", "falls", "head strikes", f"faster than {HARD:g} m/s"], strike_rows(people)
            ),
            "",
        ]
    lines += [
        "Every combination; bold: more than two standard deviations from the published mean; -: did not happen.",
        "",
    ]
    columns = ["kind", "person", "direction", "lean", *(f"{band.quantity}, {band.unit}" for band in BANDS)]
    rows = [
        [fall.kind, fall.model, fall.direction, f"{fall.lean:g}", *(_text(fall, band) for band in BANDS)]
        for fall in falls
    ]
    return [*lines, *table(columns, rows), ""]


TEXT = f"""Printed by `python -m mannequin models falls`. Published: {CHOI}: vertical speeds of pelvis 2.14 +- 0.63,
head 2.91 +- 0.86 and hand 2.87 +- 1.60 m/s, imbalance to pelvis 1271 +- 648 and descent to pelvis 583 +- 255 ms;
{FELDMAN}: hand 50 +- 40 ms before the pelvis.
Speeds are those of the point that touches, vertical; the pelvis includes the trochanters. No number of the response was
fitted to these; its postures were chosen by eye. A head that does not strike is not counted as inside.
"""
