"""From materials and pairs to rows: who decides what."""

import math

import numpy as np
import pytest

from mannequin.engine.contact.materials import (
    RigidSurface,
    Surfaces,
    build_material_table,
    combine_coefficients,
    fixed,
)
from mannequin.engine.contact.normal_force import normal_force
from mannequin.engine.contact.table import (
    BRISTLE_STIFFNESS,
    DISSIPATION,
    DYNAMIC_FRICTION,
    RESTITUTION,
    STATIC_FRICTION,
    VISCOSITY,
)
from mannequin.engine.spec import Ellipsoid, Material, PairMaterial, Settings
from mannequin.engine.spec.materials import ellipsoid_material

HEAD = ((0.0, 0.0), (0.01, 7000.0), (0.02, 13000.0))
GROUND = RigidSurface()


def friction_of(table, i, j):
    row = table.law_index[i, j]
    return table.laws[row, STATIC_FRICTION], table.laws[row, DYNAMIC_FRICTION]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("geometric", 0.4), ("harmonic", 0.32), ("minimum", 0.2), ("maximum", 0.8), ("mean", 0.5)],
)
def test_friction_rules(rule, expected):
    table = build_material_table(
        [Material(static_friction=0.2), Material(static_friction=0.8)], {}, Settings(friction_rule=rule)
    )
    assert friction_of(table, 0, 1) == pytest.approx((expected, expected))
    assert friction_of(table, 1, 0) == friction_of(table, 0, 1)
    assert friction_of(table, 0, 0) == pytest.approx((0.2, 0.2))


def test_harmonic_mean_of_two_frictionless_surfaces():
    assert combine_coefficients(0.0, 0.0, "harmonic") == 0.0


@pytest.mark.parametrize(
    ("material", "ground", "expected"),
    [
        (Material(), GROUND, 0.4),
        (Material(static_friction=0.9), GROUND, 0.9),
        (Material(), RigidSurface("road", 0.7), 0.7),
        (Material(static_friction=0.9), RigidSurface("road", 0.4), 0.6),
        (Material(), fixed(Material("mat", static_friction=0.7)), 0.7),
        (Material(static_friction=0.9), fixed(Material("mat")), 0.9),
        (Material(static_friction=0.9), fixed(Material("mat", static_friction=0.4)), 0.6),
        (Material(), fixed(Material("mat")), 0.4),
    ],
)
def test_friction_with_something_fixed(material, ground, expected):
    """Who states a coefficient decides; both: the rule; none: the scenario."""
    table = build_material_table([material, ground], {}, Settings(friction=0.4))
    assert friction_of(table, 0, 1)[0] == pytest.approx(expected)


def test_silent_material_against_another_uses_the_scenario_coefficient():
    table = build_material_table([Material(), Material(static_friction=0.9)], {}, Settings(friction=0.4))
    assert friction_of(table, 0, 1)[0] == pytest.approx(0.6)


def test_rigid_surfaces_do_not_meet_and_rows_are_symmetric():
    table = build_material_table([Material(), GROUND, Material(loading=HEAD)], {}, Settings())
    assert table.law_index[1, 1] == -1
    assert (table.law_index == table.law_index.T).all()
    assert sorted(set(table.law_index.ravel().tolist())) == [-1, 0, 1, 2, 3, 4]


def test_only_meeting_pairs_are_resolved():
    table = build_material_table(
        [Material(), GROUND, Material(loading=HEAD)], {}, Settings(), meeting=[(2, 0)]
    )
    assert table.law_index.tolist() == [[-1, -1, 0], [-1, -1, -1], [0, -1, -1]]
    assert len(table.laws) == len(table.ids) == 1


def test_table_without_any_curve():
    table = build_material_table([Material(law="linear", stiffness=1e5), GROUND], {}, Settings())
    assert normal_force(table, int(table.law_index[0, 1]), 0.01, 0.0, 1.0, 0.0)[0] == pytest.approx(1000.0)


def elastic(table, i, j, x):
    return normal_force(table, int(table.law_index[i, j]), x, 0.0, 1.0, 0.0)[1]


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.2])
def test_power_laws_in_series_carry_the_same_force(exponent):
    """Depths at one force, taken separately, add up to the depth of the pair."""
    soft = Material(law="hunt_crossley", stiffness=2e5, exponent=exponent)
    hard = Material(law="hunt_crossley", stiffness=9e5, exponent=exponent)
    table = build_material_table([soft, hard], {}, Settings())
    force = 1234.0
    depth = (force / 2e5) ** (1 / exponent) + (force / 9e5) ** (1 / exponent)
    assert elastic(table, 0, 1, depth) == pytest.approx(force, rel=1e-12)


