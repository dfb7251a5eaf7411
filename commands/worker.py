"""`worker`: simulate for Blender in a process of its own. The extension starts it; people have no use for it.

What it is asked and what it answers is in jobs/protocol.py.
"""

import argparse
from pathlib import Path
from typing import NoReturn

NAME = "worker"
SUMMARY = "simulate for Blender, which starts this itself"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", required=True, metavar="FOLDER", help="folder shared with Blender, removed at the end"
    )
    parser.add_argument(
        "--memory", type=int, metavar="BYTES", help="memory it may take (three quarters of what is free)"
    )


def run(args: argparse.Namespace) -> NoReturn:
    """Load or compile the engine, then serve until the input ends."""
    from ..jobs import memory, server

    memory.limit(args.memory)
    serving = server.start(Path(args.folder))
    from ..jobs import engine_work
    from ..sweeps import served

    engine_work.load_engine(serving)
    serving.serve({**engine_work.WORK, **served.WORK})
