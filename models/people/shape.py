"""A person's shape: the base mesh brought to a sex, age, height, mass and build, and to what a tape measured.

MakeHuman's mesh is trilinear in its sliders of muscle, weight and height for a given sex and age. Muscle and weight
are entangled there (neither alone reaches ordinary masses), so one *fatness* runs along a path through both: from
thin through ordinary to fat at low muscle, or along high muscle for athletes. Height and fatness are solved for the
stature and the volume that is asked for; the head is scaled to the published circumference of its age first, since
the mesh's children have heads that are too small; targets of single measures are added for what a tape measured.

    shape = solve(Person(sex=0, age=71, height=1.63, mass=58))
    shape.vertices        # (rows, 3) m, x to the front, y to the left, z up, soles on z = 0; rows as in `base_mesh`
    shape.joint("l-knee")
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import numpy as np

from ...engine.spec.person import OLDEST, YOUNGEST, Person
from . import growth, shoulders, tape
from .base_mesh import BaseMesh, load
from .hip_centre import with_hip

AGES = ((1.0, "baby"), (10.0, "child"), (25.0, "young"), (90.0, "old"))
"""Years of the targets; MakeHuman's own scale (getAgeYears in its human.py)."""
SEXES = ("female", "male")
ANCESTRIES = ("african", "asian", "caucasian")
MUSCLES = ("minmuscle", "averagemuscle", "maxmuscle")
WEIGHTS = ("minweight", "averageweight", "maxweight")
LEG = ("l-upper-leg", "l-knee", "l-ankle")
"""Points of the left leg: hip, knee, ankle."""
SHOULDER_REACH = 1.10
"""The data's shoulder lies too low and too far out: the upper arm is made longer by this factor, from the elbow, so
that its length is de Leva's (0.162 of stature for men)."""
FATNESS = (-1.2, 2.0)
"""Ends of the path: beyond -1 and 1 it goes on in a straight line, within which meshes stay people (looked at)."""
FLESH = (-0.03, 0.06)
"""m of skin moved in or out where the path ends before the mass is reached."""
SMALLEST, TALLEST, LIGHTEST, HEAVIEST = 0.5, 2.5, 4.0, 350.0
"""m and kg: what is made at all."""
TAPE_TARGETS = {
    "chest": ("torso/measure-bust-circ",),
    "waist": ("torso/measure-waist-circ",),
    "hip": ("torso/measure-hips-circ",),
    "upper_arm": ("arms/measure-upperarm-circ",),
    "thigh": ("legs/measure-thigh-circ",),
    "leg": ("legs/measure-upperleg-height", "legs/measure-lowerleg-height"),
}
"""Field of `Person` to the targets that change it."""
FARTHEST_TARGET = 2.5
"""How far a target of a single measure is driven; 1 is MakeHuman's end."""
ROUNDS = 12
CLOSE = 2e-4
"""m: a measure is met."""


@dataclass(frozen=True)
class Shape:
    """A solved person. Metres, x to the front, y to the left, z up, soles on z = 0."""

    person: Person
    mesh: BaseMesh
    vertices: np.ndarray
    """(rows, 3), rows as in `BaseMesh`: vertices of all parts, then points"""
    density: float
    """kg/m3, mean over the body"""
    sliders: dict[str, float]
    """fatness, muscle, weight, height (MakeHuman's sliders), head (scale of the head), flesh (m)"""
    notes: tuple[str, ...] = field(default=())
    """What could not be met, and how it went on"""

    @property
    def body(self) -> np.ndarray:
        """(13380, 3) vertices of the closed skin; its triangles are `mesh.triangles`."""
        return self.vertices[self.mesh.rows["body"]]

    def joint(self, name: str) -> np.ndarray:
        """A point of the mesh by its name, such as "l-knee"."""
        return self.vertices[self.mesh.point[name]]

    @property
    def height(self) -> float:
        """Stature, m: of the person standing with straight legs. In the mesh's own pose the legs stand apart, and its
        vertex is some millimetres lower."""
        left = np.stack([self.joint(name) for name in LEG])
        return float(np.ptp(self.body[:, 2])) + straightening(left, 2)

    @property
    def mass(self) -> float:
        """Volume of the closed skin times density, kg."""
        return self.density * volume(self.body, self.mesh.triangles)

    def measures(self) -> dict[str, float]:
        """What a tape would say, m."""
        return tape.measure_all(self.mesh, self.vertices)


