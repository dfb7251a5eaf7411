"""The two files beside a Hyfydy model: a configuration and a state."""

import argparse


def add_hyfydy_files(parser: argparse.ArgumentParser) -> None:
    """The options --config and --state."""
    about = "of a .hfd model: file with its forces and integrator, such as composite_force { ... }"
    parser.add_argument("--config", metavar="FILE", help=about)
    about = "of a .hfd model: state file (.zml) with its start: values, velocities, activations"
    parser.add_argument("--state", metavar="FILE", help=about)


def refuse_hyfydy_files(args: argparse.Namespace, path: object) -> None:
    """FileError where they are given with a file that takes none."""
    from ..io_json.errors import FileError

    if args.config or args.state:
        raise FileError(
            "takes no configuration and no state file", path=path, remedy="Give them with a .hfd model"
        )
