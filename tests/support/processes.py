"""Processes that tests look at from outside, on Linux."""


def lives(process: int) -> bool:
    """Whether a process is there and not merely waiting to be counted as dead."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
