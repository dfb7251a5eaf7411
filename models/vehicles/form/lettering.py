"""Letters of number plates as flat strokes."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...parts.tables import read_table


@dataclass(frozen=True)
class Sign:
    """How a sign is written."""

    sign: str
    strokes: str
    """Digits of x and y on a grid of 4 by 4, from its lower left"""


STROKES = {row.sign: row.strokes for row in read_table(Path(__file__).with_name("strokes.csv"), Sign)}
"""Sign to its strokes."""
SIGN, SPACE = 0.052, 0.017
"""m: width of a sign and the space after it."""
TALL, STROKE = 0.076, 0.0095
"""m: height of a sign and width of its strokes."""


def signs_of(text: str) -> list[str]:
    """Signs of a text that can be drawn; spaces stay."""
    return [sign for sign in text.upper() if sign in STROKES or sign == " "]


def lettering(text: str, most: float) -> tuple[np.ndarray, np.ndarray]:
    """(n, 2) points (right and up of the middle, m) and (m, 4) quads of a line of text no longer than `most` m."""
    points, x = [], 0.0
    for sign in signs_of(text):
        if sign != " ":
            points += [quad + (x, 0.0) for quad in sign_quads(sign)]
        x += SIGN + SPACE if sign != " " else 0.6 * SIGN
    if not points:
        return np.zeros((0, 2)), np.zeros((0, 4), dtype=int)
    cloud = np.concatenate(points) - ((x - SPACE) / 2.0, TALL / 2.0)
    cloud[:, 0] *= min(1.0, most / (x - SPACE))
    return cloud, np.arange(len(cloud)).reshape(-1, 4)


def sign_quads(sign: str) -> list[np.ndarray]:
    """(4, 2) corners of each stroke of a sign, prolonged by half its width."""
    scale = np.array([(SIGN - STROKE) / 4.0, (TALL - STROKE) / 4.0])
    quads = []
    for stroke in STROKES[sign].split(";"):
        path = np.array([(int(a), int(b)) for a, b in stroke.split()], dtype=float) * scale + STROKE / 2.0
        for start, end in zip(path[:-1], path[1:], strict=True):
            along = (end - start) / np.linalg.norm(end - start) * STROKE / 2.0
            across = np.array([-along[1], along[0]])
            quads.append(
                np.array(
                    [
                        start - along - across,
                        end + along - across,
                        end + along + across,
                        start - along + across,
                    ]
                )
            )
    return quads
