"""The record of an event data recorder: columns, units, times and what is wrong with a table."""

import json

import pytest

from mannequin.__main__ import main
from mannequin.io_json import scenario_json
from mannequin.io_json.errors import FileError
from mannequin.io_json.recorder import read_recorder

TABLE = """Time (s),Brake,Speed (mph),Steering wheel (deg)
-1.0,off,40,0
-0.5,on,30,-15
0.0,on,20,-30
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "recorder.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_columns_units_and_time(table):
    """A mile is 1609.344 m; the trace begins at zero; a ratio of -15 makes angles to the right negative."""
    rows = read_recorder(table, "Time (s)", "Speed (mph)", "Steering wheel (deg)", "mph", -15.0)
    mile = 1609.344 / 3600.0
    assert [row[0] for row in rows] == [0.0, 0.5, 1.0]
    assert [row[1] for row in rows] == pytest.approx([40 * mile, 30 * mile, 20 * mile])
    assert [row[2] for row in rows] == pytest.approx([0.0, 1.0, 2.0])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("Speed (mph)", "Speed"), "no column 'Speed (mph)'"),
        (("30,", "fast,"), "line 3: column 3 holds no number"),
        (("-0.5", "-1.0"), "two rows have one time"),
        (("40", "nan"), "line 2: column 3 is not finite"),
    ],
)
def test_what_is_wrong_is_named(table, change, words):
    table.write_text(TABLE.replace(*change), encoding="utf-8")
    with pytest.raises(FileError, match=None) as caught:
        read_recorder(table, "Time (s)", "Speed (mph)", unit="mph")
    assert words in str(caught.value) and str(table) in str(caught.value)


def test_command_writes_a_drive_that_a_scenario_takes(table, tmp_path):
    drive = tmp_path / "drive.json"
    code = main(
        [
            "vehicle",
            "trace",
            str(table),
            "--speed-column",
            "Speed (mph)",
            "--unit",
            "mph",
            "--json",
            str(drive),
        ]
    )
    assert code == 0
    document = {
        "format": "mannequin-scenario",
        "format_version": 1,
        "name": "s",
        "actors": [{"name": "car", "model": "saloon_sprung", "drive": json.loads(drive.read_text())}],
    }
    scenario = scenario_json.loads(json.dumps(document))
    (car,) = scenario.actors
    assert car.drive.trace[-1] == pytest.approx((1.0, 20 * 0.44704))
    assert len(car.model.wheels) == 4
    assert '"model": "saloon_sprung"' in scenario_json.dumps(scenario)
