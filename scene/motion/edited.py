"""Whether what a scene shows is still what was simulated: every way of moving a baked actor is looked for and named.

Two checks. The *facts* of an actor (its transforms, parent, constraints, drivers, strips, modifiers, rest pose, parts,
hidden bodies, frame rate and time remapping) are kept with the action when a motion is baked, and compared. And the
bodies are looked at where Blender shows them, frame by frame, beside the places that were kept: this says which frames,
and sees what no list of facts foresees. Keyframes outside the simulated part are no edit of it; they are named as
animation.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...analysis.resample import Motion
from ...engine.maths.rotations import matrix_from_quaternion
from ..base.blender_version import fcurves_of
from ..base.playing import Playing, is_plain, played, strips_that_play
from ..base.units import Units, frames_per_second, units_of
from ..rig.own_rigs import KEYED, character_of, character_rigs_of, driven_bones, is_free_to_follow
from ..rig.skins import skins_of
from ..store.actors import actors_of, body_bones, obstacles_of, parts_of, rest_frame
from .approach import ANIMATED_UNTIL

CURVES_DIGEST = "mannequin_curves_sha256"
FACTS, PLACES, FRAMES = "mannequin_facts", "mannequin_places", "mannequin_frames"
FIRST, LAST = "mannequin_first_frame", "mannequin_last_frame"
CurveContent = tuple[str, int, bool, int, np.ndarray, np.ndarray]
"""What a digest covers of a curve: path, index, whether muted, number of modifiers, points (float32) and
interpolations (int32)."""
KEYFRAMES = "keyframes, muted curves or their modifiers"
MOVED = 5e-4
"""Metres by which a point of a body is elsewhere than simulated; keyframes have 32 bits."""
LEVER = np.array([0.1, 0.05, 0.02])
"""Body frame, m: the second point of each body, which shows its turn."""
MOST_PLACES = 400
"""Frames whose places are kept, at most."""
QUICK_FRAMES = 5
"""Frames that are looked at where no fact has changed."""
OUR_MODIFIERS = ("Mannequin", "Smooth", "Remesh")
"""Beginnings of the names of modifiers that the extension gives to skins."""
SECONDS_PER_VERDICT = 1.0
_verdicts: dict[str, tuple[float, bool]] = {}
"""When it was last seen by the name of an actor whether it was edited, and what was seen."""


@dataclass(frozen=True)
class Edit:
    """One way in which what is shown is not what was simulated."""

    actor: str
    what: str
    frames: tuple[tuple[int, int], ...]
    """First and last frame of each stretch; empty where nothing is seen to move."""
    is_animation: bool = False
    """Keyframes before or after the simulated part, which is untouched."""

    @property
    def text(self) -> str:
        """Whose motion was changed when, and how, in words."""
        if self.is_animation:
            return f"{self.actor}: {frames_text(self.frames)}: animated, not simulated"
        return f"{self.actor}: {frames_text(self.frames)}: {self.what}"


def frames_text(frames: Iterable[tuple[int, int]]) -> str:
    """ "frames 3 to 9 and 12"."""
    parts = [str(a) if a == b else f"{a} to {b}" for a, b in frames]
    if not parts:
        return "no frame that shows"
    return ("frame " if len(parts) == 1 and " " not in parts[0] else "frames ") + " and ".join(parts)


def keep_facts(
    actor: bpy.types.Object,
    scene: bpy.types.Scene,
    action: bpy.types.Action,
    frames: np.ndarray,
    motion: Motion,
    bodies: dict[str, int],
) -> None:
    """Keep with a new action, which plays, what the actor is like and where its bodies are at the keyframes."""
    action[FIRST], action[LAST] = (float(frame) for frame in action.frame_range)
    chosen = np.unique(np.linspace(0, len(frames) - 1, min(MOST_PLACES, len(frames))).round().astype(int))
    columns = [bodies[bone.name] for bone in body_bones(actor.data) if bone.name in bodies]
    action[FRAMES] = frames[chosen].tolist()
    action[PLACES] = simulated_points(motion, columns)[chosen].ravel().tolist()
    action[FACTS] = json.dumps(facts_of(actor, scene))


def simulated_points(motion: Motion, columns: list[int]) -> np.ndarray:
    """(K, bodies, 2, 3) two points of each body in the world, m."""
    origin = motion.origin[:, columns]
    return np.stack([origin, origin + matrix_from_quaternion(motion.quaternion[:, columns]) @ LEVER], axis=2)


def shown_points(actor: bpy.types.Object, units: Units, depsgraph: bpy.types.Depsgraph) -> np.ndarray:
    """(bodies, 2, 3) the same points as Blender shows them now."""
    evaluated = actor.evaluated_get(depsgraph)
    points = []
    for bone in body_bones(actor.data):
        moved = evaluated.matrix_world @ evaluated.pose.bones[bone.name].matrix @ bone.matrix_local.inverted()
        frame = units.frame_to_si(moved) @ rest_frame(bone)
        points.append([frame[:3, 3], frame[:3, 3] + frame[:3, :3] @ LEVER])
    return np.array(points)


def facts_of(actor: bpy.types.Object, scene: bpy.types.Scene) -> dict[str, Any]:
    """What besides its keyframes decides how an actor is shown, by plain names."""
    return {
        "location": numbers(actor.location),
        "rotation": numbers(actor.matrix_basis.to_quaternion()),
        "scale": numbers(actor.scale),
        "delta location": numbers(actor.delta_location),
        "delta rotation": numbers([*actor.delta_rotation_euler, *actor.delta_rotation_quaternion]),
        "delta scale": numbers(actor.delta_scale),
        "parent": parent_facts(actor),
        "constraint of the object": [c.name for c in actor.constraints if not c.mute],
        "constraint of a bone": [
            f"{bone.name}: {c.name}" for bone in actor.pose.bones for c in bone.constraints if not c.mute
        ],
        "driver": driver_paths(actor),
        "NLA strip": strip_facts(actor),
        "influence of the action": action_facts(actor),
        "bones at rest": digest_of_numbers(
            v for bone in actor.data.bones for row in bone.matrix_local for v in row
        ),
        "bones shown at rest": actor.data.pose_position,
        "scale of a bone": [bone.name for bone in actor.pose.bones if numbers(bone.scale) != [1.0, 1.0, 1.0]],
        "part of a body": part_facts(actor),
        "modifier": modifier_facts(actor),
        "character that does not follow": character_facts(actor),
        "hidden body": hidden_bodies(actor),
        "frame rate": round(frames_per_second(scene), 4),
        "time remapping": [scene.render.frame_map_old, scene.render.frame_map_new],
    }


def numbers(values: Iterable[float]) -> list[float]:
    """Rounded to what 32 bits carry, without negative zeros."""
    return [round(float(value), 5) + 0.0 for value in values]


def digest_of_numbers(values: Iterable[float]) -> str:
    """Short digest of many numbers."""
    return hashlib.sha256(json.dumps(numbers(values)).encode()).hexdigest()[:16]


def parent_facts(obj: bpy.types.Object) -> list[Any]:
    """What carries an object, and where that stands."""
    if obj.parent is None:
        return []
    above = obj.parent.matrix_world @ obj.matrix_parent_inverse
    return [obj.parent.name, obj.parent_type, obj.parent_bone, *numbers(v for row in above for v in row)]


def driver_paths(actor: bpy.types.Object) -> list[str]:
    """Properties of the armature and its data that drivers set."""
    owners = [owner for owner in (actor, actor.data) if owner.animation_data is not None]
    return [
        f"{curve.data_path}[{curve.array_index}]"
        for o in owners
        for curve in o.animation_data.drivers
        if not curve.mute
    ]


def strip_facts(actor: bpy.types.Object) -> list[Any]:
    """Strips that play, with their influence; without the one that plays the baked motion as it is."""
    strips = strips_that_play(actor)
    is_alone = actor.animation_data is not None and actor.animation_data.action is None
    if is_alone and strips and is_plain(strips[-1][1]) and CURVES_DIGEST in strips[-1][1].action:
        strips = [pair for pair in strips if pair[1] != strips[-1][1]]
    return [
        [f"{track.name}: {strip.name}", round(strip.influence, 4), strip.blend_type]
        for track, strip in strips
    ]


def action_facts(actor: bpy.types.Object) -> list[Any]:
    """How much of the action is shown, and how it is mixed."""
    data = actor.animation_data
    return [] if data is None else [round(data.action_influence, 4), data.action_blend_type]


def part_facts(actor: bpy.types.Object) -> str:
    """Where each ellipsoid sits on its bone, and its size."""
    parts = sorted(
        (obj for listed in parts_of(actor, "ELLIPSOID").values() for obj in listed), key=lambda obj: obj.name
    )
    return digest_of_numbers(
        v
        for obj in parts
        for matrix in (obj.matrix_basis, obj.matrix_parent_inverse)
        for row in matrix
        for v in row
    )


def modifier_facts(actor: bpy.types.Object) -> list[str]:
    """Modifiers of skins and ellipsoids that the extension did not add."""
    shown = [*skins_of(actor), *(obj for listed in parts_of(actor, "ELLIPSOID").values() for obj in listed)]
    return [
        f"{obj.name}: {modifier.name}"
        for obj in shown
        for modifier in obj.modifiers
        if not modifier.name.startswith(OUR_MODIFIERS)
    ]


def character_facts(actor: bpy.types.Object) -> list[str]:
    """Characters with their own armature that something else moves than what the extension made."""
    rigs = [(rig, character_of(rig)) for rig in character_rigs_of(actor)]
    return [armature.name for rig, armature in rigs if armature is not None and not follows(rig, armature)]


def follows(rig: bpy.types.Object, armature: bpy.types.Object) -> bool:
    """Whether a character moves as its actor: by our constraints, or by the keyframes that were written of them. What
    its other bones do (fingers, face) is the user's."""
    if not rig.get(KEYED):
        return is_free_to_follow(armature)
    action = armature.animation_data.action if armature.animation_data else None
    if action is None:
        return False
    paths = tuple(f'pose.bones["{bpy.utils.escape_identifier(b.name)}"]' for b in driven_bones(armature))
    ours = (content for content in curve_contents(action) if content[0].startswith(paths))
    return action.get(CURVES_DIGEST, "") == digest_of(ours)


