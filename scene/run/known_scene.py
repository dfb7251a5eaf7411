"""The scene as a scenario, again and again: only what has changed is read, the rest is known from the last time.

Blender tells what has changed (`changed_blocks`). What it does not tell, such as a row that a script adds to a list, is
found where everything is read again (`forget`). No Blender data is kept, only names and what was read.
"""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np

from ...engine.spec import Actor, Model, Obstacle, Scenario
from ...io_json import exact_copy
from ..base.units import Units, units_of
from ..model.read import read_model
from ..scenario.scenario import read_scenario
from ..store.actors import actor_of, actors_of, obstacles_of

PARTS = ("ELLIPSOID", "JOINT", "MUSCLE", "WRAP")
"""Kinds of objects that belong to a model."""
QuickState = tuple[tuple[Any, ...], ...]


@dataclass
class KnownScene:
    """What was read of a scene, by object name."""

    models: dict[str, tuple[QuickState, Model]] = field(default_factory=dict)
    """Model of each actor, and its quick state when it was read."""
    actors: dict[str, Actor] = field(default_factory=dict)
    obstacles: dict[str, Obstacle] = field(default_factory=dict)
    last: dict[str, Model | Obstacle] = field(default_factory=dict)
    """Models and obstacles of the last reading: what reads the same stays the same object."""
    units: Units | None = None
    is_suspect: bool = False
    """Whether something of a model may have changed that is not part of its quick state."""

    def forget(self, models: bool = False) -> None:
        """Read everything again the next time; models too, or only those whose quick state differs."""
        self.actors.clear()
        self.obstacles.clear()
        if models:
            self.models.clear()
            self.is_suspect = False

    def note(self, block: bpy.types.ID, is_geometry: bool) -> bool:
        """Take in that a data-block has changed; returns whether it can matter.

        Blender reports a changed pose like a changed model: as an update of the armature."""
        if isinstance(block, bpy.types.Scene):
            return True
        if isinstance(block, bpy.types.Object):
            for name in {obj.name for obj in (block, actor_of(block)) if obj is not None}:
                self.actors.pop(name, None)
                self.obstacles.pop(name, None)
            # parts that only move with their actor have "transform"
            self.is_suspect |= block.mannequin.kind in PARTS and is_geometry
            return True
        if isinstance(block, bpy.types.Armature | bpy.types.Mesh | bpy.types.Curve):
            self.is_suspect = True
            self._forget_users(block)
            return True
        return False

    def _forget_users(self, data: bpy.types.ID) -> None:
        """Read actors and obstacles again whose data this is."""
        for known in (self.actors, self.obstacles):
            for name in [n for n in known if (obj := bpy.data.objects.get(n)) is None or obj.data == data]:
                del known[name]

    def read(self, scene: bpy.types.Scene) -> Scenario:
        """The scene's scenario; what has not changed are the very objects of the last time. Raises SceneError."""
        units = units_of(scene)
        if units != self.units:
            self.units = units
            self.forget(models=True)
        self._read_models(scene)
        models = {name: model for name, (_, model) in self.models.items()}
        scenario = read_scenario(scene, models, {**self.obstacles, **self.actors})
        taking_part = (obj.name for obj in actors_of(scene) if obj.mannequin.actor.enabled)
        self.actors = dict(zip(taking_part, scenario.actors, strict=True))
        taking_part = (obj.name for obj in obstacles_of(scene) if obj.mannequin.obstacle.enabled)
        self.obstacles = {
            name: self._same_as_last(name, obstacle)
            for name, obstacle in zip(taking_part, scenario.obstacles, strict=True)
        }
        self.last = {**models, **self.obstacles}
        return dataclasses.replace(scenario, obstacles=list(self.obstacles.values()))

    def _read_models(self, scene: bpy.types.Scene) -> None:
        """Read the models that look changed, which is most of the work of reading a scene."""
        present = actors_of(scene)
        for actor in present:
            seen = quick_state(actor)
            if self.models.get(actor.name, (None,))[0] != seen:
                self.models[actor.name] = seen, self._same_as_last(actor.name, read_model(actor))
        names = {actor.name for actor in present}
        for gone in [name for name in self.models if name not in names]:
            del self.models[gone]

    def _same_as_last(self, name: str, part: Model | Obstacle) -> Model | Obstacle:
        """The object of the last reading where it says the same, else the new one."""
        last = self.last.get(name)
        return last if last is part or (type(last) is type(part) and reads_same(last, part)) else part


def reads_same(first: Model | Obstacle, second: Model | Obstacle) -> bool:
    """Whether two models or two obstacles say the same; arrays of a mesh are compared as such."""
    for spec_field in dataclasses.fields(first):
        one, other = (getattr(spec, spec_field.name) for spec in (first, second))
        if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
            if one is None or other is None or not np.array_equal(one, other):
                return False
        elif one is not other and exact_copy.to_plain(one) != exact_copy.to_plain(other):
            return False
    return True


def changed_blocks(graph: bpy.types.Depsgraph) -> Iterable[tuple[bpy.types.ID, bool]]:
    """Data-blocks that an update of the scene was about, and whether it was more than their place."""
    return ((update.id.original, update.is_updated_geometry) for update in graph.updates)


def quick_state(actor: bpy.types.Object) -> QuickState:
    """What can be read of a model quickly: where its parts are on their bodies, masses and centres of mass."""
    parts = [
        (part.name, part.parent_bone, *(value for row in part.matrix_basis for value in row))
        for part in actor.children
        if part.mannequin.kind in PARTS
    ]
    bodies = [(bone.name, bone.mannequin.mass, *bone.mannequin.center_of_mass) for bone in actor.data.bones]
    return (*parts, *bodies)
