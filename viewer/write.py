"""The file: page, content and the page's code in one, and the check of a file that exists.

The page's security policy allows nothing from anywhere: no request, no frame, no form, and only the one script and the
one style whose digests it names. A script changed by hand does not run.
"""

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..analysis.files.run_folder import Run, add_files
from ..io_json import strict_json
from ..io_json.errors import FileError
from .cameras import Camera, camera_of_page
from .content import FORMAT, Shown, build_content, shown_run

PAGE = Path(__file__).parent / "page"
BUNDLE = Path(__file__).parent / "built" / "viewer.js"
"""Made by tools/build_viewer.py."""
GROUP, FILE_NAME = "view", "view.html"
"""How a run folder names its page and the list with the page's digest."""
LARGEST = 512 * 1024**2
"""Bytes of a page that is checked."""
DATA_OPENS, DATA_CLOSES = '<script type="application/json" id="data">', "</script>"


def page_bytes(runs: Sequence[Shown], title: str = "", cameras: Sequence[Camera] = ()) -> bytes:
    """The page of some runs. The same runs, title and cameras give the same bytes. Raises FileError."""
    return assembled(build_content(runs, title, cameras))


def write_page(run: Run, cameras: Sequence[Camera] = ()) -> Path:
    """Put the page of a run into its folder, with its digest; returns its path. Raises FileError."""
    return add_files(run.folder, GROUP, {FILE_NAME: page_bytes([shown_run(run)], cameras=cameras)})[0]


def pages_of(folder: Path, stem: str) -> list[Path]:
    """The page that a run folder holds, if any."""
    return [path for path in [folder / f"{stem}_{FILE_NAME}"] if path.exists()]


def assembled(content: dict[str, Any], live: bool = False) -> bytes:
    """The page of a content; a live one may ask its own server. Raises FileError where its code was not built."""
    script = _bundle()
    style = (PAGE / "style.css").read_text(encoding="utf-8")
    digests = ", ".join(f"{run['digest_of']} {run['digest']}" for run in content["runs"])
    text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    data = text.replace("<", "\\u003c")
    parts = {
        "POLICY": html.escape(policy(script, style, live), quote=True),
        "TITLE": html.escape(content["title"]),
        "DIGEST": html.escape(digests),
        "CHECK": hashlib.sha256(data.encode("ascii")).hexdigest(),
        "STYLE": style,
        "DATA": data,
        "SCRIPT": script,
    }
    template = (PAGE / "template.html").read_text(encoding="utf-8")
    pieces = template.split("@")
    return "".join(parts.get(piece, piece) for piece in pieces).encode("utf-8")


def policy(script: str, style: str, live: bool = False) -> str:
    """The Content-Security-Policy: nothing from anywhere but this script, this style and pictures in the page."""
    own_server = "connect-src 'self'; " if live else ""
    return (
        "default-src 'none'; "
        f"script-src '{_digest(script)}'; style-src '{_digest(style)}'; img-src data:; "
        f"{own_server}base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _bundle() -> str:
    try:
        return BUNDLE.read_text(encoding="utf-8").replace("</script", "<\\/script")
    except OSError as error:
        remedy = "Run tools/build_viewer.py in the checkout; an extension zip has the file"
        raise FileError("the viewer's code is missing", path=BUNDLE, remedy=remedy) from error


def read_content(path: Path) -> dict[str, Any]:
    """The content of a page file. Raises FileError."""
    text = strict_json.decode(strict_json.read_bytes(path, LARGEST))
    _, opened, rest = text.partition(DATA_OPENS)
    data, closed, _ = rest.partition(DATA_CLOSES)
    remedy = "Give a page that `view` wrote"
    if not opened or not closed:
        raise FileError("is no page of a run", path=path, remedy=remedy)
    content = strict_json.parse(data)
    is_page = isinstance(content, dict) and content.get("format") == FORMAT
    if not is_page or not isinstance(content.get("cameras"), list):
        raise FileError("is no page of a run", path=path, remedy=remedy)
    return content


def differences(
    path: Path, runs: Sequence[Shown], title: str = "", cameras: Sequence[Camera] = ()
) -> list[str]:
    """What of a page is not as its runs say, in words; empty where the page is the one that `view` writes of them.

    A title and cameras that are not given are taken from the page: they are the author's, not the recording's. Raises
    FileError.
    """
    found = read_content(path)
    title = title or str(found.get("title", ""))
    cameras = cameras or [camera_of_page(entry) for entry in found["cameras"]]
    wanted = json.loads(json.dumps(build_content(runs, title, cameras)))
    listed = _unlike(found, wanted, "")
    kept = found["runs"] if isinstance(found.get("runs"), list) else []
    for number, (one, other) in enumerate(zip(kept, wanted["runs"], strict=False)):
        listed += _unlike(one if isinstance(one, dict) else {}, other, f"runs/{number}/")
    if not listed and path.read_bytes() != assembled(wanted):
        listed.append(
            "the page around its data: has been changed, or was made by another version of the program"
        )
    return listed


def _unlike(found: dict[str, Any], wanted: dict[str, Any], place: str) -> list[str]:
    """Members that are not as they should be, and such as should not be there."""
    names = [key for key in wanted if key not in found or found[key] != wanted[key]]
    return [f"{place}{key}: is not what the run says" for key in [*names, *sorted(set(found) - set(wanted))]]
