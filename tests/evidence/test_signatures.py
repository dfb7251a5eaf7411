"""Signed runs: valid, of another manifest, changed, by another key; and what verify makes of them."""

import json
import stat

import pytest
from vouched_run import make_run

from mannequin.__main__ import main
from mannequin.analysis.files import manifest
from mannequin.analysis.files.run_folder import add_files
from mannequin.commands import EXIT_MISMATCH, EXIT_OK, EXIT_USAGE
from mannequin.evidence.signing import library
from mannequin.evidence.signing.keys import fingerprint, new_key, raw_public, read_key
from mannequin.evidence.signing.signature import check_signatures, sign_run
from mannequin.io_json.errors import FileError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    return make_run(tmp_path / "out", monkeypatch)


@pytest.fixture
def key(tmp_path):
    new_key(tmp_path / "key.pem")
    return read_key(tmp_path / "key.pem")


def test_a_key_is_its_owners_alone_and_never_written_over(tmp_path):
    path = tmp_path / "key.pem"
    mark = new_key(path, "correct horse")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and b"ENCRYPTED" in path.read_bytes()
    assert fingerprint(raw_public(read_key(path, "correct horse"))) == mark
    assert b"PUBLIC KEY" in (tmp_path / "key.pem.pub").read_bytes()
    for wrong in ("", "battery staple"):
        with pytest.raises(FileError, match="passphrase"):
            read_key(path, wrong)
    with pytest.raises(FileError, match="there already"):
        new_key(path)


def test_the_signature_is_one_that_the_library_itself_accepts(folder, key):
    """Of the statement's spelling, by the public key that the file states: checked here without our own code."""
    import base64

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    document = json.loads(sign_run(folder, key, "A. Expert").read_text())
    signature = base64.b64decode(document.pop("signature"))
    spelled = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(document["public_key"])).verify(signature, spelled)
    assert document["manifest_sha256"] == manifest.read(folder)["sha256"]


def test_signing_and_checking_on_the_command_line(folder, tmp_path, capsys):
    assert main(["sign", "--new-key", str(tmp_path / "key.pem")]) == EXIT_OK
    mark = capsys.readouterr().out.split("fingerprint ")[1].strip()
    assert len(mark.replace(" ", "")) == 64
    assert main(["sign", str(folder), "--key", str(tmp_path / "key.pem"), "--signer", "A. Expert"]) == EXIT_OK
    assert mark in capsys.readouterr().out
    assert main(["verify", str(folder), "--signer", mark]) == EXIT_OK
    out = capsys.readouterr().out
    assert "signed by 'A. Expert'" in out and mark in out and "not covered by a digest" not in out
    assert main(["verify", str(folder), "--signer", "ab" * 32]) == EXIT_MISMATCH
    assert "no signature by abab" in capsys.readouterr().out
    assert main(["verify", str(folder), "--signer", "abcd"]) == EXIT_USAGE
    assert main(["sign", str(folder)]) == EXIT_USAGE


def test_a_changed_statement_is_seen_at_every_member(folder, key):
    path = sign_run(folder, key, "A. Expert")
    good = json.loads(path.read_text())
    for name in good:
        path.write_text(json.dumps({**good, name: "x"}))
        assert check_signatures(folder).problems, name
    path.write_text(json.dumps({**good, "more": 1}))
    assert check_signatures(folder).problems


def test_a_run_changed_and_hashed_anew_after_it_was_signed(folder, key, capsys):
    sign_run(folder, key, "A. Expert")
    content = manifest.read(folder)
    content["ended"] = "2027-01-01T00:00:00.000Z"
    (folder / manifest.FILE_NAME).write_bytes(manifest.dumps(content))
    assert main(["verify", str(folder)]) == EXIT_MISMATCH
    assert "is of another manifest" in capsys.readouterr().out


def test_a_signature_covers_what_was_added_before_it(folder, key):
    add_files(folder, "report", {"report.html": b"<p>right</p>"})
    sign_run(folder, key, "A. Expert")
    add_files(folder, "plots", {"plots/a.png": b"png"})
    found = check_signatures(folder)
    assert found.problems == [] and "was added after" in found.notes[0]
    add_files(folder, "report", {"report.html": b"<p>wrong</p>"})
    assert "is not as it was when" in check_signatures(folder).problems[0]


def test_the_forgers_own_signature_is_not_the_demanded_one(folder, key, tmp_path):
    mark = fingerprint(raw_public(key))
    new_key(tmp_path / "other.pem")
    sign_run(folder, read_key(tmp_path / "other.pem"), "A. Expert")
    found = check_signatures(folder, mark)
    assert not found.is_authentic and "no signature by" in found.problems[0]
    sign_run(folder, key, "A. Expert")
    assert check_signatures(folder, mark).is_authentic


def test_without_the_library_verify_says_so(folder, key, monkeypatch):
    sign_run(folder, key, "A. Expert")
    monkeypatch.setattr(library.util, "find_spec", lambda name: None)
    assert "not checked" in check_signatures(folder).notes[0]
    monkeypatch.setattr(library, "import_module", lambda name: (_ for _ in ()).throw(ImportError("no")))
    with pytest.raises(FileError, match=r"mannequin\[signatures\]"):
        library.module("x509")
