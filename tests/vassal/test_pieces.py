"""Pieces: two texts, traits within traits, and the prototypes they use."""

from __future__ import annotations

import time
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vassal import corpus_pieces
from tests.vassal.strategies_traits import pieces, texts, tokens, wild_texts
from vassalgen.problems import FormatError
from vassalgen.vassal import sequences
from vassalgen.vassal.pieces import Piece, expand, from_slot_text, slot_text
from vassalgen.vassal.traits import UnknownTrait
from vassalgen.vassal.traits.base import RawState
from vassalgen.vassal.traits.basic_name import BasicName
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.comment import Comment
from vassalgen.vassal.traits.delete import Delete
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.embellishment import Embellishment, EmbellishmentState
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.mat import Mat
from vassalgen.vassal.traits.stack import Stack, StackState
from vassalgen.vassal.traits.use_prototype import UsePrototype

TYPE = "emb2;;128;;;128;;;128;;;;1;false;0;0;f.png,b.png;,;true;Step;;;false;;1;1;true;;;;;1.0;;true"
TYPE += "\tmark;Side,Kind\\\tpiece;;;inf.png;1st Inf"
STATE = "2\tBlue,Inf\\\tMain Map;160;124;5;0"
INFANTRY = BasicPiece(image="inf.png", name="1st Inf")


def marked(*names_and_values: str) -> tuple[Marker, MarkerState]:
    """A marker with names and values in turn."""
    return Marker(names=names_and_values[::2]), MarkerState(items=names_and_values[1::2])


def test_a_piece_is_read_from_its_two_texts() -> None:
    piece = Piece.decode(TYPE, STATE)
    assert [type(trait) for trait in piece.traits] == [Embellishment, Marker, BasicPiece]
    assert piece.name == "1st Inf"
    assert piece.gpid == "5"
    assert (piece.basic_state.map, piece.basic_state.x, piece.basic_state.y) == ("Main Map", 160, 124)
    assert piece.state_of(Embellishment) == EmbellishmentState(value=2)
    assert (piece.marker("Side"), piece.marker("Kind"), piece.marker("Rank")) == ("Blue", "Inf", None)
    assert piece.encode() == (TYPE, STATE)


def test_a_piece_is_made_of_traits_with_fresh_or_given_states() -> None:
    piece = Piece.of(Delete(), DynamicProperty(name="Fatigue"), marked("Side", "Blue"), INFANTRY)
    assert piece.type_text == (
        "delete;Delete;68,130;\tPROP;Fatigue;false,0,100,false;;\\\tmark;Side\\\\\tpiece;;;inf.png;1st Inf"
    )
    assert piece.state_text == "\t\\\tBlue\\\\\tnull;0;0;;0"
    assert Piece.decode(*piece.encode()) == piece


def test_a_state_is_replaced_by_place_by_class_or_by_trait() -> None:
    piece = Piece.decode(TYPE, STATE)
    flipped = piece.replace_state(Embellishment, EmbellishmentState(value=1))
    assert flipped.state_text == "1\tBlue,Inf\\\tMain Map;160;124;5;0"
    assert flipped.type_text == TYPE
    assert piece.replace_state(0, EmbellishmentState(value=1)) == flipped
    assert piece.replace_state(piece.traits[0], EmbellishmentState(value=1)) == flipped
    assert flipped.replace_state(0, EmbellishmentState(value=2)).encode() == (TYPE, STATE)


def test_a_trait_that_is_not_there_is_not_found() -> None:
    piece = Piece.decode(TYPE, STATE)
    assert piece.find(Delete) is None
    with pytest.raises(ValueError, match="no Delete in this piece"):
        piece.state_of(Delete)


def test_an_outer_marker_hides_an_inner_one() -> None:
    piece = Piece.of(marked("Side", "Red"), marked("Side", "Blue", "Kind", "Inf"), INFANTRY)
    assert (piece.marker("Side"), piece.marker("Kind")) == ("Red", "Inf")


def test_a_marker_without_a_value_is_empty() -> None:
    assert Piece.decode("mark;Side,Kind\tpiece;;;i;n", "Blue\tnull;0;0;;0").marker("Kind") == ""


def test_a_stack_and_a_deck_are_pieces_of_one_part() -> None:
    stack = Piece.decode("stack", "Main Map;10;20;171;172;@@1")
    assert stack.traits == (Stack(),)
    assert stack.states == (StackState(map="Main Map", x=10, y=20, ids=("171", "172"), layer=1),)
    assert (stack.basic, stack.name, stack.gpid) == (None, "", "")
    deck = Piece.decode("deck;true;0,0,0", "Main Map;10;20;true;5,6")
    assert deck.encode() == ("deck;true;0,0,0", "Main Map;10;20;true;5,6")


def test_too_few_states_are_kept_and_the_others_are_fresh() -> None:
    piece = Piece.decode(TYPE, "2\tBlue")
    assert piece.encode() == (TYPE, "2\tBlue")
    assert len(piece.states) == 2
    assert piece.basic_state == BasicPieceState()
    assert piece.replace_state(BasicPiece, BasicPieceState(gpid="7")).state_text == "2\tBlue\\\tnull;0;0;7;0"


