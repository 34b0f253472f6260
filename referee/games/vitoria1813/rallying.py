"""The rally phase: disorder is removed, routed units are rallied."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.clock import Date
from referee.engine.position import UNDERWAY, UNSEEN, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.vitoria1813.battle import rallying
from referee.games.vitoria1813.facts import (
    DISORDERED,
    FRENCH,
    ROUTED,
    UNCONTROLLED,
    corps_of,
    generals_at,
    is_before,
    is_general,
    is_on_map,
    other,
    phase_of,
    rank,
)
from referee.games.vitoria1813.notes import (
    FAILED,
    FORGOTTEN,
    FOUGHT_ON,
    MARKED_EARLY,
    MOVED,
    RALLIED,
    RALLY_BY,
    RALLY_DIE,
    SERVICES,
    SHOVED_ON,
)
from vassalgen.game.provenance import Provenance

rules = Section("Disorder, rout and rally", Provenance("rulebook", "2, 7.7 to 7.9"))


@rules.on("roll rally", clause="2d")
def rally_dice_are_rolled_in_the_rally_phase(position: Position, action: Action) -> Breach | None:
    """Only for routed units: one without the marker may have been rallied before the die."""
    unit = position.pieces[action.piece]
    facts: Facts = {"unit": unit.id, "phase": position.phase}
    if position.phase != "rally":
        return Breach(
            f"A rally die is rolled for {name_of(position, unit.id)} in the {phase_of(position)};"
            " units are rallied only in the rally phase.",
            facts,
        )
    if unit.is_(ROUTED):
        return None
    says = (
        f"A rally die is rolled for {name_of(position, unit.id)}, which is not routed;"
        " only routed units are rolled for."
    )
    return Breach(says, facts, Grade.unproven)


@rules.on("recover", clause="2e")
def disorder_goes_off_in_the_own_rally_phase(position: Position, action: Action) -> Breach | None:
    """Or at once, if it was marked by mistake."""
    mine = position.side == position.pieces[action.piece].side
    if (position.phase == "rally" and mine) or (MARKED_EARLY, action.piece) in position.notes:
        return None
    when = phase_of(position) + ("" if mine else " of the enemy's player turn")
    says = (
        f"{name_of(position, action.piece)} loses its Disordered marker in the {when}; it may do so only"
        " in its own rally phase."
    )
    grade = Grade.unproven if position.note(UNDERWAY) else Grade.illegal  # marked by mistake, unseen
    return Breach(says, {"unit": action.piece, "phase": position.phase}, grade)


@rules.on("recover", clause="7.7d 11h")
def only_units_left_in_peace_recover(position: Position, action: Action) -> Breach | None:
    """No own move, no melee, no fire since the own last rally phase."""
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id}
    if piece.is_(UNCONTROLLED):
        says = (
            f"{name_of(position, piece.id)} is out of control and stays disordered for the rest of the game."
        )
        return Breach(says, facts, clause="11h")
    if not piece.is_(DISORDERED):
        return Breach(
            f"{name_of(position, piece.id)} recovers, but is not disordered.", facts, Grade.slip, "7.7d"
        )
    if position.phase != "rally" or position.side != piece.side:
        return None
    if position.game.adopted("peace") == "player-turn":
        before = position.turn if piece.side == FRENCH else position.turn - 1
        fought_on = position.note(FOUGHT_ON, piece.id)
        if fought_on != Date(before, other(piece.side)):
            return None
        says = (
            f"{name_of(position, piece.id)} recovers, but fought in the previous player turn; a unit"
            " recovers only after one without a fight."
        )
        return Breach(says, facts, clause="7.7d")
    unrest = _unrest(position, piece)
    if unrest is None:
        return None
    did, more, grade = unrest
    says = (
        f"{name_of(position, piece.id)} recovers, but {did}; a unit recovers only if it has neither moved nor"
        " fought since its last rally phase."
    )
    return Breach(says, {**facts, **more}, grade, "7.7d")


def _unrest(position: Position, piece: Piece) -> tuple[str, Facts, Grade] | None:
    """What a unit did since its last rally phase that prevents its recovery: a text, and the grade."""
    moved, fought = position.note(MOVED, piece.id), position.note(FOUGHT_ON, piece.id)
    shoved = position.note(SHOVED_ON, piece.id)
    if moved is not None and moved >= position.turn - 1:
        return f"moved in turn {moved}", {"moved": moved}, Grade.illegal
    if fought is not None and _is_since_the_last_rally(position, piece, fought):
        return f"fought in turn {fought.turn}", {"fought": fought.turn}, Grade.illegal
    if shoved is not None and _is_since_the_last_rally(position, piece, shoved):
        return f"was displaced in turn {shoved.turn}", {}, Grade.unproven
    return None


def _to_recover(position: Position) -> Iterator[Piece]:
    """The units that certainly recover by themselves: everything since their last rally phase
    has been seen.
    """
    if position.note(UNSEEN) or position.note(UNDERWAY):
        return
    for piece in position.pieces.values():
        marked = piece.is_(DISORDERED) and not piece.is_(UNCONTROLLED) and is_on_map(position, piece)
        if marked and piece.side == position.side and _unrest(position, piece) is None:
            yield piece


@rules.leaving("rally", clause="7.7d")
def no_marker_is_forgotten(position: Position) -> Iterator[Breach]:
    for piece in _to_recover(position):
        says = (
            f"{name_of(position, piece.id)} has neither moved nor fought since its last rally phase and"
            " recovers; it still has its Disordered marker."
        )
        yield Breach(says, {"unit": piece.id}, Grade.slip)


@rules.following("movement")
def forgotten_markers_are_noted(position: Position) -> Position:
    """What depends on one later is unproven: the unit has recovered, but still has its marker."""
    for piece in _to_recover(position):
        position = position.with_note(FORGOTTEN, piece.id, piece.states[DISORDERED])
    return position


def _is_since_the_last_rally(position: Position, piece: Piece, when: Date) -> bool:
    """Return whether a player turn is the last one of a unit's own side or came after it."""
    return not is_before(position, when, Date(position.turn - 1, piece.side))


