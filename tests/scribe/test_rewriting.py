"""Logs written again as players may have meant them; the logs are as small as can be."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from attrs import evolve

from referee.engine.clock import Calendar, Clock
from referee.scribe import facts, rewriting
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import Fact
from referee.scribe.rewriting import rewritings
from tests.scribe.playing import the_game
from tests.scribe.small_logs import a_log, dragged, rolled

PZ10, BROICH, HART = "pz10", "broich", "hart"
TURNED = facts.Turned(step=0, clock=Clock(1, 5))


def calendar() -> Calendar:
    return Calendar.of(the_game(), next(iter(the_game().scenarios.values())))


def pressed(counter: str, face: int, battle: int = 1) -> Fact:
    return facts.Declared(step=0, declaration="press", counter=counter, battle=battle, faces=(face,))


def written(
    log: LoggedFacts,
    says: str,
    *,
    accused: int = 1,
    names: Collection[str] = (),
    unclear: Collection[int] = (),
    elsewhere: Collection[int] = (),
) -> list[str]:
    """The facts of a log written again in one way, in short; empty if it cannot be."""
    found = rewritings(log, {accused}, names, the_game(), calendar(), unclear, elsewhere)
    again = next((one.log for one in found if one.says == says), None)
    return [_short(fact) for step in again.steps for fact in step.facts] if again is not None else []


def _short(fact: Fact) -> str:
    match fact:
        case facts.Shifted():
            return f"{fact.step} {fact.counter} {fact.origin}-{fact.target}"
        case facts.Rolled():
            return f"{fact.step} {fact.dice} {fact.faces[0]}"
        case facts.Declared():
            return f"{fact.step} {fact.counter} {fact.declaration} {fact.faces[0]}"
        case _:
            return f"{fact.step} {type(fact).__name__.lower()} {getattr(fact, 'counter', '')}".rstrip()


def test_a_log_without_a_trace_of_another_meaning_is_not_written_again() -> None:
    log = a_log(*dragged(PZ10, "B5", "B4", "C4"), *dragged(BROICH, "C5", "D4"), rolled("combat", 3))
    assert list(rewritings(log, {1}, {PZ10}, the_game(), calendar(), ())) == []


def test_a_counter_dragged_out_and_back_has_stayed() -> None:
    log = a_log(*dragged(PZ10, "B5", "B4"), *dragged(HART, "D4", "D5"), *dragged(PZ10, "B4", "B5"))
    assert written(log, rewriting.TAKEN_BACK) == ["2 hart D4-D5"]


def test_a_step_and_a_marker_that_are_given_back_were_never_taken() -> None:
    step = facts.Stepped(step=0, counter=PZ10, old=2, new=1)
    mark = facts.Changed(step=0, counter=PZ10, state="disrupted", old=0, new=1)
    back = (evolve(step, old=1, new=2), evolve(mark, old=1, new=0))
    log = a_log(step, mark, *dragged(HART, "D4", "D5"), *back)
    assert written(log, rewriting.TAKEN_BACK) == ["3 hart D4-D5"]
    again = next(iter(rewritings(log, {1}, (), the_game(), calendar(), ()))).log
    seen = [one.after[PZ10] for one in again.steps if PZ10 in one.after]
    assert [(one.steps, dict(one.states)) for one in seen] == [(2, {})] * 4


def test_what_is_taken_back_in_another_phase_was_meant() -> None:
    log = a_log(*dragged(PZ10, "B5", "B4"), TURNED, *dragged(PZ10, "B4", "B5"))
    assert written(log, rewriting.TAKEN_BACK) == []


def test_what_is_taken_back_far_from_the_finding_is_left_as_it_is() -> None:
    turns = [TURNED] * (rewriting.NEAR + 1)
    log = a_log(*dragged(PZ10, "B5", "B4"), *dragged(HART, "D4", "D5"), *dragged(PZ10, "B4", "B5"), *turns)
    assert written(log, rewriting.TAKEN_BACK, accused=len(log.steps)) == []


def attack(number: int) -> list[Fact]:
    return [
        facts.JoinedBattle(step=0, counter=HART, battle=number, role="D", place="C3"),
        facts.JoinedBattle(step=0, counter=PZ10, battle=number, role="A", place="B4"),
    ]


def test_an_attack_that_was_called_off_and_declared_again_was_made_once() -> None:
    log = a_log(*attack(1), facts.CalledOff(step=0, battle=1), *attack(2))
    assert written(log, rewriting.CALLED_OFF) == ["4 joinedbattle hart", "5 joinedbattle pz10"]


def test_an_attack_that_was_called_off_for_good_or_after_its_die_was_made() -> None:
    assert written(a_log(*attack(1), facts.CalledOff(step=0, battle=1)), rewriting.CALLED_OFF) == []
    log = a_log(*attack(1), pressed(PZ10, 3), facts.CalledOff(step=0, battle=1), *attack(2))
    assert written(log, rewriting.CALLED_OFF) == []


def test_an_attack_that_was_left_for_another_was_made_only_if_it_has_a_die() -> None:
    log = a_log(*attack(1), *attack(2), pressed(PZ10, 3, battle=2))
    assert written(log, rewriting.CALLED_OFF) == [
        "3 joinedbattle hart",
        "4 joinedbattle pz10",
        "5 pz10 press 3",
    ]
    log = a_log(*attack(1), pressed(PZ10, 3), *attack(2), pressed(PZ10, 4, battle=2))
    assert written(log, rewriting.CALLED_OFF) == []


def test_an_attack_without_a_die_that_goes_on_in_the_next_phase_was_declared_ahead_of_the_track() -> None:
    log = a_log(*dragged(PZ10, "B5", "B4"), *attack(1), TURNED, *dragged(HART, "C3", "C2"))
    assert written(log, rewriting.AHEAD) == [
        "1 pz10 B5-B4", "4 turned", "2 joinedbattle hart", "3 joinedbattle pz10", "5 hart C3-C2",
    ]  # fmt: skip
    for over in pressed(PZ10, 3), facts.CalledOff(step=0, battle=1):
        assert written(a_log(*attack(1), over, TURNED), rewriting.AHEAD) == []


def test_a_counter_that_joins_an_attack_after_its_die_was_in_it_from_the_beginning() -> None:
    broich = facts.JoinedBattle(step=0, counter=BROICH, battle=1, role="A", place="B4")
    log = a_log(*attack(1), pressed(PZ10, 3), broich)
    assert written(log, rewriting.JOINED_LATE) == [
        "1 joinedbattle hart",
        "2 joinedbattle pz10",
        "2 joinedbattle broich",
        "3 pz10 press 3",
    ]
    assert written(a_log(*attack(1), broich, pressed(PZ10, 3)), rewriting.JOINED_LATE) == []
    elsewhere = evolve(broich, battle=2)
    assert written(a_log(elsewhere, *attack(1), pressed(PZ10, 3), broich), rewriting.JOINED_LATE) == []


def test_of_two_rolls_of_a_counter_for_the_same_battle_the_second_counts() -> None:
    log = a_log(pressed(PZ10, 1), pressed(BROICH, 2), pressed(PZ10, 6))
    assert written(log, rewriting.OF_TWO) == ["2 broich press 2", "3 pz10 press 6"]


def test_of_two_results_of_one_battle_the_second_counts() -> None:
    one, other, again = (
        facts.Resolved(step=0, battle=battle, attack=6, defence=3, column="2-1", faces=(face,), result="DR")
        for battle, face in ((1, 1), (2, 2), (1, 6))
    )
    assert written(a_log(one, other, again), rewriting.OF_TWO) == ["2 resolved", "3 resolved"]


def test_two_counters_that_were_exchanged_went_each_to_its_own_hex() -> None:
    log = a_log(
        *dragged(PZ10, "B5", "D4"), *dragged(BROICH, "C5", "B4"),
        *dragged(PZ10, "D4", "B4"), *dragged(BROICH, "B4", "D4"),
    )  # fmt: skip
    assert written(log, rewriting.EXCHANGED) == ["3 pz10 B5-B4", "4 broich C5-D4"]


def test_two_counters_of_which_one_goes_where_the_other_was_were_not_exchanged() -> None:
    log = a_log(*dragged(PZ10, "B5", "D4"), *dragged(BROICH, "C5", "B5"), *dragged(PZ10, "D4", "B4"))
    assert written(log, rewriting.EXCHANGED) == []


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (rewriting.AT_LAST, ["2 hart D4-D5", "3 pz10 B5-C4"]),
        (rewriting.AT_FIRST, ["1 pz10 B5-C4", "2 hart D4-D5"]),
    ],
)
def test_drags_with_another_between_them_were_one_move(says: str, expected: list[str]) -> None:
    log = a_log(*dragged(PZ10, "B5", "B4"), *dragged(HART, "D4", "D5"), *dragged(PZ10, "B4", "C4"))
    assert written(log, says) == expected
    assert written(log, says, names={PZ10}) == expected
    assert written(log, says, names={HART}) == expected  # when those of the finding alone change nothing


@pytest.mark.parametrize(
    ("start", "between"), [("B5", rolled("swamp", 2)), ("axis-north", dragged(HART, "D4", "D5")[0])]
)
def test_drags_with_a_die_between_them_and_an_entry_and_a_move_were_not_one(
    start: str, between: Fact
) -> None:
    log = a_log(*dragged(PZ10, start, "B4"), between, *dragged(PZ10, "B4", "C4"))
    assert written(log, rewriting.AT_LAST) == []


def test_a_reinforcement_that_was_taken_off_again_entered_where_it_lies_at_last() -> None:
    beside = dragged(PZ10, "axis-north", "D4", "sea", "B5")
    log = a_log(beside[0], *dragged(HART, "D4", "D5"), *beside[1:], TURNED, *dragged(PZ10, "B5", "B4"))
    assert written(log, rewriting.AT_FIRST, names={PZ10}) == [
        "1 pz10 axis-north-B5",
        "2 hart D4-D5",
        "5 turned",
        "6 pz10 B5-B4",
    ]


def test_reinforcements_that_were_sorted_out_of_a_heap_entered_where_they_lie_at_last() -> None:
    heap = *dragged(PZ10, "axis-north", "B5"), *dragged(HART, "allied-north", "B5")
    log = a_log(*heap, *dragged(HART, "B5", "C1"), *dragged(BROICH, "D4", "D5"), *dragged(PZ10, "B5", "A4"))
    assert written(log, rewriting.AT_FIRST) == [
        "1 pz10 axis-north-A4",
        "2 hart allied-north-B5",
        "3 hart B5-C1",
        "4 broich D4-D5",
    ]


def test_a_reinforcement_that_is_taken_off_for_good_or_only_after_a_die_entered_where_it_did() -> None:
    log = a_log(*dragged(PZ10, "axis-north", "D4", "B5", "axis-lost"))
    assert written(log, rewriting.AT_FIRST, names={PZ10}) == []
    beside = dragged(PZ10, "axis-north", "D4", "sea", "B5")
    log = a_log(beside[0], rolled("swamp", 2), *beside[1:])
    assert written(log, rewriting.AT_FIRST, names={PZ10}) == []


def test_a_die_of_which_nobody_knows_what_it_was_for_was_rolled_with_another_button() -> None:
    log = a_log(*dragged(PZ10, "B5", "G2"), rolled("press", 4), *dragged(PZ10, "G2", "H3"))
    again = [one.log.steps[1].facts[0] for one in rewritings(log, {1}, (), the_game(), calendar(), {2})]
    assert [_short(one) for one in again] == ["2 combat 4", "2 air-battle 4", "2 bombing 4", "2 swamp 4"]
    assert list(rewritings(log, {1}, (), the_game(), calendar(), ())) == []


def test_a_casualty_taken_off_late_was_out_after_the_die_of_its_battle() -> None:
    log = a_log(*attack(1), pressed(PZ10, 3), *dragged(BROICH, "C5", "D4"), *dragged(HART, "C3", "lost"))
    short = ["3 pz10 press 3", "3 hart C3-lost", "4 broich C5-D4"]
    assert written(log, rewriting.OUT_AT_ONCE) == ["1 joinedbattle hart", "2 joinedbattle pz10", *short]
    again = next(iter(rewritings(log, {1}, (), the_game(), calendar(), ()))).log
    assert [one.after[HART].place for one in again.steps if HART in one.after][-1] == "lost"


def test_a_casualty_without_a_battle_was_out_before_the_enemy_came_to_its_hex() -> None:
    away = dragged(HART, "C3", "lost")
    log = a_log(*dragged(BROICH, "C5", "D4"), *dragged(PZ10, "B4", "C3"), *away)
    assert written(log, rewriting.OUT_AT_ONCE) == ["1 broich C5-D4", "1 hart C3-lost", "2 pz10 B4-C3"]
    log = a_log(*dragged(BROICH, "C5", "D4"), *dragged(PZ10, "B4", "B5"), *away)
    assert written(log, rewriting.OUT_AT_ONCE) == []


def test_what_the_accused_did_in_another_phase_was_done_in_the_one_that_the_track_showed() -> None:
    log = a_log(*dragged(PZ10, "B5", "B4"), TURNED, *dragged(HART, "D4", "D5"), *dragged(PZ10, "B4", "C4"))
    ways = rewritings(log, {1}, {PZ10}, the_game(), calendar(), (), {3, 4})
    again = next(one.log for one in ways if one.says == rewriting.AS_SHOWN)
    assert [step.step for step in again.steps for fact in step.facts if fact.sure] == [4]
    assert written(log, rewriting.AS_SHOWN, names={PZ10}, elsewhere={3}) == []


def test_a_reinforcement_dragged_on_in_an_unseen_phase_had_entered_elsewhere() -> None:
    log = a_log(*dragged(PZ10, "axis-north", "B5", "C5"), *dragged(HART, "D4", "D5"))
    straight = ["2 pz10 axis-north-C5", "3 hart D4-D5"]
    assert written(log, rewriting.ON_ITS_WAY, names={PZ10}, elsewhere={2}) == straight
    assert written(log, rewriting.ON_ITS_WAY, names={HART}, elsewhere={2}) == []
    assert written(log, rewriting.ON_ITS_WAY, names={PZ10}) == []


def test_of_two_dice_of_the_same_button_one_was_for_nothing() -> None:
    log = a_log(rolled("swamp", 4), rolled("press", 2), rolled("swamp", 1))
    assert written(log, rewriting.FOR_NOTHING.format(1), unclear={2}) == ["2 press 2", "3 swamp 1"]
    assert written(log, rewriting.FOR_NOTHING.format(3), unclear={2}) == ["1 swamp 4", "2 press 2"]
    assert written(log, rewriting.FOR_NOTHING.format(2), unclear={2}) == []


def across_turns(side: int, *goes_on: Fact) -> list[Fact]:
    """A drag of the 10th Panzers in the turn of a side, 1 or 2, and what happens in the next player turn."""
    stops = [at for at, stop in enumerate(calendar().stops) if stop.phase.id == "movement"]
    clocks = (Clock(1, stops[side - 1]), Clock(side, stops[side % 2]))
    first, second = (facts.Turned(step=0, clock=clock) for clock in clocks)
    return [*dragged(HART, "D4", "D5"), first, *dragged(PZ10, "B5", "D5"), second, *goes_on]


def test_a_wrong_hex_that_is_put_right_in_the_turn_of_the_other_side_was_right_at_once() -> None:
    log = a_log(*across_turns(2, *dragged(PZ10, "D5", "C5")))
    found = written(log, rewriting.PUT_RIGHT, accused=3, names=(PZ10,))
    assert found == ["1 hart D4-D5", "2 turned", "3 pz10 B5-C5", "4 turned"]


def test_a_hex_with_which_nothing_is_wrong_is_not_put_right() -> None:
    log = a_log(*across_turns(2, *dragged(PZ10, "D5", "C5")))
    assert written(log, rewriting.PUT_RIGHT, accused=5, names=(PZ10,)) == []


def test_a_legal_move_that_is_taken_back_before_the_next_turn_of_its_side_was_not_made() -> None:
    back = dragged(PZ10, "D5", "B5")
    log = a_log(*across_turns(2, *back))
    assert written(log, rewriting.PUT_RIGHT, accused=5, names=(PZ10,)) == [
        "1 hart D4-D5",
        "2 turned",
        "4 turned",
    ]
    movement = [at for at, stop in enumerate(calendar().stops) if stop.phase.id == "movement"]
    turn = (
        facts.Turned(step=0, clock=Clock(2, movement[1])),
        facts.Turned(step=0, clock=Clock(3, movement[0])),
    )
    later = a_log(*across_turns(2, *turn, *back))
    assert written(later, rewriting.PUT_RIGHT, accused=7, names=(PZ10,)) == []


def test_a_counter_that_is_taken_back_for_another_was_the_other() -> None:
    exchanged = (*dragged(HART, "B5", "D5"), *dragged(PZ10, "D5", "B5"))
    log = a_log(*across_turns(2, *exchanged)[1:])
    found = written(log, rewriting.PUT_RIGHT, accused=4, names=(PZ10, HART))
    assert found == ["1 turned", "2 hart B5-D5", "3 turned"]


def turned_up(*names: str, back: str = "") -> list[str]:
    """What is written of a log in which counters are turned up, and one of them down again."""
    turns = [facts.Faced(step=0, counter=name, face="up") for name in names]
    turns += [facts.Faced(step=0, counter=back, face="down")] if back else []
    log = a_log(*turns, *dragged(HART, "D4", "D5"))
    opening = {name: facts.Standing("B5", face="down") for name in (PZ10, BROICH, "superga")}
    return written(evolve(log, opening={**log.opening, **opening}), rewriting.OPENLY)


def test_most_counters_of_a_side_that_are_turned_up_and_stay_so_lie_open() -> None:
    assert turned_up(PZ10, BROICH) == ["3 hart D4-D5"]
    assert turned_up(PZ10) == []
    assert turned_up(PZ10, BROICH, back=PZ10) == []


def test_a_retreat_after_a_die_puts_nothing_right() -> None:
    log = a_log(*across_turns(2, rolled("combat", 3), *dragged(PZ10, "D5", "C5")))
    assert written(log, rewriting.PUT_RIGHT, accused=3, names=(PZ10,)) == []


def test_a_counter_put_among_enemies_in_their_turn_waits_there() -> None:
    log = a_log(*across_turns(1, *dragged(PZ10, "D5", "C5")))
    found = written(log, rewriting.PUT_ASIDE, accused=3, names=(PZ10,))
    assert found == ["1 hart D4-D5", "2 turned", "4 turned", "5 pz10 B5-C5"]


def test_a_counter_moved_in_the_turn_of_the_other_side_does_not_wait() -> None:
    log = a_log(*across_turns(1, *dragged(PZ10, "D5", "C5"))[1:])
    assert written(log, rewriting.PUT_ASIDE, accused=2, names=(PZ10,)) == []


def left_lying(*happened: Fact) -> list[str]:
    """The log in which the 10th Panzers were taken off when they were named, from their place on."""
    log = a_log(*dragged(PZ10, "B4", "B5"), *happened)
    return written(log, rewriting.LEFT_LYING, names=(PZ10,))


NAMED = facts.Mentioned(step=0, counters=(PZ10,))


def test_a_counter_that_is_named_and_never_used_again_was_taken_off() -> None:
    found = left_lying(rolled("combat", 6), NAMED, *dragged(HART, "D4", "D5"))
    assert found == ["1 pz10 B4-B5", "2 combat 6", "3 pz10 B5-", "3 mentioned", "4 hart D4-D5"]


def test_a_counter_that_is_named_and_used_again_or_named_before_dice_was_not_taken_off() -> None:
    assert left_lying(rolled("combat", 6), NAMED, *dragged(PZ10, "B5", "B4")) == []
    assert left_lying(NAMED, rolled("combat", 6), *dragged(HART, "D4", "D5")) == []


def test_a_legal_move_that_players_talk_about_was_right_at_once() -> None:
    said = facts.Mentioned(step=0, hexes=("C5",))
    log = a_log(*across_turns(2, rolled("combat", 3), said, *dragged(PZ10, "D5", "C5")))
    found = written(log, rewriting.PUT_RIGHT, accused=7, names=(PZ10,))
    assert found == ["1 hart D4-D5", "2 turned", "3 pz10 B5-C5", "4 turned", "5 combat 3", "6 mentioned"]
