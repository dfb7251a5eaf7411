"""RFC 3161: OpenSSL, another program, reads our query and is the authority whose answers we check; and forged ones."""

import hashlib
import shutil
import subprocess
from datetime import UTC, datetime, timedelta

import pytest
from vouched_run import make_run

from mannequin.__main__ import main
from mannequin.commands import EXIT_MISMATCH, EXIT_OK
from mannequin.evidence.signing import der, time_stamp
from mannequin.io_json.errors import FileError

DATA = b"what the stamp is about\n"


# --- an authority of our own, put together by hand with `cryptography` -----------------------------------------------


def make_certificate(name, issuer=None, *, is_authority=False, usage=None, days=(-10, 1000)):
    """A certificate and its key; `issuer` is such a pair."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer[0].subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + timedelta(days=days[0]))
        .not_valid_after(now + timedelta(days=days[1]))
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
    )
    if usage:
        builder = builder.add_extension(x509.ExtendedKeyUsage([x509.ObjectIdentifier(usage)]), critical=True)
    return builder.sign(issuer[1] if issuer else key, hashes.SHA256()), key


def encoded(certificate):
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.DER)


def algorithm(name):
    return der.sequence([der.identifier(name)])


def attribute(name, value):
    return der.sequence([der.identifier(name), der.write(der.SET, value)])


def answer(data, signer, others=(), moment=None, status=0, named=None):
    """A TimeStampResp about some bytes."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    certificate, key = signer
    moment = moment or datetime.now(UTC)
    imprint = der.sequence(
        [algorithm(time_stamp.SHA256), der.write(der.OCTETS, hashlib.sha256(data).digest())]
    )
    when = der.write(der.GENERAL_TIME, f"{moment:%Y%m%d%H%M%S}Z".encode())
    info = der.sequence([der.integer(1), der.identifier("1.2.3.4.1"), imprint, der.integer(7), when])
    mark = der.write(der.OCTETS, hashlib.sha256(encoded(named or certificate)).digest())
    attributes = b"".join(
        [
            attribute(time_stamp.CONTENT_TYPE, der.identifier(time_stamp.TST_INFO)),
            attribute(time_stamp.MESSAGE_DIGEST, der.write(der.OCTETS, hashlib.sha256(info).digest())),
            attribute(time_stamp.CERTIFICATE_2, der.sequence([der.sequence([der.sequence([mark])])])),
        ]
    )
    signature = key.sign(der.write(der.SET, attributes), ec.ECDSA(hashes.SHA256()))
    identity = der.sequence([certificate.issuer.public_bytes(), der.integer(certificate.serial_number)])
    signed = der.sequence(
        [
            der.integer(1),
            identity,
            algorithm(time_stamp.SHA256),
            der.write(0xA0, attributes),
            algorithm("1.2.840.10045.4.3.2"),
            der.write(der.OCTETS, signature),
        ]
    )
    body = der.sequence(
        [
            der.integer(3),
            der.write(der.SET, algorithm(time_stamp.SHA256)),
            der.sequence([der.identifier(time_stamp.TST_INFO), der.write(0xA0, der.write(der.OCTETS, info))]),
            der.write(0xA0, encoded(certificate), *map(encoded, others)),
            der.write(der.SET, signed),
        ]
    )
    token = der.sequence([der.identifier(time_stamp.SIGNED_DATA), der.write(0xA0, body)])
    return der.sequence([der.sequence([der.integer(status)]), token])


@pytest.fixture(scope="module")
def root():
    return make_certificate("Root", is_authority=True)


@pytest.fixture(scope="module")
def stamper(root):
    return make_certificate("Stamping Unit", root, usage=time_stamp.TIME_STAMPING)


@pytest.fixture
def root_file(root, tmp_path):
    from cryptography.hazmat.primitives.serialization import Encoding

    path = tmp_path / "root.pem"
    path.write_bytes(root[0].public_bytes(Encoding.PEM))
    return path


def test_an_answer_is_accepted_and_says_who_and_when(stamper, root_file):
    moment = datetime.now(UTC).replace(microsecond=0)
    found = time_stamp.check(answer(DATA, stamper, moment=moment), DATA, [root_file])
    assert (found.moment, found.authority, found.is_proved) == (moment, "Stamping Unit", True)
    unknown = time_stamp.check(answer(DATA, stamper, moment=moment), DATA)
    assert not unknown.is_proved and "not held against" in unknown.text


