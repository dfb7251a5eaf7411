"""An object file with what must be known of it to call what is in it."""

import hashlib
import json
from typing import NamedTuple

from .entries import Damaged


class ObjectCode(NamedTuple):
    """The machine code of a kernel with all that it calls."""

    symbol: str
    """Of the kernel in it"""
    code: bytes
    """An object file"""
    needs: tuple[str, ...] = ()
    """Functions of the C library that it calls; known where code is made for other machines"""

    @property
    def digest(self) -> str:
        """SHA-256 of the object file."""
        return hashlib.sha256(self.code).hexdigest()

    def packed(self) -> bytes:
        """As it is kept: length of the head (4 bytes), head (JSON), object file."""
        head = json.dumps({"symbol": self.symbol, "needs": self.needs}).encode()
        return len(head).to_bytes(4, "little") + head + self.code


def checked_code(digest: str, data: bytes) -> ObjectCode:
    """Code as `packed` made it, of this digest; Damaged where it is not."""
    found = unpacked(data)
    if found.digest != digest:
        raise Damaged("its code does not match its checksum")
    return found


def unpacked(data: bytes) -> ObjectCode:
    """Code as `packed` made it."""
    start = 4 + int.from_bytes(data[:4], "little")
    head = json.loads(bytes(data[4:start]))
    return ObjectCode(head["symbol"], bytes(data[start:]), tuple(head["needs"]))
