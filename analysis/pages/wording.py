"""Numbers and names as an expert writes them: sensible digits, usual units, plain words."""

import math
import re

SMALL = 1e-12


def digits(value: float, count: int = 3) -> str:
    """A number with so many significant digits, without an exponent: 56620 is 56,600."""
    if not math.isfinite(value):
        return "not known"
    if abs(value) < SMALL:
        return "0"
    decimals = count - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, decimals)
    return f"{rounded:,.{max(0, decimals)}f}"


def quantity(value: float, unit: str = "") -> str:
    """A value with its unit, in the size in which people think of it."""
    if math.isnan(value):
        return "not available"
    if unit in ("N", "N m") and abs(value) >= 1000.0:
        return f"{digits(value / 1000.0)} k{unit}"
    if unit == "m/s":
        return speed(value)
    if unit == "m" and abs(value) < 0.1:
        return f"{digits(1000.0 * value, 2)} mm"
    return f"{digits(value)} {unit}".rstrip()


def speed(value: float) -> str:
    """In m/s, and in km/h where it is one of traffic."""
    return (
        f"{digits(value, 2 if value < 10 else 3)} m/s ({3.6 * value:.0f} km/h)"
        if value >= 1.0
        else f"{digits(value, 2)} m/s"
    )


def rounded(text: str) -> str:
    """A text whose numbers have four significant digits at most."""
    return re.sub(r"\d+\.\d+", lambda found: f"{float(found[0]):.4g}", text)


def moment(time: float) -> str:
    """A time after the start: "0.214 s"."""
    return f"{time:.3f} s" if time < 10.0 else f"{time:.2f} s"


def percent(share: float) -> str:
    """A share in per cent, to two digits; below a tenth of a per cent it is said so."""
    value = 100.0 * share
    return "under 0.1 %" if value < 0.1 else f"{digits(value, 2)} %"


def plain_name(name: str) -> str:
    """A name of a model in words: "LowerLegRight" and "shank_r" are "lower leg right" and "right shank"."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.replace("_", " "))
    *words, last = spaced.lower().split() or [""]
    side = {"l": "left", "r": "right"}.get(last)
    return " ".join([side, *words] if side and words else [*words, last])


def plain_title(name: str) -> str:
    """The name of a scenario as a title: "car_pedestrian" is "Car pedestrian"."""
    spaced = " ".join(name.replace("_", " ").split())
    return spaced[:1].upper() + spaced[1:]
