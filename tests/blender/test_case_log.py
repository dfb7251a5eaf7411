"""What is done in Blender with a file of a case is in the log of the case."""

import pytest

from mannequin.analysis.files.verify import verify_run
from mannequin.evidence.cases.case import new_case


@pytest.mark.long
def test_blender_writes_to_the_log_of_the_case(blender, tmp_path):
    case = new_case(tmp_path / "case", "17", "A. Expert")
    blender.ops.wm.save_as_mainfile(filepath=str(case.folder / "fall.blend"))
    ops = blender.ops.mannequin
    ops.import_scenario(filepath=scenario_file())
    blender.context.scene.mannequin.settings.duration = 0.01
    ops.simulate()
    ops.jump_to_contact(index=0) if blender.context.scene.mannequin.results.contacts else None
    ops.make_report()
    assert ops.note_in_case(kind="rejected", text="friction 0.9 does not fit") == {"FINISHED"}
    kinds = [entry["kind"] for entry in case.entries()]
    assert kinds[0] == "opened" and kinds[-1] == "rejected" and not case.check().problem
    assert [kind for kind in kinds if kind in ("imported", "run", "exported")] == [
        "imported",
        "run",
        "exported",
    ]
    found = verify_run(blender.context.scene.mannequin.results.folder)
    assert found.problems == [] and found.replay == "identical", (
        "a run made in Blender is proved like any other"
    )
    (run,) = [entry for entry in case.entries() if entry["kind"] == "run"]
    assert run["program"].startswith("Mannequin") and "Blender" in run["program"]
    assert run["files"][0]["path"].endswith("/manifest.json")


def test_a_broken_log_is_reported_and_stops_nothing(blender, tmp_path):
    case = new_case(tmp_path / "case", "17", "A. Expert")
    blender.ops.wm.save_as_mainfile(filepath=str(case.folder / "fall.blend"))
    (case.folder / "log.jsonl").write_text("{}\n")
    assert blender.ops.mannequin.import_scenario(filepath=scenario_file()) == {"FINISHED"}
    assert case.check().problem.startswith("entry 1")


def scenario_file() -> str:
    from mannequin.models.scenarios.library import scenario_path

    return str(scenario_path("fall_standing"))
