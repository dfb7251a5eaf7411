"""How colours look to people whose cones differ, and how far two colours are apart."""

import numpy as np

VISIONS = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
"""Matrices for linear RGB: severity 1.0 of Machado, Oliveira and Fernandes, A Physiologically-based Model for
Simulation of Color Vision Deficiency, IEEE Trans. Visualization and Computer Graphics 15 (2009) 1291-1298."""


def linear(color):
    """(3,) linear RGB of "#rrggbb" (IEC 61966-2-1)."""
    values = np.array([int(color[k : k + 2], 16) / 255.0 for k in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def seen_as(color, vision):
    """(3,) linear RGB of what somebody sees of a colour."""
    return np.clip(np.array(VISIONS[vision]) @ linear(color), 0.0, 1.0)


def lab(rgb):
    """(3,) CIE L*a*b* of linear sRGB, with its own white."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    share = to_xyz @ np.clip(rgb, 0.0, 1.0) / (0.9505, 1.0, 1.089)
    f = np.where(share > (6 / 29) ** 3, np.cbrt(share), share * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def ciede2000(first, second):
    """Difference of two colours given as L*a*b*, by CIE 142-2001."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    c1, c2 = np.hypot((1 + g) * a1, b1), np.hypot((1 + g) * a2, b2)
    h1, h2 = (
        np.degrees(np.arctan2(b, (1 + g) * a)) % 360 if c else 0.0 for a, b, c in ((a1, b1, c1), (a2, b2, c2))
    )
    turn = h2 - h1
    turn = 0.0 if c1 * c2 == 0 else turn - 360 * np.sign(turn) * (abs(turn) > 180)
    middle = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    dl, dc, dh = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn) / 2)
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 + sum(
        weight * np.cos(np.radians(k * middle + shift))
        for weight, k, shift in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    )
    sl = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    turned = np.radians(60 * np.exp(-(((middle - 275) / 25) ** 2)))
    rt = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(turned)
    return float(np.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh)))


def difference(one, other, vision):
    """CIEDE2000 difference of two "#rrggbb" as somebody sees them."""
    return ciede2000(lab(seen_as(one, vision)), lab(seen_as(other, vision)))
