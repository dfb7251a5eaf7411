"""Mannequin: reconstruct falls and impacts.

This folder is both a Blender extension and the Python package `mannequin`. Blender is imported only when it asks
for registration, so the engine, the file formats and the command line work without it.
"""

from .io_json.person_builder import set_builder, set_vehicle_builder, set_walker


def _build_person(person, like):
    """The model of a person that a file names; what it takes is loaded when the first one comes."""
    from .models.people.person_model import build_person

    return build_person(person, like)


def _walking(actor):
    """An actor as its gait has it at the start."""
    from .models.people.gait import walking

    return walking(actor)


def _build_vehicle(kind, is_sprung):
    """The typical vehicle of a class that a file names."""
    from .models.vehicles.chassis import build_sprung_vehicle
    from .models.vehicles.light.build import build_light_vehicle
    from .models.vehicles.light.kinds import LIGHT_VEHICLES
    from .models.vehicles.road_vehicle import build_vehicle

    if kind in LIGHT_VEHICLES:
        return build_light_vehicle(kind)
    return build_sprung_vehicle(kind) if is_sprung else build_vehicle(kind)


set_builder(_build_person)
set_walker(_walking)
set_vehicle_builder(_build_vehicle)


def _read_version() -> str:
    """Return the version from the extension manifest, the only place where it is written."""
    import tomllib
    from pathlib import Path

    with open(Path(__file__).with_name("blender_manifest.toml"), "rb") as file:
        return tomllib.load(file)["version"]


STUDY = (
    "fit",
    "load",
    "Marker",
    "measures_table",
    "open_run",
    "person",
    "Result",
    "run",
    "scaled_to",
    "scenario_of",
    "start_from",
    "to_pandas",
    "to_xarray",
    "track",
    "Tracked",
)
"""What the package offers by its own name, for scripts and notebooks (`study`; types in `__init__.pyi`)."""


def __getattr__(name: str):
    """Read `__version__`, or load what scripts use, when it is asked for: importing the package does neither."""
    if name == "__version__":
        return _read_version()
    if name in STUDY:
        from . import study

        return getattr(study, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """What a notebook completes."""
    return [*globals(), "__version__", *STUDY]


def register() -> None:
    """Called by Blender when the extension is enabled."""
    from .registration import register_all

    register_all()


def unregister() -> None:
    """Called by Blender when the extension is disabled."""
    from .registration import unregister_all

    unregister_all()
