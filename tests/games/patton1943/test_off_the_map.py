"""Whatever is done with counters that are in boxes or nowhere, a ruling comes of it."""

from __future__ import annotations

import pytest

from referee.engine.actions import Action, Verb
from referee.engine.position import Position
from referee.games import find_rules
from vassalgen.game.finding import open_game

RULES = find_rules("patton1943")
COUNTERS = ("de-10pz", "de-88", "de-air1", "us-1-2s", "us-bg1", "us-patton")
WORDS = {"complete": "axis", "no air": "axis", "air winner": "axis", "claim": "axis"}
HEX = "8723"


def _actions(verb: Verb) -> list[Action]:
    slots = {part.text for part in verb.parts}
    words = (WORDS.get(verb.name, "hit" if "WORD" in slots else "1"),)
    common = {"target": HEX, "dice": (1,), "words": words, "path": ("8722", HEX)}
    if not slots & {"PIECES", "PIECE"}:
        return [Action(verb.name, **common)]  # type: ignore[arg-type]
    counters = open_game("patton1943").counters
    fit = [name for name in COUNTERS if not verb.kinds or counters[name].kind in verb.kinds]
    return [Action(verb.name, (name,), **common) for name in fit]  # type: ignore[arg-type]


def _position(where: str, phase: str, side: str) -> Position:
    position = RULES.empty(RULES.world(open_game("patton1943")))
    for name in COUNTERS:
        box = f"{position.pieces[name].side}-{where}" if where else ""
        position = position.with_piece(name, where=box)
    clock = position.world.calendar.find(5, phase, side)
    return Position(position.world, position.pieces, clock)


@pytest.mark.parametrize("where", ["", "dead"])
@pytest.mark.parametrize(("phase", "side"), [("battles", "axis"), ("end", "")])
def test_whatever_is_done_off_the_map_a_ruling_comes_of_it(where: str, phase: str, side: str) -> None:
    start = _position(where, phase, side)
    lead_up = (
        Action("attack", ("de-10pz",), target=HEX),
        Action("fly", ("de-air1",)),
        Action("roll attack", dice=(1,)),
        Action("attack result", words=("hit", "factor 7")),
        Action("roll defence", dice=(1,)),
    )
    position = start
    for action in lead_up:
        position = position.play(action).position
    for before in (start, position):
        for verb in RULES.own_verbs:
            for action in _actions(verb):
                before.play(action)
        before.play(Action("next"))
