"""Help pages and charts."""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.game.game import Game
from vassalgen.vassal.components import AboutScreen, Component, Documentation


def documentation(game: Game) -> Documentation:
    """The help menu."""
    return Documentation(children=(AboutScreen(title=f"About {game.title}", file_name="/images/Splash.png"),))


def charts(game: Game) -> tuple[Component, ...]:
    """The window of charts."""
    return ()


def pages(game: Game) -> Iterator[tuple[str, bytes]]:
    """All pages by their names in the archive."""
    yield from ()
