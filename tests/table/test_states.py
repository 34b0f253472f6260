"""What changes of state make of pieces, stacks and decks."""

from __future__ import annotations

import pytest

from referee.table.events import Contradicted, Odd
from referee.table.things import Deck
from tests.table.games import FIELD, A, B, C, Played, battlefield, counter, deck, drag, log_of, stack, turned
from vassalgen.vassal.commands import AddPiece, ChangePiece, Command, RemovePiece, Unknown
from vassalgen.vassal.traits.base import State, Trait
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.embellishment import Embellishment, EmbellishmentState
from vassalgen.vassal.traits.footprint import Footprint, FootprintState
from vassalgen.vassal.traits.free_rotator import FreeRotator
from vassalgen.vassal.traits.labeler import Labeler, LabelerState
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.movement_markable import MovementMarkable, MovementMarkableState

Pair = tuple[Trait, State]


def steps(value: str) -> Pair:
    return DynamicProperty(name="Steps"), DynamicPropertyState(value=value)


def moved(mark: bool) -> Pair:
    return MovementMarkable(), MovementMarkableState(moved=mark)


def flip(value: int) -> Pair:
    names = ("", "+ (reduced)")
    return (
        Embellishment(images=("front.png", "back.png"), level_names=names, name="Flip"),
        EmbellishmentState(value=value),
    )


def label(text: str) -> Pair:
    return Labeler(), LabelerState(label=text)


FULL = counter("1", A, moved(False), flip(1), steps("2"), name="Inf")
HURT = counter("1", A, moved(True), flip(2), steps("1"), name="Inf")


def test_a_change_takes_over_the_parts_that_differ_and_says_what_they_were() -> None:
    game = Played([FULL], [turned(FULL, HURT)])
    assert game.events() == [
        "Inf (reduced) was marked moved",
        "Inf (reduced): layer Flip is now level 2 (reduced)",
        "Inf (reduced): Steps changed from '2' to '1'",
    ]
    assert game.name("1") == "Inf (reduced)"


def test_parts_that_a_change_does_not_change_stay_as_they_have_become() -> None:
    marked = counter("1", A, moved(True), flip(1), steps("2"), name="Inf")
    flipped = counter("1", A, moved(False), flip(2), steps("2"), name="Inf")
    game = Played([FULL], [turned(FULL, marked)], [turned(FULL, flipped)])
    assert game.table.sight.moved(game.piece("1")) is True
    assert game.table.sight.layers(game.piece("1"))[0].level == 2


def test_a_change_that_contradicts_the_table_is_carried_out_and_said() -> None:
    game = Played([FULL], [turned(HURT, counter("1", A, moved(True), flip(2), steps("0"), name="Inf"))])
    assert [event.part for event in game.events_of(Contradicted) if isinstance(event, Contradicted)] == [
        "emb2",
        "PROP",
    ]
    assert game.table.sight.dynamic(game.piece("1")) == {"Steps": "0"}
    assert game.table.sight.moved(game.piece("1")) is False


def test_what_was_said_to_contradict_the_table_is_not_said_again() -> None:
    wrong = counter("1", A, moved(False), flip(2), steps("2"), name="Inf")
    marked = counter("1", A, moved(True), flip(2), steps("2"), name="Inf")
    game = Played([FULL], [turned(wrong, marked)], [turned(marked, wrong)])
    assert len(game.events_of(Contradicted)) == 1


def test_levels_that_follow_a_property_and_trails_contradict_nothing() -> None:
    def tank(level: int, trail: str, strength: str) -> AddPiece:
        follows = Embellishment(
            name="Strength", images=("a", "b"), follow_expression=True, expression="Steps"
        )
        layer = (follows, EmbellishmentState.from_text(str(level)))
        return counter(
            "1", A, layer, (Footprint(), FootprintState.decode(trail)), steps(strength), name="Tank"
        )

    said = tank(2, f"true;{FIELD};1;100,100;true", "2")
    game = Played(
        [tank(1, "true;;0;true", "2")], [turned(said, tank(2, f"true;{FIELD};1;100,100;true", "1"))]
    )
    assert game.events() == ["Tank: Steps changed from '2' to '1'"]


def test_a_change_without_the_old_state_sets_all() -> None:
    here = counter("1", A, moved(False), flip(1), name="Inf")
    there = counter("1", B, moved(True), flip(2), name="Inf")
    game = Played([here], [ChangePiece(id="1", new_state=there.state)])
    assert game.where("1") == (FIELD, *B)
    assert game.table.sight.moved(game.piece("1")) is True
    assert game.events_of(Contradicted) == []


def test_setting_a_dynamic_property_puts_a_loose_piece_into_a_stack() -> None:
    hurt = counter("1", A, moved(False), flip(1), steps("1"), name="Inf")
    game = Played([FULL], [turned(FULL, hurt)])
    parent = game.piece("1").parent
    assert parent is not None
    assert [member.id for member in parent.members] == ["1"]
    assert game.where("1") == (FIELD, *A)


def test_a_change_of_place_moves_a_piece() -> None:
    game = Played([FULL], [turned(FULL, counter("1", B, moved(False), flip(1), steps("2"), name="Inf"))])
    assert game.events() == [f"Inf moved from 100,100 to 200,100 ({FIELD})"]
    assert game.lying(B) == [["1"]]


def test_a_layer_that_goes_out_of_sight_is_off() -> None:
    game = Played([FULL], [turned(FULL, counter("1", A, moved(False), flip(-1), steps("2"), name="Inf"))])
    assert game.events() == ["Inf: layer Flip is now off"]


