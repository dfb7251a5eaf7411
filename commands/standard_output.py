"""Standard output that is closed, full, or takes fewer characters than we write: no traceback, and an exit code."""

import errno
import os
import sys
from collections.abc import Callable

from . import EXIT_FAILED

_OF_OUTPUT = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF, errno.EIO)
"""What a write to a stream fails with. An error of a file has its name; one of a stream has none."""


def run_with_output(main: Callable[[], int]) -> int:
    """Run the program and return its exit code; 1 where its output could not be written."""
    _prepare()
    try:
        try:
            code = main()
        except SystemExit as ended:  # --help and wrong arguments
            code = ended.code if isinstance(ended.code, int) else EXIT_FAILED
        sys.stdout.flush()
        return code
    except OSError as error:
        if error.errno not in _OF_OUTPUT or error.filename is not None:
            raise
        _give_up(error)
        return EXIT_FAILED


def _prepare() -> None:
    """Streams that are there, and that spell a character they cannot show."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed before we were started
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _give_up(error: OSError) -> None:
    """Say why, unless the reader just had enough, and keep the interpreter from trying once more at its end."""
    if error.errno != errno.EPIPE:
        print(f"mannequin: the output cannot be written ({error.strerror})", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
