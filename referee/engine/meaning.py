"""Which action is meant by a verb that stands for several: the position shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from attrs import evolve

from referee.engine.actions import NEXT, ROLL, Action, Verb
from referee.engine.idiom import Idiom
from referee.engine.position import Position

Allows: TypeAlias = Callable[[Position, Action], bool]
MOVE = "move"
"""The name of a move in all games."""


def all_verbs(own: Iterable[Verb]) -> Mapping[str, Verb]:
    """Return the verbs of a game by name, with those that all games have: for advancing the clock, and for
    a roll for a counter if the game has such rolls.
    """
    verbs = tuple(own)
    rolls = tuple(verb for verb in verbs if _is_for_a_counter(verb))
    kinds = tuple(dict.fromkeys(kind for verb in rolls for kind in verb.kinds))
    shared = (
        (NEXT, evolve(ROLL, kinds=kinds if all(verb.kinds for verb in rolls) else ())) if rolls else (NEXT,)
    )
    return {verb.name: verb for verb in (*shared, *verbs)}


def meant_roll(verbs: Mapping[str, Verb], allows: Allows, position: Position, action: Action) -> Action:
    """Return a roll with the verb that is meant: the first that makes it legal, or else the first that its
    counter can make; other actions as they are.
    """
    if action.verb != ROLL.name:
        return action
    kind = position.pieces[action.piece].counter.kind
    possible = [evolve(action, verb=verb.name) for verb in _rolls(verbs, kind)]
    return next((one for one in possible if allows(position, one)), (*possible, action)[0])


def meant_move(
    verbs: Mapping[str, Verb], idiom: Idiom, allows: Allows, position: Position, action: Action
) -> Action:
    """Return a move with the verb that is meant, if counters can change hexes with other verbs in the phase:
    the first that makes it legal. In a phase in which nothing moves with the verb itself, it is the first,
    if the players said that it moves: a counter that is dragged may be ahead of its phase.
    """
    likely = [one for one in idiom.move_verbs.get(position.phase, ()) if one.verb in verbs]
    if not likely or likely[0].verb == MOVE:
        return action
    kinds = {position.pieces[name].counter.kind for name in action.pieces}
    possible = [
        evolve(action, verb=one.verb, words=one.words)
        for one in likely
        if one.verb != MOVE
        and "PATH" in verbs[one.verb].needs
        and (not verbs[one.verb].kinds or kinds <= {*verbs[one.verb].kinds})
    ]
    if legal := next((one for one in possible if allows(position, one)), None):
        return legal
    never_moves = not action.dragged and all(one.verb != MOVE for one in likely)
    return (*possible, action)[0] if never_moves else action


def _rolls(verbs: Mapping[str, Verb], kind: str) -> Iterator[Verb]:
    """The verbs for rolls that counters of a kind can make."""
    for verb in verbs.values():
        if _is_for_a_counter(verb) and (not verb.kinds or kind in verb.kinds):
            yield verb


def _is_for_a_counter(verb: Verb) -> bool:
    is_roll = verb.name.startswith(f"{ROLL.name} ") and "DIE" in verb.needs
    return is_roll and bool(verb.needs & {"PIECE", "PIECES"})
