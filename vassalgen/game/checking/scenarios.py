"""Checks of scenarios: set-up, stacking, arrivals."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator

from vassalgen.game.checking.map import closed
from vassalgen.game.checking.play import known, stacking_problems, turn_problems
from vassalgen.game.counters import StackingLimit
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Arrival, Placement, Scenario
from vassalgen.problems import Problem


def scenario_problems(game: Game) -> Iterator[Problem]:
    """Find inconsistencies in the scenarios."""
    if not game.scenarios:
        yield game.problem("game", "has no scenario", "add a file in the folder scenarios")
    for scenario in game.scenarios.values():
        yield from _scenario(game, scenario)


def _scenario(game: Game, scenario: Scenario) -> Iterator[Problem]:
    thing = f"scenario/{scenario.id}"
    yield from known(game, f"{thing}/first", scenario.first, "side", game.sequence.order)
    if scenario.turns != game.turns[: len(scenario.turns)]:
        yield from turn_problems(game, [turn.number for turn in scenario.turns], f"{thing}/turn")
    if not scenario.turns:
        yield game.problem(thing, "has no turns", "add [turns] to it or to game.toml")
    yield from stacking_problems(game, scenario.stacking, f"{thing}/stacking")
    seen: dict[str, str] = {}
    laid = Tally[str]()
    for key, entries in (("setup", scenario.setup), ("arrival", scenario.arrivals)):
        for entry in entries:
            for name in entry.counters:
                spot = f"{thing}/{key}/{name}"
                yield from known(game, spot, name, "counter", game.counters)
                counter = game.counters.get(name)
                if counter is not None and counter.kind in game.kinds and game.kinds[counter.kind].marker:
                    laid[name] += 1
                    seen[name] = "is set up"
                    if laid[name] > game.counters[name].count:
                        right = f"count = {laid[name]} in counters.csv"
                        yield game.problem(spot, f"{name} is set up more often than there are such", right)
                    continue
                if name in seen:
                    yield game.problem(spot, f"{name} {seen[name]} already", "place each counter once")
                seen[name] = "is set up" if key == "setup" else "arrives"
    for placement in scenario.setup:
        yield from _placement(game, placement, f"{thing}/setup/{placement.counters[0]}")
    for arrival in scenario.arrivals:
        yield from _arrival(game, scenario, arrival, f"{thing}/arrival/{arrival.counters[0]}")
    yield from _lost(game, scenario, set(seen))
    yield from _stacks(game, scenario)


def _lost(game: Game, scenario: Scenario, used: set[str]) -> Iterator[Problem]:
    """Find counters that a scenario leaves out by mistake; counters that no scenario uses are reported
    elsewhere.
    """
    thing = f"scenario/{scenario.id}/absent"
    for name in scenario.absent:
        yield from known(game, thing, name, "counter", game.counters)
        if name in used:
            yield game.problem(thing, f"{name} is absent, but set up or arrives", "choose one or the other")
    elsewhere = {name for other in game.scenarios.values() for name in other.counters}
    lost = [name for name in game.counters if name in elsewhere - used - {*scenario.absent}]
    if lost:
        names = " ".join(lost)
        verb = "is neither set up nor arrives" if len(lost) == 1 else "are neither set up nor arrive"
        right = f'set it up, let it arrive, or write absent = "{names}"'
        yield game.problem(f"scenario/{scenario.id}", f"{', '.join(lost)} {verb}", right)


def _placement(game: Game, placement: Placement, spot: str) -> Iterator[Problem]:
    at, zone = placement.at, placement.zone
    if at in game.map.boxes:
        yield from _box_side(game, placement.counters, at, f"{spot}/at")
    elif at and at not in game.map.grid:
        yield game.problem(f"{spot}/at", f"{at} is neither a hex nor a box", _hexes_and_boxes(game))
    elif at and closed(game, at):
        terrain = game.map.hexes[at].terrain
        yield game.problem(f"{spot}/at", f"{at} is {terrain}, which is closed", "choose an open hex")
    if zone:
        yield from known(game, f"{spot}/zone", zone, "zone", game.map.zones)
        outside = at in game.map.grid and zone in game.map.zones and at not in game.map.zones[zone].hexes
        if outside:
            hexes = ", ".join(game.map.zones[zone].hexes)
            yield game.problem(f"{spot}/at", f"{at} is not in the zone {zone}", f"expected one of {hexes}")


def _arrival(game: Game, scenario: Scenario, arrival: Arrival, spot: str) -> Iterator[Problem]:
    numbers = [turn.number for turn in scenario.turns]
    if numbers and arrival.turn not in numbers:
        yield game.problem(f"{spot}/turn", f"there is no turn {arrival.turn}", f"expected 1 to {numbers[-1]}")
    if arrival.during:
        yield from known(game, f"{spot}/during", arrival.during, "side", game.sides)
    if arrival.waiting:
        yield from known(game, f"{spot}/waiting", arrival.waiting, "box", game.map.boxes)
        yield from _box_side(game, arrival.counters, arrival.waiting, f"{spot}/waiting")
    for name in arrival.entry:
        if name in game.map.boxes:
            yield from _box_side(game, arrival.counters, name, f"{spot}/entry")
            if len(arrival.entry) > 1:
                yield game.problem(
                    f"{spot}/entry", f"the box {name} is given with others", "give one box, or hexes"
                )
        elif name not in game.map.grid:
            right = f"{_hexes_and_boxes(game)}; zones: {', '.join(game.map.zones)}"
            yield game.problem(f"{spot}/entry", f"{name} is not a zone, hex or box", right)
        elif closed(game, name):
            terrain = game.map.hexes[name].terrain
            yield game.problem(f"{spot}/entry", f"{name} is {terrain}, which is closed", "choose an open hex")


def _box_side(game: Game, names: tuple[str, ...], box: str, spot: str) -> Iterator[Problem]:
    side = game.map.boxes[box].side if box in game.map.boxes else ""
    for name in names:
        counter = game.counters.get(name)
        if side in game.sides and counter and counter.side not in (side, ""):
            yield game.problem(
                spot, f"{name} is of {counter.side}, the box {box} of {side}", "choose a box of its own side"
            )


def _hexes_and_boxes(game: Game) -> str:
    names = game.map.grid.names
    return f"hexes {names[0]} to {names[-1]}; boxes: {', '.join(game.map.boxes) or 'none'}"


def _stacks(game: Game, scenario: Scenario) -> Iterator[Problem]:
    """Find hexes with units of both sides, or with overstacked units, on turn 1."""
    stacks: dict[str, list[str]] = {}
    for placement in scenario.setup:
        if placement.at in game.map.grid:
            stacks.setdefault(placement.at, []).extend(
                name for name in placement.counters if name in game.counters
            )
    limits = [limit for limit in (*game.stacking, *scenario.stacking) if not limit.turns or 1 in limit.turns]
    for at, names in stacks.items():
        units = [name for name in names if not _is_marker(game, name)]
        sides = sorted({game.counters[name].side for name in units})
        spot = f"scenario/{scenario.id}/setup/{units[-1]}" if units else ""
        if len(sides) > 1:
            wrong = f"{at} holds {' and '.join(sides)}: {', '.join(units)}"
            yield game.problem(spot, wrong, "keep the sides in separate hexes")
        for side in sides:
            own = [name for name in units if game.counters[name].side == side]
            for limit in limits:
                if limit.side in ("", side) and limit.hexes.holds(hex_words(game, at)):
                    yield from _stack(game, spot, at, own, limit)


def hex_words(game: Game, name: str) -> frozenset[str]:
    """Return the words that conditions may use for a hex: number, terrain, country, places and their kinds,
    zones.
    """
    one, places = game.map.hexes[name], [place for place in game.map.places.values() if place.hex == name]
    named = (word for place in places for word in (place.name, place.kind))
    return frozenset((name, one.terrain, one.country, *named, *game.map.zones_of(name))) - {""}


def _stack(game: Game, spot: str, at: str, names: list[str], limit: StackingLimit) -> Iterator[Problem]:
    counted = [name for name in names if game.counters[name].kind in limit.kinds]
    weight = sum(game.counters[name].stack for name in counted)
    free = [name for name in counted if limit.one_free and game.counters[name].extra.get(limit.one_free)]
    weight -= max((game.counters[name].stack for name in free), default=0)
    if weight > limit.limit:
        wrong = f"{', '.join(counted)} in {at} count {weight} for stacking"
        yield game.problem(spot, wrong, f"expected at most {limit.limit}")
    apart = [name for name in names if game.counters[name].kind in limit.not_with]
    if counted and apart:
        wrong = f"{counted[0]} and {apart[0]} are together in {at}"
        yield game.problem(
            spot, wrong, f"do not stack {game.counters[counted[0]].kind} with {game.counters[apart[0]].kind}"
        )


def _is_marker(game: Game, name: str) -> bool:
    kind = game.kinds.get(game.counters[name].kind)
    return kind is not None and kind.marker
