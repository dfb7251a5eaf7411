"""The journal keeps every finished run once, whatever happens to the process or the file."""

import tracemalloc
import zlib

import pytest
from thrown_ball import make_throw_plan

from mannequin.io_json.errors import FileError
from mannequin.sweeps.bench import Row
from mannequin.sweeps.conduct import conduct
from mannequin.sweeps.journal import Journal
from mannequin.sweeps.table import write_tables


def row(index):
    return Row(index, "completed", (0.1 * index, None, True, "man/head"), "", "é")


def filled(path, indices, runs=10):
    with Journal(path, "plan", runs) as journal:
        journal.append(row(index) for index in indices)
    return path


def test_rows_come_back_by_number(tmp_path):
    path = filled(tmp_path / "j", [3, 0, 9])
    with Journal(path, "plan", 10) as journal:
        assert list(journal.rows()) == [row(0), row(3), row(9)]
        assert journal.missing().tolist() == [1, 2, 4, 5, 6, 7, 8]
        assert journal.row(3) == row(3) and journal.row(4) is None


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_line_cut_short_is_made_again(tmp_path, cut):
    path = filled(tmp_path / "j", [3, 0])
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    with Journal(path, "plan", 10) as journal:
        assert journal.done == 1 and journal.damaged == 0
        journal.append([row(0)])
    assert path.read_bytes() == data


def test_every_possible_cut_leaves_whole_rows_only(tmp_path):
    data = filled(tmp_path / "j", [2, 1]).read_bytes()
    for size in range(len(data)):
        path = tmp_path / "cut"
        path.write_bytes(data[:size])
        with Journal(path, "plan", 10) as journal:
            assert all(found == row(found.index) for found in journal.rows())
            journal.append([row(1), row(2)])
            assert list(journal.rows()) == [row(1), row(2)]


def test_changed_byte_is_noticed(tmp_path):
    path = filled(tmp_path / "j", [3, 0, 9])
    data = bytearray(path.read_bytes())
    data[data.index(b"0.30") + 2] ^= 1
    path.write_bytes(data)
    with Journal(path, "plan", 10) as journal:
        assert (journal.damaged, journal.done) == (1, 2)
        assert 3 in journal.missing()


def test_row_is_kept_once(tmp_path):
    path = filled(tmp_path / "j", [3, 3])
    assert path.read_bytes().count(b"\n") == 2


def test_other_sweep_is_refused(tmp_path):
    path = filled(tmp_path / "j", [3])
    with pytest.raises(FileError, match="another sweep"):
        Journal(path, "another plan", 10)


def test_second_process_is_refused(tmp_path):
    with Journal(tmp_path / "j", "plan", 10), pytest.raises(FileError, match="another process"):
        Journal(tmp_path / "j", "plan", 10)


class Made:
    """A runner whose rows are made up at once."""

    def results(self, items):
        values = (1.5, 2.5, True, False, "man/head", 0.0, 0.0, 0.1, "")
        for item in items:
            yield [(item, Row(item[0], "completed", values, "A" * 80))]

    def alone(self, item):
        raise AssertionError

    def close(self):
        pass


def peak(tmp_path, runs):
    """Bytes of the largest use of memory while that many runs are conducted and written, the plan not counted."""
    plan = make_throw_plan(runs=runs)
    folder = tmp_path / str(runs)
    folder.mkdir()
    tracemalloc.start()
    with Journal(folder / "journal.txt", "plan", runs) as journal:
        assert conduct(plan, journal, Made())
        write_tables(plan, journal, folder)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (folder / "table.csv").read_bytes().count(b"\n") == runs + 1
    return used


@pytest.mark.long
def test_memory_grows_by_bytes_per_run_not_by_rows(tmp_path):
    # Whether the garbage collector comes just before or after the peak is worth 0.2 MB, so the runs must be many: a
    # row that is kept costs over 500 bytes.
    peak(tmp_path, 2500)  # imports
    growth = (peak(tmp_path, 36000) - peak(tmp_path, 4000)) / 32000
    assert growth < 40.0, f"{growth:.0f} bytes a run: at 100,000 runs that is {growth / 10:.0f} MB"


@pytest.mark.parametrize(
    "text",
    [b"{", b"[" * 100_000, b"null", b"7", b"{}", b"[]", b'["a","completed",[],"",""]', b"[true,1,2,3,4]"]
    + [b'[-1,"completed",[],"",""]', b'[1e9,"completed",[],"",""]', b'[1,"completed",{},"",""]']
    + [b'[1,"completed",[[1]],"",""]', b'[99999,"completed",[],"",""]', b'[1,null,[],"",""]', b"\xff"],
)
def test_a_line_with_a_right_checksum_and_no_row_in_it_is_damaged(tmp_path, text):
    path = filled(tmp_path / "j", [3])
    path.write_bytes(path.read_bytes() + b"%08x %s\n" % (zlib.crc32(text), text))
    with Journal(path, "plan", 10) as journal:
        assert journal.damaged == 1 and list(journal.rows()) == [row(3)]
