"""An example of each statement of a record, made from the data of its game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, repeat

from referee.engine.actions import SLOTS, Verb
from referee.engine.clock import Clock
from referee.engine.position import World


def example(world: World, verb: Verb) -> str:
    """Return an example of a statement, or nothing if the game has no use for it."""
    form = re.sub(r"\s*\[[^\]]*\]", "", verb.form)
    words = chain(verb.words, repeat(next(iter(world.game.sides))))
    filled = [_filled(world, verb, token, words) if _is_slot(token) else token for token in form.split()]
    return " ".join(filled) if all(filled) else ""


OTHER_SLOTS = ("STATE", "TERRAIN", "QUESTION", "INTERPRETATION", "BRIDGE")
"""The values for statements that set up a case, besides the slots of actions."""


def _is_slot(token: str) -> bool:
    return token in SLOTS or token in OTHER_SLOTS


def _filled(world: World, verb: Verb, slot: str, words: Iterator[str]) -> str:
    """A value for a slot, empty if the game has none."""
    match slot:
        case "PIECE" | "PIECES":
            return _counter(world, verb)
        case "HEX":
            return _path(world)[-1]
        case "PATH":
            return "-".join(_path(world))
        case "DIE":
            return "4"
        case "DICE":
            return "4 2"
        case "NUMBER":
            return "2"
        case "PHASE":
            return world.calendar.say(Clock(2, 1))
        case "WORD":
            return next(words)
        case "BOX" if verb.words:
            return verb.words[0]
    return _set_up(world, slot)


def _set_up(world: World, slot: str) -> str:
    """A value for a slot of a statement that sets up a case."""
    game = world.game
    match slot:
        case "BOX":
            own = ("", next((one.side for one in game.counters.values() if one.side), ""))
            return next((box.id for box in game.map.boxes.values() if box.side in own), "")
        case "STATE":
            return next((name for name, state in game.states.items() if not state.levels), "")
        case "TERRAIN":
            return next((name for name, terrain in game.terrain.items() if not terrain.closed), "")
        case "BRIDGE":
            bridges = world.rulebook.bridges
            sides = game.map.hexsides.values() if bridges else ()
            return next(
                (" ".join(one.hexes) for one in sides if bridges and bridges.feature in one.features), ""
            )
    ruling = next((one for one in game.rulings.values() if len(one.readings) > 1), None)
    if ruling is None:
        return ""
    return ruling.id if slot == "QUESTION" else ruling.adopted


def _counter(world: World, verb: Verb) -> str:
    """The first counter on the map that can act, or else the first of all."""
    game = world.game
    able = [
        name
        for name, counter in game.counters.items()
        if not game.kinds[counter.kind].marker and (not verb.kinds or counter.kind in verb.kinds)
    ]
    return next(iter(able), "")


def _path(world: World) -> tuple[str, ...]:
    """Two adjacent land hexes, the second with a place in it if there is one."""
    game = world.game
    land = [name for name in game.map.grid.names if not game.terrain[game.map.hexes[name].terrain].closed]
    towns = [place.hex for place in game.map.places.values() if place.hex in land]
    for name in (*towns, *land):
        for near in game.map.grid.neighbours(name):
            if near in land:
                return near, name
    return ("", "")
