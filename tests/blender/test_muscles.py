"""Muscles are curves on the bones, wrap surfaces objects on them; both are edited with Blender's ordinary tools."""

import math
from dataclasses import replace

import numpy as np
import pytest
from authoring import full_model, typed

from mannequin.engine import spec
from mannequin.engine.spec.muscles import Excitation, Muscle, PathPoint, PathWrap, WrapSurface

UPPER, LOWER = 0.5, 0.4
"""Metres: lengths of the hinge's two bodies."""


@pytest.fixture
def ops(blender):
    return blender.ops.mannequin


def hinge_model():
    """Two bodies hanging down from the world, joined by a revolute joint about y at z = -UPPER, with one muscle."""
    inertia = (0.1, 0.1, 0.01, 0, 0, 0)
    bodies = [spec.Body("upper", 5, inertia), spec.Body("lower", 3, inertia, center_of_mass=(0, 0, -0.2))]
    bodies[1].ellipsoids.append(spec.Ellipsoid("shin", (0.05, 0.05, 0.2), position=(0, 0, -0.2)))
    down = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, -UPPER), (0, 0, 0, 1))
    joints = [
        spec.Joint("hip", "fixed", None, "upper"),
        spec.Joint("knee", "revolute", "upper", "lower", down, axis=(0, 1, 0)),
    ]
    path = (PathPoint("upper", (0.05, 0, -0.1)), PathPoint("lower", (0.04, 0, -0.1)))
    wraps = (PathWrap("cap", None, (1, 0, 0)),)
    muscle = Muscle("extensor", path, 2000, 0.1, 0.25, wraps=wraps)
    surface = WrapSurface("cap", "upper", "cylinder", 0.03, 0.1, position=(0, 0, -UPPER))
    return spec.Model("hinge", bodies, joints, muscles=[muscle], wrap_surfaces=[surface])


def build(blender, model=None):
    from mannequin.scene.model.build import build_actor

    return build_actor(model or hinge_model(), blender.context.scene)


def model_of(actor):
    from mannequin.scene.model.read import read_model

    return read_model(actor)


def activate(blender, obj):
    for other in blender.context.view_layer.objects:
        other.select_set(other == obj)
    blender.context.view_layer.objects.active = obj


