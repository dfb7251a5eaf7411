"""`run`: simulate scenarios and write a run folder for each."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK
from .shared_arguments import add_allow_outside, add_hyfydy_files, add_json, refuse_hyfydy_files

if TYPE_CHECKING:
    from ..analysis.files.ahead import Ahead
    from ..analysis.files.feed import Feed
    from ..analysis.measures import Measure
    from ..engine.spec.sharing import Shared

NAME = "run"
SUMMARY = "simulate scenarios and write their results"
DEFAULT_OUT = "out"
OWN_ENDING = ".json"
EPILOG = """settings for --set (all are listed in docs/formats/scenario.md):
  time_step, output_step, duration (s); gravity (x,y,z in m/s2); integrator; friction;
  contact_damping; joint_damping (a factor); joint_limits, self_contact, ground (on or off).
  Anything else of the scenario goes by its dotted path, such as actors.0.velocity.

examples:
  mannequin run fall.json
  mannequin run fall.json trip.json --out results --set duration=2 --set friction=0.6
  mannequin run fall.json --set actors.man.velocity=1.4,0,0 --set gravity=0,0,-1.62
  mannequin run openmbd_config.json --json
  mannequin run gait.hfd --config forces.zml --state start.zml --set duration=1

Ctrl-C stops the simulation and keeps what was computed."""


@dataclass
class Job:
    """A scenario that is ready to run."""

    path: Path
    scenario: Any
    inputs: list[Path]
    overrides: dict[str, Any]
    shared: Shared
    """What checking the scenario and compiling it have in common."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenarios",
        nargs="+",
        metavar="SCENARIO",
        help="scenario file, a .hfd, .osim or .xml model with its surroundings, or the name of a shipped scenario",
    )
    add_hyfydy_files(parser)
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="change a value for this run"
    )
    parser.add_argument(
        "--out", default=DEFAULT_OUT, metavar="FOLDER", help="where run folders go (%(default)s)"
    )
    parser.add_argument("--report", action="store_true", help="also make the report of each run")
    about = "show the run while it computes, in a browser on this machine; also make its page (see view)"
    parser.add_argument("--view", action="store_true", help=about)
    add_json(parser)
    add_allow_outside(parser)


def run(args: argparse.Namespace) -> int:
    """Check every scenario first, then run one after the other."""
    from ..analysis.files.forecast import require_room
    from ..engine.errors import EngineError
    from ..engine.runs.temporary import remove_leftovers
    from ..io_json.errors import FileError

    jobs = [_prepare(name, args) for name in args.scenarios]
    remove_leftovers()
    for job in jobs:
        require_room(job.scenario, args.out)
    results, code = [], EXIT_OK
    for job in jobs:
        try:
            result, outcome = _run_job(job, args)
        except (FileError, EngineError) as error:
            print(
                f"run: {job.path}: {error}" if isinstance(error, EngineError) else f"run: {error}",
                file=sys.stderr,
            )
            code = EXIT_FAILED
            continue
        results.append(result)
        code = code or outcome
        if outcome == EXIT_INTERRUPTED:
            break
    if args.json:
        print(json.dumps(results, indent=1, allow_nan=False))
    return code


def _prepare(name: str, args: argparse.Namespace) -> Job:
    """Read a scenario, apply the overrides, and check it. Raises FileError or EngineError."""
    from ..engine.build.validate import validate
    from ..engine.errors import EngineError
    from ..engine.spec.sharing import Shared
    from ..io_json.resolve import find_file
    from .overrides import apply_overrides, parse_assignment

    path = find_file(name, "scenario")
    scenario = _read(path, args)
    overrides = dict(map(parse_assignment, args.set))
    changed = apply_overrides(scenario, overrides.items())
    shared = Shared()
    errors = [issue for issue in validate(changed, shared.once) if issue.severity == "error"]
    if errors:
        raise EngineError(f"{path}: " + "; ".join(f"{e.place}: {e.message}. {e.remedy}" for e in errors))
    inputs = input_files(path, scenario, args.allow_outside)
    inputs += [Path(beside) for beside in (args.config, args.state) if beside]
    return Job(path, changed, inputs, overrides, shared)


def _read(path: Path, args: argparse.Namespace) -> Any:
    from ..engine.spec import Scenario
    from ..io_json.any_file import read_any
    from ..io_json.errors import FileError

    if path.suffix.lower() != OWN_ENDING:
        from ..interchange import READERS, read_scenario  # readers of other programs' files take long to load
        from ..interchange.dispatch import ending

        if ending(path) in READERS:
            return read_scenario(path, args.config, args.state)[0]
    refuse_hyfydy_files(args, path)
    kind, thing = read_any(path, args.allow_outside)
    if not isinstance(thing, Scenario):
        raise FileError(
            f"is a file of the kind '{kind}', not a scenario", path=path, remedy="Give a scenario"
        )
    return thing


def input_files(path: Path, scenario: Any, allow_outside: bool) -> list[Path]:
    """The scenario file and every model and mesh file that it names, each once."""
    from ..io_json.errors import FileError
    from ..io_json.resolve import resolve_file, resolve_model

    found = [path]
    references = [
        (resolve_model, actor.model_reference) for actor in scenario.actors if actor.model_reference
    ]
    references += [(resolve_file, obstacle.path) for obstacle in scenario.obstacles if obstacle.path]
    for resolve, reference in references:
        try:
            found.append(resolve(reference, path.parent, allow_outside))
        except FileError:  # written into the scenario itself, with the name it once had
            continue
    return list(dict.fromkeys(found))


