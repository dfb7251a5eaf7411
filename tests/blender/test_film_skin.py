"""The skin: closed, in one piece, on the ellipsoids, and it stays on them when the actor moves."""

import math

import numpy as np
import pytest

from mannequin.models.library import load_model

NEAR = 0.02
"""Metres that a smoothed surface may stand off the union of the ellipsoids."""
LONGEST = 0.12
"""Metres that an edge may be stretched to where an arm is raised; voxels are about 0.015 m."""


@pytest.fixture(params=["male", "child_3", "hybrid3_50th"])
def actor(blender, request):
    from mannequin.scene.model.build import build_actor

    return build_actor(load_model(request.param), blender.context.scene)


def edge_counts(mesh):
    """How many faces share each edge."""
    counts = {}
    for face in mesh.polygons:
        for key in face.edge_keys:
            counts[key] = counts.get(key, 0) + 1
    return counts


def pieces(mesh):
    """Number of connected parts."""
    parent = list(range(len(mesh.vertices)))

    def find(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for edge in mesh.edges:
        parent[find(edge.vertices[0])] = find(edge.vertices[1])
    return len({find(i) for i in range(len(parent))})


def off_ellipsoids(blender, actor, obj):
    """(n,) distance (m, first order) of the surface as seen outside the union of the ellipsoids as seen."""
    depsgraph = blender.context.evaluated_depsgraph_get()
    seen = obj.evaluated_get(depsgraph)
    matrix = np.array(seen.matrix_world)
    points = np.array([v.co for v in seen.data.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]
    best = np.full(len(points), np.inf)
    for child in actor.children:
        if child.mannequin.kind != "ELLIPSOID":
            continue
        world = np.array(child.evaluated_get(depsgraph).matrix_world)
        axes = np.linalg.norm(world[:3, :3], axis=0)
        local = (points - world[:3, 3]) @ (world[:3, :3] / axes)
        level, slope = np.linalg.norm(local / axes, axis=1), np.linalg.norm(local / axes**2, axis=1)
        best = np.minimum(best, level * (level - 1.0) / np.maximum(slope, 1e-9))
    return best


def test_the_skin_is_closed_in_one_piece_and_fully_weighted(blender, actor):
    from mannequin.scene.show.skin import make_skin

    skin = make_skin(actor, blender.context.scene)
    assert set(edge_counts(skin.data).values()) == {2}
    assert pieces(skin.data) == 1
    for vertex in skin.data.vertices:
        assert sum(group.weight for group in vertex.groups) == pytest.approx(1.0, abs=1e-5)


def volume(mesh):
    """Volume (in cubed units of the mesh) inside a closed mesh, by the divergence theorem; negative if inside out."""
    mesh.calc_loop_triangles()
    corners = np.array([[mesh.vertices[i].co[:] for i in t.vertices] for t in mesh.loop_triangles])
    return float(np.einsum("ni,ni->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))) / 6.0


@pytest.mark.parametrize("name", ["male", "female", "child_3", "child_6", "hybrid3_50th", "ambrosio"])
def test_the_skin_of_every_person_is_closed_and_holds_a_persons_volume(blender, name):
    """People have about the density of water; dummies and children with their heads and clothes lie a little off."""
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.show.skin import make_skin

    model = load_model(name)
    skin = make_skin(build_actor(model, blender.context.scene), blender.context.scene)
    assert set(edge_counts(skin.data).values()) == {2}
    assert pieces(skin.data) == 1
    assert volume(skin.data) == pytest.approx(sum(body.mass for body in model.bodies) / 1000.0, rel=0.25)


def test_the_skin_of_a_vehicle_is_closed_and_its_wheels_turn(blender, name="bicycle", wheels=2):
    from mannequin.models.editing.rest_layout import lay_out
    from mannequin.models.vehicles.skin import is_wheel
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.show.skin import make_skin

    model = load_model(name)
    actor = build_actor(model, blender.context.scene)
    skin = make_skin(actor, blender.context.scene)
    assert set(edge_counts(skin.data).values()) == {2}
    assert volume(skin.data) > 0.0
    names = [body for body, place in lay_out(model).items() if is_wheel(place)]
    assert len(names) == wheels
    groups = {group.index: group.name for group in skin.vertex_groups}
    for vertex in skin.data.vertices:
        assert [group.weight for group in vertex.groups] == [1.0]
    bone = actor.pose.bones[names[0]]
    bone.rotation_euler.x = 1.0
    blender.context.view_layer.update()
    seen = skin.evaluated_get(blender.context.evaluated_depsgraph_get()).data.vertices
    moved = np.array([(a.co - b.co).length for a, b in zip(seen, skin.data.vertices, strict=True)])
    owner = np.array([groups[vertex.groups[0].group] == names[0] for vertex in skin.data.vertices])
    assert moved[~owner].max() < 1e-5
    radius = max(actor.data.bones[names[0]].length, 0.3)
    assert moved[owner].max() == pytest.approx(2.0 * math.sin(0.5) * radius, rel=0.2)


@pytest.mark.long
def test_the_car_of_the_library_is_drawn_as_a_saloon_of_its_size(blender):
    """Its length and height, its wheels on its axles; the surface near that of the ellipsoids, which contact has."""
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.rig.skins import skins_of
    from mannequin.scene.show.skin import make_skin

    actor = build_actor(load_model("car"), blender.context.scene)
    skin = make_skin(actor, blender.context.scene)
    blender.context.view_layer.update()
    off = off_ellipsoids(blender, actor, skin)
    assert np.percentile(off, 1) > -0.25 and np.percentile(off, 95) < 0.10
    assert skin.dimensions.x == pytest.approx(4.60, abs=0.02)
    assert (skin.matrix_world @ skin.data.vertices[0].co).z < 1.43 + 0.02
    wheels = [obj for obj in skins_of(actor) if obj is not skin]
    assert len(wheels) == 4
    for obj in wheels:
        bone = actor.data.bones[obj.parent_bone]
        axle = actor.matrix_world @ bone.head_local
        assert (obj.matrix_world.translation - axle).length < 1e-3, obj.name


def test_the_wheels_of_a_bicycle_are_rings_with_spokes(blender):
    """Seen from the side most of a wheel is open: rays along the axle pass between the spokes."""
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.show.skin import make_skin

    actor = build_actor(load_model("bicycle"), blender.context.scene)
    skin = make_skin(actor, blender.context.scene)
    blender.context.view_layer.update()
    centre = actor.data.bones["frontwheel_body"].head_local
    hits = 0
    for k in range(200):
        angle, share = 0.1 + k * 2.399963, 0.25 + 0.55 * ((k * 0.618034) % 1.0)
        origin = centre.copy()
        origin.x += 0.346 * share * math.cos(angle)
        origin.z += 0.346 * share * math.sin(angle)
        origin.y += 2.0
        hits += skin.ray_cast(origin, (0.0, -1.0, 0.0))[0]
    assert 0 < hits < 80


def longest_edge(blender, obj):
    """Length (m) of the longest edge of the surface as seen."""
    mesh = obj.evaluated_get(blender.context.evaluated_depsgraph_get()).data
    points = np.array([v.co for v in mesh.vertices])
    ends = np.array([edge.vertices for edge in mesh.edges])
    return np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1).max()


def raise_arms(blender, actor):
    """Turn both arms away from the trunk, to the side and forward."""
    for name in ("UpperArmL", "UpperArmR"):
        bone = actor.pose.bones[name]
        bone.rotation_quaternion = (math.cos(0.6), math.sin(0.6), 0.0, 0.0)
    blender.context.view_layer.update()


def test_the_skin_stays_on_the_ellipsoids_with_raised_arms(blender, actor, request):
    if actor.name == "male":
        web = "known: a web under the arm of edges of 17 cm, as the deltoid's surface reaches into the trunk"
        request.applymarker(pytest.mark.xfail(strict=True, reason=web))
    from mannequin.scene.show.skin import make_skin

    skin = make_skin(actor, blender.context.scene)
    blender.context.view_layer.update()
    assert off_ellipsoids(blender, actor, skin).max() < NEAR
    raise_arms(blender, actor)
    assert off_ellipsoids(blender, actor, skin).max() < NEAR
    assert longest_edge(blender, skin) < LONGEST


def test_without_spreading_the_limbs_arms_would_grow_into_the_trunk(blender, monkeypatch):
    """Shows that the test above can fail: edges between arm and trunk are drawn into webs."""
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.show import skin as module

    actor = build_actor(load_model("male"), blender.context.scene)
    monkeypatch.setattr(module, "ARM_SPREAD", 0.0)
    skin = module.make_skin(actor, blender.context.scene)
    raise_arms(blender, actor)
    assert longest_edge(blender, skin) > LONGEST


def test_the_skin_scales_with_the_scene_and_replaces_itself(blender):
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.rig.skins import remove_skin, skins_of
    from mannequin.scene.show.skin import make_skin

    scene = blender.context.scene
    scene.unit_settings.scale_length = 0.01
    actor = build_actor(load_model("male"), scene)
    make_skin(actor, scene)
    skin = make_skin(actor, scene)
    assert skins_of(actor) == [skin]
    assert 150.0 < skin.dimensions.z < 200.0
    remove_skin(actor)
    assert not skins_of(actor)
    assert not any(child.hide_render for child in actor.children if child.mannequin.kind == "ELLIPSOID")
