"""Units that are face down until they fight: untried divisions, hidden strengths."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import name_of
from referee.standard.attackers import reach_of
from referee.standard.battle import defenders, fight_of, fights
from referee.standard.facts import fits, on_map, others
from referee.standard.notes import EXPOSED, RETIRED, TURNED_UP
from vassalgen.game.families import FaceDown, Families

REVEAL, HIDE = "reveal", "hide"


def section(rules: Families) -> Section:
    """Return the rules of face-down units."""
    found, rule = Section("Face-down units", rules.provenance), rules.face_down
    if rule is None:
        return found
    dice = tuple(dict.fromkeys(f"roll {combat.dice}" for combat in rules.combat.values()))

    @found.on(*dice, clause=rule.clause)
    def no_unit_fights_face_down(position: Position, action: Action) -> Iterator[Breach]:
        fight = fight_of(position, action)
        if fight is None or not fight.waits:
            return
        for name in (*fight.attackers, *(piece.id for piece in defenders(position, fight))):
            if position.pieces[name].face == "down":
                says = f"{name_of(position, name)} fights face down; it must be turned face up first."
                yield Breach(says, {"unit": name})

    if rule.early:

        @found.on(REVEAL, clause=rule.early)
        def units_are_turned_up_when_they_fight(position: Position, action: Action) -> Breach | None:
            if position.pieces[action.piece].face != "down" or _fights(position, action.piece):
                return None
            if _is_close(position, action.piece, rules):
                return None  # an attack may be announced before it is declared with a command
            says = f"{name_of(position, action.piece)} is turned face up; a unit is when it first fights."
            return Breach(says, {"unit": action.piece})

        @found.leaving(*rules.sequence, clause=rule.early)
        def units_turned_up_have_fought(position: Position) -> Iterator[Breach]:
            fought = {name for fight in fights(position) if fight.rolled for name in fight.units}
            exposed, retired = position.noted(EXPOSED), position.noted(RETIRED)
            if exposed or retired:
                return  # their targets may have been dummies, or have left
            for name in position.noted(TURNED_UP):
                if name not in fought and position.pieces[name].where in position.game.map.grid:
                    says = f"{name_of(position, name)} was turned face up, and no battle of it was resolved."
                    yield Breach(
                        says, {"unit": name}, Grade.unproven
                    )  # its attack may not have been declared

    if rule.again:

        @found.on(HIDE, clause=rule.again)
        def no_unit_is_turned_down_again(position: Position, action: Action) -> Breach | None:
            if position.pieces[action.piece].where not in position.game.map.grid:
                return None
            says = f"{name_of(position, action.piece)} is turned face down again; it stays face up."
            return Breach(says, {"unit": action.piece})

    if rule.lost_clause:
        _lost(found, rules, rule)

    @found.does(REVEAL)
    def reveal(position: Position, action: Action) -> Position:
        piece = position.pieces[action.piece]
        lost = piece.face == "down" and piece.where in position.game.map.grid
        if lost and rule.lost_clause and fits(position, piece, rule.lost):
            position = position.with_note(EXPOSED, piece.id, True)
        if rule.early and piece.face == "down" and _is_close(position, piece.id, rules):
            position = position.with_note(TURNED_UP, piece.id, True)
        return position.with_piece(piece.id, face="up")

    @found.does(HIDE)
    def hide(position: Position, action: Action) -> Position:
        return position.with_piece(action.piece, face="down")

    @found.proposes
    def turned_up(position: Position, piece: Piece) -> Iterator[Action]:
        if piece.face == "down" and _fights(position, piece.id):
            yield Action(REVEAL, (piece.id,))

    return found


def _lost(found: Section, rules: Families, rule: FaceDown) -> None:
    """Register that some units are eliminated when they are turned face up."""

    @found.follows("eliminate")
    def its_hex_is_left_before_the_dice(before: Position, after: Position, action: Action) -> Position:
        if not before.note(EXPOSED, action.piece):
            return after
        return after.with_note(RETIRED, action.piece, before.pieces[action.piece].where)

    @found.proposes
    def losses(position: Position, piece: Piece) -> Iterator[Action]:
        if position.note(EXPOSED, piece.id) and piece.where in position.game.map.grid:
            yield Action("eliminate", (piece.id,))

    for phase, does in rules.sequence.items():
        if not set(does.activities) & set(rules.combat):
            continue

        @found.leaving(phase, clause=rule.lost_clause)
        def some_are_lost_when_they_are_turned_up(position: Position) -> Iterator[Breach]:
            for name in position.noted(EXPOSED):
                piece = position.pieces[name]
                if piece.where in position.game.map.grid:
                    unit = name_of(position, name)
                    says = f"{unit} is eliminated when it is turned face up; it is still in {piece.where}."
                    yield Breach(says, {"unit": name})


def _is_close(position: Position, unit: str, rules: Families) -> bool:
    """Return whether an enemy is near enough for one to attack the other."""
    grid, piece = position.game.map.grid, position.pieces[unit]
    return piece.where in grid and any(
        grid.distance(piece.where, enemy.where)
        <= max(reach_of(position, one, combat) for one in (piece, enemy) for combat in rules.combat.values())
        for side in others(position, piece.side)
        for _, enemy in on_map(position, side)
    )


def _fights(position: Position, unit: str) -> bool:
    """Return whether a unit attacks, or is in a hex that is attacked."""
    where = position.pieces[unit].where
    return any(unit in fight.units or where in fight.hexes for fight in fights(position))
