"""Standard output that is closed, full or narrow: no traceback, and a documented exit code."""

import os
import subprocess
import sys

import pytest

SHOW = "import sys; from mannequin.commands.standard_output import run_with_output as r; "
LONG = SHOW + "sys.exit(r(lambda: [print('line', i) for i in range(200000)] and 0))"
SHORT = SHOW + "sys.exit(r(lambda: print('a \\u0398 line') or 0))"


def show(code, root, shell="{}", **environment):
    """Run Python code with a shell's redirection; exit code of the program, output, error text."""
    command = shell.format(f'"{sys.executable}" -c "$CODE"')
    return subprocess.run(
        ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        cwd=root.parent,
        env={**os.environ, "CODE": code, **environment},
        timeout=120,
    )


@pytest.mark.skipif(os.name != "posix", reason="shell redirections")
@pytest.mark.parametrize(
    "code, shell, expected, said",
    [
        (LONG, "{} | head -1", 1, b""),
        (SHORT, "{} >/dev/full", 1, b"No space left"),
        (LONG, "{} >/dev/full", 1, b"No space left"),
        (SHORT, "{} >&-", 0, b""),
        (SHORT, "{}", 0, b""),
    ],
)
def test_no_traceback(root, code, shell, expected, said):
    done = show(code, root, shell, PYTHONIOENCODING="utf-8")
    assert done.returncode == expected
    assert said in done.stderr and b"Traceback" not in done.stderr and b"Exception" not in done.stderr


def test_ascii_output_spells_what_it_cannot_show(root):
    done = show(SHORT, root, PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and done.stdout == b"a \\u0398 line\n" and not done.stderr
