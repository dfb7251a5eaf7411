"""Large parts of a scenario go to the other process once."""

import dataclasses

import pytest

from mannequin.engine.errors import EngineError
from mannequin.io_json.scenario_json import read_scenario
from mannequin.jobs import protocol, shared_parts
from mannequin.jobs.server import ANSWERS, AnswerFile
from mannequin.jobs.shared_parts import SentParts, assembled, scenario_text
from mannequin.models.library import scenario_path


@pytest.fixture
def scenario(monkeypatch):
    monkeypatch.setattr(shared_parts, "_kept", {})
    return read_scenario(scenario_path("trip"))


def sent(parts, scenario):
    """What would be sent: keys of models and of obstacles, and texts."""
    models = [parts.key(actor.model) for actor in scenario.actors]
    obstacles = [parts.key(obstacle) for obstacle in scenario.obstacles]
    return models, obstacles, parts.missing((*models, *obstacles))


def test_the_scenario_arrives_whole_and_parts_are_sent_until_they_have_arrived(scenario):
    parts = SentParts()
    models, obstacles, texts = sent(parts, scenario)
    assert len(texts) == len(scenario.actors) + len(scenario.obstacles)
    assert assembled(scenario_text(scenario), models, obstacles, texts) == scenario
    assert sent(parts, scenario)[2] == texts, "no answer has come"
    parts.confirm((*models, *obstacles))
    changed = dataclasses.replace(
        scenario, actors=[dataclasses.replace(actor, velocity=(1.0, 2.0, 3.0)) for actor in scenario.actors]
    )
    models, obstacles, texts = sent(parts, changed)
    assert texts == {}
    assert assembled(scenario_text(changed), models, obstacles, texts) == changed


def test_a_part_that_never_came_is_refused_and_sent_after_that(scenario):
    parts = SentParts()
    models, obstacles, _ = sent(parts, scenario)
    parts.confirm((*models, *obstacles))
    models, obstacles, texts = sent(parts, scenario)
    with pytest.raises(EngineError, match="did not reach"):
        assembled(scenario_text(scenario), models, obstacles, texts)
    parts.forget()
    assert assembled(scenario_text(scenario), *sent(parts, scenario)) == scenario


def test_what_is_remembered_is_bounded_and_the_receiver_remembers_longer(monkeypatch):
    monkeypatch.setattr(shared_parts, "_kept", {})
    scenario, parts = read_scenario(scenario_path("pendulum_chain")), SentParts()
    for number in range(300):
        model = dataclasses.replace(scenario.actors[0].model, name=str(number))
        changed = dataclasses.replace(
            scenario, actors=[dataclasses.replace(scenario.actors[0], model=model)], obstacles=[]
        )
        models, obstacles, texts = sent(parts, changed)
        assert assembled(scenario_text(changed), models, obstacles, texts).actors[0].model.name == str(number)
        parts.confirm(models)
    assert len(parts._keys) <= shared_parts.KEPT_BY_SENDER + 1
    assert len(shared_parts._kept) <= shared_parts.KEPT_BY_RECEIVER + 1
    known = {key for _, key in parts._keys.values()}
    assert known <= shared_parts._kept.keys()


def test_a_file_of_answers_goes_on_in_another(tmp_path):
    file = AnswerFile(tmp_path, most=100)
    lines = [protocol.encode(protocol.Alive()) for _ in range(20)]
    for line in lines:
        file.write(line)
    written, name = [], ANSWERS
    while name:
        answers = [
            protocol.decode(line, protocol.ANSWERS) for line in (tmp_path / name).read_bytes().splitlines()
        ]
        written += [answer for answer in answers if isinstance(answer, protocol.Alive)]
        name = answers[-1].file if answers and isinstance(answers[-1], protocol.GoesOn) else ""
        assert sum(isinstance(answer, protocol.GoesOn) for answer in answers) == bool(name)
    assert len(written) == 20 and len(list(tmp_path.iterdir())) > 2
