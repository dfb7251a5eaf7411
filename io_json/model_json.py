"""Model files: OpenMBD's JSON model format, with our additions in blocks named "mannequin" that OpenMBD ignores.

Every key is understood, or kept in `extras` and written again. A model that a plain OpenMBD file can hold in full is
written as one, in OpenMBD's layout; so a file that was read and not changed gets its bytes back. Anything more is
written with the extension, in our layout. The format is described in docs/formats/model.md.
"""

import copy
import json
import os
from typing import Any

from ..engine import spec
from . import atomic, layout, openmbd_rules, strict_json
from .errors import FileError, in_file, pointer
from .model_keys import (
    BODY,
    CENTER_OF_MASS_KEYS,
    ELLIPSOID,
    EXTENSION,
    FORMAT,
    GROUND,
    JOINT,
    KEPT,
    KEY_ORDER,
    MODEL,
    STANDARD_UNITS,
    Centimetres,
    Level,
    Orientation,
    read_plain,
    require_object,
)
from .nodes import Choice, Record, wrong_type
from .transforms import is_inverse, rigid_inverse

_METRE_NAMES = ("meters", "meter", "metres", "metre", "m")
_UNIT_NAMES = {
    "length": _METRE_NAMES,
    "mass": ("kilograms", "kilogram", "kg"),
    "time": ("seconds", "second", "s"),
}
_LINE_END = KEPT + "line end"
_INERTIA_SIGN = Choice(("products", "matrix"))


def read_model(path: str | os.PathLike) -> spec.Model:
    """Read a model file, with or without our extension. Raises `FileError`."""
    data = strict_json.read_bytes(path)
    with in_file(path):
        return loads(strict_json.decode(data))


def write_model(model: spec.Model, path: str | os.PathLike, extensions: bool = True) -> None:
    """Write a model file, whole or not at all. Raises `FileError`."""
    with in_file(path):
        text = dumps(model, extensions)
    atomic.write_text(path, text)


def loads(text: str) -> spec.Model:
    """The model in a text. Raises `FileError`."""
    document = strict_json.parse(text)
    model = model_from_document(document)
    if text.endswith("\n") and EXTENSION not in document:
        model.extras[_LINE_END] = "\n"
    return model


def dumps(model: spec.Model, extensions: bool = True) -> str:
    """The text of a model file. Without extensions: only what OpenMBD can read; see `lost_without_extensions`."""
    document = document_from_model(model, extensions)
    if EXTENSION in document:
        return layout.compact(document)
    return layout.spread(document) + model.extras.get(_LINE_END, "")


# ---------------------------------------------------------------- reading


def model_from_document(document: Any) -> spec.Model:
    """The model of a parsed model file. Raises `FileError`."""
    document = require_object(document, "")
    native = EXTENSION in document
    extension = dict(_check_format(document[EXTENSION])) if native else {}
    sign = _INERTIA_SIGN.read(
        extension.pop("inertia_sign", "products"), pointer("", EXTENSION, "inertia_sign")
    )
    _check_units(document.get("units", {}))
    bodies = require_object(_need(document, "bodies"), "/bodies")
    joints = document.get("joints", [])
    if type(joints) is not list:
        raise wrong_type("a list of joints", joints, "/joints")
    values = read_plain(document, "", MODEL) | _read_extension({EXTENSION: extension}, "", MODEL, native)
    model = spec.Model(
        **values,
        bodies=[
            _read_body(name, body, pointer("/bodies", name), native, sign) for name, body in bodies.items()
        ],
        joints=[_read_joint(joint, f"/joints/{i}", native) for i, joint in enumerate(joints)],
        extras=_read_extras(document, "", MODEL, ("bodies", "joints")),
    )
    if model.extras.get("units") == STANDARD_UNITS:
        del model.extras["units"]
    _remember_keys(model, document, MODEL)
    if not native:
        openmbd_rules.apply(model)
    return model


