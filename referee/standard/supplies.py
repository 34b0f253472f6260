"""Supply: lines from sources to units, and what happens to units without one."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.movement import March, reach
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.supply import Supply, spread
from referee.engine.wording import counted, name_of
from referee.engine.zones import bits, indices
from referee.standard.facts import (
    clauses_of,
    closed_features,
    fits,
    held,
    holder,
    marked_hexes,
    on_map,
    others,
    points_of,
    rules_of,
    set_state,
)
from referee.standard.notes import CUT_OFF, HUNGRY
from referee.standard.own_words import ALWAYS
from referee.standard.setting import Terms, the_setting
from referee.standard.zones import controlled
from vassalgen.game.families import NOBODY, NOWHERE, Families, Line, SupplyRule
from vassalgen.game.words import formations_of


@frozen
class Blocked:
    """The hexes that a line cannot enter, as bits: those held by enemies and those in their zones."""

    enemies: int
    zones: int

    @property
    def all(self) -> int:
        """All these hexes."""
        return self.enemies | self.zones


def section(rules: Families) -> Section:
    """Return the rules of supply."""
    found, rule = Section("Supply", rules.provenance), rules.supply
    if rule is None:
        return found
    state = rule.state

    if ALWAYS not in rule.when:

        @found.entering(*rule.when)
        def units_are_judged(position: Position) -> Position:
            return judged(position, rule)

    lines = [line.clause for line in rule.lines.values()]
    clauses = clauses_of(rule.clause, rule.zoc, *lines)

    @found.on(f"mark {state}", clause=clauses)
    def only_units_without_a_line_are_out_of_supply(position: Position, action: Action) -> Breach | None:
        how, piece = supply_of(position, action.piece), position.pieces[action.piece]
        if how is None and piece.where in position.game.map.grid:
            says = f"{name_of(position, piece.id)} is marked as out of supply; it needs no supply."
            return Breach(says, {"unit": piece.id}, clause=rule.clause)
        if how is not Supply.supplied:
            return None
        says = f"{name_of(position, action.piece)} is marked as out of supply; a line of supply reaches it."
        clause = line_of(position, position.pieces[action.piece], rule).clause
        return Breach(says, {"unit": action.piece}, clause=clause)

    @found.on(f"clear {state}", clause=clauses)
    def only_units_with_a_line_are_in_supply(position: Position, action: Action) -> Breach | None:
        how = supply_of(position, action.piece)
        if how in (Supply.supplied, None):
            return None
        piece = position.pieces[action.piece]
        clause = rule.zoc if how is Supply.cut and rule.zoc else line_of(position, piece, rule).clause
        says = f"{name_of(position, piece.id)} in {piece.where} is marked as in supply; {_why(how, rule)}."
        return Breach(says, {"unit": action.piece, "supply": how.value}, clause=clause)

    @found.does(f"mark {state}")
    def mark(position: Position, action: Action) -> Position:
        return set_state(position, action.piece, state)

    @found.does(f"clear {state}")
    def clear(position: Position, action: Action) -> Position:
        return position.with_state(action.piece, state, None)

    if rule.lasting and rule.lasting_clause and ALWAYS not in rule.when:

        @found.proposes
        def losses(position: Position, piece: Piece) -> Iterator[Action]:
            if position.phase in rule.when and steps_due(position, piece, rule):
                verb = "eliminate" if rule.lasting_loses == "all" or piece.steps == 1 else "lose"
                yield Action(verb, (piece.id,))

        @found.leaving(*rule.when, clause=rule.lasting_clause)
        def units_long_out_of_supply_take_losses(position: Position) -> Iterator[Breach]:
            for side in position.game.sides:
                for _, piece in on_map(position, side):
                    if not (due := steps_due(position, piece, rule)):
                        continue
                    turns, unit = counted(rule.lasting, "turn"), name_of(position, piece.id)
                    long = f"{unit} has been out of supply for {turns}"
                    if due >= piece.steps:
                        says = f"{long} and is eliminated; it is still in {piece.where}."
                    else:
                        says = f"{long} and loses {counted(due, 'step')}; it lost none."
                    yield Breach(says, {"unit": piece.id, "steps": due})

    return found


def steps_due(position: Position, piece: Piece, rule: SupplyRule) -> int:
    """Return the steps that a unit must still lose in this phase for being out of supply so long."""
    since = position.note(CUT_OFF, piece.id)
    if since is None or piece.where not in position.game.map.grid or position.turn - since < rule.lasting:
        return 0
    if position.side and piece.side != position.side:
        return 0
    if not isinstance(rule.lasting_loses, int):
        return piece.steps
    most = piece.steps if rule.lasting_last else piece.steps - 1
    return min(max(rule.lasting_loses - (position.note(HUNGRY, piece.id) or 0), 0), most)


def _why(how: Supply, rule: SupplyRule) -> str:
    far = f"no source is within {counted(rule.length, 'hex' if not rule.cost else 'point')}"
    far = "no source is near enough" if rule.lines else far
    return "the enemy cuts every line to it" if how is Supply.cut else far


def judged(position: Position, rule: SupplyRule) -> Position:
    """Return the position with the current supply of the active side's units, or of both sides', marked."""
    sides = [position.side] if position.side else list(position.game.sides)
    for side in sides:
        for _, piece in on_map(position, side):
            how = supply_of(position, piece.id)
            if how is Supply.supplied and (
                piece.is_(rule.state) or position.note(CUT_OFF, piece.id) is not None
            ):
                position = position.with_state(piece.id, rule.state, None).without_note(CUT_OFF, piece.id)
            elif how not in (Supply.supplied, None):
                if not piece.is_(rule.state):
                    position = set_state(position, piece.id, rule.state)
                if position.note(CUT_OFF, piece.id) is None:
                    position = position.with_note(CUT_OFF, piece.id, position.turn)
    return position


def supply_of(position: Position, unit: str) -> Supply | None:
    """Return the supply state of a unit; None for one that needs no supply or is not on the map."""
    rule, piece, grid = rules_of(position).supply, position.pieces[unit], position.game.map.grid
    if rule is None or piece.where not in grid or not fits(position, piece, rule.who):
        return None
    at, how = grid.index[piece.where], Supply.far
    for line in lines_of(position, piece, rule):
        blocked = blocks(position, piece.side, rule).all
        for marker in line.marked_block:
            blocked |= marked_hexes(position, marker)
        if reached(position, piece, rule, blocked, line) >> at & 1:
            return Supply.supplied
        how = Supply.cut if reached(position, piece, rule, 0, line) >> at & 1 else how
    return how


def blocks(position: Position, side: str, rule: SupplyRule) -> Blocked:
    """Return what blocks the lines of a side."""
    enemies = held(position, others(position, side)) if rule.enemies else 0
    return Blocked(enemies, controlled(position, side, "supply") if rule.zoc else 0)


def line_of(position: Position, piece: Piece, rule: SupplyRule) -> Line:
    """Return the rule of a unit's line of supply: the first of the special lines that is for such units."""
    special = (line for line in rule.lines.values() if not line.besides)
    found = next((line for line in special if fits(position, piece, line.who)), None)
    return found or Line(
        clause=rule.clause,
        who=rule.who,
        length=rule.length,
        cost=rule.cost,
        not_across=rule.not_across,
        roads=bool(rule.roads),
        by=rule.by,
        through=rule.through,
        only_through=rule.only_through,
        to_own=rule.to_own,
        marked_block=rule.marked_block,
        reach=rule.reach,
        sources=rule.sources,
        towns=rule.towns,
    )