def hidden_bodies(actor: bpy.types.Object) -> list[str]:
    """Bodies of which a picture shows nothing: no skin, and none of their ellipsoids."""
    if any(is_rendered(skin) for skin in skins_of(actor)):
        return []
    return [body for body, parts in parts_of(actor, "ELLIPSOID").items() if not any(map(is_rendered, parts))]


def is_rendered(obj: bpy.types.Object) -> bool:
    """Whether renders show an object."""
    return not obj.hide_render and any(not collection.hide_render for collection in obj.users_collection)


def stored(curve: bpy.types.FCurve, name: str, values: np.ndarray) -> np.ndarray:
    """A property of all keyframes of a curve, read into `values`."""
    curve.keyframe_points.foreach_get(name, values)
    return values


def digest_of(curves: Iterable[CurveContent]) -> str:
    """SHA-256 over curves, in an order of its own."""
    digest = hashlib.sha256()
    for path, index, mute, modifiers, points, kinds in sorted(curves, key=lambda curve: curve[:2]):
        digest.update(f"{path}[{index}]{mute}{modifiers}".encode())
        digest.update(np.ascontiguousarray(points))
        digest.update(np.ascontiguousarray(kinds))
    return digest.hexdigest()


def curve_contents(action: bpy.types.Action) -> Iterator[CurveContent]:
    """The curves that an action has now, with their keyframes in the simulated part."""
    first, last = simulated_range(action)
    for curve in fcurves_of(action):
        count = len(curve.keyframe_points)
        points = stored(curve, "co", np.empty(2 * count, dtype=np.float32)).reshape(-1, 2)
        kinds = stored(curve, "interpolation", np.empty(count, dtype=np.int32))
        inside = (points[:, 0] >= first - 1e-3) & (points[:, 0] <= last + 1e-3)
        mute = curve.mute or bool(curve.group and getattr(curve.group, "mute", False))
        yield curve.data_path, curve.array_index, mute, len(curve.modifiers), points[inside], kinds[inside]


