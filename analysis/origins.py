"""Where an input comes from, in one line of text: kind, source, uncertainty, exhibit.

    measured: skid mark, police sketch; ± 0.3 m/s; exhibit E3
    literature: Searle 1993
    assumed: nobody saw it

The kind is the word before the first colon; the uncertainty begins with ±, +- or "uncertainty", the exhibit with
"exhibit"; what is left is the source. A text without a kind is a source that was not sorted. Nothing assumed is a
source, whatever is written before or after it.
"""

import re
from dataclasses import dataclass

KINDS = ("measured", "calculated", "literature", "assumed")
ASSUMED = "assumed"
NOT_SORTED = "stated"
_UNCERTAINTY = re.compile(r"^(?:±|\+/?-|uncertainty:?)\s*(.+)$", re.IGNORECASE)
_EXHIBIT = re.compile(r"^exhibits?:?\s+(.+)$", re.IGNORECASE)


@dataclass(frozen=True)
class Origin:
    """Where one input comes from."""

    kind: str
    """One of KINDS, NOT_SORTED for a source without a kind, "" where nothing is said."""
    source: str
    uncertainty: str = ""
    exhibit: str = ""

    @property
    def is_known(self) -> bool:
        """True where something else than an assumption stands behind the value."""
        return self.kind not in ("", ASSUMED) and bool(self.source or self.exhibit)

    @property
    def missing(self) -> str:
        """What a court would ask for first; "" where nothing is missing."""
        if not self.is_known:
            return "has no origin but an assumption" if self.kind == ASSUMED else "has no origin"
        if self.kind == NOT_SORTED:
            return "does not say whether it was measured, calculated or taken from literature"
        return "" if self.uncertainty else "has no uncertainty"


def parse_origin(text: str) -> Origin:
    """The origin that a text states."""
    head, colon, rest = text.strip().partition(":")
    word = head.strip().lower()
    if colon and word in KINDS:
        kind, text = word, rest
    elif text.strip().lower().startswith(ASSUMED):
        kind, text = ASSUMED, text.strip()[len(ASSUMED) :].lstrip(" ,:;")
    else:
        kind = NOT_SORTED if text.strip() else ""
    uncertainty, exhibit, left = "", "", []
    for part in (piece.strip() for piece in text.split(";")):
        if part.lower().rstrip(".") == ASSUMED:
            kind = ASSUMED
            continue
        if match := _UNCERTAINTY.match(part):
            uncertainty = match[1].strip()
        elif match := _EXHIBIT.match(part):
            exhibit = match[1].strip()
        elif part:
            left.append(part)
    return Origin(kind, "; ".join(left), uncertainty, exhibit)
