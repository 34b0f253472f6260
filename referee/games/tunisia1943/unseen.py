"""What may have happened to headquarters and garrisons in a game whose beginning was not seen.

Without the module a log does not show what is in which box: an EM that is not on the map waits, or is
destroyed. A garrison that a record does not mention may survive.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.battle import attacks
from referee.games.tunisia1943.facts import LOST, division_of, is_em, is_on_map, with_garrisons
from referee.games.tunisia1943.move import EXPLOIT, MOVE
from referee.games.tunisia1943.resolution import after_roll

NEEDING_SUPPLY = (MOVE, EXPLOIT, "break through", "in supply")


def as_it_may_be(position: Position, action: Action) -> Iterator[Position]:
    """Return possible alternatives of the position: EMs destroyed, unmentioned garrisons present."""
    yield from as_headquarters_may_be_lost(position, action)
    garrisoned = as_garrisons_may_live(position)
    if garrisoned is not position:
        yield garrisoned
        yield from as_headquarters_may_be_lost(garrisoned, action)


def as_garrisons_may_live(position: Position) -> Position:
    """Return the position with those garrisons present; they have defended in the attacks rolled for."""
    after = with_garrisons(position)
    for attack in attacks(after) if after is not position else ():
        if attack.die is not None and after.at(attack.target) != position.at(attack.target):
            after = after.with_battle(after_roll(after, evolve(attack, die=None), attack.die))
    return after


def as_headquarters_may_be_lost(position: Position, action: Action) -> Iterator[Position]:
    """Return possible alternatives of the position: with unmentioned EMs destroyed.

    Those of both sides, then of one: units of a destroyed EM are out of supply, which helps the enemy [6.3h].
    It does not help the moving side, and what it forbids is reported for its EM. A position with no EM of a
    side on the map leaves them out: its units are in the states in which they are set up.
    """
    led = {division_of(position, name) for name in action.pieces if action.verb in NEEDING_SUPPLY}
    away = [piece for piece in position.pieces.values() if _may_be_lost(position, piece)]
    known = {piece.side for piece in position.pieces.values() if is_em(piece) and is_on_map(position, piece)}
    away = [piece for piece in away if piece.counter.formation not in led and piece.side in known]
    for sides in (tuple(LOST), *((side,) for side in LOST)):
        after = position
        for piece in away:
            if piece.side in sides:
                after = after.with_piece(piece.id, where=LOST[piece.side])
        if after is not position:
            yield after


def _may_be_lost(position: Position, em: Piece) -> bool:
    """Return whether an EM is not on the map, not known to be destroyed and not due later by the schedule."""
    if not is_em(em) or is_on_map(position, em) or em.where == LOST[em.side]:
        return False
    return not any(
        em.id in arrival.counters and arrival.turn > position.turn for arrival in position.scenario.arrivals
    )
