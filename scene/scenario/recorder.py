"""The record of an event data recorder as what the driver of an actor follows."""

from dataclasses import replace
from pathlib import Path

import bpy

from ...engine.spec import Drive
from ...io_json.recorder import read_recorder
from ..store import fields


def load_recorder(
    actor: bpy.types.Object, path: Path, columns: dict[str, str], unit: str, ratio: float
) -> int:
    """Give an actor's driver the trace of a CSV file, in place of brakes and pedal; returns its rows.

    columns: "time", "speed" and "steering" to names in the file; no steering: empty. Raises FileError.
    """
    rows = read_recorder(path, **columns, unit=unit, ratio=ratio)
    group = actor.mannequin.actor
    drive = fields.read_group(group.drive, Drive)
    steers = len(rows[0]) > 2
    drive = replace(drive, speed=rows[0][1], trace=rows, braking=None, pedal=None, keep_speed=False)
    drive = replace(drive, steering=None, path=None) if steers else drive
    fields.write_group(group.drive, drive)
    group.use_drive = True
    return len(rows)
