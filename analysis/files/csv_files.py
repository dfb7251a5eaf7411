"""The tables of a run as CSV text; every column is explained in docs/formats/run_folder.md.

UTF-8, comma, one header line, "\\n" line ends. Numbers are written with the fewest digits that read back to the same
64-bit value. Tables come in blocks of lines, so that a long run needs no more memory than a short one.
"""

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...engine import ENERGY_TERMS, Recording
from ...engine.bodies.posture import typed_coordinates
from ...engine.contact.event_members import EVENT_MEMBERS
from ...engine.maths.rotations import matrix_from_quaternion, zyx_from_matrix
from ...engine.maths.vector import quat_exp, quat_matrix
from ...engine.muscles.arrays import MUSCLE_CHANNELS
from ...engine.spec import Joint, Scenario
from ...engine.spec.joint_types import joint_type
from ...io_json.csv_cells import text_cell
from ..measures.channels import Signal, filtered
from ..subjects import joint_specs
from .number_text import rows_as_text

BODY_FIELDS = (
    ("Pos", "XYZ", "position", "m"),
    ("Quat", "WXYZ", "quaternion", ""),
    ("Vel", "XYZ", "velocity", "m/s"),
    ("AngVel", "XYZ", "angular_velocity", "rad/s"),
    ("LinAcc", "XYZ", "acceleration", "m/s2"),
    ("AngAcc", "XYZ", "angular_acceleration", "rad/s2"),
    ("Force", "XYZ", "contact_force", "N"),
    ("Torque", "XYZ", "contact_torque", "N m"),
)
"""Column stem and component letters with the names and in the order of OpenMBD's output file, `Recording` field, its
unit."""

UNITS = {"length": "_m", "velocity": "_m/s", "force": "_N"}
MUSCLE_COLUMNS = {channel: channel + UNITS.get(channel.split("_")[-1], "") for channel in MUSCLE_CHANNELS}
"""Channel to column."""

BLOCK = 100
"""Lines made at a time."""
FOLLOWED_BLOCK = 1000
"""The same where a line depends on the one before: coordinates of a custom joint are followed within a block."""
EVERYTHING = slice(None)
NO_NUMBERS = (0.0, 0.0, 0.0)

JOINT_STEMS = ("Angle", "Rot", "Rate", "Force", "Moment")
SLIDE_STEMS = ("Slide", "SlideRate")

CONTACT_MEMBERS = sorted(EVENT_MEMBERS, key=lambda member: member.size)
"""Numbers first, then vectors."""


