"""Set-up, and counters face down and face up."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of
from referee.games.vitoria1813.battle import Fight, defending, waiting
from referee.games.vitoria1813.facts import (
    destroyed,
    has_zone,
    held,
    in_ezoc,
    is_combat,
    is_on_map,
    other,
    the_field,
    zones,
)
from referee.games.vitoria1813.melee import left_to_fight
from referee.games.vitoria1813.notes import MOVED
from referee.games.vitoria1813.stacking import may_stay
from vassalgen.game.provenance import Provenance

rules = Section("Set-up and hidden counters", Provenance("rulebook", "1, 7.2, 13"))


rules.places("deploy")


@rules.on("deploy", clause="13a")
def each_starts_where_the_scenario_says(position: Position, action: Action) -> Breach | None:
    """Anywhere in its zone if it has one; and before the game begins."""
    if _has_begun(position):
        says = (
            f"{name_of(position, action.piece)} is set up in {action.target} after the game has begun;"
            " set-up ends before the first turn."
        )
        return Breach(says, {"unit": action.piece, "hex": action.target, "turn": position.turn})
    for placement in position.scenario.setup:
        if action.piece not in placement.counters:
            continue
        if placement.zone:
            if action.target in position.game.map.zones[placement.zone].hexes:
                return None
            title = position.game.map.zones[placement.zone].title
            says = (
                f"{name_of(position, action.piece)} is set up in {action.target}; it must start in this "
                f"area: {title}."
            )
            return Breach(says, {"unit": action.piece, "hex": action.target}, provenance=placement.provenance)
        if action.target == placement.at:
            return None
        says = (
            f"{name_of(position, action.piece)} is set up in {action.target}; it must start in "
            f"{placement.at}."
        )
        facts: Facts = {"unit": action.piece, "hex": action.target, "right": placement.at}
        return Breach(says, facts, provenance=placement.provenance)
    says = f"{name_of(position, action.piece)} is set up in {action.target}; it does not start on the map."
    return Breach(says, {"unit": action.piece, "hex": action.target}, provenance=position.scenario.provenance)


def _has_begun(position: Position) -> bool:
    """Return whether the set-up has ended: a unit has moved, or the first phase is over."""
    return bool(position.noted(MOVED)) or position.clock != Clock(position.world.calendar.first_turn)


def touches(position: Position, name: str) -> bool:
    """Return whether a counter is in contact: in an EZOC, or with an enemy in its own zone [7.2a]."""
    piece, index = position.pieces[name], position.game.map.grid.index
    if not is_on_map(position, piece):
        return False
    if in_ezoc(position, piece.where, piece.side):
        return True
    if not has_zone(position, piece):
        return False
    return bool(zones(position)[index[piece.where]] & held(position, other(piece.side)))


@rules.on("reveal", clause="1.0b 1.0c")
def counters_are_turned_up_in_contact(position: Position, action: Action) -> Breach | None:
    """At set-up none is [1.0b]; later those in contact or in combat are [1.0c]."""
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "hex": piece.where or "none"}
    if not _has_begun(position) and position.scenario.face_down:
        says = f"{name_of(position, piece.id)} is turned face up during set-up; all counters start face down."
        return Breach(says, facts, clause="1.0b")
    if touches(position, piece.id) or _in_combat(position, piece.id) or _is_close(position, piece):
        return None
    says = f"{name_of(position, piece.id)} is turned face up; only a unit in contact or in combat is."
    return Breach(says, facts, clause="1.0c")


def _is_close(position: Position, piece: Piece) -> bool:
    """Return whether a counter may be about to fight: next to an enemy, or within range of fire.

    Across water there is no contact, except over an intact bridge.
    """
    grid, prepared, gone = position.game.map.grid, the_field(position), destroyed(position)
    if piece.where not in grid:
        return False
    if position.phase == "fire":
        near = grid.within(piece.where, position.game.values["artillery"].values.integer("range"))
    else:
        around = grid.neighbours(piece.where)
        near = tuple(at for at in around if not prepared.has_water(piece.where, at, gone))
    return any(each.side == other(piece.side) for where in near for each in position.at(where))


def _in_combat(position: Position, name: str) -> bool:
    where = position.pieces[name].where
    return any(
        isinstance(battle, Fight) and (name in battle.everybody or where in battle.targets)
        for battle in position.battles
    )


@rules.on("hide", clause="7.2b")
def no_unit_is_turned_down_in_contact(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not is_on_map(position, piece) or not in_ezoc(position, piece.where, piece.side):
        return None
    says = (
        f"{name_of(position, piece.id)} is turned face down in {piece.where}, in an enemy zone of"
        " control; it must stay face up there."
    )
    return Breach(says, {"unit": piece.id, "hex": piece.where})


@rules.on("roll combat", clause="7.2a")
def no_unit_fights_face_down(position: Position, action: Action) -> Iterator[Breach]:
    fight = position.battle(action.battle)
    if not isinstance(fight, Fight) or fight.is_fire:
        return
    for name in (*fight.attackers, *(piece.id for piece in defending(position, fight))):
        if is_combat(position.pieces[name]) and position.pieces[name].face == "down":
            says = f"{name_of(position, name)} fights face down; units in contact must be turned face up."
            yield Breach(says, {"unit": name})


@rules.leaving("fire", clause="1.0c")
def who_fires_and_who_is_fired_at_is_turned_up(position: Position) -> Iterator[Breach]:
    """When the fire is resolved; whether fire is a combat that reveals units is not quite clear."""
    for name in _fighting_by_fire(position):
        piece = position.pieces[name]
        if piece.face == "down" and is_on_map(position, piece):
            says = (
                f"{name_of(position, name)} took part in artillery fire and is still face down;"
                " units in combat are turned face up."
            )
            yield Breach(says, {"unit": name, "hex": piece.where}, Grade.unproven)


def _fighting_by_fire(position: Position) -> tuple[str, ...]:
    """The combat units on both sides of the fire whose die has been rolled in this phase."""
    names = [
        name
        for fight in position.battles
        if isinstance(fight, Fight) and fight.is_fire and fight.rolled
        for name in (*fight.attackers, *fight.defenders)
    ]
    return tuple(dict.fromkeys(names))


@rules.leaving("movement", clause="1.0c")
def a_unit_entering_a_zone_is_turned_up(position: Position) -> Iterator[Breach]:
    """Before the combat phase only in one interpretation."""
    if position.game.adopted("reveal-moment") == "by-combat":
        return
    for name, piece in position.pieces.items():
        hidden = piece.face == "down" and is_combat(piece) and is_on_map(position, piece)
        if hidden and in_ezoc(position, piece.where, piece.side):
            says = (
                f"{name_of(position, name)} is in an enemy zone of control in {piece.where} and must be "
                "turned face up; it is not."
            )
            yield Breach(says, {"unit": name, "hex": piece.where})


@rules.leaving("combat", clause="7.2g")
def a_unit_out_of_contact_is_turned_down(position: Position) -> Iterator[Breach]:
    """This duty is mostly to the owner's own advantage."""
    for name, piece in position.pieces.items():
        if (
            piece.face == "up"
            and is_on_map(position, piece)
            and not in_ezoc(position, piece.where, piece.side)
        ):
            says = (
                f"{name_of(position, name)} is not in an enemy zone of control in {piece.where} and must be "
                "turned face down; it was not."
            )
            yield Breach(says, {"unit": name, "hex": piece.where})


