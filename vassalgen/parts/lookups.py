"""Expressions that look something up: whether a hex is one of many, the values of places and terrain there.

Everything to be looked up is in one text, so that no expression nests deeply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from vassalgen.announcements import CID, SCENARIO, state_property
from vassalgen.game.game import Game
from vassalgen.game.modifiers import conditions
from vassalgen.game.tables import ChartRow
from vassalgen.game.values import Value, Values
from vassalgen.parts.names import TURN
from vassalgen.templates import quoted

SCENARIO_TURN = f'{SCENARIO}+":"+{TURN}'
"""The expression for a turn of a scenario, as it is in lists."""
TARGET = "BTarget"
"""The property of the module with the hex attacked in the current battle."""
HERE = 'GetString("LocationName")'
"""The expression for a counter's hex, always as a text, even if it is a number."""


def holds(game: Game, kind: str, text: str) -> str:
    """The expression for whether a counter of a kind matches a condition of a modifier."""
    parts = [
        found if asked else f"!({found})"
        for name, asked in conditions(text)
        for found in (_is(game, kind, name),)
    ]
    return "||".join(parts)


def _is(game: Game, kind: str, name: str) -> str:
    """The expression for whether a counter has a flag, a state or a word, or is of a named kind."""
    if name in game.states:
        return f"{state_property(name)}>0" if kind in game.states[name].kinds else "1==0"
    if name in game.kinds:
        return "1==1" if name == kind else "1==0"
    if name in game.columns:
        return f'(""+{name})=="1"'
    return among(game.with_word(name), CID)


def among(names: Iterable[str], expression: str) -> str:
    """The expression for whether a text is one of several, none of which contains a bar."""
    return f'{quoted(listed(names))}.contains("|"+{expression}+"|")'


def of_others(game: Game, sides: Iterable[str]) -> str:
    """The expression for whether a counter belongs to none of the given sides."""
    return "&&".join(f"Side!={quoted(game.sides[side].title)}" for side in sides)


def listed(names: Iterable[str]) -> str:
    """Several names in one text, separated and enclosed by bars."""
    return f"|{'|'.join(names)}|"


def at_places(
    places: Mapping[str, int], game: Game, *, here: bool, kinds: tuple[str, ...] = (), default: int
) -> str:
    """The expression for the value of places in a counter's own hex, or in the attacked one."""
    worth: dict[str, int] = {}
    for place in game.map.places.values():
        if place.kind in places:
            worth[place.hex] = max(places[place.kind], worth.get(place.hex, places[place.kind]))
    found = str(default)
    for amount in sorted(set(worth.values())):
        hexes = [name for name, of in worth.items() if of == amount]
        found = f"({among(hexes, HERE if here else TARGET)}?{amount}:{found})"
    return f"({among(kinds, 'Kind')}?{found}:{default})" if kinds else found


def turns_of(game: Game) -> Iterator[tuple[str, Values]]:
    """All turns of all scenarios, as they are in lists, with the words of the turn track."""
    for scenario in game.scenarios.values():
        for turn in scenario.turns or game.turns:
            yield f"{scenario.id}:{turn.number}", turn.values


def _effects(row: ChartRow, effect: str, season: str, game: Game) -> dict[str, tuple[int, list[str]]]:
    """The value of a row by words of the turn track, with the turns that have the word."""
    found: dict[str, tuple[int, list[str]]] = {}
    for turn, values in turns_of(game) if season else ():
        word = values.get(season)
        group = row.effects.get(word) if isinstance(word, str) else None
        if isinstance(word, str) and isinstance(group, Mapping):
            found.setdefault(word, (_whole(group.get(effect)), []))[1].append(turn)
    return found


def matters(row: ChartRow, effect: str, season: str, game: Game) -> bool:
    """Whether a row of the terrain chart has any effect at any time."""
    seasonal = _effects(row, effect, season, game).values()
    return bool(_whole(row.effects.get(effect)) or any(value for value, _ in seasonal))


def value_of(row: ChartRow, effect: str, season: str, game: Game) -> str:
    """The expression for the value of a row of the terrain chart."""
    found = str(_whole(row.effects.get(effect)))
    for value, turns in _effects(row, effect, season, game).values():
        found = f"({among(turns, SCENARIO_TURN)}?{value}:{found})"
    return found


def _whole(value: Value | None) -> int:
    return value if isinstance(value, int) else 0
