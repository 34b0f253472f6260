"""How games are broken that have their rules as data: mutators derived from the families in ``rules.toml``."""

from __future__ import annotations

from tools.proof.breaking import Breaker
from tools.proof.standard.talking import TALK
from vassalgen.game.families import Families
from vassalgen.game.game import Game

__all__ = ["TALK", "breaker_of"]


def breaker_of(game: Game, rules: Families) -> Breaker:
    """Return the mutators of a game by its families."""
    return Breaker()
