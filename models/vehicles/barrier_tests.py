"""Barrier tests of NHTSA, and how stiff fronts of today's classes are by them.

Full width into a rigid flat barrier, from NHTSA's Vehicle Crash Test Database (a work of the US government), as copied
in the public repository Locus (crates/locus-analysis/data/nhtsa-frontal-barrier.csv, commit f950739e, of 2026-09-23)
and read there: every row of its last fifth at 54 km/h or more, of model year 2010 or later, with six depths of crush,
whose body type is four-door sedan, five-door hatchback, utility vehicle or pickup; of vans, which are few, those from
model year 2004 on at 47 km/h or more. One of two rows of the same test is left out.

By Campbell (1974) the speed at a barrier goes with the crush that is left: V = b0 + b1 C. b1 is chosen for each test so
that the mean of (b0 + b1 C)^2 over its profile is V^2, so that its energy is met.
"""

from __future__ import annotations

from functools import cache
from statistics import median, quantiles

import numpy as np

NO_CRUSH_SPEED = 8.0 / 3.6
"""m/s, b0: up to this speed a front springs back; assumed, as is usual for such tests."""
BODIES = {
    "car": "four-door sedans and five-door hatchbacks",
    "utility": "utility vehicles",
    "pickup": "pickups",
    "van": "vans",
}
"""Body types of the tests."""
BODY_OF_CLASS = {
    "hatchback": "car",
    "saloon": "car",
    "estate": "car",
    "suv": "utility",
    "van": "van",
    "pickup": "pickup",
    "truck": "van",
    "bus": "van",
}
"""Class to the tests its front is like. Estate as cars, light truck and bus as vans: assumed."""
TESTS: tuple[tuple[int, int, str, int, float, tuple[int, ...]], ...] = (
    (5171, 2004, "van", 2279, 47.60, (372, 451, 458, 464, 458, 358)),
    (5190, 2004, "van", 2369, 47.60, (204, 412, 502, 516, 424, 258)),
    (5203, 2004, "van", 2282, 47.40, (285, 420, 421, 435, 433, 300)),
    (7264, 2010, "van", 1807, 47.50, (480, 522, 537, 546, 521, 476)),
    (7078, 2011, "car", 1663, 56.50, (456, 501, 515, 526, 548, 502)),
    (7375, 2011, "car", 1413, 56.30, (427, 492, 520, 542, 529, 452)),
    (7393, 2011, "car", 1907, 56.20, (354, 464, 462, 452, 414, 305)),
    (7417, 2011, "utility", 2186, 56.40, (268, 375, 479, 489, 403, 317)),
    (7619, 2012, "car", 1470, 56.30, (475, 514, 537, 537, 513, 458)),
    (7626, 2012, "utility", 1614, 56.40, (449, 466, 466, 467, 460, 437)),
    (7641, 2012, "car", 1451, 56.10, (392, 412, 469, 462, 419, 393)),
    (8038, 2013, "car", 1826, 56.34, (431, 509, 532, 505, 471, 367)),
    (8043, 2013, "car", 1599, 56.21, (367, 462, 483, 495, 491, 407)),
    (8057, 2013, "utility", 2203, 56.37, (407, 539, 565, 538, 485, 378)),
    (8251, 2013, "pickup", 2238, 55.50, (334, 400, 397, 362, 362, 325)),
    (8604, 2015, "pickup", 3325, 56.40, (614, 647, 673, 678, 655, 623)),
    (8605, 2015, "utility", 2846, 56.15, (167, 624, 662, 652, 598, 430)),
    (8641, 2015, "pickup", 3277, 56.54, (607, 640, 667, 672, 655, 628)),
    (8651, 2014, "pickup", 2901, 55.80, (334, 330, 314, 295, 290, 351)),
    (8900, 2014, "pickup", 2904, 56.30, (371, 359, 345, 317, 304, 251)),
    (8901, 2014, "pickup", 2905, 55.90, (370, 342, 329, 322, 340, 335)),
    (9662, 2016, "pickup", 3263, 56.57, (491, 568, 625, 623, 562, 487)),
    (9989, 2017, "car", 1931, 56.07, (213, 398, 384, 361, 319, 202)),
    (10714, 2019, "pickup", 3337, 56.29, (358, 578, 646, 650, 584, 415)),
    (10770, 2019, "car", 1714, 56.62, (362, 407, 402, 406, 449, 420)),
    (10778, 2019, "utility", 2421, 56.30, (415, 484, 481, 497, 478, 416)),
    (10793, 2019, "pickup", 3414, 56.34, (518, 592, 645, 643, 586, 503)),
    (10797, 2019, "pickup", 3245, 56.33, (214, 440, 635, 631, 467, 258)),
    (11399, 2021, "pickup", 3398, 56.95, (505, 651, 753, 747, 627, 401)),
    (11490, 2021, "pickup", 2600, 56.99, (338, 463, 584, 586, 460, 325)),
    (11572, 2021, "pickup", 2580, 55.96, (368, 492, 623, 616, 481, 366)),
    (14087, 2022, "utility", 2891, 56.54, (530, 606, 603, 593, 599, 545)),
    (14248, 2022, "pickup", 2853, 56.26, (208, 631, 617, 621, 614, 430)),
    (14307, 2022, "pickup", 3130, 56.92, (216, 378, 497, 461, 397, 204)),
    (14353, 2022, "pickup", 2870, 57.02, (479, 565, 601, 576, 569, 466)),
    (14475, 2022, "car", 1626, 56.07, (300, 438, 406, 377, 414, 260)),
    (14477, 2023, "pickup", 2560, 56.10, (412, 444, 448, 444, 435, 318)),
    (14478, 2023, "utility", 2427, 56.80, (394, 414, 439, 500, 469, 320)),
    (14479, 2023, "car", 2188, 56.51, (122, 315, 306, 320, 331, 196)),
    (14509, 2023, "car", 1908, 56.90, (291, 422, 415, 400, 362, 240)),
    (15050, 2024, "pickup", 2570, 56.29, (372, 584, 640, 635, 572, 361)),
    (15311, 2025, "pickup", 2725, 56.57, (395, 513, 544, 543, 502, 394)),
    (15312, 2024, "pickup", 3400, 56.12, (56, 146, 251, 393, 445, 353)),
    (15347, 2025, "pickup", 2410, 56.43, (304, 373, 434, 429, 370, 295)),
    (15358, 2025, "utility", 2477, 56.39, (267, 301, 311, 327, 348, 339)),
    (15424, 2025, "pickup", 2566, 56.83, (398, 507, 556, 556, 510, 405)),
    (15453, 2023, "car", 2250, 55.90, (551, 672, 767, 736, 639, 450)),
    (15459, 2025, "pickup", 3386, 56.11, (156, 286, 327, 299, 330, 113)),
    (15476, 2025, "utility", 2757, 56.35, (340, 472, 479, 478, 469, 366)),
    (15483, 2022, "utility", 2295, 55.10, (471, 634, 628, 649, 667, 520)),
    (15484, 2023, "utility", 1761, 55.60, (440, 515, 523, 525, 520, 461)),
    (15485, 2022, "car", 1455, 55.40, (410, 519, 527, 528, 473, 446)),
    (15487, 2023, "utility", 2327, 55.50, (502, 596, 620, 616, 591, 503)),
    (15490, 2023, "utility", 1851, 55.50, (514, 601, 620, 617, 616, 417)),
    (15491, 2023, "utility", 2150, 55.40, (428, 540, 554, 553, 546, 444)),
    (15494, 2023, "utility", 1856, 55.30, (386, 396, 424, 447, 448, 334)),
    (15496, 2024, "car", 1545, 55.20, (398, 511, 512, 507, 485, 323)),
    (15501, 2024, "car", 1976, 54.80, (279, 465, 511, 515, 472, 281)),
    (15503, 2024, "utility", 2659, 55.10, (401, 520, 512, 508, 480, 398)),
    (15504, 2024, "car", 2119, 55.20, (237, 336, 379, 398, 408, 315)),
    (15684, 2021, "pickup", 2353, 55.00, (324, 447, 508, 512, 451, 343)),
    (15689, 2020, "utility", 1669, 55.50, (394, 376, 399, 408, 384, 360)),
    (15692, 2020, "utility", 1554, 55.70, (285, 293, 301, 299, 309, 297)),
    (15694, 2020, "car", 1504, 55.50, (424, 484, 497, 492, 444, 409)),
    (15695, 2020, "car", 1675, 55.70, (346, 482, 542, 542, 510, 389)),
    (15697, 2020, "utility", 2245, 55.40, (369, 526, 563, 571, 553, 344)),
    (15698, 2020, "utility", 1839, 55.30, (360, 406, 424, 389, 341, 291)),
    (15703, 2021, "utility", 1696, 55.70, (391, 484, 486, 461, 408, 287)),
)
"""NHTSA's number of the test, model year, body type, mass (kg), speed (km/h), depths left at six places across (mm)."""


