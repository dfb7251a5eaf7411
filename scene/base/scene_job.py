"""Work for a scene in another process, with the interface that operators poll."""

from ...jobs.local_job import LocalJob
from ...jobs.worker import Job


class SceneJob:
    """A job, and what went wrong on the way without ending it. `poll` until it is true, then take its result as the
    class at hand says; or `cancel`."""

    job: Job | LocalJob
    warning = ""
    """In words"""
    is_kept = False
    """Whether the result is in the scene and its files are being written: there is nothing left to cancel"""

    @property
    def text(self) -> str:
        """What it is doing, for the user."""
        return self.job.text

    @property
    def share(self) -> float:
        """Share that is done."""
        return self.job.share

    def poll(self) -> bool:
        """Take in what has come; true at the end. Never waits."""
        return self.job.poll()

    def wait(self) -> None:
        """Wait for the end."""
        self.job.wait()

    def cancel(self) -> None:
        """Stop, and put everything back."""
        self.job.cancel()
