"""Small parts of MJCF: numbers, poses and elements."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from ...engine.maths.rotations import quaternion_from_matrix


def numbers(values: Iterable[float] | float) -> str:
    """Numbers as an attribute, to the last bit."""
    return " ".join(repr(float(value) + 0.0) for value in np.ravel(values))


def pose(transform: np.ndarray) -> dict[str, str]:
    """pos and quat of a (4, 4) transform."""
    return {"pos": numbers(transform[:3, 3]), "quat": numbers(quaternion_from_matrix(transform[:3, :3]))}


def add(parent: Element, tag: str, **attributes: str | float | Iterable[float] | None) -> Element:
    """A child element; numbers are formatted, and attributes that are None are left out."""
    texts = {
        key.rstrip("_"): value if isinstance(value, str) else numbers(value)
        for key, value in attributes.items()
        if value is not None
    }
    return SubElement(parent, tag, texts)
