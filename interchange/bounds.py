"""The greatest number that a file of another program may hold."""

LARGEST = 1.0e15
"""No quantity in SI units is greater, and its powers in formulas stay within what a computer can hold."""


def is_sane(value: float) -> bool:
    """Whether a number is finite and not absurdly big."""
    return abs(value) <= LARGEST
