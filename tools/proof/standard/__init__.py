"""How games by data are broken: mutators derived from the families in ``rules.toml``, clause by clause."""

from __future__ import annotations

from tools.proof.breaking import Breaker
from tools.proof.standard.fighting import fighting, finish
from tools.proof.standard.moving import moving
from tools.proof.standard.roll_announcements import ROLL_ANNOUNCEMENTS
from tools.proof.standard.upkeep import others
from vassalgen.game.families import Families
from vassalgen.game.game import Game

__all__ = ["ROLL_ANNOUNCEMENTS", "breaker_of"]


def breaker_of(game: Game, rules: Families) -> Breaker:
    """Return the mutators of a game by its families."""
    breaker = Breaker(finish=finish)
    moving(game, rules, breaker)
    fighting(game, rules, breaker)
    others(game, rules, breaker)
    return breaker
