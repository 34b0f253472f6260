"""What happened without a trace in the log, in battles or phases that it does not show."""

from __future__ import annotations

import pytest

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.scribe import facts
from referee.scribe.facts import Fact, Standing
from tests.scribe.playing import Playing, accused
from tests.scribe.small_logs import dragged, found, read, rolled, turned

FIELD = {
    "pz10": "D4", "superga": "E5", "broich": "F2", "koch": "C4",
    "hart": "D3", "uk4": "D5", "us1": "E2", "uk78": "B1",
}  # fmt: skip
ALLIED_MOVEMENT, ALLIED_RETURN = 5, 7
FRENCH_FIRE = 8


def without_dice(*targets: tuple[str, str, str]) -> Playing:
    """Attacks with a loss and without a die, then one with a result that nobody marks."""
    game = Playing(FIELD, turn=3, stop="Axis Combat")
    for number, (target, attacker, lost) in enumerate(targets, 2):
        game.attack(number, target, attacker).eliminate(lost)
    game = game.attack(1, "E2", "broich").resolve(1, 2, 4, "1:2", 5, "D").turn(to="Reinforcements")
    game = game.turn().move("uk78", "B2").turn().turn(to="Axis Movement")
    return game.move("koch", "C5").turn()


def test_dice_are_missing_everywhere_if_two_battles_have_losses_without_a_die() -> None:
    assert accused(without_dice(("D3", "pz10", "hart"), ("D5", "superga", "uk4")).audited()) == []


def test_one_battle_with_a_loss_and_without_a_die_excuses_no_other() -> None:
    assert accused(without_dice(("D3", "pz10", "hart")).audited()) == ["crt.5"]


@pytest.mark.parametrize(("where", "grade"), [("8511", Grade.illegal), ("8407", Grade.unproven)])
def test_a_loss_before_battles_that_were_passed_over_may_be_theirs_near_enemies(
    where: str, grade: Grade
) -> None:
    opening = {
        "us-34": Standing(where, steps=2),
        "us-9": Standing("8515", steps=2),
        "de-10pz": Standing("8308", steps=2),
    }
    loss = facts.Stepped(step=0, counter="us-34", old=2, new=1)
    before = [*dragged("de-10pz", "8308", "8307"), turned(1, ALLIED_MOVEMENT)]
    before += [*dragged("us-9", "8515", "8514"), turned(2, 0), *dragged("de-10pz", "8307", "8308")]
    happened = [turned(2, ALLIED_MOVEMENT), *dragged("us-9", "8514", "8515"), loss, turned(2, ALLIED_RETURN)]
    draft = read("patton1943", opening, Clock(1), *before, *happened, turned(3, 0))
    assert (8, grade, "13h") in found(draft)


def joins(battle: int, counter: str, role: str, place: str) -> Fact:
    return facts.JoinedBattle(step=0, counter=counter, battle=battle, role=role, place=place)


@pytest.mark.parametrize(("fired", "verbs"), [(True, ["fire", "attack"]), (False, ["fire"])])
def test_an_attack_not_declared_as_fire_by_a_battery_that_has_declared_fire_before_is_a_melee(
    fired: bool, verbs: list[str]
) -> None:
    opening = {"fr-art-gazan2": Standing("0612", steps=4), "uk-ocallaghan": Standing("0513", steps=5)}
    fire = facts.Declared(step=0, declaration="fire", counter="fr-art-gazan2", place="0612", battle=1)
    declared = [joins(1, "uk-ocallaghan", "D", "0513"), joins(1, "fr-art-gazan2", "A", "0612"), fire]
    happened = [joins(2, "uk-ocallaghan", "D", "0513"), joins(2, "fr-art-gazan2", "A", "0612")]
    happened += [facts.Rolled(step=0, dice="combat", faces=(6,), battle=2)]
    draft = read("vitoria1813", opening, Clock(2, FRENCH_FIRE), *(declared if fired else []), *happened)
    done = [one.statement.content for one in draft.readings]
    assert [one.verb for one in done if isinstance(one, Action) and one.verb in ("fire", "attack")] == verbs


