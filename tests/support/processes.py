"""Processes that tests look at from outside, on Linux, and how long things take among them."""

import os


def lives(process: int) -> bool:
    """Whether a process is there and not merely waiting to be counted as dead."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def busyness() -> float:
    """How many times longer things take than on a quiet machine: processes that want each core, at least 1."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
