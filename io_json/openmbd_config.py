"""OpenMBD's saved configuration ("Save Config" in its setup tab), read as a scenario.

Layout: `dt, out_dt, dur, cof, contact_damping` and `models`, a list of `id, path, pos, vel, ang_vel, joints,
joint_vels, joint_torques`. Numbers are what was typed, so mostly texts; `pos`, `vel`, `ang_vel` are three numbers in
one text. `joints` is joint name to angles (Z, Y, X) in degrees; `joint_vels` joint name to (Z, Y, X) in rad/s;
`joint_torques` joint name to {torque (Z, Y, X) in N m, t_start in s, duration in s}. The root goes by its own name
or by "root_joint". Velocities and torques of ball joints are along the axes of the child body, those of the root
along the world's (read off OpenMBD's setup tab and engine). Every conversion that is not obvious is
listed in the scenario's notes.
"""

import math
import os
from pathlib import PureWindowsPath
from typing import Any

import numpy as np

from ..engine import spec
from ..engine.maths.rotations import matrix_from_zyx, zyx_from_matrix
from . import model_json
from .errors import FileError, pointer
from .model_keys import require_object
from .nodes import wrong_type
from .resolve import resolve_model
from .transforms import rotate_back

ROOT = "root_joint"
_SETTING_KEYS = ("dt", "out_dt", "dur", "cof", "contact_damping")
_DEFAULTS = {"dt": 1e-5, "out_dt": 0.001, "dur": 0.03, "cof": 0.4, "contact_damping": 150}
_MODEL_KEYS = ("id", "path", "pos", "vel", "ang_vel", "joints", "joint_vels", "joint_torques")
_NOTES = (
    "Read from an OpenMBD configuration. Overlap with the ground at the start is subtracted, as OpenMBD does.",
    "Contact damping is the constant coefficient of the configuration in N s/m (mode 'constant').",
    "Joint velocities and torque pulses were entered as Z, Y, X. They are taken so and turned into joint axes; some "
    "versions of OpenMBD swap Z and X.",
    "Every contact has its full force (multi_contact 'none'). Where overlapping ellipsoids of one body are struck "
    "together their forces add up; with 'patches', the default elsewhere, they share one.",
    "Contacts do not resist twisting and rolling (patch_friction off), as in OpenMBD.",
    "Not taken over, because the configuration does not hold them: OpenMBD's joint damping of 40 N m s/rad, its table "
    "of joint ranges, and its scaling of simultaneous contacts.",
)
Triple = tuple[float, float, float]


def is_configuration(document: dict[str, Any]) -> bool:
    """Whether a parsed file looks like a saved configuration."""
    return "models" in document and "format" not in document and "bodies" not in document


def scenario_from_configuration(
    document: dict[str, Any], base_folder: str | os.PathLike | None, allow_outside: bool, name: str
) -> spec.Scenario:
    """The scenario that a configuration amounts to. Raises `FileError`."""
    entries = document["models"]
    if type(entries) is not list:
        raise wrong_type("a list of models", entries, "/models")
    numbers = {key: _number(document.get(key, _DEFAULTS[key]), f"/{key}") for key in _SETTING_KEYS}
    notes = list(_NOTES)
    actors = [
        _Importer(entry, f"/models/{i}", base_folder, allow_outside, numbers["dt"], notes).actor()
        for i, entry in enumerate(entries)
    ]
    _refuse_same_names(actors)
    settings = spec.Settings(
        time_step=numbers["dt"],
        output_step=numbers["out_dt"],
        duration=numbers["dur"],
        friction=numbers["cof"],
        contact_damping=numbers["contact_damping"],
        contact_damping_mode="constant",
        absorb_ground_overlap=True,
        multi_contact="none",
        patch_friction=False,
    )
    extras = {key: value for key, value in document.items() if key not in (*_SETTING_KEYS, "models")}
    return spec.Scenario(name, actors, settings=settings, notes=notes, extras=extras)


