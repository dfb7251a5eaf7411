"""Colours that are to be told apart are, whatever somebody's cones."""

import pytest
from color_vision import VISIONS, ciede2000, difference
from color_vision import linear as reference

from mannequin.analysis.colors import GROUPS, LEAST, linear


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ],
)
def test_the_difference_is_that_of_the_published_pairs(first, second, expected):
    """Sharma, Wu and Dalal, Color Research and Application 30 (2005) 21-30, table 1."""
    assert ciede2000(first, second) == pytest.approx(expected, abs=5e-5)
    assert ciede2000(second, first) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("group", GROUPS)
def test_every_two_colours_of_a_group_are_told_apart(group, vision):
    colors = GROUPS[group]
    near = {
        (one, other): gap
        for k, one in enumerate(colors)
        for other in colors[:k]
        if (gap := difference(one, other, vision)) < LEAST
    }
    assert not near


def test_colours_that_only_some_tell_apart_are_found():
    """The red and the green that plots had before."""
    assert difference("#c1272d", "#2e7d32", "normal") > LEAST > difference("#c1272d", "#2e7d32", "deutan")


def test_light_of_a_colour_is_that_of_the_standard():
    assert linear("#b98f3e", 0.5) == pytest.approx((*reference("#b98f3e"), 0.5))
