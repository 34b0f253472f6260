"""Movement trails. [counters.Footprint]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.vassal import records, scalars, sequences
from vassalgen.vassal.scalars import BLACK, BOOLEAN, Colour, Key
from vassalgen.vassal.traits.base import State, Trait


@frozen(kw_only=True)
class FootprintState(State):
    """The trail: whether all players see it, the id of its map (``Map0``, not a name), and its points.

    ``last_size`` is new in VASSAL 3.8.
    """

    visible: bool = False
    map_id: str = ""
    points: tuple[tuple[int, int], ...] = ()
    initialised: bool = False
    last_size: int | None = None

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        given = iter(tokens)
        visible = BOOLEAN.decode(next(given, ""))
        map_id = next(given, "")
        count = _number(next(given, ""))
        points = [_point(token) for token in tokens[3 : 3 + max(0, count)] if token]
        rest = tokens[3 + max(0, count) :]
        return cls(
            visible=visible,
            map_id=map_id,
            points=tuple(points),
            initialised=BOOLEAN.decode(rest[0]) if rest else False,
            last_size=_number(rest[1]) if len(rest) > 1 else None,
        )

    def to_tokens(self) -> list[str]:
        tokens = [BOOLEAN.encode(self.visible), self.map_id, str(len(self.points))]
        tokens += [f"{x},{y}" for x, y in self.points]
        tokens.append(BOOLEAN.encode(self.initialised))
        return tokens if self.last_size is None else [*tokens, str(self.last_size)]


def _number(text: str) -> int:
    try:
        return scalars.INTEGER.decode(text)
    except ValueError:
        return 0


def _point(text: str) -> tuple[int, int]:
    x, y, *_ = [*sequences.decode(text, ","), ""]
    return _number(x), _number(y)


@frozen(kw_only=True)
class Footprint(Trait):
    """A trail of circles and lines where the piece went.

    Lengths are pixels, opacities percentages. ``ignore_same_location`` is new in VASSAL 3.8.
    """

    CODE: ClassVar[str] = "footprint;"
    STATE: ClassVar[type[State]] = FootprintState
    key: Key | None = records.key(Key.ctrl("T"))
    text: str = records.text("Movement Trail")
    initially_visible: bool = records.boolean()
    globally_visible: bool = records.boolean()
    radius: int = records.integer(10)
    fill_colour: Colour | None = records.colour((255, 255, 255))
    line_colour: Colour | None = records.colour(BLACK)
    selected_opacity: int = records.integer(100)
    unselected_opacity: int = records.integer(50)
    point_margin: int = records.integer(20)
    display_margin: int = records.integer(30)
    line_width: float = records.double(1.0)
    on_key: Key | None = records.key()
    off_key: Key | None = records.key()
    clear_key: Key | None = records.key()
    description: str = records.text()
    ignore_same_location: bool | None = records.newer(BOOLEAN)
