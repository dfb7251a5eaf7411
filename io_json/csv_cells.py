"""Names and messages as cells of a CSV table that a spreadsheet takes as text, and back.

Spreadsheets run a cell that begins with one of these characters as a formula. An apostrophe before it makes them show
the text. Numbers are written as they are: only text that comes from names and messages goes through here.
"""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def text_cell(text: str) -> str:
    """Text as a cell: an apostrophe before what a spreadsheet would take as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def text_of_cell(cell: str) -> str:
    """The opposite of `text_cell`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
