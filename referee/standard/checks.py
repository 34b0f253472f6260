"""Checks: rolls of units against a number, required by results, phases, or losses beside them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of
from referee.standard.battle import Fight, fights
from referee.standard.combat import faces_of
from referee.standard.facts import eased, on_map, points_of
from referee.standard.kinds_of_movement import by_other_kinds
from referee.standard.notes import CHECKED, DUE, MARGIN, PERHAPS_FAILED
from referee.standard.outcomes import failure, key_of, makes
from referee.standard.undone import checks_due, title_of_dice
from vassalgen.game.families import Check, CheckId, Families


def section(rules: Families) -> Section:
    """Return the rules of checks."""
    found = Section("Checks", rules.provenance)
    for name, check in rules.checks.items():
        if check.dice:
            _rolling(found, name, check)
        _following(found, name, check)
        if check.must:
            _must(found, rules, name, check)
    return found


def margin_of(position: Position, piece: Piece, check: Check, total: int) -> int:
    """Return by how much a roll fails a check, 0 or less if it passes."""
    easier = eased(position, piece, check.adds, check.adds_within, check.changes)
    need = points_of(position, piece, check.need)
    return need - (total + easier) if check.at_least else total - (need + easier)


def _asking(position: Position, name: str, unit: str) -> Fight | None:
    """Return the battle that requires a check of a unit, the last one that does."""
    asking = [fight for fight in fights(position) if (name, unit) in checks_due(position, fight)]
    return asking[-1] if asking else None


def _rolling(found: Section, name: CheckId, check: Check) -> None:
    phases = (*check.must, *check.may)

    @found.on(f"roll {check.dice}", clause=check.clause)
    def a_check_is_asked_for(position: Position, action: Action) -> Breach | None:
        piece, facts = position.pieces[action.piece], {"unit": action.piece, "check": str(name)}
        unit, rolls = name_of(position, piece.id), f"rolls {title_of_dice(position, check)}"
        if _asking(position, name, piece.id) is not None:
            return None
        again = position.note(CHECKED, key_of(name, piece.id)) is not None
        likely = (position, *by_other_kinds(position).values())
        if position.phase in phases and not again and any(makes(one, piece, check) for one in likely):
            return None
        if again:
            return Breach(f"{unit} {rolls} a second time; 1 roll is allowed.", facts, Grade.unproven)
        says = f"{unit} {rolls}; it rolls only where a rule asks for it, and none does."
        return Breach(says, facts, Grade.slip)

    @found.does(f"roll {check.dice}")
    def roll(position: Position, action: Action) -> Position:
        piece, key = position.pieces[action.piece], key_of(name, action.piece)
        margin, fight = margin_of(position, piece, check, sum(action.dice)), _asking(position, name, piece.id)
        if fight is not None:
            had = fight.had if fight.rolled else {**fight.had, piece.id: tuple(piece.states)}
            position = position.with_battle(evolve(fight, checks={**fight.checks, key: margin}, had=had))
        elif position.phase in check.must and position.note(DUE, key) is None:
            position = position.with_note(DUE, key, piece.steps)
        for kind, other in by_other_kinds(position).items():
            perhaps = max(margin_of(other, piece, check, sum(action.dice)), 0)
            position = position.with_note(PERHAPS_FAILED, f"{key} {kind}", perhaps)
        position = position.with_note(CHECKED, key, margin <= 0)
        return position.with_note(MARGIN, key, max(margin, 0))

    @found.proposes
    def rolls_for_units(position: Position, piece: Piece) -> Iterator[Action]:
        free = position.phase in phases and position.note(CHECKED, key_of(name, piece.id)) is None
        free = free and piece.where in position.game.map.grid and position.side in ("", piece.side)
        if (free and makes(position, piece, check)) or _asking(position, name, piece.id) is not None:
            dice = position.game.dice[check.dice]
            for total in range(dice.count, dice.count * dice.sides + 1):
                faces = faces_of(total, dice.count, dice.sides)
                yield Action(f"roll {check.dice}", (piece.id,), dice=faces)


def _following(found: Section, name: CheckId, check: Check) -> None:
    @found.proposes
    def what_follows(position: Position, piece: Piece) -> Iterator[Action]:
        what = failure(check, position.note(MARGIN, key_of(name, piece.id)) or 0)
        if what is None or piece.where not in position.game.map.grid:
            return
        if what.lose:
            yield Action("lose" if piece.steps > 1 and what.lose != "all" else "eliminate", (piece.id,))
        if what.state and not piece.is_(what.state):
            yield Action(f"mark {what.state}", (piece.id,))


def _must(found: Section, rules: Families, name: CheckId, check: Check) -> None:
    by_what_it_did = any(name in check.who.words for name, word in rules.words.items() if word.did)

    @found.entering(*check.must)
    def who_must_check(position: Position) -> Position:
        sides = [position.side] if position.side else list(position.game.sides)
        for _, piece in chain.from_iterable(on_map(position, side) for side in sides):
            if makes(position, piece, check):
                position = position.with_note(DUE, key_of(name, piece.id), piece.steps)
                if not check.dice:
                    position = position.with_note(MARGIN, key_of(name, piece.id), 1)
        return position

    @found.leaving(*check.must, clause=check.clause)
    def all_have_checked(position: Position) -> Iterator[Breach]:
        due = {**_due_by_what_they_did(position), **position.noted(DUE)}
        for key, steps in due.items():
            asked, _, unit = key.partition(" ")
            if asked == name:
                yield from _left_undone(position, check, unit, steps)

    def _due_by_what_they_did(position: Position) -> dict[str, int]:
        """The units that must check because of what they did in the phase itself, with their steps."""
        if not check.dice or not by_what_it_did or not position.side:
            return {}
        mine = (piece for _, piece in on_map(position, position.side) if makes(position, piece, check))
        return {key_of(name, piece.id): piece.steps for piece in mine}

    def _left_undone(position: Position, check: Check, unit: str, steps: int) -> Iterator[Breach]:
        piece, who, facts = position.pieces[unit], name_of(position, unit), _facts(name, unit)
        if piece.where not in position.game.map.grid:
            return
        margin = position.note(MARGIN, key_of(name, unit))
        if margin is None:
            says = f"{who} must roll {title_of_dice(position, check)} in this phase; it did not."
            yield Breach(says, facts)
            return
        what = failure(check, margin)
        if what is None:
            return
        due = piece.steps if what.lose == "all" else what.lose if isinstance(what.lose, int) else 0
        failed = "failed its roll and " if check.dice else ""
        if steps - piece.steps < due:
            loses = "is eliminated" if what.lose == "all" else f"loses {counted(due, 'step')}"
            yield Breach(f"{who} {failed}{loses}; it lost {counted(steps - piece.steps, 'step')}.", facts)
        if what.state and not piece.is_(what.state):
            title = position.game.states[what.state].title.lower()
            yield Breach(f"{who} {failed}must be marked as {title}; it is not.", facts)


def _facts(name: str, unit: str) -> Facts:
    return {"unit": unit, "check": name}
