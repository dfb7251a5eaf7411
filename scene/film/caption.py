"""Content of the overlay for the motion that a scene plays."""

import bpy

from ..base.errors import SceneError
from ..base.playing import Playing
from ..base.units import frames_per_second
from ..motion.bake import FRAME_RATE, playing_of, time_map_of
from ..motion.edited import Edit, edits_of, frames_text, simulated_range
from ..store.actors import actors_of
from .overlay import Caption, Readout
from .readouts import readout_of


def caption_of(scene: bpy.types.Scene, title: str = "") -> Caption:
    """Content of a scene's overlay, from the actions its actors play.

    Frames are counted from the first keyframe, at the rate that the motion was baked at: a film that begins later, or
    plays at another rate, still shows the simulated time and the true playback speed.
    """
    motions = [playing for playing in map(playing_of, actors_of(scene)) if playing is not None]
    if not motions:
        raise SceneError(
            "no actor plays a simulated motion: simulate, or open a run; or switch the overlay off"
        )
    playing, edits = motions[0], edits_of(scene)
    action = playing.action
    return Caption(
        run=action["mannequin_run"],
        case=scene.mannequin.film.case or action.get("mannequin_case", ""),
        title=title,
        flag=flag_of([edit for edit in edits if not edit.is_animation]),
        animated=tuple(stretch for edit in edits if edit.is_animation for stretch in edit.frames),
        times=time_keys(playing, scene),
        speeds=speed_keys(playing, scene),
        readouts=readouts_of(scene),
        plot=readout_of(scene, scene.mannequin.film.plot) if scene.mannequin.film.plot.strip() else None,
    )


def flag_of(edits: list[Edit]) -> str:
    """What the picture says of edits: what, and which frames."""
    if not edits:
        return ""
    what = ", ".join(dict.fromkeys(edit.what.partition(" (")[0] for edit in edits))
    frames = max((edit.frames for edit in edits), key=lambda found: sum(b - a + 1 for a, b in found))
    shown = f", {frames_text(frames)}" if frames else ""
    return f"Edited by hand: {what}{shown}"


def readouts_of(scene: bpy.types.Scene) -> tuple[Readout, ...]:
    """The read-outs that the panel asks for."""
    film = scene.mannequin.film
    return tuple(readout_of(scene, text) for text in (film.readout, film.second_readout) if text.strip())


def baked_rate(action: bpy.types.Action, scene: bpy.types.Scene) -> float:
    """Frames per second that an action was baked at."""
    return action.get(FRAME_RATE, frames_per_second(scene))


def time_keys(playing: Playing, scene: bpy.types.Scene) -> tuple[tuple[float, float], ...]:
    """(frame, simulated s) of the corners of the time map, from the first keyframe to the last."""
    action = playing.action
    time_map, rate = time_map_of(action), baked_rate(action, scene)
    first, last = simulated_range(action)
    end = float(time_map.simulated_time((last - first) / rate))
    corners = {0.0, end} | {t for start, stop, _ in time_map.slow for t in (start, stop) if t < end - 1e-9}
    return tuple(
        (playing.scene_frame(first + float(time_map.film_time(time)) * rate), time)
        for time in sorted(corners)
    )


def speed_keys(playing: Playing, scene: bpy.types.Scene) -> tuple[tuple[float, float], ...]:
    """(frame, how many times slower than true) at each change of the playback speed."""
    time_map = time_map_of(playing.action)
    share = playing.scale * baked_rate(playing.action, scene) / frames_per_second(scene)
    return tuple((frame, share * time_map.factor_at(time)) for frame, time in time_keys(playing, scene))
