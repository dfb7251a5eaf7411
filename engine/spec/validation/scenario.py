"""Checks on a scenario: settings, actors and their starts, obstacles, connections."""

import numpy as np

from .. import JOINT_TYPES, Actor, Joint, Obstacle, Point, PrescribedMotion, Scenario, Settings
from ..default_sensors import carries_load
from ..response_joints import FEET, PELVIS, RESPONSE_JOINTS, SKULL, TRUNK
from ..sharing import Once
from .connections import connection_issues
from .driving import drive_issues
from .fields import field_issues, is_sound, place_of
from .issue import Issue, WrongType, error, repeated_names, warning, within
from .materials import material_issues, pair_issues
from .meshes import mesh_issues
from .model import model_issues
from .muscles import override_issues

MOST_FRAMES = 50_000_000


def scenario_issues(scenario: Scenario, once: Once) -> list[Issue]:
    """Every problem of a scenario."""
    place = place_of(scenario)
    issues = field_issues(scenario, place, prefix="")
    if any(isinstance(issue, WrongType) for issue in issues):
        return issues
    for actor in scenario.actors:
        issues += within(place_of(actor), once(model_issues, actor.model))
    if any(isinstance(issue, WrongType) for issue in issues):
        return issues
    issues += grid_issues(scenario.settings)
    issues += adaptive_issues(scenario)
    if not scenario.actors:
        issues.append(error(place, "it has no actor", "Add an actor"))
    issues += repeated_names(place, "actor", (actor.name for actor in scenario.actors))
    issues += repeated_names(place, "obstacle", (obstacle.name for obstacle in scenario.obstacles))
    for actor in scenario.actors:
        issues += actor_issues(place_of(actor), actor)
    for obstacle in scenario.obstacles:
        issues += obstacle_issues(place_of(obstacle), obstacle)
    for pair in scenario.pairs:
        issues += pair_issues(pair)
    issues += sensor_issues(scenario)
    issues += scenario_connection_issues(scenario)
    if not scenario.settings.ground and not scenario.obstacles and len(scenario.actors) == 1:
        remedy = "Switch the ground on, or add an obstacle"
        issues.append(warning(place, "there is nothing to fall on", remedy))
    return issues


def grid_issues(settings: Settings) -> list[Issue]:
    """Output times must fall on steps, and there must be a bearable number of them."""
    place = "settings"
    if not is_sound(settings):
        return []
    ratio = settings.output_step / settings.time_step
    issues = []
    if settings.integrator != "variable_step" and abs(ratio - round(ratio)) > 1e-6 * ratio:
        message = f"output step {settings.output_step:g} s is not a multiple of the time step"
        remedy = f"Use a multiple of it, such as {max(1, round(ratio)) * settings.time_step:g}"
        issues.append(error(place, message, remedy))
    if settings.duration / settings.output_step > MOST_FRAMES:
        message = f"the run would have over {MOST_FRAMES} output times"
        issues.append(error(place, message, "Use a longer output step"))
    if settings.duration < settings.output_step:
        issues.append(error(place, "duration is shorter than the output step", "Use a shorter output step"))
    return issues


def adaptive_issues(scenario: Scenario) -> list[Issue]:
    """Of adaptive steps that cannot be, or would never be taken."""
    settings, place = scenario.settings, "settings"
    if settings.largest_step is None or not is_sound(settings):
        return []
    if settings.integrator != "symplectic_euler":
        message = f"the adaptive step is not for the integrator {settings.integrator}"
        return [error(place, message, "Use symplectic_euler, or leave out largest_step")]
    message = ""
    if settings.largest_step < 2.0 * settings.time_step:
        message = "the largest step is less than two time steps"
    elif any(actor.model.muscles for actor in scenario.actors):
        message = "there are muscles"
    return (
        [warning(place, f"{message}, so every step is the time step", "Leave out largest_step")]
        if message
        else []
    )


