"""Bodies of a person whose surfaces describe one flesh, so that a blow where they overlap meets it once.

At a joint the surfaces of both bodies describe the same flesh: a hip that strikes the ground is pelvis and thigh. They
share one force there (`Body.flesh`), as the surfaces of one body do. What slides on a spring of its own (sternum, front
of the abdomen, shoulder) is another structure than what stands behind it, and bears load beside it.
"""

from ...engine.spec import Model

TRUNK_AND_LEGS = (
    "UpperBack",
    "Chest",
    "LowerBack",
    "pelvis",
    "ThighL",
    "ThighR",
    "ShankL",
    "ShankR",
    "FootL",
    "FootR",
)
ARMS = {side: tuple(f"{part}{side}" for part in ("Clavicle", "UpperArm", "Forearm", "Hand")) for side in "LR"}
FLESHES = {"trunk and legs": TRUNK_AND_LEGS, "left arm": ARMS["L"], "right arm": ARMS["R"]}
"""Word of the model to its bodies."""


def join_flesh(model: Model) -> Model:
    """Say which bodies of a person are one flesh; changes the model."""
    words = {body: word for word, bodies in FLESHES.items() for body in bodies}
    for body in model.bodies:
        body.flesh = words.get(body.name, "")
    return model