@rules.does("recover")
def recover(position: Position, action: Action) -> Position:
    """Remove the marker."""
    return position.with_state(action.piece, DISORDERED, None).without_note(MARKED_EARLY, action.piece)


@rules.on("roll rally", clause="2d 7.9b")
def a_general_rallies_in_his_hex(position: Position, action: Action) -> Breach | None:
    """Without any general it breaks 2d."""
    unit, general = position.pieces[action.pieces[0]], position.pieces[action.pieces[-1]]
    if not is_general(general):
        says = (
            f"A rally die is rolled for {name_of(position, unit.id)};"
            " a general must be in its hex, and none is."
        )
        return Breach(says, {"unit": unit.id, "hex": unit.where}, clause="2d")
    if general.where == unit.where and unit.where:
        return None
    says = (
        f"{name_of(position, general.id)} rallies {name_of(position, unit.id)};"
        " a general must be in the hex of the unit, and he is not."
    )
    return Breach(says, {"unit": unit.id, "general": general.id}, clause="7.9b")


def may_rally(position: Position, general: Piece, unit: Piece) -> bool:
    """Return whether a general is that of a unit's corps, or the commander in chief [7.9a]."""
    corps = corps_of(position, unit.id)
    return rank(general) == "chief" or (bool(corps) and corps_of(position, general.id) == corps)


@rules.on("roll rally", clause="7.9a")
def a_general_rallies_his_own(position: Position, action: Action) -> Breach | None:
    """The general of its corps, or the commander in chief; for a chief of staff it is unproven."""
    unit, general = position.pieces[action.pieces[0]], position.pieces[action.pieces[-1]]
    if not is_general(general):
        return None
    if may_rally(position, general, unit):
        return None
    facts: Facts = {"unit": unit.id, "general": general.id}
    if rank(general) == "staff":
        yes = position.game.adopted("rally-staff") == "yes"
        says = (
            f"{name_of(position, general.id)} rallies {name_of(position, unit.id)}, but is only chief of "
            "staff; the general of its corps or the commander in chief may."
        )
        return None if yes else Breach(says, facts, Grade.unproven)
    says = (
        f"{name_of(position, general.id)} rallies {name_of(position, unit.id)}, which is not under his "
        "command; a general rallies only units that are."
    )
    return Breach(says, facts)


