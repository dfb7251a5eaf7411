"""What gives in a person's trunk besides neck and chest: abdomen, shoulders, spine. Dummies have none of it.

Abdomen. Its front, the body `AbdomenFront`, slides backward against `LowerBack` on a spring that meets the spine at its
end, with a damper, which makes the rate effect.
Shoulders. A clavicle slides inward with its shoulder: it rises to a plateau, as shoulders struck from the side do.
Spine. Between the pelvis and the ribs are the lumbar segments in series: the joints of the back resist bending by their
published stiffness inside the range of motion, where nothing but damping did, so that a trunk neither folds up freely
nor stays straight.
"""

from collections.abc import Iterable

from ...engine.spec import Joint, JointSpring, Material, Model
from ..parts.bodies import body_share, make_body, tidy
from .chest import Ribs, rib_spring, stand_back

MIDSIZE = 1.753
"""m, stature for which ways and forces hold: ways go with length and forces with its square."""


OUTWARD = 5.0e4
"""N/m against motion of abdomen and shoulders outward (assumed)."""
CAVANAUGH = (
    "Cavanaugh et al. 1986, SAE 861878: 20 N/mm at 6.1 and 70 N/mm at 10.4 m/s, quoted from general knowledge"
)
ABDOMEN = Ribs(
    pressed=((0.0, 0.0), (0.12, 2400.0), (0.15, 6000.0), (0.17, 15000.0)),
    damping=250.0,
    retention=0.3,
    source=f"{CAVANAUGH} of medium confidence; the spring has the lower, the damper is chosen for the higher; the end "
    "at the spine and what it gives back are assumed",
)
SHOULDER = Ribs(
    pressed=((0.0, 0.0), (0.04, 2000.0), (0.07, 2500.0), (0.08, 6000.0)),
    damping=100.0,
    retention=0.3,
    source="Plateau of 2 to 2.5 kN between 40 and 70 mm of a side-impact dummy that is held to be like people there "
    "(WorldSID, informal group PSI, 2012); way, damper, end and what it gives back assumed",
)
FRONT, FRONT_JOINT = "AbdomenFront", "abdomenJnt"
TRAVEL = 0.16
"""m by which the lower back's surface stands back behind the front of a mid-size man's abdomen (assumed)."""
MOST_THINNED = 0.0561
"""m by which that surface is made thinner for it at most (assumed)."""
STOUT = 0.125
"""m, half depth of an abdomen above which that is less in proportion, so that stout people keep their flanks."""
FRONT_MASS = 1.0
"""kg of the front of a mid-size man's abdomen that moves at once with what strikes it (assumed)."""
ABDOMEN_WALL = ((0.0, 0.0), (0.01, 600.0), (0.02, 2000.0), (0.04, 9000.0))
"""(m, N) of the wall in front of the abdomen's spring (assumed)."""

MILLER = (
    "Miller et al. 1986, J Biomech 19:79: fourteen lumbar motion segments of men, 6 to 11 N m/degree under moments up "
    "to 95 N m"
)
SEGMENT_STIFFNESS, SEGMENTS = 8.5, 5
"""N m/degree of one segment, the middle of the published range, and how many are in series (L1 to L5)."""
SPINE = {
    "lowerbackJnt": f"{MILLER}; five in series",
    "upperbackJnt": f"as the lumbar spine ({MILLER}): assumed, thoracic segments are softer but held by the ribs",
}


def give_trunk(model: Model, moment: float) -> Model:
    """Let abdomen and shoulders of a figure give and its spine resist; changes the model. moment: factor on moments for
    the size (`range_of_motion.size_factor`)."""
    scale = 1.0 if model.height is None else model.height / MIDSIZE
    _give_abdomen(model, scale)
    joints = {joint.child: joint for joint in model.joints}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        _let_slide(model, joints[f"Clavicle{side}"], (0.0, sign, 0.0), rib_spring(SHOULDER, scale, OUTWARD))
    model.materials = [
        wall_material(material, scale) if material.name == "abdomen" else material
        for material in model.materials
    ]
    for joint in model.joints:
        if joint.name in SPINE:
            joint.springs = spine_springs(moment, f"{SPINE[joint.name]}, x {moment:.4f} for the size")
    return model


