"""A person's own scan: laid along the axes, closed or refused, fitted like every skin."""

import numpy as np
import pytest
from people_data import needs_people

from mannequin.engine.spec import Person
from mannequin.io_json.model_json import read_model
from mannequin.models.people import base_mesh, scan
from mannequin.models.people.person_model import make_person
from mannequin.models.people.shape import solve

pytestmark = needs_people

SCANNED, TOLD = Person(1, 50, 1.75, 84, waist=1.06), Person(1, 50, 1.75, 84)


def write_obj(path, vertices, triangles):
    lines = [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in triangles + 1]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def scanned():
    """Somebody with more waist than is told, the left arm (a scanner's subject is never still) lifted by 8 degrees."""
    shape = solve(SCANNED)
    rig = shape.mesh.rig("game_engine")
    arms = {
        b for b in rig.bones if b.endswith("_l") and b.startswith(("upperarm", "lowerarm", "hand", "thumb"))
    }
    arms |= {b for b in rig.bones if b.endswith("_l") and b.startswith(("index", "middle", "ring", "pinky"))}
    weight = rig.weights_of(arms)[shape.mesh.rows["body"], None]
    c, s = np.cos(np.radians(8.0)), np.sin(np.radians(8.0))
    lift = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    shoulder = shape.joint("l-shoulder")
    body = shape.body + weight * ((shape.body - shoulder) @ lift.T + shoulder - shape.body)
    elbow = lift @ (shape.joint("l-elbow") - shoulder) + shoulder
    return shape, body, elbow


@pytest.mark.long
def test_a_scan_is_fitted(scanned, tmp_path):
    shape, body, elbow = scanned
    turned = body[:, [1, 2, 0]] + [0.3, 0.1, -2.0]  # y up, z to the front, as other programs save it
    path = write_obj(tmp_path / "scan.obj", turned, shape.mesh.triangles)
    skin = scan.skin_from_scan(TOLD, *(np.asarray(a) for a in (turned, shape.mesh.triangles)))
    for name in ("l-knee", "l-upper-leg", "l-ankle", "l-shoulder", "head"):
        assert skin.joints[name] == pytest.approx(shape.joint(name), abs=0.025), name
    assert skin.joints["l-elbow"] == pytest.approx(elbow, abs=0.03)
    made = scan.make_person_from_scan(TOLD, path, "him")
    direct = make_person(SCANNED).model
    assert sum(b.mass for b in made.model.bodies) == pytest.approx(84, abs=0.01)
    assert made.error.skin_95 < 0.012
    assert made.error.outside_95 < 0.012
    for mine, wanted in zip(made.model.bodies, direct.bodies, strict=True):
        assert mine.name == wanted.name
        assert mine.mass == pytest.approx(wanted.mass, rel=0.15, abs=0.12), mine.name


def test_a_scan_lies_along_the_axes_whichever_way_it_came(scanned):
    _, body, _ = scanned
    wanted = body - [0.0, 0.0, body[:, 2].min()]
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for turned in (
        body,
        body @ quarter.T,
        body @ quarter,
        body * [-1, -1, 1],
        body[:, [1, 2, 0]],
        body * [1, -1, -1],
    ):
        found = scan.upright(turned)
        assert found[:, 2].min() == 0.0
        assert found - found.mean(axis=0) == pytest.approx(wanted - wanted.mean(axis=0), abs=1e-9)


def test_what_cannot_be_used_is_explained(scanned):
    shape, body, _ = scanned
    triangles = shape.mesh.triangles
    with pytest.raises(ValueError, match="not closed"):
        scan.skin_from_scan(TOLD, body, triangles[:-3])
    with pytest.raises(ValueError, match="in metres"):
        scan.skin_from_scan(TOLD, 100.0 * body, triangles)


@pytest.mark.long
def test_the_command_takes_a_scan_and_a_person(scanned, tmp_path, capsys):
    from mannequin.__main__ import main

    shape, body, _ = scanned
    path = write_obj(tmp_path / "scan.obj", body, shape.mesh.triangles)
    who = ["models", "person", "--sex", "m", "--age", "50", "--height", "1.75", "--mass", "84"]
    assert main([*who, "--scan", str(path), "--out", str(tmp_path / "him.json")]) == 0
    assert read_model(tmp_path / "him.json").height == 1.75
    assert "95 % below" in capsys.readouterr().out
    assert main([*who, "--waist", "0.95", "--muscles", "--out", str(tmp_path / "her.json")]) == 0
    assert len(read_model(tmp_path / "her.json").muscles) == 36
    assert "waist 95.0" in capsys.readouterr().out
    assert main(["models", "person", "--sex", "f", "--age", "30", "--height", "163", "--mass", "58"]) == 2
    assert "metres" in capsys.readouterr().err


def test_the_command_says_where_the_data_is_missing(monkeypatch, tmp_path, capsys):
    from mannequin.__main__ import main

    monkeypatch.setattr(base_mesh, "FILE", tmp_path / "none.npz")
    assert main(["models", "person", "--sex", "f", "--age", "30", "--height", "1.63", "--mass", "58"]) == 2
    assert "tools/pack_people.py" in capsys.readouterr().err
    assert (
        main(
            [
                "models",
                "build",
                "--sex",
                "female",
                "--height",
                "1.6",
                "--mass",
                "60",
                "--out",
                str(tmp_path / "a.json"),
            ]
        )
        == 0
    )
