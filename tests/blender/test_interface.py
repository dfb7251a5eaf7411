"""The interface as a whole, enumerated: buttons that are off say why, everything has a tooltip, every property can be
reached, panels stand in the order of work and the rare ones are closed."""

import pytest
from authoring import full_scenario
from panel_layout import draw_all, panels


def listed_classes(package):
    import mannequin.registration

    modules = [m for m in mannequin.registration.listed_modules() if f".{package}." in m.__name__]
    return [cls for module in modules for cls in mannequin.registration.classes_of(module)]


def operators(bpy):
    return [cls for cls in listed_classes("operators") if issubclass(cls, bpy.types.Operator)]


def groups(bpy):
    return [cls for cls in listed_classes("scene") if issubclass(cls, bpy.types.PropertyGroup)]


def build(blender, active=""):
    from mannequin.scene.scenario.scenario import build_scenario

    build_scenario(full_scenario(), blender.context.scene)
    if active:
        blender.context.view_layer.objects.active = blender.data.objects[active]


SITUATIONS = ("", "victim", "thigh_part_1", "hip", "kerb", "rectus", "endless", "part")
"""Objects that are active; none: an empty scene."""


@pytest.mark.parametrize("active", SITUATIONS)
def test_every_button_that_is_off_says_why(blender, active):
    """Called anyway, an operator whose poll fails gives its own reason, not Blender's "context is incorrect"."""
    if active:
        build(blender, active)
    off = 0
    for operator in operators(blender):
        call = getattr(blender.ops.mannequin, operator.bl_idname.split(".")[1])
        if call.poll():
            continue
        off += 1
        with pytest.raises(RuntimeError) as refused:
            call()
        reason = str(refused.value).split("poll()", 1)[1].strip()
        assert reason and "context is incorrect" not in reason, operator.bl_idname
        assert reason[0].isupper() and not reason.endswith("."), (operator.bl_idname, reason)
    assert off > (20 if not active else 3)


def test_every_operator_and_option_has_a_tooltip(blender):
    blenders_own = {"rna_type", "filter_glob", "check_existing", "filemode", "display_type", "sort_method"}
    for operator in operators(blender):
        rna = getattr(blender.ops.mannequin, operator.bl_idname.split(".")[1]).get_rna_type()
        assert rna.description and not rna.description.endswith("."), operator.bl_idname
        for key, prop in rna.properties.items():
            if key not in blenders_own:
                assert prop.description, (operator.bl_idname, key)
                assert prop.name, (operator.bl_idname, key)


def test_a_property_without_a_name_is_named_after_its_attribute_in_words(blender):
    """Blender itself would show the identifier; the pattern of a file browser follows from the ending."""
    shove = blender.ops.mannequin.shove.get_rna_type().properties
    assert (shove["impulse"].name, shove["body"].name) == ("Impulse (N s)", "Body")
    assert blender.context.scene.mannequin.film.bl_rna.properties["motion_blur"].name == "Motion Blur"
    for ours, pattern in (
        ("export_hyfydy", "*.hfd"),
        ("import_model", "*.json"),
        ("open_run", "manifest.json"),
    ):
        chosen = getattr(blender.ops.mannequin, ours).get_rna_type().properties["filter_glob"]
        assert chosen.default == pattern and chosen.is_hidden
    for owner in (*groups(blender), *operators(blender)):
        for prop in owner.bl_rna.properties:
            if not prop.identifier.startswith("bl_"):
                assert "_" not in prop.name, (owner.__name__, prop.identifier)


def test_every_choice_has_a_tooltip(blender):
    """Items of menus: of properties and of operators' options."""
    kept = [(group.__name__, group.bl_rna) for group in groups(blender)]
    kept += [
        (op.bl_idname, getattr(blender.ops.mannequin, op.bl_idname.split(".")[1]).get_rna_type())
        for op in operators(blender)
    ]
    for owner, rna in kept:
        for prop in rna.properties:
            for item in prop.enum_items if prop.type == "ENUM" else ():
                assert item.name and item.description, (owner, prop.identifier, item.identifier)