AXIS_BATTLES, ALLIED_BATTLES, END = 1, 6, 10
ALLIED_COMBAT = 7


@pytest.mark.parametrize(("rolled_here", "grade"), [(False, Grade.unproven), (True, Grade.illegal)])
def test_who_comes_only_by_a_die_may_have_had_it_at_home_if_no_die_is_in_the_log(
    rolled_here: bool, grade: Grade
) -> None:
    opening = {
        "us-patton": Standing("allied-pool", steps=1),
        "us-34": Standing("8511", steps=2),
        "us-9": Standing("8515", steps=2),
        "us-1a": Standing("7715", steps=2),
        "de-10pz": Standing("8411", steps=2),
    }
    lost = [facts.Stepped(step=0, counter=unit, old=2, new=1) for unit in ("us-34", "de-10pz", "us-9")]
    battles = [turned(1, AXIS_BATTLES), lost[0], turned(1, ALLIED_BATTLES), lost[1]]
    battles += [turned(2, AXIS_BATTLES), lost[2], turned(2, END)]
    before = [turned(1, END), rolled("patton", 12)] if rolled_here else []
    happened = [*battles[:4], *before, *battles[4:], *dragged("us-patton", "allied-pool", "7715")]
    draft = read("patton1943", opening, Clock(1), *happened, turned(3, 0))
    assert [one for _, one, clause in found(draft) if clause == "16h"] == [grade]


POINTS = facts.Mentioned(step=0, declaration="artillery")


@pytest.mark.parametrize(("said", "grade"), [([], Grade.illegal), ([POINTS], Grade.unproven)])
def test_points_that_are_only_said_before_the_die_may_have_changed_the_result(
    said: list[Fact], grade: Grade
) -> None:
    opening = {"it-5bers": Standing("1218", steps=2), "us-168": Standing("1318", steps=2)}
    joined = [joins(1, "it-5bers", "D", "1218"), joins(1, "us-168", "A", "1318")]
    die = facts.Resolved(
        step=0,
        battle=1,
        attack=3,
        defence=4,
        column="1/2",
        faces=(5,),
        result="FA",
        modifier=0,
        dice="combat",
    )
    loss = facts.Stepped(step=0, counter="us-168", old=2, new=1)
    happened = [*joined, *said, die, loss, turned(1, ALLIED_COMBAT + 1)]
    draft = read("tunisia1943", opening, Clock(1, ALLIED_COMBAT), *happened)
    assert (len(said) + 4, grade, "7.4c") in found(draft)


DECLARED = [joins(1, "de-334", "D", "8109"), joins(1, "us-1a", "A", "8010")]
ATTACK = facts.Declared(
    step=0, declaration="attack-roll", counter="us-1a", place="8010", battle=1, faces=(12,)
)


@pytest.mark.parametrize(
    ("to", "fought", "grade"),
    [
        ("8010", [*DECLARED, ATTACK], Grade.unproven),
        ("8010", [rolled("attack", 12)], Grade.unproven),
        ("8010", [], Grade.illegal),
        ("7511", [*DECLARED, ATTACK], Grade.illegal),
    ],
)
def test_aircraft_may_fly_to_a_battle_before_the_track_is_advanced_to_it(
    to: str, fought: list[Fact], grade: Grade
) -> None:
    opening = {
        "uk-air2": Standing("8821", steps=2),
        "us-1a": Standing("8010", steps=2),
        "de-334": Standing("8109", steps=2),
    }
    happened = [*dragged("uk-air2", "8821", to), turned(1, ALLIED_BATTLES), *fought]
    draft = read("patton1943", opening, Clock(1, ALLIED_MOVEMENT), *happened, turned(1, ALLIED_BATTLES + 1))
    assert (1, grade, "8a") in found(draft)
