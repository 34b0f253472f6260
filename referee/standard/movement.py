"""Movement: each clause that a move can break, for every kind of movement in the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.moves import limit
from referee.engine.paths import goes_from_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import counted, name_of, names_of
from referee.standard.battle import undecided
from referee.standard.compulsory_moves import leads_home
from referee.standard.facts import (
    allowed,
    clauses_of,
    did,
    entered,
    fits,
    has_done,
    on_map,
    phase_rule,
    points_of,
    put,
    rules_of,
)
from referee.standard.kinds_of_movement import movers, with_other_kinds
from referee.standard.move import Move
from referee.standard.notes import OTHER_TRAILS, PERHAPS_HELD, TRAIL, Trail, trail_of
from referee.standard.setting import the_setting
from referee.standard.stacking import clauses_in, too_many
from referee.standard.track import number_of
from referee.standard.transport import carried_to
from referee.standard.zones import near_enemies
from vassalgen.game.families import EntryAmount, FactorAmount, Families, Movement, SideId, Where, Who


def section(rules: Families) -> Section:
    """Return the rules of movement."""
    found = Section("Movement", rules.provenance)
    for name, movement in rules.movement.items():
        _kind_of_movement(found, rules, name, movement)

    @found.proposes
    def moves(position: Position, piece: Piece) -> Iterator[Action]:
        """Every hex within reach, by the cheapest path, and the neighbours."""
        phase = phase_rule(position)
        if (
            piece.where not in position.game.map.grid
            or phase is None
            or piece.id not in the_setting(position).units
            or piece.id in undecided(position)
        ):
            return
        for name in movers(position, piece):
            ends, movement = carried_to(position, piece, rules.movement[name]), rules.movement[name]
            for end, path in Move.everywhere(position, piece, name).options().items():
                if not is_among(position, end, movement.end):
                    continue
                if (ends is None or end in ends) and leads_home(position, piece, rules.movement[name], end):
                    yield Action(name, (piece.id,), path)

    return found


def _kind_of_movement(found: Section, rules: Families, name: str, movement: Movement) -> None:
    clauses = [bar.clause for bar in rules.bars.values()]
    clauses += [movement.distance_clause, movement.only_roads, movement.not_through_clause]
    clauses += [one.clause for one in movement.allowances.values()]
    clauses += [clause for one in rules.states.values() for clause in one.clauses]
    clauses += [movement.road_bonus_clause, movement.season_clause]
    clauses += [rules.reinforcements.pays] if rules.reinforcements else []
    clauses += [*(rule.clause for rule in rules.markers.values())]
    clauses += [one.goes_on_clause or one.clause for one in rules.combat.values() if one.goes_on]
    if rules.zoc:
        clauses += [limit.clause or rules.zoc.clause for limit in rules.zoc.limits.values()]
    stacking = rules.stacking.clause if rules.stacking and rules.stacking.when == "always" else ""
    clauses += [movement.enemies, stacking, movement.road_clause]  # type: ignore[list-item]
    others = dict.fromkeys(one for one in clauses if one and one != movement.clause)
    limit(found, _on_hexes, name, clauses=" ".join((*others, movement.clause)))

    found.on(name, clause=movement.clause)(goes_from_where_it_stands)

    @found.on(name, clause=clauses_of(movement.clause, movement.after_clause, movement.not_after_clause))
    def only_some_move_so(position: Position, action: Action) -> Iterator[Breach]:
        piece, unit = position.pieces[action.piece], name_of(position, action.piece)
        facts = {"unit": action.piece}
        if not fits(position, piece, movement.who):
            says = f"{unit} may not use this movement ({name}): only {allowed(position, movement.who)} may."
            yield Breach(says, facts, clause=movement.clause)
        trail = trail_of(position, piece.id, name)
        if trail and trail.movement == name:
            return  # it moves on
        if trail and trail.movement not in movement.not_after:
            yield Breach(
                f"{unit} has already moved in this phase by another kind of movement ({trail.movement});"
                " it moves once.",
                facts,
                clause=movement.clause,
            )
        if movement.after and not has_done(position, piece.id, (movement.after,)):
            says = (
                f"{unit} may not use this movement ({name}): it did not {movement.after} first, in this"
                " player turn."
            )
            yield Breach(says, facts, clause=movement.after_clause or movement.clause)
        if done := has_done(position, piece.id, movement.not_after):
            says = f"{unit} may not use this movement ({name}) after its {done[0]} in this player turn."
            yield Breach(says, facts, clause=movement.not_after_clause or movement.clause)

    if movement.most_clause:

        @found.on(name, clause=movement.most_clause)
        def not_more_than_can_be_carried(position: Position, action: Action) -> Breach | None:
            return too_many_move(position, action, movement.most, movement.most_of)

    if movement.distance_clause:

        @found.on(name, clause=movement.distance_clause)
        def not_when_it_begins_near_the_enemy(position: Position, action: Action) -> Breach | None:
            piece, index = position.pieces[action.piece], position.game.map.grid.index
            if position.note(TRAIL, piece.id) or piece.where not in index:
                return None
            if not near_enemies(position, piece.side, movement.distance) >> index[piece.where] & 1:
                return None
            near = counted(movement.distance - 1, "hex")
            says = (
                f"{name_of(position, piece.id)} begins its move in {piece.where}, within {near} of an enemy."
            )
            return Breach(says, {"unit": piece.id, "hex": piece.where})

    if movement.start or movement.end:
        _ends(found, rules, name, movement)

    if rules.stacking and rules.stacking.when != "phase":
        limits = clauses_of(*clauses_in(rules.stacking))

        @found.on(name, clause=limits)
        def a_move_ends_within_the_stacking_limit(position: Position, action: Action) -> Breach | None:
            if not is_on_map(position, action) or Move.of(position, action).faults:
                return None
            after = position.with_piece(action.piece, where=action.end)
            return too_many(after, action.end, position.pieces[action.piece].side, action.piece)

    @found.does(name)
    def move(position: Position, action: Action) -> Position:
        """Put the unit at the end of its path and remember what it paid."""
        unit, end = position.pieces[action.piece], action.end
        if not is_on_map(position, action):
            return put(position, unit.id, end)
        move = Move.of(position, action)
        trail = move.trail or Trail(action.path[0], movement=name)
        after = put(_passing(position, move, action), unit.id, end)
        if move.is_taken_back():
            return after.without_note(TRAIL, unit.id).without_note(OTHER_TRAILS, unit.id)
        cost, stopped = move.paid(), move.stops_after()
        trail = evolve(
            trail,
            spent=cost,
            dragged=trail.dragged or action.dragged,
            stopped=stopped,
            movement=name,
            off_road=trail.off_road or (bool(movement.road_bonus) and move.leaves_road()),
            upon=move.in_the_way(move.path[-1]),
        )
        after = did(after.with_note(TRAIL, unit.id, trail), unit.id, name, "move")
        return with_other_kinds(position, after, action)


def _passing(position: Position, move: Move, action: Action) -> Position:
    """Return the position after a unit has passed, or may have passed, through places on its way."""
    side, grid = move.piece.side, position.game.map.grid
    for where in action.path[1:-1]:
        position = entered(position, side, where)
    coming_back = rules_of(position).replacements
    if not action.dragged or coming_back is None or SideId(side) not in coming_back.places:
        return position
    start, end = action.path[0], action.end
    far = max(int(2 * move.allowance()), grid.distance(start, end))
    for name in coming_back.places[SideId(side)]:
        there, perhaps = position.game.map.places[name].hex, position.note(PERHAPS_HELD, name) or ()
        near = grid.distance(start, there) + grid.distance(there, end) <= far
        if near and side not in perhaps:
            position = position.with_note(PERHAPS_HELD, name, (*perhaps, side))
    return position


def _ends(found: Section, rules: Families, name: str, movement: Movement) -> None:
    """Register where a move must begin and end; players may make it in several parts."""
    clause = movement.ends_clause or movement.clause
    phases = tuple(phase for phase, rule in rules.sequence.items() if name in rule.activities)

    @found.on(name, clause=clause)
    def it_begins_in_certain_hexes(position: Position, action: Action) -> Breach | None:
        goes_on = position.note(TRAIL, action.piece) is not None
        if goes_on or not is_on_map(position, action) or is_among(position, action.path[0], movement.start):
            return None
        says = f"{name_of(position, action.piece)} moves ({name}) from {action.path[0]}; such a move begins"
        facts = {"unit": action.piece, "hex": action.path[0]}
        return Breach(f"{says} in {movement.start.text}.", facts)

    if not movement.end or not phases:
        return

    @found.leaving(*phases, clause=clause)
    def it_is_over_in_certain_hexes(position: Position) -> Iterator[Breach]:
        for unit, trail in position.noted(TRAIL).items():
            where = position.pieces[unit].where
            if trail.movement != name or where not in position.game.map.grid or where == trail.start:
                continue
            if not is_among(position, where, movement.end):
                says = f"{name_of(position, unit)} has moved ({name}) to {where}; such a move ends in"
                yield Breach(f"{says} {movement.end.text}.", {"unit": unit, "hex": where})


def is_among(position: Position, where: str, hexes: Where) -> bool:
    """Return whether a condition chooses a hex; an empty one chooses all."""
    at = position.game.map.grid.index[where]
    return not hexes or the_setting(position).hexes(hexes) >> at & 1 == 1


def too_many_move(
    position: Position, action: Action, most: EntryAmount, counts: Mapping[Who, FactorAmount] | None = None
) -> Breach | None:
    """Say which units have moved by a kind of movement that only a limited number of a side may use.

    ``counts`` says by who what a unit counts, if not 1.
    """
    allowed, side = number_of(position, most), position.pieces[action.piece].side
    moved = []
    for _, piece in on_map(position, side):
        trail = position.note(TRAIL, piece.id)
        if trail and trail.movement == action.verb and piece.id != action.piece:
            moved.append(piece.id)
    total = sum(_counts(position, position.pieces[one], counts or {}) for one in (*moved, action.piece))
    if total <= allowed:
        return None
    after = f" after {names_of(position, moved)}" if moved else ""
    may = f"that counts {total}; the limit of a phase is {allowed}"
    may = may if counts else f"{counted(allowed, 'unit')} may in a phase"
    says = f"{name_of(position, action.piece)} moves ({action.verb}){after}; {may}."
    return Breach(says, {"unit": action.piece, "moved": tuple(moved), "limit": allowed})


def _counts(position: Position, piece: Piece, counts: Mapping[Who, FactorAmount]) -> int:
    """Return what a unit counts among those that move."""
    amount = next((amount for who, amount in counts.items() if fits(position, piece, who)), 1)
    return points_of(position, piece, amount)


def _on_hexes(position: Position, action: Action) -> Move | None:
    return Move.of(position, action) if is_on_map(position, action) else None


def is_on_map(position: Position, action: Action) -> bool:
    """Return whether a path leads over hexes alone."""
    return all(name in position.game.map.grid for name in action.path)


def with_spent(position: Position, name: str, points: Fraction) -> Position:
    """Note that a unit has moved and spent points in this phase already."""
    movement = next(
        iter(movers(position, position.pieces[name])), next(iter(rules_of(position).movement), "")
    )
    trail = Trail(position.pieces[name].where, int(points * the_setting(position).scale), movement=movement)
    return did(position.with_note(TRAIL, name, trail), name, movement, "move")
