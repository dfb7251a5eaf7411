"""The manifest of a run: what went in, what came out, with which versions and parameters, all by SHA-256.

`manifest.json` protects itself too: its member "sha256" is the digest of the rest, and the file has exactly one
spelling, so that a changed byte in it is noticed like one in any other file. This shows accidents and careless edits;
somebody who wants to deceive can compute new digests, which is why `verify` makes every file again, and why the
manifest's digest is to be noted elsewhere, or signed.
"""

import hashlib
import json
import math
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np

from ...engine.jit import decorators as jit
from ...engine.jit.cache_folder import NUMBA_VERSION, source_fingerprint
from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ...io_json import strict_json
from ...io_json.errors import FileError, in_file
from ...io_json.exact_copy import to_plain
from ...io_json.names import require_file_name, require_inside
from ..measures.step_resolution import all_warnings

FILE_NAME = "manifest.json"
FORMAT = "mannequin-run"
FORMAT_VERSION = 2
READABLE = (1, 2)
"""Formats that are read. From 2 on the summary repeats what the manifest states."""
RUN_ID_LENGTH = 8
FILE_FIELDS = ("path", "model_reference")
"""Fields of a scenario, and of the models in it, that name a file; the digests among the inputs say which it was."""
LARGEST = 64 * 1024**2
"""Bytes of a manifest; those of the shipped scenarios have a fifth of a megabyte."""
FILE_MEMBERS = {"path": str, "bytes": int, "sha256": str}
MEMBERS = {
    **dict.fromkeys(("run", "scenario", "status", "message", "started", "ended", "sha256"), str),
    **dict.fromkeys(("steps", "frames"), int),
    "simulated_time": (int, float),
    **dict.fromkeys(("versions", "platform", "compiled_code", "overrides", "parameters"), dict),
    **dict.fromkeys(("warnings", "inputs", "outputs"), list),
}
"""Members of a manifest and what JSON holds for each."""


def sha256_of(data: bytes) -> str:
    """Digest of bytes, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def sha256_of_file(path: str | os.PathLike) -> str:
    """Digest of a file's content, hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def utc_text(moment: datetime) -> str:
    """ISO 8601 in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def plain(value: Any) -> Any:
    """Anything as a manifest holds it: arrays by their digest, infinities and NaN as text."""
    return to_plain(value, _leaf)


def _leaf(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "type": str(value.dtype), "sha256": sha256_of(value.tobytes())}
    value = value.item() if isinstance(value, np.generic) else value
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def _package_version() -> str:
    from ... import __version__

    return __version__


def versions(host: Mapping[str, str] | None = None) -> dict[str, str]:
    """Versions of Mannequin, Python, NumPy, Numba and of the host program (`{"blender": "4.5.0"}`)."""
    return {
        "mannequin": _package_version(),
        "engine_sources": source_fingerprint(),
        "engine_mode": "compiled" if jit.IS_COMPILED else "interpreted",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": NUMBA_VERSION if NUMBA_VERSION != "none" else "absent",
        **(host or {}),
    }


def platform_facts() -> dict[str, str]:
    """What machine code and its mathematical functions depend on."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "processor": _processor(),
        "c_library": " ".join(platform.libc_ver()).strip(),
        "byte_order": sys.byteorder,
    }


def _processor() -> str:
    """Name of the processor family that compiled code is made for."""
    try:
        from llvmlite import binding
    except ImportError:
        return platform.processor() or platform.machine()
    return binding.get_host_cpu_name()


REPLAY_KEYS = {
    "versions": ("engine_sources", "engine_mode", "python", "numpy", "numba"),
    "platform": ("system", "machine", "processor", "c_library", "byte_order"),
}


