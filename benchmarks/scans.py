"""Memory that thinning a scan takes: `scan thin` on a LAS file of so many points, made here piece by piece.

The points are spread at random over a volume, of which nearly each falls into a cell of its own: the number of cells
stays at its bound from the first few million points on, which is the most that a file can ask for. The peak is that of
the command's process and that of the process in which the compiled library reads, each as the system counts it; they
run side by side, so the sum of both is compared with what was asked for.

python -m mannequin.benchmarks.scans
python -m mannequin.benchmarks.scans --points 10000000
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

MOST_ASKED = 2.0e9
"""Bytes"""
AT_ONCE = 500_000
EXTENT = (80.0, 80.0, 20.0)
"""m"""
CHILD = """
import json, resource, sys, time
from mannequin.__main__ import main
code = main(["scan", "thin", sys.argv[1], "--voxel", "0.02", "--out", sys.argv[2]])
own, reader = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
cpu = own.ru_utime + own.ru_stime + reader.ru_utime + reader.ru_stime
print(json.dumps({"code": code, "own": own.ru_maxrss, "reader": reader.ru_maxrss, "cpu": cpu}))
"""
"""Runs the command and prints its peaks, in the system's unit"""


def write_las(path: Path, count: int) -> None:
    """A coloured LAS file of random points."""
    import laspy

    header = laspy.LasHeader(point_format=3, version="1.2")
    header.scales = [0.001] * 3
    rng = np.random.default_rng(1)
    with laspy.open(path, mode="w", header=header) as writer:
        for start in range(0, count, AT_ONCE):
            size = min(AT_ONCE, count - start)
            record = laspy.ScaleAwarePointRecord.zeros(size, header=header)
            record.x, record.y, record.z = rng.uniform(0.0, 1.0, (3, size)) * np.array(EXTENT)[:, None]
            record.red, record.green, record.blue = rng.integers(0, 65536, (3, size), dtype=np.uint16)
            writer.write_points(record)


def measure(count: int) -> dict:
    """Peaks in bytes, CPU seconds, and the size of the file."""
    with tempfile.TemporaryDirectory(prefix="mannequin-scan-") as folder:
        scan, out = Path(folder) / "scan.las", Path(folder) / "thin.ply"
        write_las(scan, count)
        command = [sys.executable, "-c", CHILD, str(scan), str(out)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout
        *said, last = printed.strip().splitlines()
        found = json.loads(last)
        kilo = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, in kilobytes elsewhere
        return {
            "points": count,
            "file_bytes": scan.stat().st_size,
            "command_bytes": found["own"] * kilo,
            "reader_bytes": found["reader"] * kilo,
            "peak_bytes": (found["own"] + found["reader"]) * kilo,
            "cpu_s": round(found["cpu"], 1),
            "said": said,
            "ok": found["code"] == 0 and (found["own"] + found["reader"]) * kilo <= MOST_ASKED,
        }


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say whether it is as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=100_000_000, help="points of the file (34 bytes each)")
    found = measure(parser.parse_args(arguments).points)
    print("\n".join(found.pop("said")))
    print(
        f"{found['points']:,} points in {found['file_bytes'] / 1e9:.2f} GB: peak {found['peak_bytes'] / 1e9:.2f} GB "
        f"({found['command_bytes'] / 1e9:.2f} the command, {found['reader_bytes'] / 1e9:.2f} its reader), "
        f"{found['cpu_s']:.0f} s of computing; asked for: {MOST_ASKED / 1e9:g} GB"
    )
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
