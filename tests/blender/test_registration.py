"""Registration: complete, loud when it fails, and without a trace after unregistering."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from blender_process import run_in_blender

SUPPORT = Path(__file__).resolve().parent.parent / "support"

PREAMBLE = f"""
import sys
sys.path.insert(0, {str(SUPPORT)!r})
import bpy
import mannequin
from blender_state import TimerWatch, snapshot
"""


def test_register_twice_leaves_nothing_behind(tmp_path: Path) -> None:
    code = """
before = snapshot()
with TimerWatch() as timers:
    for _ in range(2):
        mannequin.register()
        added = snapshot() - before
        assert "operator:mannequin.system_check" in added, added
        mannequin.unregister()
        left = snapshot() ^ before
        assert not left, sorted(left)
        assert not timers.left(), timers.left()
mannequin.register()
print(bpy.ops.mannequin.system_check())
"""
    assert "FINISHED" in run_in_blender(PREAMBLE + code, tmp_path)


def test_failing_registration_raises_and_takes_back_what_it_did(tmp_path: Path) -> None:
    code = """
from mannequin.operators import system_check
from mannequin.panels import preferences
class Broken:
    pass  # not a Blender class, so registering it fails
before = snapshot()
preferences.CLASSES = (preferences.MANNEQUIN_AP_preferences, Broken)
try:
    mannequin.register()
except Exception as error:
    print("raised", type(error).__name__)
else:
    raise AssertionError("registration must not hide a failure")
assert snapshot() == before, sorted(snapshot() ^ before)
del preferences.CLASSES
mannequin.register()
"""
    assert "raised" in run_in_blender(PREAMBLE + code, tmp_path)


def test_registering_loads_no_library_that_only_some_buttons_need(tmp_path: Path) -> None:
    """SciPy and Matplotlib take as long to load as all of the extension: they wait for the first sweep or plot."""
    code = """
mannequin.register()
print(sorted({"scipy.stats", "matplotlib"} & set(sys.modules)))
"""
    assert run_in_blender(PREAMBLE + code, tmp_path).splitlines()[-1] == "[]"


# Each of these leaves something behind on purpose: the check above must be able to see it.
LEAKS = {
    "handler": "bpy.app.handlers.frame_change_post.append(lambda *_: None)",
    "property": "bpy.types.Scene.mannequin_leak = bpy.props.IntProperty()",
    "draw": "bpy.types.VIEW3D_MT_object.append(lambda self, context: None)",
    "class": "bpy.utils.register_class(type('Leak', (bpy.types.PropertyGroup,), {}))",
    "operator": (
        "bpy.utils.register_class(type('LEAK_OT_x', (bpy.types.Operator,), {'bl_idname': 'leak.x', 'bl_label': 'x'}))"
    ),
}


@pytest.fixture(scope="module")
def seen_leaks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What the snapshot sees of every leak, each left behind in turn in one process; "timer" by the watch of timers."""
    code = f"""
import json
seen = {{}}
for kind, leak in {LEAKS!r}.items():
    before = snapshot()
    exec(leak)
    seen[kind] = sorted(snapshot() - before)
def tick():
    return 1.0
with TimerWatch() as timers:
    bpy.app.timers.register(tick)
seen["timer"] = [str(timer) for timer in timers.left()]
print(json.dumps(seen))
"""
    return json.loads(run_in_blender(PREAMBLE + code, tmp_path_factory.mktemp("leaks")).splitlines()[-1])


@pytest.mark.parametrize("kind", LEAKS)
def test_snapshot_sees_a_leak(kind: str, seen_leaks: dict[str, list[str]]) -> None:
    assert [leak for leak in seen_leaks[kind] if leak.startswith(f"{kind}:")]


def test_timer_watch_sees_a_leak(seen_leaks: dict[str, list[str]]) -> None:
    assert "tick" in str(seen_leaks["timer"])


def test_broken_code_fails_the_calling_test(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        run_in_blender("1 / 0", tmp_path)


def test_a_script_that_registers_ends(tmp_path: Path) -> None:
    """Blender as a module hangs at the end of Python where icons are still open; no os._exit here, on purpose."""
    script = tmp_path / "script.py"
    script.write_text("import bpy, mannequin\nmannequin.register()\nprint('registered', flush=True)\n")
    variables = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, str(script)], env=variables, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("registered")
