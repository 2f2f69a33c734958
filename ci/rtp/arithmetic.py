"""Integer and single-precision arithmetic on 32-bit words.

A float is computed in double precision and rounded once more to single. For
sum, difference, product, quotient and root of two singles this gives the
correctly rounded single, because a double has more than twice its digits.
Subnormals are kept; every NaN result is 0x7FC00000.
"""
from array import array
from math import copysign, inf, sqrt

MASK = 0xFFFFFFFF
NAN = 0x7FC00000

_floats = array("f", [0.0, 0.0])
_words = memoryview(_floats).cast("B").cast("I")


def to_float(word):
    """The single whose bits are `word`, as a Python number."""
    _words[0] = word
    return _floats[0]


def to_word(number):
    """The bits of a Python number rounded to a single."""
    if number != number:
        return NAN
    _floats[0] = number
    return _words[0]


def rounded(number):
    """A Python number rounded to a single."""
    _floats[0] = number
    return _floats[0]


def divide(a, b):
    """The quotient of two Python numbers, also by zero."""
    if b:
        return a / b
    if a == 0 or a != a:
        return float("nan")
    return copysign(inf, a) * copysign(1.0, b)


def f_add(a, b):
    _words[0], _words[1] = a, b
    return to_word(_floats[0] + _floats[1])


def f_sub(a, b):
    _words[0], _words[1] = a, b
    return to_word(_floats[0] - _floats[1])


def f_mul(a, b):
    _words[0], _words[1] = a, b
    return to_word(_floats[0] * _floats[1])


def f_div(a, b):
    _words[0], _words[1] = a, b
    return to_word(divide(_floats[0], _floats[1]))


def f_sqrt(a):
    """The root of the absolute value: the sign is cleared first."""
    return to_word(sqrt(to_float(a & 0x7FFFFFFF)))


def signed(word):
    return word - ((word & 0x80000000) << 1)


def i_add(a, b):
    return (a + b) & MASK


def i_sub(a, b):
    return (a - b) & MASK


def i_mul(a, b):
    return (a * b) & MASK


def i_div(a, b):
    """Truncates; by zero it gives -1, and the least integer by -1 itself."""
    a, b = signed(a), signed(b)
    if b == 0:
        return MASK
    quotient = abs(a) // abs(b)
    return (quotient if (a < 0) == (b < 0) else -quotient) & MASK


def i_to_f(a):
    return to_word(float(signed(a)))


def f_to_i(a):
    """Truncates; numbers out of range and NaN give the nearest limit."""
    number = to_float(a)
    if number != number or number >= 2.0 ** 31:
        return 0x7FFFFFFF
    return int(max(number, -2.0 ** 31)) & MASK


def flags_of(value_is_zero, negative):
    """Two bits: not zero, sign."""
    return (not value_is_zero) << 1 | negative


def f_compare(a, b):
    difference = f_sub(a, b)
    return flags_of(difference == 0, difference >> 31)


def i_compare(a, b):
    return flags_of(a == b, signed(a) < signed(b))
