"""Blender data to specs and back: the only place with logic that needs Blender.

Modules that register something are named here, in registration order; see registration.py.
"""

MODULES: tuple[str, ...] = (
    "store.basics",
    "store.connections",
    "store.person",
    "store.model",
    "store.muscles",
    "store.settings",
    "store.runs",
    "store.film",
    "store.sweeps",
    "store.places",
    "store.evidence",
    "store.scenario",
    "store.skeleton",
    "store.properties",
    "show.curve_plot",
    "model.library_pictures",
    "scenario.examples",
    "scenario.speed",
    "scenario.walk",
    "people.change",
    "store.migrations",
    "show.overlay",
    "show.playhead",
    "run.worker",
    "run.prepare",
    "run.what_if",
    "run.sweeps",
    "evidence.read",
    "film.extent",
    "film.readouts",
    "places.looks",
    "assets.markers",
)
