"""Certification of the small woman's, the six-year-old's and the three-year-old's dummy."""

from ..scenarios.rigs import CERTIFICATIONS, neck_extension, neck_flexion
from ..scenarios.rigs import head_drop as head_drop_rig
from .experiment import experiment
from .head import head_acceleration
from .neck_response import Swing, neck_swing
from .row import Row
from .running import AS_GIVEN, Runner
from .torso import thorax_curve, thorax_quantities

WITHIN = (0.018, 0.050)
"""m of the sternum's way between which the force of the small woman's chest is limited (49 CFR 572.134)"""


def certification(name: str, run: Runner = AS_GIVEN) -> tuple[dict[str, float], dict[str, Swing]]:
    """(what a dummy shows in its four tests, by the quantities of its experiment; its neck's two swings)."""
    depth, force = thorax_curve(None, name, run)
    loaded = slice(0, int(depth.argmax()) + 1)
    between = (depth[loaded] >= WITHIN[0]) & (depth[loaded] <= WITHIN[1])
    swings = {
        "flexion": neck_swing(neck_flexion(name), 1, run),
        "extension": neck_swing(neck_extension(name), -1, run),
    }
    peak, way, hysteresis = thorax_quantities(depth, force)
    found = {
        "peak resultant": float(head_acceleration(run(head_drop_rig(name)), "head").max()),
        "peak force": peak,
        "sternum to spine": 1000.0 * way,
        "hysteresis": hysteresis,
        "force between 18 and 50 mm": float(force[loaded][between].max()),
    }
    for side, swing in swings.items():
        found |= {f"{side} angle": swing.angle, f"{side} moment": swing.moment}
        found |= {f"{side} moment back to {size:g} N m": swing.back_to(size) for size in (5.0, 10.0)}
    return found, swings


def other_dummies(run: Runner = AS_GIVEN) -> list[Row]:
    """Head drop, thorax and neck of the small woman's, six-year-old's and three-year-old's dummy."""
    rows = []
    for name in CERTIFICATIONS:
        (found, swings), test = certification(name, run), experiment(f"certification_{name}")
        for quantity, known in test.quantities.items():
            if known.corridor:
                swing = swings[quantity.split()[-1]]
                rows.append(test.curve(quantity, *swing.speed_lost))
            else:
                rows.append(test.row(quantity, found[quantity]))
    return rows
