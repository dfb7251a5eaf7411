"""Thorax, shoulder, abdomen and hip under blows of an impactor and of the ground."""

import numpy as np

from ...engine.runs.recording import Recording
from ..scenarios.trunk_rigs import abdomen_blow, shoulder_blow, thorax_blow
from .falls import TONES, fall_scenario
from .row import MEMORY_MEDIUM, READ, Comparison, Row, Source
from .running import AS_GIVEN, Runner

CADAVER_CHESTS = Source(
    "Yoganandan et al. 1996, AAAM 40:33, five cadavers, lower front of the thorax, range", MEMORY_MEDIUM
)


def _area(ordinate: np.ndarray, abscissa: np.ndarray) -> float:
    """Trapezoidal area under a curve."""
    return float(((ordinate[1:] + ordinate[:-1]) * np.diff(abscissa)).sum() / 2.0)


def thorax_response(
    speed: float | None, model_name: str = "hybrid3_50th", run: Runner = AS_GIVEN
) -> tuple[float, float, float]:
    """(peak force N, way of the sternum towards the spine m, hysteresis %) of the thorax struck at a speed (m/s)."""
    recording = run(thorax_blow(speed, model_name))
    probe = recording.body_index("probe", "impactor")
    force = np.linalg.norm(recording.contact_force[:, probe], axis=1)
    depth = -recording.joint_slide[:, recording.joint_names.index("sternumJnt"), 0]
    touching = np.flatnonzero(force > 0.0)
    first, last = touching[0], touching[-1]
    turn = int(depth.argmax())
    loading = _area(force[first : turn + 1], depth[first : turn + 1])
    given_back = -_area(force[turn : last + 1], depth[turn : last + 1])
    return float(force.max()), float(depth.max()), 100.0 * (1.0 - given_back / loading)


def thorax_pendulum(run: Runner = AS_GIVEN) -> list[Row]:
    """49 CFR 572.34 at 6.71 m/s: 5527 +- 367 N, 68.1 +- 4.6 mm, hysteresis 69 to 85 %; cadavers at 4.3 m/s."""
    dummy = Comparison(
        "torso",
        "Thorax pendulum",
        Source("49 CFR 572.34", READ),
        fitted="sternum's spring and damper, rib skin",
    )
    remark = "free dummy without gravity"
    force, depth, hysteresis = thorax_response(6.71, run=run)
    rows = [
        dummy.row("peak force", force, "N", (5160.0, 5894.0), remark, 0),
        dummy.row("sternum to spine", 1000 * depth, "mm", (63.5, 72.7), remark, 1),
        dummy.row("hysteresis", hysteresis, "%", (69.0, 85.0), remark, 0),
    ]
    force, depth, _ = thorax_response(4.3, "male", run)
    made_for = "factor of the thorax' force curve at 4.3 m/s"
    man = Comparison("torso", "Thorax pendulum, 4.3 m/s", CADAVER_CHESTS, fitted=made_for)
    remark = "the shipped man; his spring and damper are Lobdell's"
    return [
        *rows,
        man.row("peak force", force, "N", (1900.0, 2700.0), remark, 0),
        man.row("sternum to spine", 1000 * depth, "mm", (34.0, 85.0), remark, 1),
    ]


SHOULDERS = Source("Compigne et al. 2003, IRCOBI, cadavers struck by 23.4 kg from the side: averages", READ)
ABDOMENS = Source("Cavanaugh et al. 1986, SAE 861878", MEMORY_MEDIUM)
HIPS = Source(
    "Lim and Choi 2020, Osteoporos Int: hip impact force of falls from standing, 4.0 +- 1.7 kN", READ
)
PRESSED = 0.08
"""m at which the stiffness of the abdomen is read."""


def shoulder_response(speed: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(peak force N, way of the clavicle inward m) of a man's shoulder struck from the side at a speed (m/s)."""
    recording = run(shoulder_blow(speed))
    force = np.linalg.norm(recording.contact_force[:, recording.body_index("probe", "impactor")], axis=1)
    way = -recording.joint_slide[:, recording.joint_names.index("upperback-claviclelJnt"), 1]
    return float(force.max()), float(way.max())


def abdomen_response(speed: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(N/mm when the bar is 80 mm deep towards the spine, largest way of the abdomen's front m)."""
    recording = run(abdomen_blow(speed))
    probe, spine = recording.body_index("probe", "impactor"), recording.body_index("dummy", "LowerBack")
    force = np.linalg.norm(recording.contact_force[:, probe], axis=1)
    depth = recording.position[:, spine, 0] - recording.position[:, probe, 0]
    depth = depth - depth[np.flatnonzero(force > 0.0)[0]]
    at = int(np.flatnonzero(depth >= PRESSED)[0])
    way = -recording.joint_slide[:, recording.joint_names.index("abdomenJnt"), 0]
    return 1e-3 * float(force[at]) / PRESSED, float(way.max())


def trunk_blows(run: Runner = AS_GIVEN) -> list[Row]:
    """A man's shoulder struck at 1.5 and 4.5 m/s and his abdomen at 6.1 and 10.4 m/s."""
    rows = []
    for speed, published in ((1.5, "about 30 mm"), (4.5, "about 60 mm (4 to 6 m/s, with fractures)")):
        force, way = shoulder_response(speed, run)
        blow = Comparison("torso", f"Shoulder, 23.4 kg at {speed:g} m/s", SHOULDERS)
        remark = f"{force:.0f} N; its plateau is a dummy's"
        rows.append(blow.words("clavicle inward", published, f"{1000 * way:.0f} mm", remark))
    for speed, published in ((6.1, "20 N/mm"), (10.4, "70 N/mm")):
        stiffness, way = abdomen_response(speed, run)
        blow = Comparison(
            "torso", f"Abdomen, bar of 48 kg at {speed:g} m/s", ABDOMENS, fitted="abdomen's spring and damper"
        )
        remark = f"at 80 mm; front pressed in by {1000 * way:.0f} mm"
        rows.append(blow.words("stiffness", published, f"{stiffness:.0f} N/mm", remark))
    return rows


def hip_force(recording: Recording) -> float:
    """Largest force of the ground on pelvis and thigh of one side together, N."""
    return max(
        float(
            np.linalg.norm(
                sum(
                    recording.contact_force[:, recording.body_index("person", name)]
                    for name in ("pelvis", thigh)
                ),
                axis=1,
            ).max()
        )
        for thigh in ("ThighL", "ThighR")
    )


def hip_impacts(run: Runner = AS_GIVEN) -> list[Row]:
    """Force on the hip of man and woman who fall sideways from standing, limp and with half of the muscle tone."""
    rows = []
    for name in ("male", "female"):
        for tone in TONES[:2]:
            force = hip_force(run(fall_scenario(name, "sideways", 5.0, tone)))
            label = f"Hip, {name}, {'limp' if tone is None else 'half the tone'}, sideways from 5 degrees"
            fall = Comparison("torso", label, HIPS, fitted="force curve of the pelvis beyond 30 mm")
            remark = "mean +- 2 sd; pelvis and thigh together"
            rows.append(fall.row("force", 1e-3 * force, "kN", (0.6, 7.4), remark))
    return rows
