"""The benchmarks measure what they say: the same bodies in MuJoCo, the mesh they name, and they run. No timings."""

import json
import struct
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from mannequin.benchmarks import __main__ as bench
from mannequin.benchmarks import (
    batch,
    big_scenes,
    cases,
    fresh_process,
    mujoco_model,
    openmbd,
    phases,
    report,
    scaling,
    timing,
    whole_runs,
)
from mannequin.engine import compile_system, run, validate
from mannequin.io_json.model_json import write_model
from mannequin.models.library import load_model


def largest_difference(recording, frame: int, data) -> float:
    """Largest distance of any body's centre of mass from MuJoCo's, m."""
    names = [
        f"{recording.actor_names[actor]}/{name}"
        for name, actor in zip(recording.body_names, recording.body_actor, strict=True)
    ]
    theirs = np.array([data.body(name).xipos for name in names])
    return float(np.abs(theirs - recording.position[frame]).max())


def flight_difference(integrator: str, theirs: mujoco.mjtIntegrator, step: float) -> float:
    """Largest distance (m) from MuJoCo after 10 ms of tumbling in the air, joint limits off, at the same step (s)."""
    case = cases.free_flight(0.01)
    model = mujoco_model.build(case.for_mujoco, fuse=False)
    model.opt.timestep, model.opt.integrator = step, theirs
    data = mujoco_model.start(model, case.for_mujoco)
    scenario = timing.without_limits(case.scenario)
    recording = run(
        replace(scenario, settings=replace(scenario.settings, integrator=integrator, time_step=step))
    )
    assert largest_difference(recording, 0, data) < 1e-12
    mujoco.mj_step(model, data, nstep=round(0.01 / step))
    mujoco.mj_forward(model, data)
    return largest_difference(recording, 10, data)


def test_free_flight_is_the_same_motion_in_mujoco() -> None:
    # The same equations: by a method that both have, even the discrete motion agrees.
    assert flight_difference("runge_kutta_4", mujoco.mjtIntegrator.mjINT_RK4, cases.TIME_STEP) < 1e-11


def test_what_the_timed_integrators_differ_by_is_of_the_order_of_the_step() -> None:
    # Both are symplectic with implicit damping, but this engine's keeps the momentum of free actors besides: a
    # difference of h^2 a step, so of h over a given time.
    coarse, fine = (
        flight_difference("symplectic_euler", mujoco.mjtIntegrator.mjINT_EULER, step)
        for step in (cases.TIME_STEP, cases.TIME_STEP / 2)
    )
    assert coarse < 1e-5
    assert coarse / fine == pytest.approx(2.0, rel=0.01)


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


@pytest.mark.parametrize("name", cases.CASES)
def test_the_people_of_every_case_are_limp(name: str) -> None:
    """MuJoCo gets no motors; what a response does is done by motors too."""
    make, _ = cases.CASES[name]
    assert compile_system(make(0.1).scenario).arrays.joints.motors.gains.shape == (0, 3)


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


def test_the_falls_of_a_batch_start_the_same_in_mujoco() -> None:
    scenarios = batch.sweep(3, 1e-3)
    model = mujoco_model.build(scenarios[0])
    states = batch.start_states(model, scenarios)
    for state, scenario in zip(states, scenarios, strict=True):
        data = mujoco.MjData(model)
        mujoco.mj_setState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        mujoco.mj_forward(model, data)
        root = run(scenario)
        pelvis = data.body(f"{root.actor_names[0]}/{root.body_names[0]}")
        assert np.abs(pelvis.xpos - root.origin(0)[0]).max() < 1e-12
        assert data.qvel[0] == pytest.approx(scenario.actors[0].velocity[0], abs=1e-12)
    assert len({scenario.actors[0].velocity for scenario in scenarios}) == 3


def test_batches_are_measured_and_reported() -> None:
    found = batch.measure(0.01, 1)
    assert found["falls"] == batch.FALLS_PER_CORE * found["threads"]
    assert "ratio by CPU time" in "\n".join(report.batch_lines(found))


def count_operations(case: str) -> dict:
    return fresh_process.ask_module("mannequin.benchmarks.operations", case, MANNEQUIN_INTERPRETED="1")


def test_operations_are_counted_as_by_hand() -> None:
    """The inertia of a body in world axes, written out: see `kinematics.rigid_inertia` and `vector.sym_rotated`."""
    counts = count_operations("free flight")
    bodies = sum(joint.kind.moves for joint in load_model("male").joints)
    inertia = counts["phases"]["own inertia in world axes"]
    # rotation, com, inertia and mass in; com, inertia, J (6), H (9), M (6) out (omega comes later)
    assert inertia["read"] == bodies * (9 + 3 + 6 + 1)
    assert inertia["written"] == bodies * (3 + 6 + 6 + 9 + 6)
    assert counts["step"]["multiply"] > sum(p.get("multiply", 0.0) for p in counts["phases"].values())
    assert "sqrt" not in inertia and counts["phases"]["articulated-body solve"]["divide"] == bodies + 1