@rules.on("roll rally", clause="7.9d")
def one_try_for_each_unit(position: Position, action: Action) -> Breach | None:
    if position.note(RALLY_DIE, action.piece) is None:
        return None
    says = (
        f"A second rally die is rolled for {name_of(position, action.piece)} in this phase;"
        " each routed unit has only 1 roll."
    )
    return Breach(says, {"unit": action.piece})


@rules.on("roll rally", clause="9.1h")
def two_units_for_each_general(position: Position, action: Action) -> Breach | None:
    """A third try is unproven, unless it is the third success."""
    name = action.pieces[-1]
    before = position.note(RALLIED, name) or ()
    most = position.game.values["generals"].values.integer("rally")
    if len(before) < most:
        return None
    general = position.pieces[name]
    rallied = [one for one in before if _succeeded(position, one)]
    too_many = len(rallied) >= most and is_general(general) and action.dice[0] <= general.factor("command")
    says = (
        f"{name_of(position, name)} tries to rally another unit after {names_of(position, before)}; the "
        f"limit is {counted(most, 'unit')}."
    )
    return Breach(says, {"general": name, "before": before}, Grade.illegal if too_many else Grade.unproven)


@rules.does("roll rally")
def roll(position: Position, action: Action) -> Position:
    """Remember the die and the general."""
    unit, name = action.pieces[0], action.pieces[-1]
    position = position.with_note(RALLY_DIE, unit, (action.dice[0], name)[0])
    position = position.with_note(RALLY_BY, unit, name)
    before = position.note(RALLIED, name) or ()
    position = position.with_note(RALLIED, name, (*before, unit))
    value = position.pieces[name].factor("command") if is_general(position.pieces[name]) else 0
    all_failed = action.dice[0] > value and position.note(FAILED, name) is not False
    position = position.with_note(FAILED, name, all_failed)
    done = tuple(one for one in position.note(SERVICES, name) or () if one != rallying(position.side))
    return position.with_note(SERVICES, name, (*done, rallying(position.side)))


def _succeeded(position: Position, unit: str) -> bool | None:
    die, name = position.note(RALLY_DIE, unit), position.note(RALLY_BY, unit)
    if die is None or name is None or not is_general(position.pieces[name]):
        return None
    return die <= position.pieces[name].factor("command")


@rules.follows("displace")
def a_unit_that_makes_room_is_noted(before: Position, after: Position, action: Action) -> Position:
    return after.with_note(SHOVED_ON, action.piece, after.date)


@rules.on("rally", clause="7.9b")
def a_die_up_to_the_command_value_rallies(position: Position, action: Action) -> Breach | None:
    success = _succeeded(position, action.piece)
    if success:
        return None
    die = position.note(RALLY_DIE, action.piece)
    if success is None:
        says = (
            f"{name_of(position, action.piece)} loses its Routed marker without a successful rally die;"
            " only that removes it."
        )
        return Breach(says, {"unit": action.piece})
    name = position.note(RALLY_BY, action.piece) or ""
    value = position.pieces[name].factor("command")
    says = (
        f"{name_of(position, action.piece)} is rallied on a roll of {die}; the command value of "
        f"{name_of(position, name)} is {value}, so {value} or less is needed."
    )
    return Breach(says, {"unit": action.piece, "die": die or 0, "command": value})


@rules.leaving("rally", clause="7.9c")
def the_rallied_lose_their_marker(position: Position) -> Iterator[Breach]:
    for name in position.noted(RALLY_DIE):
        if _succeeded(position, name) and position.pieces[name].is_(ROUTED):
            says = f"{name_of(position, name)} was rallied and must lose its Routed marker; it still has it."
            yield Breach(says, {"unit": name})


rules.clears("rally", state=ROUTED)


@rules.proposes
def rallies(position: Position, piece: Piece) -> Iterator[Action]:
    """The units that may recover or rally in the rally phase."""
    if position.phase == "rally" and piece.side == position.side and is_on_map(position, piece):
        if piece.is_(DISORDERED):
            yield Action("recover", (piece.id,))
        if piece.is_(ROUTED):
            for general in generals_at(position, piece.where, piece.side):
                for die in range(1, 7):
                    yield Action("roll rally", (piece.id, general.id), dice=(die,))
            if _succeeded(position, piece.id):
                yield Action("rally", (piece.id,))
