"""Certification of the small woman's, the six-year-old's and the three-year-old's dummy."""

from ..scenarios.rigs import CERTIFICATIONS, neck_extension, neck_flexion
from ..scenarios.rigs import head_drop as head_drop_rig
from .head import head_acceleration
from .neck_response import neck_swing
from .row import MEMORY_HIGH, MEMORY_MEDIUM, READ, Comparison, Row, Source
from .running import AS_GIVEN, Runner
from .torso import thorax_response

CERTIFIED = {
    "hybrid3_5th": (
        {"peak resultant": (250.0, 300.0)},
        {"peak force": (3900.0, 4400.0), "sternum to spine": (50.0, 58.0), "hysteresis": (69.0, 85.0)},
        {"flexion angle": (77.0, 91.0), "flexion moment": (69.0, 83.0)},
        {"extension angle": (99.0, 114.0), "extension moment": (53.0, 65.0)},
    ),
    "hybrid3_6": (
        {"peak resultant": (245.0, 300.0)},
        {"peak force": (1150.0, 1380.0), "sternum to spine": (38.0, 46.0), "hysteresis": (65.0, 85.0)},
        {"flexion angle": (74.0, 92.0), "flexion moment": (27.0, 33.0)},
        {"extension angle": (85.0, 103.0), "extension moment": (19.0, 24.0)},
    ),
    "hybrid3_3": (
        {"peak resultant": (250.0, 280.0)},
        {"peak force": (680.0, 810.0), "sternum to spine": (32.0, 38.0), "hysteresis": (65.0, 85.0)},
        {"flexion angle": (70.0, 82.0), "flexion moment": (42.0, 53.0)},
        {"extension angle": (83.0, 93.0), "extension moment": (43.7, 53.3)},
    ),
}
"""Bands of head drop (g), thorax (N, mm, %), neck flexion and extension (degrees, N m) of 49 CFR Part 572."""


MARKS = {
    ("hybrid3_5th", "peak resultant"): MEMORY_HIGH,
    ("hybrid3_6", "peak resultant"): MEMORY_HIGH,
    ("hybrid3_3", "peak resultant"): MEMORY_HIGH,
    ("hybrid3_5th", "peak force"): READ,
    ("hybrid3_5th", "sternum to spine"): READ,
    ("hybrid3_5th", "hysteresis"): READ,
    ("hybrid3_6", "flexion angle"): READ,
    ("hybrid3_6", "flexion moment"): READ,
    ("hybrid3_6", "extension angle"): READ,
}
"""How the bands were had, where better than from memory of medium confidence."""
AREA_AND_PART = {
    "peak resultant": ("head", "force curve of the head"),
    "peak force": ("torso", "sternum's spring and damper, rib skin"),
    "sternum to spine": ("torso", "sternum's spring and damper, rib skin"),
    "hysteresis": ("torso", "sternum's spring and damper, rib skin"),
    "flexion angle": ("neck", "resistance curves of the neck"),
    "flexion moment": ("neck", "resistance curves of the neck"),
    "extension angle": ("neck", "resistance curves of the neck"),
    "extension moment": ("neck", "resistance curves of the neck"),
}
"""Area of the score, and what of the dummy was made from the test."""


def certification(name: str, run: Runner = AS_GIVEN) -> dict[str, float]:
    """What a dummy shows in its four tests, by the names of `CERTIFIED`."""
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


CERTIFIED_UNITS = {"peak resultant": "g", "peak force": "N", "sternum to spine": "mm", "hysteresis": "%"}


def other_dummies(run: Runner = AS_GIVEN) -> list[Row]:
    """Head drop, thorax and neck of the small woman's, six-year-old's and three-year-old's dummy."""
    rows = []
    for name, bands in CERTIFIED.items():
        found = certification(name, run)
        for quantity, band in (item for group in bands for item in group.items()):
            unit = CERTIFIED_UNITS.get(quantity, "degrees" if "angle" in quantity else "N m")
            area, part = AREA_AND_PART[quantity]
            source = Source(CERTIFICATIONS[name].section, MARKS.get((name, quantity), MEMORY_MEDIUM))
            test = Comparison(area, f"Certification, {name}", source, fitted=part)
            rows.append(test.row(quantity, found[quantity], unit, band, digits=1))
    return rows
