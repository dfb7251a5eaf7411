"""`view`: make the page of a run or a sweep: three-dimensional, one file, for any browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import EXIT_MISMATCH, EXIT_OK

if TYPE_CHECKING:
    from ..viewer.content import Shown

NAME = "view"
SUMMARY = "make one HTML file in which a run can be turned, stopped and measured, in any browser"
DEFAULT_GHOSTS = 9
EPILOG = """examples:
  mannequin view out/fall_20260101T120000Z
  mannequin view out/fall_20260101T120000Z --out case.html --title "Case 17/2026" --camera witness.json
  mannequin view out/slow out/fast --out both.html --name "A: he braked" --name "B: he did not"
  mannequin view out/trip_sweep_1a2b3c4d --out sweep.html --ghosts 9 --measure HIC15
  mannequin view out/fall_20260101T120000Z --check case.html

Without --out the page of one run is written into its folder. Nothing in the page is loaded from elsewhere.
Of a sweep the scenario as it is becomes a run, and some of the sweep's runs ghosts beside it; they are made again.
--check makes the page again and says what of an existing one differs; give the same names, title and cameras."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="folder of a run or of a sweep; several are shown side by side"
    )
    parser.add_argument("--out", metavar="FILE", help="file to write; an existing one is replaced")
    parser.add_argument("--title", default="", help="title of the page, such as a case number")
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        help="what a run is called, such as a hypothesis; once for each run, in their order",
    )
    parser.add_argument(
        "--camera",
        action="append",
        default=[],
        metavar="FILE",
        help="cameras of witnesses and photographs, as views of the page (docs/viewer.md); may be repeated",
    )
    parser.add_argument(
        "--ghosts",
        type=int,
        default=DEFAULT_GHOSTS,
        metavar="N",
        help="runs of a sweep that are shown as ghosts (%(default)s)",
    )
    parser.add_argument(
        "--measure", default="", help="measure of the sweep over whose percentiles the ghosts are chosen"
    )
    parser.add_argument("--check", metavar="FILE", help="compare this page with the runs, write nothing")


def run(args: argparse.Namespace) -> int:
    """Write the page and print its path, or check one."""
    _refuse(args)
    return _check(args) if args.check else _write(args)


def _refuse(args: argparse.Namespace) -> None:
    """FileError where the arguments are wrong."""
    from ..io_json.errors import FileError

    if args.name and len(args.name) != len(args.runs):
        raise FileError(f"give --name once for each of the {len(args.runs)} runs, or not at all")
    if args.ghosts < 1:
        raise FileError("--ghosts must be at least 1")
    needs_out = len(args.runs) > 1 or args.title or args.name or _is_sweep(args.runs[0])
    if needs_out and not args.out and not args.check:
        raise FileError("several runs, a sweep, a title or a name need --out FILE")


def _is_sweep(folder: str) -> bool:
    return (Path(folder) / "plan.json").exists()


def _write(args: argparse.Namespace) -> int:
    from ..analysis.files.run_folder import read_run
    from ..io_json import atomic
    from ..viewer.write import page_bytes, write_page

    if args.out:
        page = page_bytes(_shown(args), args.title, _cameras(args))
        atomic.write_bytes(Path(args.out), page)
        print(args.out)
    else:
        print(write_page(read_run(args.runs[0]), _cameras(args)))
    return EXIT_OK


def _check(args: argparse.Namespace) -> int:
    from ..viewer.write import differences

    found = differences(Path(args.check), _shown(args), args.title, _cameras(args))
    for line in found:
        print(f"  DIFFERS: {line}")
    print(f"{args.check}: {'does not match' if found else 'matches'}")
    return EXIT_MISMATCH if found else EXIT_OK


def _cameras(args: argparse.Namespace) -> list[Any]:
    from ..viewer.cameras import read_cameras

    return [camera for path in args.camera for camera in read_cameras(path)]


def _shown(args: argparse.Namespace) -> list[Shown]:
    """What the page shows, folder by folder."""
    from ..analysis.files.run_folder import read_run
    from ..viewer.content import shown_run

    labels = args.name or [""] * len(args.runs)
    return [
        _shown_sweep(Path(folder), label, args) if _is_sweep(folder) else shown_run(read_run(folder), label)
        for folder, label in zip(args.runs, labels, strict=True)
    ]


def _shown_sweep(folder: Path, label: str, args: argparse.Namespace) -> Shown:
    """The scenario of a sweep as it is, and runs over the percentiles of a measure as its ghosts."""
    from ..io_json.errors import FileError
    from ..sweeps.availability import missing
    from ..viewer.content import Ghost, Shown

    if missing():
        raise FileError(missing(), path=folder, remedy="Install SciPy into this Python: pip install scipy")
    from ..sweeps.folder import single_run
    from ..sweeps.plan import read_plan, trial_run
    from ..sweeps.spread import runs_over
    from ..sweeps.table import read_table

    plan, content = read_plan(folder)
    table = read_table(plan, folder)
    names = [quantity.name for quantity in plan.sweep.measures]
    if args.measure and args.measure not in names:
        remedy = f"Give one of: {', '.join(names)}" if names else "Leave --measure out"
        raise FileError(f"has no measure '{args.measure}'", path=folder, remedy=remedy)
    facts = {
        "run": f"scenario of the sweep {plan.sweep.name}, as it is",
        "run_id": folder.name,
        "digest": content["digest"],
        "digest_of": "plan of the sweep",
        "started": "",
        "program": f"Mannequin {content['versions'].get('mannequin', '')}",
    }
    chosen = runs_over(table.numbers[args.measure or "run"], args.ghosts)
    ghosts = [Ghost(_ghost_label(plan, index), single_run(plan, index)[1]) for index in chosen]
    return Shown(plan.scenario, trial_run(plan.scenario), facts, label, ghosts)


def _ghost_label(plan: Any, index: int) -> str:
    """Number and inputs of a run."""
    values = [
        f"{parameter.name} {value:.4g} {parameter.unit}".rstrip()
        for parameter, value in zip(plan.sweep.parameters, plan.points[index].tolist(), strict=True)
    ]
    return f"run {index}: {', '.join(values)}"
