"""Reinforcements: how many, which, and where they enter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Found, Predicate, Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed, name_of, names_of
from referee.games.postcard1943.battle import attacks
from referee.games.postcard1943.facts import held, is_unit, other, put, the_field, units_at
from referee.games.postcard1943.notes import ARRIVED, PUT_AWAY, TAKEN_OFF
from vassalgen.game.provenance import Provenance
from vassalgen.game.values import Values

rules = Section("Reinforcements", Provenance("rulebook", "Reinforcements"))

NORTH = {"allied": "entry-allied-north", "axis": "entry-axis-north"}
ALAMEIN = {"allied": "entry-allied-alamein", "axis": "entry-axis-alamein"}


def puts_back(position: Position, action: Action) -> bool:
    """Return whether a unit comes back to the hex from which it was put aside in this player turn.

    Or from the losses, where it was put though nothing had eliminated it.
    """
    if taken_off_from(position, action.piece):
        return True
    where, _ = position.note(PUT_AWAY, action.piece) or ("", "")
    return bool(where) and where == action.target and not position.pieces[action.piece].where


def taken_off_from(position: Position, unit: str) -> str:
    """Return the hex from which a lost unit was removed although nothing eliminated it; empty
    for any other.
    """
    stood, piece = position.note(TAKEN_OFF, unit), position.pieces[unit]
    return stood if stood and piece.where == f"{piece.side}-lost" else ""


def on_arrival(section: Section, clause: str) -> Callable[[Predicate], Predicate]:
    """Register a predicate on units that arrive, except those that are put back."""

    def register(find: Predicate) -> Predicate:
        @section.on("arrive", clause=clause)
        @wraps(find)
        def judged(position: Position, action: Action) -> Found:
            return None if puts_back(position, action) else find(position, action)

        return find

    return register


@rules.does("arrive")
def arrive(position: Position, action: Action) -> Position:
    """Put the unit in its entry hex, and remember that it entered this turn."""
    if puts_back(position, action):
        for attack in attacks(position):
            lost = tuple(name for name in attack.lost if name != action.piece)
            position = position.with_battle(evolve(attack, lost=lost))
        position = position.without_note(PUT_AWAY, action.piece).without_note(TAKEN_OFF, action.piece)
        return position.with_piece(action.piece, where=action.target)
    position = put(position, action.piece, action.target)
    return position.with_note(ARRIVED, action.piece, action.target)


@rules.on("arrive", clause="crt.1")
def a_unit_taken_off_by_mistake_is_put_back_where_it_was(position: Position, action: Action) -> Breach | None:
    stood = taken_off_from(position, action.piece)
    if not stood or stood == action.target:
        return None
    says = (
        f"{name_of(position, action.piece)} is put back in {action.target};"
        f" it was taken off {stood}, though nothing had eliminated it."
    )
    return Breach(says, {"unit": action.piece, "hex": action.target}, Grade.unproven)


@on_arrival(rules, "reinf.1")
def two_units_a_side_and_turn_from_turn_two(position: Position, action: Action) -> Iterator[Breach]:
    unit = position.pieces[action.piece]
    if _from_alamein(position, unit.id) or _rides_free(position, unit):
        return
    name = name_of(position, unit.id)
    numbers = _numbers(position)
    facts: Facts = {"unit": unit.id, "turn": position.turn}
    if position.turn < numbers.integer("north_first_turn"):
        first = numbers.integer("north_first_turn")
        says = f"{name} arrives on turn {position.turn}; no reinforcements arrive before turn {first}."
        yield Breach(says, facts)
        return
    if (
        position.game.adopted("choice-of-arrivals") == "schedule"
        and _scheduled(position, unit) > position.turn
    ):
        due = _scheduled(position, unit)
        yield Breach(f"{name} arrives on turn {position.turn}; it is due on turn {due}.", facts)
    came = tuple(name for name in _came(position, unit.side) if name != unit.id)
    most = numbers.integer("north_per_turn")
    if position.game.adopted("saved-entries") == "saved":
        turns = position.turn - numbers.integer("north_first_turn") + 1
        most = most * turns - len(_here_before(position, unit.side))
    if len(came) >= most:
        says = (
            f"{name} arrives after {names_of(position, came)}; the limit is {counted(most, 'unit')} per side"
            " and turn."
        )
        yield Breach(says, {**facts, "came": came})


@on_arrival(rules, "reinf.1 reinf.5 reinf.6")
def only_units_that_wait_arrive(position: Position, action: Action) -> Breach | None:
    """Not a unit on the map, nor a lost one; but one that arrived in this phase may be put elsewhere.

    In which other box it was is not certain: boxes of older modules are elsewhere.
    """
    unit, map_ = position.pieces[action.piece], position.game.map
    placed_now = position.phase == "reinforcements" and (ARRIVED, unit.id) in position.notes
    lost = unit.where == f"{unit.side}-lost"
    if not (lost or unit.where in map_.grid) or placed_now:
        return None
    at = map_.boxes[unit.where].title if lost else unit.where
    says = (
        f"{name_of(position, unit.id)} arrives;"
        f" only a unit that is waiting off the map may, and it is in {at}."
    )
    return Breach(says, {"unit": unit.id, "where": at}, clause=_clause_of_arrival(position, unit))


def _clause_of_arrival(position: Position, unit: Piece) -> str:
    """The clause by which a unit arrives: from the north or from Alamein."""
    if not _from_alamein(position, unit.id):
        return "reinf.1"
    return "reinf.5" if unit.side == "allied" else "reinf.6"


@rules.on("put away", clause="reinf.1 reinf.5 reinf.6")
def units_wait_in_their_own_box(position: Position, action: Action) -> Breach | None:
    """A unit taken out of the losses was perhaps put there by mistake; it may not arrive."""
    unit = position.pieces[action.piece]
    box, to = position.game.map.boxes.get(unit.where), next(iter(action.words), "")
    if box is None or not is_unit(position, unit) or to == box.id:
        return None
    clause = _clause_of_arrival(position, unit)
    facts: Facts = {"unit": unit.id, "box": box.id}
    if unit.where == f"{unit.side}-lost":
        says = (
            f"{name_of(position, unit.id)} is taken out of “{box.title}”;"
            " an eliminated unit does not come back."
        )
        return Breach(says, facts, Grade.unproven, clause)
    home = position.game.map.boxes[waiting_box(position, unit.id) or box.id]
    if to == home.id:
        return None
    says = f"{name_of(position, unit.id)} is put into another box; it waits in “{home.title}” to arrive."
    return Breach(says, facts, Grade.slip, clause)


def waiting_box(position: Position, unit: str) -> str:
    """Return the box in which a unit waits to arrive, empty if it starts on the map."""
    waiting = [each.waiting for each in position.scenario.arrivals if unit in each.counters]
    reserve = [each.at for each in position.scenario.setup if unit in each.counters]
    return next((box for box in (*waiting, *reserve) if box in position.game.map.boxes), "")


@on_arrival(rules, "reinf.2")
def two_allied_arrivals_differ_in_nation(position: Position, action: Action) -> Breach | None:
    unit = position.pieces[action.piece]
    if unit.side != "allied" or _from_alamein(position, unit.id):
        return None
    nation, waiting = _nation(position, unit), _nations_waiting(position)
    alike = [
        name
        for name in _came(position, unit.side)
        if name != unit.id and _nation(position, position.pieces[name]) == nation
    ]
    if not alike or not _differ_now(position, waiting):
        return None
    late = position.turn >= _numbers(position).integer("alamein_turn")
    others = listed(sorted(position.game.nations[each].title for each in waiting - {nation}))
    says = (
        f"{names_of(position, (alike[0], unit.id))} arrive on the same turn and are both"
        f" {position.game.nations[nation].title}; they must be of different nationalities while"
        f" {others} units are still waiting."
    )
    grade = Grade.unproven if late else Grade.illegal
    return Breach(says, {"units": (alike[0], unit.id), "nation": nation}, grade)


@on_arrival(rules, "reinf.3")
def northern_units_enter_at_their_entry_points(position: Position, action: Action) -> Iterator[Breach]:
    unit = position.pieces[action.piece]
    if _from_alamein(position, unit.id):
        return
    hexes = position.game.map.zones[NORTH[unit.side]].hexes
    facts = {"unit": unit.id, "hex": action.target}
    if action.target not in hexes:
        free = [name for name in hexes if not _enemy_holds(position, unit.side, name)]
        if position.game.adopted("held-entry") == "beside" and len(free) < len(hexes):
            near = min(position.game.map.grid.distance(name, action.target) for name in hexes)
            if near == 1 and not _enemy_holds(position, unit.side, action.target):
                return
        says = f"{name_of(position, unit.id)} arrives in {action.target}; it must enter at"
        yield Breach(f"{says} {listed(hexes, 'or')}.", facts)
    elif _enemy_holds(position, unit.side, action.target):
        yield _held_entry(position, action)


def _held_entry(position: Position, action: Action) -> Breach:
    says = (
        f"{name_of(position, action.piece)} arrives in {action.target}, where the enemy is;"
        " such an entry hex may not be used."
    )
    return Breach(says, {"unit": action.piece, "hex": action.target})


@on_arrival(rules, "reinf.5 reinf.6")
def the_armies_come_on_turn_four(position: Position, action: Action) -> Iterator[Breach]:
    """The Eighth Army and the Panzer Army Africa, by way of Alamein."""
    clause = "reinf.5" if position.pieces[action.piece].side == "allied" else "reinf.6"
    yield from (evolve(breach, clause=clause) for breach in _army(position, action))


def _army(position: Position, action: Action) -> Iterator[Breach]:
    unit = position.pieces[action.piece]
    if not _from_alamein(position, unit.id):
        return
    name = name_of(position, unit.id)
    facts: Facts = {"unit": unit.id, "turn": position.turn, "hex": action.target}
    due = _numbers(position).integer("alamein_turn")
    if position.turn < due:
        yield Breach(f"{name} arrives on turn {position.turn}; it is due on turn {due}.", facts)
    elif position.turn > due and position.game.adopted("alamein-later") == "turn-4":
        says = f"{name} arrives on turn {position.turn}; it was due on turn {due}, unless it was held back."
        yield Breach(says, facts, Grade.unproven)
    hexes = position.game.map.zones[ALAMEIN[unit.side]].hexes
    if action.target not in hexes:
        yield Breach(f"{name} arrives in {action.target}; it must enter at {listed(hexes, 'or')}.", facts)
    elif _enemy_holds(position, unit.side, action.target):
        yield _held_entry(position, action)


@rules.proposes
def entries(position: Position, piece: Piece) -> Iterator[Action]:
    """Where a unit that waits may come in."""
    if position.phase != "reinforcements" or piece.where in position.game.map.grid:
        return
    if piece.id in the_field(position).units and _is_waiting(position, piece):
        zones = ALAMEIN if _from_alamein(position, piece.id) else NORTH
        for name in position.game.map.zones[zones[piece.side]].hexes:
            yield Action("arrive", (piece.id,), target=name)


def _numbers(position: Position) -> Values:
    return position.game.values["reinforcements"].values


def _from_alamein(position: Position, unit: str) -> bool:
    return unit in the_field(position).alamein


def _rides_free(position: Position, unit: Piece) -> bool:
    return unit.counter.stack == 0 and position.game.adopted("tank-arrivals") == "free"


def _came(position: Position, side: str) -> tuple[str, ...]:
    """The northern units of a side that entered this turn and count."""
    return tuple(
        name
        for name in position.noted(ARRIVED)
        if position.pieces[name].side == side
        and not _from_alamein(position, name)
        and not _rides_free(position, position.pieces[name])
    )


def _here_before(position: Position, side: str) -> tuple[str, ...]:
    """The northern units of a side that entered on earlier turns: they neither wait nor started
    on the map.
    """
    started = {name for entry in position.scenario.setup for name in entry.counters}
    return tuple(
        piece.id
        for piece in position.pieces.values()
        if piece.side == side
        and piece.id in the_field(position).units
        and not _from_alamein(position, piece.id)
        and piece.id not in started
        and not _is_waiting(position, piece)
        and piece.where
        and not position.note(ARRIVED, piece.id)
    )


def _is_waiting(position: Position, piece: Piece) -> bool:
    boxes = {arrival.waiting for arrival in position.scenario.arrivals if arrival.waiting}
    return piece.where in boxes


def _scheduled(position: Position, unit: Piece) -> int:
    turns = [arrival.turn for arrival in position.scenario.arrivals if unit.id in arrival.counters]
    return min(turns, default=0)


def _nation(position: Position, piece: Piece) -> str:
    return position.game.nations[piece.counter.nation].counts_as


def _nations_waiting(position: Position) -> set[str]:
    """The nations of northern Allied units in the pool."""
    return {
        _nation(position, piece)
        for piece in position.pieces.values()
        if piece.side == "allied"
        and piece.id in the_field(position).units
        and not _from_alamein(position, piece.id)
        and _is_waiting(position, piece)
    }


def _differ_now(position: Position, waiting: set[str]) -> bool:
    """Return whether it is still so early that the nations must differ."""
    reading = position.game.adopted("nations-at-first")
    if reading == "turn-2":
        return position.turn == 2
    if reading == "turns-2-3":
        return position.turn <= 3
    return len(waiting) > 1


def _enemy_holds(position: Position, side: str, where: str) -> bool:
    return bool(units_at(position, where, other(position, side))) and bool(
        held(position, other(position, side))
    )
