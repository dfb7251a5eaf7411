"""What a standing man withstands: pushes in the back by ankles and hips, by muscles, and by steps (docs/responses.md).

python -m mannequin.benchmarks.pushes

Every push is a half sine of 0.2 s on the upper back; whoever stands at rest after four seconds has withstood it.
"""

from dataclasses import dataclass

import numpy as np

from ..engine import Recording, Response, Scenario, Settings, run_many
from ..models.people.acts import shove
from ..models.people.posture import both
from ..models.scenarios.falls import stand

UPRIGHT, AT_REST = 0.88, 0.3
"""Share of the height of the head at the start, and m/s of the fastest body, of somebody who stands again."""


@dataclass(frozen=True)
class Way:
    """How somebody keeps balance, and the pushes (N s) that are tried; negative: backward."""

    name: str
    model: str
    response: Response
    pushes: tuple[float, ...]


FORWARD, BACKWARD = (10.0, 20.0, 25.0, 28.0, 30.0, 32.0, 34.0, 38.0), (-5.0, -10.0, -15.0, -20.0)
WAYS = (
    Way("ankles and hips", "male", Response("adult", balance=True), FORWARD + BACKWARD),
    Way(
        "muscles of the legs",
        "male_muscles",
        Response("adult", balance=True, balance_by="muscles"),
        FORWARD + BACKWARD,
    ),
    Way(
        "up to four steps",
        "male",
        Response("adult", balance=True, steps=4),
        (30.0, 32.0, 34.0, 36.0, 38.0, 40.0, 42.0, 46.0, 50.0, 55.0, 60.0, 70.0, 80.0),
    ),
)


def pushed(way: Way, impulse: float) -> Scenario:
    """A man who stands and is pushed in the back after half a second."""
    man = stand("man", way.model, both({"knee": (0.0, 2.0, 0.0)}), response=way.response)
    man.force_pulses = [shove(impulse)]
    settings = Settings(duration=4.0, ground_friction=0.7, reactions=False)
    return Scenario("pushed", [man], settings=settings, default_sensors=False)


def is_standing(recording: Recording) -> bool:
    """Whether the man stands at rest at the end."""
    head = recording.position[:, recording.body_index("man", "head"), 2]
    fastest = np.linalg.norm(recording.velocity[-1], axis=1).max()
    return bool(head[-1] > UPRIGHT * head[0] and fastest < AT_REST)


def main() -> None:
    """Print a line per way of keeping balance."""
    for way in WAYS:
        outcomes = run_many([pushed(way, impulse) for impulse in way.pushes])
        stands = {way.pushes[outcome.index]: is_standing(outcome.result) for outcome in outcomes}
        results = ", ".join(
            f"{impulse:g} {'stands' if stands[impulse] else 'falls'}" for impulse in way.pushes
        )
        print(f"{way.name}: {results} (N s)", flush=True)


if __name__ == "__main__":
    main()
