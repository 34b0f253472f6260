"""Values that no game has, in announcements and on the table: they are refused where they enter."""

from __future__ import annotations

import pytest

from referee.audit import Report
from referee.carrying_out import carry_out
from referee.engine.actions import Action
from referee.engine.clock import Calendar
from referee.record import Statement, parse
from referee.report.dice import as_far
from tests.scribe.playing import Playing, the_game
from vassalgen import announcements
from vassalgen.announcements import parse_line
from vassalgen.problems import BadInput
from vassalgen.vassal.commands import Chat, SetTurn


def remarks(report: Report) -> str:
    return "\n".join(one.text for one in report.unread)


@pytest.mark.parametrize("shown", ["9", "-1", "99999999999999999999999", "²", "9" * 5000])
def test_a_state_that_a_counter_cannot_have_is_named_and_left_out(shown: str) -> None:
    playing = Playing({"blade": "B1"}, stop="Allied Movement")
    playing._step([playing._change("blade", **{announcements.STEPS: shown})])
    playing._step([playing._change("blade", **{announcements.state_property("disrupted"): shown})])
    report = playing.move("blade", "B2").audited()
    assert report.position.pieces["blade"].steps == 1
    assert shown in ("²", "9" * 5000) or "Blade Force shows" in remarks(report)


@pytest.mark.parametrize("turn", ["4000000", "-1", "²", "9" * 5000])
def test_a_turn_that_the_game_has_not_is_not_gone_on_to(turn: str) -> None:
    playing = Playing(stop="Allied Movement")
    track = f"0|{turn};0;false;-1;3\\;0\\;0\\;true,true,true,true,true,true,true,true"
    said = f"* |Phase: Turn {turn}, Allied Movement (Allies)"
    playing._step([Chat(text=said), SetTurn(tracker="TurnTracker0", state=track)])
    assert playing.move("blade", "B2").audited().position.turn <= 2


@pytest.mark.parametrize("die", [0, 7, 123456789])
def test_faces_that_no_dice_show_are_named_and_left_out(die: int) -> None:
    playing = Playing({"blade": "B1", "superga": "B2"}, stop="Allied Combat")
    report = playing.attack(1, "B2", "blade").resolve(1, 2, 2, "1:1", die, "DR").roll("combat", die).audited()
    assert f"no dice of this game show {die}" in remarks(report)


def test_numbers_of_more_digits_than_any_game_has_announce_nothing() -> None:
    assert parse_line(f"Battle {'1' * 5000}: cancelled (Allies)") is None
    assert parse_line("Battle 1: cancelled (Allies)") is not None


@pytest.mark.parametrize(
    "action",
    [
        Action("move", ("blade",)),
        Action("move", (), ("B1", "B2")),
        Action("attack", ("blade",)),
        Action("roll combat"),
        Action("result"),
    ],
)
def test_an_action_without_what_its_form_calls_for_is_none(action: Action) -> None:
    playing = Playing().audited().position
    with pytest.raises(BadInput, match="is missing"):
        carry_out(playing, Statement(action))


def test_a_record_that_goes_on_to_a_turn_of_no_game_is_refused() -> None:
    calendar = Calendar.of(the_game(), next(iter(the_game().scenarios.values())))
    for turn in ("123456", "9" * 5000):
        with pytest.raises(ValueError, match="there is no turn"):
            calendar.read(f"turn {turn}, reinforcements")


def test_a_phase_names_its_side_by_adjective_or_id() -> None:
    calendar = Calendar.of(the_game(), next(iter(the_game().scenarios.values())))
    for stop in calendar.stops:
        by_id = f"turn 2, {stop.side} {stop.phase.id}".replace(",  ", ", ")
        assert calendar.stops[calendar.read(by_id).stop] is stop


def test_chance_of_very_many_dice_is_reported_at_once() -> None:
    for total in (1750, 1800, 1650):
        exact = as_far(6, 500, total)
        assert as_far(6, 501, total + 3) == pytest.approx(exact, abs=0.02)
    assert as_far(6, 1_000_000, 3_500_000) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize("number", ["1²", "9" * 5000, "1e9"])
@pytest.mark.parametrize(
    "line",
    [
        "roll combat {}",
        "settle battle {}",
        "place blade on B1 steps {}",
        "place blade on B1 disrupted turn {}",
    ],
)
def test_a_record_with_numbers_that_are_none_is_refused(line: str, number: str) -> None:
    with pytest.raises(BadInput):
        parse(f"game postcard1943\n{line.format(number)}\n")
