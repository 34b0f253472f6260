"""When it is looked at whether a result has been carried out: rules on what was left undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TypeAlias

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.games.postcard1943.battle import Attack, attack_of, attacks

Undone: TypeAlias = Callable[[Position, Attack], Iterable[Breach]]


def settling(rules: Section, clause: str, *, next_die: bool = False) -> Callable[[Undone], Undone]:
    """Register a rule on what an attack leaves undone.

    It is looked at when players say that a battle is settled, and at the end of the phase. What moves pieces
    must be done before the ``next_die``; a marker may be put down later.
    """

    def register(find: Undone) -> Undone:
        @wraps(find)
        def at_once(position: Position, action: Action) -> Iterator[Breach]:
            attack = attack_of(position, action)
            if attack and attack.rolled and not attack.settled:
                yield from find(position, attack)

        @wraps(find)
        def at_next_die(position: Position, action: Action) -> Iterator[Breach]:
            this = attack_of(position, action)
            for attack in attacks(position):
                if attack.rolled and not attack.settled and this and attack.number != this.number:
                    yield from find(position, attack)

        @wraps(find)
        def at_the_end(position: Position) -> Iterator[Breach]:
            for attack in attacks(position):
                if attack.rolled and not attack.settled:
                    yield from find(position, attack)

        rules.on("settle", clause=clause)(at_once)
        if next_die:
            rules.on("roll combat", clause=clause)(at_next_die)
        rules.leaving("combat", clause=clause)(at_the_end)
        return find

    return register


def settled(position: Position, attack: Attack) -> Position:
    """Return the position with an attack settled; what comes later is no longer missed."""
    return position.with_battle(evolve(attack, settled=True))
