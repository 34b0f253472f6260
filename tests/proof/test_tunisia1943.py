"""Games of Tunisia 1943 that were told as logs."""

from __future__ import annotations

from referee.engine.actions import NEXT, Action
from referee.games import find_rules
from tools.proof.judging import SIMPLE, audit_game
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
