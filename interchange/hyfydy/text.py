"""The text of a Hyfydy file (.hfd) as a tree, and a tree as text.

Grammar of the manual, section 2.1: `key = value`, `key { ... }`, `key [ ... ]`, comments `# ...` and `/* ... */`, words
without quotes unless they hold white space or one of { } [ ] = or a backslash. Every node knows its line and column,
so that every error can name them.

Of the text format that Hyfydy shares with other programs (zml), which the manual does not describe: comments `// ...`,
and macros. `$name = value` (a word, group or array) defines one up to the end of the group it stands in; `$name` as a
value stands for it, and `${name}` inside a word for its text. A word in quotes that begins with $ is just that word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...io_json.errors import FileError

MAX_DEPTH = 40
MAX_TOKENS = 2_000_000
LONGEST_WORD = 100_000
WORDS = ("word", "quoted")
"""Kinds of tokens that are words."""

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n\f\v]+|\#[^\n]*|//[^\n]*)
      | (?P<comment>/\*)
      | (?P<mark>[{}\[\]=])
      | "(?P<quoted>(?:[^"\\\n]++|\\.)*+)"
      | (?P<word>(?:[^\s{}\[\]="\#/$]++|/(?!\*)|\$\{[^\s{}\[\]="]*\}|\$)++)""",
    re.VERBOSE,
)
_PLAIN_WORD = re.compile(r"(?!//|\$)(?:(?!/\*)[^\s{}\[\]=\"\#\\])+")
_INLINE = re.compile(r"\$\{([^{}]*)\}")
_ESCAPE = re.compile(r'\\(["\\])')


@dataclass(frozen=True)
class Place:
    """Where something stands in the file, counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@dataclass
class Word:
    """A number, a name, a range."""

    text: str
    place: Place = Place(0, 0)


@dataclass
class Array:
    """[ ... ]"""

    items: list[Word | Array | Group]
    place: Place = Place(0, 0)


@dataclass
class Entry:
    """One key with its value."""

    key: str
    value: Word | Array | Group
    place: Place = Place(0, 0)


@dataclass
class Group:
    """{ ... }, or the whole file."""

    entries: list[Entry] = field(default_factory=list)
    place: Place = Place(0, 0)


@dataclass(frozen=True)
class _Token:
    kind: str
    """"mark", "word", "quoted" (a word in quotes) or "end"."""
    text: str
    place: Place


def syntax_error(message: str, place: Place, remedy: str) -> FileError:
    """An error that names line and column."""
    return FileError(message, place=str(place), remedy=remedy)


def parse(text: str) -> Group:
    """The tree of a file. Raises `FileError` with line and column."""
    return _Parser(text).file()


def _tokens(text: str) -> Iterator[_Token]:
    at, line, line_start, count = 0, 1, 0, 0
    while at < len(text):
        place = Place(line, at - line_start + 1)
        found = _TOKEN.match(text, at)
        end = _comment_end(text, at, place) if found and found["comment"] else found and found.end()
        if not end:
            raise _bad_character(text[at], place)
        if end - at > LONGEST_WORD and not (found["space"] or found["comment"]):
            raise syntax_error(f"a word of more than {LONGEST_WORD:,} characters", place, "Correct the file")
        if found["mark"]:
            yield _Token("mark", found["mark"], place)
        elif found["quoted"] is not None:
            yield _Token("quoted", _ESCAPE.sub(r"\1", _decoded(found["quoted"], place)), place)
        elif found["word"]:
            yield _Token("word", _decoded(found["word"], place), place)
        newlines = text.count("\n", at, end)
        if newlines:
            line, line_start = line + newlines, text.rfind("\n", at, end) + 1
        at, count = end, count + 1
        if count > MAX_TOKENS:
            raise syntax_error(f"more than {MAX_TOKENS:,} words", place, "Split the model")
    yield _Token("end", "", Place(line, at - line_start + 1))


def _comment_end(text: str, at: int, place: Place) -> int:
    end = text.find("*/", at + 2)
    if end < 0:
        raise syntax_error("the comment that begins here does not end", place, "Close it with */")
    return end + 2


def _bad_character(character: str, place: Place) -> FileError:
    if character == '"':
        return syntax_error(
            "the quoted text that begins here does not end on its line", place, 'Close it with "'
        )
    return syntax_error(f"unexpected character {character!r}", place, "Delete it")


def _decoded(word: str, place: Place) -> str:
    """The word, when it is text: comments may hold bytes of any encoding, names may not."""
    if any("\ud800" <= character <= "\udfff" or ord(character) < 32 for character in word):
        raise syntax_error("this word is not UTF-8 text", place, "Save the file as UTF-8")
    return word


class _Parser:
    """Recursive descent, one token ahead."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._next = next(self._tokens)
        self._macros: list[dict[str, Word | Array | Group]] = []
        """Macros by name, of the file and of every group that is open."""
        self._expanded = 0

    def file(self) -> Group:
        group = self._entries(Place(1, 1), depth=0)
        if self._next.kind != "end":
            raise syntax_error(
                f"unexpected '{self._next.text}'", self._next.place, "Delete it, or open the group it closes"
            )
        return group

    def _take(self) -> _Token:
        token = self._next
        if token.kind != "end":
            self._next = next(self._tokens)
        return token

    def _is(self, mark: str) -> bool:
        return self._next.kind == "mark" and self._next.text == mark

    def _entries(self, place: Place, depth: int) -> Group:
        group = Group(place=place)
        self._macros.append({})
        while self._next.kind in WORDS:
            key = self._take()
            if self._is("="):
                self._take()
            elif not (self._is("{") or self._is("[")):
                raise syntax_error(
                    f"'{_short(key.text)}' has no value",
                    key.place,
                    "Write key = value, key { ... } or key [ ... ]",
                )
            value = self._value(depth)
            if key.kind == "word" and key.text.startswith("$"):
                self._macros[-1][key.text[1:]] = value
            else:
                group.entries.append(Entry(key.text, value, key.place))
        self._macros.pop()
        return group

    def _macro(self, name: str, place: Place) -> Word | Array | Group:
        found = next((scope[name] for scope in reversed(self._macros) if name in scope), None)
        if found is None:
            raise syntax_error(
                f"the macro '${_short(name)}' is not defined here",
                place,
                f"Write ${_short(name)} = ... before it",
            )
        return found

    def _word(self, token: _Token) -> Word | Array | Group:
        """The word, or what the macro in it stands for."""
        if token.kind == "word" and token.text.startswith("$") and not token.text.startswith("${"):
            return self._copy(self._macro(token.text[1:], token.place), token.place)
        known = {name for scope in self._macros for name in scope}

        def text_of(found: re.Match) -> str:
            if token.kind == "quoted" and found[1] not in known:
                return found[0]
            value = self._macro(found[1], token.place)
            if not isinstance(value, Word):
                raise syntax_error(
                    f"the macro '${_short(found[1])}' is no word", token.place, "Use it as a value of its own"
                )
            return value.text

        return Word(_INLINE.sub(text_of, token.text), token.place)

    def _copy(self, node: Word | Array | Group, place: Place) -> Word | Array | Group:
        """A copy of what a macro stands for, at the place of its use."""
        self._expanded += 1
        if self._expanded > MAX_TOKENS:
            raise syntax_error(f"macros make more than {MAX_TOKENS:,} words", place, "Use fewer of them")
        if isinstance(node, Word):
            return Word(node.text, place)
        if isinstance(node, Array):
            return Array([self._copy(item, place) for item in node.items], place)
        return Group([Entry(e.key, self._copy(e.value, place), place) for e in node.entries], place)

    def _value(self, depth: int) -> Word | Array | Group:
        token = self._take()
        if depth >= MAX_DEPTH:
            raise syntax_error(f"nested deeper than {MAX_DEPTH} levels", token.place, "Check the brackets")
        if token.kind in WORDS:
            return self._word(token)
        if token.text == "{":
            group = self._entries(token.place, depth + 1)
            self._close("}", token.place)
            return group
        if token.text == "[":
            return self._array(token.place, depth + 1)
        found = "the file ends here" if token.kind == "end" else f"unexpected '{token.text}'"
        raise syntax_error(f"{found}, where a value should be", token.place, "Write a value")

    def _array(self, place: Place, depth: int) -> Array:
        array = Array([], place)
        while self._next.kind in WORDS or self._is("{") or self._is("["):
            array.items.append(self._value(depth))
        self._close("]", place)
        return array

    def _close(self, mark: str, opened: Place) -> None:
        token = self._take()
        if token.kind != "mark" or token.text != mark:
            found = "the file ends" if token.kind == "end" else f"unexpected '{_short(token.text)}'"
            message = f"{found}, and the bracket opened at {opened} is not closed"
            raise syntax_error(message, token.place, f"Close it with {mark}")


