"""Numbers rounded as in Java. Casting to int, which drops the fraction, is the same as Python's ``int``."""

from __future__ import annotations

import math
import struct

_FLOAT = struct.Struct("f")


def nearest(value: float) -> int:
    """Round to the nearest integer, halves upwards. [java.lang.Math.round]"""
    below = math.floor(value)
    return below + (value - below >= 0.5)


def single(value: float) -> float:
    """The value as a Java ``float``."""
    return float(_FLOAT.unpack(_FLOAT.pack(value))[0])


def is_odd(number: int) -> bool:
    """Whether a number is odd, including negative ones. (Java's remainder for those is -1.)"""
    return number % 2 == 1


def quotient(number: int, divisor: int) -> int:
    """Divide integers, dropping the fraction."""
    return number // divisor if number >= 0 else -(-number // divisor)