def _read_body(name: str, document: Any, place: str, native: bool, sign: str) -> spec.Body:
    document = _rename_center_of_mass(require_object(document, place), place)
    if name == GROUND:
        raise FileError('"GROUND" stands for the world', place=place, remedy="Give the body another name")
    ellipsoids = document.get("ellipsoids", [])
    if type(ellipsoids) is not list:
        raise wrong_type("a list of ellipsoids", ellipsoids, pointer(place, "ellipsoids"))
    values = read_plain(document, place, BODY) | _read_extension(document, place, BODY, native)
    if sign == "matrix":
        values["inertia"] = (*values["inertia"][:3], *(-p if p else p for p in values["inertia"][3:]))
    body = spec.Body(
        name=name,
        **values,
        ellipsoids=[_read_ellipsoid(e, f"{place}/ellipsoids/{i}", native) for i, e in enumerate(ellipsoids)],
        extras=_read_extras(document, place, BODY, ("ellipsoids",)),
    )
    _remember_keys(body, document, BODY)
    return body


def _read_ellipsoid(document: Any, place: str, native: bool) -> spec.Ellipsoid:
    document = require_object(document, place)
    values = read_plain(document, place, ELLIPSOID) | _read_extension(document, place, ELLIPSOID, native)
    ellipsoid = spec.Ellipsoid(**values, extras=_read_extras(document, place, ELLIPSOID))
    _remember_keys(ellipsoid, document, ELLIPSOID)
    return ellipsoid


def _read_joint(document: Any, place: str, native: bool) -> spec.Joint:
    document = require_object(document, place)
    values = read_plain(document, place, JOINT) | _read_extension(document, place, JOINT, native)
    joint = spec.Joint(**values, extras=_read_extras(document, place, JOINT, ("T2_inv",)))
    if "T2_inv" in document:
        _check_inverse(joint, document["T2_inv"], pointer(place, "T2_inv"))
    _remember_keys(joint, document, JOINT)
    return joint


def _check_inverse(joint: spec.Joint, raw: Any, place: str) -> None:
    """`T2_inv` must be the inverse of `T2`. Its form is kept where ours would look different."""
    node = next(field.node for field in JOINT.plain if field.name == "T2")
    if not is_inverse(joint.T2, node.read(raw, place)):
        message = f"is not the inverse of T2 of the joint {joint.name!r}"
        remedy = "Correct T2 or T2_inv (T2 must turn and move only), or leave T2_inv out"
        raise FileError(message, place=place, remedy=remedy)
    if _text(raw) != _text(rigid_inverse(joint.T2)):
        joint.extras[KEPT + "T2_inv"] = raw


def _read_extension(document: dict, place: str, level: Level, native: bool) -> dict[str, Any]:
    """Field name to value out of the extension block of this level."""
    if EXTENSION not in document:
        return {}
    if not native and document[EXTENSION]:
        message = f"has a {EXTENSION!r} block, but the file has none at its top"
        raise FileError(message, place=place, remedy=f'Add "{EXTENSION}": {{"format": {FORMAT}}} to the file')
    return extension_record(level).read_values(document[EXTENSION], pointer(place, EXTENSION))


def extension_record(level: Level) -> Record:
    """The extension block of a level as a record."""
    fields = (*level.lossy_fields(), *level.extension_fields())
    return Record(level.cls, fields, tags=(("format", FORMAT),) if level is MODEL else ())


def _check_format(block: Any) -> dict[str, Any]:
    """The extension block at the top of the file, when this program can read it."""
    place = pointer("", EXTENSION)
    check_version(require_object(block, place), "format", FORMAT, place)
    return block


def check_version(block: dict[str, Any], key: str, known: int, place: str) -> None:
    """Refuse a file of a newer version, and one whose version is no positive whole number."""
    version = block.get(key)
    if type(version) is not int or version < 1:
        remedy = f'Write "{key}": {known}'
        raise FileError(f"{key!r} must be a whole number from 1 on", place=place, remedy=remedy)
    if version > known:
        message = f"is of version {version}, and this program reads versions up to {known}"
        raise FileError(message, place=pointer(place, key), remedy="Install a newer version of Mannequin")


def _check_units(units: Any) -> None:
    """The format is metres, kilograms, seconds. A file that states other units would be misread."""
    for quantity, names in _UNIT_NAMES.items():
        unit = require_object(units, "/units").get(quantity, names[0])
        if type(unit) is not str or unit.lower() not in names:
            remedy = f"Convert the numbers of the file to {names[0]} and state that unit"
            raise FileError(f"must be {names[0]!r}", place=f"/units/{quantity}", remedy=remedy)


