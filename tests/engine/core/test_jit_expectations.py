"""Where Numba's private parts are not as expected, the engine compiles without them, says so, and computes the same."""

import hashlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest
from tiny_engine import TinyEngine

from mannequin.engine.jit import decorators as jit
from mannequin.engine.jit import expectations
from mannequin.engine.jit.expectations import CACHING, DISPATCHING, LINKING, Expected, unexpected

pytestmark = pytest.mark.skipif(not jit.IS_COMPILED, reason="the engine is interpreted")

CHANGED_LIBRARY = """
    from numba.core.codegen import CPUCodeLibrary
    finalize = CPUCodeLibrary.finalize
    CPUCodeLibrary.finalize = lambda self, more=None: finalize(self)
"""
CHANGED_CACHE = """
    from numba.core.compiler import CompileResult
    del CompileResult._reduce
"""
CHANGED_DISPATCHER = """
    from numba.core.dispatcher import Dispatcher
    get_call_template = Dispatcher.get_call_template
    Dispatcher.get_call_template = lambda self, args, kws, more=None: get_call_template(self, args, kws)
"""
"""Numbas of which one private part is another, and which work all the same."""


def test_this_numba_is_as_expected():
    assert [unexpected(table) for table in (DISPATCHING, LINKING, CACHING)] == [[], [], []]
    from mannequin.engine.jit import kernels

    assert kernels.IS_LINKED and kernels.IS_CACHED


@pytest.mark.parametrize(
    ("parameters", "mentions", "told"),
    [
        (("self", "args"), (), "some.f takes (self, args, kws) instead of (self, args)"),
        (("self", "args", "kws"), ("_linked", "_cache"), "some.f does not use _linked"),
    ],
)
def test_a_difference_is_told(monkeypatch, parameters, mentions, told):
    def f(self, args, kws):
        self._cache = args

    monkeypatch.setattr(expectations, "import_module", lambda name: SimpleNamespace(f=f))
    assert unexpected((Expected("some:f", parameters, mentions),)) == [f"numba.core.{told}"]
    assert unexpected((Expected("some:f", ("self", "args", "kws"), ("_cache",)),)) == []
    assert unexpected((Expected("some:g", parameters),)) == ["numba.core.some.g is missing"]


def test_a_module_that_is_gone_is_told():
    assert unexpected((Expected("no_such_module:f", ()),)) == ["numba.core.no_such_module.f is missing"]


@pytest.mark.parametrize(
    ("change", "told", "loaded"),
    [
        (CHANGED_LIBRARY, "JITCodeLibrary.finalize takes (self, more) instead of (self)", 1),
        (CHANGED_CACHE, "CompileResult._reduce is missing", 0),
        (CHANGED_DISPATCHER, "get_call_template takes (self, args, kws, more)", 0),
    ],
    ids=["no linking", "no cache", "neither"],
)
def test_without_a_private_part_it_compiles_plainly_and_says_so(tmp_path, change, told, loaded):
    tiny = TinyEngine(tmp_path)
    first, second = tiny.run(change), tiny.run(change)
    assert (first.value, first.hits, second.value, second.hits) == (7.5, 0, 7.5, loaded)
    for answer in (first, second):
        assert answer.errors.count("is not as expected") == 1 and told in answer.errors


def digests() -> list[str]:
    """Of what two runs leave behind: two actors that touch each other and their surroundings, and a muscle at work."""
    from busy_scene import busy_scenario
    from muscle_rigs import hinge_model, pulley_muscle, scenario

    from mannequin.engine import run
    from mannequin.engine.step.frames import FRAME_SHAPES

    found = []
    for case in (busy_scenario(duration=0.2), scenario(hinge_model(pulley_muscle()))):
        recording = run(case)
        assert recording.status == "completed" and recording.frames > 50
        arrays = [getattr(recording, name) for name in ("times", *FRAME_SHAPES, "energy", "contacts")]
        found.append(hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest())
    return found


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_engine_compiled_plainly_gives_the_same_bytes(tmp_path):
    script = textwrap.dedent(CHANGED_LIBRARY) + "from test_jit_expectations import digests\nprint(*digests())"
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ
        | {
            "PYTHONPATH": os.pathsep.join([str(here), str(here.parents[1] / "support")]),
            "MANNEQUIN_CACHE_DIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("is not as expected") == 1, "it was the plain way"
    assert done.stdout.split() == digests()
