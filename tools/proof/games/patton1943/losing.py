"""Losses broken: hits that cost nothing, too much or the wrong piece."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.battle import Fight
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.plain import GROUND, UNITS, board_of, fight_after, settled, struck

breaker = Breaker()


@breaker.breaks("11k", "roll defence")
def the_defender_loses_nothing(moment: Moment) -> Broken:
    fight = struck(moment)
    if fight is not None and fight.attack_hit and fight.defence_hit:
        yield settled(moment, fight)


@breaker.breaks("12e", "roll defence")
def the_attacker_loses_nothing(moment: Moment) -> Broken:
    fight = struck(moment)
    if fight is not None and fight.defence_hit and not fight.attack_hit:
        yield settled(moment, fight)


@breaker.breaks("12a", "roll attack")
def nobody_strikes_back(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if (
        fight is not None
        and board_of(moment.position).at(fight.target, fight.enemy, *UNITS)
        and not fight.early
    ):
        yield settled(moment, fight)


def _loss(moment: Moment, side: str) -> Broken:
    """A loss of a full piece of a side in the battle whose last die this is."""
    fight = struck(moment)
    if fight is None:
        return
    where = fight.stood if side == fight.side else fight.target
    for piece in board_of(moment.step.after).at(where, side, *UNITS):
        if piece.counter.steps == 2 and piece.steps == 2:
            yield moment.action, Action("lose", (piece.id,), battle=fight.number)


@breaker.breaks("11l", "roll defence")
def a_loss_without_a_hit(moment: Moment) -> Broken:
    fight = struck(moment)
    if fight is not None and not fight.attack_hit:
        yield from _loss(moment, fight.enemy)


@breaker.breaks("12f", "roll defence")
def an_attackers_loss_without_a_hit(moment: Moment) -> Broken:
    fight = struck(moment)
    if fight is not None and not fight.defence_hit:
        yield from _loss(moment, fight.side)


@breaker.breaks("12h", "roll attack")
def a_loss_before_the_defence_die(moment: Moment) -> Broken:
    fight, board = fight_after(moment), board_of(moment.step.after)
    if fight is None or not fight.attack_hit or fight.early:
        return
    for piece in board.at(fight.target, fight.enemy, *UNITS):
        if piece.counter.steps == 2 and piece.steps == 2:
            yield moment.action, Action("lose", (piece.id,), battle=fight.number)


@breaker.breaks("13h", "lose", "eliminate")
def two_losses_for_a_hit(moment: Moment) -> Broken:
    """Another piece of the hex pays as well, where nobody had to retreat."""
    fight = fight_after(moment)
    if fight is None or not fight.rolled or not fight.defence_die:
        return
    for name, where in ((fight.side, fight.stood), (fight.enemy, fight.target)):
        leaving = name == fight.enemy and not fight.defence_hit
        for piece in board_of(moment.step.after).at(where, name, *GROUND):
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


@breaker.breaks("13b", "battlegroup")
def no_battlegroup_comes(moment: Moment) -> Broken:
    yield (Action("settle", battle=moment.action.battle),)


@breaker.breaks("13c", "eliminate")
def a_unit_of_one_side_leaves_a_battlegroup(moment: Moment) -> Broken:
    fight, piece = fight_after(moment), moment.position.pieces[moment.action.piece]
    if fight is None or piece.counter.kind != "unit" or piece.counter.steps > 1:
        return
    for group in moment.position.at(f"{piece.side}-pool"):
        if group.counter.kind == "battlegroup":
            yield moment.action, Action("battlegroup", (group.id,), target=piece.where, battle=fight.number)


@breaker.breaks("13f", "lose", "eliminate")
def aircraft_take_a_loss_on_the_ground(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if fight is None or not fight.rolled:
        return
    for where, side in ((fight.target, fight.enemy), (fight.stood, fight.side)):
        for piece in board_of(moment.position).at(where, side, "air"):
            if piece.counter.steps == 2 and piece.steps == 2:
                yield (Action("lose", (piece.id,), battle=fight.number),)


def _alone(moment: Moment) -> tuple[Fight, Piece] | None:
    """The lone air asset that this die is thrown against."""
    fight = fight_after(moment)
    there = board_of(moment.position).at(fight.target, fight.enemy) if fight is not None else []
    lone = len(there) == 1 and there[0].counter.kind == "air"
    return (fight, there[0]) if fight is not None and lone else None


@breaker.breaks("12k", "roll attack")
def missed_aircraft_stay_alone(moment: Moment) -> Broken:
    found = _alone(moment)
    if found is not None:
        yield evolve(moment.action, dice=(12,)), Action("settle", battle=found[0].number)


@breaker.breaks("13g", "roll attack")
def a_lone_aircraft_is_only_reduced(moment: Moment) -> Broken:
    found = _alone(moment)
    if found is not None and found[1].steps == 2:
        loss = Action("lose", (found[1].id,), battle=found[0].number)
        yield evolve(moment.action, dice=(1,)), loss


@breaker.breaks("12k", "roll attack")
def a_lone_aircraft_that_was_hit_goes_to_the_box(moment: Moment) -> Broken:
    found = _alone(moment)
    if found is not None:
        box = Action("to box", (found[1].id,), battle=found[0].number)
        yield evolve(moment.action, dice=(1,)), box
