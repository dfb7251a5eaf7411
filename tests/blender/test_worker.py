"""The worker process: the same bits as in this process, cancel, loss, and that it never outlives anybody."""

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

import numpy as np
import pytest
from ball_drop import make_drop
from blender_process import run_in_blender
from processes import lives

from mannequin.analysis.files.recording_file import compare_recordings
from mannequin.analysis.files.run_folder import read_run
from mannequin.analysis.files.verify import verify_run
from mannequin.engine import run
from mannequin.engine.errors import UserError
from mannequin.io_json.scenario_json import read_scenario
from mannequin.jobs import engine, interpreter, protocol
from mannequin.jobs.child import ProcessLost
from mannequin.jobs.engine import EngineWorker
from mannequin.models.library import scenario_path

SCENARIOS = ("fall_standing", "stairs_fall", "seated_crash", "car_pedestrian", "ambrosio_tackle")


def short(name, duration=0.03):
    """A shipped scenario, cut short, with every contact at every output time."""
    scenario = read_scenario(scenario_path(name))
    scenario.settings.duration, scenario.settings.contact_history = duration, True
    return scenario


@pytest.fixture(scope="module")
def worker():
    """One worker for the tests that leave it alive."""
    worker = EngineWorker()
    yield worker
    worker.close()


def scene_of(scenario, blender, folder):
    """A scenario in Blender with runs in a folder, and no worker left behind; the body of a fixture."""
    from mannequin.scene.scenario.scenario import build_scenario

    scene = blender.context.scene
    build_scenario(scenario, scene)
    scene.mannequin.runs.folder = str(folder)
    engine.close_shared_worker()
    yield scene
    engine.close_shared_worker()


@pytest.fixture
def film_scene(blender, tmp_path):
    """A standing fall, cut short."""
    yield from scene_of(short("fall_standing"), blender, tmp_path)


@pytest.fixture
def ball_scene(blender, tmp_path):
    """A ball that drops: its report has few plots, where one of somebody has thirty."""
    yield from scene_of(make_drop(), blender, tmp_path)


def process_of(worker):
    """Process id."""
    return worker.child.id


