"""A small planar gait model as an OpenSim file: spline knees, a root in the sagittal plane, and muscles of every kind.

Written for the tests, with made-up numbers of human size. The knee slides by splines of its flexion and turns about two
axes by it (about all three where asked for), the root turns and shifts in a plane (its height by a polynomial), hips
have three coordinates and the ankle one that turns it about two axes.
"""

from collections.abc import Sequence

KNEE_X = (-2.1, -1.7, -1.3, -0.9, -0.6, -0.3, 0.0, 0.2)
KNEE_FORWARD = (-0.004, 0.0006, 0.0024, 0.0022, 0.0008, -0.0014, -0.0052, -0.0075)
KNEE_UP = (-0.4226, -0.4154, -0.4112, -0.4082, -0.4023, -0.3989, -0.3961, -0.3955)
KNEE_SPIN = (0.32, 0.29, 0.24, 0.17, 0.1, 0.04, 0.0, -0.01)
KNEE_TILT = (0.05, 0.045, 0.04, 0.03, 0.02, 0.01, 0.0, -0.002)

BODIES = {
    "pelvis": (11.8, (-0.07, 0.0, 0.0), (0.1, 0.087, 0.058)),
    "torso": (34.2, (-0.03, 0.32, 0.0), (1.47, 0.76, 1.43)),
    "femur_r": (9.3, (0.0, -0.17, 0.0), (0.134, 0.035, 0.141)),
    "tibia_r": (3.7, (0.0, -0.187, 0.0), (0.05, 0.0051, 0.0511)),
    "foot_r": (1.3, (0.06, -0.02, 0.0), (0.0014, 0.0039, 0.0041)),
    "femur_l": (9.3, (0.0, -0.17, 0.0), (0.134, 0.035, 0.141)),
    "tibia_l": (3.7, (0.0, -0.187, 0.0), (0.05, 0.0051, 0.0511)),
    "foot_l": (1.3, (0.06, -0.02, 0.0), (0.0014, 0.0039, 0.0041)),
}

Function = tuple[str, Sequence[float], Sequence[float]] | tuple[str, Sequence[float]]


def text(values: Sequence[float]) -> str:
    return " ".join(map(repr, map(float, values)))


def function_text(function: Function, name: str = "function") -> str:
    """Element of a function: ("Constant", [c]), ("LinearFunction", [slope, offset]), ("PolynomialFunction", [...]),
    ("SimmSpline", x, y) or ("MultiplierFunction", [factor], function)."""
    tag = function[0]
    if tag == "Constant":
        return f'<Constant name="{name}"><value>{function[1][0]}</value></Constant>'
    if tag == "MultiplierFunction":
        inner = function_text(function[2], "function")
        return (
            f'<MultiplierFunction name="{name}"><function>{inner}</function>'
            f"<scale>{function[1][0]}</scale></MultiplierFunction>"
        )
    if tag == "SimmSpline":
        return f'<SimmSpline name="{name}"><x>{text(function[1])}</x><y>{text(function[2])}</y></SimmSpline>'
    return f'<{tag} name="{name}"><coefficients>{text(function[1])}</coefficients></{tag}>'


LINE: Function = ("LinearFunction", (1.0, 0.0))
ZERO: Function = ("Constant", (0.0,))


def frame_text(name: str, body: str, place: Sequence[float], turn: Sequence[float]) -> str:
    parent = "/ground" if body == "ground" else f"/bodyset/{body}"
    return (
        f'<PhysicalOffsetFrame name="{name}"><socket_parent>{parent}</socket_parent>'
        f"<translation>{text(place)}</translation><orientation>{text(turn)}</orientation></PhysicalOffsetFrame>"
    )


def coordinate_text(name: str, default: float, low: float, high: float) -> str:
    return (
        f'<Coordinate name="{name}"><default_value>{default}</default_value>'
        f"<range>{low} {high}</range></Coordinate>"
    )


def joint_text(
    name: str,
    ends: tuple[str, Sequence[float], Sequence[float], str, Sequence[float], Sequence[float]],
    coordinates: str,
    axes: Sequence[tuple[str, Sequence[float], Function]],
) -> str:
    """A custom joint. ends: parent, place and turn of the joint in it, then the same of the child. axes: of three
    turns and three shifts the coordinate (empty: none), the direction and the function."""
    parent, place, turn, child, child_place, child_turn = ends
    names = ["rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3"]
    rows = "".join(
        f'<TransformAxis name="{axis}"><coordinates>{coordinate}</coordinates><axis>{text(direction)}</axis>'
        f"{function_text(function)}</TransformAxis>"
        for axis, (coordinate, direction, function) in zip(names, axes, strict=True)
    )
    return (
        f'<CustomJoint name="{name}"><socket_parent_frame>{parent}_offset</socket_parent_frame>'
        f"<socket_child_frame>{child}_offset</socket_child_frame><coordinates>{coordinates}</coordinates>"
        f"<frames>{frame_text(parent + '_offset', parent, place, turn)}"
        f"{frame_text(child + '_offset', child, child_place, child_turn)}</frames>"
        f"<SpatialTransform>{rows}</SpatialTransform></CustomJoint>"
    )