def straightening(leg: np.ndarray, up: int) -> float:
    """By how much a person is taller with straight upright legs than with the legs as they are: (3, 3) hip, knee and
    ankle; `up` is the axis that points up."""
    lengths = np.linalg.norm(np.diff(leg, axis=0), axis=1)
    return float(lengths.sum() - (leg[0, up] - leg[2, up]))


def volume(vertices: np.ndarray, triangles: np.ndarray) -> float:
    """Volume of a closed mesh, by its divergence."""
    a, b, c = (vertices[triangles[:, k]].astype(float) for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def knots(age: float) -> list[tuple[str, float]]:
    """(label, weight) of the one or two ages between which `age` lies."""
    years = [year for year, _ in AGES]
    shares = [float(np.interp(age, years, row)) for row in np.eye(len(years))]
    return [(label, share) for (_, label), share in zip(AGES, shares, strict=True) if share > 1e-9]


@lru_cache(maxsize=4)
def corners(sex: float, age: float, ancestry: tuple[float, ...]) -> np.ndarray:
    """(3, 3, 3, rows, 3) meshes in dm at the knots of muscle, weight and height."""
    mesh = load()
    ages = knots(min(max(age, AGES[0][0]), AGES[-1][0]))
    sexes = [(name, share) for name, share in zip(SEXES, (1.0 - sex, sex), strict=True) if share > 1e-9]
    common = mesh.base.copy()
    grid = np.zeros((3, 3, 3, *mesh.base.shape), np.float32)
    total = sum(ancestry)

    def add(to: np.ndarray, name: str, share: float) -> None:
        moved = mesh.target(name)
        if moved is not None:
            to += np.float32(share) * moved

    for (sex_name, a), (age_name, b) in product(sexes, ages):
        for race, share in zip(ANCESTRIES, ancestry, strict=True):
            if share > 0.0:
                add(common, f"{race}-{sex_name}-{age_name}", a * b * share / total)
        for (i, muscle), (j, weight) in product(enumerate(MUSCLES), enumerate(WEIGHTS)):
            stem = f"{sex_name}-{age_name}-{muscle}-{weight}"
            add(grid[i, j], f"universal-{stem}", a * b)
            add(grid[i, j, 0], f"height/{stem}-minheight", a * b)
            add(grid[i, j, 2], f"height/{stem}-maxheight", a * b)
    grid += common
    return grid


def mix(grid: np.ndarray, slider: float) -> np.ndarray:
    """Between the three knots 0, 0.5 and 1 of a slider, and beyond them, in straight lines."""
    first = int(slider >= 0.5)
    share = np.float32(2.0 * slider - first)
    return (1 - share) * grid[first] + share * grid[first + 1]


def path(fatness: float, build: float) -> tuple[float, float]:
    """(muscle, weight) of a fatness (-1 thin, 0 ordinary, 1 fat): MakeHuman's fat and thin bodies are those of little
    muscle, its athletes those of much."""
    return build - min(abs(fatness), 1.0) * min(build, 1.0 - build), 0.5 + 0.5 * fatness


def rising_root(
    function: Callable[[float], float],
    low: float,
    high: float,
    goal: float,
    tolerance: float,
    near: float | None = None,
) -> float:
    """x in low..high with function(x) = goal, for a rising function (regula falsi, Illinois form); an end where the
    goal is out of reach. `near` is a guess that saves work where it is good."""
    if near is not None:
        span = 0.05 * (high - low)
        closer = max(low, near - span), min(high, near + span)
        if function(closer[0]) < goal < function(closer[1]):
            return rising_root(function, *closer, goal, tolerance)
    a, b = function(low) - goal, function(high) - goal
    if a >= 0.0 or b <= 0.0:
        return low if a >= 0.0 else high
    for _ in range(60):
        x = high - b * (high - low) / (b - a)
        y = function(x) - goal
        if abs(y) < tolerance:
            break
        if y < 0.0:
            low, a, b = x, y, 0.5 * b
        else:
            high, b, a = x, y, 0.5 * a
    return x


class Solver:
    """Brings the mesh of one sex and age to a height and a volume. Works in dm, y up, as the data is stored."""

    def __init__(self, person: Person):
        self.person = person
        self.mesh = load()
        self.grid = corners(person.sex, person.age, tuple(person.ancestry))
        self.density = growth.density(person.sex, person.age, person.height, person.mass)
        self.stature = 10.0 * person.height
        self.volume = 1000.0 * person.mass / self.density
        self.body = self.mesh.rows["body"]
        self.head_weight = _head_weight(self.mesh)
        self.head_scale = 1.0
        self.extra = np.zeros_like(self.mesh.base)
        """Sum of the targets of single measures, dm"""
        self.shoulders = np.zeros_like(self.mesh.base)
        """How far arms and clavicles are moved outward, dm"""
        far = self.stature * shoulders.widening(person.sex, person.age)
        self.shoulders[:, 0] = np.float32(far) * shoulders.outward(self.mesh)
        self.last: dict[str, float] = {}
        """Sliders found before, from which the next search starts"""

    def shaped(self, grid: np.ndarray) -> np.ndarray:
        """Meshes (..., rows, 3) with the measures' targets, broader shoulders and scaled heads; linear in the mesh."""
        grid = grid + self.extra + self.shoulders
        pivot = grid[..., self.mesh.point["head"], :][..., None, :]
        return grid + np.float32(self.head_scale - 1.0) * self.head_weight * (grid - pivot)

    def of_fatness(self, fatness: float) -> tuple[np.ndarray, float, float]:
        """(mesh of the wanted stature, height slider, uniform scale) of a fatness."""
        muscle, weight = path(fatness, self.person.build)
        heights = self.shaped(mix(mix(self.grid, muscle), weight))
        up = heights[:, self.body, 1].astype(float)
        legs = heights[:, [self.mesh.point[name] for name in LEG]].astype(float)

        def stature(slider: float) -> float:
            return float(np.ptp(mix(up, slider))) + straightening(with_hip(mix(legs, slider), 0, 10.0), 1)

        slider = rising_root(stature, 0.0, 1.0, self.stature, 1e-6, self.last.get("height"))
        self.last["height"] = slider
        scale = self.stature / stature(slider)
        return scale * mix(heights, slider).astype(float), slider, scale

    def volume_of(self, mesh: np.ndarray) -> float:
        """dm3 of the closed skin."""
        return volume(mesh[self.body], self.mesh.triangles)

    def solve(self) -> tuple[np.ndarray, dict[str, float]]:
        """The mesh (dm) of the wanted stature and volume, and its sliders."""
        fatness = rising_root(
            lambda s: self.volume_of(self.of_fatness(s)[0]),
            *FATNESS,
            self.volume,
            2e-6 * self.volume,
            self.last.get("fatness"),
        )
        self.last["fatness"] = fatness
        mesh, slider, scale = self.of_fatness(fatness)
        flesh = 0.0
        if abs(self.volume_of(mesh) / self.volume - 1.0) > 1e-5:
            mesh, flesh = self.fleshed(mesh)
        muscle, weight = path(fatness, self.person.build)
        sliders = {"fatness": fatness, "muscle": muscle, "weight": weight, "height": slider, "scale": scale}
        return mesh, sliders | {"head": self.head_scale, "flesh": flesh}

    def fleshed(self, mesh: np.ndarray) -> tuple[np.ndarray, float]:
        """The mesh with its skin (not of head, hands and feet) moved along its normals until the volume fits, and by
        how much (m)."""
        normals = _normals(mesh[self.body], self.mesh.triangles) * _flesh_weight(self.mesh)
        partner = self.mesh.mirror[self.body]
        normals = (normals + normals[partner] * np.array([-1.0, 1.0, 1.0])) / 2.0

        def moved(distance: float) -> np.ndarray:
            out = mesh.copy()
            out[self.body] += 10.0 * distance * normals
            return out

        distance = rising_root(lambda d: self.volume_of(moved(d)), *FLESH, self.volume, 2e-6 * self.volume)
        return moved(distance), distance


def _normals(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n, 3) unit normals of the vertices, weighted by the areas of their triangles."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    cross = np.cross(b - a, c - a)
    out = np.zeros_like(vertices)
    for k in range(3):
        for axis in range(3):
            out[:, axis] += np.bincount(triangles[:, k], cross[:, axis], len(vertices))
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)


