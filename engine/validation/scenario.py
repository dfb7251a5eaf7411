"""Checks on a scenario: settings, actors and their starts, obstacles, connections."""

from __future__ import annotations

import numpy as np

from ..sharing import Once
from ..spec import (
    FRICTION_LAWS,
    FRICTION_RULES,
    INTEGRATORS,
    MULTI_CONTACT_MODES,
    Actor,
    Obstacle,
    PairMaterial,
    PrescribedMotion,
    Scenario,
    Settings,
)
from .issue import Issue, duplicate_issues, error, number_issues, vector_issues, warning
from .model import LARGEST_SIZE, connection_number_issues, joint_force_issues, material_issues, model_issues
from .muscles import override_issues

SHORTEST_STEP = 1e-8
LONGEST_STEP = 0.02
LARGEST_FRAMES = 50_000_000


def settings_issues(settings: Settings) -> list[Issue]:
    """Names known, numbers in range, output times on the time grid."""
    place = "settings"
    choices = {
        "integrator": INTEGRATORS,
        "friction_law": FRICTION_LAWS,
        "friction_rule": FRICTION_RULES,
        "multi_contact": MULTI_CONTACT_MODES,
        "contact_damping_mode": ("proportional", "constant"),
    }
    issues = []
    for name, allowed in choices.items():
        value = getattr(settings, name)
        if value not in allowed:
            issues.append(error(place, f"unknown {name} '{value}'", f"Use one of {', '.join(allowed)}"))
    issues += number_issues(place, "time step", settings.time_step, SHORTEST_STEP, LONGEST_STEP)
    issues += number_issues(place, "output step", settings.output_step, SHORTEST_STEP, 10.0)
    issues += number_issues(place, "duration", settings.duration, SHORTEST_STEP, 1e5)
    issues += number_issues(place, "tolerance", settings.tolerance, 1e-14, 1e-1)
    issues += number_issues(place, "friction", settings.friction, 0.0, 10.0)
    issues += number_issues(place, "friction velocity", settings.friction_velocity, 1e-6, 1.0)
    issues += number_issues(place, "joint damping factor", settings.joint_damping, 0.0, 1e4)
    issues += number_issues(place, "default joint damping", settings.default_joint_damping, 0.0, 1e4)
    issues += number_issues(place, "largest speed", settings.max_speed, 1.0, 1e5)
    issues += number_issues(place, "exclusion hops", settings.exclusion_hops, 0, 100)
    issues += vector_issues(place, "gravity", settings.gravity)
    if settings.ground_friction is not None:
        issues += number_issues(place, "ground friction", settings.ground_friction, 0.0, 10.0)
    if settings.start_overlap_limit != float("inf"):
        issues += number_issues(place, "start overlap limit", settings.start_overlap_limit, 0.0, 1e3)
    if settings.contact_damping is not None:
        issues += number_issues(place, "contact damping", settings.contact_damping, 0.0, 1e6)
    return issues or grid_issues(settings)


def grid_issues(settings: Settings) -> list[Issue]:
    """Output times must fall on steps, and there must be a bearable number of them."""
    place = "settings"
    ratio = settings.output_step / settings.time_step
    issues = []
    if settings.integrator != "variable_step" and abs(ratio - round(ratio)) > 1e-6 * ratio:
        remedy = f"Use a multiple of it, such as {max(1, round(ratio)) * settings.time_step:g}"
        issues.append(
            error(place, f"output step {settings.output_step:g} s is not a multiple of the time step", remedy)
        )
    if settings.duration / settings.output_step > LARGEST_FRAMES:
        issues.append(
            error(place, f"the run would have over {LARGEST_FRAMES} output times", "Use a longer output step")
        )
    if settings.duration < settings.output_step:
        issues.append(error(place, "duration is shorter than the output step", "Use a shorter output step"))
    return issues


