"""A case and its log: what breaks the chain is located at its first wrong entry."""

import json
import threading

import pytest
from vouched_run import make_run

from mannequin.__main__ import main
from mannequin.commands import EXIT_MISMATCH, EXIT_OK, EXIT_USAGE
from mannequin.evidence.cases.case import add_exhibit, case_problems, find_case, new_case, read_case
from mannequin.evidence.cases.log import LOG, chain_of, entry_digest
from mannequin.io_json.errors import FileError


@pytest.fixture
def case(tmp_path):
    case = new_case(tmp_path / "case", "4 Js 17/26", "A. Expert", "Fall from a ladder")
    for number in range(6):
        case.log("note", f"thought {number}", details={"value": number})
    return case


def lines_of(case):
    return (case.folder / LOG).read_text("utf-8").splitlines()


def write_lines(case, lines):
    (case.folder / LOG).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def test_a_new_case_is_whole(case):
    found = case.check()
    assert (found.entries, found.problem) == (7, "") and case_problems(case) == []
    first, second, *_ = case.entries()
    assert first["kind"] == "opened" and first["before"] == case.start and second["before"] == first["sha256"]
    with pytest.raises(FileError, match="holds a case already"):
        new_case(case.folder, "1", "x")


@pytest.mark.parametrize("number", range(1, 8))
def test_an_edited_entry_is_located(case, number):
    lines = lines_of(case)
    entry = json.loads(lines[number - 1])
    lines[number - 1] = json.dumps({**entry, "text": "something nicer"}, ensure_ascii=False)
    write_lines(case, lines)
    found = case.check()
    assert found.problem.startswith(f"entry {number}: was changed") and found.entries == number - 1


@pytest.mark.parametrize("number", range(1, 7))
def test_an_edited_entry_with_a_new_digest_is_located_at_the_next(case, number):
    """Its own digest was computed anew; the entry after it still names the old one."""
    lines = lines_of(case)
    entry = {**json.loads(lines[number - 1]), "text": "something nicer"}
    lines[number - 1] = json.dumps({**entry, "sha256": entry_digest(entry)}, ensure_ascii=False)
    write_lines(case, lines)
    assert case.check().problem.startswith(f"entry {number + 1}: does not follow")


def test_entries_taken_out_moved_or_put_in_are_located(case):
    good = lines_of(case)
    for changed, first_wrong in (
        (good[:2] + good[3:], 3),
        ([good[1], good[0], *good[2:]], 1),
        ([*good[:4], good[3], *good[4:]], 5),
        ([*good[:5], "{}", *good[5:]], 6),
        ([*good[:5], good[5][:-3]], 6),
    ):
        found = chain_of(changed, case.start)
        assert found.problem.startswith(f"entry {first_wrong}:"), found


def test_every_changed_byte_of_a_log_is_seen(case):
    path = case.folder / LOG
    good = path.read_bytes()
    for at in range(0, len(good), 3):
        changed = bytearray(good)
        changed[at] ^= 1
        path.write_bytes(changed)
        assert case.check().problem, f"byte {at}"
    path.write_bytes(good)
    (case.folder / "case.json").write_text((case.folder / "case.json").read_text().replace("17/26", "18/26"))
    assert read_case(case.folder).check().problem.startswith("entry 1: does not follow"), (
        "another case number"
    )


def test_entries_cut_off_show_by_a_digest_noted_elsewhere(case):
    head = case.check().head
    write_lines(case, lines_of(case)[:-2])
    assert case_problems(case) == []
    assert "it was cut" in case_problems(case, head)[0]


def test_nothing_is_added_to_a_broken_log(case):
    write_lines(case, lines_of(case)[1:])
    with pytest.raises(FileError, match="entry 1"):
        case.log("note", "more")


def test_many_writers_at_once_make_one_chain(case):
    def write(name):
        for number in range(5):
            case.log("note", f"{name} {number}")

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert case.check().entries == 22 and not case.check().problem


def test_exhibits_are_held_against_their_digests(case):
    (case.folder / "evidence").mkdir()
    photo = case.folder / "evidence" / "photo.jpg"
    photo.write_bytes(b"jpeg")
    add_exhibit(case, photo, "E1", "photograph of the scene")
    assert case.exhibits()["E1"]["path"] == "evidence/photo.jpg" and case_problems(case) == []
    with pytest.raises(FileError, match="new name"):
        add_exhibit(case, photo, "E1")
    photo.write_bytes(b"other")
    assert case_problems(case) == ["exhibit E1 (evidence/photo.jpg): has been changed since it was logged"]


@pytest.mark.long
def test_the_command_line_logs_what_it_does_in_a_case(tmp_path, monkeypatch, capsys, no_curves):
    folder = tmp_path / "case"
    given = ["--number", "17", "--examiner", "A. Expert"]
    assert main(["case", "new", str(folder), *given]) == EXIT_OK
    run = make_run(folder / "runs", monkeypatch)
    assert main(["verify", str(run), "--no-replay"]) == EXIT_OK
    assert main(["report", str(run), "--no-step-check"]) == EXIT_OK
    assert main(["case", "note", str(folder), "--kind", "rejected", "friction 0.9 does not fit"]) == EXIT_OK
    case = find_case(run)
    assert [entry["kind"] for entry in case.entries()] == ["opened", "checked", "exported", "rejected"]
    checked = case.entries()[1]
    assert checked["text"] == "verify, exit code 0" and checked["details"]["no_replay"] is True
    assert checked["files"][0]["path"] == f"runs/{run.name}/manifest.json"
    capsys.readouterr()
    assert main(["case", "verify", str(folder)]) == EXIT_OK
    assert main(["case", "note", str(folder), "--kind", "nonsense", "x"]) == EXIT_USAGE
    write_lines(case, [*lines_of(case)[:2], *lines_of(case)[3:]])
    assert main(["case", "verify", str(folder)]) == EXIT_MISMATCH
    assert "entry 3: does not follow" in capsys.readouterr().out
