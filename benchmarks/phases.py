"""Where the time of a step goes, by Linux' sampling profiler `perf`, with the names of the compiled functions.

`perf` reads names of compiled code from /tmp/perf-<process>.map; they come from the object file in the engine's cache.
Without perf (or its rights) there is no answer. In a process of its own, under perf:

perf record -e cpu-clock python -m mannequin.benchmarks.phases fall
"""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from .cases import CASES
from .timing import engine_seconds, without_limits

SECONDS = 1.0
RUNS = 20
LEAST_SHARE = 0.5
"""Percent below which a function is not listed."""


def function_symbols(elf: bytes) -> list[tuple[str, int, int]]:
    """(name, offset in the code, size) of every function of a 64-bit ELF object with one code section."""
    (table_at,) = struct.unpack_from("<Q", elf, 40)
    entry, count = struct.unpack_from("<HH", elf, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, table_at + k * entry) for k in range(count)]
    symbols = next(section for section in sections if section[1] == 2)
    names_at = sections[symbols[6]][4]
    found = []
    for place in range(symbols[4], symbols[4] + symbols[5], 24):
        name, info, _, _, value, size = struct.unpack_from("<IBBHQQ", elf, place)
        if info & 15 == 2 and size:
            end = elf.index(b"\0", names_at + name)
            found.append((elf[names_at + name : end].decode(), value, size))
    return found


def plain_name(symbol: str) -> str:
    """Last two names of a mangled one: "dynamics.solve_accelerations"."""
    parts, rest = [], symbol[3:] if symbol.startswith("_ZN") else ""
    while match := re.match(r"(\d+)", rest):
        length = int(match[0])
        parts.append(rest[len(match[0]) : len(match[0]) + length])
        rest = rest[len(match[0]) + length :]
    return ".".join(parts[-2:]) or symbol


def write_map() -> None:
    """Tell perf the names of the functions inside the step loop of this process."""
    from ..engine.jit.cache_folder import chosen
    from ..engine.jit.entries import read_entry
    from ..engine.jit.object_code import unpacked
    from ..engine.step.loop import advance

    (loaded,) = advance.functions()
    kept = unpacked(read_entry(chosen() / f"{loaded.name}.code")[1])
    symbols = function_symbols(kept.code)
    base = loaded.address - next(offset for name, offset, _ in symbols if name == kept.symbol)
    lines = [f"{base + offset:x} {size:x} {plain_name(name)}\n" for name, offset, size in symbols]
    Path(f"/tmp/perf-{os.getpid()}.map").write_text("".join(lines))


def work(case: str) -> None:
    """What is sampled."""
    from ..engine import compile_system

    make, _ = CASES[case]
    system = compile_system(without_limits(make(SECONDS).scenario))
    engine_seconds(system)
    write_map()
    for _ in range(RUNS):
        engine_seconds(system)


def shares(case: str) -> dict[str, float]:
    """Percent of the time inside the step loop by function; raises RuntimeError where perf is not available."""
    perf = shutil.which("perf")
    if perf is None:
        raise RuntimeError("perf is not installed")
    with tempfile.TemporaryDirectory(prefix="mannequin-bench-") as folder:
        data = str(Path(folder) / "perf.data")
        record = [perf, "record", "-q", "-e", "cpu-clock", "-F", "5000", "-o", data]
        done = subprocess.run(
            [*record, sys.executable, "-m", "mannequin.benchmarks.phases", case],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"perf did not record: {done.stderr.strip()[-300:]}")
        report = subprocess.run(
            [perf, "report", "--stdio", "-q", "--sort", "symbol", "-i", data],
            capture_output=True,
            text=True,
            check=True,
        )
    return inside_loop(report.stdout)


def inside_loop(report: str) -> dict[str, float]:
    """Percent by function of the lines of perf's report that name the engine's compiled functions, in sum 100."""
    found: dict[str, float] = {}
    for line in report.splitlines():
        match = re.match(r"\s*([\d.]+)%\s+\[\.\]\s+([a-z_]+\.[a-z_0-9]+)\s", line + " ")
        if match:
            found[match[2]] = found.get(match[2], 0.0) + float(match[1])
    total = sum(found.values()) or 1.0
    ordered = sorted(found.items(), key=lambda item: -item[1])
    return {name: 100.0 * value / total for name, value in ordered if 100.0 * value / total >= LEAST_SHARE}


def measure() -> dict:
    """Shares of free flight, fall, tackle and car, or why there are none."""
    try:
        return {case: shares(case) for case in ("free flight", "fall", "tackle", "car and man")}
    except RuntimeError as error:
        return {"error": str(error)}


if __name__ == "__main__":
    work(sys.argv[1])
