"""A .c3d file of made-up markers."""

import numpy as np


def write_c3d(ezc3d, path, labels, points, rate) -> None:
    """A trial of points (F, M, 3) in mm at a rate (1/s); NaN where a marker was not seen."""
    content = ezc3d.c3d()
    content["parameters"]["POINT"]["RATE"]["value"] = [rate]
    content["parameters"]["POINT"]["LABELS"]["value"] = list(labels)
    content["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    data = np.ones((4, len(labels), len(points)))
    data[:3] = np.moveaxis(points, (0, 1, 2), (2, 1, 0))
    content["data"]["points"] = data
    content.write(str(path))
