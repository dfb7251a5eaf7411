"""Labels never overlap, never leave the picture, and stay near what they are about."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

PICTURE = (-480.0, -270.0, 480.0, 270.0)
BAND = (-480.0, -270.0, 480.0, -220.0)


@pytest.fixture(scope="module")
def place_labels():
    pytest.importorskip("bpy")
    from mannequin.scene.film.label_layout import place_labels

    return place_labels


def boxes_of(middles, sizes):
    return [
        np.concatenate([m - s / 2, m + s / 2])
        for m, s in zip(middles, sizes, strict=True)
        if np.isfinite(m).all()
    ]


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 1e-6 and min(a[3], b[3]) - max(a[1], b[1]) > 1e-6


spot = some.tuples(some.floats(-900, 900), some.floats(-600, 600))
extent = some.tuples(some.floats(20, 260), some.floats(10, 40))


@settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # by the clock, of a machine that may be busy
@given(some.lists(some.tuples(spot, extent), min_size=1, max_size=12), some.booleans())
def test_no_two_labels_overlap_and_none_leaves_the_picture(place_labels, labels, has_before):
    anchors, sizes = (np.array(part, dtype=float) for part in zip(*labels, strict=True))
    before = np.full_like(anchors, 30.0) if has_before else None
    found = place_labels(anchors, sizes, PICTURE, [BAND], before)
    boxes = boxes_of(found, sizes)
    assert len(boxes) == len(labels), (
        "twelve of the largest cover a quarter of the picture: there is room for all"
    )
    for number, box in enumerate(boxes):
        assert (box[:2] >= np.array(PICTURE[:2]) - 1e-6).all() and (
            box[2:] <= np.array(PICTURE[2:]) + 1e-6
        ).all()
        assert not overlap(box, np.array(BAND))
        assert not any(overlap(box, other) for other in boxes[:number])


def test_a_label_is_near_and_stays_on_its_side(place_labels):
    size = np.array([[120.0, 24.0]])
    places = []
    before = None
    for x in np.linspace(-200.0, 200.0, 40):
        anchor = np.array([[x, 0.0]])
        place = place_labels(anchor, size, PICTURE, [BAND], before)
        before = place - anchor
        places.append(place[0])
    offsets = np.array(places)[:, 0] - np.linspace(-200.0, 200.0, 40)
    assert np.ptp(offsets) < 1e-9, "it goes along"
    assert np.linalg.norm(before) < 160.0


def test_where_no_room_is_left_a_label_is_left_out(place_labels):
    sizes = np.full((9, 2), (480.0, 250.0))
    found = place_labels(np.zeros((9, 2)), sizes, PICTURE, [BAND])
    assert 1 <= np.isfinite(found).all(axis=1).sum() < 9
    assert np.isnan(place_labels(np.array([[np.nan, 0.0]]), sizes[:1], PICTURE, [])).all()
