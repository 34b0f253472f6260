"""The sides and the players' clocks."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.scalars import Colour, Key


@frozen(kw_only=True, repr=False)
class PlayerRoster(Component):
    """The sides, which are its children, and the button to change side. Observers need no side."""

    JAVA = "VASSAL.build.module.PlayerRoster"
    description: str = attribute.optional_text()
    button_text: str = attribute.text("Retire")
    tooltip: str = attribute.text(
        "Switch sides, become an observer, or allow another player to take your side in this game",
        "buttonToolTip",
    )
    icon: str = attribute.optional_text("buttonIcon")
    hotkey: Key | None = attribute.key(None, "buttonKeyStroke")


@frozen(kw_only=True, repr=False)
class Entry(Component):
    """A side; its name is the content."""

    JAVA = "entry"
    NAMED_BY = "content"


@frozen(kw_only=True, repr=False)
class ChessClockControl(Component):
    """The button of the chess clocks, which are its children."""

    JAVA = "VASSAL.build.module.ChessClockControl"

    name: str = attribute.text("Chess Clock Control")
    description: str = attribute.optional_text()
    icon: str = attribute.text("chess_clock.png")
    button_text: str = attribute.text("Chess Clocks")
    button_tooltip: str = attribute.text("Tooltip text")
    show_hotkey: Key | None = attribute.key()
    next_hotkey: Key | None = attribute.key()
    start_opponent_hotkey: Key | None = attribute.key()
    pause_hotkey: Key | None = attribute.key()
    show_tenths: str = attribute.word("Auto", "Always", "Never")
    show_seconds: str = attribute.word("Auto", "Always", "Never")
    show_hours: str = attribute.word("Auto", "Always", "Never")
    show_days: str = attribute.word("Auto", "Always", "Never")
    allow_reset: bool = attribute.boolean()


@frozen(kw_only=True, repr=False)
class ChessClock(Component):
    """The clock of a side."""

    JAVA = "VASSAL.build.module.chessclockcontrol.ChessClock"
    NAMED_BY = "side"

    description: str = attribute.optional_text()
    side: str = attribute.text("Player")
    button_text: str = attribute.text("Player")
    icon: str = attribute.optional_text()
    start_hotkey: Key | None = attribute.key()
    stop_hotkey: Key | None = attribute.key()
    ticking_background_color: Colour | None = attribute.colour((255, 255, 0))
    ticking_font_color: Colour | None = attribute.colour((51, 51, 51))
    tocking_font_color: Colour | None = attribute.colour((0, 0, 0))
    tooltip: str = attribute.optional_text()
