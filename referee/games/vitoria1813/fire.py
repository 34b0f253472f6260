"""Fire of artillery at a distance."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.vitoria1813.battle import FIGHTS, Fight, fights, waiting
from referee.games.vitoria1813.facts import (
    DISORDERED,
    HAS_FIRED,
    ROUTED,
    bodies_at,
    is_artillery,
    is_on_map,
    is_ordered,
    is_train,
    other,
    phase_of,
)
from referee.games.vitoria1813.notes import DECLARED, FIRED, FIRED_IN_TURN, FIRED_ON, MARKED_FIRED
from referee.games.vitoria1813.sight import blocked_by
from vassalgen.game.provenance import Provenance

rules = Section("Fire", Provenance("rulebook", "6"))
CHART = Provenance("reconstruction", remark="strengths, terrain chart, combat table")


@rules.on("fire", clause="2h")
def fire_comes_before_melee(position: Position, action: Action) -> Breach | None:
    if position.phase == "fire":
        return None
    names, does = names_of(position, action.pieces), "fires" if len(action.pieces) == 1 else "fire"
    says = f"{names} {does} in the {phase_of(position)}; artillery fires only in its own fire phase."
    return Breach(says, {"units": action.pieces, "phase": position.phase})


@rules.on("fire", clause="6.1a")
def artillery_reaches_two_hexes(position: Position, action: Action) -> Iterator[Breach]:
    """No other arm fires."""
    most = position.game.values["artillery"].values.integer("range")
    for name in action.pieces:
        piece = position.pieces[name]
        if piece.counter.kind == "park":
            continue
        if not is_artillery(piece):
            says = f"{name_of(position, name)} fires, but is not artillery; only artillery fires."
            yield Breach(says, {"unit": name})
            continue
        if piece.where not in position.game.map.grid:
            says = (
                f"{name_of(position, name)} fires at {action.target} from off the map; its range is"
                f" {counted(most, 'hex')}."
            )
            yield Breach(says, {"unit": name, "range": most})
            continue
        gap = position.game.map.grid.distance(piece.where, action.target)
        if gap > most:
            says = (
                f"{name_of(position, name)} fires at {action.target}, {counted(gap, 'hex')} away; its "
                f"range is {counted(most, 'hex')}."
            )
            yield Breach(says, {"unit": name, "distance": gap, "range": most})


@rules.on("fire", clause="6.1e")
def fire_is_at_the_enemy(position: Position, action: Action) -> Breach | None:
    side = position.pieces[action.piece].side
    if any(piece.side == other(side) for piece in position.at(action.target)):
        return None
    says = f"{action.target} is fired at; an enemy must be there, and none is."
    return Breach(says, {"target": action.target})


@rules.on("fire", clause="6.1b 6.1c 6.1d")
def artillery_sees_its_target(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        piece = position.pieces[name]
        if not is_artillery(piece) or piece.where not in position.game.map.grid:
            continue
        for block in blocked_by(position, piece.where, action.target):
            says = (
                f"{name_of(position, name)} may not fire at {action.target};"
                f" {block.says} blocks its line of sight."
            )
            line = (piece.where, block.where, action.target)
            facts: Facts = {"unit": name, "target": action.target, "blocked in": block.where, "line": line}
            yield Breach(says, facts, block.grade, block.clause, CHART)


@rules.on("fire", "attack", clause="11d")
def the_park_only_defends(position: Position, action: Action) -> Breach | None:
    parks = tuple(name for name in action.pieces if position.pieces[name].counter.kind == "park")
    return Breach("The Artillery Park attacks; it may only defend.", {"unit": parks[0]}) if parks else None


@rules.on("fire", clause="7.1e 7.1f")
def each_fires_and_is_fired_on_once(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        if position.note(FIRED, name):
            yield _fires_twice(position, name)
    if position.note(FIRED_ON, action.target):
        yield _is_fired_on_twice(action.target)


@FIGHTS.on(rules, "roll combat", clause="7.1e 7.1f", stage="waiting")
def no_fire_has_two_dice(position: Position, action: Action, this: Fight) -> Iterator[Breach]:
    """Both may be declared before the first die."""
    since = [fight for fight in fights(position) if fight.is_fire and fight.order > this.after]
    fired = {name for fight in since for name in fight.attackers}
    for name in this.attackers if this.is_fire else ():
        if name in fired:
            yield _fires_twice(position, name)
    if this.is_fire and any(fight.target == this.target for fight in since):
        yield _is_fired_on_twice(this.target)


def _fires_twice(position: Position, name: str) -> Breach:
    says = f"{name_of(position, name)} fires a second time in this phase; a battery fires only once."
    return Breach(says, {"unit": name}, clause="7.1e")


def _is_fired_on_twice(target: str) -> Breach:
    says = f"{target} is fired on a second time in this phase; a hex is fired on only once."
    return Breach(says, {"target": target}, clause="7.1f")


@rules.on("fire", clause="7.7a 7.8e")
def the_disordered_do_not_fire(position: Position, action: Action) -> Iterator[Breach]:
    """In the adopted interpretation, it is only unproven."""
    strict = position.game.adopted("disordered-fire") == "no"
    for name in action.pieces:
        piece, grade = position.pieces[name], Grade.illegal if strict else Grade.unproven
        if piece.is_(ROUTED):
            yield Breach(
                f"{name_of(position, name)} fires while routed; routed batteries may not fire.",
                {"unit": name},
                grade,
                "7.8e",
            )
        elif not is_ordered(piece):
            yield Breach(
                f"{name_of(position, name)} fires while disordered; disordered batteries may not fire.",
                {"unit": name},
                grade,
                "7.7a",
            )


@rules.on("mark fired", clause="2h")
def a_marked_battery_has_fired(position: Position, action: Action) -> Breach | None:
    """Or it may still fire in its own player turn; undeclared fire is possible."""
    piece = position.pieces[action.piece]
    fired = position.note(FIRED, piece.id) or position.note(FIRED_IN_TURN, piece.id)
    soon = piece.side == position.side and position.phase in ("fire", "combat")
    if fired or soon or piece.is_(HAS_FIRED):
        return None
    says = (
        f"{name_of(position, piece.id)} is marked as having fired, but it has not fired in this turn;"
        " only batteries that fired are."
    )
    return Breach(says, {"unit": piece.id, "phase": position.phase}, Grade.unproven)


@rules.leaving("combat", clause="2h")
def every_marked_battery_has_fired(position: Position) -> Iterator[Breach]:
    for name in position.noted(MARKED_FIRED):
        piece = position.pieces[name]
        if piece.is_(HAS_FIRED) and not position.note(FIRED, name):
            says = (
                f"{name_of(position, piece.id)} is marked as having fired, but it did not fire;"
                " only batteries that fired are."
            )
            yield Breach(says, {"unit": name}, Grade.slip)


@rules.on("unmark fired", clause="6.0b")
def the_marker_stays_until_the_melees_are_over(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not position.note(FIRED, piece.id):
        return None
    says = (
        f"{name_of(position, piece.id)} loses its “Has fired” marker;"
        " a battery that fired keeps it until the end of the combat phase."
    )
    return Breach(says, {"unit": piece.id}, Grade.slip)


@rules.does("mark fired")
def mark_fired(position: Position, action: Action) -> Position:
    """Mark the battery."""
    early = position.side == position.pieces[action.piece].side and not position.note(FIRED, action.piece)
    after = position.with_state(action.piece, HAS_FIRED, Mark())
    return after.with_note(MARKED_FIRED, action.piece, True) if early else after


rules.clears("unmark fired", state=HAS_FIRED)


@rules.proposes
def bombardments(position: Position, piece: Piece) -> Iterator[Action]:
    """Every enemy within range, by one battery or by it and all others that see it."""
    if position.phase != "fire" or piece.side != position.side or not is_artillery(piece):
        return
    if not is_on_map(position, piece) or position.note(FIRED, piece.id) or waiting(position):
        return
    most = position.game.values["artillery"].values.integer("range")
    battle = (position.note(DECLARED) or 0) + 1
    for where in position.game.map.grid.within(piece.where, most):
        if all(is_train(enemy) for enemy in bodies_at(position, where, other(piece.side))):
            continue
        yield Action("fire", (piece.id,), target=where, battle=battle)
        others = [each.id for each in _batteries(position, where, most) if each.id != piece.id]
        if others:
            yield Action("fire", (piece.id, *others), target=where, battle=battle)


def _batteries(position: Position, where: str, most: int) -> Iterator[Piece]:
    """The batteries of the active side that may fire at a hex."""
    grid = position.game.map.grid
    for each in position.pieces.values():
        mine = is_artillery(each) and each.side == position.side and is_on_map(position, each)
        fresh = mine and not position.note(FIRED, each.id) and not each.is_(DISORDERED)
        near = fresh and grid.distance(each.where, where) <= most
        if near and not blocked_by(position, each.where, where):
            yield each
