"""From specs to the contact arrays: ellipsoids of all actors, obstacles, materials, and who may touch whom."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

import numpy as np

from ..bodies.tree import Authored, Tree, TreeBuilder
from ..maths.inertia import symmetric_six
from ..maths.rotations import matrix_from_zyx, quaternion_from_matrix
from ..spec import Actor, CrushBlock, Ellipsoid, Obstacle, PairMaterial, Scenario, Settings
from ..spec.materials import ellipsoid_material
from ..spec.sharing import Members, Once
from ..spec.validation import error, refuse
from .arrays import (
    CARRIED,
    FORM_INERTIA,
    FORM_MASS,
    KIND_OF_SHAPE,
    MESH_SLOTS,
    OWNER_ACTOR,
    OWNER_BODY,
    OWNER_CRUSH,
    OWNER_FLESH,
    OWNER_HOST,
    OWNER_MATERIAL,
    TABLE_WIDTH,
    ContactSurfaces,
)
from .carried import (
    ZONE_SLOTS,
    ZONE_WIDTH,
    Carried,
    list_carried,
    mesh_reach,
    place_in_host,
    surface_names,
    zone_rows,
)
from .geometry.broad_phase import PairFilter, make_pair_filter
from .geometry.mesh_tree import MeshTree, build_mesh_tree
from .materials import RigidSurface, Surfaces, build_material_table, fixed
from .meshes import joined_meshes

GROUND_NAME = "ground"
PLANE_REACH = 10.0
"""m: how far from its origin a turning plane is taken to be touched."""


@dataclass
class EllipsoidEntry:
    """One ellipsoid of the scenario, one strip of structure, or one zone of a contact mesh that a body carries."""

    name: str
    actor: int
    body: int
    """Authored body."""
    body_name: str
    surface: int
    """Number in the material table."""
    crush: int = -1
    """Of a zone: the number of its material towards structures."""
    is_strip: bool = False
    """Whether it is a strip of structure: it touches obstacles and contact meshes, and no ellipsoid."""
    flesh: str = ""
    """Word that the bodies of its actor have that are one flesh with its own."""


def all_obstacles(scenario: Scenario) -> list[Obstacle]:
    """The ground, where it is on, and then the scenario's obstacles."""
    return ground_obstacles(scenario.settings.ground) + scenario.obstacles


def ground_obstacles(is_on: bool) -> list[Obstacle]:
    """The ground as an obstacle, where it is on."""
    return [Obstacle(GROUND_NAME, "plane")] if is_on else []


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
    actors: Sequence[Actor], builder: TreeBuilder, surfaces: Surfaces
) -> tuple[list[EllipsoidEntry], list[Ellipsoid]]:
    """All ellipsoids in the order of actors, bodies and files, with their specs."""
    entries, specs = [], []
    for a, actor in enumerate(actors):
        materials = {material.name: material for material in actor.model.materials}
        for body in actor.model.bodies:
            for ellipsoid in body.ellipsoids:
                material = ellipsoid_material(ellipsoid, materials)
                number = surfaces.add(
                    material, surface_names(actor.name, ellipsoid.name, body.name, material.name)
                )
                entries.append(
                    EllipsoidEntry(
                        ellipsoid.name,
                        a,
                        builder.body_index[a, body.name],
                        body.name,
                        number,
                        flesh=body.flesh,
                    )
                )
                specs.append(ellipsoid)
    return entries, specs


def list_structures(
    actors: Sequence[Actor], builder: TreeBuilder, surfaces: Surfaces
) -> tuple[list[EllipsoidEntry], list[Ellipsoid]]:
    """Strips of structure of all contact meshes, in the order of actors and bodies, as ellipsoids."""
    entries, specs = [], []
    for a, actor in enumerate(actors):
        materials = {material.name: material for material in actor.model.materials}
        for body in actor.model.bodies:
            for block in body.surface.structure if body.surface else []:
                names = surface_names(actor.name, block.name, body.name, block.material)
                number = surfaces.add(materials[block.material], names)
                index = builder.body_index[a, body.name]
                entries.append(EllipsoidEntry(block.name, a, index, body.name, number, is_strip=True))
                specs.append(strip_ellipsoid(block))
    return entries, specs


