"""Where pieces and stacks come to lie when they are moved."""

from __future__ import annotations

import attrs
import pytest

from referee.table.things import Deck
from tests.table.games import (
    ALICE,
    BOB,
    BOX,
    FIELD,
    A,
    B,
    C,
    Played,
    battlefield,
    counter,
    deck,
    drag,
    stack,
    turned,
)
from vassalgen.vassal.commands import Command, RemovePiece
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.hideable import Hideable, HideableState
from vassalgen.vassal.traits.immobilized import Immobilized
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.mat import Mat

ALONE = Immobilized(stacks=False)
PAIR = [counter("1", A), counter("2", A), stack("s", A, "1", "2")]
PLAIN = [counter("3", A), counter("4", A)]
OTHER = [counter("3", B), stack("t", B, "3")]


def marked(name: str, value: str) -> tuple[Marker, MarkerState]:
    return Marker(names=(name,)), MarkerState(items=(value,))


def hidden_by(password: str | None) -> tuple[Hideable, HideableState]:
    return Hideable(), HideableState(owner=password)


def test_a_piece_dragged_to_an_empty_hex_lies_alone_in_a_stack_of_its_own() -> None:
    game = Played(PAIR, [drag("2", A, B), stack("new", B, "2")])
    assert game.stack_of("2") == f"{FIELD};200;100;2;@@-1"
    assert game.piece("2").parent is game.table.things["new"]
    assert game.lying(A) == [["1"]]
    assert game.events() == [f"Unit 2 moved from 100,100 to 200,100 ({FIELD})"]


def test_a_piece_lies_in_a_stack_even_before_the_log_names_it() -> None:
    game = Played(PAIR, [drag("2", A, B)])
    assert game.lying(B) == [["2"]]
    assert game.piece("2").parent is None, "it left a stack, so it gets none: as in VASSAL"
    game = Played([counter("1", A)], [drag("1", A, B)])
    assert game.piece("1").parent is not None


def test_a_piece_dragged_onto_a_stack_lies_above_the_piece_the_move_names() -> None:
    three = [*PAIR, counter("3", B), counter("4", B), stack("t", B, "3", "4")]
    assert Played(three, [drag("1", A, B, under="4")]).lying(B) == [["3", "4", "1"]]
    assert Played(three, [drag("1", A, B, under="3")]).lying(B) == [["3", "1", "4"]]


def test_a_move_that_names_no_piece_underneath_goes_to_the_bottom() -> None:
    game = Played([*PAIR, *OTHER], [drag("1", A, B)])
    assert game.lying(B) == [["1", "3"]]


@pytest.mark.parametrize("under", ["unknown", "2"])
def test_a_move_whose_piece_underneath_is_not_there_merges_with_what_is(under: str) -> None:
    game = Played([*PAIR, *OTHER], [drag("1", A, B, under=under)])
    assert game.lying(B) == [["3", "1"]], "on top, as it does name one"


def test_a_whole_stack_dragged_to_an_empty_hex_stays_together() -> None:
    game = Played(PAIR, [drag("s", A, B)])
    assert game.lying(B) == [["1", "2"]]
    assert game.lying(A) == []
    assert game.events() == [
        f"Unit 1 moved from 100,100 to 200,100 ({FIELD})",
        f"Unit 2 moved from 100,100 to 200,100 ({FIELD})",
    ]


def test_a_whole_stack_dragged_onto_another_lies_on_top_in_its_order() -> None:
    game = Played([*PAIR, *OTHER], [drag("s", A, B, under="3")])
    assert game.lying(B) == [["3", "1", "2"]]


def test_a_piece_dragged_to_its_own_stack_changes_its_place_there() -> None:
    three = [counter(one, A) for one in "123"]
    game = Played([*three, stack("s", A, "1", "2", "3")], [drag("1", A, A, under="3")])
    assert game.lying(A) == [["2", "3", "1"]]
    assert game.events() == [f"stack at 100,100 ({FIELD}) is now, from the bottom: Unit 2, Unit 3, Unit 1"]


def test_a_piece_goes_to_another_map() -> None:
    game = Played(PAIR, [drag("2", A, B, to=BOX)], module=battlefield())
    assert game.where("2") == (BOX, *B)
    assert game.lying(A) == [["1"]]
    assert game.events() == ["Unit 2 moved from 0201 (Battlefield) to 200,100 (Box)"]


def test_a_piece_goes_off_all_maps() -> None:
    game = Played([counter("1", A)], [drag("1", A, B, to=None)])
    assert game.lying(A) == []