def test_too_many_states_go_to_the_innermost_part_as_in_vassal() -> None:
    state = "2\tBlue,Inf\\\tsomething\\\\\tMain Map;160;124;5;0"
    piece = Piece.decode(TYPE, state)
    assert piece.basic_state.map == "something\tMain Map"
    assert piece.encode() == (TYPE, state)


def test_what_vassal_ignores_behind_a_level_is_kept() -> None:
    type_text = "mark;Side\tpiece;;;inf.png;1st Inf\tmore"
    piece = Piece.decode(type_text, "Blue\tnull;0;0;5;0\t\tmore")
    assert piece.name == "1st Inf"
    assert piece.encode() == (type_text, "Blue\tnull;0;0;5;0\t\tmore")


def test_a_state_its_trait_cannot_read_does_not_cost_the_piece() -> None:
    piece = Piece.decode("mat;Cart;\tpiece;;;cart.png;Cart", "3;17\tMain Map;1;2;5;0")
    assert isinstance(piece.state_of(Mat), RawState)
    assert piece.basic_state.map == "Main Map"
    assert piece.state_text == "3;17\tMain Map;1;2;5;0"


def test_an_unreadable_type_says_which_trait_it_is() -> None:
    with pytest.raises(FormatError, match="trait 2 of 3: SubMenu ends before its commands"):
        Piece.decode("mark;A\tsubmenu;Moves\\\tpiece;;;i;n", "")


def test_a_change_replaces_the_whole_state() -> None:
    piece = Piece.decode(TYPE, STATE).with_state("-1\tRed,Inf\\\tMap 2;1;2;5;0")
    assert (piece.marker("Side"), piece.basic_state.map) == ("Red", "Map 2")


def test_a_change_with_an_old_state_touches_only_what_differs() -> None:
    here = Piece.decode(TYPE, "2\tBlue,Inf\\\tMain Map;500;500;5;0")
    merged = here.merged("1\tBlue,Inf\\\tMain Map;160;124;5;0", "2\tRed,Inf\\\tMain Map;160;124;5;0")
    assert merged.state_text == "1\tBlue,Inf\\\tMain Map;500;500;5;0"
    assert here.merged("7\tx\\\ty", "7\tx\\\ty") == here


def test_a_definition_stands_in_a_slot_with_its_slashes_escaped() -> None:
    piece = Piece.of(Embellishment(images=("a/b.png",)), INFANTRY)
    text = slot_text(piece)
    assert text.startswith("+/null/emb2;")
    assert "a\\/b.png" in text
    assert from_slot_text(text) == piece


@pytest.mark.parametrize("text", ["", "null", "+/null/piece;;;i;n", "-/null/piece;;;i;n/null;0;0;;0"])
def test_what_is_no_definition_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="not a definition of a piece"):
        from_slot_text(text)


PROTOTYPES = {
    "Unit": Piece.of(Delete(), UsePrototype(name="Sided"), BasicPiece(image="", name="")),
    "Sided": Piece.of(Comment(text="whose it is"), marked("Side", "?"), BasicPiece(image="", name="")),
    "Empty": Piece.of(BasicPiece(image="", name="")),
    "Round": Piece.of(UsePrototype(name="About"), BasicPiece(image="", name="")),
    "About": Piece.of(marked("A", "b"), UsePrototype(name="Round"), BasicPiece(image="", name="")),
    "Strength": Piece.of(
        (DynamicProperty(name="$what$"), DynamicPropertyState(value="$number$")),
        BasicName(name="$what$ of $pieceName$"),
        BasicPiece(image="", name=""),
    ),
}


def test_a_prototype_gives_way_to_its_traits() -> None:
    piece = Piece.of(marked("Out", "o"), UsePrototype(name="Unit"), marked("In", "i"), INFANTRY)
    expanded = Piece.of(marked("Out", "o"), Delete(), marked("Side", "?"), marked("In", "i"), INFANTRY)
    assert expand(piece, PROTOTYPES) == expanded
    assert expand(expanded, PROTOTYPES) == expanded


def test_a_prototype_without_traits_adds_nothing() -> None:
    assert expand(Piece.of(UsePrototype(name="Empty"), INFANTRY), PROTOTYPES) == Piece.of(INFANTRY)


def test_an_unknown_prototype_adds_nothing_unless_one_is_strict() -> None:
    piece = Piece.of(UsePrototype(name="Unti"), INFANTRY)
    assert expand(piece, PROTOTYPES) == Piece.of(INFANTRY)
    with pytest.raises(FormatError, match="there is no prototype 'Unti': About, Empty"):
        expand(piece, PROTOTYPES, strict=True)


def test_a_prototype_that_uses_itself_is_reported() -> None:
    with pytest.raises(FormatError, match="'Round' uses 'About' uses 'Round'"):
        expand(Piece.of(UsePrototype(name="Round"), INFANTRY), PROTOTYPES)


