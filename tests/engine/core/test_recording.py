"""What a recording says of every authored body and joint, fixed ones included; frames survive cancel and disk."""

import gc
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from busy_scene import busy_scenario
from mechanisms import energies, free_space, point_pendulum, scenario_of, shifted, single_body
from scipy.spatial.transform import Rotation

from mannequin.engine import ENERGY_TERMS, Body, ForcePulse, Joint, Model, Simulation, compile_system, run
from mannequin.engine.step.frames import FRAME_SHAPES

SIMULATE = sys.modules["mannequin.engine.runs.simulation"]
G = np.array([0.0, 0.0, -9.81])
CUBE = (0.1, 0.1, 0.1, 0, 0, 0)


class TestFixedJoints:
    """A turntable with a body fixed 1 m off the axis, turned by 10 rad/s (docs/derivations.md, Differences from
    OpenMBD)."""

    TURN = Rotation.from_euler("ZYX", (30.0, 0.0, 0.0), degrees=True).as_matrix()

    def model(self):
        joints = [
            Joint("root", "free", None, "table"),
            Joint(
                "bolt",
                "fixed",
                "table",
                "arm",
                T1=shifted(1.0, 0.0, 0.0, self.TURN),
                T2=shifted(0.0, 0.0, 0.1),
            ),
            Joint("screw", "fixed", "arm", "tip", T1=shifted(0.0, 0.2, 0.0)),
        ]
        bodies = [
            Body("table", 1e5, (1e5, 1e5, 1e5, 0, 0, 0)),
            Body("arm", 2.0, (0.1, 0.2, 0.15, 0.01, 0.02, -0.01), center_of_mass=(0.0, 0.0, 0.1)),
            Body("tip", 0.5, CUBE),
        ]
        return Model("turntable", bodies, joints)

    @pytest.fixture(scope="class")
    def recording(self):
        settings = free_space(gravity=(0, 0, 0), duration=0.1)
        return run(scenario_of(self.model(), settings, angular_velocity=(0.0, 0.0, 10.0)))

    def test_pose_velocity_and_acceleration_by_hand(self, recording):
        """The arm's centre of mass sits on the joint (T2 inverse takes it there): 1 m from the axis."""
        assert recording.position[0, 1] == pytest.approx([1.0, 0.0, 0.0], abs=1e-5)
        assert recording.velocity[0, 1] == pytest.approx([0.0, 10.0, 0.0], abs=1e-3)
        assert recording.acceleration[0, 1] == pytest.approx([-100.0, 0.0, 0.0], rel=1e-4, abs=1e-2)
        assert recording.angular_velocity[:, 1] == pytest.approx(recording.angular_velocity[:, 0])
        tip = np.array([1.0, 0.0, 0.0]) + self.TURN @ [0.0, 0.2, -0.1]
        assert recording.position[0, 2] == pytest.approx(tip, abs=1e-5)
        assert recording.velocity[0, 2] == pytest.approx(10.0 * np.array([-tip[1], tip[0], 0.0]), abs=1e-2)
        assert recording.rotation(1)[0] == pytest.approx(self.TURN, abs=1e-12)

    def test_origin_is_the_authored_frame(self, recording):
        assert recording.origin(1)[0] == pytest.approx([1.0, 0.0, -0.1], abs=1e-12)

    def test_reactions_of_fixed_joints_are_centripetal(self, recording):
        # screw: holds the tip; bolt: holds arm and tip; root: a free joint carries nothing
        force = recording.reaction_force[0]
        assert force[2] == pytest.approx(0.5 * recording.acceleration[0, 2], rel=1e-12)
        both = 2.0 * recording.acceleration[0, 1] + 0.5 * recording.acceleration[0, 2]
        assert force[1] == pytest.approx(both, rel=1e-12)
        assert force[1][0] == pytest.approx(-2.5 * 100.0, rel=0.05)
        assert force[0] == pytest.approx([0, 0, 0], abs=1e-7)

    def test_nothing_is_said_to_turn_in_a_fixed_joint(self, recording):
        assert not recording.joint_angle[:, 1:].any() and not recording.joint_rate[:, 1:].any()

    def test_fixed_to_the_ground(self):
        """A post that never moves carries its own weight and that of the pendulum on it."""
        post = Model(
            "post",
            [Body("post", 5.0, CUBE), Body("bob", 2.0, CUBE, center_of_mass=(0.0, 0.0, -0.4))],
            [
                Joint("footing", "fixed", None, "post", T1=shifted(0.0, 0.0, 1.0)),
                Joint("hinge", "revolute", "post", "bob", T1=shifted(0.3, 0.0, 0.5), axis=(0.0, 1.0, 0.0)),
            ],
        )
        recording = run(scenario_of(post, free_space(duration=0.05)))
        assert np.ptp(recording.position, axis=0) == pytest.approx(0.0, abs=1e-12)
        assert recording.reaction_force[-1, 1] == pytest.approx(-2.0 * G, abs=1e-9)
        assert recording.reaction_force[-1, 0] == pytest.approx(-7.0 * G, abs=1e-9)
        # the bob hangs 0.3 m out: the footing holds its moment about its own joint centre
        moment = np.cross([0.3, 0.0, 0.5], -2.0 * G)
        assert recording.reaction_moment[-1, 0] == pytest.approx(moment, abs=1e-9)
        assert recording.acceleration[:, 0] == pytest.approx(0.0, abs=1e-12)

    def test_all_fixed(self):
        model = single_body(joint=Joint("footing", "fixed", None, "body", T1=shifted(0.0, 0.0, 1.0)))
        recording = run(scenario_of(model, free_space(duration=0.01)))
        assert recording.status == "completed"
        assert recording.position[-1, 0] == pytest.approx([0.0, 0.0, 1.0])
        assert recording.reaction_force[-1, 0] == pytest.approx(-G)


