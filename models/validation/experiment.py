"""A published test as a file: set-up, source, how sure its numbers are, bands, what of the model was set from it, and
why rows of it miss.

`experiments/*.toml` hold them; a check reads one, simulates its set-up and hands over what it measured. Nothing
that was published stands in the code of a check.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .curves import followed
from .row import AREAS, ARITHMETIC, MEMORY_HIGH, MEMORY_MEDIUM, READ, Row, Source

FOLDER = Path(__file__).parent / "experiments"
MARKS = {
    "read": READ,
    "arithmetic": ARITHMETIC,
    "memory, high": MEMORY_HIGH,
    "memory, medium": MEMORY_MEDIUM,
}
"""Word of a file to how its number was obtained."""
FILE_KEYS = {"area", "check", "source", "mark", "fitted", "set_up", "quantity", "cause"}


@dataclass(frozen=True)
class Quantity:
    """One published number, or what was published in words."""

    name: str
    unit: str = ""
    band: tuple[float, float] | None = None
    """Low and high, in the unit; none where no band was published, or where it is worked out for each run"""
    mean: float | None = None
    sd: float | None = None
    """What was published in place of a band"""
    published: str = ""
    """What was published, where that is no band"""
    corridor: tuple[tuple[float, float, float], ...] = ()
    """Where a whole curve was published: (ms, low, high), straight between"""
    digits: int = 2
    """After the point, of the value shown"""
    area: str = ""
    """Of the score; empty here and in the next two: the experiment's"""
    mark: str = ""
    fitted: str = ""


@dataclass(frozen=True)
class Cause:
    """Why rows miss, as far as it was examined."""

    check: str
    """Beginning of the checks that it explains; empty: any of the experiment"""
    quantity: str
    text: str


@dataclass(frozen=True)
class Experiment:
    """A published test."""

    name: str
    """Of its file"""
    area: str
    check: str
    """Title of its rows, with fields in braces that `of` fills"""
    source: Source
    fitted: str
    """What of the model was set from it; empty where its rows are predictions"""
    set_up: dict[str, Any]
    """Published arguments of the simulation, SI units and degrees, and `text`: how it was done"""
    quantities: dict[str, Quantity]
    causes: tuple[Cause, ...]

    def of(self, **fields: object) -> Experiment:
        """The experiment of one set-up: the fields of its title filled."""
        return replace(self, check=self.check.format(**fields))

    def band(self, quantity: str) -> tuple[float, float]:
        """Published band of a quantity: as printed, or mean +- 2 sd. Raises ValueError where it has neither."""
        known = self.quantities[quantity]
        return known.band if known.band is not None else self.spread(quantity, 2.0)

    def spread(self, quantity: str, sds: float) -> tuple[float, float]:
        """Published mean +- so many standard deviations. Raises ValueError where none were published."""
        known = self.quantities[quantity]
        if known.mean is None or known.sd is None:
            raise ValueError(
                f"experiment '{self.name}': '{quantity}' has no band; give one where it is compared"
            )
        return round(known.mean - sds * known.sd, 2), round(known.mean + sds * known.sd, 2)

    def row(
        self,
        quantity: str,
        value: float,
        remark: str = "",
        band: tuple[float, float] | None = None,
        number: str = "",
    ) -> Row:
        """A number against its published band; one that lies outside says by how much.

        band: where it is worked out for each run; `number` then says which published number it is (`Row.number`)."""
        known = self.quantities[quantity]
        low, high = self.band(quantity) if band is None else band
        is_inside = bool(low <= value <= high)
        if not is_inside:
            edge = low if value < low else high
            share = f" ({100 * abs(value - edge) / abs(edge):.0f} %)" if edge else ""
            remark = f"misses by {abs(value - edge):.{known.digits}f} {known.unit}{share}. {remark}".strip()
        published, measured = f"{low:.4g} to {high:.4g}", f"{value:.{known.digits}f}"
        row = self._row(known, f"{published} {known.unit}", f"{measured} {known.unit}", is_inside, remark)
        return replace(row, value=float(value), band=(float(low), float(high)), number=number)

    def did_not_happen(
        self, quantity: str, measured: str, remark: str = "", inside: bool | None = None
    ) -> Row:
        """A quantity with a band that the run does not have."""
        known = self.quantities[quantity]
        low, high = self.band(quantity)
        return self._row(known, f"{low:g} to {high:g} {known.unit}", measured, inside, remark)

    def words(self, quantity: str, measured: str, remark: str = "", inside: bool | None = None) -> Row:
        """What was published without a band: for information, or (`inside`) seen to be so or not."""
        known = self.quantities[quantity]
        return self._row(known, known.published, measured, None if inside is None else bool(inside), remark)

    def curve(self, quantity: str, times: np.ndarray, values: np.ndarray, remark: str = "") -> Row:
        """A whole curve (times in ms) against the published corridor in time."""
        known = self.quantities[quantity]
        found = followed(times, values, known.corridor)
        published = ", ".join(
            f"{low:g} to {high:g} {known.unit} at {ms:g} ms" for ms, low, high in known.corridor
        )
        measured = (
            f"rating {found.rating:.2f}, at most {found.excursion:.{known.digits}f} {known.unit} outside"
        )
        return self._row(known, published, measured, found.excursion == 0.0, remark)

    def _row(self, known: Quantity, published: str, measured: str, inside: bool | None, remark: str) -> Row:
        """A comparison, with the cause of its miss where it misses and states none yet."""
        if inside is False and STATED not in remark:
            causes = (
                c.text
                for c in self.causes
                if self.check.startswith(c.check) and known.name.startswith(c.quantity)
            )
            remark = f"{remark} {next(causes, NOT_EXAMINED)}".strip()
        return Row(
            known.area or self.area,
            self.check,
            known.name,
            published,
            measured,
            inside,
            Source(self.source.text, known.mark or self.source.mark),
            remark,
            known.fitted or self.fitted,
            experiment=self.name,
        )


