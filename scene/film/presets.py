"""Render presets: draft (Workbench), film (EEVEE), best (Cycles with denoising)."""

import bpy

from ...jobs.film_choices import OWN
from ..base.blender_version import eevee_name
from ..base.errors import SceneError


def apply_render_preset(scene: bpy.types.Scene, preset: str) -> None:
    """Set the engine and its quality; 'own' leaves them as the scene has them."""
    if preset == OWN:
        return
    settings = {"draft": set_draft, "film": set_film, "best": set_best}
    if preset not in settings:
        raise SceneError(f"there is no preset '{preset}': choose one of {', '.join((*settings, OWN))}")
    scene.render.film_transparent = False
    settings[preset](scene)


def set_colors(scene: bpy.types.Scene, exposure: float) -> None:
    """Colours as they are, without a photographic curve: white of the overlay is white, and its edges stay sharp."""
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.look, scene.view_settings.exposure = "None", exposure


def set_draft(scene: bpy.types.Scene) -> None:
    """Workbench with shadows and shaded edges; colours as they are."""
    scene.render.engine = "BLENDER_WORKBENCH"
    set_colors(scene, 0.85)
    display = scene.display
    display.render_aa = "5"
    display.light_direction = (0.45, 0.55, 0.70)
    display.shadow_shift, display.shadow_focus = 0.1, 0.6
    shading = display.shading
    shading.light, shading.color_type = "STUDIO", "MATERIAL"
    shading.show_shadows, shading.shadow_intensity = True, 0.45
    shading.show_cavity, shading.cavity_type = True, "WORLD"
    shading.show_object_outline = False
    shading.show_specular_highlight = True


def set_film(scene: bpy.types.Scene) -> None:
    """EEVEE with soft shadows."""
    scene.render.engine = eevee_name()
    set_colors(scene, 0.0)
    scene.eevee.taa_render_samples = 64
    if hasattr(scene.eevee, "use_raytracing"):
        scene.eevee.use_raytracing = True


def set_best(scene: bpy.types.Scene) -> None:
    """Cycles, 128 samples, denoised where Blender has the denoiser."""
    scene.render.engine = "CYCLES"
    set_colors(scene, 0.0)
    scene.cycles.samples = 128
    scene.cycles.use_adaptive_sampling = True
    try:
        scene.cycles.use_denoising = True
        scene.cycles.denoiser = "OPENIMAGEDENOISE"
    except TypeError:  # built without it
        scene.cycles.use_denoising = False
