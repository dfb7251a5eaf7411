"""Colours that distinguish things, for all that draws: plots, reports, pages, overlays, traces and films.

"#rrggbb" each. Every two colours of a group in `GROUPS` differ by `LEAST` or more (CIEDE2000), also as people with
protanopia, deuteranopia or tritanopia see them; `tests/analysis/test_colors.py` holds them to it.
"""

LEAST = 10.0
"""CIEDE2000 difference of two colours that must be distinct, side by side or not (assumed; a just
noticeable one is about 1)."""

BLUE, ORANGE, GREEN, PURPLE = "#0072b2", "#e69f00", "#009e73", "#cc79a7"
SKY, VERMILION, YELLOW, DARK = "#56b4e9", "#d55e00", "#f0e442", "#222222"
"""Of M. Okabe and K. Ito, Color Universal Design (2008), but for the last, a softer black."""
GREY = "#bfbfbf"

SERIES = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, YELLOW)
"""Actors, hypotheses and series in turn."""
ON_DARK = (SKY, ORANGE, GREEN, VERMILION, PURPLE, YELLOW)
"""Curves in turn on a dark ground."""
COMPONENTS = (VERMILION, GREEN, BLUE, DARK)
"""x, y, z and their resultant."""
SHADES = ("#c1272d", DARK, "#0b5394")
"""A low, a middle and a high case."""
FORCE, MARK, GHOST, LABEL = VERMILION, YELLOW, SKY, ORANGE
"""Traces in the scene: arrows of forces, contact marks, ghosts; and lines of labels."""
PATHS = (BLUE, PURPLE, GREEN, DARK)
"""Paths in turn."""
MATERIALS = (GREY, *SERIES)
"""Contact materials in turn."""
GUIDES = {
    "velocity": ORANGE,
    "turn": SKY,
    "mass": "#ffffff",
    "x": VERMILION,
    "y": GREEN,
    "z": BLUE,
    "cone": PURPLE,
    "limb": YELLOW,
    "excluded": GREY,
}
"""Lines in the viewport that say how a model is."""
INK, DIM, PLATE = "#ffffff", "#cbd1d7", "#0d1218"
"""Words of a film's overlay, lesser words, and what they stand on."""

FIGURES = ("#7fa8d6", "#e3b65c", "#3f7d68", "#7d3f70")
"""Actors in turn on drawings and still pictures of reports."""
SHIRTS = ("#b98f3e", "#4f6fa0", "#d3d3d6", "#2c5248")
"""People in turn in films."""
BARE = ("#ddbc97", "#3f78b5", "#2f6b5c", "#f1eef5")
"""People in turn who are not dressed: wood like an artist's mannequin first, none of them blood."""
PAINTS = ("#b3b6bc", "#a8433a", "#4a74a8")
"""Vehicles and other actors in turn in films."""

GROUPS = {
    "series": (*SERIES, DARK),
    "curves on dark": (*ON_DARK, PLATE),
    "components": COMPONENTS,
    "shades": SHADES,
    "traces": (FORCE, MARK, GHOST, LABEL, *PATHS),
    "materials": MATERIALS,
    "guides": tuple(GUIDES.values()),
    "overlay": (INK, DIM, LABEL, PLATE),
    "figures": FIGURES,
    "shirts": SHIRTS,
    "bare": BARE,
    "paints": PAINTS,
    "people and what they strike": (SHIRTS[0], *PAINTS),
    "two runs over each other": SHIRTS[:2],
}


def channels(color: str) -> tuple[float, float, float]:
    """Red, green and blue as they are shown, 0 to 1."""
    return tuple(int(color[k : k + 2], 16) / 255.0 for k in (1, 3, 5))


def linear(color: str, alpha: float = 1.0) -> tuple[float, float, float, float]:
    """Red, green and blue of light, 0 to 1 (IEC 61966-2-1), and how opaque."""
    light = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(color))
    return (*light, alpha)
