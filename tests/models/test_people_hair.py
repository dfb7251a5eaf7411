"""Hair and brows of people: on the skin, without gaps, on everybody, and the same every time."""

import numpy as np
import pytest
from people_data import needs_people

from mannequin.engine.spec.person import Person
from mannequin.models.people.look import head, mantle, strands
from mannequin.models.people.look.pieces import shape_of
from mannequin.models.people.look.sheet import border
from mannequin.models.people.look.surface_points import located
from mannequin.models.people.look.template import load_template
from mannequin.models.people.shape import solve

WHO = {
    "toddler": Person(sex=0.5, age=2.0, height=0.87, mass=12.5),
    "old woman": Person(sex=0.0, age=82.0, height=1.56, mass=54.0),
    "heavy man": Person(sex=1.0, age=45.0, height=1.76, mass=130.0),
}


@pytest.fixture(scope="module", params=WHO)
def somebody(request):
    """Template, somebody's shape, and a tree of the finely sampled bare skin."""
    from scipy.spatial import cKDTree

    template = load_template()
    shape = shape_of(template, solve(WHO[request.param]).vertices)
    quads = template.faces["body"]
    a, b, c, d = np.moveaxis(shape.points[quads], 1, 0)
    shares = [(u, v) for u in np.linspace(0.0, 1.0, 7) for v in np.linspace(0.0, 1.0, 7)]
    dense = np.vstack([(1 - u) * ((1 - v) * a + v * d) + u * ((1 - v) * b + v * c) for u, v in shares])
    return template, shape, cKDTree(dense)


def test_a_place_on_a_chart_is_found_on_its_outermost_layer():
    """Two squares over each other: a place is mixed of the corners of the one that is further out."""
    chart = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] * 2)
    outer = np.repeat([0.0, 1.0], 4)
    quads = np.array([[0, 1, 2, 3], [4, 5, 6, 7]])
    places = np.array([[0.2, 0.7], [0.9, 0.1], [0.5, 0.5]])
    found = located(quads, chart, outer, places)
    assert found.mixed(chart) == pytest.approx(places)
    assert found.mixed(outer) == pytest.approx(1.0)
    beside = located(quads, chart, outer, np.array([[1.002, 0.5]]))
    assert beside.mixed(chart) == pytest.approx(np.array([[1.0, 0.5]]), abs=0.005)


@needs_people
def test_brows_lie_on_the_skin_of_everybody_above_the_eyes(somebody):
    template, shape, skin = somebody
    for brow, side in zip(strands.brows(template), "lr", strict=True):
        points = brow.placed(shape)
        assert skin.query(points)[0].max() < 0.002
        up = points[:, 2] - shape.points[template.joints[f"{side}-eye"], 2]
        assert 0.008 * shape.scale < up.min() and up.max() < 0.045


@needs_people
def test_brows_are_thin_and_mirrored(somebody):
    """Within 1 cm of width nowhere is a brow as high as a third of that, and it narrows to its outer end."""
    template, *_ = somebody
    left, right = (brow.sheet.mixed(template.base) for brow in strands.brows(template))
    assert np.abs(left * (1.0, -1.0, 1.0) - right).max() < 5e-4
    roots = left.reshape(-1, strands.CORNERS, 3)[:, :2].mean(axis=1)
    along = (roots[:, 1] - roots[:, 1].min()) / np.ptp(roots[:, 1])
    bands = [np.ptp(roots[np.abs(along - at) < 0.04, 2]) for at in (0.2, 0.5, 0.9)]
    assert (
        max(bands) < 0.0065
    )  # brows of adults are 5 to 9 mm high at most, hairs beyond their roots included
    assert bands[2] < 0.6 * bands[0]


@needs_people
@pytest.mark.parametrize("style", ["short", "thinning"])
def test_no_gap_is_under_the_edge_of_short_hair(somebody, style):
    """What stood off the skin at its edge showed a black line there."""
    template, shape, _ = somebody
    piece = head.cap(template, style)
    edge = np.unique(border(piece.sheet.faces))
    feet, out = piece.sheet.mixed(shape.points), piece.sheet.mixed(shape.normals["body"])
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    off = np.einsum("ij,ij->i", piece.placed(shape) - feet, out)
    assert off[edge].max() < 0.0005
    assert np.median(off) > 0.0


@needs_people
@pytest.mark.parametrize("style", mantle.FALLS)
def test_falling_hair_is_one_surface_with_one_even_edge(somebody, style):
    """Strips of hair beside each other left gaps, and a lower end that looked torn."""
    template, shape, _ = somebody
    middle, _ = head.skull(template)
    piece = mantle.mantle(template, style, middle)
    levels, _ = mantle.hanging_levels(template, style, middle)
    azimuth = np.abs(np.degrees(mantle.azimuths()))
    hanging = int((azimuth > mantle.FACE).sum())
    outside = 1 + mantle.SCALP_ROWS * mantle.COLUMNS + len(levels) * hanging
    own = [face for face in piece.sheet.faces if max(face) < outside]
    assert loops(border(own)) == 1
    points = piece.placed(shape)
    end = points[outside - hanging : outside]
    steps = np.linalg.norm(np.diff(np.roll(end, hanging // 2, axis=0), axis=0), axis=1)
    assert np.median(steps) < 0.012
    assert np.abs(np.diff(end[:, 2])[np.arange(hanging - 1) != hanging // 2 - 1]).max() < 0.012


def loops(edges):
    """Number of closed loops of directed border edges."""
    following = dict(edges.tolist())
    assert len(following) == len(edges)
    count = 0
    while following:
        at = start = next(iter(following))
        while True:
            at = following.pop(at)
            if at == start:
                break
        count += 1
    return count


@needs_people
def test_long_hair_lies_outside_of_the_back(somebody):
    template, shape, skin = somebody
    middle, _ = head.skull(template)
    piece = mantle.mantle(template, "long", middle)
    points = piece.placed(shape)
    normals, feet = piece.sheet.mixed(shape.normals["body"]), piece.sheet.mixed(shape.points)
    out = np.einsum("ij,ij->i", points - feet, normals) / np.linalg.norm(normals, axis=1)
    rest = piece.placed(shape_of(template, template.base))
    below = rest[:, 2] < template.joint("neck")[2] + mantle.BACK[1] - 0.01  # wholly on the back
    assert below.sum() > 100
    assert out[below].min() > 0.015 * shape.scale  # clothes are up to 11 mm off the skin
    assert skin.query(points[below])[0].min() > 0.008 * shape.scale


@needs_people
def test_hair_and_brows_are_the_same_every_time():
    template = load_template()
    first = [piece.placed(shape_of(template, template.base)).tobytes() for piece in made_anew(template)]
    again = [piece.placed(shape_of(template, template.base)).tobytes() for piece in made_anew(template)]
    assert first == again


def made_anew(template):
    """All hair, without what is kept."""
    return [
        piece
        for style in head.STYLES
        for piece in (*head.hair.__wrapped__(template, style), *head.face_hair.__wrapped__(template))
    ]
