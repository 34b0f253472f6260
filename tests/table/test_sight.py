"""What pieces look like: names, layers, labels, properties, and what is hidden from whom."""

from __future__ import annotations

import pytest

from referee.table import ModulePlan
from referee.table.events import Hidden
from tests.table.games import (
    ALICE,
    BOB,
    BOX,
    FIELD,
    A,
    B,
    Played,
    battlefield,
    counter,
    deck,
    drag,
    stack,
    turned,
)
from vassalgen.vassal.commands import AddPiece
from vassalgen.vassal.compounds import Access, Owner
from vassalgen.vassal.traits.base import State, Trait
from vassalgen.vassal.traits.basic_name import BasicName
from vassalgen.vassal.traits.calculated_property import CalculatedProperty
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.embellishment import Embellishment, EmbellishmentState
from vassalgen.vassal.traits.free_rotator import AngleState, FacingState, FreeRotator
from vassalgen.vassal.traits.hideable import Hideable, HideableState
from vassalgen.vassal.traits.labeler import Labeler, LabelerState
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.movement_markable import MovementMarkable, MovementMarkableState
from vassalgen.vassal.traits.obscurable import Obscurable, ObscurableState

Pair = Trait | tuple[Trait, State]
BY_SIDE = Access(Owner.SIDE)
BY_SIDES = Access(Owner.SIDES, ("Axis", "Umpire"))


def layer(value: int, *names: str, name: str = "Flip", follows: str = "", first: int = 1) -> Pair:
    trait = Embellishment(
        images=tuple(f"{number}.png" for number in range(len(names))),
        level_names=names,
        name=name,
        follow_expression=bool(follows),
        expression=follows,
        first_level_value=first,
    )
    return trait, EmbellishmentState(value=value)


def dynamic(name: str, value: str) -> Pair:
    return DynamicProperty(name=name), DynamicPropertyState(value=value)


def marked(name: str, value: str) -> Pair:
    return Marker(names=(name,)), MarkerState(items=(value,))


def label(text: str, form: str = "$pieceName$ ($label$)", *, always: bool = False) -> Pair:
    return Labeler(name_format=form, always_format=always), LabelerState(label=text)


def hidden(owner: str | None, access: Access = Access()) -> Pair:  # noqa: B008 - a frozen value
    return Hideable(access=access), HideableState(owner=owner)


def masked(owner: str | None, access: Access = Access()) -> Pair:  # noqa: B008 - a frozen value
    return Obscurable(image="mask.png", mask_name="Face down", access=access), ObscurableState(owner=owner)


def name_of(*traits: Pair, viewer: str | None = None) -> str:
    return Played([counter("1", A, *traits, name="Inf")], viewer=viewer).name("1")


@pytest.mark.parametrize(
    ("traits", "expected"),
    [
        pytest.param([layer(2, "", "Flipped")], "Flipped", id="a layer's name replaces"),
        pytest.param([layer(2, "", "+ (reduced)")], "Inf (reduced)", id="or follows"),
        pytest.param([layer(2, "", "Veteran +")], "Veteran Inf", id="or precedes"),
        pytest.param([layer(1, "", "Flipped")], "Inf", id="a level without a name says nothing"),
        pytest.param([layer(-2, "", "Flipped")], "Inf", id="nor does a layer that is off"),
        pytest.param([layer(2, "", "Flipped"), layer(1, "A +")], "Flipped", id="the outermost layer wins"),
        pytest.param([layer(1, "A +"), layer(1, "+ B")], "A Inf B", id="layers add up"),
        pytest.param([layer(9, "", "Flipped")], "Flipped", id="a level beyond the last is the last"),
        pytest.param([label("dug in")], "Inf (dug in)", id="a label is part of the name"),
        pytest.param([label("")], "Inf", id="an empty label is not"),
        pytest.param([label("", "$pieceName$!", always=True)], "Inf!", id="unless it always is"),
        pytest.param(
            [label("$Steps$ steps"), dynamic("Steps", "3")], "Inf (3 steps)", id="a label with a property"
        ),
        pytest.param(
            [label("{Steps * 2}"), dynamic("Steps", "3")], "Inf (6)", id="a label that is an expression"
        ),
        pytest.param([label("{Random(6)}")], "Inf ()", id="a label nobody can evaluate"),
        pytest.param([label("{1 +}")], "Inf ()", id="a label nobody can read"),
        pytest.param([BasicName(name="Rifles")], "Rifles", id="another basic name"),
        pytest.param(
            [BasicName(name="$Side$ Rifles"), marked("Side", "Axis")], "Axis Rifles", id="from a property"
        ),
    ],
)
def test_the_name_of_a_piece_is_what_its_traits_make_of_it(traits: list[Pair], expected: str) -> None:
    assert name_of(*traits) == expected


