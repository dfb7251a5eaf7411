"""Results as text tables (terminal and Markdown), JSON and a chart."""

import json
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import mujoco
import numpy as np

from ..engine.jit.cache_folder import NUMBA_VERSION
from .operations import PHASES
from .roofline import KINDS
from .timing import Spread

TARGETS_US = {"free flight": 6.0, "fall": 10.0, "tackle": 20.0, "car and man": 20.0}
"""Issues 3 and 4: microseconds a step, at most."""
LEAST_RATIO = {"free flight": 4.0, "fall": 5.0, "tackle": 5.0, "car and man": 5.0}
"""Issues 3 and 11: times faster than MuJoCo, at least. The staircase is held against the fall instead."""
LEAST_BATCH_RATIO = 6.0
"""Issue 11."""
MEMORY_LABELS = {
    "imported_mb": "after importing the engine",
    "run_2_s_mb": "after a fall of 2 s",
    "run_20_s_mb": "after a fall of 20 s",
}
MOST_SECONDS = {"loaded_fall": 0.15, "command": 3.0, "issue_step": 3.0, "cached": 1.5, "cold": 40.0}
"""Issue 11: a second of a fall, a whole `run`, import to first step from the cache and compiling everything."""


def machine() -> dict:
    """What the numbers were measured on."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "load_at_start": round(load, 2),
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": NUMBA_VERSION,
        "mujoco": mujoco.__version__,
    }


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table, aligned so that it reads as plain text too."""
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"

    return "\n".join([line(head), line(["-" * width for width in widths]), *map(line, rows)])


def shown(entry: dict, digits: int = 1) -> str:
    """A stored spread as text."""
    return Spread(**entry).text(digits)


def verdict(met: bool) -> str:
    """Word for whether a target is met."""
    return "met" if met else "MISSED"


def case_target(entry: dict) -> str:
    """What the issues ask of a case, and whether it is met."""
    if entry["case"] not in LEAST_RATIO:
        return "-"
    most, least = TARGETS_US[entry["case"]], LEAST_RATIO[entry["case"]]
    met = entry["ratio"]["median"] >= least and entry["with_limits_us"]["median"] <= most
    return f"{most:g} µs, {least:g} x: {verdict(met)}"


def case_table(results: list[dict]) -> str:
    """The cases beside MuJoCo."""
    rows = []
    for entry in results:
        rows.append(
            [
                entry["case"],
                shown(entry["engine_us"]),
                shown(entry["mujoco_us"]),
                shown(entry["ratio"], 2),
                shown(entry["with_limits_us"]),
                f"{entry['ratio_with_limits']['median']:.2f}",
                f"{entry['contacts']:.1f} / {entry['mujoco_contacts']:.1f}",
                case_target(entry),
            ]
        )
    head = ["case", "engine µs/step", "MuJoCo µs/step", "ratio", "with joint limits µs", "ratio"]
    return table([*head, "contacts at once", "target"], rows)


def scaling_table(results: list[dict]) -> str:
    """Every family, one row per size."""
    rows = []
    for entry in results:
        for index, size in enumerate(entry["sizes"]):
            first = index == 0
            rows.append(
                [
                    entry["grows"] if first else "",
                    f"{size:,}",
                    shown(entry["engine_us"][index]),
                    f"{entry['prepare_s'][index]:.2f}",
                    f"n^{entry['exponent']:.2f}" if first else "",
                ]
            )
    return table(["grows", "n", "µs/step", "compile scenario s", "exponent"], rows)


def chain_sentence(results: list[dict]) -> str:
    """The 200-body chain against the 20-body one."""
    for entry in results:
        if entry["grows"] == "bodies" and {20, 200} <= set(entry["sizes"]):
            cost = dict(zip(entry["sizes"], entry["engine_us"], strict=True))
            ratio = cost[200]["median"] / cost[20]["median"]
            return f"A chain of 200 bodies costs {ratio:.1f} times one of 20 (target: at most 12)."
    return ""