def eventually(condition, seconds=20.0):
    """Wait for something that comes soon."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "did not come"
        time.sleep(0.02)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_recording_comes_back_to_the_last_bit(worker, name):
    scenario = short(name)
    job = worker.simulate(scenario)
    job.wait()
    assert compare_recordings(job.recording(), run(scenario)) == {}


def test_a_big_recording_is_mapped_and_its_files_go_with_it(worker, monkeypatch):
    from mannequin.analysis.files import recording_folder

    monkeypatch.setattr(recording_folder, "LARGEST_IN_MEMORY", 1000)
    scenario = short("fall_standing", 0.3)
    job = worker.simulate(scenario)
    job.wait()
    folder, recording = job.result(), job.recording()
    assert isinstance(recording.position, np.memmap) and folder.exists()
    assert compare_recordings(recording, run(scenario)) == {}
    del recording
    eventually(lambda: not folder.exists())


def test_a_cancelled_job_makes_room_for_the_next(worker):
    long = [worker.simulate(short("fall_standing", 600.0)) for _ in range(3)]
    eventually(lambda: long[0].poll() or long[0].progress is not None)
    for job in long:
        job.cancel()
    last = worker.simulate(short("fall_standing"))
    last.wait()
    assert all(job.is_cancelled for job in long) and not last.is_cancelled
    assert last.recording().status == "completed"


def test_progress_and_pose_are_those_of_the_run(worker):
    scenario = short("fall_standing", 600.0)
    job = worker.simulate(scenario)
    job.look()
    eventually(lambda: job.poll() or job.pose is not None)
    frame, time_reached, pose = job.progress.done, job.pose.times[0], job.pose
    job.cancel()
    assert 0.0 < job.share < 1.0 and job.text.startswith("Simulating ") and job.text.endswith(" of 600 s")
    scenario.settings.duration = 2.0 * time_reached + 1.0
    whole = run(scenario, cancel=None)
    # frames are computed in batches, so the pose may be ahead of the number reported
    ahead = [
        k for k in range(frame - 1, whole.frames) if np.array_equal(whole.quaternion[k], pose.quaternion[0])
    ]
    assert ahead
    origins = np.array([whole.origin(b)[ahead[0]] for b in range(len(whole.body_names))])
    assert np.allclose(pose.origin[0], origins, atol=1e-14)


def test_what_the_engine_refuses_is_reported_in_its_words(worker):
    scenario = short("fall_standing")
    scenario.settings.time_step = -1.0
    job = worker.simulate(scenario)
    job.wait()
    with pytest.raises(UserError, match="time step"):
        job.result()
    good = worker.simulate(short("fall_standing"))
    good.wait()
    assert good.recording().frames


@pytest.mark.long
def test_a_cancel_that_crosses_the_recording_leaves_no_folder_or_the_whole_run(worker, tmp_path):
    """Whoever cancels before hearing of the recording gets nothing, though the child may be writing by then."""
    job = worker.simulate(short("fall_standing", 1.0), tmp_path, datetime.now(UTC))
    job.wait_for_motion()
    worker.drop(job.number)
    job.wait()
    assert list(tmp_path.iterdir()) == ([] if job.is_cancelled else [tmp_path / job.run])


def test_compiling_is_reported_function_by_function():
    import numba

    import mannequin.engine.jit.kernels  # noqa: F401 (it listens to Numba; else the first kernel loads it)
    from mannequin.jobs.engine_work import compile_progress

    printed = []

    class Listener:
        def say(self, answer):
            printed.append(answer)

    with compile_progress(Listener()):
        numba.njit(lambda x: x + 1)(1)
    assert len(printed) == 1 and isinstance(printed[0], protocol.Compiling)
    assert printed[0].parts == 1 and printed[0].of > 100


@pytest.mark.parametrize(
    ("messages", "text", "share"),
    [
        ([], "Loading the engine", 0.0),
        ([protocol.Compiling(50, 100)], "Compiling the engine, once after installing", 0.375),
        ([protocol.Compiling(50, 100), protocol.Ready()], "Starting the simulation", 0.0),
    ],
)
def test_the_first_compile_is_said_in_words_with_progress(monkeypatch, messages, text, share):
    worker = EngineWorker()
    try:
        monkeypatch.setattr(worker.child, "answers", lambda: iter(messages))
        worker.listen()
        assert worker.text.startswith(text) and worker.share == pytest.approx(share)
    finally:
        worker.close()


@pytest.mark.skipif(not os.path.exists("/proc"), reason="looks at /proc")
def test_the_worker_ends_with_its_parent():
    code = (
        "import os, sys; from mannequin.jobs.engine import EngineWorker; worker = EngineWorker();"
        "print(worker.child.id, worker.child.folder, flush=True); os._exit(0)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    eventually(lambda: not lives(int(printed[0])))
    assert not os.path.exists(printed[1])


def test_closing_ends_it_in_the_middle_of_a_run():
    worker = EngineWorker()
    job = worker.simulate(short("fall_standing", 600.0))
    eventually(lambda: job.poll() or job.progress is not None)
    worker.close()
    assert not worker.is_running and not worker.child.folder.exists()


def handed_over(worker, out):
    """A job whose recording is there; its files may not be."""
    job = worker.simulate(short("fall_standing"), out, datetime.now(UTC))
    job.wait_for_motion()
    assert job.is_kept and job.run
    return job


def test_a_run_that_was_handed_over_is_written_whole_when_blender_quits(tmp_path):
    worker = EngineWorker()
    job = handed_over(worker, tmp_path)
    recording = job.recording()
    worker.close()
    assert not worker.is_running and not worker.child.folder.exists()
    assert [path.name for path in tmp_path.iterdir()] == [job.run], "nothing hidden is left"
    found = verify_run(tmp_path / job.run)
    assert found.replay == "identical" and not found.problems
    assert compare_recordings(read_run(tmp_path / job.run).recording, recording) == {}


def test_a_run_that_was_handed_over_is_written_whole_when_its_parent_is_killed(tmp_path):
    code = f"""
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from mannequin.io_json.scenario_json import read_scenario
from mannequin.jobs.engine import EngineWorker
from mannequin.models.library import scenario_path
scenario = read_scenario(scenario_path("fall_standing"))
scenario.settings.duration = 0.2
worker = EngineWorker()
job = worker.simulate(scenario, Path({str(tmp_path)!r}), datetime.now(UTC))
job.wait_for_motion()
print(worker.child.id, job.run, flush=True)
os._exit(9)
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout
    process, name = printed.split()
    eventually(lambda: not lives(int(process)))
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert not verify_run(tmp_path / name).problems


