"""Which result of a combat is carried out if players announced a wrong one.

They may follow either. What fits the correct result breaks no rule: the wrong announcement has been reported.
If the wrong result is carried out, a finding has both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TypeAlias

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Found, Predicate, Section
from referee.engine.rulings import Breach
from referee.games.vitoria1813.battle import SETTLING, Fight, fights, lost_by, party, share
from referee.games.vitoria1813.facts import SIDES, is_on_map
from referee.games.vitoria1813.paths import length_of

Duty: TypeAlias = Callable[[Position, Fight], Iterable[Breach]]

_BY_RESULT: dict[str, list[Predicate]] = {}
_DUTIES: list[Duty] = []


def by_result(rules: Section, *verbs: str, clause: str) -> Callable[[Predicate], Predicate]:
    """Register a predicate on what a result makes counters do: what the correct one requires
    breaks nothing.
    """

    def register(find: Predicate) -> Predicate:
        for verb in verbs:
            _BY_RESULT.setdefault(verb, []).append(find)

        @wraps(find)
        def judged(position: Position, action: Action) -> Found:
            found = _listed(find(position, action))
            right = _as_is_right(position) if found else None
            if right is None or any(_listed(one(right, action)) for one in _BY_RESULT[action.verb]):
                return found
            return ()

        rules.on(*verbs, clause=clause)(judged)
        return find

    return register


def duty(rules: Section, clause: str) -> Callable[[Duty], Duty]:
    """Register a rule on what a combat leaves undone: it finds nothing if the correct result
    was carried out.
    """

    def register(find: Duty) -> Duty:
        _DUTIES.append(find)

        @wraps(find)
        def judged(position: Position, fight: Fight) -> Iterator[Breach]:
            found = tuple(find(position, fight))
            if not (found and fight.disputed and is_done(position, fight, fight.right)):
                yield from found

        SETTLING.rule(rules, clause)(judged)
        return find

    return register


def is_done(position: Position, fight: Fight, result: str) -> bool:
    """Return whether exactly this result was carried out."""
    fight = evolve(fight, given=result)
    left = any(True for find in _DUTIES for _ in find(position, fight))
    return not left and not any(_has_done_more(position, fight, side) for side in SIDES)


def is_left_undone(position: Position, fight: Fight) -> bool:
    """Return whether anything of the announced result is left undone."""
    return any(True for find in _DUTIES for _ in find(position, fight))


def _has_done_more(position: Position, fight: Fight, side: str) -> bool:
    """Return whether a side has lost more or gone farther than the result requires."""
    wanted, names = share(position, fight, side), party(fight, side)
    paths = [path for name in names if (path := fight.gone.get(name))]
    lost = lost_by(fight, side)
    if wanted.goes:  # a unit without a path is destroyed
        lost -= sum(
            fight.lost.get(name, 0) for name in names if not is_on_map(position, position.pieces[name])
        )
    if wanted.eliminated:
        return False
    if wanted.rout or not wanted.goes:
        return lost > wanted.steps or (bool(paths) and not wanted.rout)
    return lost > wanted.steps or any(length_of(position, path) != wanted.retreat for path in paths)


def _as_is_right(position: Position) -> Position | None:
    """The position with the correct results in place of wrong ones; None if all are correct."""
    key = ("as is right",)
    if key not in position.memory:
        wrong = [fight for fight in fights(position) if fight.disputed]
        after = position
        for fight in wrong:
            after = after.with_battle(evolve(fight, given=fight.right))
        position.memory[key] = after if wrong else None
    found: Position | None = position.memory[key]
    return found


def _listed(found: Found) -> tuple[Breach, ...]:
    if found is None:
        return ()
    return (found,) if isinstance(found, Breach) else tuple(found)