def spinning_chain(**settings):
    """Free root, ball, fixed, hinge, thrown and spinning: smooth, so that differences of frames are accurate."""
    turn = Rotation.from_euler("ZYX", (40.0, 20.0, -30.0), degrees=True).as_matrix()
    bodies = [
        Body(name, mass, (0.3, 0.2, 0.25, 0.02, -0.01, 0.03), center_of_mass=com)
        for name, mass, com in [
            ("a", 3.0, (0.1, 0, 0)),
            ("b", 1.0, (0, 0.1, 0.2)),
            ("c", 2.0, (0.1, 0.1, 0)),
            ("d", 1.0, (0, 0, 0.3)),
        ]
    ]
    joints = [
        Joint("root", "free", None, "a", T2=shifted(0.0, 0.1, 0.0, turn)),
        Joint("ball", "spherical", "a", "b", T1=shifted(0.2, 0.1, 0.3, turn), T2=shifted(0.0, 0.1, 0.2)),
        Joint("bolt", "fixed", "b", "c", T1=shifted(0.3, 0.0, 0.1, turn)),
        Joint("hinge", "revolute", "c", "d", T1=shifted(0.0, 0.0, -0.4), axis=(0.6, 0.0, 0.8)),
    ]
    return scenario_of(
        Model("chain", bodies, joints),
        free_space(
            **(
                {"duration": 0.2, "output_step": 1e-3, "time_step": 1e-3, "integrator": "runge_kutta_4"}
                | settings
            )
        ),
        position=(0.0, 0.0, 5.0),
        orientation=(10.0, 20.0, 30.0),
        velocity=(1.0, 2.0, 3.0),
        angular_velocity=(3.0, -2.0, 4.0),
        joint_angles={"ball": (20.0, -30.0, 10.0), "hinge": (40.0, 0.0, 0.0)},
        joint_velocities={"ball": (2.0, 1.0, -3.0), "hinge": (5.0, 0.0, 0.0)},
    )


