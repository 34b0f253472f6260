"""Attacks fought from their declaration to the last consequence: what leads up to a breach.

Random play seldom gets as far as the die; so without a current battle, a mutator for its consequences may
begin with an attack of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.battle import Attack
from tools.oracles.games.tunisia1943.board import TIGERS
from tools.proof.breaking import Breaker, Broken, Moment, Mutate
from tools.proof.games.tunisia1943.attacking import open_attacks, strong, targets
from tools.proof.games.tunisia1943.facts import EM, enemy, is_armour, units
from tools.proof.games.tunisia1943.legal_actions import done, following, may_attack_together
from tools.proof.games.tunisia1943.supporting import air_of, flown, is_ready, served
from tools.proof.playing import Step

FIGHTS, TRIES = 10, 8
"""How many attacks are fought, and how often one is declared until it is legal."""
MOST = 14
"""How many consequences of one attack are carried out at most."""
FACES = range(1, 7)
HELPED = 0.5
"""How often there is aviation, and artillery of a headquarters."""
LIKED = {"DD": 3, "SD": 6, "SU": 6, "FF": 2}
BEFORE = ("attack", "next")
LedUpTo: TypeAlias = "Iterator[tuple[tuple[Action, ...], Moment]]"
"""Steps, each with the actions that led up to it."""


def consequence(breaker: Breaker, clause: str, *verbs: str) -> Callable[[Mutate], Mutate]:
    """Register a mutator for the consequences of a die: at steps of these verbs, and after attacks of its
    own.
    """

    def fought(moment: Moment) -> LedUpTo:
        return (one for one in fights(moment) if one[1].action.verb in verbs)

    return led_up_to(breaker, clause, verbs, BEFORE, fought)


def led_up_to(
    breaker: Breaker,
    clause: str,
    verbs: tuple[str, ...],
    begun: tuple[str, ...],
    lead: Callable[[Moment], LedUpTo],
) -> Callable[[Mutate], Mutate]:
    """Register a mutator at steps of these verbs, and at others that are led up to from steps of those
    ``begun``.
    """

    def register(mutate: Mutate) -> Mutate:
        def at_once(moment: Moment) -> Broken:
            for before, after in lead(moment):
                for actions in mutate(after):
                    yield (*before, *actions)

        at_once.__name__ = mutate.__name__
        breaker.breaks(clause, *verbs)(mutate)
        breaker.breaks(clause, *begun)(at_once)
        return mutate

    return register


def is_surely_no_result(moment: Moment) -> bool:
    """Return whether no log can take the next action for the result of an undeclared battle.

    That is so once a die was rolled in the phase, or in a phase without battles once something was done.
    """
    verbs = {action.verb for action in moment.did()}
    if moment.position.phase in ("combat", "exploitation"):
        return "roll combat" in verbs
    return bool(verbs - {NEXT.name})


def fights(moment: Moment) -> Iterator[tuple[tuple[Action, ...], Moment]]:
    """Steps of attacks that could be made now, from the die on, with the actions up to then."""
    position = moment.position
    if position.phase != "combat" or position.battles:
        return
    found = list(targets(position, position.side))
    for _ in range(FIGHTS if found else 0):
        steps = _fought(moment, found)
        rolled = [place for place, step in enumerate(steps) if step.action.verb == "roll combat"]
        for place in range(rolled[0], len(steps)) if rolled else ():
            yield tuple(step.action for step in steps[:place]), Moment(steps, place, moment.rng)


def _fought(moment: Moment, found: list[tuple[str, list[Piece]]]) -> list[Step]:
    """A fight, with the turn track advanced after it; None if that is not possible."""
    rng = moment.rng
    for _ in range(TRIES):
        target, near = rng.choices(found, [len(near) ** 2 for _, near in found])[0]
        steps = _rolled(moment, target, rng.sample(near, len(near)))
        if steps:
            break
    else:
        return []
    for _ in range(MOST):
        actions = following(steps[-1].after)
        if not actions:
            break
        steps.append(done(steps[-1].after, rng.choice(actions)))
    return [*steps, done(steps[-1].after, Action(NEXT.name))]


def _rolled(moment: Moment, target: str, near: list[Piece]) -> list[Step]:
    """An attack by some units or by as many as may, with its dice; None if it is not legal."""
    rng, position, group = moment.rng, moment.position, list[Piece]()
    most = rng.choice((1, 2, len(near), len(near)))
    for piece in near:
        if len(group) < most and may_attack_together(position, target, [*group, piece]):
            group.append(piece)
    if not group or not strong(position, target, group):
        return []
    steps = [done(position, Action("attack", tuple(piece.id for piece in group), target=target))]
    for action in _support(moment):
        if may_help(steps[-1].after, action):
            steps.append(done(steps[-1].after, action))
    if any(map(is_armour, group)):
        steps.append(done(steps[-1].after, Action("roll cohesion", dice=_test(moment, target))))
    rolled = [done(steps[-1].after, Action("roll combat", dice=(face,))) for face in FACES]
    return [*steps, rng.choices(rolled, [_weight(step.after) for step in rolled])[0]]


def may_help(position: Position, action: Action) -> bool:
    """Whether aviation or artillery may support the current attack [11a, 11c, 6.2a, 6.2b, 6.2j, 9.2]."""
    attack = open_attacks(position)[-1]
    if action.verb == "aviation":
        side, points = action.words[0], int(action.words[1])
        return points <= air_of(position, side) - sum(flown(position, side).values())
    em = position.pieces[action.piece]
    return bool(served(position, attack, em)) and is_ready(position, attack, em)


def _test(moment: Moment, target: str) -> tuple[int, int]:
    """The two dice of a test, often close to the number that a unit in a hex just passes."""
    rng = moment.rng
    values = [
        piece.counter.factor("cohesion", piece.steps) - rng.randint(0, 2)
        for piece in moment.position.at(target)
        if piece.counter.kind in ("unit", "garrison") and piece.id not in TIGERS
    ]
    near = [(one, value - one) for value in values for one in FACES if value - one in FACES]
    return rng.choice(near) if near else (rng.randint(1, 6), rng.randint(1, 6))


def _support(moment: Moment) -> Iterator[Action]:
    """Aviation and artillery that may support the current attack, the attackers' first."""
    position, rng = moment.position, moment.rng
    sides = (position.side, enemy(position.side))
    if rng.random() < HELPED:
        yield from (Action("aviation", words=(side, str(rng.choice((0, 1, 1, 2))))) for side in sides)
    for side in sides:
        for em in units(position, side, EM):
            if rng.random() < HELPED:
                yield Action("artillery", (em.id,), words=("1",))


def _weight(position: Position) -> int:
    """The weight of a result: those that make defenders retreat are rare and preferred."""
    battle = position.battles[-1]
    return LIKED.get(battle.code, 1) if isinstance(battle, Attack) else 0
