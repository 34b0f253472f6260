"""What steps say that happened: who, dice, turns, talk, seats, and what was taken back."""

from __future__ import annotations

import attrs
import pytest

from referee.table import ModulePlan, Replay
from referee.table.events import Chatted, GlobalChanged, Moved, Pointed, Reported, Rolled, Seated, Undone
from tests.table.games import (
    ALICE,
    BOB,
    FIELD,
    A,
    B,
    C,
    Played,
    battlefield,
    counter,
    drag,
    log_of,
    say,
    stack,
    turned,
)
from vassalgen.vassal.commands import (
    AddPlayer,
    ChangeProperty,
    Chat,
    Command,
    DelayedNote,
    Flare,
    LineOfSight,
    Notes,
    Null,
    PrivateNote,
    PublicNotes,
    RemovePiece,
    RemovePlayer,
    RestoreProperty,
    SetTurn,
    Undo,
)
from vassalgen.vassal.turns import Level, Tracker

TRACKER = Tracker(
    "TurnTracker0",
    "Turn",
    "$level1$ - $level2$",
    (
        Level(
            name="Turn",
            property="Now",
            format="Turn $value$",
            start=1,
            children=(Level(name="Phase", property="Phase", words=("Move", "Fight")),),
        ),
    ),
)
MODULE = attrs.evolve(
    battlefield(),
    properties={
        "Module": {"Score": "0", "Odds_result": "x"},
        FIELD: {"Weather": "dry"},
        f"{FIELD}:Front": {"Mud": "0"},
    },
    trackers=(TRACKER,),
    dice=("2d6",),
)


def undo(*commands: Command, said: str = "") -> list[Command]:
    return [Undo(started=True), *commands, Chat(text=f"* UNDO: {said}"), Undo(started=False)]


def report(text: str) -> Chat:
    return Chat(text=f"* {text}")


def rolled(*faces: int, total: str = "") -> list[Command]:
    shown = ", ".join(map(str, faces))
    values = {"result": shown, "total": total, "keep": "2", "summary": ""}
    changes = [
        ChangeProperty(name=f"2d6_{key}", old="", new=new, container="Module") for key, new in values.items()
    ]
    return [Chat(text=f"* 2d6 = {shown} * &lt;Alice&gt;"), *changes]


def test_a_roll_of_dice_is_one_event_and_its_properties_none() -> None:
    game = Played([], rolled(6, 2, total="8"), module=MODULE)
    assert game.events_of(Rolled) == [Rolled(dice="2d6", faces=("6", "2"), total="8")]
    assert game.events_of(GlobalChanged) == []
    assert "2d6 rolled 6, 2, in all 8" in game.events()
    assert game.steps[0].player == "Alice"


def test_without_a_module_dice_are_known_by_their_properties() -> None:
    assert Played([], rolled(6, 2)).events_of(Rolled) == [Rolled(dice="2d6", faces=("6", "2"), total="")]


def test_a_property_that_ends_like_dice_is_none_where_the_module_says_so() -> None:
    change = ChangeProperty(name="Odds_result", old="x", new="3-1", container="Module")
    game = Played([], [change], module=MODULE)
    assert game.events_of(Rolled) == []
    assert game.events() == ["Odds_result changed from 'x' to '3-1'"]


def test_a_turn_is_shown_as_players_read_it() -> None:
    game = Played(
        [SetTurn(tracker="TurnTracker0", state="0|1;0;false;-1;0\\;0\\;0\\;true,true")],
        [
            report("&lt;Alice&gt; next"),
            SetTurn(tracker="TurnTracker0", state="0|1;0;false;-1;1\\;0\\;0\\;true,true"),
        ],
        module=MODULE,
    )
    assert game.events()[-1] == "turn track: Turn 1 - Move → Turn 1 - Fight"
    assert game.table.globals.get("Phase") == "Fight"
    assert game.table.globals.get("Now") == "1"


def test_without_a_module_a_turn_is_its_state() -> None:
    game = Played([], [SetTurn(tracker="TurnTracker0", state="0|2")])
    assert game.events() == ["turn track:  → 0|2"]


@pytest.mark.parametrize(
    ("container", "name", "old", "lines"),
    [
        ("Module", "Score", "0", "Score changed from '0' to '7'"),
        (FIELD, "Weather", "dry", f"Weather of {FIELD} changed from 'dry' to '7'"),
        (f"{FIELD}:Front", "Mud", "0", f"Mud of {FIELD}:Front changed from '0' to '7'"),
        ("", "Score", "0", "Score changed from '0' to '7'"),
    ],
)
def test_properties_of_module_map_and_zone_change(container: str, name: str, old: str, lines: str) -> None:
    game = Played([], [ChangeProperty(name=name, old=old, new="7", container=container)], module=MODULE)
    assert game.events() == [lines]
    assert game.table.globals.get(name, FIELD, "Front") == "7"


def test_a_property_the_module_does_not_have_is_none() -> None:
    change = ChangeProperty(name="Ghost", old="", new="7", container="Module")
    game = Played([], [change], module=MODULE)
    assert game.events() == []
    assert game.table.globals.get("Ghost") is None


def test_a_save_restores_properties() -> None:
    game = Played(
        [
            RestoreProperty(name="Score", value="3", container="Module"),
            RestoreProperty(name="Mud\tFront\tRidge\tBattlefield", value="2", container=""),
        ],
        module=MODULE,
    )
    assert game.table.globals.get("Score") == "3"
    assert game.table.globals.get("Mud", FIELD, "Front") == "2"


