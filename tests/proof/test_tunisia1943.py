"""Games of Tunisia 1943 that were written as logs."""

from __future__ import annotations

import pytest
from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.position import Mark
from referee.games import find_rules
from tools.proof.breakers import find_breaker
from tools.proof.breaking import BrokenGame
from tools.proof.games.tunisia1943.legal_after_all import called_for
from tools.proof.judging import EXACT, OTHERWISE, SIMPLE, audit_broken, audit_game
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Step
from vassalgen.game.finding import open_game


def test_one_of_the_inactive_side_who_moves_before_any_combat_is_found_in_the_log() -> None:
    data = open_game("tunisia1943")
    world, steps = find_rules(data.id).world(data, "campaign1"), list[Step]()
    at = world.rulebook.start(world)
    mine, his = (
        Action("move", ("de-barenthin",), ("1303", "1304")),
        Action("move", ("uk-36",), ("1004", "0904")),
    )
    for action in (Action(NEXT.name), mine, his, Action(NEXT.name)):
        played = at.play(action)
        steps.append(Step(action, at, played.position, played.ruling))
        at = played.position
    report, _ = audit_game(opening_of(data.id, "campaign1"), steps, 1, SIMPLE)
    assert [(one.grade.name, one.clause) for one in report.findings] == [("illegal", "1b")]


@pytest.mark.parametrize(("boxed", "found"), [(True, {EXACT}), (False, {EXACT, OTHERWISE})])
def test_what_turns_on_a_box_is_audited_with_the_module_whatever_the_seed(
    boxed: bool, found: set[str]
) -> None:
    """Without it a log that begins during a game does not say that the headquarters is destroyed."""
    data = open_game("tunisia1943")
    world = find_rules(data.id).world(data, "campaign1")
    at = evolve(world.rulebook.start(world), clock=world.calendar.find(3, "supply", "axis"))
    at = at.with_piece("de-em-334", where="axis-lost").with_state("de-755", "out-of-supply", Mark())
    steps = list[Step]()
    for action in (Action("in supply", ("de-755",)), Action(NEXT.name)):
        played = at.play(action)
        steps.append(Step(action, at, played.position, played.ruling))
        at = played.position
    mutator = next(one for one in find_breaker(data.id).mutators if one.boxed)
    broken = BrokenGame(evolve(mutator, boxed=boxed), tuple(steps), 0, 0)
    opening = opening_of(data.id, "campaign1")
    assert {audit_broken(opening, broken, seed).outcome for seed in range(1, 5)} == found


def test_nothing_calls_for_a_garrison_to_leave_its_city() -> None:
    world = find_rules("tunisia1943").world(open_game("tunisia1943"), "campaign1")
    start = world.rulebook.start(world)
    garrison = start.pieces["garrison-bizerte"]
    for there in ("1602", "axis-reinforcements"):
        assert not called_for(start, garrison, evolve(garrison, where=there))
