"""Terrain effects in movement: swamps."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.clock import Date
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import name_of, player_turn
from referee.games.postcard1943.battle import Attack
from referee.games.postcard1943.facts import is_unit, the_field
from referee.games.postcard1943.notes import (
    BACK_IN_SWAMP,
    PULLED_OUT,
    STUCK_BY_ROLL,
    SWAMP_AFTER_COMBAT,
    SWAMP_ROLL_DUE,
    SWAMP_ROLLED,
)
from referee.games.postcard1943.outcomes import by_either_result
from vassalgen.game.provenance import Provenance

rules = Section("Terrain effects: swamps", Provenance("reconstruction", "", "which hexes are swamp"))


def says_yes(position: Position, dice: str, face: int) -> bool:
    """Return whether a roll with a 50% chance means yes [comp.1]."""
    yes = position.game.dice[dice].yes
    if position.game.adopted("even-chance") == "high":
        sides = position.game.dice[dice].sides
        yes = tuple(number for number in range(1, sides + 1) if number not in yes)
    return face in yes


@rules.on("advance", clause="terrain.6")
def armour_does_not_advance_through_a_swamp_without_a_roll(
    position: Position, action: Action
) -> Breach | None:
    """Whether units that advance roll depends on the interpretation."""
    passed = [name for name in action.path[1:-1] if _is_swamp(position, name)]
    if not passed or position.game.adopted("swamp-after-combat") == "not":
        return None
    name = name_of(position, action.piece)
    says = (
        f"{name} advances through the swamp in {passed[0]}; a swamp roll must be made on entry, and none was."
    )
    return Breach(says, {"unit": action.piece, "hex": passed[0]}, Grade.unproven)


@rules.on("move", "attack", "advance", clause="terrain.6")
def the_swamp_roll_comes_before_anything_else(position: Position, action: Action) -> Iterator[Breach]:
    """Whether units roll that come into a swamp after combat depends on the interpretation."""
    for unit in action.pieces:
        where = position.note(SWAMP_ROLL_DUE, unit)
        if where and position.pieces[unit].where == where:
            done = {"move": "moves on", "attack": "attacks"}.get(action.verb, "advances")
            says = (
                f"{name_of(position, unit)} entered the swamp in {where} and {done} before its swamp roll,"
                " which must come first."
            )
            fought = position.note(SWAMP_AFTER_COMBAT, unit) == where
            grade = Grade.unproven if fought else Grade.illegal
            yield Breach(says, {"unit": unit, "hex": where}, grade)


@rules.on("roll swamp", clause="terrain.6")
def one_roll_for_each_entry(position: Position, action: Action) -> Breach | None:
    """Whether a unit left the swamp and came back between two rolls is not always seen.

    A unit that rolls after it was dragged out and back has entered again; otherwise it was only put back.
    """
    unit = position.pieces[action.piece]
    if position.note(SWAMP_ROLL_DUE, unit.id) or position.note(BACK_IN_SWAMP, unit.id) == unit.where:
        return None
    facts = {"unit": unit.id, "hex": unit.where}
    name = name_of(position, unit.id)
    if position.note(SWAMP_ROLLED, unit.id) == unit.where:
        says = f"{name} rolls for the swamp in {unit.where} a second time; 1 roll is made on entry."
        return Breach(says, facts, Grade.unproven)
    if _is_swamp(position, unit.where):
        if position.game.adopted("swamp-roll") == "each-turn" and position.phase == "movement":
            return None
        says = f"{name} rolls for the swamp in {unit.where}; only a unit that has just entered it rolls."
        return Breach(says, facts, Grade.slip)
    return Breach(f"{name} rolls for a swamp; only a unit that enters one does.", facts, Grade.slip)


@rules.leaving("movement", "combat", clause="terrain.6")
def every_entry_was_rolled_for(position: Position) -> Iterator[Breach]:
    """If a unit did nothing after it entered, its roll may have been made elsewhere."""
    for unit, where in position.noted(SWAMP_ROLL_DUE).items():
        if position.pieces[unit].where == where:
            says = (
                f"{name_of(position, unit)} entered the swamp in {where} and must roll for it;"
                " no swamp roll is recorded."
            )
            yield Breach(says, {"unit": unit, "hex": where}, Grade.unproven)


@rules.on("move", "attack", "advance", clause="terrain.7")
def a_stuck_unit_stays_and_does_not_attack(position: Position, action: Action) -> Iterator[Breach]:
    for unit in action.pieces:
        piece = position.pieces[unit]
        if _is_stuck(position, piece):
            done = {"move": "moves", "attack": "attacks"}.get(action.verb, "advances")
            says = (
                f"{name_of(position, unit)} {done} although it is stuck in the swamp in {piece.where};"
                " a stuck unit may not."
            )
            yield Breach(says, {"unit": unit, "hex": piece.where}, _sure_of(piece))


@rules.on("retreat", clause="terrain.7")
@by_either_result
def a_stuck_unit_does_not_retreat_by_choice(
    position: Position, action: Action, attack: Attack
) -> Breach | None:
    """In an interpretation that is not adopted, it stays as if No Retreat had been declared,
    even if forced.
    """
    unit, by_choice = position.pieces[action.piece], attack.result == "D"
    if not _is_stuck(position, unit):
        return None
    if not by_choice and position.game.adopted("stuck-retreat") == "retreats":
        return None
    chosen = " by choice" if by_choice else ""
    says = (
        f"{name_of(position, unit.id)} retreats{chosen} although it is stuck in the swamp in"
        f" {unit.where}; a stuck unit may not."
    )
    return Breach(says, {"unit": unit.id, "hex": unit.where}, _sure_of(unit))


@rules.does("roll swamp")
def roll_swamp(position: Position, action: Action) -> Position:
    """Mark the unit as stuck if the roll says so: without a date if it is not known for which entry it was.

    The unit may have left the swamp and come back unseen, so neither it nor its enemy is bound by what the
    roll would change.
    """
    unit = action.piece
    where = position.pieces[unit].where
    position = position.without_note(BACK_IN_SWAMP, unit)
    each_turn = position.game.adopted("swamp-roll") == "each-turn"
    is_stuck = says_yes(position, "swamp", action.dice[0])
    if position.note(SWAMP_ROLL_DUE, unit) or (each_turn and _is_swamp(position, where)):
        position = position.without_note(SWAMP_ROLL_DUE, unit).with_note(SWAMP_ROLLED, unit, where)
        return position.with_state(unit, "stuck", Mark(since=position.date) if is_stuck else None)
    if is_stuck and _is_swamp(position, where) and not position.pieces[unit].is_("stuck"):
        position = position.with_state(unit, "stuck", Mark()).with_note(STUCK_BY_ROLL, unit, position.date)
    return position


@rules.on("mark stuck", clause="terrain.6")
def only_a_roll_makes_a_unit_stuck(position: Position, action: Action) -> Breach | None:
    """A roll that is not recorded may have been made elsewhere; the marker may be placed before the roll."""
    unit = position.pieces[action.piece]
    name, where = name_of(position, unit.id), unit.where
    facts = {"unit": unit.id, "hex": where}
    if unit.is_("stuck") or position.note(SWAMP_ROLL_DUE, unit.id) == where:
        return None
    if _pulled_out(position, unit):
        return None
    if not _is_swamp(position, where):
        says = (
            f"{name} is marked Stuck, but {where or 'its place'} is not a swamp;"
            " units get stuck only in swamps."
        )
        return Breach(says, facts)
    if position.note(SWAMP_ROLLED, unit.id) == where:
        says = (
            f"{name} is marked Stuck in {where}, but its swamp roll did not get it stuck;"
            " only a failed roll does."
        )
    else:
        says = (
            f"{name} is marked Stuck in {where}, but no swamp roll for it is recorded;"
            " only a failed roll gets a unit stuck."
        )
    return Breach(says, facts, Grade.unproven)


@rules.does("mark stuck")
def mark_stuck(position: Position, action: Action) -> Position:
    """Mark a unit in a swamp as stuck: since its roll if the marker is put back, otherwise without a date."""
    unit = position.pieces[action.piece]
    if unit.is_("stuck") or not _is_swamp(position, unit.where):
        return position
    if since := _pulled_out(position, unit):
        return position.with_state(unit.id, "stuck", Mark(since=since)).without_note(PULLED_OUT, unit.id)
    return position.with_state(unit.id, "stuck", Mark()).without_note(STUCK_BY_ROLL, unit.id)


@rules.on("mark free", clause="terrain.7")
def a_stuck_unit_stays_stuck_for_its_time(position: Position, action: Action) -> Breach | None:
    """Whether the turn for which it is stuck includes the enemy's player turn depends on the interpretation.

    A marker that came of a roll for no known entry, or without a roll, may be taken off at once.
    """
    unit = position.pieces[action.piece]
    mark = unit.states.get("stuck")
    if mark is None or not _is_stuck(position, unit):
        return None
    date = mark.since or position.note(STUCK_BY_ROLL, unit.id)
    if date is None or (mark.since is None and date == position.date):
        return None
    name = name_of(position, unit.id)
    since = position.world.calendar.say_date(date)
    says = (
        f"{name} got stuck in {unit.where} in {player_turn(position, date)} and stays stuck until its"
        " next own movement phase; its Stuck marker came off too early."
    )
    grade = Grade.illegal if mark.since == position.date else Grade.unproven
    return Breach(says, {"unit": unit.id, "hex": unit.where, "stuck since": since}, grade)


@rules.does("mark free")
def mark_free(position: Position, action: Action) -> Position:
    """Remove the marker, and remember since when the unit was stuck: it may be put back."""
    mark = position.pieces[action.piece].states.get("stuck")
    if mark is not None and mark.since is not None:
        position = position.with_note(PULLED_OUT, action.piece, mark.since)
    return position.with_state(action.piece, "stuck", None)


def _pulled_out(position: Position, piece: Piece) -> Date | None:
    """Return when a unit got stuck whose marker was removed, if it is not free yet and has not left."""
    since = position.note(PULLED_OUT, piece.id)
    marked = evolve(piece, states={**piece.states, "stuck": Mark(since=since)})
    return since if since and _is_swamp(position, piece.where) and _is_stuck(position, marked) else None


@rules.entering("movement", "recovery")
def stuck_units_are_freed(position: Position) -> Position:
    """In its next own movement phase or, in another interpretation, after its next own player turn."""
    number = position.world.calendar.number
    whole = position.game.adopted("stuck-time") == "game-turn"
    if (position.phase == "recovery") != whole:
        return position
    for piece in position.pieces.values():
        mark = piece.states.get("stuck")
        if mark is None or piece.side != position.side:
            continue
        if mark.since is None or number(mark.since) < number(position.date):
            position = position.with_state(piece.id, "stuck", None)
    return position


@rules.entering("movement")
def rolls_are_due_each_turn(position: Position) -> Position:
    """In an interpretation that is not adopted, units in a swamp roll again, but for those still stuck."""
    if position.game.adopted("swamp-roll") == "entry":
        return position
    for piece in position.pieces.values():
        if piece.side == position.side and not piece.is_("stuck") and _is_swamp(position, piece.where):
            position = position.with_note(SWAMP_ROLL_DUE, piece.id, piece.where)
    return position


@rules.proposes
def rolls_due(position: Position, piece: Piece) -> Iterator[Action]:
    """The rolls that are due."""
    if is_unit(position, piece) and position.note(SWAMP_ROLL_DUE, piece.id) is not None:
        sides = position.game.dice["swamp"].sides
        yield from (Action("roll swamp", (piece.id,), dice=(face,)) for face in range(1, sides + 1))


def _is_stuck(position: Position, piece: Piece) -> bool:
    """Return whether a unit is stuck; one that is set up with a marker older than its effect is free."""
    mark = piece.states.get("stuck")
    if mark is None or mark.since is None:
        return mark is not None
    number, turn = position.world.calendar.number, position.turn
    own = Date(turn, piece.side)
    if position.game.adopted("stuck-time") == "game-turn" and position.phase in ("movement", "combat"):
        begun = number(own) < number(position.date)  # it is free when its own player turn is over
    else:
        begun = number(own) <= number(position.date)
    return number(mark.since) >= number(own if begun else Date(turn - 1, piece.side))


def _sure_of(piece: Piece) -> Grade:
    """A unit that is stuck by a roll for no known entry may not be stuck at all."""
    return Grade.unproven if piece.states["stuck"].since is None else Grade.illegal


def _is_swamp(position: Position, where: str) -> bool:
    index = position.game.map.grid.index
    return where in index and bool(the_field(position).swamps >> index[where] & 1)
