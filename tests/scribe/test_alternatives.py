"""What players may have done without a trace in the log is not a proof: other readings are tried."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

import attrs
import pytest

from referee.audit import Report
from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.scribe.alternatives import CASUALTIES_LATE, Alternative, CautiousReader
from referee.scribe.draft import Draft
from referee.scribe.facts import Fact
from referee.scribe.reading import Certainty
from referee.scribe.skipped_phases import PHASE_PASSED
from tests.scribe.playing import Playing, accused, found

FIELD = {
    "blade": "C2", "hart": "C5", "superga": "C3", "pz10": "B5", "uk78": "allied-north",
    "lw-afrika": "axis-air", "meaaf": "allied-air",
}  # fmt: skip


def doubted(report: Report) -> list[str]:
    """The clauses of what is not proved."""
    return [clause for _, grade, clause in found(report) if grade == "unproven"]


def fought() -> Playing:
    """In the Allied combat of turn 1 Blade Force attacked Superga and is Disrupted by the result."""
    game = Playing(FIELD, stop="Allied Combat").attack(1, "C3", "blade")
    return game.resolve(1, 2, 3, "1:2", 3, "AD")


def test_a_marker_that_comes_off_before_the_track_passes_over_recovery_was_perhaps_there() -> None:
    game = fought().state("blade").state("blade", on=False).turn(to="Axis Movement")
    report = game.move("pz10", "B6").audited()
    assert accused(report) == []
    assert doubted(report) == ["crt.3"]


def test_a_marker_that_comes_off_while_the_track_is_behind_was_perhaps_there_until_recovery() -> None:
    game = Playing(FIELD, stop="Allied Movement").attack(1, "C3", "blade").resolve(1, 2, 3, "1:2", 3, "AD")
    game = game.state("blade").state("blade", on=False).turn().move("pz10", "B6").turn(to="Axis Combat")
    report = game.attack(2, "C5", "pz10").audited()
    assert accused(report) == []


def test_a_result_may_be_marked_before_its_die_is_rolled() -> None:
    game = Playing(FIELD, stop="Allied Combat").attack(1, "C3", "blade").state("blade")
    assert accused(game.resolve(1, 2, 3, "1:2", 3, "AD").turn().audited()) == []


def test_a_result_is_no_less_wrong_for_being_marked_before_its_die() -> None:
    game = Playing(FIELD, stop="Allied Combat").attack(1, "C3", "blade").state("superga")
    assert accused(game.resolve(1, 2, 3, "1:2", 3, "AD").turn().audited()) != []


def test_a_marker_that_comes_off_before_the_next_attack_of_the_phase_was_a_correction() -> None:
    game = fought().state("blade").state("blade", on=False)
    game = game.attack(2, "B5", "hart").resolve(2, 2, 3, "1:2", 5, "D").state("pz10").turn()
    assert "crt.3" in accused(game.audited())


def test_a_result_that_nobody_carries_out_is_found_though_phases_are_passed_over() -> None:
    report = fought().turn(to="Axis Movement").move("pz10", "B6").audited()
    assert accused(report) == ["crt.3"]


def test_both_sides_may_move_before_the_track_is_advanced_to_the_next_turn() -> None:
    game = Playing(FIELD, stop="Allied Movement").move("hart", "D5").move("pz10", "B6")
    report = game.move("superga", "C4").turn(to="Reinforcements").audited()
    assert accused(report) == []


def test_what_was_found_before_another_reading_took_over_stays_as_unproven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    axis_movement, accusations = Clock(1, 4), list[int]()

    def go_on(draft: Draft, fact: Fact) -> None:
        draft.go_on(axis_movement, fact, Certainty.inferred)

    def from_the_first(reader: CautiousReader, place: int, units: Collection[str]) -> Iterator[Alternative]:
        accusations.append(place)
        if len(accusations) == 2:
            first = accusations[0]
            then = reader._back_to(first, reader.story)
            yield Alternative(PHASE_PASSED, then, first, partial(go_on, fact=reader.story.facts[first]))

    monkeypatch.setattr(CautiousReader, "_alternatives", from_the_first)
    game = Playing(FIELD, stop="Allied Movement").move("pz10", "B6").move("superga", "C4").turn()
    report = game.move("hart", "D5").audited()
    assert len(accusations) >= 2
    assert accused(report) == []
    assert doubted(report) == ["seq.2", "seq.2"]


def test_what_was_found_is_kept_with_the_last_action_and_not_dropped_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drafts = list[Draft]()

    def none(reader: CautiousReader, place: int, units: Collection[str]) -> Iterator[Alternative]:
        drafts.append(reader.draft.copy())
        yield from ()

    monkeypatch.setattr(CautiousReader, "_alternatives", none)
    Playing(FIELD, stop="Allied Movement").move("pz10", "B6").move("superga", "C4").turn().audited()
    draft = drafts[0]
    ruling, place = draft.readings[-1].ruling, len(draft.readings) - 1
    assert ruling is not None
    assert ruling.breaches
    draft.readings[-1] = attrs.evolve(draft.readings[-1], ruling=attrs.evolve(ruling, breaches=()))
    draft.take_over("hart", "E5", 9)
    assert draft.readings[-1].ruling is None
    assert draft.suspect(ruling.breaches, "it was the Axis Movement", place)
    kept = draft.readings[place].ruling
    assert kept is not None
    assert [(one.clause, one.grade) for one in kept.breaches] == [("seq.2", Grade.unproven)]
    assert not draft.suspect(ruling.breaches, "it was the Axis Movement", place + 1)


def test_two_moves_of_a_unit_in_phases_passed_over_are_unproven_at_most() -> None:
    game = Playing(FIELD, stop="Allied Movement").move("hart", "D5").move("pz10", "B6")
    report = game.move("hart", "E5").turn(to="Reinforcements").move("uk78", "B1").audited()
    assert accused(report) == []


def test_a_move_may_be_made_before_phases_in_which_only_a_wrong_key_was_pressed() -> None:
    game = Playing(FIELD, stop="Allied Combat").move("pz10", "B6").turn()
    game = game.state("hart").state("hart", on=False).say("sorry").turn(to="Axis Movement")
    assert accused(game.move("superga", "C4").turn().audited()) == []


@pytest.mark.parametrize(("end", "clauses"), [("B5", []), ("A5", ["seq.2", "move.1"])])
def test_a_counter_that_is_dragged_about_and_back_between_the_moves_of_others_has_not_moved(
    end: str, clauses: list[str]
) -> None:
    game = Playing(FIELD, stop="Allied Movement").move("pz10", "B6").move("hart", "D5")
    game = game.move("pz10", "B5", "A4").move("blade", "D2").move("pz10", end)
    assert accused(game.turn().audited()) == clauses


def test_what_no_phase_that_was_passed_over_allows_is_illegal() -> None:
    game = Playing(FIELD, stop="Allied Movement").move("hart", "D5").move("pz10", "B6")
    report = game.move("hart", "C3").turn(to="Reinforcements").move("uk78", "B1").audited()
    assert accused(report) != []


def test_a_hex_attacked_by_one_side_is_attacked_by_the_other_before_the_track_is_advanced() -> None:
    game = Playing({**FIELD, "superga": "B4", "blade": "C5"}, stop="Allied Combat")
    game = game.attack(1, "B5", "hart", "blade").resolve(1, 3, 4, "1:2", 6, "D")
    game = game.move("pz10", "A4").state("pz10").move("hart", "B5")
    game = game.attack(2, "B5", "superga").resolve(2, 2, 1, "2:1", 5, "DR").move("hart", "C6")
    report = game.state("hart").move("superga", "B5").turn(to="Reinforcements").audited()
    assert accused(report) == doubted(report) == []


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The counters that another reading takes for lost, reading by reading."""
    found = list[list[str]]()
    known = CautiousReader._alternatives

    def noted(reader: CautiousReader, place: int, units: Collection[str]) -> Iterator[Alternative]:
        for one in known(reader, place, units):
            if one.says == CASUALTIES_LATE and isinstance(one.happened, partial):
                found.append([scene.fact.counter for scene in one.happened.keywords["scenes"]])
            yield one

    monkeypatch.setattr(CautiousReader, "_alternatives", noted)
    return found


