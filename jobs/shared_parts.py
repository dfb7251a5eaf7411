"""Models and obstacles that two processes share: the large parts of a scenario, sent once and named from then on.

The side that asks gives each object a key (`SentParts`), and sends its text until an answer shows that it has arrived.
The other side keeps what it got (`assembled`), and for longer than the first side relies on it.
"""

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from ..engine.errors import EngineError
from ..engine.spec import Model, Obstacle, Scenario
from ..io_json import exact_copy

KEPT_BY_SENDER, KEPT_BY_RECEIVER = 32, 128
"""Parts that are known beyond those of the last scenario."""

_kept: dict[str, Any] = {}
"""Key to model or obstacle, in the process that simulates; the last used is the last."""


class SentParts:
    """Keys of parts by identity, and which of them the other side has."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[Any, str]] = {}
        self._known: set[str] = set()
        self._count = 0

    def key(self, part: Any) -> str:
        """Key of an object; the object must not be changed afterwards."""
        entry = self._keys.pop(id(part), None)
        if entry is None or entry[0] is not part:
            self._count += 1
            entry = part, str(self._count)
        self._keys[id(part)] = entry
        return entry[1]

    def missing(self, keys: Sequence[str]) -> dict[str, str]:
        """Key to text of what the other side may not have; of what is not used now only the latest is remembered."""
        for old in list(self._keys)[: max(0, len(self._keys) - len(keys) - KEPT_BY_SENDER)]:
            self._known.discard(self._keys.pop(old)[1])
        parts = {key: part for part, key in self._keys.values()}
        return {key: exact_copy.dump(parts[key]) for key in dict.fromkeys(keys) if key not in self._known}

    def confirm(self, keys: Sequence[str]) -> None:
        """The other side has these."""
        self._known.update(keys)

    def forget(self) -> None:
        """Take the other side to know nothing, so that everything is sent again."""
        self._known.clear()


def scenario_text(scenario: Scenario) -> str:
    """Text of a scenario without its models and obstacles."""
    plain = exact_copy.to_plain(
        dataclasses.replace(
            scenario,
            obstacles=[],
            actors=[dataclasses.replace(actor, model=None) for actor in scenario.actors],
        )
    )
    for actor in plain["actors"]:
        del actor["model"]
    return json.dumps(plain)


def assembled(text: str, models: Sequence[str], obstacles: Sequence[str], parts: dict[str, str]) -> Scenario:
    """The scenario of a request, with the parts that came with it or with an earlier one. Raises EngineError."""
    used = dict.fromkeys([*models, *obstacles])
    for key in used:
        if key in parts:
            part = exact_copy.load(Model if key in models else Obstacle, parts[key])
        elif key in _kept:
            part = _kept[key]
        else:
            raise EngineError(
                "a part of the scene did not reach the simulation: change something to send it again"
            )
        _kept.pop(key, None)
        _kept[key] = part
    for old in list(_kept)[: max(0, len(_kept) - len(used) - KEPT_BY_RECEIVER)]:
        del _kept[old]
    scenario = exact_copy.load(Scenario, text)
    for actor, key in zip(scenario.actors, models, strict=True):
        actor.model = _kept[key]
    return dataclasses.replace(scenario, obstacles=[_kept[key] for key in obstacles])
