"""Stacking: the limits of the game and of the scenario, and when they are checked."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import counted, name_of, names_of
from referee.engine.zones import bits
from referee.standard.facts import clauses_of, fits, rules_of, units_at
from referee.standard.setting import the_setting
from vassalgen.game.counters import StackingLimit
from vassalgen.game.families import Families, Stacking, Where, Who
from vassalgen.game.words import likeness


def section(rules: Families) -> Section:
    """Return the rules of stacking."""
    found, family = Section("Stacking", rules.provenance), rules.stacking
    if family is None:
        return found
    clause = clauses_of(*clauses_in(family))
    phases = tuple(rules.sequence)

    @found.always(clause=clause)
    def no_hex_holds_more_than_its_limit(position: Position) -> Iterator[Breach]:
        yield from overfull(position)

    @found.leaving(*phases, clause=clause)
    def stacks_are_within_the_limit_at_the_end_of_a_phase(position: Position) -> Iterator[Breach]:
        yield from overfull(position)

    return found


def clauses_in(family: Stacking) -> tuple[str, ...]:
    """Return the clauses that a stack may break."""
    return (family.clause, *family.clauses, *(limit.clause for limit in family.limits.values()))


def limits(position: Position) -> tuple[tuple[str, StackingLimit], ...]:
    """Return the limits that hold in this turn, with their clauses."""
    family = rules_of(position).stacking
    if family is None:
        return ()
    game = position.game.stacking
    clauses = (*family.clauses, *(family.clause for _ in range(len(game))))
    named = [*zip(clauses, game, strict=False)]
    named += [(family.clause, limit) for limit in position.scenario.stacking]
    return tuple((name, limit) for name, limit in named if not limit.turns or position.turn in limit.turns)


def weight(position: Position, units: tuple[Piece, ...], limit: StackingLimit) -> int:
    """Return what units in a hex count towards a limit."""
    family = rules_of(position).stacking or Stacking(clause="")  # type: ignore[arg-type]
    able = [
        piece
        for piece in units
        if piece.counter.kind in limit.kinds and not _is_free(position, piece, family)
    ]
    if limit.one_free:
        free = [piece for piece in able if piece.counter.extra.flag(limit.one_free, False)]
        able = [piece for piece in able if piece not in free[:1]]
    return sum(piece.counter.stack for piece in able)


def _is_free(position: Position, piece: Piece, family: Stacking) -> bool:
    return bool(family.free) and fits(position, piece, family.free)


def excess(
    position: Position, units: tuple[Piece, ...], side: str, where: str
) -> tuple[str, int, StackingLimit] | None:
    """Return the limit that the units of a side in a hex exceed, with its clause and their weight."""
    for clause, limit in reversed(limits(position)):
        if limit.side not in ("", side) or not _concerns(position, limit, where):
            continue
        total = weight(position, units, limit)
        if total > limit.limit:
            return clause, total, limit
        kinds = {piece.counter.kind for piece in units}
        if kinds & set(limit.kinds) and kinds & set(limit.not_with):
            return clause, total, limit
    return None


def too_many_of(position: Position, units: tuple[Piece, ...], side: str, where: str) -> Breach | None:
    """Say which limits of rules.toml the units of a side in a hex exceed."""
    family = rules_of(position).stacking
    for limit in family.limits.values() if family else ():
        excepted = limit.unless and _some(position, units, limit.unless)
        if limit.side not in ("", side) or excepted or not _some(position, units, limit.if_any):
            continue
        index = position.game.map.grid.index
        if limit.hexes and not the_setting(position).hexes(limit.hexes) >> index[where] & 1:
            continue
        mine = tuple(piece for piece in units if fits(position, piece, limit.who))
        names = tuple(piece.id for piece in mine)
        facts: Facts = {"hex": where, "units": names}
        kinds = {likeness(piece.counter, limit.alike) for piece in mine} - {""} if limit.alike else set()
        if len(kinds) > 1:
            says = f"{names_of(position, names)} are together in {where}; they are not of one {limit.alike}."
            return Breach(says, facts, clause=limit.clause)
        total = sum(_counts(piece, limit.by) for piece in mine)
        if limit.limit and total > limit.limit:
            what = {"weight": "stacking point", "units": "unit", "steps": "step"}.get(limit.by, limit.by)
            most = counted(limit.limit, what) if limit.by in UNITS else f"{limit.limit} of {what}"
            says = f"{names_of(position, names)} in {where} count {total}; the limit is {most}."
            return Breach(says, {**facts, "weight": total, "limit": limit.limit}, clause=limit.clause)
        if not limit.limit and not limit.alike and mine:
            says = f"{names_of(position, names)} may not stack in {where}."
            return Breach(says, facts, clause=limit.clause)
    return None


UNITS = ("weight", "units", "steps")


def _some(position: Position, units: tuple[Piece, ...], who: Who) -> bool:
    return any(fits(position, piece, who) for piece in units)


def _counts(piece: Piece, by: str) -> int:
    """What a unit counts towards a limit."""
    if by in UNITS:
        return {"weight": piece.counter.stack, "units": 1, "steps": piece.steps}[by]
    printed = piece.counter.printed(by, piece.steps)
    return printed if isinstance(printed, int) else 0


def _concerns(position: Position, limit: StackingLimit, where: str) -> bool:
    """Return whether a limit is for a hex."""
    index = position.game.map.grid.index
    found = the_setting(position).hexes(Where(limit.hexes)) if limit.hexes else -1
    return bool(found >> index[where] & 1)


def counts(position: Position, unit: Piece) -> bool:
    """Return whether a unit counts towards some limit; all do if there are none."""
    known = limits(position)
    return not known or any(weight(position, (unit,), limit) for _, limit in known)


def room(position: Position, unit: str, where: str) -> bool:
    """Return whether a hex has room for one more unit."""
    piece = position.pieces[unit]
    there = tuple(each for each in units_at(position, where, piece.side) if each.id != unit)
    if excess(position, (*there, piece), piece.side, where) is not None:
        return False
    family = rules_of(position).stacking
    if family is None or not family.limits:
        return True
    moved = evolve(piece, where=where)
    return too_many_of(position, (*there, moved), piece.side, where) is None


def full_hexes(position: Position, piece: Piece) -> int:
    """Return the hexes without room for a unit, as bits."""
    key = ("full", piece.id)
    if key not in position.memory:
        index = position.game.map.grid.index
        found = [where for where in position.by_place if where in index and where != piece.where]
        position.memory[key] = bits(index[name] for name in found if not room(position, piece.id, name))
    full: int = position.memory[key]
    return full


def overfull(position: Position) -> Iterator[Breach]:
    """Find every stack over a limit."""
    grid = position.game.map.grid
    for where in position.by_place:
        if where in grid:
            for side in position.game.sides:
                if breach := too_many(position, where, side):
                    yield breach


def too_many(position: Position, where: str, side: str, by: str = "") -> Breach | None:
    """Say what is wrong with the stack of a side in a hex, if anything is; ``by`` is the unit
    that came last.
    """
    units = units_at(position, where, side)
    found = excess(position, units, side, where)
    if found is None:
        return too_many_of(position, units, side, where)
    clause, total, limit = found
    names = tuple(piece.id for piece in units)
    facts: Facts = {"hex": where, "units": names, "weight": total, "limit": limit.limit}
    if total <= limit.limit:
        kinds = position.game.kinds
        apart = " or ".join(kinds[kind].title for kind in limit.not_with)
        says = f"{names_of(position, names)} are together in {where}; these may not stack with {apart}."
    else:
        points = counted(total, "stacking point")
        stack = f"{names_of(position, names)} in {where} count {points}"
        stack = f"With {name_of(position, by)} the stack in {where} counts {points}" if by else stack
        says = f"{stack}; the limit is {limit.limit}."
    return Breach(says, facts, clause=clause)
