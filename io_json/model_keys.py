"""The keys of a model file that OpenMBD knows, level by level, and how each is read and written.

What a spec holds beyond these keys goes into a block named `EXTENSION` at the same level, which OpenMBD ignores.
"""

from dataclasses import MISSING, dataclass
from typing import Any

from ..engine import spec
from .declarations import CURVE, MATRIX3, MATRIX4, VECTOR, fields_of
from .errors import FileError, pointer
from .nodes import Array, Choice, Field, Node, Number, Optional, Text, wrong_type

EXTENSION = "mannequin"
FORMAT = 1
"""Version of the extension blocks. Raise it when an older reader would misread a new file."""
GROUND = "GROUND"
KEPT = "#"
"""Keys of `extras` that begin so are ours: they remember the form a file gave to something (never in a file)."""
KEY_ORDER = KEPT + "keys"
CENTER_OF_MASS_KEYS = ("cg", "center_of_mass", "center_of_gravity", "com")
"""In the order in which OpenMBD looks for them."""
STANDARD_UNITS = {"length": "meters", "mass": "kilograms", "time": "seconds"}


@dataclass(frozen=True)
class Orientation:
    """3x3 in the spec; a file gives 3x3 or 4x4 (the 4th column is ignored, as OpenMBD does). Written as 4x4."""

    def read(self, value: Any, place: str) -> Any:
        if type(value) is list and len(value) == 4:
            rows = MATRIX4.read(value, place)
            return tuple(row[:3] for row in rows[:3])
        if type(value) is list and len(value) == 3:
            return MATRIX3.read(value, place)
        message = "must be a 3x3 or a 4x4 matrix"
        raise FileError(message, place=place, remedy="Write three rows of three numbers, or four of four")

    def write(self, value: Any, place: str) -> Any:
        return [row + [0] for row in MATRIX3.write(value, place)] + [[0, 0, 0, 1]]

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [MATRIX3.schema(), MATRIX4.schema()]}

    def label(self) -> str:
        return "3x3 or 4x4 matrix"


@dataclass(frozen=True)
class ParentName(Text):
    """A body name, or "GROUND" for None."""

    words = 'body name, or "GROUND"'

    def read(self, value: Any, place: str) -> str | None:
        name = super().read(value, place)
        return None if name == GROUND else name

    def write(self, value: Any, place: str) -> str:
        if value == GROUND:
            raise FileError("no body may have this name", place=place, remedy="Rename the body")
        return GROUND if value is None else Text().write(value, place)


@dataclass(frozen=True)
class Centimetres(Number):
    """Metres in the spec, centimetres in the file."""

    def read(self, value: Any, place: str) -> float:
        return super().read(value, place) / 100

    def write(self, value: Any, place: str) -> float | None:
        return None if value is None else Number().write(round(Number().write(value, place) * 100, 9), place)


@dataclass(frozen=True)
class FirstSource(Text):
    """The first of a list of texts; the others are in the extension."""

    def read(self, value: Any, place: str) -> list[str]:
        return [super().read(value, place)]

    def write(self, value: Any, place: str) -> str:
        return Text().write(value[0], place) if value else ""


@dataclass(frozen=True)
class Transform(Array):
    """A 4x4 matrix that turns and moves: its last row is 0 0 0 1."""

    item: Node = MATRIX4.item
    length: int = 4

    def read(self, value: Any, place: str) -> Any:
        matrix = super().read(value, place)
        if tuple(matrix[3]) != (0, 0, 0, 1):
            remedy = "Write the matrix by rows"
            raise FileError("must have 0 0 0 1 as its last row", place=place, remedy=remedy)
        return matrix

    def label(self) -> str:
        return "4x4 matrix"


