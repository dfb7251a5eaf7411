"""Time stamps by RFC 3161: a request for an authority, and the check of its answer, both as files; nothing is sent.

The answer (TimeStampResp, or its token alone) is CMS signed data (RFC 5652) about the digest of `manifest.json`, as
the file stands. Checked are: the digest, the signed attributes, the signature by the certificate inside, that this
certificate is one for time stamps and was valid then, and, where the authority's own certificate is given, the chain up
to it. Without that, anybody could be the authority, and the answer is said to be unproved.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...analysis.files import manifest
from ...analysis.files.run_folder import TIME_STAMP
from ...io_json import atomic, strict_json
from ...io_json.errors import FileError
from . import der
from .library import module

SHA256, SHA384, SHA512 = (f"2.16.840.1.101.3.4.2.{k}" for k in (1, 2, 3))
HASHES = {SHA256: "sha256", SHA384: "sha384", SHA512: "sha512"}
SIGNED_DATA, TST_INFO = "1.2.840.113549.1.7.2", "1.2.840.113549.1.9.16.1.4"
CONTENT_TYPE, MESSAGE_DIGEST = "1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4"
CERTIFICATE_1, CERTIFICATE_2 = "1.2.840.113549.1.9.16.2.12", "1.2.840.113549.1.9.16.2.47"
"""Attributes that name the signing certificate by its digest (RFC 2634, RFC 5035)."""
TIME_STAMPING = "1.3.6.1.5.5.7.3.8"
LARGEST = 1024**2
LONGEST_CHAIN = 6


@dataclass(frozen=True)
class TimeStamp:
    """What an authority has confirmed."""

    moment: datetime
    authority: str
    is_proved: bool
    """True where the chain leads to a certificate that was given."""

    @property
    def text(self) -> str:
        """When and by whom it was given, in words, and whether that is proved."""
        how = "" if self.is_proved else ", which was not held against a known certificate (--authority)"
        return f"time stamp {manifest.utc_text(self.moment)} by {self.authority!r}{how}"


def request(data: bytes) -> bytes:
    """The query (TimeStampReq) about some bytes, for any authority; asks for its certificate."""
    digest = hashlib.sha256(data).digest()
    imprint = der.sequence([_algorithm(SHA256), der.write(der.OCTETS, digest)])
    return der.sequence([der.integer(1), imprint, der.write(der.BOOLEAN, b"\xff")])


def _algorithm(name: str) -> bytes:
    return der.sequence([der.identifier(name), der.write(der.NULL)])


def write_request(folder: Path) -> Path:
    """Write the query about a run's manifest beside the run folder. Raises FileError."""
    path = folder.parent / f"{folder.name}.tsq"
    atomic.write_bytes(path, request((folder / manifest.FILE_NAME).read_bytes()))
    return path


def add_time_stamp(folder: Path, answer: Path, authorities: Sequence[Path] = ()) -> TimeStamp:
    """Check an authority's answer about a run and keep it in the run folder. Raises FileError."""
    data = strict_json.read_bytes(answer, LARGEST)
    found = check(data, (folder / manifest.FILE_NAME).read_bytes(), authorities, answer)
    stem = manifest.read(folder)["run"]
    atomic.write_bytes(folder / f"{stem}{TIME_STAMP}{hashlib.sha256(data).hexdigest()[:8]}.tsr", data)
    return found


def check_time_stamps(folder: Path, authorities: Sequence[Path] = ()) -> tuple[list[str], list[str]]:
    """Problems and notes of the time stamps in a run folder."""
    stem, data = manifest.read(folder)["run"], (folder / manifest.FILE_NAME).read_bytes()
    problems, notes = [], []
    for path in sorted(folder.glob(f"{stem}{TIME_STAMP}*.tsr")):
        try:
            notes.append(check(strict_json.read_bytes(path, LARGEST), data, authorities, path).text)
        except FileError as error:
            problems.append(f"{path.name}: {error.message}")
    return problems, notes


def check(
    answer: bytes, data: bytes, authorities: Sequence[Path] = (), path: Path | None = None
) -> TimeStamp:
    """The time stamp of an answer about some bytes. Raises FileError that says what is wrong with it."""
    try:
        return _check(answer, data, [_certificate(file) for file in authorities])
    except FileError as error:
        raise FileError(error.message, path=error.path or path, remedy=error.remedy) from error
    except _damage() as error:
        raise _wrong("is no answer of a time stamp authority", path) from error


