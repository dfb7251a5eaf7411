"""Running a compiled system: a generator of progress, and the recording of what has been computed so far."""

from __future__ import annotations

import tempfile
import time
import weakref
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from ..bodies.workspace import new_workspace
from ..build.state import new_state
from ..build.system import System, compile_system
from ..contact.event_members import CONTACT_INSTANT
from ..contact.events import contact_events, contact_instants
from ..contact.state import enter_offsets, grown_touches
from ..jit import decorators as jit
from ..spec import Scenario
from ..step.arrays import State
from ..step.frames import FRAME_SHAPES, Frames, new_frames
from ..step.integrators.workspace import new_step_work
from ..step.loop import ENERGY_GREW, FINISHED, GROW, NOT_FINITE, PAUSED, STEPS, TABLEAU, TOO_FAST, advance
from .recording import Recording

SECONDS_PER_CALL = 0.02
"""A call into compiled code should return about this often, so that an interface stays live."""
LARGEST_BUFFER = 8_000_000
"""Bytes of frames computed in one call."""
LARGEST_IN_MEMORY = 256_000_000
"""Bytes of recording above which frames go to disk as they are computed."""
HISTORY_PER_FRAME = 16
"""Rows of contact history that a buffer has for each of its frames, beyond those of a frame with all contacts."""
HISTORY = "contact_history"


class Progress(NamedTuple):
    """Progress of a run."""

    time: float
    """Simulated s"""
    duration: float
    frame: int
    frames: int
    steps: int


