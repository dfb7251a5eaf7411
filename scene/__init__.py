"""Blender data to specs and back: the only place with logic that needs Blender.

Modules that register something are named here, in registration order; see registration.py.
"""

MODULES: tuple[str, ...] = (
    "property_basics",
    "properties_connections",
    "properties_surface",
    "properties_model",
    "properties_muscles",
    "properties_settings",
    "properties_film",
    "properties_sweeps",
    "properties_scenario",
    "properties",
    "curve_plot",
    "library_pictures",
    "migrations",
    "overlay",
    "worker",
    "what_if",
)
