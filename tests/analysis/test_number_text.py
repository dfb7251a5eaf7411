"""Numbers of tables as compiled code writes them: byte for byte what Python's own `repr` writes."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mannequin.analysis.files import number_text
from mannequin.analysis.files.number_text import LEAST_POWER, LONGEST, powers_of_ten, rows_as_text


def by_repr(numbers: np.ndarray) -> str:
    return "".join(",".join(map(repr, row)) + "\n" for row in numbers.tolist())


def powers() -> np.ndarray:
    """Every power of two and its neighbours, where intervals are lopsided or subnormal, and powers of ten."""
    twos = 2.0 ** np.arange(-1074, 1024)
    tens = np.array([float(f"{digit}e{k}") for k in range(-323, 308) for digit in (1, 5, 9.5)])
    return np.concatenate([twos, np.nextafter(twos, 0.0), np.nextafter(twos, np.inf), tens])


def any_bits() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 2**64, 60_000, dtype=np.uint64).view(np.float64)


CASES = {
    "any bits": any_bits(),
    "powers": powers(),
    "measured": np.random.default_rng(2).normal(size=60_000),
    "rounded": np.round(np.random.default_rng(3).normal(size=30_000) * 1e3, 3),
    "whole": np.random.default_rng(4).integers(-(10**18), 10**18, 30_000).astype(float),
    "special": np.array(
        [0.0, -0.0, np.nan, np.inf, -np.inf, 1e15, 1e16, 1e17, 1e22, 1e23, 1e-4, 1e-5, 9007199254740993.0]
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_digits_are_those_of_repr(name: str) -> None:
    numbers = CASES[name].reshape(-1, 1)
    assert rows_as_text(numbers) == by_repr(numbers)
    assert rows_as_text(-numbers) == by_repr(-numbers)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["any bits", "measured", "rounded", "subnormal", "whole"])
def test_millions_of_numbers_are_those_of_repr(kind: str) -> None:
    """Ten blocks of 100,000 of every kind: any 64 bits, normal over 40 decades, few digits, below 1e-308, whole."""
    draw = np.random.default_rng(list(kind.encode()))
    count = 100_000
    makers = {
        "any bits": lambda: draw.integers(0, 2**64, count, dtype=np.uint64).view(np.float64),
        "measured": lambda: draw.normal(size=count) * 10.0 ** draw.integers(-20, 20, count),
        "rounded": lambda: np.round(draw.normal(size=count) * 1e3, int(draw.integers(0, 9))),
        "subnormal": lambda: draw.integers(1, 2**52, count, dtype=np.uint64).view(np.float64),
        "whole": lambda: draw.integers(-(2**62), 2**62, count).astype(float),
    }
    for _ in range(10):
        numbers = makers[kind]().reshape(-1, 10)
        assert rows_as_text(numbers) == by_repr(numbers)


@given(st.lists(st.floats(), min_size=1, max_size=30))
def test_any_list_of_numbers(numbers: list[float]) -> None:
    table = np.array([numbers, numbers[::-1]])
    assert rows_as_text(table) == by_repr(table)


def test_the_longest_number_has_room() -> None:
    longest = max((repr(number) for number in [-2.2250738585072014e-308, -1.7976931348623157e308]), key=len)
    assert len(longest) + 1 <= LONGEST
    numbers = np.full((50, 50), -2.2250738585072014e-308)
    assert rows_as_text(numbers) == by_repr(numbers)


def test_rows_of_other_orders_in_memory_are_taken_as_they_are_read() -> None:
    numbers = np.arange(12.0).reshape(3, 4) / 7.0
    assert rows_as_text(np.asfortranarray(numbers)) == by_repr(numbers)
    assert rows_as_text(numbers[:, ::2]) == by_repr(numbers[:, ::2])


def test_interpreted_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = CASES["measured"][:300].reshape(-1, 3)
    written = rows_as_text(numbers)
    monkeypatch.setattr(number_text, "IS_COMPILED", False)
    assert rows_as_text(numbers) == written


def test_powers_are_rounded_up_with_the_highest_bit_set() -> None:
    table = powers_of_ten()
    for k in range(LEAST_POWER, LEAST_POWER + len(table)):
        value = (int(table[k - LEAST_POWER, 0]) << 64) + int(table[k - LEAST_POWER, 1])
        assert value.bit_length() == 128
        exact = Fraction(10) ** k
        exact /= Fraction(2) ** round(k * math.log2(10) - math.log2(value))
        assert 0 <= value - exact < 1
