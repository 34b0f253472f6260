"""Whatever commands come, in whatever order: no errors, and everything in exactly one place."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.table import ModulePlan, Table, snapshot
from referee.table.continuity import differences
from referee.table.things import Deck, Piece, Stack
from tests.table.games import ALICE, BOB, BOX, FIELD, A, B, C, Played, battlefield, counter, deck, stack
from vassalgen.vassal.commands import (
    AddPiece,
    ChangePiece,
    ChangeProperty,
    Chat,
    Command,
    MovePiece,
    RemovePiece,
    SetTurn,
    Undo,
    Unknown,
)
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.hideable import Hideable, HideableState
from vassalgen.vassal.traits.immobilized import Immobilized
from vassalgen.vassal.traits.marker import Marker, MarkerState

PIECES, STACKS, DECKS = ("1", "2", "3", "4"), ("s", "t"), ("d",)
IDS = (*PIECES, *STACKS, *DECKS, "ghost")
ids = st.sampled_from(IDS)
places = st.sampled_from((A, B, C))
maps = st.sampled_from((FIELD, BOX))
players = st.sampled_from((ALICE, BOB, ""))
owners = st.sampled_from((None, ALICE, BOB))


@st.composite
def pieces(draw: st.DrawFn) -> AddPiece:
    traits = [
        (Hideable(), HideableState(owner=draw(owners))),
        (DynamicProperty(name="Steps"), DynamicPropertyState(value=draw(st.sampled_from("12")))),
        (Marker(names=("Kind",)), MarkerState(items=(draw(st.sampled_from(("Unit", "Marker"))),))),
    ]
    loose = [Immobilized()] if draw(st.booleans()) else []
    return counter(draw(st.sampled_from(PIECES)), draw(st.none() | places), *loose, *traits, on=draw(maps))


stacks = st.builds(
    lambda one, at, members, on: stack(one, at, *members, on=on),
    st.sampled_from(STACKS),
    places,
    st.lists(ids, max_size=4),
    maps,
)
decks = st.builds(
    lambda one, at, cards, on: deck(one, at, *cards, on=on),
    st.sampled_from(DECKS),
    places,
    st.lists(st.sampled_from(PIECES), max_size=4, unique=True),
    maps,
)
added = pieces() | stacks | decks
moves = st.builds(
    lambda one, on, at, under, home, was, player: MovePiece(
        id=one,
        map=on,
        x=at[0],
        y=at[1],
        under=under,
        old_map=home,
        old_x=was[0],
        old_y=was[1],
        old_under=None,
        player=player,
    ),
    ids,
    st.none() | maps,
    places,
    st.none() | ids,
    st.none() | maps,
    places,
    players,
)


@st.composite
def changes(draw: st.DrawFn) -> ChangePiece:
    kind = draw(st.sampled_from((pieces(), stacks, decks)))
    new, old = draw(kind), draw(st.none() | kind)
    assert new.id is not None
    return ChangePiece(
        id=draw(st.just(new.id) | ids), new_state=new.state, old_state=old.state if old else None
    )


others: st.SearchStrategy[Command] = st.one_of(
    st.builds(RemovePiece, id=ids),
    st.builds(Undo, started=st.booleans()),
    st.builds(Chat, text=st.sampled_from(("hello", "* UNDO: hello", "&lt;Alice&gt; - hi"))),
    st.builds(ChangeProperty, name=st.just("Score"), old=st.just("1"), new=st.sampled_from("12")),
    st.builds(SetTurn, tracker=st.just("TurnTracker0"), state=st.sampled_from(("", "0|1", "x|y"))),
    st.builds(
        Unknown, st.text(st.characters(exclude_characters="\x1b\\'", exclude_categories=["Cs"]), max_size=20)
    ),
)
commands: st.SearchStrategy[Command] = added | moves | moves | changes() | others
modules = st.sampled_from(
    (None, battlefield(), battlefield(stacking=False), battlefield(layers=("Kind", ("Unit", "Marker"))))
)


def check(table: Table) -> None:
    """What holds on every table. A piece that was registered twice, or removed, counts no more."""
    held: dict[int, Stack] = {}
    for thing in table.things.values():
        assert table.things[thing.id] is thing
        if isinstance(thing, Stack):
            for member in thing.members:
                assert id(member) not in held, "in two stacks"
                held[id(member)] = thing
    for piece in table.pieces():
        parent = piece.parent
        if id(piece) in held and parent is not None:
            assert held[id(piece)] is parent
        listed = [map_ for map_ in table.maps.values() if piece in map_.things]
        assert len(listed) <= 1
        if id(piece) in held:
            assert listed == [], "both in a stack and by itself on a map"
        if listed:
            assert piece.listed_on is listed[0]
            assert piece in map_at(table, piece)
    for map_ in table.maps.values():
        for thing in map_.things:
            shown = not isinstance(thing, Stack) or isinstance(thing, Deck) or bool(thing.members)
            assert (thing in list(map_.at(*thing_place(thing)))) is shown


def map_at(table: Table, piece: Piece) -> list[object]:
    assert piece.listed_on is not None
    return list(piece.listed_on.at(piece.own_x, piece.own_y))


def thing_place(thing: object) -> tuple[int, int]:
    assert isinstance(thing, Piece | Stack)
    return thing.own_x, thing.own_y


@settings(max_examples=150)
@given(st.lists(added, max_size=8), st.lists(st.lists(commands, min_size=1, max_size=4), max_size=8), modules)
def test_no_game_is_an_error_and_each_piece_is_in_one_place(
    setup: list[Command], steps: list[list[Command]], module: ModulePlan | None
) -> None:
    game = Played(setup, *steps, viewer="Bob") if module is None else Played(setup, *steps, module=module)
    check(game.table)
    for step in game.steps:
        assert all(str(event) for event in step.events)
    assert len(list(snapshot.things(game.table))) == len({one["id"] for one in snapshot.things(game.table)})
    assert differences(game.table, game.table) == ()


@settings(max_examples=50)
@given(st.lists(added, max_size=8), st.lists(st.lists(commands, min_size=1, max_size=3), max_size=6))
def test_the_same_log_gives_the_same_table(setup: list[Command], steps: list[list[Command]]) -> None:
    one, two = Played(setup, *steps), Played(setup, *steps)
    assert list(snapshot.things(one.table)) == list(snapshot.things(two.table))
    assert one.steps == two.steps
