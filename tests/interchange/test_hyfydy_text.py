"""Text of Hyfydy files: what is read, what is written, and that every error names its line and column."""

import tracemalloc

import pytest

from mannequin.interchange.hyfydy.text import Array, Group, Word, format_group, parse, quoted
from mannequin.interchange.hyfydy.values import (
    Color,
    Flag,
    Interval,
    Intervals,
    Number,
    Rotation,
    Scale,
    Text,
    Vector3,
)
from mannequin.io_json.errors import FileError


def value_of(text: str) -> Word | Array | Group:
    (entry,) = parse(f"key {text}").entries
    return entry.value


def plain(node):
    """Words as text, arrays as lists, groups as lists of pairs."""
    if isinstance(node, Word):
        return node.text
    if isinstance(node, Array):
        return [plain(item) for item in node.items]
    return [(entry.key, plain(entry.value)) for entry in node.entries]


def test_comments_groups_arrays_and_quotes() -> None:
    text = 'a = 1 # one\nb { c = [ 1 2 ] d { } } /* a\n{ b */ "e f" = "g { # \\" h"\npath [ { x = 1 } { x = 2 } ]#end'
    assert plain(parse(text)) == [
        ("a", "1"),
        ("b", [("c", ["1", "2"]), ("d", [])]),
        ("e f", 'g { # " h'),
        ("path", [[("x", "1")], [("x", "2")]]),
    ]


def test_places_are_counted_from_one() -> None:
    entries = parse("a = 1\n\t/* two\nlines */ b\n= {\n c = 2 }").entries
    assert [(entry.place.line, entry.place.column) for entry in entries] == [(1, 1), (3, 10)]
    assert (entries[1].value.entries[0].value.place.line, entries[1].value.entries[0].value.place.column) == (
        5,
        6,
    )


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("model {", "line 1, column 8", "the file ends"),
        ("model {\n  name = a\n", "line 3, column 1", "opened at line 1, column 7"),
        ("a = ]", "line 1, column 5", "unexpected ']'"),
        ("a = 1 }", "line 1, column 7", "unexpected '}'"),
        ("a = [ 1 2 }", "line 1, column 11", "not closed"),
        ("a =", "line 1, column 4", "the file ends here"),
        ("a = 1\nb c = 2", "line 2, column 1", "'b' has no value"),
        ('a = "b\n"', "line 1, column 5", "quoted text"),
        ("a = 1 /* b", "line 1, column 7", "comment"),
        ("a\xa0 = 1", "line 1, column 2", "unexpected character"),
        ("a = b\x01", "line 1, column 5", "not UTF-8"),
        ("a = \udcff", "line 1, column 5", "not UTF-8"),
        ("a " + "{ a " * 60, "line 1, column 163", "nested deeper"),
    ],
)
def test_errors_name_line_and_column(text: str, place: str, message: str) -> None:
    with pytest.raises(FileError) as caught:
        parse(text)
    assert caught.value.place == place
    assert message in caught.value.message
    assert caught.value.remedy


def test_a_comment_may_be_in_any_encoding() -> None:
    assert plain(parse("a = 1 # \udcff\udcfe\n/* \udcff */ b = 2")) == [("a", "1"), ("b", "2")]


@pytest.mark.parametrize(
    "text", ["", "a b", "{", "a=b", 'say "hi"', "back\\slash", "a#b", "/*", "plain", "-10..10", "é"]
)
def test_any_word_is_read_as_it_was_written(text: str) -> None:
    assert plain(parse(f"name = {quoted(text)}")) == [("name", text)]


def test_trees_are_read_as_they_were_written() -> None:
    tree = parse("a { b = 1 c = [ 1 2 3 ] d { x = 1 y = 2 } path [ { x = [ 1 2 ] } { } ] e { f { g = 1 } } }")
    assert plain(parse(format_group(tree))) == plain(tree)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Text(), "= name", "name"),
        (Number(), "= -1.5e-3", -0.0015),
        (Number(), "= 1e+06", 1e6),
        (Number(infinite=True), "= +infinity", float("inf")),
        (Flag(), "= 1", True),
        (Vector3(), "= [ 0 1 0 ]", (0.0, 1.0, 0.0)),
        (Vector3(), "{ y = -9.81 }", (0.0, -9.81, 0.0)),
        (Scale(), "= 0.001", (0.001, 0.001, 0.001)),
        (Scale(), "= [ 1 2 3 ]", (1.0, 2.0, 3.0)),
        (Color(), "= [ 0.8 0.8 0.8 ]", (0.8, 0.8, 0.8)),
        (Interval(), "= -90..90", (-90.0, 90.0)),
        (Interval(), "= -1.5e1..2.", (-15.0, 2.0)),
        (Intervals(), "{ z = -45..90 }", ((0.0, 0.0), (0.0, 0.0), (-45.0, 90.0))),
        (Rotation(), "{ w = 2 }", (1.0, 0.0, 0.0, 0.0)),
    ],
)
def test_values_are_read_and_written(kind, text: str, value) -> None:
    assert kind.read(value_of(text)) == value
    assert kind.read(kind.write(value)) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Text(), "{ }"),
        (Number(), "= 1_0"),
        (Number(), "= nan"),
        (Number(), "= inf"),
        (Number(), "= 1e999"),
        (Number(lowest=0.0), "= -1"),
        (Flag(), "= 2"),
        (Vector3(), "= [ 1 2 ]"),
        (Vector3(), "{ w = 1 }"),
        (Vector3(), "{ x = 1 x = 2 }"),
        (Color(), "= [ 1 1 ]"),
        (Interval(), "= 3"),
        (Interval(), "= 1..0"),
        (Interval(), "= 1...2"),
        (Intervals(), "= [ 0..1 0..1 ]"),
        (Rotation(), "{ w = 0 x = 0 y = 0 z = 0 }"),
        (Rotation(), "= 90"),
    ],
)
def test_bad_values_name_their_place(kind, text: str) -> None:
    with pytest.raises(FileError) as caught:
        kind.read(value_of(text))
    assert caught.value.place.startswith("line 1, column ")
    assert caught.value.remedy


@pytest.mark.parametrize(
    "long", ["a" * 200_000, "a/" * 200_000, '"' + "a" * 200_000 + '"', '"' + "\\a" * 200_000]
)
def test_a_word_of_any_length_is_refused_without_much_memory(long):
    tracemalloc.start()
    with pytest.raises(FileError, match="line 1"):
        parse(long)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * len(long)
