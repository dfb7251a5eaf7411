"""Run a piece of Python with Blender in a process of its own.

For tests that must not touch the Blender of the test session: installing, registering, undo, saving and reopening,
anything that may crash. The process ends without Blender's own clean-up, which can hang at interpreter exit.
"""

import os
import subprocess
import sys
from pathlib import Path

WRAPPER = """
import os, sys, traceback
code = 0
try:
    exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), {"__name__": "__main__"})
except BaseException:
    traceback.print_exc()
    code = 1
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)
"""


def run_in_blender(
    code: str,
    folder: Path,
    *,
    python: Path | str = sys.executable,
    environment: dict[str, str] | None = None,
    timeout: float = 240.0,
) -> str:
    """Run code with `bpy` importable and Blender's user folder inside `folder`; return what it printed.

    An exception in the code fails the calling test, with everything that the process printed.
    """
    script = folder / "script.py"
    script.write_text(code)
    user_folder = folder / "blender_user"
    user_folder.mkdir(exist_ok=True)
    variables = {**os.environ, "BLENDER_USER_RESOURCES": str(user_folder), **(environment or {})}
    result = subprocess.run(
        [str(python), "-c", WRAPPER, str(script)],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result.stdout
