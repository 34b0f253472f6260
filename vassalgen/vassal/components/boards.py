"""The boards of a map and how they are chosen."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.attribute import Attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.scalars import Colour


@frozen(kw_only=True, repr=False)
class BoardPicker(Component):
    """The boards of a map, which are its children, and optionally a set-up that places some of them.

    Within its map it must come before all stacks and decks.
    """

    JAVA = "VASSAL.build.module.map.BoardPicker"
    title: str = attribute.text("Choose Boards")
    add_column_text: str = attribute.text("Add column")
    add_row_text: str = attribute.text("Add row")
    board_prompt: str = attribute.text("Select board")
    slot_height: int = attribute.integer(125)
    slot_width: int = attribute.integer(350)
    slot_scale: float = attribute.double(0.2)
    max_columns: int = attribute.integer(optional=True)


@frozen(kw_only=True, repr=False)
class Setup(Component):
    """The boards of a new game, as the command of the board picker in its content."""

    JAVA = "setup"


@frozen(kw_only=True, repr=False)
class Board(Component):
    """A board. Its size in pixels is that of its image if it has one; its grid is its child."""

    JAVA = "VASSAL.build.module.map.boardPicker.Board"

    name: str = attribute.optional_text()
    image: str = attribute.optional_text()
    reversible: bool = attribute.boolean(any_case=True)
    width: int = attribute.integer(500)
    height: int = attribute.integer(500)
    color: Colour | None = attribute.colour()

    def leaves_out(self, attribute: Attribute) -> bool:
        """A board with an image needs no width, height and colour of its own. [boardPicker.Board]"""
        needless = bool(self.image) and attribute.name in {"width", "height", "color"}
        return (needless or attribute.optional) and bool(getattr(self, attribute.name) == attribute.default)
