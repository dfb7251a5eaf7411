"""Starts that another program's file has pressed into what stands still: kept where they can be, else lifted clear."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...engine.build.validate import StartOverlap, start_overlaps
from ...engine.contact.laws import combined_law, law_of
from ...engine.runs.placing import moved
from ...engine.spec import Actor, Scenario
from ...engine.spec.materials import ellipsoid_material
from ...engine.spec.validation import Refused, spec_issues
from .imported import Imported

CARRIED = 3.0
"""Times its weight on earth: a start whose contacts push with less is one that the file means; assumed."""
EARTH = 9.81
"""m/s2"""
STEEPEST = 0.1
"""Least upward part of a surface's direction at which lifting leads out of it."""
MOST_LIFTS = 20
CLEAR = 1e-6
"""m by which a start is lifted more than it must be."""


def place_start(imported: Imported, loose: Sequence[str] = ()) -> None:
    """Make the start of an import one that runs, and say what was done.

    loose: joints that let free bodies of a model with the ground as root move; none: the actor as a whole is lifted.
    An overlap with what only sideways leads out of stays, and is refused by `validate` and `run` in the same words.
    """
    scenario = imported.as_scenario()[0]
    if any(issue.severity == "error" for issue in spec_issues(scenario)):
        return
    try:
        found = _deep(scenario)
    except Refused:
        return
    if not found:
        return
    deepest = max(found, key=lambda overlap: overlap.depth)
    weight = EARTH * sum(body.mass for body in imported.actor.model.bodies)
    if _force(scenario, found) <= CARRIED * weight:
        imported.settings.start_overlap_limit = 1.001 * deepest.depth
        message = (
            f"it starts pressed {deepest.depth * 1000:.1f} mm into '{deepest.obstacle.name}', as in the file"
        )
        imported.findings.add("model", "", message)
        return
    lift = _lift(scenario, loose)
    if lift > 0.0:
        imported.actor = _lifted(imported.actor, lift, loose)
        message = f"lifted by {lift:.4f} m: it starts {deepest.depth * 1000:.1f} mm inside '{deepest.obstacle.name}'"
        imported.findings.add("model", "", f"{message} in the file")


def _deep(scenario: Scenario) -> list[StartOverlap]:
    return [o for o in start_overlaps(scenario) if o.depth > scenario.settings.start_overlap_limit]


def _force(scenario: Scenario, found: Sequence[StartOverlap]) -> float:
    """Sum (N) of the elastic forces of the overlaps."""
    model, total = scenario.actors[0].model, 0.0
    materials = {material.name: material for material in model.materials}
    bodies = {body.name: body for body in model.bodies}
    for overlap in found:
        body = bodies[overlap.entry.body_name]
        ellipsoid = next(e for e in body.ellipsoids if e.name == overlap.entry.name)
        law = law_of(ellipsoid_material(ellipsoid, materials), scenario.settings)
        if overlap.obstacle.material is not None:
            law = combined_law(law, law_of(overlap.obstacle.material, scenario.settings))
        if law.curve is None:
            total += law.stiffness * overlap.depth**law.exponent
        else:
            total += float(np.interp(overlap.depth, law.curve.depth, law.curve.force))
    return total


def _lift(scenario: Scenario, loose: Sequence[str]) -> float:
    """m by which the actor must be lifted to be clear of all that leads upwards out of it."""
    lift, actor = 0.0, scenario.actors[0]
    for _ in range(MOST_LIFTS):
        upward = [o for o in _deep(scenario) if o.normal[2] > STEEPEST]
        if not upward:
            break
        lift += max(o.depth / o.normal[2] for o in upward) + CLEAR
        scenario = replace(scenario, actors=[_lifted(actor, lift, loose)])
    return lift


def _lifted(actor: Actor, lift: float, loose: Sequence[str]) -> Actor:
    if not loose:
        return moved(actor, (0.0, 0.0, lift))
    slides = dict(actor.joint_slides)
    joints = {joint.name: joint for joint in actor.model.joints}
    for name in loose:
        up = np.array(joints[name].T1, dtype=float)[:3, :3].T @ np.array([0.0, 0.0, lift])
        slides[name] = tuple(float(v) for v in np.array(slides.get(name, (0.0, 0.0, 0.0))) + up)
    return replace(actor, joint_slides=slides)
