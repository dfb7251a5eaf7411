"""Legs that give and break, off unless chosen: knees with ligaments, bones of thigh and shank, ankles.

`give_legs` changes a figure or any person with these names of bodies and joints. Numbers are those of cadavers, adult
men; other sizes take moments by the cube and forces by the square of stature. Ages, muscles and the speed of loading
are not in them: published failure moments of the knee alone reach from 134 to 351 N m.

Knee. A bushing: it bends sideways and slides across itself and along the shank on springs, and each of these axes
fails by itself. Flexion and turning keep their range of motion.
Bones. `parts.bones` cuts the body half-way; the joint is stiff until the bending moment at which the bone fails, and
has bent by what a bone strains until then (docs/derivations.md, Bones).
Ankle. Springs to the angles and moments at which cadavers' ankles failed, with the square of the angle until there
(assumed); sideways it fails there.
"""

from math import degrees, radians

from ...engine.spec import Joint, JointBreak, JointSpring, Model
from ..parts.bones import Bone, split_bone

MIDSIZE = 1.753
"""m, stature for which the numbers hold."""
KERRIGAN = "Kerrigan et al. 2003, SAE 2003-01-0895"
BOSE = "Bose et al. 2008, doi 10.1115/1.2907767, quoted from general knowledge"
KAJZER = "of the order of Kajzer et al. 1997, SAE 973326, quoted from general knowledge of medium confidence"
WOO = "Woo et al. 1991, Am J Sports Med 19:217, young donors, quoted from general knowledge"
PARENTEAU = "Parenteau et al. 1998, J Biomech Eng 120:105, quoted from general knowledge"

KNEE_MOMENT, KNEE_ANGLE = 134.0, 16.2
"""N m of bending sideways at which the knee's ligaments fail (134 +- 7, three knees; earlier tests 284 to 351:
Kerrigan) and degrees (Bose: threshold of bending alone). The curve between is straight (assumed)."""
KNEE_SHEAR, KNEE_SHEAR_WAY = 2500.0, 0.0252
"""N and m of sliding sideways (force: Kajzer; way: Bose, threshold of shear alone)."""
CRUCIATE, CRUCIATE_STIFFNESS = 2160.0, 242.0e3
"""N and N/m of an anterior cruciate ligament, for sliding to front and back (Woo)."""
KNEE_AXIAL = 2.0e6
"""N/m along the shank (assumed: stiff)."""
NO_TORQUE = ((-1.0, 0.0), (1.0, 0.0))
"""Curve of a spring that only damps."""
LEFT_OVER = 0.10
"""Share of the resistance that skin, muscles and what is left of the ligaments keep up (assumed)."""
RELAXATION = 0.002
"""s: damping of knee and bones over their stiffness (assumed: a few percent of what critical damping would be)."""

BONE_MOMENTS = {"Thigh": 382.0, "Shank": 291.0}
"""N m of bending sideways at which femur (382 +- 103, eight) and tibia (291 +- 69, eight) fail (Kerrigan)."""
BONE_RADII = {"Thigh": 0.0145, "Shank": 0.0130}
"""m, half the outer diameter at mid-length (assumed)."""
FAILURE_STRAIN = 0.015
"""Of cortical bone in bending (assumed, of the order of published 1 to 2 %)."""
BONE_NAMES = {"Thigh": ("ThighLower", "femur{}Jnt"), "Shank": ("ShankLower", "tibia{}Jnt")}
"""Body to the name of its far part and of the joint inside."""

ANKLE_SIDEWAYS = ((34.3, 34.1), (32.4, 48.1))
"""(degrees, N m) at which ankles failed in inversion and eversion (Parenteau)."""
ANKLE_BENDING = ((68.7, 40.1), (44.0, 33.1))
"""(degrees, N m) of plantarflexion and dorsiflexion (Parenteau). No failure is set for these: in the living, muscles
carry what brings an ankle there (assumed)."""

SENTENCE = (
    "Legs give and break at published means of adult male cadavers, scaled to the stature: knee sideways {:.0f} N m "
    "(published 134 to 351), femur {:.0f} N m (382 +- 103), tibia {:.0f} N m (291 +- 69), bending ({}). "
    "A person's own strength may be half or twice that; what gave way is listed with its time and load."
)


def legs_break(model: Model) -> bool:
    """Whether `give_legs` was there already."""
    return any(joint.name in ("femurlJnt", "tibialJnt") for joint in model.joints)


def give_legs(model: Model) -> Model:
    """Give both legs of a person or dummy knees, bones and ankles that give and break; changes the model. ValueError
    where it has not the bodies and joints of a person."""
    if legs_break(model):
        raise ValueError(f"the legs of model '{model.name}' break already")
    scale = 1.0 if model.height is None else model.height / MIDSIZE
    for side in "lr":
        _give_knee(_joint(model, f"knee{side}Jnt"), scale)
        _give_ankle(_joint(model, f"ankle{side}Jnt"), scale)
        for stem, (far, joint) in BONE_NAMES.items():
            bone = leg_bone(model, stem + side.upper(), stem, scale)
            split_bone(model, stem + side.upper(), bone, far + side.upper(), joint.format(side))
    moments = [scale**3 * m for m in (KNEE_MOMENT, BONE_MOMENTS["Thigh"], BONE_MOMENTS["Shank"])]
    model.notes.append(SENTENCE.format(*moments, KERRIGAN))
    return model


