"""Announced odds compared with the correct ones; a difference is attributed to the clause that was forgotten
or misread.
"""

from __future__ import annotations

from referee.engine.announced import Announced, Explanation, explained
from referee.engine.position import Piece, Position
from referee.engine.rulings import Grade
from referee.engine.supply import Supply
from referee.games.postcard1943.battle import Attack, calculate_odds, defenders
from referee.games.postcard1943.facts import is_disrupted, is_sound, supply
from referee.games.postcard1943.notes import DISRUPTION_DUE, SUPPLIED

MISTAKES = (
    ("terrain.4", "river", "1 column down only if more than half of the factors attack across a river"),
    ("disrupt.3", "disrupted", "1 column up only if a defender is Disrupted"),
    ("air.5", "support", "1 column up for close support only by LW Afrika or Desert AF"),
    ("pressed.2", "press", "the press roll decides between 1 column up and 1 down"),
    ("pressed.2", "no press", "the press roll decides between 1 column up and 1 down"),
    ("supply.5", "full factors", "the attack factors of a unit out of supply are halved"),
    ("supply.6", "full factors", "supply is determined again when a unit attacks"),
    ("terrain.9", "new zealanders as armour", "the New Zealanders defend as infantry and get its bonus"),
    ("terrain.9", "new zealanders unasked", "the New Zealanders were not declared to defend as infantry"),
    ("church.1", "no churchills", "the Churchills cancel 1 factor of the hill bonus"),
    ("church.1", "churchills cancel all", "the Churchills cancel no more than 1 factor of the hill bonus"),
    ("terrain.3", "mareth", "the Mareth Line counts from turn 5 on, and only if it is not outflanked"),
    ("terrain.2", "unmatched", "a bonus of 2 counts only as far as the infantry has as many defence factors"),
    ("terrain.2", "longstop as a hill", "Longstop adds 2 defence factors if the infantry has as many"),
    ("terrain.1", "no hill", "infantry in hills adds 1 defence factor"),
    ("terrain.1", "hill for each unit", "hills add 1 defence factor for the hex, not for each unit"),
    ("terrain.1", "armour in hills", "hills add nothing for armour without infantry"),
    ("terrain.3", "armour in the line", "the Mareth Line adds nothing for armour without infantry"),
)
"""Clauses, the mistakes that are made about them, and what is right."""

ODDS_CLAUSES = " ".join(dict.fromkeys((*(clause for clause, _, _ in MISTAKES), "combat.3")))
"""All clauses that mistakes in odds can be about."""


def explain(position: Position, attack: Attack, announced: Announced) -> Explanation | None:
    """Return what explains wrong odds, None if they are right."""
    return explained(position, attack, announced, _explain)


def _explain(position: Position, attack: Attack, announced: Announced) -> Explanation | None:
    if announced.fits(calculate_odds(position, attack)):
        return None
    for clause, mistake, right in MISTAKES:
        if announced.fits(calculate_odds(position, attack, mistake)):
            if not _is_likely(position, attack, mistake):
                continue
            if clause == "supply.5" and _lost_since(position, attack):
                continue
            return Explanation(clause, right, _grade(position, attack, clause))
    columns = position.game.tables["crt"].columns
    if announced.column not in columns:
        return Explanation("crt.1", f"the table has no column {announced.column}")
    true = calculate_odds(position, attack)
    if announced.sums_fit(true) and (announced.attack or announced.defence):
        off = abs(columns.index(announced.column) - true.natural)
        if off <= sum(abs(shift.columns) for shift in true.shifts):
            return Explanation("crt.1", "the announced column has other shifts")
        return Explanation("combat.3", "the ratio is rounded in the defender's favour")
    return Explanation("combat.3", "these are the sums of the factors, with terrain")


def _is_likely(position: Position, attack: Attack, mistake: str) -> bool:
    """Return whether there is any reason why a shift could have been wrongly claimed or forgotten."""
    if mistake == "river":
        map_ = position.game.map
        sides = [(attack.stood[name], attack.target) for name in attack.attackers]
        near = [side for side in sides if side[0] in map_.grid and map_.grid.are_neighbours(*side)]
        return any("river" in map_.hexside(*side).features for side in near)
    if mistake == "disrupted":
        return any(is_disrupted(position, piece) for piece in defenders(position, attack))
    return bool(attack.bombers) if mistake == "support" else True


def _grade(position: Position, attack: Attack, clause: str) -> Grade:
    """A wrong amount by a clause is a slip; if another interpretation of the clause makes it
    right, unproven.
    """
    if clause == "terrain.2":
        return Grade.unproven
    if clause == "terrain.9":  # players may have agreed on it outside the log
        return (
            Grade.slip
            if position.game.adopted("nz-defence") == "better" or attack.as_infantry
            else Grade.unproven
        )
    if clause == "disrupt.3":
        units = defenders(position, attack)
        disrupted = [piece for piece in units if is_disrupted(position, piece)]
        forgotten = any(is_sound(piece) and not _is_hit_today(position, piece) for piece in disrupted)
        return Grade.unproven if forgotten or 0 < len(disrupted) < len(units) else Grade.slip
    if clause == "supply.5":
        far = any(supply(position, name) is Supply.far for name in attack.attackers)
        return Grade.unproven if far else Grade.slip
    return Grade.slip


def _is_hit_today(position: Position, piece: Piece) -> bool:
    return position.note(DISRUPTION_DUE, piece.id) == position.date


def _lost_since(position: Position, attack: Attack) -> bool:
    """Return whether attackers had supply in this player turn and have lost it [supply.6]."""
    short = [name for name in attack.attackers if supply(position, name) is not Supply.supplied]
    return any((SUPPLIED, name) in position.notes for name in short)
