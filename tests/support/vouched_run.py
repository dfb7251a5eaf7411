"""A small run folder of the synthetic recording, whose second simulation is that recording, for tests of vouchers."""

from datetime import UTC, datetime
from pathlib import Path

from synthetic_run import make_recording, make_scenario

from mannequin.analysis.files import verify
from mannequin.analysis.files.run_folder import write_run

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def make_run(out: Path, monkeypatch=None, name: str = "fall test") -> Path:
    """Write the run; with `monkeypatch`, a second simulation gives the same."""
    if monkeypatch is not None:
        monkeypatch.setattr(verify, "simulate_again", lambda scenario, first, progress: make_recording(30))
    return write_run(make_scenario(name), make_recording(30), out, started=NOW, ended=NOW)
