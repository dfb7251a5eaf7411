"""Make the package: one zip with the case folder, the program, its licence and how to repeat everything.

`disclosure.json` lists every other file by size and SHA-256, the exhibits, runs and films by their digests, the
versions and the head of the log; its own digest, printed when it is made, stands for the whole package.
"""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...analysis.files import manifest
from ...io_json import atomic
from ...io_json.errors import FileError
from ..cases.case import Case, read_case
from ..cases.log import LOCK
from .program import program_files, repeat_text

FILE_NAME, FORMAT, FORMAT_VERSION = "disclosure.json", "mannequin-disclosure", 1
REPEAT_NAME = "REPEAT.md"
FILMS = (".mp4", ".gif", ".mkv", ".webm")
STAMP = (1980, 1, 1, 0, 0, 0)
"""Date of every entry: the same content gives the same bytes."""


def disclose(folder: Path, target: Path, with_program: bool = True) -> str:
    """Write the package of a case and return its digest. Raises FileError."""
    case = read_case(folder)
    found = case.check()
    if found.problem:
        raise FileError(found.problem, path=folder, remedy="A broken log cannot be disclosed as a sound one")
    if target.resolve().is_relative_to(folder.resolve()):
        raise FileError("lies inside the case folder", path=target, remedy="Write the package beside it")
    sources: dict[str, Path] = {f"case/{name}": folder / name for name in _names(folder)}
    if with_program:
        sources |= dict(program_files())
    repeat = repeat_text().encode("utf-8")
    listed = [manifest.describe_file(path, name) for name, path in sorted(sources.items())]
    listed.append({"path": REPEAT_NAME, "bytes": len(repeat), "sha256": manifest.sha256_of(repeat)})
    content = _content(case, found.head, listed)
    data = dumps(content)
    with atomic.writing(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, FILE_NAME, data)
        _add(archive, REPEAT_NAME, repeat)
        for name, path in sorted(sources.items()):
            _add(archive, name, path.read_bytes())
    return json.loads(data)["sha256"]


def _names(folder: Path) -> list[str]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != LOCK)
    names = [path.relative_to(folder).as_posix() for path in found]
    return sorted(name for name in names if not any(part.startswith(".") for part in name.split("/")))


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, STAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def _content(case: Case, head: str, files: list[dict[str, Any]]) -> dict[str, Any]:
    """What the package says of itself."""
    runs = {}
    for entry in files:
        name = entry["path"]
        if name.startswith("case/") and name.endswith(f"/{manifest.FILE_NAME}"):
            folder = name.removesuffix(f"/{manifest.FILE_NAME}")
            runs[folder] = manifest.read(case.folder / folder.removeprefix("case/"))["sha256"]
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "case": {"number": case.number, "title": case.title, "examiner": case.examiner},
        "log_head": head,
        "exhibits": case.exhibits(),
        "runs": runs,
        "films": {entry["path"]: entry["sha256"] for entry in files if entry["path"].lower().endswith(FILMS)},
        "versions": manifest.versions(),
        "platform": manifest.platform_facts(),
        "files": files,
    }


def dumps(content: Mapping[str, Any]) -> bytes:
    """The one spelling of `disclosure.json`, with its own digest in it."""
    body = {key: value for key, value in content.items() if key != "sha256"}
    digest = manifest.sha256_of(_spelled(body))
    return _spelled({**body, "sha256": digest})


def _spelled(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8")
