"""Thorax, shoulder, abdomen and hip under blows of an impactor and of the ground."""

import numpy as np

from ...engine.runs.recording import Recording
from ..scenarios.trunk_rigs import abdomen_blow, shoulder_blow, thorax_blow
from .experiment import experiment
from .falls import TONES, fall_scenario
from .row import Row
from .running import AS_GIVEN, Runner, force_on


def _area(ordinate: np.ndarray, abscissa: np.ndarray) -> float:
    """Trapezoidal area under a curve."""
    return float(((ordinate[1:] + ordinate[:-1]) * np.diff(abscissa)).sum() / 2.0)


def thorax_curve(
    speed: float | None, model_name: str, run: Runner = AS_GIVEN
) -> tuple[np.ndarray, np.ndarray]:
    """Way of the sternum towards the spine (m) and force of the impactor (N) from first to last touch."""
    recording = run(thorax_blow(speed, model_name))
    force = force_on(recording, "probe", "impactor")
    depth = -recording.joint_slide[:, recording.joint_names.index("sternumJnt"), 0]
    touching = np.flatnonzero(force > 0.0)
    during = slice(touching[0], touching[-1] + 1)
    return depth[during], force[during]


def thorax_quantities(depth: np.ndarray, force: np.ndarray) -> tuple[float, float, float]:
    """(peak force N, largest way m, hysteresis %) of the curve of a blow."""
    turn = int(depth.argmax())
    loading = _area(force[: turn + 1], depth[: turn + 1])
    given_back = -_area(force[turn:], depth[turn:])
    return float(force.max()), float(depth.max()), 100.0 * (1.0 - given_back / loading)


def thorax_pendulum(run: Runner = AS_GIVEN) -> list[Row]:
    """49 CFR 572.34 at 6.71 m/s on the dummy; cadavers at 4.3 m/s."""
    rows = []
    for name in ("thorax_dummy", "thorax_cadavers"):
        test = experiment(name)
        force, depth, hysteresis = thorax_quantities(
            *thorax_curve(test.set_up["speed"], test.set_up["model"], run)
        )
        found = {"peak force": force, "sternum to spine": 1000.0 * depth, "hysteresis": hysteresis}
        rows += [test.row(quantity, found[quantity]) for quantity in test.quantities]
    return rows


def shoulder_response(speed: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(peak force N, way of the clavicle inward m) of a man's shoulder struck from the side at a speed (m/s)."""
    recording = run(shoulder_blow(speed))
    force = force_on(recording, "probe", "impactor")
    way = -recording.joint_slide[:, recording.joint_names.index("upperback-claviclelJnt"), 1]
    return float(force.max()), float(way.max())


def abdomen_response(speed: float, pressed: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(N/mm when the bar is `pressed` (m) deep towards the spine, largest way of the abdomen's front m)."""
    recording = run(abdomen_blow(speed))
    probe, spine = recording.body_index("probe", "impactor"), recording.body_index("dummy", "LowerBack")
    force = np.linalg.norm(recording.contact_force[:, probe], axis=1)
    depth = recording.position[:, spine, 0] - recording.position[:, probe, 0]
    depth = depth - depth[np.flatnonzero(force > 0.0)[0]]
    at = int(np.flatnonzero(depth >= pressed)[0])
    way = -recording.joint_slide[:, recording.joint_names.index("abdomenJnt"), 0]
    return 1e-3 * float(force[at]) / pressed, float(way.max())


def trunk_blows(run: Runner = AS_GIVEN) -> list[Row]:
    """A man's shoulder struck at 1.5 and 4.5 m/s and his abdomen at 6.1 and 10.4 m/s."""
    rows = []
    for name in ("shoulder_slow", "shoulder_fast"):
        test = experiment(name)
        force, way = shoulder_response(test.set_up["speed"], run)
        remark = f"{force:.0f} N; its plateau is a dummy's"
        rows.append(test.words("clavicle inward", f"{1000 * way:.0f} mm", remark))
    for name in ("abdomen_6", "abdomen_10"):
        test = experiment(name)
        stiffness, way = abdomen_response(test.set_up["speed"], test.set_up["depth"], run)
        remark = f"at {1000 * test.set_up['depth']:.0f} mm; front pressed in by {1000 * way:.0f} mm"
        rows.append(test.words("stiffness", f"{stiffness:.0f} N/mm", remark))
    return rows


def hip_force(recording: Recording) -> float:
    """Largest force of the ground on pelvis and thigh of one side together, N."""
    return max(float(force_on(recording, "person", "pelvis", thigh).max()) for thigh in ("ThighL", "ThighR"))


def hip_impacts(run: Runner = AS_GIVEN) -> list[Row]:
    """Force on the hip of man and woman who fall sideways from standing, limp and with half of the muscle tone."""
    rows, test = [], experiment("hip_fall")
    for name in test.set_up["models"]:
        for tone in TONES[:2]:
            force = hip_force(run(fall_scenario(name, "sideways", test.set_up["lean"], tone)))
            fall = test.of(model=name, tone="limp" if tone is None else "half the tone")
            rows.append(fall.row("force", 1e-3 * force, "mean +- 2 sd; pelvis and thigh together"))
    return rows