def strip_ellipsoid(block: CrushBlock) -> Ellipsoid:
    """The ellipsoid of a strip of structure; its first axis points to the tip."""
    out = np.array(block.direction, dtype=float)
    out /= np.linalg.norm(out)
    across = np.cross((0.0, 0.0, 1.0), out)
    across /= np.linalg.norm(across)
    axes = np.stack([out, across, np.cross(out, across)], axis=1)
    centre = np.array(block.tip, dtype=float) - block.reach * out
    size = (block.reach, block.half_width, block.half_height)
    return Ellipsoid(block.name, size, tuple(centre), tuple(map(tuple, axes)))


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
    owner = np.zeros((count, 6), dtype=np.int64)
    form, reach = np.zeros((count, 14)), np.zeros(count)
    host_reach = np.zeros(n + 1)
    inertias = least_inertias(tree)
    fleshes = {word: n + 1 + k for k, word in enumerate(sorted({(e.actor, e.flesh) for e in entries}))}
    for e, (entry, spec) in enumerate(zip(entries, specs, strict=True)):
        rotation = authored.rotation[entry.body].reshape(3, 3)
        origin = authored.com[entry.body] - rotation @ authored.com_local[entry.body]
        axes = rotation @ np.array(spec.orientation, dtype=float)
        semi = np.array(spec.semi_axes, dtype=float)
        centre = rotation @ np.array(spec.position, dtype=float) + origin
        host = authored.host[entry.body]
        flesh = fleshes[entry.actor, entry.flesh] if entry.flesh else host
        owner[e] = host, entry.body, entry.actor, entry.surface, entry.is_strip, flesh
        shape = symmetric_six(axes @ np.diag(semi**2) @ axes.T)
        reach[e] = semi.max()
        felt = resisting = np.inf
        if host < n:
            resisting = float(inertias[host])
            arm = float(np.linalg.norm(centre - tree.com[host])) + reach[e]
            felt = least_mass(float(tree.mass[host]), resisting, arm)
        tip = axes[:, 0] * semi[0] if entry.is_strip else np.zeros(3)
        form[e] = [*centre, *shape, felt, resisting, *tip]
        host_reach[host] = max(host_reach[host], np.linalg.norm(centre) + reach[e])
    return {"owner": owner, "form": form, "reach": reach, "host_reach": host_reach[:n].copy()}


def motion_rows(obstacle: Obstacle) -> np.ndarray:
    """(r, 8) time, world position and quaternion of an obstacle; one row where its shape is still."""
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


def mesh_trees(scenario: Scenario, carried: list[Carried], once: Once) -> tuple[list[MeshTree], list[str]]:
    """Trees of the obstacles that are meshes and of the carried meshes, in this order, and notes about what was
    repaired. Raises `Refused`."""
    meshes = [(f"obstacle '{o.name}'", o) for o in scenario.obstacles if o.shape == "mesh"]
    meshes += [(f"contact mesh of '{item.name}'", item.mesh) for item in carried]
    trees, notes, issues = [], [], []
    for place, mesh in meshes:
        tree, diagnostics = once(build_mesh_tree, mesh.vertices, mesh.triangles)
        notes += [f"{place}: {note}" for note in diagnostics.warnings()]
        if tree is None:
            message = "its mesh has no area: every triangle is a line or a point"
            issues.append(error(place, message, "Check its scale"))
        trees.append(tree)
    refuse(scenario.name, issues)
    return trees, notes


