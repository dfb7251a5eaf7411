"""Fits to synthetic evidence: what was put in is found again, and what cannot be known is said to be unknown."""

import json
import math

import numpy as np
import pytest
from sled import FRICTION, REST, RUNNER, SPEED, G, sled

from mannequin.engine import run
from mannequin.io_json import layout
from mannequin.io_json.errors import FileError
from mannequin.io_json.scenario_json import write_scenario
from mannequin.sweeps.conduct import make_runner, open_journal
from mannequin.sweeps.fit.answer import DECIDED, OPEN, statements
from mannequin.sweeps.fit.camera import pixels, projection
from mannequin.sweeps.fit.conduct import conduct_fit
from mannequin.sweeps.fit.plan import make_fit_plan, write_fit_plan
from mannequin.sweeps.fit.search import reflected
from mannequin.sweeps.fit.spec import (
    Camera,
    Evidence,
    Search,
    Target,
    TrackedPoint,
    Unknown,
    document_of,
    read_evidence,
)
from mannequin.sweeps.fit.targets import MISSING, deviation
from mannequin.sweeps.spec import Touch

CAMERA = Camera(position=(0.5, -6.0, 1.5), target=(0.5, 0.0, 0.0), focal_length=1200.0, centre=[640.0, 360.0])
MOMENT = 0.2
"""s: the sled is then at v t - mu g t^2 / 2."""


def unknowns(*names) -> list[Unknown]:
    known = {
        "speed": Unknown("speed", "actors.sled.speed", 1.0, 6.0, unit="m/s"),
        "friction": Unknown("friction", "friction", 0.2, 0.9),
        "mass": Unknown("mass", "actors.sled.mass", 5.0, 20.0, unit="kg"),
    }
    return [known[name] for name in names]


def rest(tolerance: float = 0.02) -> Target:
    return Target("rest", "rest_position", tolerance, body="sled", position=[REST, 0.0], source="tape")


def video(tolerance: float = 4.0) -> Target:
    place = np.array([[SPEED * MOMENT - 0.5 * FRICTION * G * MOMENT**2, 0.0, RUNNER]])
    ((x, y),) = pixels(projection(CAMERA), place)
    tracked = [TrackedPoint(MOMENT, "sled/deck", [float(x), float(y)])]
    return Target("video", "video_points", tolerance, camera=CAMERA, points=tracked, source="camera 1")


def fitted(tmp_path, evidence, scenario=None):
    plan = make_fit_plan(evidence, scenario or sled())
    folder = write_fit_plan(plan, tmp_path)
    with open_journal(plan, folder) as journal:
        return plan, folder, *conduct_fit(plan, journal, make_runner(plan, processes=0))


@pytest.fixture(scope="module")
def decided(tmp_path_factory):
    """Rest position and one video point decide speed and friction, and say nothing of the mass."""
    evidence = Evidence(
        "sled", "sled.json", unknowns("speed", "friction", "mass"), [rest(), video()], Search(2, 1500, 120)
    )
    return fitted(tmp_path_factory.mktemp("fit"), evidence)


@pytest.mark.long
def test_what_was_put_in_is_found_again(decided):
    _, _, evaluator, answer = decided
    speed, friction, _ = answer.findings
    assert answer.is_complete and answer.agreeing >= 120
    assert speed.low < SPEED < speed.high and speed.verdict == DECIDED
    assert friction.low < FRICTION < friction.high and friction.verdict == DECIDED
    # 4 pixels are 20 mm at 6 m: 0.1 m/s at 0.2 s, and the rest position ties friction to the speed squared
    assert speed.high - speed.low < 0.5
    assert friction.high - friction.low < 0.2


@pytest.mark.long
def test_every_agreeing_start_stops_where_the_sled_was_found(decided):
    """By the formula of the books, not by the program: v^2 / (2 mu g) within the tolerance and the engine's error."""
    _, _, evaluator, _ = decided
    points = np.array(evaluator.points)[evaluator.agreeing()]
    ways = points[:, 0] ** 2 / (2 * points[:, 1] * G)
    assert np.max(np.abs(ways - REST)) < 0.02 + 0.01
    assert np.ptp(ways) > 0.02, "the set is explored, not one point of it"


@pytest.mark.long
def test_mass_is_said_to_be_open(decided):
    _, _, _, answer = decided
    mass = answer.findings[2]
    assert mass.verdict == OPEN and mass.share > 0.85
    assert any("mass: the evidence cannot decide it" in line for line in statements(answer))


@pytest.mark.long
def test_rest_position_alone_ties_speed_to_friction(tmp_path):
    evidence = Evidence("sled", "s", unknowns("speed", "friction"), [rest()], Search(3, 900, 100))
    _, _, _, answer = fitted(tmp_path, evidence)
    assert [tie[:2] for tie in answer.ties] == [("speed", "friction")]
    assert any("known only together" in line for line in statements(answer))
    speed, friction = answer.findings
    # the ridge v = sqrt(2 mu g s) leaves the ranges where friction does, at both ends
    ends = [math.sqrt(2 * mu * G * REST) for mu in (0.2, 0.9)]
    assert (speed.low, speed.high) == pytest.approx(ends, abs=0.25)
    assert friction.verdict == OPEN


@pytest.mark.long
def test_contradicting_evidence_is_said_to_contradict(tmp_path):
    wrong = Target("other", "rest_position", 0.02, body="sled", position=[REST + 0.5, 0.0])
    evidence = Evidence("sled", "s", unknowns("speed", "friction"), [rest(), wrong], Search(3, 120, 50))
    _, _, _, answer = fitted(tmp_path, evidence)
    assert not answer.is_consistent
    assert "No start" in statements(answer)[0]
    assert sum(answer.best_deviations) == pytest.approx(0.5 / 0.02, rel=0.2), "between the two, off both"


