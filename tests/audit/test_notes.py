"""Notes of players and umpire: as text, what an audit makes of them, and the questions that they answer."""

from __future__ import annotations

import json
from pathlib import Path

import fastjsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from referee.audit import Report
from referee.cli import main
from referee.disputes import audit_with_notes
from referee.engine.rulings import Grade
from referee.notes import Agreed, DieFor, InPhase, Note, Says, Steps, TakenBack, Turn, parse, write
from referee.report.as_json import report_json
from referee.report.page import page
from referee.scribe.reading import Certainty
from referee.table import read_log
from tests.audit.browsing import Shown, chromium
from tests.scribe.playing import Playing, actions, found
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

DATA = Path(__file__).resolve().parents[1] / "data" / "postcard1943"
SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "findings.schema.json"
BREACHES, CLEAN = str(DATA / "breaches.vlog"), str(DATA / "clean.vlog")

_WORD = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9.+]{0,8}", fullmatch=True).filter(lambda word: word != "nothing")
_WORDS = st.lists(_WORD, min_size=1, max_size=3).map(" ".join)
_NUMBER = st.integers(1, 10**6)
_SAYS: st.SearchStrategy[Says] = st.one_of(
    st.builds(DieFor, _WORDS | st.just("nothing")),
    st.builds(TakenBack),
    st.builds(InPhase, _WORDS),
    st.builds(Agreed, st.lists(_WORD, max_size=3).map(tuple)),
)
_STEPS = st.builds(
    lambda first, more, log: Steps(first, first + more, log), _NUMBER, st.integers(0, 9), st.integers(0, 9)
)
_NOTES = st.one_of(
    st.builds(Note, _STEPS, _SAYS, _WORDS),
    st.builds(
        Note,
        st.builds(Turn, _NUMBER, st.just("") | _WORDS),
        st.builds(Agreed, st.lists(_WORD, max_size=3).map(tuple)),
        _WORDS,
    ),
)


@given(st.lists(_NOTES))
def test_notes_that_are_written_and_read_again_are_the_same(notes: list[Note]) -> None:
    assert list(parse(write(notes)).notes) == notes


@given(st.text())
def test_any_text_is_read_as_notes_or_refused_by_line(text: str) -> None:
    try:
        notes = parse(text, "game.notes")
    except BadInput as error:
        assert all(one.place.startswith("line ") and one.right for one in error.problems)
    else:
        assert parse(write(notes.notes)).notes == notes.notes