class TestRates:
    """Velocities and accelerations are the rates of positions and velocities, by differences of order four."""

    @pytest.fixture(scope="class")
    def recording(self):
        return run(spinning_chain())

    @staticmethod
    def rate(values, step):
        return (8.0 * (values[3:-1] - values[1:-3]) - (values[4:] - values[:-4])) / (12.0 * step)

    def test_velocity(self, recording):
        assert recording.velocity[2:-2] == pytest.approx(self.rate(recording.position, 1e-3), abs=1e-7)

    def test_acceleration_includes_velocity_products(self, recording):
        assert recording.acceleration[2:-2] == pytest.approx(self.rate(recording.velocity, 1e-3), abs=1e-5)

    def test_angular_acceleration(self, recording):
        expected = self.rate(recording.angular_velocity, 1e-3)
        assert recording.angular_acceleration[2:-2] == pytest.approx(expected, abs=1e-4)

    def test_angular_velocity(self, recording):
        for body in range(4):
            R = recording.rotation(body)
            skew = self.rate(R, 1e-3) @ np.swapaxes(R[2:-2], -1, -2)
            omega = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], -1)
            assert recording.angular_velocity[2:-2, body] == pytest.approx(omega, abs=1e-6)

    def test_joint_rate_is_the_difference_of_the_bodies_turns(self, recording):
        """In child joint axes (T2)."""
        for joint, parent in ((1, 0), (3, 2)):
            relative = recording.angular_velocity[:, joint] - recording.angular_velocity[:, parent]
            T2 = np.array(spinning_chain().actors[0].model.joints[joint].T2)[:3, :3]
            frames = recording.rotation(joint) @ T2
            assert recording.joint_rate[:, joint] == pytest.approx(
                np.einsum("fji,fj->fi", frames, relative), abs=1e-12
            )

    def test_joint_angle_is_the_turn_between_the_joint_frames(self, recording):
        chain = spinning_chain().actors[0].model
        for joint, parent in ((1, 0), (3, 2)):
            T1, T2 = (np.array(T)[:3, :3] for T in (chain.joints[joint].T1, chain.joints[joint].T2))
            first, second = recording.rotation(parent) @ T1, recording.rotation(joint) @ T2
            turn = Rotation.from_matrix(np.swapaxes(first, -1, -2) @ second)
            stored = Rotation.from_rotvec(recording.joint_angle[:, joint])
            assert (turn * stored.inv()).magnitude() == pytest.approx(0.0, abs=1e-12)

    def test_root_angle_is_the_turn_of_its_joint_frame_in_the_world(self, recording):
        T2 = np.array(spinning_chain().actors[0].model.joints[0].T2)[:3, :3]
        turn = Rotation.from_matrix(recording.rotation(0) @ T2)
        stored = Rotation.from_rotvec(recording.joint_angle[:, 0])
        assert (turn * stored.inv()).magnitude() == pytest.approx(0.0, abs=1e-12)