NOT_EXAMINED = "Cause not examined."
STATED = "probably because"
"""In remarks that give a cause already."""


@cache
def experiment(name: str) -> Experiment:
    """Read a published test by the name of its file."""
    path = FOLDER / f"{name}.toml"
    with path.open("rb") as file:
        data = tomllib.load(file)
    _check_keys(path, "", data, FILE_KEYS)
    quantities = [_quantity(path, entry) for entry in data["quantity"]]
    if data["area"] not in AREAS or data["mark"] not in MARKS:
        raise ValueError(
            f"{path.name}: 'area' is one of {', '.join(AREAS)}, 'mark' one of {', '.join(MARKS)}"
        )
    return Experiment(
        name,
        data["area"],
        data["check"],
        Source(data["source"], MARKS[data["mark"]]),
        data.get("fitted", ""),
        data["set_up"],
        {quantity.name: quantity for quantity in quantities},
        tuple(_cause(path, entry) for entry in data.get("cause", [])),
    )


def _quantity(path: Path, entry: dict[str, Any]) -> Quantity:
    _check_keys(path, f"quantity '{entry.get('name')}': ", entry, _names(Quantity))
    band = entry.get("band")
    if band is not None and not (len(band) == 2 and band[0] < band[1]):
        raise ValueError(f"{path.name}: the band of '{entry['name']}' has a low and a higher end, not {band}")
    known = {**entry, "band": None if band is None else (float(band[0]), float(band[1]))}
    known["corridor"] = tuple(tuple(map(float, point)) for point in entry.get("corridor", ()))
    known["mark"] = MARKS[entry["mark"]] if "mark" in entry else ""
    return Quantity(**known)


def _cause(path: Path, entry: dict[str, Any]) -> Cause:
    _check_keys(path, "cause: ", entry, _names(Cause))
    return Cause(entry.get("check", ""), entry.get("quantity", ""), " ".join(entry["text"].split()))


def _names(kind: type) -> set[str]:
    return {field.name for field in fields(kind)}


def _check_keys(path: Path, where: str, entry: dict[str, Any], known: set[str]) -> None:
    strange = sorted(set(entry) - known)
    if strange:
        raise ValueError(
            f"{path.name}: {where}there is no '{strange[0]}'; known are {', '.join(sorted(known))}"
        )
