"""Ambrosio's joint data (table 2; docs/derivations.md, Cone of motion) as data.

What the paper leaves open, and how it is read here:

- The directions of the four quadrants are drawn in a figure only. For back, neck and shoulder, I to IV are read as
  front, left, rear, right of a person facing the reader's way (left and right are equal there); for the hip, whose
  large angle stands in column II, as inside, front, outside, rear.
- The zero posture is not stated. Knee (II 90, IV 45) and elbow (I 90, III 45) make sense about a *flexed* zero: 45
  degrees of flexion gives 0 to 135, the clinical range. `flexed_zero` holds that angle; `revolute_limits` moves it to
  the straight limb.
- Column "m_i [g]" is no torque but a dummy's joint setting in multiples of the limb's weight (49 CFR 572), so it is
  kept as `friction_setting` and not used.
- Cones hold no twist; `cone_limits` takes it as an argument.
"""

from dataclasses import dataclass
from math import radians

from ...engine.spec import AxisLimits, ConeLimits, Vector

SOURCE = "Ambrosio, biomechanical model using multibody dynamics for human body impact, table 2"


@dataclass(frozen=True)
class AmbrosioJoint:
    """One row of table 2. Angles in degrees, torque in N m, damping in N m s/rad."""

    quadrant_angles: tuple[float | None, float | None, float | None, float | None]
    """Columns I to IV; None where the table has a dash (revolute joints)."""
    width: float
    friction_setting: float
    """g"""
    torque: float
    damping: float
    flexed_zero: float = 0.0
    """Flexion of the table's zero posture, for revolute joints (our reading)."""

    @property
    def secant_stiffness(self) -> float:
        """Torque over width, N m/rad: 1126 for 226 N m over 11.5 degrees."""
        return self.torque / radians(self.width)


AMBROSIO_TABLE_2: dict[str, AmbrosioJoint] = {
    "back": AmbrosioJoint((40.0, 35.0, 30.0, 35.0), 11.5, 2.0, 226.0, 16.95),
    "torso_neck": AmbrosioJoint((60.0, 40.0, 60.0, 40.0), 15.0, 2.0, 678.0, 3.39),
    "shoulder": AmbrosioJoint((140.0, 90.0, 30.0, 90.0), 11.5, 1.0, 226.0, 3.76),
    "elbow": AmbrosioJoint((90.0, None, 45.0, None), 11.5, 1.0, 226.0, 3.39, flexed_zero=45.0),
    "hip": AmbrosioJoint((10.0, 120.0, 50.0, 45.0), 11.5, 2.0, 452.0, 5.65),
    "knee": AmbrosioJoint((None, 90.0, None, 45.0), 11.5, 1.0, 226.0, 5.65, flexed_zero=45.0),
    "head_neck": AmbrosioJoint((19.0, None, 2.0, None), 15.0, 2.0, 452.0, 16.95),
}


def cone_limits(
    name: str,
    axis: Vector,
    zero_longitude: Vector,
    limb_axis: Vector,
    twist: tuple[float, float] | None = None,
) -> ConeLimits:
    """Cone of a ball joint of table 2.

    The axis and the direction of quadrant I are in the parent joint frame, the limb axis in the child joint frame;
    quadrant II lies at axis x zero_longitude.
    """
    joint = AMBROSIO_TABLE_2[name]
    if None in joint.quadrant_angles:
        raise ValueError(f"'{name}' is a hinge in table 2; use revolute_limits")
    return ConeLimits(
        quadrant_angles=joint.quadrant_angles,
        axis=axis,
        zero_longitude=zero_longitude,
        limb_axis=limb_axis,
        width=joint.width,
        torque=joint.torque,
        twist=twist,
        source=SOURCE,
    )


def revolute_limits(name: str, flexion_sign: float = 1.0) -> AxisLimits:
    """Range of a hinge of table 2, measured from the straight limb; `flexion_sign` -1 where flexion turns negatively.

    The cubic penalty becomes a straight spring of the same secant stiffness, the way AxisLimits work.
    """
    joint = AMBROSIO_TABLE_2[name]
    given = [angle for angle in joint.quadrant_angles if angle is not None]
    if len(given) != 2:
        raise ValueError(f"'{name}' is a ball joint in table 2; use cone_limits")
    flexion, extension = given[0] + joint.flexed_zero, given[1] - joint.flexed_zero
    pair = sorted((flexion_sign * flexion, -flexion_sign * extension))
    return AxisLimits(
        lower=(pair[0], 0.0, 0.0),
        upper=(pair[1], 0.0, 0.0),
        stiffness=joint.secant_stiffness,
        damping=0.01 * joint.secant_stiffness,
        source=f"{SOURCE}; zero moved from {joint.flexed_zero:g} degrees of flexion to the straight limb",
    )
