"""From values of parameters to the scenario that is run.

An address is one of `io_json.addresses`, or one of these, which no single value of the scenario stands for:

    actors.NAME.speed     m/s: the whole start of the actor (velocity, turn and joint rates) scaled to this speed
    actors.NAME.heading   degrees: the velocity turned in the ground plane to this direction, from x towards y
    actors.NAME.mass      kg: the model scaled to this mass at its height; of a person, the person's mass
    actors.NAME.height    m: the model scaled to this height at its mass; of a person, the person's height
"""

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..engine.errors import EngineError
from ..engine.runs.placing import lowest_point, place_on_ground
from ..engine.spec import Actor, Scenario
from ..io_json.addresses import path_of, value_at, with_values
from ..io_json.errors import FileError
from ..io_json.person_builder import model_of
from ..models.editing.scaling import scale_model
from .spec import Parameter


def speed_of(actor: Actor) -> float:
    """Size of the velocity at the start, m/s."""
    return math.hypot(*actor.velocity)


def with_speed(actor: Actor, speed: float) -> Actor:
    """The actor with everything that moves at the start scaled, so that rolling wheels go on rolling."""
    if speed_of(actor) == 0.0:
        raise FileError(
            f"actor '{actor.name}' stands still, so its speed has no direction",
            remedy=f"Use actors.{actor.name}.velocity.0, .1 or .2",
        )
    ratio = speed / speed_of(actor)

    def scaled(vector: Sequence[float]) -> tuple[float, ...]:
        return tuple(ratio * float(part) for part in vector)

    return dataclasses.replace(
        actor,
        velocity=scaled(actor.velocity),
        angular_velocity=scaled(actor.angular_velocity),
        joint_velocities={name: scaled(rate) for name, rate in actor.joint_velocities.items()},
    )


def heading_of(actor: Actor) -> float:
    """Direction of the velocity in the ground plane, degrees from x towards y."""
    return math.degrees(math.atan2(actor.velocity[1], actor.velocity[0]))


def with_heading(actor: Actor, heading: float) -> Actor:
    """The actor with its velocity turned about the vertical."""
    flat, angle = math.hypot(actor.velocity[0], actor.velocity[1]), math.radians(heading)
    return dataclasses.replace(
        actor, velocity=(flat * math.cos(angle), flat * math.sin(angle), float(actor.velocity[2]))
    )


def mass_of(actor: Actor) -> float:
    """Mass of the actor's model, kg."""
    return float(sum(body.mass for body in actor.model.bodies))


def with_mass(actor: Actor, mass: float) -> Actor:
    """The actor with its model scaled to a mass; its height stays."""
    return _scaled(actor, actor.model.height or 1.0, mass)


def height_of(actor: Actor) -> float:
    """Stature of the actor's model, m."""
    if not actor.model.height:
        raise FileError(
            f"the model of actor '{actor.name}' states no height", remedy="Give the model a height"
        )
    return float(actor.model.height)


def with_height(actor: Actor, height: float) -> Actor:
    """The actor with its model scaled to a stature; its mass stays."""
    height_of(actor)
    return _scaled(actor, height, mass_of(actor))


def _scaled(actor: Actor, height: float, mass: float) -> Actor:
    if actor.person is not None:
        person = dataclasses.replace(actor.person, height=height, mass=mass)
        model = model_of(person, f"actors.{actor.name}.person", actor.model)
        return dataclasses.replace(actor, person=person, model=model, model_reference="")
    stated = actor.model.height
    try:
        model = scale_model(dataclasses.replace(actor.model, height=stated or 1.0), height, mass)
    except ValueError as error:
        raise FileError(f"actor '{actor.name}': {error}") from error
    return dataclasses.replace(actor, model=dataclasses.replace(model, height=height if stated else None))


DERIVED: dict[str, tuple[Callable[[Actor], float], Callable[[Actor, float], Actor]]] = {
    "speed": (speed_of, with_speed),
    "heading": (heading_of, with_heading),
    "mass": (mass_of, with_mass),
    "height": (height_of, with_height),
}
"""Last part of a derived address to the functions that read and set it."""


