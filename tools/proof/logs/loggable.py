"""Random games that a log can represent, and the habits of the players who log them."""

from __future__ import annotations

from attrs import frozen

from referee.engine.actions import NEXT
from referee.engine.idiom import ADD, REMOVE, Idiom
from referee.engine.position import Position, World
from referee.games import find_idiom
from tools.proof.playing import Played, play


@frozen
class Habits:
    """How likely players do things in a way that the log does not need.

    ``in_parts``: a path dragged hex by hex is announced again for each hex.
    """

    chat: float = 0.04
    undo: float = 0.05
    stray: float = 0.06
    stepwise: float = 0.5
    in_parts: bool = False


HABITS = Habits()
PLAIN = Habits(0, 0, 0, 0)
"""Players who do only what is necessary."""


class UnloggableError(Exception):
    """Something in the game cannot be done with the module."""


def unannounced(world: World, idiom: Idiom) -> frozenset[str]:
    """The verbs that players do not announce by themselves: no log contains them, or they come
    with the die.
    """
    with_die = {idiom.odds, idiom.modifier, idiom.result, idiom.settle}
    said = {
        *idiom.declared.values(),
        *idiom.dice.values(),
        *idiom.alone.values(),
        *(verb for pair in idiom.states.values() for verb in pair),
        *(one.verb for group in idiom.move_verbs.values() for one in group),
        *(one.verb for one in idiom.announced.values()),
        *(verb for pair in idiom.overhead.values() for verb in pair),
        *idiom.exits.values(),
        *(*idiom.entries, *idiom.steps, *idiom.other_losses, idiom.deploy, idiom.eliminate),
        *(idiom.attack, *idiom.attacks.values(), idiom.also, *idiom.faces, idiom.call_off, *idiom.all_rolls),
    }
    if idiom.hex_markers:
        said |= {ADD, REMOVE}
    if world.game.families and world.game.families.withdrawals:
        said.add(idiom.away)
    return frozenset(world.rulebook.verbs) - (said - with_die) - {NEXT.name}


def play_for_log(world: World, seed: int, turns: int = 0, start: Position | None = None) -> Played:
    """Play a random game of actions that a log can represent, from the start or from another position."""
    return play(world, seed, turns, unannounced(world, find_idiom(world.game)), start)
