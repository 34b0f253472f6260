"""Whether everything in a game can be announced by the module and read back.

Names with the characters that separate the parts of announcements, and two places with the same name, would
be misread.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator

from vassalgen.game.game import Game
from vassalgen.parts.boxes import STATUS, all_boxes
from vassalgen.parts.names import SOLITAIRE, TRACK
from vassalgen.problems import Problem

_BRACKETS = "[]"
_ALL = "()[]"
_IN_RESULTS = "()[],"


def problems(game: Game) -> tuple[Problem, ...]:
    """Return everything that could not be read back."""
    return (*_not_announceable(game), *_ambiguous(game))


def _not_announceable(game: Game) -> Iterator[Problem]:
    for thing, text, signs in _texts(game):
        found = [sign for sign in signs if sign in text]
        if found:
            yield game.problem(thing, f"{text!r} cannot be announced", f"a text without {' '.join(found)}")


def _texts(game: Game) -> Iterator[tuple[str, str, str]]:
    """All announced texts: where they are defined, the text, and the characters that it must not contain."""
    for counter in game.counters.values():
        yield f"counter/{counter.id}", counter.name, _BRACKETS
    for state in game.states.values():
        yield f"state/{state.id}", state.title, _BRACKETS
    for dice in game.dice.values():
        yield f"dice/{dice.id}", dice.title, _BRACKETS
    for declaration in game.declarations.values():
        yield f"declaration/{declaration.id}", declaration.title, _BRACKETS
    for box in game.map.boxes.values():
        yield f"box/{box.id}", box.title, _ALL
    for side in game.sides.values():
        yield f"side/{side.id}", side.title, _ALL
        yield f"side/{side.id}", side.adjective, _ALL
    for phase in game.sequence.phases:
        yield f"phase/{phase.id}", phase.title, _ALL
    yield "grid", game.map.grid.numbering.pattern, _ALL
    for table in game.tables.values():
        for text in (*table.columns, *(cell for row in table.cells for cell in row)):
            yield f"table/{table.id}", text, _IN_RESULTS if table.ratios else ""


def _ambiguous(game: Game) -> Iterator[Problem]:
    taken = Tally([TRACK, STATUS, *(box.title for box in all_boxes(game))])
    for box in game.map.boxes.values():
        if taken[box.title] > 1:
            yield game.problem(
                f"box/{box.id}", f"another place is called {box.title!r}", "a title of its own"
            )
    sides = Tally([SOLITAIRE, *(side.title for side in game.sides.values())])
    for side in game.sides.values():
        if sides[side.title] > 1:
            yield game.problem(
                f"side/{side.id}", f"another side is called {side.title!r}", "a title of its own"
            )
