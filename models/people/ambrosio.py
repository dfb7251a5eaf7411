"""Ambrosio's biomechanical model for impact: 12 rigid bodies, 29 degrees of freedom.

Bodies and joints: table 1. Cones of feasible motion, penalty torques and damping: table 2. Contact radii: table 3
(human). The paper gives no masses and lengths (it points to Laananen 1983); here they are de Leva's for a man of 75
kg and 1.754 m.
"""

import numpy as np

from ...engine.spec import Body, ConeLimits, Ellipsoid, Joint, Model
from ..parts import frames
from ..parts.bodies import make_body, make_ellipsoid, mirror_body, tidy
from ..parts.materials import body_materials
from ..parts.rigid import Piece, join
from .ambrosio_joints import AMBROSIO_TABLE_2, SOURCE, cone_limits, revolute_limits
from .figure import Figure, head_pieces
from .human import adult_figure

MASS = 75.0
STATURE = 1.754

RADII = {
    "LowerTorso": 0.102,
    "UpperTorso": 0.127,
    "head": 0.095,
    "UpperArm": 0.053,
    "Forearm": 0.042,
    "Thigh": 0.083,
    "Shank": 0.057,
    "Neck": 0.051,
}
"""Table 3, human, m"""

_UP, _DOWN = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)


def _cone(kind: str, mirror: bool) -> ConeLimits:
    """Cone of table 2 in a joint frame along the body axes, with the quadrants as `ambrosio_joints` reads them:
    front, left, rear, right; for the hip inside, front, outside, rear."""
    if kind != "hip":
        axis = _DOWN if kind == "shoulder" else _UP
        return cone_limits(kind, axis, (1.0, 0.0, 0.0), axis)
    cone = cone_limits(kind, _DOWN, (0.0, 1.0 if mirror else -1.0, 0.0), _DOWN)
    if (
        not mirror
    ):  # seen along the left leg, the quadrants run the other way round: II is at axis x inside, the rear
        one, two, three, four = cone.quadrant_angles
        cone.quadrant_angles = (one, four, three, two)
    return cone


def _ball(name, kind, parent, child, at_parent, at_child, mirror=False) -> Joint:
    offset = tuple(tidy(v) for v in np.asarray(at_child) - np.asarray(at_parent))
    return Joint(
        name=name,
        type="spherical",
        parent=parent,
        child=child,
        T1=frames.transform(frames.CENTRAL, offset),
        T2=frames.transform(frames.CENTRAL, (0.0, 0.0, 0.0)),
        damping=AMBROSIO_TABLE_2[kind].damping,
        cone=_cone(kind, mirror),
        source=SOURCE,
    )


def _hinge(name, kind, parent, child, at_parent, at_child, axis) -> Joint:
    offset = tuple(tidy(v) for v in np.asarray(at_child) - np.asarray(at_parent))
    return Joint(
        name=name,
        type="revolute",
        parent=parent,
        child=child,
        T1=frames.transform(frames.CENTRAL, offset),
        T2=frames.transform(frames.CENTRAL, (0.0, 0.0, 0.0)),
        axis=axis,
        damping=AMBROSIO_TABLE_2[kind].damping,
        limits=revolute_limits(kind),
        source=SOURCE,
    )


def _column(
    name: str, x: float, y: float, top: float, bottom: float, radius: float, count: int, material: str
):
    """Overlapping ellipsoids of one radius along a vertical limb: (name, centre, semi-axes, material)."""
    length = top - bottom
    half = 0.62 * length / count if count > 1 else 0.54 * length
    places = [top - length * (i + 0.5) / count for i in range(count)]
    return [
        (f"{name}_{i + 1}" if count > 1 else name, (x, y, z), (radius, radius, max(half, radius)), material)
        for i, z in enumerate(places)
    ]


def _ellipsoids(rows, origin, suffix="") -> list[Ellipsoid]:
    return [make_ellipsoid(name + suffix, centre, axes, origin, mat) for name, centre, axes, mat in rows]


def _central_bodies(figure: Figure, head: Piece, neck: Piece, at: dict) -> list[Body]:
    z, pieces = figure.z, figure.pieces
    wide = 1.35  # breadth to depth of the torso, assumed
    lower, upper = RADII["LowerTorso"], RADII["UpperTorso"]
    middle = (z["hip"] + z["xiphion"]) / 2.0
    lower_rows = [
        ("pelvis", (0.0, 0.0, z["hip"]), (lower, wide * lower, 0.12), "pelvis"),
        ("abdomen", (0.0, 0.0, middle + 0.03), (lower, wide * lower, 0.17), "abdomen"),
    ]
    chest_z = (z["xiphion"] + z["shoulder"]) / 2.0
    upper_rows = [
        ("chest", (0.0, 0.0, chest_z), (upper, wide * upper, 0.19), "thorax"),
        ("shoulders", (0.0, 0.0, z["shoulder"]), (0.6 * upper, 1.1 * figure.shoulder_y, 0.07), "shoulder"),
    ]
    radius = RADII["head"]
    head_rows = [
        ("skull", (head.centre[0], 0.0, z["vertex"] - 1.15 * radius), (radius, radius, 1.15 * radius), "head")
    ]
    neck_rows = _column(
        "neck", at["neck"][0], 0.0, at["head"][2] + 0.02, z["c7"] - 0.04, RADII["Neck"], 1, "neck"
    )
    trunk = [pieces["middle_trunk"], pieces["lower_trunk"]]
    return [
        make_body("LowerTorso", join(trunk), at["root"], _ellipsoids(lower_rows, at["root"])),
        make_body("UpperTorso", pieces["upper_trunk"], at["back"], _ellipsoids(upper_rows, at["back"])),
        make_body("Neck", neck, at["neck"], _ellipsoids(neck_rows, at["neck"])),
        make_body("head", head, at["head"], _ellipsoids(head_rows, at["head"])),
    ]


