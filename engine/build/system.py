"""Compiling a scenario: specs to a frozen `System` of flat arrays that the engine runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bodies.kinematics import forward_kinematics
from ..bodies.tree import Authored, Tree, TreeBuilder, coordinate_counts, motion_bodies
from ..bodies.workspace import new_workspace
from ..contact.compile import EllipsoidEntry, all_obstacles
from ..driving.arrays import Drivers, Tyres
from ..driving.compile import compile_drivers, compile_tyres, drive_motors
from ..driving.driver import drive
from ..driving.tyres import commit_tyres, tyre_forces
from ..jit.decorators import bundled
from ..joints.arrays import JointEntry, JointForces
from ..joints.compile import breaks_of, compile_joint_forces
from ..joints.prescribed import compile_prescribed
from ..muscles.arrays import Muscles
from ..muscles.compile import compile_muscles, muscle_entries
from ..muscles.state import new_muscle_state, start_notes, with_addresses, with_lags
from ..responses.act import respond
from ..responses.compile import compile_responses, response_motors
from ..spec import Actor, Coupler, Scenario, Sensor, Settings
from ..spec.names import part_path
from ..spec.sharing import Derived, Members, Once, each_time
from ..spec.validation import refuse, spec_issues
from ..step.arrays import Pulses, SystemArrays
from ..step.probe import find_touches
from .overlaps import Overlaps, settle_overlaps
from .placed import Placed, Resolver, belt_issues, place
from .sensors import compile_sensors
from .state import new_state

SPEED_FIELDS = {"velocity", "angular_velocity", "joint_velocities", "joint_slide_velocities"}
"""Fields of `Actor` that its place at the start does not depend on."""
MOTION_FIELDS = SPEED_FIELDS | {"position", "orientation"}
"""Fields of `Actor` that no force in a joint depends on."""


@dataclass(frozen=True)
class System:
    """A compiled scenario: the arrays, the start, and the names to read results by. Never changed by a run."""

    scenario: Scenario
    arrays: SystemArrays
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
    break_places: BreakPlaces
    """Per place where a joint may give way: index into joint_names, and the axis; empty: by the size of the load."""
    sensors: tuple[Sensor, ...]
    """Default ones included"""
    moving_names: tuple[str, ...]
    """Per moving body "actor/body", for messages."""
    warnings: tuple[str, ...]
    bundle: Any = field(repr=False, compare=False)
    """The arrays as compiled code takes them; kept, as `bundled` lays out again only what is not in use."""

    @property
    def tree(self) -> Tree:
        """Kinematic tree of the moving bodies."""
        return self.arrays.tree

    @property
    def authored(self) -> Authored:
        """The bodies as authored, each on its moving body."""
        return self.arrays.authored

    @property
    def degrees_of_freedom(self) -> int:
        """Number of speeds."""
        return coordinate_counts(self.tree)[1]


def _acting(actor: Actor) -> Members:
    """What the forces in the joints of an actor depend on: fields of `Actor`, all but where and how fast it starts."""
    return Members(Members(field) for field in vars(actor).items() if field[0] not in MOTION_FIELDS)


def _standing(scenario: Scenario) -> Members:
    """What touches at the start depends on: the scenario, but for the speeds of its actors."""
    own = [Members(field) for field in vars(scenario).items() if field[0] != "actors"]
    actors = (
        Members(Members(field) for field in vars(actor).items() if field[0] not in SPEED_FIELDS)
        for actor in scenario.actors
    )
    return Members([*own, *actors])


BreakPlaces = tuple[tuple[int, str], ...]
"""Joint (counted by bodies) and axis of every place where one may give way, in the order of the arrays."""


def _joints(
    builder: TreeBuilder, settings: Settings, *actors: Members
) -> tuple[list[JointEntry], JointForces, BreakPlaces]:
    """What acts in every moving joint, and its arrays; of actors some fields are given (`_acting`)."""
    entries = _joint_entries([Actor(**dict(fields)) for fields in actors], builder)
    return entries, compile_joint_forces(entries, settings), _break_places(entries, builder)


def _joint_entries(actors: list[Actor], builder: TreeBuilder) -> list[JointEntry]:
    """What acts in every moving joint."""
    own = [drive_motors(actor) | actor.motors | response_motors(actor) for actor in actors]
    entries = []
    for i, ((a, joint), motion) in enumerate(zip(builder.moving_specs, builder.moving_motions, strict=True)):
        actor = actors[a]
        entries.append(
            JointEntry(
                joint=joint,
                motor=own[a].get(joint.name),
                tone=1.0 if actor.tone is None else actor.tone,
                pulses=[pulse for pulse in actor.torque_pulses if pulse.joint == joint.name],
                couplers=_couplers_of(actor.model.couplers, i, a, builder),
                part=motion,
            )
        )
    return entries


def _couplers_of(
    couplers: list[Coupler], follower: int, actor: int, builder: TreeBuilder
) -> list[tuple[Coupler, int]]:
    """Couplers in which a moving body follows, each with the moving body of its leader."""
    found = []
    for coupler in couplers:
        ends = [builder.moving_of(actor, name, coupler.axis) for name in (coupler.leader, coupler.follower)]
        if None not in ends and ends[1] == follower:
            found.append((coupler, ends[0]))
    return found


def _pulses(scenario: Scenario, resolver: Resolver, authored: Authored) -> Pulses:
    """Force pulses of all actors."""
    rows = []
    for a, actor in enumerate(scenario.actors):
        for pulse in actor.force_pulses:
            host, b, local = resolver.on_body(a, pulse.body, np.array(pulse.point, dtype=float))
            in_body = pulse.frame == "body"
            peak = np.array(pulse.peak, dtype=float)
            if in_body:
                peak = authored.rotation[b].reshape(3, 3) @ peak
            constant = pulse.shape == "constant"
            rows.append((host, b, local, peak, in_body, pulse.start, pulse.duration, constant))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 8
    return Pulses(
        body=np.array(columns[0], dtype=np.int64),
        authored=np.array(columns[1], dtype=np.int64),
        point=np.array(columns[2], dtype=float).reshape(-1, 3),
        peak=np.array(columns[3], dtype=float).reshape(-1, 3),
        in_body_frame=np.array(columns[4], dtype=np.int64),
        start=np.array(columns[5], dtype=float),
        duration=np.array(columns[6], dtype=float),
        constant=np.array(columns[7], dtype=np.int64),
    )


def _prescribed_motions(scenario: Scenario, builder: TreeBuilder) -> list:
    """(actor, moving body, motion) of every prescribed motion."""
    motions = []
    for a, actor in enumerate(scenario.actors):
        root = next(joint.name for joint in actor.model.joints if joint.parent is None)
        joints = {joint.name: joint for joint in actor.model.joints}
        for motion in actor.prescribed:
            name = motion.joint or root
            bodies = motion_bodies(builder.moving_joint[a, name], joints[name])
            motions += [(a, body, motion) for body in bodies]
    return motions


def _muscles(
    scenario: Scenario, resolver: Resolver, tree: Tree, authored: Authored, start: tuple, time_step: float
) -> tuple[Muscles, list[str]]:
    """(arrays of the muscles, notes); what depends on the posture is taken at the start (q, u)."""
    muscles = compile_muscles(
        scenario.actors, resolver.on_body, resolver.turned, resolver.moving_of, time_step
    )
    if len(muscles.kind) == 0:
        return muscles, []
    w = new_workspace(tree)
    forward_kinematics(tree, *start, w)
    muscles = with_lags(with_addresses(muscles, tree, authored, w), tree, authored, w, time_step)
    names = [entry.muscle.name for entry in muscle_entries(scenario.actors)]
    return muscles, start_notes(muscles, new_muscle_state(muscles, tree, authored, w), names)


def _with_response_kernel(arrays: SystemArrays, start: tuple, step: float, actors: int) -> SystemArrays:
    """The same with the address of the responses' kernel, which is compiled or loaded here, where there are any."""
    if len(arrays.responses.actor) == 0:
        return arrays
    state = new_state(arrays, *start, step, actors)
    address = respond.address(arrays, state, new_workspace(arrays.tree, len(arrays.pulses.body)))
    return arrays._replace(responses=arrays.responses._replace(address=address))


