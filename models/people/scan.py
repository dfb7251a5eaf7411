"""A person's own skin: a body scan, or an export of MakeHuman or MPFB, in place of the shape that is solved.

The scan is a closed mesh in metres of somebody who stands upright, arms away from the body. It is laid along the axes,
a solved person of the same sex, age, height and mass is posed onto it (each limb turned about its joint to the nearest
skin, again and again), and that person's joints and skin weights are taken over. From there on the scan is cut,
weighed and fitted as every other skin. Sides are made alike: the left half counts.
"""

import os
from dataclasses import dataclass, replace

import numpy as np

from ...engine.spec.person import Person
from ...io_json.mesh_files import read_mesh
from .base_mesh import BaseMesh
from .cutting import Skin
from .person_model import PersonModel, from_skin
from .person_skin import cut_weights
from .shape import Shape, solve, volume

HEIGHT_TOLERANCE = 0.03
"""Share by which a scan may be taller or shorter than the person it is of."""
ROUNDS = 24
TRUNK = "trunk"
FINGERS = tuple(f"{f}_0{k}" for f in ("thumb", "index", "middle", "ring", "pinky") for k in (1, 2, 3))
LIMBS = (
    ("arm", TRUNK, "shoulder", ("upperarm",)),
    ("forearm", "arm", "elbow", ("lowerarm",)),
    ("hand", "forearm", "hand", ("hand", *FINGERS)),
    ("thigh", TRUNK, "upper-leg", ("thigh",)),
    ("calf", "thigh", "knee", ("calf",)),
    ("foot", "calf", "ankle", ("foot", "ball")),
)
"""Segment, what it hangs on, its joint and its bones, without their side."""
CHAINS = {"head": (TRUNK, "neck", ("neck_01", "head"))} | {
    f"{part}_{side}": (
        TRUNK if parent == TRUNK else f"{parent}_{side}",
        f"{side}-{joint}",
        tuple(f"{bone}_{side}" for bone in bones),
    )
    for side in "lr"
    for part, parent, joint, bones in LIMBS
}
"""Segment that is posed to (what it hangs on, its joint, its bones); the trunk is everything else."""


def make_person_from_scan(person: Person, path: str | os.PathLike, name: str | None = None) -> PersonModel:
    """The model of a person with the skin of a mesh file. Raises FileError and ValueError."""
    vertices, triangles = read_mesh(path)
    skin = skin_from_scan(person, np.asarray(vertices, float), np.asarray(triangles, int))
    note = (
        "The skin is that of a scan; joints and skin weights are those of a solved person posed onto it; the right side"
        " is the left one's mirror image."
    )
    return from_skin(person, skin, None, name, (note,))


def skin_from_scan(person: Person, vertices: np.ndarray, triangles: np.ndarray) -> Skin:
    """A scan as a skin that can be cut. Raises ValueError with the remedy."""
    check_closed(triangles)
    vertices = upright(vertices)
    if volume(vertices, triangles) < 0.0:
        triangles = triangles[:, ::-1]
    height = float(np.ptp(vertices[:, 2]))
    if abs(height / person.height - 1.0) > HEIGHT_TOLERANCE:
        raise ValueError(
            f"the scan is {height:.3f} m high and the person {person.height:.3f} m; give the scan in metres, of the "
            "person standing upright without shoes"
        )
    shape = solve(person)
    posed = PosedTemplate(shape, vertices)
    nearest = posed.nearest_template(vertices)
    joints = {key: posed.placed[row] for key, row in shape.mesh.point.items()}
    weights = cut_weights(shape.mesh)[nearest]
    return Skin(posed.to_middle(vertices), triangles, weights, joints, person.height, person.sex)


def check_closed(triangles: np.ndarray) -> None:
    """Raise ValueError where an edge does not belong to two triangles that run along it in opposite ways."""
    ahead = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    size = int(triangles.max()) + 1
    keys, backs = ahead[:, 0] * size + ahead[:, 1], ahead[:, 1] * size + ahead[:, 0]
    open_edges = len(np.setxor1d(keys, backs)) + len(keys) - len(np.unique(keys))
    if open_edges:
        raise ValueError(
            f"the scan is not closed: {open_edges} edges do not lie between two triangles; close its holes and join "
            "double points (in Blender: Mesh, Clean Up, and Fill Holes), then save it again"
        )


def upright(vertices: np.ndarray) -> np.ndarray:
    """The scan with z up, soles on z = 0, and x to where the toes point."""
    tall = int(np.argmax(np.ptp(vertices, axis=0)))
    turned = vertices[:, {0: [1, 2, 0], 1: [2, 0, 1], 2: [0, 1, 2]}[tall]]
    if _spread_at_the_ends(turned) < 0.0:
        turned = turned * np.array([1.0, -1.0, -1.0])
    turned = turned - np.array([0.0, 0.0, turned[:, 2].min()])
    height = np.ptp(turned[:, 2])
    sole = turned[turned[:, 2] < 0.03 * height]
    ankle = turned[(turned[:, 2] > 0.07 * height) & (turned[:, 2] < 0.12 * height)]
    toes = (sole.max(0) + sole.min(0) - ankle.max(0) - ankle.min(0))[:2]
    quarter = round(float(np.degrees(np.arctan2(toes[1], toes[0]))) / 90.0)
    angle = -quarter * np.pi / 2.0
    rotation = np.array(
        [[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]]
    )
    return turned @ np.round(rotation).T


def _spread_at_the_ends(vertices: np.ndarray) -> float:
    """Positive where the lower end is broader (two feet) than the upper one (a head)."""
    z = (vertices[:, 2] - vertices[:, 2].min()) / np.ptp(vertices[:, 2])
    low, high = vertices[z < 0.04], vertices[z > 0.96]
    return float(np.ptp(low[:, :2], axis=0).max() - np.ptp(high[:, :2], axis=0).max())


