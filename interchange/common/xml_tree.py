"""XML text as a tree whose nodes know their line and column; nothing that could grow or reach out is let in.

Python's own expat does the parsing. A document type declaration is refused (no format here needs one, and entities are
how a small file becomes a big one), as is absurd depth or size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ...io_json.errors import FileError
from .bounds import is_sane

MAX_DEPTH = 100
MAX_ELEMENTS = 1_000_000


@dataclass
class Node:
    """An element with its attributes, text and children."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    text: str = ""
    """All text directly inside it, joined."""
    line: int = 0
    column: int = 0

    @property
    def place(self) -> str:
        """Where it begins."""
        return f"line {self.line}, column {self.column}"

    @property
    def name(self) -> str:
        """Its attribute `name`, or ""."""
        return self.attributes.get("name", "")

    def child(self, tag: str) -> Node | None:
        """The first child of a tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in the order of the file."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def error(self, message: str, remedy: str) -> FileError:
        """An error at this place."""
        return FileError(message, place=self.place, remedy=remedy)


def parse_xml(data: bytes) -> Node:
    """The root element. Raises `FileError` with line and column."""
    return _Builder().parse(data)


class _Builder:
    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._open: list[Node] = []
        self._root: Node | None = None
        self._count = 0

    def parse(self, data: bytes) -> Node:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            place = f"line {error.lineno}, column {error.offset + 1}"
            what = expat.errors.messages[error.code]
            raise FileError(
                f"is not valid XML: {what}", place=place, remedy="Correct the XML at this place"
            ) from error
        except (ValueError, LookupError) as error:  # an encoding that expat or Python does not know
            raise FileError(f"is not valid XML ({error})", remedy="Save the file as UTF-8") from error
        return self._root

    def _here(self) -> tuple[int, int]:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line, column = self._here()
        node = Node(tag, attributes, line=line, column=column)
        self._count += 1
        if len(self._open) >= MAX_DEPTH or self._count > MAX_ELEMENTS:
            what = (
                f"nested deeper than {MAX_DEPTH} levels"
                if len(self._open) >= MAX_DEPTH
                else "too many elements"
            )
            raise node.error(what, "No file of this kind needs this: check it")
        if self._open:
            self._open[-1].children.append(node)
        else:
            self._root = node
        self._open.append(node)

    def _end(self, tag: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        if self._open:
            self._open[-1].text += text

    def _refuse_doctype(self, *_: object) -> None:
        line, column = self._here()
        message = "holds a document type declaration, which is not allowed"
        raise FileError(message, place=f"line {line}, column {column}", remedy="Delete <!DOCTYPE ...>")


# ---------------------------------------------------------------- values


def words(node: Node) -> list[str]:
    """The words of a node's text."""
    return node.text.split()


def numbers(node: Node, count: int | None = None) -> list[float]:
    """Numbers up to 1e15 in a node's text, as many as asked for. Raises `FileError`."""
    try:
        values = [float(word) for word in words(node)]
    except ValueError:
        values = [math.nan]
    bad = not all(map(is_sane, values)) or "_" in node.text
    if bad or (count is not None and len(values) != count):
        wanted = "numbers" if count is None else "a number" if count == 1 else f"{count} numbers"
        shown = node.text.strip()[:40]
        raise node.error(f"<{node.tag}> holds '{shown}', not {wanted}", f"Write {wanted}")
    return [value + 0.0 for value in values]


def is_true(node: Node | None, default: bool) -> bool:
    """A truth value; `default` where there is none."""
    if node is None or not node.text.strip():
        return default
    return node.text.strip().lower() in ("true", "1")
