"""The report as a paged document (PDF, A4): contents, numbered figures and pages, from the same blocks as the page.

Blocks are laid out in points into lists of strokes for each page; when all is placed, the page numbers of the contents
are known, and Matplotlib's PDF writer draws every page. The same document gives the same bytes.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_pdf import FigureCanvasPdf, PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patches import Rectangle
from PIL import Image

from .blocks import Block, Box, Bullets, Definition, Document, Examiner, Heading, Paragraph, Picture, Table

WIDTH, HEIGHT = 595.0, 842.0
"""Points of a sheet of A4"""
LEFT, RIGHT, TOP, BOTTOM = 56.0, 539.0, 786.0, 60.0
INK, FAINT, LINE, ALARM, BAND, MARK = "#1b1f24", "#5d6670", "#c8ced5", "#8a1c1c", "#f4f6f8", "#fdf3e1"
SIZE, SMALL, LEADING = 9.5, 7.6, 1.38
LARGEST_FIGURE = 330.0
"""Points of height"""
LONGEST_WORD = 0.3
"""Share of a table's width that one word may claim"""

Stroke = Callable[[Figure], None]


@dataclass
class Sheet:
    """One page while it is laid out."""

    strokes: list[Stroke] = field(default_factory=list)


@cache
def _face(is_bold: bool) -> object:
    return get_font(findfont(FontProperties(family="DejaVu Sans", weight="bold" if is_bold else "normal")))


@cache
def _advance(character: str, is_bold: bool) -> float:
    """Width of a character as a share of the size."""
    face = _face(is_bold)
    face.set_size(1000.0, 72.0)
    return face.load_char(ord(character)).linearHoriAdvance / 65536.0 / 1000.0


def text_width(text: str, size: float, is_bold: bool = False) -> float:
    """Width of a text in points."""
    return size * sum(_advance(character, is_bold) for character in text)


def wrapped(text: str, room: float, size: float, is_bold: bool = False) -> list[str]:
    """Lines of a text that fit a room (points); a word that is too long is cut."""
    lines: list[str] = []
    current = ""
    for word in text.split():
        while text_width(word, size, is_bold) > room and len(word) > 1:
            cut = len(word)
            while cut > 1 and text_width(word[:cut], size, is_bold) > room:
                cut -= 1
            if current:
                lines.append(current)
                current = ""
            lines.append(word[:cut])
            word = word[cut:]
        wider = f"{current} {word}".strip()
        if text_width(wider, size, is_bold) <= room:
            current = wider
        else:
            lines.append(current)
            current = word
    return [*lines, current] if current or not lines else lines


