"""Hyfydy model files (.hfd), read and written. Format: docs/formats/hyfydy.md.

`components` and `document` hold what such a file can say; `read` and `write` carry it over to specs and back.
"""

from .read import read_hfd
from .write import write_hfd
