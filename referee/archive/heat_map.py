"""The heat map of a game: where units were, attacked and were lost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from vassalgen.game.game import Game


def heat_map(game: Game, report: Mapping[str, Any], first: int) -> dict[str, dict[str, dict[str, int]]]:
    """The number of units in each hex at the end of turns, of attacks from there, and of losses there, by
    side.
    """
    grid = game.map.grid
    found: dict[str, dict[str, Counter[str]]] = {
        kind: defaultdict(Counter) for kind in ("stood", "attacked", "died")
    }
    places: dict[str, str] = {}
    last_hex: dict[str, str] = {}
    losses: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for one in report["losses"]:
        if one["back"] is None:
            losses[one["at"]].append(one)

    def count_turn() -> None:
        for name, place in places.items():
            if place in grid and game.counters[name].side:
                found["stood"][game.counters[name].side][place] += 1

    turn = None
    for step in report["steps"]:
        if step["at"] >= first and turn is not None and step["turn"] != turn:
            count_turn()
        turn = step["turn"] if step["at"] >= first else None
        for one in losses[step["at"]] if step["at"] >= first else ():
            where = last_hex.get(one["counter"])
            if where:
                found["died"][one["side"]][where] += one["steps"] or 1
        for name, standing in step.get("changes", {}).items():
            places[name] = standing["place"]
            if standing["place"] in grid:
                last_hex[name] = standing["place"]
    if turn is not None:
        count_turn()
    for battle in report["battles"]:
        if battle["at"] >= first and battle["target"] in grid:
            found["attacked"][battle["side"]][battle["target"]] += 1
    return {kind: {side: dict(at) for side, at in sides.items()} for kind, sides in found.items()}
