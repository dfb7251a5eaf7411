"""Every malformed file gives one message with the place and the remedy."""

import copy
import json
import os
import tracemalloc

import pytest
from full_specs import full_model, full_scenario

from mannequin.io_json import model_json, scenario_json, strict_json
from mannequin.io_json.any_file import read_any
from mannequin.io_json.errors import FileError

MODEL = json.loads(model_json.dumps(full_model()))
SCENARIO = json.loads(scenario_json.dumps(full_scenario()))


def changed(document, path, value):
    """A copy with the value at `path` replaced, or deleted when it is `...`."""
    document = copy.deepcopy(document)
    target = document
    for key in path[:-1]:
        target = target[key]
    if value is ...:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return document


BODY = ("bodies", "body a")
ELLIPSOID = (*BODY, "ellipsoids", 0)
JOINT = ("joints", 1)


@pytest.mark.parametrize(
    ("path", "value", "place", "message"),
    [
        (("name",), ..., "", "'name' is missing"),
        (("bodies",), ..., "", "'bodies' is missing"),
        (("bodies",), [], "/bodies", "must be an object, not a list"),
        (("joints",), {}, "/joints", "must be a list of joints, not an object"),
        (BODY, 3, "/bodies/body a", "must be an object, not a number"),
        ((*BODY, "mass"), ..., "/bodies/body a", "'mass' is missing"),
        ((*BODY, "mass"), "80", "/bodies/body a/mass", "must be a number, not a text"),
        ((*BODY, "mass"), True, "/bodies/body a/mass", "must be a number, not true or false"),
        ((*BODY, "mass"), None, "/bodies/body a/mass", "must be a number, not null"),
        ((*BODY, "inertia"), [1, 1, 1], "/bodies/body a/inertia", "must have 6 entries, not 3"),
        ((*BODY, "ellipsoids"), None, "/bodies/body a/ellipsoids", "must be a list"),
        ((*BODY, "#keys"), 1, "/bodies/body a", "begins with #"),
        (
            (*ELLIPSOID, "local_orientation"),
            [[1, 0], [0, 1]],
            "/bodies/body a/ellipsoids/0/local_orientation",
            "3x3",
        ),
        ((*ELLIPSOID, "force_curve"), [[0, 0, 0]], "/bodies/body a/ellipsoids/0/force_curve/0", "2 entries"),
        ((*ELLIPSOID, "mannequin", "materiel"), "x", "/bodies/body a/ellipsoids/0/mannequin", "'materiel'"),
        ((*JOINT, "type"), "hinge", "/joints/1/type", "'hinge' is not known"),
        ((*JOINT, "T1"), [[1, 0, 0, 0]] * 4, "/joints/1/T1", "0 0 0 1"),
        ((*JOINT, "T1"), ..., "/joints/1", "'T1' is missing"),
        ((*JOINT, "mannequin", "limits", "lower"), ..., "/joints/1/mannequin/limits", "'lower' is missing"),
        (("mannequin", "format"), 2, "/mannequin/format", "version 2"),
        (("mannequin", "format"), "1", "/mannequin", "whole number"),
        (("mannequin",), None, "/mannequin", "must be an object, not null"),
        (("mannequin",), ..., "/bodies/body a", "none at its top"),
        (("mannequin", "inertia_sign"), "minus", "/mannequin/inertia_sign", "'minus' is not known"),
        (
            ("mannequin", "materials", 0, "law"),
            "rubber",
            "/mannequin/materials/0/law",
            "'rubber' is not known",
        ),
        (("units",), {"length": "mm"}, "/units/length", "must be 'meters'"),
        (("units",), {"length": 1}, "/units/length", "must be 'meters'"),
        (("height_cm",), "tall", "/height_cm", "must be a number"),
    ],
)
def test_models(path, value, place, message):
    with pytest.raises(FileError) as caught:
        model_json.loads(json.dumps(changed(MODEL, path, value)))
    assert caught.value.place == place
    assert message in caught.value.message
    assert caught.value.remedy


def test_the_nearest_key_is_named():
    document = changed(MODEL, (*JOINT, "mannequin", "dampng"), 1)
    with pytest.raises(FileError, match="Did you mean 'damping'"):
        model_json.loads(json.dumps(document))


