"""``referee replay`` as people and programs use it."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.table import Replay, snapshot
from tests.table import truth
from tests.table.games import ALICE, BOB, A, B, C, counter, deck, drag, log_of, say, stack, turned
from vassalgen.vassal import streams
from vassalgen.vassal.commands import ChangeProperty, Chat, Command, Null, SetTurn
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.savedgame import SavedGame
from vassalgen.vassal.traits.movement_markable import MovementMarkable, MovementMarkableState
from vassalgen.vassal.traits.obscurable import Obscurable, ObscurableState

SETUP: list[Command] = [
    counter("1", A, name="Inf"),
    counter("2", A, name="Tank"),
    stack("s", A, "1", "2"),
    counter("3", B, (Obscurable(image="m.png"), ObscurableState(owner=BOB)), name="Spy"),
    counter("4", C),
    deck("d", C, "4"),
]
STEPS: list[list[Command]] = [
    [say("your move")],
    [drag("2", A, B), stack("t", B, "2"), Chat(text="* Tank moves")],
    [drag("s", A, C)],
]


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, args)])


def lines(*args: str | Path) -> list[dict[str, Any]]:
    result = run(*args)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def write(path: Path, setup: Sequence[Command], *steps: Sequence[Command], module: str = "Ridge") -> Path:
    text = streams.encode(log_of(setup, *steps).stream.root)
    SavedGame.new(text, SaveData(description="Turn 3"), ModuleData(name=module)).write(path)
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write(tmp_path / "one.vlog", SETUP, *STEPS)


def test_a_log_is_described_step_by_step(log: Path) -> None:
    result = run(log)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "one.vlog: 3 steps, 4 pieces; Alice (Axis), Bob (Allied)",
        "  “Turn 3”",
        "1 Alice: “your move”",
        "2 Alice: Tank moved from 100,100 to 200,100 (Battlefield)",
        "    * Tank moves",
        "3 Alice: Inf moved from 100,100 to 300,100 (Battlefield)",
    ]


def test_a_step_is_reported_with_what_lies_where_after_it(log: Path) -> None:
    assert run(log, "--step", "2").stdout.splitlines()[2:] == [
        "2 Alice: Tank moved from 100,100 to 200,100 (Battlefield)",
        "    * Tank moves",
        "On Battlefield:",
        "  100,100: Inf",
        "  200,100: ?",
        "  200,100: Tank",
        "  300,100: Draw, 1 cards face down",
    ]


def test_step_nought_is_the_position_the_log_begins_with(log: Path) -> None:
    shown = run(log, "--step", "0").stdout.splitlines()
    assert "  100,100: Inf, Tank" in shown
    assert not any(line.startswith(("0", "1", "2")) for line in shown)


def test_a_save_is_described_as_what_is_where(tmp_path: Path) -> None:
    shown = run(write(tmp_path / "one.vsav", SETUP)).stdout.splitlines()
    assert shown[0] == "one.vsav: a position, no steps, 4 pieces; Alice (Axis), Bob (Allied)"
    assert shown[2:4] == ["On Battlefield:", "  100,100: Inf, Tank"]


def test_pieces_that_move_alike_are_reported_together_and_their_marks_not(tmp_path: Path) -> None:
    path = write(tmp_path / "one.vlog", SETUP, [drag("s", A, B), say("go")])
    assert (
        run(path).stdout.splitlines()[2] == "1 Alice: Inf, Tank moved from 100,100 to 200,100 (Battlefield)"
    )


def test_marks_alone_are_reported_together(tmp_path: Path) -> None:
    marks = [counter(one, A, (MovementMarkable(), MovementMarkableState(moved=True))) for one in "12"]
    clear = [counter(one, A, (MovementMarkable(), MovementMarkableState(moved=False))) for one in "12"]
    path = write(tmp_path / "one.vlog", marks, [turned(*pair) for pair in zip(marks, clear, strict=True)])
    assert run(path).stdout.splitlines()[-1] == "1: Unit 1, Unit 2 were marked not moved"


def test_a_step_that_shows_nothing_is_reported_only_with_all(tmp_path: Path) -> None:
    path = write(tmp_path / "one.vlog", SETUP, [Null()])
    assert run(path, "--all").stdout.splitlines()[-1] == "1: nothing that shows"
    assert run(path).stdout.splitlines()[-1] == "  “Turn 3”"


def test_properties_are_reported_once_and_only_if_they_end_with_another_value(tmp_path: Path) -> None:
    values = [("0", "0"), ("0", "1"), ("1", "2")]
    changes: list[Command] = [ChangeProperty(name="Score", old=old, new=new) for old, new in values]
    same = ChangeProperty(name="Weather", old="dry", new="dry")
    path = write(tmp_path / "one.vlog", SETUP, [*changes, same], [*changes, say("two points")])
    assert run(path).stdout.splitlines()[2:] == ["1: Score changed from '0' to '2'", "2 Alice: “two points”"]
    assert len(run(path, "--all").stdout.splitlines()) == 2 + 4 + 5 - 1


def test_the_turn_track_is_advanced_where_no_module_says_to_what(tmp_path: Path) -> None:
    path = write(tmp_path / "one.vlog", SETUP, [SetTurn(tracker="TurnTracker0", state="0|2;0;false;-1")])
    assert run(path).stdout.splitlines()[-1] == "1: the turn track was advanced"


def test_a_player_sees_what_he_hid(log: Path) -> None:
    assert "  200,100: Spy(?)" in run(log, "--step", "0", "--as", "Bob").stdout.splitlines()
    assert "  200,100: ?" in run(log, "--step", "0", "--as", "Alice").stdout.splitlines()


def test_an_unknown_player_sees_as_an_observer_and_is_warned(log: Path) -> None:
    result = run(log, "--step", "0", "--as", "Carol")
    assert result.exit_code == 0
    assert result.stderr == f"{log}: no player 'Carol' in this log; its players: Alice, Bob\n"


def test_each_line_of_json_shows_the_table_as_it_was_then(log: Path) -> None:
    load, *steps = lines(log, "--jsonl")
    assert (load["event"], load["step"], load["steps"], load["log"]) == ("load", 0, 3, "one.vlog")
    assert load["players"] == [{"name": "Alice", "side": "Axis"}, {"name": "Bob", "side": "Allied"}]
    tank = [next(one for one in line["pieces"] if one["id"] == "2") for line in (load, *steps)]
    assert [(one["x"], one["stack"]) for one in tank] == [(100, "s"), (100, "s"), (200, "t"), (200, "t")]
    assert [line["step"] for line in steps] == [1, 2, 3]
    moved, reported = steps[1]["events"]
    assert moved["type"] == "Moved"
    assert moved["target"] == {"map": "Battlefield", "x": 200, "y": 100, "location": None}
    assert reported == {"type": "Reported", "text": "* Tank moves"}
    assert steps[0]["chat"] == ["&lt;Alice&gt; - your move"]


def test_json_of_one_step_is_one_line(log: Path) -> None:
    (line,) = lines(log, "--jsonl", "--step", "2")
    assert line["step"] == 2
    assert len(line["pieces"]) == 8


def test_the_lines_of_a_delta_add_up_to_the_whole(log: Path) -> None:
    whole, deltas = lines(log, "--jsonl"), lines(log, "--jsonl", "--delta")
    shown: dict[str, Any] = {}
    for full, delta in zip(whole, deltas, strict=True):
        assert set(delta["removed"]) <= shown.keys()
        shown = {key: one for key, one in shown.items() if key not in delta["removed"]}
        shown |= {one["id"]: one for one in delta["changed"]}
        assert delta["pieceCount"] == len(full["pieces"])
        assert sorted(shown.items()) == sorted((one["id"], one) for one in full["pieces"])
    assert [len(delta["changed"]) for delta in deltas] == [6, 0, 5, 2]


def test_a_delta_of_words_is_misuse(log: Path) -> None:
    result = run(log, "--delta")
    assert result.exit_code == 2
    assert "--delta needs --jsonl" in result.stderr


def test_logs_that_follow_each_other_are_checked_at_the_joint(tmp_path: Path, log: Path) -> None:
    after = [one for one in SETUP if one is not SETUP[2]]
    after += [stack("s", C, "1"), stack("t", B, "2")]
    good = write(tmp_path / "two.vlog", after, [say("and mine")])
    shown = run(log, good).stdout.splitlines()
    assert "It begins as one.vlog ended." in shown
    assert shown[-1] == "1 Alice: “and mine”"
    gone = [one for one in after if one is not SETUP[3]]
    bad = write(tmp_path / "three.vlog", [counter("9", B), *gone])
    shown = run(log, bad).stdout.splitlines()
    at = shown.index("It does not begin as one.vlog ended; between the two changed:")
    assert shown[at + 1 : at + 3] == [
        "  ?: 200,100 (Battlefield) → gone",
        "  Unit 9: not there → 200,100 (Battlefield)",
    ]
    load = lines(log, bad, "--jsonl")[4]
    assert len(load["joint"]) == 2


def test_a_module_of_another_game_is_refused(shared: Path, log: Path) -> None:
    module = shared / "vassal-truth" / "demo.vmod"
    result = run(log, "--module", module)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"{module}: is the module 'Demo Ridge'; one.vlog was made with 'Ridge': "
        "use the module of the log, or leave out --module\n"
    )


@pytest.mark.parametrize("step", ["4", "99"])
def test_a_step_that_is_not_there_is_misuse(log: Path, step: str) -> None:
    result = run(log, "--step", step)
    assert result.exit_code == 2
    assert result.stderr == f"{log}: there is no step {step}: the log has 3 steps\n"


def test_files_that_are_no_logs_are_reported_in_one_line(tmp_path: Path, log: Path) -> None:
    broken = tmp_path / "broken.vlog"
    broken.write_bytes(log.read_bytes()[:200])
    text = tmp_path / "notes.txt"
    text.write_text("hello", encoding="utf-8")
    for path in (broken, text, tmp_path / "missing.vlog", tmp_path):
        result = run(path)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith(f"{path}: ")
    result = run(log, "--module", text)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_damage_beside_the_stream_does_not_keep_a_log_from_being_replayed(tmp_path: Path) -> None:
    text = streams.encode(log_of(SETUP).stream.root)
    path = tmp_path / "one.vsav"
    SavedGame(text, others=(("savedata", b"<data>"), ("moduledata", b"<data>"))).write(path)
    assert run(path).stdout.startswith("one.vsav: a position")


def test_no_output_holds_a_password(log: Path) -> None:
    for options in ([], ["--jsonl"], ["--jsonl", "--delta"], ["--step", "0", "--as", "Bob"]):
        result = run(log, *options)
        assert ALICE not in result.output
        assert BOB not in result.output


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("at_terminal", "shown"), [(True, True), (False, False)])
def test_long_work_shows_its_progress_at_a_terminal_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_terminal: bool, shown: bool
) -> None:
    path = write(tmp_path / "long.vlog", SETUP, *([say("x")] for _ in range(300)))
    stderr = Terminal() if at_terminal else io.StringIO()
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    main(["replay", str(path), "--jsonl", "--delta"], standalone_mode=False)
    assert ("long.vlog" in stderr.getvalue()) is shown


def test_the_lines_of_json_are_what_vassal_shows(shared: Path) -> None:
    folder = shared / "vassal-truth"
    ours = lines(folder / "demo.vlog", "--module", folder / "demo.vmod", "--jsonl", "--reveal")
    engine = [line for line in truth.lines(folder / "demo.truth.jsonl") if line["event"] in ("load", "step")]
    assert len(ours) == len(engine)
    for line, theirs in zip(ours, engine, strict=True):
        assert (line["event"], line["step"], line["chat"]) == (
            theirs["event"],
            theirs["step"],
            theirs["chat"],
        )
        assert line["globals"] == theirs["globals"]
        assert [one["text"] for one in line["turns"]] == [one["text"] for one in theirs["turns"]]
        both = (truth.by_contents({one["id"]: one for one in side["pieces"]}) for side in (theirs, line))
        assert next(both) == next(both)


def test_what_a_watch_says_is_what_the_table_says(shared: Path) -> None:
    log = attrs.evolve(log_of(SETUP, *STEPS), name="x")
    replay = Replay(log)
    watch = snapshot.Watch(replay.table)
    for _ in replay.steps():
        watch.look()
        assert [json.loads(text) for text in watch.in_order()] == list(snapshot.things(replay.table))


def test_help_names_every_option() -> None:
    shown = run("--help").stdout
    assert all(option in shown for option in ("--module", "--step", "--as", "--jsonl", "--delta", "--limit"))


def test_a_line_of_the_chat_without_end_is_cut_on_the_terminal_and_whole_in_json(tmp_path: Path) -> None:
    path = write(tmp_path / "long.vlog", SETUP, [say("x" * 30_000)])
    shown = run(path).stdout
    assert "xxx … (" in shown
    assert "letters more)" in shown
    assert len(shown) < 11_000
    assert any("x" * 30_000 in "".join(line.get("chat", [])) for line in lines(path, "--jsonl"))


def test_what_counters_and_the_clerk_of_our_modules_tell_each_other_is_left_out(tmp_path: Path) -> None:
    noted: list[Command] = [
        ChangeProperty(name="Was1", old="", new="A", container="Ridge"),
        ChangeProperty(name="Weather", old="dry", new="mud", container="Ridge"),
    ]
    path = write(tmp_path / "noted.vlog", SETUP, noted)
    shown = run(path).output
    assert "Weather" in shown
    assert "Was1" not in shown
    assert "Was1" in run("--all", path).output
