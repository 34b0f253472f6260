"""The methods of Java's texts and numbers that modules use, and its static ones: ``Math.max`` and so on.

A method that Java does not have raises :exc:`EvaluationFails`, one that is not implemented here
:exc:`CannotEvaluate`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from attrs import frozen

from vassalgen.vassal import scalars
from vassalgen.vassal.expressions.environment import CannotEvaluate, EvaluationFails
from vassalgen.vassal.expressions.patterns import Pattern
from vassalgen.vassal.expressions.values import (
    BLANKS,
    CONTROLS,
    LONGEST,
    Kind,
    Scalar,
    Value,
    boolean,
    bounded,
    boxed,
    characters,
    float32,
    integer,
    java_int,
    narrow,
    text_of,
    units,
)

Arguments = tuple[Value, ...]


@frozen
class Method:
    """One method: a letter for each argument, and its function of the text and the arguments.

    The letters: ``s`` a text, ``i`` an int, ``c`` a character, ``b`` a boolean, ``o`` anything.
    """

    takes: str
    gives: Callable[..., Value]
    null_fits: bool = False

    def fits(self, arguments: Arguments) -> bool:
        """Whether Java would choose this one."""
        return len(arguments) == len(self.takes) and all(map(_fits, self.takes, arguments))


def _fits(letter: str, argument: Value) -> bool:
    if letter == "s":
        return argument is None or isinstance(argument, str)
    if letter == "o":
        return True
    if not isinstance(argument, Scalar):
        return False
    if letter == "b":
        return not argument.is_number
    return argument.kind is Kind.CHAR or (letter == "i" and Kind.CHAR < argument.kind <= Kind.INT)


def _native(letter: str, argument: Value) -> Any:
    """The argument in the form in which the functions below take it."""
    if letter in ("o", "b"):
        return argument
    if letter == "c":
        return text_of(argument)
    return int(argument.value) if isinstance(argument, Scalar) else argument


def call_method(target: Value, name: str, arguments: Arguments) -> Value:
    """``target.name(arguments…)``."""
    if isinstance(target, str):
        return _choose(f"a text has no {name}", STRING_METHODS.get(name), (target,), arguments)
    if target is None:
        raise EvaluationFails(f"null has no {name}()")
    if target.boxed:
        return _of_object(target, name, arguments)
    return _of_primitive(target, name, arguments)


def call_static(class_name: str, name: str, arguments: Arguments) -> Value:
    """``Class.name(arguments…)``."""
    if class_name == "Math":
        return _math(name, arguments)
    return _choose(f"{class_name} has no {name}", STATIC_METHODS[class_name].get(name), (), arguments)


def _choose(
    lacking: str, methods: tuple[Method, ...] | None, target: tuple[str, ...], arguments: Arguments
) -> Value:
    if methods is None:
        raise CannotEvaluate(f"{lacking}() that is known here")
    for method in methods:
        if method.fits(arguments):
            natives = [_native(letter, one) for letter, one in zip(method.takes, arguments, strict=True)]
            if None in natives and not method.null_fits:
                raise EvaluationFails("null is not a text")
            return method.gives(*target, *natives)
    raise EvaluationFails(f"{lacking}() for such arguments")


def _of_object(target: Scalar, name: str, arguments: Arguments) -> Value:
    """A method of java.lang.Integer or a similar class."""
    kinds = {
        "intValue": Kind.INT,
        "longValue": Kind.LONG,
        "floatValue": Kind.FLOAT,
        "doubleValue": Kind.DOUBLE,
    }
    match name, arguments:
        case "toString", ():
            return text_of(target)
        case "equals", (other,):
            return boolean(
                isinstance(other, Scalar) and (other.kind, other.value) == (target.kind, target.value)
            )
        case "booleanValue", () if not target.is_number:
            return boolean(bool(target.value))
        case _, () if name in kinds and target.kind > Kind.CHAR:
            return narrow(target.value, kinds[name])
        case _:
            raise CannotEvaluate(f"{name}() of a number is not known here")


def _of_primitive(target: Scalar, name: str, arguments: Arguments) -> Value:
    """The methods that BeanShell allows on a number or a boolean. [bsh.Primitive]"""
    match name, arguments:
        case "toString", ():
            return text_of(target)
        case "equals", (_,):
            return boolean(False)
        case "intValue", () if target.kind > Kind.CHAR:
            return narrow(target.value, Kind.INT)
        case "booleanValue", () if not target.is_number:
            return boolean(bool(target.value))
        case "hashCode" | "getType" | "getValue" | "isNumber" | "numberValue" | "castToType", _:
            raise CannotEvaluate(f"{name}() of a number is not known here")
        case _:
            raise EvaluationFails(f"{text_of(target)} is not a text, and has no {name}()")


def _index(text: str, position: int) -> int:
    if not 0 <= position <= len(text):
        raise EvaluationFails(f"position {position} is outside of {text!r}")
    return position


def _substring(text: str, start: int, end: int | None = None) -> Value:
    end = len(text) if end is None else end
    if start > end:
        raise EvaluationFails(f"{start} to {end} is not a part of {text!r}")
    return text[_index(text, start) : _index(text, end)]


def _char_at(text: str, position: int) -> Value:
    if position >= len(text):
        raise EvaluationFails(f"position {position} is outside of {text!r}")
    return Scalar(Kind.CHAR, ord(text[_index(text, position)]))


def _compare(one: str, other: str) -> Value:
    for first, second in zip(one, other, strict=False):
        if first != second:
            return integer(ord(first) - ord(second))
    return integer(len(one) - len(other))


def _folded(text: str) -> str:
    """The text as Java sees it when ignoring case: each unit separately."""
    return "".join(_single_case(_single_case(unit, str.upper), str.lower) for unit in text)


def _same_but_case(text: str, other: str | None) -> bool:
    return other is not None and _folded(text) == _folded(other)


def _single_case(unit: str, change: Callable[[str], str]) -> str:
    changed = change(unit)
    return changed if len(changed) == 1 else unit


def _index_of(text: str, wanted: str | int, start: int = 0) -> Value:
    searched = _searched(wanted)
    return integer(-1 if searched is None else text.find(searched, min(max(start, 0), len(text))))


def _last_index_of(text: str, wanted: str | int, start: int = 2**31) -> Value:
    searched = _searched(wanted)
    return integer(-1 if searched is None or start < 0 else text.rfind(searched, 0, start + len(searched)))


def _searched(wanted: str | int) -> str | None:
    """The text to search for, which may be a character; None if it is neither."""
    if isinstance(wanted, str):
        return wanted
    return units(chr(wanted)) if 0 <= wanted <= 0x10FFFF else None


def _replace(text: str, old: str, new: str) -> Value:
    if len(text) + text.count(old) * (len(new) - len(old)) > LONGEST:
        raise CannotEvaluate(f"a text grows beyond {LONGEST} characters")
    return text.replace(old, new)


def _repeat(text: str, count: int) -> Value:
    if count < 0:
        raise EvaluationFails("a text cannot be repeated fewer than 0 times")
    if len(text) * count > LONGEST:
        raise CannotEvaluate(f"a text grows beyond {LONGEST} characters")
    return text * count


def _hash(text: str) -> Value:
    code = 0
    for unit in text:
        code = code * 31 + ord(unit) & 0xFFFFFFFF
    return integer(code)


def _starts_with(text: str, prefix: str, start: int = 0) -> Value:
    return boolean(0 <= start <= len(text) and text.startswith(prefix, start))


def _region_matches(text: str, at: int, other: str, start: int, length: int) -> Value:
    if at < 0 or start < 0 or at > len(text) - length or start > len(other) - length:
        return boolean(False)
    return boolean(text[at : at + max(length, 0)] == other[start : start + max(length, 0)])


def _region_matches_if(ignores_case: Scalar, text: str, *rest: Any) -> Value:
    if not ignores_case.value:
        return _region_matches(text, *rest)
    at, other, start, length = rest
    return _region_matches(_folded(text), at, _folded(other), start, length)


def _of(takes: str, gives: Callable[..., Value]) -> tuple[Method, ...]:
    return (Method(takes, gives),)


STRING_METHODS: dict[str, tuple[Method, ...]] = {
    "charAt": _of("i", _char_at),
    "compareTo": _of("s", _compare),
    "compareToIgnoreCase": _of("s", lambda text, other: _compare(_folded(text), _folded(other))),
    "concat": _of("s", lambda text, other: bounded(text + other)),
    "contains": _of("s", lambda text, other: boolean(other in text)),
    "endsWith": _of("s", lambda text, other: boolean(text.endswith(other))),
    "equals": (Method("o", lambda text, other: boolean(text == other), null_fits=True),),
    "equalsIgnoreCase": (
        Method("s", lambda text, other: boolean(_same_but_case(text, other)), null_fits=True),
    ),
    "hashCode": _of("", _hash),
    "indexOf": (
        Method("s", _index_of),
        Method("i", _index_of),
        Method("si", _index_of),
        Method("ii", _index_of),
    ),
    "isBlank": _of("", lambda text: boolean(not text.strip(BLANKS))),
    "isEmpty": _of("", lambda text: boolean(not text)),
    "lastIndexOf": (
        Method("s", _last_index_of),
        Method("i", _last_index_of),
        Method("si", _last_index_of),
        Method("ii", _last_index_of),
    ),
    "length": _of("", lambda text: integer(len(text))),
    "matches": _of("s", lambda text, pattern: boolean(Pattern.read(pattern).matches(text))),
    "regionMatches": (
        Method("isii", _region_matches),
        Method("bisii", lambda text, ignores_case, *rest: _region_matches_if(ignores_case, text, *rest)),
    ),
    "repeat": _of("i", _repeat),
    "replace": (Method("cc", _replace), Method("ss", _replace)),
    "replaceAll": _of("ss", lambda text, pattern, new: bounded(Pattern.read(pattern).replace(text, new))),
    "replaceFirst": _of(
        "ss", lambda text, pattern, new: bounded(Pattern.read(pattern).replace(text, new, once=True))
    ),
    "startsWith": (Method("s", _starts_with), Method("si", _starts_with)),
    "strip": _of("", lambda text: text.strip(BLANKS)),
    "stripLeading": _of("", lambda text: text.lstrip(BLANKS)),
    "stripTrailing": _of("", lambda text: text.rstrip(BLANKS)),
    "substring": (Method("i", _substring), Method("ii", _substring)),
    "toLowerCase": _of("", lambda text: units(characters(text).lower())),
    "toString": _of("", lambda text: text),
    "toUpperCase": _of("", lambda text: units(characters(text).upper())),
    "trim": _of("", lambda text: text.strip(CONTROLS)),
}


def _parse_int(text: str, radix: int = 10) -> Value:
    number = java_int(text) if radix == 10 else _radix_int(text, radix)
    if number is None:
        raise EvaluationFails(f"{text!r} is not an integer")
    return integer(number)


def _radix_int(text: str, radix: int) -> int | None:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not 2 <= radix <= 36 or not re.fullmatch("[0-9a-zA-Z]{1,40}", digits):
        return None
    if any(int(digit, 36) >= radix for digit in digits):
        return None
    number = int(text, radix)
    return number if -(2**31) <= number < 2**31 else None


def _parse_double(text: str) -> Value:
    try:
        return Scalar(Kind.DOUBLE, scalars.DOUBLE.decode(text))
    except ValueError:
        raise EvaluationFails(f"{text!r} is not a number") from None


def _is_true(text: str | None) -> Value:
    return boolean(text is not None and text.lower() == "true")


STATIC_METHODS: dict[str, dict[str, tuple[Method, ...]]] = {
    "Math": {},
    "String": {"valueOf": _of("o", text_of)},
    "Integer": {
        "parseInt": (Method("s", _parse_int), Method("si", _parse_int)),
        "valueOf": (
            Method("s", lambda text: boxed(_parse_int(text))),
            Method("i", lambda number: boxed(integer(number))),
        ),
        "max": _of("ii", lambda one, other: integer(max(one, other))),
        "min": _of("ii", lambda one, other: integer(min(one, other))),
        "sum": _of("ii", lambda one, other: integer(one + other)),
        "compare": _of("ii", lambda one, other: integer((one > other) - (one < other))),
        "signum": _of("i", lambda number: integer((number > 0) - (number < 0))),
    },
    "Double": {
        "parseDouble": _of("s", _parse_double),
        "valueOf": _of("s", lambda text: boxed(_parse_double(text))),
    },
    "Boolean": {
        "parseBoolean": (Method("s", _is_true, null_fits=True),),
        "valueOf": (Method("s", lambda text: boxed(_is_true(text)), null_fits=True),),
    },
}
"""The classes that expressions can use without import, and their methods."""

CONSTANTS: dict[str, Value] = {
    "Math.PI": Scalar(Kind.DOUBLE, math.pi),
    "Math.E": Scalar(Kind.DOUBLE, math.e),
    "Integer.MAX_VALUE": integer(2**31 - 1),
    "Integer.MIN_VALUE": integer(-(2**31)),
}


def _math(name: str, arguments: Arguments) -> Value:
    """``Math.name(arguments…)``, in the narrowest type that fits the arguments, as Java chooses it."""
    numbers: list[Scalar] = []
    for argument in arguments:
        if not isinstance(argument, Scalar) or not argument.is_number:
            raise EvaluationFails(f"Math.{name}() takes numbers only")
        numbers.append(argument)
    kind = max((number.kind for number in numbers), default=Kind.INT)
    kind = max(kind, Kind.INT)
    same = [narrow(number.value, kind).value for number in numbers]
    match name, same:
        case "abs", [number]:
            return _result(abs(number), kind)
        case "max" | "min", [one, other]:
            return _result(_extreme(name, one, other), kind)
        case "signum", [number]:
            value = float(number)
            return _result(value if math.isnan(value) or value == 0 else math.copysign(1, value), kind)
        case "round", [number]:
            exact = kind is Kind.DOUBLE
            return narrow(
                _round(float(number) if exact else float32(number)), Kind.LONG if exact else Kind.INT
            )
        case "floorDiv" | "floorMod", [int(one), int(other)]:
            if other == 0:
                raise EvaluationFails("division by zero")
            return _result(one // other if name == "floorDiv" else one % other, kind)
    function = _DOUBLE_FUNCTIONS.get(name)
    if function is None:
        raise CannotEvaluate(f"Math.{name}() is not known here")
    if len(numbers) != function[0]:
        raise EvaluationFails(f"Math.{name}() takes {function[0]}, not {len(numbers)}")
    return Scalar(Kind.DOUBLE, function[1](*(float(number.value) for number in numbers)))


def _result(value: float | int, kind: Kind) -> Scalar:
    """A result in the type for which the function was chosen; for ints, ``signum`` returns a float."""
    if isinstance(value, float):
        return Scalar(Kind.DOUBLE if kind is Kind.DOUBLE else Kind.FLOAT, value)
    return integer(value, kind)


def _extreme(name: str, one: float, other: float) -> float:
    if isinstance(one, float):
        if math.isnan(one) or math.isnan(other):
            return math.nan
        if one == other == 0:
            signs = (math.copysign(1, one), math.copysign(1, other))
            return math.copysign(0.0, max(signs) if name == "max" else min(signs))
    return max(one, other) if name == "max" else min(one, other)


def _round(number: float) -> float:
    """Halves are rounded up. [java.lang.Math.round]"""
    if not math.isfinite(number):
        return number
    below = math.floor(number)
    return float(below + (number - below >= 0.5))


def _whole(change: Callable[[float], int]) -> Callable[[float], float]:
    """Rounding that returns a double, and keeps the sign of zero."""
    return lambda number: math.copysign(float(change(number)), number) if math.isfinite(number) else number


def _real(function: Callable[..., float]) -> Callable[..., float]:
    """A function that returns NaN or an infinity like Java's where Python's would raise an exception."""

    def java(*numbers: float) -> float:
        try:
            return function(*numbers)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return java


def _log(log: Callable[[float], float]) -> Callable[[float], float]:
    return lambda number: -math.inf if number == 0 else log(number)


def _pow(base: float, exponent: float) -> float:
    if exponent != 0 and (math.isnan(base) or math.isnan(exponent)):
        return math.nan
    if abs(base) == 1 and math.isinf(exponent):
        return math.nan
    is_odd = exponent.is_integer() and exponent % 2 == 1
    if base == 0 and exponent < 0:
        return math.copysign(math.inf, base) if is_odd else math.inf
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and is_odd else math.inf


_DOUBLE_FUNCTIONS: dict[str, tuple[int, Callable[..., float]]] = {
    "acos": (1, _real(math.acos)),
    "asin": (1, _real(math.asin)),
    "atan": (1, math.atan),
    "atan2": (2, math.atan2),
    "ceil": (1, _whole(math.ceil)),
    "cos": (1, _real(math.cos)),
    "exp": (1, _real(math.exp)),
    "floor": (1, _whole(math.floor)),
    "hypot": (2, math.hypot),
    "log": (1, _real(_log(math.log))),
    "log10": (1, _real(_log(math.log10))),
    "pow": (2, _real(_pow)),
    "rint": (1, _whole(round)),
    "sin": (1, _real(math.sin)),
    "sqrt": (1, _real(math.sqrt)),
    "tan": (1, _real(math.tan)),
    "toDegrees": (1, math.degrees),
    "toRadians": (1, math.radians),
}
"""The number of arguments of each, and its function."""
