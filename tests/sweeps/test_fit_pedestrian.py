"""A pedestrian struck by a car: speed and offset are found again from a mark on the windscreen and a video."""

import dataclasses

import numpy as np
import pytest

from mannequin.engine import run
from mannequin.io_json.resolve import SHIPPED_FOLDER, resolve_model
from mannequin.io_json.scenario_json import read_scenario
from mannequin.sweeps import contacts
from mannequin.sweeps.conduct import make_runner, open_journal
from mannequin.sweeps.fit.answer import DECIDED, OPEN, statements
from mannequin.sweeps.fit.camera import pixels, projection
from mannequin.sweeps.fit.conduct import conduct_fit
from mannequin.sweeps.fit.folder import finish_fit
from mannequin.sweeps.fit.plan import make_fit_plan, write_fit_plan
from mannequin.sweeps.fit.spec import Search, read_evidence
from mannequin.sweeps.inputs import with_inputs

EVIDENCE = SHIPPED_FOLDER / "sweeps" / "pedestrian_evidence.json"
TRUTH = {"actors.car.speed": 10.3, "actors.man.position.1": -0.12}
"""What the shipped evidence was made with; the road's friction was left as in the scenario."""


@pytest.fixture(scope="module")
def struck():
    """The evidence, its scenario, and the run that is the truth."""
    evidence = read_evidence(EVIDENCE)
    scenario = read_scenario(resolve_model(evidence.scenario, None))
    truth = with_inputs(scenario, [*evidence.changes.items(), *TRUTH.items()])
    return evidence, scenario, run(truth)


def test_shipped_evidence_is_that_of_the_truth(struck):
    """The numbers in the file are those of the run, to the precision with which they are written."""
    evidence, _, recording = struck
    mark, video = evidence.targets
    chosen, of_is_a = contacts.select(recording, mark.contact)
    events = recording.contacts[chosen]
    points = np.where(of_is_a[:, None], events["point_b"], events["point_a"])
    assert np.min(np.linalg.norm(points - np.array(mark.point), axis=-1)) < 0.01
    for tracked in video.points:
        body = recording.body_index("man", tracked.body.partition("/")[2])
        place = [np.interp(tracked.time, recording.times, axis) for axis in recording.position[:, body].T]
        seen = pixels(projection(video.camera), np.array([place]))[0]
        assert np.linalg.norm(seen - tracked.pixel) < 1.0


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_speed_and_offset_are_found_and_friction_is_left_open(struck, tmp_path):
    evidence, scenario, _ = struck
    evidence = dataclasses.replace(evidence, search=Search(seed=1, runs=420, samples=40))
    plan = make_fit_plan(evidence, scenario)
    folder = write_fit_plan(plan, tmp_path)
    with open_journal(plan, folder) as journal:
        evaluator, answer = conduct_fit(plan, journal, make_runner(plan, processes=0))
        finish_fit(plan, evaluator, answer, folder)
    assert answer.is_consistent
    speed, offset, friction = answer.findings
    assert speed.low < TRUTH["actors.car.speed"] < speed.high
    assert offset.low < TRUTH["actors.man.position.1"] < offset.high
    assert speed.verdict == offset.verdict == DECIDED
    assert friction.verdict == OPEN
    assert any("friction: the evidence cannot decide it" in line for line in statements(answer))
