"""A limit of the memory that a simulation process may take, so that a bad scenario ends a job and not the session.

On Linux the system itself refuses more: the job then fails, and the process goes on. It is the limit of private memory
(RLIMIT_DATA), not of addresses (RLIMIT_AS): files that are mapped, as the frames of a long run, take no memory that
anybody else could miss. Elsewhere there is no such limit that holds, and the process looks at itself every few seconds
and ends where it has taken more.
"""

import os
import sys

from ..io_json.room import free_memory, peak_memory

SHARE_OF_FREE = 0.75
"""Of the memory that is free when the process starts, where nothing else is set."""
LEAST = 1_000_000_000
"""Bytes; with less the engine cannot be compiled."""

_allowed: int | None = None
_is_watched = False


def limit(wanted: int | None = None) -> int | None:
    """Limit the memory of this process, on top of what it has already; returns the bytes, None where there is no limit.

    wanted: bytes; None: three quarters of what is free.
    """
    global _allowed, _is_watched
    free = free_memory()
    if wanted is None and free is None:
        return None
    _allowed = max(LEAST, wanted if wanted is not None else int(SHARE_OF_FREE * free))
    _is_watched = not _limit_by_system(_allowed)
    return _allowed


def _limit_by_system(allowed: int) -> bool:
    """Whether the system sees to it."""
    if sys.platform != "linux":
        return False
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = _private_memory() + allowed
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    return True


def _private_memory() -> int:
    """Bytes that count towards the limit already."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")


def exceeded_text() -> str:
    """What to tell people where there was not enough."""
    most = "" if _allowed is None else f" (it may take {_allowed / 1e9:.3g} GB)"
    return (
        f"the simulation process needs more memory than it may take{most}. Choose a longer output step, a shorter "
        "duration or fewer triangles, close other programs, or raise the limit in the preferences of Mannequin"
    )


def end_where_exceeded() -> None:
    """End this process, with the reason as its last words, where the system does not hold it to its limit."""
    if _is_watched and _allowed is not None and (peak_memory() or 0) > _allowed:
        print(exceeded_text(), file=sys.stderr, flush=True)
        os._exit(1)
