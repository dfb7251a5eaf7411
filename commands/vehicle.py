"""`vehicle`: shoot headforms and legforms at a vehicle, make one of a user's mesh, list classes, read a recorder, write
the model of a class or a ride."""

import argparse
from typing import Any

from . import EXIT_OK

NAME = "vehicle"
SUMMARY = (
    "check a vehicle with headforms and legforms, make one from a mesh, list classes with sources, read an event data "
    "recorder, write a model or a ride"
)
EPILOG = """examples:
  mannequin vehicle classes
  mannequin vehicle headform saloon --step 0.2 --csv grid.csv --picture grid.png
  mannequin vehicle legform my_vehicle.json --step 0.3
  mannequin vehicle from-mesh scan.glb
  mannequin vehicle from-mesh scan.glb --forward +z --up +y --unit m --mass 1480 --output my_car.json
  mannequin vehicle model motorcycle --json motorcycle.json
  mannequin vehicle ride city_bicycle --rider female --speed 15 --json ride.json
  mannequin vehicle trace recorder.csv --time "Time (s)" --speed-column "Speed (mph)" --unit mph

from-mesh proposes unit, axes and class and says what it found; with --output it writes the model, once forward and up
are given or the proposal is accepted (--accept).

VEHICLE is a class (hatchback, saloon, estate, suv, van, pickup, truck, bus) or a model file whose body carries a
contact mesh; model and ride also take city_bicycle, race_bicycle, child_bicycle, motorcycle, scooter, wheelchair and
pram. Values follow from the force curves of its zones: they check a model, they are no test of a make."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to shoot at which vehicle."""
    parser.add_argument(
        "action",
        choices=["classes", "headform", "legform", "trace", "from-mesh", "model", "ride"],
        help="what to do",
    )
    parser.add_argument(
        "vehicle",
        metavar="VEHICLE",
        nargs="?",
        default="",
        help="class, or model file; trace: the CSV table; from-mesh: the mesh (OBJ, STL, PLY, glTF)",
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
    parser.add_argument(
        "--unit",
        default="",
        help="trace: of speed, km/h (default), mph or m/s; from-mesh: m, cm, mm, in or ft",
    )
    parser.add_argument(
        "--ratio", type=float, default=15.0, help="trace: steering wheel over front wheels (15)"
    )
    parser.add_argument(
        "--json", metavar="FILE", help="trace: write the drive of an actor; model, ride: the file"
    )
    parser.add_argument(
        "--rider", default="male", metavar="MODEL", help="ride: shipped model of the rider (male)"
    )
    for name in ("forward", "up"):
        parser.add_argument(
            f"--{name}", default="", metavar="AXIS", help=f"from-mesh: what points {name}: +x, -y ..."
        )
    parser.add_argument("--kind", default="", metavar="CLASS", help="from-mesh: class of the vehicle")
    parser.add_argument("--mass", type=float, default=0.0, metavar="KG", help="from-mesh: mass")
    parser.add_argument("--sprung", action="store_true", help="from-mesh: on suspensions and tyres")
    parser.add_argument("--accept", action="store_true", help="from-mesh: accept the axes that are proposed")
    parser.add_argument(
        "--output", metavar="FILE", help="from-mesh: write the model (.json), meshes beside it"
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
    if args.action == "from-mesh":
        return _from_mesh(args)
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


def _from_mesh(args: argparse.Namespace) -> int:
    """Fit a vehicle to a mesh, say how well, and write it."""
    from dataclasses import replace

    from ..io_json.errors import FileError
    from ..io_json.mesh_files import read_mesh
    from ..models.vehicles.form.styles import CLASSES
    from ..models.vehicles.own.axes import propose_axes
    from ..models.vehicles.own.fit import fit_vehicle, samples

    if not args.vehicle:
        raise FileError("no mesh is given", remedy="Name a file: OBJ, STL, PLY or glTF")
    if args.kind and args.kind not in CLASSES:
        raise FileError(f"no class is called '{args.kind}'", remedy=f"Use one of {', '.join(CLASSES)}")
    if args.mass < 0.0 or (args.output and not args.output.endswith(".json")):
        raise FileError(
            "mass or output is no use", remedy="Give a mass above 0 and a file that ends in .json"
        )
    points, triangles = read_mesh(args.vehicle)
    given = {name: getattr(args, name) for name in ("unit", "forward", "up") if getattr(args, name)}
    axes = propose_axes(samples(points, triangles, 0.01 * float((points.max(0) - points.min(0)).max())))
    axes = replace(axes, **given)
    is_sure = args.accept or {"forward", "up"} <= set(given)
    fitted = fit_vehicle(points, triangles, axes, args.kind)
    print("\n".join(fitted.lines()))
    if not is_sure:
        print(f"{NAME}: axes are a proposal. Confirm with --accept, or give --forward and --up")
    elif args.output:
        _write_own(fitted, args)
    return EXIT_OK


def _write_own(fitted: Any, args: argparse.Namespace) -> None:
    """The model file, and beside it the meshes that its bodies are drawn with."""
    from pathlib import Path

    from ..engine.spec import Mesh
    from ..io_json.mesh_files import write_obj
    from ..io_json.model_json import write_model
    from ..models.vehicles.own.fit import own_model, part_meshes

    target = Path(args.output)
    model = own_model(fitted, args.mass or None, args.sprung, target.stem)
    bodies = {body.name: body for body in model.bodies}
    for name, (points, triangles) in part_meshes(fitted).items():
        file = target.with_name(f"{target.stem}_{name}.obj")
        write_obj(file, points, triangles)
        bodies[name].meshes = [Mesh(file.name)]
    write_model(model, target)
    print(f"{NAME}: wrote {target} and {sum(bool(body.meshes) for body in model.bodies)} meshes beside it")


def _trace(args: argparse.Namespace) -> int:
    """The drive that follows a recorder, printed or written."""
    import json

    from ..io_json import atomic
    from ..io_json.recorder import read_recorder

    rows = read_recorder(
        args.vehicle, args.time, args.speed_column, args.steering, args.unit or "km/h", args.ratio
    )
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
    from ..models.people.shipped import shipped_person
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
        Actor(
            "rider",
            load_model(args.rider),
            model_reference=args.rider,
            person=shipped_person(args.rider),
        ),
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
