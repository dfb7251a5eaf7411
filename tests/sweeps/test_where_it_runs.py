"""The same table wherever it runs, and nothing lost or made twice when processes are killed."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dying_worker import facts_of_survivors
from processes import busyness, lives
from thrown_ball import make_throw_plan, write_files

from mannequin.io_json.errors import FileError
from mannequin.jobs.child import ProcessLost
from mannequin.sweeps import cluster, pool
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


@pytest.mark.long
def test_one_and_two_processes_and_a_cluster_give_the_same_bytes(tmp_path):
    distributed = pytest.importorskip("distributed")
    plan = make_throw_plan(runs=13)
    here, _ = table_of(plan, tmp_path / "here", processes=0)
    assert here["table.csv"].count(b"completed") == 13
    for count in (1, 2):
        assert table_of(plan, tmp_path / f"processes {count}", processes=count)[0] == here
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as local:
        on_cluster, _ = table_of(plan, tmp_path / "cluster", scheduler=local.scheduler_address)
    assert on_cluster == here


@pytest.mark.long
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
    with distributed.LocalCluster(**options) as local, distributed.Client(local) as client:
        runner = make_runner(plan, scheduler=local.scheduler_address)
        with open_journal(plan, folder) as journal:
            assert conduct(plan, journal, runner, kill_one)
            finish(plan, journal, folder, report=False)
    assert killed
    here, _ = table_of(plan, tmp_path / "here", processes=0)
    assert {name: (folder / name).read_bytes() for name in TABLES} == here


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_worker_that_dies_while_it_is_asked_for_its_versions_is_made_up_for(tmp_path, monkeypatch, workers):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("DIE_ONCE", str(tmp_path / "died"))
    monkeypatch.setenv("ASKING", str(os.getpid()))
    monkeypatch.setattr(cluster, "replay_facts", facts_of_survivors)
    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    plan = make_throw_plan(runs=3)
    with distributed.LocalCluster(**options) as local:
        table_of(plan, tmp_path / "cluster", scheduler=local.scheduler_address)
    assert (tmp_path / "died").exists()


class Scheduler:
    """What a scheduler answers, one time after the other, and the last for ever; stands for the client, too."""

    def __init__(self, *answers) -> None:
        self.answers, self.asked = answers, 0

    def Client(self, *_, **__):
        return self

    def run(self, *_, **__):
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]

    def close(self) -> None:
        pass


@pytest.fixture
def cluster_of(monkeypatch):
    """A cluster whose scheduler gives these answers."""

    def made(scheduler):
        monkeypatch.setattr(cluster, "required", lambda name: scheduler)
        monkeypatch.setattr(cluster, "SECONDS_PER_CHECK", 0.001)
        return cluster.Cluster(None, "tcp://somewhere:1")

    return made


def test_time_between_a_dead_worker_and_the_one_in_its_place_is_waited_for(cluster_of):
    """Listed though dead, then none at all, then the new one: in this order the scheduler tells of it."""
    dead = {"tcp://a": OSError("in the middle of an answer")}
    scheduler = Scheduler(dead, dead, {}, {}, {}, {"tcp://b": cluster.replay_facts()})
    cluster_of(scheduler)
    assert scheduler.asked == 6


@pytest.mark.parametrize(
    ("answer", "told", "asked"),
    [
        ([{}], "has no workers", 1),
        ([{"tcp://a": ImportError("no mannequin")}], "a does not tell its versions.*no mannequin", 1),
        ([{"tcp://a": OSError("gone")}, {}], "a does not tell its versions.*gone", None),
    ],
)
def test_a_cluster_without_workers_that_can_tell_is_refused(cluster_of, monkeypatch, answer, told, asked):
    """At once where waiting would not help, after a time where no other worker comes."""
    monkeypatch.setattr(cluster, "SECONDS_TO_REPLACE", 0.05)
    scheduler = Scheduler(*answer)
    with pytest.raises(FileError, match=told):
        cluster_of(scheduler)
    assert scheduler.asked == asked if asked else scheduler.asked > 2


@pytest.fixture
def certificates(tmp_path) -> dict[str, str]:
    """An authority, and the certificate and key of a machine that it has signed, as files."""
    names = {
        name: str(tmp_path / f"{name}.pem") for name in ("ca", "ca_key", "request", "certificate", "key")
    }
    new = ["-newkey", "rsa:2048", "-nodes", "-days", "2"]

    def openssl(*words):
        if shutil.which("openssl") is None:
            pytest.skip("makes certificates with openssl")
        subprocess.run(["openssl", *words], check=True, capture_output=True)

    ca, signed = (
        ["-CA", names["ca"], "-CAkey", names["ca_key"], "-CAcreateserial", "-days", "2"],
        names["certificate"],
    )
    openssl("req", "-x509", *new, "-subj", "/CN=authority", "-keyout", names["ca_key"], "-out", names["ca"])
    openssl("req", *new[:3], "-subj", "/CN=machine", "-keyout", names["key"], "-out", names["request"])
    openssl("x509", "-req", "-in", names["request"], *ca, "-out", signed)
    return names


def test_cluster_with_certificates_is_used_and_none_without(tmp_path, certificates):
    distributed = pytest.importorskip("distributed")
    files = [certificates[name] for name in ("ca", "certificate", "key")]
    both = {f"tls_{who}_{what}": file for who in ("client", "scheduler", "worker") for what, file in
            (("cert", files[1]), ("key", files[2]))}  # fmt: skip
    security = distributed.Security(tls_ca_file=files[0], require_encryption=True, **both)
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    plan = make_throw_plan(runs=3)
    here, _ = table_of(plan, tmp_path / "here", processes=0)
    with distributed.LocalCluster(**options, security=security, protocol="tls://") as local:
        address = local.scheduler_address
        assert address.startswith("tls://")
        on_cluster, _ = table_of(plan, tmp_path / "cluster", scheduler=address, tls=cluster.Tls(*files))
        with pytest.raises(FileError, match="no scheduler answers .* without encryption"):
            make_runner(plan, scheduler=address)
    assert on_cluster == here
    with pytest.raises(FileError, match="with these certificates"):
        make_runner(plan, scheduler=address, tls=cluster.Tls(str(tmp_path / "none"), *files[1:]))


def test_command_warns_of_a_cluster_that_is_open_and_refuses_half_of_its_certificates(
    tmp_path, capsys, monkeypatch
):
    from mannequin.__main__ import main

    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", 0.2)
    sweep = str(write_files(tmp_path, runs=2))
    nobody = ["--scheduler", "tcp://127.0.0.1:1", "--out", str(tmp_path)]
    assert main(["sweep", sweep, *nobody]) == 2
    reported = capsys.readouterr().err.splitlines()
    assert reported[0].startswith("warning: the connection to tcp://127.0.0.1:1 is neither encrypted")
    assert "no scheduler answers" in reported[1] and len(reported) == 2
    for words in ([*nobody, "--tls-ca", "ca.pem"], ["--tls-ca", "a", "--tls-cert", "b", "--tls-key", "c"]):
        assert main(["sweep", sweep, *words]) == 2
        assert "--tls-key" in capsys.readouterr().err


def test_parquet_holds_what_the_csv_holds(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    plan = make_throw_plan(runs=5)
    _, folder = table_of(plan, tmp_path, processes=0)
    table, csv = parquet.read_table(folder / "table.parquet"), read_table(plan, folder)
    assert table.column("range").to_pylist() == csv.numbers["range"].tolist()
    assert table.column("landed").to_pylist() == [True] * 5
    assert table.column("touch body").to_pylist() == csv.texts["touch body"]


POISONOUS = 5


@pytest.fixture
def poison(monkeypatch, tmp_path):
    """Let a run do harm to the process that makes it; returns how many processes were started since."""

    def poisoned(harm):
        support = Path(__file__).resolve().parents[1] / "support" / "poisoned"
        started = tmp_path / "started"
        monkeypatch.setenv("PYTHONPATH", str(support))
        monkeypatch.setenv("POISON", f"{POISONOUS} {harm}")
        monkeypatch.setenv("STARTED", str(started))
        return lambda: len(started.read_text().splitlines())

    return poisoned


def differing_lines(poisoned: Path, healthy: bytes) -> list[bytes]:
    lines = zip((poisoned / "table.csv").read_bytes().splitlines(), healthy.splitlines(), strict=True)
    return [line for line, other in lines if line != other]


def test_run_that_kills_its_process_is_reported_and_the_rest_is_done(tmp_path, poison):
    """Four new processes at most: one in place of the first, and one for each of the tries alone."""
    started = poison("kill")
    plan = make_throw_plan(runs=14)
    _, folder = table_of(plan, tmp_path / "poisoned", processes=2)
    assert started() <= 2 + 4
    table = read_table(plan, folder)
    assert [index for index, status in enumerate(table.status) if status != "completed"] == [POISONOUS]
    assert table.status[POISONOUS] == "lost" and "died" in table.texts["message"][POISONOUS]
    healthy, _ = table_of(plan, tmp_path / "healthy", processes=0)
    assert len(differing_lines(folder, healthy["table.csv"])) == 1


@pytest.mark.long
@pytest.mark.parametrize("harm", ["slow", "hang"])
def test_run_that_takes_too_long_is_reported_and_the_rest_is_done(tmp_path, poison, monkeypatch, harm):
    """By itself where the engine goes on, by the end of its process where nothing does; healthy runs have time."""
    limit = round(2.0 * busyness())
    monkeypatch.setattr(pool, "GRACE", 1.0 * busyness())
    started = poison(harm)
    plan = make_throw_plan(runs=10)
    _, folder = table_of(plan, tmp_path / "poisoned", processes=2, time_limit=limit)
    assert started() <= (2 if harm == "slow" else 3)
    table = read_table(plan, folder)
    assert table.status[POISONOUS] == "timed out"
    assert f"longer than {limit} s" in table.texts["message"][POISONOUS]
    assert table.status.count("completed") == 9


def test_processes_that_do_not_start_are_not_tried_for_ever(tmp_path, monkeypatch):
    support = tmp_path / "broken"
    (support / "mannequin").mkdir(parents=True)
    (support / "sitecustomize.py").write_text("import os; os._exit(3)")
    monkeypatch.setenv("PYTHONPATH", str(support))
    plan = make_throw_plan(runs=4)
    with pytest.raises(ProcessLost, match="code 3"):
        table_of(plan, tmp_path, processes=2)


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

    from mannequin.analysis.files.run_folder import read_run

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
    """Processes of ours that one has started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
            command = (entry.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == process and b"mannequin" in command:
            found.append(int(entry.parent.name))
    return found


@pytest.mark.long
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
    wait_until(lambda: not any(map(lives, workers)), 20.0)
    assert not list(out.glob("*/table.csv"))

    second = start(sweep, out)
    reported, errors = second.communicate(timeout=240)
    assert second.returncode == 0, errors
    folder = Path(reported.strip())
    numbers = [int(line.split(",")[0]) for line in (folder / "table.csv").read_text().splitlines()[1:]]
    assert numbers == list(range(runs))
    assert rows_in(out) == runs, "each run is in the journal once"
    whole = start(sweep, tmp_path / "whole", processes=1)
    reported, errors = whole.communicate(timeout=240)
    assert whole.returncode == 0, errors
    for name in TABLES:
        assert (folder / name).read_bytes() == (Path(reported.strip()) / name).read_bytes(), name


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks processes up in /proc")
def test_kills_at_random_moments_lose_no_run_and_leave_nobody(tmp_path):
    """Workers and parents of one sweep, seeded; MANNEQUIN_KILL_SEED chooses other moments."""
    chance, runs = random.Random(os.environ.get("MANNEQUIN_KILL_SEED", "18")), 300
    sweep, out, whole = write_files(tmp_path, runs=runs), tmp_path / "out", tmp_path / "whole"
    begun = time.monotonic()
    tables = [tables_of(start(sweep, whole))]
    longest = 0.1 * (time.monotonic() - begun)  # s between two kills: twelve of them take less than the sweep
    killed = {"worker": 0, "parent": 0}
    for _ in range(6):
        parent = start(sweep, out)
        wait_until(lambda of=parent: children(of.pid) or of.poll() is not None)
        workers = set()
        for victim in ("worker", "parent"):
            time.sleep(chance.uniform(0.0, longest))
            workers.update(children(parent.pid))
            if parent.poll() is None:
                killed[victim] += 1
                living = sorted(filter(lives, workers))
                os.kill(
                    chance.choice(living) if victim == "worker" and living else parent.pid, signal.SIGKILL
                )
        parent.communicate()
        wait_until(lambda of=workers: not any(map(lives, of)), 20.0)
    assert min(killed.values()) >= 2, "hardly anything was killed: the test has shown nothing"
    tables.append(tables_of(start(sweep, out)))
    assert rows_in(out) == rows_in(whole) == runs, "each run is in the journal once"
    assert tables[0] == tables[1]


def tables_of(process):
    """The tables of a sweep that is left alone, at its end."""
    reported, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    return [(Path(reported.strip()) / name).read_bytes() for name in TABLES]


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sends SIGINT")
def test_interrupted_sweep_says_how_to_go_on(tmp_path):
    sweep = write_files(tmp_path, runs=200)
    process = start(sweep, tmp_path / "out", processes=1)
    wait_until(lambda: rows_in(tmp_path / "out") >= 3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "continues from there" in errors