def start_table(results: dict) -> str:
    """Start-up, cold and cached."""
    cached = results["cached"][len(results["cached"]) // 2]
    names = {
        "import_s": "import the engine",
        "read_model_s": "read model and scenario",
        "compile_scenario_s": "compile the scenario (loads or compiles the contact probe)",
        "first_step_s": "first step",
        "all_s": "import to first step",
        "cpu_s": "the same in CPU seconds",
    }
    rows = [[label, f"{results['cold'][key]:.2f}", f"{cached[key]:.2f}"] for key, label in names.items()]
    spent = {"cold": results["cold"]["cpu_s"], "cached": cached["cpu_s"]}
    targets = [f"{MOST_SECONDS[key]:g} s: {verdict(spent[key] <= MOST_SECONDS[key])}" for key in spent]
    return table(["seconds", "cold", "cached (median)"], [*rows, ["target (by CPU)", *targets]])


def batch_lines(found: dict) -> list[str]:
    """Falls a second beside MuJoCo's rollout."""
    rows = [
        ["this engine, falls a second", shown(found["engine_falls_per_s"])],
        ["MuJoCo's rollout, falls a second", shown(found["mujoco_falls_per_s"], 2)],
        ["ratio by the clock", shown(found["ratio"], 2)],
        ["ratio by CPU time", shown(found["ratio_cpu"], 2)],
        ["a run above the engine's own time, %", shown(found["overhead_percent"])],
        ["over one after the other, by the clock", shown(found["over_one_by_one"], 2)],
        ["CPU time over that of one after the other", shown(found["cpu_over_one_by_one"], 2)],
    ]
    met = min(found["ratio"]["median"], found["ratio_cpu"]["median"]) >= LEAST_BATCH_RATIO
    head = [f"{found['falls']} falls of {found['seconds_each']:g} s, {found['threads']} threads", ""]
    return [table(head, rows), "", f"Target: at least {LEAST_BATCH_RATIO:g} times MuJoCo: {verdict(met)}."]


def sweep_lines(found: dict) -> list[str]:
    """A sweep with table and report, and what-if through the worker."""
    rows = [
        [f"sweep of {found['runs']:.0f} falls of 1 s on {found['cores']:.0f} cores, falls a second"]
        + [f"{found['falls_per_second']:.1f}"],
        ["1,000 of them with table and report, at this rate, s", f"{found['thousand_falls_s']:.1f}"],
    ]
    rows += [
        [f"what-if, 1 s of {key.removeprefix('what_if_').removesuffix('_s')}, s", f"{value:.3f}"]
        for key, value in found.items()
        if key.startswith("what_if_")
    ]
    return [table(["what", "by the clock"], rows)]


def whole_run_lines(found: dict) -> list[str]:
    """A fall, a run with files, reading and writing."""
    rows = []
    command = found["command"]
    labels = {
        "loaded_fall": "1 s of the fall, engine loaded",
        "command": f"`run` of {command['simulated_s']:g} s, {command['written_mb']:.0f} MB of files",
        "issue_step": "the same with steps of 1e-4 s",
    }
    for key, label in labels.items():
        if key not in found:  # of an earlier version
            continue
        entry = found[key]
        met = entry["cpu_s"]["median"] <= MOST_SECONDS[key]
        target = f"{MOST_SECONDS[key]:g} s: {verdict(met)}"
        rows.append([label, shown(entry["wall_s"], 3), shown(entry["cpu_s"], 3), target])
    times = [[name, shown(entry, 1)] for name, entry in found["files_ms"].items()]
    head = ["what", "wall s", "CPU s", "target (by CPU)"]
    return [table(head, rows), "", table(["file", "CPU ms"], times)]


def bake_line(found: dict) -> str:
    """What `benchmarks.bake` measured, as it names it."""
    if "error" in found:
        return f"Not measured: {found['error']}."
    shown_values = [
        f"{key} {Spread(**value).text(2) if isinstance(value, dict) else value}"
        for key, value in found.items()
    ]
    return ", ".join(shown_values) + "."


def openmbd_line(found: dict | None) -> str:
    """OpenMBD beside this engine, or why not."""
    if found is None:
        return "Not measured: OPENMBD_DIR names no checkout of OpenMBD."
    if "error" in found:
        return f"Not measured: {found['error']}."
    ours, theirs = shown(found["engine_us"]), shown(found["openmbd_us"], 0)
    return f"OpenMBD {theirs} µs a step, this engine {ours} µs: {found['ratio']:.0f} times."


def roofline_lines(found: dict) -> list[str]:
    """Counts against the peaks of the machine."""
    peaks, rows = found["peaks"], []
    for name, case in found["cases"].items():
        rows.append(
            [
                name,
                f"{case['operations']:,.0f}",
                f"{case['bytes'] / 1e3:.0f}",
                shown(case["engine_us"]),
                f"{case['operations_per_ns']:.2f}",
                f"{100 * case['operations_per_ns'] / peaks['scalar']:.0f}",
                f"{100 * case['operations_per_ns'] / peaks['vector']:.0f}",
                f"{100 * case['bytes_per_ns'] / peaks['bytes']:.0f}",
            ]
        )
    head = ["case", "operations", "kB moved", "µs/step", "operations/ns"]
    head += ["% of peak, one number at a time", "% of peak, several", "% of cache bandwidth"]
    peak_line = (
        f"Peaks measured: {peaks['scalar']:.1f} operations a nanosecond one number at a time, "
        f"{peaks['vector']:.1f} several at a time, {peaks['bytes']:.0f} bytes a nanosecond from the first-level cache."
    )
    free = found["cases"]["free flight"]["counts"]
    phases = [
        [phase, f"{counts.get('multiply', 0):,.0f}", f"{counts.get('add', 0):,.0f}"]
        + [f"{counts.get('divide', 0) + counts.get('sqrt', 0):.0f}"]
        + [f"{8e-3 * (counts.get('read', 0) + counts.get('written', 0)):.1f}"]
        for phase, counts in {**free["phases"], "whole step": free["step"]}.items()
    ]
    phase_head = ["phase, free flight", "multiplications", "additions", "divisions and roots", "kB moved"]
    return [table(head, rows), "", peak_line, "", table(phase_head, phases)]


def limit_table(roofline: dict, shares: dict) -> str:
    """Of a step of free flight, what each phase does and how far it is from the peak of one number at a time.

    roofline: operations counted, time and peaks; shares: percent of the time by compiled function.
    """
    free, peak = roofline["cases"]["free flight"], roofline["peaks"]["scalar"]
    rows = []
    for function, share in shares.items():
        phase = PHASES.get(function.split(".")[-1])
        counts = free["counts"]["phases"].get(phase)
        if counts:
            taken = 1e-2 * share * free["engine_us"]["median"]
            operations = sum(counts.get(kind, 0.0) for kind in KINDS)
            least = 1e-3 * operations / peak
            numbers = [f"{operations:,.0f}", f"{taken:.2f}", f"{least:.2f}", f"{100.0 * least / taken:.0f}"]
            rows.append([phase, *numbers])
    return table(["phase, free flight", "operations", "µs", "µs at the peak", "% of the peak"], rows)


def phase_table(found: dict) -> str:
    """Share of every function in every case."""
    if "error" in found:
        return f"Not measured: {found['error']}."
    names = sorted(
        {name for shares in found.values() for name in shares},
        key=lambda name: -max(shares.get(name, 0.0) for shares in found.values()),
    )
    rows = [
        [name, *(f"{shares[name]:.1f}" if name in shares else "-" for shares in found.values())]
        for name in names
    ]
    return table(["function", *found], rows)


def big_scene_lines(found: list[dict]) -> list[str]:
    """Cost and memory of every big scene."""
    rows = [
        [
            entry["scene"],
            f"{entry['bodies']}",
            f"{entry['compile_s']:.1f}",
            f"{entry['us_per_step']:.0f}",
            f"{entry['twice_ten_seconds_s']:.0f}",
            f"{entry['compiled_mb']:.0f}",
            f"{entry['mb']:.0f}",
            f"{entry['twice_mb']:.0f}",
        ]
        for entry in found
    ]
    seconds = found[0]["seconds"]
    head = ["scene", "moving bodies", "compile CPU s", "µs/step", "CPU s for 10 s", "MB compiled"]
    return [table([*head, f"MB after {seconds:g} s", f"MB after {2 * seconds:g} s"], rows)]


def answer_cells(entry: dict) -> list[str]:
    """CPU seconds, error of the peak in percent, of the place in mm; dashes where the run diverged."""
    if entry["status"] != "completed":
        return ["-", "-", "-"]
    return [
        f"{entry['seconds']:.3f}",
        f"{100.0 * entry['peak_error']:.2f}",
        f"{1e3 * entry['position_error']:.1f}",
    ]


def case_lines(results: list[dict]) -> list[str]:
    """The cases with their notes, and the staircase against the plane."""
    lines = [case_table(results), ""]
    lines += [f"{entry['case']}: {entry['note']}." for entry in results if entry["note"]]
    cost = {entry["case"]: entry["with_limits_us"]["median"] for entry in results}
    if {"fall", "staircase"} <= set(cost):
        ratio = cost["staircase"] / cost["fall"]
        lines += ["", f"The staircase costs {ratio:.2f} times the fall on the plane (target: at most 2)."]
    return lines


def click_line(found: dict) -> str:
    """From the click on Simulate to the motion on the rig."""
    if "error" in found:
        return f"Not measured: {found['error']}"
    as_it_is, issue = (
        f"{shown(found[name]['all_s'], 2)} s, {shown(found[name]['simulated_s'], 2)} s until it is computed, files "
        f"complete after {shown(found[name]['files_s'], 2)} s"
        for name in ("shipped", "issue")
    )
    return (
        f"{found['simulated']:g} s of the fall in Blender {found['blender']} without a window: {as_it_is}; with steps "
        f"of 1e-4 s {issue}."
    )


def answer_table(results: list[dict]) -> str:
    """What each integrator costs and how far off it is."""
    head = [
        "integrator",
        "step s",
        "CPU s",
        "peak head acceleration error %",
        "rest position error mm",
        "status",
    ]
    return table(
        head, [[e["integrator"], f"{e['time_step']:g}", *answer_cells(e), e["status"]] for e in results]
    )


def saloon_table(found: list[dict]) -> str:
    """A generated saloon, a man, and both."""
    head = ["scene", "steps", "µs/step, best of each piece", "whole runs"]
    return table(
        head,
        [
            [e["scene"], str(e["steps"]), f"{e['best_us']:.1f}", f"{e['low_us']:.1f} to {e['high_us']:.1f}"]
            for e in found
        ],
    )


def adaptive_table(found: dict) -> str:
    """Adaptive steps beside fixed ones."""
    head = ["scene", "simulated s", "steps", "adaptive", "from to s", "CPU s", "times fixed"]
    rows = [
        [
            entry["name"],
            f"{entry['duration']:g}",
            str(entry["fixed_steps"]),
            str(entry["steps"]),
            f"{entry['sizes'][0]:g} to {entry['sizes'][1]:g}",
            f"{entry['seconds']['median']:.2f}",
            shown(entry["ratio"]),
            *(f"{off:.2f}" for off in entry["off_percent"].values()),
        ]
        for entry in [*found["scenes"], found["two_impacts"]]
    ]
    return table([*head, *(f"{name}, % off" for name in found["two_impacts"]["off_percent"])], rows)


SECTIONS: dict[str, tuple[str, Callable[[Any], list[str]]]] = {
    "cases": ("Beside MuJoCo", case_lines),
    "batch": ("Batches on all cores", batch_lines),
    "sweeps": ("Sweeps and what-if", sweep_lines),
    "shipped": (
        "Shipped scenarios as they are, with motors",
        lambda found: [table(["scenario", "µs/step"], [[e["name"], shown(e["engine_us"])] for e in found])],
    ),
    "saloon": ("A saloon and a man", lambda found: [saloon_table(found)]),
    "scaling": ("Scaling", lambda found: [scaling_table(found), "", chain_sentence(found)]),
    "start_up": ("Start-up", lambda found: [start_table(found)]),
    "whole_runs": ("Whole runs and files", whole_run_lines),
    "click": ("After the click", lambda found: [click_line(found)]),
    "bake": ("Bake", lambda found: [bake_line(found)]),
    "openmbd": ("OpenMBD", lambda found: [openmbd_line(found)]),
    "roofline": ("Operations and bytes", roofline_lines),
    "phases": ("Shares of the time in the step loop, %", lambda found: [phase_table(found)]),
    "interpreted": (
        "Without Numba",
        lambda slow: [
            f"Standing {shown(slow['standing_ms'], 2)} ms a step, lying {shown(slow['lying_ms'], 2)} ms."
        ],
    ),
    "memory": (
        "Memory",
        lambda found: [
            table(["peak", "MB"], [[label, f"{found[key]:.0f}"] for key, label in MEMORY_LABELS.items()])
        ],
    ),
    "big_scenes": ("Big scenes", big_scene_lines),
    "answer": ("Time to an answer (fall)", lambda found: [answer_table(found)]),
    "adaptive": ("Adaptive steps", lambda found: [adaptive_table(found)]),
}
"""Heading and lines of each part of the report, in its order."""


def markdown(results: dict) -> str:
    """The whole report."""
    parts = ["# Benchmark", "", ", ".join(f"{key} {value}" for key, value in results["machine"].items()), ""]
    for key, (heading, lines) in SECTIONS.items():
        if key in results:
            parts += [f"## {heading}", "", *lines(results[key]), ""]
    if "roofline" in results and "free flight" in results.get("phases", {}):
        limits = limit_table(results["roofline"], results["phases"]["free flight"])
        parts += ["## Distance from the arithmetic limit", "", limits, ""]
    return "\n".join(parts)


def draw_cases(axes: plt.Axes, results: list[dict]) -> None:
    """Bars of both engines with their spread, and the ratio above."""
    place = np.arange(len(results))
    for offset, key, label in ((-0.2, "engine_us", "this engine"), (0.2, "mujoco_us", "MuJoCo")):
        middle = np.array([entry[key]["median"] for entry in results])
        low = np.array([entry[key]["low"] for entry in results])
        high = np.array([entry[key]["high"] for entry in results])
        axes.bar(place + offset, middle, 0.4, yerr=[middle - low, high - middle], label=label, capsize=3)
    for index, entry in enumerate(results):
        axes.text(index, entry["mujoco_us"]["high"] * 1.02, f"{entry['ratio']['median']:.1f} x", ha="center")
    axes.set_xticks(place, [entry["case"] for entry in results])
    axes.set_ylabel("µs a step")
    axes.legend(frameon=False)
    axes.set_title("Same bodies, dt = 1e-4 s, one thread")


def draw_scaling(axes: plt.Axes, results: list[dict]) -> None:
    """Cost over size, both relative to the smallest."""
    for entry in results:
        cost = np.array([spread["median"] for spread in entry["engine_us"]])
        sizes = np.array(entry["sizes"], dtype=float)
        axes.loglog(
            sizes / sizes[0], cost / cost[0], "o-", label=f"{entry['grows']}: n^{entry['exponent']:.2f}"
        )
    axes.set_xlabel("size / smallest")
    axes.set_ylabel("cost of a step / smallest")
    axes.legend(frameon=False)
    axes.set_title("Growth")


def draw(results: dict, path: Path) -> None:
    """Draw the chart of all cases."""
    drawings = [(draw_cases, "cases"), (draw_scaling, "scaling")]
    drawings = [(draw_one, results[key]) for draw_one, key in drawings if key in results]
    if not drawings:
        return
    figure, axes = plt.subplots(1, len(drawings), figsize=(7.0 * len(drawings), 4.5), squeeze=False)
    for place, (draw_one, entries) in zip(axes[0], drawings, strict=True):
        draw_one(place, entries)
        place.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    plt.close(figure)


def save(results: dict, folder: Path) -> None:
    """bench.json, bench.md and bench.png; each appears whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("bench.json", json.dumps(results, indent=1)), ("bench.md", markdown(results))):
        part = folder / f".{name}"
        part.write_text(text + "\n", encoding="utf-8")
        os.replace(part, folder / name)
    part = folder / ".bench.png"
    draw(results, part)
    if part.exists():
        os.replace(part, folder / "bench.png")
