"""Garrisons: units that their side may not move away from certain hexes."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import counted, names_of
from referee.standard.facts import fits, on_map
from referee.standard.notes import TRAIL
from referee.standard.setting import the_setting
from vassalgen.game.families import Families, Garrison


def section(rules: Families) -> Section:
    """Return the rules of garrisons."""
    found = Section("Garrisons", rules.provenance)
    for name, rule in rules.garrisons.items():
        _stays(found, name, rule)
    return found


def _stays(found: Section, name: str, rule: Garrison) -> None:
    @found.leaving(*rule.when, clause=rule.clause)
    def a_garrison_does_not_leave(position: Position) -> Iterator[Breach]:
        """Only units that moved away are missed: the enemy may have destroyed or driven off the others."""
        if rule.turns and position.turn not in rule.turns:
            return
        grid, hexes = position.game.map.grid, the_setting(position).hexes(rule.hexes)
        units = [each for side in position.game.sides for each in on_map(position, side)]
        there = sum(1 for at, piece in units if hexes >> at & 1 and fits(position, piece, rule.who))
        gone = []
        for unit, trail in position.noted(TRAIL).items():
            piece = position.pieces[unit]
            began = trail.start in grid and hexes >> grid.index[trail.start] & 1
            away = piece.where in grid and not hexes >> grid.index[piece.where] & 1
            if began and away and fits(position, piece, rule.who):
                gone.append(unit)
        if gone and there < rule.at_least:
            stays = f"{counted(rule.at_least, 'unit')} must stay ({rule.who.text})"
            says = f"{names_of(position, gone)} left {rule.hexes.text} ({name}); {stays}."
            yield Breach(says, {"units": tuple(gone), "there": there})
