"""Garrisons of the harbours."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import name_of
from referee.games.tunisia1943.account import demand, is_destroyed
from referee.games.tunisia1943.battle import Attack, is_garrison
from referee.games.tunisia1943.odds import announced
from referee.games.tunisia1943.outcomes import DUTIES
from vassalgen.game.provenance import Provenance

rules = Section("Garrisons", Provenance("rulebook", "Garrisons of the Axis harbors"))

announced(rules, "G.2 G.3")


@rules.on("shift", clause="G.4")
def a_garrison_does_not_move(position: Position, action: Action) -> Breach | None:
    """It may be put back where it belongs."""
    home = next((one.at for one in position.scenario.setup if action.piece in one.counters), "")
    if action.target == home:
        return None
    says = f"{name_of(position, action.piece)} stays in its harbour; it was put in {action.target}."
    return Breach(says, {"garrison": action.piece, "hex": action.target})


rules.places("shift")


@DUTIES.rule(rules, "G.6")
def the_garrison_takes_the_first_loss(position: Position, attack: Attack) -> Iterator[Breach]:
    if position.game.adopted("garrison-first") == "may" or demand(attack).defenders[0] != "some":
        return
    alive = [name for name in attack.defenders if _is_alive(position, name)]
    lost = tuple(name for name in attack.defenders if attack.lost.get(name))
    if alive and lost:
        says = (
            f"{name_of(position, lost[0])} loses a step in"
            f" {attack.target}; the first loss there is the garrison's."
        )
        yield Breach(says, {"garrison": alive[0], "lost": lost})


def _is_alive(position: Position, name: str) -> bool:
    return is_garrison(position.pieces[name]) and not is_destroyed(position, name)
