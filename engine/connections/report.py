"""The connections after a run, as plain records."""

from collections.abc import Sequence
from dataclasses import dataclass

from .arrays import BROKEN, RELEASED, Connections, ConnectionState


@dataclass(frozen=True)
class ConnectionRecord:
    """One spring, belt or weld after a run."""

    name: str
    kind: str
    """"spring", "belt" or "weld\""""
    largest_force: float
    """N: spring force, belt tension or weld force."""
    largest_force_time: float
    """s"""
    largest_gap: float
    """m: extension of a spring or belt, distance between the points of a weld (the gap of a closed loop)."""
    outcome: str
    """"holds", "broken" or "released\""""
    parted_time: float
    """s; NaN where it holds."""


def connection_records(
    cn: Connections, state: ConnectionState, names: Sequence[str]
) -> list[ConnectionRecord]:
    """One record per connection, springs first, then belts, then welds. names: in this order."""
    kinds = (
        ["spring"] * len(cn.springs.points) + ["belt"] * len(cn.belts.gains) + ["weld"] * len(cn.welds.points)
    )
    outcomes = {BROKEN: "broken", RELEASED: "released"}
    return [
        ConnectionRecord(
            name=names[k],
            kind=kind,
            largest_force=float(state.largest_force[k]),
            largest_force_time=float(state.largest_force_time[k]),
            largest_gap=float(state.largest_gap[k]),
            outcome=outcomes.get(int(state.parted[k]), "holds"),
            parted_time=float(state.parted_time[k]),
        )
        for k, kind in enumerate(kinds)
    ]
