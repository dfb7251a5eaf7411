"""What the overlays draw, as lines in the world."""

import math

import numpy as np
import pytest
from authoring import full_model


def build(blender, scale=1.0):
    from mannequin.scene.model.build import build_actor

    scene = blender.context.scene
    scene.unit_settings.scale_length = scale
    return build_actor(full_model(), scene), scene


def drawn(scene, name):
    from mannequin.scene.show.overlay_geometry import COLORS, overlay_lines

    return {tuple(color): lines for color, lines in overlay_lines(scene)}.get(COLORS[name], [])


def only(scene, *names):
    for prop in ("velocities", "centers_of_mass", "joint_axes", "joint_limits", "excluded_pairs"):
        setattr(scene.mannequin.overlays, prop, prop in names)


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_velocity_arrow_is_a_tenth_of_a_second_long(blender, scale):
    actor, scene = build(blender, scale)
    only(scene, "velocities")
    assert drawn(scene, "velocity") == []
    actor.mannequin.actor.velocity = (3, 0, 4)
    start, end = drawn(scene, "velocity")[0]
    assert (end - start).length * scale == pytest.approx(0.5, rel=1e-5)
    root = next(j for j in full_model().joints if j.parent is None)
    origin = (np.array(root.T1) @ np.linalg.inv(np.array(root.T2)))[:3, 3]
    assert np.array(start) * scale == pytest.approx(origin, abs=1e-5)


def test_centre_of_mass_of_the_actor(blender):
    """The mark is where the bodies' masses say, in a pose, against the kinematics of the models package."""
    from mannequin.models.parts.placement import body_transforms
    from mannequin.scene.base.units import Units
    from mannequin.scene.rig.pose import read_start

    actor, scene = build(blender)
    actor.location = (1, 2, 3)
    actor.pose.bones["thigh"].rotation_quaternion = (0.8, 0.6, 0, 0)
    only(scene, "centers_of_mass")
    blender.context.view_layer.update()
    start, model = read_start(actor, Units()), full_model()
    frames = body_transforms(model, start.joint_angles, start.position, start.orientation)
    centres = {b.name: (frames[b.name] @ np.append(b.center_of_mass, 1))[:3] for b in model.bodies}
    expected = sum(b.mass * centres[b.name] for b in model.bodies) / sum(b.mass for b in model.bodies)
    lines = drawn(scene, "mass")
    assert len(lines) == 3 * (len(model.bodies) + 1)
    assert np.array(lines[-1][0] + lines[-1][1]) / 2 == pytest.approx(expected, abs=1e-5)


def test_limit_arcs_span_the_range(blender):
    actor, scene = build(blender)
    only(scene, "joint_limits")
    arc = drawn(scene, "y")
    centre, first = np.array(arc[0][0]), np.array(arc[0][1])
    last = np.array(arc[-1][0])
    cosine = (
        (first - centre) @ (last - centre) / np.linalg.norm(first - centre) / np.linalg.norm(last - centre)
    )
    assert math.degrees(math.acos(cosine)) == pytest.approx(40.2 + 40, abs=1e-2)


def test_axes_and_excluded_pairs(blender):
    actor, scene = build(blender)
    only(scene, "joint_axes", "excluded_pairs")
    assert len(drawn(scene, "x")) == 1  # one ball joint
    assert len(drawn(scene, "excluded")) == len(full_model().contact_exclude)
    actor.hide_set(True)
    assert drawn(scene, "x") == []


@pytest.mark.parametrize("scale", [1.0, 0.01])
@pytest.mark.parametrize("kind", ["LINEAR", "ANGULAR"])
def test_dragged_tip_is_a_velocity(blender, kind, scale):
    """The arrow to a tip one metre above the root is 10 m/s (rad/s) upward; the drawn arrow ends at the tip."""
    from mannequin.scene.show.velocity_arrow import arrow_origin, arrow_tip

    actor, scene = build(blender, scale)
    only(scene, "velocities")
    blender.context.view_layer.objects.active = actor
    tip = arrow_origin(actor, scene)
    tip.z += 1.0 / scale
    blender.ops.mannequin.drag_velocity(kind=kind, tip=tip)
    start = actor.mannequin.actor
    value = start.velocity if kind == "LINEAR" else start.angular_velocity
    assert tuple(value) == pytest.approx((0, 0, 10), abs=1e-3)
    assert tuple(arrow_tip(actor, scene, kind)) == pytest.approx(tuple(tip), rel=1e-4, abs=1e-4 / scale)
    _, end = drawn(scene, "velocity" if kind == "LINEAR" else "turn")[0]
    assert tuple(end) == pytest.approx(tuple(tip), rel=1e-4, abs=1e-4 / scale)