@lru_cache(maxsize=1)
def _head_weight(mesh: BaseMesh) -> np.ndarray:
    """(rows, 1) share of each row that moves with the head; points of the head count whole."""
    rig = mesh.rig("game_engine")
    weight = np.zeros((len(mesh.base), 1), np.float32)
    weight[: mesh.vertex_count, 0] = rig.weights_of({"head"})
    joint = mesh.base[mesh.point["head"], 1]
    for row in mesh.point.values():
        nearest = np.argmin(((mesh.base[mesh.rows["body"]] - mesh.base[row]) ** 2).sum(axis=1))
        weight[row] = 1.0 if mesh.base[row, 1] > joint else weight[nearest]
    return (weight + weight[mesh.mirror]) / np.float32(2.0)


@lru_cache(maxsize=1)
def _flesh_weight(mesh: BaseMesh) -> np.ndarray:
    """(body, 1) share with which the skin is moved out: none at head, hands and feet."""
    rig = mesh.rig("game_engine")
    fixed = ("head", "hand", "thumb", "index", "middle", "ring", "pinky", "foot", "ball")
    still = {bone for bone in rig.bones if bone.startswith(fixed)}
    return 1.0 - rig.weights_of(still)[mesh.rows["body"], None]


def _metres(raw: np.ndarray, mesh: BaseMesh) -> np.ndarray:
    """dm, y up to m, z up, with the soles on z = 0 and hips and shoulders where they belong."""
    out = 0.1 * raw[:, [2, 0, 1]]
    out[:, 2] -= out[mesh.rows["body"], 2].min()
    for side in "lr":
        leg = [mesh.point[side + name[1:]] for name in LEG]
        out[leg] = with_hip(out[leg], 1)
        shoulder, elbow = mesh.point[f"{side}-shoulder"], mesh.point[f"{side}-elbow"]
        out[shoulder] = out[elbow] + SHOULDER_REACH * (out[shoulder] - out[elbow])
    return out


