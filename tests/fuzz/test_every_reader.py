"""Ten thousand broken files for every reader together: nothing but the documented error comes out, soon, and without
taking a gigabyte of memory.

Seeded, so that a failure comes again; MANNEQUIN_FUZZ_SEED chooses other files. The structure of JSON files is broken by
tests/io/test_fuzz.py; here all readers get broken bytes, and those with checksums get them behind a right one.
"""

import dataclasses
import io
import json
import os
import random
import sys
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from full_specs import full_model
from synthetic_camera import sightings, true_camera
from synthetic_run import make_recording, make_scenario
from synthetic_scans import glb_bytes, street, write_e57, write_las, write_text
from thrown_ball import make_sweep, make_throw, write_files

from mannequin.analysis.files import manifest
from mannequin.analysis.files.recording_file import read_recording, write_recording
from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.analysis.files.verify import verify_run
from mannequin.interchange.hyfydy.read import read_hfd
from mannequin.interchange.opensim import read as opensim
from mannequin.io_json import model_json, scenario_json
from mannequin.io_json.errors import FileError
from mannequin.io_json.layout import compact
from mannequin.io_json.mesh_files import read_mesh
from mannequin.places.camera.files import document_of as camera_document
from mannequin.places.camera.files import read_camera
from mannequin.places.camera.sightings import document_of as points_document
from mannequin.places.camera.sightings import read_sightings
from mannequin.places.scans.meshes import read_scan_mesh
from mannequin.places.scans.readers import read_cloud
from mannequin.places.scans.regions import read_regions
from mannequin.places.scans.write import write_cloud
from mannequin.places.sight.witness import read_witness
from mannequin.sweeps.bench import Row
from mannequin.sweeps.design import points
from mannequin.sweeps.fit.spec import read_evidence
from mannequin.sweeps.folder import SUMMARY_NAME, read_summary
from mannequin.sweeps.journal import Journal
from mannequin.sweeps.outcomes import packed
from mannequin.sweeps.plan import Plan, read_plan, write_plan
from mannequin.sweeps.spec import Distribution, Traces, load_table, read_sweep
from mannequin.sweeps.table import (
    CSV_NAME,
    TRACES_NAME,
    read_table,
    read_traces,
    text_columns,
    write_tables,
)
from mannequin.viewer import write as viewer
from mannequin.viewer.cameras import Camera, read_cameras
from mannequin.viewer.content import build_content, shown_run

SEED = int(os.environ.get("MANNEQUIN_FUZZ_SEED", "18"))
FILES_EACH = int(os.environ.get("MANNEQUIN_FUZZ_FILES", "850"))
"""Files for each kind."""
LONGEST = 5.0
"""s of processor time for one file."""
MOST_MEMORY = 1_000_000_000
"""Bytes for one file."""
NOW = datetime(2026, 3, 1, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[1]
PIECES = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"null",
    b"NaN",
    b"1e999",
    b"-1",
    b"9" * 40,
    b"[" * 60,
    b'{"a":',
    b'"',
    b"\n",
    b"../x",
]
PIECES += [
    b"true",
    b"1e308",
    b" ",
    b",",
    b"}",
    b"]",
    b"</",
    b"<!--",
    b"PK\x03\x04",
    b"\x93NUMPY",
    b"f 1 2 3\n",
    b"v 1 2\n",
]


def broken(data: bytes, chance: random.Random) -> bytes:
    """A copy with one to four changes."""
    content = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(content) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            content[at:at] = chance.choice(PIECES)
        elif kind == 1:
            del content[at : at + chance.randint(1, 60)]
        elif kind == 2 and chance.random() < 0.3:
            del content[at:]
        elif kind == 3:
            content[at:at] = content[at : at + chance.randint(1, 200)]
        elif kind == 4:
            content[at : at + 8] = chance.choice(PIECES)
        elif at < len(content):
            content[at] = chance.randrange(256)
    return bytes(content)


def mesh_bytes(kind: str) -> bytes:
    """A small pyramid in one of the formats."""
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    if kind == "obj":
        lines = [f"v {x} {y} {z}" for x, y, z in points] + [
            "f " + " ".join(str(i + 1) for i in f) for f in faces
        ]
    elif kind == "ply":
        head = "ply|format ascii 1.0|element vertex 4|property float x|property float y|property float z|element face 4"
        lines = [*head.split("|"), "property list uchar int vertex_indices", "end_header"]
        lines += [f"{x} {y} {z}" for x, y, z in points] + ["3 " + " ".join(map(str, f)) for f in faces]
    else:
        lines = ["solid a"]
        for face in faces:
            lines += ["facet normal 0 0 1", "outer loop"]
            lines += ["vertex {} {} {}".format(*points[i]) for i in face] + ["endloop", "endfacet"]
        lines.append("endsolid a")
    return "\n".join([*lines, ""]).encode()


def recording_bytes() -> bytes:
    buffer = io.BytesIO()
    write_recording(make_recording(5), buffer)
    return buffer.getvalue()


