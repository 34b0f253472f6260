"""Breaches besides movement and combat: sustained EMs, supply markers, returning EMs, arrivals, exits."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.games.tunisia1943.notes import CUT_OFF
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.facts import EM, enemy, free_around, has_lost_its_em, is_sea, units
from tools.proof.games.tunisia1943.fights import is_surely_no_result

breaker = Breaker()


def _ems(moment: Moment) -> list[str]:
    """The EMs of the active side on the map that may be chosen to be sustained, and are not."""
    position = moment.position
    return [
        piece.id
        for piece in units(position, position.side, EM)
        if not piece.counter.extra.flag("panzer_division", False) and "sustained" not in piece.states
    ]


def _sustained(moment: Moment) -> int:
    position = moment.position
    return sum(
        "sustained" in piece.states and not piece.counter.extra.flag("panzer_division", False)
        for piece in units(position, position.side, EM)
    )


@breaker.breaks("1d", "exploit", "attack")
def sustained_after_movement(moment: Moment) -> Broken:
    yield from ((Action("sustain", (name,)),) for name in _ems(moment)[:1] if not _sustained(moment))


def _too_many(moment: Moment, campaign: int) -> Broken:
    position = moment.position
    rules, ems = position.scenario.rules, _ems(moment)
    if position.phase != "sustain" or rules.integer("campaign") != campaign:
        return
    free = rules.group("sustained").integer(position.side) - _sustained(moment)
    if len(ems) > free >= 0:
        yield tuple(Action("sustain", (name,)) for name in ems[: free + 1])


breaker.alike(
    _too_many,
    ("sustain", "next"),
    one_too_many_in_the_first_campaign=("C1.2", 1),
    one_too_many_in_the_second_campaign=("C2.2", 2),
)


def _exploiting(moment: Moment, divisional: bool) -> Broken:
    position = moment.position
    ems = {piece.counter.formation: piece for piece in position.pieces.values() if piece.counter.kind == EM}
    if position.phase != "exploitation" or not _sustained(moment):
        return
    for piece in units(position, position.side):
        extra, em = piece.counter.extra, ems.get(piece.counter.formation)
        always = extra.flag("tiger", False) or extra.flag("panzer_division", False)
        if always or (em is not None) != divisional or (em is not None and "sustained" in em.states):
            continue
        for there in free_around(position, piece.where):
            yield (Action("exploit", (piece.id,), (piece.where, there)),)


breaker.alike(
    _exploiting,
    ("exploit",),
    a_division_that_is_not_sustained_exploits=("1g", {"divisional": True}),
    an_independent_unit_exploits=("10d", {"divisional": False}),
)


@breaker.breaks("9.3a", "move")
def marked_in_movement(moment: Moment) -> Broken:
    position = moment.position
    for piece in moment.rng.sample(units(position), 4):
        late = position.note(CUT_OFF, piece.id)
        if "out-of-supply" not in piece.states and not late and not has_lost_its_em(position, piece):
            yield (Action("out of supply", (piece.id,)),)


@breaker.breaks("1h", "out of supply", "in supply")
def the_enemys_units_marked(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "supply" and is_surely_no_result(moment):
        others = [one for one in units(position, enemy(position.side)) if "out-of-supply" not in one.states]
        for piece in moment.rng.sample(others, min(len(others), 2)):
            yield (Action("out of supply", (piece.id,)),)


@breaker.breaks("S.2", "move", "arrive")
def a_reinforcement_comes_early(moment: Moment) -> Broken:
    position = moment.position
    for arrival in position.scenario.arrivals:
        if arrival.turn > position.turn and position.phase == "movement" and arrival.during == position.side:
            for name in arrival.counters:
                if position.pieces[name].where == arrival.waiting:
                    yield (Action("arrive", (name,), target=arrival.entry[0]),)


@breaker.breaks("C1.13", "move")
def a_unit_leaves_the_map_elsewhere(moment: Moment) -> Broken:
    position = moment.position
    roads = position.game.map.zones["west-roads"].hexes
    first = position.scenario.id == "campaign1"
    if first and position.phase == "movement" and position.side == "axis":
        for piece in units(position, "axis")[:5]:
            if piece.where not in roads:
                yield (Action("exit", (piece.id,)),)


@breaker.breaks("G.4", "move", "attack", "exploit")
def a_garrison_leaves_its_harbour(moment: Moment) -> Broken:
    position = moment.position
    for piece in position.pieces.values():
        if piece.counter.kind == "garrison" and piece.where in position.game.map.grid:
            there = [
                one for one in position.game.map.grid.neighbours(piece.where) if not is_sea(position, one)
            ]
            yield (Action("shift", (piece.id,), target=moment.rng.choice(there)),)