def actor_issues(place: str, actor: Actor) -> list[Issue]:
    """What the start of an actor and what acts on it say about its model."""
    joints = {joint.name: joint for joint in actor.model.joints}
    bodies = {body.name for body in actor.model.bodies}
    issues = []
    for what in ("joint_angles", "joint_velocities", "joint_slides", "joint_slide_velocities", "motors"):
        for name in getattr(actor, what):
            if name not in joints:
                message = f"{what} names the unknown joint '{name}'"
                issues.append(error(place, message, "Name a joint of the model"))
    for pulse in actor.torque_pulses:
        if pulse.joint not in joints:
            message = f"a torque pulse names the unknown joint '{pulse.joint}'"
            issues.append(error(place, message, "Name a joint"))
        elif not is_movable(joints[pulse.joint]):
            message = f"a torque pulse acts on the {joints[pulse.joint].type} joint '{pulse.joint}'"
            issues.append(error(place, message, "It cannot turn"))
    for pulse in actor.force_pulses:
        if pulse.body not in bodies:
            message = f"a force pulse names the unknown body '{pulse.body}'"
            issues.append(error(place, message, "Name a body"))
    for name in [*actor.joint_slides, *actor.joint_slide_velocities]:
        joint = joints.get(name)
        if joint is not None and joint.type in JOINT_TYPES and not joint.kind.has_both:
            message = f"a slide is given for the {joint.type} joint '{name}'"
            issues.append(
                error(
                    place, message, "Of a prismatic joint it is the first of its angles; others do not slide"
                )
            )
    issues += override_issues(actor)
    if actor.response is not None:
        issues += response_issues(place, actor)
    if actor.drive is not None:
        issues += drive_issues(place, actor)
    for motion in actor.prescribed:
        if is_sound(motion):
            issues += prescribed_issues(place, motion, joints) or start_jump_issues(place, motion, actor)
    return issues


def response_issues(place: str, actor: Actor) -> list[Issue]:
    """A response drives the joints of the shipped people, by name."""
    needed = [name for entry in RESPONSE_JOINTS for name in entry.names]
    balls = {joint.name for joint in actor.model.joints if joint.type in JOINT_TYPES and joint.kind.is_ball}
    missing = [f"joint '{name}'" for name in needed if name not in balls]
    bodies = {body.name: body for body in actor.model.bodies}
    missing += [f"body '{name}'" for name in (PELVIS, TRUNK, SKULL) if name not in bodies]
    missing += [
        f"body '{name}' with ellipsoids" for name in FEET if name not in bodies or not bodies[name].ellipsoids
    ]
    if not missing:
        return _muscle_balance_issues(place, actor)
    message = f"its model has no {missing[0]} of the kind that a response drives"
    message += f" (and {len(missing) - 1} more are missing)" if len(missing) > 1 else ""
    return [error(place, message, "Use a person of the library, or take the response away")]


def _muscle_balance_issues(place: str, actor: Actor) -> list[Issue]:
    """Balance by muscles needs some that end on a foot of either side."""
    response = actor.response
    if not response.balance or response.balance_by != "muscles":
        return []
    moved = {point.body for muscle in actor.model.muscles for point in muscle.path}
    if moved.issuperset(FEET):
        return []
    message = "it keeps balance by muscles, but its model has none that move the feet"
    return [error(place, message, "Use male_muscles or female_muscles, or set balance_by to motors")]


def is_movable(joint: Joint) -> bool:
    """Whether a joint has coordinates; one of an unknown type, which has an issue of its own, counts as such."""
    return joint.type not in JOINT_TYPES or joint.kind.moves