def test_functions_of_an_object_file() -> None:
    """A hand-made ELF: a header, a symbol table with one function and one object, and their names."""
    names = b"\0_ZN6engine8dynamics5solveB1v\0table\0"
    symbols = struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 64, 200) + struct.pack("<IBBHQQ", 30, 0x11, 0, 1, 8, 8)
    sections_at = 64 + len(names) + len(symbols)
    head = b"\x7fELF" + bytes(36) + struct.pack("<Q", sections_at) + bytes(10) + struct.pack("<HHH", 64, 2, 0)
    table = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64, len(names), 0, 0, 0, 0)
    table += struct.pack("<IIQQQQIIQQ", 0, 2, 0, 0, 64 + len(names), len(symbols), 0, 0, 0, 24)
    elf = head + names + symbols + table
    assert phases.function_symbols(elf) == [("_ZN6engine8dynamics5solveB1v", 64, 200)]
    assert phases.plain_name("_ZN6engine8dynamics5solveB1v") == "dynamics.solve"


def test_shares_are_of_the_loop_alone() -> None:
    report_of_perf = """
    40.00%  [.] _PyEval_EvalFrameDefault
    30.00%  [.] dynamics.solve_accelerations
    10.00%  [.] detect.find_contacts
     5.00%  [k] exc_page_fault
    """
    assert phases.inside_loop(report_of_perf) == {
        "dynamics.solve_accelerations": pytest.approx(75.0),
        "detect.find_contacts": pytest.approx(25.0),
    }


def test_distance_from_the_limit_by_hand() -> None:
    """A phase of 600 operations that takes half of 1 µs, where the core does 4 in a nanosecond: 0.15 of 0.5 µs."""
    counts = {
        "phases": {"articulated-body solve": {"multiply": 400.0, "add": 199.0, "divide": 1.0, "read": 70.0}}
    }
    free = {"engine_us": {"median": 1.0}, "counts": counts}
    lines = report.limit_table(
        {"peaks": {"scalar": 4.0}, "cases": {"free flight": free}},
        {"dynamics.solve_accelerations": 50.0, "frames.write_bodies": 10.0},
    ).splitlines()
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == [
        "articulated-body solve",
        "600",
        "0.50",
        "0.15",
        "30",
    ]
    assert len(lines) == 3


STAND_IN = {
    "models_config": "class ModelConfig:\n    def __init__(self, mid): self.id = mid\n",
    "models_parser": (
        "import json\nclass JSONModelParser:\n"
        "    def __init__(self, path): self.bodies = json.load(open(path))['bodies']\n"
    ),
    "models_multibody": "class MultibodyHumanModel:\n    def __init__(self, path): self.path = path\n",
    "physics_rigid_body": "class RigidBody:\n    def __init__(self, name, data, mid): self.name = name\n",
    "physics_engine": (
        "class PhysicsEngine:\n"
        "    def add_model(self, model, bodies, config):\n"
        "        print('a word from', bodies[0].name)\n"
        "        self.position = config.pos_str\n"
        "    def step(self):\n"
        "        assert self.dt == 1e-4 and self.position == '0.0 0.0 1.05'\n"
    ),
}
"""Modules with OpenMBD's names and calls, and nothing behind them: OpenMBD itself is not to be had here."""


def test_openmbd_is_run_where_a_checkout_is_given(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv(openmbd.VARIABLE, raising=False)
    assert openmbd.measure(1) is None
    monkeypatch.setenv(openmbd.VARIABLE, str(tmp_path))
    assert "physics_engine.py" in openmbd.measure(1)["error"]
    write_model(load_model("male"), tmp_path / openmbd.MODEL)
    for name, text in STAND_IN.items():
        (tmp_path / f"{name}.py").write_text(text)
    found = openmbd.measure(1)
    assert found["openmbd_us"]["median"] > 0.0 and found["engine_us"]["median"] > 0.0
    assert "times" in report.openmbd_line(found)


def test_files_and_falls_are_measured() -> None:
    found = whole_runs.files(1)
    assert all(entry["median"] > 0.0 for entry in found.values()) and len(found) == 6
    assert whole_runs.loaded_fall(1)["cpu_s"]["median"] > 0.0


def test_the_street_has_twenty_people_and_five_cars_and_runs() -> None:
    scenario = big_scenes.street(1e-3)
    assert len(scenario.actors) == 25
    assert not [issue for issue in validate(scenario) if issue.severity == "error"]
    found = big_scenes.scene("20 people and 5 vehicles", 1e-3) | {"seconds": 1e-3}
    assert found["bodies"] > 20 * 15 and found["twice_mb"] >= found["mb"] > 0.0
    assert "20 people and 5 vehicles" in "\n".join(report.big_scene_lines([found]))


def test_what_a_run_costs_beside_its_steps_is_measured() -> None:
    assert batch.overhead_percent(batch.sweep(2, 0.01), 1)["median"] > 0.0