def _with_driving_kernels(arrays: SystemArrays, start: tuple, step: float, actors: int) -> SystemArrays:
    """The same with the addresses of the kernels of tyres and drivers, where there are any."""
    if len(arrays.tyres.body) == 0:
        return arrays
    w = new_workspace(arrays.tree, len(arrays.pulses.body))
    state = new_state(arrays, *start, step, actors)
    tyres = arrays.tyres._replace(
        forces_address=tyre_forces.address(arrays.tyres, state.tyres, arrays.surfaces, state.contact, w),
        commit_address=commit_tyres.address(arrays.tyres, state.tyres),
    )
    arrays = arrays._replace(tyres=tyres)
    if len(arrays.drivers.actor) == 0:
        return arrays
    return arrays._replace(drivers=arrays.drivers._replace(address=drive.address(arrays, state, w)))


def _driving(placed: Placed, motor_row: np.ndarray) -> tuple[Tyres, Drivers]:
    """Arrays of tyres and drivers, without addresses. motor_row (n,): motor of each moving body."""
    actors, builder, tree = placed.scenario.actors, placed.builder, placed.tree
    on_body = placed.resolver.on_body
    owners = [(entry.actor, entry.body_name) for entry in placed.ellipsoids]
    w = new_workspace(tree)
    if any(actor.drive is not None for actor in actors):
        forward_kinematics(tree, placed.q, placed.u, w)

    def poses(a: int) -> dict[str, np.ndarray]:
        found = {}
        for body in actors[a].model.bodies:
            host, b, place = on_body(a, body.name, np.zeros(3))
            rotation = w.rotation[host].reshape(3, 3)
            pose = np.eye(4)
            pose[:3, :3] = rotation @ placed.authored.rotation[b].reshape(3, 3)
            pose[:3, 3] = w.position[host] + rotation @ place
            found[body.name] = pose
        return found

    tyres = compile_tyres(actors, tree, on_body, owners)
    return tyres, compile_drivers(actors, builder, motor_row, on_body, poses)


