"""The base mesh of people with its shape targets and rigs, as packed by tools/pack_people.py (MakeHuman, CC0).

The data is no part of the source: set-up and the extension zips bring it. `load` is the only way to it, and says what
to do where it is missing.

Rows of the mesh are vertices of its parts, the body's first, then points: joints and other ends of bones. The stored
unit is the decimetre, with y up, z to the front and x to the left; everything that leaves `models.people.shape` is in
metres with x to the front, y to the left, z up.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent / "data"
FILE = FOLDER / "people.npz"
STEP = np.float32(0.001)
"""dm in one step of a stored target."""


class PeopleDataMissing(ValueError):
    """The shape data of people is not there; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            "the shape data of people is missing (models/people/data/people.npz); in a checkout run 'make setup' or "
            "'.venv/bin/python tools/pack_people.py', in Blender install the released extension zip, which has it"
        )


@dataclass(frozen=True)
class Rig:
    """Bones with their rest places in the mesh, and the skin's weights."""

    bones: tuple[str, ...]
    parents: np.ndarray
    """(b,) index of the parent, -1 for none"""
    head: np.ndarray
    """(b,) row of the mesh at which the bone begins"""
    tail: np.ndarray
    roll: np.ndarray
    """(b,) radians, as Blender means it for an armature with z up"""
    weight_bone: np.ndarray
    """(n, 4) bones that move each vertex"""
    weight: np.ndarray
    """(n, 4) their weights; a row sums to 1"""

    def weights_of(self, names: set[str]) -> np.ndarray:
        """(n,) sum of the weights of the bones named."""
        wanted = np.array([bone in names for bone in self.bones])
        return (self.weight * wanted[self.weight_bone]).sum(axis=1)


class BaseMesh:
    """The packed arrays, targets unpacked on demand."""

    def __init__(self, file: Path):
        self._data = np.load(file, allow_pickle=False)
        data = {name: self._data[name] for name in self._data.files if not name.startswith("target_")}
        self._arrays = data
        counts = np.concatenate([[0], np.cumsum(data["part_counts"])])
        names = data["parts"].tolist()
        self.rows = {name: slice(int(counts[i]), int(counts[i + 1])) for i, name in enumerate(names)}
        self.vertex_count = int(counts[-1])
        self.faces: np.ndarray = data["faces"].astype(np.int32)
        self.mirror: np.ndarray = data["mirror"].astype(np.int32)
        self.base: np.ndarray = symmetric(data["base"], self.mirror)
        self._middle = (self.base[:, 0] == 0.0) & (self.mirror == np.arange(len(self.base)))
        self.point = {name: self.vertex_count + i for i, name in enumerate(data["points"].tolist())}
        self.triangles = triangulated(self.part_faces("body"))
        self._index = dict(zip(data["targets"].tolist(), self._data["target_index"].tolist(), strict=True))

    def part_faces(self, part: str) -> np.ndarray:
        """(m, 4) corners of the quads of a part, as rows of the mesh."""
        return self.faces[self._arrays["face_part"] == list(self.rows).index(part)]

    def texture_corners(self, part: str) -> np.ndarray:
        """(m, 4, 2) texture coordinates (0 to 1) of the corners of `part_faces`."""
        chosen = self._arrays["face_part"] == list(self.rows).index(part)
        return self._arrays["texture"][self._arrays["face_texture"][chosen]] / 65535.0

    @lru_cache  # noqa: B019 (there is one base mesh)
    def rig(self, name: str) -> Rig:
        """The rig "game_engine" (53 bones) or "default" (163, with toes and face)."""
        data = self._arrays
        weight = data[f"{name}_weight"].astype(np.float64)
        return Rig(
            tuple(data[f"{name}_bones"].tolist()),
            data[f"{name}_parents"].astype(int),
            data[f"{name}_head"].astype(int),
            data[f"{name}_tail"].astype(int),
            data[f"{name}_roll"].astype(float),
            data[f"{name}_weight_bone"].astype(int),
            weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-9),
        )

    @lru_cache  # noqa: B019 (there is one base mesh)
    def target(self, name: str) -> np.ndarray | None:
        """(rows, 3) displacement of a target, dm; None where it moves nothing."""
        place = self._index[name]
        if place < 0:
            return None
        half, mirrored = self._arrays["half"], self.mirror[self._arrays["half"]]
        steps = np.cumsum(self._data[f"target_{place}"].T, axis=0, dtype=np.int16) * STEP
        moved = np.zeros_like(self.base)
        moved[mirrored] = steps * np.float32([-1.0, 1.0, 1.0])
        moved[half] = steps
        moved[self._middle, 0] = 0.0
        return moved


def symmetric(base: np.ndarray, mirror: np.ndarray) -> np.ndarray:
    """The mesh with both sides alike: the mean of it and its mirror image (they differ by 0.1 mm)."""
    partnered = mirror != np.arange(len(base))
    middle = np.abs(base[:, 0]) < 1e-3
    flipped = base[mirror] * np.float32([-1.0, 1.0, 1.0])
    return np.where((partnered | middle)[:, None], (base + flipped) / np.float32(2.0), base)


def triangulated(quads: np.ndarray) -> np.ndarray:
    """(2m, 3) triangles of (m, 4) quads."""
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def is_available() -> bool:
    """Whether the shape data is there."""
    return FILE.is_file()


@lru_cache(maxsize=1)
def _loaded(file: Path) -> BaseMesh:
    return BaseMesh(file)


def load() -> BaseMesh:
    """The base mesh, read once. Raises `PeopleDataMissing`."""
    if not is_available():
        raise PeopleDataMissing
    return _loaded(FILE)
