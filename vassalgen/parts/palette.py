"""The palette: every counter in a window, by side and, if there are many, by formation."""

from __future__ import annotations

from collections.abc import Iterable

from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.parts import keys
from vassalgen.parts.ids import Ids
from vassalgen.parts.pieces import counter_piece
from vassalgen.vassal.components import Component, PanelWidget, PieceSlot, PieceWindow, TabWidget
from vassalgen.vassal.pieces import slot_text

MANY = 30
"""A side with more counters than this has several panels."""
_COLUMNS = 10
_SCALE = 0.5  # VASSAL opens the palette in a low pane at the top that does not scroll


def palette(game: Game, ids: Ids) -> PieceWindow:
    """The window of counters."""
    tabs: list[Component] = []
    for side in game.sides.values():
        counters = [one for one in game.counters.values() if one.side == side.id]
        tabs += [_tab(game, ids, side.title, counters)] if counters else []
    others = [one for one in game.counters.values() if not one.side]
    tabs += [_tab(game, ids, "Markers", others)] if others else []
    return PieceWindow(
        name="Counters",
        text="Counters",
        tooltip="All counters of the game",
        hotkey=keys.PALETTE,
        default_width=round(_COLUMNS * game.art.board.counter * _SCALE) + 24,
        children=(TabWidget(name="Counters", children=tuple(tabs)),),
    )


def _tab(game: Game, ids: Ids, title: str, counters: list[Counter]) -> Component:
    if len(counters) <= MANY:
        return _panel(game, ids, title, counters)
    groups: dict[str, list[Counter]] = {}
    for counter in counters:
        groups.setdefault(_army(game, counter), []).append(counter)
    panels = tuple(_panel(game, ids, name, found) for name, found in groups.items())
    return TabWidget(name=title, children=panels)


def _army(game: Game, counter: Counter) -> str:
    """The largest formation to which a counter belongs."""
    formation, seen = game.formations.get(counter.formation), set[str]()
    while formation and formation.part_of in game.formations and formation.id not in seen:
        seen.add(formation.id)
        formation = game.formations[formation.part_of]
    return formation.title if formation else "Others"


def _panel(game: Game, ids: Ids, title: str, counters: Iterable[Counter]) -> PanelWidget:
    size = game.art.board.counter
    slots = tuple(
        PieceSlot(
            name=counter.name,
            gpid=ids.gpid(counter.id),
            width=size,
            height=size,
            content=slot_text(counter_piece(game, counter, ids)),
        )
        for counter in counters
    )
    return PanelWidget(name=title, fixed=True, n_columns=_COLUMNS, scale=_SCALE, children=slots)
