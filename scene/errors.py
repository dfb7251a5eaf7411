"""The error that scene code raises when a person has to put something right."""

from __future__ import annotations


class SceneError(Exception):
    """The message names the object and the remedy; operators show it as it is."""
