"""Odds that players announce, compared with the true ones; a difference is laid to the clause got wrong."""

from __future__ import annotations

from referee.engine.announced import Announced, Explanation, explained
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.engine.supply import Supply
from referee.games.postcard1943.battle import Attack, defenders, is_disrupted, reckon
from referee.games.postcard1943.facts import supply
from referee.games.postcard1943.notes import SUPPLIED

MISTAKES = (
    ("terrain.4", "river", "more than half of the factors across the river: one column down"),
    ("disrupt.3", "disrupted", "one column up against Disrupted units"),
    ("air.5", "support", "a column for the close support of LW Afrika or Desert AF, and for no other"),
    ("pressed.2", "press", "the press throw decides whether it is a column up or down"),
    ("pressed.2", "no press", "the press throw decides whether it is a column up or down"),
    ("supply.5", "full factors", "attack factors are halved without supply"),
    ("supply.6", "full factors", "supply is judged anew when a unit attacks"),
    ("terrain.9", "new zealanders as armour", "the New Zealanders may defend as infantry"),
    ("terrain.9", "new zealanders unasked", "nobody said that the New Zealanders defend as infantry"),
    ("church.1", "no churchills", "the Churchills cancel one factor of the hill bonus"),
    ("church.1", "churchills cancel all", "the Churchills cancel one factor only"),
    ("terrain.3", "mareth", "the Mareth Line counts after turn 4 and if it is not outflanked"),
    ("terrain.2", "unmatched", "the bonus of two is matched by the infantry's factors"),
    ("terrain.2", "longstop as a hill", "Longstop gives two factors, if matched"),
    ("terrain.1", "no hill", "infantry in hills defends with a factor more"),
    ("terrain.1", "hill for each unit", "the hill bonus is one for the hex, not for each unit"),
)
"""Clauses, the mistakes that are made about them, and what is right."""

ODDS_CLAUSES = " ".join(dict.fromkeys((*(clause for clause, _, _ in MISTAKES), "combat.3")))
"""All clauses that may be got wrong in odds."""


def explain(position: Position, attack: Attack, announced: Announced) -> Explanation | None:
    """Return what explains announced odds, None if they are right."""
    return explained(position, attack, announced, _explain)


def _explain(position: Position, attack: Attack, announced: Announced) -> Explanation | None:
    if announced.fits(reckon(position, attack)):
        return None
    for clause, mistake, right in MISTAKES:
        if announced.fits(reckon(position, attack, mistake)):
            if not _is_likely(position, attack, mistake):
                continue
            if clause == "supply.5" and _lost_since(position, attack):
                continue
            return Explanation(clause, right, _grade(position, attack, clause))
    columns = position.game.tables["crt"].columns
    if announced.column not in columns:
        return Explanation("crt.1", f"the table has no column {announced.column}")
    true = reckon(position, attack)
    if announced.sums_fit(true) and (announced.attack or announced.defence):
        off = abs(columns.index(announced.column) - true.natural)
        if off <= sum(abs(shift.columns) for shift in true.shifts):
            return Explanation("crt.1", "the shifts add up otherwise")
        return Explanation("combat.3", "the ratio is rounded in the defender's favour")
    return Explanation("combat.3", "attack factors against defence factors")


def _is_likely(position: Position, attack: Attack, mistake: str) -> bool:
    """Tell whether there is anything that a shift could have been wrongly claimed or denied for."""
    if mistake == "river":
        map_ = position.game.map
        sides = [(attack.stood[name], attack.target) for name in attack.attackers]
        near = [side for side in sides if side[0] in map_.grid and map_.grid.are_neighbours(*side)]
        return any("river" in map_.hexside(*side).features for side in near)
    if mistake == "disrupted":
        return any(is_disrupted(position, piece) for piece in defenders(position, attack))
    return bool(attack.bombers) if mistake == "support" else True


def _grade(position: Position, attack: Attack, clause: str) -> Grade:
    """A different number of one clause is a slip, where another sense of it would be right, unproven."""
    if clause == "terrain.2":
        return Grade.unproven
    if clause == "terrain.9":  # it may have been said without a word in the log
        return (
            Grade.slip
            if position.game.adopted("nz-defence") == "better" or attack.as_infantry
            else Grade.unproven
        )
    if clause == "disrupt.3":
        disrupted = [is_disrupted(position, piece) for piece in defenders(position, attack)]
        return Grade.unproven if any(disrupted) and not all(disrupted) else Grade.slip
    if clause == "supply.5":
        far = any(supply(position, name) is Supply.far for name in attack.attackers)
        return Grade.unproven if far else Grade.slip
    return Grade.slip


def _lost_since(position: Position, attack: Attack) -> bool:
    """Tell whether attackers had supply in this player turn and have lost it [supply.6]."""
    short = [name for name in attack.attackers if supply(position, name) is not Supply.supplied]
    return any((SUPPLIED, name) in position.notes for name in short)
