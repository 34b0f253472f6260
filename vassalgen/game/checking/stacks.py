"""Checks of set-ups against the stacking limits of rules.toml."""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.game.checking.scenarios import hex_words
from vassalgen.game.conditions import Condition
from vassalgen.game.counters import Counter
from vassalgen.game.families import NOBODY, StackLimit
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario
from vassalgen.game.words import counter_words, likeness
from vassalgen.problems import Problem


def stack_problems(game: Game) -> Iterator[Problem]:
    """Find hexes in which a scenario exceeds such a limit, or sets up units that may not stack together."""
    stacking = game.families.stacking if game.families else None
    for name, limit in stacking.limits.items() if stacking else ():
        if not _is_known(game, limit.who, limit.unless, limit.if_any):
            continue
        for scenario in game.scenarios.values():
            for at, counters in _stacks(game, scenario).items():
                if limit.hexes and not limit.hexes.holds(hex_words(game, at)):
                    continue
                for side in dict.fromkeys(one.side for one in counters):
                    own = [one for one in counters if one.side == side]
                    if limit.side in ("", side) and (wrong := _wrong(game, limit, own)):
                        spot = f"scenario/{scenario.id}/setup/{own[-1].id}"
                        yield game.problem(spot, f"{wrong} in {at}", f"see stacking.limits.{name}")


def _is_known(game: Game, *conditions: Condition) -> bool:
    """Whether conditions depend only on fixed properties of counters, not on states or own words."""
    words = game.families.words if game.families else ()
    changing = {"reduced", *game.states, *words}
    return not any(changing.intersection(one.words) for one in conditions if one)


def _stacks(game: Game, scenario: Scenario) -> dict[str, list[Counter]]:
    stacks: dict[str, list[Counter]] = {}
    for placement in scenario.setup:
        found = [game.counters[name] for name in placement.counters if name in game.counters]
        units = [one for one in found if one.kind in game.kinds and not game.kinds[one.kind].marker]
        if placement.at in game.map.grid and units:
            stacks.setdefault(placement.at, []).extend(units)
    return stacks


def _wrong(game: Game, limit: StackLimit, counters: list[Counter]) -> str:
    true = {one.id: frozenset(counter_words(game, one)) for one in counters}
    if limit.unless != NOBODY and any(limit.unless.holds(words) for words in true.values()):
        return ""
    if limit.if_any and not any(limit.if_any.holds(words) for words in true.values()):
        return ""
    mine = [one for one in counters if limit.who.holds(true[one.id])]
    names = ", ".join(one.id for one in mine)
    if limit.alike:
        together = len({likeness(one, limit.alike) for one in mine} - {""}) > 1
        return f"{names} are not of one {limit.alike}" if together else ""
    total = sum(_weight(one, limit.by) for one in mine)
    return f"{names} count {total}" if total > limit.limit else ""


def _weight(counter: Counter, by: str) -> int:
    if by in ("weight", "units", "steps"):
        return {"weight": counter.stack, "units": 1, "steps": counter.steps}[by]
    printed = counter.printed(by)
    return printed if isinstance(printed, int) else 0
