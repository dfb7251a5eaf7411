"""A page that shows a run while it computes: served on the loopback address only, with a token that the address holds.

The page asks for what is new a few times a second. The server ends with the run.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from ..engine.build.system import compile_system
from ..engine.runs.recording import Recording
from ..engine.runs.simulation import Progress, Simulation
from ..engine.spec import Scenario
from .content import Shown, build_content, motion_blocks
from .encoding import Blocks
from .write import assembled

HOST = "127.0.0.1"
TOKEN_BYTES = 24
LARGEST_ANSWER = 20_000
"""Bodies times frames in one answer: the page asks again for the rest."""
SECONDS_PER_UPDATE = 0.2
LONGEST_GOODBYE = 3.0
"""Seconds that a page which has asked before is given to take the last frames."""
LIVE_FACTS = {
    "run": "under way",
    "run_id": "live",
    "digest": "none: the run is under way",
    "digest_of": "manifest",
    "started": "",
    "program": "",
}


class LivePage:
    """The server of one run. `address` is what to open; `is_cancelled` what the page's button asked for."""

    def __init__(self, scenario: Scenario, recording: Recording) -> None:
        self._scenario = scenario
        self._page = assembled(
            build_content([Shown(scenario, recording, LIVE_FACTS)]) | {"live": True}, live=True
        )
        self._recording, self._progress, self._ended = recording, 0.0, ""
        self._lock = threading.Lock()
        self._asked, self._seen = False, threading.Event()
        self.is_cancelled = False
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        self._server = ThreadingHTTPServer((HOST, 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Number of the port, which the system chose."""
        return self._server.server_address[1]

    @property
    def address(self) -> str:
        """What a browser opens."""
        return f"http://{HOST}:{self.port}/{self._token}/"

    def is_known(self, token: str) -> bool:
        """Whether this is the token, compared in a time that does not tell how much of it is right."""
        return secrets.compare_digest(token.encode(), self._token.encode())

    def show(self, recording: Recording, progress: float, ended: str = "") -> None:
        """Take over what has been computed so far; `ended` says in words how the run ended."""
        with self._lock:
            self._recording, self._progress, self._ended = recording, progress, ended

    def cancel(self) -> None:
        """Ask the run to stop."""
        self.is_cancelled = True

    @property
    def page(self) -> bytes:
        """The page, with the first frames in it."""
        return self._page

    def news(self, first: int) -> dict[str, Any]:
        """Motion from a frame on, and how far the run is."""
        with self._lock:
            recording, progress, ended = self._recording, self._progress, self._ended
        most = max(1, LARGEST_ANSWER // max(1, len(recording.body_names)))
        frames = np.arange(first, min(recording.frames, first + most))
        blocks = Blocks()
        motion = motion_blocks(self._scenario, recording, frames, blocks) if len(frames) else {}
        is_all = first + len(frames) >= recording.frames
        self._asked = True
        if ended and is_all:
            self._seen.set()
        return {
            "motion": motion,
            "blocks": blocks.written,
            "next": first + len(frames),
            "progress": progress,
            "ended": ended if is_all else "",
        }

    def wait_until_seen(self) -> None:
        """Wait until a page that asked before has taken everything, or for a few seconds."""
        if self._asked:
            self._seen.wait(LONGEST_GOODBYE)

    def close(self) -> None:
        """Stop serving and wait for the thread."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(live: LivePage) -> type[BaseHTTPRequestHandler]:
    """Requests of one page; everything but what the page asks for is refused."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            match self._asked_for():
                case "":
                    self._answer(live.page, "text/html; charset=utf-8")
                case "news":
                    query = parse_qs(urlsplit(self.path).query)
                    first = query.get("from", ["0"])[0]
                    if not (first.isascii() and first.isdigit() and len(first) < 12):
                        self.send_error(400)
                        return
                    self._answer(json.dumps(live.news(int(first))).encode(), "application/json")
                case _:
                    self.send_error(404)

        def do_POST(self) -> None:
            if self._asked_for() != "cancel":
                self.send_error(404)
                return
            live.cancel()
            self._answer(b"{}", "application/json")

        def _asked_for(self) -> str | None:
            """The part of the path behind the token; None where token or host are not ours."""
            if self.headers.get("Host") != f"{HOST}:{live.port}":
                return None
            _, _, rest = urlsplit(self.path).path.partition("/")
            token, slash, wanted = rest.partition("/")
            return wanted if slash and live.is_known(token) else None

        def _answer(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: object) -> None:
            """Nothing is printed for a request."""

    return Handler


def run_live(
    scenario: Scenario,
    opened: Callable[[str], None],
    progress: Callable[[Progress], None],
    cancel: Callable[[], bool],
) -> Recording:
    """Run a scenario to the end with a page that shows it, or until `cancel()` or the page's button.

    opened: called with the page's address. At the end the page is given a moment to take the last frames.
    """
    simulation = Simulation(compile_system(scenario))
    live, shown = None, 0.0
    for state in simulation.advance():
        progress(state)
        if live is None:
            live = LivePage(scenario, simulation.recording())
            opened(live.address)
        if time.monotonic() - shown > SECONDS_PER_UPDATE:
            live.show(simulation.recording(), state.time / state.duration if state.duration else 1.0)
            shown = time.monotonic()
        if cancel() or live.is_cancelled:
            break
    recording = simulation.recording()
    if live is not None:
        live.show(recording, 1.0, f"The run has ended: {recording.status}.")
        live.wait_until_seen()
        live.close()
    return recording
