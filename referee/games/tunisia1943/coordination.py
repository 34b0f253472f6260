"""Coordination: how many divisions, and of which nations, attack together."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import listed, name_of
from referee.games.tunisia1943.facts import ALLIES, division_of, the_field, this_turn
from vassalgen.game.provenance import Provenance

rules = Section("Coordination", Provenance("rulebook", "8"))


@rules.on("attack", clause="8a")
def two_divisions_in_an_attack(position: Position, action: Action) -> Breach | None:
    """A stricter interpretation counts units without a division as one each."""
    found = {division_of(position, name) for name in action.pieces} - {""}
    alone = [name for name in action.pieces if not division_of(position, name)]
    most = position.game.values["combat"].values.integer("divisions")
    reading = position.game.adopted("independents-and-divisions")
    strict = found | set(alone)
    if reading == "unproven":
        strict -= the_field(position).tigers  # they join any division's attack [12a]
    if len(found) <= most and (reading == "no" or len(strict) <= most):
        return None
    counted = found if len(found) > most else strict
    unproven = len(found) <= most and reading == "unproven"
    formations = position.game.formations
    named = [
        formations[name].title if name in formations else name_of(position, name) for name in sorted(counted)
    ]
    says = (
        f"Units of {len(counted)} divisions attack {action.target} together ({listed(named)});"
        f" the limit is {most}."
    )
    facts: Facts = {"divisions": tuple(sorted(counted)), "hex": action.target}
    return Breach(says, facts, Grade.unproven if unproven else Grade.illegal)


@rules.on("attack", clause="8b C1.6")
def no_interallied_attacks_at_first(position: Position, action: Action) -> Iterator[Breach]:
    """The section and the campaign have the same rule, and both are broken."""
    if this_turn(position).flag("interallied", True) or position.pieces[action.piece].side != ALLIES:
        return
    nations = tuple(sorted({_nation(position, name) for name in action.pieces}))
    if len(nations) < 2:
        return
    titles = " and ".join(position.game.nations[name].title for name in nations)
    facts: Facts = {"nations": nations, "turn": position.turn}
    for clause in ("8b", "C1.6"):
        says = f"{titles} units attack together; they may not this turn."
        yield Breach(says, facts, clause=clause)


def _nation(position: Position, name: str) -> str:
    nation = position.pieces[name].counter.nation
    return (
        nation if position.game.adopted("nations") == "printed" else position.game.nations[nation].counts_as
    )