def _limb_bodies(figure: Figure, at: dict) -> list[Body]:
    z, pieces = figure.z, figure.pieces
    arm, leg = figure.shoulder_y, figure.hip_y
    foot = [("foot", (0.05, leg, 0.035), (0.13, 0.045, 0.035), "foot")]
    rows = {
        "UpperArm": (
            ["upper_arm"],
            "shoulder",
            _column("upper_arm", 0, arm, z["shoulder"], z["elbow"], 0.053, 1, "arm"),
        ),
        "Forearm": (
            ["forearm", "hand"],
            "elbow",
            _column("forearm", 0, arm, z["elbow"], z["fingertip"], 0.042, 2, "arm"),
        ),
        "Thigh": (["thigh"], "hip", _column("thigh", 0, leg, z["hip"], z["knee"], 0.083, 2, "thigh")),
        "Shank": (
            ["shank", "foot"],
            "knee",
            _column("leg", 0, leg, z["knee"], 0.03, 0.057, 2, "shank") + foot,
        ),
    }
    bodies = []
    for name, (segments, joint, shapes) in rows.items():
        piece = join([pieces[segment] for segment in segments])
        left = make_body(name + "L", piece, at[joint], _ellipsoids(shapes, at[joint], "_l"))
        bodies += [left, mirror_body(left, name + "R")]
    return bodies


def _joints(at: dict) -> list[Joint]:
    flip = np.array([1.0, -1.0, 1.0])
    forward, backward = (0.0, -1.0, 0.0), (0.0, 1.0, 0.0)  # flexion of elbow, of knee and head
    root = Joint(
        "rootJoint",
        "free",
        None,
        "LowerTorso",
        T1=frames.transform(frames.CENTRAL, tuple(map(tidy, at["root"]))),
    )
    joints = [
        root,
        _ball("backJnt", "back", "LowerTorso", "UpperTorso", at["root"], at["back"]),
        _ball("torso-neckJnt", "torso_neck", "UpperTorso", "Neck", at["back"], at["neck"]),
        _hinge("head-neckJnt", "head_neck", "Neck", "head", at["neck"], at["head"], backward),
    ]
    for side, letter, m in (("l", "L", np.ones(3)), ("r", "R", flip)):
        right = side == "r"
        shoulder, elbow, hip, knee = (at[name] * m for name in ("shoulder", "elbow", "hip", "knee"))
        joints += [
            _ball(
                f"shoulder{side}Jnt",
                "shoulder",
                "UpperTorso",
                f"UpperArm{letter}",
                at["back"],
                shoulder,
                right,
            ),
            _hinge(
                f"elbow{side}Jnt", "elbow", f"UpperArm{letter}", f"Forearm{letter}", shoulder, elbow, forward
            ),
            _ball(f"hip{side}Jnt", "hip", "LowerTorso", f"Thigh{letter}", at["root"], hip, right),
            _hinge(f"knee{side}Jnt", "knee", f"Thigh{letter}", f"Shank{letter}", hip, knee, backward),
        ]
    return joints


def build_ambrosio() -> Model:
    """The 12-body model, standing."""
    figure = adult_figure("male", STATURE, MASS, "ambrosio")
    head, neck, condyles = head_pieces(figure)
    z = figure.z
    # Joint 1 lies between the 12th thoracic and the 1st lumbar vertebra: at the xiphion's level, behind the middle.
    at = {
        "root": np.array([0.0, 0.0, z["hip"]]),
        "back": np.array([-0.04, 0.0, z["xiphion"]]),
        "neck": np.array([-0.03, 0.0, z["c7"]]),
        "head": condyles,
        "shoulder": np.array([0.0, figure.shoulder_y, z["shoulder"]]),
        "elbow": np.array([0.0, figure.shoulder_y, z["elbow"]]),
        "hip": np.array([0.0, figure.hip_y, z["hip"]]),
        "knee": np.array([0.0, figure.hip_y, z["knee"]]),
    }
    return Model(
        name="ambrosio",
        bodies=[*_central_bodies(figure, head, neck, at), *_limb_bodies(figure, at)],
        joints=_joints(at),
        materials=body_materials(),
        description="Ambrosio's model for impact, 12 bodies and 29 degrees of freedom, 75 kg, standing.",
        version="1",
        sex="male",
        height=STATURE,
        sources=[
            "Ambrosio, Biomechanical model using multibody dynamics for human body impact, tables 1 to 3",
            *figure.sources,
        ],
        notes=[
            "The paper gives no masses and lengths; they are de Leva's for a man of 75 kg and 1.754 m (stature "
            "assumed).",
            "Which movement each quadrant of a cone limits is assumed; the paper shows it only in a figure.",
            "Column 'm_i [g]' of table 2 is a dummy's joint setting, not a torque, and is not used.",
            "Torso breadth is 1.35 times its depth (assumed); the paper gives one radius.",
        ],
    )
