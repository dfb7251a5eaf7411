"""A recording reads back exactly and never through pickle."""

import io
import json
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from synthetic_run import make_recording

from mannequin.analysis.files import recording_file
from mannequin.analysis.files.recording_file import (
    compare_recordings,
    read_recording,
    split_recording,
    write_recording,
)
from mannequin.analysis.files.recording_folder import read_recording_folder, write_recording_folder
from mannequin.io_json.errors import FileError


def recording_bytes(recording):
    buffer = io.BytesIO()
    write_recording(recording, buffer)
    return buffer.getvalue()


def test_reads_back_to_the_last_bit(tmp_path):
    recording = make_recording(30)
    recording.body_names = ("pelvis", "Kopf ä\u2028", "")
    recording.contact_history = np.ones(3, dtype=[("time", "f8"), ("pair", "i4", (2,))])
    recording.status, recording.message = "cancelled", "stopped"
    path = tmp_path / "a.npz"
    path.write_bytes(recording_bytes(recording))
    again = read_recording(path)
    assert compare_recordings(recording, again) == {}
    assert again.contacts.dtype == recording.contacts.dtype
    assert isinstance(again.actor_names, tuple) and isinstance(again.warnings, list)
    assert recording_bytes(again) == recording_bytes(recording)


def test_arrays_that_deflate_hardly_shrinks_are_stored_as_they_are(tmp_path):
    """Noise cannot be packed, zeros can; both read back, and by NumPy's own reader too."""
    recording = make_recording(20_000)
    recording.velocity = np.random.default_rng(0).normal(size=recording.velocity.shape)
    recording.contact_force = np.zeros_like(recording.contact_force)
    path = tmp_path / "a.npz"
    path.write_bytes(recording_bytes(recording))
    with zipfile.ZipFile(path) as archive:
        kinds = {entry.filename: entry.compress_type for entry in archive.infolist()}
    assert kinds["velocity.npy"] == zipfile.ZIP_STORED
    assert kinds["contact_force.npy"] == kinds["header.npy"] == zipfile.ZIP_DEFLATED
    assert compare_recordings(recording, read_recording(path)) == {}
    with np.load(path) as arrays:
        assert np.array_equal(arrays["velocity"], recording.velocity)


def test_names_are_plain_arrays_for_whoever_opens_the_file(tmp_path):
    recording = make_recording(3)
    path = tmp_path / "a.npz"
    path.write_bytes(recording_bytes(recording))
    with np.load(path, allow_pickle=False) as archive:
        assert tuple(archive["body_names"]) == recording.body_names
        assert tuple(archive["joint_names"]) == recording.joint_names


def test_names_in_the_header_as_in_format_1_are_read(tmp_path):
    recording = make_recording(3)
    header, arrays = split_recording(recording)
    for name in [name for name, array in arrays.items() if array.dtype.kind == "U"]:
        header["fields"][name] = arrays.pop(name).tolist()
    header["format_version"] = 1
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(tmp_path / "old.npz", **arrays)
    assert compare_recordings(recording, read_recording(tmp_path / "old.npz")) == {}


@pytest.mark.parametrize(
    "missing", [("joined_force", "joined_time"), ("share", "joined_force", "joined_time")]
)
def test_events_of_before_have_their_own_force_each(tmp_path, missing):
    """Files written before contacts shared forces have no `share`; before they were joined, no joined force."""
    recording = make_recording(10)
    names = [name for name in recording.contacts.dtype.names if name not in missing]
    old = np.zeros(
        len(recording.contacts), dtype=[d for d in recording.contacts.dtype.descr if d[0] in names]
    )
    for name in names:
        old[name] = recording.contacts[name]
    recording.contacts = old
    path = tmp_path / "old.npz"
    path.write_bytes(recording_bytes(recording))
    again = read_recording(path).contacts
    assert (again["share"] == 1.0).all() if "share" in missing else (again["share"] == old["share"]).all()
    assert (again["joined_force"] == old["peak_force"]).all()
    for name in names:
        assert np.array_equal(again[name], old[name], equal_nan=old[name].dtype.kind == "f")


def test_differences_are_named(tmp_path):
    one, two = make_recording(10), make_recording(10)
    two.velocity[4, 1, 2] += 1e-3
    two.contacts["energy"][1] += 2.0
    two.status = "diverged"
    reported = compare_recordings(one, two)
    assert set(reported) == {"velocity", "contacts", "status"}
    assert "0.001" in reported["velocity"] and "2" in reported["contacts"]
    two.velocity[4, 1, 2] = np.nan
    assert "inf" in compare_recordings(one, two)["velocity"]


def test_negative_zero_is_a_difference_of_bits_but_not_of_size():
    one, two = make_recording(5), make_recording(5)
    two.contact_torque[:] = -0.0
    assert compare_recordings(one, two) == {"contact_torque": "largest difference 0"}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"nonsense" * 50])
def test_damaged_files_are_refused_by_name(tmp_path, content):
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(FileError, match="bad.npz"):
        read_recording(path)


