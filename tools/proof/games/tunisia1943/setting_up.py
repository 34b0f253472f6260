"""Breaches at set-up: Tigers in the wrong place, stacks that are too high, the wrong side first."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from referee.games.tunisia1943.notes import ACTED
from tools.oracles.games.tunisia1943.board import TIGERS, Board
from tools.proof.breaking import Breaker, Broken, Moment, Mutate
from tools.proof.games.tunisia1943.facts import enemy, free_around, units

breaker = Breaker()
ON = Action(NEXT.name)
DIVISION, FRONT = "de-10pz", "west-front"
MANY = 12


def _is_beginning(position: Position) -> bool:
    return position.clock == position.world.calendar.find(1, "sustain", position.world.calendar.order[0])


def _hosts(position: Position) -> dict[str, list[str]]:
    """The hexes of Axis units other than Tigers, with their divisions."""
    found: dict[str, list[str]] = {}
    for unit in units(position, "axis"):
        if unit.id not in TIGERS:
            found.setdefault(unit.where, []).append(unit.counter.formation)
    return found


def _set_up(*places: str) -> tuple[Action, ...]:
    return tuple(Action("deploy", (name,), target=at) for name, at in zip(TIGERS, places, strict=True))


def _placings(moment: Moment) -> Iterator[tuple[str, str]]:
    """Two hexes of Axis units in which there is room, in random order."""
    position = moment.position
    if not _is_beginning(position):
        return
    hosts = sorted(_hosts(position))
    for _ in range(MANY * MANY):
        yield moment.rng.choice(hosts), moment.rng.choice(hosts)


def _no_tiger_with_the_division(moment: Moment) -> Broken:
    hosts, front = _hosts(moment.position), moment.position.game.map.zones[FRONT].hexes
    for one, other in _placings(moment):
        divisions = {*hosts[one], *hosts[other]}
        if DIVISION not in divisions and one != other and {one, other} <= {*front}:
            yield (*_set_up(one, other), ON)


def _the_other_tiger_elsewhere(moment: Moment) -> Broken:
    hosts, front = _hosts(moment.position), moment.position.game.map.zones[FRONT].hexes
    for one, other in _placings(moment):
        if DIVISION in hosts[one] and one in front and other not in front and DIVISION not in hosts[other]:
            yield (*_set_up(one, other), ON)


def _register(clause: str, campaign: str, mutate: Mutate, name: str) -> None:
    def broken(moment: Moment) -> Broken:
        if moment.position.scenario.id == campaign:
            yield from mutate(moment)

    broken.__name__ = name
    breaker.breaks(clause, "sustain", "next")(broken)


_register("C1.7", "campaign1", _no_tiger_with_the_division, "no_tiger_with_the_division")
_register("C2.6", "campaign2", _no_tiger_with_the_division, "no_tiger_with_the_division_in_spring")
_register("C1.8", "campaign1", _the_other_tiger_elsewhere, "the_other_tiger_elsewhere")
_register("C2.7", "campaign2", _the_other_tiger_elsewhere, "the_other_tiger_elsewhere_in_spring")


@breaker.breaks("5.1b", "sustain", "next")
def two_tigers_with_two_units(moment: Moment) -> Broken:
    position = moment.position
    for where, divisions in sorted(_hosts(position).items()) if _is_beginning(position) else ():
        full = not Board(position).room(where, *(position.pieces[name] for name in TIGERS))
        if full and len(divisions) > 1:
            yield (*_set_up(where, where), ON)


def _the_wrong_side_begins(moment: Moment, campaign: str) -> Broken:
    position = moment.position
    first = position.world.calendar.order[0]
    acted = position.note(ACTED, first)
    right = position.scenario.id == campaign and position.turn == 1 and position.phase == "movement"
    if position.side != first or acted or not right:
        return
    found = [
        Action("move", (piece.id,), (piece.where, there))
        for piece in units(position, enemy(first))
        if piece.id not in TIGERS
        for there in free_around(position, piece.where)
    ]
    yield from ((move,) for move in moment.rng.sample(found, min(len(found), MANY)))


breaker.alike(
    _the_wrong_side_begins,
    ("move", "next", "sustain"),
    the_allies_begin_the_first_campaign=("C1.1", "campaign1"),
    the_axis_begins_the_second_campaign=("C2.1", "campaign2"),
)
