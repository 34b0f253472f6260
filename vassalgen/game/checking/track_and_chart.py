"""Checks of turn track, rolls and terrain chart: entries that no rule reads, words without a meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vassalgen.game import families as of
from vassalgen.game.checking.naming import named
from vassalgen.game.checking.play import known
from vassalgen.game.game import Game, unknown
from vassalgen.game.tables import ChartRow
from vassalgen.problems import Problem

_COST = 'a number such as 2 or 0.5, "all" or "no"'


def entry_problems(game: Game, rules: of.Families, *, program: bool) -> Iterator[Problem]:
    """Find entries of the turn track that no rule reads, and rules for words that these never have."""
    seasons = {one.season for one in game.modifiers.values() if one.season}
    read = seasons | set(named(of.EntryId, of.Families, rules))
    tracks = [("turn", game.turns), *((f"{one.id}/turn", one.turns) for one in game.scenarios.values())]
    said: dict[str, set[str]] = {}
    for thing, turns in tracks:
        for turn in turns:
            for entry, value in turn.values.entries.items():
                said.setdefault(entry, set()).add(str(value))
                if entry not in read and not program:
                    right = unknown(entry, tuple(sorted({*read, "label", "note"})))
                    yield game.problem(f"{thing}/{turn.number}", f"nothing reads {entry!r}", right)
    for name, roll in rules.rolls.items():
        if roll.sets and roll.sets not in read and not program:
            right = unknown(roll.sets, tuple(sorted(read)))
            yield game.problem(f"rules/rolls/{name}/sets", f"nothing reads {roll.sets!r}", right)
        for values in (roll.values, *roll.values_of.values()):
            said.setdefault(roll.sets, set()).update(map(str, values.values()))
    for name, word in rules.words.items():
        for entry, value in word.track.items():
            words = tuple(sorted(said.get(entry, ())))
            yield from known(game, f"rules/words/{name}/track", str(value), f"word of {entry}", words)


def chart_problems(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find invalid costs in the terrain chart, and kinds of counters that do not exist."""
    costs = {name for one in rules.movement.values() for name in (one.cost, *one.cost_of.values())}
    if rules.supply:
        costs |= {rules.supply.cost, *(line.cost for line in rules.supply.lines.values())} - {""}
    halved = {
        name
        for one in game.modifiers.values()
        for name in (one.halved, one.halved_into, one.halved_across)
        if name
    }
    charts: tuple[tuple[str, Mapping[str, ChartRow]], ...] = (
        ("terrain", game.terrain),
        ("feature", game.features),
        ("road-kind", game.road_kinds),
    )
    for chart, rows in charts:
        for row in rows.values():
            for name, value in _effects(row):
                thing = f"{chart}/{row.id}/{name}"
                if name in costs and (isinstance(value, bool) or not _is_cost(value)):
                    yield game.problem(thing, f"is {value!r}", _COST)
                for kind in str(value).split() if name in halved else ():
                    yield from known(game, thing, kind, "kind of counter", tuple(game.kinds))
    yield from _crossed_only_in_retreat(game, rules)


def _crossed_only_in_retreat(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find hexsides that no unit crosses as it moves, but that are open to retreats, advances and supply."""
    usual = [one for one in rules.movement.values() if not one.only_roads]
    effects = [(own, one.cost) for one in usual for own in (*one.cost_of.values(), one.cost)]
    for feature in game.features.values():
        entries = feature.effects.entries
        if feature.closed or not effects:
            continue
        if all(next((entries[name] for name in pair if name in entries), "") == "no" for pair in effects):
            wrong = "no unit moves across it, but units retreat and advance and supply runs across it"
            yield game.problem(
                f"feature/{feature.id}/{usual[0].cost}",
                wrong,
                "closed = true, and no cost, if nothing crosses it",
            )


def _is_cost(value: object) -> bool:
    return value in ("all", "no") or isinstance(value, int | float)


def _effects(row: ChartRow) -> Iterator[tuple[str, object]]:
    """Yield the effects of an entry of the chart, including those of seasons."""
    for name, value in row.effects.entries.items():
        if isinstance(value, Mapping):
            yield from value.items()
        else:
            yield name, value
