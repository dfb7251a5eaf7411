"""Force and integrator blocks (manual, chapters 3 and 4): in a configuration file, in a model, or beside one.

They choose the laws of contact, muscles and joint limits and the integrator. What a block becomes is in `applied`.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ...io_json.errors import in_file
from ...io_json.strict_json import read_bytes
from ..common.findings import Findings
from .components import SIZE, Component, Perturbation, prop, read_component
from .text import Entry, Group, Place, Word, parse, syntax_error
from .values import Flag, Number

PLANAR = "planar_"
"""What the name of a block begins with that acts in the x-y plane only."""
COMPOSITE = "composite_force"
DETECTION = "simple_collision_detection"
MOTORS = "joint_motor_force"
PERTURBATION = "perturbation"
EXTERNAL = "enable_external_forces"
JOINT_FORCES = ("joint_force_pnld", "joint_force_pd")
CONTACT_FORCES = ("contact_force_pd", "contact_force_hunt_crossley", "contact_force_hunt_crossley_sb")
MUSCLE_FORCES = {
    "muscle_force_m2012fast": "millard",
    "muscle_force_gh2010": "geyer_herr",
    "muscle_force_tj2003": "thelen",
}
"""Block to our form of muscle."""
INTEGRATORS = {
    "forward_euler_integrator": "forward_euler",
    "symplectic_euler_integrator": "symplectic_euler",
    "midpoint_euler_integrator": "midpoint",
}
"""Block to our integrator."""


@dataclass
class CollisionDetection(Component):
    """Which surfaces are looked at (manual, 3.2.1.1)."""

    enable_collision_between_objects: bool = prop(Flag(), False)


@dataclass
class ContactForce(Component):
    """3.2.3. The manual gives no default for the viscosity; 1000 is the number of its example."""

    viscosity: float = prop(SIZE, 1000.0)
    transition_velocity: float = prop(Number(lowest=0.0), 0.1)
    block: str = field(default="", kw_only=True)


@dataclass
class MuscleForce(Component):
    """3.3.1. The manual's table prints x1 where its example has xi."""

    xi: float | None = prop(SIZE, None)
    x1: float | None = prop(SIZE, None)
    v_max: float = prop(SIZE, 10.0)
    use_pennation_during_equilibration: bool = prop(Flag(), False)
    block: str = field(default="", kw_only=True)

    @property
    def damping(self) -> float:
        """Fibre damping; 0.1 where none is given."""
        return next((value for value in (self.xi, self.x1) if value is not None), 0.1)


@dataclass
class Integrator(Component):
    """An integrator with the rates of activation (manual, 4.3 and 4.5)."""

    activation_rate: float = prop(SIZE, 100.0)
    deactivation_rate: float = prop(SIZE, 25.0)
    block: str = field(default="", kw_only=True)


@dataclass
class Configuration:
    """What the blocks choose."""

    chooses_forces: bool = False
    """Whether any force block is given: then only what is named acts, as in Hyfydy."""
    joint_force: str | None = None
    detection: CollisionDetection | None = None
    contact: ContactForce | None = None
    muscle: MuscleForce | None = None
    motors: bool = False
    integrator: Integrator | None = None
    planar: bool = False
    external: bool = True
    """Whether perturbations act."""
    perturbations: list[Perturbation] = field(default_factory=list)

    @property
    def touches(self) -> bool:
        """Whether surfaces touch at all: that takes a detection and a response (manual, 3.2)."""
        return not self.chooses_forces or (self.detection is not None and self.contact is not None)

    @property
    def between_objects(self) -> bool:
        """Whether bodies touch each other, and what is still but no plane."""
        return self.detection is not None and self.detection.enable_collision_between_objects


def is_block(key: str) -> bool:
    """Whether a word names a force, an integrator, or what holds them."""
    plain = key.removeprefix(PLANAR)
    known = (COMPOSITE, DETECTION, MOTORS, EXTERNAL, *JOINT_FORCES, *CONTACT_FORCES, *MUSCLE_FORCES)
    return plain in known or "integrator" in plain or plain.startswith(("contact_force", "muscle_force"))


def read_configuration(path: str | os.PathLike) -> tuple[Entry, ...]:
    """The blocks of a configuration file. Raises `FileError`."""
    data = read_bytes(path)
    with in_file(path):
        return configuration_blocks(data.decode("utf-8-sig", errors="surrogateescape"))


def configuration_blocks(text: str) -> tuple[Entry, ...]:
    """The blocks of a configuration's text, also where one group, such as SCONE's ModelHyfydy, holds them all."""
    blocks = tuple(_blocks_in(parse(text)))
    if not blocks:
        raise syntax_error(
            "no block of forces and no integrator",
            Place(1, 1),
            "Write composite_force { ... } or an integrator",
        )
    return blocks


def _blocks_in(group: Group, depth: int = 0) -> Iterator[Entry]:
    for entry in group.entries:
        if is_block(entry.key) or entry.key == PERTURBATION:
            yield entry
        elif isinstance(entry.value, Group) and depth < 4:
            yield from _blocks_in(entry.value, depth + 1)


def configuration_of(blocks: tuple[Entry, ...], findings: Findings) -> Configuration:
    """What blocks choose together. Of two of a kind the last counts."""
    made = Configuration()
    for entry in blocks:
        _take(entry, made, findings)
    return made


def _group(entry: Entry) -> Group:
    """The group of a block; `name = ""` stands for an empty one in files of SCONE."""
    if isinstance(entry.value, Group):
        return entry.value
    if isinstance(entry.value, Word) and entry.value.text == "":
        return Group(place=entry.place)
    raise syntax_error(f"'{entry.key}' is not a group", entry.place, f"Write {entry.key} {{ ... }}")


def _take(entry: Entry, made: Configuration, findings: Findings) -> None:
    """Add one block to the configuration."""
    key = entry.key.removeprefix(PLANAR)
    made.planar = made.planar or entry.key.startswith(PLANAR)
    if key == EXTERNAL:
        made.external = Flag().read(entry.value)
        return
    group = _group(entry)
    if key == PERTURBATION:
        made.perturbations.append(read_component(Perturbation, group, key, findings))
    elif "integrator" in key:
        made.integrator = replace(read_component(Integrator, group, key, findings), block=key)
    else:
        made.chooses_forces = True
        _take_force(key, group, made, findings)


def _take_force(key: str, group: Group, made: Configuration, findings: Findings) -> None:
    if key == COMPOSITE:
        for inner in group.entries:
            _take(inner, made, findings)
    elif key in JOINT_FORCES:
        _note_second(made.joint_force, key, findings)
        read_component(Component, group, key, findings)
        made.joint_force = key
    elif key == DETECTION:
        made.detection = read_component(CollisionDetection, group, key, findings)
    elif key in CONTACT_FORCES:
        _note_second(made.contact, key, findings)
        made.contact = replace(read_component(ContactForce, group, key, findings), block=key)
    elif key in MUSCLE_FORCES:
        _note_second(made.muscle, key, findings)
        made.muscle = replace(read_component(MuscleForce, group, key, findings), block=key)
    elif key == MOTORS:
        read_component(Component, group, key, findings)
        made.motors = True
    else:
        findings.add("force", key, "left out: the manual describes no such force")


def _note_second(before: object, key: str, findings: Findings) -> None:
    if before is not None:
        findings.add("force", key, "a second force of its kind: both act in Hyfydy, here the last one alone")
