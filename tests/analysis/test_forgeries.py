"""Somebody changes a run folder and computes every digest anew: verify names the file and the value.

The forger here knows the program: after each change the list of outputs and the manifest's own digest are made again
with the program's own functions.
"""

import copy
import io
import json
import random
import shutil
import zipfile
from datetime import UTC, datetime

import numpy as np
import pytest
from ball_drop import make_drop

from mannequin.__main__ import main
from mannequin.analysis.files import manifest, verify
from mannequin.analysis.files.channel_files import write_channels
from mannequin.analysis.files.differences import member_differences
from mannequin.analysis.files.recording_file import read_recording, write_recording
from mannequin.analysis.files.run_folder import names_in, read_run, write_run
from mannequin.analysis.files.truth import regenerate
from mannequin.commands import EXIT_MISMATCH, EXIT_OK
from mannequin.engine.runs.simulation import run as simulate
from mannequin.io_json import scenario_json
from mannequin.io_json.errors import FileError

NOW = datetime(2026, 3, 1, 12, 30, 15, tzinfo=UTC)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A run of the engine, made from a file beside it, with a source and a change."""
    place = tmp_path_factory.mktemp("case")
    scenario = make_drop(gravity=(0.0, 0.0, -9.81), duration=0.03)
    scenario.sources["actors.man.velocity"] = "assumed"
    scenario_json.write_scenario(scenario, place / "drop.json")
    given = scenario_json.read_scenario(place / "drop.json")
    given.settings.duration = 0.02
    return write_run(
        given,
        simulate(given),
        place / "out",
        started=NOW,
        ended=NOW,
        inputs=[place / "drop.json"],
        overrides={"duration": 0.02},
    )


@pytest.fixture
def folder(original, tmp_path):
    """A copy, with the input file beside it as it was."""
    shutil.copytree(original.parent.parent, tmp_path / "case")
    return tmp_path / "case" / "out" / original.name


def rehash(folder, change=lambda content: None) -> None:
    """Make every digest again, then change the manifest and make its own."""
    content = json.loads((folder / manifest.FILE_NAME).read_text("utf-8"))
    names = [entry["path"] for entry in content["outputs"]]
    content["outputs"] = [manifest.describe_file(folder / name, name) for name in names]
    change(content)
    (folder / manifest.FILE_NAME).write_bytes(manifest.dumps(content))


def replace(path, old, new) -> None:
    data = path.read_bytes()
    assert data.count(old) >= 1, f"{old} is not in {path.name}"
    path.write_bytes(data.replace(old, new, 1))


def mismatches(folder, capsys, *options) -> str:
    assert main(["verify", str(folder), *options]) == EXIT_MISMATCH
    return capsys.readouterr().out


def test_the_original_is_identical(folder, capsys):
    assert main(["verify", str(folder)]) == EXIT_OK
    assert "second simulation identical" in capsys.readouterr().out


def test_a_throw_distance_in_the_summary(folder, capsys):
    summary = folder / f"{folder.name}_summary.txt"
    line = next(line for line in summary.read_text().splitlines() if line.startswith("throw distance"))
    replace(summary, line.encode(), line.replace("0 m", "9 m", 1).encode() + b"9")
    rehash(folder)
    out = mismatches(folder, capsys)
    assert summary.name in out and "throw distance" in out and "it should be" in out


def test_a_contact_time_in_the_table(folder, capsys):
    table = folder / f"{folder.name}_contacts.csv"
    header, row = table.read_text().splitlines()[:2]
    cells = row.split(",")
    column = header.split(",").index("start_s")
    cells[column] = "0.004"
    replace(table, row.encode(), ",".join(cells).encode())
    rehash(folder)
    out = mismatches(folder, capsys)
    assert f"{table.name}: line 2, start_s: 0.004, it should be" in out


def test_a_source_rewritten_in_the_manifest(folder, capsys):
    rehash(folder, lambda content: content["parameters"]["sources"].update({"actors.man.velocity": "CCTV"}))
    out = mismatches(folder, capsys)
    assert 'manifest.json: parameters.sources.actors.man.velocity: "CCTV", it should be "assumed"' in out


def test_a_source_rewritten_everywhere_in_the_folder(folder, capsys):
    """The input file beside the run, or a digest noted elsewhere, still tells."""
    digest = manifest.read(folder)["sha256"]
    replace(folder / f"{folder.name}_scenario.json", b"assumed", b"measured from CCTV")
    rehash(
        folder,
        lambda content: content["parameters"]["sources"].update(
            {"actors.man.velocity": "measured from CCTV"}
        ),
    )
    out = mismatches(folder, capsys)
    assert f"{folder.name}_scenario.json" in out and "measured from CCTV" in out and "assumed" in out
    (folder.parent.parent / "drop.json").unlink()
    assert digest in mismatches(folder, capsys, "--expect", digest)


def test_a_backdated_start(folder, capsys):
    rehash(folder, lambda content: content.update(started="2025-01-01T12:30:15.000Z"))
    out = mismatches(folder, capsys)
    assert "manifest.json: started: 2025-01-01T12:30:15.000Z" in out and "_summary.txt" in out


def test_a_start_that_differs_by_milliseconds_only(folder, capsys):
    rehash(folder, lambda content: content.update(started="2026-03-01T12:30:15.900Z"))
    assert "_summary.txt" in mismatches(folder, capsys)


def test_emptied_parameters(folder, capsys):
    rehash(folder, lambda content: content.update(parameters={}))
    assert "manifest.json: parameters.name: is missing" in mismatches(folder, capsys)


def test_an_emptied_list_of_outputs(folder, capsys):
    rehash(folder, lambda content: content.update(outputs=[]))
    assert f"outputs: {folder.name}_contacts.csv is missing" in mismatches(folder, capsys)


def test_a_file_taken_out_of_folder_and_list(folder, capsys):
    name = f"{folder.name}_energy.csv"
    (folder / name).unlink()
    content = json.loads((folder / manifest.FILE_NAME).read_text("utf-8"))
    content["outputs"] = [entry for entry in content["outputs"] if entry["path"] != name]
    (folder / manifest.FILE_NAME).write_bytes(manifest.dumps(content))
    assert f"{name} is missing, which a run writes" in mismatches(folder, capsys)


def alter_accelerations(folder, factor) -> None:
    """New accelerations, and the table and summary that go with them."""
    path = folder / f"{folder.name}_recording.npz"
    recording = read_recording(path)
    recording.acceleration *= factor
    with open(path, "wb") as file:
        write_recording(recording, file)
    content = json.loads((folder / manifest.FILE_NAME).read_text("utf-8"))
    truth = regenerate(read_run(folder).scenario, recording, content)
    for name, data in truth.files.items():
        if name.endswith(".csv"):
            (folder / name).write_bytes(data)


def test_altered_accelerations_under_a_forged_processor(folder, capsys):
    alter_accelerations(folder, 1.0 + 1e-6)
    rehash(folder, lambda content: content["platform"].update(processor="alderlake"))
    out = mismatches(folder, capsys)
    assert "second simulation: acceleration: largest difference" in out


def test_altered_accelerations_under_forged_machine_code_too(folder, capsys):
    alter_accelerations(folder, 1.0 + 1e-6)

    def claim(content):
        content["platform"].update(processor="alderlake")
        content["compiled_code"] = dict.fromkeys(content["compiled_code"], "0" * 64)

    rehash(folder, claim)
    out = mismatches(folder, capsys)
    assert "nothing shows that the manifest is its author's" in out and "acceleration" in out


def test_something_hidden_in_the_recording(folder, capsys):
    path = folder / f"{folder.name}_recording.npz"
    with zipfile.ZipFile(path, "a") as archive:
        buffer = io.BytesIO()
        np.save(buffer, np.zeros(3))
        archive.writestr("extra.npy", buffer.getvalue())
    rehash(folder)
    assert "holds 'extra.npy'" in mismatches(folder, capsys)


def test_channels_changed_after_the_run(folder, capsys):
    (table,) = write_channels(read_run(folder))
    assert main(["verify", str(folder)]) == EXIT_OK
    lines = table.read_text().splitlines()
    cells = lines[9].split(",")
    cells[2] = "777"
    replace(table, lines[9].encode(), ",".join(cells).encode())
    listing = folder / f"{folder.name}_channels.sha256"
    listing.write_text(f"{manifest.sha256_of_file(table)}  {table.name}\n")
    assert f"{table.name}: line 10" in mismatches(folder, capsys)


@pytest.mark.slow
def test_a_number_in_the_report(folder, capsys):
    """Page and digest are changed alike; the report is made again."""
    assert main(["report", str(folder)]) == EXIT_OK
    assert main(["verify", str(folder)]) == EXIT_OK
    page = folder / f"{folder.name}_report.html"
    text = page.read_text("utf-8")
    at = text.index("largest force between them is ") + len("largest force between them is ")
    page.write_text(text[:at] + "9" + text[at:], "utf-8")
    listing = folder / f"{folder.name}_report.sha256"
    lines = [
        f"{manifest.sha256_of_file(folder / name)}  {name}\n"
        for name in (line.split("  ")[1] for line in listing.read_text().splitlines())
    ]
    listing.write_text("".join(lines))
    out = mismatches(folder, capsys)
    assert page.name in out and "largest force" in out and "it should be" in out


def test_a_cancelled_run_is_proved_to_its_last_contact(tmp_path, capsys):
    """The first contact goes on when the run is cancelled; its numbers are those of a second simulation too."""
    scenario = make_drop(duration=0.05, height=0.004)
    seen = []
    recording = simulate(scenario, progress=seen.append, cancel=lambda: seen[-1].frame >= 20)
    assert (
        recording.status == "cancelled" and recording.frames < 400 and np.isnan(recording.contacts["end"][-1])
    )
    folder = write_run(scenario, recording, tmp_path, started=NOW, ended=NOW)
    assert verify.verify_run(folder).replay == "identical"


# --- 10,000 forged manifests ----------------------------------------------------------------------------------------


def leaves(value, place=()):
    """Every value inside JSON content, by its path."""
    if isinstance(value, dict | list):
        yield place
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*place, key))
    else:
        yield place


def mutated(value, draw):
    """Another value of the same kind, or of another one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + draw.choice((-1, 1, 7))
    if isinstance(value, float):
        return value * draw.choice((1.0 + 1e-12, 0.5, 1.1)) + (1e-9 if value == 0.0 else 0.0)
    if isinstance(value, str):
        at = draw.randrange(len(value) + 1)
        return value[:at] + draw.choice("0aZ 7.") + value[at + draw.randrange(2) :]
    if isinstance(value, list):
        return value[:-1] if value else ["x"]
    return {key: value[key] for key in list(value)[:-1]} if value else {"x": "y"}


