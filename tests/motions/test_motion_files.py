"""Motion files against files written here by hand, by ezc3d, and read by a reader of the test's own."""

import math

import numpy as np
import pytest
from c3d_trial import write_c3d

from mannequin.engine import Actor, Body, Joint, Model, Scenario, Settings, run
from mannequin.interchange.motions import (
    MotionTable,
    bvh_text,
    read_c3d,
    read_storage,
    read_trc,
    write_bvh,
    write_storage,
)
from mannequin.interchange.motions.trial import Y_UP
from mannequin.io_json.errors import FileError

MOT = """Coordinates
version=1
nRows=2
nColumns=3
inDegrees=yes

If the header has prose, it is passed over.
endheader
time\tknee_angle_r\tpelvis_tx
0\t-10.5\t1e-1
0.01\t-11\t0.25
"""
TRC = (
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    "100\t100\t2\t2\tmm\t100\t1\t2\n"
    "Frame#\tTime\tR.ASIS\t\t\tL ASIS\t\t\n"
    "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n"
    "\n"
    "1\t0.00\t100\t200\t300\t1\t2\t3\n"
    "2\t0.01\t110\t210\t310\t\t\t\n"
)


def test_table_of_opensim_is_read_as_it_stands(tmp_path):
    path = tmp_path / "walk.mot"
    path.write_text(MOT)
    table = read_storage(path)
    assert table.columns == ("knee_angle_r", "pelvis_tx") and table.in_degrees and table.name == "Coordinates"
    assert table.times.tolist() == [0.0, 0.01]
    assert table.column("knee_angle_r").tolist() == [-10.5, -11.0]
    with pytest.raises(FileError, match="has no column 'hip'"):
        table.column("hip")


def test_table_is_written_and_read_back_exactly(tmp_path):
    rng = np.random.default_rng(3)
    table = MotionTable("motion", ("a", "b"), np.arange(5) / 7.0, rng.normal(size=(5, 2)), in_degrees=True)
    write_storage(table, tmp_path / "out.sto")
    again = read_storage(tmp_path / "out.sto")
    assert np.array_equal(again.data, table.data) and np.array_equal(again.times, table.times)
    assert (again.name, again.columns, again.in_degrees) == (table.name, table.columns, True)
    with pytest.raises(FileError, match="'two words' cannot be written"):
        write_storage(MotionTable("m", ("two words",), table.times, table.data[:, :1]), tmp_path / "bad.sto")
    assert not (tmp_path / "bad.sto").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time\ta\n0\t1\n", "has no line 'endheader'"),
        ("x\nendheader\na\tb\n0\t1\n", "first column is not 'time'"),
        ("x\nendheader\ntime\ta\n0\tone\n", "line 4"),
        ("x\nendheader\ntime\ta\n0\t1\t2\n", "3 numbers for 2 columns"),
        ("x\nendheader\ntime\ta\n", "has no rows"),
        ("x\nendheader\ntime\ta\ta\n0\t1\t2\n", "two columns of one name"),
    ],
)
def test_damaged_tables_give_one_error(tmp_path, text, message):
    path = tmp_path / "bad.mot"
    path.write_text(text)
    with pytest.raises(FileError, match=message):
        read_storage(path)


def test_markers_of_a_trc_file_in_metres_with_gaps(tmp_path):
    path = tmp_path / "walk.trc"
    path.write_text(TRC)
    trial = read_trc(path)
    assert trial.markers == ("R.ASIS", "L ASIS") and trial.times.tolist() == [0.0, 0.01]
    assert trial.positions[0, 0] == pytest.approx([0.1, 0.2, 0.3])
    assert np.isnan(trial.positions[1, 1]).all()
    assert trial.turned(Y_UP).positions[0, 0] == pytest.approx([0.1, -0.3, 0.2]), "y up becomes z up"
    path.write_text(TRC.replace("110", "x"))
    with pytest.raises(FileError, match="line 8"):
        read_trc(path)


