"""What inspect says of saves and logs."""

from __future__ import annotations

import json
from pathlib import Path

from tests.inspection.making import found, game_facts, step
from vassalgen.inspection.facts import Activity, FindingKind, ModuleName, PlayerActivity, PlayerFacts, as_json
from vassalgen.inspection.games import game_facts as read_facts
from vassalgen.inspection.report import report
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.savedgame import SavedGame, read_saved_game

FOOT = "+/1/piece;;;;Foot/Main Map;10;10;1;0"
GUN = "+/2/piece;;;;Gun/null;0;0;2;0"
STACK = "+/9/stack/Main Map;10;10;1;2;@@1"
ALICE = "PLAYER\tsesame\tAlice\tBlue"
BOB = "PLAYER\tswordfish\tBob\tRed"
END = "end_save"


def test_pieces_are_counted_on_the_map_of_their_stack() -> None:
    deck = "+/8/deck;/Reserves;5;5;true;3,4"
    cards = (f"+/{number}/piece;;;;Card/Main Map;0;0;;0" for number in (3, 4))
    facts = game_facts(
        FOOT, GUN, STACK, *cards, deck, "+/7/stack/Main Map;1;1", "+/6/piece;;;;Loose/null;0;0;;0"
    )
    main, reserves, nowhere = facts.maps
    assert (main.name, main.pieces, main.stacks, main.decks) == ("Main Map", 2, 1, 0)
    assert (reserves.name, reserves.pieces, reserves.decks, reserves.cards) == ("Reserves", 2, 1, 2)
    assert (nowhere.name, nowhere.pieces) == (None, 1)
    assert facts.pieces == 5


def test_a_save_shows_its_players_boards_properties_notes_and_extensions() -> None:
    facts = game_facts(
        ALICE, BOB, ALICE, "PLAYER\t\tCarol\tGreen", "Main MapBoardPicker\tRidge\t0\t0",
        "GlobalProperty\t;VP;1;Module",
        "NOTES\tAttack!", "PNOTES\t", "PNOTE\tsesame\tDon't", "EXT\tWinter\t1.1", "EXT\tWinter\t1.1", END,
    )  # fmt: skip
    assert facts.kind == "save"
    assert [(player.name, player.side) for player in facts.players] == [
        ("Alice", "Blue"), ("Bob", "Red"), ("Carol", "Green"),
    ]  # fmt: skip
    assert facts.maps[0].boards == ("Ridge",)
    assert (facts.properties, facts.notes) == (1, ("private", "scenario"))
    assert facts.extensions == (ModuleName("Winter", "1.1"),)
    assert facts.activity is None


def test_the_activity_in_a_log_is_listed_by_player() -> None:
    facts = game_facts(
        FOOT, ALICE, BOB, END,
        step("null", "D/1/null;0;0;;0/null;1;0;;0", "M/1/Main Map/5/5/null/Main Map/10/10/null/sesame",
             "+/20/stack/Main Map;5;5;1;@@0", "CHAT* Foot moves"),
        step("CHAT&lt;Bob&gt; - good move"),
        step("CHAT*** 2d6 = 3,4 *** &lt;Bob&gt;", "MutableProperty\t2d6_result\t1\t3,4\tModule"),
        step("CHAT* * <Alice> Turn Updated", "TURNTurnTracker0\t0|1"),
        step("-/1"), step("-/20"),
        step("UNDO\ttrue", "+/1/piece;;;;Foot/Main Map;10;10;1;0", "CHAT* UNDO: gone", "UNDO\tfalse"),
    )  # fmt: skip
    assert facts.kind == "log"
    assert facts.activity == Activity(
        steps=7, moves=1, changes=1, removed=1, rolls=1, turns=1, chat=1, reports=3, undos=1
    )
    assert facts.by_player == (
        PlayerActivity("Alice", Activity(steps=2, moves=1, changes=1, turns=1, reports=2)),
        PlayerActivity("Bob", Activity(steps=2, rolls=1, chat=1, reports=1)),
        PlayerActivity(None, Activity(steps=3, removed=1, undos=1)),
    )


