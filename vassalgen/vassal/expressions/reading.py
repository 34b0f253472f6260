"""Which of its languages VASSAL uses for a text. [script.expression.Expression]"""

from __future__ import annotations

from functools import lru_cache

from vassalgen.problems import FormatError
from vassalgen.vassal.expressions.base import (
    Expression,
    Format,
    Number,
    Plain,
    Property,
    braced,
    property_name,
)
from vassalgen.vassal.expressions.environment import Environment
from vassalgen.vassal.expressions.values import BLANKS, CONTROLS, java_int

_CACHED = 2048


@lru_cache(maxsize=_CACHED)
def parse(text: str) -> Expression:
    """Parse a text with ``$name$`` in it, or ``{…}``: a format, or any field that takes expressions.

    Raises :exc:`FormatError` for invalid BeanShell; its place is the character in ``text``.
    [Expression.createExpression]
    """
    if not text.strip(BLANKS):
        return Plain(text, "")
    if braced(text) is not None:
        return _read_braced(text)
    trimmed = text.strip(CONTROLS)
    number = java_int(trimmed)
    if number is not None:
        return Number(text, str(number))
    return Format.read(text) if "$" in trimmed else Plain(text, text)


@lru_cache(maxsize=_CACHED)
def parse_filter(text: str) -> Expression:
    """Parse a condition:

    ``{…}`` or the old ``A = x && B != y``; an empty one accepts every piece. Raises :exc:`FormatError` as
    :func:`parse` does. [Expression.createPropertyExpression]
    """
    if not text.strip(BLANKS):
        return Plain(text, "")
    inner = braced(text)
    if inner == "":
        raise FormatError("{} lets nothing pass", "an empty field lets everything pass")
    if inner is None:
        from vassalgen.vassal.expressions.filters import Match  # noqa: PLC0415 - as below

        return Match.read(text.strip(CONTROLS))
    from vassalgen.vassal.expressions.beanshell import Condition  # noqa: PLC0415 - as below

    return Condition.read(text)


@lru_cache(maxsize=_CACHED)
def parse_property(text: str) -> Expression:
    """Read a field that takes a property's bare name or ``{…}``, such as the one a layer follows.

    Unlike elsewhere, ``{name}`` is the property's value unchanged, even if it is a number. Raises
    :exc:`FormatError` as :func:`parse` does. [Expression.createSimplePropertyExpression]
    """
    if not text.strip(BLANKS):
        return Plain(text, "")
    inner = braced(text)
    name = (text if inner is None else inner).strip(CONTROLS)
    if inner is None or name.replace("$", "_").isidentifier():
        return Property(text, property_name(name))
    return _read_braced(name if braced(name) is not None else "{" + name + "}")


def _read_braced(text: str) -> Expression:
    from vassalgen.vassal.expressions.beanshell import read_braced  # noqa: PLC0415 - most logs never need it

    return read_braced(text)


def argument_filter(text: str, source: Environment) -> Expression | None:
    r"""Parse the filter given to a function such as ``SumStack``; None if it is empty. ``source`` is the
    piece that counts: its ``$name$`` are replaced, unknown ones are left unchanged. Call ``accepts(piece,
    source)`` on the result. Raises :exc:`FormatError` as :func:`parse` does.
    [script.ExpressionInterpreter.createFilter]
    """
    if "$" in text:
        text = _replace_known(text, source)
    text = text.replace('\\"', '"')
    return parse_filter(text) if text else None


def _replace_known(text: str, source: Environment) -> str:
    """Replace each ``$name$`` that has a value; after an unknown one, its closing dollar may
    open the next.
    """
    first, *pieces = text.split("$")
    parts = [first]
    index = 0
    while index < len(pieces):
        value = source.property(pieces[index]) if index + 1 < len(pieces) else None
        if value is None:
            parts.append("$" + pieces[index])
            index += 1
        else:
            parts += (value, pieces[index + 1])
            index += 2
    return "".join(parts)
