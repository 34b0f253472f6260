"""Headquarters attacked, destroyed and returning."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import UNSEEN, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import is_or_are, listed, name_of, names_of
from referee.games.tunisia1943.battle import Attack, late_attack
from referee.games.tunisia1943.companions import fights_beside, removed_from
from referee.games.tunisia1943.facts import (
    ALLIES,
    AXIS,
    LOST,
    OUT_OF_SUPPLY,
    SUSTAINED,
    controlled,
    division_of,
    held,
    held_by_ems,
    is_em,
    is_last,
    is_on_map,
    is_unstated,
    left_alone,
    lone_ems,
    other,
    taken_off_from,
    the_field,
    units_at,
)
from referee.games.tunisia1943.notes import (
    LOST_EM,
    OUTLIVES,
    OVERRUNNING,
    RETURNED,
    STILL_SUSTAINED,
    TAKEN_OFF,
    VACATED,
)
from referee.games.tunisia1943.overruns import STEPS as OVERRUNS
from referee.games.tunisia1943.overruns import paths_back
from vassalgen.game.provenance import Provenance

rules = Section("Headquarters", Provenance("rulebook", "6.3"))

PHASES = ("movement", "combat", "exploitation", "supply", "end")
"""The phases in which a division may be lost, or an EM return."""


@rules.on("attack", clause="6.3a")
def an_em_does_not_attack(position: Position, action: Action) -> Breach | None:
    ems = tuple(name for name in action.pieces if is_em(position.pieces[name]))
    return (
        Breach(
            f"{names_of(position, ems)} {is_or_are(ems)} named as attacker; EMs cannot attack.", {"EMs": ems}
        )
        if ems
        else None
    )


@rules.on("eliminate", "lose", clause="6.3b 6.3c 4.2b")
def an_em_is_destroyed_for_a_reason(position: Position, action: Action) -> Breach | None:
    """A lone EM that was attacked, one that cannot retreat when overrun, one that loses its companions or
    division.

    EMs whose companions fight are covered in ``companions``.
    """
    em = position.pieces[action.piece]
    if not is_em(em) or fights_beside(position, em.id):
        return None
    facts: Facts = {"EM": em.id, "hex": em.where}
    if not is_on_map(position, em):
        return Breach(f"{name_of(position, em.id)} is not on the map.", facts, Grade.slip)
    safe = paths_back(position, em).safe if _is_overrun(position, em) else None
    if _was_attacked(position, em) or safe == () or is_last(position, em):
        return None
    late = late_attack(position, em.id)
    if late is not None and (em.id in late.isolated or _has_lost_its_units(position, late)):
        says = (
            f"{name_of(position, em.id)} is removed late, after the attack on {late.target};"
            " it must be removed at once."
        )
        return Breach(says, facts, Grade.slip, "6.3b" if em.id in late.isolated else "6.3c")
    grade = Grade.unproven if _may_be_last(position, em) else Grade.illegal
    if safe:
        says = (
            f"{name_of(position, em.id)}, overrun in {em.where}, is removed;"
            f" it must go back 1 hex and can do so without loss, to {listed(safe, 'or')}."
        )
        return Breach(says, facts, grade, "4.2b")
    if lone_ems(position, em.where, em.side):
        return Breach(
            f"{name_of(position, em.id)} in {em.where} is removed;"
            " a lone EM must be attacked first, and it was not.",
            facts,
            grade,
        )
    return Breach(
        f"{name_of(position, em.id)} in {em.where} is removed,"
        f" but it is stacked with a unit that is not destroyed, which protects it.",
        facts,
        grade,
    )


def _has_lost_its_units(position: Position, attack: Attack) -> bool:
    """Whether all units that defended beside an EM are destroyed [6.3c]."""
    gone = [position.pieces[name].where == LOST[position.pieces[name].side] for name in attack.defenders]
    return bool(gone) and all(gone)


def _was_attacked(position: Position, em: Piece) -> bool:
    return any(em.id in getattr(battle, "isolated", ()) for battle in position.battles)


def _is_overrun(position: Position, em: Piece) -> bool:
    """Whether an enemy unit has entered the hex of an EM, or has announced that [4.2b]."""
    entered = bool(units_at(position, em.where, other(em.side)))
    return entered or position.note(OVERRUNNING, em.where) is not None


def destroyed(position: Position, em: str) -> Position:
    """Return the position with an EM destroyed; it returns two turns later, if units are left [6.3e].

    In movement it was overrun, and the hex is still to be entered at the cost of an overrun [4.2a].
    """
    piece = position.pieces[em]
    if position.phase in OVERRUNS and is_on_map(position, piece):
        entered = bool(units_at(position, piece.where, other(piece.side)))
        position = position.with_note(VACATED, piece.where, entered)
    if piece.is_(SUSTAINED):
        position = position.with_note(STILL_SUSTAINED, em, True)
    position = position.with_piece(em, where=LOST[piece.side], states={})
    return position.with_note(LOST_EM, em, position.turn)


def returns_on(position: Position, em: str) -> int | None:
    """Return the turn at whose end a destroyed EM returns."""
    lost = position.note(LOST_EM, em)
    return None if lost is None else lost + position.game.values["em"].values.integer("away")


@rules.on("return", clause="6.3e")
def a_destroyed_em_returns_two_turns_later(position: Position, action: Action) -> Iterator[Breach]:
    em, due = position.pieces[action.piece], returns_on(position, action.piece)
    facts: Facts = {"EM": em.id, "hex": action.target, "turn": position.turn}
    if _is_put_back(position, em, action.target):
        return
    if em.where != LOST[em.side]:
        unseen = not is_on_map(position, em) and position.note(UNSEEN)
        yield Breach(
            f"{name_of(position, em.id)} returns, but it was not destroyed; only a destroyed EM returns.",
            facts,
            Grade.unproven if unseen else Grade.illegal,
        )
        return
    earliest = position.world.calendar.first_turn + position.game.values["em"].values.integer("away")
    if due is None and (position.turn < earliest or position.phase != "end"):
        says = (
            f"{name_of(position, em.id)} returns in turn {position.turn}; an EM"
            f" returns only at the end of a turn, and not before turn {earliest}."
        )
        late = position.turn > earliest
        yield Breach(says, {**facts, "due": earliest}, Grade.slip if late else Grade.illegal)
    if due is not None and (position.turn < due or (position.turn == due and position.phase != "end")):
        yield Breach(
            f"{name_of(position, em.id)} returns too early; it is due at the end of turn {due}.",
            {**facts, "due": due},
        )
    elif due is not None and _is_late(position, due):
        yield Breach(
            f"{name_of(position, em.id)} returns late; it was due at the end of turn {due}.",
            {**facts, "due": due},
            Grade.slip,
        )
    near = _nearest(position, em, action.target)
    most = position.game.values["em"].values.integer("return_within")
    if near is not None and near > most:
        says = (
            f"{name_of(position, em.id)} returns in {action.target}, {near}"
            f" hexes from its nearest unit; the limit is {most} hexes."
        )
        yield Breach(says, {**facts, "distance": near})
    at, enemy = position.game.map.grid.index[action.target], other(em.side)
    closed = held(position, enemy) | held_by_ems(position, enemy) | ~the_field(position).land
    if closed >> at & 1:
        yield Breach(
            f"{name_of(position, em.id)} returns in {action.target},"
            f" which is impassable or held by the enemy; it may not.",
            facts,
        )
    elif position.game.adopted("em-return-place") == "no-zoc" and controlled(position, em.side) >> at & 1:
        yield Breach(
            f"{name_of(position, em.id)} returns in {action.target}, which is in an enemy ZOC; it may not.",
            facts,
        )


def _is_put_back(position: Position, em: Piece, where: str) -> bool:
    """Return whether an EM that was removed by mistake, or in a battle not yet settled, was in a hex."""
    return where in (taken_off_from(position, em), removed_from(position, em.id))


def _is_late(position: Position, due: int) -> bool:
    free = position.game.adopted("em-return-duty") == "free"
    return not free and (position.turn > due or position.phase != "end")


def _nearest(position: Position, em: Piece, where: str) -> int | None:
    grid = position.game.map.grid
    organic = (position.pieces[name] for name in the_field(position).organic[em.counter.formation])
    return min((grid.distance(piece.where, where) for piece in organic if piece.where in grid), default=None)


@rules.on("return", clause="6.3f")
def no_em_returns_without_units(position: Position, action: Action) -> Breach | None:
    em = position.pieces[action.piece]
    if _nearest(position, em, action.target) is not None or _is_put_back(position, em, action.target):
        return None
    says = f"{name_of(position, em.id)} cannot return; no unit of its division is on the map."
    grade = Grade.unproven if _has_unstated(position, em) else Grade.illegal
    return Breach(says, {"EM": em.id, "hex": action.target}, grade)


@rules.does("return")
def come_back(position: Position, action: Action) -> Position:
    """The EM is on the map, face up; the markers of its units show their supply [6.3i]."""
    position = position.with_piece(action.piece, where=action.target, states={})
    position = position.without_note(TAKEN_OFF, action.piece)
    return position.with_note(RETURNED, action.piece, True).without_note(LOST_EM, action.piece)


@rules.leaving("end", clause="6.3e")
def every_em_that_is_due_returns(position: Position) -> Iterator[Breach]:
    for name in position.noted(LOST_EM):
        em = position.pieces[name]
        free = position.game.adopted("em-return-duty") == "free"
        if returns_on(position, name) == position.turn and _on_map(position, em) and not free:
            says = (
                f"{name_of(position, name)} was due to return at the end of this turn and was not put back."
            )
            yield Breach(says, {"EM": name, "turn": position.turn}, Grade.unproven)


def _on_map(position: Position, em: Piece) -> tuple[str, ...]:
    organic = the_field(position).organic[em.counter.formation]
    return tuple(name for name in organic if is_on_map(position, position.pieces[name]))


@rules.leaving(*PHASES, clause="6.3g")
def no_em_outlives_its_division(position: Position) -> Iterator[Breach]:
    """It is reported in the phase in which the division is lost, and not again in later ones."""
    for piece in _left_alone(position):
        if position.note(OUTLIVES, piece.id) is None:
            says = (
                f"{name_of(position, piece.id)} is still on the map"
                f" although all units of its division are destroyed."
            )
            grade = Grade.unproven if _has_unstated(position, piece) else Grade.illegal
            yield Breach(says, {"EM": piece.id, "hex": piece.where}, grade)


@rules.following("sustain", *PHASES)
def what_was_found_is_known(position: Position) -> Position:
    """The EMs that had lost their division at the end of the phase before were reported then."""
    for piece in _left_alone(position):
        position = position.with_note(OUTLIVES, piece.id, True)
    return position


def _left_alone(position: Position) -> Iterator[Piece]:
    alone = left_alone(position, AXIS) | left_alone(position, ALLIES)
    for name in the_field(position).ems.values() if alone else ():
        if name in alone and is_on_map(position, position.pieces[name]):
            yield position.pieces[name]


def _has_unstated(position: Position, em: Piece) -> bool:
    """Whether nothing says where a unit of an EM's division is: it may be in any hex, or destroyed."""
    organic = the_field(position).organic[em.counter.formation]
    return any(is_unstated(position, position.pieces[name]) for name in organic)