def prescribed_issues(place: str, motion: PrescribedMotion, joints: dict[str, Joint]) -> list[Issue]:
    """A prescribed motion needs a joint that moves, and a table with a column for each of its numbers."""
    roots = [joint for joint in joints.values() if joint.parent is None]
    joint = joints.get(motion.joint) if motion.joint is not None else roots[0] if roots else None
    if joint is None:
        message = f"a prescribed motion names the unknown joint '{motion.joint}'"
        return [error(place, message, "Name a joint")]
    if joint.type not in JOINT_TYPES:
        return []
    if motion.joint is None and not joint.kind.is_free:
        message = f"a prescribed root motion needs a free root, and '{joint.name}' is {joint.type}"
        return [error(place, message, "Name the joint and give its angles")]
    if not joint.kind.moves:
        message = f"a prescribed motion moves the {joint.type} joint '{joint.name}'"
        return [error(place, message, "Name a joint that turns")]
    width = len(motion.table[0])
    if joint.kind.is_free and width not in (4, 7):
        message = "a prescribed root motion needs 4 or 7 columns"
        return [error(place, message, "time, vx, vy, vz [, wx, wy, wz]")]
    if joint.kind.has_both and width not in (4, 7):
        message = f"the prescribed motion of the {joint.type} joint '{joint.name}' needs 4 or 7 columns"
        return [error(place, message, "time, Z, Y, X in degrees [, x, y, z in metres]")]
    needs_angles = joint.kind.is_ball or len(joint.kind.motions) > 1
    if needs_angles and width < 4:
        message = f"the prescribed motion of the {joint.type} joint '{joint.name}' needs 4 columns"
        return [error(place, message, "time, Z, Y, X in degrees")]
    return []


def start_jump_issues(place: str, motion: PrescribedMotion, actor: Actor) -> list[Issue]:
    """A root that starts at another velocity than its table jumps in the first step."""
    if motion.joint is not None:
        return []
    table = np.array(motion.table, dtype=float)
    start = [np.interp(0.0, table[:, 0], column) for column in table[:, 1:4].T]
    if np.allclose(start, actor.velocity, atol=1e-6):
        return []
    shown = ", ".join(f"{value:g}" for value in start)
    message = f"it starts at another velocity than its prescribed motion ({shown} m/s), so it jumps in the first step"
    return [warning(place, message, "Set the actor's velocity to that of the table")]


def sensor_issues(scenario: Scenario) -> list[Issue]:
    """Sensors must sit on a body that is there, measure something, and have a joint where they measure its load."""
    models = {actor.name: actor.model for actor in scenario.actors}
    issues = repeated_names(place_of(scenario), "sensor", (sensor.name for sensor in scenario.sensors))
    for sensor in scenario.sensors:
        place = place_of(sensor)
        if sensor.actor not in models:
            issues.append(error(place, f"unknown actor '{sensor.actor}'", "Name an actor of the scenario"))
            continue
        model = models[sensor.actor]
        body = next((body for body in model.bodies if body.name == sensor.body), None)
        if body is None:
            message = f"actor '{sensor.actor}' has no body '{sensor.body}'"
            issues.append(error(place, message, "Name one of its bodies"))
        elif (sensor.joint_force or sensor.joint_moment) and not carries_load(model, body):
            message = (
                f"the joint of '{sensor.body}' is free or fixed, so that its load is not known at every step"
            )
            issues.append(error(place, message, "Name a body on a joint that turns or slides"))
        if not sensor.quantities:
            issues.append(error(place, "it measures nothing", "Switch a quantity on"))
    return issues


def obstacle_issues(place: str, obstacle: Obstacle) -> list[Issue]:
    """Mesh and material of one obstacle."""
    issues = mesh_issues(place, obstacle) if obstacle.shape == "mesh" else []
    return issues + (material_issues(f"{place}, material", obstacle.material) if obstacle.material else [])


def scenario_connection_issues(scenario: Scenario) -> list[Issue]:
    """Points of the scenario's springs, belts and welds must name an actor and its body."""
    bodies = {actor.name: {body.name for body in actor.model.bodies} for actor in scenario.actors}

    def point_issues(place: str, point: Point) -> list[Issue]:
        if point.body is None:
            return []
        if point.actor not in bodies:
            return [error(place, f"unknown actor '{point.actor}'", "Name an actor of the scenario")]
        if point.body in bodies[point.actor]:
            return []
        message = f"actor '{point.actor}' has no body '{point.body}'"
        return [error(place, message, "Name one of its bodies")]

    return connection_issues(scenario, point_issues)