def _line(cells: Iterable[object]) -> str:
    """One line with quotes where a text needs them. Names in it are `text_cell`s."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()


@dataclass(frozen=True)
class FrameTable:
    """A table with a line for each output time. Its blocks but the last are whole before the run has ended."""

    columns: Sequence[str]
    frames: int
    rows: Callable[[slice], np.ndarray]
    """The (n, len(columns)) numbers of a slice of the output times"""
    block: int = BLOCK

    @property
    def header(self) -> str:
        """The first line."""
        return _line(map(text_cell, self.columns))

    def text(self, number: int) -> str:
        """Lines of a block."""
        first = number * self.block
        return rows_as_text(self.rows(slice(first, min(first + self.block, self.frames))))

    def blocks(self, first: int = 0) -> Iterator[str]:
        """Lines from a block on."""
        return map(self.text, range(first, -(-self.frames // self.block)))

    def __iter__(self) -> Iterator[str]:
        """Header and lines."""
        yield self.header
        yield from self.blocks()


def frame_tables(scenario: Scenario, recording: Recording) -> dict[str, FrameTable]:
    """Name to table of every table that has a line for each output time."""
    tables = {
        "output": output_csv(recording),
        "joints": joints_csv(scenario, recording),
        "energy": energy_csv(recording),
    }
    return tables | ({"muscles": muscles_csv(recording)} if recording.muscle_names else {})


def _flat(block: np.ndarray) -> np.ndarray:
    """(n, a, b) as (n, a b)."""
    return block.reshape(len(block), block.shape[1] * block.shape[2])


def body_columns(recording: Recording) -> list[str]:
    """Header of the output table: Time, then 25 columns for each body."""
    header = ["Time"]
    for body, name in enumerate(recording.body_names):
        prefix = f"{recording.actor_names[recording.body_actor[body]]}_{name}_"
        header += [f"{prefix}{stem}{letter}" for stem, letters, _, _ in BODY_FIELDS for letter in letters]
    return header


def output_csv(recording: Recording) -> FrameTable:
    """Motion of every body. Position, velocity and acceleration are those of the centre of mass, in world axes."""

    def rows(part: slice) -> np.ndarray:
        fields = [getattr(recording, field)[part] for _, _, field, _ in BODY_FIELDS]
        return np.column_stack([recording.times[part], _flat(np.concatenate(fields, axis=2))])

    return FrameTable(body_columns(recording), recording.frames, rows)


def joint_angles_zyx(scenario: Scenario, recording: Recording, part: slice = EVERYTHING) -> np.ndarray:
    """(F, J, 3) joint angles (Z, Y, X) in degrees, as scenario files give them, at a slice of the output times.

    A joint with an axis has its turn about its own axis first and zeros after, whatever the direction of that axis; a
    custom joint its coordinates that are angles.
    """
    turn = recording.joint_angle[part]
    half = 0.5 * np.linalg.norm(turn, axis=-1, keepdims=True)
    # sin(half) / (2 half) without the division by zero; numpy's sinc is sin(pi x) / (pi x).
    quaternion = np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * turn], axis=-1)
    angles = zyx_from_matrix(matrix_from_quaternion(quaternion))
    for index, joint in enumerate(joint_specs(scenario, recording)):
        if joint.kind.has_axis:
            axis = np.asarray(joint.axis, dtype=float)
            x, y, z = (turn[:, index] * (axis / np.linalg.norm(axis))).T
            angles[:, index] = 0.0
            angles[:, index, 0] = np.degrees(
                x + y + z
            )  # a matrix product's last digit depends on where memory lies
        elif joint.kind.by_functions:
            angles[:, index] = _angle_coordinates(
                joint, turn[:, index], recording.joint_slide[part][:, index]
            )
    return angles


def _angle_coordinates(joint: Joint, turns: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    """(F, 3) degrees: coordinates of a custom joint that are angles, from its turns (rotation vectors) and shifts."""
    rows, near = [], (NO_NUMBERS, NO_NUMBERS)
    for turn, shift in zip(turns, shifts, strict=True):
        rotation = np.array(quat_matrix(quat_exp(tuple(turn.tolist())))).reshape(3, 3)
        near = typed_coordinates(joint, rotation, shift, near)
        rows.append(near[0])
    return np.array(rows).reshape(-1, 3)


def slides_along_axis(joint: Joint, recording: Recording, index: int) -> np.ndarray:
    """(F,) m: slide of a joint along its own axis."""
    axis = np.asarray(joint.axis, dtype=float)
    x, y, z = (recording.joint_slide[:, index] * (axis / np.linalg.norm(axis))).T
    return x + y + z


def sliding_joints(recording: Recording) -> list[int]:
    """Joints that slide, of a recording that knows of slides."""
    if recording.joint_slide.shape != recording.joint_rate.shape:
        return []
    return [k for k, name in enumerate(recording.joint_types) if joint_type(name).slides]


def joints_csv(scenario: Scenario, recording: Recording) -> FrameTable:
    """Angles, rates and reactions of every joint, then ways (m) and speeds (m/s) of those that slide; reactions that
    were not recorded are NaN."""
    recorded = recording.reaction_force.shape == recording.joint_rate.shape
    sliding = sliding_joints(recording)

    def rows(part: slice) -> np.ndarray:
        turn = recording.joint_angle[part]
        missing = np.full(turn.shape, np.nan)
        fields = [
            joint_angles_zyx(scenario, recording, part),
            turn,
            recording.joint_rate[part],
            recording.reaction_force[part] if recorded else missing,
            recording.reaction_moment[part] if recorded else missing,
        ]
        columns = [recording.times[part], _flat(np.concatenate(fields, axis=2))]
        if sliding:
            slides = [
                values[part][:, sliding] for values in (recording.joint_slide, recording.joint_slide_rate)
            ]
            columns.append(_flat(np.concatenate(slides, axis=2)))
        return np.column_stack(columns)

    header = ["Time"]
    prefixes = [
        f"{recording.actor_names[actor]}_{name}_"
        for actor, name in zip(recording.joint_actor, recording.joint_names, strict=True)
    ]
    for prefix in prefixes:
        for stem in JOINT_STEMS:
            header += [f"{prefix}{stem}{letter}" for letter in ("ZYX" if stem == "Angle" else "XYZ")]
    for joint in sliding:
        header += [f"{prefixes[joint]}{stem}{letter}" for stem in SLIDE_STEMS for letter in "XYZ"]
    is_followed = any(joint.kind.by_functions for joint in joint_specs(scenario, recording))
    return FrameTable(header, recording.frames, rows, FOLLOWED_BLOCK if is_followed else BLOCK)


def energy_csv(recording: Recording) -> FrameTable:
    """The energy ledger, joules."""
    header = ["Time", *(f"{term}_J" for term in ENERGY_TERMS)]
    both = (recording.times, recording.energy)
    return FrameTable(header, recording.frames, lambda part: np.column_stack([array[part] for array in both]))


def muscles_csv(recording: Recording) -> FrameTable:
    """Excitation, activation, lengths, rates and tension of every muscle."""
    header = ["Time"]
    for muscle, name in enumerate(recording.muscle_names):
        prefix = f"{recording.actor_names[recording.muscle_actor[muscle]]}_{name}_"
        header += [f"{prefix}{column}" for column in MUSCLE_COLUMNS.values()]

    def rows(part: slice) -> np.ndarray:
        return np.column_stack([recording.times[part], _flat(recording.muscle[part])])

    return FrameTable(header, recording.frames, rows)


def contacts_csv(recording: Recording) -> Iterator[str]:
    """One line for each contact event, by start time."""
    header = ["actor_a", "body_a", "ellipsoid_a", "actor_b", "body_b", "surface_b"]
    yield _line(header + [column for member in CONTACT_MEMBERS for column in member.columns])
    for event in recording.contacts:
        numbers = [number for member in CONTACT_MEMBERS for number in np.ravel(event[member.name]).tolist()]
        yield _line([*_side_names(recording, event), *map(repr, numbers)])


def _side_names(recording: Recording, event: np.void) -> list[str]:
    """Actor, body and surface of both sides; an obstacle has no actor and no body."""
    names = _body_names(recording, int(event["body_a"]))
    names.append(text_cell(recording.ellipsoid_names[event["ellipsoid_a"]]))
    if event["obstacle_b"] >= 0:
        return [*names, "", "", text_cell(recording.obstacle_names[event["obstacle_b"]])]
    names += _body_names(recording, int(event["body_b"]))
    return [*names, text_cell(recording.ellipsoid_names[event["ellipsoid_b"]])]


def _body_names(recording: Recording, body: int) -> list[str]:
    names = (recording.actor_names[recording.body_actor[body]], recording.body_names[body])
    return [text_cell(name) for name in names]


def contact_history_csv(recording: Recording) -> Iterator[str]:
    """Every contact at every output time (`Settings.contact_history`): the members of the structured array as columns.

    Members that are indices (body_a, ellipsoid_b, obstacle_b and the like) are written as names, -1 as nothing.
    """
    history = recording.contact_history
    names = {
        "body": recording.body_names,
        "ellipsoid": recording.ellipsoid_names,
        "obstacle": recording.obstacle_names,
    }
    header, columns = [], []
    for member in history.dtype.names or ():
        kind = member.rpartition("_")[0]
        if kind in names:
            header.append(member)
            columns.append([text_cell(names[kind][i]) if i >= 0 else "" for i in history[member].tolist()])
            continue
        values = history[member].reshape(len(history), math.prod(history.dtype[member].shape))
        letters = [""] if values.shape[1] == 1 else [f"_{axis}" for axis in "xyz"[: values.shape[1]]]
        header += [member + letter for letter in letters]
        columns += [list(map(repr, column)) for column in values.T.tolist()]
    yield _line(header)
    yield from map(_line, zip(*columns, strict=True))


CHANNEL_UNITS_IN_TABLES = {"m/s²": "m/s2", "N m": "Nm"}


def channels_csv(recording: Recording, *, is_filtered: bool = False) -> Iterator[str]:
    """What the sensors measured, one line for each time step; filtered by the classes of the channels where asked
    for."""
    signals = [
        filtered(channel) if is_filtered else Signal(channel.times, channel.data, "none")
        for channel in recording.channels.values()
    ]
    header = ["Time_s"]
    for channel in recording.channels.values():
        unit = CHANNEL_UNITS_IN_TABLES.get(channel.unit, channel.unit)
        header += [f"{channel.sensor}_{channel.quantity}_{axis}_{unit}" for axis in "xyz"]
    yield _line(map(text_cell, header))
    times = signals[0].times if signals else np.zeros(0)
    for first in range(0, len(times), BLOCK):
        part = slice(first, min(first + BLOCK, len(times)))
        values = np.concatenate([signal.values[part] for signal in signals], axis=1).tolist()
        rows = zip(times[part].tolist(), values, strict=True)
        yield "".join([f"{t!r},{','.join([f'{value:.9g}' for value in row])}\n" for t, row in rows])
