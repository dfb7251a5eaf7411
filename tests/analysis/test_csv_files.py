"""The tables of a run: names, exact numbers, and columns that follow from each other."""

import csv
import io

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from synthetic_run import make_recording, make_scenario

from mannequin.analysis.files import csv_files
from mannequin.engine.maths.rotations import matrix_from_zyx
from mannequin.io_json.csv_cells import text_cell, text_of_cell


def read(text):
    header, *rows = csv.reader(io.StringIO("".join(text)))
    return header, np.array([[float(cell) for cell in row] for row in rows])


def columns(header, values, prefix, letters="XYZ"):
    return np.stack([values[:, header.index(prefix + letter)] for letter in letters], -1)


def test_output_columns_have_the_names_openmbd_users_parse():
    header, _ = read(csv_files.output_csv(make_recording(5)))
    assert header[:26] == [
        "Time",
        *("man_pelvis_" + name for name in (
            "PosX PosY PosZ QuatW QuatX QuatY QuatZ VelX VelY VelZ AngVelX AngVelY AngVelZ LinAccX LinAccY LinAccZ "
            "AngAccX AngAccY AngAccZ ForceX ForceY ForceZ TorqueX TorqueY TorqueZ"
        ).split()),
    ]  # fmt: skip
    assert header[26] == "man_Head_PosX"
    assert len(header) == 1 + 3 * 25


def test_numbers_read_back_to_the_same_bits():
    recording = make_recording(csv_files.BLOCK + 40)
    recording.position[-3, 0] = (np.nextafter(1.0, 2.0), 1e-300, -0.1)
    header, values = read(csv_files.output_csv(recording))
    assert np.array_equal(values[:, 0], recording.times)
    assert np.array_equal(columns(header, values, "man_pelvis_Pos"), recording.position[:, 0])
    assert np.array_equal(columns(header, values, "man_hand_Quat", "WXYZ"), recording.quaternion[:, 2])


def test_columns_follow_from_each_other():
    """Central differences of position give velocity, of velocity acceleration, of orientation the turn rate."""
    step = 1e-4
    header, values = read(csv_files.output_csv(make_recording(300, step)))
    for body in ("man_pelvis_", "man_Head_", "man_hand_"):
        pos, vel, acc = (columns(header, values, body + stem) for stem in ("Pos", "Vel", "LinAcc"))
        np.testing.assert_allclose((pos[2:] - pos[:-2]) / (2 * step), vel[1:-1], atol=1e-6)
        np.testing.assert_allclose((vel[2:] - vel[:-2]) / (2 * step), acc[1:-1], atol=1e-6)
        turn, gain = (columns(header, values, body + stem) for stem in ("AngVel", "AngAcc"))
        rotation = Rotation.from_quat(columns(header, values, body + "Quat", "XYZW"))
        np.testing.assert_allclose(
            (rotation[2:] * rotation[:-2].inv()).as_rotvec() / (2 * step), turn[1:-1], atol=1e-5
        )
        np.testing.assert_allclose((turn[2:] - turn[:-2]) / (2 * step), gain[1:-1], atol=1e-5)


def test_joint_angles_give_the_rotation_back():
    scenario, recording = make_scenario(), make_recording(60)
    header, values = read(csv_files.joints_csv(scenario, recording))
    zyx = columns(header, values, "man_neck_Angle", "ZYX")
    for angles, vector in zip(zyx, recording.joint_angle[:, 1], strict=True):
        np.testing.assert_allclose(
            matrix_from_zyx(angles), Rotation.from_rotvec(vector).as_matrix(), atol=1e-12
        )
    assert np.array_equal(columns(header, values, "man_neck_Rate"), recording.joint_rate[:, 1])
    assert np.array_equal(columns(header, values, "man_neck_Moment"), recording.reaction_moment[:, 1])


def test_a_hinge_shows_its_own_turn_past_ninety_degrees():
    scenario, recording = make_scenario(), make_recording(1000)
    header, values = read(csv_files.joints_csv(scenario, recording))
    zyx = columns(header, values, "man_elbow_Angle", "ZYX")
    np.testing.assert_allclose(zyx[:, 0], np.degrees(2.5 * np.sin(3 * recording.times)), atol=1e-10)
    assert np.max(zyx[:, 0]) > 100 and not np.any(zyx[:, 1:])


