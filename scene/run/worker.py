"""The worker process of the session: its limit of memory, what becomes of work whose process was lost, and its end."""

from collections.abc import Callable

from ...jobs import engine
from ...jobs.child import ProcessLost
from ...jobs.engine import EngineWorker, close_shared_worker, shared_worker
from ...jobs.local_job import LocalJob
from ...jobs.worker import Job
from ..base.errors import SceneError
from ..base.preferences import preferences
from ..base.scene_job import SceneJob

BYTES_PER_GB = 1_000_000_000


class LostTwice(SceneError):
    """The process that did the work was lost, and so was the one that was started for it again.

    reason: what happened. remedy: what a script can do, for the end of the message.
    """

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason + remedy)
        self.reason = reason


def memory_limit() -> int | None:
    """Bytes that the preferences allow the worker; None: the share of what is free that is usual."""
    chosen = preferences()
    wanted = chosen.worker_memory if chosen is not None else 0.0
    return int(wanted * BYTES_PER_GB) or None


class WorkerJob(SceneJob):
    """Work that is given to the worker, and to a new one where that is lost, once.

    Where the new one is lost too, LostTwice says why: whether anything is computed inside Blender is for people to
    decide. `give` hands the work to a worker; `here` does it in Blender where no process can be started at all and
    nothing has been lost yet.
    """

    remedy = ""
    """What a script can do, for the end of a message"""

    def __init__(self) -> None:
        self._is_second = False
        self.job: Job | LocalJob | None = None
        try:
            worker = shared_worker()
        except ProcessLost as error:
            self.here(error)
            return
        try:
            self.job = self.give(worker)
        except ProcessLost as error:  # it lived when it was looked at: it is lost, and another can be started
            self._give_again(error)

    def give(self, to: EngineWorker) -> Job:
        """Hand the work over. Raises ProcessLost."""
        raise NotImplementedError

    def here(self, error: ProcessLost) -> None:
        """Do without a process, and leave a `warning`."""
        raise NotImplementedError

    def poll(self) -> bool:
        """Take in what has come; true at the end."""
        return self._see(self.job.poll)

    def wait(self) -> None:
        """Wait for the end."""
        while not self._see(self._waited):
            pass

    def _waited(self) -> bool:
        self.job.wait()
        return True

    def _see(self, look: Callable[[], bool]) -> bool:
        try:
            return look()
        except ProcessLost as error:
            self._give_again(error)
            return False

    def _give_again(self, error: ProcessLost) -> None:
        """Start a new process for the work, once. Raises LostTwice."""
        if self._is_second:
            reason = f"{error.sentence} It was the second process for this, so it was given up; the scene is as it was"
            raise LostTwice(f"{reason}.", self.remedy) from error
        self._is_second = True
        self.warning = f"{error.sentence} A new process does the work from its start"
        try:
            self.job = self.give(shared_worker())
        except ProcessLost as again:
            self._give_again(again)


def register() -> None:
    """The preferences say how much memory the worker may take."""
    engine.memory_of_shared_worker = memory_limit


def unregister() -> None:
    """No process outlives the extension."""
    close_shared_worker()