X, Y, Z, NONE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


def joints(turns: int) -> str:
    root = joint_text(
        "ground_pelvis",
        ("ground", NONE, NONE, "pelvis", NONE, NONE),
        coordinate_text("pelvis_tilt", 0.05, -1.5, 1.5)
        + coordinate_text("pelvis_tx", 0.1, -5, 5)
        + coordinate_text("pelvis_ty", 0.95, -1, 2),
        [
            ("pelvis_tilt", Z, LINE),
            ("", X, ZERO),
            ("", Y, ZERO),
            ("pelvis_tx", X, LINE),
            ("pelvis_ty", Y, ("PolynomialFunction", (0.02, 0.0, 1.0, 0.0))),
            ("", Z, ZERO),
        ],
    )
    back = joint_text(
        "back",
        ("pelvis", (-0.1, 0.08, 0.0), (0.0, 0.1, 0.0), "torso", NONE, (0.02, 0.0, 0.0)),
        coordinate_text("lumbar_extension", -0.1, -1.5, 1.5) + coordinate_text("lumbar_bending", 0.0, -1, 1),
        [
            ("lumbar_extension", Z, LINE),
            ("lumbar_bending", (0.8, 0.6, 0.0), LINE),
            ("", Y, ZERO),
            ("lumbar_extension", X, ("MultiplierFunction", (0.01,), LINE)),
            ("", Y, ZERO),
            ("", Z, ("Constant", (0.002,))),
        ],
    )
    return root + back + leg("r", 1.0, turns) + leg("l", -1.0, turns)


def knee_text(side: str, sign: float, turns: int, parent: str) -> str:
    """The knee, which turns about two or three axes and slides with its flexion."""
    flexion = f"knee_angle_{side}"
    spin = ("MultiplierFunction", (sign,), ("SimmSpline", KNEE_X, KNEE_SPIN))
    return joint_text(
        f"knee_{side}",
        (
            parent,
            (0.001, 0.002, 0.0),
            (0.0, 0.0, 0.02),
            f"tibia_{side}",
            (0.0, 0.003, 0.0),
            (0.01, 0, 0),
        ),
        coordinate_text(flexion, -0.3, -2.0, 0.17),
        [
            (flexion, Z, LINE),
            (flexion, X, ("MultiplierFunction", (sign,), ("SimmSpline", KNEE_X, KNEE_TILT))),
            (flexion, Y, spin) if turns == 3 else ("", Y, ZERO),
            (flexion, X, ("SimmSpline", KNEE_X, KNEE_FORWARD)),
            (flexion, Y, ("SimmSpline", KNEE_X, KNEE_UP)),
            ("", Z, ("Constant", (0.001 * sign,))),
        ],
    )


def leg(side: str, sign: float, turns: int) -> str:
    names = [f"hip_{part}_{side}" for part in ("flexion", "adduction", "rotation")]
    hip = joint_text(
        f"hip_{side}",
        ("pelvis", (-0.07, -0.066, 0.083 * sign), NONE, f"femur_{side}", NONE, NONE),
        "".join(coordinate_text(name, 0.1, -2, 2) for name in names),
        [
            (names[0], Z, LINE),
            (names[1], (sign, 0.0, 0.0), LINE),
            (names[2], (0.0, sign, 0.0), LINE),
            ("", X, ZERO),
            ("", Y, ZERO),
            ("", Z, ZERO),
        ],
    )
    knee = knee_text(side, sign, turns, f"femur_{side}")
    ankle = joint_text(
        f"ankle_{side}",
        (f"tibia_{side}", (0.0, -0.43, 0.0), NONE, f"foot_{side}", NONE, NONE),
        coordinate_text(f"ankle_angle_{side}", 0.05, -1, 1),
        [
            (f"ankle_angle_{side}", (-0.1, -0.17, 0.98), LINE),
            (f"ankle_angle_{side}", (0.78, 0.6, -0.12), ("LinearFunction", (0.2, 0.01))),
            ("", Y, ZERO),
            ("", X, ZERO),
            ("", Y, ZERO),
            ("", Z, ZERO),
        ],
    )
    return hip + knee + ankle


def point_text(name: str, body: str, place: Sequence[float]) -> str:
    return (
        f'<PathPoint name="{name}"><socket_parent_frame>/bodyset/{body}</socket_parent_frame>'
        f"<location>{text(place)}</location></PathPoint>"
    )


