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
    process = beside.CompilingBeside()
    number = process.id
    process.close()
    assert not process.is_running and not lives(number)


def test_it_ends_well_by_itself_while_its_input_goes_on():
    code = "from mannequin.jobs.server import end_with_input; end_with_input(); print('done')"
    process = subprocess.Popen(
        [interpreter.python(), "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert (process.wait(60.0), process.stdout.read()) == (0, b"done\n")


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
    killed = beside.CompilingBeside()
    wait_for(lambda: code_in(tmp_path))
    os.kill(killed.id, signal.SIGKILL)
    command = interpreter.command("warmup", "--beside")
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, env=interpreter.environment()) for _ in range(2)]
    assert [process.wait(PATIENCE) for process in both] == [0, 0]
    found = code_in(tmp_path)
    assert len(set(found)) == len(found) and LOOP not in found
    wanted = {"write_rows", "let_decay", "muscle_forces", "respond", "tyre_forces", "drive"}
    assert wanted <= {name.rpartition(".")[2] for name in found}
    for path in tmp_path.rglob("*.code"):
        read_entry(path)  # raises where it is damaged