def test_reactions_that_were_not_recorded_are_nan():
    recording = make_recording(4)
    recording.reaction_force = recording.reaction_moment = np.zeros((0, 3, 3))
    header, values = read(csv_files.joints_csv(make_scenario(), recording))
    assert np.all(np.isnan(columns(header, values, "man_neck_Force")))


def test_contacts_name_both_sides():
    recording = make_recording(100)
    rows = list(csv.DictReader(io.StringIO("".join(csv_files.contacts_csv(recording)))))
    assert [(row["body_a"], row["ellipsoid_a"], row["body_b"], row["surface_b"]) for row in rows] == [
        ("Head", "skull", "", "ground"),
        ("hand", "palm", "", "ground"),
    ]
    assert float(rows[0]["peak_force_N"]) == 2500.0
    assert np.isnan(float(rows[1]["end_s"]))


def test_names_with_commas_and_quotes_are_quoted():
    recording = make_recording(3)
    recording.body_names = ('pel,"vis"', "Head", "hand")
    header, _ = read(csv_files.output_csv(recording))
    assert header[1] == 'man_pel,"vis"_PosX'


def test_energy_table():
    recording = make_recording(7)
    header, values = read(csv_files.energy_csv(recording))
    assert header[:3] == ["Time", "kinetic_J", "gravity_J"] and header[-1] == "residual_J"
    assert np.array_equal(values[:, 1:], recording.energy)


def test_contact_history_names_bodies_and_lists_every_member():
    recording = make_recording(3)
    history = np.zeros(
        2, dtype=[("time", "f8"), ("body_a", "i4"), ("obstacle_b", "i4"), ("point", "f8", (3,))]
    )
    history["point"] = [[1, 2, 3], [4, 5, 6]]
    history["body_a"], history["obstacle_b"] = (1, 2), (0, -1)
    recording.contact_history = history
    assert "".join(csv_files.contact_history_csv(recording)).splitlines() == [
        "time,body_a,obstacle_b,point_x,point_y,point_z",
        "0.0,Head,ground,1.0,2.0,3.0",
        "0.0,hand,,4.0,5.0,6.0",
    ]


@pytest.mark.parametrize("writer", [csv_files.output_csv, csv_files.energy_csv, csv_files.contacts_csv])
def test_a_run_without_frames_has_its_header_only(writer):
    recording = make_recording(2)
    for name in ("times", "position", "quaternion", "velocity", "angular_velocity", "acceleration", "energy",
                 "angular_acceleration", "contact_force", "contact_torque", "contacts"):  # fmt: skip
        setattr(recording, name, getattr(recording, name)[:0])
    assert "".join(writer(recording)).count("\n") == 1


@pytest.mark.parametrize("start", "=+-@\t")
def test_a_name_is_no_formula(start):
    recording = make_recording(3)
    formula = f"{start}cmd|' /C calc'!A0"
    recording.actor_names = (formula,)
    recording.body_names = recording.ellipsoid_names = recording.obstacle_names = (formula,) * 3
    for table in (csv_files.output_csv, csv_files.contacts_csv):
        rows = list(csv.reader(io.StringIO("".join(table(recording)))))
        assert any(formula in cell for row in rows for cell in row)
        for cell in (cell for row in rows for cell in row if formula in cell):
            assert cell.startswith("'")
    assert text_of_cell(text_cell(formula)) == formula


@pytest.mark.parametrize("text", ["", "head", "'", "'quoted", "'=1", "''=1", "-1", "'-x", "a=b"])
def test_cells_read_back(text):
    assert text_of_cell(text_cell(text)) == text


def test_numbers_are_never_changed():
    recording = make_recording(20)
    cells = "".join(csv_files.output_csv(recording)).split(",")
    assert any(cell.startswith("-") for cell in cells) and not any(cell.startswith("'") for cell in cells)