def _may_be_last(position: Position, em: Piece) -> bool:
    """Whether the units of an EM that seem to wait may have been lost in turns that are not known."""
    return position.note(UNSEEN) is not None and not _on_map(position, em)


@rules.on("in supply", clause="6.3h")
def no_unit_is_in_supply_while_its_em_is_destroyed(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    division = division_of(position, piece.id)
    if not division or is_em(piece) or not piece.is_(OUT_OF_SUPPLY):
        return None
    em = position.pieces[the_field(position).ems[division]]
    if em.where != LOST[em.side]:
        return None
    return Breach(
        f"{name_of(position, piece.id)} is out of supply as long as"
        f" {name_of(position, em.id)} is destroyed; its marker was taken off.",
        {"unit": piece.id, "EM": em.id},
    )


@rules.proposes
def removals(position: Position, piece: Piece) -> Iterator[Action]:
    """The EMs of which no unit is left."""
    if is_em(piece) and is_on_map(position, piece) and is_last(position, piece):
        yield Action("eliminate", (piece.id,))


@rules.proposes
def returns(position: Position, piece: Piece) -> Iterator[Action]:
    """Where a destroyed EM may come back."""
    if position.phase != "end" or not is_em(piece) or returns_on(position, piece.id) != position.turn:
        return
    grid = position.game.map.grid
    most = position.game.values["em"].values.integer("return_within")
    for name in grid.names:
        near = _nearest(position, piece, name)
        if near is not None and near <= most:
            yield Action("return", (piece.id,), target=name)
