"""The dummy's neck under the pendulum, people's necks in the drop on the head."""

from ..scenarios.rigs import neck_drop, neck_extension, neck_flexion
from .neck_response import neck_compression, neck_swing
from .row import MEMORY_HIGH, MEMORY_MEDIUM, Comparison, Row, Source
from .running import AS_GIVEN, Runner

NECK_SOURCE = Source("49 CFR 572.33", MEMORY_HIGH)
NECK_BANDS = {
    "angle": ("rotation of the head", "degrees"),
    "angle_time": ("time of the largest rotation", "ms"),
    "angle_zero": ("rotation back to zero", "ms"),
    "moment": ("moment at the condyles", "N m"),
    "moment_time": ("time of the largest moment", "ms"),
    "moment_zero": ("moment back to zero", "ms"),
}
FLEXION_BANDS = ((64.0, 78.0), (57.0, 64.0), (113.0, 128.0), (88.0, 108.0), (47.0, 58.0), (97.0, 107.0))
EXTENSION_BANDS = ((81.0, 106.0), (72.0, 82.0), (147.0, 174.0), (52.9, 80.0), (65.0, 79.0), (120.0, 148.0))
CADAVER_NECKS = Source(
    "Nightingale et al. 1997, SAE 973344, 22 cadavers, axial failure 2243 +- 572 N (men), 1058 +- 397 N (women), "
    "mean +- 2 sd",
    MEMORY_MEDIUM,
)


def neck_pendulum(run: Runner = AS_GIVEN) -> list[Row]:
    """49 CFR 572.33: the dummy's head and neck under a stopped pendulum, flexion at 7.01 and extension at 6.07 m/s."""
    rows = []
    for name, scenario, way, bands in (
        ("Neck pendulum, flexion", neck_flexion(), 1, FLEXION_BANDS),
        ("Neck pendulum, extension", neck_extension(), -1, EXTENSION_BANDS),
    ):
        swing = neck_swing(scenario, way, run)
        test = Comparison("neck", name, NECK_SOURCE, fitted="resistance curves of the neck")
        for (key, (quantity, unit)), band in zip(NECK_BANDS.items(), bands, strict=True):
            rows.append(test.row(quantity, getattr(swing, key), unit, band, digits=1))
    return rows


def neck_drops(run: Runner = AS_GIVEN) -> list[Row]:
    """Head and neck of man and woman under 16 kg, dropped on the crown at 3.2 m/s."""
    rows = []
    for sex, band, part in (
        ("male", (1099.0, 3387.0), "yield of the neck's axial element"),
        ("female", (264.0, 1852.0), "end of the neck's axial element, else scaled from the man"),
    ):
        found = neck_compression(neck_drop(sex), run)
        remark = f"{found.upper:.0f} N at the condyles, element shortened by {found.way:.0f} mm"
        drop = Comparison("neck", f"Head-first drop 3.2 m/s, {sex}", CADAVER_NECKS, fitted=part)
        rows.append(drop.row("force at C7", found.lower, "N", band, remark, 0))
    return rows
