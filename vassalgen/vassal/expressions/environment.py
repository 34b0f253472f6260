"""Where an expression gets its values, and what happens if it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from attrs import field, frozen


class CannotEvaluate(ValueError):  # noqa: N818 - reads as what it says
    """The value of the expression is not known here: it depends on chance, on the table, or on unsupported
    Java.
    """


class EvaluationFails(CannotEvaluate):
    """VASSAL itself fails here: it warns the player and continues with an empty text, or with "no"."""


class Environment(Protocol):
    """Provides the values of an expression: a piece, a map, a module, or a dictionary of values. VASSAL's
    calculated properties may refer to each other in cycles; an environment that evaluates them must limit the
    depth.
    """

    @property
    def keeps_leading_zeros(self) -> bool:
        """Whether ``007`` stays a text: the module's *Store integers with leading zeros as strings*."""

    def property(self, name: str) -> str | None:
        """The property's value; None if there is no such property."""

    def function(self, name: str, arguments: tuple[str, ...]) -> str | int | bool:
        """The value of VASSAL's ``name(arguments…)``, for the functions that depend on the table or on
        chance. They are listed in :data:`~vassalgen.vassal.expressions.functions.ASKED`. A filter among the
        arguments is parsed by :func:`~vassalgen.vassal.expressions.argument_filter`. A text is interpreted
        like a property's value: ``"3"`` is the number 3. Raises :exc:`CannotEvaluate` if the value is not
        known.
        """


@frozen
class Properties:
    """The simplest environment: named values, without a table."""

    values: Mapping[str, str] = field(factory=dict)
    keeps_leading_zeros: bool = False

    def property(self, name: str) -> str | None:
        return self.values.get(name)

    def function(self, name: str, arguments: tuple[str, ...]) -> str | int | bool:
        raise CannotEvaluate(f"{name}() asks about the table or chance, and there is neither here")
