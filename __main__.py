"""The command line, `python -m mannequin`. The commands themselves are in commands/."""

import sys
from collections.abc import Sequence

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


if __name__ == "__main__":
    sys.exit(main())