class _Importer:
    """Reads one entry of `models`."""

    def __init__(
        self,
        entry: Any,
        place: str,
        base_folder: str | os.PathLike | None,
        allow_outside: bool,
        time_step: float,
        notes: list[str],
    ) -> None:
        self.entry = require_object(entry, place)
        self.place = place
        self.time_step = time_step
        self.notes = notes
        self.name = _actor_name(self.entry.get("id"), pointer(place, "id"))
        self.reference, self.model = self._load_model(base_folder, allow_outside)
        self.joints = {joint.name: joint for joint in self.model.joints}
        self.root = next((joint for joint in self.model.joints if joint.parent is None), None)

    def actor(self) -> spec.Actor:
        """The actor of the entry."""
        angles = self._triples("joints")
        rates = self._triples("joint_vels")
        # OpenMBD looks for the root's angles under its alias first, for its velocity under its own name first.
        root_angles = self._take_root(angles, alias_first=True) or (0, 0, 0)
        root_rate = self._take_root(rates, alias_first=False)
        actor = spec.Actor(
            self.name,
            self.model,
            self.reference,
            velocity=_vector(self.entry.get("vel", ""), pointer(self.place, "vel")),
            angular_velocity=self._root_rate(root_rate),
            extras={key: value for key, value in self.entry.items() if key not in _MODEL_KEYS},
        )
        actor.position, actor.orientation = self._pose(root_angles)
        for joint, triple in self._known(angles, "joints"):
            actor.joint_angles[joint.name] = self._angles(joint, triple)
        for joint, triple in self._known(rates, "joint_vels"):
            actor.joint_velocities[joint.name] = self._rates(joint, triple)
        actor.torque_pulses = list(self._pulses(root_angles))
        return actor

    def _note(self, text: str) -> None:
        self.notes.append(f"{self.name}: {text}")

    def _load_model(
        self, base_folder: str | os.PathLike | None, allow_outside: bool
    ) -> tuple[str, spec.Model]:
        """The reference and its model. A path that leads elsewhere is tried by its file name in the folder."""
        place = pointer(self.place, "path")
        reference = self.entry.get("path", "")
        if type(reference) is not str:
            raise wrong_type("a text", reference, place)
        try:
            path = resolve_model(reference, base_folder, allow_outside)
        except FileError as error:
            bare = PureWindowsPath(reference).name
            try:
                path = resolve_model(bare, base_folder)
            except FileError:
                error.place = place
                raise error from None
            if bare != reference:
                self._note(f"the model is {bare!r} of this folder; the configuration names {reference!r}.")
            reference = bare
        return reference, model_json.read_model(path)

    def _triples(self, key: str) -> dict[str, Triple]:
        table = require_object(self.entry.get(key, {}), pointer(self.place, key))
        return {name: _triple(value, pointer(self.place, key, name)) for name, value in table.items()}

    def _take_root(self, table: dict[str, Triple], alias_first: bool) -> Triple | None:
        """Take the root's entry out of a table, under either of its names."""
        own = table.pop(self.root.name, None) if self.root else None
        alias = table.pop(ROOT, None) if ROOT not in self.joints or self.root is self.joints[ROOT] else None
        found = [entry for entry in ((alias, own) if alias_first else (own, alias)) if entry is not None]
        if len(found) == 2 and found[0] != found[1]:
            self._note(
                f"the root has two entries, {found[0]} and {found[1]}; the first is used, as in OpenMBD."
            )
        return found[0] if found else None

    def _root_rate(self, entered: Triple | None) -> Triple:
        """World turn rate (x, y, z) of the root."""
        unused = _vector(self.entry.get("ang_vel", ""), pointer(self.place, "ang_vel"))
        if entered is not None or not any(unused):
            return (entered or (0, 0, 0))[::-1]
        self._note(
            "the turn rate is 'ang_vel' of the configuration (Z, Y, X), which OpenMBD itself does not use."
        )
        return unused[::-1]

    def _pose(self, root_angles: Triple) -> tuple[Triple, Triple]:
        """Position and orientation of the actor frame. OpenMBD places the root body and ignores the root's T1, T2."""
        position = _vector(self.entry.get("pos", ""), pointer(self.place, "pos"))
        if self.root is None or self.root.T1 == self.root.T2:
            return position, root_angles
        root = np.eye(4)
        root[:3, :3], root[:3, 3] = matrix_from_zyx(root_angles), position
        frame = (
            root @ np.array(self.root.T2, dtype=float) @ np.linalg.inv(np.array(self.root.T1, dtype=float))
        )
        self._note("the start is moved by T1 and T2 of the root joint, which OpenMBD ignores for the root.")
        if not np.isfinite(frame).all():
            raise FileError(
                "gives no usable place of the model", place=self.place, remedy="Correct pos and T1"
            )
        return tuple(frame[:3, 3].tolist()), tuple(zyx_from_matrix(frame[:3, :3]).tolist())

    def _known(self, table: dict[str, Triple], key: str) -> list[tuple[spec.Joint, Triple]]:
        """Joints that can move, with their entries that are not zero."""
        found = []
        for name, triple in table.items():
            if not any(triple):
                continue
            joint = self.joints.get(name)
            if joint is None or not joint.kind.turns:
                self._note(
                    f"{key!r} has an entry for {name!r}, which is no movable joint of the model; ignored."
                )
            else:
                found.append((joint, triple))
        return found

    def _angles(self, joint: spec.Joint, entered: Triple) -> Triple:
        if joint.kind.is_ball:
            return entered
        return self._about_axis(joint, entered), 0, 0

    def _rates(self, joint: spec.Joint, entered: Triple) -> Triple:
        if joint.kind.is_ball:
            return rotate_back(joint.T2, entered[::-1])
        return self._about_axis(joint, entered), 0, 0

    def _about_axis(self, joint: spec.Joint, entered: Triple) -> float:
        """The one of Z, Y, X that a revolute joint turns about; where that is zero, the first, which OpenMBD takes."""
        axis = max(range(3), key=lambda i: abs(joint.axis[i]))
        value = entered[2 - axis] or entered[0]
        if sum(1 for number in entered if number) > 1:
            self._note(f"joint {joint.name!r} turns about one axis; of {entered} only {value} is used.")
        return value if joint.axis[axis] >= 0 else -value

    def _pulses(self, root_angles: Triple) -> list[spec.TorquePulse]:
        place = pointer(self.place, "joint_torques")
        table = require_object(self.entry.get("joint_torques", {}), place)
        entries = {name: require_object(value, pointer(place, name)) for name, value in table.items()}
        torques = {n: _triple(e.get("torque", []), pointer(place, n, "torque")) for n, e in entries.items()}
        pulses = []
        for name, entered in torques.items():
            root = self.root is not None and name in (ROOT, self.root.name)
            if root and any(entered):
                pulses.append(
                    self._pulse(self.root, self._root_torque(entered, root_angles), entries[name], name)
                )
        for joint, entered in self._known(
            {n: t for n, t in torques.items() if not self._is_root(n)}, "joint_torques"
        ):
            peak = self._joint_torque(joint, entered)
            pulses.append(self._pulse(joint, peak, entries[joint.name], joint.name))
        return pulses

    def _is_root(self, name: str) -> bool:
        return self.root is not None and name in (ROOT, self.root.name)

    def _joint_torque(self, joint: spec.Joint, entered: Triple) -> Triple:
        """Torque in the axes of the child side of the joint."""
        if joint.kind.is_ball:
            return rotate_back(joint.T2, entered[::-1])
        value = self._about_axis(joint, entered)
        return tuple(value * component for component in joint.axis)

    def _root_torque(self, entered: Triple, root_angles: Triple) -> Triple:
        """World torque at the start, in the axes of the root joint on the body, with which it then turns."""
        body = matrix_from_zyx(root_angles).T @ np.array(entered[::-1], dtype=float)
        self._note(
            "the torque pulse on the root is along world axes at the start and then turns with the body."
        )
        return rotate_back(self.root.T2, body.tolist())

    def _pulse(self, joint: spec.Joint, peak: Triple, entry: dict, name: str) -> spec.TorquePulse:
        place = pointer(self.place, "joint_torques", name)
        start = _number(entry.get("t_start", 0.0), pointer(place, "t_start"))
        duration = _number(entry.get("duration", 0.0), pointer(place, "duration"))
        if start < 0 or duration < 0:
            raise FileError("lies before the start", place=place, remedy="Use times from 0 on")
        if duration == 0:
            duration = math.pi / 2 * self.time_step
            self._note(
                f"the torque pulse on {joint.name!r} lasts one step in OpenMBD; it is read with equal impulse."
            )
        return spec.TorquePulse(joint.name, peak, start, duration)


