"""A scenario with everything at its start: bodies, surfaces, connections and coordinates, before what acts on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..bodies.tree import Authored, Tree, TreeBuilder, actor_transform
from ..connections.arrays import Connections
from ..connections.compile import compile_connections
from ..connections.stability import ease_dampers
from ..connections.state import belts_without_length
from ..contact.arrays import ContactSurfaces
from ..contact.compile import EllipsoidEntry, build_contact, least_inertias
from ..spec import INTEGRATORS, MULTI_CONTACT_MODES, Actor, Point, Scenario
from ..spec.joint_types import Motion
from ..spec.sharing import Members, Once
from ..spec.validation import Issue, error, refuse
from ..step.arrays import Params
from .start import start_coordinates

LEAST_SHARE = 1e-12
"""Of the inertia about the joint that must be left about the centre of mass: round-off takes 1e-16 of it."""


class Resolver:
    """Turns the points of connections into (moving body, authored body, position in the moving frame)."""

    def __init__(self, scenario: Scenario, builder: TreeBuilder, authored: Authored, world: int) -> None:
        self._actor = {actor.name: index for index, actor in enumerate(scenario.actors)}
        self._builder = builder
        self._authored = authored
        self._world = world

    def point(self, point: Point, actor: int | None = None) -> tuple[int, int, np.ndarray]:
        """Point of a scenario (`actor` None) or of an actor's model."""
        position = np.array(point.position, dtype=float)
        if point.body is None:
            return self._world, -1, position
        index = self._actor[point.actor] if actor is None else actor
        return self.on_body(index, point.body, position)

    def on_body(self, actor: int, body: str, position: np.ndarray) -> tuple[int, int, np.ndarray]:
        """A position in the authored frame of a body, in the moving frame of its host."""
        b = self._builder.body_index[actor, body]
        rotation = self._authored.rotation[b].reshape(3, 3)
        local = self._authored.com[b] + rotation @ (position - self._authored.com_local[b])
        return int(self._authored.host[b]), b, local

    def turned(self, actor: int, body: str, rotation: np.ndarray) -> np.ndarray:
        """A rotation in the authored frame of a body, in the moving frame of its host."""
        b = self._builder.body_index[actor, body]
        return self._authored.rotation[b].reshape(3, 3) @ rotation

    def moving_of(self, actor: int, joint: str, axis: str) -> tuple[int, Motion]:
        """Moving body and motion of the coordinate of a joint in an axis that it has."""
        body = self._builder.moving_of(actor, joint, axis)
        return body, self._builder.moving_motions[body]


def _params(scenario: Scenario) -> Params:
    """Numbers of the settings that the loop reads."""
    settings = scenario.settings
    steps = max(1, round(settings.output_step / settings.time_step))
    return Params(
        time_step=settings.output_step / steps
        if settings.integrator != "variable_step"
        else settings.time_step,
        output_step=float(settings.output_step),
        steps_per_frame=int(steps),
        most_ticks=_most_ticks(scenario, steps),
        last_frame=int(np.floor(settings.duration / settings.output_step + 1e-6)),
        tolerance=float(settings.tolerance),
        gravity=tuple(float(g) for g in settings.gravity),
        integrator=INTEGRATORS.index(settings.integrator),
        multi_contact=MULTI_CONTACT_MODES.index(settings.multi_contact),
        ground_obstacles=int(settings.ground),
        max_speed=float(settings.max_speed),
    )


def _most_ticks(scenario: Scenario, steps_per_frame: int) -> int:
    """Time steps that one adaptive step may be long. Muscles need every step: the error does not see activation and
    fibre length."""
    settings = scenario.settings
    if settings.largest_step is None or any(actor.model.muscles for actor in scenario.actors):
        return 1
    return min(steps_per_frame, max(1, int(settings.largest_step / settings.time_step + 1e-6)))


def _connections(
    scenario: Scenario, resolver: Resolver, tree: Tree, time_step: float
) -> tuple[Connections, list[str], list[str]]:
    """(arrays, names, notes) of the springs, belts and welds of the scenario and of all models."""
    springs = [(spring, None) for spring in scenario.springs]
    belts = [(belt, None) for belt in scenario.belts]
    welds = [(weld, None) for weld in scenario.welds]
    for a, actor in enumerate(scenario.actors):
        springs += [(spring, a) for spring in actor.model.springs]
        belts += [(belt, a) for belt in actor.model.belts]
        welds += [(weld, a) for weld in actor.model.welds]
    names = [spec.name for spec, _ in [*springs, *belts, *welds]]
    connections = compile_connections(springs, belts, welds, resolver.point)
    connections, notes = ease_dampers(connections, tree, time_step, names)
    return connections, names, notes


class Bodies(NamedTuple):
    """The bodies of all actors, wherever those that can move stand."""

    actors: tuple[Actor, ...]
    """With their names, models and what the tree is made from, and nothing else."""
    builder: TreeBuilder
    tree: Tree
    authored: Authored
    issues: list[Issue]


