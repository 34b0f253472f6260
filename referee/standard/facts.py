"""Plain facts of a position: where units are, what they count, what they have done."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from attrs import evolve

from referee.engine.position import LAID, Mark, Piece, Position
from referee.engine.wording import counter_name, listed
from referee.engine.zones import bits
from referee.standard.notes import ACTIVE, DONE, HELD, IN_ERROR, PERHAPS_HELD
from referee.standard.own_words import true_of
from referee.standard.setting import Closed, the_setting
from vassalgen.game.families import ANYBODY, FactorAmount, Families, MarkerId, Near, PhaseId, PhaseRule, Who


def rules_of(position: Position) -> Families:
    """Return the rules by data of a position's game."""
    return the_setting(position).rules


def phase_rule(position: Position) -> PhaseRule | None:
    """Return what the rules say of the phase."""
    return rules_of(position).sequence.get(PhaseId(position.phase))


def allowed(position: Position, who: Who | Near) -> str:
    """Return the units to which a rule allows something: ``infantry units that are not routed``."""
    game, words = position.game, rules_of(position).words
    states = game.states
    found: dict[str, list[str]] = {}
    for choice in who.choices:
        title = {word: states[word].title.lower() if word in states else word for word, _ in choice}
        kinds = [title[word] for word, asked in choice if asked and word not in states and word not in words]
        qualities = [title[word] for word, asked in choice if asked and (word in states or word in words)]
        lacking = " or ".join(title[word] for word, asked in choice if not asked)
        qualities += [f"not {lacking}"] if lacking else []
        which = f" that are {listed(qualities)}" if qualities else ""
        if len(kinds) == 1 and kinds[0] in game.counters:
            found[counter_name(game, kinds[0])] = []
        else:
            found.setdefault(f"units{which}", []).append(" ".join(kinds))
    return ", or ".join(f"{' or '.join(kinds)} {which}".strip() for which, kinds in found.items())


def may_do(position: Position, piece: Piece, activity: str) -> bool:
    """Return whether a unit's side does something in this phase, whatever its turn."""
    phase = phase_rule(position)
    if phase is None:
        return False
    side = side_in_turn(position)
    own = not side or piece.side == side
    if activity in phase.passive and (not own or not side):
        return True
    return activity in phase.does and (phase.by == "both" or not side or own == (phase.by == "active"))


def side_in_turn(position: Position) -> str:
    """Return the side whose player turn it is, or whose leader is active; empty if neither."""
    leader = position.note(ACTIVE)
    return position.pieces[leader].side if leader else position.side


def fits(position: Position, piece: Piece, who: Who) -> bool:
    """Return whether a condition on counters holds of a piece now."""
    return not who or who.holds(true_of(position, piece))


def eased(
    position: Position, piece: Piece, adds: str, within: FactorAmount, changes: Mapping[Who, int]
) -> int:
    """Return by how much a roll is easier for a unit: for what it is, and for the best leader beside it."""
    grid, easier = (
        position.game.map.grid,
        sum(value for who, value in changes.items() if fits(position, piece, who)),
    )
    if not adds or piece.where not in grid:
        return easier
    friends = [one for _, one in on_map(position, piece.side) if one.id != piece.id]
    near = [
        one for one in friends if grid.distance(one.where, piece.where) <= points_of(position, one, within)
    ]
    return easier + max((worth(position, friend, adds) for friend in near), default=0)


