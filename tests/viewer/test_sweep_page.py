"""Several hypotheses, and the ghosts of a sweep, in one file."""

import json

import numpy as np
import pytest
from ball_run import DURATION, VELOCITY, ball_place, ball_run, ball_scenario
from browser import open_page
from page_blocks import decode

from mannequin import __main__ as program
from mannequin.io_json import model_json, scenario_json
from mannequin.sweeps.conduct import complete, make_runner, open_journal
from mannequin.sweeps.plan import plan_of_file, write_plan
from mannequin.sweeps.spec import read_sweep
from mannequin.viewer.write import read_content

SPEEDS = [0.5, 1.0, 1.5, 2.0]


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    """The folder of a sweep of the ball's speed along x."""
    folder = tmp_path_factory.mktemp("sweep")
    scenario = ball_scenario()
    scenario.actors[0].model_reference = "ball.json"
    model_json.write_model(scenario.actors[0].model, folder / "ball.json")
    scenario_json.write_scenario(scenario, folder / "flight.json")
    speed = {"kind": "discrete", "values": SPEEDS}
    document = {
        "format": "mannequin-sweep",
        "format_version": 1,
        "name": "flights",
        "scenario": "flight.json",
        "parameters": [
            {"name": "speed", "address": "actors.ball.velocity.0", "unit": "m/s", "distribution": speed}
        ],
        "design": {"kind": "latin_hypercube", "runs": 8, "seed": 3},
        "measures": [{"name": "end", "body": "ball", "component": "x", "unit": "m"}],
    }
    path = folder / "flights.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    plan = plan_of_file(read_sweep(path), path)
    made = write_plan(plan, folder / "out")
    with open_journal(plan, made) as journal:
        assert complete(plan, journal, made, lambda: make_runner(plan, processes=0), report=False)
    return made, plan


@pytest.fixture(scope="module")
def file(sweep, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "sweep.html"
    arguments = ["view", str(sweep[0]), "--out", str(path), "--measure", "end", "--ghosts", "3"]
    assert program.main(arguments) == 0
    return path


def speed_of(label: str) -> float:
    """Speed that a ghost's label states."""
    return float(label.partition("speed ")[2].split()[0])


def test_ghosts_fly_as_their_speeds_say(file, sweep):
    entry = read_content(file)["runs"][0]
    blocks = read_content(file)["blocks"]
    assert 1 <= len(entry["ghosts"]) <= 3
    speeds = {speed_of(ghost["label"]) for ghost in entry["ghosts"]}
    assert len(speeds) > 1 and speeds <= set(SPEEDS)
    for ghost in entry["ghosts"]:
        ends = decode(blocks[ghost["positions"]])[-1, 0]
        wanted = ball_place(DURATION, (speed_of(ghost["label"]), *VELOCITY[1:]))
        assert np.abs(ends - wanted).max() < 1e-3
        assert len(decode(blocks[ghost["times"]])) <= 122
    assert entry["digest"] == sweep[1].digest and entry["digest_of"] == "plan of the sweep"


def test_the_page_of_a_sweep_is_checked_too(file, sweep, tmp_path, capsys):
    options = ["--measure", "end", "--ghosts", "3"]
    assert program.main(["view", str(sweep[0]), "--check", str(file), *options]) == 0
    altered = tmp_path / "altered.html"
    text = file.read_text(encoding="utf-8")
    label = read_content(file)["runs"][0]["ghosts"][0]["label"]
    altered.write_text(text.replace(label, "run 99: speed 0.1 m/s"), encoding="utf-8")
    assert program.main(["view", str(sweep[0]), "--check", str(altered), *options]) == 3
    assert "runs/0/ghosts" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [(["--measure", "HIC"], "no measure 'HIC'"), (["--ghosts", "0"], "at least 1"), (["--name", "A"], "")],
)
def test_what_is_wrong_is_said(sweep, tmp_path, capsys, options, words):
    out = ["--out", str(tmp_path / "page.html")]
    code = program.main(["view", str(sweep[0]), *out, *options])
    assert (code, words in capsys.readouterr().err) == ((2, True) if words else (0, True))
    assert program.main(["view", str(sweep[0])]) == 2
    assert program.main(["view", str(sweep[0]), *out, "--name", "A", "--name", "B"]) == 2


def test_the_browser_shows_ghosts_and_hypotheses_in_step(file, sweep, tmp_path):
    """A run and a sweep side by side, named as hypotheses; ghosts where the closed form has them."""
    run = ball_run(tmp_path / "runs")
    path = tmp_path / "both.html"
    arguments = ["--out", str(path), "--name", "A: slow", "--name", "B: fast", "--ghosts", "3"]
    assert program.main(["view", str(sweep[0]), str(run.folder), *arguments]) == 0
    labels = [ghost["label"] for ghost in read_content(path)["runs"][0]["ghosts"]]
    with open_page() as page:
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready]")
        assert page.locator("#captions span").all_text_contents() == ["A: slow", "B: fast"]
        assert page.locator(".legend span").all_text_contents() == ["A: slow", "B: fast"]
        page.evaluate("mannequin.go(0.3)")
        for number, label in enumerate(labels):
            drawn = page.evaluate("([k, name]) => mannequin.ghost(k, name)", [number, "ball / ball"])
            assert np.abs(drawn - ball_place(0.3, (speed_of(label), *VELOCITY[1:]))).max() < 1e-3
            assert label in page.text_content("#about")
        page.select_option("[aria-label='Runs that are shown']", "1")
        assert page.locator("#captions span").all_text_contents() == ["B: fast"]
        assert page.problems == []
