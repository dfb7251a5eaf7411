"""The whole vehicle as it is drawn: its skin of panels, what is added to it, and a wheel."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ....engine.spec import Vehicle
from .assembly import Assembly, Drawn, turned
from .meshing import Skin, project, relaxed, sampled, surface_nets, unit_gradient
from .panels import cut_glass, cut_panels
from .parts import add_parts, wheel_centres
from .surface import Form, make_form
from .wheel import wheel

FLANGE, THIN_FLANGE, BOWL = 0.014, 0.004, 0.055
"""m: depth of the edge around a panel, around glass, and of the bowl behind a lens."""
GAP_DEPTH, LINING = 0.013, 0.018
"""m: depth of the dark floor of the gaps between panels, and of the lining inside."""
LINING_CELL = 0.08
"""m: size of the faces of the lining."""
SEEN_THROUGH = ("windscreen", "rear_window", "side_glass")


CARRIER = "car_body"
"""Body of a vehicle's model that carries what is drawn of it."""
HALF_TURN = np.diag([-1.0, -1.0, 1.0])
"""Of a wheel on the right about the vertical: its outer face looks outward."""


@dataclass(frozen=True)
class DrawnVehicle:
    """Body in the actor frame; one wheel about its axle, outer face at +y; the centre of each wheel (m) by its name.
    A wheel on the right is turned half round the vertical."""

    body: Drawn
    wheel: Drawn
    centres: dict[str, np.ndarray]


@lru_cache(maxsize=16)
def draw_vehicle(vehicle: Vehicle) -> DrawnVehicle:
    """What is drawn of a vehicle. EngineError where its dimensions do not go together."""
    form = make_form(vehicle)
    skin = half_skin(form, form.style.cell)
    cut_panels(skin, form)
    out = Assembly()
    add_skin(out, skin, form)
    add_parts(out, form)
    made = wheel(vehicle.wheel_radius, vehicle.tyre_width, form.style.spokes)
    return DrawnVehicle(out.drawn(), made, wheel_centres(vehicle))


def half_skin(form: Form, cell: float) -> Skin:
    """Mesh of the left half of the sheet metal."""
    v = form.vehicle
    low = (form.rear - 0.06, -2.0 * cell, v.clearance - 0.06)
    high = (form.front + 0.06, form.half + 0.06, v.height + 0.06)
    points, quads = surface_nets(sampled(form, low, high, cell), low, cell)
    skin = Skin(relaxed(form, points, quads, 3), quads)
    skin.cut(lambda p: 1e-7 - p[:, 1], np.ones(len(skin.triangles), dtype=bool))
    skin.keep(skin.middles()[:, 1] > 0.0)
    return skin


def add_skin(out: Assembly, skin: Skin, form: Form) -> None:
    """Panels with an edge of their own, the floor of the gaps, and the lining of the cabin."""
    in_middle = skin.points[:, 1] < 1e-4
    points = project(form, skin.points, 1, 0.004)
    points[in_middle, 1] = 0.0
    normals = unit_gradient(form, points)
    normals[in_middle, 1] = 0.0
    for label, name in enumerate(skin.names):
        if name not in ("gap", "hole"):
            add_panel(out, skin, label, points, normals)
    out.add(points - GAP_DEPTH * normals, skin.faces(skin.GAP), "dark", normals, mirror=True)
    add_lining(out, form)


def add_panel(out: Assembly, skin: Skin, label: int, points: np.ndarray, normals: np.ndarray) -> None:
    """One panel at its depth, and the edge that returns inward around it."""
    name = skin.names[label]
    finish, inset = skin.finish[name]
    faces = skin.faces(label)
    placed = points - inset * normals
    out.add(placed, faces, finish, normals, mirror=True)
    depth = THIN_FLANGE if finish in ("glass", "lens") else FLANGE
    edge_finish = finish
    if finish == "lens":
        out.add(points - BOWL * normals, faces, "dark", normals, mirror=True)
        depth, edge_finish = BOWL, "chrome"
    a, b = border(skin.triangles[skin.label == label], placed).T
    corners = np.concatenate(
        [placed[b], placed[a], placed[a] - depth * normals[a], placed[b] - depth * normals[b]]
    )
    out.add(corners, np.arange(len(corners)).reshape(4, -1).T, edge_finish, flat=True, mirror=True)


def border(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n, 2) edges that one triangle only has, but for those in the plane of symmetry."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    _, first, count = np.unique(np.sort(edges, axis=1), axis=0, return_index=True, return_counts=True)
    edges = edges[first[count == 1]]
    return edges[~(points[edges, 1] < 1e-3).all(axis=1)]


def add_lining(out: Assembly, form: Form) -> None:
    """The inside of the sheet metal around the cabin, as seen through the glass; coarse, as little of it shows."""
    skin = half_skin(form, LINING_CELL)
    cut_glass(skin, form)
    middle = skin.middles()
    clear = [skin.names.index(name) for name in SEEN_THROUGH if name in skin.names]
    inside = (
        ~np.isin(skin.label, clear) & (middle[:, 2] > form.belt - 0.3) & (middle[:, 0] < form.cowl_x + 0.1)
    )
    if form.cab_end is not None:
        inside &= middle[:, 0] > form.cab_end - 0.05
    normals = unit_gradient(form, skin.points)
    faces = turned(skin.as_faces(inside))
    out.add(skin.points - LINING * normals, faces, "cabin", -normals, mirror=True)
