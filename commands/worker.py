"""`worker`: simulate for Blender in a process of its own. The extension starts it; people have no use for it.

What it is asked and what it answers is in jobs/protocol.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from ..jobs import protocol
    from ..jobs.server import Task

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
    from ..jobs import memory, protocol, server

    memory.limit(args.memory)
    serving = server.start(Path(args.folder))
    from ..jobs import engine_work
    from ..sweeps import served

    engine_work.load_engine(serving)
    serving.serve({**engine_work.WORK, **served.WORK, protocol.WriteReport: _write_report})


def _write_report(request: protocol.WriteReport, task: Task) -> Path:
    """Write a report whose pictures show actors as they look."""
    from ..jobs.engine_work import write_report
    from ..viewer.dressed import ActorLooks

    return write_report(request, task, ActorLooks)
