"""The story of the window test: the tutorials with real events, every panel in a picture, responsiveness measured.

Every chapter is a Blender of its own, with chosen panels open and all others closed; GUI_CHAPTER names it.
"""

import os
from collections.abc import Callable

import bpy
import drive
import first_fall
import pedestrian
import responsiveness
from drive import expect, in_window, shot
from scene_state import add_man, choose, look, part


def panel_classes() -> list[type]:
    """Panels of the tab, parents before children."""
    found = [
        cls
        for cls in bpy.types.Panel.__subclasses__()
        if getattr(cls, "bl_category", "") == "Mannequin" and cls.__name__.startswith("MANNEQUIN_PT_")
    ]
    depth = {cls.__name__: getattr(cls, "bl_parent_id", "") for cls in found}

    def level(name: str) -> int:
        return 1 + level(depth[name]) if depth.get(name) else 0

    return sorted(found, key=lambda cls: level(cls.__name__))


def show_panels(opened: tuple[str, ...]) -> None:
    """Register the panels anew, so that those named start open and all others closed."""
    classes = panel_classes()
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
    for cls in classes:
        closed = cls.__name__.removeprefix("MANNEQUIN_PT_") not in opened
        cls.bl_options = (set(getattr(cls, "bl_options", set())) - {"DEFAULT_CLOSED"}) | (
            {"DEFAULT_CLOSED"} if closed else set()
        )
        bpy.utils.register_class(cls)


def open_tab() -> drive.Story:
    """Open the sidebar at the tab."""
    expect(hasattr(bpy.types, "MANNEQUIN_PT_model"), "the extension is not enabled")
    _, area = drive.viewport()
    area.spaces.active.show_region_ui = True
    yield from drive.redrawn()
    next(r for r in area.regions if r.type == "UI").active_panel_category = "Mannequin"
    yield from drive.redrawn()


def first_steps() -> drive.Story:
    """Panels as they first appear, without and with an actor; no panel is in no picture."""
    pictured = {name for _, opened in CHAPTERS.values() for name in opened} | set(AFTER_A_RUN)
    there = {cls.__name__.removeprefix("MANNEQUIN_PT_") for cls in panel_classes()}
    expect(there <= pictured, f"no chapter shows the panels {sorted(there - pictured)}")
    yield from open_tab()
    yield from shot("01-empty")
    add_man()
    yield from shot("02-man")


def ellipsoid() -> drive.Story:
    """An ellipsoid with its force curve."""
    yield from open_tab()
    add_man()
    yield from shot("03-actor-chosen")
    choose(part("ELLIPSOID", "cranium"))
    yield from shot("04-ellipsoid-force-curve")


def joint() -> drive.Story:
    """A joint with all its parts, then the same in pose mode."""
    yield from open_tab()
    actor = add_man()
    choose(part("JOINT", "knee"))
    yield from shot("05-joint")
    choose(actor)
    with in_window():
        bpy.ops.object.mode_set(mode="POSE")
    actor.data.bones.active = next(bone for bone in actor.data.bones if bone.parent is not None)
    yield from shot("06-pose-mode")


def rare_model_panels() -> drive.Story:
    """Materials, connections, pairs, details."""
    yield from open_tab()
    add_man()
    with in_window():
        bpy.ops.mannequin.edit_list(list="springs", action="ADD")
    yield from shot("07-materials-connections")


def start() -> drive.Story:
    """Start velocity with its arrow, pulses, nothing wrong."""
    yield from open_tab()
    actor = add_man()
    with in_window():
        bpy.ops.mannequin.set_velocity(mode="HEADING", speed=3.0, heading=0.0)
        bpy.ops.mannequin.edit_list(list="torque_pulses", action="ADD")
        bpy.ops.mannequin.edit_list(list="force_pulses", action="ADD")
        bpy.ops.mannequin.validate()
    expect(abs(actor.mannequin.actor.velocity[0] - 3.0) < 1e-6, "the velocity was not set")
    yield from shot("08-scenario")


def findings() -> drive.Story:
    """Settings, and a finding with its culprit."""
    yield from open_tab()
    actor = add_man()
    body = next(bone for bone in actor.data.bones if bone.mannequin.is_body)
    body.mannequin.mass = 0.0
    with in_window():
        bpy.ops.mannequin.validate()
    expect(len(bpy.context.scene.mannequin.issues) > 0, "a body without mass was not found")
    with in_window():
        bpy.ops.mannequin.select_culprit(index=0)
    yield from shot("09-settings-findings")


def surroundings() -> drive.Story:
    """Obstacles and all overlays."""
    yield from open_tab()
    add_man()
    scene = bpy.context.scene
    with in_window():
        bpy.ops.mannequin.set_velocity(velocity=(2.0, 0.0, 0.0), angular_velocity=(0.0, 1.0, 0.0))
        bpy.ops.mesh.primitive_cube_add(size=0.5, location=(1.0, 0.0, 0.25))
        bpy.ops.mannequin.add_obstacle(shape="box")
        bpy.ops.mannequin.edit_list(list="pairs", action="ADD")
        bpy.ops.mannequin.color_ellipsoids(by="MATERIAL")
    for name in ("velocities", "centers_of_mass", "joint_axes", "joint_limits", "excluded_pairs"):
        setattr(scene.mannequin.overlays, name, True)
    look()
    yield from shot("10-environment-overlays")


