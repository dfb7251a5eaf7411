"""Signatures of a run: a small file that names the manifest's digest, the lists of files added later, and who signs.

`<stem>_signature_<8 digits of the fingerprint>.json` holds the statement that was signed, the public key and the
signature over the statement's one spelling. Each signer has a file; a second signature by the same key replaces it.
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...analysis.files import manifest
from ...analysis.files.run_folder import SIGNATURE
from ...io_json import atomic, strict_json
from ...io_json.errors import FileError
from .keys import fingerprint, grouped, raw_public
from .library import is_installed, module

FORMAT = "mannequin-signature"
FORMAT_VERSION = 1
LARGEST = 1024**2
SHORTEST_FINGERPRINT = 32
"""Digits by which a signer is demanded, at least."""


@dataclass
class Signed:
    """What the signatures of a run folder show."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_authentic: bool = False
    """True where the demanded signer has signed this manifest."""


def sign_run(folder: Path, key: Any, signer: str, now: datetime | None = None) -> Path:
    """Sign a run folder and return the path of the signature. Raises FileError."""
    content = manifest.read(folder)
    public = raw_public(key)
    statement = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "run": content["run"],
        "manifest_sha256": content["sha256"],
        "lists": _lists(folder),
        "signer": signer,
        "signed": manifest.utc_text(now or datetime.now(UTC)),
        "public_key": public.hex(),
    }
    made = {**statement, "signature": base64.b64encode(key.sign(_spelled(statement))).decode("ascii")}
    path = folder / f"{content['run']}{SIGNATURE}{fingerprint(public)[:8]}.json"
    atomic.write_text(path, json.dumps(made, indent=1, ensure_ascii=False) + "\n")
    return path


def _spelled(statement: Mapping[str, Any]) -> bytes:
    """The bytes that are signed."""
    return json.dumps(statement, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _lists(folder: Path) -> dict[str, str]:
    """Digests of the lists of files that were added after the run: report, plots, film."""
    return {path.name: manifest.sha256_of_file(path) for path in sorted(folder.glob("*.sha256"))}


def check_signatures(folder: Path, signer: str = "") -> Signed:
    """Check every signature of a run folder; `signer` is the fingerprint that one of them must have. Raises FileError
    for a fingerprint that is none."""
    found, wanted = Signed(), _fingerprint_digits(signer)
    content = manifest.read(folder)
    paths = sorted(folder.glob(f"{content['run']}{SIGNATURE}*.json"))
    if paths and not is_installed():
        found.notes.append("signatures are not checked: cryptography is not installed")
    elif paths or wanted:
        for path in paths:
            _check_one(found, path, folder, content, wanted)
    if wanted and not found.is_authentic:
        found.problems.append(f"no signature by {grouped(wanted)} vouches for this run")
    return found


def _fingerprint_digits(text: str) -> str:
    digits = "".join(text.split()).lower()
    if digits and (len(digits) < SHORTEST_FINGERPRINT or set(digits) - set("0123456789abcdef")):
        raise FileError(
            f"{text[:80]!r} is no fingerprint",
            remedy=f"Give {SHORTEST_FINGERPRINT} to 64 hexadecimal digits, as `sign` printed them",
        )
    return digits


def _check_one(found: Signed, path: Path, folder: Path, content: Mapping[str, Any], wanted: str) -> None:
    try:
        statement, public = _read(path)
    except FileError as error:
        found.problems.append(f"{path.name}: {error.message}")
        return
    if statement.get("manifest_sha256") != content["sha256"]:
        found.problems.append(
            f"{path.name}: is of another manifest ({str(statement.get('manifest_sha256'))[:64]})"
        )
        return
    now, signed_lists = _lists(folder), statement.get("lists")
    for name, digest in signed_lists.items() if isinstance(signed_lists, dict) else ():
        if now.get(name) != digest:
            found.problems.append(f"{name}: is not as it was when {path.name} was signed")
    for name in now.keys() - (signed_lists or {}).keys():
        found.notes.append(f"{name}: was added after {path.name} was signed")
    mark = fingerprint(public)
    found.notes.append(
        f"signed by {str(statement.get('signer'))[:80]!r}, as they say at {str(statement.get('signed'))[:30]}, "
        f"fingerprint {grouped(mark)}"
    )
    found.is_authentic = found.is_authentic or bool(wanted and mark.startswith(wanted))


def _read(path: Path) -> tuple[dict[str, Any], bytes]:
    """The statement of a signature file and the public key by which it is signed. Raises FileError."""
    invalid = module("exceptions").InvalidSignature
    keys = module("hazmat.primitives.asymmetric.ed25519")
    remedy = "Take the file from an untouched copy of the run folder, or sign again"
    document = strict_json.parse(strict_json.decode(strict_json.read_bytes(path, LARGEST)))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FileError("is no signature", path=path, remedy=remedy)
    statement = {name: value for name, value in document.items() if name != "signature"}
    try:
        public = bytes.fromhex(statement["public_key"])
        signature = base64.b64decode(document["signature"], validate=True)
        keys.Ed25519PublicKey.from_public_bytes(public).verify(signature, _spelled(statement))
    except (invalid, KeyError, TypeError, ValueError) as error:
        raise FileError(
            "is not valid: what it states was changed after it was signed", path=path, remedy=remedy
        ) from error
    return statement, public