def test_what_was_handed_over_is_not_cancelled_and_what_was_not_is(worker, tmp_path):
    job = handed_over(worker, tmp_path)
    job.cancel()
    job.wait()
    assert job.result() == tmp_path / job.run
    other = worker.simulate(short("fall_standing", 600.0), tmp_path, datetime.now(UTC))
    eventually(lambda: other.poll() or other.progress is not None)
    other.cancel()
    other.wait()
    assert other.is_cancelled and not other.is_kept
    assert [path.name for path in tmp_path.iterdir()] == [job.run]


def test_unregistering_ends_it(tmp_path):
    code = """
import bpy, mannequin
mannequin.register()
from mannequin.jobs import engine
process = engine.shared_worker()
assert process.is_running
mannequin.unregister()
assert not process.is_running
print("ended")
"""
    assert "ended" in run_in_blender(code, tmp_path)


@pytest.fixture
def nothing_here(monkeypatch):
    """No run is made inside Blender without being asked for."""
    from mannequin.jobs.local_job import LocalJob

    def refuse(*_, **__):
        raise AssertionError("a run inside Blender that nobody asked for")

    monkeypatch.setattr(LocalJob, "__init__", refuse)


def kill_the_worker():
    os.kill(process_of(engine.shared_worker()), signal.SIGKILL)


def test_a_killed_worker_is_reported_and_a_new_one_makes_the_run(film_scene, nothing_here):
    from mannequin.scene.run.simulate import SceneRun
    from mannequin.scene.scenario.scenario import read_scenario as read_scene

    expected = run(read_scene(film_scene))
    job = SceneRun(film_scene)
    kill_the_worker()
    job.wait()
    assert "process has ended" in job.warning and "A new process" in job.warning
    outcome = job.finish(film_scene)
    assert compare_recordings(outcome.run.recording, expected) == {}
    # the next run has a worker again
    again = SceneRun(film_scene)
    again.wait()
    assert not again.warning and engine.shared_worker().is_running


def test_a_worker_killed_while_it_is_handed_a_run_is_replaced(film_scene, nothing_here, monkeypatch):
    """It lived when it was looked at: that is a lost process, not a machine on which none can be started."""
    from mannequin.scene.run.simulate import SceneRun

    handed = []

    def give(self, to):
        handed.append(to)
        if len(handed) == 1:
            to.child._process.kill()
            to.child._process.wait()
        return to.simulate(self.scenario, **self._order)

    monkeypatch.setattr(SceneRun, "give", give)
    job = SceneRun(film_scene)
    job.wait()
    assert len(handed) == 2 and handed[0] is not handed[1]
    assert "process has ended" in job.warning and "A new process" in job.warning
    assert not verify_run(job.finish(film_scene).run.folder).problems


def keys_of(action):
    """Data path, index and keyframes of every curve of a baked action."""
    from mannequin.scene.base.blender_version import fcurves_of

    return {
        (curve.data_path, curve.array_index): [tuple(point.co) for point in curve.keyframe_points]
        for curve in fcurves_of(action)
    }


