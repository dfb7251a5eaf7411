"""What a long job is doing now, for panels and buttons. Of this session only: nothing of it is saved with the file."""

from dataclasses import dataclass


@dataclass
class Activity:
    """A job that is going on."""

    text: str = ""
    """Empty when nothing goes on"""
    share: float = 0.0


CURRENT = Activity()


def tell(text: str, share: float = 0.0) -> None:
    """Say what is going on; nothing where the text is empty."""
    CURRENT.text, CURRENT.share = text, share
