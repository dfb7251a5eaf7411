"""A recording reads back exactly and never through pickle."""

import io

import numpy as np
import pytest
from synthetic_run import make_recording

from mannequin.analysis.recording_file import compare_recordings, read_recording, write_recording
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


def test_differences_are_named(tmp_path):
    one, two = make_recording(10), make_recording(10)
    two.velocity[4, 1, 2] += 1e-3
    two.contacts["energy"][1] += 2.0
    two.status = "diverged"
    told = compare_recordings(one, two)
    assert set(told) == {"velocity", "contacts", "status"}
    assert "0.001" in told["velocity"] and "2" in told["contacts"]
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
