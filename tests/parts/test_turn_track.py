"""The turn track goes through the phases of the game, and knows whose they are."""

from __future__ import annotations

import attrs

from vassalgen.game.game import Game
from vassalgen.game.track import stop_name, track_of
from vassalgen.parts import turn_track
from vassalgen.vassal.components import CounterTurnLevel, ListTurnLevel, TurnTracker
from vassalgen.vassal.expressions import Properties, parse
from vassalgen.vassal.turns import Level, Tracker


def tracker(game: Game) -> Tracker:
    """The track as a reader of saves sees it."""
    found = turn_track.turn_track(game, "1==1")[0]
    assert isinstance(found, TurnTracker)
    (turn,) = found.children_of(CounterTurnLevel)
    (stops,) = turn.children_of(ListTurnLevel)
    inner = Level(stops.name, stops.property, stops.turn_format, words=stops.list)
    return Tracker(
        "TurnTracker0",
        found.name,
        found.turn_format,
        (Level(turn.name, turn.property, turn.turn_format, turn.start, children=(inner,)),),
    )


def test_each_scenario_starts_with_its_own_first_phase(game: Game) -> None:
    for scenario in game.scenarios.values():
        state = tracker(game).read(turn_track.set_turn(game, scenario).state)
        first = game.sequence.stops(scenario.first)[0]
        assert state.properties() == {
            "Turn": str(scenario.turns[0].number),
            "Stop": stop_name(game, first),
        }


def test_phases_that_a_scenario_does_not_need_are_switched_off(small: Game) -> None:
    track = track_of(small)
    for scenario in small.scenarios.values():
        wanted = [stop_name(small, stop) for stop in small.sequence.stops(scenario.first)]
        first = scenario.first or small.sequence.order[0]
        kept = [name for name, who in zip(track.names, track.firsts, strict=True) if first in who]
        assert kept == wanted


def test_the_active_side_is_the_one_whose_phase_it_is(game: Game) -> None:
    expression = parse("{" + turn_track.active_side(game) + "}")
    for scenario in game.scenarios.values():
        for stop in game.sequence.stops(scenario.first):
            name = stop_name(game, stop)
            side = game.sides[stop.side].title if stop.side else ""
            assert expression.evaluate(Properties({"Stop": name})) == side


def test_a_turn_begins_with_the_opening_or_with_the_side_that_is_first(small: Game) -> None:
    assert holds(turn_track.begins(small), Stop="Weather")
    without = attrs.evolve(small, sequence=attrs.evolve(small.sequence, opening=()))
    begins = turn_track.begins(without)
    assert holds(begins, Stop="Blue Movement", FirstSide="Blues")
    assert holds(begins, Stop="Reds Movement", FirstSide="Reds")
    assert not holds(begins, Stop="Reds Movement", FirstSide="Blues")


def test_a_phase_is_over_when_the_next_one_is_shown(small: Game) -> None:
    over = turn_track.over(small, "fight")
    assert holds(over, Stop="Reds Movement", FirstSide="Blues")
    assert holds(over, Stop="End", FirstSide="Blues")
    assert not holds(over, Stop="Blue Movement", FirstSide="Blues")
    assert holds(over, Stop="Blue Movement", FirstSide="Reds")
    assert holds(turn_track.over(small, "end"), Stop="Weather")


def holds(condition: str, **properties: str) -> bool:
    return parse("{" + condition + "}").evaluate(Properties(properties)) == "true"
