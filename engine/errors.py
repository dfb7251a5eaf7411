"""The errors whose message is meant for people, and the one that leaves the engine."""


class UserError(Exception):
    """An error the user can correct: the message names the thing and the remedy, and is shown as it is."""


class EngineError(UserError):
    """Raised by the engine for what was authored or for a run that went wrong."""
