"""What the blocks of forces and integrators become: settings, materials, muscles, pushes.

Whatever is not named in a composite_force does not act in Hyfydy; so it is here, and each such thing is a finding.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import isinf

import numpy as np

from ...engine import spec
from ...engine.spec.muscles import Activation
from ..common.axes import z_up
from ..common.findings import Findings
from .components import Material, Perturbation
from .configuration import INTEGRATORS, MUSCLE_FORCES, Configuration
from .joints import JointLaws
from .surfaces import pair_material

FOREVER = 1.0e5
"""s: how long a push without a duration lasts."""
COUPLE_ARM = 0.1
"""m: distance from the centre of mass of the two forces that stand for a moment."""
LEAST_ACTIVATION = 0.01
"""Least activation of muscle_force_gh2010 (manual, 3.3.2: "> 0.01")."""
PENNATION = "the pennation angle counts at the start too, as with use_pennation_during_equilibration = 1"


def joint_laws(chosen: Configuration) -> JointLaws:
    """What the blocks choose for joints."""
    return JointLaws(chosen.planar, chosen.joint_force == "joint_force_pd")


def is_linear(chosen: Configuration) -> bool:
    """Whether contact is a linear spring and damper."""
    return chosen.contact is not None and chosen.contact.block == "contact_force_pd"


def apply_settings(settings: spec.Settings, chosen: Configuration, findings: Findings) -> None:
    """Set what the blocks choose."""
    _apply_integrator(settings, chosen, findings)
    if not chosen.chooses_forces:
        return
    if chosen.joint_force is None:
        settings.joint_limits = False
        findings.add(
            "force", "joint_force", "none is given: joint limits do not act; our joints hold all the same"
        )
    if chosen.contact is not None:
        _apply_contact(settings, chosen)
    if not chosen.touches:
        missing = "contact_force" if chosen.contact is None else "simple_collision_detection"
        findings.add("force", missing, "none is given: nothing touches anything, as in Hyfydy")
    settings.self_contact = chosen.touches and chosen.between_objects
    settings.exclusion_hops = 0


def _apply_contact(settings: spec.Settings, chosen: Configuration) -> None:
    """The friction of a contact force; every contact for itself, at a point."""
    if chosen.contact.block == "contact_force_hunt_crossley_sb":
        settings.friction_law = "hollars"
        settings.friction_velocity = max(chosen.contact.transition_velocity, 1e-6)
    else:
        settings.friction_law = "viscous"
        settings.friction_viscosity = chosen.contact.viscosity
    settings.patch_friction, settings.multi_contact = False, "none"


def _apply_integrator(settings: spec.Settings, chosen: Configuration, findings: Findings) -> None:
    if chosen.integrator is None:
        return
    block = chosen.integrator.block
    settings.integrator = INTEGRATORS.get(block, settings.integrator)
    if block not in INTEGRATORS:
        message = f"the manual describes no such integrator: {settings.integrator} with steps of "
        findings.add("integrator", block, f"{message}{settings.time_step:g} s is used in its place")
    elif settings.integrator == "midpoint":
        message = "ours takes the forces in the middle of the step too, where Hyfydy's takes the mean velocity alone"
        findings.add("integrator", block, message)


def pairs_of(surfaces: Iterable[tuple[Material, Material]], chosen: Configuration) -> list[spec.PairMaterial]:
    """Contact laws of pairs of materials by Hyfydy's own rule, which weighs damping otherwise than ours."""
    made = {}
    for first, second in surfaces:
        made[first.name, second.name] = spec.PairMaterial(
            first.name, second.name, material=pair_material(first, second, is_linear(chosen))
        )
    return list(made.values())


def apply_muscle(muscle: spec.Muscle, chosen: Configuration, findings: Findings) -> spec.Muscle:
    """The muscle with the model and the rates that the blocks choose."""
    if chosen.integrator is not None:
        rates = (chosen.integrator.activation_rate, chosen.integrator.deactivation_rate)
        muscle = replace(muscle, activation=Activation("rate", rise_rate=rates[0], fall_rate=rates[1]))
    force = chosen.muscle
    if force is None:
        return muscle
    form = MUSCLE_FORCES[force.block]
    if form == "millard":
        if not force.use_pennation_during_equilibration and muscle.pennation:
            findings.add("muscle", muscle.name, PENNATION)
        return replace(muscle, damping=force.damping, max_contraction_velocity=force.v_max)
    findings.add(
        "muscle", muscle.name, f"{force.block}: a fibre damping of {muscle.damping:g} is added, which is ours"
    )
    activation = muscle.activation
    if form == "geyer_herr":
        activation = replace(activation, minimum=LEAST_ACTIVATION)
        message = f"{force.block}: its activation stays above {LEAST_ACTIVATION:g}, as the manual advises"
        findings.add("muscle", muscle.name, message)
    return replace(muscle, form=form, activation=activation)


def pushes(perturbation: Perturbation) -> list[spec.ForcePulse]:
    """The force of a perturbation, and two forces that turn with the body for its moment."""
    duration = FOREVER if isinf(perturbation.duration) else perturbation.duration
    if not duration > 0.0:
        return []
    timing = {"start": perturbation.start_time, "duration": duration, "shape": "constant"}
    made = []
    if any(perturbation.force):
        force = z_up(perturbation.force)
        made.append(spec.ForcePulse(perturbation.body, force, point=z_up(perturbation.pos), **timing))
    if any(perturbation.moment):
        moment = np.array(z_up(perturbation.moment))
        arm = np.cross(moment, np.eye(3)[int(np.argmin(np.abs(moment)))])
        arm *= COUPLE_ARM / np.linalg.norm(arm)
        # 2 arm x force = moment, for a force at right angles to both
        force = np.cross(moment, arm) / (2.0 * COUPLE_ARM**2)
        for sign in (1.0, -1.0):
            point, push = (tuple(float(v) for v in sign * vector) for vector in (arm, force))
            made.append(spec.ForcePulse(perturbation.body, push, point=point, frame="body", **timing))
    return made
