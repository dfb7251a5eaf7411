"""The progress bar: right figures on a terminal, silence elsewhere."""

import io
from types import SimpleNamespace

from mannequin.commands.progress_bar import ProgressBar, bar_text, clock


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_quiet_when_piped():
    stream = io.StringIO()
    bar = ProgressBar("fall", stream)
    bar(SimpleNamespace(time=0.5, duration=1.0))
    bar.finish()
    assert stream.getvalue() == ""


def test_shows_time_speed_and_time_left():
    text = bar_text("fall", 0.25, 1.0, 10.0)
    assert text == "fall [######..................]  25 %  0.250 of 1 s  0.025 x real time  30 s left"
    assert "left" not in bar_text("fall", 0.0, 1.0, 1.0)


def test_the_line_is_cleared_at_the_end():
    stream = Terminal()
    bar = ProgressBar("fall", stream)
    bar(SimpleNamespace(time=0.5, duration=1.0))
    bar.finish()
    drawn, cleared, last = stream.getvalue().split("\r")[1:]
    assert drawn.startswith("fall [") and cleared.strip() == "" and len(cleared) >= len(drawn) and last == ""


def test_clock():
    assert [clock(s) for s in (3.2, 61, 7500)] == ["3 s", "1 min 01 s", "2 h 05 min"]