def test_comments_empty_lines_and_blanks_do_not_matter() -> None:
    notes = parse("# ours\n\n  Step  54 :  Die for  C3   --  Ada \nsteps 6-7: Taken back -- both\n").notes
    assert notes == (
        Note(Steps(54, 54), DieFor("C3"), "Ada"),
        Note(Steps(6, 7), TakenBack(), "both"),
    )


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("step 5: agreed", "the note does not name its author"),
        ("step 5: agreed -- ...", "the note does not name its author"),
        ("step 5: die for ... -- Ada", "'die for ...' is not answered"),
        ("step 5: it was late -- Ada", "'it was late' is not something that a note can say"),
        ("step 5: die for nothing by pz10 -- Ada", "'die for nothing' names no attackers"),
        ("step 7-5: agreed -- Ada", "step 7 comes before step 5"),
        ("yesterday: agreed -- Ada", "'yesterday' is neither a step nor a turn"),
        ("turn 4: taken back -- Ada", "'taken back' cannot be about a turn"),
        ("we agreed", "'we agreed' is not a note"),
    ],
)
def test_a_line_that_is_no_note_is_refused_with_its_place(line: str, wrong: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(f"# a game\n{line}\n", "game.notes")
    (problem,) = caught.value.problems
    assert (problem.file, problem.place, problem.wrong) == ("game.notes", "line 2", wrong)


def audited(game: Playing, *lines: str) -> Report:
    """A game audited with notes."""
    return audit_with_notes([game.log()], game.game, parse("\n".join(lines), "game.notes"))


def refused(game: Playing, *lines: str) -> list[str]:
    """What is wrong with notes about a game."""
    with pytest.raises(BadInput) as caught:
        audited(game, *lines)
    return [str(problem) for problem in caught.value.problems]


def too_far() -> Playing:
    """Division von Broich marches five hexes, and the track is advanced."""
    return Playing({"broich": "B5"}, stop="Axis Movement").move("broich", "G5").turn()


def test_what_players_agreed_on_stays_in_the_report_and_is_not_illegal() -> None:
    assert found(audited(too_far())) == [(1, "illegal", "move.2")]
    report = audited(too_far(), "step 1: agreed -- umpire")
    (finding,) = report.findings
    assert finding.agreed is not None
    assert finding.agreed.by == "umpire"
    assert report.count(Grade.illegal) == 0
    assert [one.id for one in report.noted[0].agreed] == [finding.id]


def test_what_players_agreed_on_for_one_clause_leaves_the_others() -> None:
    assert audited(too_far(), "step 1: agreed move.1 -- Ada").count(Grade.illegal) == 1
    assert audited(too_far(), "step 1: agreed move.1 move.2 -- Ada").count(Grade.illegal) == 0


def test_what_players_agreed_on_for_a_phase_or_a_turn() -> None:
    assert audited(too_far(), "turn 1, Axis movement: agreed -- Ada").count(Grade.illegal) == 0
    assert audited(too_far(), "turn 1: agreed move.2 -- Ada").count(Grade.illegal) == 0
    assert audited(too_far(), "turn 1, Axis combat: agreed -- Ada").count(Grade.illegal) == 1
    assert audited(too_far(), "turn 2: agreed -- Ada").count(Grade.illegal) == 1


def test_nothing_is_found_in_a_step_that_was_taken_back() -> None:
    game = too_far()
    report = audited(game, "step 1: taken back -- both")
    assert found(report) == []
    assert [one.id for one in report.noted[0].gone] == ["1:move.2:broich"]
    assert report.position.pieces["broich"].where == "G5"


def test_putting_back_what_was_taken_back_is_no_move() -> None:
    game = Playing({"broich": "B5", "pz10": "B4"}, stop="Axis Movement").move("broich", "G5")
    game.move("pz10", "C4").move("broich", "B5").move("broich", "B4").turn()
    report = audited(game, "step 1: taken back -- both")
    assert found(report) == []
    assert "move broich B5..B4" in actions(report)


def late() -> Playing:
    """A unit moves after the track was advanced to the attacks, and again later."""
    game = Playing({"broich": "B5", "uk78": "B2"}, stop="Allied Movement").say("done")
    return game.move("broich", "C4").turn(to="Axis Combat")


def test_the_phase_in_which_something_was_done_before_the_track_was_advanced() -> None:
    report = audited(late(), "step 2: phase Axis movement -- Ben")
    assert found(report) == []
    moved = next(one for one in report.readings if one.ruling and one.ruling.action.verb == "move")
    assert report.world.calendar.say(moved.before.clock) == "turn 1, Axis movement"


def straight(place: str, *, then: str = "") -> Playing:
    """78th Division is dragged from its box to a hex, and the track is advanced over the rest of the turn."""
    start = {"uk78": "allied-north", "us1a": "allied-north", "frxix": "allied-north", "pz10": "B5"}
    game = Playing(start, turn=2, stop="Reinforcements").move("uk78", place).move("us1a", "B1")
    game = game.move("frxix", "C1")
    return (game.move("uk78", then) if then else game).turn(to="Axis Movement")


COMING = "step 1: phase reinforcements -- Ada"


def test_who_is_dragged_straight_to_the_end_of_its_move_is_not_accused_for_saying_when_it_came() -> None:
    assert audited(straight("C3")).count(Grade.illegal) == 0
    assert audited(straight("C3"), COMING).count(Grade.illegal) == 0


def test_who_came_where_no_entry_and_move_lead_is_accused_though_it_says_when() -> None:
    assert audited(straight("F3"), COMING).count(Grade.illegal) == 1


def test_a_phase_in_which_something_was_not_done_makes_it_illegal() -> None:
    report = audited(late(), "step 2: phase Allied movement -- Ben")
    assert report.count(Grade.illegal) == 1
    assert report.noted[0].new


def test_a_phase_that_the_turn_track_makes_impossible_is_refused() -> None:
    (problem,) = refused(late(), "", "step 2: phase Axis recovery -- Ben")
    assert problem == (
        "game.notes: line 2: step 2 was not done in Axis recovery: the turn track showed turn 1, Allied "
        "movement and turn 1, Axis combat next: a phase from turn 1, Allied movement to turn 1, Axis combat"
    )
    assert "is not a phase" in refused(late(), "step 2: phase Tea time -- Ben")[0]


def two_battles() -> Playing:
    """Nobody says for which of two battles the die was, and units suffer in both."""
    game = Playing({"uk78": "C3", "pz10": "B4", "us1a": "G4", "superga": "G5"}, stop="Axis Combat")
    return game.roll("combat", 4).state("uk78").state("us1a").turn()


def test_a_die_is_for_the_battle_that_players_say() -> None:
    assert found(audited(two_battles())) == [(3, "unproven", "crt.1")]
    report = audited(two_battles(), "step 1: die for C3 -- Ada")
    assert "attack C3 with pz10 battle 100" in actions(report)
    assert found(report) == [(3, "illegal", "crt.1")]


def test_a_die_is_for_the_declared_battle_that_players_say() -> None:
    start = {"uk78": "C3", "pz10": "B4", "us1a": "G4", "superga": "G5"}
    game = Playing(start, stop="Axis Combat").attack(1, "C3", "pz10").attack(2, "G4", "superga")
    game.roll("combat", 4).state("uk78").turn()
    report = audited(game, f"step {game.number - 2}: die for C3 -- Ada")
    assert "roll combat 4 battle 1" in actions(report)


def several_attackers() -> Playing:
    """Several units are next to the enemy, and the log does not say which of them attacked."""
    start = {"uk78": "C3", "pz10": "B4", "broich": "C4", "superga": "D3"}
    return Playing(start, stop="Axis Combat").roll("combat", 4).state("uk78").turn()


def test_a_die_is_for_an_attack_by_the_units_that_players_name() -> None:
    unnamed = audited(several_attackers(), "step 1: die for C3 -- Ada")
    assert "attack C3 with pz10 battle 100" in actions(unnamed)
    assert Certainty.ambiguous in {one.certainty for one in unnamed.readings}
    report = audited(several_attackers(), "step 1: die for C3 by 10th Panzer Division, superga -- Ada")
    assert "attack C3 with pz10 superga battle 100" in actions(report)


def test_an_attack_that_players_name_is_judged() -> None:
    game = Playing({"uk78": "C3", "broich": "E5", "pz10": "B4"}, stop="Axis Combat").roll("combat", 4)
    report = audited(game.turn(), "step 1: die for C3 by Division von Broich -- Ada")
    assert (1, "illegal", "combat.3") in found(report)


def test_attackers_that_the_log_contradicts_are_refused() -> None:
    game = several_attackers()
    assert "'Rommel' is not a unit" in refused(game, "step 1: die for C3 by Rommel -- Ada")[0]
    assert "was not on the map" in refused(game, "step 1: die for C3 by de334 -- Ada")[0]
    assert "not all of these units are enemies" in refused(game, "step 1: die for C3 by uk78 -- Ada")[0]
    assert "and attacks are made on hexes" in refused(game, "step 1: die for broich by pz10 -- Ada")[0]
    start = {"uk78": "C3", "pz10": "B4", "broich": "C4"}
    game = Playing(start, stop="Axis Combat").attack(1, "C3", "pz10").roll("combat", 4).turn()
    (problem,) = refused(game, f"step {game.number - 1}: die for C3 by broich -- Ada")
    assert problem.endswith("another attack on C3 was declared: its attackers are 10th Panzer Division")


def test_a_die_for_nothing_leaves_nothing_open() -> None:
    game = Playing({"broich": "B5"}, stop="Axis Movement").roll("combat", 4).move("broich", "G5").turn()
    report = audited(game, "step 1: die for nothing -- Ada")
    assert found(report) == [(2, "illegal", "move.2")]


def test_a_die_note_that_the_log_contradicts_is_refused() -> None:
    assert refused(two_battles(), "step 2: die for C3 -- Ada") == [
        "game.notes: line 1: no die was rolled in step 2: a die without a declaration was rolled in step 1"
    ]
    assert refused(two_battles(), "step 1: die for A1 -- Ada") == [
        "game.notes: line 1: there was no battle at A1: no attack was declared there, and there were no "
        "enemies in it or next to it"
    ]
    assert "neither a hex nor a unit" in refused(two_battles(), "step 1: die for Rommel -- Ada")[0]


def test_steps_logs_turns_and_clauses_that_do_not_exist_are_refused_together() -> None:
    assert refused(
        too_far(),
        "step 9: agreed -- Ada",
        "log 2, step 1: agreed -- Ada",
        "turn 99: agreed -- Ada",
        "step 1: agreed move.99 -- Ada",
    )[:3] == [
        "game.notes: line 1: played.vlog has no step 9: its last step is 2",
        "game.notes: line 2: there is no log 2: there is only one log",
        "game.notes: line 3: there is no turn 99: the last is 7",
    ]


def test_of_several_logs_a_note_says_which() -> None:
    log = too_far().log()
    with pytest.raises(BadInput, match="there are 2 logs"):
        audit_with_notes([log, log], too_far().game, parse("step 1: agreed -- Ada"))
    report = audit_with_notes([log, log], too_far().game, parse("log 1, step 1: agreed -- Ada"))
    assert [one.agreed is not None for one in report.findings if one.clause == "move.2"][:1] == [True]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_the_report_says_what_rests_on_a_note_and_who_said_so(tmp_path: Path) -> None:
    notes, plain = tmp_path / "game.notes", tmp_path / "found.json"
    notes.write_text("step 3: agreed -- umpire\nstep 5: agreed -- Ada\n", encoding="utf-8")
    result = run("audit", BREACHES, "--notes", str(notes))
    assert result.exit_code == 1
    assert "Findings: 17 illegal, 0 unproven" in result.output
    assert "1 agreed" in result.output
    assert "agreed (umpire; otherwise illegal) seq.2" in result.output
    assert "Step 5: agreed (Ada). No finding depends on it." in result.output
    page = tmp_path / "audit.html"
    run("audit", BREACHES, "--notes", str(notes), "--json", str(plain), "--page", str(page))
    values = json.loads(plain.read_text(encoding="utf-8"))
    fastjsonschema.compile(json.loads(SCHEMA.read_text(encoding="utf-8")))(values)
    assert values["summary"]["agreed"] == 1
    assert values["notes"][0]["by"] == "umpire"
    assert [one["id"] for one in values["notes"][0]["agreed"]] == ["3:seq.2:broich"]
    assert '"by": "umpire"' in page.read_text(encoding="utf-8").replace('"by":"', '"by": "')


@pytest.mark.usefixtures("drawn_once")
def test_the_page_shows_notes_and_what_was_agreed_on(tmp_path: Path) -> None:
    game, path = open_game("postcard1943"), tmp_path / "audit.html"
    notes = parse("step 3: agreed -- umpire\nstep 20: taken back -- both")
    report = audit_with_notes([read_log(Path(BREACHES))], game, notes)
    path.write_text(page(report_json(report), game), encoding="utf-8")
    with chromium() as browser:
        shown = Shown.open(browser, path)
        assert "Agreed, says umpire" in shown.page.inner_text(".card.agreed")
        assert "Step 20: taken back (both)" in shown.page.inner_text("#sheet .notes")
        assert shown.complaints == []
        shown.close()


def test_the_record_of_a_game_with_notes_is_the_one_that_they_say(tmp_path: Path) -> None:
    notes, record = tmp_path / "breaches.notes", tmp_path / "game.record"
    notes.write_text("step 3: taken back -- both\n", encoding="utf-8")
    plain = run("record", BREACHES, "-o", str(record))
    before = record.read_text(encoding="utf-8")
    for named in (notes, tmp_path):
        noted = run("record", BREACHES, "--notes", str(named), "-o", str(record))
        assert (plain.exit_code, noted.exit_code) == (0, 0)
        assert record.read_text(encoding="utf-8") != before


def test_a_game_in_which_all_that_is_illegal_was_agreed_on_ends_with_0(tmp_path: Path) -> None:
    notes = tmp_path / "game.notes"
    notes.write_text("".join(f"turn {turn}: agreed -- both\n" for turn in range(1, 8)), encoding="utf-8")
    assert run("audit", BREACHES, "--notes", str(notes)).exit_code == 0


def test_a_note_that_the_log_contradicts_ends_with_2(tmp_path: Path) -> None:
    notes = tmp_path / "game.notes"
    notes.write_text("step 999: taken back -- both\n", encoding="utf-8")
    result = run("audit", CLEAN, "--notes", str(notes))
    assert result.exit_code == 2
    assert f"{notes}: line 1: clean.vlog has no step 999" in result.output


def test_the_questions_of_an_audit_are_notes_that_only_need_an_answer(tmp_path: Path) -> None:
    asked = tmp_path / "game.notes"
    assert run("audit", str(DATA / "messy.vlog"), "--questions", str(asked)).exit_code == 0
    text = asked.read_text(encoding="utf-8")
    assert parse(text).notes == ()
    (line,) = [line for line in text.splitlines() if line.startswith("#step")]
    answered = text.replace(line, line.removeprefix("#").replace("-- ...", "-- umpire"))
    asked.write_text(answered, encoding="utf-8")
    result = run("audit", str(DATA / "messy.vlog"), "--notes", str(asked), "--questions", "-")
    assert "# Nothing is unproven." in result.output
    assert parse(result.output).notes == parse(answered).notes


def test_a_log_in_which_all_is_proved_asks_nothing() -> None:
    assert run("audit", CLEAN, "--questions", "-").output.endswith("# Nothing is unproven.\n")
