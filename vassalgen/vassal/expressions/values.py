"""Values with Java's semantics.

Texts are Python strings of UTF-16 units (:func:`units`), because Java measures, indexes and compares these;
``null`` is None; all other values are :class:`Scalar`.
"""

from __future__ import annotations

import math
import re
import struct
from enum import IntEnum
from fractions import Fraction

from attrs import evolve, frozen

from vassalgen.vassal.expressions.environment import CannotEvaluate, EvaluationFails
from vassalgen.vassal.scalars import java_double

LONGEST = 100_000
"""The maximum length of a text during evaluation, in units."""


class Kind(IntEnum):
    """Java's primitive types, each wider than the ones before it."""

    BOOLEAN = 0
    CHAR = 1
    BYTE = 2
    SHORT = 3
    INT = 4
    LONG = 5
    FLOAT = 6
    DOUBLE = 7


BITS = {Kind.BYTE: 8, Kind.SHORT: 16, Kind.INT: 32, Kind.LONG: 64}


@frozen
class Scalar:
    """A boolean, a character (its code) or a number; ``boxed`` if it is an object, such as the result of
    ``If()``.
    """

    kind: Kind
    value: bool | int | float
    boxed: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it counts as a number, as characters do."""
        return self.kind is not Kind.BOOLEAN


Value = Scalar | str | None

TRUE, FALSE = Scalar(Kind.BOOLEAN, True), Scalar(Kind.BOOLEAN, False)


def boolean(value: bool) -> Scalar:
    """A Java boolean."""
    return TRUE if value else FALSE


def integer(value: int, kind: Kind = Kind.INT) -> Scalar:
    """A Java int (or ``kind``), with Java's overflow."""
    return Scalar(kind, overflow(value, BITS[kind]))


def boxed(value: Value) -> Value:
    """The same value as an object."""
    return evolve(value, boxed=True) if isinstance(value, Scalar) else value


def overflow(value: int, bits: int) -> int:
    """The two's complement number that ``value`` leaves in ``bits`` bits."""
    half = 1 << bits - 1
    return (value + half & (1 << bits) - 1) - half


def float32(number: float | Fraction) -> float:
    """The nearest number that a Java float can represent, as a Java cast or ``parseFloat`` finds it."""
    if isinstance(number, float) and (number == 0 or not math.isfinite(number)):
        return number  # with the sign of its zero
    exact = Fraction(number)
    try:
        double = float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf
    if double != exact and struct.unpack("<q", struct.pack("<d", double))[0] % 2 == 0:
        double = math.nextafter(double, math.inf if exact > double else -math.inf)  # no rounding twice
    try:
        return float(struct.unpack("<f", struct.pack("<f", double))[0])
    except OverflowError:
        return math.copysign(math.inf, double)


def narrow(number: bool | int | float, kind: Kind) -> Scalar:
    """A number cast to ``kind``, such as ``(int) 2.9``: truncated, bounded, cut to its bits."""
    if kind is Kind.DOUBLE:
        return Scalar(kind, float(number))
    if kind is Kind.FLOAT:
        return Scalar(kind, float32(number))
    if isinstance(number, float):
        bits = 64 if kind is Kind.LONG else 32
        low, high = -(1 << bits - 1), (1 << bits - 1) - 1
        number = 0 if math.isnan(number) else int(max(low, min(high, number)))
    if kind is Kind.CHAR:
        return Scalar(kind, number & 0xFFFF)
    return integer(number, kind)


def text_of(value: Value) -> str:
    """The value as Java prints it; :exc:`EvaluationFails` for null."""
    if isinstance(value, str):
        return value
    if value is None:
        raise EvaluationFails("null has no text")
    match value.kind:
        case Kind.BOOLEAN:
            return "true" if value.value else "false"
        case Kind.CHAR:
            return chr(int(value.value))
        case Kind.DOUBLE:
            return java_double(float(value.value))
        case Kind.FLOAT:
            return java_double(_shortest(float(value.value)))
        case _:
            return str(value.value)


def _shortest(number: float) -> float:
    """The double with the fewest digits that still identifies this float."""
    for digits in range(1, 10):
        short = float(f"{number:.{digits}g}")
        if float32(short) == number:
            return short
    return number


_INT = re.compile(r"[+-]?\d+")
_NUMERIC = re.compile(r"[-+.0-9]+")
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")


def java_int(text: str) -> int | None:
    """The number that ``Integer.parseInt`` reads; None if it fails."""
    digits = text.lstrip("+-0")
    if not _INT.fullmatch(text) or len(digits) > 10:
        return None
    number = int(digits or 0) * (-1 if text[0] == "-" else 1)
    return number if -(2**31) <= number < 2**31 else None


def wrapped(text: str) -> Value:
    """The value that a function such as GetProperty returned: true, false and integers are not texts.
    [script.ExpressionInterpreter.wrap]
    """
    if text in ("true", "false"):
        return boolean(text == "true")
    number = java_int(text)
    return units(text) if number is None else integer(number)


def bound(text: str, *, keeps_leading_zeros: bool = False) -> Value:
    """A property's value as a variable in an expression.

    Besides true, false and integers, decimals are numbers too, but floats: ``1.1`` does not equal the literal
    1.1, which is a double. Integers too long for an int remain texts. [script.ExpressionInterpreter.evaluate]
    """
    if text in ("true", "false"):
        return boolean(text == "true")
    if not _NUMERIC.fullmatch(text) or (
        keeps_leading_zeros and len(text) > 1 and text[0] == "0" and text.isdecimal()
    ):
        return units(text)
    number = java_int(text)
    if number is not None:
        return integer(number)
    digits = text.lstrip("+-")
    is_octal = digits.startswith("0") and len(digits) > 1  # to the library that VASSAL asks here
    if not _DECIMAL.fullmatch(text) or (
        digits.isdecimal() and not (is_octal and digits.strip("01234567") != "")
    ):
        return text
    exact = Fraction(text.rstrip(".")) if len(text) < 1000 else float(text)
    return Scalar(Kind.FLOAT, math.copysign(float32(exact), -1 if text[0] == "-" else 1))


def units(text: str) -> str:
    """A text in Java's form: characters beyond U+FFFF become two units."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join(char if char <= "\uffff" else _pair(char) for char in text)


def _pair(char: str) -> str:
    above = ord(char) - 0x10000
    return chr(0xD800 + (above >> 10)) + chr(0xDC00 + (above & 0x3FF))


_HALF = re.compile("[\ud800-\udfff]")


def characters(text: str) -> str:
    """Undo :func:`units`; half a character becomes ``?``, as when Java writes it."""
    if text.isascii():
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _HALF.sub("?", whole)


def bounded(text: str) -> str:
    """The same text, if it is not too long for evaluation to continue."""
    if len(text) > LONGEST:
        raise CannotEvaluate(f"a text grows beyond {LONGEST} characters")
    return text


BLANKS = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a"
    "\u2028\u2029\u205f\u3000"
)
"""What ``Character.isWhitespace`` accepts: what ``strip`` removes and ``isBlank`` ignores."""
CONTROLS = "".join(map(chr, range(33)))
"""What Java's ``trim`` removes."""