def _joint(model: Model, name: str) -> Joint:
    found = next((joint for joint in model.joints if joint.name == name), None)
    if found is None:
        raise ValueError(
            f"model '{model.name}' has no joint '{name}': legs are known by the names of the shipped people"
        )
    return found


def leg_bone(model: Model, body: str, stem: str, scale: float) -> Bone:
    """Strength of a thigh's or shank's bone. It bends by angle = strain L / (3 r) until it fails: a joint in the middle
    that turns as the ends of an evenly thick beam on two supports do, struck half-way."""
    child = next((j for j in model.joints if j.parent == body), None)
    if child is None:
        raise ValueError(f"model '{model.name}' has no body '{body}' that carries the rest of a leg")
    length = sum(row[3] ** 2 for row in child.T1[:3]) ** 0.5
    angle = degrees(FAILURE_STRAIN * length / (3.0 * BONE_RADII[stem] * scale))
    moment = round(BONE_MOMENTS[stem] * scale**3, 4)
    damping = round(RELAXATION * moment / radians(angle), 5)
    source = (
        f"{KERRIGAN}, x {scale**3:.4f} for the size; "
        f"stiffness from {100 * FAILURE_STRAIN:g} % strain at failure, assumed"
    )
    return Bone(moment, round(angle, 4), damping, LEFT_OVER, source)


def straight(axis: str, way: float, load: float, source: str) -> JointSpring:
    """A straight spring that carries `load` at `way` (degrees, or m along an axis)."""
    damping = round(RELAXATION * load / (way if axis.startswith("along") else radians(way)), 5)
    return JointSpring(axis, ((-way, load), (0.0, 0.0), (way, -load)), damping, source)


def _give_knee(joint: Joint, scale: float) -> None:
    """Replace the sideways stop and damping of a knee by ligaments, and let it slide."""
    bend, force = round(KNEE_MOMENT * scale**3, 4), round(KNEE_SHEAR * scale**2, 4)
    cruciate = round(CRUCIATE * scale**2, 4)
    size = f"moments x {scale**3:.4f}, forces x {scale**2:.4f} for the size"
    sideways = f"{KERRIGAN}; {BOSE}; {size}"
    shear = f"Way {BOSE}; force {KAJZER}; {size}"
    drawer = f"Anterior cruciate ligament: {WOO}; {size}"
    joint.type = "bushing"
    if joint.limits is not None:
        free = 90.0
        joint.limits.lower = (*joint.limits.lower[:2], -free)
        joint.limits.upper = (*joint.limits.upper[:2], free)
    viscous, joint.damping = joint.damping or 0.0, 0.0
    words, joint.source = joint.source, ""
    joint.springs = [
        *joint.springs,
        *(JointSpring(axis, NO_TORQUE, viscous, words or "Damping of the joint") for axis in "yz"),
        straight("x", KNEE_ANGLE, bend, sideways),
        straight("along_y", round(KNEE_SHEAR_WAY * scale, 6), force, shear),
        straight("along_x", round(CRUCIATE / CRUCIATE_STIFFNESS * scale, 6), cruciate, drawer),
        straight("along_z", 0.01, round(0.01 * KNEE_AXIAL * scale, 4), "Assumed: stiff"),
    ]
    joint.breaks = [
        *joint.breaks,
        JointBreak("x", bend, residual=LEFT_OVER, source=sideways),
        JointBreak("along_y", force, residual=LEFT_OVER, source=shear),
        JointBreak("along_x", cruciate, residual=LEFT_OVER, source=drawer),
    ]


def _give_ankle(joint: Joint, scale: float) -> None:
    """Springs about both axes in place of the stops there, and failure sideways at the mean of both ways."""
    cube = scale**3
    source = f"{PARENTEAU}; moments x {cube:.4f} for the size"
    if joint.limits is not None:
        joint.limits.lower = (joint.limits.lower[0], -90.0, -90.0)
        joint.limits.upper = (joint.limits.upper[0], 90.0, 90.0)
    for axis, (minus, plus) in (("x", ANKLE_SIDEWAYS), ("y", ANKLE_BENDING)):
        curve = (
            *((-share * minus[0], round(share**2 * cube * minus[1], 4)) for share in (1.0, 0.5)),
            (0.0, 0.0),
            *((share * plus[0], -round(share**2 * cube * plus[1], 4)) for share in (0.5, 1.0)),
        )
        joint.springs = [*joint.springs, JointSpring(axis, curve, 0.0, source)]
    failure = round(cube * 0.5 * (ANKLE_SIDEWAYS[0][1] + ANKLE_SIDEWAYS[1][1]), 4)
    joint.breaks = [*joint.breaks, JointBreak("x", failure, residual=LEFT_OVER, source=source)]
