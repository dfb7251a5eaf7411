"""Units as people write them: what fields and tables show, and SI of what is typed.

Everything that is stored, computed and reported to a court stays SI (`units`). The preference says which system is
shown: that of the scene, or one for all scenes. Factors are exact by definition (NIST SP 811, appendix B): foot
0.3048 m, mile 1609.344 m, pound 0.45359237 kg, standard gravity 9.80665 m/s2.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.props import FloatProperty

from ...engine.spec.values import STANDARD_GRAVITY
from ...io_json.recorder import SPEED_UNITS as SPEEDS
from .preferences import preferences

POUND, FOOT = 0.45359237, 0.3048
SCENE = "SCENE"
SYSTEMS = {
    "NONE": ("SI", "Metres per second, metres, kilograms"),
    "METRIC": ("Metric", "Kilometres per hour, metres, kilograms"),
    "IMPERIAL": ("Imperial", "Miles per hour, feet, pounds"),
}
"""Systems by the names that Blender has for those of scenes, with label and tooltip."""


@dataclass(frozen=True)
class Unit:
    """A unit that is shown, and its size in SI."""

    label: str
    size: float

    def shown(self, value: float) -> float:
        """Number in this unit of a value in SI."""
        return value / self.size

    def si(self, number: float) -> float:
        """Value in SI of a number in this unit."""
        return number * self.size


KMH, MPH = (Unit(name, SPEEDS[name]) for name in ("km/h", "mph"))
SPEED_UNITS = {"MS": Unit("m/s", 1.0), "KMH": KMH, "MPH": MPH}
UNITS: dict[str, dict[str, Unit]] = {
    "m/s": {"METRIC": KMH, "IMPERIAL": MPH},
    "m": {"IMPERIAL": Unit("ft", FOOT)},
    "mm": {"IMPERIAL": Unit("in", 25.4)},
    "kg": {"IMPERIAL": Unit("lb", POUND)},
    "N": {"IMPERIAL": Unit("lbf", POUND * STANDARD_GRAVITY)},
    "kN": {"IMPERIAL": Unit("lbf", POUND * STANDARD_GRAVITY / 1000.0)},
}
"""Unit in which a value is held to what each system shows in its place; what is not named is shown as it is."""


def system_of(scene: bpy.types.Scene) -> str:
    """System of units that is shown: of the preference, else of the scene."""
    chosen = preferences()
    wanted = chosen.units if chosen is not None else SCENE
    return scene.unit_settings.system if wanted == SCENE else wanted


def unit_shown(held: str, scene: bpy.types.Scene) -> Unit:
    """Unit shown for values that are held in a unit, such as km/h for m/s."""
    return UNITS.get(held, {}).get(system_of(scene), Unit(held, 1.0))


def text_shown(value: float, held: str, scene: bpy.types.Scene) -> str:
    """A value that is held in a unit, in the one that is shown, to four significant digits."""
    unit = unit_shown(held, scene)
    return f"{unit.shown(value):.4g} {unit.label}".rstrip()


def shown_property(name: str, held: str, about: str, **limits: Any) -> Any:
    """A property that shows another one, held in SI, in the unit that is shown; typing into it changes the other."""

    def read(owner: Any) -> float:
        return unit_shown(held, bpy.context.scene).shown(getattr(owner, name))

    def write(owner: Any, number: float) -> None:
        setattr(owner, name, unit_shown(held, bpy.context.scene).si(number))

    return proxy_property(read, write, name, about, **limits)


def proxy_property(
    read: Callable[[Any], float], write: Callable[[Any, float], None], name: str, about: str, **limits: Any
) -> Any:
    """A number that is read and written by functions and never stored."""
    return FloatProperty(
        name=name.title(), description=about, get=read, set=write, options={"SKIP_SAVE"}, **limits
    )


def draw_shown(
    layout: bpy.types.UILayout, owner: Any, name: str, held: str, label: str, scene: bpy.types.Scene
) -> None:
    """A field of such a property, labelled with its unit."""
    layout.prop(owner, name, text=f"{label} ({unit_shown(held, scene).label})")