def test_talk_and_reports_are_told_apart() -> None:
    game = Played([], [say("your move &amp; good luck")], [report("Inf moves")], [Chat(text="- system")])
    assert [type(event) for step in game.steps for event in step.events] == [Chatted, Reported, Reported]
    assert [step.player for step in game.steps] == ["Alice", None, None]
    assert game.table.chat[-3:] == ["&lt;Alice&gt; - your move &amp; good luck", "* Inf moves", "- system"]


def test_the_player_of_a_move_is_who_made_it() -> None:
    game = Played([counter("1", A)], [drag("1", A, B, by=BOB), say("mine!", "Alice")])
    assert (game.steps[0].player, game.steps[0].side) == ("Bob", "Allied")


def test_a_player_without_a_seat_is_an_observer() -> None:
    game = Played([counter("1", A)], [drag("1", A, B, by="intruder")])
    assert game.steps[0].player == "observer 1"
    assert game.steps[0].side == ""


def test_players_take_seats_and_leave_them() -> None:
    game = Played(
        [],
        [RemovePlayer(password=BOB)],
        [AddPlayer(password="new", name="Carol", side="Allied")],
        [AddPlayer(password="new", name="Carol", side="Allied")],
    )
    assert game.events_of(Seated) == [Seated(player="Bob", side=None), Seated(player="Carol", side="Allied")]
    assert [player.name for player in game.table.players] == ["Alice", "Carol"]


def test_notes_are_reported_and_private_ones_not_quoted() -> None:
    game = Played(
        [],
        [Notes(text="Turn 3")],
        [Notes(text="Turn 3")],
        [PublicNotes(text="all")],
        [PrivateNote(owner=ALICE, text="plan B")],
        [DelayedNote(name="plot", owner=ALICE, hidden=True, text="secret", date="", handle="")],
    )
    lines = [str(event) for step in game.steps for event in step.events]
    assert lines == [
        "scenario notes were edited",
        "public notes were edited",
        "private notes were edited",
        "delayed notes were edited",
    ]
    assert "plan B" not in repr(game.steps)


def test_pointing_at_a_place_is_reported() -> None:
    game = Played([], [Flare(id="Flare0", x=5, y=6)], [LineOfSight(id="LOS_Thread0", anchor_x=1, anchor_y=2)])
    assert game.events_of(Pointed) == [
        Pointed(how="flare", at=(5, 6)),
        Pointed(how="line of sight", at=(1, 2)),
    ]


PAIR = [counter("1", A), counter("2", A), stack("s", A, "1", "2")]
MOVE = [drag("2", A, B), stack("t", B, "2"), report("Unit 2 moves")]
BACK = undo(RemovePiece(id="t"), drag("2", B, A, under="1"), said="* Unit 2 moves")


def test_an_undone_move_is_one_event_with_the_way_back() -> None:
    game = Played(PAIR, MOVE, BACK)
    (undone,) = game.events_of(Undone)
    assert isinstance(undone, Undone)
    assert undone.step == 1
    moves = [event for event in undone.events if isinstance(event, Moved)]
    assert [str(move) for move in moves] == [f"Unit 2 moved from 200,100 to 100,100 ({FIELD})"]
    assert game.replay.undone == {1: 2}
    assert game.lying(A) == [["1", "2"]]


def test_several_undos_take_back_step_after_step() -> None:
    first, second = report("one"), report("two")
    game = Played([], [first], [second], undo(said="* two"), undo(said="* one"))
    assert game.replay.undone == {2: 3, 1: 4}


def test_an_undo_after_an_undo_and_a_new_step_takes_back_the_new_step() -> None:
    game = Played([], [report("one")], undo(said="* one"), [report("two")], undo(said="* two"))
    assert game.replay.undone == {1: 2, 3: 4}


def test_a_step_without_effect_cannot_be_undone() -> None:
    game = Played([], [report("one")], [Null()], undo(said="* one"))
    assert game.replay.undone == {1: 3}


def test_an_undo_that_fits_no_step_names_none() -> None:
    game = Played([], [report("one")], undo(said="* another"))
    assert game.events_of(Undone) == [Undone(step=None, events=(Reported(text="* UNDO: * another"),))]
    assert str(game.steps[-1].events[0]) == "took an earlier step back"


def test_an_undo_of_nothing_is_no_error() -> None:
    game = Played([], undo(said="* what"))
    assert game.replay.undone == {}


def test_a_change_that_is_undone_is_reported_as_undone() -> None:
    before, after = counter("1", A), counter("1", C)
    game = Played([before], [turned(before, after), report("x")], undo(turned(after, before), said="* x"))
    (undone,) = game.events_of(Undone)
    assert isinstance(undone, Undone)
    assert undone.step == 1
    assert game.where("1") == (FIELD, *A)


def test_the_position_a_log_begins_with_is_step_nought() -> None:
    replay = Replay(attrs.evolve(log_of([counter("1", A)]), comments="Turn 3"))
    assert replay.opening.number == 0
    assert replay.opening.events == ()
    assert replay.opening.chat == (
        " - !<b>Loading game.vlog ...</b>",
        " - !Loaded game.vlog: <b>Turn 3</b>",
    )


def test_a_module_nobody_named_is_empty() -> None:
    assert ModulePlan().known is False
