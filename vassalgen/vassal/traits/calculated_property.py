"""Properties computed from others. [counters.CalculatedProperty]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import INTEGER, Codec, java_trim
from vassalgen.vassal.traits.base import Trait


def _decode_expression(text: str) -> str:
    trimmed = java_trim(text)
    braced = trimmed.startswith("{") and trimmed.endswith("}")
    inside = trimmed[1:-1] if braced else text
    if not inside or inside.isspace():
        return ""
    try:
        return str(INTEGER.decode(inside))
    except ValueError:
        pass
    if not braced and trimmed.replace("$", "_").isidentifier():
        return trimmed
    return "{" + inside + "}"


@frozen(kw_only=True)
class CalculatedProperty(Trait):
    """A property whose value is an expression, evaluated whenever it is needed.

    ``expression`` is a ``{…}`` expression, a bare name of a property or a whole number.
    """

    CODE: ClassVar[str] = "calcProp;"
    name: str = records.text()
    expression: str = records.of(Codec(_decode_expression, str), "")
    description: str = records.text()
