"""What stands in the source of kernels for what is made only when something is compiled, and news of that.

Needs no Numba; `kernels` says to Numba what each of these means.
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class StandIn:
    """Stands for the compiled form of a function."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.targetoptions = options
        """What Numba's inliner reads"""


class CallLate:
    """Stands for `bundle_types.call_through_address` in the source of kernels until something is compiled."""


class LaneOperation:
    """Stands for the operation of the same name in `lane_types`; `py_func` is what it does, interpreted."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function


_LISTENERS: list[Callable[[], None]] = []


@contextmanager
def when_compiled(listener: Callable[[], None]) -> Iterator[None]:
    """Call a listener after every function that is compiled in the meantime; from any thread."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)


def tell_compiled() -> None:
    """A function was compiled."""
    for listener in list(_LISTENERS):
        listener()
