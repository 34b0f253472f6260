"""Breaches in losses: a hit that costs nothing, too much, or the wrong piece."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.battle import Fight
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.fighting import chart, support
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import (
    GROUND,
    UNITS,
    fight_after,
    left_as_it_is,
    struck,
)

breaker = Breaker()
LAST = 12
"""The die that never hits."""


def rolled(moment: Moment, fight: Fight, *, hit: bool, back: bool | None) -> tuple[Action, ...]:
    """The attack declared by this step and its dice, which hit or miss without a natural 1 or 12.

    ``back``: what the defence die does, None if it is not rolled. No result if there is no such die.
    """
    board = Board.of(moment.position)
    added = chart(board, fight.target, fight.stood) + support(board, fight.stood, fight.side)
    unit = moment.position.pieces[fight.unit]
    dice = [("roll attack", _die(moment, unit, added, hit=hit))]
    if back is not None:
        opponent = board.at(fight.target, fight.enemy, *UNITS)[0]
        added = support(board, fight.target, fight.enemy)
        dice.append(("roll defence", _die(moment, opponent, added, hit=back)))
    if not all(die for _, die in dice):
        return ()
    rolls = (Action(verb, dice=(die,), battle=fight.number) for verb, die in dice)
    return moment.action, *rolls


def _die(moment: Moment, piece: Piece, added: int, *, hit: bool) -> int:
    """A die with which a piece hits, or misses; 0 if there is none."""
    factor = piece.counter.factor("combat", piece.steps)
    return moment.rng.choice([die for die in range(2, LAST) if (die + added <= factor) is hit] or [0])


def declared(moment: Moment) -> tuple[Fight, list[Piece]] | None:
    """The battle declared by this step, and the attacked units."""
    fight = fight_after(moment)
    if fight is None or not fight.unit:
        return None
    return fight, Board.of(moment.position).at(fight.target, fight.enemy, *UNITS)


def _unpaid(moment: Moment, *, hit: bool, back: bool) -> Broken:
    found = declared(moment)
    if found is not None and found[1]:
        steps = rolled(moment, found[0], hit=hit, back=back)
        yield from left_as_it_is(moment, found[0], *steps) if steps else ()


breaker.alike(
    _unpaid,
    ("attack",),
    # The enemy hit too.
    the_defender_loses_nothing=("11k", {"hit": True, "back": True}),
    the_attacker_loses_nothing=("12e", {"hit": False, "back": True}),
)


@breaker.breaks("12a", "roll attack")
def no_unit_strikes_back(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if (
        fight is not None
        and Board.of(moment.position).at(fight.target, fight.enemy, *UNITS)
        and not fight.early
    ):
        yield from left_as_it_is(moment, fight, moment.action)


def _loss(moment: Moment, side: str) -> Broken:
    """The loss of a full-strength piece of a side in the battle whose last die this is."""
    fight = struck(moment)
    if fight is None:
        return
    where = fight.stood if side == fight.side else fight.target
    for piece in Board.of(moment.step.after).at(where, side, *UNITS):
        if piece.counter.steps == 2 and piece.steps == 2:
            yield moment.action, Action("lose", (piece.id,), battle=fight.number)


@breaker.breaks("11l", "roll defence")
def a_loss_without_a_hit(moment: Moment) -> Broken:
    fight = struck(moment)
    if fight is not None and not fight.attack_hit and fight.attack_die < LAST:
        yield from _loss(moment, fight.enemy)


@breaker.breaks("12f", "roll defence")
def an_attackers_loss_without_a_hit(moment: Moment) -> Broken:
    fight = struck(moment)
    if fight is not None and not fight.defence_hit and fight.defence_die < LAST:
        yield from _loss(moment, fight.side)


@breaker.breaks("11m", "attack")
def a_loss_to_a_natural_12(moment: Moment) -> Broken:
    """With the modifiers it would hit."""
    found = _full(moment)
    if found is None:
        return
    fight, unit, opponent = found
    board = Board.of(moment.position)
    added = chart(board, fight.target, fight.stood) + support(board, fight.stood, fight.side)
    if LAST + added <= unit.counter.factor("combat", unit.steps):
        loss = Action("lose", (opponent.id,), battle=fight.number)
        yield moment.action, *_both_miss(fight), loss


@breaker.breaks("12g", "attack")
def an_attackers_loss_to_a_natural_12(moment: Moment) -> Broken:
    """With the modifiers it would hit."""
    found = _full(moment)
    if found is None:
        return
    fight, unit, opponent = found
    added = support(Board.of(moment.position), fight.target, fight.enemy)
    if LAST + added <= opponent.counter.factor("combat", opponent.steps) and unit.steps == 2:
        loss = Action("lose", (unit.id,), battle=fight.number)
        yield moment.action, *_both_miss(fight), loss


def _both_miss(fight: Fight) -> tuple[Action, ...]:
    verbs = ("roll attack", "roll defence")
    return tuple(Action(verb, dice=(LAST,), battle=fight.number) for verb in verbs)


def _full(moment: Moment) -> tuple[Fight, Piece, Piece] | None:
    """The battle declared by this step: the attacker, and a full-strength unit of it."""
    fight, position = fight_after(moment), moment.position
    if fight is None or not fight.unit:
        return None
    there = Board.of(position).at(fight.target, fight.enemy, *UNITS)
    full = [piece for piece in there if piece.steps == 2]
    return (fight, position.pieces[fight.unit], full[0]) if full else None


@breaker.breaks("12h", "roll attack")
def a_loss_before_the_defence_die(moment: Moment) -> Broken:
    fight, board = fight_after(moment), Board.of(moment.step.after)
    if fight is None or not fight.attack_hit or fight.early:
        return
    for piece in board.at(fight.target, fight.enemy, *UNITS):
        if piece.counter.steps == 2 and piece.steps == 2:
            yield moment.action, Action("lose", (piece.id,), battle=fight.number)


@breaker.breaks("13h", "lose", "eliminate")
def two_losses_for_a_hit(moment: Moment) -> Broken:
    """A second piece of the hex takes a loss, if no piece had to retreat."""
    fight = fight_after(moment)
    if fight is None or not fight.rolled or not fight.defence_die:
        return
    for name, where in ((fight.side, fight.stood), (fight.enemy, fight.target)):
        leaving = name == fight.enemy and not fight.defence_hit
        for piece in Board.of(moment.step.after).at(where, name, *GROUND):
            if not fight.suffered.get(name) or leaving:
                continue
            if piece.counter.steps == 2 and piece.steps == 2:
                yield moment.action, Action("lose", (piece.id,), battle=fight.number)
            if piece.counter.kind == "support":
                yield moment.action, Action("eliminate", (piece.id,), battle=fight.number)


@breaker.breaks("13a", "lose")
def a_full_unit_is_eliminated(moment: Moment) -> Broken:
    fight, piece = fight_after(moment), moment.position.pieces[moment.action.piece]
    if fight is not None and piece.counter.kind in GROUND and piece.id == fight.unit:
        yield (Action("eliminate", (piece.id,), battle=fight.number),)


@breaker.breaks("13b", "attack")
def no_battlegroup_comes(moment: Moment) -> Broken:
    """Also not later in the phase."""
    found = declared(moment)
    if found is None or moment.later("battlegroup"):
        return
    fight, units = found
    waiting = moment.position.at(f"{fight.enemy}-pool")
    for unit in units if any(one.counter.kind == "battlegroup" for one in waiting) else ():
        if unit.counter.steps == 2 and unit.steps == 1:
            loss = Action("eliminate", (unit.id,), battle=fight.number)
            steps = rolled(moment, fight, hit=True, back=False)
            yield from left_as_it_is(moment, fight, *steps, loss) if steps else ()


@breaker.breaks("13c", "attack")
def a_unit_of_one_side_leaves_a_battlegroup(moment: Moment) -> Broken:
    found = declared(moment)
    if found is None:
        return
    fight, units = found
    for unit in units:
        steps = rolled(moment, fight, hit=True, back=False) if unit.counter.steps == 1 else ()
        for group in moment.position.at(f"{unit.side}-pool") if steps and unit.counter.kind == "unit" else ():
            if group.counter.kind == "battlegroup":
                loss = Action("eliminate", (unit.id,), battle=fight.number)
                comes = Action("battlegroup", (group.id,), target=unit.where, battle=fight.number)
                yield *steps, loss, comes


@breaker.breaks("13f", "lose", "eliminate")
def aircraft_take_a_loss_on_the_ground(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if fight is None or not fight.rolled:
        return
    for where, side in ((fight.target, fight.enemy), (fight.stood, fight.side)):
        for piece in Board.of(moment.position).at(where, side, "air"):
            if piece.counter.steps == 2 and piece.steps == 2:
                yield (Action("lose", (piece.id,), battle=fight.number),)


def _alone(moment: Moment) -> tuple[Fight, Piece] | None:
    """The lone air asset that is the target of this die."""
    fight = fight_after(moment)
    there = Board.of(moment.position).at(fight.target, fight.enemy) if fight is not None else []
    lone = len(there) == 1 and there[0].counter.kind == "air"
    return (fight, there[0]) if fight is not None and lone else None


@breaker.breaks("12k", "roll attack")
def missed_aircraft_stay_alone(moment: Moment) -> Broken:
    found = _alone(moment)
    if found is not None:
        yield from left_as_it_is(moment, found[0], evolve(moment.action, dice=(12,)))


@breaker.breaks("13g", "roll attack")
def a_lone_aircraft_is_only_reduced(moment: Moment) -> Broken:
    found = _alone(moment)
    if found is not None and found[1].steps == 2:
        loss = Action("lose", (found[1].id,), battle=found[0].number)
        yield evolve(moment.action, dice=(1,)), loss


@breaker.breaks("13g", "roll attack")
def a_lone_aircraft_that_was_hit_goes_to_the_box(moment: Moment) -> Broken:
    found = _alone(moment)
    if found is not None:
        box = Action("to box", (found[1].id,), battle=found[0].number)
        yield evolve(moment.action, dice=(1,)), box


@breaker.breaks("13d", "eliminate")
def a_battlegroup_leaves_another(moment: Moment) -> Broken:
    fight, piece = fight_after(moment), moment.position.pieces[moment.action.piece]
    if fight is None or piece.counter.kind != "battlegroup" or piece.where not in (fight.target, fight.stood):
        return
    for group in moment.position.at(f"{piece.side}-pool"):
        if group.counter.kind == "battlegroup":
            yield moment.action, Action("battlegroup", (group.id,), target=piece.where, battle=fight.number)