@pytest.mark.parametrize(
    ("value", "follows", "first", "level"),
    [
        ("2", "Steps", 1, 2),
        ("2", "{Steps}", 1, 2),
        ("1", "{Steps + 1}", 1, 2),
        ("2", "Steps", 2, 1),
        ("", "Steps", 1, 1),
        ("99", "Steps", 1, 3),
        ("-4", "Steps", 1, 1),
        ("many", "Steps", 1, 3),
        ("2", "Nobody", 1, 1),
        ("2", "{Random(3)}", 1, 3),
    ],
)
def test_a_layer_follows_a_property_or_an_expression(
    value: str, follows: str, first: int, level: int
) -> None:
    game = Played(
        [counter("1", A, layer(3, "a", "b", "c", follows=follows, first=first), dynamic("Steps", value))]
    )
    (shown,) = game.table.sight.layers(game.piece("1"))
    assert (shown.level, shown.active) == (level, True)


def test_a_layer_that_is_off_follows_but_does_not_show() -> None:
    game = Played([counter("1", A, layer(-1, "a", "b", follows="Steps"), dynamic("Steps", "2"))])
    (shown,) = game.table.sight.layers(game.piece("1"))
    assert (shown.level, shown.active, shown.level_name) == (2, False, "")


def test_a_change_of_what_a_layer_follows_changes_the_name() -> None:
    before, after = (
        counter("1", A, layer(1, "", "+ (cadre)", follows="Steps"), dynamic("Steps", steps)) for steps in "12"
    )
    game = Played([before], [turned(before, after)])
    assert game.events() == ["Unit 1 (cadre): Steps changed from '1' to '2'"]


def test_properties_that_ask_for_each_other_come_to_an_end() -> None:
    ring = [
        CalculatedProperty(name="A", expression="{B + 1}"),
        CalculatedProperty(name="B", expression="{A + 1}"),
        CalculatedProperty(name="C", expression="C"),
    ]
    game = Played([counter("1", A, *ring, label("$A$$C$"))])
    assert isinstance(game.name("1"), str)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Side", "Axis"),
        ("Steps", "2"),
        ("Double", "4"),
        ("Alias", "2"),
        ("Five", "5"),
        ("Flip_Level", "2"),
        ("Flip_Name", " back"),
        ("Flip_Image", "1.png"),
        ("Flip_Active", "true"),
        ("Off_Level", "-1"),
        ("Off_Name", ""),
        ("Off_Image", ""),
        ("Off_Active", "false"),
        ("Note", "dug in"),
        ("Moved", "true"),
        ("Face_Facing", "3"),
        ("Face_Degrees", "120"),
        ("Invisible", "false"),
        ("InvisibleToOthers", "false"),
        ("BasicName", "Inf"),
        ("PieceName", "Face down back (dug in)"),
        ("LocationName", "0201"),
        ("CurrentMap", FIELD),
        ("CurrentBoard", "Ridge"),
        ("CurrentZone", "Front"),
        ("CurrentX", "100"),
        ("CurrentY", "100"),
        ("PieceUID", "1"),
        ("PieceId", ""),
        ("DeckName", ""),
        ("DeckPosition", "0"),
        ("Selected", "false"),
        ("Obscured", "true"),
        ("ObscuredToOthers", "true"),
        ("StackSize", "2"),
        ("StackPos", "2"),
        ("OldMap", "Box"),
        ("Weather", "dry"),
        ("Mud", "deep"),
        ("Score", "0"),
        ("Nobody", None),
    ],
)
def test_a_piece_answers_for_its_traits_its_place_and_the_game(name: str, expected: str | None) -> None:
    piece = counter(
        "1",
        A,
        label("dug in", "$pieceName$ ($label$)"),
        marked("Side", "Axis"),
        dynamic("Steps", "2"),
        CalculatedProperty(name="Double", expression="{Steps * 2}"),
        CalculatedProperty(name="Alias", expression="Steps"),
        CalculatedProperty(name="Five", expression="5"),
        layer(2, "", "+ back"),
        layer(-1, "off", name="Off"),
        (Labeler(property_name="Note", name_format="$pieceName$"), LabelerState(label="dug in")),
        (MovementMarkable(), MovementMarkableState(moved=True)),
        (FreeRotator(facings=6, name="Face"), FacingState(facing=2)),
        hidden(None),
        masked(BOB),
        name="Inf",
    )
    kept = AddPiece(id="1", type=piece.type, state=f"{piece.state[:-1]}1;OldMap;Box")
    plan = ModulePlan(
        known=True,
        maps=battlefield().maps,
        properties={"Module": {"Score": "0"}, FIELD: {"Weather": "dry"}, f"{FIELD}:Front": {"Mud": "deep"}},
    )
    game = Played([kept, counter("2", A), stack("s", A, "1", "2")], module=plan)
    assert game.table.sight.property(game.piece("1"), name) == expected