class Pager:
    """Lays blocks out, page after page."""

    def __init__(self) -> None:
        self.sheets: list[Sheet] = []
        self.figures = 0
        self.y = 0.0
        self.new_sheet()

    def new_sheet(self) -> None:
        """Begin a page."""
        self.sheets.append(Sheet())
        self.y = TOP

    def need(self, height: float) -> None:
        """Begin a page where this much does not fit any more."""
        if self.y - height < BOTTOM and self.y < TOP:
            self.new_sheet()

    def write(
        self,
        text: str,
        x: float,
        y: float,
        size: float = SIZE,
        color: str = INK,
        is_bold: bool = False,
        sheet: int = -1,
    ) -> None:
        """A line of text on a page (the current one), its baseline at y."""
        weight = "bold" if is_bold else "normal"
        escaped = text.replace("$", r"\$")

        def stroke(figure: Figure) -> None:
            figure.text(
                x / WIDTH, y / HEIGHT, escaped, fontsize=size, color=color, weight=weight, va="baseline"
            )

        self.sheets[sheet].strokes.append(stroke)

    def fill(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """A filled rectangle by its lower left corner."""

        def stroke(figure: Figure) -> None:
            place = (x / WIDTH, y / HEIGHT)
            figure.add_artist(
                Rectangle(place, width / WIDTH, height / HEIGHT, facecolor=color, linewidth=0, zorder=-1)
            )

        self.sheets[-1].strokes.append(stroke)

    def lines(
        self, text: str, *, size: float = SIZE, color: str = INK, is_bold: bool = False, indent: float = 0.0
    ) -> None:
        """Running text at the cursor, broken into lines and pages."""
        step = size * LEADING
        for line in wrapped(text, RIGHT - LEFT - indent, size, is_bold):
            self.need(step)
            self.y -= step
            self.write(line, LEFT + indent, self.y, size, color, is_bold)

    def place(self, block: Block) -> None:
        """One block at the cursor."""
        match block:
            case Paragraph(text, style):
                self.lines(text, size=SMALL if style else SIZE, color=FAINT if style else INK)
                self.y -= 3.0 if style else 6.0
            case Heading(text):
                self.need(60.0)
                self.y -= 6.0
                self.lines(text, size=10.5, is_bold=True)
                self.y -= 2.0
            case Definition(term, text):
                self.lines(f"{term}: {text}", size=SMALL, color=FAINT)
                self.y -= 2.0
            case Bullets(items):
                for item in items:
                    self.need(SIZE * LEADING)
                    self.write("•", LEFT + 4.0, self.y - SIZE * LEADING)
                    self.lines(item, indent=16.0)
                    self.y -= 2.0
                self.y -= 4.0
            case Box(texts, is_alarm):
                self._framed(list(texts), ALARM if is_alarm else "#34526f", BAND)
            case Examiner(place, text):
                label = f"{place}, in the words of the examiner".upper()
                self._framed(
                    [label, *([part for part in text.split("\n\n") if part.strip()] or ["(not written)"])],
                    FAINT,
                    "#ffffff",
                )
            case Picture():
                self._picture(block)
            case Table():
                self._table(block)

    def _framed(self, texts: list[str], edge: str, ground: str) -> None:
        step = SIZE * LEADING
        rows = [wrapped(text, RIGHT - LEFT - 24.0, SIZE) for text in texts]
        height = sum(len(lines) * step + 3.0 for lines in rows) + 10.0
        self.need(min(height, TOP - BOTTOM))
        self.fill(LEFT, self.y - height, RIGHT - LEFT, height, ground)
        self.fill(LEFT, self.y - height, 3.5, height, edge)
        self.y -= 4.0
        for lines in rows:
            for line in lines:
                self.y -= step
                self.write(line, LEFT + 14.0, self.y)
            self.y -= 3.0
        self.y -= 10.0

    def _picture(self, block: Picture) -> None:
        self.figures += 1
        pixels = np.asarray(Image.open(io.BytesIO(block.png)).convert("RGB"))
        width, height = _picture_size(block)
        caption = wrapped(f"Figure {self.figures}. {block.caption}", RIGHT - LEFT, SMALL)
        self.need(height + len(caption) * SMALL * LEADING + 12.0)
        y = self.y - height - 2.0

        def stroke(figure: Figure) -> None:
            axes = figure.add_axes((LEFT / WIDTH, y / HEIGHT, width / WIDTH, height / HEIGHT))
            axes.imshow(pixels, aspect="auto", interpolation="none")
            axes.set_axis_off()

        self.sheets[-1].strokes.append(stroke)
        self.y = y
        for line in caption:
            self.y -= SMALL * LEADING
            self.write(line, LEFT, self.y, SMALL, FAINT)
        self.y -= 10.0

    def _table(self, block: Table) -> None:
        if not block.rows:
            return
        size, gap = SMALL, 7.0
        widths = _column_widths(block, size, RIGHT - LEFT - gap * (len(block.header) - 1))
        starts = [LEFT + sum(widths[:k]) + gap * k for k in range(len(widths))]
        step = size * LEADING

        def row(cells: tuple[str, ...], is_header: bool, is_marked: bool) -> None:
            broken = [
                wrapped(cell, width, size, is_header) for cell, width in zip(cells, widths, strict=True)
            ]
            height = step * max(map(len, broken)) + 3.0
            if self.y - height < BOTTOM and self.y < TOP:
                self.new_sheet()
                if not is_header:
                    row(block.header, True, False)
            if is_marked:
                self.fill(LEFT - 2.0, self.y - height, RIGHT - LEFT + 4.0, height, MARK)
            for k, lines in enumerate(broken):
                for number, line in enumerate(lines, start=1):
                    right = widths[k] - text_width(line, size, is_header) if k in block.numbers else 0.0
                    self.write(line, starts[k] + right, self.y - number * step, size, INK, is_header)
            self.y -= height
            self.fill(LEFT, self.y, RIGHT - LEFT, 0.9 if is_header else 0.4, INK if is_header else LINE)

        self.need(4.0 * step)
        row(block.header, True, False)
        for number, cells in enumerate(block.rows):
            row(cells, False, number in block.marked)
        self.y -= 8.0


def _column_widths(block: Table, size: float, room: float) -> list[float]:
    """Columns as wide as they need to be; where there is not enough room, in proportion to the root of what they need,
    but no narrower than their longest word."""
    wanted, least = [], []
    for k, name in enumerate(block.header):
        cells = [row[k] for row in block.rows[:200]]
        wanted.append(max([text_width(name, size, True), *(text_width(cell, size) for cell in cells)]) + 1.0)
        words = [text_width(word, size) for cell in cells for word in cell.split()]
        words += [text_width(word, size, True) for word in name.split()]
        least.append(min(max(words, default=0.0) + 1.0, LONGEST_WORD * room))
    widths = list(wanted)
    open_columns = set(range(len(wanted))) if sum(wanted) > room else set()
    while open_columns:
        left = room - sum(widths[k] for k in range(len(wanted)) if k not in open_columns)
        weight = sum(wanted[k] ** 0.5 for k in open_columns)
        shares = {k: max(left, 0.0) * wanted[k] ** 0.5 / weight for k in open_columns}
        settled = {k for k in open_columns if wanted[k] <= shares[k] or least[k] >= shares[k]}
        for k in open_columns:
            widths[k] = min(wanted[k], max(shares[k], least[k]))
        if not settled:
            break
        open_columns -= settled
    spare = room / sum(widths)
    return [width * spare for width in widths] if spare < 1.0 else widths


def to_pdf(document: Document) -> bytes:
    """The paged document."""
    pager = Pager()
    pager.y -= 26.0
    pager.lines(document.title, size=19.0, is_bold=True)
    pager.y -= 4.0
    pager.lines(document.subtitle, size=SMALL, color=FAINT)
    pager.y -= 8.0
    for block in document.opening:
        pager.place(block)
    entries = list(document.numbered())
    pager.need(30.0 + 15.0 * len(entries))
    pager.y -= 10.0
    pager.lines("Contents", size=12.0, is_bold=True)
    contents = (len(pager.sheets) - 1, pager.y - 4.0)
    pager.y -= 15.0 * len(entries) + 10.0
    starts = []
    for number, section in entries:
        if number == "1" or (number == "A" and pager.y < TOP):
            pager.new_sheet()
        pager.need(max(110.0, 40.0 + _height_with_picture(section.blocks[:1])))
        pager.y -= 14.0 if pager.y < TOP else 0.0
        starts.append(len(pager.sheets))
        pager.lines(f"{number}  {section.title}", size=13.0, is_bold=True)
        pager.y -= 6.0
        pager.fill(LEFT, pager.y, RIGHT - LEFT, 1.2, INK)
        pager.y -= 4.0
        for number, block in enumerate(section.blocks):
            if isinstance(block, Heading):
                pager.need(_height_with_picture(section.blocks[number + 1 : number + 3]))
            pager.place(block)
    _write_contents(pager, contents, [(number, section.title) for number, section in entries], starts)
    return _rendered(pager.sheets, document)


def _height_with_picture(following: Sequence[Block]) -> float:
    """Points that a heading needs, with a picture that comes right after it or after one paragraph."""
    if not any(isinstance(block, Picture) for block in following):
        return 60.0
    height = 24.0
    for block in following:
        if isinstance(block, Picture):
            return height + _picture_size(block)[1] + 2.0 * SMALL * LEADING + 12.0
        if isinstance(block, Paragraph):
            height += len(wrapped(block.text, RIGHT - LEFT, SIZE)) * SIZE * LEADING + 6.0
    return height


def _picture_size(block: Picture) -> tuple[float, float]:
    """Width and height of a picture on the page, points."""
    with Image.open(io.BytesIO(block.png)) as image:
        width = block.width * (RIGHT - LEFT)
        height = width * image.height / image.width
    return (width * LARGEST_FIGURE / height, LARGEST_FIGURE) if height > LARGEST_FIGURE else (width, height)


def _write_contents(
    pager: Pager, place: tuple[int, float], entries: list[tuple[str, str]], starts: list[int]
) -> None:
    """Numbers, titles and pages of the sections, where room was left for them."""
    sheet, y = place
    for (number, title), start in zip(entries, starts, strict=True):
        y -= 15.0
        text = str(start)
        for words, x in ((number, LEFT), (title, LEFT + 22.0), (text, RIGHT - text_width(text, SIZE))):
            pager.write(words, x, y, sheet=sheet)


def _footers(document: Document, pages: int) -> Iterator[tuple[str, str]]:
    for page in range(1, pages + 1):
        yield document.footer, f"page {page} of {pages}"


def _rendered(sheets: list[Sheet], document: Document) -> bytes:
    """Bytes of the PDF."""
    buffer = io.BytesIO()
    facts = {"Title": document.title, "Creator": None, "Producer": None, "CreationDate": None}
    with (
        rc_context({"pdf.fonttype": 42, "font.family": "DejaVu Sans"}),
        PdfPages(buffer, metadata=facts) as pages,
    ):
        for sheet, (left, right) in zip(sheets, _footers(document, len(sheets)), strict=True):
            figure = Figure(figsize=(WIDTH / 72.0, HEIGHT / 72.0))
            FigureCanvasPdf(figure)
            for stroke in sheet.strokes:
                stroke(figure)
            y = 34.0 / HEIGHT
            figure.text(LEFT / WIDTH, y, left.replace("$", r"\$"), fontsize=6.8, color=FAINT)
            figure.text(RIGHT / WIDTH, y, right, fontsize=6.8, color=FAINT, ha="right")
            pages.savefig(figure)
    return buffer.getvalue()
