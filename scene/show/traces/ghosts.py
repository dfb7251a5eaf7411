"""Ghosts: actors, or single bodies, as they are at chosen times, standing still and see-through."""

import bmesh
import bpy
import numpy as np

from ....analysis.colors import GHOST, linear
from ....analysis.files.run_folder import Run
from ....analysis.measures.impact import body_label
from ....analysis.subjects import find_subjects
from ....analysis.time_map import TimeMap
from ...base.comma_list import comma_list
from ...base.errors import SceneError
from ...base.units import units_of
from ...motion.bake import frame_of_simulated_time
from ...store.actors import actor_of, actors_of
from ..materials import material
from .body_surfaces import body_surfaces, mesh_object

COLOR = linear(GHOST, 0.35)


def make_ghosts(run: Run, scene: bpy.types.Scene, time_map: TimeMap) -> list[bpy.types.Object]:
    """Ghosts of the actors, or of the bodies that the panel names, not yet linked to a collection."""
    times = ghost_times(scene.mannequin.traces, float(run.recording.times[-1]))
    bodies = scene.mannequin.traces.ghost_bodies.strip()
    return body_ghosts(run, scene, bodies, times) if bodies else actor_ghosts(scene, time_map, times)


def body_ghosts(run: Run, scene: bpy.types.Scene, names: str, times: list[float]) -> list[bpy.types.Object]:
    """One mesh for each body and time, of its contact surfaces at the output time that is nearest."""
    recording, metres, made = run.recording, units_of(scene).metres, []
    for body in find_subjects(recording, comma_list(names))[0]:
        for time in times:
            frame = int(np.argmin(np.abs(recording.times - time)))
            points, faces = body_surfaces(run, [body], frame)
            name = f"{body_label(recording, body)} at {1000.0 * time:.0f} ms"
            made.append(mesh_object(name, points / metres, faces, ghost_material()))
    return made


def actor_ghosts(scene: bpy.types.Scene, time_map: TimeMap, times: list[float]) -> list[bpy.types.Object]:
    """One mesh for each actor and time, of what is seen of the actor."""
    current, made = scene.frame_current_final, []
    for time in times:
        show(scene, frame_of_simulated_time(time, scene, time_map))
        graph = bpy.context.evaluated_depsgraph_get()
        for actor in chosen_actors(scene):
            mesh = seen_mesh(scene, actor, graph)
            if mesh is not None:
                made.append(bpy.data.objects.new(f"{actor.name} at {1000.0 * time:.0f} ms", mesh))
    show(scene, current)
    if not made:
        raise SceneError("no actor is visible: show its ellipsoids or its skin first")
    return made


def chosen_actors(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The actors that the panel names, or all."""
    actors, names = actors_of(scene), comma_list(scene.mannequin.traces.ghost_actors)
    unknown = [name for name in names if name not in {actor.name for actor in actors}]
    if unknown:
        known = ", ".join(actor.name for actor in actors)
        raise SceneError(f"'{unknown[0]}' is no actor that could have ghosts. There are: {known}")
    return [actor for actor in actors if not names or actor.name in names]


def ghost_times(traces: bpy.types.PropertyGroup, end: float) -> list[float]:
    """Times (s) as the panel has them: those written down, else evenly over the run."""
    if not traces.ghost_times.strip():
        return np.linspace(0.0, end, traces.ghost_count).tolist()
    try:
        times = [float(text) for text in comma_list(traces.ghost_times.replace(";", ","))]
    except ValueError:
        raise SceneError(
            f"'{traces.ghost_times}' is no list of times: write seconds with commas, such as 0.1, 0.25"
        ) from None
    if any(not 0.0 <= time <= end for time in times):
        raise SceneError(f"ghosts must be between 0 and {end:g} s, the end of the run")
    return times


def show(scene: bpy.types.Scene, frame: float) -> None:
    """Go to a frame with its fraction."""
    scene.frame_set(int(frame // 1), subframe=frame % 1)


def seen_mesh(
    scene: bpy.types.Scene, actor: bpy.types.Object, graph: bpy.types.Depsgraph
) -> bpy.types.Mesh | None:
    """One mesh in the world of all that viewport and film show of an actor at the graph's time, or None."""
    whole = bmesh.new()
    for obj in scene.objects:
        if obj.type != "MESH" or obj.hide_render or not obj.visible_get() or actor_of(obj) != actor:
            continue
        evaluated = obj.evaluated_get(graph)
        part = evaluated.to_mesh()
        if part is not None and len(part.polygons):
            known = len(whole.verts)
            whole.from_mesh(part)
            whole.verts.ensure_lookup_table()
            bmesh.ops.transform(whole, matrix=evaluated.matrix_world, verts=whole.verts[known:])
        evaluated.to_mesh_clear()
    if not whole.faces:
        whole.free()
        return None
    mesh = bpy.data.meshes.new(f"{actor.name} ghost")
    for face in whole.faces:
        face.material_index = 0
    whole.to_mesh(mesh)
    whole.free()
    mesh.materials.clear()
    mesh.materials.append(ghost_material())
    return mesh


def ghost_material() -> bpy.types.Material:
    """See-through in every render engine."""
    made = material("Ghost", COLOR, 0.8)
    shader = next((n for n in made.node_tree.nodes if n.type == "BSDF_PRINCIPLED"), None)
    if shader is not None:
        shader.inputs["Alpha"].default_value = COLOR[3]
    if hasattr(made, "surface_render_method"):
        made.surface_render_method = "BLENDED"
    return made