def manifest_bytes() -> bytes:
    scenario = make_scenario()
    return manifest.dumps(manifest.build("run", scenario, make_recording(5), started=NOW, ended=NOW))


def signed_manifest(data: bytes) -> bytes:
    """A broken manifest with a right digest, where it is still JSON."""
    try:
        return manifest.dumps(json.loads(data))
    except (ValueError, AttributeError, RecursionError):
        return data


RUNS = 12


def sweep_plan() -> Plan:
    """A sweep that keeps every kind of thing of its runs."""
    sweep = dataclasses.replace(make_sweep("latin_hypercube", RUNS), traces=Traces(["ball/ball"], 3))
    return Plan(sweep, make_throw(), points(sweep.design, sweep.parameters))


def value_of(name: str, plan: Plan) -> float | bool | str:
    """What a row may hold in a column."""
    return "head" if name in text_columns(plan) else name in {e.name for e in plan.sweep.events} or 0.5


def journal_bytes(folder: Path, plan: Plan) -> bytes:
    path, values = folder / "seed", tuple(value_of(name, plan) for name in plan.columns)
    trace = packed(np.zeros((1, 3, 3)))
    with Journal(path, "plan", RUNS) as journal:
        journal.append(Row(i, "completed", values, trace, "") for i in range(RUNS))
        write_tables(plan, journal, folder)
    return path.read_bytes()


def signed_journal(data: bytes) -> bytes:
    """Every line of a broken journal behind a right checksum."""
    texts = [line.partition(b" ")[2] for line in data.split(b"\n") if line]
    return b"".join(b"%08x %s\n" % (zlib.crc32(text), text) for text in texts)


def read_journal(path: Path, plan: Plan) -> None:
    with Journal(path, "plan", RUNS) as journal:
        write_tables(plan, journal, path.parent)


def read_column(path: Path) -> None:
    load_table(Distribution("table", path=path.name, column="b"), path.parent / "sweep.json")


def sweep_bytes(folder: Path) -> bytes:
    """A sweep file, with its scenario beside it."""
    return write_files(folder, runs=RUNS).read_bytes()


def evidence_bytes() -> bytes:
    """The evidence file that is shipped."""
    return (ROOT.parent / "models" / "sweeps" / "pedestrian_evidence.json").read_bytes()


def cameras_bytes(folder: Path) -> bytes:
    """A file of one camera, with its picture beside it."""
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    camera = Camera(
        "witness", (1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0), 900.0, (640.0, 480.0), None, "photo.png"
    )
    head = {"format": "mannequin-cameras", "format_version": 1}
    return json.dumps(head | {"cameras": [dataclasses.asdict(camera)]}).encode()


class Page:
    """The data of a page, and a run to compare it with; without the page's code, which is not read."""

    def __init__(self, folder: Path) -> None:
        run = write_run(make_scenario(), make_recording(5), folder / "runs", started=NOW, ended=NOW)
        self.run = read_run(run)
        self.shown = shown_run(self.run)
        camera = Camera("witness", (1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0), 900.0, (640.0, 480.0))
        data = json.dumps(build_content([self.shown], "a page", [camera]))
        self.data = f"<html>{viewer.DATA_OPENS}{data}{viewer.DATA_CLOSES}</html>".encode()

    def read(self, path: Path) -> None:
        viewer.differences(path, [self.shown])

    def verify(self, path: Path) -> None:
        assert not any("Traceback" in problem for problem in verify_run(path.parent, replay=False).problems)


Reader = tuple[str, bytes, Callable[[Path], object]]


def readers(folder: Path) -> dict[str, Reader]:
    """Kind to the file's name, its sound content, and what reads it."""
    plan = sweep_plan()
    plan_folder = write_plan(plan, folder)
    journal = journal_bytes(folder, plan)
    summary = {
        "runs": RUNS,
        "statuses": {"completed": RUNS},
        "measures": {"a": {"text": "1 m"}},
        "events": {},
    }
    page = Page(folder)
    digests = "".join(f"{'0' * 64}  {name}\n" for name in ("report.html", "a/b.png")).encode()
    openmbd = ROOT / "io" / "openmbd" / "openmbd_bicycle.json"
    scenario = scenario_json.dumps(make_scenario()).encode()
    return {
        "model": ("m.json", model_json.dumps(full_model()).encode(), model_json.read_model),
        "scenario": ("s.json", scenario, scenario_json.read_scenario),
        "openmbd": ("o.json", openmbd.read_bytes(), model_json.read_model),
        "hfd": ("a.hfd", (ROOT / "interchange" / "everything.hfd").read_bytes(), read_hfd),
        "osim": ("a.osim", (ROOT / "interchange" / "arm.osim").read_bytes(), opensim.read_osim),
        **{kind: (f"a.{kind}", mesh_bytes(kind), read_mesh) for kind in ("obj", "stl", "ply")},
        "recording": ("r.npz", recording_bytes(), read_recording),
        "manifest": (manifest.FILE_NAME, manifest_bytes(), lambda path: manifest.read(path.parent)),
        "plan": (
            str((plan_folder / "plan.json").relative_to(folder)),
            (plan_folder / "plan.json").read_bytes(),
            lambda path: read_plan(path.parent),
        ),
        "journal": ("j", journal, lambda path: read_journal(path, plan)),
        "table": (CSV_NAME, (folder / CSV_NAME).read_bytes(), lambda path: read_table(plan, path.parent)),
        "traces": (TRACES_NAME, (folder / TRACES_NAME).read_bytes(), lambda path: read_traces(path.parent)),
        "summary": (SUMMARY_NAME, json.dumps(summary).encode(), lambda path: read_summary(path.parent)),
        "sweep": ("sweep.json", sweep_bytes(folder), read_sweep),
        "evidence": ("evidence.json", evidence_bytes(), read_evidence),
        "cameras": ("cameras.json", cameras_bytes(folder), read_cameras),
        "page": ("page.html", page.data, page.read),
        "digests": (f"{page.run.folder.relative_to(folder)}/report.sha256", digests, page.verify),
        "csv": ("t.csv", b"a,b\n" + b"1,2\n3,4.5\n" * 20, read_column),
        **place_readers(folder),
    }


