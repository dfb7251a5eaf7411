"""An actor moved, or stood on the ground, by its spec alone."""

from dataclasses import replace

from ..bodies.posture import actor_poses, ellipsoid_bottoms
from ..errors import EngineError
from ..spec import Actor, Vector


def moved(actor: Actor, shift: Vector) -> Actor:
    """The actor with its frame moved by a world vector (m)."""
    return replace(actor, position=tuple(float(a + b) for a, b in zip(actor.position, shift, strict=True)))


def lowest_point(actor: Actor) -> float:
    """Smallest z (m) of any ellipsoid of the actor."""
    bottoms = ellipsoid_bottoms(actor.model, actor_poses(actor))
    if not bottoms:
        raise EngineError(f"actor '{actor.name}' has no ellipsoid to stand on; give its bodies ellipsoids")
    return min(bottoms)


def place_on_ground(actor: Actor, clearance: float = 0.0) -> Actor:
    """The actor raised or lowered so that its lowest point is `clearance` metres above the ground plane z = 0."""
    return moved(actor, (0.0, 0.0, clearance - lowest_point(actor)))
