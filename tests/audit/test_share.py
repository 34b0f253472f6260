"""What an audit says of how much was judged: each change on the table and each roll is counted once."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.audit import Report, audit
from referee.engine.actions import Action
from referee.report import text
from referee.report.as_json import report_json
from referee.report.judged_share import Share, Tally
from referee.report.visibility import REFEREE
from referee.scribe.facts import Changed, Faced, Shifted, Stepped, UnreadStep
from tests.audit.recorded import DATA, audited
from tests.audit.test_failures import failing_rule
from tests.scribe.playing import Playing
from vassalgen.game.finding import shipped_games
from vassalgen.vassal.commands import MovePiece

LOGS = sorted(
    log
    for game in shipped_games()
    for log in (DATA / game).glob("*.vlog")
    if not log.stem.startswith("everything-")  # the same commands with earlier versions of the module
)


def header(report: Report) -> list[str]:
    """The lines above the first finding or list."""
    lines = list(text.lines(report))
    return lines[: next(at for at, line in enumerate(lines) if line.startswith("Judged: ")) + 2]


def share(playing: Playing) -> Share:
    return Share.of(playing.audited())


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_each_fact_of_a_genuine_log_is_counted_once(log: Path) -> None:
    report = audited(log.parent.name, log.stem)
    facts = [fact for seen in report.logged_facts for step in seen.steps for fact in step.facts]
    changes = [one for one in facts if isinstance(one, Shifted | Stepped | Changed | Faced | UnreadStep)]
    found = Share.of(report)
    assert found.changes.total + found.by_track == len(changes)
    assert found.rolls.total == sum(bool(getattr(one, "faces", ())) for one in facts)
    assert found.by_track <= sum(isinstance(one, Changed) for one in changes)
    assert found.foreign == (log.stem == "second")  # a counter more than the game has
    assert found.is_enough


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_of_a_clean_game_all_rolls_and_nearly_all_changes_are_judged(game: str) -> None:
    found = Share.of(audited(game, next(log.stem for log in LOGS if log.match(f"{game}/clean*.vlog"))))
    assert found.rolls.judged == found.rolls.total > 0
    assert found.changes.judged >= 0.97 * found.changes.total


def test_the_header_says_what_was_judged() -> None:
    assert header(audited("postcard1943", "clean")) == [
        "Postcard Tunisia 1943: The battle for Tunisia 1942-43",
        "Audit of clean.vlog (112 steps), played by Ada",
        "Findings: 0 illegal, 0 unproven, 0 slips",
        "Judged: 36 of 36 changes on the table (34 certain, 2 ambiguous), 8 of 8 rolls.",
        "",
    ]


def test_a_move_taken_back_by_hand_is_put_right_by_the_players() -> None:
    playing = Playing({"blade": "B1"}, stop="Allied Movement").move("blade", "B2").move("blade", "B1")
    assert share(playing).changes == Tally(undone=2)


def test_an_air_unit_put_into_a_wrong_box_is_judged() -> None:
    playing = Playing(stop="Allied Movement").move("blade", "B2")
    assert share(playing.move("meaaf", "axis-north")).changes == Tally(certain=2)


def test_an_air_unit_put_aside_at_sea_is_taken_over_as_found() -> None:
    playing = Playing(stop="Allied Movement").move("blade", "B2")
    assert share(playing.move("meaaf", "A1")).changes.as_found == 1


def test_what_the_track_takes_off_is_counted_apart() -> None:
    playing = Playing({"pz10": "B5"}, turn=2, stop="Axis Combat").state("pz10").turn(to="Axis Recovery")
    found = share(playing.recover_silently("pz10").turn())
    assert (found.by_track, found.changes.total) == (1, 1)


def test_a_roll_that_belongs_to_no_action_is_of_unknown_purpose() -> None:
    found = share(Playing(stop="Allied Movement").move("blade", "B2").roll("bombing", 3))
    assert found.rolls == Tally(as_found=1)
    assert "1 roll of unknown purpose" in found.says


def test_a_log_in_which_nothing_happens_says_first_that_nothing_was_judged() -> None:
    lines = header(Playing().say("good morning").audited())
    assert lines[0] == "Nothing was judged: no counter changed on the table."


def test_a_log_that_moves_only_pieces_of_another_game_says_first_that_nothing_was_judged() -> None:
    playing = Playing().lay_foreign("Coffee cup", "B2")
    for x in (300, 500):
        moved = MovePiece(
            id="foreign-1", map="Main Map", x=x, y=300, under=None,
            old_map="Main Map", old_x=100, old_y=300, old_under=None, player="secret-ada",
        )  # fmt: skip
        playing._step([moved])
    lines = header(playing.audited())
    assert lines[0].startswith("Nothing was judged: only pieces that are not of this game changed in 2 steps")


def test_a_log_in_which_hardly_anything_is_read_says_so_first() -> None:
    playing = Playing(stop="Allied Movement")
    for name, sea in (("meaaf", "A1"), ("lw-afrika", "A2"), ("meaaf", "A3")):
        playing.move(name, sea)
    report = playing.move("blade", "B2").audited()
    assert not report.findings
    lines = header(report)
    warning = "Little was judged: 1 of 4 changes on the table. Breaches in the rest are not found."
    assert " ".join(" ".join(lines[:2]).split()) == warning
    assert lines[-2].startswith("Judged: 1 of 4 changes on the table (1 certain); 3 changes taken over")
    assert report_json(report)["judged"]["warning"] == warning


def test_what_a_rule_fails_at_is_not_judged_and_the_header_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    failing_rule(monkeypatch, "move", lambda action: isinstance(action, Action))
    playing = Playing({"blade": "B1"}, stop="Allied Movement").move("blade", "B2")
    lines = header(audit([playing.log()], playing.game))
    assert lines[0].startswith("Nothing was judged")
    assert any(line.startswith("Findings: ") and line.endswith("1 not judged") for line in lines)


def hidden() -> Playing:
    """Blade Force, which is masked, marches too far; the game goes on."""
    playing = Playing({"blade": "B1", "hart": "C1"}, stop="Allied Movement", masks=["blade"])
    return playing.hide("blade").move("blade", "H6")


def test_there_is_no_0_illegal_where_a_finding_is_withheld() -> None:
    report = hidden().audited()
    lines = header(report)
    assert "Findings: 1 withheld until the game is over" in lines
    assert "Findings: 1 illegal, 0 unproven, 0 slips" in list(text.lines(report, REFEREE))


def test_what_was_judged_is_the_same_for_everybody() -> None:
    report = hidden().move("hart", "C2").audited()
    assert report_json(report)["judged"] == report_json(report, REFEREE)["judged"]
