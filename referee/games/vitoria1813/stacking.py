"""Stacking: two combat units; a train with a general at most."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.position import UNDERWAY, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, names_of
from referee.games.vitoria1813.battle import fights
from referee.games.vitoria1813.facts import (
    FRENCH,
    ROUTED,
    SIDES,
    UNCONTROLLED,
    combat_at,
    in_ezoc,
    is_combat,
    is_general,
    is_train,
    trains_at,
)
from referee.games.vitoria1813.notes import (
    CAME_INTO,
    CROSSED,
    RETREAT_ENDED_IN,
    ROOM_MADE,
    ROUT_UNSEEN,
    TRAIL,
    WILD_IN,
)
from vassalgen.game.provenance import Provenance

rules = Section("Stacking", Provenance("rulebook", "4.4, 11"))


def limit(position: Position) -> int:
    """Return how many combat units may be in a hex."""
    return next(one.limit for one in position.game.stacking if "infantry" in one.kinds)


def overfull(position: Position) -> Iterator[Breach]:
    """Find every hex with too many combat units, or a train in the wrong company."""
    park_counts, most = position.game.adopted("park-stacking") == "yes", limit(position)
    for where, pieces in position.by_place.items():
        if len(pieces) == 1 or where not in position.game.map.grid:
            continue
        for side in SIDES if len(pieces) > most else ():
            units = combat_at(position, where, side)
            parks = sum(piece.counter.kind == "park" for piece in pieces) if park_counts else 0
            if len(units) + parks > most:
                names = tuple(piece.id for piece in units)
                facts: Facts = {"hex": where, "units": names}
                park = " beside the Artillery Park" if parks else ""
                says = (
                    f"{names_of(position, names)} are stacked in {where}{park}; the limit is"
                    f" {counted(most, 'combat unit')}."
                )
                yield Breach(says, facts, clause="4.4a")
        yield from _trains(position, where)


def _trains(position: Position, where: str) -> Iterator[Breach]:
    trains = trains_at(position, where)
    if not trains:
        return
    names = tuple(train.id for train in trains)
    french = tuple(piece.id for piece in combat_at(position, where, FRENCH))
    if french:
        says = f"{names_of(position, french)} may not stack with {names_of(position, names)}, in {where}."
        yield Breach(says, {"hex": where, "units": french, "train": names}, clause="4.4c")
    others = [
        piece.id
        for piece in position.at(where)
        if piece.counter.kind in ("infantry", "cavalry", "artillery", "engineer")
        and piece.side != FRENCH
        and not piece.is_(UNCONTROLLED)
        and position.note(WILD_IN, piece.id) != where  # engineers have no marker for it
    ]
    parks = [piece.id for piece in position.at(where) if piece.counter.kind == "park"]
    if len(trains) > 1 or parks:
        says = (
            f"{names_of(position, (*names, *parks))} are stacked in {where}; a train stacks only with a "
            "general."
        )
        # The park may stack, says 11e; whether with a train, of which 11b says that it may not, is open.
        grade = Grade.illegal if len(trains) > 1 else Grade.unproven
        yield Breach(says, {"hex": where, "train": (*names, *parks)}, grade, "11b")
    elif others:
        says = f"{names_of(position, others)} may not stack with {names_of(position, names)}, in {where}."
        yield Breach(says, {"hex": where, "units": tuple(others)}, clause="11b")


@rules.always(clause="4.4a 4.4c 11b")
def no_hex_is_overfull(position: Position) -> Iterator[Breach]:
    yield from overfull(position)


@rules.leaving("movement", clause="4.4a 4.4c 11b")
def no_hex_is_overfull_after_movement(position: Position) -> Iterator[Breach]:
    """For the side that moved: the other may have been driven together in combat."""
    for breach in overfull(position):
        named = breach.facts.get("units", breach.facts.get("train"))
        assert isinstance(named, tuple)
        if any(position.pieces[name].side == position.side for name in named):
            yield breach


def crowded_by_retreats(position: Position) -> tuple[str, ...]:
    """Return the hexes that a retreat has overfilled and from which no unit has been displaced yet."""
    overstacked = (str(breach.facts["hex"]) for breach in overfull(position) if breach.clause == "4.4a")
    return tuple(where for where in overstacked if (CAME_INTO, where) in position.notes)


@rules.leaving("fire", "combat", clause="4.5d 7.5l")
def a_displaced_unit_has_gone(position: Position) -> Iterator[Breach]:
    """After combat no unit has been displaced from an overfull hex.

    By 7.5l if a retreat had to end in it, otherwise by 4.5d.
    """
    every = position.game.adopted("displaced") == "all"
    for breach in overfull(position):
        came = position.note(CAME_INTO, str(breach.facts["hex"]))
        if breach.clause == "4.4a" and came is not None:
            after_retreat = position.note(RETREAT_ENDED_IN, str(breach.facts["hex"]))
            clause = "7.5l" if after_retreat else "4.5d"
            says = f"{breach.says} After a retreat one of them must make room."
            yield Breach(says, breach.facts, clause=clause)
    for where, names in position.noted(ROOM_MADE).items() if every else ():
        left = tuple(name for name in names if position.pieces[name].where == where)
        if left:
            says = (
                f"{names_of(position, left)} must make room in {where}, where the stack was full, and did"
                " not."
            )
            yield Breach(says, {"units": left, "hex": where}, clause="4.5d")


@rules.leaving("combat", clause="4.4a 11b")
def no_pursuit_ends_in_a_full_hex(position: Position) -> Iterator[Breach]:
    """It ignores zones of control, not the stacking limit [7.5n]; with the convoy it may be a pillage."""
    pursuers = {position.pieces[name].where for fight in fights(position) for name in fight.pursued}
    for breach in overfull(position):
        where = str(breach.facts["hex"])
        if where not in pursuers:
            continue
        if breach.clause == "11b":
            yield evolve(breach, grade=Grade.unproven)
        elif breach.clause == "4.4a" and (CAME_INTO, where) not in position.notes:
            yield breach


def may_stay(position: Position, piece: Piece, where: str) -> bool:
    """Return whether a counter may end its move in a hex: it is not too full, and the company is right."""
    there = [each for each in position.at(where) if each.id != piece.id]
    if is_combat(piece):
        mine = [each for each in there if is_combat(each) and each.side == piece.side]
        return len(mine) < limit(position) and not any(is_train(each) for each in there)
    if is_general(piece):
        return not in_ezoc(position, where, piece.side) or bool(combat_at(position, where, piece.side))
    return all(is_general(each) for each in there)


def is_crowded(position: Position, where: str, side: str) -> bool:
    """Return whether a hex is so full that a unit must make room for a retreating one.

    In the movement phase that one is routed, or has just left an enemy zone of control [4.5]. What overfilled
    a hex before the record is not known.
    """
    units = combat_at(position, where, side)
    came = (CAME_INTO, where) in position.notes or (UNDERWAY, "") in position.notes
    if position.phase == "movement":
        came = came or any(_goes_back(position, unit) for unit in units)
    return len(units) > limit(position) and came


def _goes_back(position: Position, unit: Piece) -> bool:
    trail, grid = position.note(TRAIL, unit.id), position.game.map.grid
    if trail is None or unit.is_(ROUTED):
        return trail is not None
    step = trail.start in grid and grid.distance(trail.start, unit.where) == 1
    return step and in_ezoc(position, trail.start, unit.side)


def has_to_make_room(position: Position, piece: Piece, where: str) -> bool:
    """Whether a unit may be displaced out of a hex: there are too many, or a unit entered or crossed it."""
    full = is_crowded(position, where, piece.side)
    return full or (CAME_INTO, where) in position.notes or was_crossed(position, piece, where)


def was_crossed(position: Position, piece: Piece, where: str) -> bool:
    """Return whether a rout led through a unit in a hex, or may have: for some only the ends are known."""
    if position.note(CROSSED, piece.id) is not None:
        return True
    grid, rout = position.game.map.grid, position.game.values["rout"].values.integer("hexes")
    return any(
        one.side == piece.side
        and grid.distance(ends[0], where) + grid.distance(where, ends[-1]) <= max(rout, one.factor("mp"))
        for name, ends in position.noted(ROUT_UNSEEN).items()
        for one in (position.pieces[name],)
    )
