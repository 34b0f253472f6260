"""VASSAL's three expression languages, read and evaluated.

Text with ``$name$`` in it, BeanShell in braces (``{Steps > 1 ? "full" : "flipped"}``), and the old language
of filters (``Steps > 1 && Side = Axis``)::

    from vassalgen.vassal.expressions import Properties, parse

    parse("{Strength * 2}").evaluate(Properties({"Strength": "3"}))  # "6"

:func:`parse` reads formats and values, :func:`parse_filter` conditions, :func:`parse_property` the fields
that take a property's name. The result can be evaluated in any :class:`Environment`. VASSAL's quirks are
kept, because players see them.
"""

from vassalgen.vassal.expressions.base import Expression
from vassalgen.vassal.expressions.environment import (
    CannotEvaluate,
    Environment,
    EvaluationFails,
    Properties,
)
from vassalgen.vassal.expressions.reading import argument_filter, parse, parse_filter, parse_property

__all__ = [
    "CannotEvaluate",
    "Environment",
    "EvaluationFails",
    "Expression",
    "Properties",
    "argument_filter",
    "parse",
    "parse_filter",
    "parse_property",
]
