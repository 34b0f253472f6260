"""Checks of clauses.toml and rulings.toml, and of the states that rules.toml names."""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.game.checking.play import known
from vassalgen.game.game import Game
from vassalgen.problems import Problem


def rule_problems(game: Game) -> Iterator[Problem]:
    """Find clauses without a section or counterpart, and rulings without a clause or alternatives."""
    for clause in game.clauses.values():
        if game.sections:
            section = game.section(clause.id)
            yield from known(game, f"clause/{clause.id}", section, "section", game.sections)
        if clause.same:
            yield from known(game, f"clause/{clause.id}/same", clause.same, "clause", game.clauses)
    for ruling in game.rulings.values():
        thing = f"ruling/{ruling.id}"
        if not ruling.clauses:
            yield game.problem(f"{thing}/clauses", "names no clause", "name the clauses it is about")
        for clause_id in ruling.clauses:
            yield from known(game, f"{thing}/clauses", clause_id, "clause", game.clauses)
        if len(ruling.readings) < 2:
            yield game.problem(f"{thing}/readings", "leaves no choice", "give at least two readings")


def state_names(game: Game) -> Iterator[Problem]:
    """Find rules for states that the game does not have."""
    for state in game.families.states if game.families else ():
        yield from known(game, f"rules/states/{state}", state, "state", game.states)
