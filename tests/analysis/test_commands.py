"""The commands run, report and verify, each as its own process, with the interpreted engine (nothing to compile)."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ball_drop import make_ball, make_drop

from mannequin.io_json.model_json import write_model
from mannequin.io_json.scenario_json import write_scenario

pytest.importorskip("mannequin.engine.runs.simulation")


def call(*arguments, cwd):
    environment = {**os.environ, "MANNEQUIN_INTERPRETED": "1"}
    return subprocess.run(
        [sys.executable, "-m", "mannequin", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
        timeout=240,
    )


@pytest.fixture
def scenario_file(tmp_path):
    path = tmp_path / "drop.json"
    write_scenario(make_drop(duration=0.02), path)
    return path


@pytest.fixture
def run_folder(scenario_file):
    done = call("run", scenario_file, "--out", "out", cwd=scenario_file.parent)
    assert done.returncode == 0, done.stderr
    return scenario_file.parent / done.stdout.strip()


def test_run_prints_the_folder_and_nothing_else(scenario_file):
    done = call("run", scenario_file, cwd=scenario_file.parent)
    assert (done.returncode, done.stderr.replace(INTERPRETED, "")) == (0, "")
    folder = scenario_file.parent / done.stdout.strip()
    assert folder.parent.name == "out" and (folder / "manifest.json").is_file()


INTERPRETED = "Numba is not available: the engine runs interpreted, about a thousand times slower\n"


def test_json_and_overrides(scenario_file):
    done = call(
        "run", scenario_file, "--json", "--set", "duration=0.01", "--set", "actors.man.velocity=0,0,-6",
        cwd=scenario_file.parent,
    )  # fmt: skip
    (result,) = json.loads(done.stdout)
    assert result["status"] == "completed" and result["simulated_time"] == pytest.approx(0.01)
    content = json.loads((scenario_file.parent / result["folder"] / "manifest.json").read_text())
    assert content["overrides"] == {"duration": 0.01, "actors.man.velocity": [0, 0, -6]}
    assert content["parameters"]["actors"][0]["velocity"] == [0, 0, -6]
    assert content["inputs"][0]["path"].endswith("drop.json")
    speed = next(m for m in result["measures"] if m["name"] == "impact speed")
    assert speed["value"] == pytest.approx(6.0)


def test_a_configuration_saved_by_openmbd_runs(tmp_path):
    write_model(make_ball(), tmp_path / "ball.json", extensions=False)
    start = {
        "id": 0,
        "path": "ball.json",
        "pos": [0, 0, 0.5],
        "vel": [2, 0, 0],
        "ang_vel": [0, 0, 0],
        "joints": {},
    }
    configuration = {
        "dt": 1e-3,
        "out_dt": 1e-3,
        "dur": 0.01,
        "cof": 0.4,
        "contact_damping": 150,
        "models": [start],
    }
    (tmp_path / "saved.json").write_text(json.dumps(configuration))
    done = call("run", "saved.json", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)
    assert result["simulated_time"] == pytest.approx(0.01) and result["status"] == "completed"


def test_many_scenarios(scenario_file):
    other = scenario_file.with_name("other.json")
    write_scenario(make_drop(5.0, duration=0.01), other)
    done = call("run", scenario_file, other, "--out", "many", cwd=scenario_file.parent)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2 == len(list((scenario_file.parent / "many").iterdir()))


@pytest.mark.parametrize(
    "arguments, reported",
    [
        (["nowhere.json"], "nowhere.json"),
        (["drop.json", "--set", "frction=1"], "friction"),
        (["drop.json", "--set", "time_step=-1"], "time step is -1"),
        (["model.json"], "not a scenario"),
        (["broken.json"], "broken.json"),
    ],
)
def test_wrong_input_is_named_and_nothing_is_written(scenario_file, arguments, reported):
    folder = scenario_file.parent
    write_model(make_ball(), folder / "model.json")
    (folder / "broken.json").write_text('{"format": "mannequin-scenario",')
    done = call("run", *arguments, cwd=folder)
    assert done.returncode == 2 and reported in done.stderr and "Traceback" not in done.stderr
    assert not (folder / "out").exists()


def test_a_bad_scenario_stops_all_before_any_is_run(scenario_file):
    done = call("run", scenario_file, "nowhere.json", cwd=scenario_file.parent)
    assert done.returncode == 2 and not (scenario_file.parent / "out").exists()


def test_a_folder_that_cannot_be_written(scenario_file):
    (scenario_file.parent / "taken").write_text("a file")
    done = call("run", scenario_file, "--out", "taken", cwd=scenario_file.parent)
    assert done.returncode == 1 and "taken" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.long
def test_verify(run_folder):
    done = call("verify", run_folder, cwd=run_folder.parent)
    assert done.returncode == 0 and "matches" in done.stdout and "identical" in done.stdout
    table = run_folder / f"{run_folder.name}_contacts.csv"
    data = bytearray(table.read_bytes())
    data[-5] ^= 1
    table.write_bytes(data)
    done = call("verify", run_folder, cwd=run_folder.parent)
    assert done.returncode == 3 and table.name in done.stdout and "does not match" in done.stdout
    done = call("verify", run_folder, "--json", cwd=run_folder.parent)
    (result,) = json.loads(done.stdout)
    assert result["matches"] is False and table.name in result["problems"][0]


def test_verify_of_no_run(tmp_path):
    done = call("verify", tmp_path, cwd=tmp_path)
    assert done.returncode == 2 and "manifest.json" in done.stderr


@pytest.mark.long
def test_report_and_plots(run_folder):
    done = call("report", run_folder, "--plots", "head", cwd=run_folder.parent)
    assert done.returncode == 0, done.stderr
    written = {Path(line).relative_to(run_folder).as_posix() for line in done.stdout.splitlines()}
    assert {f"{run_folder.name}_report.html", "plots/energy.svg", "plots/man_head_velocity.png"} <= written
    assert "step check" in (run_folder / f"{run_folder.name}_report.html").read_text().lower()
    assert call("verify", run_folder, cwd=run_folder.parent).returncode == 0
    done = call("report", run_folder, "--no-step-check", "--plots", "tail", cwd=run_folder.parent)
    assert done.returncode == 2 and "tail" in done.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
def test_ctrl_c_keeps_what_was_computed(tmp_path):
    path = tmp_path / "long.json"
    write_scenario(make_drop(duration=100.0), path)
    process = subprocess.Popen(
        [sys.executable, "-m", "mannequin", "run", str(path), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "MANNEQUIN_INTERPRETED": "1"},
        text=True,
    )
    started = process.stderr.readline()  # the engine says that it runs interpreted when the run begins
    assert "interpreted" in started
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    (result,) = json.loads(out)
    assert result["status"] == "cancelled" and 0 < result["simulated_time"] < 100
    content = json.loads((tmp_path / result["folder"] / "manifest.json").read_text())
    assert content["status"] == "cancelled" and content["frames"] > 1


@pytest.mark.parametrize("command", ["run", "report", "verify"])
def test_help_has_examples(command, tmp_path):
    done = call(command, "--help", cwd=tmp_path)
    assert done.returncode == 0 and f"mannequin {command} " in done.stdout and "examples:" in done.stdout
