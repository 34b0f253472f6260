"""The mutators of each game: written for it, or derived from the families in its ``rules.toml``."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tools.proof.breaking import Breaker
from tools.proof.standard import breaker_of
from vassalgen.game.finding import open_game


@cache
def find_breaker(game: str) -> Breaker:
    """Return the mutators of a game, given its name or folder; LookupError if there are none.

    For a game that has its rules as data they are derived from the families.
    """
    try:
        module = import_module(f"tools.proof.games.{game}")
    except ModuleNotFoundError as error:
        opened = open_game(game)
        if opened.families is None:
            raise LookupError(f"there are no mutators for {game}") from error
        return breaker_of(opened, opened.families)
    breaker = module.BREAKER
    assert isinstance(breaker, Breaker)
    return breaker