def test_a_casualty_that_is_removed_later_but_acts_before_is_not_yet_lost(lost: list[list[str]]) -> None:
    game = fought().move("pz10", "B6").state("superga").move("superga", "axis-lost")
    game.move("blade", "allied-lost").turn(2).audited()
    assert lost[0] == ["blade"]


def test_a_casualty_that_is_only_dragged_out_and_back_before_it_is_removed_is_lost(
    lost: list[list[str]],
) -> None:
    game = fought().move("pz10", "B6").state("superga").move("superga", "axis-lost")
    game = game.move("blade", "C1").move("blade", "C2")
    game.move("blade", "allied-lost").turn(2).audited()
    assert lost[0] == ["blade"]


def test_a_casualty_whose_battle_ends_with_the_phase_before_it_is_removed_was_lost_before(
    lost: list[list[str]],
) -> None:
    game = fought().state("superga").move("pz10", "B6").give_up(1, taking_off=["superga"]).turn()
    game.move("blade", "allied-lost").turn().audited()
    assert lost[0] == ["blade"]


def test_a_second_attack_on_a_hex_at_the_end_of_a_log_is_not_one_of_the_next_turn() -> None:
    game = Playing(FIELD, stop="Allied Combat").attack(1, "B5", "hart").resolve(1, 1, 4, "1:3", 6, "D")
    game = game.state("pz10").attack(2, "B5", "hart").resolve(2, 1, 4, "1:3", 6, "D")
    assert "combat.3" in doubted(game.audited())


