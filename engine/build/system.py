"""Compiling a scenario: specs to a frozen `System` of flat arrays that the engine runs."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import numpy as np

from .connections.arrays import Connections
from .connections.compile import compile_connections
from .connections.stability import ease_dampers
from .contact.build import EllipsoidEntry, all_obstacles, build_contact
from .joints.arrays import JointEntry
from .joints.compile import compile_joint_forces
from .kinematics import forward_kinematics
from .muscles.arrays import Muscles
from .muscles.compile import compile_muscles, muscle_entries
from .muscles.state import new_muscle_state, start_notes, with_addresses, with_lags
from .prescribed import compile_prescribed
from .sharing import Once, each_time
from .spec import INTEGRATORS, MULTI_CONTACT_MODES, Coupler, Point, Scenario
from .start import find_touches, settle_overlaps
from .state import new_state, start_coordinates
from .tree import Authored, Tree, TreeBuilder, coordinate_counts
from .validation import require_valid
from .workspace import new_workspace

Params = namedtuple(
    "Params",
    [
        "time_step",
        "output_step",
        "steps_per_frame",
        "last_frame",
        "tolerance",
        "gravity",
        "integrator",
        "multi_contact",
        "ground_obstacles",
        "max_speed",
    ],
)

Pulses = namedtuple(
    "Pulses",
    [
        "body",  # (m,) moving body
        "authored",  # (m,) authored body
        "point",  # (m, 3) in the moving frame
        "peak",  # (m, 3) world axes, or moving-frame axes
        "in_body_frame",  # (m,)
        "start",  # (m,)
        "duration",  # (m,)
    ],
)

Kernel = namedtuple(
    "Kernel",
    [
        "params",
        "tree",
        "authored",
        "joints",
        "surfaces",
        "connections",
        "pulses",
        "prescribed",
        "muscles",
    ],
)
"""Everything the compiled code reads and never writes."""


@dataclass(frozen=True)
class System:
    """A compiled scenario: the arrays, the start, and the names to read results by. Never changed by a run."""

    scenario: Scenario
    kernel: Kernel
    q_start: np.ndarray
    u_start: np.ndarray
    longest_step: float
    """s: bound on a step, for the lists of near surfaces."""
    start_offsets: dict[int, float]
    """Contact slot to the overlap with an obstacle at the start that is subtracted, m."""
    actor_names: tuple[str, ...]
    body_names: tuple[str, ...]
    body_actor: np.ndarray
    joint_names: tuple[str, ...]
    """Of the joint that carries each authored body: joints are counted by bodies."""
    joint_types: tuple[str, ...]
    ellipsoids: tuple[EllipsoidEntry, ...]
    obstacle_names: tuple[str, ...]
    connection_names: tuple[str, ...]
    """Springs, then belts, then welds."""
    muscle_names: tuple[str, ...]
    muscle_actor: np.ndarray
    """(M,) index into actor_names"""
    moving_names: tuple[str, ...]
    """Per moving body "actor/body", for messages."""
    warnings: tuple[str, ...]

    @property
    def tree(self) -> Tree:
        """Kinematic tree."""
        return self.kernel.tree

    @property
    def authored(self) -> Authored:
        """Authored bodies."""
        return self.kernel.authored

    @property
    def degrees_of_freedom(self) -> int:
        """Number of speeds."""
        return coordinate_counts(self.tree)[1]


class _Resolver:
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


def _params(scenario: Scenario) -> Params:
    settings = scenario.settings
    steps = max(1, round(settings.output_step / settings.time_step))
    return Params(
        time_step=settings.output_step / steps
        if settings.integrator != "variable_step"
        else settings.time_step,
        output_step=float(settings.output_step),
        steps_per_frame=int(steps),
        last_frame=int(np.floor(settings.duration / settings.output_step + 1e-6)),
        tolerance=float(settings.tolerance),
        gravity=tuple(float(g) for g in settings.gravity),
        integrator=INTEGRATORS.index(settings.integrator),
        multi_contact=MULTI_CONTACT_MODES.index(settings.multi_contact),
        ground_obstacles=int(settings.ground),
        max_speed=float(settings.max_speed),
    )


def _joint_entries(scenario: Scenario, builder: TreeBuilder, tree: Tree) -> list[JointEntry]:
    """What acts in every moving joint."""
    entries = []
    for i, (a, joint) in enumerate(builder.moving_specs):
        actor = scenario.actors[a]
        entries.append(
            JointEntry(
                joint_type=int(tree.joint_type[i]),
                joint=joint,
                motor=actor.motors.get(joint.name),
                tone=1.0 if actor.tone is None else actor.tone,
                pulses=[pulse for pulse in actor.torque_pulses if pulse.joint == joint.name],
                couplers=_couplers_of(actor.model.couplers, joint.name, a, builder),
                label=f"{actor.name}/{joint.name}",
            )
        )
    return entries


def _couplers_of(
    couplers: list[Coupler], joint: str, actor: int, builder: TreeBuilder
) -> list[tuple[Coupler, int]]:
    """Couplers in which a joint follows, each with the moving body of its leader."""
    return [
        (coupler, builder.moving_joint[actor, coupler.leader])
        for coupler in couplers
        if coupler.follower == joint and (actor, coupler.leader) in builder.moving_joint
    ]


def _pulses(scenario: Scenario, resolver: _Resolver, authored: Authored) -> Pulses:
    """Force pulses of all actors."""
    rows = []
    for a, actor in enumerate(scenario.actors):
        for pulse in actor.force_pulses:
            host, b, local = resolver.on_body(a, pulse.body, np.array(pulse.point, dtype=float))
            in_body = pulse.frame == "body"
            peak = np.array(pulse.peak, dtype=float)
            if in_body:
                peak = authored.rotation[b].reshape(3, 3) @ peak
            rows.append((host, b, local, peak, in_body, pulse.start, pulse.duration))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    return Pulses(
        body=np.array(columns[0], dtype=np.int64),
        authored=np.array(columns[1], dtype=np.int64),
        point=np.array(columns[2], dtype=float).reshape(-1, 3),
        peak=np.array(columns[3], dtype=float).reshape(-1, 3),
        in_body_frame=np.array(columns[4], dtype=np.int64),
        start=np.array(columns[5], dtype=float),
        duration=np.array(columns[6], dtype=float),
    )


def _prescribed_motions(scenario: Scenario, builder: TreeBuilder) -> list:
    """(actor, moving body, motion) of every prescribed motion."""
    motions = []
    for a, actor in enumerate(scenario.actors):
        root = next(joint.name for joint in actor.model.joints if joint.parent is None)
        for motion in actor.prescribed:
            motions.append((a, builder.moving_joint[a, motion.joint or root], motion))
    return motions


def _connections(
    scenario: Scenario, resolver: _Resolver, tree: Tree, time_step: float
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


def _muscles(
    scenario: Scenario, resolver: _Resolver, tree: Tree, authored: Authored, start: tuple, time_step: float
) -> tuple[Muscles, list[str]]:
    """(arrays of the muscles, notes); what depends on the posture is taken at the start (q, u)."""
    muscles = compile_muscles(scenario.actors, resolver.on_body, resolver.turned, time_step)
    if len(muscles.kind) == 0:
        return muscles, []
    w = new_workspace(tree)
    forward_kinematics(tree, *start, w)
    muscles = with_lags(with_addresses(muscles, tree, authored, w), tree, authored, w, time_step)
    names = [entry.muscle.name for entry in muscle_entries(scenario.actors)]
    return muscles, start_notes(muscles, new_muscle_state(muscles, tree, authored, w), names)


def compile_system(scenario: Scenario, once: Once = each_time) -> System:
    """Check a scenario and compile it. Raises EngineError that lists what is wrong.

    once: a batch passes `Shared.once`, so that models and meshes its scenarios share are looked at only once.
    """
    warnings = [str(issue) for issue in require_valid(scenario, once)]
    for actor in scenario.actors:
        warnings += [f"actor '{actor.name}': {note}" for note in actor.model.notes]
    warnings += scenario.notes
    builder = TreeBuilder()
    for index, actor in enumerate(scenario.actors):
        builder.add_actor(index, actor)
    tree, authored = builder.finish()
    surfaces, ellipsoids, notes = build_contact(scenario, builder, tree, authored, once)
    resolver = _Resolver(scenario, builder, authored, len(tree.mass))
    params = _params(scenario)
    connections, connection_names, connection_notes = _connections(scenario, resolver, tree, params.time_step)
    q, u = start_coordinates(scenario, tree, builder)
    muscles, muscle_notes = _muscles(scenario, resolver, tree, authored, (q, u), params.time_step)
    kernel = Kernel(
        params=params,
        tree=tree,
        authored=authored,
        joints=compile_joint_forces(_joint_entries(scenario, builder, tree), scenario.settings),
        surfaces=surfaces,
        connections=connections,
        pulses=_pulses(scenario, resolver, authored),
        prescribed=compile_prescribed(_prescribed_motions(scenario, builder), tree),
        muscles=muscles,
    )
    names = _names(scenario, builder)
    labels = [
        f"{names['actor_names'][a]}/{body}"
        for a, body in zip(names["body_actor"], names["body_names"], strict=True)
    ]
    obstacle_names = tuple(obstacle.name for obstacle in all_obstacles(scenario))
    settings = scenario.settings
    longest = settings.output_step if settings.integrator == "variable_step" else kernel.params.time_step
    probe = new_state(kernel, q, u, longest, len(scenario.actors))
    touches = find_touches(kernel, probe)
    overlaps = settle_overlaps(scenario, touches, ellipsoids, labels, obstacle_names)
    surfaces = surfaces._replace(overlap=np.array(overlaps.pairs, dtype=float).reshape(-1, 3))
    return System(
        scenario=scenario,
        kernel=kernel._replace(surfaces=surfaces),
        q_start=q,
        u_start=u,
        longest_step=longest,
        start_offsets=overlaps.offsets,
        **names,
        ellipsoids=tuple(ellipsoids),
        obstacle_names=obstacle_names,
        connection_names=tuple(connection_names),
        warnings=tuple(warnings + notes + connection_notes + muscle_notes + overlaps.notes),
    )


def _names(scenario: Scenario, builder: TreeBuilder) -> dict:
    """Name columns of a System."""
    bodies = [(a, body.name) for a, actor in enumerate(scenario.actors) for body in actor.model.bodies]
    muscles = muscle_entries(scenario.actors)
    return {
        "muscle_names": tuple(entry.muscle.name for entry in muscles),
        "muscle_actor": np.array([entry.actor for entry in muscles], dtype=np.int64),
        "actor_names": tuple(actor.name for actor in scenario.actors),
        "body_names": tuple(name for _, name in bodies),
        "body_actor": np.array([a for a, _ in bodies], dtype=np.int64),
        "joint_names": tuple(joint.name for _, joint in builder.child_joint),
        "joint_types": tuple(joint.type for _, joint in builder.child_joint),
        "moving_names": tuple(
            f"{scenario.actors[a].name}/{joint.child}" for a, joint in builder.moving_specs
        ),
    }
