"""Odds reported column by column, and what forbids an attack, as players ask for them at the table."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from referee.engine.position import Position
from referee.games.tunisia1943.verbs import IDIOM
from referee.moves_and_odds import list_choices, list_odds
from tests.games.tunisia1943.positions import the_world


def position(standing: Mapping[str, str], turn: int = 4, side: str = "axis") -> Position:
    """Return a position in a combat step, with counters on hexes."""
    world = the_world()
    empty = world.rulebook.empty(world)
    pieces = {
        name: evolve(piece, where=standing.get(name, piece.where)) for name, piece in empty.pieces.items()
    }
    return evolve(empty, pieces=pieces, clock=world.calendar.find(turn, "combat", side))


def test_odds_are_listed_part_by_part() -> None:
    standing = {"us-16": "1705", "us-18": "1705", "it-91": "1805", "garrison-tunis": "1805"}
    lines = list(list_odds(position(standing, side="allied"), IDIOM, "Tunis", ("us-16", "us-18")))
    assert lines == [
        "16th Infantry Regiment, 18th Infantry Regiment against 1805; as things stand, in turn 4, "
        "Allied combat",
        "attack 8",
        "  +4 16th Infantry Regiment [7.2b]",
        "  +4 18th Infantry Regiment [7.2b]",
        "defence 9",
        "  +3 91st Infantry Regiment [7.1g]",
        "  +3 Tunis, times 2 [7.2c]",
        "  +3 Garrison of Tunis [G.2]",
        "column 1/2",
        "final column 1/2",
    ]


def test_columns_above_the_table_and_terrain_go_to_the_die() -> None:
    standing = {"de-pz7": "1208", "de-pzg69": "1208", "us-rgr": "1109", "de-pz5": "1108"}
    lines = list(list_odds(position(standing), IDIOM, "1109", ("de-pz7", "de-pzg69", "de-pz5")))
    assert lines[-5:] == [
        "column 6/1",
        "final column 4/1",
        "die +1",
        "  -1 hills in 1109 [2.1a]",
        "  +2 6/1, 2 above 4/1 [7.3f]",
    ]


def test_what_forbids_the_die_is_reported_although_it_may_be_declared() -> None:
    standing = {"it-91": "1818", "us-16": "1819"}
    lines = list(list_odds(position(standing), IDIOM, "1819", ("it-91",)))
    assert "column 1/3" in lines
    says = "The odds of the attack on 1819 are 2 to 5, which is 1/3; an attack needs at least 1/2."
    assert lines[-1] == f"illegal 7.3g: {says}"


def test_moves_are_reported_with_their_price_and_what_stops_them() -> None:
    world = the_world()
    current = evolve(
        position({"de-pzg69": "1617", "us-16": "1818"}), clock=world.calendar.find(4, "movement", "axis")
    )
    lines = list(list_choices(current, "de-pzg69"))
    assert lines[0] == "Panzergrenadier Regiment 69 [de-pzg69] in 1617; turn 4, Axis movement"
    assert "  move de-pzg69 1617-1618: 1 of 8 MP" in lines
    unit = "Panzergrenadier Regiment 69"
    says = f"All paths of {unit} to 1818 lead through enemy ZOCs, in which it has to stop."
    assert f"  not 1818: {says} [3b]" in lines