def compile_system(scenario: Scenario, once: Once = each_time) -> System:
    """Check a scenario and compile it. Raises `Refused` (an EngineError), which lists what is wrong, where `validate`
    finds an error, and never else.

    once: a batch passes `Shared.once`, so that models and meshes its scenarios share are looked at only once.
    """
    warnings = [str(issue) for issue in refuse(scenario.name, spec_issues(scenario, once))]
    for actor in scenario.actors:
        warnings += [f"actor '{actor.name}': {note}" for note in actor.model.notes]
    warnings += scenario.notes
    placed = place(scenario, once)
    builder, resolver, tree, authored = placed.builder, placed.resolver, placed.tree, placed.authored
    start, step = (placed.q, placed.u), placed.params.time_step
    muscles, muscle_notes = _muscles(scenario, resolver, tree, authored, start, step)
    entries, joints, break_places = once(_joints, builder, scenario.settings, *map(_acting, scenario.actors))
    tyres, drivers = _driving(placed, joints.motors.row)
    sensor_arrays, sensors = compile_sensors(scenario, resolver, authored)
    arrays = SystemArrays(
        params=placed.params,
        tree=tree,
        authored=authored,
        joints=joints,
        surfaces=placed.surfaces,
        connections=placed.connections,
        pulses=_pulses(scenario, resolver, authored),
        prescribed=compile_prescribed(
            _prescribed_motions(scenario, builder),
            [(entry.joint.kind, entry.motion) for entry in entries],
        ),
        muscles=muscles,
        sensors=sensor_arrays,
        responses=compile_responses(
            scenario.actors, builder, joints.motors.row, resolver.on_body, resolver.turned
        ),
        tyres=tyres,
        drivers=drivers,
    )
    arrays = _with_response_kernel(arrays, start, placed.longest_step, len(scenario.actors))
    arrays = _with_driving_kernels(arrays, start, placed.longest_step, len(scenario.actors))
    for part in (authored, joints, placed.surfaces.materials, placed.surfaces.pair_filter):
        once(bundled, part)
    bundle = bundled(arrays)  # in use, so that the next one takes its parts
    overlaps = once(_overlaps, _standing(scenario), Derived((placed, arrays)))
    refuse(scenario.name, overlaps.refused)
    surfaces = placed.surfaces._replace(overlap=np.array(overlaps.pairs, dtype=float).reshape(-1, 3))
    arrays = arrays._replace(surfaces=surfaces)
    bundle = bundled(arrays)
    return System(
        scenario=scenario,
        arrays=arrays,
        bundle=bundle,
        q_start=placed.q,
        u_start=placed.u,
        longest_step=placed.longest_step,
        start_offsets=overlaps.offsets,
        **once(_names, builder, Members(placed.bodies.actors)),
        ellipsoids=tuple(placed.ellipsoids),
        obstacle_names=tuple(obstacle.name for obstacle in all_obstacles(scenario)),
        connection_names=tuple(placed.connection_names),
        break_places=break_places,
        sensors=sensors,
        warnings=tuple(warnings + placed.notes + muscle_notes + overlaps.notes),
    )


def _overlaps(_: Members, of: Derived) -> Overlaps:
    """What overlaps at the start, of (placed scenario, arrays). Raises `Refused` for belts that have no length."""
    placed, arrays = of.value
    scenario = placed.scenario
    state = new_state(arrays, placed.q, placed.u, placed.longest_step, len(scenario.actors))
    refuse(scenario.name, belt_issues(placed, state.connections.load_point))
    return settle_overlaps(scenario, find_touches(arrays, state), placed.ellipsoids)


def _break_places(entries: list[JointEntry], builder: TreeBuilder) -> BreakPlaces:
    """Where joints may give way."""
    return tuple(
        (builder.body_index[a, joint.child], found.axis or "")
        for entry, (a, joint) in zip(entries, builder.moving_specs, strict=True)
        for found in breaks_of(entry)
    )


def _names(builder: TreeBuilder, actors: Sequence[Actor]) -> dict:
    """Name columns of a System; of actors only names and models count."""
    bodies = [(a, body.name) for a, actor in enumerate(actors) for body in actor.model.bodies]
    muscles = muscle_entries(actors)
    return {
        "muscle_names": tuple(entry.muscle.name for entry in muscles),
        "muscle_actor": np.array([entry.actor for entry in muscles], dtype=np.int64),
        "actor_names": tuple(actor.name for actor in actors),
        "body_names": tuple(name for _, name in bodies),
        "body_actor": np.array([a for a, _ in bodies], dtype=np.int64),
        "joint_names": tuple(joint.name for _, joint in builder.child_joint),
        "joint_types": tuple(joint.type for _, joint in builder.child_joint),
        "moving_names": tuple(part_path(actors[a].name, joint.child) for a, joint in builder.moving_specs),
    }
