"""The limit of memory of a simulation process: by the system on Linux, by a look at itself elsewhere."""

import subprocess
import sys

import pytest

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the system's limit holds on Linux only")


def outcome(code: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)


@pytest.mark.long
@LINUX
def test_the_system_refuses_more_and_mapped_files_do_not_count(tmp_path):
    """1 GB allowed: 0.8 GB can be had, 0.8 GB more cannot; a mapped file of 4 GB can be had beside it."""
    code = f"""
import numpy as np
from mannequin.jobs import memory
assert memory.limit(1_000_000_000) == 1_000_000_000
first = np.ones(100_000_000)
mapped = np.memmap({str(tmp_path / "file")!r}, mode="w+", shape=(4_000_000_000,), dtype="u1")
again = np.memmap({str(tmp_path / "file")!r}, mode="r", shape=(4_000_000_000,), dtype="u1")
try:
    second = np.ones(100_000_000)
except MemoryError:
    print("refused:", memory.exceeded_text())
"""
    done = outcome(code)
    assert done.stdout.startswith(
        "refused: the simulation process needs more memory than it may take (it may take 1 GB)"
    )


def test_three_quarters_of_what_is_free_is_usual(monkeypatch):
    from mannequin.jobs import memory

    monkeypatch.setattr(memory, "_limit_by_system", lambda allowed: True)
    monkeypatch.setattr(memory, "free_memory", lambda: 8_000_000_000)
    assert memory.limit() == 6_000_000_000
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    assert memory.limit() is None


def test_where_the_system_does_not_limit_the_process_ends_itself_with_the_reason():
    code = """
import numpy as np
from mannequin.jobs import memory
memory._limit_by_system = lambda allowed: False
memory.limit(1_000_000_000)
memory.end_where_exceeded()
big = np.ones(140_000_000)
memory.end_where_exceeded()
print("still here")
"""
    done = outcome(code)
    assert done.returncode == 1 and "still here" not in done.stdout
    assert done.stderr.strip().splitlines()[-1].startswith("the simulation process needs more memory")


@LINUX
def test_a_job_without_memory_is_a_failure_in_words():
    from mannequin.jobs import protocol
    from mannequin.jobs.server import Server

    def work(request, task):
        raise MemoryError

    server = Server.__new__(Server)
    server.dropped = set()
    answer = server._do(protocol.WriteReport(7, "run"), work)
    assert isinstance(answer, protocol.Failed) and "needs more memory" in answer.message