class FrameStore:
    """Output frames of a run: written in place in memory, or, for long runs, appended to files as they come.

    Appending to files and mapping them only at the end keeps memory bounded whatever the length of the run.
    """

    def __init__(
        self, bodies: int, muscles: int, frames: int, reactions: bool, folder: Path | None = None
    ) -> None:
        self._bodies, self._muscles, self._reactions = bodies, muscles, reactions
        self._names = ("times", *FRAME_SHAPES, "energy", "muscle_energy")
        one = self._new(1)
        self._shapes = {name: getattr(one, name).shape[1:] for name in self._names}
        self._shapes[HISTORY] = ()
        self._rows = dict.fromkeys(self._shapes, 0)
        self.frame_bytes = sum(8 * int(np.prod(shape)) for shape in self._shapes.values())
        self.on_disk = frames * self.frame_bytes > LARGEST_IN_MEMORY
        self.frames = 0
        self._all = self._new(0 if self.on_disk else frames)
        self._history: list[np.ndarray] = []
        self._files: dict[str, BinaryIO] = {}
        if self.on_disk:
            self._folder = tempfile.TemporaryDirectory(prefix="mannequin-", dir=folder)
            self._files = {name: open(Path(self._folder.name) / name, "wb") for name in self._shapes}

    def _new(self, frames: int, history: int = 0) -> Frames:
        return new_frames(self._bodies, frames, self._reactions, history, self._muscles)

    def buffer(self, frames: int, history: int) -> Frames:
        """Where the next frames are to be written, at most this many, and rows for the contacts in them."""
        if self.on_disk:
            return self._new(frames, history)
        place = slice(self.frames, self.frames + frames)
        views = {name: getattr(self._all, name)[place] for name in self._names}
        return self._new(0, history)._replace(**views)

    def keep(self, buffer: Frames, count: int, history: np.ndarray) -> None:
        """Take over the first `count` frames of a buffer, and the contacts in them."""
        self.frames += count
        if len(history):
            self._history.append(history)
        if self.on_disk:
            for name in self._names:
                self._append(name, getattr(buffer, name)[:count])
            self._append(HISTORY, history)

    def _append(self, name: str, part: np.ndarray) -> None:
        self._rows[name] += len(part)
        self._files[name].write(part.tobytes())

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything stored so far, by name; arrays of a long run are read from disk when used."""
        if not self.on_disk:
            result = {name: getattr(self._all, name)[: self.frames] for name in self._names}
            result[HISTORY] = np.concatenate([np.zeros(0, CONTACT_INSTANT), *self._history])
            return result
        result = {}
        for name, file in self._files.items():
            file.flush()
            shape = (self._rows[name], *self._shapes[name])
            if 0 in shape:
                result[name] = np.zeros(shape, _type_of(name))
                continue
            result[name] = np.memmap(file.name, dtype=_type_of(name), mode="r", shape=shape)
            # the folder must outlive every array that reads from it
            weakref.finalize(result[name], lambda folder: None, self._folder)
        return result


def _type_of(name: str) -> np.dtype:
    """Of a stored array."""
    return CONTACT_INSTANT if name == HISTORY else np.dtype(float)


class Simulation:
    """One run of a system. Iterate `advance()` for progress; `recording()` holds what was computed until then."""

    def __init__(self, system: System, folder: Path | None = None) -> None:
        self.system = system
        self._arrays = system.arrays
        settings = system.scenario.settings
        tree = system.tree
        n = len(tree.mass)
        self._workspace = new_workspace(tree, len(self._arrays.pulses.body))
        self._step_work = new_step_work(
            n,
            len(system.q_start),
            len(system.u_start),
            settings.integrator == "implicit",
            TABLEAU.get(settings.integrator, TABLEAU["runge_kutta_4"]),
        )

        self._step_work.step[:] = self._arrays.params.time_step
        self._state = new_state(
            self._arrays, system.q_start, system.u_start, system.longest_step, len(system.actor_names)
        )
        enter_offsets(self._state.contact, system.start_offsets)
        self._keeps_history = settings.contact_history
        self._total = self._arrays.params.last_frame + 1
        self._store = FrameStore(
            len(system.body_names), len(system.muscle_names), self._total, settings.reactions, folder
        )
        self._status, self._message = "cancelled", ""

    def _buffer(self, frames: int) -> Frames:
        """For at most this many further frames."""
        rows = 2 * len(self._state.contact.who) + HISTORY_PER_FRAME * frames if self._keeps_history else 0
        return self._store.buffer(min(frames, self._total - self._store.frames), rows)

    def _keep(self, buffer: Frames, written: int) -> None:
        """Take the frames of a buffer over."""
        rows = int(buffer.history_count[0])
        history = contact_instants(self._arrays.surfaces, buffer.history_who[:rows], buffer.history[:rows])
        self._store.keep(buffer, written, history)

    def advance(self) -> Iterator[Progress]:
        """Compute to the end, yielding at each output time. Stop iterating to cancel: nothing computed is lost."""
        if not jit.IS_COMPILED:
            jit.warn_interpreted()
        params = self._arrays.params
        count, most = 1, max(1, LARGEST_BUFFER // self._store.frame_bytes)
        arrays, workspace, step_work = map(jit.bundled, (self._arrays, self._workspace, self._step_work))
        state = jit.bundled(self._state)
        while True:
            buffer = self._buffer(count)
            begun = time.perf_counter()
            status, written = advance(arrays, state, workspace, step_work, jit.bundled(buffer))
            spent = time.perf_counter() - begun
            first = self._store.frames
            self._keep(buffer, written)
            duration, steps = params.last_frame * params.output_step, int(self._state.clock[STEPS])
            for frame in range(first, first + written):
                yield Progress(frame * params.output_step, duration, frame + 1, self._total, steps)
            if status == GROW:
                self._state = self._state._replace(
                    contact=grown_touches(self._arrays.surfaces, self._state.contact)
                )
                state = jit.bundled(self._state)
            elif status != PAUSED:
                self._finish(status)
                return
            elif spent < 0.5 * SECONDS_PER_CALL:
                count = min(most, 2 * count)

    def _finish(self, status: int) -> None:
        if status == FINISHED:
            self._status, self._message = "completed", ""
            return
        self._status = "diverged"
        self._message = divergence_message(self.system, self._state, status)

    def recording(self) -> Recording:
        """What has been computed so far."""
        system, arrays = self.system, self._store.arrays()
        if not self._keeps_history:
            arrays[HISTORY] = None
        body_count = len(system.body_names)
        return Recording(
            times=arrays.pop("times"),
            actor_names=system.actor_names,
            body_names=system.body_names,
            body_actor=system.body_actor,
            body_mass=system.authored.mass,
            body_com=system.authored.com_local,
            joint_names=system.joint_names,
            joint_actor=system.body_actor,
            joint_child=np.arange(body_count),
            joint_types=system.joint_types,
            ellipsoid_names=tuple(entry.name for entry in system.ellipsoids),
            ellipsoid_body=np.array([entry.body for entry in system.ellipsoids], dtype=np.int64),
            obstacle_names=system.obstacle_names,
            muscle_names=system.muscle_names,
            muscle_actor=system.muscle_actor,
            **arrays,
            contacts=contact_events(self._arrays.surfaces, self._state.contact, system.authored),
            status=self._status,
            message=self._message,
            warnings=list(system.warnings),
            steps=int(self._state.clock[STEPS]),
        )


def divergence_message(system: System, state: State, status: int) -> str:
    """When, where and probably why a run went wrong."""
    params = system.arrays.params
    t = state.clock[0] * params.output_step + state.elapsed[0]
    body = system.moving_names[int(state.fastest[0])] if system.moving_names else "a body"
    remedy = (
        "Try half the time step, and look for very stiff contact curves, motors or springs on light bodies"
    )
    if status == TOO_FAST:
        return (
            f"At {t:.4f} s {body} became faster than {params.max_speed:g} m/s. {remedy}, or raise max_speed."
        )
    if status == NOT_FINITE:
        return f"At {t:.4f} s the motion of {body} was no longer finite. {remedy}."
    assert status == ENERGY_GREW
    return f"At {t:.4f} s energy had appeared that no force explains; the fastest body was {body}. {remedy}."


def simulate(system: System) -> Generator[Progress, None, Recording]:
    """Run a system: yields Progress at each output time and returns the Recording."""
    simulation = Simulation(system)
    yield from simulation.advance()
    return simulation.recording()


def run(
    scenario: Scenario | System,
    progress: Callable[[Progress], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Recording:
    """Run a scenario to the end, or until `cancel()` is true; what was computed until then is returned."""
    system = scenario if isinstance(scenario, System) else compile_system(scenario)
    simulation = Simulation(system)
    for state in simulation.advance():
        if progress is not None:
            progress(state)
        if cancel is not None and cancel():
            break
    return simulation.recording()
