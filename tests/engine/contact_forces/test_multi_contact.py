"""OpenMBD's multi-contact modes on flat arrays."""

import numpy as np

from mannequin.engine.contact.multi_contact import CONTINUOUS, DISCRETE, NONE, contact_scales
from mannequin.engine.spec import MULTI_CONTACT_MODES


def scales(mode, pairs, elastic, bodies=6):
    a, b = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    out, total, largest = np.full(len(pairs) + 2, -1.0), np.full(bodies, 9.0), np.full(bodies, 9.0)
    contact_scales(mode, len(pairs), a, b, np.array(elastic, dtype=float), out, total, largest)
    assert (out[len(pairs) :] == -1.0).all()
    return out[: len(pairs)].tolist()


PAIRS = [(0, 1), (0, 2), (3, 1), (4, -1), (0, -1), (4, 5)]
ELASTIC = [100.0, 300.0, 50.0, 800.0, 900.0, 70.0]


def test_mode_numbers_follow_the_names():
    assert (MULTI_CONTACT_MODES[NONE], MULTI_CONTACT_MODES[CONTINUOUS], MULTI_CONTACT_MODES[DISCRETE]) == (
        "none",
        "continuous",
        "discrete",
    )


def test_none_keeps_every_contact():
    assert scales(NONE, PAIRS, ELASTIC) == [1.0] * 6


def test_continuous_takes_the_smaller_share_of_both_bodies():
    """Body 0: 300 of 400. Body 1: 100 of 150. Contacts with the ground count nowhere."""
    assert scales(CONTINUOUS, PAIRS, ELASTIC) == [100.0 / 150.0, 0.75, 100.0 / 150.0, 1.0, 1.0, 1.0]


def test_continuous_group_carries_no_more_than_its_largest():
    rng = np.random.default_rng(1)
    pairs = [(0, int(b)) for b in rng.integers(1, 6, 8)]
    elastic = rng.uniform(1.0, 100.0, 8)
    found = np.array(scales(CONTINUOUS, pairs, elastic))
    assert (found * elastic).sum() <= elastic.max() * (1.0 + 1e-12)


def test_discrete_keeps_the_largest_of_both_bodies():
    """(0, 1) is largest for body 1 but not for body 0; (3, 1) is largest for body 3 but not for body 1."""
    assert scales(DISCRETE, PAIRS, ELASTIC) == [0.0, 1.0, 0.0, 1.0, 1.0, 1.0]


def test_contacts_without_force_keep_their_factor():
    assert scales(CONTINUOUS, [(0, 1), (0, 2)], [0.0, 0.0]) == [1.0, 1.0]
    assert scales(DISCRETE, [(0, 1), (0, 2)], [0.0, 0.0]) == [1.0, 1.0]
