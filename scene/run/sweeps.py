"""Sweeps in Blender: from the panel to a sweep file, run beside Blender, and single runs of its results baked.

The sweep itself runs in a process of its own. One that is cancelled, or that Blender is closed on, goes on from there
when it is run again.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...analysis.files.run_folder import Run, read_run
from ...engine.spec import Scenario
from ...io_json import atomic, layout
from ...io_json.names import safe_name
from ...io_json.scenario_json import write_scenario
from ...jobs import protocol
from ...jobs.engine import EngineWorker, shared_worker
from ...jobs.worker import JobFailed
from ...sweeps.spec import Design, Distribution, Parameter, Sweep, document_of
from ...sweeps.usual import usual_outcomes
from ..base.errors import SceneError
from ..base.scene_job import SceneJob
from ..base.units import as_typed
from ..scenario.scenario import scenario_names
from ..show.results import show_results
from ..show.traces.collection import run_collections
from ..store import callbacks
from ..store.actors import actors_of
from .simulate import bake_run, build_scenario, checked_scenario, runs_folder
from .worker import memory_limit

MOST_LISTED = 200
SCENARIO_FILE = "scenario.json"
CHANGES = {"settings.reactions": False}
"""What many runs leave out."""


def is_available() -> bool:
    """Whether sweeps are available: SciPy is installed. Quick, for panels."""
    return find_spec("scipy") is not None


def suggested_addresses(scene: bpy.types.Scene) -> Iterator[str]:
    """Inputs that are worth varying, of the actors and obstacles of a scene."""
    yield from ("settings.friction", "settings.ground_friction")
    names = scenario_names(scene)
    for obj in actors_of(scene):
        name = names[obj.name]
        yield from (f"actors.{name}.{word}" for word in ("speed", "heading", "mass", "height", "tone"))
        yield from (
            f"actors.{name}.{vector}.{k}"
            for vector in ("position", "velocity", "orientation")
            for k in range(3)
        )
        joints = [bone.mannequin.joint.name for bone in obj.data.bones if bone.mannequin.is_body]
        yield from (f"actors.{name}.joint_angles.{joint}.{k}" for joint in joints if joint for k in range(3))
    actors = {obj.name for obj in actors_of(scene)}
    for obj, name in names.items():
        if obj not in actors:
            yield from (f"obstacles.{name}.position.{k}" for k in range(3))


def sweep_of(scene: bpy.types.Scene, scenario: Scenario) -> Sweep:
    """The sweep that the panel describes. Raises SceneError."""
    group = scene.mannequin.sweep
    if not group.inputs:
        raise SceneError("there is no input to vary: add one in the Sweep panel")
    return Sweep(
        f"{safe_name(scenario.name, 'scene')}_sweep",
        SCENARIO_FILE,
        [
            parameter_of(item, f"input {number} of the sweep", "Sweep")
            for number, item in enumerate(group.inputs, start=1)
        ],
        Design(group.design, group.runs, group.seed),
        **usual_outcomes(scenario),
        changes=dict(CHANGES),
        keep_on_ground=resized(group.inputs),
    )


def parameter_of(item: bpy.types.PropertyGroup, what: str, panel: str) -> Parameter:
    """The parameter of an input in a panel; `what` names it. Raises SceneError."""
    if not item.address:
        raise SceneError(f"{what} does not say what is varied: choose it in the {panel} panel")
    spread = Distribution(item.spread, low=as_typed(item.low), high=as_typed(item.high))
    if item.spread == "triangular":
        spread.mode = as_typed(item.middle)
    elif item.spread == "truncated_normal":
        spread.mean, spread.sd = as_typed(item.middle), as_typed(item.deviation)
    return Parameter(item.name or item.address, item.address, spread, item.mode, source=item.source)


def resized(inputs: Iterable[bpy.types.PropertyGroup]) -> list[str]:
    """Actors whose height or posture is varied: they must stay on the ground."""
    paths = [item.address.split(".") for item in inputs]
    words = ("height", "joint_angles")
    return sorted({path[1] for path in paths if len(path) > 2 and path[0] == "actors" and path[2] in words})


class ManyRuns(SceneJob):
    """Many runs in a process of its own; at the end, `result`.

    What is cancelled has no result; its finished runs are kept, and the same question goes on from there.
    """

    what = ""
    """In messages"""

    def __init__(self, kind: type[protocol.RunSweep], file: Path, out: Path) -> None:
        self._worker = EngineWorker(memory_limit())
        self.job = self._worker.run_many(kind, file, out)

    def result(self) -> Path:
        """Folder of what came out; raises the reason where there is none."""
        try:
            return self.job.result()
        except JobFailed as error:
            raise SceneError(f"{self.what} did not finish: {error}") from error
        finally:
            self._worker.close()

    def cancel(self) -> None:
        """Stop; what is done stays done."""
        self._worker.close()


def require_scipy() -> None:
    """Refuse where sweeps cannot be run. Raises SceneError."""
    from ...sweeps.availability import missing

    if missing():
        raise SceneError(missing())


class SweepRun(ManyRuns):
    """The sweep of the panel."""

    what = "the sweep"

    def __init__(self, scene: bpy.types.Scene) -> None:
        require_scipy()
        scenario = checked_scenario(scene)
        sweep = sweep_of(scene, scenario)
        out = runs_folder(scene) / "sweeps"
        source = out / "files" / sweep.name
        source.mkdir(parents=True, exist_ok=True)
        write_scenario(scenario, source / SCENARIO_FILE)
        atomic.write_text(source / "sweep.json", layout.compact(document_of(sweep)))
        super().__init__(protocol.RunSweep, source / "sweep.json", out)


def show_sweep(scene: bpy.types.Scene, folder: Path) -> Path:
    """Fill the panel with a finished sweep's results. Raises FileError."""
    from ...sweeps.folder import read_summary

    summary = read_summary(folder)
    group = scene.mannequin.sweep
    group.folder = str(folder)
    lines = [f"{summary['statuses'].get('completed', 0)} of {summary['runs']} runs completed"]
    if coarse := summary.get("coarse"):
        lines.append(f"The time step is long for the impacts of {coarse} runs")
    lines += [
        f"{name}: {entry['text']}" for name, entry in {**summary["measures"], **summary["events"]}.items()
    ]
    group.summary = "\n".join(lines)
    group.measures = "\n".join(summary["measures"])
    group.measure = next(iter(summary["measures"]), "")  # fills the list
    return folder


