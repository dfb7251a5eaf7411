"""The error to expect that reports print beside a measure: what the validation's file says, and nothing else."""

import json

import pytest

from mannequin.analysis.measures.expected_error import (
    FILE,
    ExpectedError,
    expected_error,
    expected_errors,
    kind_of_case,
)
from mannequin.models.scenarios.falls import slip
from mannequin.models.scenarios.impacts import car_pedestrian, rugby_tackle, seated_crash

KINDS = {"falls": slip, "pedestrians": car_pedestrian, "tackles": rugby_tackle, "occupants": seated_crash}


@pytest.mark.parametrize("kind", KINDS)
def test_kind_of_a_case(kind):
    assert kind_of_case(KINDS[kind]()) == kind


def test_values_are_those_of_the_file():
    written = json.loads(FILE.read_text(encoding="utf-8"))["measures"]
    for name, kinds in written.items():
        for kind, one in kinds.items():
            found = expected_error(name, kind)
            assert (found.bias, found.scatter, found.comparisons) == (
                one["bias"],
                one["scatter"],
                one["comparisons"],
            )
    assert expected_errors("impact impact speed") == expected_errors("impact speed")
    assert expected_error("no such measure", "falls") is None


def test_words():
    error = ExpectedError("falls", -12.4, 30.0, 20.0, 40, 5, 40)
    assert error.text == "-12 +- 30 % (falls)"
    assert error.sentence.startswith(
        "falls: 12 % too low on average, scattering by 30 %, published values by 20 % (40"
    )
    assert "none of which was read" not in error.sentence


def test_nothing_is_claimed_to_be_known_better_than_it_was_published():
    error = ExpectedError("pedestrians", 1.8, 1.9, 20.0, 3, 1, 0)
    assert error.text == "+2 +- 20 % (pedestrians)"
    assert "none of which was read in its source" in error.sentence
