"""Logs of one game that fit together are read as one."""

from __future__ import annotations

import pytest

from referee.audit import Report, audit
from tests.scribe.playing import Playing, accused, actions, found

COUNTERS = {"blade": "B1", "hart": "C1", "pz10": "B5"}


def played(**where: str) -> Playing:
    return Playing({**COUNTERS, **where}, stop="Allied Movement")


def audited(*parts: Playing) -> Report:
    logs = [part.log(f"{number}.vlog") for number, part in enumerate(parts, 1)]
    return audit(logs, parts[0].game)


def moves(report: Report) -> list[str]:
    return [line for line in actions(report) if line.startswith("move")]


def test_a_move_goes_on_in_the_log_that_begins_where_the_one_before_ended() -> None:
    report = audited(played().move("blade", "B2"), played(blade="B2").move("blade", "C3").turn())
    assert moves(report) == ["move blade B1-B2-C3"]
    assert next((one.log, one.steps) for one in report.readings if one.ruling is not None) == (1, (1,))


def test_a_move_that_two_players_have_logged_is_one() -> None:
    first = played().move("blade", "B2").move("hart", "C2")
    report = audited(first, played(blade="B2").move("hart", "C2").move("hart", "C1").turn())
    assert moves(report) == ["move blade B1..B2"]
    assert "steps 1 to 1 are in 1.vlog as well" in [one.text for one in report.unread]


def test_a_roll_that_was_taken_back_is_the_same_in_both_logs() -> None:
    first = played().move("blade", "B2").move("hart", "C2").roll("combat", 3).undo().say("oops")
    second = played(blade="B2").move("hart", "C2").roll("combat", 3).undo().say("oops")
    report = audited(first, second.move("hart", "C1").turn())
    assert moves(report) == ["move blade B1..B2"]


def test_a_step_that_is_taken_back_after_the_first_log_has_ended() -> None:
    second = played(blade="B2").move("hart", "C2").undo().move("hart", "D1")
    report = audited(played().move("blade", "B2").move("hart", "C2"), second.turn())
    assert moves(report) == ["move blade B1..B2", "move hart C1..D1"] and accused(report) == []


@pytest.mark.parametrize("rest", [[], ["blade"]])
def test_a_log_that_is_part_of_another_adds_nothing(rest: list[str]) -> None:
    whole, part = played().move("blade", "B2").move("hart", "C2"), played()
    for name in rest:
        part = part.move(name, "B2")
    assert moves(audited(whole, part)) == ["move blade B1..B2", "move hart C1..C2"]


def test_a_breach_in_a_later_log_is_found_at_its_step_there() -> None:
    second = played(blade="B2").move("hart", "C2").move("pz10", "A4")
    report = audited(played().move("blade", "B2"), second.turn())
    assert [(one.log, one.steps[-1], one.clause) for one in report.findings if one.clause == "seq.2"] == [
        ("2.vlog", 2, "seq.2")
    ]


def test_the_track_may_be_advanced_between_two_logs() -> None:
    second = Playing({**COUNTERS, "blade": "B2"}, stop="Allied Combat").say("on")
    report = audited(played().move("blade", "B2"), second)
    assert not any("does not begin" in one.text for one in report.unread)
    assert report.position.clock == second.clock and found(report) == []


def test_what_is_played_otherwise_from_the_same_position_is_read_too() -> None:
    first, second = played().move("blade", "B2"), played().move("blade", "C2").move("hart", "C3")
    assert moves(audited(first, second))[-1] == "move hart C1..C3"
    assert accused(audited(first, second)) == []


def test_a_counter_laid_anew_before_the_log_begins_is_the_one_on_the_map() -> None:
    part = played(uk78="allied-north").lay("uk78", "C2", "copy")
    part.setup[-2:-2] = part.steps.pop()
    report = part.drag_marker("uk78", "C3", "copy").turn().audited()
    assert report.position.pieces["uk78"].where == "C3"
    assert moves(report) == ["move uk78 C2..C3"] and accused(report) == []


def test_a_counter_that_was_deleted_between_two_logs_is_off_the_map() -> None:
    first, second = played().move("blade", "B2"), dict(COUNTERS, blade="B3")
    del second["pz10"]
    report = audited(first, Playing(second, stop="Allied Movement").move("hart", "C2").turn())
    assert report.position.at("B5") == () and accused(report) == []
