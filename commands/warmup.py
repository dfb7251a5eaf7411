"""`warmup`: compile the engine once, so that the first simulation starts at once."""

import argparse
import sys
import time

from . import EXIT_FAILED, EXIT_OK

NAME = "warmup"
SUMMARY = "compile the engine ahead of the first run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to compile."""
    parser.add_argument("--muscles", action="store_true", help="also what only scenarios with muscles need")
    parser.add_argument(
        "--beside",
        action="store_true",
        help="all but the step loop, which another process compiles; ends when its input does",
    )


def run(args: argparse.Namespace) -> int:
    """Compile the engine, or load it from the on-disk cache, and report how long that took."""
    started = time.perf_counter()
    try:
        if args.beside:
            _compile_beside()
        else:
            from ..engine.runs.warmup import warmup

            warmup(lambda message: print(f"warmup: {message}", flush=True), args.muscles)
    except ImportError as error:
        print(f"warmup: the engine cannot be loaded: {error}", file=sys.stderr)
        return EXIT_FAILED
    print(f"warmup: the engine is ready ({time.perf_counter() - started:.1f} s)")
    return EXIT_OK


def _compile_beside() -> None:
    """Compile what the step loop does not hold, as long as whoever asked for it is there."""
    from ..analysis.files.ahead import load_code
    from ..engine.runs.warmup import compile_beside
    from ..jobs.server import end_with_input
    from ..models.scenarios.every_kernel import kernel_scenarios

    end_with_input()
    load_code()  # what every run needs comes first
    compile_beside(kernel_scenarios())
