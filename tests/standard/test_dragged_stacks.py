"""Stacks dragged at once or one through the other, attacks without dice, withdrawals, as logs show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.engine.clock import Clock
from referee.games import find_idiom, find_rules
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import Condition, Fact, JoinedBattle, Marked, Shifted, Standing, Turned
from referee.scribe.scribe import Scribe
from tests.standard.test_clerk import GAME
from vassalgen.game.finding import open_game

CUT_OFF = {"unsupplied": Condition()}
PLACES = {"b1": "0302", "b2": "0302", "b3": "0402", "r1": "0601"}


def read(
    folder: Path,
    rules: str,
    phase: str,
    *steps: tuple[Fact, ...],
    cut_off: str = "",
    marked: str = "",
    **places: str,
) -> Draft:
    """What is read of the small game with other rules, from a phase of Blue's first turn on.

    ``cut_off`` is a unit that is out of supply at the beginning, ``marked`` a hex with interdiction then.
    """
    standing = PLACES | places
    (folder / "rules.toml").write_text(rules)
    game = open_game(GAME, [folder])
    world = find_rules(game).world(game, "")
    clock = world.calendar.find(1, phase, "blue")
    opening = {
        name: Standing(standing.get(name, ""), steps=one.steps, states=CUT_OFF if name == cut_off else {})
        for name, one in game.counters.items()
    }
    where, found = dict(standing), list[StepFacts]()
    for number, happened in enumerate(steps, 1):
        where |= {fact.counter: fact.target for fact in happened if isinstance(fact, Shifted)}
        moved = {fact.counter for fact in happened if isinstance(fact, Shifted)}
        after = {name: Standing(where[name], steps=game.counters[name].steps) for name in moved}
        found.append(StepFacts(number, facts=happened, after=after))
    scribe = Scribe(world, find_idiom(game))
    marker = Marked(step=0, piece="marker-1", marker="m-air", place=marked, laid=True)
    markers = (marker,) if marked else ()
    log = LoggedFacts("stack.vlog", opening, clock, tuple(found), len(found), markers=markers)
    scribe.read(log)
    assert not scribe.draft.unjudged
    return scribe.draft


def findings(draft: Draft) -> list[tuple[str, str]]:
    """The clauses that were found broken, with the grades."""
    return [
        (one.clause, one.grade.name)
        for reading in draft.readings
        if reading.ruling
        for one in reading.ruling.breaches
    ]


def dragged(step: int, names: str, origin: str, target: str) -> tuple[Fact, ...]:
    """Counters dragged at once."""
    return tuple(Shifted(step=step, counter=name, origin=origin, target=target) for name in names.split())


def test_a_stack_through_which_a_counter_was_dragged_on_is_not_over_its_limit(tmp_path: Path) -> None:
    together = dragged(1, "b2 b1", "0302", "0402")
    meanwhile, onward = dragged(2, "ba", "0201", "0202"), dragged(3, "b2", "0402", "0303")
    passed = read(tmp_path, "", "movement", together, meanwhile, onward, ba="0201")
    assert findings(passed) == [("4.1", "unproven")]
    stayed = read(tmp_path, "", "movement", together, meanwhile, ba="0201")
    assert findings(stayed) == [("4.1", "illegal")]


def test_a_counter_dragged_through_a_full_hex_may_come_back_when_there_is_room(tmp_path: Path) -> None:
    through = (dragged(1, "b1", "0302", "0402"), dragged(2, "b1", "0402", "0303"))
    left, back = dragged(3, "b2", "0402", "0401"), dragged(4, "b1", "0303", "0402")
    assert findings(read(tmp_path, "", "movement", *through, left, back, b2="0402")) == []
    assert findings(read(tmp_path, "", "movement", *through, back, b2="0402")) == [("4.1", "illegal")]


WITH_FRIENDS = """
[zoc.limits.guns]
clause = "15.2"
on = "entering"
does = "forbid"
who = "guns"
unless_friend = "infantry"
"""


def test_counters_dragged_at_once_come_in_the_order_in_which_they_may(tmp_path: Path) -> None:
    together = dragged(1, "bg b1", "0401", "0501")
    assert findings(read(tmp_path, WITH_FRIENDS, "movement", together, bg="0401", b1="0401")) == []
    alone = read(tmp_path, WITH_FRIENDS, "movement", together[:1], bg="0401", b1="0401")
    assert findings(alone) == [("15.2", "illegal")]


MUST_ATTACK = '[combat.attack]\nautomatic = "7.4"\nmust_attack = "7.6"\n'
ALL_ELIMINATED = """
[tables.crt]
cells = [
  ["AE", "A1", "EX", "DR", "DE"],
  ["AE", "A1", "DR", "D1", "DE"],
  ["AE", "AR", "DR", "D1", "D1"],
  ["AE", "AR", "DS", "D1/DR", "D1/DR"],
  ["AE", "DS", "D1", "EX", "DR"],
  ["AE", "DR", "EX", "DR", "DR"],
]
"""


@pytest.mark.parametrize("is_carried_out", [False, True])
def test_an_attack_that_needs_no_dice_is_fought_as_it_is_declared(
    tmp_path: Path, is_carried_out: bool
) -> None:
    (tmp_path / "tables.toml").write_text(ALL_ELIMINATED)
    places = {"b1": "0501", "b2": "", "r1": "0601", "r2": "0601"}
    joined = tuple(
        JoinedBattle(step=2, counter=name, battle=1, role=role, place=places[name])
        for name, role in (("r1", "D"), ("r2", "D"), ("b1", "A"))
    )
    loss = (dragged(3, "b1", "0501", "blue-lost"),) if is_carried_out else ()
    to_combat, beyond = (Turned(step=1, clock=Clock(1, 2)),), (Turned(step=4, clock=Clock(1, 3)),)
    fought = read(tmp_path, MUST_ATTACK, "movement", to_combat, joined, *loss, beyond, **places)
    assert findings(fought) == []
    idle = read(tmp_path, MUST_ATTACK, "movement", to_combat, beyond, **places)
    assert findings(idle) == [("7.6", "unproven")]  # it may have been fought before the log begins


@pytest.mark.parametrize("box", ["blue-pool", "blue-lost"])
def test_a_unit_out_of_supply_that_is_taken_off_the_map_on_its_date_is_withdrawn(
    tmp_path: Path, box: str
) -> None:
    """It might be lost for its supply, too, but then a unit would still have to be withdrawn."""
    rules = '[withdrawals.one]\nclause = "12.2"\nwho = "infantry and blue"\nturn = 1\n'
    rules += 'phase = "movement"\ncount = 1'
    gone, beyond = dragged(1, "b1", "0302", box), (Turned(step=2, clock=Clock(1, 2)),)
    assert findings(read(tmp_path, rules, "movement", gone, beyond, cut_off="b1")) == []
    assert findings(read(tmp_path, rules, "movement", beyond, cut_off="b1")) == [("12.2", "illegal")]


CARRIED = """
[sequence.movement]
does = "move carry"
[movement.carry]
clause = "5.4"
who = "guns"
points = 6
carried_by = "armour"
carried_clause = "15.4"
"""


def test_guns_dragged_far_were_carried_if_their_carrier_came_along(tmp_path: Path) -> None:
    places, beyond = {"ba": "0103", "bg": "0103"}, (Turned(step=3, clock=Clock(1, 2)),)
    guns, armour = dragged(1, "bg", "0103", "0503"), dragged(2, "ba", "0103", "0503")
    assert findings(read(tmp_path, CARRIED, "movement", guns, armour, beyond, **places)) == []
    together = dragged(1, "bg ba", "0103", "0503")
    assert findings(read(tmp_path, CARRIED, "movement", together, beyond, **places)) == []
    assert findings(read(tmp_path, CARRIED, "movement", guns, beyond, **places)) == [("15.4", "illegal")]
    alone = read(tmp_path, CARRIED, "movement", guns, beyond, **(places | {"ba": "0105"}))
    assert findings(alone) == [("5.1", "illegal")]


@pytest.mark.parametrize(("stop", "grade"), [(2, "illegal"), (3, "unproven")])
def test_a_unit_that_is_lost_before_the_track_passes_over_the_combat_phase_may_have_fought_in_it(
    tmp_path: Path, stop: int, grade: str
) -> None:
    lost, begun = dragged(2, "b3", "0402", "blue-lost"), (Turned(step=1, clock=Clock(1, 1)),)
    onward = (Turned(step=3, clock=Clock(1, stop)),), dragged(4, "ra", "0601", "0602")
    draft = read(tmp_path, "", "arrival", begun, lost, *onward, ra="0601")
    assert findings(draft) == [("7.1", grade)]