def seen_points(blender, obj):
    """Vertices of the curve's centre line in the world, as posed."""
    depth = obj.data.bevel_depth
    obj.data.bevel_depth = 0.0
    blender.context.view_layer.update()
    evaluated = obj.evaluated_get(blender.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = [np.array(evaluated.matrix_world @ vertex.co) for vertex in mesh.vertices]
    evaluated.to_mesh_clear()
    obj.data.bevel_depth = depth
    return np.array(points)


def edit_points(blender, obj, indices):
    """Enter Edit Mode with some points selected."""
    activate(blender, obj)
    blender.ops.object.mode_set(mode="EDIT")
    for k, point in enumerate(obj.data.splines[0].points):
        point.select = k in indices


def muscle_of(blender, name="extensor"):
    return blender.data.objects[name]


@pytest.mark.parametrize("degrees", [0.0, 35.0, -80.0])
@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_points_ride_on_the_bones(blender, degrees, scale):
    """A hinge turned by an angle about y carries the insertion round its centre; the origin stays."""
    blender.context.scene.unit_settings.scale_length = scale
    actor = build(blender)
    actor.pose.bones["lower"].rotation_euler.x = math.radians(degrees)
    a = math.radians(degrees)
    x, z = 0.04 * math.cos(a) - 0.1 * math.sin(a), -0.04 * math.sin(a) - 0.1 * math.cos(a)
    found = seen_points(blender, muscle_of(blender)) * scale
    assert found == pytest.approx(np.array([(0.05, 0, -0.1), (x, 0, z - UPPER)]), abs=1e-6)


def test_moved_point_is_read_in_its_body(blender):
    actor = build(blender)
    obj = muscle_of(blender)
    obj.data.splines[0].points[1].co = (0.06, 0.01, -0.7, 1.0)
    found = model_of(actor).muscles[0]
    assert found.path[0] == hinge_model().muscles[0].path[0]
    assert found.path[1].position == pytest.approx((0.06, 0.01, -0.7 + UPPER), abs=1e-7)
    assert found.path[1].body == "lower"


def test_point_added_in_edit_mode_rides_with_its_neighbour(blender, ops):
    actor = build(blender)
    obj = muscle_of(blender)
    edit_points(blender, obj, {0, 1})
    blender.ops.curve.subdivide()
    blender.ops.object.mode_set(mode="OBJECT")
    assert [point.body for point in model_of(actor).muscles[0].path] == ["upper", "upper", "lower"]
    ops.attach_muscle_points()
    assert len([m for m in obj.modifiers if m.type == "HOOK"]) == 3
    edit_points(blender, obj, {1})
    ops.attach_muscle_points(body="lower")
    assert obj.mode == "EDIT"
    blender.ops.object.mode_set(mode="OBJECT")
    found = model_of(actor).muscles[0].path
    assert [point.body for point in found] == ["upper", "lower", "lower"]
    middle = np.array([(0.05 + 0.04) / 2, 0, (-0.1 - UPPER - 0.1) / 2])
    assert np.array(found[1].position) - (0, 0, UPPER) == pytest.approx(middle, abs=1e-6)


def test_deleted_point_leaves_the_others_on_their_bodies(blender, ops):
    model = hinge_model()
    first, last = model.muscles[0].path
    model.muscles[0] = replace(model.muscles[0], path=(first, PathPoint("upper", (0.06, 0, -0.3)), last))
    actor = build(blender, model)
    edit_points(blender, muscle_of(blender), {1})
    blender.ops.curve.delete(type="VERT")
    blender.ops.object.mode_set(mode="OBJECT")
    assert typed(model_of(actor).muscles[0].path) == typed((first, last))


def test_renamed_body_keeps_its_muscle_and_surface(blender, ops):
    actor = build(blender)
    actor.data.bones["upper"].name = "thigh"
    found = model_of(actor)
    assert [point.body for point in found.muscles[0].path] == ["thigh", "lower"]
    assert [point.position for point in found.muscles[0].path] == [(0.05, 0, -0.1), (0.04, 0, -0.1)]
    assert found.wrap_surfaces[0].body == "thigh"


def test_curves_that_are_no_path_are_refused_with_a_remedy(blender):
    from mannequin.scene.base.errors import SceneError

    actor = build(blender)
    obj = muscle_of(blender)
    obj.data.splines[0].use_cyclic_u = True
    with pytest.raises(SceneError, match="one open line"):
        model_of(actor)
    obj.data.splines[0].use_cyclic_u = False
    for modifier in list(obj.modifiers):
        obj.modifiers.remove(modifier)
    with pytest.raises(SceneError, match="rides on no body"):
        model_of(actor)


def test_duplicated_actor_has_muscles_of_its_own(blender, ops):
    from mannequin.scene.model.edit_actor import duplicate_actor

    model = full_model()
    actor = build(blender, model)
    twin = duplicate_actor(actor, blender.context.scene)
    assert typed(model_of(twin)) == typed(model)
    curve = next(o for o in twin.children if o.mannequin.kind == "MUSCLE")
    for point in curve.data.splines[0].points:
        point.co.x += 0.1
    assert typed(model_of(actor)) == typed(model)
    assert typed(model_of(twin)) != typed(model)
    assert all(m.object == twin for m in curve.modifiers)


def test_deleted_body_takes_its_muscles_along(blender, ops):
    actor = build(blender)
    activate(blender, actor)
    actor.data.bones.active = actor.data.bones["upper"]
    ops.delete_body()
    found = model_of(actor)
    assert not found.muscles and not found.wrap_surfaces
    assert not blender.data.curves


def test_unknown_body_is_refused_before_anything_is_made(blender):
    from mannequin.scene.base.errors import SceneError

    model = hinge_model()
    model.muscles[0] = replace(
        model.muscles[0], path=(PathPoint("upper", (0, 0, 0)), PathPoint("foot", (0, 0, 0)))
    )
    with pytest.raises(SceneError, match="muscle 'extensor' names the body 'foot'"):
        build(blender, model)
    assert not blender.data.objects


def test_moved_and_scaled_surfaces(blender):
    from mannequin.scene.base.errors import SceneError

    actor = build(blender)
    obj = blender.data.objects["cap"]
    assert tuple(obj.dimensions) == pytest.approx((0.06, 0.06, 0.1), abs=1e-6)
    obj.scale = (0.035, 0.035, 0.08)
    obj.location.x = 0.01
    found = model_of(actor).wrap_surfaces[0]
    assert (found.radius, found.length) == pytest.approx((0.035, 0.16))
    assert found.position == pytest.approx((0.01, 0, -UPPER), abs=1e-7)
    obj.mannequin.wrap.use_length = False
    assert model_of(actor).wrap_surfaces[0].length is None
    obj.scale.y = 0.05
    with pytest.raises(SceneError, match="scale X and Y evenly"):
        model_of(actor)


def test_surface_on_an_ellipsoid_follows_it(blender, ops):
    actor = build(blender)
    shin = blender.data.objects["shin"]
    activate(blender, shin)
    ops.wrap_on_ellipsoid()
    surface = model_of(actor).wrap_surfaces[1]
    assert (surface.body, surface.ellipsoid) == ("lower", "shin")
    obj = next(
        o for o in blender.data.objects if o.mannequin.kind == "WRAP" and o.mannequin.wrap.ellipsoid_object
    )
    shin.location.x += 0.3
    blender.context.view_layer.update()
    assert np.array(obj.matrix_world) == pytest.approx(np.array(shin.matrix_world), abs=1e-6)
    shin.name = "calf"
    assert model_of(actor).wrap_surfaces[1].ellipsoid == "calf"


def test_muscle_from_operators_alone(blender, ops):
    """A new muscle is straight between centres of mass: here 0.7 m, half fibre and half tendon."""
    model = hinge_model()
    model.muscles.clear()
    model.wrap_surfaces.clear()
    actor = build(blender, model)
    activate(blender, actor)
    actor.data.bones.active = actor.data.bones["lower"]
    ops.add_muscle(name="flexor")
    made = blender.context.object
    found = model_of(actor).muscles[0]
    assert found.optimal_fibre_length == found.tendon_slack_length == pytest.approx(0.35)
    assert [point.body for point in found.path] == ["upper", "lower"]
    ops.duplicate_muscle()
    ops.rename_muscle(name="deep")
    activate(blender, actor)
    ops.add_wrap_surface(shape="cylinder", name="pulley")
    surface = blender.context.object
    ops.set_wrap_shape(shape="sphere")
    made.select_set(True)
    blender.context.view_layer.objects.active = made
    ops.wrap_muscle()
    with pytest.raises(RuntimeError, match="already"):
        ops.wrap_muscle()
    ops.set_excitation(pattern="flex*", tone=0.4)
    found = model_of(actor)
    assert [m.name for m in found.muscles] == ["flexor", "deep"]
    assert found.wrap_surfaces[0].shape == "sphere" and found.wrap_surfaces[0].radius == 0.03
    assert [w.surface for w in found.muscles[0].wraps] == ["pulley"] and found.muscles[1].wraps == ()
    assert list(actor.mannequin.actor.excitation_rules.keys()) == ["flex*"]
    activate(blender, surface)
    ops.delete_wrap_surface()
    assert model_of(actor).muscles[0].wraps == ()
    activate(blender, made)
    ops.delete_muscle()
    assert [m.name for m in model_of(actor).muscles] == ["deep"]


def test_scenario_excitations_come_back(blender):
    from mannequin.scene.scenario.actor_start import read_actor, write_actor_start

    actor = build(blender)
    rules = {"*": Excitation(0.05), "ext*": Excitation(0.1, ((0, 0), (0.123456789, 1)), source="emg")}
    scene = blender.context.scene
    write_actor_start(actor, spec.Actor("a", hinge_model(), excitations=rules), scene)
    assert typed(read_actor(actor, "a", scene).excitations) == typed(rules)


def test_mirrored_muscle_is_the_mirror_image_at_rest(blender):
    """World points of the image are those of the muscle with y reversed, and mirroring back gives the muscle again."""
    from mannequin.models.editing.mirror import mirror_model
    from mannequin.models.editing.rest_layout import lay_out

    model = sided_model()
    mirror_model(model, "left")
    left, right = model.muscles
    assert (right.name, [p.body for p in right.path]) == ("glute_r", ["trunk", "leg_r"])
    places = lay_out(model)

    def world(point):
        return places[point.body].frame @ np.append(point.position, 1.0)

    for a, b in zip(left.path, right.path, strict=True):
        assert world(b) == pytest.approx(world(a) * (1, -1, 1, 1), abs=1e-12)
    first, second = model.wrap_surfaces
    axes = [places[s.body].frame[:3, :3] @ np.array(s.orientation) for s in (first, second)]
    sides = [axes[0] @ np.array(left.wraps[0].side), axes[1] @ np.array(right.wraps[0].side)]
    assert sides[1] == pytest.approx(sides[0] * (1, -1, 1), abs=1e-12)
    once = typed(model.muscles[0])
    model.muscles[0] = replace(model.muscles[0], path=model.muscles[0].path[::-1])
    mirror_model(model, "right")
    again = model.muscles[0]
    assert [p.body for p in again.path] == ["trunk", "leg_l"]
    assert np.array([p.position for p in again.path]) == pytest.approx(
        np.array([p.position for p in left.path]), abs=1e-12
    )
    assert once != typed(right)


def sided_model():
    """A trunk with a left leg, oblique frames, a muscle and a surface on the left."""
    import random

    from authoring import random_rotation

    rng = random.Random(5)
    turn = np.identity(4)
    turn[:3, :3], turn[:3, 3] = random_rotation(rng), (0.1, 0.2, -0.3)
    rows = tuple(tuple(float(x) for x in row) for row in turn)
    inertia = (1, 1, 1, 0, 0, 0)
    axes = tuple(tuple(float(x) for x in row) for row in random_rotation(rng))
    return spec.Model(
        "sided",
        [spec.Body("trunk", 1, inertia), spec.Body("leg_l", 1, inertia)],
        [
            spec.Joint("root", "free", None, "trunk"),
            spec.Joint("hip_l", "spherical", "trunk", "leg_l", rows),
        ],
        muscles=[
            Muscle(
                "glute_l", (PathPoint("trunk", (0.1, 0.05, 0.2)), PathPoint("leg_l", (0.02, 0.03, -0.2))), 500, 0.1,
                0.2,
                wraps=(PathWrap("ball_l", 0, (0.6, 0.8, 0.0)),),
            )
        ],
        wrap_surfaces=[WrapSurface("ball_l", "leg_l", "ellipsoid", semi_axes=(0.1, 0.2, 0.3), orientation=axes)],
    )  # fmt: skip


def test_activation_is_baked_as_colour_and_thickness(blender, ops):
    """Excitation 0.2, then one from 0.1 s on: the first-order rise is 1 - 0.8 exp(-(t - 0.1) / rise time)."""
    from mannequin.scene.motion.bake_muscles import FULL_COLOR, SWELLING
    from mannequin.scene.muscles.build import MUSCLE_COLOR, shown_radius

    model = hinge_model()
    step = Excitation(curve=((0, 0.2), (0.1, 0.2), (0.1001, 1), (1, 1)))
    model.muscles[0] = replace(model.muscles[0], wraps=(), excitation=step)
    actor = build(blender, model)
    scene = blender.context.scene
    scene.render.fps, scene.frame_start = 100, 1
    scene.mannequin.settings.duration, scene.mannequin.settings.ground = 0.2, False
    assert ops.simulate() == {"FINISHED"}
    obj = muscle_of(blender)
    rise = model.muscles[0].activation.rise_time
    for frame in (1, 11, 12, 13, 16):
        scene.frame_set(frame)
        time = (frame - 1) / 100
        expected = 0.2 if time <= 0.1 else 1 - 0.8 * math.exp(-(time - 0.10005) / rise)
        share = (obj.color[1] - MUSCLE_COLOR[1]) / (FULL_COLOR[1] - MUSCLE_COLOR[1])
        assert share == pytest.approx(expected, abs=0.01), frame
        assert obj.data.bevel_depth == pytest.approx(shown_radius(2000) * (1 + SWELLING * share), rel=1e-4)
    assert obj.data.materials[0].node_tree is not None
    first = obj.animation_data.action
    scene.mannequin.settings.duration = 0.1
    ops.simulate()
    assert obj.animation_data.action != first
    blender.context.view_layer.objects.active = actor
    run = first.name.removesuffix(f" {obj.name} color")
    ops.play_run(action=next(a.name for a in blender.data.actions if a.get("mannequin_run") == run))
    assert obj.animation_data.action == first


def test_plotted_curves_have_their_published_marks(blender):
    """Strongest at optimal length, nothing passive below it; no force at full speed, one at rest, more in stretch."""
    from mannequin.analysis.muscles.curves import force_over_length, force_over_velocity
    from mannequin.engine.spec.muscles import MUSCLE_FORMS

    for form in (form for form in MUSCLE_FORMS if form != "actuator"):
        active, passive = (np.array(curve) for curve in force_over_length(form))
        assert active[:, 1].max() == pytest.approx(1.0, abs=1e-3)
        assert active[active[:, 1].argmax(), 0] == pytest.approx(1.0, abs=0.02)
        assert (passive[passive[:, 0] <= 1.0, 1] == 0.0).all()
        assert passive[-1, 1] > 0.5
        velocity = np.array(force_over_velocity(form)[0])
        assert np.interp([-1, 0], *velocity.T) == pytest.approx([0, 1], abs=1e-9)
        assert 1.2 < velocity[-1, 1] < 1.9


def test_moment_arms_are_drawn_into_a_picture(blender, ops):
    build(blender)
    activate(blender, muscle_of(blender))
    assert ops.plot_moment_arms() == {"FINISHED"}
    image = blender.data.images["extensor about knee y"]
    assert image.packed_file is not None and image.size[0] > 300
    with pytest.raises(RuntimeError, match="no joint that turns is called 'elbow'"):
        ops.plot_moment_arms(joint="elbow")
