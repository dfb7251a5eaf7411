"""Why rows miss, as far as it was examined: what was changed or computed to find out, in a sentence each."""

from .row import Row

CAUSES: tuple[tuple[str, str, str], ...] = ()
"""Beginning of the check, beginning of the quantity, cause. The first that fits counts."""
NOT_EXAMINED = "Cause not examined."


def cause_of(row: Row) -> str:
    """The cause of a miss."""
    for check, quantity, cause in CAUSES:
        if row.check.startswith(check) and row.quantity.startswith(quantity):
            return cause
    return NOT_EXAMINED
