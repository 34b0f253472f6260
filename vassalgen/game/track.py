"""The phases of a turn in the order of the turn track. If scenarios begin with different sides, the list
contains both orders of the player turns, one after the other.
"""

from __future__ import annotations

from attrs import frozen

from vassalgen.game.game import Game
from vassalgen.game.sequence import Stop


def stop_name(game: Game, stop: Stop) -> str:
    """A phase as the turn track shows it: ``Allied Movement``, ``Reinforcements``."""
    adjective = game.sides[stop.side].adjective if stop.side else ""
    return f"{adjective} {stop.phase.title}".strip()


@frozen
class Track:
    """The list of phases: the name and side of each, and the first sides for which it applies."""

    names: tuple[str, ...]
    sides: tuple[str, ...]
    firsts: tuple[frozenset[str], ...]


def track_of(game: Game) -> Track:
    """The phases of a turn; if the first side varies, both orders of the player turns one after the other."""
    firsts = first_sides(game)
    everybody = frozenset(firsts)
    found: list[tuple[Stop, frozenset[str]]] = [(Stop(phase), everybody) for phase in game.sequence.opening]
    for first in firsts:
        found += [(stop, frozenset({first})) for stop in game.sequence.stops(first) if stop.side]
    found += [(Stop(phase), everybody) for phase in game.sequence.closing]
    return Track(
        tuple(stop_name(game, stop) for stop, _ in found),
        tuple(stop.side for stop, _ in found),
        tuple(who for _, who in found),
    )


def first_sides(game: Game) -> tuple[str, ...]:
    """The sides that begin, in one scenario or another."""
    usual = game.sequence.order[0] if game.sequence.order else ""
    found = dict.fromkeys(scenario.first or usual for scenario in game.scenarios.values())
    return tuple(found) or (usual,)
