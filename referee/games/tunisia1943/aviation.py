"""Aviation: points that both sides commit in secret to a combat."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted
from referee.games.tunisia1943.air import left, points, use, used
from referee.games.tunisia1943.battle import attack_of
from referee.games.tunisia1943.facts import AXIS, campaign, points_said
from vassalgen.game.provenance import Provenance

rules = Section("Aviation", Provenance("rulebook", "11"))


@rules.on("aviation", clause="7.2d")
def aviation_belongs_to_an_attack(position: Position, action: Action) -> Breach | None:
    if attack_of(position, action) is not None or points_said(action.words[1]) == 0:
        return None
    return Breach(
        "Aviation is committed; an attack must be declared first.", {"side": action.words[0]}, Grade.unproven
    )


@rules.on("aviation", clause="11a")
def aviation_is_that_of_the_turn(position: Position, action: Action) -> Breach | None:
    side, count = action.words[0], points_said(action.words[1])
    if side not in position.game.sides:
        says = f"{side} is not a side of this game; the sides are {' and '.join(position.game.sides)}."
        return Breach(says, {}, Grade.slip)
    if points(position, side) or not count or _is_withdrawn(position, side):
        return None
    title = position.game.sides[side].adjective
    says = f"The {title} side commits aviation but has none on turn {position.turn}."
    return Breach(says, _facts(position, side, count))


@rules.on("aviation", clause="11f 11g C1.3 C2.3")
def no_more_points_than_are_left(position: Position, action: Action) -> Breach | None:
    """Each point is used once a turn, in the own player phase or the other's."""
    side, count = action.words[0], points_said(action.words[1])
    if side not in position.game.sides:
        return None
    there, has = points(position, side), left(position, side)
    if count <= has or there == 0:
        return None
    earlier = sum(amount for date, amount in used(position, side).items() if date != position.date)
    says = f"The {position.game.sides[side].adjective} side commits {counted(count, 'aviation point')}"
    facts = _facts(position, side, count)
    if has:
        return Breach(f"{says}; it has {has} of {there} left.", facts, clause=f"{campaign(position)}.3")
    if earlier:
        says += f", but none is left; {earlier} of {there} were used in the other player phase."
        return Breach(says, {**facts, "used before": earlier}, clause="11g")
    return Breach(f"{says}, but has used all {there}.", facts, clause="11f")


@rules.on("aviation", clause="C2.5")
def the_axis_aviation_is_withdrawn(position: Position, action: Action) -> Breach | None:
    side, count = action.words[0], points_said(action.words[1])
    if side not in position.game.sides or not count or not _is_withdrawn(position, side):
        return None
    says = "The Axis commits aviation; its aviation was withdrawn after turn 6."
    return Breach(says, _facts(position, side, count))


def _is_withdrawn(position: Position, side: str) -> bool:
    return side == AXIS and campaign(position) == "C2" and points(position, side) == 0


def _facts(position: Position, side: str, count: int) -> Facts:
    there, has = points(position, side), left(position, side)
    return {"side": side, "committed": count, "left": has, "this turn": there}


@rules.on("aviation", clause="11c")
def aviation_is_committed_in_whole_points(position: Position, action: Action) -> Breach | None:
    if action.words[1].isdecimal():
        return None
    says = f"{action.words[1]} aviation points are committed; the number must be 0 or more."
    return Breach(says, {"side": action.words[0]}, Grade.slip)


@rules.on("aviation", clause="11c")
def two_points_in_a_combat(position: Position, action: Action) -> Breach | None:
    attack, side, count = attack_of(position, action), action.words[0], points_said(action.words[1])
    most = position.game.values["air"].values.integer("per_combat")
    total = count + (attack.air.get(side, 0) if attack else 0)
    if total <= most or side not in position.game.sides:
        return None
    says = (
        f"The {position.game.sides[side].adjective} side commits {counted(total, 'aviation point')}"
        f" to one combat; the limit is {most}."
    )
    return Breach(says, {"side": side, "points": total})


@rules.does("aviation")
def commit(position: Position, action: Action) -> Position:
    """Use the points in the attack, which fixes it; committing none is an announcement too [7.3e]."""
    attack, side, count = attack_of(position, action), action.words[0], points_said(action.words[1])
    position = use(position, side, count)
    if attack is None or attack.rolled:
        return position
    air = {**attack.air, side: attack.air.get(side, 0) + count}
    late = attack.late_air or bool(attack.answered and count)
    return position.with_battle(evolve(attack, air=air, late_air=late, column=None, modifier=None))
