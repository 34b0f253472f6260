"""Sheets of fields that players fill in. [counters.PropertySheet]"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import scalars, sequences
from vassalgen.vassal.scalars import Colour, Key
from vassalgen.vassal.traits.base import ListState, State, Trait

TILDE = "~"


class FieldKind(StrEnum):
    """What a field of the sheet holds."""

    TEXT = "0"
    TEXT_AREA = "1"
    LABEL = "2"
    TICKS = "3"
    TICKS_WITH_MAXIMUM = "4"
    TICKS_WITH_VALUE = "5"
    TICKS_WITH_BOTH = "6"
    SPINNER = "7"


@frozen
class SheetField:
    """One field: its kind (a :class:`FieldKind`, or any other value in the file) and its name."""

    kind: str = FieldKind.TEXT
    name: str = ""


@frozen(kw_only=True)
class PropertySheetState(ListState):
    """The values entered, field after field: line breaks as bars, ticks as ``value/maximum``."""

    DELIMITER: ClassVar[str] = TILDE


def _whole_number(text: str) -> int:
    digits = text[: len(text) - len(text.lstrip("0123456789"))]
    return int(digits[-9:] or 0)


def _decode_colour(red: str, green: str, blue: str) -> Colour | None:
    if not red:
        return None
    colour = tuple(_whole_number(part) for part in (red, green, blue))
    if max(colour) > 255:
        raise FormatError(f"PropertySheet: {colour} is not a colour", "three numbers from 0 to 255")
    return colour


@frozen(kw_only=True)
class PropertySheet(Trait):
    """A window of ``fields`` opened by a command.

    ``commit`` says when input is saved: 0 at once, 1 on Apply, 2 on closing. VASSAL reads an empty
    ``key`` as Ctrl+P; a sheet without one has ``Key(0)``.
    """

    CODE: ClassVar[str] = "propertysheet;"
    STATE: ClassVar[type[State]] = PropertySheetState
    fields: tuple[SheetField, ...] = ()
    text: str = ""
    commit: int = 0
    colour: Colour | None = None
    key: Key | None = Key.ctrl("P")
    description: str = ""

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        if len(tokens) < 2:
            raise FormatError("PropertySheet ends before its menu text", "2 fields or more")
        tokens = [*tokens, *[""] * 7]
        try:
            commit = scalars.INTEGER.decode(tokens[3])
        except ValueError:
            commit = 0
        key = scalars.decode_plain_key(tokens[7]) if tokens[7] else Key.ctrl_character((tokens[2] or "P")[0])
        definition = sequences.decode(tokens[0], TILDE) if tokens[0] else ()
        return cls(
            fields=tuple(SheetField(field[:1], field[1:]) for field in definition),
            text=tokens[1],
            commit=commit,
            colour=_decode_colour(*tokens[4:7]),
            key=key,
            description=tokens[8],
        )

    def to_tokens(self) -> list[str]:
        definition = sequences.encode([field.kind + field.name for field in self.fields], TILDE)
        colour = ["", "", ""] if self.colour is None else [str(part) for part in self.colour]
        key = scalars.KEY.encode(self.key)
        return [definition, self.text, "", str(self.commit), *colour, key, self.description]
