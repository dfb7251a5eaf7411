"""`vehicle`: shoot headforms and legforms at a vehicle, list what is known of its class, read a recorder, write the
model of a class or a ride."""

import argparse
from typing import Any

from . import EXIT_OK

NAME = "vehicle"
SUMMARY = (
    "check a vehicle with headforms and legforms, list classes, read a recorder, write a model or a ride"
)
EPILOG = """examples:
  mannequin vehicle classes
  mannequin vehicle headform saloon --step 0.2 --csv grid.csv --picture grid.png
  mannequin vehicle legform my_vehicle.json --step 0.3
  mannequin vehicle model motorcycle --json motorcycle.json
  mannequin vehicle ride city_bicycle --rider female --speed 15 --json ride.json
  mannequin vehicle trace recorder.csv --time "Time (s)" --speed-column "Speed (mph)" --unit mph

VEHICLE is a class (hatchback, saloon, estate, suv, van, pickup, truck, bus) or a model file whose body carries a
contact mesh; model and ride also take city_bicycle, race_bicycle, child_bicycle, motorcycle, scooter, wheelchair and
pram. Values follow from the force curves of its zones: they check a model, they are no test of a make."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to shoot at which vehicle."""
    parser.add_argument(
        "action", choices=["classes", "headform", "legform", "trace", "model", "ride"], help="what to do"
    )
    parser.add_argument(
        "vehicle", metavar="VEHICLE", nargs="?", default="", help="class, or model file; trace: the CSV table"
    )
    parser.add_argument("--step", type=float, default=0.2, metavar="M", help="of the grid (default 0.2)")
    parser.add_argument("--speed", type=float, default=40.0, metavar="KM/H",
                        help="headform: speed (default 40, as Euro NCAP; regulation 35), or of a ride")  # fmt: skip
    parser.add_argument("--csv", metavar="FILE", help="write the table")
    parser.add_argument("--time", default="Time (s)", metavar="NAME", help="trace: column of time, s")
    parser.add_argument(
        "--speed-column", default="Speed (km/h)", metavar="NAME", help="trace: column of speed"
    )
    parser.add_argument("--steering", default="", metavar="NAME", help="trace: column of steering, degrees")
    parser.add_argument("--unit", default="km/h", help="trace: of speed: km/h, mph or m/s (default km/h)")
    parser.add_argument(
        "--ratio", type=float, default=15.0, help="trace: steering wheel over front wheels (15)"
    )
    parser.add_argument(
        "--json", metavar="FILE", help="trace: write the drive of an actor; model, ride: the file"
    )
    parser.add_argument(
        "--rider", default="male", metavar="MODEL", help="ride: shipped model of the rider (male)"
    )
    parser.add_argument("--picture", metavar="FILE", help="headform: write the grid (.png)")


def run(args: argparse.Namespace) -> int:
    """Shoot, print and write."""
    from dataclasses import asdict

    from ..io_json import atomic
    from ..io_json.errors import FileError
    from ..sweeps.impactors import headform_shots, legform_shots, table_of

    if args.action == "classes":
        return _classes()
    if args.action == "trace":
        return _trace(args)
    if args.action in ("model", "ride"):
        return _write_model(args) if args.action == "model" else _write_ride(args)
    if not 0.02 <= args.step <= 1.0 or not 1.0 <= args.speed <= 200.0:
        raise FileError("step or speed is no use", remedy="Give a step of 0.02 to 1 m and 1 to 200 km/h")
    model = _model(args.vehicle)
    is_head = args.action == "headform"
    shots = []
    for shot in (
        headform_shots(model, args.step, args.speed / 3.6) if is_head else legform_shots(model, args.step)
    ):
        if not shots:
            print("  ".join(f"{name:>16}" for name in asdict(shot)))
        shots.append(shot)
        print("  ".join(_cell(value) for value in asdict(shot).values()), flush=True)
    if not shots:
        raise FileError("the grid has no point on this vehicle", remedy="Choose a smaller step")
    if is_head:
        _print_shares(shots)
    if args.csv:
        atomic.write_text(args.csv, table_of(shots))
        print(f"{NAME}: wrote {args.csv}")
    if args.picture and is_head:
        from ..analysis.plots.impactor_grid import write_grid

        write_grid(args.picture, [(s.wrap_around_m, s.across_m, s.hic15) for s in shots], model.name)
        print(f"{NAME}: wrote {args.picture}")
    return EXIT_OK


