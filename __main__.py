"""The command line, `python -m mannequin`. The commands themselves are in commands/."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from . import __version__
from .commands import EXIT_INTERRUPTED, build_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    args = build_parser(__version__).parse_args(arguments)
    try:
        return args.run(args)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED


def main_and_exit() -> NoReturn:
    """Run one command and end the process.

    Once Blender was loaded as a module its own clean-up at interpreter exit can hang (seen on 4.5 LTS), so the process
    then ends without it.
    """
    code = main()
    if "bpy" in sys.modules:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main_and_exit()
