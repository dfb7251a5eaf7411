"""Lists of shots: what is proposed for a run, and what a file may say."""

import json

import pytest

from mannequin.jobs.shot_list import Blow, ShotListError, proposed_shots, read_shots

CAR = Blow("car / bumper on man / ShankL", 0.9, 3000.0, True)
GROUND = Blow("man / head on ground", 1.8, 9000.0, False)


def test_a_run_of_two_actors_gets_wide_side_contact_and_replay():
    wide, side, contact, replay = proposed_shots([CAR, GROUND], 2.5)
    assert (wide.kind, side.kind, contact.kind, replay.kind) == ("wide", "side", "contact", "close")
    assert wide.start == 0.0 and wide.end == side.start < CAR.time and side.end == 2.5, (
        "one cut, nothing left out"
    )
    assert contact.contact == CAR.name and contact.start < CAR.time < contact.end and contact.slowness > 1.0
    assert replay.start < GROUND.time < replay.end and replay.slowness > 1.0, "the hardest one"


GROUND_ONLY = [Blow("head on ground", 0.1, 5.0, False)]


@pytest.mark.parametrize(("blows", "kinds"), [([], ["wide"]), (GROUND_ONLY, ["wide", "contact", "close"])])
def test_short_and_empty_runs_get_fewer(blows, kinds):
    found = proposed_shots(blows, 0.3)
    assert [shot.kind for shot in found] == kinds
    assert all(0.0 <= shot.start < shot.end <= 0.3 for shot in found)


def test_a_file_has_what_it_says_and_defaults(tmp_path):
    path = tmp_path / "shots.json"
    path.write_text(json.dumps([{"kind": "side", "end": 1}, {"kind": "close", "slowness": 8, "hold": 0.5}]))
    side, close = read_shots(path)
    assert (side.end, side.slowness, side.lens) == (1.0, 1.0, 50.0) and (close.slowness, close.hold) == (
        8.0,
        0.5,
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not a list of shots in JSON"),
        ("{}", "give a list of shots"),
        ("[3]", "shot 1: give an object"),
        ('[{"kind": "wide"}, {"knd": 3}]', "shot 2: there is no 'knd': use kind"),
        ('[{"kind": "over"}]', "there is no shot 'over': choose one of wide"),
        ('[{"slowness": "fast"}]', "'slowness' is to be a number"),
        ('[{"slowness": true}]', "'slowness' is to be a number"),
        ('[{"slowness": 0}]', "'slowness' is 0"),
        ('[{"start": 2, "end": 1}]', "has to end after it starts"),
        ('[{"kind": "camera"}]', "name the 'camera'"),
    ],
)
def test_a_file_that_cannot_be_used_says_where_and_why(tmp_path, text, message):
    path = tmp_path / "shots.json"
    path.write_text(text)
    with pytest.raises(ShotListError, match=message):
        read_shots(path)
