"""Letters of number plates as flat strokes."""

import numpy as np

STROKES = {
    "A": "00 24 40; 11 31",
    "B": "00 04 34 43 32 02; 32 41 30 00",
    "C": "43 34 14 03 01 10 30 41",
    "D": "00 04 24 43 41 20 00",
    "E": "40 00 04 44; 02 32",
    "F": "00 04 44; 02 32",
    "G": "43 34 14 03 01 10 30 41 42 22",
    "H": "00 04; 40 44; 02 42",
    "I": "10 30; 20 24; 14 34",
    "J": "01 10 20 31 34",
    "K": "00 04; 02 44; 02 40",
    "L": "04 00 40",
    "M": "00 04 22 44 40",
    "N": "00 04 40 44",
    "O": "01 03 14 34 43 41 30 10 01",
    "P": "00 04 34 43 42 31 01",
    "Q": "01 03 14 34 43 41 30 10 01; 31 50",
    "R": "00 04 34 43 42 31 01; 21 40",
    "S": "01 10 30 41 32 12 03 14 34 43",
    "T": "20 24; 04 44",
    "U": "04 01 10 30 41 44",
    "V": "04 20 44",
    "W": "04 10 22 30 44",
    "X": "00 44; 04 40",
    "Y": "04 22 44; 22 20",
    "Z": "04 44 00 40",
    "0": "01 03 14 34 43 41 30 10 01",
    "1": "12 24 20",
    "2": "03 14 34 43 42 00 40",
    "3": "03 14 34 43 32 41 30 10 01; 32 22",
    "4": "34 01 41; 30 34",
    "5": "44 04 02 32 41 30 10 01",
    "6": "43 34 14 03 01 10 30 41 32 02",
    "7": "04 44 10",
    "8": "12 03 14 34 43 32 12 01 10 30 41 32",
    "9": "01 10 30 41 43 34 14 03 12 42",
    "-": "12 32",
}
"""Strokes of each sign as digits of x and y on a grid of 4 by 4, from its lower left."""
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
