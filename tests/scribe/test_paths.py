"""Units dragged hex by hex: the hexes between are the path only as long as that is legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.scribe.draft import Draft
from referee.scribe.facts import Declared, Fact, JoinedBattle, Rolled, Shifted, Standing
from tests.scribe.small_logs import dragged, found, read, rolled, turned

AXIS_MOVEMENT = Clock(2)
IMPERIALI, ALLIES = "it-imperiali", "us-34"


def patton(clock: Clock, *found: Fact) -> Draft:
    """What is read of some events in Patton's game from a phase on."""
    shifts = [fact for fact in found if isinstance(fact, Shifted)]
    opening = {fact.counter: Standing(fact.origin) for fact in reversed(shifts)}
    return read("patton1943", opening, clock, *found)


def judged(*drags: tuple[str, str, str]) -> Iterator[tuple[Grade, str]]:
    """What is found where counters are dragged one after the other in an Axis movement."""
    shifts = [
        Shifted(step=step, counter=name, origin=origin, target=target)
        for step, (name, origin, target) in enumerate(drags, 1)
    ]
    for reading in patton(AXIS_MOVEMENT, *shifts).readings:
        yield from ((one.grade, one.clause) for one in reading.ruling.breaches) if reading.ruling else ()


def by_turns(*hexes: str) -> list[tuple[str, str, str]]:
    """Imperiali is dragged from hex to hex; after two drags somebody tries how far an enemy could come."""
    legs = [(IMPERIALI, here, there) for here, there in pairwise(hexes)]
    return [*legs[:2], (ALLIES, "8511", "8512"), (ALLIES, "8512", "8511"), *legs[2:]]


def test_hexes_over_which_a_unit_was_dragged_are_not_its_path_if_it_goes_on_farther() -> None:
    assert list(judged(*by_turns("8306", "8206", "8207", "8107"))) == [(Grade.unproven, "8c")]


def test_a_move_that_is_too_long_by_any_path_is_illegal() -> None:
    found = list(
        judged(
            *by_turns("8306", "8206", "8207", "8107", "8007", "7907", "7807", "7707", "7607", "7507", "7407")
        )
    )
    assert (Grade.illegal, "8c") in found


def test_a_casualty_of_an_undeclared_battle_that_is_put_into_a_box_of_the_set_up_is_lost() -> None:
    die = Rolled(step=1, dice="attack", faces=(2,))
    casualty = Shifted(step=2, counter="us-td", origin="8215", target="allied-crests")
    assert patton(Clock(2, 1), die, casualty).position.pieces["us-td"].where == "allied-dead"


def test_a_counter_of_the_other_side_that_is_put_aside_for_a_moment_begins_no_set_up() -> None:
    drags = [("us-td", "8016", "8014"), ("de-nebel", "8212", "8312"), ("us-td", "8014", "8113")]
    drags += [("de-nebel", "8312", "8212"), ("us-td", "8113", "8016")]
    shifts = [
        Shifted(step=step, counter=name, origin=origin, target=target)
        for step, (name, origin, target) in enumerate(drags, 1)
    ]
    complete = [
        Declared(step=step, declaration="begin", side=side) for step, side in ((6, "allied"), (7, "axis"))
    ]
    rulings = [one.ruling for one in patton(Clock(1), *shifts, *complete).readings if one.ruling]
    assert [
        breach.clause for one in rulings for breach in one.breaches if breach.grade is Grade.illegal
    ] == []


def flown(to: str, *happened: Fact) -> list[str]:
    """What is proved when the Luftwaffe flies in an Axis attack on 8014, and what happens after it."""
    units = {"it-superga": "7914", "us-1": "8014", "de-air1": "8407"}
    opening = {name: Standing(place) for name, place in units.items()}
    draft = read("patton1943", opening, Clock(1, 1), *dragged("de-air1", "8407", to), *happened)
    return [clause for _, grade, clause in found(draft) if grade is Grade.illegal]


def test_aircraft_put_on_an_attacker_fly_to_an_attack_that_nobody_declared() -> None:
    assert flown("7914", rolled("attack", 6), rolled("defence", 9)) == []


def test_aircraft_put_where_nobody_can_be_attacked_have_moved() -> None:
    assert flown("8410", rolled("attack", 6), rolled("defence", 9)) == ["7b"]


def test_aircraft_that_fly_in_a_phase_without_dice_have_moved() -> None:
    assert flown("7914") == ["7b"]


def test_aircraft_moved_in_set_up_to_where_a_battle_is_later_are_deployed_there() -> None:
    roles = {"uk-para": ("D", "7607"), "uk-air1": ("D", "7607"), "de-21pz": ("A", "7608")}
    battle = [
        JoinedBattle(step=0, counter=name, battle=1, role=one[0], place=one[1]) for name, one in roles.items()
    ]
    opening = {name: Standing(place) for name, (_, place) in roles.items()} | {"uk-air1": Standing("8821")}
    draft = read("patton1943", opening, Clock(1), *dragged("uk-air1", "8821", "7709", "7607"), *battle)
    contents = [one.statement.content for one in draft.readings]
    assert [one.verb for one in contents if isinstance(one, Action)] == ["deploy"]


@pytest.mark.parametrize(("said", "clauses"), [(1, []), (2, ["8c"])])
def test_a_side_that_never_says_so_may_set_up_after_the_other_has(said: int, clauses: list[str]) -> None:
    drags = dragged("de-hg", "7910", "8022", "8017", "8514", "8614")
    complete = [Declared(step=0, declaration="begin", side=side) for side in ("allied", "axis")[:said]]
    opening = {name: Standing(place) for name, place in {"de-hg": "7910", "us-1": "8014"}.items()}
    draft = read("patton1943", opening, Clock(1), *complete, *drags, turned(1, 1))
    assert [clause for _, grade, clause in found(draft) if grade is Grade.illegal] == clauses


def test_a_side_sets_up_until_it_says_so_even_if_the_track_was_advanced_too_early() -> None:
    begin = Declared(step=0, declaration="begin")
    units = {"de-hg": "7910", "de-15pz": "8414", "us-1": "8014"}
    opening = {name: Standing(place) for name, place in units.items()}
    happened = (
        *dragged("de-15pz", "8414", "8316"),
        turned(1, 1),
        begin,
        *dragged("de-hg", "7910", "8514", "8614"),
        begin,
    )
    draft = read("patton1943", opening, Clock(1), *happened, *dragged("de-hg", "8614", "8615"))
    assert [clause for _, grade, clause in found(draft) if grade is Grade.illegal] == []