def actor_issues(actor: Actor, once: Once) -> list[Issue]:
    """The actor's model, its start, and what acts on it."""
    place = f"actor '{actor.name}'"
    issues = [
        Issue(issue.severity, f"{place}, {issue.place}", issue.message, issue.remedy)
        for issue in once(model_issues, actor.model)
    ]
    for what in ("position", "orientation", "velocity", "angular_velocity"):
        issues += vector_issues(place, what.replace("_", " "), getattr(actor, what))
    joints = {joint.name: joint for joint in actor.model.joints}
    bodies = {body.name for body in actor.model.bodies}
    for what in ("joint_angles", "joint_velocities", "motors"):
        for name in getattr(actor, what):
            if name not in joints:
                issues.append(
                    error(place, f"{what} names the unknown joint '{name}'", "Name a joint of the model")
                )
    for values in (actor.joint_angles, actor.joint_velocities):
        for name, vector in values.items():
            issues += vector_issues(f"{place}, joint '{name}'", "start value", vector)
    if actor.tone is not None:
        issues += number_issues(place, "tone", actor.tone, 0.0, 1e3)
    for pulse in actor.torque_pulses:
        if pulse.joint not in joints:
            issues.append(
                error(place, f"a torque pulse names the unknown joint '{pulse.joint}'", "Name a joint")
            )
        elif joints[pulse.joint].type == "fixed":
            issues.append(
                error(place, f"a torque pulse acts on the fixed joint '{pulse.joint}'", "It cannot turn")
            )
        issues += pulse_issues(place, pulse)
    for pulse in actor.force_pulses:
        if pulse.body not in bodies:
            issues.append(error(place, f"a force pulse names the unknown body '{pulse.body}'", "Name a body"))
        if pulse.frame not in ("world", "body"):
            issues.append(error(place, f"a force pulse is in the frame '{pulse.frame}'", "Use world or body"))
        issues += pulse_issues(place, pulse) + vector_issues(place, "force pulse point", pulse.point)
    for name, motor in actor.motors.items():
        if name in joints:
            joint = joints[name]
            replaced = type(joint)(joint.name, joint.type, joint.parent, joint.child, motor=motor)
            issues += joint_force_issues(f"{place}, joint '{name}'", replaced)
    issues += override_issues(actor)
    for motion in actor.prescribed:
        found = prescribed_issues(place, motion, set(joints))
        issues += found or start_jump_issues(place, motion, actor)
    return issues


def pulse_issues(place: str, pulse: object) -> list[Issue]:
    """Peak, start and duration of a torque or force pulse."""
    issues = vector_issues(place, "pulse peak", pulse.peak)
    issues += number_issues(place, "pulse start", pulse.start, -1e5, 1e5)
    return issues + number_issues(place, "pulse duration", pulse.duration, 1e-6, 1e5)


def prescribed_issues(place: str, motion: PrescribedMotion, joints: set[str]) -> list[Issue]:
    """A prescribed motion needs a known joint and a table with increasing times."""
    issues = []
    if motion.joint is not None and motion.joint not in joints:
        issues.append(
            error(place, f"a prescribed motion names the unknown joint '{motion.joint}'", "Name a joint")
        )
    try:
        table = np.array(motion.table, dtype=float)
    except (TypeError, ValueError):
        return [
            *issues,
            error(place, "a prescribed motion's table is not a table of numbers", "Correct the table"),
        ]
    if table.ndim != 2 or len(table) < 2 or not np.isfinite(table).all():
        issues.append(
            error(place, "a prescribed motion needs two or more rows of finite numbers", "Add rows")
        )
    elif (np.diff(table[:, 0]) <= 0.0).any():
        issues.append(error(place, "the times of a prescribed motion do not increase", "Sort its rows"))
    elif motion.joint is None and table.shape[1] not in (4, 7):
        issues.append(
            error(place, "a prescribed root motion needs 4 or 7 columns", "time, vx, vy, vz [, wx, wy, wz]")
        )
    return issues


def start_jump_issues(place: str, motion: PrescribedMotion, actor: Actor) -> list[Issue]:
    """A root that starts at another velocity than its table jumps in the first step."""
    if motion.joint is not None:
        return []
    table = np.array(motion.table, dtype=float)
    start = [np.interp(0.0, table[:, 0], column) for column in table[:, 1:4].T]
    if np.allclose(start, actor.velocity, atol=1e-6):
        return []
    shown = ", ".join(f"{value:g}" for value in start)
    return [
        warning(
            place,
            f"it starts at another velocity than its prescribed motion ({shown} m/s), so it jumps in the first step",
            "Set the actor's velocity to that of the table",
        )
    ]


def obstacle_issues(obstacle: Obstacle) -> list[Issue]:
    """Shape, size, pose and mesh of one obstacle."""
    place = f"obstacle '{obstacle.name}'"
    issues = vector_issues(place, "position", obstacle.position)
    issues += vector_issues(place, "orientation", obstacle.orientation)
    if obstacle.shape not in ("plane", "box", "capsule", "mesh"):
        return [*issues, error(place, f"unknown shape '{obstacle.shape}'", "Use plane, box, capsule or mesh")]
    if obstacle.shape in ("box", "capsule"):
        issues += vector_issues(place, "half size", obstacle.half_size)
        for value in obstacle.half_size if not issues else ():
            issues += number_issues(place, "half size", value, 1e-6, LARGEST_SIZE)
    if obstacle.shape == "mesh":
        issues += mesh_issues(place, obstacle)
    if obstacle.motion and not motion_is_table(obstacle.motion):
        remedy = "Rows of time, x, y, z [, Z, Y, X] with increasing times"
        issues.append(error(place, "its motion is not a table of finite numbers", remedy))
    if obstacle.material is not None:
        issues += material_issues(place, obstacle.material)
    return issues