class TestReactions:
    def test_hanging_chain_carries_the_weight_below(self):
        model = point_pendulum("spherical", 0.5, 6)
        model.bodies = [replace(body, mass=k + 1.0, inertia=CUBE) for k, body in enumerate(model.bodies)]
        recording = run(scenario_of(model, free_space(duration=0.02)))
        below = np.cumsum([body.mass for body in model.bodies][::-1])[::-1]
        assert recording.reaction_force[-1] == pytest.approx(-below[:, None] * G, abs=1e-8)
        assert recording.reaction_moment[-1] == pytest.approx(0.0, abs=1e-8)

    def test_cantilever_of_fixed_joints(self):
        """Bodies of 1 kg every half metre along x: shear and bending moment by hand."""
        bodies = [Body(f"{k}", 1.0, CUBE, center_of_mass=(0.25, 0.0, 0.0)) for k in range(4)]
        joints = [
            Joint(
                f"j{k}", "fixed", f"{k - 1}" if k else None, f"{k}", T1=shifted(0.5 if k else 0.0, 0.0, 0.0)
            )
            for k in range(4)
        ]
        recording = run(scenario_of(Model("beam", bodies, joints), free_space(duration=0.01)))
        for k in range(4):
            n = 4 - k
            assert recording.reaction_force[-1, k] == pytest.approx(-n * G)
            # weights at 0.25, 0.75, ... beyond the joint, held by a moment about -y
            arm = sum(0.25 + 0.5 * i for i in range(n))
            assert recording.reaction_moment[-1, k] == pytest.approx(np.cross([arm, 0, 0], -G))

    def test_spinning_rod_is_held_by_m_r_omega_squared(self):
        joint = Joint("axle", "revolute", None, "body", axis=(0.0, 0.0, 1.0))
        rod = single_body(3.0, (0.01, 0.2, 0.2, 0, 0, 0), joint, center_of_mass=(0.4, 0.0, 0.0))
        settings = free_space(gravity=(0, 0, 0), duration=0.2)
        recording = run(scenario_of(rod, settings, joint_velocities={"axle": (7.0, 0.0, 0.0)}))
        outward = recording.position[:, 0] / 0.4
        assert recording.reaction_force[:, 0] == pytest.approx(-3.0 * 0.4 * 49.0 * outward, abs=1e-9)

    def test_external_force_is_not_a_reaction(self):
        """A pulse on a free body leaves its root joint without a force."""
        pulse = ForcePulse("body", (50.0, 0.0, 0.0), 0.0, 0.1, point=(0.0, 0.1, 0.0))
        recording = run(scenario_of(single_body(), free_space(duration=0.1), force_pulses=[pulse]))
        assert np.abs(recording.acceleration[:, 0, 0]).max() > 49.0
        assert recording.reaction_force == pytest.approx(0.0, abs=1e-10)
        assert recording.reaction_moment == pytest.approx(0.0, abs=1e-10)

    def test_newton_euler_of_every_body(self):
        """m a and the rate of spin of each body are what its reactions, contacts and weight add up to."""
        scenario = busy_scenario(duration=0.15)
        scenario.springs, scenario.welds = [], []
        recording = run(scenario)
        assert np.abs(recording.contact_force).max() > 100.0
        parents = [-1, 0, 1, 2, -1, 4, 5, 6]
        total = recording.reaction_force + recording.contact_force + recording.body_mass[:, None] * G
        for child, parent in enumerate(parents):
            if parent >= 0:
                total[:, parent] -= recording.reaction_force[:, child]
        expected = recording.body_mass[:, None] * recording.acceleration
        assert total == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
        # roots are free: nothing holds them
        peak = np.abs(recording.contact_force).max()
        assert np.abs(recording.reaction_force[:, [0, 4]]).max() < 1e-9 * peak

    def test_not_recorded_when_not_asked_for(self):
        recording = run(scenario_of(single_body(), free_space(duration=0.01, reactions=False)))
        assert recording.reaction_force.shape == (11, 0, 3)


class TestSizes:
    def test_single_body(self):
        """A model of one body never moves in OpenMBD (docs/derivations.md, Differences from OpenMBD)."""
        recording = run(scenario_of(single_body(), free_space(duration=0.1)))
        assert recording.position.shape == (101, 1, 3)
        assert recording.velocity[-1, 0, 2] == pytest.approx(-0.981, abs=1e-9)

    @pytest.mark.parametrize("joint_type", ["spherical", "revolute"])
    def test_chain_of_two_hundred_bodies(self, joint_type):
        """Swung from the horizontal: energy stays, and the first joint holds what accelerates all."""
        model = point_pendulum(joint_type, 0.05, 200)
        model.bodies = [
            replace(body, inertia=(1e-4, 1e-4, 1e-4, 0, 0, 0), mass=0.05) for body in model.bodies
        ]
        angle = (80.0, 0.0, 0.0) if joint_type == "revolute" else (0.0, 80.0, 0.0)
        settings = free_space(duration=0.1, integrator="runge_kutta_4", time_step=5e-4, output_step=1e-2)
        scenario = scenario_of(model, settings, joint_angles={"joint 0": angle})
        recording = run(scenario)
        assert recording.position.shape == (11, 200, 3)
        kinetic, gravity = energies(scenario, recording)
        assert kinetic[-1] > 1.0
        assert kinetic + gravity == pytest.approx(kinetic[0] + gravity[0], abs=1e-6 * kinetic[-1])
        total = (0.05 * (recording.acceleration - G)).sum(1)
        assert recording.reaction_force[:, 0] == pytest.approx(total, abs=1e-9 * np.abs(total).max())

    def test_fixed_chain_of_two_hundred_bodies_is_one(self):
        joints = [
            Joint(
                f"j{k}", "fixed" if k else "free", f"{k - 1}" if k else None, f"{k}", T1=shifted(0.01, 0, 0)
            )
            for k in range(200)
        ]
        system = compile_system(
            scenario_of(Model("bar", [Body(f"{k}", 1.0, CUBE) for k in range(200)], joints))
        )
        assert system.degrees_of_freedom == 6 and len(system.body_names) == 200


