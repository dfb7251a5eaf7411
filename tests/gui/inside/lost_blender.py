"""Blender itself killed while it simulates: no process of it stays. The one killed has a window of its own."""

import random
import signal
import subprocess
import time
from pathlib import Path

import bpy
import drive
from drive import SEEN, expect, shot, until

MOMENTS = random.Random(18)
LONGEST = 2.0
"""s from the first sign of a simulation process, or of its work, to the end of Blender."""
TOLD = drive.OUT / "victim.txt"


def tell() -> drive.Story:
    """Kill one Blender when its process has just been started, and one in the middle of its work."""
    for sign in ("process", "working"):
        yield from kill_one(sign)


def kill_one(sign: str) -> drive.Story:
    """Start a Blender that simulates, kill it at a random moment after a sign, and wait for the end of its process."""
    TOLD.unlink(missing_ok=True)
    with open(drive.OUT / "victim_console.txt", "w") as console:
        words = [bpy.app.binary_path, "--python-use-system-env", "-setaudio", "None"]
        victim = subprocess.Popen(
            [*words, "--python", "/gui/tests/victim.py"], stdout=console, stderr=subprocess.STDOUT
        )
    yield from until(lambda: sign in told() or victim.poll() is not None, sign, drive.PATIENCE_COMPILING)
    expect(victim.poll() is None, f"the Blender to be killed has ended with code {victim.returncode}")
    process, delay = told()["process"], MOMENTS.uniform(0.0, LONGEST)
    expect(lives(process), "the simulation process is gone before its Blender")
    moment = time.monotonic() + delay
    yield from until(lambda: time.monotonic() > moment, "the moment")
    if sign == "working":
        yield from shot("lost-blender")
    victim.send_signal(signal.SIGKILL)
    yield from until(lambda: victim.poll() is not None, "the end of Blender")
    killed = time.monotonic()
    yield from until(lambda: not lives(process), "the simulation process to end after its Blender")
    SEEN[f"Blender killed after '{sign}' + {delay:.1f} s: its process ended after, s"] = round(
        time.monotonic() - killed, 2
    )


def told() -> dict[str, int]:
    """What the Blender to be killed has told: words with a number."""
    if not TOLD.exists():
        return {}
    return {line.split()[0]: int(line.split()[1]) for line in TOLD.read_text().splitlines() if " " in line}


def lives(process: int) -> bool:
    """Whether a process is there and not merely waiting to be counted as dead."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