def units_at(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the units in a hex, of one side if one is named."""
    units = the_setting(position).units
    return tuple(
        piece for piece in position.at(where) if piece.id in units and (not side or piece.side == side)
    )


def enemies_at(position: Position, where: str, side: str) -> tuple[Piece, ...]:
    """Return the enemies of a side in a hex."""
    return tuple(piece for piece in units_at(position, where) if piece.side != side)


def on_map(position: Position, side: str) -> tuple[tuple[int, Piece], ...]:
    """Return a side's units on the map with the indices of their hexes."""
    return position.on_map(side, the_setting(position).units)


def others(position: Position, side: str) -> tuple[str, ...]:
    """Return the enemies of a side."""
    return tuple(name for name in position.game.sides if name != side)


def held(position: Position, sides: Collection[str], who: Who = ANYBODY) -> int:
    """Return the hexes with units of some sides, as bits."""
    key = ("held", tuple(sides), who)
    if key not in position.memory:
        position.memory[key] = bits(
            at for side in sides for at, piece in on_map(position, side) if fits(position, piece, who)
        )
    found: int = position.memory[key]
    return found


def closed_by(position: Position, sides: Collection[str]) -> int:
    """Return the hexes that units of some sides keep closed to others, as bits: not those of units that can
    be captured.
    """
    captured = rules_of(position).captured
    if captured is None:
        return held(position, sides)
    key = ("closed by", tuple(sides))
    if key not in position.memory:
        position.memory[key] = bits(
            at
            for side in sides
            for at, piece in on_map(position, side)
            if not any(fits(position, piece, one.who) for one in captured.all)
        )
    found: int = position.memory[key]
    return found


def worth(position: Position, piece: Piece, factor: str) -> int:
    """Return the current value of a unit's factor: as printed on its face, changed by its states."""
    printed = piece.counter.printed(factor, piece.steps)
    value = printed if isinstance(printed, int) else 0
    for name in piece.states:
        state = position.game.states.get(name)
        if state and factor in state.counts and value > 0:
            value = counted_as(value, state.counts[factor])
    return value


def points_of(position: Position, piece: Piece, amount: FactorAmount) -> int:
    """Return a number that may be a factor of a unit."""
    return amount if isinstance(amount, int) else worth(position, piece, amount)


def counted_as(value: int, says: str) -> int:
    """Return what a factor counts for in a state: a number, or a multiple of the printed one."""
    if says.isdecimal():
        return int(says)
    return {
        "half up": (value + 1) // 2,
        "half down": value // 2,
        "half down to 1": max(value // 2, 1),
        "double": value * 2,
    }[says]


def has_done(position: Position, unit: str, activities: Collection[str]) -> tuple[str, ...]:
    """Return which of some activities a unit has done in this player turn."""
    return tuple(one for one in position.note(DONE, unit) or () if one in activities)


def did(position: Position, unit: str, *activities: str) -> Position:
    """Note that a unit has done something."""
    known = position.note(DONE, unit) or ()
    return position.with_note(DONE, unit, tuple(dict.fromkeys((*known, *activities))))


def undid(position: Position, unit: str, activity: str) -> Position:
    """Note that a unit has taken back something that it had done."""
    known = position.note(DONE, unit) or ()
    return position.with_note(DONE, unit, tuple(one for one in known if one != activity))


def put(position: Position, unit: str, where: str) -> Position:
    """Put a unit somewhere; its side then holds the places in that hex."""
    return entered(position, position.pieces[unit].side, where).with_piece(unit, where=where)


def entered(position: Position, side: str, where: str) -> Position:
    """Return the position after a unit of a side has entered a hex: its side holds the places there."""
    for place in position.game.map.places_of(where) if where in position.game.map.grid else ():
        position = position.with_note(HELD, place.name, side).without_note(PERHAPS_HELD, place.name)
    return position


def closed_features(position: Position) -> Closed:
    """Return the features of hexsides that markers in their hexes close: bridges that are blown."""
    markers = rules_of(position).markers.values()
    if not any(rule.closes for rule in markers):
        return ()
    key = ("closed features",)
    if key not in position.memory:
        index, laid = position.game.map.grid.index, position.noted(LAID).items()
        position.memory[key] = tuple(
            (feature, hexes)
            for rule in markers
            if (hexes := bits(index[where] for where, names in laid if rule.marker in names))
            for feature in rule.closes
        )
    found: Closed = position.memory[key]
    return found


def box_of_losses(position: Position, side: str) -> str:
    """Return the box for a side's losses; empty if it has none."""
    boxes = position.game.map.boxes
    return position.game.map.box_of(tuple(box.id for box in boxes.values() if box.losses), side)


def losing(position: Position, unit: str, steps: int) -> Position:
    """Return the position with a unit that has lost a number of steps; one without steps is lost."""
    piece = position.pieces[unit]
    if steps >= piece.steps:
        box = box_of_losses(position, piece.side)
        return evolve(
            position, pieces={**position.pieces, unit: evolve(piece, where=box, steps=piece.steps, states={})}
        )
    return position.with_piece(unit, steps=piece.steps - steps)


def set_state(position: Position, unit: str, state: str) -> Position:
    """Put a unit in a state."""
    piece = position.pieces[unit]
    known = position.game.states[state]
    level = known.most(piece.counter) if known.is_count else 1
    return position.with_state(unit, state, Mark(level, position.date if known.dated else None))


def puts_right(position: Position, unit: str, state: str) -> bool:
    """Return whether setting or removing a state of a unit corrects what was done against the rules."""
    return position.note(IN_ERROR, f"{state} {unit}") is position.pieces[unit].is_(state)


def half(value: Fraction, rounding: str) -> Fraction:
    """Round a number of points down or up, or leave it as it is."""
    if rounding == "exact":
        return value
    whole = Fraction(value.numerator // value.denominator)
    return whole + (rounding == "up" and whole != value)


def clauses_of(*clauses: str) -> str:
    """Return clauses as one text, as rules name theirs: each once, without empty ones."""
    return " ".join(dict.fromkeys(clause for clause in clauses if clause))


def holder(position: Position, place: str) -> str:
    """Return the side that holds a place: the one whose unit entered it last, or that of the start."""
    if held := position.note(HELD, place):
        return held
    where = position.game.map.places[place].hex
    sides = {position.pieces[piece.id].side for piece in position.at(where)} - {""}
    if len(sides) == 1:
        return sides.pop()
    start = [placement for placement in position.scenario.setup if placement.at == where]
    return next((position.game.counters[name].side for one in start for name in one.counters), "")


def marked_hexes(position: Position, marker: MarkerId, near: int = 0) -> int:
    """Return the hexes within a distance of one with a marker, as bits."""
    grid = position.game.map.grid
    there = [where for where, laid in position.noted(LAID).items() if marker in laid]
    return bits(grid.index[name] for where in there for name in (where, *grid.within(where, near)))