def test_thumbnails_show_the_model(blender):
    """A sphere's outline is a circle; the man stands higher than wide, the car is longer than high."""
    from mannequin.scene.model.library_pictures import outline, thumbnail

    assert np.linalg.norm(outline(np.eye(3)[:2] * 2.0), axis=1) == pytest.approx(np.full(32, 2.0))
    filled = {name: np.argwhere(thumbnail(name)[..., 3] > 0.5) for name in ("male", "car")}
    extent = {name: np.ptp(pixels, axis=0) for name, pixels in filled.items()}
    assert extent["male"][0] > 2 * extent["male"][1]
    assert extent["car"][1] > 2 * extent["car"][0]


def test_thumbnails_are_drawn_one_by_one(blender):
    """Asking for an icon draws nothing; each turn of the timer draws one picture, the last says that it was."""
    from mannequin.models.library import list_models
    from mannequin.scene.model import library_pictures

    store = library_pictures.PREVIEWS["models"]
    assert [library_pictures.model_icon(name) for name in list_models()] == [0] * len(list_models())
    for name in list_models():
        assert name not in store
        assert library_pictures.draw_next() == library_pictures.PAUSE
        assert tuple(store[name].image_size) == (library_pictures.SIZE,) * 2
    assert library_pictures.draw_next() is None
    store.clear()


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_cone_is_where_the_engine_holds_the_limb(blender, scale):
    """Every point of the drawn rim is at the limit: the engine's own excess there is zero."""
    from mannequin.engine.joints import cone as engine_cone
    from mannequin.scene.base.units import Units
    from mannequin.scene.show.overlay_geometry import CONE, cone_frame, cone_rim, parent_joint_matrix

    actor, scene = build(blender, scale)
    only(scene, "joint_limits")
    actor.location, actor.rotation_euler = (1, 2, 3), (0.3, 0.2, 0.1)
    blender.context.view_layer.update()
    bone = actor.data.bones["thigh"]
    cone, given = bone.mannequin.joint.cone, next(j for j in full_model().joints if j.name == "hip").cone
    angles = np.radians([given.quadrant_angles])
    slopes = np.array([engine_cone.bounded_slopes(angles[0])])
    directions = cone_rim(cone)
    x, y, z = cone_frame(cone) @ directions.T
    for k in range(len(directions)):
        latitude, longitude = math.atan2(math.hypot(x[k], y[k]), z[k]), math.atan2(y[k], x[k])
        limit, _ = engine_cone.cone_limit(angles, slopes, 0, longitude)
        assert latitude == pytest.approx(limit, abs=1e-6)
    assert z == pytest.approx(directions @ (np.array(given.axis) / np.linalg.norm(given.axis)), abs=1e-6)
    lines = drawn(scene, "cone")
    assert len(lines) == len(directions) + 4  # the rim, and a spoke at each quadrant
    frame = np.array(parent_joint_matrix(actor, bone, Units(scale)))
    expected = frame[:3, 3] + frame[:3, :3] @ directions[5] * CONE / scale
    assert np.array(lines[5][0]) == pytest.approx(expected, abs=1e-4 / scale)
    centre, tip = drawn(scene, "limb")[0]
    assert np.array(tip - centre) * scale / CONE == pytest.approx(frame[:3, :3] @ given.limb_axis, abs=1e-4)
    turned = actor.pose.bones["thigh"]
    turned.rotation_quaternion = (0.8, 0.6, 0, 0)
    blender.context.view_layer.update()
    assert (drawn(scene, "limb")[0][1] - tip).length * scale > 0.01
    assert (drawn(scene, "cone")[5][0] - lines[5][0]).length * scale < 1e-6  # the cone stays with the parent
