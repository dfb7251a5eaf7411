"""A BVH file of somebody who walks, written by hand: joints of a man in centimetres, y up, z forward, arms spread to
a T.

Names are those of Carnegie Mellon University's files. Thighs, shanks and arms swing as sines, the hips go straight
ahead.
"""

import math

SPEED, STRIDE, RATE = 1.4, 1.1, 120
"""m/s, s, frames a second."""
JOINTS = {
    "Hips": (None, (0.0, 94.0, 0.0)),
    "LHipJoint": ("Hips", (0.0, 0.0, 0.0)),
    "LeftUpLeg": ("LHipJoint", (9.0, 0.0, 0.0)),
    "LeftLeg": ("LeftUpLeg", (0.0, -43.0, 0.0)),
    "LeftFoot": ("LeftLeg", (0.0, -44.0, 0.0)),
    "LeftToeBase": ("LeftFoot", (0.0, -6.0, 13.0)),
    "RHipJoint": ("Hips", (0.0, 0.0, 0.0)),
    "RightUpLeg": ("RHipJoint", (-9.0, 0.0, 0.0)),
    "RightLeg": ("RightUpLeg", (0.0, -43.0, 0.0)),
    "RightFoot": ("RightLeg", (0.0, -44.0, 0.0)),
    "RightToeBase": ("RightFoot", (0.0, -6.0, 13.0)),
    "LowerBack": ("Hips", (0.0, 10.0, -3.0)),
    "Spine": ("LowerBack", (0.0, 12.0, 0.0)),
    "Spine1": ("Spine", (0.0, 12.0, 0.0)),
    "Neck": ("Spine1", (0.0, 24.0, 0.0)),
    "Head": ("Neck", (0.0, 9.0, 2.0)),
    "LeftShoulder": ("Spine1", (2.0, 18.0, 0.0)),
    "LeftArm": ("LeftShoulder", (16.0, 0.0, 0.0)),
    "LeftForeArm": ("LeftArm", (28.0, 0.0, 0.0)),
    "LeftHand": ("LeftForeArm", (26.0, 0.0, 0.0)),
    "RightShoulder": ("Spine1", (-2.0, 18.0, 0.0)),
    "RightArm": ("RightShoulder", (-16.0, 0.0, 0.0)),
    "RightForeArm": ("RightArm", (-28.0, 0.0, 0.0)),
    "RightHand": ("RightForeArm", (-26.0, 0.0, 0.0)),
}
ORDER = list(JOINTS)


def angles_at(time):
    """Joint to (Z, X, Y) degrees at a time (s)."""
    phase = 2.0 * math.pi * time / STRIDE
    found = {}
    for side, shift, sign in (("Left", 0.0, 1.0), ("Right", math.pi, -1.0)):
        swing = math.sin(phase + shift)
        found[f"{side}UpLeg"] = (0.0, -22.0 * swing, 0.0)
        found[f"{side}Leg"] = (0.0, 26.0 - 20.0 * math.cos(phase + shift), 0.0)
        found[f"{side}Foot"] = (0.0, 4.0 * swing, 0.0)
        found[f"{side}Arm"] = (-80.0 * sign, 0.0, 18.0 * swing * sign)
        found[f"{side}ForeArm"] = (0.0, 0.0, -20.0 * sign)
    found["LowerBack"] = (0.0, 3.0, 2.0 * math.sin(phase))
    found["Head"] = (0.0, 4.0, -2.0 * math.sin(phase))
    return found


def joint_text(name, depth):
    """The lines of a joint and those below it."""
    tab = "  " * depth
    parent, offset = JOINTS[name]
    head = "ROOT" if parent is None else "JOINT"
    place = "0 0 0" if parent is None else " ".join(f"{x:g}" for x in offset)
    channels = "Zrotation Xrotation Yrotation"
    channels = f"6 Xposition Yposition Zposition {channels}" if parent is None else f"3 {channels}"
    below = [child for child, (above, _) in JOINTS.items() if above == name]
    inner = [line for child in below for line in joint_text(child, depth + 1)]
    if not below:
        inner = [
            f"{tab}  End Site",
            f"{tab}  {{",
            f"{tab}    OFFSET 0 {5 if name == 'Head' else 0} 6",
            f"{tab}  }}",
        ]
    return [
        f"{tab}{head} {name}",
        f"{tab}{{",
        f"{tab}  OFFSET {place}",
        f"{tab}  CHANNELS {channels}",
        *inner,
        f"{tab}}}",
    ]


def written_order(name="Hips"):
    """Joints in the order of the file."""
    below = [child for child, (above, _) in JOINTS.items() if above == name]
    return [name, *(joint for child in below for joint in written_order(child))]


def walking_bvh(path, seconds=2.0):
    """Write the file."""
    lines = [
        "HIERARCHY",
        *joint_text("Hips", 0),
        "MOTION",
        f"Frames: {int(seconds * RATE)}",
        f"Frame Time: {1.0 / RATE:.8f}",
    ]
    for frame in range(int(seconds * RATE)):
        time = frame / RATE
        angles = angles_at(time)
        bob = 94.0 + 2.0 * math.cos(4.0 * math.pi * time / STRIDE)
        row = [0.0, bob, 100.0 * SPEED * time]
        for joint in written_order():
            row += angles.get(joint, (0.0, 0.0, 0.0))
        lines.append(" ".join(f"{x:.6f}" for x in row))
    path.write_text("\n".join(lines) + "\n")
    return path
