"""The same table wherever it runs, and nothing lost or made twice when processes are killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import poison
import pytest
from thrown_ball import make_throw_plan, write_files

from mannequin.sweeps import pool
from mannequin.sweeps.conduct import conduct, make_runner, open_journal
from mannequin.sweeps.folder import finish, write_single_run
from mannequin.sweeps.plan import read_plan, write_plan
from mannequin.sweeps.spec import Distribution, Parameter
from mannequin.sweeps.table import read_table

TABLES = ("table.csv", "table.parquet", "traces.npy")


def table_of(plan, out, **where) -> tuple[dict[str, bytes], Path]:
    folder = write_plan(plan, out)
    with open_journal(plan, folder) as journal:
        assert conduct(plan, journal, make_runner(plan, **where))
        finish(plan, journal, folder, report=False)
    return {name: (folder / name).read_bytes() for name in TABLES}, folder


def test_one_and_two_processes_and_a_cluster_give_the_same_bytes(tmp_path):
    distributed = pytest.importorskip("distributed")
    plan = make_throw_plan(runs=13)
    here, _ = table_of(plan, tmp_path / "here", processes=0)
    assert here["table.csv"].count(b"completed") == 13
    for count in (1, 2):
        assert table_of(plan, tmp_path / f"processes {count}", processes=count)[0] == here
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster:
        on_cluster, _ = table_of(plan, tmp_path / "cluster", scheduler=cluster.scheduler_address)
    assert on_cluster == here


def test_lost_worker_of_a_cluster_is_made_up_for(tmp_path):
    distributed = pytest.importorskip("distributed")
    plan = make_throw_plan(runs=40)
    folder = write_plan(plan, tmp_path / "cluster")
    killed = []

    def kill_one(done, of):
        if not killed and done:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        runner = make_runner(plan, scheduler=cluster.scheduler_address)
        with open_journal(plan, folder) as journal:
            assert conduct(plan, journal, runner, kill_one)
            finish(plan, journal, folder, report=False)
    assert killed
    here, _ = table_of(plan, tmp_path / "here", processes=0)
    assert {name: (folder / name).read_bytes() for name in TABLES} == here


def test_parquet_holds_what_the_csv_holds(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    plan = make_throw_plan(runs=5)
    _, folder = table_of(plan, tmp_path, processes=0)
    table, csv = parquet.read_table(folder / "table.parquet"), read_table(plan, folder)
    assert table.column("range").to_pylist() == csv.numbers["range"].tolist()
    assert table.column("landed").to_pylist() == [True] * 5
    assert table.column("touch body").to_pylist() == csv.texts["touch body"]


def test_run_that_kills_its_process_is_reported_and_the_rest_is_done(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "_run", poison.run)
    plan = make_throw_plan(runs=14)
    _, folder = table_of(plan, tmp_path / "poisoned", processes=2)
    monkeypatch.undo()
    table = read_table(plan, folder)
    assert [index for index, status in enumerate(table.status) if status != "completed"] == [poison.POISONOUS]
    assert table.status[poison.POISONOUS] == "lost" and "died" in table.texts["message"][poison.POISONOUS]
    healthy, _ = table_of(plan, tmp_path / "healthy", processes=0)
    poisoned = (folder / "table.csv").read_bytes().splitlines()
    differing = [
        line for line, other in zip(poisoned, healthy["table.csv"].splitlines(), strict=True) if line != other
    ]
    assert len(differing) == 1


def test_run_that_cannot_start_is_reported(tmp_path):
    mass = Parameter(
        "mass", "actors.man.model.bodies.head.mass", Distribution("discrete", values=[-1.0, 4.5])
    )
    plan = make_throw_plan("grid", parameters=[mass])
    _, folder = table_of(plan, tmp_path, processes=0)
    table = read_table(plan, folder)
    assert table.status == ["refused", "completed"]
    assert "mass" in table.texts["message"][0]


def test_cancelled_sweep_goes_on_where_it_stopped(tmp_path):
    plan = make_throw_plan(runs=9)
    folder = write_plan(plan, tmp_path / "resumed")
    with open_journal(plan, folder) as journal:
        assert not conduct(plan, journal, make_runner(plan, processes=0), cancel=lambda: journal.done >= 3)
        stopped_at = journal.done
    assert 3 <= stopped_at < 9
    resumed, _ = table_of(plan, tmp_path / "resumed", processes=0)
    assert resumed == table_of(plan, tmp_path / "whole", processes=0)[0]


def test_single_run_is_made_again_exactly(tmp_path):
    import numpy as np

    from mannequin.analysis.run_folder import read_run

    plan = make_throw_plan(runs=4)
    _, folder = table_of(plan, tmp_path, processes=0)
    table = read_table(plan, folder)
    again = read_run(write_single_run(read_plan(folder)[0], 2, folder))
    assert float(np.max(again.recording.position[:, 0, 2])) == table.numbers["top"][2]
    assert again.manifest["overrides"]["sweep_run"] == 2


# --- killed processes, through the command line -------------------------------------------------------------------


def start(sweep: Path, out: Path, processes: int = 2) -> subprocess.Popen:
    command = [sys.executable, "-m", "mannequin", "sweep", str(sweep), "--out", str(out), "--no-report"]
    return subprocess.Popen(
        [*command, "--processes", str(processes)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=sweep.parent,
    )


def rows_in(out: Path) -> int:
    journals = list(out.glob("*/journal.txt"))
    return max(0, journals[0].read_bytes().count(b"\n") - 1) if journals else 0


def wait_until(happened, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def children(process: int) -> list[int]:
    """Processes started by one; the workers are those that multiprocessing spawned."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
            command = (entry.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == process and b"spawn_main" in command:
            found.append(int(entry.parent.name))
    return found


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks processes up in /proc")
def test_killed_worker_and_killed_parent_leave_the_complete_table_once(tmp_path):
    runs = 120
    sweep = write_files(tmp_path, runs=runs)
    out = tmp_path / "out"
    first = start(sweep, out)
    wait_until(lambda: rows_in(out) >= 10)
    os.kill(children(first.pid)[0], signal.SIGKILL)  # a worker, in the middle of a run
    after = rows_in(out)
    wait_until(lambda: rows_in(out) > after + 10)
    workers = children(first.pid)
    assert workers and rows_in(out) < runs, "the sweep must still be going on"
    first.kill()  # the parent
    first.communicate()
    wait_until(lambda: not any(map(is_alive, workers)), 20.0)
    assert not list(out.glob("*/table.csv"))

    second = start(sweep, out)
    told, errors = second.communicate(timeout=240)
    assert second.returncode == 0, errors
    folder = Path(told.strip())
    numbers = [int(line.split(",")[0]) for line in (folder / "table.csv").read_text().splitlines()[1:]]
    assert numbers == list(range(runs))
    assert rows_in(out) == runs, "each run is in the journal once"
    whole = start(sweep, tmp_path / "whole", processes=1)
    told, errors = whole.communicate(timeout=240)
    assert whole.returncode == 0, errors
    for name in TABLES:
        assert (folder / name).read_bytes() == (Path(told.strip()) / name).read_bytes(), name


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sends SIGINT")
def test_interrupted_sweep_says_how_to_go_on(tmp_path):
    sweep = write_files(tmp_path, runs=200)
    process = start(sweep, tmp_path / "out", processes=1)
    wait_until(lambda: rows_in(tmp_path / "out") >= 3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "goes on from there" in errors