@rules.does("reveal")
def reveal(position: Position, action: Action) -> Position:
    """Turn it up."""
    return position.with_piece(action.piece, face="up")


@rules.does("hide")
def hide(position: Position, action: Action) -> Position:
    """Turn it down."""
    return position.with_piece(action.piece, face="down")


@rules.proposes
def faces(position: Position, piece: Piece) -> Iterator[Action]:
    """Counters in contact or under fire are turned up, those out of contact are turned down again."""
    if position.phase == "fire" and piece.face == "down" and piece.id in _fighting_by_fire(position):
        yield Action("reveal", (piece.id,))
    if position.phase != "combat" or not is_on_map(position, piece):
        return
    over = _is_over(position)
    if piece.face == "up" and over and not in_ezoc(position, piece.where, piece.side):
        yield Action("hide", (piece.id,))
    due = piece.face == "down" and not over and is_combat(piece)
    if due and (touches(position, piece.id) or _in_combat(position, piece.id)):
        yield Action("reveal", (piece.id,))


def _is_over(position: Position) -> bool:
    """Return whether all melees that must be fought have been."""
    key = ("melees over",)
    if key not in position.memory:
        left = any(True for _ in left_to_fight(position))
        position.memory[key] = not left and not waiting(position)
    over: bool = position.memory[key]
    return over


@rules.proposes
def places(position: Position, piece: Piece) -> Iterator[Action]:
    """Where counters may be set up that have a zone to choose from."""
    if position.clock != Clock(1) or piece.where:
        return
    for placement in position.scenario.setup:
        if placement.zone and piece.id in placement.counters:
            for where in position.game.map.zones[placement.zone].hexes:
                if may_stay(position, piece, where):
                    yield Action("deploy", (piece.id,), target=where)