def replay_facts(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The facts that must agree for a second run to give the same bytes."""
    return {
        f"{part}.{key}": str(manifest.get(part, {}).get(key))
        for part, keys in REPLAY_KEYS.items()
        for key in keys
    }


def describe_file(path: str | os.PathLike, name: str | None = None) -> dict[str, Any]:
    """Name, size and digest of a file."""
    path = Path(path)
    return {"path": name or str(path), "bytes": path.stat().st_size, "sha256": sha256_of_file(path)}


def build(
    run: str,
    scenario: Scenario,
    recording: Recording,
    *,
    started: datetime,
    ended: datetime,
    inputs: Iterable[Mapping[str, Any]] = (),
    outputs: Iterable[Mapping[str, Any]] = (),
    overrides: Mapping[str, Any] | None = None,
    host: Mapping[str, str] | None = None,
    parameters: Any = None,
) -> dict[str, Any]:
    """The manifest's content, its own digest not yet in it. `inputs` and `outputs` come from `describe_file`.

    parameters: `parameters_of` the scenario, where they are known already.
    """
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "run": run,
        "scenario": scenario.name,
        "status": recording.status,
        "message": recording.message,
        "warnings": all_warnings(scenario, recording),
        "started": utc_text(started),
        "ended": utc_text(ended),
        "steps": recording.steps,
        **_step_sizes(recording),
        "frames": recording.frames,
        "simulated_time": float(recording.times[-1]) if recording.frames else 0.0,
        "versions": versions(host),
        "platform": platform_facts(),
        "compiled_code": jit.code_digests(),
        "inputs": list(inputs),
        "overrides": {name: without_place(value) for name, value in plain(overrides or {}).items()},
        "parameters": parameters_of(scenario) if parameters is None else parameters,
        "outputs": list(outputs),
    }


def parameters_of(scenario: Scenario) -> Any:
    """Everything that a scenario says, as a manifest holds it."""
    return without_places(plain(scenario))


def _step_sizes(recording: Recording) -> dict[str, Any]:
    """Of adaptive steps: the shortest and the longest, s, and how many there were of each size."""
    if not len(recording.step_tally):
        return {}
    tally = [[float(size), int(count)] for size, count in recording.step_tally]
    return {"step_sizes": {"smallest": tally[0][0], "largest": tally[-1][0], "tally": tally}}


def without_places(content: Any) -> Any:
    """JSON content whose files are named without the folders of this machine, which say for whom it runs."""
    if isinstance(content, dict):
        return {
            name: without_place(value) if name in FILE_FIELDS else without_places(value)
            for name, value in content.items()
        }
    return [without_places(value) for value in content] if isinstance(content, list) else content


def without_place(value: Any) -> Any:
    """The name of a file that is given by an absolute path; anything else as it is."""
    if isinstance(value, str):
        for kind in (PurePosixPath, PureWindowsPath):
            if kind(value).is_absolute() and kind(value).name:
                return kind(value).name
    return value


def dumps(content: Mapping[str, Any]) -> bytes:
    """The file's one spelling: its members, and last its own digest, which is that of the spelling without it."""
    body = {key: value for key, value in content.items() if key != "sha256"}
    spelled = json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    digest = sha256_of(spelled.encode("utf-8"))
    ending = f'{"," if body else ""}\n "sha256": "{digest}"\n}}\n'
    return (spelled.removesuffix("}\n").removesuffix("\n") + ending).encode("utf-8")


def read(folder: str | os.PathLike) -> dict[str, Any]:
    """The manifest of a run folder; FileError where it is missing, foreign, or has been changed."""
    path = Path(folder) / FILE_NAME
    remedy = "Take the file from an untouched copy of the run folder"
    if not path.exists():
        raise FileError("is missing", path=path, remedy="Give the folder of a run")
    data = strict_json.read_bytes(path, LARGEST)
    try:
        content = strict_json.parse(strict_json.decode(data))
        sound = isinstance(content, dict) and content.get("format") == FORMAT and dumps(content) == data
    except (FileError, ValueError):
        sound = False
    if not sound:
        raise FileError(
            "has been changed: its content does not match its own digest", path=path, remedy=remedy
        )
    if content.get("format_version") not in READABLE or content.get("format_version") is True:
        written_by = content["versions"].get("mannequin") if isinstance(content.get("versions"), dict) else ""
        raise FileError(
            f"has format {str(content.get('format_version'))[:40]}, this Mannequin reads {FORMAT_VERSION}",
            path=path,
            remedy=f"Use Mannequin {str(written_by)[:40] or 'of a newer version'}",
        )
    if content["format_version"] == 1:
        content.setdefault("compiled_code", {})
    with in_file(path):
        require_members(content)
    return content


def require_members(content: Mapping[str, Any]) -> None:
    """The members that readers rely on, with their kinds, and every name that becomes a path. Raises FileError."""
    for name, kind in MEMBERS.items():
        if not isinstance(content.get(name), kind) or isinstance(content[name], bool):
            raise _not_as_written(f"/{name}")
    for part in ("inputs", "outputs"):
        for number, entry in enumerate(content[part]):
            if not isinstance(entry, dict) or not all(
                isinstance(entry.get(key), kind) for key, kind in FILE_MEMBERS.items()
            ):
                raise _not_as_written(f"/{part}/{number}")
    require_file_name(content["run"], "/run")
    for number, entry in enumerate(content["outputs"]):
        require_inside(entry["path"], f"/outputs/{number}/path")


def _not_as_written(place: str) -> FileError:
    remedy = "Take the file from an untouched copy of the run folder"
    return FileError("is missing or of the wrong kind", place=place, remedy=remedy)


def run_id(content: Mapping[str, Any]) -> str:
    """The first digits of the manifest's digest, printed on every page that shows the run."""
    return content["sha256"][:RUN_ID_LENGTH]
