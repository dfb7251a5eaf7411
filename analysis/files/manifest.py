"""The manifest of a run: what went in, what came out, with which versions and parameters, all by SHA-256.

`manifest.json` protects itself too: its member "sha256" is the digest of the rest, and the file has exactly one
spelling, so that a changed byte in it is noticed like one in any other file. This shows accidents and careless edits;
somebody who wants to deceive can compute new digests, which is why the report prints the manifest's digest (the run
id).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from ..engine import jit
from ..engine.recording import Recording
from ..engine.spec import Scenario
from ..io_json.errors import FileError

FILE_NAME = "manifest.json"
FORMAT = "mannequin-run"
FORMAT_VERSION = 1
RUN_ID_LENGTH = 8


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
    """Dataclasses, tuples and arrays as what JSON has; arrays by their digest, infinities and NaN as text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "type": str(value.dtype), "sha256": sha256_of(value.tobytes())}
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value


def _package_version() -> str:
    from importlib import import_module

    return import_module(__package__.rpartition(".")[0]).__version__


def versions(host: Mapping[str, str] | None = None) -> dict[str, str]:
    """Versions of Mannequin, Python, NumPy, Numba and of the host program (`{"blender": "4.5.0"}`)."""
    numba = jit.numba
    return {
        "mannequin": _package_version(),
        "engine_sources": jit.source_fingerprint(),
        "engine_mode": "compiled" if jit.IS_COMPILED else "interpreted",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__ if numba else "absent",
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
) -> dict[str, Any]:
    """The manifest's content, its own digest not yet in it. `inputs` and `outputs` come from `describe_file`."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "run": run,
        "scenario": scenario.name,
        "status": recording.status,
        "message": recording.message,
        "warnings": list(recording.warnings),
        "started": utc_text(started),
        "ended": utc_text(ended),
        "steps": recording.steps,
        "frames": recording.frames,
        "simulated_time": float(recording.times[-1]) if recording.frames else 0.0,
        "versions": versions(host),
        "platform": platform_facts(),
        "inputs": list(inputs),
        "overrides": plain(overrides or {}),
        "parameters": plain(scenario),
        "outputs": list(outputs),
    }


def dumps(content: Mapping[str, Any]) -> bytes:
    """The file's one spelling, with its own digest in it."""
    body = {key: value for key, value in content.items() if key != "sha256"}
    return _spell({**body, "sha256": sha256_of(_spell(body))})


def _spell(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def read(folder: str | os.PathLike) -> dict[str, Any]:
    """The manifest of a run folder; FileError where it is missing, foreign, or has been changed."""
    path = Path(folder) / FILE_NAME
    remedy = "Take the file from an untouched copy of the run folder"
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FileError("is missing", path=path, remedy="Give the folder of a run") from None
    except OSError as error:
        raise FileError(f"cannot be read ({error.strerror})", path=path, remedy=remedy) from error
    try:
        content = json.loads(data)
        sound = content["format"] == FORMAT and dumps(content) == data
    except (ValueError, KeyError, TypeError):
        sound = False
    if not sound:
        raise FileError(
            "has been changed: its content does not match its own digest", path=path, remedy=remedy
        )
    if content["format_version"] != FORMAT_VERSION:
        raise FileError(
            f"has format {content['format_version']}, this Mannequin reads {FORMAT_VERSION}",
            path=path,
            remedy=f"Use Mannequin {content['versions'].get('mannequin')}",
        )
    return content


def run_id(content: Mapping[str, Any]) -> str:
    """The first digits of the manifest's digest, printed on every page that shows the run."""
    return content["sha256"][:RUN_ID_LENGTH]