def obstacle_arrays(
    obstacles: Sequence[Obstacle],
    materials: list[int],
    carried: list[Carried],
    ellipsoids: int,
    authored: Authored,
) -> dict[str, np.ndarray]:
    """Obstacle columns of `ContactSurfaces`: obstacles, then carried meshes; meshes are numbered in this order."""
    rows, extent, tables = [], [], []
    slot = table = mesh = row = 0
    with_structure = {item.actor for item in carried if item.mesh.structure}
    for obstacle, material in zip(obstacles, materials, strict=True):
        is_mesh = obstacle.shape == "mesh"
        each = MESH_SLOTS if is_mesh else 1
        kind = KIND_OF_SHAPE[obstacle.shape]
        rows.append((kind, material, slot, mesh if is_mesh else -1, table, each, -1, -1, -1, -1, 0))
        extent.append([*obstacle.half_size, *np.concatenate(obstacle_bounds(obstacle)), 0.0])
        motion = motion_rows(obstacle)
        tables.append(np.hstack([motion, np.tile(obstacle.belt_velocity, (len(motion), 1))]))
        slot, table, mesh = slot + ellipsoids * each, table + len(tables[-1]), mesh + is_mesh
    for item in carried:
        each = ZONE_SLOTS * len(item.mesh.zones)
        host = int(authored.host[item.body])
        crush = int(item.actor in with_structure)
        rows.append((CARRIED, -1, slot, mesh, table, each, host, item.actor, item.first_zone, row, crush))
        points = np.asarray(item.mesh.vertices, dtype=float)
        extent.append(
            [0.0, 0.0, 0.0, *points.min(axis=0), *points.max(axis=0), float(np.max(item.mesh.depth))]
        )
        tables.append(np.array([[*place_in_host(authored, item.body), 0.0, 0.0, 0.0]]))
        slot, table, mesh, row = slot + ellipsoids * each, table + 1, mesh + 1, row + len(item.mesh.triangles)
    rows.append((0, -1, slot, -1, table, 0, -1, -1, -1, row, 0))
    return {
        "obstacle": np.array(rows, dtype=np.int64),
        "extent": np.array(extent, dtype=float).reshape(-1, 10),
        "table": np.concatenate(tables) if tables else np.zeros((0, TABLE_WIDTH)),
    }


def with_zones(
    arrays: dict[str, np.ndarray],
    zones: list[EllipsoidEntry],
    carried: list[Carried],
    tree: Tree,
    authored: Authored,
) -> dict[str, np.ndarray]:
    """Ellipsoid columns of `ContactSurfaces` with a row among the owners for every zone, and bodies that reach as far
    as the meshes they carry."""
    owner = np.zeros((len(zones), 6), dtype=np.int64)
    form = np.zeros((len(zones), arrays["form"].shape[1]))
    form[:, [FORM_MASS, FORM_INERTIA]] = np.inf
    inertias = least_inertias(tree)
    for k, zone in enumerate(zones):
        host = authored.host[zone.body]
        owner[k, [OWNER_HOST, OWNER_BODY, OWNER_FLESH]] = host, zone.body, host
        owner[k, [OWNER_ACTOR, OWNER_MATERIAL, OWNER_CRUSH]] = zone.actor, zone.surface, zone.crush
        if host < len(inertias):
            form[k, FORM_INERTIA] = inertias[host]
    reach = arrays["host_reach"]
    for item in carried:
        host = authored.host[item.body]
        if host < len(reach):
            reach[host] = max(reach[host], mesh_reach(item.mesh, place_in_host(authored, item.body)))
    return arrays | {
        "owner": np.concatenate([arrays["owner"], owner]),
        "form": np.concatenate([arrays["form"], form]),
        "host_reach": reach,
    }


class OwnSurfaces(NamedTuple):
    """What actors bring to contacts, wherever they are and whatever is around them."""

    surfaces: Surfaces
    """Numbers of their surfaces; those of obstacles come after them."""
    entries: list[EllipsoidEntry]
    """Ellipsoids and strips of structure."""
    zones: list[EllipsoidEntry]
    carried: list[Carried]
    tables: list[np.ndarray | None]
    """Of `self_contact_tables`."""
    first_bodies: list[int]
    arrays: dict[str, np.ndarray | PairFilter]
    """Columns of `ContactSurfaces`."""


def own_surfaces(
    actors: Sequence[Actor],
    pairs: Sequence[PairMaterial],
    builder: TreeBuilder,
    tree: Tree,
    authored: Authored,
    self_contact: bool,
    exclusion_hops: int,
) -> OwnSurfaces:
    """Surfaces of all actors. Of actors only names and models count."""
    surfaces = Surfaces(pairs)
    entries, specs = (
        sum(parts, [])
        for parts in zip(
            list_ellipsoids(actors, builder, surfaces),
            list_structures(actors, builder, surfaces),
            strict=True,
        )
    )
    carried, rows = list_carried(actors, builder, surfaces, len(entries))
    zones = [EllipsoidEntry(*row) for row in rows]
    tables = self_contact_tables(actors, self_contact, exclusion_hops)
    first = [builder.body_index[a, actor.model.bodies[0].name] for a, actor in enumerate(actors)]
    no_zones = np.zeros((0, ZONE_WIDTH))
    arrays = with_zones(ellipsoid_arrays(entries, specs, tree, authored), zones, carried, tree, authored)
    arrays |= {
        "zone": np.concatenate([no_zones, *(zone_rows(item.mesh) for item in carried)]),
        "pair_filter": pair_filter(entries, tables, first),
    }
    return OwnSurfaces(surfaces, entries, zones, carried, tables, first, arrays)


