"""The rules of the games, a folder each, and how they are found.

A game's rules are a package with a ``RULES`` [engine.rules.Rulebook]: a folder here that is named as the game
is, or what an entry point of the group ``referee.games`` of that name leads to. A game whose folder has a
``rules.toml`` needs neither.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from referee.engine.idiom import Idiom
from referee.engine.rulebook import Rulebook
from vassalgen.game.game import Game, unknown
from vassalgen.problems import BadInput, Problem

if TYPE_CHECKING:
    from vassalgen.game.families import Families

ENTRY_POINTS = "referee.games"


def find_rules(game: Game | str, *, trusted: bool = True) -> Rulebook:
    """Return the rulebook of a game, or of one by its id; BadInput if it does not exist.

    A game that has its rules as data is judged by the standard rulebook, and by what it has besides in
    Python: that is run only if its folder is ``trusted``, else the game is refused. BadInput with all that
    does not fit each other in its data, or in corrections to the data of any game.
    """
    if isinstance(game, Game):
        if len(game.folders) > 1 or game.families is not None:
            from vassalgen.game.checking import check_fit  # noqa: PLC0415 - slow, and for other data only

            check_fit(game)
        return find_rules(game.id) if game.families is None else _standard(game, game.families, trusted)
    shipped = shipped_rules()
    if game in shipped:
        rules = import_module(f"{__name__}.{game}").RULES
    else:
        from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and for other people's games only

        installed = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
        if game not in installed:
            right = unknown(game, tuple(sorted((*shipped, *installed))))
            raise BadInput(Problem(game, "", "there are no rules for this game", right))
        try:
            found = installed[game].load()
        except Exception as error:
            raise BadInput(
                Problem(game, f"entry point {installed[game].value}", f"fails: {error}")
            ) from error
        rules = getattr(found, "RULES", found)
    if not isinstance(rules, Rulebook):
        raise BadInput(Problem(game, "", "its rules are no rulebook", "a package with RULES, a Rulebook"))
    return rules


def find_idiom(game: Game | str) -> Idiom:
    """Return the idiom of a game; an empty one if there are no rules for it.

    A game that has its rules as data has that of the standard rulebook, and nothing of its own is run.
    """
    if isinstance(game, Game) and game.families is not None:
        from referee.standard.rulebook import idiom_of  # noqa: PLC0415 - rests on this module

        return idiom_of(game, game.families)
    try:
        return find_rules(game.id if isinstance(game, Game) else game).idiom
    except BadInput:
        return Idiom()


def _standard(game: Game, rules: Families, trusted: bool) -> Rulebook:
    from referee.standard.own_rules import file_of, own_rules  # noqa: PLC0415 - rests on this module
    from referee.standard.rulebook import rulebook_of  # noqa: PLC0415 - rests on this module

    if not trusted and (file := file_of(game)):
        wrong = "is a program, and not run because a record names its folder"
        raise BadInput(Problem(str(file), "", wrong, "--any-folder runs it, if you trust the folder"))
    return rulebook_of(game, rules, own_rules(game))


def shipped_rules() -> tuple[str, ...]:
    """Return the names of the games whose rules are here."""
    here = Path(__file__).parent
    return tuple(sorted(path.parent.name for path in here.glob("*/__init__.py")))