@dataclass(frozen=True)
class Level:
    """One kind of object of a model file."""

    cls: type
    plain: tuple[Field, ...]
    order: tuple[str, ...]
    """The keys in the order in which they are written; any other key of `extras` follows."""
    always: tuple[str, ...]
    """Keys OpenMBD cannot do without, written even when they hold the default."""

    def extension_fields(self) -> tuple[Field, ...]:
        """What goes into the extension block: every field of the dataclass that no plain key holds."""
        held = {field.name for field in self.plain} | {"extras"}
        if self.cls is spec.Body:
            held |= {"name", "ellipsoids"}
        if self.cls is spec.Model:
            held |= {"bodies", "joints"}
        return tuple(field for name, field in fields_of(self.cls).items() if name not in held)

    def lossy_fields(self) -> tuple[Field, ...]:
        """Plain fields that the plain key cannot always hold in full; the extension may repeat them."""
        names = [f.name for f in self.plain if isinstance(f.node, (Centimetres, FirstSource))]
        return tuple(fields_of(self.cls)[name] for name in names)


def _plain(cls: type, always: tuple[str, ...], *entries: tuple[str, str, Node]) -> tuple[Field, ...]:
    """Fields of a dataclass under the file's keys. A key in `always` must be there, whatever the dataclass defaults."""
    made = []
    for name, key, node in entries:
        own = fields_of(cls)[name]
        default, factory = (MISSING, MISSING) if key in always else (own.default, own.factory)
        made.append(Field(name, key, node, default, factory))
    return tuple(made)


def _level(
    cls: type, order: tuple[str, ...], always: tuple[str, ...], *entries: tuple[str, str, Node]
) -> Level:
    return Level(cls, _plain(cls, always, *entries), order, always)


MODEL = _level(
    spec.Model,
    (
        *("name", "version", "citation", "description", "units", "bodies", "joints", "contact_pairs"),
        *("metadata", "sex", "height_cm", "mass_kg", "source"),
    ),
    ("name", "bodies", "joints"),
    ("name", "name", Text()),
    ("version", "version", Text()),
    ("citation", "citation", Text()),
    ("description", "description", Text()),
    ("sex", "sex", Text()),
    ("height", "height_cm", Centimetres()),
    ("sources", "source", FirstSource()),
)
BODY = _level(
    spec.Body,
    ("mass", "inertia", "center_of_mass", "description", "ellipsoids"),
    ("mass", "inertia", "center_of_mass", "ellipsoids"),
    ("mass", "mass", Number()),
    ("inertia", "inertia", Array(Number(), 6)),
    ("center_of_mass", "center_of_mass", VECTOR),
    ("description", "description", Text()),
)
ELLIPSOID = _level(
    spec.Ellipsoid,
    ("name", "dimensions", "local_position", "local_orientation", "force_curve", "unload_curve"),
    ("name", "dimensions", "local_position", "local_orientation"),
    ("name", "name", Text()),
    ("semi_axes", "dimensions", VECTOR),
    ("position", "local_position", VECTOR),
    ("orientation", "local_orientation", Orientation()),
    ("force_curve", "force_curve", CURVE),
    ("unload_curve", "unload_curve", Optional(CURVE)),
)
JOINT = _level(
    spec.Joint,
    ("name", "type", "parent", "child", "T1", "T2", "T2_inv", "note"),
    ("name", "type", "parent", "child", "T1", "T2", "T2_inv"),
    ("name", "name", Text()),
    ("type", "type", Choice(tuple(spec.JOINT_TYPES))),
    ("parent", "parent", ParentName()),
    ("child", "child", Text()),
    ("T1", "T1", Transform()),
    ("T2", "T2", Transform()),
    ("note", "note", Text()),
)


def require_object(value: Any, place: str) -> dict[str, Any]:
    """The value, when it is an object."""
    if type(value) is not dict:
        raise wrong_type("an object", value, place)
    return value


def read_plain(document: dict[str, Any], place: str, level: Level) -> dict[str, Any]:
    """Field name to value for the plain keys that are there. A required key that is missing is an error."""
    values = {}
    for field in level.plain:
        if field.key in document:
            values[field.name] = field.node.read(document[field.key], pointer(place, field.key))
        elif field.required:
            raise FileError(f"the key {field.key!r} is missing", place=place, remedy=f"Add {field.key!r}")
    return values