class TestLedger:
    def test_columns_and_residual(self):
        scenario = busy_scenario()
        recording = run(scenario)
        assert recording.energy.shape == (recording.frames, len(ENERGY_TERMS))
        column = dict(zip(ENERGY_TERMS, recording.energy.T, strict=True))
        kinetic, gravity = energies(scenario, recording)
        assert column["kinetic"] == pytest.approx(kinetic, rel=1e-11)
        assert column["gravity"] == pytest.approx(gravity, rel=1e-11)
        works = recording.energy[:, 2:-1].sum(1)
        balance = kinetic + gravity - (kinetic[0] + gravity[0]) - works
        assert column["residual"] == pytest.approx(balance, abs=1e-9 * kinetic[0])
        assert not recording.energy[0, 2:].any()
        # all that acts here is in the ledger, and what takes energy takes it
        for taker in ("contact", "friction", "joint_damping"):
            assert column[taker][-1] < -0.01, taker
        for other in ("actuators", "connections"):
            assert np.abs(column[other]).max() > 1e-3, other
        # closed within 1 % of the energy that moved
        moved = kinetic[0] + np.abs(recording.energy[-1, 2:-1]).sum()
        assert abs(column["residual"][-1]) < 0.01 * moved

    def test_work_of_a_pulse_is_force_times_way(self):
        pulse = ForcePulse("body", (50.0, 0.0, 0.0), 0.0, 0.1)
        settings = free_space(duration=0.1, gravity=(0, 0, 0))
        recording = run(scenario_of(single_body(2.0), settings, force_pulses=[pulse]))
        speed = 2 * 50.0 * 0.1 / np.pi / 2.0
        work = recording.energy[-1, ENERGY_TERMS.index("actuators")]
        assert work == pytest.approx(0.5 * 2.0 * speed**2, rel=1e-9)


class TestCancel:
    def test_keeps_the_frames_computed(self):
        whole = run(busy_scenario())
        seen = []
        cut = run(busy_scenario(), progress=seen.append, cancel=lambda: len(seen) == 40)
        assert cut.status == "cancelled"
        assert 40 <= cut.frames < whole.frames
        assert cut.position.tobytes() == whole.position[: cut.frames].tobytes()
        assert cut.energy.tobytes() == whole.energy[: cut.frames].tobytes()

    def test_watched_or_not_a_run_is_the_same(self):
        seen, asked = [], []
        watched = run(busy_scenario(), progress=seen.append)
        assert len(seen) == watched.frames
        for cancel in (None, lambda: bool(asked.append(1))):
            unwatched = run(busy_scenario(), cancel=cancel)
            assert unwatched.status == watched.status == "completed"
            assert all(getattr(unwatched, n).tobytes() == getattr(watched, n).tobytes() for n in FRAME_SHAPES)
            assert unwatched.contacts.tobytes() == watched.contacts.tobytes()
        assert 1 <= len(asked) < watched.frames

    def test_an_unwatched_run_is_cancelled_too(self):
        whole, cut = run(busy_scenario()), run(busy_scenario(), cancel=lambda: True)
        assert cut.status == "cancelled" and 1 <= cut.frames < whole.frames
        assert cut.position.tobytes() == whole.position[: cut.frames].tobytes()

    def test_progress_counts_up(self):
        seen = []
        recording = run(busy_scenario(duration=0.05), progress=seen.append)
        assert [p.frame for p in seen] == list(range(1, recording.frames + 1))
        assert [p.time for p in seen] == pytest.approx(recording.times)
        assert {p.frames for p in seen} == {recording.frames}

    def test_stopping_to_iterate_keeps_them_too(self):
        simulation = Simulation(compile_system(busy_scenario()))
        for progress in simulation.advance():
            if progress.frame == 10:
                break
        recording = simulation.recording()
        assert recording.frames >= 10 and recording.status == "cancelled"


