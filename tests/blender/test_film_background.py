"""Rendering beside Blender: another process does it from a copy of the file, tells how far it is, and can be ended."""

import time

import pytest

from mannequin.models.library import load_model


@pytest.fixture
def scene(blender):
    """An actor that falls down by hand-set keyframes, with its stage, three frames long."""
    from mannequin.scene.film.produce import setup_render
    from mannequin.scene.model.build import build_actor

    scene = blender.context.scene
    actor = build_actor(load_model("male"), scene)
    for frame, height in ((1, 0.0), (3, 0.5)):
        actor.location.z = height
        actor.keyframe_insert("location", frame=frame)
    scene.frame_end = 3
    setup_render(scene, 64, 36)
    return scene


def wait_for(job, seconds=200.0):
    until = time.monotonic() + seconds
    while not job.poll():
        assert time.monotonic() < until, "the render does not end"
        time.sleep(0.1)


@pytest.mark.long
def test_a_film_is_rendered_by_another_process(blender, scene, tmp_path):
    from mannequin.scene.film import background
    from mannequin.scene.film.produce import Film

    film = Film(tmp_path / "frames", "PNG", width=64, height=36, overlay=False)
    job = background.start(scene, film)
    assert background.current() is job and "Blender" in job.text
    assert not blender.ops.mannequin.render_film.poll(), "one at a time"
    assert blender.ops.mannequin.cancel_render.poll()
    folder = job._worker.child.folder
    wait_for(job)
    assert (job.share, job.text) == (1.0, "Writing frames")
    while background._look() is not None:
        pass
    assert background.current() is None and background.last_words() == f"Wrote {film.target}"
    assert len(list(film.target.iterdir())) == 3
    assert not folder.exists(), "nothing is left behind"


def test_a_render_can_be_cancelled_and_leaves_nothing(blender, scene, tmp_path):
    from mannequin.scene.film import background
    from mannequin.scene.film.produce import Film

    old = tmp_path / "film.mp4"
    old.write_bytes(b"an earlier film")
    job = background.start(scene, Film(old, width=64, height=36, overlay=False))
    folder, child = job._worker.child.folder, job._worker.child
    assert blender.ops.mannequin.cancel_render() == {"FINISHED"}
    assert not child.is_running and background.current() is None
    assert old.read_bytes() == b"an earlier film" and [p.name for p in tmp_path.iterdir()] == ["film.mp4"]
    assert not folder.exists()
    assert not blender.ops.mannequin.cancel_render.poll()


@pytest.mark.long
def test_what_goes_wrong_there_is_reported_here(blender, scene, tmp_path):
    from mannequin.engine.errors import UserError
    from mannequin.scene.film.background import BackgroundRender
    from mannequin.scene.film.produce import Film

    job = BackgroundRender(scene, Film(tmp_path / "film.mp4", width=64, height=36))
    wait_for(job)
    with pytest.raises(UserError, match="no actor plays a simulated motion"):
        job.result()


def test_with_a_blender_the_extension_is_switched_on_there(monkeypatch, tmp_path):
    """The command line for a real Blender, whose path the module has not."""
    from mannequin.jobs import film

    monkeypatch.setattr(film, "PACKAGE", "bl_ext.user_default.mannequin")
    words = film.command("/opt/blender", tmp_path)
    assert words[:4] == ["/opt/blender", "--background", "--addons", "bl_ext.user_default.mannequin"]
    assert words[words.index("--python") + 1].endswith("render_child.py")
    assert words[-3:] == ["--", str(tmp_path), "bl_ext.user_default.mannequin"]


def test_a_film_sets_itself_up_where_nobody_has(blender, tmp_path, quick_draft):
    """In a new file, whose own camera looks elsewhere: one button makes the film; a set-up that is there stays."""
    from mannequin.scene.film.parts import parts_of
    from mannequin.scene.film.produce import lacks_cameras
    from mannequin.scene.model.build import build_actor

    scene = blender.context.scene
    blender.ops.object.camera_add()
    scene.camera = blender.context.object
    actor = build_actor(load_model("bicycle"), scene)
    for frame in (1, 2):
        actor.location.x = frame
        actor.keyframe_insert("location", frame=frame)
    scene.frame_end = 2
    film = scene.mannequin.film
    film.output, film.format, film.width, film.height = str(tmp_path / "frames"), "PNG", 64, 36
    film.overlay = False
    assert lacks_cameras(scene)
    assert blender.ops.mannequin.render_film() == {"FINISHED"}
    assert not lacks_cameras(scene) and scene.camera in parts_of(scene, "camera")
    assert len(list((tmp_path / "frames").iterdir())) == 2
