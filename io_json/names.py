"""Names that come from a file and become part of a path: made safe, or refused. The only place that decides this.

A name that the program makes up goes through `safe_name`; one that a file states and that must be taken as it is
(a run's stem, the files that a manifest lists) goes through `require_file_name` or `require_inside`.
"""

import re

from .errors import FileError

LONGEST_NAME = 80
LONGEST_STATED = 200
"""Characters of a name that a file states; file systems take 255 bytes, and endings are added."""

_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names that Windows keeps for devices, whatever ending they have."""
_UNUSABLE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')


def safe_name(name: str, otherwise: str) -> str:
    """A name with only characters that every file system takes."""
    safe = re.sub(r"[^\w.-]+", "_", name).strip("._-")[:LONGEST_NAME] or otherwise
    return f"{safe}_" if _DEVICES.fullmatch(safe) else safe


def is_file_name(name: object) -> bool:
    """True for text that names one file in its folder on every system: no folder, no climbing, no device."""
    return (
        isinstance(name, str)
        and 0 < len(name) <= LONGEST_STATED
        and not _UNUSABLE.search(name)
        and name == name.strip()
        and not name.startswith("..")
        and not name.endswith(".")
        and not _DEVICES.fullmatch(name)
    )


def stays_inside(name: object) -> bool:
    """True for a relative path with forward slashes whose every part `is_file_name`."""
    return isinstance(name, str) and all(is_file_name(part) for part in name.split("/"))


def require_file_name(name: object, place: str = "") -> str:
    """The name, when it names one file in its folder. Raises FileError. `place`: what states it."""
    if is_file_name(name):
        return name
    remedy = "Take the file from an untouched copy; a name may hold no folder"
    raise FileError(f"{str(name)[:80]!r} is no name of a file in its own folder", place=place, remedy=remedy)


def require_inside(name: object, place: str = "") -> str:
    """The relative path, when it stays in its folder. Raises FileError, like `require_file_name`."""
    if stays_inside(name):
        return name
    remedy = "Take the file from an untouched copy"
    raise FileError(f"{str(name)[:80]!r} leads out of the folder", place=place, remedy=remedy)