def curves_digest(action: bpy.types.Action) -> str:
    """`digest_of` the curves that an action has now."""
    return digest_of(curve_contents(action))


def simulated_range(action: bpy.types.Action) -> tuple[float, float]:
    """First and last frame of the simulated part; of actions baked before these were kept, all."""
    first, last = action.frame_range
    return float(action.get(FIRST, first)), float(action.get(LAST, last))


def is_edited_by_hand(action: bpy.types.Action) -> bool:
    """Whether the keyframes of a baked action are no longer those that were baked."""
    return action.get(CURVES_DIGEST, "") != curves_digest(action)


def changed_facts(actor: bpy.types.Object, scene: bpy.types.Scene, action: bpy.types.Action) -> list[str]:
    """Names of what has changed about an actor since its motion was baked; a fact that was not kept then was empty."""
    changed = [KEYFRAMES] if is_edited_by_hand(action) else []
    if not action.get(FACTS):
        return changed
    kept, now = json.loads(action[FACTS]), json.loads(json.dumps(facts_of(actor, scene)))
    return changed + [
        fact_text(name, kept.get(name), now[name]) for name in now if now[name] != kept.get(name, [])
    ]


def fact_text(name: str, kept: Any, now: Any) -> str:
    """A changed fact with what is new about it, where that is a name."""
    new = (
        [item for item in now if isinstance(item, str) and item not in (kept or [])]
        if isinstance(now, list)
        else []
    )
    return f"{name} ({', '.join(new)[:60]})" if new else name