def _trace(args: argparse.Namespace) -> int:
    """The drive that follows a recorder, printed or written."""
    import json

    from ..io_json import atomic
    from ..io_json.recorder import read_recorder

    rows = read_recorder(args.vehicle, args.time, args.speed_column, args.steering, args.unit, args.ratio)
    text = json.dumps({"speed": rows[0][1], "trace": rows}) + "\n"
    if not args.json:
        print(text, end="")
        return EXIT_OK
    atomic.write_text(args.json, text)
    print(f"{NAME}: wrote {args.json}, {len(rows)} rows over {rows[-1][0]:g} s")
    return EXIT_OK


def _class_model(name: str) -> Any:
    """Model of a class or kind of vehicles."""
    from ..io_json.errors import FileError
    from ..io_json.person_builder import vehicle_model

    made = vehicle_model(name)
    if made is None:
        raise FileError(f"no class of vehicles is called '{name}'", remedy="`vehicle classes` lists them")
    return made


def _target(args: argparse.Namespace) -> str:
    from ..io_json.errors import FileError

    if not args.json:
        raise FileError("no file to write is given", remedy="Add --json FILE")
    return args.json


def _write_model(args: argparse.Namespace) -> int:
    """Write the model of a class."""
    from ..io_json.model_json import write_model

    model, path = _class_model(args.vehicle), _target(args)
    write_model(model, path)
    print(f"{NAME}: wrote {path}: {model.description}")
    return EXIT_OK


def _write_ride(args: argparse.Namespace) -> int:
    """Write a scenario of somebody on a two-wheeler or in a wheelchair."""
    from ..engine.spec import Actor, Drive, Scenario
    from ..io_json.errors import FileError
    from ..io_json.scenario_json import write_scenario
    from ..models.library import list_models, load_model
    from ..models.scenarios.riding import add_rider

    if args.rider not in list_models():
        raise FileError(
            f"no shipped model is called '{args.rider}'", remedy=f"Choose of {', '.join(list_models())}"
        )
    model, path = _class_model(args.vehicle), _target(args)
    is_balanced = model.light_vehicle is not None and model.light_vehicle.is_ridden
    drive = (
        Drive(speed=round(args.speed / 3.6, 4), keep_speed=True, balance=is_balanced)
        if model.wheels
        else None
    )
    actors = [
        Actor(args.vehicle, model, model_reference=args.vehicle, drive=drive),
        Actor("rider", load_model(args.rider), model_reference=args.rider),
    ]
    scenario = add_rider(Scenario("ride", actors), "rider", args.vehicle)
    write_scenario(scenario, path)
    print(f"{NAME}: wrote {path}: {scenario.notes[-1]}")
    return EXIT_OK


def _model(name: str) -> Any:
    from ..io_json.errors import FileError
    from ..io_json.model_json import read_model
    from ..models.vehicles.form.styles import CLASSES
    from ..models.vehicles.road_vehicle import build_vehicle

    if not name:
        raise FileError("no vehicle is given", remedy=f"Name a file, or one of {', '.join(CLASSES)}")
    return build_vehicle(name) if name in CLASSES else read_model(name)


def _cell(value: float | str) -> str:
    return f"{value:>16.4g}" if isinstance(value, float) else f"{value:>16}"


def _print_shares(shots: list) -> None:
    """How many points are below the limits of the regulation (from memory, unverified)."""
    for limit in (1000.0, 1700.0):
        count = sum(shot.hic15 <= limit for shot in shots)
        print(f"HIC15 up to {limit:.0f}: {count} of {len(shots)} points, {100 * count / len(shots):.0f} %")


def _classes() -> int:
    """List the classes with their ranges and sources."""
    from ..models.vehicles.light import kinds
    from ..models.vehicles.published import lines

    print("\n".join([*lines(), *kinds.lines()]))
    return EXIT_OK
