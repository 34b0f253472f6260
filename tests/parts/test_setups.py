"""Set-ups place every counter where its scenario says."""

from __future__ import annotations

import pytest

from vassalgen.announcements import waiting
from vassalgen.compile import Compiled
from vassalgen.game.game import Game
from vassalgen.parts import setups
from vassalgen.parts.boxes import place_of
from vassalgen.parts.ids import CLERK, LINE, PLATE, TURN_MARKER
from vassalgen.parts.names import BOXES, MAIN, TRACK
from vassalgen.parts.pictures import Pictures
from vassalgen.vassal import buildfile, commands, streams
from vassalgen.vassal.archives import BUILD_FILE
from vassalgen.vassal.grids import plans_of
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.savedgame import read_saved_game
from vassalgen.vassal.traits.stack import Stack, StackState


def commands_of(compiled: Compiled, scenario: str) -> list[commands.Command]:
    data = dict(compiled.entries)[setups.file_of(compiled.game.scenarios[scenario])]
    root = streams.decode(read_saved_game(data).text).root
    return [commands.decode(node.text) for node in (root, *root.children)]


def lying(compiled: Compiled, scenario: str) -> dict[str, tuple[str, str]]:
    """The map and the name of the place of each counter, by its id."""
    module = buildfile.read(dict(compiled.entries)[BUILD_FILE])
    sizes = {one.name: one.size for one in Pictures(compiled.game).boards()}
    plans = plans_of(module, image_size=sizes.get)
    found = {}
    for command in commands_of(compiled, scenario):
        if isinstance(command, commands.AddPiece):
            piece = Piece.decode(command.type, command.state)
            counter, where = piece.marker("CID"), piece.basic_state
            if counter and where.map:
                found[counter] = where.map, plans[where.map].location_name(where.x, where.y)
                if counter not in (CLERK, LINE, TURN_MARKER):
                    assert plans[where.map].snap(where.x, where.y) == (where.x, where.y)
    return found


@pytest.fixture(scope="session")
def places(compiled: Compiled) -> dict[str, dict[str, tuple[str, str]]]:
    return {scenario: lying(compiled, scenario) for scenario in compiled.game.scenarios}


def test_counters_lie_where_the_scenario_puts_them(
    game: Game, places: dict[str, dict[str, tuple[str, str]]]
) -> None:
    for scenario in game.scenarios.values():
        for placement in scenario.setup:
            for counter in placement.counters:
                map_name, place = places[scenario.id][counter]
                if placement.at in game.map.grid:
                    assert (map_name, place) == (MAIN, placement.at)
                elif placement.at:
                    assert (map_name, place) == (BOXES, place_of(game, placement.at))
                else:
                    assert place in game.map.zones[placement.zone].hexes


def test_counters_that_come_later_wait_for_their_turn(
    game: Game, places: dict[str, dict[str, tuple[str, str]]]
) -> None:
    for scenario in game.scenarios.values():
        for arrival in scenario.arrivals:
            box = place_of(game, arrival.waiting) if arrival.waiting else TRACK
            for counter in arrival.counters:
                assert places[scenario.id][counter] == (BOXES, waiting(box, arrival.turn))


def test_nothing_else_is_there_but_clerk_status_and_turn_marker(
    game: Game, places: dict[str, dict[str, tuple[str, str]]]
) -> None:
    for scenario in game.scenarios.values():
        assert set(places[scenario.id]) == {*scenario.counters, CLERK, LINE, PLATE, TURN_MARKER}


def test_ids_are_those_of_the_list_and_stacks_hold_what_lies_there(compiled: Compiled) -> None:
    for scenario in compiled.game.scenarios:
        pieces: dict[str | None, Piece] = {}
        for command in commands_of(compiled, scenario):
            if not isinstance(command, commands.AddPiece):
                continue
            piece = Piece.decode(command.type, command.state)
            counter = piece.marker("CID")
            if counter is not None:
                assert command.id == compiled.ids.piece(counter)
            elif piece.find(Stack):
                state = piece.states[0]
                assert isinstance(state, StackState)
                for id_ in state.ids:
                    inside = pieces[id_].basic_state
                    assert (inside.map, inside.x, inside.y) == (state.map, state.x, state.y)
            assert command.id not in pieces
            pieces[command.id] = piece


def test_no_player_is_seated_and_no_at_start_stack_is_laid_out_again(compiled: Compiled) -> None:
    for scenario in compiled.game.scenarios:
        kinds = [type(command) for command in commands_of(compiled, scenario)]
        assert commands.AddPlayer not in kinds
        assert kinds.count(commands.AtStartDone) == 1
        assert kinds[0] is commands.BeginSave
        assert kinds[-1] is commands.EndSave
