"""What people do to each other: a shove of an impulse, and the grip of a hand that lets go at a force."""

from math import cos, pi, radians, sin

import numpy as np

from ...engine.spec import Actor, ForcePulse, Point, Weld
from ..parts.placement import body_transforms, ellipsoid_shapes

SHOVE, SHOVE_TIME = 60.0, 0.2
"""N s and s of a two-handed push; assumed."""
GRIP = 400.0
"""N of one adult hand that holds on, of the order of; assumed: a child's hand or a wet bar is held by less."""
PALM = (0.0, 0.0, -0.06)
"""m in the frame of an adult's hand."""


def shove(
    impulse: float,
    start: float = 0.5,
    contact: float = SHOVE_TIME,
    body: str = "UpperBack",
    heading: float = 0.0,
) -> ForcePulse:
    """A push of an impulse (N s) that hands give within a contact time (s): a half sine, whose mean is 2/pi of its
    peak. heading: of the push in the horizontal plane, degrees from world x to y."""
    peak = impulse * pi / 2.0 / contact
    way = (cos(radians(heading)), sin(radians(heading)))
    return ForcePulse(
        body, (round(peak * way[0], 1) + 0.0, round(peak * way[1], 1) + 0.0, 0.0), start, contact
    )


def palm_place(hand: tuple[Actor, str], point: tuple[float, float, float] = PALM) -> np.ndarray:
    """(3,) world place (m) of a point of a hand at the start. hand: actor and body."""
    return (_poses(hand[0])[hand[1]] @ np.array([*point, 1.0]))[:3]


def nearest_body(actor: Actor, place: np.ndarray, only: str = "") -> tuple[str, float]:
    """(body, distance m) of the surface of an actor that is nearest to a world place at the start, measured along the
    ray to the middle of each ellipsoid; 0 inside. only: a body that is asked for."""
    found = []
    for body, _, centre, half in ellipsoid_shapes(actor.model, _poses(actor)):
        if only and body != only:
            continue
        away = np.asarray(place) - centre
        depth = np.linalg.norm(np.linalg.solve(half, away))
        found.append((max(float(np.linalg.norm(away)) * (1.0 - 1.0 / max(depth, 1e-9)), 0.0), depth, body))
    distance, _, body = min(found)
    return body, distance


def grip(
    name: str,
    hand: tuple[Actor, str],
    held: tuple[Actor, str] | None,
    force: float = GRIP,
    point: tuple[float, float, float] = PALM,
) -> Weld:
    """A hand that holds what is where its palm is at the start, a wrist or a bar, and lets go at a force (N).

    hand, held: actor and body; held None: something that stands still, such as a rail. point: of the palm in the hand's
    frame, m."""
    palm = palm_place(hand, point)
    end = Point(_rounded(palm))
    if held is not None:
        there = np.linalg.inv(_poses(held[0])[held[1]]) @ [*palm, 1.0]
        end = Point(_rounded(there[:3]), held[1], held[0].name)
    return Weld(
        name,
        Point(point, hand[1], hand[0].name),
        end,
        stiffness=2.0e4,
        damping=100.0,
        break_force=force,
        source=f"Grip of a hand, lets go at {force:g} N; assumed",
    )


def _rounded(place: np.ndarray) -> tuple[float, float, float]:
    return tuple(round(float(v), 5) for v in place)


def _poses(actor: Actor) -> dict[str, np.ndarray]:
    """Body to its world transform at the start."""
    return body_transforms(actor.model, actor.joint_angles, actor.position, actor.orientation)