REGIONS = {
    "format": "mannequin-regions",
    "format_version": 1,
    "regions": [{"name": "a", "surface": "grass", "outline": [[0, 0], [1, 0], [1, 1]]}],
}
WITNESS = {"format": "mannequin-witness", "format_version": 1, "name": "a", "eye": [0, 0, 1.6]}


def place_readers(folder: Path) -> dict[str, Reader]:
    """Scans, cameras, regions and witnesses."""
    scans = folder / "scans"
    scans.mkdir(exist_ok=True)
    points, colours = street(200)
    write_las(scans / "a.las", points, colours)
    write_las(scans / "a.laz", points, colours)
    write_e57(scans / "a.e57", points, colours, (1.0, 2.0, 3.0))
    write_text(scans / "a.xyz", points, colours)
    write_cloud(scans / "a.ply", read_cloud(scans / "a.xyz"))
    camera = true_camera()
    glb = glb_bytes([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 1, 2), (0, 2, 3)])
    return {
        **{
            f"cloud_{kind}": (f"c.{kind}", (scans / f"a.{kind}").read_bytes(), read_cloud)
            for kind in ("las", "laz", "e57", "xyz", "ply")
        },
        "glb": ("a.glb", glb, read_scan_mesh),
        "camera": ("camera.json", compact(camera_document(camera)).encode(), read_camera),
        "points": (
            "points.json",
            compact(points_document(sightings(camera, 8, 1))).encode(),
            read_sightings,
        ),
        "regions": ("regions.json", json.dumps(REGIONS).encode(), read_regions),
        "witness": ("witness.json", json.dumps(WITNESS).encode(), read_witness),
    }


KINDS = (
    "model",
    "scenario",
    "openmbd",
    "hfd",
    "osim",
    "obj",
    "stl",
    "ply",
    "recording",
    "manifest",
    "plan",
    "journal",
    "table",
    "traces",
    "summary",
    "sweep",
    "evidence",
    "cameras",
    "page",
    "digests",
    "csv",
    "cloud_las",
    "cloud_laz",
    "cloud_e57",
    "cloud_xyz",
    "cloud_ply",
    "glb",
    "camera",
    "points",
    "regions",
    "witness",
)
IN_A_PROCESS = {"cloud_e57", "cloud_las", "cloud_laz"}
"""Kinds whose reader starts a process for each file: fewer files."""
SIGNED = {"manifest": signed_manifest, "journal": signed_journal}


def try_file(path: Path, data: bytes, read: Callable[[Path], object]) -> bool:
    """Whether the file is read; any exception but the documented one fails the test, as does a slow one."""
    path.write_bytes(data)
    begun = time.process_time()
    try:
        read(path)
        return True
    except FileError as error:
        assert error.message and error.remedy and "\n" not in str(error)[:2000].strip()
        return False
    finally:
        assert time.process_time() - begun < LONGEST


@pytest.fixture(autouse=True)
def memory_limit():
    """The system refuses more than a file may take: the MemoryError is no documented error."""
    if sys.platform != "linux":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    resource.setrlimit(resource.RLIMIT_DATA, (pages * resource.getpagesize() + MOST_MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_DATA, before)


@pytest.mark.parametrize("kind", KINDS)
def test_the_file_before_it_is_broken(kind, tmp_path):
    """Without this the fuzzing could pass by never reading anything."""
    name, data, read = readers(tmp_path)[kind]
    assert try_file(tmp_path / name, data, read)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_broken_files(kind, tmp_path):
    name, data, read = readers(tmp_path)[kind]
    chance = random.Random(f"{SEED} {kind}")
    for number in range(FILES_EACH // 20 if kind in IN_A_PROCESS else FILES_EACH):
        content = broken(data, chance)
        if number % 2 and kind in SIGNED:
            content = SIGNED[kind](content)
        try:
            try_file(tmp_path / name, content, read)
        except Exception as error:
            error.add_note(f"{kind}, file {number} of the seed {SEED}")
            raise
