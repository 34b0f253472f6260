"""The consequences of a battle's result for its participants, in games whose rules are data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from referee.engine.position import Mark, Piece, Position
from referee.engine.wording import counted
from referee.standard.battle import Fight, combat_of, defenders, harmed, table_of
from referee.standard.facts import fits, rules_of
from vassalgen.game.conditions import Condition
from vassalgen.game.families import Check, CheckId, Consequence, Outcome, TableId, Who
from vassalgen.game.tables import span

ANY_NUMBER = "#"


def result_at(position: Position, fight: Fight, place: int, total: int) -> str:
    """Return the cell of the table for a column and the dice as modified."""
    table = table_of(position, fight)
    lows, highs = zip(*table.row_ranges, strict=True)
    return table.at(place, int(min(max(total, min(highs)), max(lows))))


def outcomes(position: Position, fight: Fight, cell: str) -> Iterator[tuple[str, str, Outcome]]:
    """Yield what a cell means, code by code: the code, its number if it is one, and the rule.

    What the dice show by themselves may have a result of its own.
    """
    table = table_of(position, fight)
    found: Mapping[str, Outcome] = rules_of(position).results.get(TableId(table.id), {})
    for code in table.codes(cell):
        key = code if code in found else ANY_NUMBER
        if key in found:
            yield code, code if key == ANY_NUMBER else "", found[key]
    for label, outcome in combat_of(position, fight).natural.items():
        low, high = span(label)
        if low <= fight.faces <= high:
            yield f"a roll of {fight.faces}", "", outcome


def consequences(
    position: Position, fight: Fight, side: str, cell: str = ""
) -> Iterator[tuple[str, Outcome, Consequence, str]]:
    """Yield what a result does to the ``attacker`` or the ``defender``: code, rule, what, the number."""
    for one in (cell,) if cell else dict.fromkeys((fight.result, *fight.aims.values())):
        for code, digits, outcome in outcomes(position, fight, part_of(position, fight, side, one)):
            for what in outcome.of(side):
                yield code, evolve(outcome, clause=what.clause or outcome.clause), what, digits
                if what.check:
                    yield from _failures(position, fight, side, code, what)
    yield from _after_checks(position, fight, side)
    yield from _after_retreats(position, fight, side)
    yield from _after_advances(position, fight, side)


def part_of(position: Position, fight: Fight, side: str, cell: str) -> str:
    """Return the part of a cell that is about a side; all of it where cells have no parts."""
    sign = combat_of(position, fight).parts
    attackers, found, defenders = cell.partition(sign) if sign else (cell, "", "")
    return cell if not found else attackers if side == "attacker" else defenders


def _after_retreats(
    position: Position, fight: Fight, side: str
) -> Iterator[tuple[str, Outcome, Consequence, str]]:
    """Yield the state of units of a side that have retreated far enough for it."""
    rule = rules_of(position).retreat
    for name in fight.attackers if side == "attacker" else fight.defenders:
        steps = len(fight.retreated.get(name, ()))
        marked = rule and rule.state and steps >= rule.state_from
        if rule and marked and fits(position, position.pieces[name], rule.state_who):
            code, clause = f"a retreat of {counted(steps, 'hex')}", rule.state_clause or rule.clause
            what = Consequence(state=rule.state, who=Who(Condition(name)))
            yield code, Outcome(clause=clause), what, ""


def _after_advances(
    position: Position, fight: Fight, side: str
) -> Iterator[tuple[str, Outcome, Consequence, str]]:
    """Yield the state that attackers enter by advancing."""
    rule = rules_of(position).advance
    for name in fight.advanced if rule and rule.state and side == "attacker" else ():
        if rule and fits(position, position.pieces[name], rule.state_who):
            what = Consequence(state=rule.state, who=Who(Condition(name)))
            yield "its advance", Outcome(clause=rule.state_clause or rule.clause), what, ""


def _failures(
    position: Position, fight: Fight, side: str, code: str, what: Consequence
) -> Iterator[tuple[str, Outcome, Consequence, str]]:
    """Yield what follows for units of a side that failed the check of a result."""
    check = rules_of(position).checks[what.check]
    for name in affected(position, fight, side, what):
        failed = failure(check, fight.checks.get(key_of(what.check, name), 0))
        if failed is not None and fits_as_fought(position, fight, name, failed.who):
            yield code, Outcome(clause=check.clause), evolve(failed, who=Who(Condition(name))), ""


def checked_before(position: Position, fight: Fight) -> Iterator[tuple[CheckId, str]]:
    """Yield the checks that units make for an attack whatever its result, with the units."""
    for name, check in rules_of(position).checks.items():
        if fight.kind not in check.before:
            continue
        attackers = tuple(position.pieces[one] for one in fight.attackers)
        units, enemies = attackers, defenders(position, fight)
        if check.before_by == "defender":
            units, enemies = enemies, units
        if not check.before_against or any(fits(position, one, check.before_against) for one in enemies):
            yield from ((name, piece.id) for piece in units if makes(position, piece, check))


def _after_checks(
    position: Position, fight: Fight, side: str
) -> Iterator[tuple[str, Outcome, Consequence, str]]:
    """Yield what follows for units of a side that failed a check for the attack itself."""
    for name, unit in checked_before(position, fight):
        check = rules_of(position).checks[name]
        failed = failure(check, fight.checks.get(key_of(name, unit), 0))
        if failed is not None and check.before_by == side:
            yield (
                "its failed roll",
                Outcome(clause=check.clause),
                evolve(failed, who=Who(Condition(unit))),
                "",
            )


def key_of(check: str, unit: str) -> str:
    """Return how a battle remembers a check of a unit."""
    return f"{check} {unit}"


def failure(check: Check, margin: int) -> Consequence | None:
    """Return what follows from a check that was failed by a margin; nothing if it was passed."""
    if margin <= 0:
        return None
    reached = [(int(label), what) for label, what in check.failed_by.items() if margin >= int(label)]
    return max(reached, key=lambda one: one[0])[1] if reached else check.failed


def affected(position: Position, fight: Fight, side: str, what: Consequence) -> tuple[str, ...]:
    """Return the units of a side that a consequence concerns."""
    names = _in_danger(position, fight) if side == "attacker" else harmed(fight) or fight.defenders
    found = tuple(name for name in names if fits_as_fought(position, fight, name, what.who))
    return tuple(name for name in found if _is_abandoned(position, fight, name)) if what.abandoned else found


def fits_as_fought(position: Position, fight: Fight, unit: str, who: Who) -> bool:
    """Return whether a condition was true of a unit of a battle when the dice were rolled. What the result
    has done since does not change whom it concerns.
    """
    if not who or not fight.rolled:
        return fits(position, position.pieces[unit], who)
    key = ("as fought", fight.number)
    if key not in position.memory:
        pieces = {**position.pieces}
        for name, where in fight.stood.items():
            piece = pieces[name]
            states = {state: piece.states.get(state, Mark()) for state in fight.had.get(name, ())}
            pieces[name] = evolve(piece, where=where, steps=fight.strong[name], states=states)
        position.memory[key] = evolve(position, pieces=pieces, battles=())
    then: Position = position.memory[key]
    return fits(then, then.pieces[unit], who)


def _is_abandoned(position: Position, fight: Fight, unit: str) -> bool:
    """Return whether a unit stayed, or was lost, where it fought, and all its friends have left that hex."""
    stood, grid = fight.stood.get(unit), position.game.map.grid
    friends = [
        name for name, where in fight.stood.items() if where == stood and name in fight.units and name != unit
    ]
    gone = all(position.pieces[name].where != stood for name in friends)
    where = position.pieces[unit].where
    return bool(friends) and gone and (where == stood or where not in grid)


def _in_danger(position: Position, fight: Fight) -> tuple[str, ...]:
    """The attackers that a result may harm: where distance protects them, those that are near."""
    safe, grid = combat_of(position, fight).unharmed_from, position.game.map.grid
    if not safe:
        return fight.attackers
    stood = {name: fight.stood.get(name, position.pieces[name].where) for name in fight.attackers}
    return tuple(
        name
        for name, where in stood.items()
        if where not in grid or any(grid.distance(where, target) < safe for target in fight.hexes)
    )


def checking(position: Position, fight: Fight, side: str, what: Consequence) -> tuple[str, ...]:
    """Return the units of a side that make the check for which a result asks."""
    if not what.check:
        return ()
    check = rules_of(position).checks[what.check]
    pieces = (position.pieces[name] for name in affected(position, fight, side, what))
    return tuple(piece.id for piece in pieces if makes(position, piece, check))


def makes(position: Position, piece: Piece, check: Check) -> bool:
    """Return whether a unit makes a check: the check is for such units, and it has the factor needed."""
    able = isinstance(check.need, int) or piece.counter.printed(check.need, piece.steps) is not None
    return able and fits(position, piece, check.who)