def _damage() -> tuple[type[Exception], ...]:
    """What the readers of DER and of certificates raise for content that is not as they know it."""
    x509, own = module("x509"), module("exceptions")
    foreign = (x509.InvalidVersion, x509.ExtensionNotFound, x509.DuplicateExtension, own.UnsupportedAlgorithm)
    return (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError, *foreign)


def _wrong(message: str, path: Path | None = None) -> FileError:
    return FileError(message, path=path, remedy="Ask the authority again with the query of `sign --request`")


def _check(answer: bytes, data: bytes, roots: list[Any]) -> TimeStamp:
    signed = _signed_data(answer)
    content = signed["content"]
    info = der.read(content).parts
    _require_imprint(info[2], data)
    moment = _moment(info[4])
    certificates = [module("x509").load_der_x509_certificate(part.whole) for part in signed["certificates"]]
    signer, certificate = signed["signer"], None
    identity = signer[1]
    for candidate in certificates:
        if _is_named(identity, candidate):
            certificate = candidate
    if certificate is None:
        raise _wrong("does not hold the certificate it was signed with")
    attributes = next(part for part in signer if part.tag == 0xA0)
    _require_attributes(attributes, signer[2], content, certificate)
    signature = next(part for part in signer[3:] if part.tag == der.OCTETS).content
    hashed = HASHES[signer[2].parts[0].name]
    _verify(certificate, signature, b"\x31" + attributes.whole[1:], hashed)
    _require_fit(certificate, moment)
    names = module("x509.oid").NameOID.COMMON_NAME
    given = certificate.subject.get_attributes_for_oid(names)
    authority = given[0].value if given else certificate.subject.rfc4514_string()
    return TimeStamp(moment, str(authority), _leads_to(certificate, certificates, roots, moment))


def _signed_data(answer: bytes) -> dict[str, Any]:
    """Content, certificates and signer of the token in an answer."""
    top = der.read(answer).parts
    token = top
    if top and top[0].tag == der.SEQUENCE:  # TimeStampResp: a status, then the token
        status = top[0].parts[0].number
        if status not in (0, 1):
            raise _wrong(f"is a refusal of the authority (status {status})")
        token = top[1].parts
    if token[0].name != SIGNED_DATA:
        raise _wrong("holds no signed data")
    body = token[1].parts[0].parts
    wrapped = body[2].parts
    if wrapped[0].name != TST_INFO:
        raise _wrong("is signed data about something else than a time")
    certificates = [part for entry in body[3:] if entry.tag == 0xA0 for part in entry.parts]
    (signer,) = next(entry for entry in reversed(body) if entry.tag == der.SET).parts
    return {"content": wrapped[1].parts[0].content, "certificates": certificates, "signer": signer.parts}


def _require_imprint(imprint: der.Value, data: bytes) -> None:
    algorithm, digest = imprint.parts
    name = HASHES.get(algorithm.parts[0].name)
    if name is None:
        raise _wrong("is about a digest that is not of the SHA-2 family")
    if hashlib.new(name, data).digest() != digest.content:
        raise _wrong(f"is about another file: the digest in it is {digest.content.hex()}")


def _moment(value: der.Value) -> datetime:
    text = value.content.decode("ascii").removesuffix("Z")
    form = "%Y%m%d%H%M%S.%f" if "." in text else "%Y%m%d%H%M%S"
    return datetime.strptime(text, form).replace(tzinfo=UTC)


def _is_named(identity: der.Value, certificate: Any) -> bool:
    """Whether a signer's issuer and serial number, or key identifier, are those of a certificate."""
    if identity.tag == 0x80:
        extension = module("x509").SubjectKeyIdentifier
        return certificate.extensions.get_extension_for_class(extension).value.digest == identity.content
    issuer, serial = identity.parts
    return serial.number == certificate.serial_number and issuer.whole == certificate.issuer.public_bytes()


