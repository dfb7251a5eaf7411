"""`--set`: names as in the settings and the scenario, values as people type them, mistakes answered with a remedy."""

import pytest
from synthetic_run import make_scenario

from mannequin.commands.overrides import apply_overrides, parse_assignment, parse_value
from mannequin.engine.spec import Settings
from mannequin.io_json.errors import FileError

ISSUE_NAMES = {
    "time_step": ("5e-5", 5e-5),
    "output_step": ("0.0005", 5e-4),
    "duration": ("2", 2),
    "gravity": ("0,0,-1.62", (0, 0, -1.62)),
    "integrator": ("runge_kutta_4", "runge_kutta_4"),
    "friction": ("0.6", 0.6),
    "contact_damping": ("150", 150),
    "joint_damping": ("0.5", 0.5),
    "joint_limits": ("off", False),
    "self_contact": ("on", True),
    "ground": ("false", False),
}


@pytest.mark.parametrize("name", ISSUE_NAMES)
def test_settings_by_their_names(name):
    typed, expected = ISSUE_NAMES[name]
    scenario = make_scenario()
    changed = apply_overrides(scenario, [parse_assignment(f"{name}={typed}")])
    assert getattr(changed.settings, name) == expected
    assert scenario.settings == Settings()
    again = apply_overrides(scenario, [parse_assignment(f"settings.{name} = {typed}")])
    assert again.settings == changed.settings


@pytest.mark.parametrize(
    "text, read",
    [
        ("actors.0.velocity=[3,0,0]", lambda s: s.actors[0].velocity == (3, 0, 0)),
        ("actors.man.velocity=3,0,0", lambda s: s.actors[0].velocity == (3, 0, 0)),
        ("actors.man.velocity.2=-5", lambda s: s.actors[0].velocity == (1.0, 0.0, -5)),
        (
            "actors.man.joint_angles.neck=[10,20,30]",
            lambda s: s.actors[0].joint_angles == {"neck": (10, 20, 30)},
        ),
        ("actors.man.model.bodies.Head.mass=5.5", lambda s: s.actors[0].model.bodies[1].mass == 5.5),
        ("actors.0.tone=0.3", lambda s: s.actors[0].tone == 0.3),
        ("contact_damping=none", lambda s: s.settings.contact_damping is None),
        ("name=another fall", lambda s: s.name == "another fall"),
    ],
)
def test_dotted_paths(text, read):
    assert read(apply_overrides(make_scenario(), [parse_assignment(text)]))


@pytest.mark.parametrize(
    "text, reported",
    [
        ("duraton=2", "duration"),
        ("duration=long", "a number"),
        ("gravity=1,2", "3"),
        ("integrator=symplectic", "symplectic_euler"),
        ("ground=3", "true or false"),
        ("actors.woman.velocity=1,0,0", "man"),
        ("actors.5.velocity=1,0,0", "There are 1: man"),
        ("actors.0=3", "not a single value"),
        ("actors.0.velocity.7=1", "no member '7'"),
        ("settings=1", "not a single value"),
    ],
)
def test_mistakes_name_the_place_and_the_remedy(text, reported):
    with pytest.raises(FileError) as caught:
        apply_overrides(make_scenario(), [parse_assignment(text)])
    assert reported in str(caught.value)
    assert text.partition("=")[0] in str(caught.value)


@pytest.mark.parametrize("text", ["friction", "=3", ""])
def test_what_is_no_assignment_is_refused(text):
    with pytest.raises(FileError, match="name=value"):
        parse_assignment(text)


def test_values_as_people_type_them():
    assert parse_value("1e-4") == 1e-4 and parse_value("Yes") is True and parse_value("none") is None
    assert parse_value("a,b") == ["a", "b"] and parse_value("NaN") == "NaN"


def test_none_is_a_choice_where_there_is_one():
    changed = apply_overrides(make_scenario(), [parse_assignment("multi_contact=none")])
    assert changed.settings.multi_contact == "none"
