"""What a long computation is doing now, for panels and buttons. Of this session: nothing is saved with the file."""

from dataclasses import dataclass


@dataclass
class Activity:
    """The computation that is running."""

    text: str = ""
    """Empty where none is running."""
    share: float = 0.0


CURRENT = Activity()
BACKGROUND = Activity()
"""Work that stops nobody from anything: the engine is compiled before the first simulation."""


def set_activity(text: str, share: float = 0.0) -> None:
    """Set what is running, for panels; empty: nothing."""
    CURRENT.text, CURRENT.share = text, share