def _head_centre(vertices: np.ndarray) -> np.ndarray:
    """Middle of the top of the head, for laying two people over each other."""
    top = vertices[:, 2].max()
    head = vertices[vertices[:, 2] > top - 0.06 * np.ptp(vertices[:, 2])]
    return np.array([*((head.min(axis=0) + head.max(axis=0)) / 2.0)[:2], top])


@dataclass
class _Limb:
    """A posed segment: x -> turn x + shift."""

    turn: np.ndarray
    shift: np.ndarray

    def place(self, points: np.ndarray) -> np.ndarray:
        return points @ self.turn.T + self.shift

    def after(self, turn: np.ndarray, pivot: np.ndarray) -> "_Limb":
        """Turned further about a pivot."""
        return _Limb(turn @ self.turn, turn @ (self.shift - pivot) + pivot)


class PosedTemplate:
    """A solved person posed onto a scan."""

    def __init__(self, shape: Shape, scan: np.ndarray):
        self.shape = shape
        self.mesh: BaseMesh = shape.mesh
        self.body = self.mesh.rows["body"]
        rig = self.mesh.rig("game_engine")
        weights = {name: rig.weights_of(set(bones))[self.body] for name, (_, _, bones) in CHAINS.items()}
        weights[TRUNK] = np.clip(1.0 - sum(weights.values()), 0.0, 1.0)
        self.weights = weights
        apart = _head_centre(scan) - _head_centre(shape.body)
        self.limbs = {name: _Limb(np.eye(3), apart) for name in (TRUNK, *CHAINS)}
        step = max(1, len(scan) // 5000)
        self.scan = scan[::step].astype(np.float32)
        self.norm = np.einsum("ij,ij->i", self.scan, self.scan)
        for round_ in range(ROUNDS):
            self._turn_all(far=round_ < ROUNDS // 2)
        self.placed = self._in_template_frame()

    def _turn_all(self, far: bool) -> None:
        self._turn(TRUNK, None, far=False)
        for name, (_, joint, _) in CHAINS.items():
            self._turn(name, joint, far)

    def _family(self, name: str) -> list[str]:
        """A segment and all that hang on it."""
        found = [name]
        for other, (parent, _, _) in CHAINS.items():
            if parent in found:
                found.append(other)
        return found

    def _turn(self, name: str, joint: str | None, far: bool) -> None:
        """Turn a segment to the nearest points of the scan; with `far`, as what hangs on it says too."""
        family = [TRUNK, *CHAINS] if joint is None else self._family(name)
        chosen = self.weights[name] > 0.7
        if far:
            chosen = sum(self.weights[other] for other in family) > 0.7
        rows = np.flatnonzero(chosen)[:: max(1, int(chosen.sum()) // 400)]
        here = self.posed(rows)
        there = self.scan[self.nearest_scan(here)].astype(float)
        if joint is None:
            pivot, goal = here.mean(axis=0), there.mean(axis=0)
        else:
            parent = self.limbs[CHAINS[name][0]]
            pivot = goal = parent.place(self.shape.joint(joint))
        left, _, right = np.linalg.svd((there - goal).T @ (here - pivot))
        turn = left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right
        for other in family:
            limb = self.limbs[other].after(turn, pivot)
            self.limbs[other] = replace(limb, shift=limb.shift + goal - pivot)

    def posed(self, rows: np.ndarray) -> np.ndarray:
        """Vertices of the posed template: each moves with its segments by their weights."""
        points = self.shape.body[rows]
        total = sum(self.weights[name][rows] for name in self.limbs)
        moved = sum(self.weights[name][rows, None] * limb.place(points) for name, limb in self.limbs.items())
        return moved / total[:, None]

    def nearest_scan(self, points: np.ndarray) -> np.ndarray:
        """Index of the scan's point nearest to each point."""
        return (self.norm - 2.0 * points.astype(np.float32) @ self.scan.T).argmin(axis=1)

    def nearest_template(self, points: np.ndarray) -> np.ndarray:
        """Row of the body's vertex nearest to each point of the scan."""
        body = self.posed(np.arange(self.body.stop)).astype(np.float32)
        norm = np.einsum("ij,ij->i", body, body)
        found = [
            (norm - 2.0 * part.astype(np.float32) @ body.T).argmin(axis=1)
            for part in np.array_split(points, max(1, len(points) // 2000))
        ]
        return np.concatenate(found)

    def to_middle(self, points: np.ndarray) -> np.ndarray:
        """Points of the scan in the frame in which the trunk's middle plane is y = 0."""
        trunk = self.limbs[TRUNK]
        back = (points - trunk.shift) @ trunk.turn
        return back - np.array([0.0, 0.0, back[:, 2].min()])

    def _in_template_frame(self) -> np.ndarray:
        """(rows, 3) all rows of the mesh; its points moved with the segments whose skin is nearest, in `to_middle`."""
        out = np.zeros_like(self.shape.vertices)
        body = self.shape.body
        owner = dict.fromkeys(self.mesh.point, TRUNK)
        for point, row in self.mesh.point.items():
            nearest = np.argmin(((body - self.shape.vertices[row]) ** 2).sum(axis=1))
            owner[point] = max(self.weights, key=lambda name: self.weights[name][nearest])
        for name, (_, joint, _) in CHAINS.items():
            owner[joint] = name
        for point, row in self.mesh.point.items():
            out[row] = self.limbs[owner[point]].place(self.shape.vertices[row])
        trunk = self.limbs[TRUNK]
        back = (out - trunk.shift) @ trunk.turn
        scan = (self.scan - trunk.shift) @ trunk.turn
        return back - np.array([0.0, 0.0, scan[:, 2].min()])