@pytest.mark.parametrize("other", [Material(loading=HEAD), Material(law="linear", stiffness=4e5)])
def test_different_laws_in_series_carry_the_same_force(other):
    """Hertz against a curve, and against a spring: to the 0.4 % of the chords that stand for the power law."""
    hertz = Material(law="hunt_crossley", stiffness=3e7, exponent=1.5, damping=0.3)
    table = build_material_table([hertz, other, GROUND], {}, Settings())
    for force in (40.0, 900.0, 6000.0):
        depths = np.linspace(0.0, 0.1, 200_001)
        own = np.interp(depths, *np.array(HEAD).T) if other.law == "curve" else 4e5 * depths
        depth = (force / 3e7) ** (1 / 1.5) + float(np.interp(force, own, depths))
        assert elastic(table, 0, 1, depth) == pytest.approx(force, rel=5e-3)


def test_damping_of_a_pair():
    """Dissipation by share of the depth (Simbody); equal surfaces keep theirs. Dashpots: two equal ones halve."""
    soft = Material(law="hunt_crossley", stiffness=1e5, exponent=1.0, damping=0.2)
    hard = Material(law="hunt_crossley", stiffness=3e5, exponent=1.0, damping=0.6)
    dashpot = Material(law="linear", stiffness=1e5, damping=100.0)
    table = build_material_table([soft, hard, dashpot], {}, Settings())
    row = table.law_index[0, 1]
    assert table.laws[row, DISSIPATION] == pytest.approx(1.5 * (0.75 * 0.2 + 0.25 * 0.6))
    assert table.laws[table.law_index[0, 0], DISSIPATION] == pytest.approx(1.5 * 0.2)
    assert table.laws[table.law_index[2, 2], VISCOSITY] == pytest.approx(50.0)


def test_pair_override_replaces_law_and_friction():
    pair = PairMaterial(
        "head", "kerb", friction=0.9, dynamic_friction=0.5, material=Material(law="linear", stiffness=1e4)
    )
    table = build_material_table([Material(loading=HEAD), GROUND], {(1, 0): pair}, Settings())
    assert friction_of(table, 0, 1) == (0.9, 0.5)
    assert elastic(table, 0, 1, 0.01) == pytest.approx(100.0)
    only_friction = build_material_table(
        [Material(loading=HEAD), GROUND], {(0, 1): PairMaterial("head", "kerb", friction=0.2)}, Settings()
    )
    assert friction_of(only_friction, 0, 1) == (0.2, 0.2)
    assert elastic(only_friction, 0, 1, 0.01) == pytest.approx(7000.0)
    only_sliding = build_material_table(
        [Material(loading=HEAD), GROUND],
        {(0, 1): PairMaterial("head", "kerb", dynamic_friction=0.7)},
        Settings(),
    )
    assert friction_of(only_sliding, 0, 1) == (0.7, 0.7), "what sticks rubs no less than what slides"


def test_surfaces_are_numbered_once_and_pairs_resolved():
    pairs = [
        PairMaterial("skin", "ground", friction=0.5),
        PairMaterial("kerb", "man/head", friction=0.9),
        PairMaterial("tyre", "ground", friction=0.8),
    ]
    surfaces = Surfaces(pairs)
    skin = Material("skin", loading=HEAD)
    head = surfaces.add(skin, ("skin", "cranium", "head", "man/head"))
    arm = surfaces.add(skin, ("skin", "arm", "man/arm"))
    leg = surfaces.add(Material("skin", loading=HEAD, source="elsewhere"), ("skin", "leg", "man/leg"))
    ground = surfaces.add(RigidSurface("ground"), ("ground",))
    kerb = surfaces.add(RigidSurface("kerb"), ("kerb",))
    assert head != arm and arm == leg and ground != kerb
    found = {key: pair.friction for key, pair in surfaces.overrides().items()}
    assert found == {(head, ground): 0.5, (arm, ground): 0.5, (head, kerb): 0.9}
    assert surfaces.unmatched() == ["tyre"]


def test_ellipsoid_material():
    named = {"skin": Material("skin", loading=HEAD, static_friction=0.7, unloading=HEAD)}
    plain = Ellipsoid("e", (0.1, 0.1, 0.1), material="skin")
    own = Ellipsoid("e", (0.1, 0.1, 0.1), material="skin", force_curve=((0, 0), (0.01, 50)))
    bare = Ellipsoid("e", (0.1, 0.1, 0.1))
    assert ellipsoid_material(plain, named) is named["skin"]
    replaced = ellipsoid_material(own, named)
    assert (replaced.loading, replaced.unloading, replaced.static_friction) == (own.force_curve, None, 0.7)
    assert ellipsoid_material(bare, {}).law == "curve"


def test_bristle_is_off_where_friction_has_none():
    for options, present in (({}, True), ({"stiction": False}, False), ({"friction_law": "hollars"}, False)):
        table = build_material_table([Material(), GROUND], {}, Settings(**options))
        assert bool(table.laws[0, BRISTLE_STIFFNESS] > 0.0) is present
    assert math.isnan(table.laws[0, RESTITUTION])
