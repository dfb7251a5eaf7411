"""What the scenarios of a batch have in common, worked out once."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from .scenario import Settings

Result = TypeVar("Result")
Once = Callable[..., Any]
"""`once(work, *given)` returns `work(*given)`, perhaps from memory. `work` may read nothing else that changes."""

MOST_KEPT = 64
PLAIN = (str, bool, int, float, type(None))


class Members(tuple):
    """Things given to `once` of which each counts by itself: another tuple of the same things is the same."""


class Derived(NamedTuple):
    """Something given to `once` that follows from the other things given, and does not count by itself."""

    value: Any


def each_time(work: Callable[..., Result], *given: Any) -> Result:
    """Nothing is kept: what a single run uses."""
    return work(*given)


class Shared:
    """Keeps the last `MOST_KEPT` results of `once`, for the very objects they were worked out from.

    Numbers, texts and settings count by their values, `Members` member by member, `Derived` not at all, anything else
    by identity. The objects themselves are kept with the result, so another object can never be taken for one of them.
    Whoever holds a `Shared` promises not to change the objects, nor the results.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._known: OrderedDict[tuple, tuple[tuple, Any]] = OrderedDict()

    def once(self, work: Callable[..., Result], *given: Any) -> Result:
        """`work(*given)`, worked out at the first call with these objects. One thread at a time."""
        key = (work, *map(_key, given))
        with self._lock:
            if key not in self._known:
                counted = tuple(thing for thing in given if not isinstance(thing, Derived))
                self._known[key] = (counted, work(*given))
                if len(self._known) > MOST_KEPT:
                    self._known.popitem(last=False)
            self._known.move_to_end(key)
            return self._known[key][1]


def _key(thing: Any) -> Any:
    """Equal for things that count as the same. Of plain values also the type and the sign of zero must agree."""
    if isinstance(thing, PLAIN):
        return type(thing), repr(thing)
    if isinstance(thing, Members):
        return Members, *map(_key, thing)
    if isinstance(thing, Derived):
        return Derived
    if isinstance(thing, Settings):
        return Settings, *map(_key, vars(thing).values())
    return id(thing)
