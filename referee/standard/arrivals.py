"""Set-up and reinforcements: which units enter the map where and when."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import counted, listed, name_of, names_of
from referee.standard.facts import clauses_of, did, enemies_at, held, others, phase_rule, put
from referee.standard.notes import ENTERED, WITHDRAWN
from referee.standard.stacking import clauses_in, too_many
from referee.standard.track import number_of
from referee.standard.zones import controlled, controllers
from vassalgen.game.families import Families, Reinforcements
from vassalgen.game.scenarios import Arrival

SHOWN = 6


def section(rules: Families) -> Section:
    """Return the rules of set-up and reinforcements."""
    found, family = Section("Set-up and reinforcements", rules.provenance), rules.reinforcements

    @found.does("deploy")
    def deploy(position: Position, action: Action) -> Position:
        return put(position, action.piece, action.target)

    @found.does("put away")
    def put_away(position: Position, action: Action) -> Position:
        known = position.pieces[action.piece].where in position.game.map.grid
        position = position.with_note(WITHDRAWN, action.piece, position.turn) if known else position
        return position.with_piece(action.piece, where="")

    @found.does("enter")
    def enter(position: Position, action: Action) -> Position:
        after = put(position, action.piece, action.target).with_note(ENTERED, action.piece, action.target)
        return did(after, action.piece, "enter")

    if family is None:
        return found

    @found.on("enter", clause=family.clause)
    def reinforcements_come_when_and_where_they_are_due(
        position: Position, action: Action
    ) -> Iterator[Breach]:
        piece, where = position.pieces[action.piece], action.target
        unit, facts = name_of(position, piece.id), {"unit": action.piece, "hex": action.target}
        due = arrival_of(position, piece.id)
        if piece.where in position.game.map.grid:
            yield Breach(f"{unit} enters the map, but it is in {piece.where} already.", facts)
        elif due is None:
            yield Breach(
                f"{unit} enters the map; it is not among the reinforcements of this scenario.", facts
            )
        elif position.turn < due.turn:
            says = f"{unit} enters the map in turn {position.turn}; it is due in turn {due.turn}."
            yield Breach(says, {**facts, "turn": due.turn})
        elif position.turn > due.turn and not family.late:
            says = f"{unit} enters the map in turn {position.turn}; it could only enter in turn {due.turn}."
            yield Breach(says, {**facts, "turn": due.turn})
        elif where not in entries_for(position, piece, due, family):
            places = listed(due.entry[:SHOWN], "or")
            more = ", or another of its entry hexes" if len(due.entry) > SHOWN else ""
            yield Breach(f"{unit} enters in {where}; it must enter in {places}{more}.", facts)

    @found.on("enter", clause=family.clause)
    def never_onto_an_enemy(position: Position, action: Action) -> Breach | None:
        enemies = enemies_at(position, action.target, position.pieces[action.piece].side)
        if not enemies:
            return None
        names = names_of(position, (piece.id for piece in enemies))
        says = (
            f"{name_of(position, action.piece)} enters in {action.target}, which is held by {names};"
            " it may not."
        )
        return Breach(says, {"unit": action.piece, "hex": action.target})

    if family.not_in_zoc:

        @found.on("enter", clause=family.not_in_zoc)
        def not_in_a_zone_of_control(position: Position, action: Action) -> Breach | None:
            side, index = position.pieces[action.piece].side, position.game.map.grid.index
            if not controlled(position, side, "move") >> index[action.target] & 1:
                return None
            who = names_of(position, controllers(position, action.target, side))
            unit = name_of(position, action.piece)
            says = (
                f"{unit} enters in {action.target}, which is in the zone of control of {who}; it must"
                " enter outside enemy zones."
            )
            return Breach(says, {"unit": action.piece, "hex": action.target})

    if family.most:

        @found.on("enter", clause=family.most_clause or family.clause)
        def not_too_many_enter(position: Position, action: Action) -> Breach | None:
            return _too_many_enter(position, action, number_of(position, family.most))

    if family.hex_most:

        @found.on("enter", clause=family.hex_most_clause or family.clause)
        def not_too_many_enter_in_a_hex(position: Position, action: Action) -> Breach | None:
            return _too_many_enter(position, action, family.hex_most, action.target)

    if rules.stacking and rules.stacking.when != "phase":
        limits = clauses_of(*clauses_in(rules.stacking))

        @found.on("enter", clause=limits)
        def within_the_stacking_limit(position: Position, action: Action) -> Breach | None:
            after = position.with_piece(action.piece, where=action.target)
            return too_many(after, action.target, position.pieces[action.piece].side, action.piece)

    @found.proposes
    def entries(position: Position, piece: Piece) -> Iterator[Action]:
        phase, due = phase_rule(position), arrival_of(position, piece.id)
        if phase and "enter" in phase.does and due and piece.where == due.waiting:
            for where in entries_for(position, piece, due, family):
                if where in position.game.map.grid:
                    yield Action("enter", (piece.id,), target=where)

    return found


def _too_many_enter(position: Position, action: Action, most: int, where: str = "") -> Breach | None:
    """Say which units of the side have entered this turn, if one more is too many; in a hex or anywhere."""
    side = position.pieces[action.piece].side
    entered = position.noted(ENTERED).items()
    mine = [unit for unit, at in entered if position.pieces[unit].side == side and where in ("", at)]
    mine = [unit for unit in mine if unit != action.piece]
    if len(mine) < most:
        return None
    place, after = f" in {where}" if where else "", f" after {names_of(position, mine)}" if mine else ""
    says = f"{name_of(position, action.piece)} enters{place}{after}; {counted(most, 'unit')} may in a turn."
    return Breach(says, {"unit": action.piece, "entered": tuple(mine), "limit": most})


def entries_for(position: Position, piece: Piece, due: Arrival, family: Reinforcements) -> tuple[str, ...]:
    """Return where a unit may enter: its entry hexes, and those near them if an enemy is in all of them."""
    grid, near = position.game.map.grid, family.blocked_within
    entry = [grid.index[name] for name in due.entry if name in grid]
    taken = held(position, others(position, piece.side)) | controlled(position, piece.side, "move")
    if not near or not entry or not all(taken >> at & 1 for at in entry):
        return due.entry
    return tuple(
        dict.fromkeys((*due.entry, *(other for at in entry for other in grid.within(grid.names[at], near))))
    )


def arrival_of(position: Position, unit: str) -> Arrival | None:
    """Return when and where a unit arrives."""
    found = (arrival for arrival in position.scenario.arrivals if unit in arrival.counters)
    return next(found, None)
