"""Commands that send a piece somewhere. [counters.SendToLocation]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import INTEGER, TEXT, Codec, Key
from vassalgen.vassal.traits.base import State, Trait

PLACE, GRID_LOCATION, ZONE, REGION, COUNTER, COUNTER_CYCLE, COUNTER_NEAREST = "LGZRACN"


@frozen(kw_only=True)
class SendToLocationState(State):
    """Where the piece was before it was sent: the id of the map and a point on it, or None."""

    map_id: str = ""
    point: tuple[int, int] | None = None

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        try:
            return cls(map_id=tokens[0], point=(INTEGER.decode(tokens[1]), INTEGER.decode(tokens[2])))
        except (ValueError, IndexError):
            return cls(map_id=tokens[0])

    def to_tokens(self) -> list[str]:
        return [self.map_id, *(map(str, self.point) if self.point else ("", ""))]


def _decode_destination(text: str) -> str:
    return text or PLACE


@frozen(kw_only=True)
class SendToLocation(Trait):
    """A command that moves the piece, and one that brings it back.

    ``destination`` says what the other fields mean: a :data:`PLACE` (``map``, ``board``, ``x``, ``y``), a
    :data:`GRID_LOCATION`, a :data:`ZONE`, a :data:`REGION`, or another :data:`COUNTER` found by ``match``.
    Each index times its offset is added. Everything that names a place is a format or an expression.
    """

    CODE: ClassVar[str] = "sendto;"
    STATE: ClassVar[type[State]] = SendToLocationState
    text: str = records.text()
    key: Key | None = records.key()
    map: str = records.text()
    board: str = records.text()
    x: str = records.text("0")
    y: str = records.text("0")
    back_text: str = records.text()
    back_key: Key | None = records.key()
    x_index: str = records.text("0")
    y_index: str = records.text("0")
    x_offset: str = records.text("1")
    y_offset: str = records.text("1")
    description: str = records.text()
    destination: str = records.of(Codec(_decode_destination, TEXT.encode), PLACE)
    zone: str = records.text()
    region: str = records.text()
    match: str = records.match()
    grid_location: str = records.text()
