"""Hyfydy model files (.hfd), with configuration and state files (.zml), read and written. docs/formats/hyfydy.md.

`components` and `document` hold what such a file can say, `configuration` the blocks of forces and integrators and
`state` a start; `read` and `write` carry them over to specs and back.
"""

from .read import read_hfd
from .state import write_state
from .write import write_hfd
