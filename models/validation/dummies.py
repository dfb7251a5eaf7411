"""Certification of the small woman's, the six-year-old's and the three-year-old's dummy."""

from ..scenarios.rigs import CERTIFICATIONS, neck_extension, neck_flexion
from ..scenarios.rigs import head_drop as head_drop_rig
from .experiment import experiment
from .head import head_acceleration
from .neck_response import neck_swing
from .row import Row
from .running import AS_GIVEN, Runner
from .torso import thorax_response


def certification(name: str, run: Runner = AS_GIVEN) -> dict[str, float]:
    """What a dummy shows in its four tests, by the quantities of its experiment."""
    force, way, hysteresis = thorax_response(None, name, run)
    flexion, extension = neck_swing(neck_flexion(name), 1, run), neck_swing(neck_extension(name), -1, run)
    return {
        "peak resultant": float(head_acceleration(run(head_drop_rig(name)), "head").max()),
        "peak force": force,
        "sternum to spine": 1000.0 * way,
        "hysteresis": hysteresis,
        "flexion angle": flexion.angle,
        "flexion moment": flexion.moment,
        "extension angle": extension.angle,
        "extension moment": extension.moment,
    }


def other_dummies(run: Runner = AS_GIVEN) -> list[Row]:
    """Head drop, thorax and neck of the small woman's, six-year-old's and three-year-old's dummy."""
    rows = []
    for name in CERTIFICATIONS:
        found, test = certification(name, run), experiment(f"certification_{name}")
        rows += [test.row(quantity, found[quantity]) for quantity in test.quantities]
    return rows