def _actor_name(identity: Any, place: str) -> str:
    """OpenMBD's label: Model A, Model B, Model C."""
    if type(identity) is not int or not 0 <= identity < 26:
        raise FileError(
            "must be a whole number from 0 to 25", place=place, remedy="Number the models from 0 on"
        )
    return f"Model {chr(ord('A') + identity)}"


def _refuse_same_names(actors: list[spec.Actor]) -> None:
    for i, actor in enumerate(actors):
        if any(actor.name == other.name for other in actors[:i]):
            raise FileError(
                "has the id of another model", place=f"/models/{i}/id", remedy="Give it an id of its own"
            )


def _number(value: Any, place: str) -> float:
    """A finite number, or the text of one."""
    if type(value) in (int, float):
        return value
    if type(value) is not str:
        raise wrong_type("a number", value, place)
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise FileError(f"{value[:40]!r} is not a number", place=place, remedy="Write a number")
    return number


def _vector(value: Any, place: str) -> Triple:
    """Three numbers, in one text or in a list. An empty text is zero, as in OpenMBD."""
    words = value.replace("|", " ").split() if type(value) is str else value
    if words == []:
        return 0, 0, 0
    if type(words) is not list or len(words) != 3:
        raise FileError("must be three numbers", place=place, remedy='Write them like "0.0 0.0 1.05"')
    return tuple(_number(word, place) for word in words)


def _triple(value: Any, place: str) -> Triple:
    """Up to three numbers; what is missing is zero."""
    if type(value) is not list or len(value) > 3:
        raise FileError("must be a list of three numbers", place=place, remedy="Write [Z, Y, X]")
    numbers = [_number(number, f"{place}/{i}") for i, number in enumerate(value)]
    return (*numbers, *([0] * (3 - len(numbers))))