def test_a_player_who_comes_later_is_reported_with_the_step() -> None:
    facts = game_facts(ALICE, END, step("PYREMOVE\tsesame", "PLAYER\tsesame\tAlice\tRed"), step(ALICE))
    assert facts.players == (PlayerFacts("Alice", "Blue"), PlayerFacts("Alice", "Red", 1))


def test_nobody_is_taken_for_a_player_because_of_a_name_in_a_chat() -> None:
    facts = game_facts(ALICE, END, step("CHAT&lt;Mallory&gt; - hello"))
    assert facts.by_player == (PlayerActivity(None, Activity(steps=1, chat=1)),)


def test_no_password_is_in_facts_or_words() -> None:
    facts = game_facts(
        FOOT, ALICE, BOB, END, "INFO\tsesame",
        step("M/1/Main Map/5/5/null/Main Map/1/1/null/sesame"), step("M/1/swordfish"),
    )  # fmt: skip
    said = json.dumps(as_json(facts)) + repr(facts) + "\n".join(report(facts, True))
    assert "sesame" not in said
    assert "swordfish" not in said


def test_a_command_that_vassal_cannot_read_is_found_with_its_step() -> None:
    facts = game_facts(END, step("CHATx", "M/1/2"), step("PLAYER\tsesame"))
    broken = found(facts, FindingKind.BROKEN_COMMAND)
    assert sorted(place for finding in broken.values() for place in finding.places) == ["step 1", "step 2"]
    assert all(finding.serious for finding in broken.values())


def test_a_piece_that_vassal_cannot_read_is_found() -> None:
    facts = game_facts("+/1/delete\tpiece;;/\tnull;0;0;;0", END)
    (finding,) = found(facts, FindingKind.BROKEN_PIECE).values()
    assert finding.places == ("piece 1",)


def test_two_pieces_with_one_id_are_found() -> None:
    assert set(found(game_facts(FOOT, FOOT), FindingKind.DUPLICATE_PIECE_ID)) == {"1"}


def test_commands_of_other_people_are_only_mentioned_by_their_first_word() -> None:
    facts = game_facts("INFO\tsecret stuff", "gibberish")
    unknown = found(facts, FindingKind.UNKNOWN_COMMAND)
    assert set(unknown) == {"INFO", "without a name"}
    assert not any(finding.serious for finding in unknown.values())


def test_the_module_and_the_comment_stand_in_what_the_save_says_about_itself() -> None:
    saved = SaveData(version="1.2", vassal_version="3.7.26", description="Turn 3", date_saved=86_400_000)
    game = SavedGame.new("begin_save", saved, ModuleData(name="Hill Fight", version="1.1"))
    facts, _ = read_facts(game)
    assert facts.module == ModuleName("Hill Fight", "1.2")
    assert (facts.made.vassal, facts.made.saved, facts.made.comments) == (
        "3.7.26",
        "1970-01-02T00:00:00Z",
        "Turn 3",
    )


def test_damaged_metadata_is_a_finding_and_the_rest_is_reported() -> None:
    game = SavedGame("begin_save\x1b" + ALICE, others=(("savedata", b"<data><version>"),))
    facts, _ = read_facts(game)
    assert len(found(facts, FindingKind.BROKEN_METADATA)) == 1
    assert facts.players == (PlayerFacts("Alice", "Blue"),)


def test_a_time_beyond_all_calendars_is_no_time() -> None:
    facts, _ = read_facts(SavedGame.new("begin_save", SaveData(date_saved=10**18 - 1)))
    assert facts.made.saved is None


def test_the_demo_log_holds_what_was_done_in_it(shared: Path) -> None:
    facts, _ = read_facts(read_saved_game(shared / "vassal-truth" / "demo.vlog"))
    played = json.loads((shared / "vassal-truth" / "demo.json").read_text())["ops"]
    done = [one["op"] for one in played]
    assert facts.activity is not None
    assert facts.activity.undos == done.count("undo")
    assert facts.activity.turns == done.count("turn")
    assert facts.activity.chat == done.count("chat")
    assert facts.activity.rolls == sum(one.get("name") == "2d6" for one in played)
    assert facts.by_player[0].player == "Alice"
