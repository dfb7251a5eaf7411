"""Measures that go to another process as one text: the same rows come out of it as from measuring again."""

import math
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from mannequin.analysis.files.run_folder import read_run, write_and_tell
from mannequin.analysis.measures import Measure, evaluate_families
from mannequin.analysis.measures.packed import pack, unpack
from mannequin.engine.runs.simulation import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path


def rows(families):
    """What a table shows of measures; a value that is not available is equal to itself."""
    return {
        family: [
            (repr(float(measure.value)), measure.text, replace(measure, value=0.0, details={}))
            for measure in measures
        ]
        for family, measures in families.items()
    }


def test_values_come_back_exactly():
    measures = [
        Measure("HIC15", "man / head", np.float64(0.1) * 3, "", "d", "v", ("one", "two"), {"a": 1}, ("far",)),
        Measure("HIC36", "man / Ä", float("nan"), "", "d", "v", ("no sensor",)),
    ]
    back = unpack(pack({"Head": measures, "None": []}))
    assert rows(back) == rows({"Head": measures, "None": []})
    assert math.isnan(back["Head"][1].value) and back["Head"][0].details == {}


@pytest.mark.parametrize("name", ["fall_standing", "car_pedestrian"])
def test_measures_of_a_written_run_are_those_of_the_folder_read_back(name, tmp_path):
    scenario, now = read_scenario(scenario_path(name)), datetime.now(UTC)
    scenario.settings.duration = 0.3
    written = write_and_tell(scenario, run(scenario), tmp_path, started=now, ended=now)
    read = read_run(written.folder)
    again = evaluate_families(read.scenario, read.recording)
    assert len(again) > 5
    assert rows(unpack(pack(written.measures))) == rows(again) == rows(written.measures)
