"""Checks a game's data for errors that reading does not find: things that do not fit together."""

from __future__ import annotations

from vassalgen.game.checking.art import art_problems
from vassalgen.game.checking.counters import counter_problems
from vassalgen.game.checking.map import map_problems, roads_through_closed
from vassalgen.game.checking.modifiers import modifier_problems
from vassalgen.game.checking.play import play_problems
from vassalgen.game.checking.rules import rule_problems, state_names
from vassalgen.game.checking.scenarios import scenario_problems
from vassalgen.game.checking.supply import supply_problems
from vassalgen.game.checking.tables import table_problems
from vassalgen.game.game import Game
from vassalgen.problems import BadInput, Problem


def check(game: Game) -> list[Problem]:
    """Return every problem in a game's data, each with its place in the files."""
    from vassalgen.game.checking.families import family_problems  # noqa: PLC0415 - slow; audits do without
    from vassalgen.game.checking.stacks import stack_problems  # noqa: PLC0415

    parts = (*_FIT, roads_through_closed, family_problems, stack_problems, rule_problems, art_problems)
    return list(dict.fromkeys(problem for part in parts for problem in part(game)))


def check_fit(game: Game) -> None:
    """Raise BadInput if names or numbers in a game's data do not match, so that rules cannot use them."""
    problems = list(dict.fromkeys(problem for part in _FIT for problem in part(game)))
    if problems:
        raise BadInput(problems)


_FIT = (
    *(play_problems, map_problems, supply_problems, counter_problems),
    *(table_problems, modifier_problems, scenario_problems, state_names),
)