def _short(text: str, length: int = 40) -> str:
    return text if len(text) <= length else text[:length] + "..."


# ---------------------------------------------------------------- writing


def format_group(group: Group, depth: int = 0) -> str:
    """The entries of a group as text, one per line, nested groups indented by tabs."""
    return "".join(_format_entry(entry, depth) for entry in group.entries)


def _format_entry(entry: Entry, depth: int) -> str:
    indent = "\t" * depth
    value = entry.value
    if isinstance(value, Word):
        return f"{indent}{entry.key} = {quoted(value.text)}\n"
    if _is_flat(value):
        equals = " =" if isinstance(value, Array) else ""
        return f"{indent}{entry.key}{equals} {_on_one_line(value)}\n"
    if isinstance(value, Array):
        items = "".join(f"{indent}\t{_on_one_line(item)}\n" for item in value.items)
        return f"{indent}{entry.key} [\n{items}{indent}]\n"
    return f"{indent}{entry.key} {{\n{format_group(value, depth + 1)}{indent}}}\n"


def _is_flat(value: Array | Group) -> bool:
    if isinstance(value, Array):
        return all(isinstance(item, Word) for item in value.items)
    short = len(value.entries) <= 4 and all(len(entry.key) == 1 for entry in value.entries)
    return short and all(isinstance(entry.value, Word) for entry in value.entries)


def _on_one_line(value: Word | Array | Group) -> str:
    if isinstance(value, Word):
        return quoted(value.text)
    if isinstance(value, Array):
        return " ".join(["[", *map(_on_one_line, value.items), "]"])
    parts = []
    for entry in value.entries:
        equals = "" if isinstance(entry.value, Group) else "= "
        parts.append(f"{entry.key} {equals}{_on_one_line(entry.value)}")
    return " ".join(["{", *parts, "}"])


def quoted(text: str) -> str:
    """A word as it stands in a file: in quotes when it is empty or holds a special character."""
    if _PLAIN_WORD.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
