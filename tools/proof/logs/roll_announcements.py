"""What the module of a game announces when dice are rolled, as far as the game's idiom does not say it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from attrs import frozen

from referee.engine.position import Battle, Position
from tools.proof.logs.battles import Odds
from tools.proof.logs.declarations import Check
from tools.proof.playing import Step
from vassalgen.game.game import Game


@frozen
class RollAnnouncements:
    """The announcements of rolls.

    ``odds``: the odds that the module announces for a battle when its die is rolled, between two positions;
    None if the attackers roll by a declaration of their own. ``check``: what it announces about a roll
    besides the die.
    """

    odds: Callable[[Position, Position, Battle], Odds] | None = None
    check: Callable[[Step], Check | None] = lambda step: None


def find_roll_announcements(game: Game) -> RollAnnouncements:
    """Return the announcements of a game; LookupError if there are none."""
    package = "tools.proof.standard" if game.families else f"tools.proof.games.{game.id}"
    try:
        found = import_module(package).ROLL_ANNOUNCEMENTS
    except (ModuleNotFoundError, AttributeError) as error:
        raise LookupError(f"nothing is known of the announcements of {game.id}") from error
    assert isinstance(found, RollAnnouncements)
    return found
