"""Effects in the terrain chart that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from vassalgen.game.game import Game, unknown
from vassalgen.game.tables import ChartRow
from vassalgen.problems import Problem

_ALIKE = 0.85


def effect_problems(game: Game, *, program: bool) -> Iterator[Problem]:
    """Find effects in the terrain chart that no family and no modifier reads.

    With ``program`` the game has rules in Python, which may read any effect: then only names that look
    misspelt are reported.
    """
    read = {
        effect
        for one in game.modifiers.values()
        for effect in (one.terrain, one.hexside, one.halved, one.halved_into, one.halved_across)
    }
    if game.families:
        for movement in game.families.movement.values():
            read |= {movement.cost, *movement.cost_of.values()}
        if supply := game.families.supply:
            read |= {supply.cost, *(line.cost for line in supply.lines.values())}
    read = {*filter(None, read), "uphill"}
    seasons = _seasons(game)
    charts = (
        ("terrain", game.terrain),
        ("feature", game.features),
        ("road-kind", game.road_kinds),
    )
    for chart, rows in charts:
        for row in rows.values():
            for name in _effect_names(row, seasons):
                meant = [one for one in sorted(read) if name not in read and _misspelt(name, one)]
                if name not in read and (meant or not program):
                    right = unknown(name, tuple(meant or sorted(read)))
                    yield game.problem(f"{chart}/{row.id}/{name}", f"nothing reads {name!r}", right)


def _misspelt(name: str, right: str) -> bool:
    """Return whether two names differ only by swapped letters, or by one or two letters."""
    return sorted(name) == sorted(right) or SequenceMatcher(None, name, right).ratio() > _ALIKE


def _effect_names(row: ChartRow, seasons: set[str]) -> Iterator[str]:
    for name, value in row.effects.entries.items():
        if isinstance(value, Mapping) and name in seasons:
            yield from value
        else:
            yield name


def _seasons(game: Game) -> set[str]:
    """The words of the turn track that name groups of effects."""
    turns = [*game.turns, *(turn for one in game.scenarios.values() for turn in one.turns)]
    words = {value for turn in turns for value in turn.values.entries.values() if isinstance(value, str)}
    rolls = game.families.rolls.values() if game.families else ()
    rolled = (values for one in rolls for values in (one.values, *one.values_of.values()))
    return words | {str(value) for values in rolled for value in values.values()}
