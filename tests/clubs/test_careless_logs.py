"""Logs of the clubs' games as careless people play them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.scribe import facts
from referee.scribe.facts import Condition, Fact, Standing
from tests.proof.careless import accused_plainly
from tests.scribe.small_logs import found, read, rolled, turned
from tools.proof.habits import ONCE_A_PLAYER_TURN

HERE = Path(__file__).parent
DALIA, GRAUWALD = str(HERE / "dalia"), str(HERE / "grauwald")
BLUE_FIRE = 1
FRENCH_FIRE, FRENCH_MELEE, FRENCH_RALLY, AUSTRIAN_MELEE = 1, 2, 3, 6


def test_a_die_is_for_the_mortar_that_was_spoken_of_and_not_for_the_tanks_beside_the_target() -> None:
    opening = {"bm": Standing("0502"), "bt": Standing("0602", steps=2), "r1": Standing("0702", steps=2)}
    spoken = facts.Mentioned(step=0, declaration="", hexes=("0702",), counters=("bm",))
    mark = facts.Changed(step=0, counter="r1", state="suppressed", old=0, new=1)
    draft = read(DALIA, opening, Clock(2, BLUE_FIRE), spoken, rolled("fire", 5), mark)
    attacks = [one.statement.content for one in draft.readings]
    assert [one.pieces for one in attacks if isinstance(one, Action) and one.verb == "attack"] == [("bm",)]


def test_a_unit_is_disordered_and_rallies_in_two_phases_that_the_track_shows_as_one() -> None:
    assert accused_plainly(GRAUWALD, 2500011, 2, frozenset({ONCE_A_PLAYER_TURN})) == []


def test_marks_in_two_melee_phases_of_a_log_without_attacks_and_dice_may_be_results() -> None:
    opening = {"fc1": Standing("F4", steps=2), "a3": Standing("E4", steps=4)}
    french = facts.Changed(step=0, counter="fc1", state="disordered", old=0, new=1)
    austrian = facts.Changed(step=0, counter="a3", state="disordered", old=0, new=1)
    both = (turned(2, FRENCH_MELEE), french, turned(2, AUSTRIAN_MELEE), austrian)
    draft = read(GRAUWALD, opening, Clock(2, FRENCH_FIRE), *both)
    assert Grade.illegal not in {grade for _, grade, _ in found(draft)}


def test_one_mark_in_one_melee_phase_of_a_log_without_attacks_and_dice_is_no_result() -> None:
    opening = {"fc1": Standing("F4", steps=2), "a3": Standing("E4", steps=4)}
    mark = facts.Changed(step=0, counter="fc1", state="disordered", old=0, new=1)
    draft = read(GRAUWALD, opening, Clock(2, FRENCH_FIRE), turned(2, FRENCH_MELEE), mark)
    assert found(draft) == [(2, Grade.illegal, "4.5")]


def attacks(battle: int, target: tuple[str, str], attacker: tuple[str, str], face: int = 0) -> list[Fact]:
    """An attack, with the die if it is in the log."""
    (enemy, hex_), (counter, where) = target, attacker
    declared: list[Fact] = [
        facts.JoinedBattle(step=0, counter=enemy, battle=battle, role="D", place=hex_),
        facts.JoinedBattle(step=0, counter=counter, battle=battle, role="A", place=where),
    ]
    die = facts.Resolved(
        step=0, battle=battle, attack=2, defence=4, column="1:2", faces=(face,), result="-", dice="melee"
    )
    return [*declared, die] if face else declared


@pytest.mark.parametrize(("face", "grade"), [(0, Grade.unproven), (3, Grade.illegal)])
def test_a_unit_recovers_without_its_roll_in_a_log_that_lacks_the_die_of_an_attack(
    face: int, grade: Grade
) -> None:
    opening = {
        "fc1": Standing("F4", steps=2),
        "a3": Standing("E4", steps=4),
        "fc2": Standing("H6", steps=2),
        "a4": Standing("H7", steps=4),
        "f4": Standing("C2", steps=4, states={"disordered": Condition(1)}),
    }
    happened = attacks(1, ("a4", "H7"), ("fc2", "H6"), 3) + attacks(2, ("a3", "E4"), ("fc1", "F4"), face)
    happened.append(facts.Changed(step=0, counter="fc1", state="disordered", old=0, new=1))
    happened.append(turned(2, FRENCH_RALLY))
    happened.append(facts.Changed(step=0, counter="f4", state="disordered", old=1, new=0))
    draft = read(GRAUWALD, opening, Clock(2, FRENCH_MELEE), *happened)
    assert (len(happened), grade, "10.1") in found(draft)


def test_a_unit_that_recovers_by_degrees_is_still_disordered_though_the_mark_came_off_and_was_set_again() -> (
    None
):
    both = {"disordered": Condition(1), "routed": Condition(1)}
    marks = [("disordered", 1, 0), ("routed", 1, 0), ("disordered", 0, 1)]
    happened: list[Fact] = [facts.Rolled(step=0, dice="rally", faces=(6,), purpose="f4")]
    for state, old, new in marks:
        happened.append(facts.Changed(step=0, counter="f4", state=state, old=old, new=new))
    opening = {"f4": Standing("C2", steps=4, states=both)}
    draft = read(GRAUWALD, opening, Clock(2, FRENCH_RALLY), *happened)
    assert {*draft.position.pieces["f4"].states} == {"disordered"}
    assert found(draft) == []