def open_folder(scene: bpy.types.Scene) -> Path:
    """Folder of the sweep that is shown. Raises SceneError."""
    folder = scene.mannequin.sweep.folder
    if not folder:
        raise SceneError("there is no sweep yet: run one, or open the folder of one")
    return Path(bpy.path.abspath(folder))


def read_results(scene: bpy.types.Scene) -> tuple[Any, Any]:
    """Plan and table of the sweep that is shown. Raises FileError or SceneError."""
    from ...sweeps.plan import read_plan
    from ...sweeps.table import read_table

    folder = open_folder(scene)
    plan, _ = read_plan(folder)
    return plan, read_table(plan, folder)


def chosen_values(scene: bpy.types.Scene, table: Any) -> np.ndarray:
    """(runs,) values of the measure that is chosen; the run numbers where none is."""
    name = scene.mannequin.sweep.measure
    return table.numbers[name] if name in table.numbers else table.numbers["run"]


def fill_list(scene: bpy.types.Scene) -> None:
    """List the runs by the chosen measure, the largest first."""
    group = scene.mannequin.sweep
    group.found.clear()
    group.found_index = 0
    if not group.folder:
        return
    plan, table = read_results(scene)
    values = chosen_values(scene, table)
    names = [parameter.name for parameter in plan.sweep.parameters]
    order = np.argsort(np.where(np.isfinite(values), -values, np.inf), kind="stable")
    for index in order[:MOST_LISTED].tolist():
        row = group.found.add()
        row.run = index
        row.value = f"{values[index]:.4g}" if np.isfinite(values[index]) else table.status[index]
        row.inputs = ", ".join(f"{name} {plan.points[index, k]:.4g}" for k, name in enumerate(names))


def run_of_sweep(scene: bpy.types.Scene, index: int) -> Run:
    """One run of the sweep made again in the worker process, as a run folder inside the sweep's."""
    plan, _ = read_results(scene)
    return run_again(plan, plan.points, index, open_folder(scene))


def run_again(plan: Any, points: np.ndarray, index: int, folder: Path) -> Run:
    """A run of a sweep or a fit, whose runs are at (runs, parameters) points, made again as a run folder in its own."""
    from ...sweeps.bench import scenario_of

    if not 0 <= index < len(points):
        raise SceneError(f"there is no run {index}: give 0 to {len(points) - 1}")
    scenario = scenario_of(plan.task, points[index].tolist())
    order = {"started": datetime.now(UTC), "host": {"blender": bpy.app.version_string}}
    job = shared_worker().simulate(scenario, out=folder / "runs", **order)
    job.wait()
    return read_run(job.result())


def bake_sweep_run(scene: bpy.types.Scene, index: int) -> Run:
    """Bake one run of the sweep onto the actors; those that the scene does not have are added."""
    run = run_of_sweep(scene, index)
    bake_one_of_many(scene, run, [open_folder(scene).name])
    return run


def bake_one_of_many(scene: bpy.types.Scene, run: Run, shown: Sequence[str]) -> None:
    """Bake a run, and go on showing what is drawn of the sweeps or fits of these folder names."""
    present = set(scenario_names(scene).values())
    if not any(actor.name in present for actor in run.scenario.actors):
        build_scenario(run.scenario, scene)
    bake_run(run, scene)
    show_results(run, scene)
    for collection in run_collections(scene):
        if collection["mannequin_run"] in shown:
            collection.hide_viewport = collection.hide_render = False


register, unregister = callbacks.answered(
    {"sweep inputs": suggested_addresses, "measure of a sweep": fill_list}
)
