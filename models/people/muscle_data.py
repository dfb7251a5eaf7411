"""Published muscle parameters, in the frames and numbers of their sources. `muscles` transfers them to our models.

Positions are metres in the source's body frames: x forward, y up, z to the right; only right sides are listed. Angles
are degrees. Forces are per muscle of one side.

LEG: the lower-limb model with a pin knee and points fixed to the bodies that is used with SCONE (gait0914; C. F. Ong et
al. 2019, PLoS Comput Biol 15:e1006993, after S. Delp et al. 1990, IEEE Trans Biomed Eng 37:757-767, and E. Arnold et
al. 2010, Ann Biomed Eng 38:269-279). Hamstrings are also the example in the Hyfydy manual, 2.4.1. The short head of
biceps femoris and rectus femoris are not in that model and come from OpenSim's Gait10dof18musc, as does the pennation
of the vasti (3 degrees). Rectus femoris there ends in a point that moves with the knee angle, and here in the patellar
point of the vasti. The muscles that turn a leg outward and inward, three parts of gluteus medius and adductor magnus,
are those of OpenSim's Gait2354, whose pelvis and femur have the same frames.
NECK: J. Mortensen, A. Vasavada, A. Merryweather 2018, PLoS ONE 13:e0199912 (model HYOID), after A. Vasavada, S. Li,
S. Delp 1998, Spine 23:412-422. Only muscles that run straight from skull to thorax or clavicle: our neck has two
joints, and attachments on single vertebrae have no counterpart in it.
"""

from dataclasses import dataclass
from pathlib import Path

from ..parts.tables import read_table

FOLDER = Path(__file__).resolve().parent
SOURCES = {
    "gait0914": "gait0914 (Ong et al. 2019, PLoS Comput Biol 15:e1006993; after Delp et al. 1990, IEEE TBME 37:757 and "
    "Arnold et al. 2010, Ann Biomed Eng 38:269)",
    "Gait10dof18musc": "OpenSim Gait10dof18musc (after Delp et al. 1990, IEEE TBME 37:757)",
    "Gait2354": "OpenSim Gait2354 (after Delp et al. 1990, IEEE TBME 37:757)",
    "HYOID": "HYOID model (Mortensen et al. 2018, PLoS ONE 13:e0199912; after Vasavada et al. 1998, Spine 23:412)",
}
"""Model that a muscle is from, to what reports say of it."""

Point = tuple[str, tuple[float, float, float]]


@dataclass(frozen=True)
class PublishedMuscle:
    """A muscle as its source gives it."""

    name: str
    force: float
    """N"""
    fibre: float
    """Optimal fibre length, m."""
    tendon: float
    """Tendon slack length, m."""
    pennation: float
    model: str
    """A key of `SOURCES`."""
    points: str
    """Body and place of each point of the path, one after the other, parted by semicolons."""

    @property
    def path(self) -> tuple[Point, ...]:
        """Body and place (m) of each point."""
        parts = (point.split() for point in self.points.split(";"))
        return tuple((body, tuple(float(number) for number in place)) for body, *place in parts)

    @property
    def source(self) -> str:
        """Where it is published."""
        return SOURCES[self.model]


LEG_JOINTS = {
    "pelvis": (-0.0707, -0.0661, 0.0835),
    "femur": (0.0, 0.0, 0.0),
    "tibia": (0.0, 0.0, 0.0),
    "calcn": (0.04877, 0.04195, -0.00792),
}
"""Where our body's own joint centre lies in the source's frame: hip in the pelvis, hip, knee, ankle."""
LEG_LENGTHS = {"hip_half_width": 0.0835, "thigh": 0.396, "shank": 0.43}
"""m in the source: from the mid-plane to the hip, hip to knee, knee to ankle."""
LEG_MASS = 75.16
"""kg: of the source's model."""
LEG = read_table(FOLDER / "leg_muscles.csv", PublishedMuscle)

THORAX_JOINT = (-0.0475, 0.3613, 0.0)
"""C7-T1 in the frame of the source's spine and ribcage; the skull's frame lies in its own joint."""
CLAVICLE = (-0.0118, 0.3353, 0.022)
"""Origin of the right clavicle's frame in the spine's; it is turned by 8 degrees about y."""
CLAVICLE_TURN = 8.0
NECK = read_table(FOLDER / "neck_muscles.csv", PublishedMuscle)
