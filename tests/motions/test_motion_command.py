"""The command `motion`: a run out as files of the field, and its markers back onto the actor."""

import numpy as np
import pytest

import mannequin as mq
from mannequin.__main__ import main
from mannequin.engine import Actor, Body, Joint, Model, Scenario, Settings
from mannequin.engine.maths.rotations import matrix_from_zyx
from mannequin.interchange.motions import read_storage, read_trc
from mannequin.interchange.motions.trial import Y_UP
from mannequin.io_json.model_json import write_model

INERTIA = (0.02, 0.02, 0.01, 0.0, 0.0, 0.0)
DROP = ((1, 0, 0, 0.1), (0, 1, 0, 0.0), (0, 0, 1, -0.4), (0, 0, 0, 1))
START = {"shoulder": (30.0, -20.0, 50.0), "elbow": (25.0, 0, 0)}


@pytest.fixture(scope="module")
def model():
    bodies = [
        Body(name, 1.0, INERTIA, center_of_mass=(0, 0, -0.2)) for name in ("trunk", "upper arm", "fore")
    ]
    joints = [
        Joint("root", "free", None, "trunk"),
        Joint("shoulder", "spherical", "trunk", "upper arm", T1=DROP),
        Joint("elbow", "revolute", "upper arm", "fore", T1=DROP, axis=(0, 1, 0)),
    ]
    return Model("chain", bodies, joints)


@pytest.fixture(scope="module")
def thrown(model, tmp_path_factory):
    """(result, run folder) of a chain thrown through the air."""
    actor = Actor("man", model, position=(0.3, -0.2, 2.0), orientation=(40.0, 20.0, 10.0), velocity=(1.0, 2.0, 0.5),
                  joint_angles=START, joint_velocities={"shoulder": (3.0, 1.0, -2.0)})  # fmt: skip
    result = mq.run(
        Scenario("throw", [actor], settings=Settings(duration=0.2, output_step=0.01, ground=False))
    )
    return result, result.save(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def markers(tmp_path_factory):
    rows = ["marker,body,x,y,z"]
    for body in ("trunk", "upper arm", "fore"):
        rows += [f"{body} {k},{body},{x},{y},{z}" for k, (x, y, z) in enumerate(np.diag([0.1, 0.12, -0.2]))]
    path = tmp_path_factory.mktemp("markers") / "markers.csv"
    path.write_text("\n".join(rows))
    return path


def test_a_run_as_a_table_of_coordinates(thrown, tmp_path):
    """The start as it was given, the hinge's angle of the recording, and the root's place over time."""
    result, folder = thrown
    assert main(["motion", "export", str(folder), str(tmp_path / "throw.mot")]) == 0
    table = read_storage(tmp_path / "throw.mot")
    assert table.in_degrees and len(table.times) == 21
    assert [table.column(f"shoulder_{axis}")[0] for axis in "zyx"] == pytest.approx(
        START["shoulder"], abs=1e-9
    )
    elbow = np.degrees(result.recording.joint_angle[:, result.recording.joint_index("man", "elbow"), 1])
    assert table.column("elbow") == pytest.approx(elbow, abs=1e-9)
    assert [table.column(f"root_{axis}")[0] for axis in "zyx"] == pytest.approx((40.0, 20.0, 10.0), abs=1e-9)
    trunk = result.recording.body_index("man", "trunk")
    places = np.column_stack([table.column(f"root_t{axis}") for axis in "xyz"])
    assert places == pytest.approx(result.recording.origin(trunk), abs=1e-12)


def test_markers_of_a_run_go_back_onto_the_actor(thrown, model, markers, tmp_path, capsys):
    """A .trc with y up, tracked: the motion of the run again, with residuals below its last digit."""
    result, folder = thrown
    trc, chain = tmp_path / "throw.trc", tmp_path / "chain.json"
    write_model(model, chain)
    assert main(["motion", "export", str(folder), str(trc), "--markers", str(markers)]) == 0
    trial = read_trc(trc).turned(Y_UP)
    b = result.recording.body_index("man", "fore")
    wanted = result.recording.origin(b) + result.recording.rotation(b) @ np.array([0.1, 0.0, 0.0])
    assert trial.positions[:, trial.markers.index("fore 0")] == pytest.approx(wanted, abs=1e-8)
    out = tmp_path / "back.sto"
    assert main(["motion", "track", str(trc), str(chain), str(out), "--markers", str(markers), "--y-up"]) == 0
    printed = capsys.readouterr().out
    assert "9 markers, 21 frames, 0.00 mm" in printed and "upper arm 2" in printed
    table = read_storage(out)
    for frame in (0, 10, 20):
        angles = [table.column(f"shoulder_{axis}")[frame] for axis in "zyx"]
        parent, child = (
            result.recording.rotation(result.recording.body_index("man", name))[frame]
            for name in ("trunk", "upper arm")
        )
        assert matrix_from_zyx(angles) == pytest.approx(parent.T @ child, abs=1e-5)


def test_a_skeleton_of_a_run(thrown, tmp_path):
    _, folder = thrown
    assert main(["motion", "export", str(folder), str(tmp_path / "throw.bvh"), "--actor", "man"]) == 0
    assert (tmp_path / "throw.bvh").read_text().startswith("HIERARCHY\nROOT trunk")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["export", "{run}", "a.xlsx"], "Name it .mot or .sto or .bvh or .trc"),
        (["export", "{run}", "a.bvh", "--actor", "cat"], "has no actor 'cat'"),
        (["export", "{run}", "a.trc", "--markers", "{bad}"], "Begin it with the line marker,body,x,y,z"),
        (["export", "{run}", "a.trc", "--markers", "{tail}"], "is on 'tail', no body"),
        (["export", "{run}", "a.trc", "--markers", "{short}"], "row 2"),
        (["track", "walk.txt", "male", "a.mot", "--markers", "{tail}"], "Name it .trc or .c3d"),
    ],
)
def test_bad_input_is_refused_in_one_line(thrown, tmp_path, capsys, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    files = {
        "bad": "a,b\n",
        "tail": "marker,body,x,y,z\nm,tail,0,0,0\n",
        "short": "marker,body,x,y,z\nm,trunk,0\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
    places = {"run": thrown[1], **{name: tmp_path / f"{name}.csv" for name in files}}
    assert main(["motion", *(word.format(**places) for word in words)]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.glob("a.*"))
