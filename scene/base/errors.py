"""The error that scene code raises for something the user must correct, and all such errors together."""

from ...engine.errors import UserError


class SceneError(UserError):
    """The message names the object and the remedy; operators show it as it is."""


USER_ERRORS = (UserError, OSError)
"""Errors whose message is meant for people."""