class TestDisk:
    def test_same_arrays_and_the_folder_goes_away_with_them(self, monkeypatch, tmp_path):
        in_memory = run(busy_scenario())
        monkeypatch.setattr(SIMULATE, "LARGEST_IN_MEMORY", 0)
        simulation = Simulation(compile_system(busy_scenario()), folder=tmp_path)
        for _ in simulation.advance():
            pass
        recording = simulation.recording()
        del simulation
        assert isinstance(recording.position, np.memmap)
        for name in ("times", *FRAME_SHAPES, "energy"):
            assert getattr(recording, name).tobytes() == getattr(in_memory, name).tobytes(), name
        assert len(list(tmp_path.iterdir())) == 1
        one, names = recording.velocity, recording.body_names
        del recording
        gc.collect()
        # one array is still in use, so its file is still there
        assert one.tobytes() == in_memory.velocity.tobytes() and len(names) == 8
        del one
        gc.collect()
        assert not list(tmp_path.iterdir())

    def test_a_view_keeps_the_data(self, monkeypatch, tmp_path):
        monkeypatch.setattr(SIMULATE, "LARGEST_IN_MEMORY", 0)
        simulation = Simulation(compile_system(busy_scenario()), folder=tmp_path)
        for _ in simulation.advance():
            pass
        height = simulation.recording().position[:, 0, 2]
        del simulation
        gc.collect()
        assert height.sum() == run(busy_scenario()).position[:, 0, 2].sum()

    def test_cancelled_runs_on_disk(self, monkeypatch, tmp_path):
        monkeypatch.setattr(SIMULATE, "LARGEST_IN_MEMORY", 0)
        simulation = Simulation(compile_system(busy_scenario()), folder=tmp_path)
        for progress in simulation.advance():
            if progress.frame == 30:
                break
        recording = simulation.recording()
        assert recording.frames >= 30 and recording.position.shape[0] == recording.frames
        assert np.isfinite(recording.position).all()

    def test_memory_is_bounded(self, monkeypatch, tmp_path):
        """A recording ten times as long takes no more memory while it is computed."""
        monkeypatch.setattr(SIMULATE, "LARGEST_IN_MEMORY", 1_000_000)
        monkeypatch.setattr(SIMULATE, "LARGEST_BUFFER", 1_000_000)
        peaks = []
        for duration in (4.0, 40.0):
            scenario = scenario_of(
                point_pendulum("spherical", 0.3, 5),
                free_space(duration=duration, time_step=1e-3, output_step=1e-3),
            )
            simulation = Simulation(compile_system(scenario), folder=tmp_path)
            tracemalloc.start()
            for _ in simulation.advance():
                pass
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            stored = sum(path.stat().st_size for path in Path(tmp_path).rglob("*") if path.is_file())
            del simulation
            gc.collect()
        assert stored > 50_000_000
        assert peaks[1] < 1.2 * peaks[0] + 1_000_000 and peaks[1] < 10_000_000


def test_names_and_indices():
    recording = run(busy_scenario(duration=0.01))
    assert recording.body_index("two", "c") == 6
    assert recording.joint_index("two", "hinge") == 6
    assert recording.joint_types[recording.joint_index("one", "weldment")] == "fixed"
    with pytest.raises(KeyError, match="actor 'two' has no body 'head'"):
        recording.body_index("two", "head")


def test_quaternions_of_merged_bodies_do_not_flip():
    recording = run(spinning_chain(duration=2.0))
    neighbours = (recording.quaternion[1:] * recording.quaternion[:-1]).sum(-1)
    assert neighbours.min() > 0.99