def test_prototypes_that_multiply_without_end_are_refused() -> None:
    bare = BasicPiece(image="", name="")
    bomb = {str(level): Piece.of(*[UsePrototype(name=str(level + 1))] * 10, bare) for level in range(30)}
    bomb["30"] = Piece.of(bare)
    assert expand(Piece.of(UsePrototype(name="0"), INFANTRY), bomb) == Piece.of(INFANTRY)
    bomb["30"] = Piece.of(Delete(), bare)
    with pytest.raises(FormatError, match="more than 1000 traits"):
        expand(Piece.of(UsePrototype(name="0"), INFANTRY), bomb)


def test_prototypes_that_go_too_deep_are_refused() -> None:
    bare = BasicPiece(image="", name="")
    chain = {str(level): Piece.of(UsePrototype(name=str(level + 1)), bare) for level in range(2000)}
    assert expand(Piece.of(UsePrototype(name="1960"), INFANTRY), chain) == Piece.of(INFANTRY)
    with pytest.raises(FormatError, match="more than 50 deep"):
        expand(Piece.of(UsePrototype(name="0"), INFANTRY), chain)


def test_parameters_take_the_place_of_their_names_and_other_names_lose_their_dollars() -> None:
    use = UsePrototype(name="Strength", parameters=(("what", "Steps"), ("number", "2")))
    piece = expand(Piece.of(use, INFANTRY), PROTOTYPES)
    assert piece.find(DynamicProperty) == DynamicProperty(name="Steps")
    assert piece.state_of(DynamicProperty) == DynamicPropertyState(value="2")
    assert piece.find(BasicName) == BasicName(name="Steps of pieceName")


def test_without_parameters_no_name_is_touched() -> None:
    piece = expand(Piece.of(UsePrototype(name="Strength"), INFANTRY), PROTOTYPES)
    assert piece.find(BasicName) == BasicName(name="$what$ of $pieceName$")


def test_a_parameter_that_breaks_the_prototype_is_reported() -> None:
    use = UsePrototype(name="Strength", parameters=(("what", "a/b"),))
    with pytest.raises(FormatError, match="prototype 'Strength' with its parameters: the values break"):
        expand(Piece.of(use, INFANTRY), PROTOTYPES)


@given(pieces)
@settings(max_examples=60)
def test_any_piece_is_read_as_it_was_written(piece: Piece) -> None:
    type_text, state_text = piece.encode()
    read = Piece.decode(type_text, state_text)
    assert read == piece
    assert read.encode() == (type_text, state_text)
    if not type_text.endswith("\\"):  # which would swallow the slash behind it
        assert from_slot_text(slot_text(piece)) == piece


type_texts = st.lists(
    st.tuples(st.sampled_from(["mark;", "hide;", "sendto;", "turret;", "piece;;;", "'"]), texts).map("".join),
    min_size=1,
    max_size=4,
)


@given(
    type_texts.map(lambda parts: sequences.nest(parts, "\t")) | wild_texts,
    st.lists(tokens | wild_texts, max_size=6).map("\t".join) | wild_texts,
)
def test_any_two_texts_are_kept_or_refused(type_text: str, state_text: str) -> None:
    try:
        piece = Piece.decode(type_text, state_text)
    except FormatError:
        return
    assert piece.encode() == (type_text, state_text)


def test_every_piece_of_the_corpus_is_written_back_to_the_byte(shared: Path) -> None:
    found = corpus_pieces.read(shared)
    assert len(found.pieces) > 20_000
    for type_text, state_text in found.pieces:
        piece = Piece.decode(type_text, state_text)
        assert piece.encode() == (type_text, state_text)
        assert len(piece.states) == len(piece.traits)
        for trait, state in piece.pairs():
            assert isinstance(trait, UnknownTrait) or type(state) is trait.state_class
    for type_text, state_text in sorted(found.pieces)[::20]:
        afresh = attrs.evolve(Piece.decode(type_text, state_text), written_type=None, written_state=None)
        assert afresh.encode() == (type_text, state_text)
    for type_text, state_text in found.changes:
        assert Piece.decode(type_text, state_text).state_text == state_text
    for definition in found.slots:
        assert slot_text(from_slot_text(definition)) == definition


def test_a_slot_keeps_the_id_that_stands_in_it() -> None:
    text = slot_text(Piece.of(INFANTRY)).replace("+/null/", "+/1168285237835/")
    assert slot_text(from_slot_text(text)) == text


def test_a_piece_of_thirty_traits_is_read_in_a_fraction_of_a_millisecond() -> None:
    parts = [marked(f"Name{number}", "it's a value") for number in range(30)]
    type_text, state_text = Piece.of(*parts, INFANTRY).encode()
    Piece.decode(type_text, state_text)
    start = time.process_time()
    for number in range(200):
        Piece.decode(type_text, state_text.replace("null;0;0", f"null;{number};0"))
    assert (time.process_time() - start) / 200 < 0.001