def motion_is_table(motion: object) -> bool:
    """True for rows of 4 or 7 finite numbers whose first increases."""
    try:
        table = np.array(motion, dtype=float)
    except (TypeError, ValueError):
        return False
    return (
        table.ndim == 2
        and table.shape[1] in (4, 7)
        and bool(np.isfinite(table).all())
        and bool((np.diff(table[:, 0]) > 0.0).all())
    )


def mesh_issues(place: str, obstacle: Obstacle) -> list[Issue]:
    """A mesh needs finite vertices and triangles that refer to them."""
    if obstacle.vertices is None or obstacle.triangles is None:
        return [error(place, "its mesh has not been loaded", "Give vertices and triangles, or a mesh file")]
    vertices, triangles = np.asarray(obstacle.vertices, dtype=float), np.asarray(obstacle.triangles)
    if vertices.ndim != 2 or vertices.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
        return [error(place, "its mesh is not (n, 3) vertices and (m, 3) triangles", "Triangulate the mesh")]
    if not np.isfinite(vertices).all():
        return [error(place, "a vertex of its mesh is not finite", "Correct the mesh")]
    if len(triangles) == 0:
        return [error(place, "its mesh has no triangle", "Use a mesh with faces")]
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        return [error(place, "a triangle refers to a vertex that does not exist", "Correct the mesh")]
    return []


def scenario_issues(scenario: Scenario, once: Once) -> list[Issue]:
    """Every problem of a scenario."""
    place = f"scenario '{scenario.name}'"
    issues = settings_issues(scenario.settings)
    if not scenario.actors:
        issues.append(error(place, "it has no actor", "Add an actor"))
    issues += duplicate_issues(place, "actor", (actor.name for actor in scenario.actors))
    issues += duplicate_issues(place, "obstacle", (obstacle.name for obstacle in scenario.obstacles))
    for actor in scenario.actors:
        issues += actor_issues(actor, once)
    for obstacle in scenario.obstacles:
        issues += obstacle_issues(obstacle)
    for pair in scenario.pairs:
        issues += pair_issues(pair)
    issues += connection_issues(scenario)
    if not scenario.settings.ground and not scenario.obstacles and len(scenario.actors) == 1:
        issues.append(
            warning(place, "there is nothing to fall on", "Switch the ground on, or add an obstacle")
        )
    return issues


def pair_issues(pair: PairMaterial) -> list[Issue]:
    """Friction and material of a pair of surfaces."""
    place = f"pair '{pair.first}' and '{pair.second}'"
    issues = []
    for what in ("friction", "dynamic_friction"):
        value = getattr(pair, what)
        if value is not None:
            issues += number_issues(place, what.replace("_", " "), value, 0.0, 10.0)
    return issues + (material_issues(place, pair.material) if pair.material is not None else [])


def connection_issues(scenario: Scenario) -> list[Issue]:
    """Points of the scenario's springs, belts and welds must name an actor and its body."""
    bodies = {actor.name: {body.name for body in actor.model.bodies} for actor in scenario.actors}
    ends = [(f"spring '{item.name}'", [item.start, item.end]) for item in scenario.springs]
    ends += [(f"weld '{item.name}'", [item.start, item.end]) for item in scenario.welds]
    ends += [(f"belt '{item.name}'", item.points) for item in scenario.belts]
    issues = []
    for kind in ("spring", "belt", "weld"):
        for item in getattr(scenario, f"{kind}s"):
            issues += connection_number_issues(f"{kind} '{item.name}'", item)
    for place, points in ends:
        for point in points:
            issues += vector_issues(place, "a point", point.position)
            if point.body is None:
                continue
            if point.actor not in bodies:
                issues.append(error(place, f"unknown actor '{point.actor}'", "Name an actor of the scenario"))
            elif point.body not in bodies[point.actor]:
                issues.append(
                    error(
                        place, f"actor '{point.actor}' has no body '{point.body}'", "Name one of its bodies"
                    )
                )
    return issues
