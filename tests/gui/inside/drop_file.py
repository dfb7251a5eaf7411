"""Drop a file on a window, as a file manager does: the source side of the XDND protocol, version 5.

    python3 drop_file.py X Y FILE

X and Y are pixels of the screen. Ends with code 0 when the window has taken the file.
"""

import select
import sys
from pathlib import Path

from patience import Limit
from Xlib import X, Xatom, display
from Xlib.protocol import event

PATIENCE = 60.0
"""Seconds of a quiet machine after which a window that should have answered is given up."""
VERSION = 5


class Source:
    """A window that offers one file."""

    def __init__(self, x: int, y: int, file: Path) -> None:
        self.display = display.Display()
        self.root = self.display.screen().root
        self.window = self.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        self.place, self.uri = (x << 16) | y, f"{file.as_uri()}\r\n".encode()
        self.uri_list = self.atom("text/uri-list")
        self.target = self.aware_window_at(x, y)

    def atom(self, name: str) -> int:
        """Number of a name."""
        return self.display.intern_atom(name)

    def aware_window_at(self, x: int, y: int) -> "object":
        """The innermost window at a point that takes drops."""
        window, found = self.root, None
        while window:
            if window.get_full_property(self.atom("XdndAware"), X.AnyPropertyType) is not None:
                found = window
            window = self.root.translate_coords(window, 0, 0) and self.child_at(window, x, y)
        if found is None:
            raise SystemExit(f"no window at {x}, {y} takes drops")
        return found

    def child_at(self, window: "object", x: int, y: int) -> "object":
        """The child of a window at a point of the screen, or None."""
        inside = window.translate_coords(self.root, x, y)
        return inside.child if inside.child != X.NONE else None

    def send(self, kind: str, *data: int) -> None:
        """Send one message of the protocol."""
        values = [self.window.id, *data, 0, 0, 0, 0][:5]
        message = event.ClientMessage(window=self.target, client_type=self.atom(kind), data=(32, values))
        self.target.send_event(message, event_mask=X.NoEventMask)
        self.display.flush()

    def wait_for(self, kind: str) -> list[int]:
        """Data of the next message of a kind; requests for the file are answered meanwhile."""
        limit = Limit(PATIENCE)
        while not limit.is_over():
            if not self.display.pending_events():
                select.select([self.display], [], [], 0.2)
                continue
            got = self.display.next_event()
            if got.type == X.SelectionRequest:
                self.give_file(got)
            elif got.type == X.ClientMessage and got.client_type == self.atom(kind):
                return list(got.data[1])
        raise SystemExit(f"the window did not answer with {kind}")

    def give_file(self, request: "object") -> None:
        """Answer a request for the file's address."""
        request.requestor.change_property(request.property or request.target, self.uri_list, 8, self.uri)
        answer = event.SelectionNotify(
            time=request.time,
            requestor=request.requestor,
            selection=request.selection,
            target=request.target,
            property=request.property or request.target,
        )
        request.requestor.send_event(answer)
        self.display.flush()

    def drop(self) -> None:
        """Enter, move, drop."""
        selection = self.atom("XdndSelection")
        self.window.change_property(self.atom("XdndTypeList"), Xatom.ATOM, 32, [self.uri_list])
        self.window.set_selection_owner(selection, X.CurrentTime)
        self.send("XdndEnter", VERSION << 24, self.uri_list)
        self.send("XdndPosition", 0, self.place, X.CurrentTime, self.atom("XdndActionCopy"))
        if not self.wait_for("XdndStatus")[1] & 1:
            raise SystemExit("the window does not take the file")
        self.send("XdndDrop", 0, X.CurrentTime)
        self.wait_for("XdndFinished")


if __name__ == "__main__":
    Source(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])).drop()
