"""The contact state that a run starts from, and with more room when it no longer fits."""

from ..maths.rotations import matrix_from_quaternion
from .arrays import (
    ALLOWED,
    OBSTACLE_TABLE,
    OVERFLOW,
    POSE_POSITION,
    POSE_ROTATION,
    POSE_VELOCITY,
    SLOT_OFFSET,
    TABLE_BELT,
    TRAVELLED,
    ContactSurfaces,
    Touches,
    new_touches,
)


def new_contact_state(surfaces: ContactSurfaces, bodies: int) -> Touches:
    """Contact state with all obstacles where they are at the start."""
    count = len(surfaces.owner)
    touches = new_touches(
        surfaces, bodies, near=256 + 8 * count, contacts=64 + 4 * count, events=1024 + 16 * count
    )
    for b, pose in enumerate(touches.pose):
        row = surfaces.table[surfaces.obstacle[b, OBSTACLE_TABLE]]
        pose[POSE_ROTATION : POSE_ROTATION + 9] = matrix_from_quaternion(row[4:8]).ravel()
        pose[POSE_POSITION : POSE_POSITION + 3] = row[1:4]
        pose[POSE_VELOCITY : POSE_VELOCITY + 3] = row[TABLE_BELT : TABLE_BELT + 3]
    return touches


def grown_touches(surfaces: ContactSurfaces, old: Touches) -> Touches:
    """The same contact state with twice the room for pairs, contacts and events."""
    new = new_touches(
        surfaces,
        len(old.host_sum) - 1,
        near=2 * len(old.near_pair),
        contacts=2 * len(old.who),
        events=2 * len(old.event),
    )
    for name, array in old._asdict().items():
        if name != "space":  # scratch of the broad phase
            getattr(new, name)[: len(array)] = array
    new.counter[OVERFLOW] = 0
    # pair slots stand after the obstacle slots, which do not grow, so every slot keeps its place
    new.reserve[TRAVELLED] = new.reserve[ALLOWED] + 1.0
    return new


def enter_offsets(touches: Touches, offsets: dict[int, float]) -> None:
    """Write the obstacle overlaps that are subtracted into a new contact state."""
    for slot, depth in offsets.items():
        touches.slot[slot, SLOT_OFFSET] = depth
