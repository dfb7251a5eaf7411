"""`python -m mannequin.places.scans.example FILE`: a made-up scan of a street with a kerb, to try the commands with."""

import sys

import numpy as np

from ...io_json import atomic

KERB, NOISE = 0.12, 0.005
"""m"""


def main() -> None:
    """Write rows of x, y, z, red, green, blue."""
    chance = np.random.default_rng(1)
    place = chance.uniform(-2.0, 2.0, (20_000, 2))
    height = np.where(place[:, 0] > 0.0, KERB, 0.0) + NOISE * chance.normal(size=len(place))
    grey = np.where(place[:, 0] > 0.0, 180, 60)
    rows = [f"{x:.4f},{y:.4f},{z:.4f},{g},{g},{g}" for (x, y), z, g in zip(place, height, grey, strict=True)]
    atomic.write_text(sys.argv[1], "\n".join(["x,y,z,red,green,blue", *rows, ""]))


if __name__ == "__main__":
    main()