def _give_abdomen(model: Model, scale: float) -> None:
    """Cut the front off the abdomen, with all its surface, and put it on a slider. Both have the abdomen's centre and
    shares of its inertia, so that together they are the abdomen again."""
    whole = next(body for body in model.bodies if body.name == "Abdomen")
    held = next(joint for joint in model.joints if joint.child == "Abdomen")
    share = FRONT_MASS * scale**3 / whole.mass
    rest, piece = (body_share(whole, part) for part in (1.0 - share, share))
    number, origin = model.bodies.index(whole), (0.0, 0.0, 0.0)
    model.bodies[number : number + 1] = [
        make_body("Abdomen", rest, origin, [], whole.description, whole.source),
        make_body(
            FRONT, piece, origin, whole.ellipsoids, "Front of the abdomen, which gives", "Mass assumed"
        ),
    ]
    belly = whole.ellipsoids[0]
    most = scale * MOST_THINNED * min(1.0, STOUT / belly.semi_axes[0])
    stand_back(model, ("LowerBack",), belly, scale * TRAVEL, most)
    model.contact_exclude += [
        tuple(FRONT if name == "Abdomen" else name for name in pair)
        for pair in model.contact_exclude
        if "Abdomen" in pair
    ]
    slider = Joint(FRONT_JOINT, "fixed", held.parent, FRONT, T1=held.T1, T2=held.T2)
    model.joints.insert(model.joints.index(held) + 1, slider)
    _let_slide(model, slider, (1.0, 0.0, 0.0), rib_spring(ABDOMEN, scale, OUTWARD))


def wall_material(material: Material, scale: float) -> Material:
    """Skin and muscle before the abdomen's spring."""
    return Material(
        material.name,
        loading=tuple((tidy(scale * x), tidy(scale**2 * f)) for x, f in ABDOMEN_WALL),
        energy_retention=material.energy_retention,
        source="Assumed: skin, fat and muscle in front of the abdomen, whose spring is in its joint; restitution 0.39.",
    )


def spine_springs(moment: float, source: str) -> list[JointSpring]:
    """Straight springs about all axes, N m over degrees."""
    slope = SEGMENT_STIFFNESS / SEGMENTS * moment
    end = round(60.0 * slope, 4)
    return [JointSpring(axis, ((-60.0, end), (0.0, 0.0), (60.0, -end)), 0.0, source) for axis in "xyz"]


def _let_slide(model: Model, joint: Joint, axis: tuple[float, float, float], spring: JointSpring) -> None:
    """Make a fixed joint a slider; what the parts did not touch while they were one they do not touch now."""
    model.contact_exclude = list(dict.fromkeys([*model.contact_exclude, *_never_touched(model, joint)]))
    joint.type, joint.axis, joint.damping, joint.springs = "prismatic", axis, 0.0, [spring]


def _never_touched(model: Model, joint: Joint) -> Iterable[tuple[str, str]]:
    """Pairs without contact while `joint` is fixed: its child with all that is fixed to its parent or joined to that,
    and what the child carries with all that is fixed to the parent."""
    group = {joint.parent, joint.child}
    grown = True
    while grown:
        more = {
            name
            for other in model.joints
            if not other.kind.moves and (other.parent in group or other.child in group)
            for name in (other.parent, other.child)
            if name is not None
        }
        grown = not more <= group
        group |= more
    carried = [other.child for other in model.joints if other.parent == joint.child]
    joined = [other.child for other in model.joints if other.parent in group and other.kind.moves]
    joined += [
        other.parent for other in model.joints if other.child in group and other.parent and other.kind.moves
    ]
    near = [
        name
        for name in dict.fromkeys([*sorted(group), *joined])
        if name != joint.child and name not in carried
    ]
    yield from ((joint.child, name) for name in near)
    yield from ((name, other) for name in carried for other in sorted(group) if other != joint.child)
