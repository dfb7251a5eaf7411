"""Tables as text: of each number the fewest digits that read back to the same 64-bit value, spelled as `repr` does.

Python's `repr` takes some 650 ns a number, which is most of the time in which a run is written. Here a table is written
by compiled code, byte for byte the same, with the method of R. Giulietti, "The Schubfach way to render doubles" (2020):
a number c 2^q and the ends of the interval that rounds to it are multiplied by the power of ten that leaves them two
digits after the point at most, in whole numbers and rounded so that comparisons stay right; then the shortest decimal
in the interval is at hand. Where the engine runs interpreted, `repr` is used.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ...engine.jit.decorators import IS_COMPILED, compiled
from ...engine.jit.late import late

LONGEST = 25
"""Bytes of the longest number, "-2.2250738585072014e-308" for one, and the comma after it."""
LEAST_POWER, MOST_POWER = -292, 324
"""Exponents of the powers of ten that any 64-bit number needs."""
MOST_DIGITS = 20

U = np.uint64
ZERO, ONE, TWO, FOUR, TEN, FORTY = U(0), U(1), U(2), U(4), U(10), U(40)
HALF_WORD, LOW_HALF = U(32), U(2**32 - 1)
FRACTION_BITS, SIGN_SHIFT = U(52), U(63)
FRACTION, LEADING_BIT, EXPONENT = U(2**52 - 1), U(2**52), U(2047)
EXPONENT_BIAS = 1075
COMMA, NEWLINE, POINT, NOUGHT, MINUS, PLUS, LETTER_E = b",\n.0-+e"
NAN, INF = tuple(b"nan"), tuple(b"inf")


class TextWork(NamedTuple):
    """What `write_rows` reads and writes."""

    bits: np.ndarray
    """(rows, columns) uint64: the numbers' bits"""
    powers: np.ndarray
    """(n, 2) uint64: powers of ten, high and low half"""
    text: np.ndarray
    """(bytes,) uint8, written"""
    digits: np.ndarray
    """(MOST_DIGITS,) uint8: digits of one number, last first"""
    length: np.ndarray
    """(1,) int64, written: bytes of text"""