# Properties that no panel draws, and what a person does instead.
ELSEWHERE = {
    ("MannequinEllipsoid", "name"): "the object's name",
    ("MannequinActor", "name"): "the object's name",
    ("MannequinObstacle", "name"): "the object's name",
    ("MannequinMuscle", "name"): "the object's name",
    ("MannequinWrapSurface", "name"): "the object's name",
    ("MannequinWrapSurface", "shape"): "Set Wrap Shape",
    ("MannequinJoint", "name"): "Rename Joint",
    ("MannequinJoint", "type"): "Set Joint Type",
    ("MannequinJoint", "axis"): "Set Joint Type",
    ("MannequinObject", "kind"): "set by what makes the object",
    **{("MannequinPerson", name): "Change Person" for name in ("sex", "age", "height", "mass", "build")},
    **{("MannequinPerson", name): "Carry Something" for name in ("load", "load_place")},
    **{
        ("MannequinJoint", name): "read in a panel, given by files" for name in ("ellipsoid", "use_ellipsoid")
    },
    **{
        ("MannequinJointFunction", name): "read in a panel, given by files"
        for name in ("motion", "direction", "coordinate")
    },
    ("MannequinOverlays", "color_by"): "Colour Ellipsoids",
    ("MannequinExcitationRule", "name"): "its list",
    **{
        ("MannequinIssue", name): "the list of findings" for name in ("severity", "message", "object", "bone")
    },
    **{
        (owner, name): "set by simulating and baking"
        for owner in ("MannequinActor", "MannequinObstacle")
        for name in ("baked_action",)
    },
    **{
        ("MannequinActor", f"{kind}_collection"): "set by the rig"
        for kind in ("ellipsoid", "joint", "mesh", "muscle", "wrap")
    },
}
AUTHORED = ("basics", "groups", "model", "connections", "muscles", "settings", "scenario", "properties")
"""Ends of the names of the modules with what a person authors; what runs, films and sweeps leave is drawn as text."""


def test_every_property_can_be_reached(blender):
    """Drawn over all situations, with every switch on and every law: what no panel shows is named above."""
    drawn = set()
    for active in SITUATIONS[1:]:
        for law in ("curve", "linear", "hunt_crossley", "lankarani_nikravesh"):
            blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            build(blender, active)
            switch_everything_on(blender, law)
            drawn |= set(draw_all(blender))
    hidden = []
    for group in groups(blender):
        if not group.__module__.endswith(AUTHORED):
            continue
        for key, prop in group.bl_rna.properties.items():
            if is_shown(group, key, prop) and (group.__name__, key) not in drawn:
                hidden.append((group.__name__, key))
    assert sorted(set(hidden) - set(ELSEWHERE)) == [], "neither drawn nor named above"
    assert not [pair for pair in ELSEWHERE if pair in drawn], "drawn after all"


def is_shown(group, key, prop):
    """Whether a property is a value a person changes: no list, no group, no place in a list."""
    if key == "rna_type" or prop.is_hidden or prop.type == "COLLECTION" or key.endswith("_index"):
        return False
    if key == "name" and "name" not in group.__annotations__:
        return False
    inner = prop.fixed_type if prop.type == "POINTER" else None
    return inner is None or inner.base is None or inner.base.identifier != "PropertyGroup"


def switch_everything_on(blender, law):
    scene = blender.context.scene
    scene.mannequin.settings.integrator = "variable_step"
    victim = blender.data.objects["victim"]
    victim.data.bones.active = victim.data.bones["thigh"]
    joint = victim.data.bones["thigh"].mannequin.joint
    joint.breaks.add()
    joint.use_slide = joint.slide.use_limits = joint.use_limits = True
    if law == "linear":
        joint.type = "prismatic"
    scene.mannequin.use_approach = True
    victim.data.mannequin.use_person = True
    victim.data.mannequin.wheels.add()
    victim.mannequin.actor.use_drive = True
    start = victim.pose.bones["thigh"].mannequin
    start.use_motor = start.motor.use_gain_over_time = start.motor.use_target_over_time = True
    victim.data.mannequin.materials[0].law = law
    blender.data.objects["kerb"].mannequin.obstacle.use_material = True
    muscle = blender.data.objects["rectus"].mannequin.muscle
    muscle.activation.form = "first_order" if law == "curve" else "rate"


OPEN = {
    "body", "joint", "ellipsoid", "force_curve", "velocity", "validation", "obstacle",
}  # fmt: skip
"""Sub-panels of authoring that start open: what is worked with all the time."""


def test_panels_for_the_rare_start_closed(blender):
    for cls in panels():
        name = cls.__name__.removeprefix("MANNEQUIN_PT_")
        if not hasattr(cls, "bl_parent_id") or not cls.__module__.endswith(
            ("model", "joint", "muscle", "scenario", "environment")
        ):
            continue
        assert ("DEFAULT_CLOSED" in getattr(cls, "bl_options", set())) != (name in OPEN), name


def test_sub_panels_have_parents_and_labels_in_title_case(blender):
    known = {cls.__name__ for cls in panels()}
    small = {"and", "of", "the", "from", "by", "over", "to", "in"}
    for cls in panels():
        assert getattr(cls, "bl_parent_id", cls.__name__) in known
        words = cls.bl_label.replace("-", " ").split()
        assert all(word[0].isupper() or word in small for word in words), cls.bl_label


def test_operators_the_issue_names_are_there(blender):
    names = {op.bl_idname.split(".")[1] for op in operators(blender)}
    assert {
        "import_model", "export_model", "import_scenario", "export_scenario", "add_actor", "simulate", "bake",
    } <= names  # fmt: skip