def slope(speed: float, depths: tuple[float, ...]) -> float:
    """1/s, b1 of one test: speed at the barrier (m/s) and depths of crush (m) at equal distances across the front."""
    left, right = np.array(depths[:-1]), np.array(depths[1:])
    mean = float(((left + right) / 2.0).mean())
    square = float(((left**2 + left * right + right**2) / 3.0).mean())
    half = NO_CRUSH_SPEED * mean
    return (np.sqrt(half**2 + square * (speed**2 - NO_CRUSH_SPEED**2)) - half) / square


@cache
def slopes(body: str) -> tuple[float, ...]:
    """1/s, b1 of every test of a body type."""
    return tuple(
        slope(speed / 3.6, tuple(0.001 * depth for depth in depths))
        for _, _, tested, _, speed, depths in TESTS
        if tested == body
    )


def front_stiffness(kind: str, mass: float) -> float:
    """N/m of the whole front of a class at a mass (kg): mass times the square of its tests' median b1."""
    return mass * median(slopes(BODY_OF_CLASS[kind])) ** 2


def summary(body: str) -> str:
    """What the tests of a body type say, in a line."""
    found = slopes(body)
    low, _, high = quantiles(found, n=4)
    return (
        f"b1 {median(found):.1f} 1/s, middle half {low:.1f} to {high:.1f}, {len(found)} tests; a front of 1000 kg has "
        f"{median(found) ** 2 / 1000.0:.2f} MN/m"
    )