def check(person: Person) -> list[str]:
    """Raise ValueError for what nobody is; return notes about what is taken otherwise than asked."""
    for name, low, high, unit in (
        ("sex", 0.0, 1.0, ""),
        ("age", 0.0, 130.0, " years"),
        ("height", SMALLEST, TALLEST, " m"),
        ("mass", LIGHTEST, HEAVIEST, " kg"),
        ("build", 0.0, 1.0, ""),
        ("helmet", 0.0, 10.0, " kg"),
        ("glasses", 0.0, 1.0, " kg"),
        ("rucksack", 0.0, 100.0, " kg"),
    ):
        value = getattr(person, name)
        if not low <= value <= high:
            raise ValueError(
                f"a person's {name} of {value:g}{unit} is outside {low:g} to {high:g}{unit}; "
                "heights are in metres, masses in kilograms, ages in years"
            )
    if len(person.ancestry) != 3 or min(person.ancestry) < 0.0 or sum(person.ancestry) <= 0.0:
        raise ValueError("a person's ancestry is three shares, none below zero and not all zero")
    if not YOUNGEST <= person.age <= OLDEST:
        taken = min(max(person.age, YOUNGEST), OLDEST)
        return [f"age {person.age:g} is outside {YOUNGEST:g} to {OLDEST:g} years: taken as {taken:g}"]
    return []


