"""Evaluations of states by the compiled loop, with nothing moved."""

import numpy as np

from ..bodies.workspace import Workspace, new_workspace
from ..contact.arrays import OVERFLOW, Touches
from ..contact.state import grown_touches
from ..jit.decorators import bundled
from .adaptive import new_steps
from .arrays import State, SystemArrays
from .frames import new_frames
from .integrators.workspace import new_step_work
from .loop import IS_PROBE, PROBED, TABLEAU, advance


class Probe:
    """A state that is evaluated as often as asked, in memory that is allocated once.

    By the compiled loop itself: a second entry would cost its compile time.
    """

    def __init__(self, arrays: SystemArrays, state: State) -> None:
        self._surfaces = arrays.surfaces
        self.w = new_workspace(arrays.tree, len(arrays.pulses.body))
        tableau = next(iter(TABLEAU.values()))
        steps = new_steps(state, self.w.balance, 1, np.zeros(0), 0)
        x = new_step_work(len(arrays.tree.mass), len(state.q), len(state.u), False, tableau, steps)
        self._frames = new_frames(len(arrays.authored.mass), 1, False)
        self._before = (bundled(arrays),)
        self._after = tuple(map(bundled, (self.w, x, self._frames)))
        state.clock[IS_PROBE] = 1
        self._take(state)

    def _take(self, state: State) -> None:
        self.state = state
        self._bundle = bundled(state)

    def evaluate(self) -> Workspace:
        """The workspace after one evaluation of `state`, which gets room for all its contacts; nothing moves."""
        while True:
            advance(*self._before, self._bundle, *self._after)
            if self._frames.ended[0] == PROBED and self.state.contact.counter[OVERFLOW] == 0:
                return self.w
            self._take(self.state._replace(contact=grown_touches(self._surfaces, self.state.contact)))


def find_touches(arrays: SystemArrays, state: State) -> Touches:
    """Contacts in the pose of a state."""
    probe = Probe(arrays, state)
    probe.evaluate()
    return probe.state.contact