def _need(document: dict, key: str) -> Any:
    if key not in document:
        message = f"the key {key!r} is missing: this is not a model file"
        raise FileError(message, remedy="Choose a model file in the OpenMBD format")
    return document[key]


def _rename_center_of_mass(document: dict, place: str) -> dict:
    """The same object with the centre of mass under its usual key. Two keys with different values are an error."""
    present = [key for key in CENTER_OF_MASS_KEYS if key in document]
    if present in ([], ["center_of_mass"]):
        return document
    if any(document[key] != document[present[0]] for key in present):
        message = f"gives the centre of mass twice and differently: {' and '.join(present)}"
        raise FileError(message, place=place, remedy="Keep the right one, as 'center_of_mass'")
    renamed = {"center_of_mass" if k == present[0] else k: v for k, v in document.items()}
    return {k: v for k, v in renamed.items() if k == "center_of_mass" or k not in present}


def _read_extras(document: dict, place: str, level: Level, more: tuple[str, ...] = ()) -> dict[str, Any]:
    """Keys we do not use, and the form of those whose form we would lose."""
    known = {field.key for field in level.plain} | {EXTENSION, *more}
    extras = {}
    for key, value in document.items():
        if key.startswith(KEPT):
            remedy = "Give the key another name"
            raise FileError(
                f"the key {key[:60]!r} is not allowed: it begins with {KEPT}", place=place, remedy=remedy
            )
        if key not in known:
            extras[key] = value
    for field in level.plain:
        if isinstance(field.node, (Orientation, Centimetres)) and field.key in document:
            raw = document[field.key]
            if _text(field.node.write(field.node.read(raw, place), place)) != _text(raw):
                extras[KEPT + field.key] = raw
    return extras


def _remember_keys(thing: Any, document: dict, level: Level) -> None:
    """Keep the keys and their order when they are not those we would write."""
    found = [key for key in document if key != EXTENSION]
    if list(_plain_document(thing, level)) != found:
        thing.extras[KEY_ORDER] = found


# ---------------------------------------------------------------- writing


def document_from_model(model: spec.Model, extensions: bool = True) -> dict[str, Any]:
    """The JSON document of a model; with the extension only where the plain keys cannot hold everything."""
    _refuse_same_names(model)
    if not extensions:
        return _model_document(_with_material_curves(model), native=False)
    plain, full = _model_document(model, native=False), _model_document(model, native=True)
    # Compared as documents, so that an array or a list in the spec is as good as a tuple.
    return plain if _model_document(model_from_document(_parsed(plain)), native=True) == full else full


def same_model(first: spec.Model, second: spec.Model) -> bool:
    """Whether two models are equal, whatever containers hold their numbers."""
    return _model_document(first, native=True) == _model_document(second, native=True)


def lost_without_extensions(model: spec.Model) -> list[str]:
    """What a plain OpenMBD file cannot hold of this model, one line each."""
    lost = [f"model: {key}" for key in _extension_document(model, MODEL, "")]
    for body in model.bodies:
        lost += [f"body {body.name!r}: {key}" for key in _extension_document(body, BODY, "")]
        for ellipsoid in body.ellipsoids:
            name = f"ellipsoid {ellipsoid.name!r} of {body.name!r}"
            lost += [f"{name}: {key}" for key in _extension_document(ellipsoid, ELLIPSOID, "")]
    for joint in model.joints:
        lost += [f"joint {joint.name!r}: {key}" for key in _extension_document(joint, JOINT, "")]
    return [line for line in lost if not line.endswith(": notes")]


def _model_document(model: spec.Model, native: bool) -> dict[str, Any]:
    bodies = {
        body.name: _level_document(body, BODY, pointer("/bodies", body.name), native) for body in model.bodies
    }
    for body in model.bodies:
        bodies[body.name]["ellipsoids"] = [
            _level_document(e, ELLIPSOID, pointer("/bodies", body.name, "ellipsoids", i), native)
            for i, e in enumerate(body.ellipsoids)
        ]
    joints = [joint for joint in model.joints if native or not openmbd_rules.is_added(joint)]
    document = _level_document(model, MODEL, "", native)
    document["bodies"] = bodies
    document["joints"] = [_level_document(j, JOINT, f"/joints/{i}", native) for i, j in enumerate(joints)]
    if not native:
        return document
    block = {"format": FORMAT} | document.pop(EXTENSION, {})
    return document | {EXTENSION: block}