def test_a_card_knows_its_deck() -> None:
    game = Played([counter("1", A), counter("2", A), deck("d", A, "1", "2", name="Draw")])
    assert game.table.sight.property(game.piece("1"), "DeckName") == "Draw"
    assert game.table.sight.property(game.piece("1"), "DeckPosition") == "2"


def test_an_angle_counts_against_the_clock() -> None:
    game = Played([counter("1", A, (FreeRotator(facings=1, name="Face"), AngleState(angle=-45.0)))])
    assert game.table.sight.rotations(game.piece("1"))["Face"][0] == -45.0


def test_the_name_of_a_stack_is_what_shows_from_the_top() -> None:
    game = Played(
        [counter("1", A), counter("2", A, hidden(BOB)), counter("3", A), stack("s", A, "1", "2", "3")]
    )
    assert game.table.sight.name(game.table.things["s"]) == "Unit 3, Unit 1"


@pytest.mark.parametrize(
    ("access", "owner", "viewer", "seen"),
    [
        (Access(), BOB, None, False),
        (Access(), BOB, "Alice", False),
        (Access(), BOB, "Bob", True),
        (Access(), BOB, "Nobody", False),
        (BY_SIDE, "Allied", None, False),
        (BY_SIDE, "Allied", "Alice", False),
        (BY_SIDE, "Allied", "Bob", True),
        (BY_SIDES, "Axis", "Alice", True),
        (BY_SIDES, "Axis", "Bob", False),
    ],
)
def test_what_is_hidden_is_seen_by_its_owner_alone(
    access: Access, owner: str, viewer: str | None, seen: bool
) -> None:
    name = name_of(hidden(owner, access), viewer=viewer)
    assert name == ("Inf(Invisible)" if seen else "")
    name = name_of(masked(owner, access), viewer=viewer)
    assert name == ("Inf(Face down)" if seen else "Face down")


def test_a_mask_hides_what_lies_within_and_not_what_lies_without() -> None:
    assert name_of(layer(1, "+ (out)"), masked(BOB), layer(1, "+ (in)")) == "Face down (out)"
    assert name_of(masked(None), layer(1, "+ (in)")) == "Inf (in)"


def test_the_referee_can_look_behind_masks() -> None:
    game = Played([counter("1", A, masked(BOB), hidden(BOB), layer(1, "+ (in)"), name="Inf")])
    assert game.table.sight.true_name(game.piece("1")) == "Inf (in)"


def test_hiding_and_masking_are_reported_with_the_name_of_who_did_it() -> None:
    clear = counter("1", A, hidden(None), masked(None), name="Inf")
    away = counter("1", A, hidden(ALICE), masked(ALICE), name="Inf")
    game = Played([clear], [turned(clear, away)], [turned(away, clear)], [drag("1", A, B)])
    events_of = [event for event in game.events_of(Hidden) if isinstance(event, Hidden)]
    assert [(event.how, event.by) for event in events_of] == [
        ("hidden", "@Alice"),
        ("masked", "@Alice"),
        ("hidden", None),
        ("masked", None),
    ]


def test_pieces_keep_their_places_in_words_without_a_grid() -> None:
    game = Played([counter("1", A, on=BOX)], module=battlefield())
    assert str(game.table.spot(game.piece("1"))) == f"100,100 ({BOX})"