def test_what_is_wrong_with_an_answer_is_named(root, stamper, root_file):
    web = make_certificate("Web", root, usage="1.3.6.1.5.5.7.3.1")
    expired = make_certificate("Old", root, usage=time_stamp.TIME_STAMPING, days=(-30, -20))
    stranger = make_certificate("Stranger", usage=time_stamp.TIME_STAMPING)
    leaf = make_certificate("Not an authority", root)
    below = make_certificate("Below", leaf, usage=time_stamp.TIME_STAMPING)
    cases = {
        "another file": answer(b"other", stamper),
        "not for time stamps": answer(DATA, web),
        "not valid then": answer(DATA, expired),
        "whose certificate was given": answer(DATA, stranger),
        "whose certificate": answer(DATA, below, others=[leaf[0]]),
        "refusal": answer(DATA, stamper, status=2),
        "another certificate": answer(DATA, stamper, named=root[0]),
        "not signed by the certificate": answer(DATA, (stamper[0], stranger[1])),
        "no signed data": b"0\x03\x06\x01\x00",
        "no DER": b"hello",
    }
    for message, data in cases.items():
        with pytest.raises(FileError, match=message):
            time_stamp.check(data, DATA, [root_file])


def test_every_changed_byte_of_an_answer_is_noticed(stamper, root_file):
    good = answer(DATA, stamper)
    accepted = []
    for at in range(len(good)):
        changed = bytearray(good)
        changed[at] ^= 1
        try:
            found = time_stamp.check(bytes(changed), DATA, [root_file])
        except FileError:
            continue
        accepted.append((at, found))
    # what no signature covers by design: status words, and identifiers of algorithms beside the signature
    original = time_stamp.check(good, DATA, [root_file])
    assert len(accepted) < 60 and all(found == original for _, found in accepted)


def test_a_run_keeps_its_time_stamp(tmp_path, monkeypatch, stamper, root_file, capsys):
    folder = make_run(tmp_path / "out", monkeypatch)
    (tmp_path / "answer.tsr").write_bytes(answer((folder / "manifest.json").read_bytes(), stamper))
    given = ["--authority", str(root_file)]
    assert main(["sign", str(folder), "--time-stamp", str(tmp_path / "answer.tsr"), *given]) == EXIT_OK
    assert main(["verify", str(folder), *given]) == EXIT_OK
    assert "by 'Stamping Unit'" in capsys.readouterr().out
    (kept,) = folder.glob("*.tsr")
    kept.write_bytes(answer(b"another manifest", stamper))
    assert main(["verify", str(folder), *given]) == EXIT_MISMATCH
    assert "is about another file" in capsys.readouterr().out


# --- OpenSSL as the authority ----------------------------------------------------------------------------------------

CONFIGURATION = """
[ req ]
distinguished_name = name
[ name ]
[ root ]
basicConstraints = critical, CA:true
[ stamping ]
basicConstraints = critical, CA:false
extendedKeyUsage = critical, timeStamping
[ tsa ]
default_tsa = config
[ config ]
dir = .
serial = ./serial
signer_cert = ./tsa.pem
certs = ./root.pem
signer_key = ./tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
crypto_device = builtin
"""


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the openssl program as another authority")
@pytest.mark.parametrize("kind", ["rsa:2048", "ec"])
def test_openssl_reads_our_query_and_we_read_its_answer(tmp_path, kind):
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "ca.cnf").write_text(CONFIGURATION)
    (tmp_path / "serial").write_text("01")
    (tmp_path / "data").write_bytes(DATA)
    (tmp_path / "query.tsq").write_bytes(time_stamp.request(DATA))
    new = ["-newkey", kind, *(["-pkeyopt", "ec_paramgen_curve:P-256"] if kind == "ec" else []), "-nodes"]
    common = ["-config", "ca.cnf", "-days", "30"]
    openssl(
        "req",
        "-x509",
        *new,
        *common,
        "-extensions",
        "root",
        "-subj",
        "/CN=Root",
        "-keyout",
        "root.key",
        "-out",
        "root.pem",
    )
    openssl("req", *new, "-config", "ca.cnf", "-subj", "/CN=Unit", "-keyout", "tsa.key", "-out", "tsa.csr")
    signed = ["-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-days", "30"]
    openssl(
        "x509",
        "-req",
        "-in",
        "tsa.csr",
        *signed,
        "-extfile",
        "ca.cnf",
        "-extensions",
        "stamping",
        "-out",
        "tsa.pem",
    )
    openssl(
        "ts",
        "-reply",
        "-queryfile",
        "query.tsq",
        "-config",
        "ca.cnf",
        "-section",
        "config",
        "-out",
        "answer.tsr",
    )
    found = time_stamp.check((tmp_path / "answer.tsr").read_bytes(), DATA, [tmp_path / "root.pem"])
    assert found.is_proved and found.authority == "Unit"
    assert abs((found.moment - datetime.now(UTC)).total_seconds()) < 600.0
    with pytest.raises(FileError, match="another file"):
        time_stamp.check((tmp_path / "answer.tsr").read_bytes(), b"x", [tmp_path / "root.pem"])
