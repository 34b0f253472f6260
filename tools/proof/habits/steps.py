"""What the habits need to know about the steps of a game: which come next, which may be done in another
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from referee.carrying_out import carry_out
from referee.engine.actions import NEXT
from referee.engine.idiom import Idiom
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.record import Statement
from tools.proof.playing import Step
from vassalgen.problems import BadInput


def is_by_hand(step: Step, idiom: Idiom) -> bool:
    """Return whether a step consists only of counters that are dragged or lose steps."""
    action = step.action
    losses = (*idiom.steps, idiom.eliminate, *idiom.other_losses)
    is_declared = bool(action.dice) or action.verb in {*idiom.declared.values()}
    return bool(action.pieces) and not is_declared and (bool(action.path) or action.verb in losses)


def advance_after(step: Step, following: Sequence[Step]) -> Step | None:
    """Return the advance into the hex that a counter is driven from in a battle, if it may come next."""
    left = {
        (piece.where, piece.side)
        for piece in map(step.before.pieces.__getitem__, step.action.pieces)
        if step.before.battles and step.after.pieces[piece.id].where != piece.where
    }
    fought = {name for battle in step.before.battles for name in battle.attackers}
    fought |= {piece.id for battle in step.before.battles for piece in step.before.at(battle.target)}
    between: list[Step] = []
    for later in takewhile(lambda one: not one.action.dice, of_this_phase(following) if left else ()):
        sides = {later.before.pieces[name].side for name in later.action.pieces}
        to = later.action.path[-1:]
        follows = fought.issuperset(later.action.pieces)
        if follows and any((where,) == to and {side}.isdisjoint(sides) for where, side in left):
            return later if are_legal(step.before, [step, later, *between]) else None
        between.append(later)
    return None


def are_legal(position: Position, steps: Iterable[Step]) -> bool:
    """Return whether steps are legal in this order."""
    for one in steps:
        try:
            ruling, position = carry_out(position, Statement(one.action))
        except BadInput:
            return False
        if ruling is None or ruling.grade is not Grade.legal:
            return False
    return True


def of_this_phase(steps: Sequence[Step]) -> Iterator[Step]:
    """Return the steps before the next phase begins."""
    return takewhile(lambda step: step.action.verb != NEXT.name, steps)


def moves_on(name: str, following: Sequence[Step]) -> bool:
    """Return whether a counter moves on in this turn before anything else is done with it.

    It does so in the phase in which it enters or in a player turn of its side; after it has come in that of
    the enemy, or before one in which he comes near it first, it must be on the map.
    """
    for step in following:
        if step.after.clock.turn != step.before.clock.turn:
            return False
        if name in step.action.pieces:
            began, side = following[0].before, step.before.pieces[name].side
            waits = step.before.side == side and began.side in ("", side)
            return bool(step.action.path) and (waits or step.before.clock == began.clock)
        if step.action.target and step.before.pieces[name].where == step.action.target:
            return False
    return False
