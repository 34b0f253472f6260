"""Losses of aircraft: in the air, on the ground, and driven from their base."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
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
    is_on_map,
    is_reduced,
    other,
)
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


@rules.on("eliminate", clause="10d 10e 13f 13g 14i")
def aircraft_are_eliminated_for_a_reason(position: Position, action: Action) -> Breach | None:
    """Lost in the air when reduced already, hit alone on the ground, or driven from their base."""
    piece = position.pieces[action.piece]
    if not is_air(piece) or piece.where == box(piece.side, "dead"):
        return None
    if position.phase == "return" and (not is_on_map(position, piece) or piece.is_(FLYING)):
        return None  # whether there is no room for it is asked by clause 7.6c
    facts: Facts = {"unit": piece.id}
    name = name_of(position, piece.id)
    aloft = lost_in_the_air(position, piece.id)
    if aloft is not None:
        clause = "10e" if len(aloft.beaten) > 1 else "10d"
        if escapes_to_the_box(position, piece):
            says = f"{name} is eliminated; it lost in air combat and must go to the Return to Base box."
            return Breach(says, facts, clause=clause)
        if is_reduced(piece) or piece.counter.steps == 1:
            return None
        says = f"{name} is eliminated; it lost in air combat at full strength and must only be reduced."
        return Breach(says, facts, clause=clause)
    fight = fight_for(position, action)
    if fight is None or piece not in based(position, fight) or not is_on_map(position, piece):
        return Breach(
            f"{name} takes a ground loss; an air asset may not be chosen for it.", facts, clause="13f"
        )
    attacked = [each for each in fights(position) if each.rolled and piece.id in each.defenders]
    if not any(each.right(each.enemy) for each in attacked):  # it may be taken off after the next attack
        grade = grade_of_hit(position, fight, fight.enemy)
        says = f"{name} is eliminated; the attack on it missed, and it must go to the Return to Base box."
        return Breach(says, facts, grade, "13g")
    if defending_unit(position, fight) is not None and not must_retreat(position, fight):
        return Breach(
            f"{name} takes a ground loss; an air asset may not be chosen for it.", facts, clause="13f"
        )
    return None


@rules.on("lose", clause="10a 10c 10d 13f 13g")
def aircraft_are_reduced_in_the_air_only(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not is_air(piece) or lost_in_the_air(position, piece.id):
        return None
    fight = fight_for(position, action)
    alone = fight and fight.rolled and piece in based(position, fight) and is_alone(position, fight)
    facts: Facts = {"unit": piece.id}
    name = name_of(position, piece.id)
    if alone and fight and fight.may_be_hit(fight.enemy):
        return Breach(f"{name} is reduced; it was hit alone and must be eliminated.", facts, clause="13g")
    won = next((each for each in reversed(fights(position)) if _has_won(each, piece.id)), None)
    if won is not None:
        says = f"{name} is reduced; {name_of(position, won.beaten[0])} lost the air combat."
        right = winner_of(position, won)
        facts = {**facts, "beaten": won.beaten, "right": right, "played": other(right)}
        return Breach(says, facts, grade_of_winner(position, won), "10c")
    if any(piece.id in each.air_dice and not each.both_fly for each in fights(position)):
        return Breach(
            f"{name} is reduced in air combat; no enemy air asset was in the battle.", facts, clause="10a"
        )
    if any(piece.id in names for each in fights(position) for names in each.flown.values()):
        return Breach(f"{name} is reduced; it did not lose an air combat.", facts, clause="10d")
    return Breach(f"{name} takes a ground loss; an air asset may not be chosen for it.", facts, clause="13f")


def _has_won(fight: Fight, name: str) -> bool:
    """Return whether an asset has rolled for air combat and another lost."""
    return name in fight.air_dice and bool(fight.beaten) and name not in fight.beaten
