"""Text labels that players can change. [counters.Labeler]"""

from __future__ import annotations

from typing import ClassVar, Self

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import BLACK, CHARACTER, INTEGER, TEXT, Codec, Colour, Key, java_trim
from vassalgen.vassal.traits.base import State, Trait, ValueState


def _decode_format(text: str) -> str:
    return text.replace("$PieceName$", "$pieceName$")  # the former would call itself


def _decode_style(text: str) -> int:
    style = INTEGER.decode(text)
    return style if 0 <= style <= 3 else 0


@frozen(kw_only=True)
class LabelerState(ValueState):
    """The label as typed, without blanks around it; it may be a format."""

    label: str = records.text()

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls(label=java_trim(text))


@frozen(kw_only=True)
class Labeler(Trait):
    """A text drawn on the piece and joined to its name by ``name_format``.

    Positions are letters: ``vertical_position`` t, c or b for top, centre, bottom of the piece,
    ``horizontal_position`` l, c or r; the justifications say which side of the label is at that position.
    Offsets are pixels. ``property_name`` is the property with the label's text. ``font_style`` adds 1 for
    bold and 2 for italic.
    """

    CODE: ClassVar[str] = "label;"
    STATE: ClassVar[type[State]] = LabelerState
    key: Key | None = records.key()
    text: str = records.text("Change label")
    font_size: int = records.integer(10)
    background: Colour | None = records.colour()
    colour: Colour | None = records.colour(BLACK)
    vertical_position: str = records.of(CHARACTER, "t")
    vertical_offset: int = records.integer(0)
    horizontal_position: str = records.of(CHARACTER, "c")
    horizontal_offset: int = records.integer(0)
    vertical_justification: str = records.of(CHARACTER, "b")
    horizontal_justification: str = records.of(CHARACTER, "c")
    name_format: str = records.of(Codec(_decode_format, TEXT.encode), "$pieceName$ ($label$)")
    font: str = records.text("Dialog")
    font_style: int = records.of(Codec(_decode_style, str), 0)
    degrees: int = records.integer(0)
    property_name: str = records.text("TextLabel")
    description: str = records.text()
    always_format: bool = records.boolean()
