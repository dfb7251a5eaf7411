"""Necks and chests of the Hybrid III dummies, each fitted to its own certification (49 CFR Part 572; `scenarios.rigs`).

A fit passes its test by construction: it shows that the model repeats the test it was made from. Bands of the small
woman's chest and the six-year-old's neck were read; the others are quoted from general knowledge (the man's of high,
the others of medium confidence).
"""

from .chest import DUMMY, Ribs
from .joint_data import DummyTissue
from .neck import BENDING, Bending

FITTED = (
    "Fitted to the thorax pendulum of 49 CFR 572.{} ({}): the spring of Lobdell et al. 1973 times a factor"
)


def _bending(flexion: float, extension: float, damping: float) -> dict[str, Bending]:
    """The mid-size man's neck with factors on flexion, extension and damping."""
    return {
        name: Bending(
            round(flexion * b.flexion, 3), round(extension * b.extension, 3), round(damping * b.damping, 5)
        )
        for name, b in BENDING.items()
    }


def _ribs(way: float, force: float, damping: float, retention: float, section: str, test: str) -> Ribs:
    """The mid-size man's ribs with factors on ways and forces."""
    pressed = tuple((round(way * x, 5), round(force * f, 1)) for x, f in DUMMY.pressed)
    return Ribs(pressed, damping, retention, FITTED.format(section, test))


MAN = DummyTissue(BENDING, DUMMY)
SMALL_WOMAN = DummyTissue(
    _bending(0.579, 0.645, 0.228), _ribs(0.8, 0.825, 350.0, 0.708, "134", "13.97 kg at 6.71 m/s")
)
SIX_YEARS = DummyTissue(
    _bending(0.238, 0.298, 0.321), _ribs(0.65, 0.275, 140.0, 1.0, "124", "2.86 kg at 6.71 m/s")
)
THREE_YEARS = DummyTissue(
    _bending(0.42, 0.36, 0.03), _ribs(0.55, 0.171, 84.0, 1.0, "144", "1.70 kg at 6.0 m/s")
)
