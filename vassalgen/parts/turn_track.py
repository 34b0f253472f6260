"""The turn track: turns, and in each turn the phases with their sides, in order.

The phases are one list, so that phases of no side are where they belong. If scenarios begin with different
sides, the list contains both orders, and a set-up switches off the phases that it does not need.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from vassalgen.announcements import PhaseTurned
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario
from vassalgen.game.sequence import Stop
from vassalgen.game.track import first_sides, stop_name, track_of
from vassalgen.parts import keys
from vassalgen.parts.boxes import turns
from vassalgen.parts.names import FIRST_SIDE, OF, STOP, TURN
from vassalgen.parts.trait_shorthand import key
from vassalgen.templates import quoted
from vassalgen.vassal import sequences
from vassalgen.vassal.commands import SetTurn
from vassalgen.vassal.components import (
    Component,
    CounterTurnLevel,
    GlobalKeyCommand,
    GlobalProperty,
    ListTurnLevel,
    TurnGlobalHotkey,
    TurnTracker,
)

NEW_PHASE = "phase"
"""The key that counters receive when a phase begins."""
_PRESS = "turnPage"


def active_side(game: Game) -> str:
    """The expression for the side whose player turn it is, empty if it is no side's."""
    track = track_of(game)
    expression = '""'
    for side in reversed(list(game.sides.values())):
        names = dict.fromkeys(
            name for name, of in zip(track.names, track.sides, strict=True) if of == side.id
        )
        listed = "|" + "|".join(names) + "|"
        expression = f'({quoted(listed)}.contains("|"+{STOP}+"|")?{quoted(side.title)}:{expression})'
    return expression


def stop_properties(game: Game) -> tuple[GlobalProperty, ...]:
    """For each phase of the track, the property of the module that says whose it is, empty if it is no
    side's.
    """
    track = track_of(game)
    sides = dict(zip(reversed(track.names), reversed(track.sides), strict=True))
    return tuple(
        GlobalProperty(name=OF + name, initial_value=game.sides[of].title if of else "")
        for name, of in sides.items()
    )


def first_side(game: Game, scenario: Scenario | None = None) -> str:
    """The title of the side that begins, in a scenario or by default."""
    usual = game.sequence.order[0] if game.sequence.order else ""
    side = game.sides.get((scenario.first if scenario else "") or usual)
    return side.title if side else ""


def begins(game: Game) -> str:
    """The condition that a turn begins, in the order of the scenario being played."""
    return _at(game, {first: (game.sequence.stops(first)[0],) for first in first_sides(game)})


def over(game: Game, phase: str) -> str:
    """The condition that a phase with this id has just ended."""
    found = {}
    for first in first_sides(game):
        stops = game.sequence.stops(first)
        places = [place for place, stop in enumerate(stops) if stop.phase.id == phase]
        found[first] = tuple(stops[(place + 1) % len(stops)] for place in places)
    return _at(game, found)


def outside(game: Game, phases: Collection[str]) -> str:
    """The condition that the track shows none of the phases with these ids."""
    stops = (stop for first in first_sides(game) for stop in game.sequence.stops(first))
    within = {stop_name(game, stop): stop.phase for stop in stops}
    inside = [name for name, phase in within.items() if phase.id in phases]
    titles = tuple(dict.fromkeys(phase.title for phase in within.values() if phase.id in phases))
    if all(name in inside for name in within if name.endswith(titles)):
        return f"!({'||'.join(f'{STOP}.endsWith({quoted(title)})' for title in titles)})"
    return f'!{quoted("|" + "|".join(inside) + "|")}.contains("|"+{STOP}+"|")'


def _at(game: Game, stops: Mapping[str, tuple[Stop, ...]]) -> str:
    """The condition that the track shows one of the phases of the side that begins in this game."""
    alike = len({frozenset(stop_name(game, stop) for stop in found) for found in stops.values()}) == 1
    conditions = []
    for first, found in stops.items():
        shown = "||".join(f"{STOP}=={quoted(stop_name(game, stop))}" for stop in found)
        if alike:
            return f"({shown})"
        conditions.append(f"({FIRST_SIDE}=={quoted(game.sides[first].title)}&&({shown}))")
    return f"({'||'.join(conditions)})"


def turn_track(game: Game, affected: str) -> tuple[Component, ...]:
    """The track, and the command that informs counters for which ``affected`` is true of a new phase."""
    shown, report = PhaseTurned.track_formats()
    stops = ListTurnLevel(name="Phase", property=STOP, list=track_of(game).names)
    known = turns(game)
    counter = CounterTurnLevel(
        name="Turn",
        property=TURN,
        start=known[0].number if known else 1,
        children=(stops,),
    )
    tracker = TurnTracker(
        name="Turn",
        button_text="Turn",
        tooltip="Show or hide the turn track",
        next_hotkey=keys.NEXT_PHASE,
        turn_format=shown,
        report_format=report,
        length_style="Variable",
        fwd_only=True,
        children=(counter, TurnGlobalHotkey(name="Tell the counters", hotkey=key(_PRESS), match="")),
    )
    command = GlobalKeyCommand(
        name="New phase",
        button_text="",
        tooltip="",
        button_hotkey=key(_PRESS),
        hotkey=key(NEW_PHASE),
        filter=f"{{{affected}}}",
    )
    return tracker, command


def set_turn(game: Game, scenario: Scenario) -> SetTurn:
    """The track at the start of a scenario. [build.module.turn, formats of the states]"""
    track = track_of(game)
    first = scenario.first or (game.sequence.order[0] if game.sequence.order else "")
    active = [first in who for who in track.firsts]
    flags = ",".join("true" if on else "false" for on in active)
    stop = sequences.encode([str(active.index(True)), "0", str(active.index(True)), flags], ";")
    number = scenario.turns[0].number if scenario.turns else 1
    turn = sequences.encode([str(number), "0", "false", "-1", stop], ";")
    return SetTurn(tracker="TurnTracker0", state=sequences.encode(["0", turn], "|"))
