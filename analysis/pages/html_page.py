"""A self-contained HTML page: elements from plain text (escaped here, once), pictures inside the file, no network."""

import base64
import html
from collections.abc import Iterable, Sequence

CSS = """
:root { --ink: #1b1f24; --faint: #5d6670; --line: #d5dae0; --band: #f4f6f8; --alarm: #8a1c1c; }
* { box-sizing: border-box; }
body { font: 15px/1.5 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: var(--ink); background: #fff;
  margin: 0 auto; max-width: 62rem; padding: 2rem 2rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 .8rem; padding-bottom: .25rem; border-bottom: 2px solid var(--ink); }
h3 { font-size: 1.02rem; margin: 1.5rem 0 .3rem; }
p { margin: .4rem 0 .8rem; max-width: 48rem; }
.faint, figcaption { color: var(--faint); font-size: .87rem; }
.note { color: var(--faint); font-size: .87rem; margin: .2rem 0; max-width: none; }
.box { border: 1px solid var(--line); border-left: 5px solid #34526f; background: var(--band); padding: .7rem 1rem;
  margin: 1rem 0; }
.box.alarm { border-left-color: var(--alarm); }
.box p { margin: .2rem 0; max-width: none; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.1rem; font-size: .87rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem .35rem;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
th { font-weight: 600; border-bottom: 1.5px solid var(--ink); vertical-align: bottom; }
td.number, th.number { text-align: right; padding-right: 1.2rem; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
td.label { white-space: nowrap; }
td.digest { font-family: "DejaVu Sans Mono", Consolas, monospace; font-size: .75rem; overflow-wrap: anywhere; }
tr.assumed td { background: #fdf3e1; }
.examiner { border: 1px dashed var(--faint); padding: .4rem 1rem; margin: 1rem 0; break-inside: avoid; }
.examiner .place { color: var(--faint); font-size: .8rem; text-transform: uppercase; letter-spacing: .04em; margin: 0; }
figure { margin: 1rem 0; break-inside: avoid; }
figure img { max-width: 100%; height: auto; display: block; }
ul { margin: .3rem 0 1rem; padding-left: 1.3rem; max-width: 48rem; }
nav { columns: 2; font-size: .93rem; margin: 1rem 0; }
nav a { color: inherit; display: block; text-decoration-color: var(--line); }
@page { size: A4; margin: 16mm 15mm; }
@media print {
  body { font-size: 9.5pt; max-width: none; padding: 0; }
  nav { display: none; }
  h2 { break-after: avoid; margin-top: 1.6rem; }
  h3, h2 + p { break-after: avoid; }
  tr, .box { break-inside: avoid; }
  .note { font-size: 8pt; }
  thead { display: table-header-group; }
  tr.assumed td, .box { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
"""


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
        f"{meta}<title>{text(title)}</title><style>{CSS}</style></head>\n<body>{opening}<nav>{links}</nav>{bodies}"
        "</body></html>\n"
    )


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""
