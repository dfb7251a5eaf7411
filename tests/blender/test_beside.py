"""Work beside the interface, tick by tick, with a window made of notes: progress, Esc, errors, another file opened."""

from types import SimpleNamespace

import pytest


class Notes:
    """Takes down what is called."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        return lambda *given, **named: self.calls.append((name, *given))


class Work:
    """Three ticks of work."""

    def __init__(self, fail=None):
        self.ticks, self.fail, self.warning, self.is_cancelled, self.is_kept = 0, fail, "", False, False

    text = property(lambda self: f"Tick {self.ticks}")
    share = property(lambda self: self.ticks / 3.0)

    def poll(self):
        self.ticks += 1
        if self.ticks == 2 and self.fail is not None:
            raise self.fail
        return self.ticks == 3

    def cancel(self):
        self.is_cancelled = True


@pytest.fixture
def begun(blender):
    """An operator whose work has begun, and its window."""
    from mannequin.operators.beside import Beside
    from mannequin.scene.base import activity

    class Operator(Beside):
        bl_idname, bl_label = "MANNEQUIN_OT_test", "Test"

        def __init__(self, work):
            self._work, self._scene, self._warned, self._timer = work, blender.context.scene.name, "", "timer"
            self.reports, self.watched = [], 0

        def report(self, kind, text):
            self.reports.append((*kind, text))

        def as_keywords(self):
            return {}

        def watch(self, scene, work):
            self.watched += 1

        def conclude(self, scene, work):
            return "all done"

    region = SimpleNamespace(type="UI", tag_redraw=lambda: None)
    context = SimpleNamespace(
        window_manager=Notes(),
        workspace=Notes(),
        screen=SimpleNamespace(areas=[SimpleNamespace(type="VIEW_3D", regions=[region])]),
    )
    yield Operator, context
    activity.set_activity("")


TICK, ESCAPE, MOUSE = (SimpleNamespace(type=kind) for kind in ("TIMER", "ESC", "MOUSEMOVE"))


def is_over(context):
    from mannequin.scene.base import activity

    assert ("event_timer_remove", "timer") in context.window_manager.calls
    assert context.workspace.calls[-1] == ("status_text_set", None)
    return activity.CURRENT.text == ""


def test_progress_is_reported_until_the_end(begun):
    from mannequin.scene.base import activity

    make, context = begun
    operator = make(Work())
    assert operator.modal(context, MOUSE) == {"PASS_THROUGH"}
    assert operator.modal(context, TICK) == {"RUNNING_MODAL"}
    assert (activity.CURRENT.text, activity.CURRENT.share) == ("Tick 1", pytest.approx(1 / 3, abs=1e-3))
    assert context.workspace.calls == [("status_text_set", "Tick 1    Esc: cancel")]
    operator._work.warning = "the worker is lost"
    operator.modal(context, TICK)
    assert operator.modal(context, TICK) == {"FINISHED"} and operator.watched == 2
    assert operator.reports == [("WARNING", "the worker is lost"), ("INFO", "all done")] and is_over(context)
    assert not operator._work.is_cancelled


def test_escape_cancels(begun):
    make, context = begun
    operator = make(Work())
    operator.modal(context, TICK)
    assert (
        operator.modal(context, ESCAPE) == {"CANCELLED"} and operator._work.is_cancelled and is_over(context)
    )


def test_blender_ending_the_operator_cancels(begun):
    make, context = begun
    operator = make(Work())
    operator.modal(context, TICK)
    operator.cancel(context)
    assert operator._work.is_cancelled and is_over(context)


def test_a_scene_that_was_deleted_cancels(blender, begun):
    make, context = begun
    operator = make(Work())
    operator._scene = "no such scene"
    assert operator.modal(context, TICK) == {"CANCELLED"} and operator._work.is_cancelled and is_over(context)


def test_an_error_of_ours_is_reported_and_any_other_is_not_swallowed(begun):
    from mannequin.scene.base.errors import SceneError

    make, context = begun
    operator = make(Work(SceneError("put it right")))
    operator.modal(context, TICK)
    assert operator.modal(context, TICK) == {"CANCELLED"}
    assert (
        operator.reports == [("ERROR", "put it right")] and operator._work.is_cancelled and is_over(context)
    )
    operator = make(Work(ZeroDivisionError("a bug")))
    operator.modal(context, TICK)
    with pytest.raises(ZeroDivisionError):
        operator.modal(context, TICK)
    assert operator._work.is_cancelled and is_over(context)


def test_an_error_that_a_dialog_tells_of_is_not_reported_over_it(begun):
    from mannequin.scene.base.errors import SceneError

    make, context = begun
    operator = make(Work(SceneError("put it right")))
    asked = []
    operator.asks_about = lambda error: asked.append(str(error)) or True
    operator.modal(context, TICK)
    assert operator.modal(context, TICK) == {"CANCELLED"} and is_over(context)
    assert asked == ["put it right"] and operator.reports == []
