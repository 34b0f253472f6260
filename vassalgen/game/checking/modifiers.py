"""Checks of the modifiers of battles in tables.toml: names of effects, places, flags, states, dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from vassalgen.game.checking.play import known
from vassalgen.game.game import Game
from vassalgen.game.modifiers import BattleModifier, Test, conditions
from vassalgen.game.tables import ChartRow
from vassalgen.problems import Problem

_CONDITIONS = ("attacker", "defender", "no_attacker", "no_defender", "also_attacker", "also_defender")


def modifier_problems(game: Game) -> Iterator[Problem]:
    """Find inconsistencies in the modifiers of battles."""
    flags = {name: column for name, column in game.columns.items() if column.type == "flag"}
    words = [word for column in game.columns.values() for word in column.one_of]
    names = (*flags, *game.states, *game.kinds, *words)
    tests = {one.test for one in game.modifiers.values() if one.test}
    for one in game.modifiers.values():
        thing = f"modifier/{one.id}"
        yield from _effect(game, f"{thing}/terrain", one.terrain, one.season, game.terrain.values())
        yield from _effect(game, f"{thing}/hexside", one.hexside, one.season, game.features.values())
        yield from _effect(game, f"{thing}/halved", one.halved, "", game.terrain.values())
        yield from _effect(game, f"{thing}/halved_into", one.halved_into, "", game.terrain.values())
        yield from _effect(game, f"{thing}/halved_across", one.halved_across, "", game.features.values())
        for key, factor in (("best", one.best), ("less", one.less)):
            yield from known(game, f"{thing}/{key}", factor, "factor", game.factors)
        kinds = tuple({place.kind for place in game.map.places.values()})
        for kind in one.places:
            yield from known(game, f"{thing}/places", kind, "kind of place on the map", kinds)
        for kind in one.kinds:
            yield from known(game, f"{thing}/kinds", kind, "kind of counter", game.kinds)
        asked = {key: getattr(one, key) for key in _CONDITIONS}
        for key, text in asked.items():
            for name, _ in conditions(text):
                yield from known(game, f"{thing}/{key}", name, "flag, state, kind or word", names)
        if one.test:
            yield from _test(game, f"{thing}/test", one.test, flags)
            if len(tests) > 1:
                yield game.problem(f"{thing}/test", "is another test", "use one test for all modifiers")
        yield from _purpose(game, thing, one)


def _effect(game: Game, thing: str, name: str, season: str, rows: Iterable[ChartRow]) -> Iterator[Problem]:
    found = frozenset[str]().union(*(row.effect_names for row in rows))
    yield from known(game, thing, name, "effect in the terrain chart", tuple(sorted(found)))
    turns = [*game.turns, *(turn for one in game.scenarios.values() for turn in one.turns)]
    entries = tuple(sorted({entry for turn in turns for entry in turn.values}))
    if name and turns:
        yield from known(
            game, thing.rpartition("/")[0] + "/season", season, "entry of the turn track", entries
        )


def _test(game: Game, thing: str, test: Test, flags: Mapping[str, object]) -> Iterator[Problem]:
    yield from known(game, f"{thing}/dice", test.dice, "dice", game.dice)
    yield from known(game, f"{thing}/factor", test.factor, "factor", game.factors)
    yield from known(game, f"{thing}/passes", test.passes, "flag among columns", flags)
    for state in test.state:
        yield from known(game, f"{thing}/state", state, "state", game.states)
    for flag in test.attackers:
        yield from known(game, f"{thing}/attackers", flag, "flag among columns", flags)


def _purpose(game: Game, thing: str, one: BattleModifier) -> Iterator[Problem]:
    multiplied = one.places or one.terrain or (one.hexside and one.to == "defence")
    if one.times and (one.to not in ("attack", "defence") or not multiplied):
        right = 'give places or terrain, and to = "attack" or "defence"; hexside with "defence"'
        right = "leave out times beside halved" if one.halves else right
        yield game.problem(thing, "multiplies no factors of counters", right)
    elif one.times and one.to == "attack" and any(getattr(one, key) for key in _CONDITIONS):
        yield game.problem(
            thing, "multiplies the attack on a condition", "use kinds instead of the condition"
        )
    elif one.multiplies_all and one.kinds:
        yield game.problem(
            thing, "multiplies the defence of some kinds only", "leave out the kinds, or use only places"
        )
    elif one.twice_against and (one.to != "attack" or not one.kinds):
        yield game.problem(thing, "doubles no unit's attack", 'add kinds, and to = "attack"')
    elif one.halves and one.to not in ("attack", "defence"):
        yield game.problem(thing, "halves no factors", 'write to = "attack" or "defence"')
    elif not (one.terrain or one.hexside or one.places or one.worth or _of_counters(one)):
        yield game.problem(thing, "is worth nothing", "give terrain, hexside, places or worth")


def _of_counters(one: BattleModifier) -> bool:
    return bool(one.best or one.less or one.twice_against or one.halves)
