"""Presets of the settings: how finely a scenario is computed and what is kept."""

import bpy

from ..base.errors import SceneError

PRESETS = {
    "quick": {"time_step": 2e-4, "output_step": 2e-3, "contact_history": False, "reactions": False},
    "standard": {"time_step": 1e-4, "output_step": 1e-3, "contact_history": False, "reactions": True},
    "court": {"time_step": 2.5e-5, "output_step": 1e-3, "contact_history": True, "reactions": True},
}
"""Quick look: half the usual resolution. Court: a quarter of the usual step, so that the difference to the standard one
shows the numerical error, and every contact at every output time is kept for disclosure."""


def apply_preset(scene: bpy.types.Scene, name: str) -> None:
    """Set the settings a preset speaks of; gravity, friction and duration stay."""
    if name not in PRESETS:
        raise SceneError(f"there is no preset '{name}': choose one of {', '.join(PRESETS)}")
    for key, value in PRESETS[name].items():
        setattr(scene.mannequin.settings, key, value)