def as_python(value):
    """A custom property as numbers, texts and lists."""
    return value.to_list() if hasattr(value, "to_list") else value


def test_the_motion_baked_early_is_that_of_the_files(film_scene, nothing_here):
    from mannequin.scene.run.simulate import SceneRun, bake_run

    work = SceneRun(film_scene)
    work.wait_for_motion()
    assert work.bake_early(film_scene) and work.is_kept and not work.bake_early(film_scene)
    assert "Writing" in work.text
    action = work._early.actions[0]
    assert action["mannequin_manifest_sha256"] == "" and not film_scene.mannequin.results.run
    early = keys_of(action)
    work.cancel()  # Esc, or another file that is opened: the files come all the same
    work.wait()
    outcome = work.finish(film_scene)
    written = read_run(outcome.run.folder)
    assert outcome.actions == [action] and action["mannequin_manifest_sha256"] == written.manifest["sha256"]
    assert action["mannequin_run_folder"] == str(written.folder)
    assert film_scene.mannequin.results.run == written.stem == action["mannequin_run"]
    assert compare_recordings(outcome.run.recording, written.recording) == {}
    again = bake_run(written, film_scene)[0]
    assert keys_of(again) == early != {}
    names = [name for name in again.keys() if name.startswith("mannequin_")]
    assert names and all(str(as_python(again[name])) == str(as_python(action[name])) for name in names)


def test_a_motion_whose_files_cannot_be_written_is_told_apart(film_scene, nothing_here):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.run.simulate import SceneRun

    work = SceneRun(film_scene)
    work.wait_for_motion()
    work.bake_early(film_scene)
    work.wait()
    work.job.end = protocol.Failed(work.job.number, "the disk is full")
    with pytest.raises(SceneError, match="the disk is full. The motion is baked, but there are no files"):
        work.finish(film_scene)
    assert work._early.actions[0]["mannequin_run_folder"] == ""


def test_a_worker_lost_while_it_writes_is_replaced_and_the_run_is_whole(film_scene, nothing_here, tmp_path):
    from mannequin.scene.run.simulate import SceneRun

    work = SceneRun(film_scene)
    work.wait_for_motion()
    kill_the_worker()  # unless it was quicker, in the middle of its files
    work.bake_early(film_scene)
    work.wait()
    outcome = work.finish(film_scene)
    assert not verify_run(outcome.run.folder).problems
    assert outcome.actions[0]["mannequin_manifest_sha256"] == outcome.run.manifest["sha256"]


def test_a_run_that_kills_two_workers_is_given_up_and_people_are_asked(film_scene, nothing_here, tmp_path):
    from mannequin.scene.run.simulate import SceneRun
    from mannequin.scene.run.worker import LostTwice

    job = SceneRun(film_scene)
    kill_the_worker()
    eventually(lambda: job.poll() or job.warning)
    kill_the_worker()
    with pytest.raises(LostTwice, match="second process for this.*inside=True"):
        eventually(job.poll)
    assert not [path for path in tmp_path.iterdir() if path.is_dir() and any(path.iterdir())]


