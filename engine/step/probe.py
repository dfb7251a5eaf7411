"""One evaluation of a state by the compiled loop, with nothing moved."""

from ..bodies.workspace import Workspace, new_workspace
from ..contact.arrays import OVERFLOW, Touches
from ..contact.state import grown_touches
from .arrays import State, SystemArrays
from .frames import new_frames
from .integrators.workspace import new_step_work
from .loop import IS_PROBE, PROBED, TABLEAU, advance


def evaluated(arrays: SystemArrays, state: State) -> tuple[State, Workspace]:
    """The state (with room for all its contacts) and the workspace after one evaluation of it; nothing moves.

    By the compiled loop itself: a second entry would cost its compile time.
    """
    w = new_workspace(arrays.tree, len(arrays.pulses.body))
    tableau = next(iter(TABLEAU.values()))
    x = new_step_work(len(arrays.tree.mass), len(state.q), len(state.u), False, tableau)
    frames = new_frames(len(arrays.authored.mass), 1, False)
    state.clock[IS_PROBE] = 1
    while True:
        advance(arrays, state, w, x, frames)
        if frames.ended[0] == PROBED and state.contact.counter[OVERFLOW] == 0:
            return state, w
        state = state._replace(contact=grown_touches(arrays.surfaces, state.contact))


def find_touches(arrays: SystemArrays, state: State) -> Touches:
    """Contacts in the pose of a state."""
    return evaluated(arrays, state)[0].contact