def animated_ranges(playing: Playing) -> list[tuple[int, int]]:
    """Stretches of frames before and after the simulated part that have keyframes of their own; what was animated
    before the simulation is baked with it."""
    first, last = simulated_range(playing.action)
    first = max(first, float(playing.action.get(ANIMATED_UNTIL, first)))
    first, last = map(playing.scene_frame, (first, last))
    low, high = map(playing.scene_frame, playing.action.frame_range)
    ranges = [(int(np.floor(low)), int(np.ceil(first)) - 1)] if low < first - 1e-3 else []
    return ranges + ([(int(np.floor(last)) + 1, int(np.ceil(high)))] if high > last + 1e-3 else [])


def moved_frames(
    actor: bpy.types.Object, scene: bpy.types.Scene, playing: Playing, most: int = MOST_PLACES
) -> list[int]:
    """Frames at which a body is not where it was simulated, of those whose places were kept; at most so many are looked
    at. The scene's frame is put back."""
    frames = playing.scene_frame(np.array(playing.action.get(FRAMES, ()), dtype=float))
    if not len(frames) or bpy.context.scene != scene:
        return []
    places = np.array(playing.action[PLACES], dtype=float).reshape(len(frames), -1, 2, 3)
    chosen = np.unique(np.linspace(0, len(frames) - 1, min(most, len(frames))).round().astype(int))
    kept, units, found = (scene.frame_current, scene.frame_subframe), units_of(scene), []
    try:
        for number in chosen:
            whole = int(np.floor(frames[number] + 1e-6))
            scene.frame_set(whole, subframe=max(0.0, float(frames[number]) - whole))
            seen = shown_points(actor, units, bpy.context.evaluated_depsgraph_get())
            if seen.shape != places[number].shape or np.abs(seen - places[number]).max() > MOVED:
                found.append(whole)
    finally:
        scene.frame_set(kept[0], subframe=kept[1])
    return found


def stretches(frames: list[int], known: Iterable[float]) -> tuple[tuple[int, int], ...]:
    """Frames as stretches without gaps among those that are known."""
    order = sorted({int(np.floor(frame + 1e-6)) for frame in known})
    runs: list[list[int]] = []
    for frame in sorted(set(frames)):
        if runs and order.index(frame) == order.index(runs[-1][1]) + 1:
            runs[-1][1] = frame
        else:
            runs.append([frame, frame])
    return tuple((a, b) for a, b in runs)


def edits_of(scene: bpy.types.Scene) -> list[Edit]:
    """Everything in which a scene differs from what was simulated, with its frames."""
    found = []
    for actor in actors_of(scene):
        playing = digested(actor)
        if playing is None:
            continue
        action = playing.action
        changed = changed_facts(actor, scene, action)
        moved = moved_frames(actor, scene, playing, MOST_PLACES if changed else QUICK_FRAMES)
        if moved and not changed:
            changed, moved = ["moved by something else"], moved_frames(actor, scene, playing)
        frames = stretches(moved, map(playing.scene_frame, action.get(FRAMES, ())))
        if not frames and any(not is_of_motion(name) for name in changed):
            frames = (shown_range(playing),)
        found += [Edit(actor.name, name, frames) for name in changed]
        found += [Edit(actor.name, "animation", (stretch,), True) for stretch in animated_ranges(playing)]
    for obstacle in obstacles_of(scene):
        playing = digested(obstacle)
        if playing is not None and is_edited_by_hand(playing.action):
            found.append(Edit(obstacle.name, KEYFRAMES, (shown_range(playing),)))
    return found


def digested(owner: bpy.types.Object) -> Playing | None:
    """The baked action that moves an actor or an obstacle, and when."""
    return next((playing for playing in played(owner) if CURVES_DIGEST in playing.action), None)


def shown_range(playing: Playing) -> tuple[int, int]:
    """First and last frame of the scene that show the simulated part."""
    first, last = map(playing.scene_frame, simulated_range(playing.action))
    return int(first), int(np.ceil(last))


def is_of_motion(fact: str) -> bool:
    """Whether a fact shows in where bodies are; others are so at all frames."""
    return not fact.startswith(
        ("modifier", "character", "part of a body", "hidden body", "frame rate", "time remapping")
    )


def seems_edited(actor: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether a fact has changed, as of a second ago at most: panels are drawn with every movement of the mouse."""
    known = _verdicts.get(actor.name)
    if known is None or time.monotonic() - known[0] > SECONDS_PER_VERDICT:
        playing = digested(actor)
        verdict = playing is not None and bool(changed_facts(actor, scene, playing.action))
        known = _verdicts[actor.name] = (time.monotonic(), verdict)
    return known[1]
