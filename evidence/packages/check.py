"""Check a package where it is: every file by its digest, the log by its chain, every run by a second simulation.

Nothing is unpacked by hand; what the second simulations need goes to a temporary folder. No name in the zip can lead
out of it.
"""

import hashlib
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...analysis.files.verify import SHORTEST_DIGEST, Checked, verify_run
from ...io_json.errors import FileError
from ...io_json.names import stays_inside
from ..cases.case import case_problems, read_case
from ..signing.check import check_vouchers
from .disclose import FILE_NAME, FORMAT, dumps

LARGEST = 64 * 1024**2
"""Bytes of `disclosure.json`."""
BLOCK = 1024**2


@dataclass
class PackageCheck(Checked):
    """What the check of a package found."""

    path: Path
    runs: dict[str, str] = field(default_factory=dict)
    """Run folder to what its second simulation gave."""


def verify_package(
    path: Path,
    *,
    replay: bool = True,
    expect: str = "",
    signer: str = "",
    progress: Callable[[Any], None] | None = None,
) -> PackageCheck:
    """Check a package. Raises FileError where it cannot be looked at."""
    found = PackageCheck(path)
    try:
        with zipfile.ZipFile(path) as archive:
            content = _content(found, archive)
            if content is None:
                return found
            _check_expected(found, expect)
            _check_files(found, archive, content)
            if found.is_sound:
                with TemporaryDirectory(prefix="mannequin-package-") as place:
                    _unpack(archive, Path(place))
                    _check_case(found, Path(place) / "case", content)
                    _check_runs(found, Path(place), content, replay, signer, progress)
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError) as error:
        raise FileError(
            f"cannot be read as a zip ({str(error)[:120]})", path=path, remedy="Take an untouched copy"
        ) from error
    return found


def _content(found: PackageCheck, archive: zipfile.ZipFile) -> dict[str, Any] | None:
    """What the package says of itself, where that is as it was written."""
    names = [entry.filename for entry in archive.infolist()]
    if FILE_NAME not in names or archive.getinfo(FILE_NAME).file_size > LARGEST:
        raise FileError(
            f"holds no {FILE_NAME}", path=found.path, remedy="Give a package that `disclose` made"
        )
    data = archive.read(FILE_NAME)
    try:
        content = json.loads(data)
        is_sound = content.get("format") == FORMAT and dumps(content) == data
    except (ValueError, AttributeError):
        is_sound = False
    if not is_sound:
        found.problems.append(f"{FILE_NAME}: has been changed: its content does not match its own digest")
        return None
    found.digest = content["sha256"]
    for name in names:
        if not stays_inside(name):
            found.problems.append(f"{name[:80]!r}: leads out of the package")
    if len(set(names)) != len(names):
        found.problems.append("a file is in the package twice")
    return content


def _check_expected(found: PackageCheck, expect: str) -> None:
    expect = expect.strip().lower()
    if not expect:
        return
    if not SHORTEST_DIGEST <= len(expect) <= 64 or set(expect) - set("0123456789abcdef"):
        raise FileError(f"{expect[:80]!r} is no digest", remedy="Give the digits that `disclose` printed")
    found.is_authentic = found.digest.startswith(expect)
    if not found.is_authentic:
        found.problems.append(f"{FILE_NAME}: has the digest {found.digest}, it should be {expect}")


def _check_files(found: PackageCheck, archive: zipfile.ZipFile, content: dict[str, Any]) -> None:
    """Every file is listed and as it was, and every listed file is there."""
    listed = {entry["path"]: entry for entry in content["files"]}
    present = {entry.filename for entry in archive.infolist()} - {FILE_NAME}
    found.problems += [f"{name}: is missing" for name in sorted(listed.keys() - present)]
    found.problems += [
        f"{name}: is in the package, but not listed" for name in sorted(present - listed.keys())
    ]
    for name in sorted(listed.keys() & present):
        digest, size = hashlib.sha256(), 0
        with archive.open(name) as stream:
            while block := stream.read(BLOCK):
                digest.update(block)
                size += len(block)
        found.files += 1
        if digest.hexdigest() != listed[name]["sha256"] or size != listed[name]["bytes"]:
            found.problems.append(f"{name}: has been changed since the package was made")


def _unpack(archive: zipfile.ZipFile, place: Path) -> None:
    for entry in archive.infolist():
        if entry.filename.startswith("case/") and stays_inside(entry.filename):
            archive.extract(entry, place)


def _check_case(found: PackageCheck, folder: Path, content: dict[str, Any]) -> None:
    case = read_case(folder)
    found.problems += [f"case: {problem}" for problem in case_problems(case)]
    if case.check().head != content["log_head"]:
        found.problems.append("case/log.jsonl: does not end with the entry that the package names")
    if case.exhibits() != content["exhibits"]:
        found.problems.append(f"{FILE_NAME}: exhibits: are not those of the log")


def _check_runs(
    found: PackageCheck,
    place: Path,
    content: dict[str, Any],
    replay: bool,
    signer: str,
    progress: Callable[[Any], None] | None,
) -> None:
    for name, digest in content["runs"].items():
        vouched = check_vouchers(place / name, signer)
        result = verify_run(
            place / name,
            replay=replay,
            is_authentic=found.is_authentic or vouched.is_authentic,
            progress=progress,
        )
        found.runs[name] = result.replay
        if result.digest != digest:
            found.problems.append(f"{name}: has the manifest {result.digest}, the package names {digest}")
        found.problems += [f"{name}: {problem}" for problem in [*result.problems, *vouched.problems]]
        found.notes += [f"{name}: {note}" for note in [*result.notes, *vouched.notes]]