def forge_member(content, draw) -> None:
    """Change one value of the manifest, drop it, or add a member beside it."""
    place = draw.choice([path for path in leaves(content) if path and path != ("sha256",)])
    owner = content
    for key in place[:-1]:
        owner = owner[key]
    kind = draw.random()
    if kind < 0.8:
        owner[place[-1]] = mutated(owner[place[-1]], draw)
    elif kind < 0.9:
        del owner[place[-1]]
    elif isinstance(owner, dict):
        owner["added"] = draw.choice(("x", 1, None))
    else:
        owner.append(copy.deepcopy(draw.choice(owner)) if owner else "x")


def forge_file(files, content, draw) -> None:
    """Change a digit of a file and give the manifest its new digest."""
    entry = draw.choice([entry for entry in content["outputs"] if not entry["path"].endswith(".npz")])
    data = bytearray(files[entry["path"]])
    digits = [i for i, byte in enumerate(data) if chr(byte).isdigit()]
    at = draw.choice(digits)
    data[at] = draw.choice([c for c in b"0123456789" if c != data[at]])
    files[entry["path"]] = bytes(data)
    entry.update(bytes=len(data), sha256=manifest.sha256_of(bytes(data)))


@pytest.mark.slow
def test_none_of_ten_thousand_forged_manifests_passes(original):
    """Members of the manifest, values of tables, summary and models, or both, each re-hashed and spelled as the program
    spells it. What is in memory here is what verify compares with the files of a folder."""
    run = read_run(original)
    truth = regenerate(run.scenario, verify.simulate_again(run.scenario, run.recording), run.manifest)
    stored = {name: (original / name).read_bytes() for name in names_in(original)}
    good = json.loads(stored[manifest.FILE_NAME])
    assert list(truth.problems(good, stored.__getitem__)) == []
    draw, passed, changed = random.Random(27), [], 0
    while changed < 10_000:
        content, files = copy.deepcopy(good), dict(stored)
        kind = draw.random()
        if kind < 0.3:
            forge_file(files, content, draw)
        if kind > 0.2:
            forge_member(content, draw)
        content = json.loads(manifest.dumps(content))
        if content["sha256"] == good["sha256"] or not_readable(content):
            continue
        changed += 1
        if not list(truth.problems(content, lambda name, files=files: files[name])):
            passed += member_differences(content, good)
    assert passed == []


def not_readable(content) -> bool:
    """Whether the reader of manifests refuses it already."""
    try:
        manifest.require_members(content)
    except FileError:
        return True
    return False
