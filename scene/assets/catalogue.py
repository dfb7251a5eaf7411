"""Every asset: its name, its place in the asset browser, and the operator that makes it in a scene.

An asset becomes what its operator makes, as if its button had been pressed; so an asset library holds no models that
could grow old, only names.
"""

from dataclasses import dataclass, field
from pathlib import Path

from ...models.library import KEPT, list_models
from ...models.scenarios.obstacles import OBSTACLES
from ..people.presets import PRESETS
from ..scenario.new_vehicle import vehicle_items

PICTURE_FOLDER = Path(__file__).resolve().parent / "pictures"
"""Small pictures of the assets, by tools/asset_pictures.py."""
PEOPLE, MODELS, VEHICLES, OBSTACLE_CATALOGUE = "People", "Body Models", "Vehicles", "Obstacles"


@dataclass(frozen=True)
class Asset:
    """One thing to drag into the viewport."""

    label: str
    catalogue: str
    operator: str
    words: str
    arguments: dict[str, object] = field(default_factory=dict)


def _people() -> dict[str, Asset]:
    """Persons of often wanted sizes."""
    sizes = ("sex", "age", "height", "mass", "build")
    return {
        f"person_{name}": Asset(
            preset.label,
            PEOPLE,
            "add_person",
            preset.source,
            {size: getattr(preset.person, size) for size in sizes} | {"name": preset.label},
        )
        for name, preset in PRESETS.items()
    }


def _models() -> dict[str, Asset]:
    """Models of the library."""
    return {
        f"model_{name}": Asset(
            name.replace("_", " ").title(),
            VEHICLES if name in KEPT else MODELS,
            "add_actor",
            f"Shipped model {name}",
            {"model": name},
        )
        for name in list_models()
    }


def _vehicles() -> dict[str, Asset]:
    """Road vehicles by class."""
    return {
        f"vehicle_{kind}": Asset(label, VEHICLES, "add_vehicle", words, {"kind": kind})
        for kind, label, words in vehicle_items()
    }


def _obstacles() -> dict[str, Asset]:
    """Stairs, kerbs, furniture, whole roads: what Add Ready-Made offers."""
    return {
        f"obstacle_{name}": Asset(
            name.title(), OBSTACLE_CATALOGUE, "add_ready_made", f"Ready-made {name}", {"obstacle": name}
        )
        for name in OBSTACLES
    }


ASSETS: dict[str, Asset] = _people() | _models() | _vehicles() | _obstacles()
"""Name of an asset to what it is."""


def picture_path(name: str) -> Path:
    """File of an asset's picture."""
    return PICTURE_FOLDER / f"{name}.jpg"
