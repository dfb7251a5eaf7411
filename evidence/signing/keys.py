"""Ed25519 keys of the user: made once, kept in a file of the user's own, never sent anywhere.

The private key is a PKCS 8 PEM file, encrypted where a passphrase is given; the public key lies beside it as
`<name>.pub` and may be given to anybody. The *fingerprint* is the SHA-256 of the 32 bytes of the public key.
"""

import hashlib
import os
from pathlib import Path
from typing import Any

from ...io_json import strict_json
from ...io_json.errors import FileError
from .library import module

LARGEST = 65536
"""Bytes of a key file."""


def new_key(path: Path, passphrase: str = "") -> str:
    """Make a key pair: the private key at `path`, readable by its owner alone; returns the fingerprint. Raises
    FileError, also where the file exists: a key is never written over."""
    serialization = module("hazmat.primitives.serialization")
    key = module("hazmat.primitives.asymmetric.ed25519").Ed25519PrivateKey.generate()
    lock = (
        serialization.BestAvailableEncryption(passphrase.encode("utf-8"))
        if passphrase
        else serialization.NoEncryption()
    )
    data = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        path.with_name(f"{path.name}.pub").write_bytes(public)
    except FileExistsError as error:
        raise FileError(
            "is there already", path=path, remedy="Choose another name for the new key"
        ) from error
    except OSError as error:
        raise FileError(
            f"cannot be written ({error.strerror})", path=path, remedy="Choose another place"
        ) from error
    return fingerprint(raw_public(key))


def read_key(path: Path, passphrase: str = "") -> Any:
    """The private key of a file. Raises FileError."""
    serialization = module("hazmat.primitives.serialization")
    kind = module("hazmat.primitives.asymmetric.ed25519").Ed25519PrivateKey
    data = strict_json.read_bytes(path, LARGEST)
    try:
        key = serialization.load_pem_private_key(data, passphrase.encode("utf-8") if passphrase else None)
    except (TypeError, ValueError) as error:
        remedy = "Give the passphrase (--passphrase-file), or the file that `sign --new-key` wrote"
        raise FileError("cannot be opened as a key with this passphrase", path=path, remedy=remedy) from error
    if not isinstance(key, kind):
        raise FileError("is no Ed25519 key", path=path, remedy="Make one with `sign --new-key`")
    return key


def raw_public(key: Any) -> bytes:
    """The 32 bytes of the public key that belongs to a private one."""
    return key.public_key().public_bytes_raw()


def fingerprint(public: bytes) -> str:
    """SHA-256 of a public key, hexadecimal."""
    return hashlib.sha256(public).hexdigest()


def grouped(digits: str) -> str:
    """A fingerprint in groups of four digits, as it is printed and compared by people."""
    return " ".join(digits[i : i + 4] for i in range(0, len(digits), 4))
