"""Every check by its name, and the running of them."""

from collections.abc import Callable, Sequence

from .dummies import other_dummies
from .falls import dummy_falls, standing_falls
from .head import head_drop
from .legs import knee, leg_failures, legform
from .necks import neck_drops, neck_pendulum
from .row import Row
from .tackle import tackle
from .torso import hip_impacts, thorax_pendulum, trunk_blows
from .vehicle import braking, pedestrian

CHECKS: dict[str, Callable[[], list[Row]]] = {
    "head_drop": head_drop,
    "thorax_pendulum": thorax_pendulum,
    "trunk_blows": trunk_blows,
    "hip_impacts": hip_impacts,
    "neck_pendulum": neck_pendulum,
    "neck_drops": neck_drops,
    "other_dummies": other_dummies,
    "leg_failures": leg_failures,
    "knee": knee,
    "legform": legform,
    "dummy_falls": dummy_falls,
    "standing_falls": standing_falls,
    "pedestrian": pedestrian,
    "tackle": tackle,
    "braking": braking,
}


def rows_of(names: Sequence[str] = (), progress: Callable[[str], None] | None = None) -> list[Row]:
    """Run the checks named (all where none is) and return their rows."""
    rows: list[Row] = []
    for name in names or CHECKS:
        if progress is not None:
            progress(name)
        rows += CHECKS[name]()
    return rows
