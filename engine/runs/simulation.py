"""Running a compiled system: a generator of progress, and the recording of what has been computed so far."""

import dataclasses
import time
import weakref
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from ..bodies.workspace import new_workspace
from ..build.sensors import filter_class
from ..build.state import new_state
from ..build.stops import stop_ticks
from ..build.system import System, compile_system
from ..contact.curve_end import curve_ends
from ..contact.event_members import CONTACT_INSTANT
from ..contact.events import contact_events, contact_instants
from ..contact.state import enter_offsets, grown_touches
from ..errors import EngineError
from ..jit import decorators as jit
from ..jit.late import LateKernel
from ..spec import Scenario
from ..step.adaptive import new_steps
from ..step.arrays import CONTROLLER, State
from ..step.frames import Frames, new_frames
from ..step.integrators.workspace import new_step_work
from ..step.loop import (
    ENERGY_GREW,
    FINISHED,
    FRAME,
    GROW,
    NOT_FINITE,
    PAUSED,
    STEPS,
    TABLEAU,
    TOO_FAST,
    advance,
)
from .breaks import break_events, break_sentences
from .control import PERIOD as CONTROL_PERIOD
from .control import Commands, Controller, View
from .recording import CANCELLED, COMPLETED, DIVERGED, FRAME_ARRAYS, STOPPED, Recording, first_frames
from .responses import response_events, response_sentences
from .temporary import TemporaryFolder