def test_a_label_and_a_facing_are_reported() -> None:
    rotator = FreeRotator(facings=6, name="Facing")
    before, after = counter("1", A, label(""), rotator), counter("1", A, label("dug in"), rotator)
    game = Played([before], [turned(before, after)])
    assert game.events() == ["Unit 1 (dug in): label changed from '' to 'dug in'"]
    turning = ChangePiece(id="1", new_state=after.state.replace("\t0", "\t2"), old_state=after.state)
    game = Played([after], [turning])
    assert game.events() == ["Unit 1 (dug in) was rotated from 0 to 2"]


def test_a_trait_nobody_knows_changes_all_the_same() -> None:
    before = AddPiece(id="1", type="odd;x\tpiece;;;;Inf", state=f"on\t{FIELD};100;100;;0")
    after = AddPiece(id="1", type="", state=f"off\t{FIELD};100;100;;0")
    game = Played([before], [turned(before, after)])
    assert game.events() == ["Inf: odd; changed"]


def test_markers_never_change_but_are_read() -> None:
    side = (Marker(names=("Side", "Kind")), MarkerState(items=("Axis", "Infantry")))
    game = Played([counter("1", A, side)])
    assert game.table.sight.markers(game.piece("1")) == {"Side": "Axis", "Kind": "Infantry"}


def test_a_deck_that_is_shuffled_holds_its_cards_in_another_order() -> None:
    before, after = deck("d", A, "1", "2", "3"), deck("d", A, "3", "1", "2")
    game = Played([*(counter(card, A) for card in "123"), before], [turned(before, after)])
    assert game.events() == ["deck Draw holds 3 cards, face down"]
    pile = game.table.things["d"]
    assert isinstance(pile, Deck)
    assert [card.id for card in pile.members] == ["3", "1", "2"]


def test_a_deck_that_does_not_hold_what_it_should_contradicts_the_log() -> None:
    cards = [counter(card, A) for card in "12"]
    game = Played([*cards, deck("d", A, "1", "2")], [turned(deck("d", A, "2", "1"), deck("d", A, "1", "2"))])
    assert game.events()[0] == "odd: Draw: in another order than the log says"


def test_a_stack_of_nobody_lies_there_empty_and_shows_nowhere() -> None:
    game = Played([stack("s", A, "ghost")])
    assert game.lying(A) == []
    assert list(game.table.stacks()) == []


def test_a_stack_on_no_map_holds_its_pieces() -> None:
    game = Played([counter("1", A), AddPiece(id="s", type="stack", state="null;1;@@-1")])
    assert game.where("1") == (None, 0, 0)


def test_a_piece_in_a_stack_lies_where_the_stack_lies_whatever_it_says_itself() -> None:
    game = Played([counter("1", C), stack("s", A, "1")])
    assert game.where("1") == (FIELD, *A)
    assert game.lying(C) == []


def test_a_piece_that_comes_again_takes_the_place_of_the_first_in_the_register() -> None:
    game = Played([counter("1", A, name="Old"), counter("1", B, name="New")])
    assert game.name("1") == "New"


def test_a_piece_on_a_map_the_module_does_not_have_lies_on_none() -> None:
    game = Played([counter("1", A, on="Elsewhere")], module=battlefield())
    assert game.where("1") == (None, *A)


def test_maps_are_known_by_their_number_too() -> None:
    game = Played([counter("1", A, on="Map1")], module=battlefield())
    assert game.where("1")[0] == "Box"


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        pytest.param(
            AddPiece(id="9", type="mark;Side\tpiece;;;;Inf", state="Axis"),
            "Inf: its state has fewer parts than its definition",
            id="a state with too few parts",
        ),
        pytest.param(
            drag("9", C, B), "a move names piece 9, which is not on the table", id="a move of nothing"
        ),
        pytest.param(
            ChangePiece(id="9", new_state="x"),
            "a change names piece 9, which is not on the table",
            id="a change of nothing",
        ),
    ],
)
def test_what_cannot_be_carried_out_is_odd_and_the_game_goes_on(broken: Command, why: str) -> None:
    game = Played([counter("1", A)], [broken], [drag("1", A, B)])
    assert Odd(why=why) in game.steps[0].events
    assert game.lying(B) == [["1"]]


def test_the_removal_of_nothing_is_nothing() -> None:
    assert Played([], [RemovePiece(id="9")]).events() == []


@pytest.mark.parametrize(
    "text", ["M/1/Main/x/2", "D/1", "+/1", "PLAYER\tonly", "M/1/Field/a/b/null/null/0/0/null"]
)
def test_a_broken_command_is_odd_and_never_an_error(text: str) -> None:
    game = Played([counter("1", A)], [Unknown(text)], [drag("1", A, B)])
    (event,) = game.steps[0].events
    assert isinstance(event, Odd)
    assert game.lying(B) == [["1"]]


def test_a_broken_command_in_the_position_is_odd_too() -> None:
    game = Played([Unknown("M/1/Main/x/2"), counter("1", A)])
    assert [type(event) for event in game.replay.opening.events] == [Odd]
    assert game.lying(A) == [["1"]]


def test_commands_nobody_knows_do_nothing() -> None:
    assert Played([], [Unknown("VASLTHREAD\t1")]).events() == []


def test_what_follows_the_position_without_being_a_step_happens_at_once() -> None:
    log = log_of([counter("1", A)])
    assert log.length == 0
    game = Played([counter("1", A), drag("1", A, B)])
    assert game.lying(B) == [["1"]]
    assert game.steps == []
