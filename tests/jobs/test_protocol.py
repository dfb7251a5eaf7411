"""Messages between a child process and its parent: exact there and back, and nothing else passes."""

import dataclasses
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from mannequin.jobs import protocol
from mannequin.jobs.protocol import BadMessage, decode, encode

FILM = protocol.Film(Path("/out/film.mp4"), "GIF", "top", "best", 64, 36, False, 2)
CUT = replace(FILM, shots=[protocol.FilmShot("side", end=1.5)], frames=Path("/frames"), inset="top")
EXAMPLES = [
    protocol.Simulate(1, Path("a b.json"), Path("/out"), "2026-01-01T00:00:00+00:00", {"blender": "4.5"}),
    protocol.Simulate(2, Path("ä.json"), frames=Path("/frames")),
    protocol.TakePreview(13, '{"name": "fall"}', ["1", "1"], ["2"], {"2": "{}"}),
    protocol.Previewed(13, "text"),
    protocol.GoesOn("answers-2"),
    protocol.WriteReport(3, Path("/run")),
    protocol.DrawMomentArms(4, Path("model.json"), "soleus [l]*", "ankle", "y", Path("arms.png")),
    protocol.RunSweep(5, Path("sweep.json"), Path("/out")),
    protocol.RunFit(11, Path("evidence.json"), Path("/out")),
    protocol.RunHypotheses(12, Path("evidence.json"), Path("/out")),
    protocol.RunPoint(10, Path("task.json"), 17, [0.1, -2.0], None),
    protocol.RenderScene(6, Path("scene.blend"), "Scene", FILM),
    protocol.RenderScene(11, Path("scene.blend"), "Scene", CUT),
    protocol.RenderRuns(
        7,
        [Path("/run")],
        FILM,
        25,
        2.0,
        [[0.1, 0.2, 10.0]],
        "case",
        ["", ""],
        ["speed"],
        "day",
        "grass",
        "",
        None,
        True,
    ),
    protocol.Cancel(8),
    protocol.ShowPose(9),
    protocol.Hello(Path("/mannequin")),
    protocol.Compiling(7, 278),
    protocol.Ready(),
    protocol.Alive(),
    protocol.Progress(1, 3, 10, "Simulating 0.10 of 2 s"),
    protocol.Pose(1, 0.1, [[0.1, 0.2, 0.30000000000000004]], [[1.0, 0.0, 0.0, 0.0]]),
    protocol.Recorded(1, "fall_20260101T000000Z"),
    protocol.Done(1, Path("/out/run")),
    protocol.RunDone(1, Path("/out/run"), '{"Head": []}'),
    protocol.PointDone(1, 17, "completed", [0.30000000000000004, True, "head", None], "trace", ""),
    protocol.Failed(1, 'line one\nline "two"'),
    protocol.Cancelled(1),
]
EVERY = (*protocol.REQUESTS, *protocol.ANSWERS)


def test_every_kind_of_message_has_an_example():
    assert {type(example) for example in EXAMPLES} == set(EVERY)


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: type(message).__name__)
def test_a_message_comes_back_as_it_went(message):
    line = encode(message)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert decode(line, EVERY) == message


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff\xfe",
        b"[1, 2]",
        b"17",
        b"Traceback (most recent call last):",
        b'{"kind": "Done", "job": 1',
        b'{"kind": "Done", "job": 1}',
        b'{"kind": "Done", "job": 1, "path": 3}',
        b'{"kind": "Done", "job": "1", "path": "a"}',
        b'{"kind": "Done", "job": true, "path": "a"}',
        b'{"kind": "Done", "job": 1, "path": "a", "more": 1}',
        b'{"kind": "Progress", "job": 1, "done": 0.5, "total": 1, "text": ""}',
        b'{"kind": "Pose", "job": 1, "time": 0.1, "origin": [[null]], "quaternion": []}',
        b'{"kind": ["Done"], "job": 1, "path": "a"}',
        b'{"kind": "Simulate", "job": 1}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_answer_is_refused(line):
    with pytest.raises(BadMessage) as caught:
        decode(line, protocol.ANSWERS)
    assert len(str(caught.value)) < 80


def test_damaged_answers_are_refused_or_other_answers():
    """Bytes changed at random: an answer, or BadMessage; never anything else."""
    chance = random.Random(1)
    refused = 0
    for _ in range(4000):
        line = bytearray(encode(chance.choice(EXAMPLES)))
        for _ in range(chance.randint(1, 4)):
            line[chance.randrange(len(line))] = chance.randrange(256)
        try:
            assert type(decode(bytes(line), EVERY)) in EVERY
        except BadMessage:
            refused += 1
    assert refused > 2000


def test_no_field_hides_the_name_of_the_kind():
    assert not [kind for kind in EVERY if protocol.KIND in {f.name for f in dataclasses.fields(kind)}]
    assert json.loads(encode(protocol.Ready())) == {protocol.KIND: "Ready"}