def test_c3d_gives_markers_and_times_back(tmp_path):
    ezc3d = pytest.importorskip("ezc3d")
    points = np.random.default_rng(1).normal(scale=500.0, size=(12, 3, 3))
    write_c3d(ezc3d, tmp_path / "trial.c3d", ["A", "B", "C"], points, 200.0)
    trial = read_c3d(tmp_path / "trial.c3d")
    assert trial.markers == ("A", "B", "C")
    assert np.diff(trial.times) == pytest.approx(1 / 200.0)
    assert np.abs(trial.positions - points / 1000.0).max() < 1e-6, "the format has single precision"
    (tmp_path / "bad.c3d").write_bytes(b"no trial")
    with pytest.raises(FileError, match="c3d"):
        read_c3d(tmp_path / "bad.c3d")
    with pytest.raises(FileError, match="is not there"):
        read_c3d(tmp_path / "none.c3d")


def turn(axis: str, degrees: float) -> np.ndarray:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return {
        "X": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "Y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "Z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


def joints_of_bvh(text: str, frame: int) -> dict[str, np.ndarray]:
    """World place of every joint at a frame, by what the format says: offsets, then channels in their order."""
    hierarchy, motion = text.split("MOTION\n")
    values = iter([float(word) for word in motion.splitlines()[2 + frame].split()])
    stack, places, name, is_end = [], {}, "", False
    for line in hierarchy.splitlines():
        words = line.split()
        if words[0] in ("ROOT", "JOINT"):
            name = words[1]
        elif words[0] == "End":
            is_end = True
        elif words[0] == "OFFSET" and not is_end:
            offset = np.array([float(word) for word in words[1:]])
        elif words[0] == "CHANNELS":
            rotation = np.eye(3)
            for channel in words[2:]:
                value = next(values)
                if channel.endswith("position"):
                    offset["XYZ".index(channel[0])] += value
                else:
                    rotation = rotation @ turn(channel[0], value)
            above_place, above = stack[-1] if stack else (np.zeros(3), np.eye(3))
            places[name] = above_place + above @ offset
            stack.append((places[name], above @ rotation))
        elif words[0] == "}":
            if is_end:
                is_end = False
            else:
                stack.pop()
    assert not stack and next(values, None) is None, "as many channels as values"
    return places


def test_bvh_has_the_joints_where_the_recording_has_them(tmp_path):
    """A double pendulum that is thrown: read by the reader above, y up, in centimetres."""
    inertia = (0.02, 0.02, 0.01, 0.0, 0.0, 0.0)
    bodies = [
        Body(name, 1.0, inertia, center_of_mass=(0, 0, -0.2)) for name in ("trunk", "upper arm", "fore")
    ]
    drop = ((1, 0, 0, 0.1), (0, 1, 0, 0.0), (0, 0, 1, -0.4), (0, 0, 0, 1))
    joints = [
        Joint("root", "free", None, "trunk"),
        Joint("shoulder", "spherical", "trunk", "upper arm", T1=drop),
        Joint("elbow", "revolute", "upper arm", "fore", T1=drop, axis=(0, 1, 0)),
    ]
    model = Model("chain", bodies, joints)
    actor = Actor(
        "man",
        model,
        position=(0.3, -0.2, 2.0),
        orientation=(40.0, 20.0, 10.0),
        velocity=(1.0, 2.0, 0.5),
        joint_angles={"shoulder": (30.0, -20.0, 50.0), "elbow": (25.0, 0, 0)},
        joint_velocities={"shoulder": (3.0, 1.0, -2.0)},
    )
    recording = run(
        Scenario("throw", [actor], settings=Settings(duration=0.2, output_step=0.01, ground=False))
    )
    text = bvh_text(recording, model, "man")
    assert "Frame Time: 0.01" in text and "Frames: 21" in text
    for frame in (0, 10, 20):
        places = joints_of_bvh(text, frame)
        for body, joint in (("trunk", 0), ("upper arm", 1), ("fore", 2)):
            b = recording.body_index("man", body)
            x, y, z = (
                recording.origin(b)[frame] + recording.rotation(b)[frame] @ np.array(joints[joint].T2)[:3, 3]
            )
            assert places["_".join(body.split())] == pytest.approx(100 * np.array([x, z, -y]), abs=1e-3)
    write_bvh(recording, model, "man", tmp_path / "throw.bvh")
    assert (tmp_path / "throw.bvh").read_text() == text
