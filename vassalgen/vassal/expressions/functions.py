"""VASSAL's own functions. [script/init_expression.bsh, script.ExpressionInterpreter]"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from vassalgen.vassal.expressions.environment import Environment, EvaluationFails
from vassalgen.vassal.expressions.values import (
    Kind,
    Scalar,
    Value,
    boolean,
    boxed,
    characters,
    integer,
    text_of,
    units,
    wrapped,
)

GETTERS = ("GetProperty", "GetLocalizedProperty", "GetString")
WITHOUT_VALUE: Mapping[str, tuple[int, ...]] = {"Alert": (1, 2), "Audit": (1, 2, 3), "Sleep": (1,)}
"""Functions that display something and return an empty text."""


@frozen
class Asked:
    """A function whose value depends on the table: its number of arguments, and which is a
    property's name.
    """

    arities: tuple[int, ...]
    property_at: int | None = None


ASKED: Mapping[str, Asked] = {
    "SumStack": Asked((1, 2), 0),
    "CountStack": Asked((0, 1, 2), 0),
    "SumMat": Asked((1, 2), 0),
    "CountMat": Asked((1, 2), 0),
    "SumLocation": Asked((1, 2, 3, 4), 0),
    "CountLocation": Asked((0, 1, 2, 3, 4)),
    "SumZone": Asked((1, 2, 3, 4), 0),
    "CountZone": Asked((0, 1, 2, 3, 4)),
    "SumMap": Asked((1, 2, 3), 0),
    "CountMap": Asked((0, 1, 2, 3)),
    "Sum": Asked((2, 3), 0),
    "Count": Asked((1, 2)),
    "SumRange": Asked((3, 4), 2),
    "SumRangePx": Asked((3, 4), 2),
    "CountRange": Asked((2, 3, 4), 2),
    "CountRangePx": Asked((2, 3, 4), 2),
    "Range": Asked((1, 2, 4, 5)),
    "RangePx": Asked((1, 2, 4, 5)),
    "SumAttach": Asked((2, 3), 1),
    "CountAttach": Asked((2,), 1),
    "MaxAttach": Asked((2,), 1),
    "MinAttach": Asked((2,), 1),
    "GetAttachProperty": Asked((2, 3), 1),
    "GetZoneProperty": Asked((2, 3), 0),
    "GetMapProperty": Asked((2,), 0),
    "Random": Asked((1, 2)),
    "IsRandom": Asked((0, 1)),
}
"""The functions that :meth:`Environment.function` answers.

``CountMat()`` and ``CountAttach`` of three are documented, but fail in VASSAL 3.7.
"""


def call_function(name: str, arguments: tuple[Value, ...], environment: Environment) -> Value:
    """The value of ``name(arguments…)``."""
    count = len(arguments)
    if name == "If" and count == 3:
        condition, yes, no = arguments
        if not isinstance(condition, Scalar) or condition.kind is not Kind.BOOLEAN:
            raise EvaluationFails("the condition of If() is neither true nor false")
        return boxed(yes if condition.value else no)
    if name in GETTERS and count == 1:
        text = environment.property(characters(text_of(arguments[0]))) or ""
        return units(text) if name == "GetString" else wrapped(text)
    if count in WITHOUT_VALUE.get(name, ()):
        return ""
    asked = ASKED.get(name)
    if asked is None or count not in asked.arities:
        raise EvaluationFails(f"there is no function {name} of {count} arguments")
    texts = tuple(characters(text_of(argument)) for argument in arguments)
    answer = environment.function(name, texts)
    if isinstance(answer, bool):
        return boolean(answer)
    return integer(answer) if isinstance(answer, int) else wrapped(answer)