@pytest.mark.long
def test_killed_fit_goes_on_to_the_same_answer(tmp_path):
    evidence = Evidence("sled", "s", unknowns("speed", "friction"), [rest()], Search(3, 120, 20))
    plan = make_fit_plan(evidence, sled())
    folder = write_fit_plan(plan, tmp_path)
    with open_journal(plan, folder) as journal:
        stop = iter([False] * 40 + [True])
        _, answer = conduct_fit(plan, journal, make_runner(plan, processes=0), cancel=lambda: next(stop))
        assert answer is None and 40 <= journal.done < 60
    with open_journal(plan, folder) as journal:
        resumed, _ = conduct_fit(plan, journal, make_runner(plan, processes=0))
    _, _, whole, _ = fitted(tmp_path / "whole", evidence)
    assert np.array_equal(resumed.points, whole.points)
    assert np.array_equal(resumed.deviations, whole.deviations)


def test_command_records_the_fit(tmp_path, capsys):
    from mannequin.__main__ import main
    from mannequin.analysis.files.run_folder import read_run

    write_scenario(sled(), tmp_path / "sled.json")
    evidence = Evidence("sled", "sled.json", unknowns("speed"), [rest(0.05)], Search(1, 150, 10))
    (tmp_path / "e.json").write_text(layout.compact(document_of(evidence)))
    assert read_evidence(tmp_path / "e.json") == evidence
    arguments = [
        "fit",
        str(tmp_path / "e.json"),
        "--out",
        str(tmp_path / "out"),
        "--processes",
        "1",
        "--json",
    ]
    assert main(arguments) == 0
    reported = json.loads(capsys.readouterr().out)
    assert reported["unknowns"]["speed"]["low"] < SPEED < reported["unknowns"]["speed"]["high"]
    (folder,) = (tmp_path / "out").iterdir()
    assert "the evidence" in (folder / "report.html").read_text()
    best = read_run(next((folder / "runs").iterdir()))
    assert best.scenario.actors[0].velocity[0] == pytest.approx(reported["best"]["speed"])


# --- targets one by one ---------------------------------------------------------------------------------------------


def test_camera_sees_what_a_pinhole_sees():
    matrix = projection(
        Camera(position=(0, -10, 0), target=(0, 0, 0), focal_length=1000.0, centre=[500.0, 400.0])
    )
    seen = pixels(matrix, np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 10, 1], [0, -11, 0]]))
    assert seen[:4] == pytest.approx(np.array([[500, 400], [600, 400], [500, 300], [550, 350]]))
    assert np.all(np.isnan(seen[4])), "behind the camera"


def test_deviations_are_distances_and_angles():
    scenario = sled()
    recording = run(scenario)
    end = recording.position[-1, 0]
    place = Target("a", "rest_position", 1.0, body="sled/deck", position=[end[0] + 0.3, end[1] - 0.4])
    assert deviation(place, scenario, recording) == pytest.approx(0.5)
    turned = Target("b", "rest_orientation", 1.0, body="sled/deck", orientation=(30.0, 0.0, 0.0))
    assert deviation(turned, scenario, recording) == pytest.approx(30.0, abs=0.2)
    thrown = Target("c", "throw_distance", 1.0, body="sled", distance=0.0)
    assert deviation(thrown, scenario, recording) == pytest.approx(REST, abs=0.01)
    under = (float(end[0]), 0.3, 0.0)
    mark = Target("d", "contact_mark", 1.0, contact=Touch("sled", "ground"), point=under)
    assert deviation(mark, scenario, recording) < 2.0
    never = Target("e", "contact_mark", 0.1, contact=Touch("sled", "ground", min_force=1e9), point=under)
    assert deviation(never, scenario, recording) == MISSING * 0.1


def test_walk_is_thrown_back_evenly():
    low, high = np.zeros(1), np.ones(1)
    thrown = [float(reflected(np.array([x]), low, high)[0]) for x in (-0.2, 1.3, 2.1, -1.9, 0.5)]
    assert thrown == pytest.approx([0.2, 0.7, 0.1, 0.1, 0.5])


BAD = [
    (lambda d: d.update(unknowns=[]), "no unknowns"),
    (lambda d: d["unknowns"][0].update(low=9), "not below high"),
    (lambda d: d["targets"][0].update(kind="rest"), "rest_position"),
    (lambda d: d["targets"][0].pop("position"), "needs 'position'"),
    (lambda d: d["targets"][0].update(tolerance=0), "not above 0"),
    (lambda d: d["search"].update(runs=3), "too few"),
]


@pytest.mark.parametrize(("spoil", "said"), BAD)
def test_bad_evidence_is_refused(tmp_path, spoil, said):
    document = document_of(Evidence("sled", "s", unknowns("speed"), [rest()], Search(1, 100, 10)))
    spoil(document)
    (tmp_path / "e.json").write_text(json.dumps(document))
    with pytest.raises(FileError, match=said):
        read_evidence(tmp_path / "e.json")


def test_target_that_names_nothing_is_refused():
    wrong = Target("rest", "rest_position", 1.0, body="sledge", position=[0, 0])
    with pytest.raises(FileError, match="/targets/0"):
        make_fit_plan(Evidence("sled", "s", unknowns("speed"), [wrong]), sled())