@contextmanager
def stop_on_interrupt() -> Iterator[list[bool]]:
    """A list that gets an entry at the first Ctrl-C; the second one ends the program at once."""
    pressed: list[bool] = []

    def handle(number: int, frame: Any) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(True)

    previous = signal.signal(signal.SIGINT, handle)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, previous)


def _run_job(job: Job, args: argparse.Namespace) -> tuple[dict[str, Any] | None, int]:
    """Simulate and write one scenario: its description where --json wants one, and the exit code."""
    from datetime import UTC, datetime

    from ..analysis.files.feed import Feed
    from .progress_bar import ProgressBar

    started = datetime.now(UTC)
    with stop_on_interrupt() as pressed, Feed(lambda feed: _make_ahead(job.scenario, feed)) as feed:
        with ProgressBar(job.scenario.name) as bar:
            recording = _simulate(job, args.view, bar, lambda: bool(pressed), feed)
        ended, ahead = datetime.now(UTC), feed.result()
        from ..analysis.files.run_folder import write_and_tell

        folder, recording, measures = write_and_tell(
            job.scenario,
            recording,
            args.out,
            started=started,
            ended=ended,
            inputs=job.inputs,
            overrides=job.overrides,
            ahead=ahead,
        )
    if args.report and recording.frames:
        _write_report(folder)
    if args.view and recording.frames:
        _write_page(folder)
    from ..analysis.measures.step_resolution import step_warnings

    for warning in step_warnings(job.scenario, recording):
        print(f"run: {job.path}: warning: {warning}", file=sys.stderr)
    if not args.json:
        _print_result(job, recording, folder)
    code = {"completed": EXIT_OK, "cancelled": EXIT_INTERRUPTED}.get(recording.status, EXIT_FAILED)
    return _describe(job, recording, folder, measures) if args.json else None, code


def _make_ahead(scenario: Any, feed: Feed[Ahead]) -> Ahead:
    """What of the run folder can be made while steps are taken; what writes a run is loaded meanwhile, too."""
    from ..analysis.files.run_folder import make_ahead

    return make_ahead(scenario, feed)


def _simulate(job: Job, is_shown: bool, progress: Any, cancel: Callable[[], bool], feed: Feed[Ahead]) -> Any:
    """The recording of a run, shown in a browser while it computes where asked for."""
    if not is_shown:
        return _simulate_here(job, progress, cancel, feed)
    import webbrowser

    from ..viewer.live import run_live

    def opened(address: str) -> None:
        print(f"run: shown at {address}", file=sys.stderr, flush=True)
        webbrowser.open(address)

    return run_live(job.scenario, opened, progress, cancel)


def _simulate_here(job: Job, progress: Any, cancel: Callable[[], bool], feed: Feed[Ahead]) -> Any:
    """The recording of a run."""
    from ..engine.build.system import compile_system
    from ..engine.runs import simulation

    running = simulation.Simulation(compile_system(job.scenario, job.shared.once))

    def watch(state: simulation.Progress) -> None:
        progress(state)
        feed.give(running, state.frame)

    return simulation.run(running, watch, cancel)


def _write_page(folder: Path) -> None:
    from ..analysis.files.run_folder import read_run
    from ..viewer.write import write_page

    write_page(read_run(folder))


def _write_report(folder: Path) -> None:
    from ..analysis.files.run_folder import read_run
    from ..analysis.pages.report import write_report
    from ..viewer.dressed import ActorLooks
    from .progress_bar import ProgressBar

    with ProgressBar("step check") as bar:
        read = read_run(folder)
        write_report(read, looks=ActorLooks(read.scenario), progress=bar)


def _describe(job: Job, recording: Any, folder: Path, measures: dict[str, list[Measure]]) -> dict[str, Any]:
    """What --json prints for a run."""
    from ..analysis.files.manifest import plain
    from ..analysis.measures.catalogue import in_order
    from ..analysis.measures.step_resolution import all_warnings

    return {
        "scenario": job.scenario.name,
        "file": str(job.path),
        "folder": str(folder),
        "status": recording.status,
        "message": recording.message,
        "warnings": all_warnings(job.scenario, recording),
        "simulated_time": float(recording.times[-1]) if recording.frames else 0.0,
        "steps": recording.steps,
        "contacts": len(recording.contacts),
        "measures": [plain(measure.as_dict()) for measure in in_order(measures)],
    }


def _print_result(job: Job, recording: Any, folder: Path) -> None:
    """The run folder on standard output; problems on standard error. On a terminal a little more."""
    if recording.status != "completed":
        reached = f"{recording.times[-1]:.4g} s" if recording.frames else "nothing"
        print(
            f"run: {job.path}: {recording.status}: {recording.message or 'stopped'} "
            f"({reached} of {job.scenario.settings.duration:g} s computed, kept in {folder})",
            file=sys.stderr,
        )
    if sys.stderr.isatty():  # a script finds them in the manifest, or asks for --json
        for warning in recording.warnings:
            print(f"run: {job.path}: warning: {warning}", file=sys.stderr)
    print(folder)
    if sys.stdout.isatty() and recording.frames:
        contacts = len(recording.contacts)
        print(
            f"  {recording.times[-1]:.4g} s simulated in {recording.steps} steps, {contacts} contact events"
        )
        print("  next: mannequin report, or mannequin verify, with this folder")
