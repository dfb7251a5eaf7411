"""How large a mesh of a file may be; checked before anything is allocated."""

MAX_BYTES = 256 * 1024 * 1024
MAX_POINTS = 2_000_000
MAX_TRIANGLES = 4_000_000