def _require_attributes(attributes: der.Value, hashing: der.Value, content: bytes, certificate: Any) -> None:
    """The signed attributes are about this content and this certificate."""
    values = {part.parts[0].name: part.parts[1].parts[0] for part in attributes.parts}
    if values[CONTENT_TYPE].name != TST_INFO:
        raise _wrong("was signed as something else than a time stamp")
    name = HASHES[hashing.parts[0].name]
    if values[MESSAGE_DIGEST].content != hashlib.new(name, content).digest():
        raise _wrong("was changed after the authority signed it")
    encoding = module("hazmat.primitives.serialization").Encoding.DER
    own = certificate.public_bytes(encoding)
    if CERTIFICATE_2 in values:
        first = values[CERTIFICATE_2].parts[0].parts[0].parts
        named = HASHES[first[0].parts[0].name] if first[0].tag == der.SEQUENCE else "sha256"
        digest = next(part for part in first if part.tag == der.OCTETS).content
    elif CERTIFICATE_1 in values:
        named, digest = "sha1", values[CERTIFICATE_1].parts[0].parts[0].parts[0].content
    else:
        raise _wrong("does not name the certificate it was signed with")
    if hashlib.new(named, own).digest() != digest:
        raise _wrong("names another certificate than the one inside")


def _verify(certificate: Any, signature: bytes, data: bytes, hashed: str) -> None:
    """Check a signature by the key of a certificate: RSA, elliptic curve or Ed25519."""
    algorithm = getattr(module("hazmat.primitives.hashes"), hashed.upper())()
    asymmetric = "hazmat.primitives.asymmetric."
    key = certificate.public_key()
    try:
        if isinstance(key, module(asymmetric + "rsa").RSAPublicKey):
            key.verify(signature, data, module(asymmetric + "padding").PKCS1v15(), algorithm)
        elif isinstance(key, module(asymmetric + "ec").EllipticCurvePublicKey):
            key.verify(signature, data, module(asymmetric + "ec").ECDSA(algorithm))
        else:
            key.verify(signature, data)
    except module("exceptions").InvalidSignature as error:
        raise _wrong("is not signed by the certificate inside") from error


def _require_fit(certificate: Any, moment: datetime) -> None:
    x509 = module("x509")
    try:
        usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
    except x509.ExtensionNotFound as error:
        raise _wrong("is signed by a certificate that is not for time stamps") from error
    if [use.dotted_string for use in usage.value] != [TIME_STAMPING] or not usage.critical:
        raise _wrong("is signed by a certificate that is not for time stamps alone")
    if not certificate.not_valid_before_utc <= moment <= certificate.not_valid_after_utc:
        raise _wrong("is signed by a certificate that was not valid then")


def _leads_to(certificate: Any, others: list[Any], roots: list[Any], moment: datetime) -> bool:
    """Whether a chain of certificates, valid then, leads to one that was given. Raises FileError where roots were given
    and none is reached."""
    current = certificate
    for _ in range(LONGEST_CHAIN):
        if any(current == root for root in roots):
            return True
        issuer = next(
            (other for other in [*roots, *others] if other != current and _issued(other, current)), None
        )
        if issuer is None:
            break
        if not issuer.not_valid_before_utc <= moment <= issuer.not_valid_after_utc:
            raise _wrong("leads to a certificate that was not valid then")
        current = issuer
    if roots:
        raise _wrong("does not come from the authority whose certificate was given")
    return False


def _issued(issuer: Any, certificate: Any) -> bool:
    """Whether a certificate authority's certificate has signed another one."""
    x509 = module("x509")
    try:
        certificate.verify_directly_issued_by(issuer)
        return issuer.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except (x509.ExtensionNotFound, module("exceptions").InvalidSignature, ValueError, TypeError):
        return False


def _certificate(path: Path) -> Any:
    """A certificate in PEM or DER. Raises FileError."""
    x509, data = module("x509"), strict_json.read_bytes(path, LARGEST)
    try:
        is_pem = data.lstrip().startswith(b"-----")
        return x509.load_pem_x509_certificate(data) if is_pem else x509.load_der_x509_certificate(data)
    except ValueError as error:
        remedy = "Give the authority's certificate as PEM or DER"
        raise FileError("is no certificate", path=path, remedy=remedy) from error
