"""Location formats: ``$name$ $gridLocation$``, filled in and matched.

Formats that are expressions in braces are not evaluated; :func:`is_expression` detects them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from vassalgen.vassal import scalars, sequences


def is_expression(text: str) -> bool:
    """Whether a format is a BeanShell expression. [script.expression.Expression.createExpression]"""
    trimmed = scalars.java_trim(text)
    return trimmed.startswith("{") and trimmed.endswith("}")


def parts(text: str) -> list[tuple[bool, str]]:
    """Split a format into its texts and the names of its properties: (is a property, text or name).

    Every second token between ``$`` is a property, but not the last of all. Empty tokens are left out.
    """
    tokens = sequences.decode(text, "$")
    last = len(tokens) - 1
    return [(index % 2 == 1 and index != last, token) for index, token in enumerate(tokens) if token]


def constant(text: str) -> str | None:
    """The text of a format that does not depend on properties; None for others."""
    trimmed = scalars.java_trim(text)
    if not text or text.isspace():
        return ""
    try:
        return str(scalars.INTEGER.decode(trimmed))
    except ValueError:
        return None if "$" in text else text


def fill(text: str, properties: Mapping[str, str | None], *, keep_unknown: bool) -> str:
    """Fill a format in. A property that is None becomes empty. An unknown property becomes its bare name if
    ``keep_unknown``, and otherwise empty; VASSAL would ask the module first.
    [script.expression.FormattedStringExpression.evaluate]
    """
    fixed = constant(text)
    if fixed is not None:
        return fixed
    result = []
    for is_property, token in parts(scalars.java_trim(text)):
        if not is_property:
            result.append(token)
        elif token in properties:
            result.append(properties[token] or "")
        elif keep_unknown:
            result.append(token)
    return "".join(result)


def pattern(text: str, properties: Mapping[str, str]) -> re.Pattern[str] | None:
    """A pattern that matches the output of a format, or None if the output is empty.

    ``properties`` are patterns themselves; other properties match nothing.
    """
    pieces = [
        properties.get(token, "") if is_property else re.escape(token) for is_property, token in parts(text)
    ]
    joined = "".join(pieces)
    return re.compile(joined) if joined else None
