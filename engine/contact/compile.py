"""From specs to the contact arrays: ellipsoids of all actors, obstacles, materials, and who may touch whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product

import numpy as np

from ..bodies.tree import Authored, Tree, TreeBuilder, symmetric_six
from ..maths.rotations import matrix_from_zyx, quaternion_from_matrix
from ..spec import Actor, Ellipsoid, Obstacle, Scenario
from ..spec.materials import ellipsoid_material
from ..spec.names import part_path
from ..spec.sharing import Once, each_time
from ..spec.validation import error, refuse
from .arrays import KIND_OF_SHAPE, MESH_SLOTS, ContactSurfaces
from .geometry.broad_phase import PairFilter, make_pair_filter
from .geometry.mesh_tree import MeshTree, build_mesh_tree
from .materials import RigidSurface, Surfaces, build_material_table
from .meshes import joined_meshes

GROUND_NAME = "ground"
PLANE_REACH = 10.0
"""m: how far from its origin a turning plane is taken to be touched."""


@dataclass
class EllipsoidEntry:
    """One ellipsoid of the scenario."""

    name: str
    actor: int
    body: int
    """Authored body."""
    body_name: str
    surface: int
    """Number in the material table."""


def all_obstacles(scenario: Scenario) -> list[Obstacle]:
    """The ground, where it is on, and then the scenario's obstacles."""
    ground = [Obstacle(GROUND_NAME, "plane")] if scenario.settings.ground else []
    return ground + scenario.obstacles


def hops_between(actor: Actor) -> np.ndarray:
    """(b, b) number of joints between any two bodies of an actor's model."""
    names = [body.name for body in actor.model.bodies]
    index = {name: i for i, name in enumerate(names)}
    hops = np.full((len(names), len(names)), len(names), dtype=np.int64)
    np.fill_diagonal(hops, 0)
    neighbours: list[list[int]] = [[] for _ in names]
    for joint in actor.model.joints:
        if joint.parent is not None:
            neighbours[index[joint.parent]].append(index[joint.child])
            neighbours[index[joint.child]].append(index[joint.parent])
    for start in range(len(names)):
        queue = [start]
        while queue:
            body = queue.pop(0)
            for other in neighbours[body]:
                if hops[start, other] == len(names) and other != start:
                    hops[start, other] = hops[start, body] + 1
                    queue.append(other)
    return hops


def self_contact_table(actor: Actor, exclusion_hops: int) -> np.ndarray:
    """(b, b) true where two bodies of an actor may touch: further apart than the hops, or named; never if excluded."""
    names = [body.name for body in actor.model.bodies]
    allowed = hops_between(actor) > exclusion_hops
    index = {name: i for i, name in enumerate(names)}
    for pairs, value in ((actor.model.contact_include, True), (actor.model.contact_exclude, False)):
        for first, second in pairs:
            allowed[index[first], index[second]] = allowed[index[second], index[first]] = value
    return allowed


def list_ellipsoids(
    scenario: Scenario, builder: TreeBuilder, surfaces: Surfaces
) -> tuple[list[EllipsoidEntry], list[Ellipsoid]]:
    """All ellipsoids in the order of actors, bodies and files, with their specs."""
    entries, specs = [], []
    for a, actor in enumerate(scenario.actors):
        materials = {material.name: material for material in actor.model.materials}
        for body in actor.model.bodies:
            for ellipsoid in body.ellipsoids:
                material = ellipsoid_material(ellipsoid, materials)
                plain = {ellipsoid.name, body.name, material.name, actor.name} - {""}
                names = plain | {part_path(actor.name, name) for name in plain}
                number = surfaces.add(material, names)
                entries.append(
                    EllipsoidEntry(ellipsoid.name, a, builder.body_index[a, body.name], body.name, number)
                )
                specs.append(ellipsoid)
    return entries, specs


