"""`scan`: point clouds thinned, and the ground made from them."""

import argparse
from pathlib import Path
from typing import Any

from . import EXIT_OK

NAME = "scan"
SUMMARY = "read a point cloud of any size, thin it, and make the ground from it as an obstacle"
EPILOG = """examples:
  mannequin scan info street.laz
  mannequin scan thin street.laz --voxel 0.02 --out street.ply
  mannequin scan ground street.laz --cell 0.1 --out ground.ply --picture ground.png
  mannequin scan ground yard.e57 --regions regions.json --out ground.ply --under fall.json

Files: LAS, LAZ, E57, PLY, and text with x y z [r g b] in a row (.xyz, .csv, .txt, .pts). The local origin that was
taken off large coordinates is printed and kept in what is written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do with which file, and how it is to be taken."""
    parser.add_argument("action", choices=["info", "thin", "ground"], help="what to do with the cloud")
    parser.add_argument("cloud", metavar="FILE", help="point cloud")
    parser.add_argument("--voxel", type=float, default=0.02, metavar="M",
                        help="edge of the cells that keep one point each (default 0.02)")  # fmt: skip
    parser.add_argument(
        "--unit", default="m", help="unit of the file: m, cm, mm, ft, us_ft, inch (default m)"
    )
    parser.add_argument("--up", default="z", help="axis of the file that is up: x, y or z (default z)")
    parser.add_argument("--origin", type=float, nargs=3, metavar=("X", "Y", "Z"),
                        help="coordinates that become 0, 0, 0 (default: chosen where they are large)")  # fmt: skip
    parser.add_argument(
        "--cell", type=float, default=0.1, metavar="M", help="ground: distance of its nodes (default 0.1)"
    )
    parser.add_argument("--step", type=float, default=0.25, metavar="M",
                        help="ground: what rises less than this is ground (default 0.25)")  # fmt: skip
    parser.add_argument("--open", action="store_true", help="ground: the surface alone, not closed below")
    parser.add_argument("--regions", metavar="FILE", help="ground: surfaces by region")
    parser.add_argument("--under", metavar="SCENARIO",
                        help="ground: lay it under a scenario for its ground plane; written beside --out")  # fmt: skip
    parser.add_argument("--out", metavar="FILE", help="PLY file to write")
    parser.add_argument(
        "--picture", metavar="FILE", help="ground: picture of heights, errors and holes (.png)"
    )


def run(args: argparse.Namespace) -> int:
    """Read, work, print and write."""
    from ..places.scans.readers import read_cloud
    from ..places.scans.write import write_cloud

    origin = tuple(args.origin) if args.origin else None
    cloud = read_cloud(args.cloud, args.voxel, args.unit, args.up, origin)
    _print(cloud.facts())
    if cloud.voxel != args.voxel:
        print(f"note: the cells were enlarged to {cloud.voxel:g} m to stay within memory")
    if args.action == "thin" and args.out:
        write_cloud(args.out, cloud)
        print(f"{NAME}: wrote {args.out}")
    if args.action == "ground":
        _ground(args, cloud)
    return EXIT_OK


def _ground(args: argparse.Namespace, cloud: Any) -> None:
    from ..places.scans.ground import ground_of, mesh_of
    from ..places.scans.ground_picture import write_ground_picture
    from ..places.scans.regions import Regions, ground_obstacles, read_regions
    from ..places.scans.write import write_mesh

    ground = ground_of(cloud.points, args.cell, args.step)
    print()
    _print(ground.facts())
    if args.out:
        origin = " ".join(f"{x:.6f}" for x in cloud.origin)
        comments = [f"ground of {cloud.source}", f"local origin {origin} {cloud.unit}, {cloud.up} up"]
        mesh = mesh_of(ground, closed=not args.open and not args.regions)
        if not args.regions:
            write_mesh(args.out, mesh, comments)
            print(f"{NAME}: wrote {args.out}")
        regions = read_regions(args.regions) if args.regions else Regions()
        obstacles = ground_obstacles(mesh, regions, cloud.source)
        for obstacle in obstacles if args.regions else ():
            path = Path(args.out).with_stem(f"{Path(args.out).stem}_{obstacle.name}")
            write_mesh(path, (obstacle.vertices, obstacle.triangles), [*comments, obstacle.source])
            print(
                f"{NAME}: wrote {path} ({obstacle.material.name}, friction {obstacle.material.static_friction:g})"
            )
        if args.under:
            _lay_under(args, obstacles)
    if args.picture:
        write_ground_picture(args.picture, ground, cloud)
        print(f"{NAME}: wrote {args.picture}")


def _lay_under(args: argparse.Namespace, obstacles: list[Any]) -> None:
    """Write a scenario with the ground as its obstacles, each with the friction of its surface."""
    from ..io_json.scenario_json import read_scenario, write_scenario

    scenario = read_scenario(args.under)
    scenario.obstacles += obstacles
    scenario.settings.ground = False
    path = Path(args.out).with_suffix(".json")
    write_scenario(scenario, path)
    print(f"{NAME}: wrote {path}: {scenario.name} on this ground, without its ground plane")


def _print(facts: dict[str, Any]) -> None:
    for name, value in facts.items():
        shown = ", ".join(f"{x:g}" for x in value) if isinstance(value, list) else value
        print(f"{name.replace('_', ' '):<24}{shown:,}" if isinstance(value, int) and not isinstance(value, bool)
              else f"{name.replace('_', ' '):<24}{shown}")  # fmt: skip
