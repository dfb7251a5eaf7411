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

LEG_SOURCE = (
    "gait0914 (Ong et al. 2019, PLoS Comput Biol 15:e1006993; after Delp et al. 1990, IEEE TBME 37:757 and Arnold et "
    "al. 2010, Ann Biomed Eng 38:269)"
)
EXTRA_SOURCE = "OpenSim Gait10dof18musc (after Delp et al. 1990, IEEE TBME 37:757)"
SIDE_SOURCE = "OpenSim Gait2354 (after Delp et al. 1990, IEEE TBME 37:757)"
NECK_SOURCE = (
    "HYOID model (Mortensen et al. 2018, PLoS ONE 13:e0199912; after Vasavada et al. 1998, Spine 23:412)"
)

Point = tuple[str, tuple[float, float, float]]


@dataclass(frozen=True)
class PublishedMuscle:
    """A muscle as its source gives it."""

    name: str
    path: tuple[Point, ...]
    force: float
    """N"""
    fibre: float
    """Optimal fibre length, m."""
    tendon: float
    """Tendon slack length, m."""
    pennation: float
    source: str


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

LEG = (
    PublishedMuscle(
        "hamstrings",
        (
            ("pelvis", (-0.12596, -0.10257, 0.06944)),
            ("tibia", (-0.028, -0.02, 0.02943)),
            ("tibia", (-0.021, -0.04, 0.0343)),
        ),
        2594.0, 0.109, 0.31, 0.0, LEG_SOURCE,
    ),
    PublishedMuscle(
        "biceps_femoris_short",
        (
            ("femur", (0.005, -0.2111, 0.0234)),
            ("tibia", (-0.0301, -0.036, 0.02943)),
            ("tibia", (-0.0234, -0.0563, 0.0343)),
        ),
        804.0, 0.173, 0.089, 23.0, EXTRA_SOURCE,
    ),
    PublishedMuscle(
        "gluteus_maximus",
        (
            ("pelvis", (-0.1349, 0.0176, 0.0563)),
            ("pelvis", (-0.1376, -0.052, 0.0914)),
            ("femur", (-0.0426, -0.053, 0.0293)),
            ("femur", (-0.0156, -0.1016, 0.0419)),
        ),
        1944.0, 0.147, 0.127, 0.0, LEG_SOURCE,
    ),
    PublishedMuscle(
        "iliopsoas",
        (
            ("pelvis", (-0.0647, 0.0887, 0.0289)),
            ("pelvis", (-0.03, -0.01, 0.076)),
            ("femur", (0.033, -0.035, 0.0038)),
            ("femur", (-0.0188, -0.0597, 0.0104)),
        ),
        2342.0, 0.1, 0.163, 8.0, LEG_SOURCE,
    ),
    PublishedMuscle(
        "rectus_femoris",
        (("pelvis", (-0.0295, -0.0311, 0.0968)), ("tibia", (0.04, 0.025, 0.0018))),
        1169.0, 0.114, 0.31, 5.0, EXTRA_SOURCE,
    ),
    PublishedMuscle(
        "vasti",
        (
            ("femur", (0.029, -0.1924, 0.031)),
            ("femur", (0.0335, -0.2084, 0.0285)),
            ("tibia", (0.04, 0.025, 0.0018)),
        ),
        4530.0, 0.087, 0.136, 3.0, LEG_SOURCE,
    ),
    PublishedMuscle(
        "gastrocnemius",
        (("femur", (-0.02, -0.386, -0.024)), ("calcn", (0.0, 0.031, -0.0053))),
        2241.0, 0.06, 0.39, 17.0, LEG_SOURCE,
    ),
    PublishedMuscle(
        "soleus",
        (("tibia", (-0.0024, -0.1533, 0.0071)), ("calcn", (0.0, 0.031, -0.0053))),
        3549.0, 0.05, 0.25, 25.0, LEG_SOURCE,
    ),
    PublishedMuscle(
        "tibialis_anterior",
        (
            ("tibia", (0.0179, -0.1624, 0.0115)),
            ("tibia", (0.0329, -0.3951, -0.0177)),
            ("calcn", (0.1166, 0.0178, -0.0305)),
        ),
        1759.0, 0.098, 0.223, 5.0, LEG_SOURCE,
    ),
    PublishedMuscle(
        "gluteus_medius_front",
        (("pelvis", (-0.0408, 0.0304, 0.1209)), ("femur", (-0.0218, -0.0117, 0.0555))),
        1119.0, 0.0535, 0.078, 8.0, SIDE_SOURCE,
    ),
    PublishedMuscle(
        "gluteus_medius_middle",
        (("pelvis", (-0.0855, 0.0445, 0.0766)), ("femur", (-0.0258, -0.0058, 0.0527))),
        873.0, 0.0845, 0.053, 0.0, SIDE_SOURCE,
    ),
    PublishedMuscle(
        "gluteus_medius_back",
        (("pelvis", (-0.1223, 0.0105, 0.0648)), ("femur", (-0.0309, -0.0047, 0.0518))),
        1000.0, 0.0646, 0.053, 19.0, SIDE_SOURCE,
    ),
    PublishedMuscle(
        "adductor_magnus",
        (("pelvis", (-0.0831, -0.1192, 0.0308)), ("femur", (0.0054, -0.2285, 0.0227))),
        2343.0, 0.121, 0.12, 3.0, SIDE_SOURCE,
    ),
)  # fmt: skip

THORAX_JOINT = (-0.0475, 0.3613, 0.0)
"""C7-T1 in the frame of the source's spine and ribcage; the skull's frame lies in its own joint."""
CLAVICLE = (-0.0118, 0.3353, 0.022)
"""Origin of the right clavicle's frame in the spine's; it is turned by 8 degrees about y."""
CLAVICLE_TURN = 8.0

NECK = (
    PublishedMuscle(
        "sternomastoid",
        (("thorax", (-0.0007, 0.3269, 0.0096)), ("skull", (-0.0051, 0.00693, 0.0643))),
        186.165, 0.108, 0.056123, 15.0, NECK_SOURCE,
    ),
    PublishedMuscle(
        "cleidomastoid",
        (("clavicle", (0.00388, 0.00542, 0.0352)), ("skull", (-0.0051, 0.00693, 0.0643))),
        93.0825, 0.108, 0.035198, 15.0, NECK_SOURCE,
    ),
    PublishedMuscle(
        "cleido_occipital",
        (("clavicle", (0.00388, 0.00542, 0.0352)), ("skull", (-0.035, 0.023, 0.0664))),
        93.0825, 0.108, 0.069467, 15.0, NECK_SOURCE,
    ),
    PublishedMuscle(
        "splenius_capitis",
        (("thorax", (-0.10384, 0.33902, 0.003)), ("skull", (-0.04016, 0.011, 0.05423))),
        69.314, 0.095, 0.081861, 0.0, NECK_SOURCE,
    ),
    PublishedMuscle(
        "semispinalis_capitis",
        (("thorax", (-0.08539, 0.37732, 0.0347)), ("skull", (-0.07671, 0.02, 0.0111))),
        89.67, 0.068, 0.06889, 5.0, NECK_SOURCE,
    ),
)  # fmt: skip
