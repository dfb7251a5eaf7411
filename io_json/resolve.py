"""From a reference in a file to a file on the disk, without leaving the file's own folder.

A reference is relative to the folder of the file that holds it and uses "/". One that leaves the folder ("..", an
absolute path, a link that points elsewhere) is refused unless the user allows it.
"""

import os
from pathlib import Path, PureWindowsPath

from .errors import FileError
from .nodes import nearest_hint

SHIPPED_FOLDER = Path(__file__).resolve().parent.parent / "models"
ALLOW = "Copy the file into the folder, or allow references outside it (--allow-outside)"


def resolve_model(reference: str, base_folder: str | os.PathLike | None, allow_outside: bool = False) -> Path:
    """The model file that a reference means: a file relative to `base_folder`, or else a shipped model by its name.

    `base_folder` None stands for text that has no folder; then only shipped names resolve. Raises `FileError`.
    """
    shipped = _find_shipped(reference)
    if base_folder is None and shipped is not None:
        return shipped
    path = _inside(reference, base_folder, allow_outside)
    if os.path.isfile(path):
        return path
    if shipped is not None:
        return shipped
    raise _not_found(reference, "model", nearest_hint(reference, shipped_models()))


def resolve_file(reference: str, base_folder: str | os.PathLike | None, allow_outside: bool = False) -> Path:
    """The file (such as a mesh) that a reference relative to `base_folder` means. Raises `FileError`."""
    path = _inside(reference, base_folder, allow_outside)
    if not os.path.isfile(path):
        raise _not_found(reference, "file", "Check the name; it is relative to the file that holds it")
    return path


def find_file(name: str | os.PathLike, kind: str) -> Path:
    """A file of this name, or the shipped one. kind: what is looked for, for the message. Raises `FileError`."""
    if Path(name).exists():
        return Path(name)
    shipped = _find_shipped(os.fspath(name))
    if shipped is None:
        remedy = f"Give the path of a {kind} file, or the name of a shipped {kind}"
        raise FileError(f"there is no such {kind}", path=name, remedy=remedy)
    return shipped


def shipped_models() -> list[str]:
    """Names of the files shipped with the program that a reference may use without a path."""
    return sorted({path.name for path in SHIPPED_FOLDER.rglob("*.json")})


def _find_shipped(reference: str) -> Path | None:
    """A shipped file named by its bare file name, with or without ".json"."""
    if not reference or PureWindowsPath(reference).name != reference or "\0" in reference:
        return None
    names = {reference, f"{reference}.json"}
    return min((path for path in SHIPPED_FOLDER.rglob("*.json") if path.name in names), default=None)


def _inside(reference: str, base_folder: str | os.PathLike | None, allow_outside: bool) -> Path:
    """The path, when it stays in the folder or may leave it."""
    if not reference or "\0" in reference or "\\" in reference and not allow_outside:
        raise FileError(
            f"{reference[:120]!r} is no usable reference", remedy='Name a file, with "/" between folders'
        )
    if base_folder is None:
        raise FileError(
            f"{reference[:120]!r} cannot be found: this text has no folder", remedy="Read it from a file"
        )
    try:
        base = Path(base_folder).resolve()
        path = (base / reference).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise _not_found(reference, "file", "Check the name") from error
    foreign = PureWindowsPath(reference).drive or not path.is_relative_to(base)
    if foreign and not allow_outside:
        raise FileError(
            f"{reference[:120]!r} leads out of the folder of this file and is refused", remedy=ALLOW
        )
    return path


def _not_found(reference: str, kind: str, remedy: str) -> FileError:
    return FileError(f"the {kind} {reference[:120]!r} is not there", remedy=remedy)
