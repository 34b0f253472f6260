"""Where an expression finds what it asks for, and what happens when it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from attrs import field, frozen


class CannotEvaluate(ValueError):  # noqa: N818 - reads as what it says
    """What the expression is worth cannot be told from here: it needs chance, the table, or rare Java."""


class EvaluationFails(CannotEvaluate):
    """VASSAL itself fails here: it warns the player and continues with an empty text, or with "no"."""


class Environment(Protocol):
    """What an expression is evaluated over: a piece, a map, a module, or a table of values.

    VASSAL's calculated properties may refer to each other in circles; an environment that evaluates them
    bounds its own depth.
    """

    @property
    def keeps_leading_zeros(self) -> bool:
        """Whether ``007`` stays a text: the module's *Store integers with leading zeros as strings*."""

    def property(self, name: str) -> str | None:
        """The property's value; None if nobody has such a property."""

    def function(self, name: str, arguments: tuple[str, ...]) -> str | int | bool:
        """What VASSAL's ``name(arguments…)`` gives, for the functions that ask about the table or chance.

        Which these are stands in :data:`~vassalgen.vassal.expressions.functions.ASKED`. A filter among the
        arguments is read by :func:`~vassalgen.vassal.expressions.argument_filter`. A text is taken as a
        property's value is: ``"3"`` for the number 3. Raises :exc:`CannotEvaluate` where that is not known.
        """


@frozen
class Properties:
    """The simplest environment: named values, and no table."""

    values: Mapping[str, str] = field(factory=dict)
    keeps_leading_zeros: bool = False

    def property(self, name: str) -> str | None:
        return self.values.get(name)

    def function(self, name: str, arguments: tuple[str, ...]) -> str | int | bool:
        raise CannotEvaluate(f"{name}() asks about the table or chance, and there is neither here")
