"""The command line, `python -m mannequin`. The commands themselves are in commands/."""

import argparse
import gc
import os
import sys
import time
from collections.abc import Sequence
from typing import NoReturn

from . import __version__
from .commands import EXIT_INTERRUPTED, EXIT_USAGE, build_parser
from .commands.case_log import log_command
from .commands.standard_output import run_with_output

ALLOCATIONS_PER_COLLECTION = 20_000
"""Of objects that may be part of a cycle: thirty times Python's own, as a start is all such objects, which stay."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    # a command's matrices are small: threads of NumPy's linear algebra would only cost time to start
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    args = build_parser(__version__).parse_args(arguments)
    try:
        started = time.time()
        code = run_command(args)
        log_command(args.command, args, code, started)
        return code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED


def run_command(args: argparse.Namespace) -> int:
    """Exit code of the chosen command; what the user can correct ends it with one line on standard error."""
    try:
        return args.run(args)
    except Exception as error:
        from .engine.errors import UserError  # not before: --help answers without the engine

        if not isinstance(error, UserError):
            raise
        print(f"{args.command}: {error}", file=sys.stderr)
        return EXIT_USAGE


def main_and_exit() -> NoReturn:
    """Run one command and end the process."""
    gc.set_threshold(ALLOCATIONS_PER_COLLECTION, *gc.get_threshold()[1:])
    sys.exit(run_with_output(main))


if __name__ == "__main__":
    main_and_exit()