def test_cut_file_is_refused(tmp_path):
    path = tmp_path / "cut.npz"
    path.write_bytes(recording_bytes(make_recording(30))[:-200])
    with pytest.raises(FileError, match="cut.npz"):
        read_recording(path)


def test_pickled_content_is_refused(tmp_path):
    path = tmp_path / "evil.npz"
    np.savez(path, header=np.array([{"a": 1}], dtype=object))
    with pytest.raises(FileError, match="evil.npz"):
        read_recording(path)


def test_foreign_archive_is_refused(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, header=np.frombuffer(b'{"format": "else"}', dtype=np.uint8))
    with pytest.raises(FileError, match="not a Mannequin recording"):
        read_recording(path)


def archive_bytes(**changes):
    """A recording's archive with entries replaced by raw bytes; None leaves one out."""
    source = zipfile.ZipFile(io.BytesIO(recording_bytes(make_recording(10))))
    entries = {name: source.read(name) for name in source.namelist()}
    entries |= {name if "." in name else f"{name}.npy": data for name, data in changes.items()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            if data is not None:
                archive.writestr(name, data)
    return buffer.getvalue()


def array_bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def header_bytes(change):
    header, _ = split_recording(make_recording(10))
    change(header)
    return array_bytes(np.frombuffer(json.dumps(header).encode(), dtype=np.uint8))


def terabyte_shape():
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        buffer, {"descr": "<f8", "fortran_order": False, "shape": (10**6, 10**6)}
    )
    return buffer.getvalue() + bytes(80)


def damaged_deflate():
    data = bytearray(archive_bytes())
    data[200:260] = b"\xff" * 60
    return bytes(data)


BROKEN = {
    "damaged deflate": damaged_deflate,
    "bare array": lambda: array_bytes(np.zeros(3)),
    "no header": lambda: archive_bytes(header=None),
    "missing array": lambda: archive_bytes(position=None),
    "header without fields": lambda: archive_bytes(header=header_bytes(lambda h: h.pop("fields"))),
    "listed fields": lambda: archive_bytes(header=header_bytes(lambda h: h.update(fields=[1, 2]))),
    "names of another kind": lambda: archive_bytes(
        header=header_bytes(lambda h: h["fields"].update(body_names=[1, 2, 3]))
    ),
    "a number as text": lambda: archive_bytes(header=header_bytes(lambda h: h["fields"].update(steps="x"))),
    "a text as list": lambda: archive_bytes(header=header_bytes(lambda h: h["fields"].update(status=["x"]))),
    "an array in the header": lambda: archive_bytes(
        position=None, header=header_bytes(lambda h: h["fields"].update(position=[[1.0]]))
    ),
    "too many names": lambda: archive_bytes(
        header=header_bytes(lambda h: h["fields"].update(body_names=["a"] * 9))
    ),
    "deep header": lambda: archive_bytes(header=array_bytes(np.frombuffer(b"[" * 100_000, dtype=np.uint8))),
    "deep array header": lambda: archive_bytes(times=b"\x93NUMPY\x01\x00\x10\x27" + b"(" * 10_000),
    "terabyte shape": lambda: archive_bytes(position=terabyte_shape()),
    "texts for numbers": lambda: archive_bytes(times=array_bytes(np.array(["a"] * 10))),
    "another shape": lambda: archive_bytes(quaternion=array_bytes(np.zeros((10, 3)))),
    "indices beyond": lambda: archive_bytes(body_actor=array_bytes(np.array([0, 0, 9]))),
    "contacts without members": lambda: archive_bytes(contacts=array_bytes(np.zeros(2))),
    "version of a list": lambda: archive_bytes(header=header_bytes(lambda h: h.update(format_version=[1]))),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_only_the_documented_error_comes_out(tmp_path, kind):
    path = tmp_path / "bad.npz"
    path.write_bytes(BROKEN[kind]())
    with pytest.raises(FileError, match="bad.npz"):
        read_recording(path)


def test_foreign_entries_are_not_looked_at(tmp_path):
    path = tmp_path / "more.npz"
    path.write_bytes(archive_bytes(**{"note.txt": b"hello", "later_field": b"no array"}))
    assert compare_recordings(make_recording(10), read_recording(path)) == {}


def test_a_recording_beyond_the_free_memory_is_refused_with_numbers(tmp_path, monkeypatch):
    path = tmp_path / "big.npz"
    path.write_bytes(archive_bytes())
    monkeypatch.setattr(recording_file, "free_memory", lambda: 1000)
    with pytest.raises(FileError, match="GB of memory are free"):
        read_recording(path)


@pytest.mark.parametrize("name, content", [("header.json", b"[" * 100_000), ("position.npy", b"\x93NUMPY")])
def test_a_damaged_folder_between_processes_is_refused(name, content):
    owner = tempfile.TemporaryDirectory()
    write_recording_folder(make_recording(10), Path(owner.name))
    (Path(owner.name) / name).write_bytes(content)
    with pytest.raises(FileError):
        read_recording_folder(owner)
