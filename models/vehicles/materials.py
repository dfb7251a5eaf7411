"""Contact materials of vehicles and things, with their source.

Pedestrian-facing parts are worked out from an impactor test by energy: an impactor of mass m at speed v is stopped in
depth d by a force that rises to a plateau. What the parts of one real car do differs by a factor of two and more; for
a case, replace these.
"""

from __future__ import annotations

from ...engine.spec import Material
from ..parts.materials import curve_material

_HEADFORM = "Adult headform 4.5 kg at 40 km/h (Euro NCAP) carries 278 J"


def car_materials() -> list[Material]:
    """Materials of the mid-size car."""
    return [
        curve_material(
            "bumper",
            ((0, 0), (0.01, 800), (0.03, 3000), (0.06, 6000), (0.10, 12000), (0.13, 30000)),
            0.10,
            "Assumed: foam and fascia before the cross-beam; about 100 kN/m, so that a legform of 13.4 kg at 40 km/h "
            "(827 J) is stopped in 0.12 m. Restitution 0.32.",
        ),
        curve_material(
            "leading_edge",
            ((0, 0), (0.02, 1500), (0.05, 4500), (0.09, 8000), (0.12, 20000)),
            0.10,
            "Assumed: stiffer than the bonnet skin (lock and hinge members below). Restitution 0.32.",
        ),
        curve_material(
            "bonnet",
            ((0, 0), (0.008, 3200), (0.02, 3500), (0.08, 3700), (0.10, 20000)),
            0.10,
            f"{_HEADFORM}: stopped by one flat plate of this curve in 0.082 m, by a plateau of 3.2 to 3.7 kN (73 to "
            "84 g) and 5.3 kN at the end, with HIC15 1028, near the limit of 1000 between fair and poor; engine and "
            "strut towers below 0.08 m. Restitution "
            "0.32, assumed.",
        ),
        curve_material(
            "windscreen",
            ((0, 0), (0.004, 3500), (0.02, 3600), (0.06, 4000), (0.10, 4500), (0.13, 7000)),
            0.05,
            f"{_HEADFORM}: the glass breaks at a few mm, the laminate yields near 4 kN over 0.07 m. Assumed; real "
            "screens "
            "peak first and then fall, which a rising curve cannot show. Restitution 0.22.",
        ),
        curve_material(
            "pillar",
            ((0, 0), (0.005, 3000), (0.02, 9000), (0.04, 16000), (0.06, 40000)),
            0.20,
            f"{_HEADFORM}: closed steel section, stopped in about 0.034 m at 14 kN (over 300 g). Assumed.",
        ),
        curve_material(
            "roof",
            ((0, 0), (0.01, 1000), (0.04, 3500), (0.08, 7000), (0.10, 20000)),
            0.15,
            "Assumed: sheet between rails, between bonnet and pillar.",
        ),
        curve_material(
            "side",
            ((0, 0), (0.01, 1200), (0.04, 4500), (0.08, 9000), (0.10, 25000)),
            0.15,
            "Assumed: door and wing sheet with beams behind.",
        ),
        curve_material(
            "underbody",
            ((0, 0), (0.01, 5000), (0.03, 20000), (0.05, 60000)),
            0.15,
            "Assumed: floor and sills, stiff.",
        ),
        curve_material(
            "tyre",
            ((0, 0), (0.02, 5000), (0.06, 15000), (0.08, 40000)),
            0.80,
            "Assumed: 250 kN/m, usual for a car tyre (static deflection 14-16 mm), rim contact past 60 mm; the "
            "damping also "
            "stands for the suspension, which the model lacks. Friction 0.8: dry asphalt, general knowledge.",
            damping=1.5,
            friction=0.8,
        ),
    ]


def bicycle_materials() -> list[Material]:
    """Materials of the bicycle."""
    return [
        curve_material(
            "frame",
            ((0, 0), (0.003, 1500), (0.01, 8000), (0.02, 20000)),
            0.20,
            "Assumed: thin steel or aluminium tubes, stiff at the scale of a body.",
        ),
        curve_material(
            "saddle",
            ((0, 0), (0.01, 400), (0.03, 1800), (0.05, 6000)),
            0.30,
            "Assumed: padded saddle and grips.",
            friction=0.6,
        ),
        curve_material(
            "bicycle_tyre",
            ((0, 0), (0.01, 1000), (0.02, 2200), (0.03, 8000), (0.05, 30000)),
            0.70,
            "Assumed: about 100 kN/m, 6 mm under a rider's half weight; rim contact past 20 mm. Friction 0.8: dry "
            "asphalt.",
            damping=1.0,
            friction=0.8,
        ),
    ]


def mattress() -> Material:
    """A bed's mattress."""
    return curve_material(
        "mattress",
        ((0, 0), (0.02, 150), (0.06, 700), (0.10, 1800), (0.14, 6000)),
        0.15,
        "Assumed: foam of 15 cm, about 15 kN/m under a trunk, bottoming past 10 cm.",
        friction=0.5,
    )


def seat_cushion() -> Material:
    """A padded seat."""
    return curve_material(
        "cushion",
        ((0, 0), (0.02, 300), (0.05, 1200), (0.08, 4000), (0.10, 12000)),
        0.20,
        "Assumed: foam of 8 to 10 cm on springs or a pan; a seated person of 75 kg sinks about 3 cm.",
        friction=0.5,
    )


def floor_panel() -> Material:
    """A car's floor and toe board with carpet."""
    return curve_material(
        "panel",
        ((0, 0), (0.01, 1500), (0.03, 8000), (0.05, 25000)),
        0.20,
        "Assumed: carpet and sheet steel.",
        friction=0.6,
    )
