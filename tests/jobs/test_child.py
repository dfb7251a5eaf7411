"""A child process of scripts made for it: what it says and prints, how it ends, and that nonsense ends it."""

import os
import sys
import time

import pytest

from mannequin.jobs import child as child_module
from mannequin.jobs import protocol
from mannequin.jobs.child import ChildProcess, ProcessLost

TOP = """
import os, sys, time
folder = sys.argv[1]
answers = open(os.path.join(folder, "answers"), "ab", buffering=0)
"""
READY = 'answers.write(b\'{"kind": "Ready"}\\n\')\n'


@pytest.fixture
def start():
    """Start a child that runs a piece of Python."""
    children = []

    def started(code: str) -> ChildProcess:
        words = [sys.executable, "-c", TOP + code]
        children.append(ChildProcess("the child", lambda folder: [*words, str(folder)], os.environ))
        return children[-1]

    yield started
    for child in children:
        child.close()


def eventually(found, seconds=20.0):
    until = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < until, "did not come"
        time.sleep(0.01)
    return value


def test_answers_are_read_as_they_grow(start):
    child = start(
        'answers.write(b\'{"kind": "Comp\')\n'
        "sys.stdin.readline()\n"
        'answers.write(b\'iling", "parts": 1, "of": 2}\\n{"kind": "Ready"}\\n\')\n'
        "sys.stdin.read()"
    )
    eventually(lambda: (child.folder / "answers").stat().st_size)
    assert list(child.answers()) == [], "half a message is none"
    child.send(protocol.Cancel(1))
    assert eventually(lambda: list(child.answers())) == [protocol.Compiling(1, 2), protocol.Ready()]
    assert list(child.answers()) == [] and child.is_running


def test_answers_that_go_on_in_another_file_are_read_there(start):
    child = start(
        'more = open(os.path.join(folder, "answers-2"), "ab", buffering=0)\n'
        'answers.write(b\'{"kind": "Compiling", "parts": 1, "of": 2}\\n{"kind": "GoesOn", "file": "answers-2"}\\n\')\n'
        'more.write(b\'{"kind": "Ready"}\\n\')\n'
        "sys.stdin.read()"
    )
    heard = []
    eventually(lambda: heard.extend(child.answers()) or len(heard) == 2)
    assert heard == [protocol.Compiling(1, 2), protocol.Ready()] and child.is_running
    assert not (child.folder / "answers").exists()


def test_requests_arrive_as_lines(start):
    child = start(
        "from json import loads, dumps\n"
        "job = loads(sys.stdin.readline())['job']\n"
        "answers.write(dumps({'kind': 'Cancelled', 'job': job}).encode() + b'\\n')\n"
        "sys.stdin.read()"
    )
    child.send(protocol.Cancel(41))
    assert eventually(lambda: list(child.answers())) == [protocol.Cancelled(41)]


@pytest.mark.parametrize("nonsense", [b"hello\n", b'{"kind": "Done"}\n', b"\x00" * 70 + b"\n"])
def test_nonsense_ends_the_child_and_is_quoted(start, nonsense):
    child = start(f"answers.write({nonsense!r})\n" + READY + "sys.stdin.read()")
    eventually(lambda: list(child.answers()) or not child.is_running)
    assert not child.is_running and "sent an answer that is not understood" in child.fault
    with pytest.raises(ProcessLost, match="not understood"):
        child.send(protocol.Cancel(1))
    assert list(child.answers()) == [], "nothing that comes after it is believed"


def test_a_line_without_an_end_ends_the_child(start, monkeypatch):
    monkeypatch.setattr(protocol, "LONGEST", 10_000)
    child = start("while True:\n    answers.write(b'x' * 5000)\n    time.sleep(0.001)")
    eventually(lambda: list(child.answers()) or not child.is_running)
    assert "a line without an end" in child.fault


def test_last_words_say_why_it_ended(start):
    child = start("raise ValueError('the reason')")
    eventually(lambda: not child.is_running)
    assert child.fault == "the child has ended (ValueError: the reason)"
    silent = start("os._exit(7)")
    eventually(lambda: not silent.is_running)
    assert silent.fault == "the child has ended (code 7)"
    assert ProcessLost(silent.fault).sentence == "The child has ended (code 7)."


def test_what_it_prints_is_kept_short(start, monkeypatch):
    monkeypatch.setattr(child_module, "LONGEST_LOG", 20_000)
    monkeypatch.setattr(child_module, "KEPT_OF_LOG", 500)
    monkeypatch.setattr(child_module, "SECONDS_PER_LOG", 0.0)
    child = start(
        "for number in range(30000): print('line', number, file=sys.stderr, flush=True)\n"
        + READY
        + "raise ValueError('the end')"
    )
    largest = 0

    def is_over():
        nonlocal largest
        list(child.answers())
        largest = max(largest, (child.folder / "errors").stat().st_size)
        return not child.is_running

    eventually(is_over)
    assert largest < 150_000, "of 350 kB that were printed"
    assert child.fault == "the child has ended (ValueError: the end)"


def test_its_temporary_files_go_with_it(start):
    code = "import tempfile; open(tempfile.mkdtemp() + '/big', 'wb').write(b'1')\n"
    child = start(code + READY + "sys.stdin.read()")
    eventually(lambda: list(child.answers()))
    assert list(child.folder.glob("*/big"))
    child.close()
    child.close()
    assert not child.folder.exists() and not child.is_running


def test_one_that_does_not_listen_is_killed(start, monkeypatch):
    monkeypatch.setattr(child_module, "SECONDS_TO_END", 0.2)
    child = start(READY + "time.sleep(600)")
    eventually(lambda: list(child.answers()))
    begun = time.monotonic()
    child.close()
    assert not child.is_running and time.monotonic() - begun < 10.0


def test_a_program_that_is_not_there_is_reported(tmp_path):
    with pytest.raises(ProcessLost, match="the child cannot be started .No such file"):
        ChildProcess("the child", lambda folder: [str(tmp_path / "nothing")], os.environ)


def test_no_room_for_its_folder_is_reported(monkeypatch):
    def full():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(child_module, "TemporaryFolder", full)
    with pytest.raises(ProcessLost, match="the child cannot be started .No space left"):
        ChildProcess("the child", lambda folder: [sys.executable], os.environ)


def test_one_that_cannot_be_started_leaves_no_folder(tmp_path):
    folders = []
    with pytest.raises(ProcessLost):
        ChildProcess(
            "the child", lambda folder: folders.append(folder) or [str(tmp_path / "none")], os.environ
        )
    assert len(folders) == 1 and not folders[0].exists()