@cache
def powers_of_ten() -> np.ndarray:
    """(n, 2) 10^k for k from LEAST_POWER as whole numbers of 128 bits, the highest bit set, rounded up."""
    table = np.empty((MOST_POWER - LEAST_POWER + 1, 2), dtype=np.uint64)
    for k in range(LEAST_POWER, MOST_POWER + 1):
        numerator, denominator = 10 ** max(k, 0), 10 ** max(-k, 0)
        log2 = numerator.bit_length() - 1 if k >= 0 else -denominator.bit_length()  # rounded down
        numerator, denominator = numerator << max(127 - log2, 0), denominator << max(log2 - 127, 0)
        value = -(-numerator // denominator)
        table[k - LEAST_POWER] = value >> 64, value & (2**64 - 1)
    return table


@compiled
def floor_log2_of_power(k):
    """floor(log2(10^k)), right for |k| up to 1233."""
    return (k * 1741647) >> 19


@compiled
def floor_log10_of_power(q, is_closer):
    """floor(log10(2^q)), or of 3/4 2^q where the neighbour below is closer; right for |q| up to 1650."""
    return (q * 1262611 - (524031 if is_closer else 0)) >> 22


@compiled
def high_product(a, b):
    """The upper 64 bits of the product of two whole numbers of 64 bits."""
    a1, a0 = a >> HALF_WORD, a & LOW_HALF
    b1, b0 = b >> HALF_WORD, b & LOW_HALF
    middle = a1 * b0 + ((a0 * b0) >> HALF_WORD)
    other = a0 * b1 + (middle & LOW_HALF)
    return a1 * b1 + (middle >> HALF_WORD) + (other >> HALF_WORD)


@compiled
def scaled_to_odd(high, low, c):
    """(high, low) c / 2^128, rounded down; its last bit is set where anything is lost, so that it still compares."""
    carried = high_product(low, c)
    below = high * c + carried
    whole = high_product(high, c)
    if below < carried:
        whole += ONE
    return whole | ONE if below > ONE else whole


@compiled
def shortest(bits, powers):
    """(digits as a whole number, exponent of ten) of a finite number other than zero, without its sign."""
    fraction = bits & FRACTION
    biased = np.int64((bits >> FRACTION_BITS) & EXPONENT)
    if biased == 0:
        c, q = fraction, 1 - EXPONENT_BIAS
    else:
        c, q = fraction | LEADING_BIT, biased - EXPONENT_BIAS
        if -53 < q <= 0 and (c >> U(-q)) << U(-q) == c:
            return c >> U(-q), 0  # a whole number
    is_odd = c & ONE
    is_closer = fraction == ZERO and biased > 1
    k = floor_log10_of_power(q, is_closer)
    shift = U(q + floor_log2_of_power(-k) + 1)
    high, low = powers[-k - LEAST_POWER, 0], powers[-k - LEAST_POWER, 1]
    c = FOUR * c
    value = scaled_to_odd(high, low, c << shift)
    # the ends of the interval belong to it where c is even
    lower = scaled_to_odd(high, low, (c - (ONE if is_closer else TWO)) << shift) + is_odd
    upper = scaled_to_odd(high, low, (c + TWO) << shift) - is_odd
    down = value >> TWO
    if down >= TEN:
        shorter = down // TEN
        is_low_inside = lower <= FORTY * shorter
        is_high_inside = FORTY * (shorter + ONE) <= upper
        if is_low_inside != is_high_inside:
            return (shorter + ONE if is_high_inside else shorter), k + 1
    is_low_inside = lower <= FOUR * down
    is_high_inside = FOUR * (down + ONE) <= upper
    if is_low_inside != is_high_inside:
        return (down + ONE if is_high_inside else down), k
    middle = FOUR * down + TWO
    is_nearer_up = value > middle or (value == middle and down & ONE != ZERO)
    return (down + ONE if is_nearer_up else down), k


@compiled
def put_word(text, at, word):
    """Write three letters; returns where the next byte goes."""
    text[at], text[at + 1], text[at + 2] = word
    return at + 3


@compiled
def take_digits(value, digits):
    """Write the digits of a whole number, last first; returns their count."""
    count = 0
    while value != ZERO:
        rest = value // TEN
        digits[count] = NOUGHT + np.int64(value - TEN * rest)
        value = rest
        count += 1
    return count


@compiled
def put_digits(text, at, digits, first, last):
    """Write digits from the place `first` down to `last`; returns where the next byte goes."""
    for place in range(first, last - 1, -1):
        text[at] = digits[place]
        at += 1
    return at


@compiled
def put_noughts(text, at, count):
    """Write so many noughts; returns where the next byte goes."""
    for _ in range(count):
        text[at] = NOUGHT
        at += 1
    return at


@compiled
def put_exponent(text, at, exponent):
    """Write e+16, e-07, e+100; returns where the next byte goes."""
    text[at] = LETTER_E
    text[at + 1] = MINUS if exponent < 0 else PLUS
    at += 2
    size = abs(exponent)
    if size >= 100:
        text[at] = NOUGHT + size // 100
        at += 1
    text[at] = NOUGHT + size // 10 % 10
    text[at + 1] = NOUGHT + size % 10
    return at + 2


@compiled
def put_decimal(text, at, digits, count, power):
    """Write a number of `count` digits times ten to a power as `repr` spells it; returns where the next byte goes."""
    point = count + power  # digits before the point
    first, last = count - 1, 0
    while digits[last] == NOUGHT:
        last += 1
    if point <= -4 or point > 16:
        at = put_digits(text, at, digits, first, first)
        if last < first:
            text[at] = POINT
            at = put_digits(text, at + 1, digits, first - 1, last)
        return put_exponent(text, at, point - 1)
    if point <= 0:
        text[at], text[at + 1] = NOUGHT, POINT
        return put_digits(text, put_noughts(text, at + 2, -point), digits, first, last)
    after = count - point - 1  # place of the first digit after the point
    at = put_digits(text, at, digits, first, max(after + 1, 0))
    at = put_noughts(text, at, power)
    text[at] = POINT
    if after < last:
        return put_noughts(text, at + 1, 1)
    return put_digits(text, at + 1, digits, after, last)


@compiled
def put_number(text, at, bits, powers, digits):
    """Write one number; returns where the next byte goes."""
    is_finite = (bits >> FRACTION_BITS) & EXPONENT != EXPONENT
    if not is_finite and bits & FRACTION != ZERO:
        return put_word(text, at, NAN)
    if bits >> SIGN_SHIFT != ZERO:
        text[at] = MINUS
        at += 1
    if not is_finite:
        return put_word(text, at, INF)
    if bits << ONE == ZERO:
        return put_word(text, at, (NOUGHT, POINT, NOUGHT))
    value, power = shortest(bits, powers)
    return put_decimal(text, at, digits, take_digits(value, digits), power)


@late(bundles=1, floats=0)
def write_rows(work):
    """Write all numbers, with commas and line ends."""
    rows, columns = work.bits.shape
    at = 0
    for row in range(rows):
        for column in range(columns):
            at = put_number(work.text, at, work.bits[row, column], work.powers, work.digits)
            work.text[at] = COMMA
            at += 1
        work.text[at - 1] = NEWLINE
    work.length[0] = at


def load_code() -> None:
    """Compile or load what writes the numbers, where the engine is compiled."""
    if IS_COMPILED:
        write_rows.address(_work_for(np.zeros((1, 1))))


def rows_as_text(numbers: np.ndarray) -> str:
    """Lines of the (rows, columns) numbers of a table, each with its line end; one column at least."""
    numbers = np.ascontiguousarray(numbers, dtype=np.float64)
    if not IS_COMPILED:
        return "".join(",".join(map(repr, row)) + "\n" for row in numbers.tolist())
    work = _work_for(numbers)
    write_rows(work)
    return work.text[: work.length[0]].tobytes().decode("ascii")


def _work_for(numbers: np.ndarray) -> TextWork:
    return TextWork(
        bits=numbers.view(np.uint64),
        powers=powers_of_ten(),
        text=np.empty(LONGEST * numbers.size, dtype=np.uint8),
        digits=np.empty(MOST_DIGITS, dtype=np.uint8),
        length=np.zeros(1, dtype=np.int64),
    )
