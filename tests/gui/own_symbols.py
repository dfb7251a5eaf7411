"""Make a shared library call its own functions first: set DT_SYMBOLIC in its dynamic section.

llvmlite's library exports some of LLVM's functions. Where a graphics driver (Mesa) has put another LLVM into the
process for all to see, the library would call into that one, and Blender crashes at the first compile. With
DT_SYMBOLIC the dynamic loader looks into the library itself first. Only the zip under test is changed so.
"""

import struct
import tempfile
import zipfile
from pathlib import Path

SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
ENTRY = struct.Struct("<qQ")
SHT_DYNAMIC, DT_NULL, DT_SYMBOLIC = 6, 0, 16


def prefer_own_symbols(library: bytearray) -> None:
    """Change a 64-bit little-endian ELF library in place; its dynamic section must have a spare entry."""
    if library[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    start = struct.unpack_from("<Q", library, 40)[0]
    count = struct.unpack_from("<H", library, 60)[0]
    headers = [SECTION_HEADER.unpack_from(library, start + k * SECTION_HEADER.size) for k in range(count)]
    offset, size = next((h[4], h[5]) for h in headers if h[1] == SHT_DYNAMIC)
    empty = [
        at for at in range(offset, offset + size, ENTRY.size) if ENTRY.unpack_from(library, at)[0] == DT_NULL
    ]
    if len(empty) < 2:
        raise ValueError("the dynamic section has no spare entry")
    ENTRY.pack_into(library, empty[0], DT_SYMBOLIC, 0)


def patched_wheel(wheel: Path, member: str, folder: Path) -> Path:
    """Return a copy of a wheel in `folder` whose library `member` prefers its own symbols."""
    copy = folder / wheel.name
    with tempfile.NamedTemporaryFile(dir=folder) as temporary:
        with (
            zipfile.ZipFile(wheel) as old,
            zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
        ):
            for item in old.infolist():
                data = old.read(item)
                if item.filename == member:
                    changed = bytearray(data)
                    prefer_own_symbols(changed)
                    data = bytes(changed)
                new.writestr(item, data, compresslevel=1)
        temporary.flush()
        copy.write_bytes(Path(temporary.name).read_bytes())
    return copy