SECONDS_PER_CALL = 0.02
"""A call into compiled code should return about this often, so that an interface stays live."""
SECONDS_UNWATCHED, FIRST_UNWATCHED = 0.2, 64_000
"""The same where nobody watches, since each call costs a third of a millisecond, and steps of moving bodies in the
first such call: a quarter of a microsecond each for people, several times that where much touches. No more than half of
the output times, so that a run can be cancelled however short it is."""
LARGEST_BUFFER = 8_000_000
"""Bytes of frames computed in one call."""
LARGEST_IN_MEMORY = 256_000_000
"""Bytes of recording above which frames go to disk as they are computed."""
HISTORY_PER_FRAME = 16
"""Rows of contact history that a buffer has for each of its frames, beyond those of a frame with all contacts."""
HISTORY = "contact_history"
SAMPLES, SAMPLE_TIMES = "channel_data", "channel_times"
LARGEST_SAMPLES = 4_000_000
"""Bytes of samples of sensors computed in one call."""
LOST = -1
"""Status of a call whose frames could not be kept; those of the loop are positive."""
VARIABLE_STEPS = 64
"""Steps of the variable-step integrator in a frame for which a buffer has room; with more the call is repeated."""


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
        self,
        bodies: int,
        muscles: int,
        frames: int,
        reactions: bool,
        folder: Path | None = None,
        *,
        channels: int = 0,
        samples_per_frame: int = 1,
    ) -> None:
        self._bodies, self._muscles, self._reactions = bodies, muscles, reactions
        self._channels = channels
        self._names = FRAME_ARRAYS
        one = self._new(1)
        self._shapes = {name: getattr(one, name).shape[1:] for name in self._names}
        self.frame_bytes = sum(8 * int(np.prod(shape)) for shape in self._shapes.values())
        if channels:
            self.frame_bytes += samples_per_frame * self.sample_bytes
        self._shapes |= {HISTORY: (), SAMPLES: (channels, 3), SAMPLE_TIMES: ()}
        self._rows = dict.fromkeys(self._shapes, 0)
        self.on_disk = frames * self.frame_bytes > LARGEST_IN_MEMORY
        self.frames = 0
        self._all = self._new(0 if self.on_disk else frames)
        self._grown: dict[str, list[np.ndarray]] = {name: [] for name in (HISTORY, SAMPLES, SAMPLE_TIMES)}
        self._files: dict[str, BinaryIO] = {}
        if self.on_disk:
            self._folder = TemporaryFolder(folder=folder)
            # unbuffered: what does not fit on the disk is known at once
            self._files = {
                name: open(Path(self._folder.name) / name, "wb", buffering=0) for name in self._shapes
            }

    @property
    def sample_bytes(self) -> int:
        """Of one time step of all sensors, its time included."""
        return 12 * self._channels + 8

    def _new(self, frames: int, history: int = 0, samples: int = 0) -> Frames:
        sampled = (samples if self._channels else 0, self._channels)
        return new_frames(self._bodies, frames, self._reactions, history, self._muscles, sampled)

    def buffer(self, frames: int, history: int, samples: int = 0) -> Frames:
        """Where the next frames are to be written, at most this many; rows for the contacts in them, and for as many
        samples of sensors."""
        if self.on_disk:
            return self._new(frames, history, samples)
        place = slice(self.frames, self.frames + frames)
        views = {name: getattr(self._all, name)[place] for name in self._names}
        return self._new(0, history, samples)._replace(**views)

    def keep(self, buffer: Frames, count: int, history: np.ndarray) -> None:
        """Take over the first `count` frames of a buffer, the contacts in them, and its samples: all, or none and an
        OSError."""
        sampled = int(buffer.sample_count[0])
        grown = {
            HISTORY: history,
            SAMPLES: buffer.samples[:sampled],
            SAMPLE_TIMES: buffer.sample_times[:sampled],
        }
        if self.on_disk:
            parts = {name: getattr(buffer, name)[:count] for name in self._names} | grown
            for name, part in parts.items():
                _write_all(self._files[name], part)
            for name, part in parts.items():
                self._rows[name] += len(part)
        else:
            for name, part in grown.items():
                if len(part):
                    self._grown[name].append(part)
        self.frames += count

    def in_memory(self) -> dict[str, np.ndarray]:
        """Frames stored so far, by name: views that stay as they are while more are stored. Not for those on disk."""
        return {name: getattr(self._all, name)[: self.frames] for name in self._names}

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything stored so far, by name; arrays of a long run are read from disk when used."""
        if not self.on_disk:
            result = self.in_memory()
            for name, parts in self._grown.items():
                result[name] = np.concatenate([np.zeros((0, *self._shapes[name]), _type_of(name)), *parts])
            return result
        result = {}
        for name, file in self._files.items():
            shape = (self._rows[name], *self._shapes[name])
            if 0 in shape:
                result[name] = np.zeros(shape, _type_of(name))
                continue
            result[name] = np.memmap(file.name, dtype=_type_of(name), mode="r", shape=shape)
            # the folder must outlive every array that reads from it
            weakref.finalize(result[name], lambda folder: None, self._folder)
        return result


def _write_all(file: BinaryIO, part: np.ndarray) -> None:
    """Append an array to an unbuffered file, which may take it in pieces. Raises OSError."""
    left = memoryview(part.tobytes())
    while left:
        left = left[file.write(left) :]


def _type_of(name: str) -> np.dtype:
    """Of a stored array."""
    return {HISTORY: CONTACT_INSTANT, SAMPLES: np.dtype(np.float32)}.get(name, np.dtype(float))


class Simulation:
    """One run of a system. Iterate `advance()` for progress; `recording()` holds what was computed until then."""

    def __init__(self, system: System, folder: Path | None = None) -> None:
        self.system = system
        self._arrays = system.arrays
        settings = system.scenario.settings
        tree = system.tree
        n = len(tree.mass)
        self._workspace = new_workspace(tree, len(self._arrays.pulses.body))
        self._state = new_state(
            self._arrays, system.q_start, system.u_start, system.longest_step, len(system.actor_names)
        )
        channels = sum(len(sensor.quantities) for sensor in system.sensors)
        self._step_work = new_step_work(
            n,
            len(system.q_start),
            len(system.u_start),
            settings.integrator == "implicit",
            TABLEAU.get(settings.integrator, TABLEAU["runge_kutta_4"]),
            new_steps(
                self._state,
                self._workspace.balance,
                self._arrays.params.most_ticks,
                stop_ticks(self._arrays),
                channels,
            ),
        )
        self._step_work.step[:] = self._arrays.params.time_step
        enter_offsets(self._state.contact, system.start_offsets)
        self._keeps_history = settings.contact_history
        self._total = self._arrays.params.last_frame + 1
        variable = settings.integrator == "variable_step"
        self._samples_per_frame = VARIABLE_STEPS if variable else self._arrays.params.steps_per_frame
        self._store = FrameStore(
            len(system.body_names),
            len(system.muscle_names),
            self._total,
            settings.reactions,
            folder,
            channels=channels,
            samples_per_frame=self._samples_per_frame,
        )
        self._status, self._message = CANCELLED, ""
        self._has_ended, self._count = False, 1
        self._first: Recording | None = None
        """As it was when somebody first asked for `frames_so_far`"""
        self._state_bundle = None
        self._bundles = tuple(map(jit.bundled, (self._arrays, self._workspace, self._step_work)))
        self.commands = Commands(system, self._state)
        """What may be set between two calls of `step`, or by a controller."""

    def _buffer(self, frames: int) -> Frames:
        """For at most this many further frames."""
        rows = 2 * len(self._state.contact.who) + HISTORY_PER_FRAME * frames if self._keeps_history else 0
        samples = (frames + 1) * self._samples_per_frame
        samples = min(samples, max(self._samples_per_frame, LARGEST_SAMPLES // self._store.sample_bytes))
        return self._store.buffer(min(frames, self._total - self._store.frames), rows, samples)

    def _keep(self, buffer: Frames, written: int) -> None:
        """Take the frames of a buffer over."""
        rows = int(buffer.history_count[0])
        history = contact_instants(self._arrays.surfaces, buffer.history_who[:rows], buffer.history[:rows])
        self._store.keep(buffer, written, history)

    def advance(
        self, controller: Controller | LateKernel | None = None, period: float = CONTROL_PERIOD
    ) -> Iterator[Progress]:
        """Compute to the end, yielding at each output time. Stop iterating to cancel: nothing computed is lost.

        controller: called every `period` s, from the start on, with a `View` of that time and with `commands`; what it
        sets acts from the next step on. A compiled one is a late kernel of three bundles and two floats (`jit.late`),
        called with the arrays of the system, the state, the workspace, the time and the period.
        """
        self._let_control(controller, period)
        while not self._has_ended:
            yield from self._call()
            if self._is_asked:
                controller(self.view(), self.commands)

    def step(self, commands: Commands | None = None, period: float = CONTROL_PERIOD) -> View | None:
        """Set commands, go on to the next control time and return what is there; None once the run has ended.

        The first call returns the start. commands: those of another run of the same system; absent: as they were set in
        `commands` of this one.
        """
        if commands is not None and commands is not self.commands:
            self.commands.copy_from(commands)
        if self._state.control.period[CONTROLLER] != period:
            self._let_control(_nothing, period)
        while not self._has_ended:
            for _ in self._call():
                pass
            if self._is_asked:
                return self.view()
        return None

    def view(self) -> View:
        """What a controller sees, at the time of its call."""
        params, state = self._arrays.params, self._state
        time = state.clock[FRAME] * params.output_step + state.elapsed[0]
        return View(self.system, state, self._workspace, float(time))

    @property
    def _is_asked(self) -> bool:
        """Whether the run waits for a controller in Python."""
        return bool(self._state.control.asked[0]) and not self._has_ended

    @property
    def _steps(self) -> int:
        """Steps taken so far."""
        adapts = self._arrays.params.most_ticks > 1
        return int(self._step_work.steps.tally.sum() if adapts else self._state.clock[STEPS])

    def _step_tally(self) -> np.ndarray:
        """`Recording.step_tally`: of adaptive steps, else empty."""
        tally = self._step_work.steps.tally
        ticks = np.flatnonzero(tally)
        return np.column_stack([ticks * self._arrays.params.time_step, tally[ticks]])

    def _let_control(self, controller: Controller | LateKernel | None, period: float) -> None:
        """Have a controller called every period from now on."""
        control = self._state.control
        if controller is None:
            return
        if not period > 0.0:
            raise EngineError(f"a controller cannot be called every {period} s; use a period above 0")
        if isinstance(controller, LateKernel):
            control.address[0] = controller.address(self._arrays, self._state, self._workspace)
        control.period[CONTROLLER] = period
        params = self._arrays.params
        now = self._state.clock[FRAME] * params.output_step + self._state.elapsed[0]
        control.calls[CONTROLLER] = int(np.ceil(now / period - 1e-9))
        control.due[0] = min(control.due[0], control.calls[CONTROLLER] * period)
        # a call ends when Python is asked: a longer buffer would be made for nothing
        self._count = max(1, int(np.ceil(period / params.output_step)))

    def _call(self) -> Iterator[Progress]:
        """One call into compiled code, yielding at each output time that it reached."""
        status, reached, spent = self._compute()
        params = self._arrays.params
        duration, steps = params.last_frame * params.output_step, self._steps
        for frame in reached:
            yield Progress(frame * params.output_step, duration, frame + 1, self._total, steps)
        self._conclude(status, spent)

    def _compute(self) -> tuple[int, range, float]:
        """One call into compiled code: its status, the output times that it reached, and the seconds it took."""
        if not jit.IS_COMPILED:
            jit.warn_interpreted()
        arrays, workspace, step_work = self._bundles
        if self._state_bundle is None:
            self._state_bundle = jit.bundled(self._state)
        buffer = self._buffer(self._count)
        begun = time.perf_counter()
        advance(arrays, self._state_bundle, workspace, step_work, buffer)
        status, written = map(int, buffer.ended)
        spent = time.perf_counter() - begun
        first = self._store.frames
        try:
            self._keep(buffer, written)
        except OSError as error:
            self._status, self._message = STOPPED, frames_lost_message(error)
            return LOST, range(0), spent
        return status, range(first, first + written), spent

    def _conclude(self, status: int, spent: float, wanted: float = SECONDS_PER_CALL) -> None:
        """Take up the status of a call, and choose how many output times the next one computes, to take about the
        seconds that are wanted."""
        if status == GROW:
            self._state = self._state._replace(
                contact=grown_touches(self._arrays.surfaces, self._state.contact)
            )
            self._state_bundle = None
        elif status == LOST:
            self._has_ended = True
        elif status != PAUSED:
            self._finish(status)
            self._has_ended = True
        elif spent < 0.5 * wanted and not self._is_asked:
            self._count = min(self._largest_count, 2 * self._count)

    @property
    def _largest_count(self) -> int:
        """Output times that a call may compute."""
        return max(1, LARGEST_BUFFER // self._store.frame_bytes)

    def unwatched(
        self, cancel: Callable[[], bool], controller: Controller | LateKernel | None, period: float
    ) -> None:
        """Compute to the end, or until `cancel()` is true after a call, as `advance` does, where nobody wants to know
        of every output time."""
        if controller is None:
            frame = max(1, len(self.system.tree.mass) * self._arrays.params.steps_per_frame)
            self._count = min(max(1, FIRST_UNWATCHED // frame), self._largest_count, (self._total + 1) // 2)
        self._let_control(controller, period)
        while not self._has_ended:
            status, _, spent = self._compute()
            self._conclude(status, spent, SECONDS_UNWATCHED)
            if cancel() and not self._has_ended:
                return
            if self._is_asked:
                controller(self.view(), self.commands)

    def _finish(self, status: int) -> None:
        if status == FINISHED:
            self._status, self._message = COMPLETED, ""
            return
        self._status = DIVERGED
        self._message = divergence_message(self.system, self._state, status)

    @property
    def is_on_disk(self) -> bool:
        """Whether frames go to disk as they are computed."""
        return self._store.on_disk

    def frames_so_far(self) -> Recording | None:
        """The output times that are computed, for what can be made of them while the run goes on: its contacts, samples
        and messages are not those of the run. None where frames go to disk."""
        if self._store.on_disk:
            return None
        if self._first is None:
            self._first = self.recording()
        return dataclasses.replace(self._first, **self._store.in_memory())

    def recording(self) -> Recording:
        """What has been computed so far."""
        system, arrays = self.system, self._store.arrays()
        if not self._keeps_history:
            arrays[HISTORY] = None
        body_count = len(system.body_names)
        contacts = contact_events(self._arrays.surfaces, self._state.contact, system.authored)
        recording = Recording(
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
            **_channel_names(system),
            contacts=contacts,
            contact_curve_end=curve_ends(self._arrays.surfaces, contacts),
            breaks=break_events(system, self._state),
            responses=response_events(system, self._state),
            connection_names=system.connection_names,
            status=self._status,
            message=self._message,
            warnings=list(system.warnings),
            steps=self._steps,
            step_tally=self._step_tally(),
        )
        recording.warnings += break_sentences(recording)
        recording.warnings += response_sentences(system, recording.responses)
        return first_frames(recording, recording.frames) if self._status == STOPPED else recording


def _nothing(view: View, commands: Commands) -> None:
    """The controller of a loop of one's own."""


