"""The report in a run folder, made again and compared: every number and every word that follows from the run."""

import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import matplotlib
import PIL

from ..files.run_folder import Run, added_name
from .rendering import Looks
from .report import GROUP, HTML_NAME, PDF_NAME, Chart, Options, report_files
from .step_check import check_step

_FACTS = re.compile(r'<meta name="mannequin-report" content="([^"]*)">')
SHOWN = 80
"""Characters of a text that are shown."""
_PICTURE = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=]*")


class OtherLooks(Looks):
    """Stands for looks of actors that this computer does not have: the words of the report can be made, not its
    pictures."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)


def report_problems(
    run: Run, progress: Callable[[Any], None] | None = None, looks: Looks | None = None
) -> Iterator[str]:
    """What of a report is not what the run gives; nothing where the folder holds none. The check of the time step is
    simulated again where the report has one. `looks`: of the actors, as far as they are known here."""
    path = run.folder / added_name(run.stem, HTML_NAME)
    if not path.exists() or not (run.folder / f"{run.stem}_{GROUP}.sha256").exists():
        return
    stored = path.read_text("utf-8", errors="replace")
    try:
        facts = json.loads(html.unescape(_FACTS.search(stored)[1]))
        options = Options(*(facts[name] for name in ("risk_curves", "court", "influence", "texts")))
        charts = [Chart(_chart(run, k), caption) for k, caption in enumerate(facts["charts"], start=1)]
        dressed = tuple(facts.get("dressed", ()))  # reports of before have none
    except (TypeError, KeyError, ValueError, OSError):
        yield f"{path.name}: does not say how it was made: make it again with this version"
        return
    check = check_step(run.scenario, run.recording, progress) if facts["step_check"] else None
    has_looks = not dressed or looks is not None and looks.names == dressed
    wanted = report_files(
        run, check, options, charts, (looks if dressed else None) if has_looks else OtherLooks(dressed)
    )
    text = wanted[HTML_NAME].decode("utf-8")
    if _PICTURE.sub("", stored) != _PICTURE.sub("", text):
        yield f"{path.name}: {_first_difference(stored, text)}"
        return
    libraries = {"matplotlib": matplotlib.__version__, "pillow": PIL.__version__}
    if not has_looks or facts["made_with"] != libraries:
        return  # other versions of these draw other pixels
    if stored != text:
        yield f"{path.name}: a picture in it is not that of the run"
    pdf = run.folder / added_name(run.stem, PDF_NAME)
    if not pdf.exists() or pdf.read_bytes() != wanted[PDF_NAME]:
        yield f"{pdf.name}: is not the document that the run gives"


def _chart(run: Run, number: int) -> bytes:
    return (run.folder / f"report_charts/{number}.png").read_bytes()


def _first_difference(stored: str, wanted: str) -> str:
    """The first text between two tags that is another one."""
    texts = [re.findall(r">([^<>]+)<", _PICTURE.sub("", page)) for page in (stored, wanted)]
    for one, other in zip(*texts, strict=False):
        if one != other:
            at = max(
                0,
                next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0) - SHOWN // 2,
            )
            one, other = (html.unescape(text[at : at + SHOWN]) for text in (one, other))
            return f"'{one}', it should be '{other}'"
    return "has other parts than the report of the run"