def marked(*stops: str) -> Playing:
    """Superga is Disrupted in Axis combat, and the track is advanced to some phases one after the other."""
    game = Playing(FIELD, stop="Axis Combat").attack(1, "C2", "superga")
    game = game.resolve(1, 3, 2, "1:1", 1, "AD").state("superga")
    for stop in stops:
        game.turn(to=stop)
    return game


def test_a_marker_that_comes_off_after_the_recovery_of_its_unit_was_left_on() -> None:
    game = marked("Axis Combat", "Axis Recovery", "Reinforcements")
    report = game.state("superga", on=False).audited()
    assert accused(report) == []
    assert len(doubted(report)) == 1


def test_a_marker_that_comes_off_before_the_recovery_of_its_unit_came_off_too_early() -> None:
    game = marked("Allied Movement").state("superga", on=False).move("hart", "D5")
    assert len(accused(game.turn().audited())) == 1


def test_a_unit_that_is_marked_in_the_next_phase_had_its_result_before() -> None:
    game = Playing(FIELD, stop="Allied Combat").attack(1, "C3", "blade").resolve(1, 2, 3, "1:2", 3, "AD")
    game = game.turn(to="Axis Movement").move("pz10", "B6").state("blade")
    assert accused(game.turn().audited()) == []


def test_a_reinforcement_that_waited_for_its_side_to_move_does_not_begin_the_next_turn() -> None:
    game = Playing({**FIELD, "koch": "axis-north"}, turn=3, stop="Allied Movement").move("hart", "D5")
    report = game.move("koch", "B5").move("pz10", "B6").turn(to="Reinforcements").audited()
    assert found(report) == [(2, "unproven", "seq.1")]


def test_a_reinforcement_that_comes_before_the_track_is_advanced_to_its_turn_is_of_that_turn() -> None:
    game = Playing({**FIELD, "koch": "axis-north"}, turn=3, stop="Axis Movement").move("pz10", "B6")
    assert found(game.move("koch", "B5").turn(to="Reinforcements").audited()) == []


def test_a_move_read_again_drag_by_drag_leaves_its_beginning_for_other_readings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lengths = list[tuple[int, int]]()

    def none(reader: CautiousReader, place: int, units: Collection[str]) -> Iterator[Alternative]:
        remembered = reader.remembered
        for first, begun in remembered[place].begun.items():
            lengths.append((len(begun.readings), len(remembered[first].draft.readings)))
        yield from ()

    monkeypatch.setattr(CautiousReader, "_alternatives", none)
    game = Playing(FIELD, stop="Allied Movement").move("pz10", "B6", "C6").turn()
    assert accused(game.audited()) != []
    assert lengths
    assert all(begun == remembered for begun, remembered in lengths)


def test_a_counter_dragged_along_and_put_back_while_an_enemy_was_looked_at_attacks_from_where_it_was() -> (
    None
):
    counters = {"uk4": "C1", "us1": "C1", "hart": "B3", "tiger": "D1", "koch": "G5"}
    game = Playing(counters, stop="Allied Movement").move_stack(("uk4", "us1"), "B1").move("us1", "B2")
    game = game.move("koch", "G6").move("uk4", "C1").move("koch", "G5").move("hart", "B2")
    game = game.turn().attack(1, "D1", "uk4").resolve(1, 4, 1, "3:1", 4, "DR")
    assert "combat.3" not in accused(game.audited())


def advancing(place: str) -> Playing:
    """10th Panzer advances to a hex after its attack on the division beside it, which is eliminated."""
    game = Playing({"hart": "C5", "pz10": "B5", "superga": "C4", "blade": "C2"}, stop="Axis Combat")
    game = game.attack(1, "C5", "pz10", "superga").resolve(1, 5, 1, "5:1", 6, "DE").eliminate("hart")
    return game.declare("pz10", "advance", 1).move("pz10", place)


def test_an_advance_that_is_put_right_after_the_track_was_advanced_is_not_proved_wrong() -> None:
    report = advancing("C6").turn().move("pz10", "D5").turn().audited()
    assert accused(report) == []
    assert doubted(report) != []


def test_a_die_rolled_with_a_button_need_not_have_been_for_the_one_bombed_unit() -> None:
    game = Playing(FIELD | {"superga": "C3"}, stop="Axis Combat").attack(1, "C2", "superga")
    game = game.declare("lw-afrika", "bomb", 1).roll("bombing", 1)
    game = game.declare("meaaf", "intercept", 1).call_off(1).turn()
    report = game.audited()
    assert accused(report) == []
    assert doubted(report) == ["air.3"]


def test_a_die_rolled_with_the_command_of_the_bombed_unit_was_for_it() -> None:
    game = Playing(FIELD | {"superga": "C3"}, stop="Axis Combat").attack(1, "C2", "superga")
    game = game.declare("lw-afrika", "bomb", 1).declare("blade", "bombed", 1, die=1)
    game = game.declare("meaaf", "intercept", 1).call_off(1).turn()
    assert accused(game.audited()) == ["air.3", "air.4"]
