"""Checks of the names that players give the statements of records."""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.game.families import Families
from vassalgen.game.game import Game, unknown
from vassalgen.problems import Problem

ALWAYS = (
    *("next", "roll", "deploy", "enter", "exit", "put away", "claim", "attack", "also", "call off", "odds"),
    *("modifier", "result", "lose", "regain", "eliminate", "retreat", "displace", "advance", "settle"),
    *("reveal", "hide", "add", "remove"),
)
"""The statements that do not depend on names in the game's data."""


def statements_of(game: Game, rules: Families) -> tuple[str, ...]:
    """Return the first words of all statements that records of the game may have."""
    return (
        *ALWAYS,
        *(*rules.movement, *rules.transfers, *rules.combat),
        *(f"roll {dice}" for dice in game.dice),
        *(f"{does} {state}" for state in game.states for does in ("mark", "clear")),
    )


def called_problems(game: Game, rules: Families, *, program: bool) -> Iterator[Problem]:
    """Find names for statements that do not exist, and names that are statements themselves.

    A ``program`` may have statements of its own: then only names that look misspelt are reported.
    """
    statements = statements_of(game, rules)
    for statement, names in rules.called.items():
        thing, right = f"rules/called/{statement}", unknown(statement, statements)
        if statement not in statements and (right.startswith("did you mean") or not program):
            yield game.problem(thing, f"there is no statement {statement!r}", right)
        for name in names:
            if name in statements:
                wrong = f"gives {statement!r} the name {name!r}, which is another statement"
                yield game.problem(thing, wrong, "choose another name")