def frames_lost_message(error: OSError) -> str:
    """Why frames can no longer be kept while the run goes on."""
    return (
        f"Further frames could not be kept in the temporary folder ({error.strerror or error}). Make room there, or "
        "choose another one (TMPDIR)."
    )


def _channel_names(system: System) -> dict[str, tuple[str, ...] | np.ndarray]:
    """What each channel of the recording is."""
    sensors = [
        (j, sensor, quantity) for j, sensor in enumerate(system.sensors) for quantity in sensor.quantities
    ]
    return {
        "channel_sensor": tuple(sensor.name for _, sensor, _ in sensors),
        "channel_quantity": tuple(quantity for _, _, quantity in sensors),
        "channel_axes": tuple(sensor.axes for _, sensor, _ in sensors),
        "channel_body": system.arrays.sensors.body[[j for j, _, _ in sensors]].astype(np.int64),
        "channel_cfc": np.array(
            [filter_class(sensor, quantity) for _, sensor, quantity in sensors], dtype=np.int64
        ),
    }


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
    scenario: Scenario | System | Simulation,
    progress: Callable[[Progress], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    controller: Controller | LateKernel | None = None,
    period: float = CONTROL_PERIOD,
) -> Recording:
    """Run a scenario to the end, or until `cancel()` is true; what was computed until then is returned.

    A Simulation is given by who looks at its frames on the way. progress: called at each output time. controller,
    period: as `Simulation.advance` has them.
    """
    simulation = _simulation_of(scenario)
    if progress is None:
        simulation.unwatched(cancel or _never, controller, period)
        return simulation.recording()
    for state in simulation.advance(controller, period):
        progress(state)
        if cancel is not None and cancel():
            break
    return simulation.recording()


def _simulation_of(scenario: Scenario | System | Simulation) -> Simulation:
    if isinstance(scenario, Simulation):
        return scenario
    return Simulation(scenario if isinstance(scenario, System) else compile_system(scenario))


def _never() -> bool:
    """The answer where nobody can cancel."""
    return False