def conditional_text(
    name: str, body: str, place: Sequence[float], coordinate: str, bounds: Sequence[float]
) -> str:
    return (
        f'<ConditionalPathPoint name="{name}"><socket_parent_frame>/bodyset/{body}</socket_parent_frame>'
        f"<location>{text(place)}</location><socket_coordinate>{coordinate}</socket_coordinate>"
        f"<range>{text(bounds)}</range></ConditionalPathPoint>"
    )


def moving_text(name: str, body: str, coordinate: str, functions: Sequence[Function]) -> str:
    sockets = "".join(f"<socket_{a}_coordinate>{coordinate}</socket_{a}_coordinate>" for a in "xyz")
    places = "".join(
        f"<{a}_location>{function_text(f, f'{a}_location')}</{a}_location>"
        for a, f in zip("xyz", functions, strict=True)
    )
    return (
        f'<MovingPathPoint name="{name}"><socket_parent_frame>/bodyset/{body}</socket_parent_frame>'
        f"{sockets}{places}</MovingPathPoint>"
    )


def muscle_text(name: str, points: Sequence[str]) -> str:
    return (
        f'<Thelen2003Muscle name="{name}"><GeometryPath name="geometrypath"><PathPointSet><objects>'
        f"{''.join(points)}</objects></PathPointSet></GeometryPath>"
        "<max_isometric_force>1000</max_isometric_force><optimal_fiber_length>0.1</optimal_fiber_length>"
        "<tendon_slack_length>0.3</tendon_slack_length></Thelen2003Muscle>"
    )


def muscles(side: str) -> str:
    knee = f"/jointset/knee_{side}/knee_angle_{side}"
    pelvis, femur, tibia, foot = "pelvis", f"femur_{side}", f"tibia_{side}", f"foot_{side}"
    z = 0.08 if side == "r" else -0.08
    hamstrings = [
        point_text("h1", pelvis, (-0.125, -0.1, z)),
        point_text("h2", tibia, (-0.03, -0.036, 0.02)),
        point_text("h3", tibia, (-0.02, -0.06, 0.03)),
    ]
    x = (-2.0, -1.5, -1.0, -0.5, 0.0)
    slide = ("SimmSpline", x, (0.002, 0.012, 0.029, 0.045, 0.05))
    rise = ("SimmSpline", x, (-0.015, 0.002, 0.012, 0.018, 0.022))
    rectus = [
        point_text("r1", pelvis, (-0.03, -0.031, 1.2 * z)),
        conditional_text("r2", femur, (0.033, -0.403, 0.002), knee, (-3.0, -1.4)),
        moving_text("r3", tibia, knee, [slide, rise, ("Constant", (0.001,))]),
        point_text("r4", tibia, (0.04, -0.08, 0.0)),
    ]
    calf = [
        point_text("g1", femur, (-0.02, -0.39, 0.02)),
        conditional_text("g2", femur, (-0.03, -0.4, 0.02), knee, (-0.2, 1.0)),
        point_text("g3", foot, (-0.05, -0.01, 0.0)),
    ]
    return (
        muscle_text(f"hamstrings_{side}", hamstrings)
        + muscle_text(f"rectus_{side}", rectus)
        + muscle_text(f"calf_{side}", calf)
    )


def gait_osim(forces: str = "", turns: int = 2) -> str:
    """The whole file, with more elements of the set of forces where given, and knees that turn about so many axes."""
    bodies = "".join(
        f'<Body name="{name}"><mass>{mass}</mass><mass_center>{text(centre)}</mass_center>'
        f"<inertia>{text((*moments, 0.001, 0.0005, -0.0004))}</inertia></Body>"
        for name, (mass, centre, moments) in BODIES.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" ?><OpenSimDocument Version="40000"><Model name="gait">'
        '<Ground name="ground"/><gravity>0 -9.80665 0</gravity>'
        f'<BodySet name="bodyset"><objects>{bodies}</objects></BodySet>'
        f'<JointSet name="jointset"><objects>{joints(turns)}</objects></JointSet>'
        f'<ForceSet name="forceset"><objects>{muscles("r")}{muscles("l")}{forces}</objects></ForceSet>'
        "</Model></OpenSimDocument>"
    )


def one_body_osim(joint: str) -> str:
    """A file with the shank on the ground by a joint between them."""
    mass, centre, moments = BODIES["tibia_r"]
    body = (
        f'<Body name="tibia_r"><mass>{mass}</mass><mass_center>{text(centre)}</mass_center>'
        f"<inertia>{text((*moments, 0.0, 0.0, 0.0))}</inertia></Body>"
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" ?><OpenSimDocument Version="40000"><Model name="knee">'
        '<Ground name="ground"/><gravity>0 -9.80665 0</gravity>'
        f'<BodySet name="bodyset"><objects>{body}</objects></BodySet>'
        f'<JointSet name="jointset"><objects>{joint}</objects></JointSet></Model></OpenSimDocument>'
    )
