"""Odds calculated literally without one clause, and announced like that."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.games.postcard1943.battle import Attack
from referee.games.postcard1943.notes import DISRUPTION_DUE
from tools.oracles.games.postcard1943.board import Board
from tools.oracles.games.postcard1943.fighting import Fight
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.postcard1943.facts import enemy, stack
from tools.proof.games.postcard1943.fighting import battle_of

breaker = Breaker()
SHIFTS = ("terrain.4", "disrupt.3", "air.5", "pressed.2")
GROUND = ("terrain.1", "terrain.2", "terrain.3", "terrain.9", "church.1")


def sums(position: Position, attack: Attack, without: str = "") -> Fight:
    """The odds of an attack before its die, without one clause."""
    for name in position.noted(DISRUPTION_DUE):
        position = position.with_state(name, "disrupted", Mark())
    support, pressed = list(attack.over), attack.pressed
    fight = (attack.number, attack.target, attack.attackers, position)
    return Fight(*fight, bombers=support, pressed=pressed, without=without)


def _is_disrupted(position: Position, piece: Piece) -> bool:
    """Return whether a unit is still Disrupted, by its marker or by one that is still to be placed."""
    return piece.is_("disrupted") or position.note(DISRUPTION_DUE, piece.id) is not None


def _shifts_in_play(position: Position, attack: Attack) -> list[str]:
    """The clauses by which a column may correctly or wrongly be gained or lost."""
    map_, units = position.game.map, stack(position, attack.target, enemy(attack.side))
    sides = [map_.hexside(position.pieces[name].where, attack.target) for name in attack.attackers]
    found = {
        "terrain.4": any("river" in side.features for side in sides),
        "disrupt.3": any(_is_disrupted(position, piece) for piece in units),
        "air.5": bool(attack.bombers),
        "pressed.2": bool(attack.pressed),
    }
    return [clause for clause, there in found.items() if there]


def _announced_without(moment: Moment, clause: str) -> Broken:
    """The odds of players who forget a clause, where that makes a difference."""
    declared = moment.action.verb == "attack"
    position = moment.step.after if declared else moment.position
    attack = battle_of(position, Action("odds") if declared else moment.action)
    if not isinstance(attack, Attack) or attack.rolled:
        return
    grid = position.game.map.grid
    if not all(grid.are_neighbours(position.pieces[name].where, attack.target) for name in attack.attackers):
        return
    if clause in SHIFTS and len(_shifts_in_play(position, attack)) > 1:
        return  # a difference of one column may have several reasons
    right, wrong = sums(position, attack), sums(position, attack, clause)
    if right.is_off_the_table or wrong.is_off_the_table:
        return
    others = (one for one in (*SHIFTS, *GROUND, "supply.5") if one != clause)
    alike = any(sums(position, attack, one).words == wrong.words for one in others)
    if right.words != wrong.words and not alike:
        said = Action("odds", words=wrong.words, battle=attack.number)
        yield (moment.action, said) if declared else (said,)


breaker.alike(
    _announced_without,
    ("attack", "roll combat"),
    hills_forgotten=("terrain.1", "terrain.1"),
    longstop_forgotten=("terrain.2", "terrain.2"),
    mareth_line_forgotten=("terrain.3", "terrain.3"),
    river_forgotten=("terrain.4", "terrain.4"),
    new_zealanders_defend_as_armour=("terrain.9", "terrain.9"),
    churchills_forgotten=("church.1", "church.1"),
    disrupted_defenders_forgotten=("disrupt.3", "disrupt.3"),
    close_support_forgotten=("air.5", "air.5"),
    press_forgotten=("pressed.2", "pressed.2"),
)


def _is_supplied(position: Position, name: str) -> bool:
    return Board.of(position).is_supplied(position.pieces[name])


def _had_supply(moment: Moment) -> bool:
    """Return whether a unit attacks that was in supply when it moved in the same player turn."""
    position, attack = moment.position, battle_of(moment.step.after, moment.action)
    if attack is None:
        return False
    short = {name for name in attack.attackers if not _is_supplied(position, name)}
    return any(
        _is_supplied(step.before, name)
        for step in moment.game[: moment.place]
        if step.action.verb == "move" and step.before.turn == position.turn
        for name in short.intersection(step.action.pieces)
    )


@breaker.breaks("supply.5", "attack", "roll combat")
def full_factors_without_supply(moment: Moment) -> Broken:
    return () if _had_supply(moment) else _announced_without(moment, "supply.5")


@breaker.breaks("supply.6", "attack", "roll combat")
def full_factors_of_units_that_had_supply(moment: Moment) -> Broken:
    return _announced_without(moment, "supply.5") if _had_supply(moment) else ()
