"""The errors that leave the engine."""

from __future__ import annotations


class EngineError(Exception):
    """Something a person can put right: the message names the thing and the remedy."""
