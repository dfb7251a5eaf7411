"""The second process that compiles at the first use: what it leaves alone, and that nothing comes of it but code."""

import os
import signal
import subprocess
import time

import pytest
from processes import lives

from mannequin.engine.jit.cache_folder import VARIABLE
from mannequin.engine.jit.decorators import IS_COMPILED
from mannequin.engine.jit.entries import read_entry
from mannequin.engine.jit.late import LateKernel, LeftToOthers
from mannequin.jobs import beside, interpreter

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the engine runs interpreted")
PATIENCE = 300.0
LOOP = "step.loop.advance"


def test_a_kernel_left_to_others_is_neither_compiled_nor_loaded():
    kernel = LateKernel(lambda: None, 0, 0)
    with kernel.left_to_others(), pytest.raises(LeftToOthers):
        kernel.address()
    with pytest.raises(ZeroDivisionError), kernel.left_to_others():
        raise ZeroDivisionError
    assert not kernel._is_left


def test_no_second_process_on_one_core_or_where_none_can_be_started(monkeypatch):
    monkeypatch.setattr(beside.os, "cpu_count", lambda: 1)
    assert beside.start_compiling_beside() is None
    monkeypatch.setattr(beside.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(interpreter, "command", lambda *words: ["/no/such/python"])
    assert beside.start_compiling_beside() is None


def test_it_ends_with_its_input(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))  # empty: it would compile for half a minute
    process = beside.start_compiling_beside()
    number, folder = process.id, process.folder
    process.close()
    assert not process.is_running and not folder.exists()
    assert not is_listed(number), "not even as a process whose end nobody has asked for"


def test_it_ends_with_the_program_that_started_it(tmp_path):
    """That program ends without closing it, by itself or killed."""
    start = (
        "from mannequin.jobs.beside import start_compiling_beside\n"
        "process = start_compiling_beside()\n"
        "print(process.id, flush=True)\n"
    )
    for end in ("", "import os; os.kill(os.getpid(), 9)"):
        ended = subprocess.run(
            [interpreter.python(), "-c", start + end],
            stdout=subprocess.PIPE,
            env={**interpreter.environment(), VARIABLE: str(tmp_path)},
        )
        number = int(ended.stdout)
        wait_for(lambda number=number: not lives(number))


def test_a_failure_is_told_with_its_reason(monkeypatch):
    words = [
        interpreter.python(),
        "-c",
        "raise SystemExit('warmup: the engine cannot be loaded: the reason')",
    ]
    monkeypatch.setattr(interpreter, "command", lambda *_: words)
    process = beside.start_compiling_beside()
    wait_for(lambda: not process.is_running)
    number = process.id
    assert not is_listed(number)
    assert process.fault == (
        "the compiling process has ended (warmup: the engine cannot be loaded: the reason)"
    )
    process.close()


def test_it_ends_well_by_itself_while_its_input_goes_on():
    code = "from mannequin.jobs.server import end_with_input; end_with_input(); print('done')"
    process = subprocess.Popen(
        [interpreter.python(), "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert (process.wait(60.0), process.stdout.read()) == (0, b"done\n")


def is_listed(number):
    """Whether the system knows a process of this number, be it one that has ended."""
    return os.path.exists(f"/proc/{number}")


def wait_for(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)


def code_in(folder):
    """Names of the kernels whose code is kept below a folder."""
    return sorted(path.name.rpartition("-")[0] for path in folder.rglob("*.code"))


@pytest.mark.slow
def test_a_killed_process_and_two_at_once_leave_each_kernel_once_and_whole(monkeypatch, tmp_path):
    """Two Blenders that start at once, after a third that was killed while it compiled."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    killed = beside.start_compiling_beside()
    wait_for(lambda: code_in(tmp_path))
    os.kill(killed.id, signal.SIGKILL)
    killed.close()
    command = interpreter.command("warmup", "--beside")
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, env=interpreter.environment()) for _ in range(2)]
    assert [process.wait(PATIENCE) for process in both] == [0, 0]
    found = code_in(tmp_path)
    assert len(set(found)) == len(found) and LOOP not in found
    wanted = {"write_rows", "forward_and_backward", "muscle_forces", "respond", "tyre_forces", "drive"}
    assert wanted <= {name.rpartition(".")[2] for name in found}
    for path in tmp_path.rglob("*.code"):
        read_entry(path)  # raises where it is damaged