def test_a_script_is_told_how_to_consent_and_then_runs_inside(blender, film_scene, monkeypatch):
    """With processes that die at once the operator fails with the reason; with consent it computes inside."""
    monkeypatch.setattr(interpreter, "command", lambda *words: [sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(RuntimeError, match=r"has ended \(code 3\).*second process.*simulate\(inside=True\)"):
        blender.ops.mannequin.simulate()
    assert not film_scene.mannequin.results.run
    assert blender.ops.mannequin.simulate(inside=True) == {"FINISHED"}
    assert film_scene.mannequin.results.run


@pytest.mark.parametrize("inside", [False, True])
def test_the_panel_shows_what_was_measured_for_the_files(blender, film_scene, monkeypatch, inside):
    """Blender does not measure a second time, and the rows are those of measuring the run folder again."""
    from mannequin.scene.show import results

    def rows():
        found = film_scene.mannequin.results.measures
        names = (
            "family",
            "name",
            "subject",
            "text",
            "is_available",
            "value",
            "unit",
            "definition",
            "validity",
        )
        return [[getattr(row, name) for name in (*names, "flags", "remarks")] for row in found]

    evaluate, measured = results.evaluate_families, []
    monkeypatch.setattr(results, "evaluate_families", lambda *run: measured.append(1) or evaluate(*run))
    assert blender.ops.mannequin.simulate(inside=inside) == {"FINISHED"}
    shown = rows()
    assert len(shown) > 10 and not measured
    results.show_results(results.last_run(film_scene), film_scene)
    assert measured and rows() == shown


def test_a_report_whose_processes_die_is_given_up(blender, film_scene, monkeypatch):
    from mannequin.scene.run import report as report_run
    from mannequin.scene.run.worker import LostTwice

    blender.ops.mannequin.simulate()
    monkeypatch.setattr("mannequin.analysis.pages.report.write_report", None)
    making = report_run.ReportRun(film_scene)
    kill_the_worker()
    eventually(lambda: making.poll() or making.warning)
    kill_the_worker()
    with pytest.raises(LostTwice):
        making.wait()


def test_garbage_from_the_worker_ends_the_job_and_brings_a_new_worker(film_scene, nothing_here):
    from mannequin.scene.run.simulate import SceneRun

    job = SceneRun(film_scene)
    first = engine.shared_worker()
    with open(first.child.folder / "answers", "ab") as answers:
        answers.write(b"\x00 what is this?\n")
    job.wait()
    assert "not understood" in job.warning and engine.shared_worker() is not first
    assert job.finish(film_scene).run.recording.status == "completed"


@pytest.mark.long
def test_a_worker_that_hangs_is_given_up_and_another_makes_the_run(film_scene, nothing_here, monkeypatch):
    from mannequin.jobs import engine as engine_module
    from mannequin.scene.run.simulate import SceneRun

    monkeypatch.setattr(engine_module, "SECONDS_OF_SILENCE", 3.0)
    job = SceneRun(film_scene)
    first = engine.shared_worker()
    os.kill(process_of(first), signal.SIGSTOP)
    monkeypatch.setattr(engine_module, "SECONDS_OF_SILENCE", 120.0)
    job.wait()
    assert "gave no sign of life for 3 s" in job.warning and not lives(process_of(first))
    assert job.finish(film_scene).run.recording.status == "completed"


@pytest.mark.long
def test_a_busy_worker_gives_signs_and_a_machine_that_slept_is_no_silence(worker, monkeypatch):
    from mannequin.jobs import worker as module

    job = worker.simulate(short("fall_standing", 600.0))
    eventually(lambda: job.poll() or job.progress is not None)
    monkeypatch.setattr(worker, "_most_silence", 3.0)
    until = time.monotonic() + 5.0
    while time.monotonic() < until:
        assert not job.poll()
        time.sleep(0.1)
    now = time.monotonic
    monkeypatch.setattr(module.time, "monotonic", lambda: now() + 36_000.0)
    assert not job.poll() and worker.is_running
    monkeypatch.undo()
    job.cancel()
    job.wait()


def test_a_worker_that_does_not_let_go_of_a_cancelled_job_is_replaced(film_scene, monkeypatch):
    from mannequin.jobs import worker as module

    first = engine.shared_worker()
    job = first.simulate(short("fall_standing", 600.0))
    eventually(lambda: job.poll() or job.progress is not None)
    os.kill(process_of(first), signal.SIGSTOP)
    job.cancel()
    assert engine.shared_worker() is first, "it has some time"
    monkeypatch.setattr(module, "SECONDS_TO_DROP", 0.0)
    assert engine.shared_worker() is not first and not lives(process_of(first))


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is the system's on Linux")
def test_the_worker_is_held_to_the_limit_that_it_was_given():
    """The limit itself is tested in tests/jobs/test_memory.py; here that it is the worker's, and that it can work."""
    worker = EngineWorker(memory=1_500_000_000)
    try:
        job = worker.simulate(short("fall_standing"))
        job.wait()
        assert job.recording().status == "completed"
        with open(f"/proc/{process_of(worker)}/limits") as limits:
            (line,) = [line for line in limits if line.startswith("Max data size")]
        assert 1.5e9 < int(line.split()[3]) < 2.5e9
    finally:
        worker.close()


def test_a_worker_that_cannot_start_is_reported_and_the_run_goes_on_here(
    blender, film_scene, monkeypatch, tmp_path
):
    program = tmp_path / "blender"
    program.write_text("")
    monkeypatch.setattr(sys, "executable", str(program))
    with pytest.raises(ProcessLost, match="is no Python"):
        EngineWorker()
    python = tmp_path / "python3"
    python.write_text("")
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(ProcessLost, match="Permission denied"):
        EngineWorker()
    assert blender.ops.mannequin.simulate() == {"FINISHED"}
    assert film_scene.mannequin.results.run


@pytest.mark.long
def test_the_report_is_written_by_the_worker(blender, ball_scene, monkeypatch):
    """Nothing of this process may run the engine again for the check of the time step."""
    blender.ops.mannequin.simulate()
    monkeypatch.setattr("mannequin.analysis.pages.report.write_report", None)
    assert blender.ops.mannequin.make_report() == {"FINISHED"}
    (report,) = read_run(ball_scene.mannequin.results.folder).folder.glob("*_report.html")
    assert "time step and sampling interval 0.0001 s against 5e-05 s" in report.read_text()


def test_a_cancelled_report_is_not_written(blender, film_scene):
    from mannequin.scene.run.report import ReportRun

    blender.ops.mannequin.simulate()
    blocker = engine.shared_worker().simulate(short("fall_standing", 600.0))
    making = ReportRun(film_scene)
    making.cancel()
    blocker.cancel()
    making.wait()
    with pytest.raises(UserError, match="cancelled"):
        making.finish()
    assert not list(read_run(film_scene.mannequin.results.folder).folder.glob("*_report.html"))


@pytest.mark.long
def test_where_no_worker_can_start_the_report_is_written_here(blender, film_scene, monkeypatch, no_curves):
    from mannequin.scene.run.report import ReportRun

    blender.ops.mannequin.simulate()
    engine.close_shared_worker()
    monkeypatch.setattr(sys, "executable", "no/such/blender")
    making = ReportRun(film_scene)
    assert making.poll()
    assert "inside Blender" in making.warning and making.finish().name.endswith("_report.html")


def test_another_mannequin_is_not_trusted(monkeypatch, tmp_path):
    worker = EngineWorker()
    monkeypatch.setattr(interpreter, "FOLDER", tmp_path)
    job = worker.simulate(short("fall_standing"))
    with pytest.raises(ProcessLost, match="another Mannequin"):
        job.wait()
    worker.close()


@pytest.mark.parametrize(("variable", "mode"), [("another LLVM", "compiled"), ("1", "interpreted")])
def test_only_blenders_process_keeps_clear_of_another_llvm(tmp_path, variable, mode):
    code = f"""
import bpy, mannequin
mannequin.register()
from mannequin.engine.jit import decorators as jit
from mannequin.engine.spec import Actor, Scenario, Settings
from mannequin.engine.runs.warmup import smallest_scenario
from mannequin.scene.scenario.scenario import build_scenario
assert not jit.IS_COMPILED
scene = bpy.context.scene
build_scenario(smallest_scenario(), scene)
scene.mannequin.runs.folder = {str(tmp_path / "runs")!r}
bpy.ops.mannequin.simulate()
"""
    run_in_blender(code, tmp_path, environment={"MANNEQUIN_INTERPRETED": variable})
    (folder,) = (tmp_path / "runs").iterdir()
    assert read_run(folder).manifest["versions"]["engine_mode"] == mode
