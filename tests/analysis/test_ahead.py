"""What of a run folder is made while the run computes: the files are the same, byte for byte, and memory is bounded."""

import json
from datetime import UTC, datetime

import pytest

from mannequin.analysis.files import ahead as ahead_module
from mannequin.analysis.files import csv_files
from mannequin.analysis.files.ahead import Ahead
from mannequin.analysis.files.feed import EVERY, Feed
from mannequin.analysis.files.run_folder import make_ahead, names_in, scenario_with_own_models, write_run
from mannequin.engine import compile_system
from mannequin.engine.runs import simulation as simulation_module
from mannequin.engine.runs.recording import first_frames
from mannequin.engine.runs.simulation import Simulation
from mannequin.engine.runs.warmup import muscle_scenario, smallest_scenario
from mannequin.engine.spec import Obstacle
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FRAMES = 350


def with_frames(scenario):
    """The scenario with some hundred output times, which cost little."""
    settings = scenario.settings
    settings.time_step = settings.output_step = 1e-4
    settings.duration = FRAMES * settings.output_step
    return scenario


def fall():
    return with_frames(read_scenario(scenario_path("fall_standing")))


def ball_on_a_mesh(folder):
    """A ball over an obstacle that names a file, as the text of the scenario then depends on the run folder."""
    scenario = with_frames(smallest_scenario())
    corners, triangles = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), ((0, 1, 2),)
    scenario.obstacles.append(
        Obstacle("ramp", "mesh", vertices=corners, triangles=triangles, path=str(folder / "ramp.obj"))
    )
    return scenario


def computed(scenario):
    """Recording, and what a thread has made ahead of its end, be it much or nothing."""
    simulation = Simulation(compile_system(scenario))
    with Feed(lambda feed: make_ahead(scenario, feed)) as feed:
        for progress in simulation.advance():
            feed.give(simulation, progress.frame)
        return simulation.recording(), feed.result()


def made_whole(scenario, recording):
    """What is made where every frame comes in time."""
    ahead = Ahead(scenario_with_own_models(scenario))

    class Everything:
        """A feed that is never over."""

        is_over = False

        def __iter__(self):
            yield first_frames(recording, EVERY)
            yield recording

    return ahead.make(Everything())


def files_of(folder):
    """Name to bytes."""
    return {name: (folder / name).read_bytes() for name in names_in(folder)}


@pytest.mark.parametrize("kind", ["fall", "muscles", "mesh"])
def test_files_made_ahead_are_those_made_at_the_end(tmp_path, kind):
    scenario = {
        "fall": fall,
        "muscles": lambda: with_frames(muscle_scenario()),
        "mesh": lambda: ball_on_a_mesh(tmp_path),
    }[kind]()
    recording, ahead = computed(scenario)
    facts = {"started": NOW, "ended": NOW}
    plain = files_of(write_run(scenario, recording, tmp_path / "plain", **facts))
    for name, made in (("ahead", ahead), ("whole", made_whole(scenario, recording))):
        assert files_of(write_run(scenario, recording, tmp_path / name, **facts, ahead=made)) == plain
    assert json.loads(plain["manifest.json"])["frames"] == recording.frames > 2 * EVERY


def test_blocks_are_made_before_the_end_and_only_whole_ones():
    scenario = fall()
    recording, _ = computed(scenario)
    ahead = made_whole(scenario, recording)
    for name, table in csv_files.frame_tables(ahead.scenario, recording).items():
        made = ahead.lines_of(name, table)
        assert len(made) == recording.frames // table.block == 3
        assert b"".join(made).count(b"\n") == 3 * table.block
        # a table that has become shorter, as on a full disk, does not use them
        short = csv_files.frame_tables(ahead.scenario, first_frames(recording, 120))[name]
        assert ahead.lines_of(name, short) == []


def test_what_is_kept_in_memory_is_bounded(monkeypatch, tmp_path):
    scenario = fall()
    recording, _ = computed(scenario)
    monkeypatch.setattr(ahead_module, "LARGEST", 1000)
    ahead = made_whole(scenario, recording)
    assert sum(len(block) for blocks in ahead._blocks.values() for block in blocks) < 5_000_000
    assert [len(blocks) for blocks in ahead._blocks.values()] == [1, 0, 0]
    facts = {"started": NOW, "ended": NOW}
    whole = files_of(write_run(scenario, recording, tmp_path / "a", **facts, ahead=ahead))
    assert whole == files_of(write_run(scenario, recording, tmp_path / "b", **facts))


def test_nothing_is_fed_of_a_run_whose_frames_go_to_disk(monkeypatch):
    monkeypatch.setattr(simulation_module, "LARGEST_IN_MEMORY", 1000)
    recording, ahead = computed(fall())
    assert recording.frames == FRAMES + 1 and not ahead._blocks


def test_the_end_of_the_simulation_ends_the_making(tmp_path):
    """A run that is cancelled, or fails, leaves no thread that waits for frames."""
    with pytest.raises(ZeroDivisionError), Feed(lambda feed: list(feed)) as feed:
        raise ZeroDivisionError
    assert feed.is_over and feed.result() == []


def test_frames_so_far_stay_as_they_are_while_the_run_goes_on():
    simulation = Simulation(compile_system(fall()))
    steps = simulation.advance()
    for _ in range(EVERY):
        next(steps)
    early = simulation.frames_so_far()
    before = early.position.copy()
    for _ in steps:
        pass
    final = simulation.recording()
    assert EVERY <= early.frames < final.frames
    assert early.position.tobytes() == before.tobytes() == final.position[: early.frames].tobytes()