def test_a_card_is_drawn_from_a_deck() -> None:
    cards = [counter("1", A), counter("2", A), deck("d", A, "1", "2")]
    game = Played(cards, [drag("2", A, B), stack("hand", B, "2")])
    drawn_from = game.table.things["d"]
    assert isinstance(drawn_from, Deck)
    assert [card.id for card in drawn_from.members] == ["1"]
    assert game.lying(B) == [["2"]]


def test_a_piece_dragged_to_a_deck_goes_into_it_even_if_it_does_not_stack() -> None:
    cards = [counter("1", A), deck("d", A, "1")]
    game = Played([*cards, counter("2", B, ALONE)], [drag("2", B, A, under="1")])
    assert game.lying(A) == [["1", "2"]]
    game = Played([*cards, counter("2", B, ALONE)], [drag("2", B, A)])
    assert game.lying(A) == [["2", "1"]], "to the bottom, as the move names no card"


def test_an_empty_deck_takes_cards() -> None:
    game = Played([deck("d", A), counter("1", B)], [drag("1", B, A)])
    assert game.piece("1").parent is game.table.things["d"]


def test_a_piece_that_does_not_stack_lies_alone_beside_others() -> None:
    game = Played([*OTHER, counter("1", A, ALONE)], [drag("1", A, B)])
    assert game.stack_of("1") is None
    assert game.lying(B) == [["1"], ["3"]]


def test_nothing_stacks_on_a_piece_that_does_not() -> None:
    game = Played([counter("1", B, ALONE), *PAIR], [drag("2", A, B)])
    assert game.lying(B) == [["1"], ["2"]]


def test_a_piece_dragged_onto_a_loose_one_makes_a_stack_of_both() -> None:
    game = Played([counter("1", A), counter("2", B)], [drag("1", A, B, under="2")])
    assert game.lying(B) == [["2", "1"]]


def test_where_stacking_is_disabled_pieces_lie_loose() -> None:
    game = Played([counter("1", A), counter("2", B)], [drag("1", A, B)], module=battlefield(stacking=False))
    assert game.lying(B) == [["1"], ["2"]]
    assert game.stack_of("1") is None


def test_pieces_of_different_layers_of_a_map_do_not_stack() -> None:
    module = battlefield(layers=("Kind", ("Unit", "Marker")))
    unit, second = counter("1", A, marked("Kind", "Unit")), counter("2", B, marked("Kind", "Unit"))
    marker = counter("3", B, marked("Kind", "Marker"))
    setup = [unit, stack("s", A, "1"), second, stack("t", B, "2"), marker, stack("u", B, "3")]
    assert Played(setup, [drag("1", A, B)], module=module).lying(B) == [["1", "2"], ["3"]]
    odd = counter("4", C, marked("Kind", "Other"))
    game = Played([*setup, odd], [drag("4", C, B)], module=module)
    assert game.lying(B) == [["2"], ["3"], ["4"]]


def test_nobody_merges_with_a_stack_of_pieces_hidden_from_him() -> None:
    ambush = [counter("1", B, hidden_by(BOB)), stack("s", B, "1"), counter("2", A)]
    assert Played(ambush, [drag("2", A, B, by=ALICE)]).lying(B) == [["1"], ["2"]]


def test_hidden_pieces_of_one_owner_merge_and_others_do_not() -> None:
    mine = [counter("1", B, hidden_by(BOB)), stack("s", B, "1"), counter("2", A, hidden_by(BOB))]
    assert Played(mine, [drag("2", A, B, by=BOB)], viewer="Bob").lying(B) == [["2", "1"]]
    mixed = [counter("1", B, hidden_by(BOB)), stack("s", B, "1"), counter("2", A)]
    assert Played(mixed, [drag("2", A, B, by=BOB)]).lying(B) == [["1"], ["2"]]


def test_a_stack_the_log_names_takes_its_pieces_from_others() -> None:
    game = Played([*PAIR, *OTHER], [stack("new", C, "1", "3")])
    assert game.lying(C) == [["1", "3"]]
    assert game.lying(A) == [["2"]]
    assert game.lying(B) == []
    assert len(game.events()) == 2


def test_a_stack_whose_order_changes_is_listed_from_the_bottom() -> None:
    before = stack("s", A, "1", "2")
    game = Played(PAIR, [turned(before, stack("s", A, "2", "1"))])
    assert game.lying(A) == [["2", "1"]]
    assert game.events() == [f"stack at 100,100 ({FIELD}) is now, from the bottom: Unit 2, Unit 1"]


