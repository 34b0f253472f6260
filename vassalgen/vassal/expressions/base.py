"""The interface of all expressions, and the simple ones."""

from __future__ import annotations

from abc import ABC, abstractmethod

from attrs import field, frozen

from vassalgen.vassal import sequences
from vassalgen.vassal.expressions.environment import Environment, EvaluationFails
from vassalgen.vassal.expressions.values import CONTROLS, java_int


@frozen
class Expression(ABC):
    """A text that is replaced by its value, parsed once and evaluated often."""

    text: str
    """The original text."""

    @abstractmethod
    def evaluate(self, environment: Environment, *, displayed: bool = False) -> str:
        """Its value as text. ``displayed`` is for text that players see, such as reports and labels: in it,
        an unknown ``$name$`` vanishes; elsewhere it leaves the bare name. Raises :exc:`CannotEvaluate`, or
        :exc:`EvaluationFails` if VASSAL would fail and continue with an empty text.
        """

    @abstractmethod
    def names(self) -> frozenset[str]:
        """The properties on which it certainly depends, as far as they are named in its text."""

    def accepts(self, environment: Environment, source: Environment | None = None) -> bool:
        """Whether, as a filter, it accepts a piece; an expression that is not a condition accepts every
        piece.

        ``environment`` is the piece. ``source`` is the piece or button that looks for it, whose ``$name$``
        a filter may refer to (global key commands, counting functions); without one, ``$name$`` has no
        meaning in ``{…}``, and in the old form of filters means the piece itself. Raises
        :exc:`CannotEvaluate`, or :exc:`EvaluationFails` if VASSAL would fail and accept no piece.
        """
        return True

    def as_number(self, environment: Environment) -> int:
        """Its value as a number, as VASSAL reads one from a field: empty is 0. Raises :exc:`CannotEvaluate`,
        or :exc:`EvaluationFails` if VASSAL would fail and continue with 0.
        [tools.FormattedString.getTextAsInt]
        """
        text = self.evaluate(environment)
        number = java_int(text or "0")
        if number is None:
            raise EvaluationFails(f"{text!r} is not an integer")
        return number


@frozen
class Plain(Expression):
    """A text whose value is itself, or ``meaning``."""

    meaning: str

    def evaluate(self, environment: Environment, *, displayed: bool = False) -> str:
        return self.meaning

    def names(self) -> frozenset[str]:
        return frozenset()


@frozen
class Number(Plain):
    """An integer; a text if it has leading zeros and the module keeps them."""

    def evaluate(self, environment: Environment, *, displayed: bool = False) -> str:
        digits = self.text.strip()
        if digits.startswith("0") and len(digits) > 1 and environment.keeps_leading_zeros:
            return self.text
        return self.meaning


@frozen
class Property(Expression):
    """A property by its bare name."""

    name: str

    def evaluate(self, environment: Environment, *, displayed: bool = False) -> str:
        return environment.property(self.name) or ""

    def names(self) -> frozenset[str]:
        return frozenset((self.name,))


@frozen
class Format(Expression):
    """Text with ``$name$`` in it. [script.expression.FormattedStringExpression]"""

    pieces: tuple[str, ...] = field(repr=False)
    """Texts and property names alternating; the part after the last dollar is always text."""

    @classmethod
    def read(cls, text: str) -> Format:
        r"""Parse a text; ``\$`` is a dollar, and surrounding blanks are ignored."""
        return cls(text, tuple(sequences.decode(text.strip(CONTROLS), "$")))

    def evaluate(self, environment: Environment, *, displayed: bool = False) -> str:
        return "".join(
            _value(piece, environment, displayed) if self._is_name(index) else piece
            for index, piece in enumerate(self.pieces)
        )

    def names(self) -> frozenset[str]:
        return frozenset(name for index, name in enumerate(self.pieces) if name and self._is_name(index))

    def _is_name(self, index: int) -> bool:
        return index % 2 == 1 and index + 1 < len(self.pieces)


def _value(name: str, environment: Environment, displayed: bool) -> str:
    """The value of ``$name$``."""
    value = environment.property(name) if name else ""
    if value is None:
        return "" if displayed else name
    return value


def braced(text: str) -> str | None:
    """The text between the braces around ``text``; None if there are none."""
    trimmed = text.strip(CONTROLS)
    return trimmed[1:-1] if trimmed.startswith("{") and trimmed.endswith("}") else None


def property_name(variable: str) -> str:
    """The property that a variable names; ``$old$`` is allowed for ``old``."""
    if len(variable) > 2 and variable.startswith("$") and variable.endswith("$"):
        return variable[1:-1]
    return variable
