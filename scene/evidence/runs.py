"""Fits and comparisons of hypotheses beside Blender, what came out in the panel, and agreeing runs baked."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...analysis.files.run_folder import Run
from ...io_json.errors import FileError
from ...jobs import protocol
from ..base.errors import SceneError
from ..run.simulate import runs_folder
from ..run.sweeps import MOST_LISTED, ManyRuns, bake_one_of_many, require_scipy, run_again
from .read import write_case

FILE = "evidence.json"


class EvidenceRun(ManyRuns):
    """A fit, or a comparison of hypotheses."""

    def __init__(self, scene: bpy.types.Scene, compares: bool) -> None:
        require_scipy()
        self.what = "the comparison" if compares else "the fit"
        out = runs_folder(scene) / "evidence"
        file = out / "files" / FILE
        write_case(scene, file)
        super().__init__(protocol.RunHypotheses if compares else protocol.RunFit, file, out)


@dataclass(frozen=True)
class Agreeing:
    """The agreeing runs of a fit, or of one hypothesis."""

    hypothesis: str
    """Empty: of a fit"""
    folder: Path
    plan: Any
    points: np.ndarray
    """(runs, unknowns) of all runs"""
    numbers: list[int]
    """Of those that agree, the best first"""

    @property
    def names(self) -> list[str]:
        """Names of the unknowns, in the order of the task."""
        return [parameter.name for parameter in self.plan.task.parameters]

    @property
    def bodies(self) -> list[str]:
        """Bodies whose paths were kept."""
        return self.plan.task.traces.bodies if self.plan.task.traces else []


def open_folder(scene: bpy.types.Scene) -> Path:
    """Folder of what is shown. Raises SceneError."""
    folder = scene.mannequin.evidence.folder
    if not folder:
        raise SceneError("there is no result yet: press Fit or Compare Hypotheses, or open the folder of one")
    return Path(bpy.path.abspath(folder))


def show_evidence(scene: bpy.types.Scene, folder: Path) -> Path:
    """Fill the panel with what a finished fit or comparison says, and list its agreeing runs. Raises FileError."""
    lines, groups = _read(folder)
    group = scene.mannequin.evidence
    group.folder, group.summary = str(folder), "\n".join(lines)
    group.found.clear()
    group.found_index = 0
    for agreeing in groups:
        for number in agreeing.numbers[:MOST_LISTED]:
            row = group.found.add()
            row.run, row.hypothesis, row.folder = number, agreeing.hypothesis, str(agreeing.folder)
            values = zip(agreeing.names, agreeing.points[number], strict=True)
            row.inputs = ", ".join(f"{name} {value:.4g}" for name, value in values)
    return folder


def agreeing_runs(scene: bpy.types.Scene) -> list[Agreeing]:
    """The agreeing runs of what is shown. Raises FileError or SceneError."""
    return _read(open_folder(scene))[1]


def _read(folder: Path) -> tuple[list[str], list[Agreeing]]:
    """What a folder says, in lines, and its agreeing runs."""
    from ...sweeps.fit.folder import ANSWER_NAME
    from ...sweeps.hypotheses.folder import RESULT

    if (folder / ANSWER_NAME).exists():
        return _read_fit(folder)
    if (folder / RESULT).exists():
        return _read_judgement(folder)
    remedy = "Choose the folder of a finished fit or comparison"
    raise FileError("holds no result", path=folder, remedy=remedy)


def _read_fit(folder: Path) -> tuple[list[str], list[Agreeing]]:
    from ...sweeps.fit.folder import read_fit

    plan, answer, runs = read_fit(folder)
    lines = [f"{answer['agreeing']} of {answer['runs']} runs agree with all of the evidence"]
    lines += answer["statements"]
    if not answer["is_consistent"]:
        lines += [f"{name}: {value:.2g} tolerances off" for name, value in answer["best_deviations"].items()]
    return lines, [Agreeing("", folder, plan, runs.points, runs.agreeing.tolist())]


def _read_judgement(folder: Path) -> tuple[list[str], list[Agreeing]]:
    from ...sweeps.hypotheses.conduct import SWEEPS_FOLDER
    from ...sweeps.hypotheses.folder import RESULT
    from ...sweeps.hypotheses.ratio import Ratio
    from ...sweeps.plan import read_plan

    try:
        content = json.loads((folder / RESULT).read_text("utf-8"))
        lines = list(_verdicts(content, Ratio))
        agreeing = {name: entry["numbers"] for name, entry in content["agreeing"].items()}
        places = {
            name: folder.parent / SWEEPS_FOLDER / entry["folder"] for name, entry in content["sweeps"].items()
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FileError("holds no comparison of ours", path=folder, remedy="Compare them again") from error
    groups = []
    for name, place in places.items():
        plan, _ = read_plan(place)
        groups.append(Agreeing(name, place, plan, plan.points, agreeing[name]))
    return lines, groups


def _verdicts(content: dict[str, Any], ratio: type) -> Iterator[str]:
    """What a comparison found, a line each."""
    for pair in content["pairs"]:
        yield pair["words"]
        counted, density = (ratio(**pair[way]).text for way in ("counted", "density"))
        yield f"{pair['first']} against {pair['second']}: {counted} by counting, {density} by density"
    for name, entry in content["agreeing"].items():
        yield f"{name}: {entry['runs']} of {entry['of']} runs agree"
    if content["information"]:
        best = content["information"][0]
        yield f"Would tell them apart best: {best['measure']}, {best['bits']:.2f} bits"


def bake_agreeing(scene: bpy.types.Scene, row: int) -> Run:
    """Make an agreeing run of the list again, exactly, and bake it. Raises SceneError."""
    rows = scene.mannequin.evidence.found
    if not 0 <= row < len(rows):
        raise SceneError(f"there is no row {row}: the list has {len(rows)} agreeing runs")
    chosen = rows[row]
    for agreeing in agreeing_runs(scene):
        if str(agreeing.folder) == chosen.folder:
            run = run_again(agreeing.plan, agreeing.points, chosen.run, agreeing.folder)
            bake_one_of_many(scene, run, [open_folder(scene).name])
            return run
    raise SceneError("the list is of another folder: open the result again")
