"""The benchmarks measure what they say: the same bodies in MuJoCo, the mesh they name, and they run. No timings."""

import json
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from mannequin.benchmarks import __main__ as bench
from mannequin.benchmarks import cases, mujoco_model, report, scaling, timing
from mannequin.engine import run, validate


def largest_difference(recording, frame: int, data) -> float:
    """Largest distance of any body's centre of mass from MuJoCo's, m."""
    names = [
        f"{recording.actor_names[actor]}/{name}"
        for name, actor in zip(recording.body_names, recording.body_actor, strict=True)
    ]
    theirs = np.array([data.body(name).xipos for name in names])
    return float(np.abs(theirs - recording.position[frame]).max())


def test_free_flight_is_the_same_motion_in_mujoco() -> None:
    # Both step symplectically with implicit damping: with joint limits off, even the discrete motion agrees.
    case = cases.free_flight(0.01)
    model = mujoco_model.build(case.for_mujoco, fuse=False)
    data = mujoco_model.start(model, case.for_mujoco)
    recording = run(timing.without_limits(case.scenario))
    assert largest_difference(recording, 0, data) < 1e-12
    mujoco.mj_step(model, data, nstep=100)
    mujoco.mj_forward(model, data)
    assert largest_difference(recording, 10, data) < 1e-11


@pytest.mark.parametrize("name", ["fall", "tackle", "car and man", "staircase"])
def test_every_case_starts_the_same_in_mujoco(name: str) -> None:
    make, _ = cases.CASES[name]
    case = make(1e-3)
    model = mujoco_model.build(case.for_mujoco, fuse=False)
    data = mujoco_model.start(model, case.for_mujoco)
    recording = run(case.scenario)
    assert largest_difference(recording, 0, data) < 1e-12
    mass = sum(body.mass for actor in case.scenario.actors for body in actor.model.bodies)
    assert model.body_mass.sum() == pytest.approx(mass, rel=1e-12)


def test_fusing_keeps_the_degrees_of_freedom_and_the_mass() -> None:
    scenario = cases.fall(1e-3).for_mujoco
    fused, whole = mujoco_model.build(scenario), mujoco_model.build(scenario, fuse=False)
    assert fused.nbody < whole.nbody
    assert fused.nv == whole.nv
    assert fused.body_mass.sum() == pytest.approx(whole.body_mass.sum(), rel=1e-12)


def test_staircase_mesh_has_two_thousand_triangles_on_the_faces_of_the_boxes() -> None:
    case = cases.staircase(1e-3)
    (mesh,) = case.scenario.obstacles
    assert len(mesh.triangles) == 2000
    tops = {round(2.0 * box.half_size[2], 9) for box in case.for_mujoco.obstacles}
    assert {round(float(z), 9) for z in mesh.vertices[:, 2]} == tops | {0.0}
    corners = mesh.vertices[mesh.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # seen from outside: treads look up, no face looks down
    assert (normals[:, 2] > -1e-12).all() and (normals[:, 2] > 1e-9).any()


@pytest.mark.parametrize("family", scaling.families(1.0), ids=lambda family: family[0])
def test_growing_scenarios_are_valid(family) -> None:
    _, make, sizes = family
    for size in sizes[:2]:
        assert not [issue for issue in validate(make(size)) if issue.severity == "error"]


def test_exponent_of_known_growth() -> None:
    sizes = [10, 20, 50, 100, 200, 400]
    assert scaling.exponent(sizes, [3.0 * n**1.25 for n in sizes]) == pytest.approx(1.25)


def test_contacts_at_once_of_a_resting_man() -> None:
    recording = run(replace(cases.lying_man(0.3), name="rest"))
    touching = (np.linalg.norm(recording.contact_force, axis=2) > 0.0).sum(axis=1).mean()
    # a body may touch with several ellipsoids, never with fewer than one
    assert timing.mean_contacts(recording) >= 0.95 * touching > 1.0


def test_a_small_run_is_saved_whole(tmp_path, monkeypatch) -> None:
    small = {"free flight": (cases.free_flight, 0.05), "fall": (cases.fall, 0.05)}
    monkeypatch.setattr(cases, "CASES", small)
    assert bench.main(["--quick", "--repeats", "1", "--only", "cases", "--out", str(tmp_path)]) == 0
    saved = json.loads((tmp_path / "bench.json").read_text())
    assert [entry["case"] for entry in saved["cases"]] == list(small)
    assert all(entry["degrees_of_freedom"] == entry["mujoco_degrees_of_freedom"] for entry in saved["cases"])
    assert "| fall" in (tmp_path / "bench.md").read_text()
    assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")
    assert report.markdown(saved).startswith("# Benchmark")
