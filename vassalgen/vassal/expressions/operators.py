"""The operators, with VASSAL's semantics. Arithmetic is that of Java; texts can be compared and matched; an
operand next to a text is converted to a text, but an empty text next to an int counts as 0.
[bsh.BSHBinaryExpression, bsh.Primitive, as VASSAL
changed them]
"""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable
from typing import Any

from attrs import evolve

from vassalgen.vassal.expressions.environment import EvaluationFails
from vassalgen.vassal.expressions.patterns import Pattern
from vassalgen.vassal.expressions.values import (
    BITS,
    FALSE,
    TRUE,
    Kind,
    Scalar,
    Value,
    boolean,
    bounded,
    float32,
    integer,
    narrow,
    text_of,
)

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": python.lt,
    ">": python.gt,
    "<=": python.le,
    ">=": python.ge,
    "==": python.eq,
    "!=": python.ne,
}
MATCHES = ("=~", "!~")
_ZERO = integer(0)


def binary(operator: str, left: Value, right: Value) -> Value:
    """``left operator right``; :exc:`EvaluationFails` if VASSAL has no result."""
    if left is None or right is None:
        raise EvaluationFails(f"null cannot be used with {operator}")
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        if left.boxed and right.boxed and operator == "==":
            raise EvaluationFails("== cannot compare two results of If() or valueOf()")
        if left.is_number != right.is_number:
            return _of_texts(operator, text_of(left), text_of(right))
        return _of_scalars(operator, left, right)
    if right == "" and _is_plain_int(left):
        return binary(operator, left, _ZERO)
    if left == "" and _is_plain_int(right):
        return binary(operator, _ZERO, right)
    return _of_texts(operator, text_of(left), text_of(right))


def decided(operator: str, left: Value) -> Scalar | None:
    """The result of ``&&`` or ``||`` without evaluating the right side; None if that is needed."""
    if isinstance(left, Scalar) and not left.is_number:
        if operator == "&&" and not left.value:
            return FALSE
        if operator == "||" and left.value:
            return TRUE
    return None


def unary(operator: str, operand: Value) -> Value:
    """``operator operand``, for ``+ - ~ !``."""
    if isinstance(operand, Scalar):
        kind, value = operand.kind, operand.value
        if kind is Kind.BOOLEAN and operator == "!":
            return evolve(operand, value=not value)
        if operand.is_number and operator in ("+", "-"):
            signed = value if operator == "+" else -value
            if isinstance(signed, float):
                return evolve(operand, value=signed)
            wide = max(kind, Kind.INT)
            return evolve(integer(signed, wide), boxed=operand.boxed)
        if operand.is_number and operator == "~" and not isinstance(value, float):
            return evolve(integer(~value, max(kind, Kind.INT)), boxed=operand.boxed)
    raise EvaluationFails(f"{operator} cannot be used with {_described(operand)}")


def _is_plain_int(value: Value) -> bool:
    return isinstance(value, Scalar) and value.kind is Kind.INT and not value.boxed


def _of_scalars(operator: str, left: Scalar, right: Scalar) -> Value:
    """Two booleans, or two numbers, which are first converted to the wider type of the two, at least int."""
    is_number = left.is_number
    kind = max(left.kind, right.kind, Kind.INT)
    first, second = (narrow(left.value, kind), narrow(right.value, kind)) if is_number else (left, right)
    if operator in MATCHES:
        return _of_texts(operator, text_of(first), text_of(second))
    if operator in (COMPARISONS if is_number else ("==", "!=")):
        return boolean(COMPARISONS[operator](first.value, second.value))
    if not is_number:
        return _of_booleans(operator, bool(left.value), bool(right.value))
    if kind >= Kind.FLOAT:
        result = _of_floats(operator, float(first.value), float(second.value))
        value = Scalar(kind, float32(result) if kind is Kind.FLOAT else result)
    else:
        value = integer(_of_integers(operator, int(first.value), int(second.value), BITS[kind]), kind)
    return evolve(value, boxed=left.boxed or right.boxed)


def _of_booleans(operator: str, left: bool, right: bool) -> Scalar:
    match operator:
        case "&&":
            return boolean(left and right)
        case "||":
            return boolean(left or right)
        case _:
            raise EvaluationFails(f"{operator} cannot be used with true and false")


def _of_integers(operator: str, left: int, right: int, bits: int) -> int:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%":
            if right == 0:
                raise EvaluationFails("division by zero")
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if operator == "/" else left - quotient * right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return left << right % bits
        case ">>":
            return left >> right % bits
        case ">>>":
            return left % (1 << bits) >> right % bits
        case _:
            raise EvaluationFails(f"{operator} cannot be used with numbers")


def _of_floats(operator: str, left: float, right: float) -> float:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" if right == 0:
            if left == 0 or math.isnan(left):
                return math.nan
            return math.copysign(math.inf, left) * math.copysign(1, right)
        case "/":
            return left / right
        case "%" if right == 0 or math.isinf(left):
            return math.nan
        case "%":
            return math.fmod(left, right)
        case _:
            raise EvaluationFails(f"{operator} cannot be used with decimals")


def _of_texts(operator: str, left: str, right: str) -> Value:
    if operator in COMPARISONS:
        return boolean(COMPARISONS[operator](left, right))
    match operator:
        case "+":
            return bounded(left + right)
        case "=~":
            return boolean(Pattern.read(right).matches(left))
        case "!~":
            return boolean(not Pattern.read(right).matches(left))
        case _:
            raise EvaluationFails(f"{operator} cannot be used with the texts {left!r} and {right!r}")


def _described(value: Value) -> str:
    if isinstance(value, str):
        return f"the text {value!r}"
    return "null" if value is None else text_of(value)
