"""`warmup`: compile the engine once, so that the first simulation starts at once."""

import argparse
import sys
import time

from . import EXIT_FAILED, EXIT_OK

NAME = "warmup"
SUMMARY = "compile the engine ahead of the first run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """This command takes no arguments."""


def run(args: argparse.Namespace) -> int:
    """Compile the engine, or load it from the on-disk cache, and say how long that took."""
    try:
        from ..engine.jit import warmup
    except ImportError as error:
        print(f"warmup: the engine cannot be loaded: {error}", file=sys.stderr)
        return EXIT_FAILED
    started = time.perf_counter()
    warmup(progress=lambda message: print(f"warmup: {message}", flush=True))
    print(f"warmup: the engine is ready ({time.perf_counter() - started:.1f} s)")
    return EXIT_OK
