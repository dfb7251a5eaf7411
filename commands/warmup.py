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


def run(args: argparse.Namespace) -> int:
    """Compile the engine, or load it from the on-disk cache, and report how long that took."""
    try:
        from ..engine.runs.warmup import warmup
    except ImportError as error:
        print(f"warmup: the engine cannot be loaded: {error}", file=sys.stderr)
        return EXIT_FAILED
    started = time.perf_counter()
    warmup(lambda message: print(f"warmup: {message}", flush=True), args.muscles)
    print(f"warmup: the engine is ready ({time.perf_counter() - started:.1f} s)")
    return EXIT_OK
