"""The error that scene code raises when a person has to put something right, and all such errors together."""

from __future__ import annotations

from ..engine.errors import EngineError
from ..io_json.errors import FileError


class SceneError(Exception):
    """The message names the object and the remedy; operators show it as it is."""


USER_ERRORS = (SceneError, EngineError, FileError, OSError)
"""Errors whose message is meant for people."""