def lines_of(position: Position, piece: Piece, rule: SupplyRule) -> Iterator[Line]:
    """Yield the lines by which a unit may be supplied; one is enough."""
    yield line_of(position, piece, rule)
    yield from (line for line in rule.lines.values() if line.besides and fits(position, piece, line.who))


def reached(position: Position, piece: Piece, rule: SupplyRule, blocked: int, line: Line) -> int:
    """Return the hexes that a unit's supply reaches by a line around blocked ones."""
    hexes = _sources_named(position, the_setting(position).true_of[piece.id]) if line.zones else ()
    alone = line.only_through and piece.counter.kind not in line.through
    own = tuple(formations_of(position.game, piece.counter)) if line.to_own else ()
    key = ("supplied", piece.side, hexes, line, blocked, alone, own)
    if key not in position.memory:
        position.memory[key] = 0  # until it is known, for headquarters that depend on each other
        sources = bits(position.game.map.grid.index[name] for name in hexes)
        sources |= _other_sources(position, piece.side, line)
        found = 0 if alone else _from(position, sources & ~blocked, line.length, blocked, line)
        passed = True
        while passed:  # headquarters that are reached pass it on
            passed = False
            for at, friend in on_map(position, piece.side):
                if friend.counter.kind not in line.through or blocked >> at & 1:
                    continue
                if line.to_own and friend.counter.formation not in own:
                    continue
                if found >> at & 1 or _is_reached(position, friend, at, rule, blocked, line, alone):
                    far = line.length if line.reach == "" else points_of(position, friend, line.reach)
                    more = found | _from(position, 1 << at, far, blocked, line)
                    passed, found = passed or more != found, more
        position.memory[key] = found
    mask: int = position.memory[key]
    return mask


def _is_reached(
    position: Position, friend: Piece, at: int, rule: SupplyRule, blocked: int, line: Line, alone: bool
) -> bool:
    """Return whether a unit that passes supply on gets it by a line of its own."""
    return any(
        (alone or other != line) and reached(position, friend, rule, blocked, other) >> at & 1
        for other in lines_of(position, friend, rule)
    )


def _other_sources(position: Position, side: str, line: Line) -> int:
    """The hexes of counters that are sources of a side, and of places that it holds."""
    found = held(position, (side,), line.sources) if line.sources != NOBODY else 0
    if line.towns != NOWHERE:
        chosen, index = the_setting(position).hexes(line.towns), position.game.map.grid.index
        for place in position.game.map.places.values():
            if chosen >> index[place.hex] & 1 and holder(position, place.name) == side:
                found |= 1 << index[place.hex]
    return found


def _sources_named(position: Position, names: frozenset[str]) -> tuple[str, ...]:
    """The hexes of the zones that supply any of these."""
    zones = [zone for zone in position.game.map.zones.values() if names & set(zone.supplies)]
    return tuple(dict.fromkeys(name for zone in zones for name in zone.hexes))


def _from(position: Position, sources: int, length: int, blocked: int, line: Line) -> int:
    """The hexes within the length of a line from some hexes, or from a road that leads there."""
    setting, closed = the_setting(position), closed_features(position)
    if line.roads:
        sources = spread(setting.roads(line.by, closed, line.not_across), sources, blocked)
    if not line.cost:
        return spread(setting.lines(closed, line.not_across), sources, blocked, length)
    found = sources
    ground = setting.ground(Terms((line.cost,), closed=closed, shut=line.not_across))
    for at in indices(sources):
        march = March(ground, at, length * setting.scale, roads=True, shut=blocked)
        found |= bits(reach(march).costs)
    return found