def after_a_run() -> drive.Story:
    """Panels of simulating, baking, results and the film after a short run."""
    yield from open_tab()
    add_man()
    scene = bpy.context.scene
    scene.mannequin.film.runs_folder = "/tmp/runs"
    scene.mannequin.film.use_slow_range = True
    scene.mannequin.settings.duration = 1.5
    with in_window():
        bpy.ops.mannequin.set_velocity(velocity=(1.5, 0.0, 0.0))
        bpy.ops.mannequin.simulate("INVOKE_DEFAULT")
    yield from drive.until(
        lambda: bool(scene.mannequin.film.results.run), "the run", drive.PATIENCE_COMPILING
    )
    yield from drive.until(lambda: scene.mannequin.film.activity == "", "the simulation to end")
    scene.frame_set(scene.frame_start + 20)
    look()
    yield from shot("11-simulate-results")
    show_panels(AFTER_A_RUN)
    yield from open_tab()
    with in_window():
        for kind in ("forces", "paths", "ghosts", "marks"):
            bpy.ops.mannequin.toggle_trace(kind=kind)
    yield from shot("12-plots-traces-render")


def muscles() -> drive.Story:
    """A muscle over a wrap surface, and how it is excited."""
    yield from open_tab()
    actor = add_man()
    with in_window():
        actor.data.bones.active = actor.data.bones["ShankL"]
        bpy.ops.mannequin.add_wrap_surface(shape="cylinder")
    yield from shot("15-wrap-surface")
    choose(actor)
    with in_window():
        actor.data.bones.active = actor.data.bones["ShankL"]
        bpy.ops.mannequin.add_muscle()
        bpy.ops.mannequin.edit_list(list="excitation_rules", action="ADD")
    yield from shot("16-muscle")


def preferences() -> drive.Story:
    """The extension in the preferences: disabled, enabled again, checked."""
    import addon_utils

    module = next(m.__name__ for m in addon_utils.modules() if m.__name__.endswith(".mannequin"))
    bpy.ops.preferences.addon_disable(module=module)
    expect(not hasattr(bpy.types, "MANNEQUIN_PT_model"), "disabling leaves panels behind")
    bpy.ops.preferences.addon_enable(module=module)
    expect(hasattr(bpy.types, "MANNEQUIN_PT_model"), "enabling brings no panels")
    _, area = drive.viewport()
    area.type = "PREFERENCES"
    bpy.context.preferences.active_section = "ADDONS"
    bpy.context.window_manager.addon_search = "Mannequin"
    expanded = next(m for m in addon_utils.modules() if m.__name__ == module)
    addon_utils.module_bl_info(expanded)["show_expanded"] = True
    area.tag_redraw()
    yield from drive.until(lambda: area.type == "PREFERENCES", "the preferences")
    yield from drive.finished(
        ["sh", "-c", f"sleep 1; xwd -root -silent | convert xwd:- '{drive.OUT}/13-preferences.png'"]
    )
    area.type = "VIEW_3D"


AFTER_A_RUN = ("results", "plots", "traces", "render")
"""Panels of the second picture of `after_a_run`."""

CHAPTERS: dict[str, tuple[Callable[[], drive.Story], tuple[str, ...]]] = {
    "first_steps": (first_steps, ()),
    "ellipsoid": (ellipsoid, ("model", "body", "ellipsoid", "force_curve")),
    "joint": (
        joint,
        ("model", "joint", "joint_limits", "joint_cone", "joint_friction", "joint_springs", "joint_motor"),
    ),
    "rare_model_panels": (
        rare_model_panels,
        ("model", "materials", "connections", "contact_pairs", "model_details"),
    ),
    "start": (start, ("scenario", "velocity", "pulses", "tone", "validation")),
    "findings": (
        findings,
        ("scenario", "settings", "settings_more", "validation", "scenario_connections"),
    ),
    "surroundings": (surroundings, ("environment", "obstacle", "pairs", "view")),
    "muscles": (
        muscles,
        ("model", "muscle", "muscle_path", "muscle_unit", "muscle_excitation", "wrap_surface", "excitations"),
    ),
    "after_a_run": (after_a_run, ("simulate", "bake", "results", "measures", "contacts")),
    "preferences": (preferences, ()),
    "first_fall": (
        first_fall.tell,
        ("model", "scenario", "velocity", "simulate", "results", "measures", "contacts", "render"),
    ),
    "pedestrian": (pedestrian.tell, ("simulate", "results", "measures", "contacts")),
    "responsiveness": (responsiveness.tell, ("simulate",)),
}
"""Chapters with the panels that are open in them; none named: as a user first finds them."""

if __name__ == "__main__":
    tell, opened = CHAPTERS[os.environ["GUI_CHAPTER"]]
    if opened:
        show_panels(opened)
    drive.start(tell())
