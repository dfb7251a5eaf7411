"""Thousands of broken files: nothing but `FileError` comes out, and what is read can be checked and written.

MANNEQUIN_FUZZ=20 in the environment tries twenty times as many.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import mutate_bytes

from mannequin.engine import validate
from mannequin.interchange import write_model
from mannequin.interchange.common.findings import Findings
from mannequin.interchange.common.hinges import plain_model
from mannequin.interchange.common.imported import Imported
from mannequin.interchange.hyfydy import read as hyfydy
from mannequin.interchange.hyfydy import write as hyfydy_write
from mannequin.interchange.opensim import read as opensim
from mannequin.io_json import model_json
from mannequin.io_json.errors import FileError

MORE = int(os.environ.get("MANNEQUIN_FUZZ", "1"))
HERE = Path(__file__).resolve().parent
FILES = {"hfd": (HERE / "everything.hfd").read_bytes(), "osim": (HERE / "arm.osim").read_bytes()}
QUICK = {
    "deadline": None,
    "suppress_health_check": [
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
}
WORDS = {
    "hfd": [
        "0",
        "-1",
        "1e308",
        "1e999",
        "nan",
        "ground",
        "trunk",
        "head",
        "x",
        "{",
        "}",
        "[",
        "]",
        "=",
        "#",
        "/*",
        "*/",
    ]
    + [
        "0..0",
        "5..-5",
        "plane",
        "box",
        "sphere",
        '"',
        '"a b"',
        "mass = 0",
        "shape",
        "parent = head",
        "1e-320",
        "é",
        "\\",
    ]
    + [
        "model_options { mirror = 1 scale = 0 }",
        "model_options { scale = 1e30 }",
        "joint",
        "w = 0",
        "limits { }",
    ],
    "osim": [
        "0",
        "-1",
        "1e308",
        "1e999",
        "nan",
        "1 2 3",
        "",
        "ground",
        "/bodyset/trunk",
        "hand",
        "<",
        ">",
        "&amp;",
        "&b;",
    ]
    + [
        "<objects>",
        "</objects>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<axis>0 0 0</axis>",
        "1e-320",
        "true",
        "é",
        "Body",
    ]
    + [
        "<!DOCTYPE a>",
        "<x>1 1</x><y>1 1</y>",
        "PinJoint",
        "FreeJoint",
        "SimmSpline",
        "Version='1'",
        "..",
        "elbow_roll",
    ],
}


def read(kind: str, data: bytes) -> Imported | None:
    """What is read, or None when it is refused with place and remedy."""
    try:
        if kind == "hfd":
            return hyfydy.loads(data.decode("utf-8-sig", errors="surrogateescape"))
        return opensim.loads(data)
    except FileError as error:
        assert error.message and error.remedy
        return None


def check(kind: str, data: bytes, folder: Path) -> None:
    """What is read can be checked, written in our format, and written again where it is sound."""
    imported = read(kind, data)
    if imported is None:
        return
    model, findings = imported.as_model()
    [str(finding) for finding in findings]
    validate(imported.as_scenario()[0])
    again = model_json.loads(model_json.dumps(model))
    for target in ("x.hfd", "x.xml"):
        try:
            write_model(again, folder / target)
        except FileError as error:
            assert error.message and error.remedy


@pytest.mark.long
@settings(max_examples=300 * MORE, **QUICK)
@given(data=st.data(), kind=st.sampled_from(sorted(FILES)))
def test_broken_bytes(data, kind) -> None:
    read(kind, mutate_bytes(data.draw, FILES[kind]))


@pytest.mark.long
@settings(max_examples=300 * MORE, **QUICK)
@given(data=st.data(), kind=st.sampled_from(sorted(FILES)))
def test_words_in_the_wrong_place(data, kind, tmp_path) -> None:
    """Words of the format put where other words are."""
    words = FILES[kind].decode().split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(WORDS[kind]))
    check(kind, " ".join(words).encode(), tmp_path)


@pytest.mark.long
@settings(max_examples=100 * MORE, **QUICK)
@given(data=st.data(), kind=st.sampled_from(sorted(FILES)))
def test_numbers_changed(data, kind, tmp_path) -> None:
    """Files that parse, with numbers and names that mean nothing."""
    text = FILES[kind].decode()
    places = [i for i, character in enumerate(text) if character.isdigit()]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(places))
        text = (
            text[:place] + data.draw(st.sampled_from(["0", "-", "9e9", "1e-9", "1e200"])) + text[place + 1 :]
        )
    check(kind, text.encode(), tmp_path)


@settings(max_examples=100 * MORE, **QUICK)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_noise(content) -> None:
    for kind in FILES:
        assert read(kind, content) is None


@pytest.mark.parametrize("kind", sorted(FILES))
def test_every_truncation(kind) -> None:
    """A file cut off anywhere is refused, never half read."""
    data = FILES[kind].rstrip()
    for length in range(0, len(data) - 1, 97):
        assert read(kind, data[:length]) is None


@pytest.mark.parametrize("kind", sorted(FILES))
def test_the_files_before_they_are_broken(kind, tmp_path) -> None:
    """Without this the fuzzing could pass by never reading anything."""
    assert read(kind, FILES[kind]) is not None
    check(kind, FILES[kind], tmp_path)
    model = plain_model(read(kind, FILES[kind]).actor.model, {}, Findings())
    assert hyfydy_write.dumps(model)[0]