def all_surfaces(
    own: OwnSurfaces,
    obstacles: Sequence[Obstacle],
    meshes: tuple[MeshTree, np.ndarray],
    authored: Authored,
    settings: Settings,
) -> tuple[ContactSurfaces, list[str]]:
    """Contact arrays of actors among obstacles (the ground included), and names in pairs that no surface answers to.

    meshes: of `joined_meshes`.
    """
    surfaces = own.surfaces.copy()
    numbers = []
    for b, obstacle in enumerate(obstacles):
        friction = settings.ground_friction if b == 0 and settings.ground else None
        material = fixed(obstacle.material) if obstacle.material else RigidSurface(obstacle.name, friction)
        names = {obstacle.name, material.name} - {""}
        numbers.append(surfaces.add(material, names))
    meeting = meeting_surfaces([*own.entries, *own.zones], numbers, own.tables, own.first_bodies)
    table = build_material_table(surfaces.materials, surfaces.overrides(), settings, meeting)
    arrays = ContactSurfaces(
        **own.arrays,
        **obstacle_arrays(obstacles, numbers, own.carried, len(own.entries), authored),
        overlap=np.zeros((0, 3)),
        meshes=meshes[0],
        mesh_first=meshes[1],
        materials=table,
    )
    return arrays, surfaces.unmatched()


def build_contact(
    scenario: Scenario,
    actors: Sequence[Actor],
    builder: TreeBuilder,
    tree: Tree,
    authored: Authored,
    once: Once,
) -> tuple[ContactSurfaces, list[EllipsoidEntry], list[str]]:
    """Contact arrays of a scenario, its ellipsoids and then its zones, and notes for the run. Overlaps come later.

    actors: those of the scenario, of which only names and models count. Raises `Refused` for a mesh without area.
    """
    settings = scenario.settings
    own = once(
        own_surfaces,
        Members(actors),
        Members(scenario.pairs),
        builder,
        tree,
        authored,
        settings.self_contact,
        settings.exclusion_hops,
    )
    trees, notes = mesh_trees(scenario, own.carried, once)
    obstacles = Members(once(ground_obstacles, settings.ground) + scenario.obstacles)
    meshes = once(joined_meshes, Members(trees))
    arrays, unmatched = once(all_surfaces, own, obstacles, meshes, authored, settings)
    notes += [f"contact pair names '{name}', which no surface answers to" for name in unmatched]
    return arrays, [*own.entries, *own.zones], notes


def self_contact_tables(
    actors: Sequence[Actor], self_contact: bool, exclusion_hops: int
) -> list[np.ndarray | None]:
    """Per actor: which of its bodies may touch each other, or None where none may.

    Pairs a model includes by name touch even where self-contact is off.
    """
    tables: list[np.ndarray | None] = []
    for actor in actors:
        if self_contact:
            tables.append(self_contact_table(actor, exclusion_hops))
        elif actor.model.contact_include:
            tables.append(self_contact_table(actor, len(actor.model.bodies)))
        else:
            tables.append(None)
    return tables


def meeting_surfaces(
    entries: list[EllipsoidEntry],
    obstacles: list[int],
    tables: list[np.ndarray | None],
    first_body: list[int],
) -> set[tuple[int, int]]:
    """Pairs of surface numbers that can meet: only for these is the common force curve worth working out.

    Ellipsoids meet obstacles and ellipsoids of other actors, and of their own actor where its table says so; strips of
    structure meet obstacles and zones of other actors.
    """
    of_body: list[dict[int, set[int]]] = [{} for _ in tables]
    strips = {(entry.actor, entry.surface) for entry in entries if entry.is_strip}
    towards = {(entry.actor, entry.crush) for entry in entries if entry.crush >= 0}
    for entry in entries:
        if entry.is_strip:
            continue
        of_body[entry.actor].setdefault(entry.body - first_body[entry.actor], set()).add(entry.surface)
    of_actor = [frozenset().union(*bodies.values()) for bodies in of_body]
    pairs = set(product({entry.surface for entry in entries}, obstacles))
    pairs.update((a, b) for (one, a), (other, b) in product(strips, towards) if one != other)
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
        [-1 if entry.is_strip else entry.body - first_body[entry.actor] for entry in entries],
        tables,
    )
