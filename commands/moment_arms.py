"""`moment-arms`: moment arms of muscles about a joint, or about joints that move together, over a range of motion."""

import argparse
from typing import Any

from . import EXIT_OK
from .shared_arguments import wrong_values

NAME = "moment-arms"
SUMMARY = "print the moment arms of muscles over a range of motion, with CSV and plot"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Model, muscles, motion, and where to write."""
    parser.add_argument("model", metavar="MODEL", help="model file, or the name of a shipped model")
    parser.add_argument("--muscle", action="append", default=[], metavar="NAME",
                        help="muscle, or a pattern such as '*_l'; may be repeated (default: all)")  # fmt: skip
    parser.add_argument("--joint", action="append", required=True, metavar="JOINT[:AXIS[:RATIO]]",
                        help="joint and axis x, y (default) or z of its frame; repeated, joints that move together, "
                             "each by RATIO (default 1) times the angle")  # fmt: skip
    parser.add_argument("--at", action="append", default=[], metavar="JOINT=Z,Y,X",
                        help="degrees at which another joint is held; may be repeated")  # fmt: skip
    parser.add_argument(
        "--from", dest="low", type=float, metavar="DEG", help="first angle (default: the limit)"
    )
    parser.add_argument(
        "--to", dest="high", type=float, metavar="DEG", help="last angle (default: the limit)"
    )
    parser.add_argument("--steps", type=int, default=12, metavar="N", help="intervals (default 12)")
    parser.add_argument("--csv", metavar="FILE", help="write the table")
    parser.add_argument("--plot", metavar="FILE", help="write a plot, .png or .svg")


def run(args: argparse.Namespace) -> int:
    """Compute, print and write."""
    with wrong_values(KeyError, ValueError):
        curves = _curves(args)
        for curve in curves:
            _print(curve)
        _write(args, curves)
    return EXIT_OK


def _curves(args: argparse.Namespace) -> list[Any]:
    import os
    from fnmatch import fnmatchcase

    import numpy as np

    from ..analysis.muscles.moment_arms import MomentArms, joint_range
    from ..io_json.model_json import read_model
    from ..io_json.resolve import resolve_model

    model = read_model(resolve_model(args.model, os.getcwd(), allow_outside=True))
    names = [muscle.name for muscle in model.muscles]
    wanted = [n for n in names if not args.muscle or any(fnmatchcase(n, pattern) for pattern in args.muscle)]
    if not wanted:
        raise ValueError(
            f"no muscle fits {args.muscle}; '{model.name}' has {', '.join(names) or 'no muscles'}"
        )
    motion, joint, axis = _motion(model, args.joint)
    low, high = joint_range(model, joint, axis)
    low, high = low if args.low is None else args.low, high if args.high is None else args.high
    if args.steps < 1:
        raise ValueError("--steps must be 1 or more")
    arms = MomentArms(model, dict(_held(text) for text in args.at))
    return [arms.curve(name, motion, np.linspace(low, high, args.steps + 1)) for name in wanted]


def _motion(model: Any, texts: list[str]) -> tuple[tuple[Any, ...], str, str]:
    """(turns, first joint, its axis) of the --joint arguments; one alone takes the model's couplers along."""
    from ..analysis.muscles.moment_arms import AXES, Turn, joint_motion

    parts = []
    for text in texts:
        joint, axis, ratio = (text.split(":") + ["y", "1"][len(text.split(":")) - 1 :])[:3]
        if axis not in AXES:
            raise ValueError(f"'{text}': the axis must be x, y or z")
        try:
            parts.append((joint, axis, float(ratio)))
        except ValueError:
            raise ValueError(f"'{text}': the ratio '{ratio}' is not a number") from None
    joint, axis, ratio = parts[0]
    if len(parts) == 1 and ratio == 1.0:
        return joint_motion(model, joint, axis), joint, axis
    return tuple(Turn(j, AXES[a], r) for j, a, r in parts), joint, axis


def _held(text: str) -> tuple[str, tuple[float, ...]]:
    joint, _, numbers = text.partition("=")
    try:
        angles = tuple(float(number) for number in numbers.split(","))
    except ValueError:
        angles = ()
    if len(angles) != 3:
        raise ValueError(f"'{text}': write JOINT=Z,Y,X with three angles in degrees")
    return joint, angles


def _print(curve: Any) -> None:
    turns = " + ".join(f"{turn.joint} x {turn.ratio:g}" for turn in curve.motion)
    print(f"{curve.muscle} about {turns}")
    print(f"{'angle (deg)':>12}{'length (mm)':>14}{'moment arm (mm)':>18}{'-dl/dtheta (mm)':>18}")
    for angle, length, arm, difference in curve.rows():
        print(f"{angle:12.2f}{1e3 * length:14.3f}{1e3 * arm:18.4f}{1e3 * difference:18.4f}")
    print()


def _write(args: argparse.Namespace, curves: list[Any]) -> None:
    from ..analysis.muscles.moment_arms import csv_text, plot_moment_arms
    from ..analysis.plots.figures import png_bytes, svg_bytes
    from ..io_json.atomic import write_bytes, write_text

    if args.csv:
        write_text(args.csv, csv_text(curves))
        print(f"{NAME}: wrote {args.csv}")
    if args.plot:
        figure = plot_moment_arms(curves)
        write_bytes(args.plot, svg_bytes(figure) if args.plot.endswith(".svg") else png_bytes(figure))
        print(f"{NAME}: wrote {args.plot}")