def least_inertias(tree: Tree) -> np.ndarray:
    """(n,) smallest principal inertia about the centre of mass of every moving body, kg m2."""
    about_joint = tree.inertia[:, [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
    square = np.einsum("ni,ni->n", tree.com, tree.com)[:, None, None] * np.eye(3)
    shift = square - np.einsum("ni,nj->nij", tree.com, tree.com)
    about_com = about_joint - tree.mass[:, None, None] * shift
    return np.maximum(np.linalg.eigvalsh(about_com)[:, 0], 0.0)


def least_mass(mass: float, inertia: float, arm: float) -> float:
    """Lower bound of the mass (kg) that a push on an ellipsoid of a moving body feels, at any point in any direction.

    1 / (1 / m + r^2 / I) with I the smallest principal inertia about the centre of mass and r the largest distance from
    it. For the body alone; what hangs on its joints can only add inertia.
    """
    return mass * inertia / (inertia + mass * arm * arm)


def ellipsoid_arrays(
    entries: list[EllipsoidEntry], specs: list[Ellipsoid], tree: Tree, authored: Authored
) -> dict[str, np.ndarray]:
    """Ellipsoid columns of `ContactSurfaces`: centre and shape in the moving frame of the host."""
    count, n = len(entries), len(tree.mass)
    owner = np.zeros((count, 4), dtype=np.int64)
    form, reach = np.zeros((count, 11)), np.zeros(count)
    host_reach = np.zeros(n + 1)
    inertias = least_inertias(tree)
    for e, (entry, spec) in enumerate(zip(entries, specs, strict=True)):
        rotation = authored.rotation[entry.body].reshape(3, 3)
        origin = authored.com[entry.body] - rotation @ authored.com_local[entry.body]
        axes = rotation @ np.array(spec.orientation, dtype=float)
        semi = np.array(spec.semi_axes, dtype=float)
        centre = rotation @ np.array(spec.position, dtype=float) + origin
        host = authored.host[entry.body]
        owner[e] = host, entry.body, entry.actor, entry.surface
        shape = symmetric_six(axes @ np.diag(semi**2) @ axes.T)
        reach[e] = semi.max()
        felt = resisting = np.inf
        if host < n:
            resisting = float(inertias[host])
            arm = float(np.linalg.norm(centre - tree.com[host])) + reach[e]
            felt = least_mass(float(tree.mass[host]), resisting, arm)
        form[e] = [*centre, *shape, felt, resisting]
        host_reach[host] = max(host_reach[host], np.linalg.norm(centre) + reach[e])
    return {"owner": owner, "form": form, "reach": reach, "host_reach": host_reach[:n].copy()}


def motion_rows(obstacle: Obstacle) -> np.ndarray:
    """(r, 8) time, world position and quaternion of an obstacle; one row where it is still."""
    base = matrix_from_zyx(obstacle.orientation)
    motion = obstacle.motion or ((0.0, 0.0, 0.0, 0.0),)
    rows = np.zeros((len(motion), 8))
    for row, given in zip(rows, motion, strict=True):
        turn = matrix_from_zyx(given[4:7]) if len(given) >= 7 else np.eye(3)
        row[0] = given[0]
        row[1:4] = np.array(obstacle.position, dtype=float) + given[1:4]
        row[4:8] = quaternion_from_matrix(turn @ base)
    return rows


def obstacle_bounds(obstacle: Obstacle) -> tuple[np.ndarray, np.ndarray]:
    """(low, high) corners in the obstacle's frame."""
    high = np.array(obstacle.half_size, dtype=float)
    if obstacle.shape == "plane":
        high = np.full(3, PLANE_REACH)
    elif obstacle.shape == "capsule":
        high[2] += high[0]
    elif obstacle.shape == "mesh":
        vertices = np.asarray(obstacle.vertices, dtype=float)
        return vertices.min(axis=0), vertices.max(axis=0)
    return -high, high


def mesh_trees(scenario: Scenario, once: Once) -> tuple[dict[str, MeshTree], list[str]]:
    """Trees of the obstacles that are meshes, by name, and notes about what was repaired. Raises `Refused`."""
    trees: dict[str, MeshTree] = {}
    notes, issues = [], []
    for obstacle in scenario.obstacles:
        if obstacle.shape != "mesh":
            continue
        tree, diagnostics = once(build_mesh_tree, obstacle.vertices, obstacle.triangles)
        notes += [f"obstacle '{obstacle.name}': {note}" for note in diagnostics.warnings()]
        if tree is None:
            message = "its mesh has no area: every triangle is a line or a point"
            issues.append(error(f"obstacle '{obstacle.name}'", message, "Check its scale"))
        trees[obstacle.name] = tree
    refuse(scenario.name, issues)
    return trees, notes


def obstacle_arrays(
    obstacles: list[Obstacle], materials: list[int], ellipsoids: int, meshes: dict[str, MeshTree]
) -> dict[str, np.ndarray]:
    """Obstacle columns of `ContactSurfaces`; its meshes are in the order of `meshes`."""
    rows = np.zeros((len(obstacles) + 1, 5), dtype=np.int64)
    extent = np.zeros((len(obstacles), 9))
    numbers = {name: number for number, name in enumerate(meshes)}
    tables = [motion_rows(obstacle) for obstacle in obstacles]
    slot = table = 0
    for b, obstacle in enumerate(obstacles):
        mesh = numbers[obstacle.name] if obstacle.shape == "mesh" else -1
        rows[b] = KIND_OF_SHAPE[obstacle.shape], materials[b], slot, mesh, table
        extent[b] = np.concatenate([obstacle.half_size, *obstacle_bounds(obstacle)])
        slot += ellipsoids * (MESH_SLOTS if mesh >= 0 else 1)
        table += len(tables[b])
    rows[-1, -1] = table
    joined = np.concatenate(tables) if tables else np.zeros((0, 8))
    return {"obstacle": rows, "extent": extent, "table": joined}


def build_contact(
    scenario: Scenario, builder: TreeBuilder, tree: Tree, authored: Authored, once: Once = each_time
) -> tuple[ContactSurfaces, list[EllipsoidEntry], list[str]]:
    """Contact arrays of a scenario, its ellipsoids, and notes for the run. Overlaps at the start come later.

    Raises `Refused` for a mesh without area.
    """
    settings = scenario.settings
    surfaces = Surfaces(scenario.pairs)
    entries, specs = list_ellipsoids(scenario, builder, surfaces)
    obstacles = all_obstacles(scenario)
    numbers = []
    for b, obstacle in enumerate(obstacles):
        friction = settings.ground_friction if b == 0 and settings.ground else None
        material = obstacle.material or RigidSurface(obstacle.name, friction)
        names = {obstacle.name, material.name} - {""}
        numbers.append(surfaces.add(material, names))
    tables = self_contact_tables(scenario)
    meeting = meeting_surfaces(entries, numbers, tables, first_bodies(scenario, builder))
    table = build_material_table(surfaces.materials, surfaces.overrides(), settings, meeting)
    trees, notes = mesh_trees(scenario, once)
    notes += [f"contact pair names '{name}', which no surface answers to" for name in surfaces.unmatched()]
    meshes, mesh_first = joined_meshes(list(trees.values()))
    arrays = ContactSurfaces(
        **ellipsoid_arrays(entries, specs, tree, authored),
        **obstacle_arrays(obstacles, numbers, len(entries), trees),
        pair_filter=pair_filter(entries, tables, first_bodies(scenario, builder)),
        overlap=np.zeros((0, 3)),
        meshes=meshes,
        mesh_first=mesh_first,
        materials=table,
    )
    return arrays, entries, notes


def self_contact_tables(scenario: Scenario) -> list[np.ndarray | None]:
    """Per actor: which of its bodies may touch each other, or None where none may.

    Pairs a model includes by name touch even where self-contact is off.
    """
    settings = scenario.settings
    tables: list[np.ndarray | None] = []
    for actor in scenario.actors:
        if settings.self_contact:
            tables.append(self_contact_table(actor, settings.exclusion_hops))
        elif actor.model.contact_include:
            tables.append(self_contact_table(actor, len(actor.model.bodies)))
        else:
            tables.append(None)
    return tables


def first_bodies(scenario: Scenario, builder: TreeBuilder) -> list[int]:
    """Authored body with which each actor begins."""
    return [builder.body_index[a, actor.model.bodies[0].name] for a, actor in enumerate(scenario.actors)]


def meeting_surfaces(
    entries: list[EllipsoidEntry],
    obstacles: list[int],
    tables: list[np.ndarray | None],
    first_body: list[int],
) -> set[tuple[int, int]]:
    """Pairs of surface numbers that can meet: only for these is the common force curve worth working out.

    Ellipsoids meet obstacles and ellipsoids of other actors, and of their own actor where its table says so.
    """
    of_body: list[dict[int, set[int]]] = [{} for _ in tables]
    for entry in entries:
        of_body[entry.actor].setdefault(entry.body - first_body[entry.actor], set()).add(entry.surface)
    of_actor = [frozenset().union(*bodies.values()) for bodies in of_body]
    pairs = set(product({entry.surface for entry in entries}, obstacles))
    kinds = Counter(of_actor)
    for one, other in combinations_with_replacement(kinds, 2):
        if one != other or kinds[one] > 1:
            pairs.update(product(one, other))
    for bodies, table in zip(of_body, tables, strict=True):
        if table is not None:
            for one, other in combinations(bodies, 2):
                if table[one, other]:
                    pairs.update(product(bodies[one], bodies[other]))
    return pairs


def pair_filter(
    entries: list[EllipsoidEntry], tables: list[np.ndarray | None], first_body: list[int]
) -> PairFilter:
    """Who may touch whom, for the broad phase: different actors always, within an actor as its table says."""
    return make_pair_filter(
        [entry.actor for entry in entries],
        [entry.body - first_body[entry.actor] for entry in entries],
        tables,
    )
