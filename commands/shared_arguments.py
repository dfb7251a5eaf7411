"""Arguments that several commands take, and what ends a command where they are wrong."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager


def add_json(parser: argparse.ArgumentParser, what: str = "the result") -> None:
    """The option --json, for programs that read the output."""
    parser.add_argument("--json", action="store_true", help=f"print {what} as JSON, for scripts")


def add_allow_outside(parser: argparse.ArgumentParser, files: str = "a scenario", own: str = "its") -> None:
    """The option --allow-outside: without it a file names only what is in its own folder."""
    about = f"let {files} name files outside {own} own folder"
    parser.add_argument("--allow-outside", action="store_true", help=about)


def add_hyfydy_files(parser: argparse.ArgumentParser) -> None:
    """The options --config and --state, the two files beside a Hyfydy model."""
    about = "of a .hfd model: file with its forces and integrator, such as composite_force { ... }"
    parser.add_argument("--config", metavar="FILE", help=about)
    about = "of a .hfd model: state file (.zml) with its start: values, velocities, activations"
    parser.add_argument("--state", metavar="FILE", help=about)


@contextmanager
def wrong_values(*kinds: type[Exception]) -> Iterator[None]:
    """Let errors of these kinds, which say what is wrong with a value, end the command as a FileError does."""
    from ..io_json.errors import FileError

    try:
        yield
    except kinds as error:
        raise FileError(str(error.args[0] if isinstance(error, KeyError) else error)) from error


def refuse_hyfydy_files(args: argparse.Namespace, path: object) -> None:
    """FileError where they are given with a file that takes none."""
    from ..io_json.errors import FileError

    if args.config or args.state:
        raise FileError(
            "takes no configuration and no state file", path=path, remedy="Give them with a .hfd model"
        )
