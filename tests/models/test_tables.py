"""Tables in files: what a cell becomes, and that every table of the models is read whole."""

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

import mannequin
from mannequin.models.parts.tables import read_table


@dataclass(frozen=True)
class Thing:
    """A row with a field of every kind."""

    name: str
    size: float
    count: int = 3
    is_large: bool = False
    color: tuple[float, float, float] = (0.0, 0.0, 0.0)
    curve: tuple[tuple[float, float], ...] = ()
    friction: float | None = None


def test_cells_become_what_the_fields_are(tmp_path):
    text = "name,size,count,is_large,color,curve,friction\n"
    text += 'a,1.5,2,yes,0.1 0.2 0.3,0 0; 0.5 2e3,0.4\n"b, with a comma",2,,,,,\n'
    (tmp_path / "things.csv").write_text(text)
    first, second = read_table(tmp_path / "things.csv", Thing)
    assert first == Thing("a", 1.5, 2, True, (0.1, 0.2, 0.3), ((0.0, 0.0), (0.5, 2000.0)), 0.4)
    assert second == Thing("b, with a comma", 2.0) and isinstance(first.count, int)


@pytest.mark.parametrize("text", ["name,size\na,big\n", "name,width\na,1\n", "name,size\na\n"])
def test_a_bad_table_is_refused(tmp_path, text):
    """No number, a column that is no field, a row without what it must have."""
    (tmp_path / "things.csv").write_text(text)
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_table(tmp_path / "things.csv", Thing)


def test_no_row_of_a_shipped_table_is_short_or_long():
    """All but the file of fits, which has three tables in one."""
    files = (Path(mannequin.__file__).parent / "models").rglob("*.csv")
    found = [path for path in files if path.name != "reference_fits.csv"]
    assert len(found) == 24
    for path in found:
        with path.open(newline="", encoding="utf-8") as file:
            head, *rows = list(csv.reader(file))
        assert rows and all(len(row) == len(head) for row in rows), path.name
