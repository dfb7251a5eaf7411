"""The sensors of a scenario: those that it lists, and the default set of every person and dummy in it.

The default set is that of a crash-test dummy as far as rigid bodies have it. Filter classes are those of SAE J211-1 for
these places: head 1000, neck 1000 (moments 600), thoracic spine 180, pelvis 1000, femur and tibia 600.
"""

from collections.abc import Iterator
from dataclasses import replace

from .body_roles import role_body
from .joint_types import JOINT_TYPES
from .model import Body, Model
from .names import part_path
from .scenario import SENSOR_QUANTITIES, Actor, Scenario, Sensor

HEAD, UPPER_NECK, LOWER_NECK, CHEST, PELVIS = "head", "upper neck", "lower neck", "chest", "pelvis"
LEGS = ("left femur", "right femur", "left tibia", "right tibia")
JOINT_LOADS = ("joint_force", "joint_moment")

DEFAULT_SET: dict[str, tuple[str, tuple[str, ...], int | None]] = {
    HEAD: ("head", ("acceleration", "turn_rate", "contact_force"), None),
    UPPER_NECK: ("head", JOINT_LOADS, None),
    LOWER_NECK: ("neck", JOINT_LOADS, None),
    CHEST: ("chest", ("acceleration",), 180),
    PELVIS: ("pelvis", ("acceleration",), None),
    "left femur": ("left_femur", ("joint_force",), 600),
    "right femur": ("right_femur", ("joint_force",), 600),
    "left tibia": ("left_tibia", JOINT_LOADS, 600),
    "right tibia": ("right_tibia", JOINT_LOADS, 600),
}
"""Place to (role of the body, what is measured, filter class where it is not that of the quantity). A joint load is
that of the joint that carries the body: of the head the occipital joint, of the neck that below it, of a femur the
hip, of a tibia the knee."""


def sensor_name(actor: str, place: str) -> str:
    """Name of a default sensor: "man upper neck"."""
    return f"{actor} {place}"


def scenario_sensors(scenario: Scenario) -> list[Sensor]:
    """All sensors of a scenario: the default ones, unless switched off or replaced, then those it lists."""
    listed = {sensor.name for sensor in scenario.sensors}
    default = default_sensors(scenario) if scenario.default_sensors else ()
    return [*(sensor for sensor in default if sensor.name not in listed), *scenario.sensors]


def without_sensors(scenario: Scenario) -> Scenario:
    """The scenario for a run in which nothing is measured at every step."""
    return replace(scenario, sensors=[], default_sensors=False)


def default_sensors(scenario: Scenario) -> Iterator[Sensor]:
    """The default set of every actor that has a head; vehicles and things have none."""
    for actor in scenario.actors:
        head = head_body(scenario, actor)
        if head is None:
            continue
        for place, (role, quantities, cfc) in DEFAULT_SET.items():
            body = head if role == "head" else role_body(actor.model, role)
            if body is None or not carries_load(actor.model, body) and set(quantities) <= set(JOINT_LOADS):
                continue
            wanted = {name: name in quantities for name in SENSOR_QUANTITIES}
            yield Sensor(sensor_name(actor.name, place), actor.name, body.name, cfc=cfc, **wanted)


def head_body(scenario: Scenario, actor: Actor) -> Body | None:
    """The head of an actor: the body that the scenario's outputs name, else that with the role."""
    named = scenario.outputs.get("head")
    if named is None:
        return role_body(actor.model, "head")
    names = [named] if isinstance(named, str) else list(named) if isinstance(named, list | tuple) else []
    return next(
        (
            body
            for body in actor.model.bodies
            if body.name in names or part_path(actor.name, body.name) in names
        ),
        None,
    )


def carries_load(model: Model, body: Body) -> bool:
    """Whether the joint of a body passes a load that can be measured: it moves, and leads to another body or holds."""
    joint = next((joint for joint in model.joints if joint.child == body.name), None)
    return joint is not None and joint.type in JOINT_TYPES and joint.kind.moves and not joint.kind.is_free
