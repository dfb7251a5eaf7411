"""Inputs that can be computed and can hardly be true: each is a warning that says what is expected, and from where.

These are no errors of a file, and stop nothing: somebody may want to know what would happen. Bounds are wide, with
their source, or said to be assumed.
"""

import math
from collections.abc import Iterator

from ..engine.runs.placing import lowest_point
from ..engine.spec import Actor, Scenario
from ..engine.spec.validation import Issue
from ..engine.spec.validation.issue import warning
from .origins import ASSUMED, parse_origin

FASTEST_ON_FOOT = 12.5
"""m/s: the fastest man was timed at 12.4 m/s between 60 and 80 m (100 m final, world championships, Berlin 2009)."""
LEAST_GAP, LARGEST_GAP = 0.02, 1.0
"""m above the ground within which somebody who does not rise or fall floats; higher up a fall from a height begins."""
LARGEST_FRICTION = 1.5
"""Assumed: rubber on dry, clean asphalt has about 0.7 to 1.0."""
STATURE, ADULT_MASS = (0.70, 2.20), (35.0, 200.0)
"""m and kg: assumed bounds of people from one year on, and of adults."""
BODY_MASS_INDEX = (11.0, 60.0)
"""kg/m2, assumed."""
ADULT_STATURE = 1.45
"""m from which somebody is taken for an adult here."""
ROLLING = 0.25
"""Share by which a wheel's speed at its tread may differ from the vehicle's."""
SLOWEST_ROLLING = 1.0
"""m/s below which wheels are not looked at."""
ALONG = 1.5
"""m/s within which two actors move together: somebody on a bicycle or in a car."""


def implausible_inputs(scenario: Scenario) -> list[Issue]:
    """Warnings about inputs that can hardly be true."""
    found = [*_friction(scenario), *_assumed(scenario)]
    for actor in scenario.actors:
        if is_person(actor):
            found += [*_speed(scenario, actor), *_floating(scenario, actor), *_size(actor)]
        found += _wheels(actor)
    return found


def is_person(actor: Actor) -> bool:
    """Whether an actor is somebody: a head on a pelvis or trunk, and no vehicle."""
    names = {body.name.lower() for body in actor.model.bodies}
    has_head = any("head" in name or "skull" in name for name in names)
    return actor.person is not None or (has_head and len(names) > 5 and actor.model.vehicle is None)


def _place(actor: Actor) -> str:
    return f"actor '{actor.name}'"


def _speed(scenario: Scenario, actor: Actor) -> Iterator[Issue]:
    speed = math.hypot(*actor.velocity[:2])
    others = [other for other in scenario.actors if other is not actor and not is_person(other)]
    is_carried = any(math.dist(actor.velocity, other.velocity) < ALONG for other in others)
    if speed > FASTEST_ON_FOOT and not is_carried:
        yield warning(
            _place(actor),
            f"moves at {speed:.3g} m/s ({3.6 * speed:.3g} km/h) on foot; the fastest man was timed at 12.4 m/s",
            "Correct the velocity, or say in the description what carries the person",
        )


def _floating(scenario: Scenario, actor: Actor) -> Iterator[Issue]:
    if not scenario.settings.ground or scenario.obstacles or abs(actor.velocity[2]) > 0.1:
        return
    if any(other is not actor and not is_person(other) for other in scenario.actors):
        return  # sits or rides
    if any(actor.name in (weld.start.actor, weld.end.actor) for weld in scenario.welds):
        return  # is held
    gap = lowest_point(actor)
    if LEAST_GAP < gap < LARGEST_GAP:
        yield warning(
            _place(actor),
            f"floats {100.0 * gap:.0f} cm above the ground at the start and neither rises nor falls",
            f"Lower the actor by {gap:.3f} m, or give it the vertical speed that it has",
        )


def _size(actor: Actor) -> Iterator[Issue]:
    mass = sum(body.mass for body in actor.model.bodies)
    height = actor.model.height
    if not height:
        return
    if not STATURE[0] <= height <= STATURE[1]:
        yield warning(_place(actor), f"is {height:.2f} m tall, which no population has", "Check the height")
        return
    index = mass / height**2
    if not BODY_MASS_INDEX[0] <= index <= BODY_MASS_INDEX[1]:
        yield warning(
            _place(actor),
            f"weighs {mass:.0f} kg at {height:.2f} m, a body mass index of {index:.0f} kg/m2",
            "Check mass and height",
        )
    elif height >= ADULT_STATURE and not ADULT_MASS[0] <= mass <= ADULT_MASS[1]:
        yield warning(_place(actor), f"weighs {mass:.0f} kg at {height:.2f} m", "Check the mass")


def _friction(scenario: Scenario) -> Iterator[Issue]:
    named = [("settings", scenario.settings.friction)]
    named += [(f"pair '{pair.first}' and '{pair.second}'", pair.friction) for pair in scenario.pairs]
    for obstacle in scenario.obstacles:
        if obstacle.material is not None:
            named.append((f"obstacle '{obstacle.name}'", obstacle.material.static_friction))
    for actor in scenario.actors:
        for material in actor.model.materials:
            named.append((f"{_place(actor)}, material '{material.name}'", material.static_friction))
    for place, friction in named:
        if isinstance(friction, int | float) and friction > LARGEST_FRICTION:
            yield warning(
                place,
                f"has a friction of {friction:g}; rubber on dry asphalt has about 0.7 to 1.0",
                "Check the coefficient",
            )


def _wheels(actor: Actor) -> Iterator[Issue]:
    """Wheels that do not roll at the speed of what they carry: blocked wheels are to be said."""
    speed = math.hypot(*actor.velocity[:2])
    if speed < SLOWEST_ROLLING:
        return
    bodies = {body.name: body for body in actor.model.bodies}
    wrong = []
    for joint in actor.model.joints:
        wheel = bodies.get(joint.child)
        if (
            joint.parent is None
            or wheel is None
            or "wheel" not in joint.child.lower()
            or not wheel.ellipsoids
        ):
            continue
        if not joint.kind.moves or joint.name in {pulse.joint for pulse in actor.torque_pulses}:
            continue
        radius = max(max(ellipsoid.semi_axes) for ellipsoid in wheel.ellipsoids)
        rate = actor.joint_velocities.get(joint.name, (0.0, 0.0, 0.0))
        tread = radius * math.hypot(*rate)
        if abs(tread - speed) > ROLLING * speed:
            wrong.append((joint.child, tread))
    if wrong:
        names = ", ".join(name for name, _ in wrong)
        yield warning(
            _place(actor),
            f"moves at {speed:.3g} m/s, but the tread of its wheels ({names}) at {wrong[0][1]:.3g} m/s",
            "Give the wheels the turn rate at which they roll, or say that they are blocked",
        )


def _assumed(scenario: Scenario) -> Iterator[Issue]:
    """Starts of actors whose stated source is an assumption."""
    for index, actor in enumerate(scenario.actors):
        for name in ("velocity", "position", "orientation", "angular_velocity"):
            keys = (f"actors.{index}.{name}", f"actors.{actor.name}.{name}")
            stated = next((scenario.sources[key] for key in keys if scenario.sources.get(key)), "")
            if parse_origin(stated).kind == ASSUMED:
                yield warning(
                    f"{_place(actor)}, {name}",
                    "is assumed, and results may depend on it",
                    "Find a source, or vary it in a sweep and give the spread",
                )
