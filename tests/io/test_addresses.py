"""Values of a scenario by address."""

import copy

import pytest
from ball_drop import make_drop

from mannequin.engine.spec import Motor
from mannequin.io_json.addresses import value_at, with_values
from mannequin.io_json.errors import FileError


def scenario():
    made = make_drop()
    made.actors[0].motors = {"root": Motor(stiffness=2.0)}
    made.actors[0].joint_angles = {"root": (1.0, 2.0, 3.0)}
    return made


ADDRESSES = [
    ("duration", 2.0),
    ("settings.friction", 0.7),
    ("actors.man.velocity.2", -3.0),
    ("/actors/0/velocity/2", -3.0),
    ("actors.man.joint_angles.root.1", 45.0),
    ("actors.man.motors.root.stiffness", 9.0),
    ("actors.man.model.bodies.head.mass", 5.0),
    ("actors.man.model.bodies.0.ellipsoids.skin.semi_axes.0", 0.2),
    ("actors.man.model.materials.rubber.stiffness", 1e6),
    ("name", "other"),
]


@pytest.mark.parametrize(("address", "value"), ADDRESSES)
def test_value_is_set_in_a_copy(address, value):
    before = scenario()
    untouched = copy.deepcopy(before)
    after = with_values(before, [(address, value)])
    assert value_at(after, address) == value
    assert value_at(before, address) != value
    assert before == untouched


def test_what_is_not_on_the_way_is_shared():
    before = scenario()
    after = with_values(before, [("actors.man.velocity.2", -3.0), ("duration", 2.0)])
    assert after.actors[0].model is before.actors[0].model


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("actors.woman.velocity", "man"),
        ("actors.man.speeed", "there is no 'speeed'"),
        ("actors.man.model", "not a single value"),
        ("actors.man.velocity.7", "no member '7'"),
        ("durration", "duration"),
    ],
)
def test_wrong_address_is_named(address, said):
    for action in (lambda: with_values(scenario(), [(address, 1.0)]), lambda: value_at(scenario(), address)):
        with pytest.raises(FileError) as refused:
            action()
        assert said in str(refused.value) and refused.value.place.startswith(address)