def test_the_nearest_word_is_named():
    with pytest.raises(FileError, match="Did you mean 'revolute'"):
        model_json.loads(json.dumps(changed(MODEL, (*JOINT, "type"), "revolve")))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "line 1, column 1", "not valid JSON"),
        ('{"a": 1,\n "b": }', "line 2, column 7", "not valid JSON"),
        ('{"a": [1, 2', "line 1, column 12", "not valid JSON"),
        ('{"a": 01}', "line 1, column 8", "not valid JSON"),
        ('{"a": {"b": NaN}}', "/a/b", "NaN is not a number"),
        ('{"a": [0, -Infinity]}', "/a/1", "-Infinity is not a number"),
        ('{"a": 1e999}', "/a", "1e999 is too big"),
        ('{"a": ' + "9" * 5000 + "}", "/a", "too many digits"),
        ('{"a": {"b": 1, "c": 2, "b": 3}}', "/a", "'b' appears twice"),
        ('{"a": "x\\u0000y"}', "/a", "control character U+0000"),
        ('{"a": "\\u001b[31m"}', "/a", "control character U+001B"),
        ('{"a": "\\ud800"}', "/a", "control character U+D800"),
        ('{"a~/b": {"\\u0007": 1}}', "/a~0~1b", "control character U+0007"),
        ("[" * 41 + "]" * 41, "/0" * 40, "nested deeper than 40"),
    ],
)
def test_json(text, place, message):
    with pytest.raises(FileError) as caught:
        strict_json.parse(text)
    assert (caught.value.place, message in caught.value.message) == (place, True), caught.value
    assert caught.value.remedy


def test_forty_levels_are_allowed():
    assert strict_json.parse("[" * 40 + "]" * 40)


@pytest.mark.parametrize(
    ("data", "place"),
    [(b'{"name": "\xff"}', "byte 10"), (b"\xff\xfe{\x00", "byte 0"), (b"\x00\x01\x02", "line 1, column 1")],
)
def test_what_is_no_text(tmp_path, data, place):
    (tmp_path / "x.json").write_bytes(data)
    with pytest.raises(FileError) as caught:
        read_any(tmp_path / "x.json")
    assert (caught.value.path, caught.value.place) == (str(tmp_path / "x.json"), place)


def test_a_byte_order_mark_is_no_matter(tmp_path):
    (tmp_path / "x.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(MODEL).encode())
    assert model_json.read_model(tmp_path / "x.json") == full_model()


@pytest.mark.parametrize("text", ["[]", "1", "null", "{}", '{"format": "x"}', '"model"'])
def test_what_is_neither_model_nor_scenario(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    for read in (read_any, model_json.read_model, scenario_json.read_scenario):
        with pytest.raises(FileError) as caught:
            read(tmp_path / "x.json")
        assert caught.value.remedy


def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "none.json", tmp_path / "pipe", "/dev/zero", "a\0b", "x" * 5000):
        with pytest.raises(FileError) as caught:
            read_any(path)
        assert caught.value.remedy


def test_the_message_in_one_line():
    error = FileError("is too heavy", path="car.json", place="/bodies/car/mass", remedy="Lower it")
    assert str(error) == "car.json: /bodies/car/mass: is too heavy. Lower it"


# ---------------------------------------------------------------- absurd sizes


def peak_memory(action) -> int:
    tracemalloc.start()
    try:
        with pytest.raises(FileError):
            action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_huge_file_is_refused_before_it_is_parsed(tmp_path):
    with open(tmp_path / "x.json", "wb") as file:
        file.truncate(4 * 1024**3)  # sparse: takes no room on the disk
    assert peak_memory(lambda: read_any(tmp_path / "x.json")) < 3 * strict_json.MAX_BYTES


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 10_000_000, id="open brackets"),
        pytest.param('{"a":' * 1_900_000, id="open objects"),
        pytest.param("[" + "[]," * 5_000_000 + "1]", id="empty lists"),
        pytest.param("[" + "1," * 10_000_000 + "1]", id="numbers"),
        pytest.param('["' + "x" * 10_000_000, id="open text"),
    ],
)
def test_absurd_texts_take_little_memory(text):
    """No more than a few times the text, and no overflow of the stack."""
    assert peak_memory(lambda: strict_json.parse(text)) < 4 * len(text) + 10_000_000


def test_memory_grows_with_the_number_of_values_only():
    """The worst that the bounds let pass is many small lists: 2 million at 300 bytes are 0.6 GB."""
    text = "[" + "[]," * 100_000 + "[]]"
    tracemalloc.start()
    try:
        strict_json.parse(text)
        assert tracemalloc.get_traced_memory()[1] < 300 * 100_000
    finally:
        tracemalloc.stop()
