"""An attack on a unit that waits in a box, as a careless log may show it, is ruled on."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.games import find_rules
from vassalgen.game.finding import open_game


def test_an_attack_on_a_box_is_judged_like_any_other() -> None:
    rules = find_rules("vitoria1813")
    position = rules.empty(rules.world(open_game("vitoria1813")))
    position = position.with_piece("fr-tilly", where="0115").with_piece("uk-grant", where="dalhousie-column")
    clock = position.world.calendar.find(5, "combat", "french")
    attack = Action("attack", ("fr-tilly",), target="dalhousie-column")
    assert Position(position.world, position.pieces, clock).play(attack).ruling.breaches
