"""What of a run folder is made while the run still computes, on a core that would have nothing to do.

Texts that do not depend on the run (models, scenario, parameters of the manifest), and the lines of tables whose output
times are computed. Lines are kept in memory, up to a bound; what is missing is made when the folder is written, by the
same functions from the same numbers, so that the files are the same either way.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ...io_json import model_json, scenario_json
from ...io_json.errors import in_file
from ..measures import filters
from . import manifest, number_text
from .csv_files import FrameTable, frame_tables
from .feed import Feed

LARGEST = 64_000_000
"""Bytes of lines that are kept; 2 s of a man take 34 MB."""


def load_code() -> None:
    """Compile or load all machine code that files are made with: the manifest lists it."""
    number_text.load_code()
    filters.load_code()


class Ahead:
    """What is made of a scenario that names its models as files of the run folder."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self._blocks: dict[str, list[bytes]] = {}
        self._bytes = 0

    @cached_property
    def model_texts(self) -> dict[str, str]:
        """File in the run folder to text, of every model. Raises FileError."""
        texts: dict[str, str] = {}
        for actor in self.scenario.actors:
            if actor.model_reference not in texts:
                with in_file(actor.model_reference):
                    texts[actor.model_reference] = model_json.dumps(actor.model)
        return texts

    @cached_property
    def parameters(self) -> Any:
        """Parameters of the run as the manifest lists them."""
        return manifest.parameters_of(self.scenario)

    @cached_property
    def _text_by_itself(self) -> str:
        return scenario_json.dumps(self.scenario, model_texts=self.model_texts)

    def scenario_text(self, folder: Path) -> str:
        """Of the scenario's file in a run folder, which matters where obstacles name files. Raises FileError."""
        if self._names_files:
            return scenario_json.dumps(self.scenario, folder, model_texts=self.model_texts)
        return self._text_by_itself

    @property
    def _names_files(self) -> bool:
        return any(obstacle.path for obstacle in self.scenario.obstacles)

    def make(self, feed: Feed[Ahead]) -> Ahead:
        """Make what can be made while a simulation computes, and return this. Raises FileError."""
        load_code()
        _ = self.parameters, self.model_texts, self._names_files or self._text_by_itself
        for recording in feed:
            self._make_lines(recording, feed)
        return self

    def _make_lines(self, recording: Recording, feed: Feed[Ahead]) -> None:
        """Make the blocks of tables that are whole, until the simulation is over."""
        for name, table in frame_tables(self.scenario, recording).items():
            made = self._blocks.setdefault(name, [])
            while (
                (len(made) + 1) * table.block <= table.frames and self._bytes < LARGEST and not feed.is_over
            ):
                made.append(table.text(len(made)).encode("utf-8"))
                self._bytes += len(made[-1])

    def lines_of(self, name: str, table: FrameTable) -> list[bytes]:
        """The blocks of a table that are made; none where the table has become shorter."""
        made = self._blocks.get(name, [])
        return made if len(made) * table.block <= table.frames else []
