"""Games too big, too odd or too secret: linear time, no errors, no passwords."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time
from typing import Any

import pytest

from referee.table import Log, Replay, snapshot
from tests.table.games import (
    ALICE,
    BOB,
    A,
    B,
    Played,
    battlefield,
    counter,
    deck,
    drag,
    log_of,
    say,
    stack,
    turned,
)
from vassalgen.problems import FormatError
from vassalgen.vassal import streams
from vassalgen.vassal.commands import (
    AddPiece,
    ChangePiece,
    Clock,
    Command,
    DelayedNote,
    PrivateNote,
    RemovePlayer,
    Unknown,
    Unmask,
)
from vassalgen.vassal.sequences import nest
from vassalgen.vassal.streams import Node
from vassalgen.vassal.traits.hideable import Hideable, HideableState
from vassalgen.vassal.traits.obscurable import Obscurable, ObscurableState, Unmasking
from vassalgen.vassal.traits.restricted import Restricted

SECRETS = (ALICE, BOB, "lurker")


def laid_out(count: int) -> float:
    """Seconds to lay out a save of so many empty stacks in one place, and to move a piece there."""
    stacks: list[Command] = [
        AddPiece(id=f"s{number}", type="stack", state="Field;200;100;@@-1") for number in range(count)
    ]
    log = log_of([*stacks, counter("1", A, on="Field")], [drag("1", A, B, on="Field")])
    start = process_time()
    replay = Replay(log)
    (step,) = replay.steps()
    assert [str(event) for event in step.events] == ["Unit 1 moved from 100,100 to 200,100 (Field)"]
    assert len(replay.table.things) == count + 2
    assert sum(1 for _ in snapshot.things(replay.table)) == 2
    return process_time() - start


def test_a_save_with_77000_empty_stacks_takes_linear_time() -> None:
    few = min(laid_out(7_700) for _ in range(2))
    many = laid_out(77_000)
    assert many < 30 * few, "ten times as many; three times that for the noise"


def objects_of(root: object) -> Iterator[str]:
    """Every text that can be reached from an object."""
    seen: set[int] = set()
    waiting: list[Any] = [root]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type):
            continue
        seen.add(id(one))
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple, set, frozenset)):
            waiting += one
        elif type(one).__module__.startswith(("referee", "vassalgen")):
            waiting += getattr(one, "__dict__", {}).values()
            slots = (slot for cls in type(one).__mro__ for slot in getattr(cls, "__slots__", ()))
            waiting += [getattr(one, slot) for slot in slots if hasattr(one, slot) and slot != "__weakref__"]


def secret_game() -> list[list[Command]]:
    """A setup, and steps, that hold passwords wherever VASSAL puts them."""
    shared = ObscurableState(owner=ALICE, unmasking=Unmasking(override=True, players=(BOB, "lurker")))
    open_ = counter("1", A, Hideable(), Obscurable(image="mask.png"), Restricted())
    closed = counter(
        "1", A, (Hideable(), HideableState(owner=ALICE)), (Obscurable(image="mask.png"), shared), Restricted()
    )
    owned = Restricted()
    kept = AddPiece(
        id="2", type=nest([owned.encode(), "piece;;;;Inf"], "\t"), state=nest([BOB, "Field;5;5;;0"], "\t")
    )
    return [
        [
            closed,
            kept,
            counter("3", A, on="Field"),
            deck("d", A),
            stack("s", B, "3"),
            Unmask(players=(ALICE, "lurker")),
        ],
        [drag("1", A, B, by=BOB), say("hello")],
        [turned(closed, open_), drag("3", A, B, by="lurker")],
        [turned(open_, closed)],
        [ChangePiece(id="1", new_state=closed.state)],
        [
            PrivateNote(owner=ALICE, text="mine"),
            DelayedNote(name="n", owner=BOB, hidden=True, text="x", date="", handle=""),
        ],
        [Clock(who=BOB, name="Bob", elapsed="5")],
        [Unknown(f"M/1/Field/x/{ALICE}"), RemovePlayer(password=BOB)],
    ]


@pytest.mark.parametrize("viewer", [None, "Alice"])
def test_no_object_behind_the_door_holds_a_password(viewer: str | None) -> None:
    setup, *steps = secret_game()
    text = streams.encode(log_of(setup, *steps).stream.root)
    assert all(secret in text for secret in SECRETS)
    for module in (None, battlefield()):
        game = (
            Played(setup, *steps, viewer=viewer) if module is None else Played(setup, *steps, module=module)
        )
        reached = [*objects_of(game.table), *objects_of(game.steps), *objects_of(game.replay.opening)]
        assert "@Alice" in reached, "the walk does reach what the passwords became"
        assert [one for one in reached for secret in SECRETS if secret in one] == []


def test_the_snapshot_holds_no_password() -> None:
    setup, *steps = secret_game()
    game = Played(setup, *steps)
    text = repr([*snapshot.things(game.table), snapshot.globals_of(game.table), game.table.chat, game.steps])
    assert [secret for secret in SECRETS if secret in text] == []


def test_the_repr_of_a_log_holds_no_password() -> None:
    assert ALICE not in repr(log_of([counter("1", A, (Hideable(), HideableState(owner=ALICE)))]))


def test_a_stream_without_a_position_is_an_empty_table() -> None:
    replay = Replay(Log("odd.vlog", streams.decode("CHATnothing")))
    assert list(replay.steps()) == []
    assert list(replay.table.things) == []


def test_pieces_wrapped_too_deep_are_odd() -> None:
    type_ = nest(["mark;a"] * 1_200 + ["piece;;;;Deep"], "\t")
    game = Played([AddPiece(id="1", type=type_, state="x"), counter("2", A)], [drag("2", A, B)])
    assert len(game.replay.opening.events) == 1
    assert game.lying(B) == [["2"]]


def test_commands_nested_too_deep_are_refused() -> None:
    node = Node("CHATend")
    for _ in range(streams.MAX_DEPTH + 1):
        node = Node("", (node,))
    with pytest.raises(FormatError, match="nested"):
        streams.encode(Node("begin_save", (node,)))
