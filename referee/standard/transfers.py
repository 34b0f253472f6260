"""Transfers: moves from one place directly to another, such as from port to port, or by air."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import name_of, names_of
from referee.engine.zones import indices
from referee.standard.facts import allowed, clauses_of, did, enemies_at, fits, may_do, put
from referee.standard.kinds_of_movement import with_other_kinds
from referee.standard.movement import too_many_move
from referee.standard.notes import TRAIL, Trail
from referee.standard.setting import the_setting
from referee.standard.stacking import clauses_in, too_many
from referee.standard.zones import controllers, in_zone, zone_at
from vassalgen.game.families import Families, Transfer


def section(rules: Families) -> Section:
    """Return the rules of transfers."""
    found = Section("Transfers", rules.provenance)
    for name, rule in rules.transfers.items():
        _kind_of_transfer(found, rules, name, rule)
    return found


def _kind_of_transfer(found: Section, rules: Families, name: str, rule: Transfer) -> None:
    found.on(name, clause=rule.clause)(begins_where_it_stands)

    @found.on(name, clause=rule.clause)
    def from_a_place_to_a_place(position: Position, action: Action) -> Iterator[Breach]:
        setting, index = the_setting(position), position.game.map.grid.index
        unit, start, end = name_of(position, action.piece), action.path[0], action.end
        facts: Facts = {"unit": action.piece, "path": action.path}
        if not fits(position, position.pieces[action.piece], rule.who):
            yield Breach(
                f"{unit} may not move this way ({name}): only {allowed(position, rule.who)} may.", facts
            )
        if start not in index or end not in index:
            return
        if rule.start and not setting.hexes(rule.start) >> index[start] & 1:
            yield Breach(
                f"{unit} moves ({name}) from {start}; such a move starts in {rule.start.text}.", facts
            )
        if rule.end and not setting.hexes(rule.end) >> index[end] & 1:
            yield Breach(f"{unit} moves ({name}) to {end}; such a move ends in {rule.end.text}.", facts)
        if enemies := enemies_at(position, end, position.pieces[action.piece].side):
            names = names_of(position, (piece.id for piece in enemies))
            yield Breach(f"{unit} moves ({name}) to {end}, which is held by {names}; it may not.", facts)
        if position.note(TRAIL, action.piece):
            says = (
                f"{unit} has moved in this phase already and moves again ({name});"
                " such a move takes its whole turn."
            )
            yield Breach(says, facts)

    if rule.zoc:

        @found.on(name, clause=rule.zoc)
        def not_from_or_to_a_zone_of_control(position: Position, action: Action) -> Iterator[Breach]:
            piece = position.pieces[action.piece]
            for where in (action.path[0], action.end):
                if where in position.game.map.grid and zone_at(position, where, piece.side):
                    who = names_of(position, controllers(position, where, piece.side))
                    says = (
                        f"{name_of(position, piece.id)} moves ({name}) in the zone of control of {who};"
                        " it may not."
                    )
                    yield Breach(says, {"unit": piece.id, "hex": where})

    if rule.most_clause:

        @found.on(name, clause=rule.most_clause)
        def not_more_than_can_be_carried(position: Position, action: Action) -> Breach | None:
            return too_many_move(position, action, rule.most)

    if rules.stacking and rules.stacking.when != "phase":
        limits = clauses_of(*clauses_in(rules.stacking))

        @found.on(name, clause=limits)
        def within_the_stacking_limit(position: Position, action: Action) -> Breach | None:
            after = position.with_piece(action.piece, where=action.end)
            return too_many(after, action.end, position.pieces[action.piece].side, action.piece)

    @found.does(name)
    def move(position: Position, action: Action) -> Position:
        after = put(position, action.piece, action.end)
        trail = Trail(action.path[0], dragged=action.dragged, stopped=True, movement=name)
        after = did(after.with_note(TRAIL, action.piece, trail), action.piece, name, "move")
        return with_other_kinds(position, after, action)

    @found.proposes
    def transfers(position: Position, piece: Piece) -> Iterator[Action]:
        grid, setting = position.game.map.grid, the_setting(position)
        if piece.where not in grid or not may_do(position, piece, name) or piece.id not in setting.units:
            return
        if rule.start and not setting.hexes(rule.start) >> grid.index[piece.where] & 1:
            return
        if not in_zone(position, piece.id):
            for at in indices(setting.hexes(rule.end) & setting.land):
                if grid.names[at] != piece.where:
                    yield Action(name, (piece.id,), (piece.where, grid.names[at]), dragged=True)
