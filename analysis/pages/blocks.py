"""The content of a report as blocks, from which the page for a browser and the paged document are both made."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from . import html_page as page


@dataclass(frozen=True)
class Paragraph:
    """Running text; `style` "faint" or "note" is small print."""

    text: str
    style: str = ""


@dataclass(frozen=True)
class Heading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True)
class Box:
    """Framed text that must not be overlooked."""

    lines: tuple[str, ...]
    is_alarm: bool = False


@dataclass(frozen=True)
class Bullets:
    """A list of texts."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table of texts: columns by number that are flush right, not broken, broken anywhere; marked rows."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()
    labels: tuple[int, ...] = ()
    digests: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()


@dataclass(frozen=True)
class Picture:
    """A PNG with its caption; `width` is the share of the page's width."""

    png: bytes
    caption: str
    width: float = 1.0


@dataclass(frozen=True)
class Definition:
    """A term and its explanation, in small print."""

    term: str
    text: str


@dataclass(frozen=True)
class Examiner:
    """The examiner's own text in a marked place; empty: the place is left for it."""

    place: str
    text: str = ""


Block = Paragraph | Heading | Box | Bullets | Table | Picture | Definition | Examiner


@dataclass(frozen=True)
class Section:
    """One section; `is_appendix` where it stands behind the report proper."""

    name: str
    title: str
    blocks: tuple[Block, ...]
    is_appendix: bool = False


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: str
    subtitle: str
    footer: str
    opening: tuple[Block, ...]
    facts: str = ""
    """How it was made, as JSON, so that it can be made again"""
    sections: tuple[Section, ...] = field(default=())

    def numbered(self) -> Iterator[tuple[str, Section]]:
        """Sections with their numbers: 1, 2, 3, then A, B, C."""
        count, letter = 0, 0
        for section in self.sections:
            if section.is_appendix:
                yield chr(ord("A") + letter), section
                letter += 1
            else:
                count += 1
                yield str(count), section


def rows_of(rows: Sequence[Sequence[object]]) -> tuple[tuple[str, ...], ...]:
    """Rows of a table from anything that prints."""
    return tuple(tuple(str(cell) for cell in row) for row in rows)


def to_html(document: Document) -> str:
    """The page for a browser, with numbered figures."""
    figures = iter(range(1, 10_000))
    opening = f"<h1>{page.text(document.title)}</h1>" + page.paragraph(document.subtitle, "faint")
    opening += "".join(_html(block, figures) for block in document.opening)
    sections = [
        (
            section.name,
            f"{number}  {section.title}",
            "".join(_html(block, figures) for block in section.blocks),
        )
        for number, section in document.numbered()
    ]
    return page.page(document.title, opening, sections, document.facts)


def _html(block: Block, figures: Iterator[int]) -> str:
    match block:
        case Paragraph(text, style):
            return page.paragraph(text, style)
        case Heading(text):
            return page.heading(text)
        case Box(lines, is_alarm):
            return page.box(lines, is_alarm)
        case Bullets(items):
            return page.bullets(items)
        case Definition(term, text):
            return page.definition(term, text)
        case Picture(png, caption, width):
            return page.picture(png, f"Figure {next(figures)}. {caption}", width)
        case Examiner(place, text):
            return page.examiner(place, text)
        case Table():
            classes = ["assumed" if row in block.marked else "" for row in range(len(block.rows))]
            return page.table(
                block.header,
                block.rows,
                numbers=block.numbers,
                labels=block.labels,
                digests=block.digests,
                row_classes=classes,
            )
