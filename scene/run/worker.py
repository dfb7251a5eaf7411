"""The worker process lives no longer than the extension that started it."""

from ...jobs.engine import close_shared_worker


def unregister() -> None:
    """No process outlives the extension."""
    close_shared_worker()
