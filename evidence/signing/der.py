"""DER (ITU-T X.690) as a tree of values: enough of it to read and write what RFC 3161 exchanges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...io_json.errors import FileError

INTEGER, OCTETS, NULL, OBJECT, SEQUENCE, SET = 0x02, 0x04, 0x05, 0x06, 0x30, 0x31
BOOLEAN, GENERAL_TIME = 0x01, 0x18


@dataclass(frozen=True)
class Value:
    """One value: tag byte, content, and all its bytes as they stood in the file."""

    tag: int
    content: bytes
    whole: bytes

    @property
    def parts(self) -> list[Value]:
        """The values inside. Raises FileError."""
        return read_all(self.content)

    @property
    def number(self) -> int:
        """Of an INTEGER."""
        return int.from_bytes(self.content, "big", signed=True)

    @property
    def name(self) -> str:
        """Of an OBJECT IDENTIFIER, dotted."""
        arcs, value = [], 0
        for byte in self.content:
            value = (value << 7) | (byte & 0x7F)
            if not byte & 0x80:
                arcs.append(value)
                value = 0
        if not arcs:
            raise _broken()
        first = min(arcs[0] // 40, 2)
        return ".".join(map(str, (first, arcs[0] - 40 * first, *arcs[1:])))


def _broken() -> FileError:
    return FileError("is no DER as RFC 3161 has it", remedy="Give the file as the authority sent it")


def read(data: bytes) -> Value:
    """The one value of some bytes. Raises FileError."""
    values = read_all(data)
    if len(values) != 1:
        raise _broken()
    return values[0]


def read_all(data: bytes) -> list[Value]:
    """Values one after the other. Raises FileError."""
    values, at = [], 0
    while at < len(data):
        if at + 2 > len(data) or data[at] & 0x1F == 0x1F:
            raise _broken()
        length, start = data[at + 1], at + 2
        if length & 0x80:
            count = length & 0x7F
            if not 1 <= count <= 4 or start + count > len(data):
                raise _broken()
            length, start = int.from_bytes(data[start : start + count], "big"), start + count
        if start + length > len(data):
            raise _broken()
        values.append(Value(data[at], data[start : start + length], data[at : start + length]))
        at = start + length
    return values


def write(tag: int, *parts: bytes) -> bytes:
    """A value of its tag and content."""
    content = b"".join(parts)
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def integer(value: int) -> bytes:
    """An INTEGER of two's complement."""
    return write(INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def identifier(name: str) -> bytes:
    """An OBJECT IDENTIFIER."""
    first, second, *rest = map(int, name.split("."))
    return write(OBJECT, b"".join(_base_128(arc) for arc in (40 * first + second, *rest)))


def _base_128(value: int) -> bytes:
    digits = [value & 0x7F]
    while value := value >> 7:
        digits.append(0x80 | (value & 0x7F))
    return bytes(reversed(digits))


def sequence(parts: Iterable[bytes]) -> bytes:
    """A SEQUENCE of encoded values."""
    return write(SEQUENCE, *parts)
