"""Attacks in which one clause decides the odds: chosen among all possible attacks, and then fought.

Random play seldom rolls exactly the numbers at which one rule makes the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from typing import TypeAlias

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.tunisia1943.battle import Attack
from tools.oracles.games.tunisia1943.board import Board
from tools.proof.breaking import Breaker, Moment, Mutate
from tools.proof.games.tunisia1943.attacking import NEW, open_attacks, targets
from tools.proof.games.tunisia1943.facts import is_armour
from tools.proof.games.tunisia1943.fights import BEFORE, FACES, LedUpTo, led_up_to
from tools.proof.games.tunisia1943.legal_actions import done, may_attack, may_attack_together
from tools.proof.playing import Step

ENOUGH = 3
"""How many such attacks are fought from one position."""
WIDE = 3
"""How many units attack together, apart from attacks by as many as may."""
Decides: TypeAlias = Callable[[Board, Attack], bool]


def aimed(
    breaker: Breaker, clause: str, decides: Decides, totals: Sequence[int] = (12,)
) -> Callable[[Mutate], Mutate]:
    """Register a mutator for the die of an attack that a clause decides.

    If armour attacks, its test has one of some ``totals``: hardly any unit passes with the highest one.
    """

    def lead(moment: Moment) -> LedUpTo:
        return islice(_fought(moment, decides, totals), ENOUGH)

    return led_up_to(breaker, clause, ("roll combat",), BEFORE, lead)


def _fought(moment: Moment, decides: Decides, totals: Sequence[int]) -> LedUpTo:
    if moment.position.phase != "combat" or open_attacks(moment.position):
        return
    board = Board(moment.position)
    for attack in _attacks(moment):
        found = [one for one in _tested(moment, attack, totals) if decides(board, one)]
        steps = _carried_out(moment, moment.rng.choice(found)) if found else []
        if steps:
            before = tuple(step.action for step in steps[:-1])
            yield before, Moment(steps, len(steps) - 1, moment.rng)


def _attacks(moment: Moment) -> Iterator[Attack]:
    """The attacks that could be made, by all units nearby or by few."""
    position = moment.position
    found = list(targets(position, position.side))
    moment.rng.shuffle(found)
    for target, near in found:
        for group in _groups(moment, target, near):
            stood = {piece.id: piece.where for piece in group}
            yield Attack(NEW, target, tuple(stood), position.side, stood)


def _groups(moment: Moment, target: str, near: list[Piece]) -> Iterator[tuple[Piece, ...]]:
    for size in range(1, WIDE + 1):
        yield from combinations(near, size)
    group: tuple[Piece, ...] = ()
    for piece in near:
        wider = (*group, piece)
        if may_attack_together(moment.position, target, [*wider]):
            group = wider
    if len(group) > WIDE:
        yield group


def _tested(moment: Moment, attack: Attack, totals: Sequence[int]) -> list[Attack]:
    """An attack as it may be before its die: with armour, after each total of the test."""
    if not any(is_armour(moment.position.pieces[name]) for name in attack.attackers):
        return [attack]
    return [evolve(attack, tests=(total,)) for total in totals]


def _carried_out(moment: Moment, attack: Attack) -> list[Step]:
    """An attack declared, tested and rolled; None if it is not legal."""
    pairs = [(one, total - one) for total in attack.tests for one in FACES if total - one in FACES]
    steps, position = list[Step](), moment.position
    pieces = [position.pieces[name] for name in attack.attackers]
    if not may_attack(position, attack.target, pieces):
        return []
    for action in (
        Action("attack", attack.attackers, target=attack.target),
        *([Action("roll cohesion", dice=moment.rng.choice(pairs))] if pairs else []),
        Action("roll combat", dice=(moment.rng.choice(FACES),)),
    ):
        steps.append(done(position, action))
        position = steps[-1].after
    return steps
