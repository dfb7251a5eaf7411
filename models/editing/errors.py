"""The error that editing a model raises."""

from ...engine.errors import UserError


class EditError(UserError):
    """A change that the model does not allow; the message names the part and the remedy."""
