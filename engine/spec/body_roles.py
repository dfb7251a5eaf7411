"""Which body of a model is the head, the neck, and so on: by its stated role, else by its name."""

from .model import Body, Model

NAMES = {
    "head": ("head", "skull"),
    "neck": ("neck", "neck_lower", "necklow", "cervical_spine"),
    "chest": ("upperback", "uppertorso", "upper_torso", "thorax", "torso", "chest"),
    "pelvis": ("pelvis", "lowertorso", "lower_torso", "hips"),
    "left_femur": ("thighl", "femur_l", "thigh_l", "left_thigh", "upper_leg_l", "upperlegl"),
    "right_femur": ("thighr", "femur_r", "thigh_r", "right_thigh", "upper_leg_r", "upperlegr"),
    "left_tibia": ("shankl", "tibia_l", "shank_l", "left_shank", "lower_leg_l", "lowerlegl"),
    "right_tibia": ("shankr", "tibia_r", "shank_r", "right_shank", "lower_leg_r", "lowerlegr"),
}
"""Role to the names that mean it, in small letters; of several bodies the one whose name stands first is taken. They
are those of the shipped models, of OpenMBD's and of common OpenSim models."""


def role_body(model: Model, role: str) -> Body | None:
    """The body with a role; None where no body has it."""
    for body in model.bodies:
        if body.role == role:
            return body
    by_name = {body.name.lower(): body for body in reversed(model.bodies) if body.role == "by_name"}
    return next((by_name[name] for name in NAMES[role] if name in by_name), None)