def _level_document(thing: Any, level: Level, place: str, native: bool) -> dict[str, Any]:
    document = _plain_document(thing, level, place, native)
    block = _extension_document(thing, level, pointer(place, EXTENSION)) if native else {}
    return document | {EXTENSION: block} if block else document


def _plain_document(thing: Any, level: Level, place: str = "", native: bool = False) -> dict[str, Any]:
    """The plain keys of one object in the order in which they are written. Lists of further objects are left empty."""
    extras = thing.extras
    values = {key: value for key, value in extras.items() if not key.startswith(KEPT)}
    needed = set(values) | set(level.always)
    for field in level.plain:
        value = getattr(thing, field.name)
        written = _write_plain(field, value, extras, pointer(place, field.key))
        if written is not None:
            values[field.key] = written
        if not field.is_default(value):
            needed.add(field.key)
    if level is MODEL:
        values = {"units": dict(STANDARD_UNITS), "bodies": {}, "joints": []} | values
    elif level is BODY:
        values["ellipsoids"] = []
    elif level is JOINT:
        values["T2_inv"] = _write_inverse(thing)
        if not native:
            values["type"] = openmbd_rules.type_in_file(thing)
    return {key: values[key] for key in _key_order(values, needed, extras.get(KEY_ORDER), level)}


def _key_order(values: dict, needed: set[str], found: list[str] | None, level: Level) -> list[str]:
    """The keys to write: those the file had, then what has to be added."""
    ranked = [key for key in level.order if key in values] + [k for k in values if k not in level.order]
    if found is None:
        return [key for key in ranked if key in needed or key == "units"]
    kept = [key for key in found if key in values]
    return kept + [key for key in ranked if key in needed and key not in kept]


def _write_plain(field: Any, value: Any, extras: dict, place: str) -> Any:
    """The value in the form the file gave it, where that still has the same meaning."""
    raw = extras.get(KEPT + field.key)
    if raw is not None and field.node.read(raw, place) == value:
        return raw
    return field.node.write(value, place)


def _write_inverse(joint: spec.Joint) -> Any:
    raw = joint.extras.get(KEPT + "T2_inv")
    if raw is not None and is_inverse(joint.T2, raw):
        return raw
    return rigid_inverse(joint.T2)


def _extension_document(thing: Any, level: Level, place: str) -> dict[str, Any]:
    """The extension block of one object: every field that is not at its default and that no plain key holds in full."""
    block = {}
    for field in level.lossy_fields():
        plain = next(p for p in level.plain if p.name == field.name)
        value = getattr(thing, field.name)
        if not field.is_default(value) and plain.node.read(plain.node.write(value, place), place) != value:
            block[field.key] = field.node.write(value, pointer(place, field.key))
    for field in level.extension_fields():
        value = getattr(thing, field.name)
        if not field.is_default(value):
            block[field.key] = field.node.write(value, pointer(place, field.key))
    return block


def _with_material_curves(model: spec.Model) -> spec.Model:
    """A copy in which ellipsoids carry the curves of their materials, so that OpenMBD meets the same surfaces."""
    curves = {m.name: m for m in model.materials if m.law == "curve" and m.loading}
    plain = copy.deepcopy(model)
    for body in plain.bodies:
        for ellipsoid in body.ellipsoids:
            material = curves.get(ellipsoid.material)
            if material and not ellipsoid.force_curve:
                ellipsoid.force_curve, ellipsoid.unload_curve = material.loading, material.unloading
    return plain


def _refuse_same_names(model: spec.Model) -> None:
    """Bodies are kept by name in the file; of two with one name, one would be lost."""
    seen: set[str] = set()
    for body in model.bodies:
        if body.name in seen:
            message = f"two bodies are named {body.name!r}"
            raise FileError(message, place=pointer("/bodies", body.name), remedy="Rename one of them")
        seen.add(body.name)


def _text(value: Any) -> str:
    """Text of a value, to distinguish 1 from 1.0."""
    return json.dumps(value)


def _parsed(document: Any) -> Any:
    """The document as the parser would give it (lists, not tuples)."""
    return json.loads(json.dumps(document))
