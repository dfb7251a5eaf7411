"""Where every input of a run comes from, and which ones are assumed.

A source is found in `Scenario.sources` under the input's dotted name or the name of something it belongs to
("actors.0" or "actors.<name>" covers everything of that actor; a setting may be named with or without "settings."),
or in the `source` of the thing itself. What has no source counts as assumed, a default value included.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...engine.spec import Actor, Material, Model, Response, Scenario, Settings
from ...engine.spec.description import description_of
from ...engine.spec.response import PRESET_SOURCES
from ..origins import Origin, parse_origin

NUMERICAL = frozenset(
    "time_step output_step duration integrator tolerance contact_history reactions max_speed".split()
)
"""Settings of the computation, not of the event: chosen by the analyst, judged by the step check, never "assumed"."""

ACTOR_FIELDS = (
    "position",
    "orientation",
    "velocity",
    "angular_velocity",
    "joint_angles",
    "joint_velocities",
    "tone",
)


@dataclass(frozen=True)
class Input:
    """One input of a run."""

    name: str
    value: str
    unit: str
    source: str
    """"" where none is known."""
    origin: str
    """Origin of a value without a source: "default value", "given without a source"."""

    is_of_event: bool = False
    """Whether it was given for this event, and is no default and no choice of the computation."""

    @property
    def stated(self) -> Origin:
        """What the source says, sorted."""
        return parse_origin(self.source)

    @property
    def is_assumed(self) -> bool:
        """True where no source stands behind the value: "assumed" is none."""
        return not self.stated.is_known


def list_inputs(scenario: Scenario) -> list[Input]:
    """Every input, the assumed ones first; otherwise in the order of the scenario."""
    inputs = [*_settings(scenario), *_obstacles(scenario)]
    for index, actor in enumerate(scenario.actors):
        inputs += _actor(scenario, index, actor)
        inputs += _response(scenario, actor)
    seen: list[Model] = []
    for actor in scenario.actors:
        if not any(actor.model is model for model in seen):
            seen.append(actor.model)
            inputs += _model(scenario, actor.model)
    return sorted(inputs, key=lambda entry: not entry.is_assumed)


def plain_input(name: str) -> str:
    """An input in words: "actors.man.velocity" is "velocity of man", "settings.time_step" is "time step"."""
    first, _, rest = name.partition(".")
    if first == "actors":
        actor, _, what = rest.rpartition(".")
        return f"{what.replace('_', ' ')} of {actor}"
    if first == "models":
        model, _, what = rest.partition(": ")
        return f"{what} of {model}"
    return rest.replace("_", " ") if first in ("settings", "obstacles", "pairs") else name.replace("_", " ")


def find_source(sources: dict[str, str], *names: str) -> str:
    """The source given for any of the dotted names, or for the closest thing that holds it."""
    for name in names:
        while name:
            if sources.get(name):
                return sources[name]
            name = name.rpartition(".")[0]
    return ""


def _settings(scenario: Scenario) -> Iterator[Input]:
    for field in dataclasses.fields(Settings):
        value = getattr(scenario.settings, field.name)
        is_default = value == field.default
        source = find_source(scenario.sources, f"settings.{field.name}", field.name)
        if not source and field.name in NUMERICAL:
            source = "choice of the computation, see the step check"
        origin = "default value" if is_default else "given without a source"
        is_given = not is_default and field.name not in NUMERICAL
        unit = description_of(Settings, field.name).unit
        yield Input(f"settings.{field.name}", _show(value), unit, source, origin, is_given)


def _obstacles(scenario: Scenario) -> Iterator[Input]:
    for index, obstacle in enumerate(scenario.obstacles):
        source = obstacle.source or find_source(
            scenario.sources, f"obstacles.{index}", f"obstacles.{obstacle.name}"
        )
        text = f"{obstacle.shape} at {_show(obstacle.position)}"
        yield Input(f"obstacles.{obstacle.name}", text, "m", source, "given without a source", True)
        if obstacle.material is not None:
            yield _material(f"obstacles.{obstacle.name}.material", obstacle.material)
    for pair in scenario.pairs:
        value = f"friction {_show(pair.friction)}"
        yield Input(
            f"pairs.{pair.first}/{pair.second}", value, "", pair.source, "given without a source", True
        )


def _material(name: str, material: Material) -> Input:
    value = f"{material.law}, static friction {_show(material.static_friction)}"
    return Input(name, value, "", material.source, "given without a source")


def _actor(scenario: Scenario, index: int, actor: Actor) -> Iterator[Input]:
    blank = Actor(actor.name, actor.model)
    for field in ACTOR_FIELDS:
        value = getattr(actor, field)
        names = (f"actors.{index}.{field}", f"actors.{actor.name}.{field}")
        source = find_source(scenario.sources, *names)
        origin = "default value" if value == getattr(blank, field) else "given without a source"
        is_given = value != getattr(blank, field)
        yield Input(names[1], _show(value), description_of(Actor, field).unit, source, origin, is_given)
    for kind, things in (
        ("torque_pulses", actor.torque_pulses),
        ("force_pulses", actor.force_pulses),
        ("motors", actor.motors),
        ("prescribed", actor.prescribed),
    ):
        if things:
            source = find_source(scenario.sources, f"actors.{index}.{kind}", f"actors.{actor.name}.{kind}")
            source = source or _joined(_sources(things.values() if isinstance(things, dict) else things))
            count = f"{len(things)} {'joints' if kind in ('motors', 'prescribed') else 'pulses'}"
            yield Input(f"actors.{actor.name}.{kind}", count, "", source, "given without a source", True)


def _response(scenario: Scenario, actor: Actor) -> Iterator[Input]:
    """Numbers of a person's response: those given, and those of the preset with their sources."""
    response = actor.response
    if response is None:
        return
    whole = f"actors.{actor.name}.response"
    yield Input(
        f"{whole}.preset", response.preset, "", find_source(scenario.sources, whole), "chosen, assumed"
    )
    for name, source in PRESET_SOURCES[response.preset].items():
        unit, value = description_of(Response, name).unit, f"{response.number(name):g}"
        if getattr(response, name) is None:
            origin = f"preset '{response.preset}', assumed"
            yield Input(f"{whole}.{name}", value, unit, "" if source == "assumed" else source, origin)
        else:
            given = find_source(scenario.sources, f"{whole}.{name}", whole) or response.source
            yield Input(f"{whole}.{name}", value, unit, given, "given without a source")


