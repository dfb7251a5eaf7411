"""Inputs that can hardly be true are among the findings of a scene."""


def test_the_panel_lists_somebody_who_walks_at_130_metres_a_second(blender):
    from mannequin.scene.scenario.findings import validate_scene
    from mannequin.scene.store.actors import actors_of

    blender.ops.mannequin.add_actor(model="male")
    scene = blender.context.scene
    assert validate_scene(scene) == 0 and not [
        item for item in scene.mannequin.issues if "on foot" in item.message
    ]
    actors_of(scene)[0].mannequin.actor.velocity = (130.0, 0.0, 0.0)
    assert validate_scene(scene) == 0, "a warning stops nothing"
    (item,) = [item for item in scene.mannequin.issues if "on foot" in item.message]
    assert item.severity == "warning" and "130 m/s" in item.message and item.object == actors_of(scene)[0]
