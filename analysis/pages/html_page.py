"""A self-contained HTML page: elements from plain text (escaped here, once), pictures inside the file, no network."""

import base64
import html
from collections.abc import Iterable, Sequence
from pathlib import Path

CSS = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def text(value: object) -> str:
    """The content with special characters of HTML escaped."""
    return html.escape(str(value), quote=True)


def paragraph(content: object, css_class: str = "") -> str:
    """A paragraph of text."""
    return f"<p{_class(css_class)}>{text(content)}</p>"


def definition(term: object, *sentences: object) -> str:
    """A term and its explanation, in small print."""
    explanation = " ".join(text(sentence) for sentence in sentences)
    return f'<p class="note"><b>{text(term)}</b>: {explanation}</p>'


def heading(content: object) -> str:
    """A heading inside a section."""
    return f"<h3>{text(content)}</h3>"


def bullets(items: Iterable[object]) -> str:
    """A list of texts."""
    return "<ul>" + "".join(f"<li>{text(item)}</li>" for item in items) + "</ul>"


def box(paragraphs: Iterable[object], alarm: bool = False) -> str:
    """Framed text that must not be overlooked."""
    inner = "".join(paragraph(content) for content in paragraphs)
    return f'<div class="box{" alarm" if alarm else ""}">{inner}</div>'


def table(
    header: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    numbers: Sequence[int] = (),
    labels: Sequence[int] = (),
    digests: Sequence[int] = (),
    row_classes: Sequence[str] = (),
) -> str:
    """A table of texts; `numbers` are columns set flush right, `labels` columns not to be broken into lines,
    `digests` columns to be broken anywhere, `row_classes` a CSS class for each row."""
    chosen = {"number": numbers, "label": labels, "digest": digests}
    kinds = {column: kind for kind, columns in chosen.items() for column in columns}
    head = "".join(f"<th{_class(kinds.get(i, ''))}>{text(cell)}</th>" for i, cell in enumerate(header))
    lines = []
    for index, row in enumerate(rows):
        cells = "".join(f"<td{_class(kinds.get(i, ''))}>{text(cell)}</td>" for i, cell in enumerate(row))
        lines.append(f"<tr{_class(row_classes[index] if row_classes else '')}>{cells}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def examiner(place: str, content: str) -> str:
    """A place for the examiner's own words, marked as such; empty where nothing was written."""
    label = f'<p class="place">{text(place)}, in the words of the examiner</p>'
    inner = "".join(paragraph(part) for part in content.split("\n\n") if part.strip())
    return f'<div class="examiner">{label}{inner or paragraph("(not written)", "faint")}</div>'


def picture(png: bytes, caption: str, width: float = 1.0) -> str:
    """A PNG inside the page, with its caption, which is also the text for screen readers; `width` is its share of the
    page's."""
    data = base64.b64encode(png).decode("ascii")
    narrow = f' style="max-width: {100.0 * width:.0f}%"' if width < 1.0 else ""
    return (
        f'<figure{narrow}><img alt="{text(caption)}" src="data:image/png;base64,{data}">'
        f"<figcaption>{text(caption)}</figcaption></figure>"
    )


def page(title: str, opening: str, sections: Sequence[tuple[str, str, str]], facts: str = "") -> str:
    """The whole page from (identifier, title, inner HTML) sections; `facts` is for programs that read it."""
    meta = f'<meta name="mannequin-report" content="{text(facts)}">' if facts else ""
    links = "".join(f'<a href="#{text(name)}">{text(label)}</a>' for name, label, _ in sections)
    bodies = "".join(
        f'<section id="{text(name)}"><h2>{text(label)}</h2>{inner}</section>'
        for name, label, inner in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
        "style-src 'unsafe-inline'\">"
        f"{meta}<title>{text(title)}</title><style>\n{CSS}</style></head>\n<body>{opening}<nav>{links}</nav>{bodies}"
        "</body></html>\n"
    )


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""
