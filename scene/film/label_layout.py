"""Where labels stand in a picture: near what they are about, inside, and never over each other. NumPy only.

Places are in pixels of any origin, x to the right and y up. Boxes are (left, bottom, right, top).
"""

import numpy as np

Box = tuple[float, float, float, float]

RINGS = 7
"""Distances from its anchor at which a place for a label is tried, near ones first."""
DIRECTIONS = 12
GRID = 24
"""Places across and up that are tried where none near the anchor is free."""


def place_labels(
    anchors: np.ndarray,
    sizes: np.ndarray,
    picture: Box,
    taken: list[Box],
    before: np.ndarray | None = None,
    gap: float = 4.0,
) -> np.ndarray:
    """(n, 2) middles of labels for (n, 2) anchors; NaN where an anchor is NaN or no room is left.

    sizes: (n, 2) width and height. taken: boxes that stay free. before: (n, 2) middles in the picture before, less
    their anchors then: a label stays on its side as long as it can. gap: least distance between two.
    """
    found = np.full((len(anchors), 2), np.nan)
    boxes = [tuple(np.array(box) + (-gap, -gap, gap, gap)) for box in taken]
    for number, (anchor, size) in enumerate(zip(anchors, sizes, strict=True)):
        if not np.isfinite(anchor).all():
            continue
        offsets = offsets_for(size)
        if before is not None and np.isfinite(before[number]).all():
            offsets = np.concatenate([before[number][None, :], offsets])
        tried = np.concatenate([inside(anchor + offsets, size, picture), grid_of(anchor, size, picture)])
        middle = first_free(tried, size, picture, boxes)
        if middle is not None:
            found[number] = middle
            boxes.append(tuple(np.concatenate([middle - size / 2.0 - gap, middle + size / 2.0 + gap])))
    return found


def offsets_for(size: np.ndarray) -> np.ndarray:
    """(k, 2) places of a label about its anchor, from near to far; beside and above it first."""
    angles = np.radians(np.concatenate([[35.0, 145.0], np.arange(DIRECTIONS) * 360.0 / DIRECTIONS]))
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rings = 1.2 + 0.7 * np.arange(RINGS)
    reach = np.array([size[0] / 2.0 + size[1], 1.2 * size[1]])
    return (rings[:, None, None] * around[None] * reach).reshape(-1, 2)


def inside(middles: np.ndarray, size: np.ndarray, picture: Box) -> np.ndarray:
    """Places brought into the picture."""
    low = np.array(picture[:2]) + size / 2.0
    high = np.array(picture[2:]) - size / 2.0
    return np.minimum(np.maximum(middles, low), high)


def grid_of(anchor: np.ndarray, size: np.ndarray, picture: Box) -> np.ndarray:
    """(k, 2) places all over the picture, those near the anchor first."""
    low, high = np.array(picture[:2]) + size / 2.0, np.array(picture[2:]) - size / 2.0
    across, up = (np.linspace(low[axis], max(low[axis], high[axis]), GRID) for axis in range(2))
    places = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    return places[np.argsort(np.linalg.norm(places - anchor, axis=1), kind="stable")]


def first_free(middles: np.ndarray, size: np.ndarray, picture: Box, boxes: list[Box]) -> np.ndarray | None:
    """The first of places whose box lies in the picture and touches no other box; None where there is none."""
    low, high = middles - size / 2.0, middles + size / 2.0
    free = (low >= np.array(picture[:2]) - 1e-6).all(axis=1) & (high <= np.array(picture[2:]) + 1e-6).all(
        axis=1
    )
    for box in boxes:
        free &= (
            (high[:, 0] <= box[0] + 1e-9)
            | (low[:, 0] >= box[2] - 1e-9)
            | (high[:, 1] <= box[1] + 1e-9)
            | (low[:, 1] >= box[3] - 1e-9)
        )
    return middles[int(np.argmax(free))] if free.any() else None