def test_a_stack_keeps_what_joined_it_since_the_change_was_made() -> None:
    before = stack("s", A, "1", "2")
    game = Played([*PAIR, *OTHER], [drag("3", B, A, under="1")], [turned(before, stack("s", A, "2", "1"))])
    assert game.lying(A) == [["2", "1", "3"]]


def test_a_stack_that_is_removed_leaves_its_pieces_on_no_map() -> None:
    game = Played(PAIR, [RemovePiece(id="s")])
    assert game.where("1") == (None, *A)
    assert game.lying(A) == []
    assert game.events()[0] == f"Unit 1 moved from 100,100 ({FIELD}) to off the maps"


def test_a_piece_that_is_removed_is_reported_with_its_place() -> None:
    game = Played(PAIR, [RemovePiece(id="2")])
    assert game.events() == [f"Unit 2 was removed from 100,100 ({FIELD})"]
    assert game.lying(A) == [["1"]]
    assert "2" not in game.table.things


def test_a_stack_the_log_never_made_is_the_one_that_lies_there() -> None:
    undone = [drag("1", A, B), drag("1", B, C), drag("9", C, A)]
    game = Played([counter("1", A)], *([step] for step in undone))
    assert game.lying(A) == [["1"]]
    assert game.steps[-1].events != ()
    assert game.piece("1").parent is game.table.things["9"]


def test_a_loose_piece_is_the_stack_the_log_never_made() -> None:
    game = Played(PAIR, [drag("2", A, B)], [drag("9", B, C)])
    assert game.lying(C) == [["2"]]


@pytest.mark.parametrize(
    "setup",
    [
        pytest.param([*OTHER], id="a stack the log has a name for"),
        pytest.param([counter("1", B), counter("2", B)], id="two things"),
        pytest.param([counter("1", B, ALONE)], id="a piece that does not stack"),
        pytest.param([deck("d", B)], id="a deck"),
        pytest.param([], id="nothing"),
    ],
)
def test_a_stack_nobody_knows_is_taken_for_nothing_else(setup: list[Command]) -> None:
    game = Played(setup, [drag("9", B, C)])
    assert game.events() == ["odd: a move names piece 9, which is not on the table"]
    assert game.lying(C) == []


def test_a_piece_that_was_removed_is_no_stack() -> None:
    game = Played(
        [counter("1", A), counter("2", B)], [RemovePiece(id="2")], [drag("1", A, B)], [drag("2", B, C)]
    )
    assert game.lying(C) == []
    assert game.lying(B) == [["1"]]


def test_what_moved_last_is_found_last() -> None:
    """Of things in one place VASSAL finds the lowest first; most maps lift what moves above all else."""
    setup = [counter("1", B), stack("s", B, "1"), counter("2", B), stack("t", B, "2"), *PLAIN]
    joined = drag("4", A, B, under="1")
    assert Played(setup, [drag("3", A, B)]).lying(B) == [["2"], ["3", "1"]]
    assert Played(setup, [joined], [drag("3", A, B)]).lying(B) == [["1", "4"], ["3", "2"]]
    plan = battlefield()
    still = attrs.evolve(plan, maps=tuple(attrs.evolve(one, raises_last_moved=False) for one in plan.maps))
    assert Played(setup, [joined], [drag("3", A, B)], module=still).lying(B) == [["2"], ["3", "1", "4"]]


def test_decks_are_found_before_what_lies_on_them() -> None:
    game = Played([counter("1", B), counter("2", B), deck("d", B, "2"), *PLAIN], [drag("3", A, B)])
    assert game.piece("3").parent is game.table.things["d"]


def test_a_mat_does_not_stack() -> None:
    assert Played([*OTHER, counter("1", A, Mat(name="Army"))], [drag("1", A, B)]).lying(B) == [["1"], ["3"]]


def test_a_piece_whose_property_is_set_is_put_down_anew() -> None:
    """VASSAL does so in case the property determines the layer: a single piece is put into a stack by it."""
    before, after = (
        counter("1", A, (DynamicProperty(name="Steps"), DynamicPropertyState(value=value))) for value in "21"
    )
    assert Played([before, counter("2", A)], [turned(before, after)]).lying(A) == [["2", "1"]]
    assert Played([before], [turned(before, after)]).stack_of("1") == f"{FIELD};100;100;1;@@-1"
