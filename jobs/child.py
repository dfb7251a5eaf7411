"""A child process: started with the right Python and variables, asked and listened to without waiting, ended with us.

Its answers arrive in a file that is read as it grows, and what it prints as errors in another that is kept short: no
thread runs in the parent, and nothing here waits unless asked to. The child itself ends when its input ends
(`server.py`), so that a parent that is killed leaves no process behind.
"""

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from ..engine.errors import UserError
from ..engine.runs.temporary import TemporaryFolder
from . import protocol

ANSWERS, ERRORS = "answers", "errors"
"""Names of the files in the child's folder."""
SECONDS_TO_END = 2.0
"""Until a child that was asked to end is killed."""
SECONDS_TO_KEEP = 10.0
"""That the end of a child that is writing is waited for."""
LONGEST_LOG = 1_000_000
"""Bytes of what a child has printed above which all but the last are dropped."""
KEPT_OF_LOG = 50_000
SECONDS_PER_LOG = 1.0
"""Between two looks at how much it has printed."""


class ProcessLost(UserError):
    """The child cannot be started, has ended, or does not make sense; the message is meant for people."""

    @property
    def sentence(self) -> str:
        """The message as a sentence."""
        text = str(self)
        return f"{text[:1].upper()}{text[1:]}."


class ChildProcess:
    """A process that takes requests and answers them. Raises ProcessLost where it cannot be started.

    name: what it is called in messages. command: the words to start it, given the folder that the two sides share.
    is_noise: tells lines that mean nothing when it prints them as errors.
    """

    def __init__(
        self,
        name: str,
        command: Callable[[Path], Sequence[str]],
        environment: Mapping[str, str],
        is_noise: Callable[[str], bool] = lambda line: False,
    ) -> None:
        self.name, self._is_noise = name, is_noise
        self._unfinished, self._fault = b"", ""
        self._log_read, self._log_seen, self._dropped_log = 0, 0.0, b""
        with ExitStack() as on_failure:
            try:
                self._temporary = TemporaryFolder()
                on_failure.callback(self._temporary.cleanup)
                self.folder = Path(self._temporary.name)
                self._start(command(self.folder), environment)
            except OSError as error:
                raise ProcessLost(f"{name} cannot be started ({error.strerror or error})") from error
            on_failure.pop_all()

    def _start(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self.folder))  # goes when the child does
        with open(self.folder / ERRORS, "ab") as errors:
            (self.folder / ANSWERS).touch()
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env={**environment, **temporary},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        self._incoming = open(self.folder / ANSWERS, "rb", buffering=0)  # read as it grows, until `close`

    @property
    def id(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it lives and makes sense."""
        return not self._fault and self._process.poll() is None

    def send(self, request: Any) -> None:
        """Send one request. Raises ProcessLost."""
        self.require_running()
        try:
            self._process.stdin.write(protocol.encode(request))
            self._process.stdin.flush()
        except OSError:
            raise ProcessLost(self.fault) from None

    def answers(self) -> Iterator[Any]:
        """What has been answered since the last time. A child whose answer is not understood is ended."""
        while not (self._fault or self._incoming.closed) and (
            arrived := self._incoming.read(protocol.LONGEST)
        ):
            *lines, self._unfinished = (self._unfinished + arrived).split(b"\n")
            for line in lines:
                try:
                    answer = protocol.decode(line, protocol.ANSWERS)
                except protocol.BadMessage as error:
                    self.give_up(f"{self.name} sent an answer that is not understood: {error}")
                    return
                if isinstance(answer, protocol.GoesOn):
                    self._go_on(answer.file)
                else:
                    yield answer
            if len(self._unfinished) > protocol.LONGEST:
                self.give_up(f"{self.name} answered a line without an end")
        self._shorten_log()

    def _go_on(self, name: str) -> None:
        """Read the next file of answers in place of the one that has been read to its end."""
        path = Path(self._incoming.name)
        self._incoming.close()
        with suppress(OSError):
            path.unlink()
        try:
            self._incoming = open(self.folder / Path(name).name, "rb", buffering=0)
        except OSError as error:
            self.give_up(f"{self.name} answered in a file that cannot be read ({error.strerror or error})")

    def require_running(self) -> None:
        """Raises ProcessLost with the reason where the child has ended."""
        if not self.is_running:
            raise ProcessLost(self.fault)

    def give_up(self, why: str) -> None:
        """End the child at once; `fault` tells why from now on."""
        self._fault = why
        self._process.kill()
        self._process.wait()

    @property
    def fault(self) -> str:
        """Why the child has ended: what was wrong with it, or its last output."""
        if self._fault:
            return self._fault
        code = self._process.poll()
        lines = [line for line in self._log().splitlines() if line.strip() and not self._is_noise(line)]
        return f"{self.name} has ended ({lines[-1].strip() if lines else f'code {code}'})"

    def printed(self) -> Iterator[str]:
        """Lines that the child has printed as errors since the last time, without noise."""
        with suppress(OSError), open(self.folder / ERRORS, "rb") as log:
            log.seek(self._log_read)
            text = log.read(LONGEST_LOG)
            whole = text[: text.rfind(b"\n") + 1] if self._process.poll() is None else text
            self._log_read += len(whole)
            for line in whole.decode("utf-8", errors="replace").splitlines():
                if not self._is_noise(line):
                    yield line

    def _log(self) -> str:
        recent = b""
        with suppress(OSError), open(self.folder / ERRORS, "rb") as log:
            log.seek(max(0, log.seek(0, 2) - KEPT_OF_LOG))
            recent = log.read()
        return (self._dropped_log + recent)[-KEPT_OF_LOG:].decode("utf-8", errors="replace")

    def _shorten_log(self) -> None:
        """Empty the file of what was printed and remember its end; the child goes on in it, as it only appends.

        Nothing is written here and the file is emptied at once after it was read: what the child appends meanwhile
        would be lost.
        """
        if time.monotonic() - self._log_seen < SECONDS_PER_LOG:
            return
        self._log_seen = time.monotonic()
        with suppress(OSError), open(self.folder / ERRORS, "r+b", buffering=0) as log:
            size = log.seek(0, 2)
            if size > LONGEST_LOG:
                log.seek(size - KEPT_OF_LOG)
                self._dropped_log = log.read()
                log.truncate(0)
                self._log_read = 0

    def close(self, is_keeping: bool = False) -> None:
        """End it, whatever it is doing, and remove its folder. is_keeping: it writes what must not be lost and ends by
        itself when it has; that is waited for a little, and never cut off."""
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(SECONDS_TO_KEEP if is_keeping else SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            if not is_keeping:
                self._process.kill()
                self._process.wait()
        self._incoming.close()
        self._temporary.cleanup()
