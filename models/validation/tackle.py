"""Ambrosio's tackle."""

from ...engine.runs.recording import Recording
from ...engine.runs.simulation import run
from ..scenarios.impacts import ambrosio_tackle
from ..scenarios.library import SCENARIOS
from .falls import ground_impact
from .row import READ, Comparison, Row, Source

TACKLE_SOURCE = Source(
    "Ambrosio: 0.63 s; free fall of the head from 1.53-1.63 m, 0.559-0.576 s, is a lower bound", READ
)


def head_to_ground(recording: Recording) -> float | None:
    """s from the players' first touch until the standing player's head meets the ground; None where it does not."""
    first = min(e["start"] for e in recording.contacts if e["body_b"] >= 0)
    head = ground_impact(recording, "player", "head")
    return None if head is None else head[0] - first


def tackle() -> list[Row]:
    """Ambrosio's tackle: the shipped posture of the incoming player, and eighteen others, as the paper gives none."""
    quantity, band = "head to ground", (0.56, 0.75)
    test = Comparison(
        "tackle", "Tackle 75 kg at 3 m/s", TACKLE_SOURCE, fitted="posture of the incoming player"
    )
    shipped = head_to_ground(run(SCENARIOS["ambrosio_tackle"]()))
    rows = []
    if shipped is None:
        rows.append(test.words(quantity, "0.56 to 0.75 s", "head does not strike", inside=False))
    else:
        rows.append(test.row(quantity, shipped, "s", band, "shipped posture", 3))
    grid = [(a, y, h) for a in (40.0, 50.0, 60.0) for y in (0.0, 0.12, 0.2) for h in (25.0, 45.0)]
    times = [head_to_ground(run(ambrosio_tackle(*posture))) for posture in grid]
    struck = [time for time in times if time is not None]
    within = sum(band[0] <= time <= band[1] for time in struck)
    measured = f"{min(struck):.2f} to {max(struck):.2f} s" if struck else "head never strikes"
    remark = (
        f"the posture is not published; leaning 40 to 60 degrees, 0 to 0.2 m off centre: {within} of {len(grid)} "
        "inside, "
        f"in {len(grid) - len(struck)} the head does not strike"
    )
    others = f"{quantity}, {len(grid)} other postures"
    return [*rows, test.words(others, "0.56 to 0.75 s", measured, remark)]
