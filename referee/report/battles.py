"""The battles of a game: attackers and defenders, the odds as announced and as calculated, dice
and results.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from referee.audit import Report
from referee.engine.actions import Action
from referee.engine.combat import Calculation
from referee.engine.idiom import Idiom
from referee.engine.position import Position
from referee.games import find_idiom
from referee.report.withheld import Withheld
from referee.scribe.reading import Reading


def battles(report: Report, withheld: Withheld) -> list[dict[str, Any]]:
    """Return the battles in the order in which they were declared, without those that are withheld."""
    idiom = find_idiom(report.world.game)
    hidden: list[dict[str, Any]] = []
    found: list[dict[str, Any]] = []
    for reading in report.readings:
        action = reading.statement.content
        if not isinstance(action, Action) or reading.ruling is None:
            continue
        at = withheld.timeline.at(reading.log, reading.steps[-1])
        if action.verb == idiom.attack and action.verb:
            found.append(_declared(reading, action, at))
        elif (battle := _of(found, action.battle)) is not None:
            _goes_on(battle, reading, action, idiom, at)
            if action.verb == idiom.roll:
                battle["computed"] = withheld.odds(reading, partial(computed, battle=battle))
        else:
            continue
        if withheld.hides(reading):
            hidden.append(_of(found, action.battle) or found[-1])
    return [one for one in found if not any(one is other for other in hidden)]


def _of(found: Iterable[dict[str, Any]], number: int) -> dict[str, Any] | None:
    """The latest declared battle with a number; None without a number."""
    return next((one for one in reversed(list(found)) if number and one["number"] == number), None)


def _declared(reading: Reading, action: Action, at: int) -> dict[str, Any]:
    position = reading.before
    own = position.pieces[action.pieces[0]].side if action.pieces else reading.side
    return {
        "number": action.battle,
        "at": at,
        "moment": position.world.calendar.say(position.clock),
        "turn": position.turn,
        "side": own,
        "player": reading.player,
        "target": action.target,
        "attackers": list(action.pieces),
        "defenders": [piece.id for piece in position.at(action.target) if piece.side not in ("", own)],
        "stated": None,
        "computed": None,
        "dice": [],
        "result": "",
    }


def _goes_on(battle: dict[str, Any], reading: Reading, action: Action, idiom: Idiom, at: int) -> None:
    match action.verb:
        case idiom.odds if idiom.odds:
            battle["stated"] = _stated(action)
        case idiom.roll if idiom.roll:
            battle["at"] = at
            battle["dice"] = list(action.dice)
            battle["player"] = reading.player or battle["player"]
        case idiom.result if idiom.result:
            battle["result"] = " ".join(action.words)
        case idiom.call_off if idiom.call_off:
            battle["result"] = "called off"


def _stated(action: Action) -> dict[str, str]:
    said = dict(word.split(" ", 1) for word in action.words[1:] if " " in word)
    return {"column": action.words[0] if action.words else "", **said}


def computed(position: Position, battle: dict[str, Any]) -> dict[str, Any] | None:
    """Return the odds according to the rules before the roll, None if there are none."""
    rulebook = position.world.rulebook
    odds: Calculation | None = None
    if rulebook.recount is not None:
        odds = rulebook.recount(position, battle["number"])
    elif rulebook.odds is not None and battle["attackers"]:
        odds = rulebook.odds(position, battle["target"], tuple(battle["attackers"]))
    return None if odds is None else {"column": odds.label, "lines": list(odds.lines())}