def _next_amplitude(history: list[tuple[float, float]], goal: float) -> float:
    """Where to drive a target next: a step of a quarter first, then by the secant through the last two."""
    (x1, y1) = history[-1]
    if len(history) == 1:
        return x1 + (0.25 if goal > y1 else -0.25)
    (x0, y0) = history[-2]
    slope = (y1 - y0) / (x1 - x0) if abs(x1 - x0) > 1e-9 else 0.0
    if slope <= 1e-4:
        return x1
    return float(np.clip(x1 + (goal - y1) / slope, -FARTHEST_TARGET, FARTHEST_TARGET))


def solve(person: Person) -> Shape:
    """The shape of a person. What cannot be met is said in its notes. Raises `PeopleDataMissing` and ValueError."""
    notes = check(person)
    solver = Solver(person)
    mesh = solver.mesh
    age = min(max(person.age, YOUNGEST), OLDEST)
    wanted_head = person.head or growth.head_circumference(person.sex, age, person.height)
    wanted = {name: getattr(person, name) for name in TAPE_TARGETS if getattr(person, name) is not None}
    tried: dict[str, list[tuple[float, float]]] = {name: [] for name in wanted}
    amplitude = dict.fromkeys(wanted, 0.0)
    for _ in range(ROUNDS):
        raw, sliders = solver.solve()
        vertices = _metres(raw, mesh)
        ratio = wanted_head / tape.head(mesh, vertices)
        misses = [abs(ratio - 1.0) * wanted_head]
        for name, goal in wanted.items():
            got = tape.MEASURES[name](mesh, vertices)
            tried[name].append((amplitude[name], got))
            misses.append(abs(got - goal))
        if max(misses) < CLOSE:
            break
        solver.head_scale = float(np.clip(solver.head_scale * ratio, 0.6, 1.8))
        for name, goal in wanted.items():
            amplitude[name] = _next_amplitude(tried[name], goal)
        solver.extra = _sum_of_targets(mesh, amplitude)
    notes += _shape_notes(sliders, person, tape.measure_all(mesh, vertices), wanted | {"head": wanted_head})
    return Shape(person, mesh, vertices, solver.density, sliders, tuple(notes))


def _sum_of_targets(mesh: BaseMesh, amplitude: dict[str, float]) -> np.ndarray:
    """(rows, 3) dm of the targets of single measures, driven as far as `amplitude` says."""
    total = np.zeros_like(mesh.base)
    for name, far in amplitude.items():
        for target in TAPE_TARGETS[name]:
            moved = mesh.target(f"{target}-{'incr' if far > 0.0 else 'decr'}")
            if moved is not None:
                total += np.float32(abs(far)) * moved
    return total


def _shape_notes(
    sliders: dict[str, float], person: Person, got: dict[str, float], wanted: dict[str, float]
) -> list[str]:
    """What the data did not reach, and how it went on."""
    notes = []
    if abs(sliders["scale"] - 1.0) > 1e-3:
        notes.append(
            f"a height of {person.height:g} m is beyond the data of that sex, age and build: the rest is by a "
            f"uniform scale of {sliders['scale']:.3f}"
        )
    if abs(sliders["fatness"]) > 1.0 + 1e-6:
        notes.append(
            f"a mass of {person.mass:g} kg is beyond the data of that sex, age, height and build: fatness is "
            f"extrapolated to {sliders['fatness']:.2f} (1 is the end of the data)"
        )
    if abs(sliders["flesh"]) > 1e-4:
        notes.append(
            f"the rest of the mass is by skin moved {1000 * sliders['flesh']:+.1f} mm along its normals"
        )
    if sliders["flesh"] in FLESH:
        notes.append(f"a mass of {person.mass:g} kg is out of reach: the shape is that of another mass")
    for name, goal in wanted.items():
        if abs(got[name] - goal) > 0.002:
            notes.append(
                f"the {name.replace('_', ' ')} of {goal:.3f} m is out of reach with the rest: it is {got[name]:.3f} m"
            )
    return notes
