"""Which numbers a file of another program may hold."""

from ...engine.spec.rules import LARGEST


def is_sane(value: float) -> bool:
    """Whether a number is finite and no greater than any number of a spec."""
    return abs(value) <= LARGEST