def _derived(scenario: Scenario, address: str) -> tuple[int, str] | None:
    """Index of the actor and the last part of a derived address."""
    path = path_of(address)
    if len(path) != 3 or path[0] != "actors" or path[2] not in DERIVED:
        return None
    names = [actor.name for actor in scenario.actors]
    if path[1] in names:
        return names.index(path[1]), path[2]
    if path[1].isdecimal() and int(path[1]) < len(names):
        return int(path[1]), path[2]
    raise FileError(f"there is no actor {path[1]!r}", place=address, remedy=f"There are: {', '.join(names)}")


JOINT_TABLES = ("joint_angles", "joint_velocities")


def _with_joint(scenario: Scenario, address: str) -> Scenario:
    """The scenario with a zero entry for a joint that the address names and the start leaves at zero by silence."""
    path = path_of(address)
    if len(path) < 4 or path[0] != "actors" or path[2] not in JOINT_TABLES:
        return scenario
    actors = list(scenario.actors)
    for index, actor in enumerate(actors):
        has_joint = any(joint.name == path[3] for joint in actor.model.joints)
        if path[1] in (actor.name, str(index)) and has_joint and path[3] not in getattr(actor, path[2]):
            table = {**getattr(actor, path[2]), path[3]: (0.0, 0.0, 0.0)}
            actors[index] = dataclasses.replace(actor, **{path[2]: table})
    return dataclasses.replace(scenario, actors=actors)


def input_at(scenario: Scenario, address: str) -> Any:
    """The scenario's own value at an address, derived ones included. Raises FileError."""
    derived = _derived(scenario, address)
    if derived is None:
        return value_at(_with_joint(scenario, address), address)
    return DERIVED[derived[1]][0](scenario.actors[derived[0]])


def with_inputs(scenario: Scenario, assignments: Iterable[tuple[str, Any]]) -> Scenario:
    """The scenario with values set, derived ones after the others; the one given stays as it is. Raises FileError."""
    plain: list[tuple[str, Any]] = []
    later: list[tuple[str, float]] = []
    for address, value in assignments:
        (plain if _derived(scenario, address) is None else later).append((address, value))
        scenario = _with_joint(scenario, address)
    changed = with_values(scenario, plain)
    changed = dataclasses.replace(changed, actors=list(changed.actors))
    for address, value in later:
        index, quantity = _derived(changed, address)
        changed.actors[index] = DERIVED[quantity][1](changed.actors[index], float(value))
    return changed


def checked_nominal(scenario: Scenario, parameter: Parameter) -> float | None:
    """The scenario's own number at a parameter's address; None where it has none yet. Raises FileError."""
    value = input_at(scenario, parameter.address)
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        raise FileError(
            f"{parameter.address} is no single number", remedy="Add the number of a component, such as .0"
        )
    if value is None and parameter.mode != "set":
        raise FileError(f"{parameter.address} has no value to {parameter.mode} to", remedy='Use mode "set"')
    return None if value is None else float(value)


def scenario_for(
    base: Scenario,
    parameters: Sequence[Parameter],
    values: Sequence[float],
    keep_on_ground: Sequence[str] = (),
) -> Scenario:
    """The scenario of one run: each value set, added or multiplied in; actors kept at their height above ground."""
    changed = with_inputs(
        base,
        [
            (parameter.address, _combined(base, parameter, float(value)))
            for parameter, value in zip(parameters, values, strict=True)
        ],
    )
    for name in keep_on_ground:
        before = _actor(base, name)
        index = base.actors.index(before)
        changed.actors[index] = place_on_ground(changed.actors[index], lowest_point(before))
    return changed


def _combined(base: Scenario, parameter: Parameter, value: float) -> float:
    if parameter.mode == "set":
        return value
    own = float(input_at(base, parameter.address))
    return own + value if parameter.mode == "add" else own * value


def _actor(scenario: Scenario, name: str) -> Actor:
    for actor in scenario.actors:
        if actor.name == name:
            return actor
    names = ", ".join(actor.name for actor in scenario.actors)
    raise EngineError(f"there is no actor '{name}' to keep on the ground; there are: {names}")
