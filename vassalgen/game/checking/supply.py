"""Checks of supply sources: can they reach the units that they supply?"""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.game.checking.map import closed, shut
from vassalgen.game.game import Game
from vassalgen.game.maps import Zone
from vassalgen.game.scenarios import Scenario
from vassalgen.problems import Problem

SHOWN = 4
"""The maximum number of hexes named in a finding."""


def supply_problems(game: Game) -> Iterator[Problem]:
    """Find supply sources that are closed, without a road, or cut off from all units that they supply."""
    for zone in game.map.zones.values():
        if zone.supplies:
            yield from _source(game, zone)


def _source(game: Game, zone: Zone) -> Iterator[Problem]:
    thing = f"zone/{zone.id}/hexes"
    open_hexes, roadless = [], []
    for name in zone.hexes:
        if name not in game.map.grid:
            continue
        if closed(game, name):
            terrain = game.map.hexes[name].terrain
            yield game.problem(
                thing,
                f"the supply source {name} is {terrain}, which is closed",
                "choose a hex that units can enter",
            )
        elif zone.supply_by_road and not any(name in road.path for road in game.map.roads.values()):
            roadless.append(name)
        else:
            open_hexes.append(name)
    if roadless:
        many = f" and {len(roadless) - SHOWN} more" if len(roadless) > SHOWN else ""
        wrong = f"no road leads to the supply source {', '.join(roadless[:SHOWN])}{many}"
        yield game.problem(thing, wrong, "choose hexes on a road")
    reached = _reached(game, open_hexes)
    for name in zone.supplies:
        stands = {hex_ for scenario in game.scenarios.values() for hex_ in _stands(game, scenario, name)}
        if open_hexes and stands and not stands & reached:
            wrong = f"no path leads to this supply source from where {name} is set up or enters"
            yield game.problem(thing, wrong, "choose a source on the same land mass")


def _reached(game: Game, sources: list[str]) -> set[str]:
    reached, waiting = set(sources), list(sources)
    while waiting:
        name = waiting.pop()
        for other in game.map.grid.neighbours(name):
            if other not in reached and not closed(game, other) and not shut(game, name, other):
                reached.add(other)
                waiting.append(other)
    return reached


def _stands(game: Game, scenario: Scenario, who: str) -> Iterator[str]:
    """All hexes in which the counters of a side or formation start or enter."""
    entries: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    entries += [(placement.counters, (placement.at,)) for placement in scenario.setup]
    entries += [(arrival.counters, arrival.entry) for arrival in scenario.arrivals]
    for names, places in entries:
        for name in names:
            counter = game.counters.get(name)
            if counter and who in (counter.side, *_formations(game, counter.formation)):
                yield from (place for place in places if place in game.map.grid)


def _formations(game: Game, name: str) -> Iterator[str]:
    """A formation, and the formations that it is part of."""
    seen: set[str] = set()
    while name in game.formations and name not in seen:
        yield name
        seen.add(name)
        name = game.formations[name].part_of