def _model(scenario: Scenario, model: Model) -> Iterator[Input]:
    whole = find_source(scenario.sources, f"models.{model.name}") or model.citation or _joined(model.sources)
    joints = model.joints
    groups = (
        ("masses and inertias", model.bodies, "bodies"),
        ("surfaces and contact curves", [e for body in model.bodies for e in body.ellipsoids], "ellipsoids"),
        ("materials", model.materials, "materials"),
        ("joint limits", [j.limits or j.cone for j in joints if j.limits or j.cone], "joints"),
        ("joint friction", [j.friction for j in joints if j.friction], "joints"),
        ("joint springs", [spring for j in joints for spring in j.springs], "springs"),
        ("joint motors", [j.motor for j in joints if j.motor], "motors"),
        ("springs, belts and welds", [*model.springs, *model.belts, *model.welds], "connections"),
    )
    for name, things, noun in groups:
        if things:
            own = _sources(things)
            source = (
                _joined(own)
                if own and len(own) <= 4
                else f"{len(own)} sources, in the model file"
                if own
                else whole
            )
            missing = sum(1 for thing in things if not thing.source)
            if own and missing and not whole:
                source = ""
            yield Input(
                f"models.{model.name}: {name}", f"{len(things)} {noun}", "", source, "no source in the model"
            )


def _sources(things: Iterable[Any]) -> list[str]:
    """The different sources of things, in order."""
    return list(dict.fromkeys(thing.source for thing in things if getattr(thing, "source", "")))


def _joined(sources: Iterable[str]) -> str:
    return "; ".join(sources)


def _show(value: Any) -> str:
    """A value as a person writes it."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float | int):
        return f"{value:.10g}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(_show(member) for member in value) + ")"
    if isinstance(value, dict):
        return "; ".join(f"{name} {_show(member)}" for name, member in value.items()) or "none"
    return str(value)