def _bodily(actor: Actor) -> Members:
    """What the bodies of an actor depend on: fields of `Actor`. Its place only where nothing lets it move."""
    kept = ["name", "model"]
    if not next(joint for joint in actor.model.joints if joint.parent is None).kind.moves:
        kept += ["position", "orientation"]
    fields = [Members((name, getattr(actor, name))) for name in kept]
    return Members([*fields, Members(("prescribed", Members(actor.prescribed)))])


def bodies_of(*actors: Members) -> Bodies:
    """Bodies of actors of which only some fields are given (`_bodily`)."""
    given = tuple(Actor(**dict(fields)) for fields in actors)
    builder = TreeBuilder()
    for index, actor in enumerate(given):
        builder.add_actor(index, actor)
    tree, authored = builder.finish()
    return Bodies(given, builder, tree, authored, inertia_issues(given, builder, tree))


@dataclass
class Placed:
    """What `place` found out about a scenario."""

    scenario: Scenario
    params: Params
    bodies: Bodies
    tree: Tree
    """That of the bodies, with the roots where they are at the start."""
    resolver: Resolver
    surfaces: ContactSurfaces
    ellipsoids: list[EllipsoidEntry]
    connections: Connections
    connection_names: list[str]
    q: np.ndarray
    u: np.ndarray
    notes: list[str]
    """About surfaces and connections, for the run."""

    @property
    def builder(self) -> TreeBuilder:
        """Which moving body belongs to what."""
        return self.bodies.builder

    @property
    def authored(self) -> Authored:
        """The bodies as authored."""
        return self.bodies.authored

    @property
    def longest_step(self) -> float:
        """s: bound on a step, for the lists of near surfaces."""
        settings = self.scenario.settings
        return settings.output_step if settings.integrator == "variable_step" else self.params.time_step


def place(scenario: Scenario, once: Once) -> Placed:
    """Put a scenario that was checked to its start. Raises `Refused` for inertias and meshes that come to nothing."""
    bodies = once(bodies_of, *map(_bodily, scenario.actors))
    refuse(scenario.name, bodies.issues)
    builder, authored = bodies.builder, bodies.authored
    surfaces, ellipsoids, notes = build_contact(scenario, bodies.actors, builder, bodies.tree, authored, once)
    tree = placed_roots(scenario.actors, bodies)
    resolver = Resolver(scenario, builder, authored, len(tree.mass))
    params = _params(scenario)
    connections, names, connection_notes = _connections(scenario, resolver, tree, params.time_step)
    q, u = start_coordinates(scenario, tree, builder)
    return Placed(
        scenario,
        params,
        bodies,
        tree,
        resolver,
        surfaces,
        ellipsoids,
        connections,
        names,
        q,
        u,
        notes + connection_notes,
    )


def placed_roots(actors: Sequence[Actor], bodies: Bodies) -> Tree:
    """The tree of bodies with the joints of the actors' roots where they are at the start."""
    offset, rest = bodies.tree.offset.copy(), bodies.tree.rest.copy()
    for i, (a, joint) in enumerate(bodies.builder.moving_specs):
        if joint.parent is None and bodies.tree.parent[i] == len(bodies.tree.mass):
            frame = actor_transform(actors[a]) @ np.array(joint.T1, dtype=float)
            offset[i], rest[i] = frame[:3, 3], frame[:3, :3].ravel()
    return bodies.tree._replace(offset=offset, rest=rest)


def inertia_issues(actors: Sequence[Actor], builder: TreeBuilder, tree: Tree) -> list[Issue]:
    """Of moving bodies whose own inertia is lost in rounding beside what their distance from the joint adds to it."""
    lost = least_inertias(tree) <= LEAST_SHARE * tree.inertia[:, :3].max(axis=1)
    lost &= tree.mass > 0.0  # the others only stand between the motions of a joint
    issues = []
    for body in np.flatnonzero(lost):
        actor, joint = builder.moving_specs[body]
        where = f"actor '{actors[actor].name}', body '{joint.child}'"
        message = "its inertia is next to nothing beside its mass so far from its joint"
        issues.append(error(where, message, "Correct its inertia, or the place of its centre of mass"))
    return issues


def belt_issues(placed: Placed, points: np.ndarray) -> list[Issue]:
    """Of belts without band between two of their clamped points, with all connection points (p, 3) in the world."""
    scenario = placed.scenario
    places = [f"belt '{belt.name}'" for belt in scenario.belts]
    for actor in scenario.actors:
        places += [f"actor '{actor.name}', belt '{belt.name}'" for belt in actor.model.belts]
    message = "there is no band between two of its clamped points at the start"
    return [
        error(places[belt], message, "Move the points apart")
        for belt in belts_without_length(placed.connections, points)
    ]
