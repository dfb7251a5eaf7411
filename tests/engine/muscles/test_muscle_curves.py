"""Force over length, velocity and strain against published values, closed forms, differences and quadrature."""

import numpy as np
import pytest
from scipy.integrate import quad

from mannequin.engine.muscles import curves
from mannequin.engine.muscles.arrays import GEYER_HERR, MILLARD, THELEN

FORMS = {"millard": MILLARD, "geyer_herr": GEYER_HERR, "thelen": THELEN}
LENGTH_CURVES = ("active_length", "passive_length", "buffer_length")


def value(name, form, x):
    return getattr(curves, name)(form, float(x))[0]


@pytest.mark.parametrize(
    ("name", "at", "expected"),
    [
        # from the constants in docs/derivations.md, Muscle-tendon units, by hand
        ("active_length", 0.5, 0.125),
        ("active_length", 1.0, 1.0),
        ("active_length", 1.5, 0.5),
        ("velocity_factor", -0.5, 0.15612),
        ("velocity_factor", 0.0, 1.0),
        ("velocity_factor", 0.5, 1.49180),
        ("velocity_factor", -1.0, 0.0),
        ("passive_length", 1.7, 0.9946),
        ("passive_length", 1.0, 0.0),
        ("tendon_force", 0.04849, 1.0),
    ],
)
def test_values_of_the_fast_millard_form(name, at, expected):
    assert value(name, MILLARD, at) == pytest.approx(expected, abs=6e-5 if name != "tendon_force" else 3e-4)


def test_the_passive_curve_is_not_the_misprinted_one():
    """Printed with c_P1 twice it would give 0.8999 at 70 % strain, and reach 1 at 73.1 %."""
    assert value("passive_length", MILLARD, 1.702) == pytest.approx(1.0, abs=2e-3)
    assert value("passive_length", MILLARD, 1.7) > 0.99


def test_the_active_curve_has_no_step_at_its_ends():
    for at in (0.46899, 1.80528):
        inside = 1.0 - 1e-9 if at > 1 else 1.0 + 1e-9
        assert abs(value("active_length", MILLARD, at * inside)) < 2e-5


@pytest.mark.parametrize("form", FORMS)
def test_the_velocity_curve_is_continuous_and_rises(form):
    v = np.linspace(-1.2, 3.0, 4201)
    f = np.array([value("velocity_factor", FORMS[form], x) for x in v])
    assert np.abs(np.diff(f)).max() < 25 * (v[1] - v[0])
    assert (np.diff(f) >= -1e-15).all()
    assert value("velocity_factor", FORMS[form], 0.0) == 1.0
    assert value("velocity_factor", FORMS[form], -1e-9) == pytest.approx(1.0, abs=1e-7)


def test_geyer_herr_velocity_as_published():
    """(v_max - v) / (v_max + K v) and N + (N - 1) (v_max + v) / (7.56 K v - v_max), v_max negative, N 1.5, K 5."""
    n, k, v_max = 1.5, 5.0, -1.0
    for v in (-0.9, -0.4, -0.01):
        assert value("velocity_factor", GEYER_HERR, v) == pytest.approx(
            (v_max - v) / (v_max + k * v), rel=1e-14
        )
    for v in (0.01, 0.3, 1.0):
        expected = n + (n - 1) * (v_max + v) / (7.56 * k * v - v_max)
        assert value("velocity_factor", GEYER_HERR, v) == pytest.approx(expected, rel=1e-14)


def test_geyer_herr_length_and_tendon_as_published():
    for x in (0.6, 0.9, 1.3):
        expected = np.exp(np.log(0.05) * abs((x - 1) / 0.56) ** 3)
        assert value("active_length", GEYER_HERR, x) == pytest.approx(expected, rel=1e-14)
    assert value("tendon_force", GEYER_HERR, 0.04) == pytest.approx(1.0)
    assert value("buffer_length", GEYER_HERR, 0.16) == pytest.approx(1.0)


@pytest.mark.parametrize("force", [0.05, 0.4, 0.8, 1.2, 1.35])
def test_thelen_velocity_solves_the_published_equation(force):
    """v = (0.25 + 0.75 a) (F - a f_l) / b with b of Thelen 2003, eq. 6 and 7; A_f 0.3, F_len 1.4."""
    a_f, f_len, a, f_l = 0.3, 1.4, 0.6, 0.9
    f = force * a * f_l
    b = a * f_l + f / a_f if force <= 1 else (2 + 2 / a_f) * (a * f_l * f_len - f) / (f_len - 1)
    v = (0.25 + 0.75 * a) * (f - a * f_l) / b
    found = a * f_l * value("velocity_factor", THELEN, v / (0.25 + 0.75 * a))
    assert found == pytest.approx(f, rel=1e-12)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [*LENGTH_CURVES, "velocity_factor", "tendon_force"])
def test_slopes_are_those_of_the_curves(form, name):
    low, high = {"velocity_factor": (-0.95, 1.5), "tendon_force": (-0.02, 0.08)}.get(name, (0.5, 1.75))
    rng = np.random.default_rng(1)
    step = 1e-6 * (high - low)
    for x in rng.uniform(low, high, 40):
        if name == "velocity_factor" and abs(x) < 1e-3:
            continue
        around = [value(name, FORMS[form], x + s * step) for s in (-1, 1)]
        slope = (around[1] - around[0]) / (2 * step)
        given = getattr(curves, name)(FORMS[form], float(x))[1]
        assert given == pytest.approx(slope, rel=2e-5, abs=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_energies_are_integrals(form):
    for strain in (0.005, 0.02, 0.05):
        expected = quad(lambda e: value("tendon_force", FORMS[form], e), 0, strain, points=[0.0201])[0]
        assert curves.tendon_energy(FORMS[form], strain) == pytest.approx(expected, rel=1e-9)
    if form != "geyer_herr":
        for length in (1.1, 1.5):
            expected = quad(lambda x: value("passive_length", FORMS[form], x), 1, length)[0]
            assert curves.parallel_energy(FORMS[form], length) == pytest.approx(expected, rel=1e-9)
