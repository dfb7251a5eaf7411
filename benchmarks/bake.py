"""Baking in bulk beside Blender's `keyframe_insert`: 21 bones by 1,000 frames, in turns, in a process of its own.

CPU time, so that a busy machine disturbs less.

python -m mannequin.benchmarks.bake
"""

import json
import os
import statistics
import sys
import time

from .fresh_process import ask_module

FRAMES = 1000
REPEATS = 5


def measure(repeats: int = REPEATS) -> dict:
    """CPU seconds of the whole bake and of inserting the same keyframes one by one, and the ratio of neighbours.

    Each as {"median", "low", "high"}, beside "bones", "frames" and Blender's version.
    """
    return ask_module("mannequin.benchmarks.bake", str(repeats))


def measure_here(repeats: int) -> dict:
    """The measurement itself; Blender must be loaded in no other way in this process."""
    import bpy

    import mannequin

    from ..engine import run
    from ..io_json.scenario_json import read_scenario
    from ..models.library import scenario_path
    from ..scene.motion.bake import Provenance, bake
    from ..scene.scenario.scenario import build_scenario

    mannequin.register()
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = (FRAMES - 1) * scenario.settings.output_step
    recording, scene = run(scenario), bpy.context.scene
    build_scenario(scenario, scene)
    scene.render.fps, scene.render.fps_base = round(1.0 / scenario.settings.output_step), 1.0

    def bulk() -> float:
        begun = time.thread_time()
        bake(recording, scene, Provenance("bench", "", ""))
        return time.thread_time() - begun

    bulk()
    bulks, singles = [], []
    for _ in range(repeats):
        bulks.append(bulk())
        singles.append(insert_one_by_one(scene))
    return {
        "bones": len(recording.body_names),
        "frames": FRAMES,
        "blender": bpy.app.version_string,
        "bake_s": spread_of(bulks),
        "keyframe_insert_s": spread_of(singles),
        "ratio": spread_of([single / bulk for single, bulk in zip(singles, bulks, strict=True)]),
    }


def spread_of(values: list[float]) -> dict[str, float]:
    """As `timing.spread`, which cannot be loaded beside a Blender that has no MuJoCo."""
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def insert_one_by_one(scene: object) -> float:
    """CPU seconds of writing the motion that plays with `keyframe_insert`, from values that are there already."""
    import numpy as np

    from ..scene.base.blender_version import fcurves_of
    from ..scene.motion.bake import playing_action
    from ..scene.store.actors import actors_of

    actor = actors_of(scene)[0]
    curves: dict[tuple[str, str], list[np.ndarray]] = {}
    for curve in fcurves_of(playing_action(actor)):
        points = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", points)
        bone, _, channel = curve.data_path.removeprefix('pose.bones["').partition('"].')
        curves.setdefault((bone, channel), []).append(points[1::2])
    values = {key: np.stack(parts, axis=1).tolist() for key, parts in curves.items()}
    baked, actor.animation_data.action = actor.animation_data.action, None
    begun = time.thread_time()
    for (name, channel), rows in values.items():
        bone = actor.pose.bones[name]
        for number, row in enumerate(rows):
            if channel == "rotation_euler":
                bone.rotation_euler.x = row[0]
                bone.keyframe_insert(channel, index=0, frame=scene.frame_start + number)
            else:
                setattr(bone, channel, row)
                bone.keyframe_insert(channel, frame=scene.frame_start + number)
    spent = time.thread_time() - begun
    actor.animation_data.action = baked
    return spent


if __name__ == "__main__":
    print(json.dumps(measure_here(int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS)))
    sys.stdout.flush()
    os._exit(0)  # Blender's clean-up at interpreter exit can hang
