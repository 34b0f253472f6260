"""Losses of aircraft: in the air, on the ground, and driven from their base."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import name_of
from referee.games.patton1943.battle import (
    Fight,
    based,
    defending_unit,
    fight_for,
    fights,
    grade_of_hit,
    grade_of_winner,
    is_alone,
    must_retreat,
    winner_of,
)
from referee.games.patton1943.facts import (
    FLYING,
    box,
    escapes_to_the_box,
    is_air,
    is_being_replaced,
    is_on_map,
    is_reduced,
    other,
)
from referee.games.patton1943.notes import STEP_DUE
from vassalgen.game.provenance import Provenance

rules = Section("Losses of aircraft", Provenance("rulebook", "10, 13"))


def lost_in_the_air(position: Position, name: str) -> Fight | None:
    """The battle in whose air combat an asset lost and has not yet been reduced."""
    found = [
        fight
        for fight in fights(position)
        if name in fight.beaten and name not in fight.suffered.get("air", ())
    ]
    return found[-1] if found else None


def fought_in_the_air(position: Position, name: str) -> Fight | None:
    """The battle in which an asset in the air has rolled for air combat."""
    if not position.pieces[name].is_(FLYING):
        return None
    return next((fight for fight in reversed(fights(position)) if name in fight.air_dice), None)


@rules.on("eliminate", clause="10d 10e")
def aircraft_beaten_in_the_air_are_reduced(position: Position, action: Action) -> Breach | None:
    """Both if both are beaten; a reduced one is eliminated, unless it can escape to the box."""
    piece = position.pieces[action.piece]
    aloft = lost_in_the_air(position, piece.id) if _may_be_lost(position, piece) else None
    if aloft is None:
        return None
    name, clause = name_of(position, piece.id), "10e" if len(aloft.beaten) > 1 else "10d"
    if escapes_to_the_box(position, piece):
        says = f"{name} is eliminated; it lost in air combat and must go to the Return to Base box."
        return Breach(says, {"unit": piece.id}, clause=clause)
    if is_reduced(piece) or piece.counter.steps == 1:
        return None
    says = f"{name} is eliminated; it lost in air combat at full strength and may only be reduced."
    return Breach(says, {"unit": piece.id}, clause=clause)


@rules.on("eliminate", clause="13f")
def aircraft_are_no_ground_loss(position: Position, action: Action) -> Breach | None:
    """Except for aircraft that are attacked alone, or driven from their base."""
    piece = position.pieces[action.piece]
    if not _may_be_lost(position, piece) or lost_in_the_air(position, piece.id) is not None:
        return None
    if position.note(STEP_DUE, piece.id):
        return None
    if is_being_replaced(position, action):
        return None
    fight = _attack_on_the_base(position, action)
    if fight is not None:
        if not _is_hit(position, piece):
            return None  # there was no loss at all
        if defending_unit(position, fight) is None or must_retreat(position, fight):
            return None
    return _no_ground_loss(position, piece)


@rules.on("eliminate", clause="13g 14i")
def aircraft_alone_are_eliminated_by_a_hit_only(position: Position, action: Action) -> Breach | None:
    """An attack that missed drives them from their base."""
    piece = position.pieces[action.piece]
    if not _may_be_lost(position, piece) or lost_in_the_air(position, piece.id) is not None:
        return None
    fight = _attack_on_the_base(position, action)
    if fight is None or _is_hit(position, piece):
        return None
    says = (
        f"{name_of(position, piece.id)} is eliminated; the attack on it missed, and it must go to the Return"
        " to Base box."
    )
    return Breach(says, {"unit": piece.id}, grade_of_hit(position, fight, fight.enemy))


def _may_be_lost(position: Position, piece: Piece) -> bool:
    """Return whether an aircraft can be lost in combat; clause 7.6c is about aircraft without a base."""
    if not is_air(piece) or piece.where == box(piece.side, "dead"):
        return False
    return position.phase != "return" or (is_on_map(position, piece) and not piece.is_(FLYING))


def _attack_on_the_base(position: Position, action: Action) -> Fight | None:
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    return fight if fight and piece in based(position, fight) and is_on_map(position, piece) else None


def _is_hit(position: Position, piece: Piece) -> bool:
    """Return whether an attack hit the base of an aircraft: it may be taken off after the next attack."""
    attacked = [each for each in fights(position) if each.rolled and piece.id in each.defenders]
    return any(each.right(each.enemy) for each in attacked)


def _no_ground_loss(position: Position, piece: Piece) -> Breach:
    says = f"{name_of(position, piece.id)} takes a ground loss; an air asset may not be chosen for it."
    return Breach(says, {"unit": piece.id}, clause="13f")


@rules.on("lose", clause="10a 10c 10d 13f 13g")
def aircraft_are_reduced_only_where_they_lose_in_the_air(position: Position, action: Action) -> Breach | None:
    """One that is hit alone on the ground is eliminated, and none is chosen for a ground loss."""
    piece, facts = position.pieces[action.piece], {"unit": action.piece}
    if not is_air(piece) or lost_in_the_air(position, piece.id) or position.note(STEP_DUE, piece.id):
        return None
    if piece.where == box(piece.side, "dead"):
        return None  # which side is up in the dead pile does not matter
    name = name_of(position, piece.id)
    if _is_hit_alone(position, action):
        says = f"{name} is reduced; it was hit alone and must be eliminated."
        return Breach(says, facts, clause="13g")
    won = next((each for each in reversed(fights(position)) if _has_won(each, piece.id)), None)
    if won is not None:
        says = (
            f"{name} is reduced;"
            f" only the loser of air combat is, and that was {name_of(position, won.beaten[0])}."
        )
        right = winner_of(position, won)
        outcomes: Facts = {"beaten": won.beaten, "right": right, "played": other(right)}
        return Breach(says, {**facts, **outcomes}, grade_of_winner(position, won), "10c")
    if any(piece.id in each.air_dice and not each.both_fly for each in fights(position)):
        says = f"{name} is reduced in air combat; no enemy air asset is in the battle."
        return Breach(says, facts, clause="10a")
    if any(piece.id in names for each in fights(position) for names in each.flown.values()):
        says = f"{name} is reduced; only the loser of air combat is, and it did not lose."
        return Breach(says, facts, clause="10d")
    if is_being_replaced(position, action):
        return None
    return _no_ground_loss(position, piece)


def _is_hit_alone(position: Position, action: Action) -> bool:
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if not fight or not fight.rolled or piece not in based(position, fight):
        return False
    return is_alone(position, fight) and fight.may_be_hit(fight.enemy)


def _has_won(fight: Fight, name: str) -> bool:
    """Return whether an asset has rolled for air combat and another lost."""
    return name in fight.air_dice and bool(fight.beaten) and name not in fight.beaten
