"""The dressed skin of a person in the page: carried by the bodies as the model has them."""

import numpy as np
import pytest
from page_blocks import decode

from mannequin.engine.spec import Actor
from mannequin.engine.spec.person import Person
from mannequin.models.editing.rest_layout import lay_out
from mannequin.models.library import load_model
from mannequin.models.people import base_mesh
from mannequin.viewer.encoding import Blocks
from mannequin.viewer.person_skin import person_skin
from mannequin.viewer.surfaces import Meshes

pytestmark = pytest.mark.skipif(
    not base_mesh.is_available(), reason="the shape data of people is not installed"
)


@pytest.fixture(scope="module")
def skin():
    from mannequin.models.people.person_model import build_person

    person = Person(sex=0.0, age=71.0, height=1.63, mass=58.0)
    actor = Actor("woman", build_person(person), person=person)
    blocks = Blocks()
    meshes = Meshes(blocks)
    made = person_skin(actor, 5, "#0072b2", meshes, blocks)
    mesh = meshes.written[made["mesh"]]
    return actor, made, decode(blocks.written[mesh["points"]]), blocks


def test_standing_the_skin_is_as_tall_as_the_person(skin):
    """Carried by the bodies as they stand, the picture has the person's height, feet on the ground."""
    actor, made, points, blocks = skin
    places = lay_out(actor.model)
    names = [actor.model.bodies[number - 5].name for number in made["bodies"]]
    shares = decode(blocks.written[made["weights"]]) / 255.0
    holds = decode(blocks.written[made["indices"]])
    drawn = np.zeros_like(points)
    for k, name in enumerate(names):
        motion = places[name].frame @ np.linalg.inv(np.reshape(made["rest"][k], (4, 4)))
        share = np.where(holds == k, shares, 0.0).sum(axis=1)
        drawn += share[:, None] * (points @ motion[:3, :3].T + motion[:3, 3])
    lowest, highest = drawn[:, 2].min(), drawn[:, 2].max()
    assert highest - lowest == pytest.approx(1.63, abs=0.05)  # hair and soles stand off, shares are bytes
    assert lowest == pytest.approx(0.0, abs=0.03)
    left, right = drawn[:, 1].max(), drawn[:, 1].min()
    assert left == pytest.approx(-right, abs=0.01)


def test_shares_are_whole(skin):
    _, made, points, blocks = skin
    shares = decode(blocks.written[made["weights"]]).astype(int).sum(axis=1)
    assert len(shares) == len(points)
    assert np.abs(shares - 255).max() <= 2


def test_a_dummy_has_none_and_people_of_the_library_have_one():
    """Somebody of his size stands in for the library's man."""
    blocks = Blocks()
    for name, is_dressed in (("hybrid3_50th", False), ("bicycle", False), ("male", True)):
        actor = Actor("other", load_model(name))
        found = person_skin(actor, 0, "#0072b2", Meshes(blocks), blocks)
        assert (found is not None) == is_dressed, name
