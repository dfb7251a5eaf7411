"""What the simulation process can do: load the engine, simulate, write a report, draw moment arms."""

import itertools
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..analysis.files.ahead import Ahead
from ..analysis.files.feed import Feed
from ..analysis.files.recording_folder import write_recording_folder
from ..analysis.files.run_folder import make_ahead, read_run, write_and_tell
from ..analysis.measures import packed
from ..analysis.measures.preview import pack, preview_of
from ..analysis.measures.step_resolution import judged
from ..analysis.resample import last_pose
from ..engine.build.system import compile_system
from ..engine.errors import EngineError
from ..engine.jit import decorators as jit
from ..engine.jit.cache_folder import ENGINE
from ..engine.jit.stand_ins import when_compiled
from ..engine.runs.recording import Recording
from ..engine.runs.simulation import Progress, Simulation, run
from ..engine.runs.warmup import warmup
from ..engine.spec import Scenario
from ..io_json import exact_copy
from . import protocol
from .server import Dropped, Server, Task, Work
from .shared_parts import assembled

INTERVALS = 12
"""Of the range of motion over which moment arms are drawn."""


def load_engine(server: Server) -> None:
    """Compile the engine, or load what was compiled before."""
    with compile_progress(server):
        warmup()


def simulate(request: protocol.Simulate, task: Task) -> Path | protocol.RunDone:
    """Simulate, and write the run folder or the recording."""
    scenario = exact_copy.load(Scenario, request.scenario.read_text(encoding="utf-8"))
    request.scenario.unlink()
    simulation = Simulation(compile_system(scenario))
    if request.out is None:
        write_recording_folder(watched(simulation, task), request.frames)
        return request.frames
    with Feed(lambda feed: make_ahead(scenario, feed)) as feed:
        recording = judged(scenario, watched(simulation, task, feed))
        is_shared = request.frames is not None and not simulation.is_on_disk
        if is_shared:
            write_recording_folder(recording, request.frames)
        else:
            task.tell(recording.frames, recording.frames, "Writing the run", now=True)
        return keep_run(request, task, scenario, recording, feed.result(), is_shared)


def watched(simulation: Simulation, task: Task, feed: Feed[Ahead] | None = None) -> Recording:
    """Compute to the end, with progress and, where asked for, the pose. Raises Dropped."""

    def watch(progress: Progress) -> None:
        tell_simulated(task, progress, "Simulating")
        if feed is not None:
            feed.give(simulation, progress.frame)
        if task.takes_look():
            show_pose(task, simulation)

    return run(simulation, watch)


def keep_run(
    request: protocol.Simulate,
    task: Task,
    scenario: Scenario,
    recording: Recording,
    ahead: Ahead,
    is_shared: bool,
) -> protocol.RunDone:
    """Write the run folder; is_shared: the recording is there for the other side. A job that was cancelled leaves
    nothing; the other side does not cancel once it knows of the recording. Raises Dropped."""
    folder, _, measures = write_and_tell(
        scenario,
        recording,
        request.out,
        started=datetime.fromisoformat(request.started),
        ended=datetime.now(UTC),
        host=request.host,
        ahead=ahead,
        claimed=task.hand_over if is_shared else None,
    )
    if task.is_dropped:
        shutil.rmtree(folder, ignore_errors=True)
        raise Dropped
    return protocol.RunDone(request.job, folder, packed.pack(measures))


def take_preview(request: protocol.TakePreview, task: Task) -> protocol.Previewed:
    """Simulate, and answer with the preview."""
    begun = time.perf_counter()
    scenario = assembled(request.scenario, request.models, request.obstacles, request.parts)
    recording = run(scenario, lambda progress: tell_simulated(task, progress, "Simulating"))
    preview = pack(preview_of(scenario, recording))
    return protocol.Previewed(request.job, preview, time.perf_counter() - begun)


def tell_simulated(task: Task, progress: Progress, doing: str) -> None:
    """Report the progress of a simulation."""
    text = f"{doing} {progress.time:.2f} of {progress.duration:g} s"
    task.tell(progress.frame, progress.frames, text)


def show_pose(task: Task, simulation: Simulation) -> None:
    """Send the bodies as far as the simulation has come."""
    pose = last_pose(simulation.recording())
    task.show(float(pose.times[0]), pose.origin[0].tolist(), pose.quaternion[0].tolist())


def write_report(
    request: protocol.WriteReport, task: Task, looks: Callable[[Scenario], Any] | None = None
) -> Path:
    """Write a report, with the check of the time step. `looks`: of the actors of a scenario, from a layer above."""
    from ..analysis.pages import report  # draws, which takes long to load

    def tell(progress: Progress) -> None:
        tell_simulated(task, progress, "Checking the time step:")
        if progress.frame == progress.frames:
            task.tell(progress.frame, progress.frames, "Writing the report", now=True)

    read = read_run(request.run)
    return report.write_report(read, looks=looks(read.scenario) if looks else None, progress=tell)[0]


def draw_moment_arms(request: protocol.DrawMomentArms, task: Task) -> Path:
    """Draw a picture of a muscle's moment arms."""
    import numpy as np

    from ..analysis.muscles.moment_arms import MomentArms, joint_motion, joint_range, plot_moment_arms
    from ..analysis.plots.figures import png_bytes
    from ..io_json.atomic import write_bytes
    from ..io_json.model_json import read_model

    model = read_model(request.model)
    motion = joint_motion(model, request.joint, request.axis)
    low, high = joint_range(model, request.joint, request.axis)
    task.tell(0, 1, "Computing moment arms", now=True)
    try:
        curve = MomentArms(model).curve(request.muscle, motion, np.linspace(low, high, INTERVALS + 1))
    except KeyError as error:
        raise EngineError(error.args[0]) from error
    write_bytes(request.picture, png_bytes(plot_moment_arms([curve])))
    return request.picture


WORK: Mapping[type, Work] = {
    protocol.Simulate: simulate,
    protocol.TakePreview: take_preview,
    protocol.WriteReport: write_report,
    protocol.DrawMomentArms: draw_moment_arms,
}


@contextmanager
def compile_progress(server: Server) -> Iterator[None]:
    """Tell how many functions Numba has compiled; silent where there is nothing to compile."""
    done = itertools.count(1)
    total = count_kernels()
    with when_compiled(lambda: server.say(protocol.Compiling(next(done), total))):
        yield


def count_kernels() -> int:
    """Number of functions of the engine that Numba compiles."""
    kernels = {
        id(value)
        for name, module in list(sys.modules.items())
        if name.startswith(ENGINE)
        for value in vars(module).values()
        if isinstance(value, jit.Kernel)
    }
    return len(kernels)
