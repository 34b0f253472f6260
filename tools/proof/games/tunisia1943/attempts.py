"""Breakthroughs played up to their answer: what leads up to a breach of the rules on what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece
from tools.oracles.games.tunisia1943.board import TIGERS, Board
from tools.proof.breaking import Breaker, Moment, Mutate
from tools.proof.games.tunisia1943.facts import enemy, is_armour, is_fresh
from tools.proof.games.tunisia1943.fights import led_up_to
from tools.proof.games.tunisia1943.legal_actions import done, goals
from tools.proof.games.tunisia1943.moving import movers
from tools.proof.games.tunisia1943.paying import Spending
from tools.proof.playing import Step

ATTEMPTS, TRIES = 8, 6
"""How many breakthroughs are attempted, and how often each is declared until it is legal."""
BEFORE = ("move", "next")
WAIVED = 0.15
"""How often armour is let pass."""
SPLIT = 0.5
"""How often a unit accompanies the armour."""


def attempted(breaker: Breaker, clause: str, *verbs: str) -> Callable[[Mutate], Mutate]:
    """Register a mutator for what follows an answer, at these verbs and after attempts of its own."""
    return led_up_to(breaker, clause, verbs, BEFORE, attempts)


def attempts(moment: Moment) -> Iterator[tuple[tuple[Action, ...], Moment]]:
    """Steps after the answers to breakthroughs that could be attempted now, with the actions up to then."""
    armour = [piece for piece in movers(moment) if is_armour(piece)]
    for piece in moment.rng.choices(armour, k=ATTEMPTS) if armour else ():
        steps = _attempted(moment, piece)
        if steps:
            steps.append(done(steps[-1].after, Action(NEXT.name)))
            yield tuple(step.action for step in steps[:-1]), Moment(steps, len(steps) - 1, moment.rng)


def _attempted(moment: Moment, armour: Piece) -> list[Step]:
    """A move into a zone of control, a breakthrough and its answer; None if that is not possible."""
    rng, position, board = moment.rng, moment.position, Board(moment.position)
    group = [armour]
    beside = [piece for piece in board.at(armour.where, armour.side, "unit") if not is_armour(piece)]
    if beside and is_fresh(position, beside[0]) and rng.random() < SPLIT:
        group.append(beside[0])
    within = [Spending(position, piece).ends() for piece in group]
    ends = [
        at for at in within[0] if board.is_controlled(armour.side, at) and all(at in one for one in within)
    ]
    names = tuple(piece.id for piece in group)
    tigers = [at for at in ends if any(_is_by_tigers(board, at, name) for name in TIGERS)]
    for _ in range(TRIES if ends else 0):
        there = rng.choice(tigers if tigers and armour.side == "allied" else ends)
        if there == armour.where:
            continue
        moved = done(position, Action("move", names, (armour.where, there), dragged=True))
        open_ = goals(moved.after, [moved.after.pieces[name] for name in names])
        if not open_:
            continue
        said = done(moved.after, Action("break through", names, target=rng.choice(open_)))
        dice = rng.choice(((6, 6), (rng.randint(1, 6), rng.randint(1, 6))))
        answer = Action("let pass") if rng.random() < WAIVED else Action("roll breakthrough", dice=dice)
        return [moved, said, done(said.after, answer)]
    return []


def _is_by_tigers(board: Board, where: str, name: str) -> bool:
    tiger = board.position.pieces[name]
    is_enemy = tiger.where in board.map.hexes and tiger.side == enemy("allied")
    return is_enemy and where in board.around(tiger.where)
