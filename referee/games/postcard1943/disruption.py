"""Disruption: what Disrupted units may not do, which units are Disrupted, and when they recover."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.clock import Date
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of, player_turn
from referee.games.postcard1943.battle import Attack, attack_for, suffers_disruption
from referee.games.postcard1943.facts import other, the_field
from referee.games.postcard1943.notes import (
    DISRUPTED_BEFORE,
    DISRUPTION_DUE,
    FREED_IN_ERROR,
    HIT_BY_BOMBS,
    MARKED_IN_ERROR,
)
from vassalgen.game.provenance import Provenance

rules = Section("Disruption", Provenance("rulebook", "Disruption"))


@rules.on("move", clause="disrupt.1")
def disrupted_units_do_not_move(position: Position, action: Action) -> Breach | None:
    return _unfit(position, action.piece, "move")


def _unfit(position: Position, unit: str, do: str) -> Breach | None:
    """Say that a unit is Disrupted and what it cannot do; after its time only the marker is
    left by mistake.
    """
    mark, name = position.pieces[unit].states.get("disrupted"), name_of(position, unit)
    if mark is None:
        return None
    if mark.since and _has_come(position, recovery(position, unit, mark.since)):
        says = f"{name} {do}s with a Disrupted marker; it has recovered, and the marker must come off first."
        facts: Facts = {"unit": unit, "Disrupted": position.world.calendar.say_date(mark.since)}
        return Breach(says, facts, Grade.slip)
    return Breach(f"{name} {do}s although it is Disrupted; a Disrupted unit may not.", {"unit": unit})


@rules.on("attack", clause="disrupt.2")
def disrupted_units_do_not_attack(position: Position, action: Action) -> Iterator[Breach]:
    for unit in action.pieces:
        if breach := _unfit(position, unit, "attack"):
            yield breach


@rules.always(clause="disrupt.4")
def the_immune_are_never_disrupted(position: Position) -> Iterator[Breach]:
    for piece in position.pieces.values():
        if piece.is_("disrupted") and the_field(position).is_(piece.id, "undisruptable"):
            says = f"{piece.counter.name} is marked Disrupted; it can never be Disrupted."
            yield Breach(says, {"unit": piece.id})


@rules.on("disrupt", clause="disrupt.4")
def the_immune_are_not_disrupted(position: Position, action: Action) -> Breach | None:
    if not the_field(position).is_(action.piece, "undisruptable"):
        return None
    says = f"{position.pieces[action.piece].counter.name} is marked Disrupted; it can never be Disrupted."
    return Breach(says, {"unit": action.piece})


DISRUPTS = {"AD": "only the attackers", "BD": "only units in the attack"} | dict.fromkeys(
    ("D", "Dr", "DR"), "only the defenders"
)
"""The units that each result Disrupts; other results Disrupt none [crt.2 to crt.8]."""


@rules.on("disrupt", clause="crt.1")
def only_results_and_bombs_disrupt(position: Position, action: Action) -> Breach | None:
    """A marker in a bombed hex before the combat die is checked by the air rules."""
    unit, attack = action.piece, attack_for(position, action)
    name = name_of(position, unit)
    if the_field(position).is_(unit, "undisruptable"):
        return None
    due = position.note(DISRUPTION_DUE, unit)
    if due and (due != position.date or position.phase == "recovery"):
        says = (
            f"{name} was Disrupted in {player_turn(position, due)};"
            " it must be marked at once and is marked only now."
        )
        return Breach(says, {"unit": unit}, Grade.slip)
    if is_disrupted_by_rule(position, unit) or _freed_in_error(position, unit):
        return None
    if attack is None:
        off = position.pieces[unit].where not in position.game.map.grid
        says = (
            f"{name} is marked Disrupted; only a combat result or bombing Disrupts a unit, and neither did."
        )
        return Breach(says, {"unit": unit}, Grade.slip if off else Grade.illegal)
    if not attack.rolled:
        bombed = attack.bombers and position.pieces[unit].where == attack.target
        says = (
            f"{name} is marked Disrupted before the combat die for {attack.target}; the die is rolled first."
        )
        return None if bombed else Breach(says, {"unit": unit})
    if suffers_disruption(attack, unit):
        return None
    whom = DISRUPTS.get(attack.result, "no unit")
    says = f"{name} is marked Disrupted; the {attack.result} at {attack.target} Disrupts {whom}."
    return Breach(says, {"unit": unit, "result": attack.result})


def _freed_in_error(position: Position, unit: str) -> Date | None:
    """Return when a unit was Disrupted whose marker was removed too early and may be put back."""
    since = position.note(FREED_IN_ERROR, unit)
    return since if since and not _has_come(position, recovery(position, unit, since)) else None


def _is_marked_in_error(position: Position, unit: str, attack: Attack | None) -> bool:
    """Return whether nothing Disrupts a unit that is marked now, so that players may take the marker off."""
    if the_field(position).is_(unit, "undisruptable"):
        return True
    if position.pieces[unit].is_("disrupted") or is_disrupted_by_rule(position, unit):
        return False
    return attack is None or not attack.rolled or not suffers_disruption(attack, unit)


def is_disrupted_by_rule(position: Position, unit: str) -> bool:
    """Return whether a result or a bomb Disrupted a unit, whether its marker has been placed or not."""
    mark = position.pieces[unit].states.get("disrupted")
    marked = mark is not None and mark.since == position.date
    return marked or (DISRUPTION_DUE, unit) in position.notes


@rules.does("disrupt")
def disrupt(position: Position, action: Action) -> Position:
    """Mark the unit, from now on; if its marker is late or put back, from the time it was Disrupted."""
    unit, attack = action.piece, attack_for(position, action)
    if freed := _freed_in_error(position, unit):
        position = position.without_note(FREED_IN_ERROR, unit)
        return position.with_state(unit, "disrupted", Mark(since=freed))
    if _is_marked_in_error(position, unit, attack):
        position = position.with_note(MARKED_IN_ERROR, unit, True)
    before = position.pieces[unit].states.get("disrupted")
    if before is not None and before.since is not None and before.since != position.date:
        position = position.with_note(DISRUPTED_BEFORE, unit, before.since)
    if attack and attack.rolled and unit not in attack.disrupted:
        position = position.with_battle(evolve(attack, disrupted=(*attack.disrupted, unit)))
    since = position.note(DISRUPTION_DUE, unit) or position.date
    position = position.without_note(DISRUPTION_DUE, unit).without_note(HIT_BY_BOMBS, unit)
    return position.with_state(unit, "disrupted", Mark(since=since))


@rules.on("recover", clause="disrupt.5 disrupt.6 disrupt.7")
def units_recover_when_their_time_has_come(position: Position, action: Action) -> Iterator[Breach]:
    for unit in action.pieces:
        mark, name = position.pieces[unit].states.get("disrupted"), name_of(position, unit)
        if mark is None:
            says = f"{name} recovers, but it is not Disrupted; only a Disrupted unit recovers."
            yield Breach(says, {"unit": unit}, Grade.slip, _clause(position, unit))
            continue
        if mark.since is None or (MARKED_IN_ERROR, unit) in position.notes:
            continue
        due = recovery(position, unit, mark.since)
        facts: Facts = {
            "unit": unit,
            "Disrupted": position.world.calendar.say_date(mark.since),
            "recovers": position.world.calendar.say_date(due),
        }
        if not _has_come(position, due):
            since, end = player_turn(position, mark.since), player_turn(position, due)
            says = f"{name} recovers too early; Disrupted in {since}, it recovers at the end of {end}."
            yield Breach(says, facts, clause=_early(position, unit))
        elif position.date != due or position.phase != "recovery":
            says = f"{name} should have recovered at the end of {player_turn(position, due)}."
            yield Breach(says, facts, Grade.slip, _clause(position, unit))


@rules.leaving("recovery", clause="disrupt.5 disrupt.6")
def every_recovery_is_marked(position: Position) -> Iterator[Breach]:
    for piece in _due_now(position):
        mark = piece.states["disrupted"]
        if mark.since and recovery(position, piece.id, mark.since) != position.date:
            continue  # reported already
        says = f"{name_of(position, piece.id)} recovers now and must lose its Disrupted marker; it did not."
        yield Breach(says, {"unit": piece.id}, Grade.slip, _clause(position, piece.id))


@rules.does("recover")
def recover(position: Position, action: Action) -> Position:
    """Remove the markers: of the units named, or of all units that recover now."""
    units = action.pieces or tuple(piece.id for piece in _due_now(position))
    for unit in units:
        mark = position.pieces[unit].states.get("disrupted")
        since = mark.since if mark and (MARKED_IN_ERROR, unit) not in position.notes else None
        if since and not _has_come(position, recovery(position, unit, since)):
            position = position.with_note(FREED_IN_ERROR, unit, since)
        position = position.with_state(unit, "disrupted", None).without_note(MARKED_IN_ERROR, unit)
        position = position.without_note(DISRUPTED_BEFORE, unit).without_note(DISRUPTION_DUE, unit)
    return position


@rules.entering("movement")
def no_marker_comes_after_recovery(position: Position) -> Position:
    """A unit that has recovered needs no marker."""
    for kind in (DISRUPTION_DUE, FREED_IN_ERROR):
        for unit, since in position.noted(kind).items():
            if _has_come(position, recovery(position, unit, since)):
                position = position.without_note(kind, unit)
    return position


def recovery(position: Position, unit: str, since: Date) -> Date:
    """Return the player turn at whose end a unit recovers that was Disrupted in another.

    British and Germans: their own, the first one that ends after that. Others: the enemy's of the next turn
    [disrupt.5, disrupt.6].
    """
    game, calendar = position.game, position.world.calendar
    side = position.pieces[unit].side
    if is_quick(position, unit):
        own = Date(since.turn, side)
        late = game.adopted("same-half") == "next" and own == since
        if calendar.number(own) < calendar.number(since) or late:
            own = Date(since.turn + 1, side)
        return own
    enemy = other(position, side)
    if game.adopted("later-recovery") == "next-combat":
        now = Date(since.turn, enemy)
        return now if calendar.number(now) > calendar.number(since) else Date(since.turn + 1, enemy)
    return Date(since.turn + 1, enemy)


def is_quick(position: Position, unit: str) -> bool:
    """Return whether a unit recovers at the end of its own player turn [disrupt.5]."""
    game, nation = position.game, position.pieces[unit].counter.nation
    if game.adopted("commonwealth") == "commonwealth":
        nation = game.nations[nation].counts_as
    return nation in game.values["recovery"].values.words("own_player_turn")


def _clause(position: Position, unit: str) -> str:
    return "disrupt.5" if is_quick(position, unit) else "disrupt.6"


def _early(position: Position, unit: str) -> str:
    """The clause of a recovery that is too early: disrupt.7 if only a new Disruption makes it so."""
    before = position.note(DISRUPTED_BEFORE, unit)
    if before is None or is_quick(position, unit):
        return _clause(position, unit)
    return "disrupt.7" if _has_come(position, recovery(position, unit, before)) else "disrupt.6"


def _has_come(position: Position, due: Date) -> bool:
    """Return whether the recovery at the end of a player turn is now, or was before."""
    now, then = (position.world.calendar.number(date) for date in (position.date, due))
    return now > then or (now == then and position.phase in ("recovery", "end"))


def _due_now(position: Position) -> tuple[Piece, ...]:
    found = []
    for piece in position.pieces.values():
        mark = piece.states.get("disrupted")
        if mark and mark.since and _has_come(position, recovery(position, piece.id, mark.since)):
            found.append(piece)
    return tuple(found)


@rules.proposes
def recoveries(position: Position, piece: Piece) -> Iterator[Action]:
    """The recovery of a unit, when it is due."""
    on_map = piece.where in position.game.map.grid
    if position.phase == "recovery" and on_map and piece in _due_now(position):
        yield Action("recover", (piece.id,))
