"""Retreats: two hexes, away from enemies and their zones of control."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.patton1943.battle import SETTLING, Fight, based, fight_for, must_retreat, targets
from referee.games.patton1943.facts import box, is_air, is_on_map, is_unit, occupied, passed
from referee.games.patton1943.lines import may_step, ways_out
from referee.games.patton1943.stacking import has_room
from vassalgen.game.provenance import Provenance

rules = Section("Retreat", Provenance("rulebook", "14"))

CLAUSES = ("14c", "14e", "14d", "14b")


@rules.on("retreat", clause="14l")
def nobody_retreats_without_cause(position: Position, action: Action) -> Breach | None:
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    facts: Facts = {"unit": piece.id}
    if fight is None or not fight.rolled:
        return Breach(f"{piece.id} retreats without a battle", facts)
    if piece.side == fight.side:
        return Breach(f"{piece.id} attacked; attackers do not retreat", facts)
    if piece.id not in fight.defenders:
        if piece.id in fight.replaced and must_retreat(position, fight):
            return None
        return Breach(f"{piece.id} was not in the attacked hex", facts)
    if must_retreat(position, fight):
        return None
    why = "the attack missed" if not fight.attack_hit else "the defence hit as well"
    return Breach(f"{piece.id} retreats, and {why}", {**facts, "target": fight.target})


@rules.on("retreat", clause="14b 14c 14d 14e")
def a_retreat_is_a_way_of_two_hexes(position: Position, action: Action) -> Iterator[Breach]:
    """A drag is read in the player's favour: it needs one way; a way told is looked at step by step."""
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or action.path[0] != fight.target or is_air(piece):
        return
    if action.dragged:
        if any(way[-1] == action.end for way in ways_out(position, fight, piece)):
            return
        clause = next(
            (
                each
                for each in CLAUSES
                if any(way[-1] == action.end for way in ways_out(position, fight, piece, frozenset({each})))
            ),
            "14b" if _distance(position, action) != _length(position) else "14e",
        )
        yield _breach(position, action, clause)
        return
    yield from (_breach(position, action, clause) for clause in _broken(position, fight, piece, action))


def _broken(position: Position, fight: Fight, piece: Piece, action: Action) -> Iterator[str]:
    index = position.game.map.grid.index
    way = tuple(index[name] for name in action.path)
    steps = tuple(pairwise(way))
    if len(steps) != _length(position) or _distance(position, action) != _length(position):
        yield "14b"
    if not all(may_step(position, piece, step, frozenset({"14e"})) for step in steps):
        yield "14c"
    if not all(may_step(position, piece, step, frozenset({"14c"})) for step in steps):
        yield "14e"
    if not has_room(position, piece, action.end):
        yield "14d"


def _length(position: Position) -> int:
    return position.game.values["limits"].values.integer("retreat")


def _distance(position: Position, action: Action) -> int:
    return position.game.map.grid.distance(action.path[0], action.end)


def _breach(position: Position, action: Action, clause: str) -> Breach:
    distance = _distance(position, action)
    says = {
        "14b": f"{action.piece} retreats to {action.end}, {distance} hexes away; a retreat is of two",
        "14c": f"{action.piece} retreats through forbidden terrain to {action.end}",
        "14d": f"{action.piece} retreats to {action.end}, where it passes the stacking limit",
        "14e": f"{action.piece} retreats through an enemy or a zone of control to {action.end}",
    }[clause]
    map_ = Provenance("reconstruction", remark="the map") if clause == "14c" else None
    facts: Facts = {"unit": action.piece, "from": action.path[0], "to": action.end, "distance": distance}
    return Breach(says, facts, clause=clause, provenance=map_)


@rules.does("retreat")
def retreat(position: Position, action: Action) -> Position:
    """Put the piece at the end of its way."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    after = position.with_piece(piece.id, where=action.end)
    if fight is not None:
        after = after.with_battle(evolve(fight, retreated=(*fight.retreated, piece.id)))
    return occupied(passed(after, piece, action.path[1:-1]), piece, action.end)


@rules.on("eliminate", clause="14f")
def who_can_retreat_is_not_eliminated(position: Position, action: Action) -> Breach | None:
    """It hurts its owner: by the reading adopted it is only told."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if fight is None or not must_retreat(position, fight) or piece.id not in fight.defenders:
        return None
    if is_air(piece) or not is_on_map(position, piece) or not _has_lost_already(fight, piece):
        return None
    ways = ways_out(position, fight, piece)
    if not ways:
        return None
    never = position.game.adopted("chosen-elimination") == "never"
    says = f"{piece.id} could retreat to {ways[0][-1]} and is eliminated"
    facts: Facts = {"unit": piece.id, "way": ways[0]}
    return Breach(says, facts, Grade.illegal if never else Grade.unproven)


def _has_lost_already(fight: Fight, piece: Piece) -> bool:
    """Tell whether the hex has paid for its hit, so that this is no loss of its own."""
    return not fight.attack_hit or bool(fight.suffered.get(piece.side))


@SETTLING.rule(rules, clause="12j 14a 14f")
def the_defenders_leave(position: Position, fight: Fight) -> Iterator[Breach]:
    """Who must retreat is gone from the hex; who stays although he cannot retreat is eliminated [14f]."""
    if not must_retreat(position, fight):
        return
    alone = not any(is_unit(piece) for piece in targets(position, fight))
    names = (*(piece.id for piece in targets(position, fight)), *fight.replaced)
    for name in names:
        piece = position.pieces[name]
        if piece.side != fight.enemy or piece.where != fight.target or is_air(piece):
            continue
        facts: Facts = {"unit": name, "hex": fight.target}
        if not ways_out(position, fight, piece):
            yield Breach(f"{name} has no way to retreat and is not eliminated", facts, clause="14f")
        elif alone and not fight.attack_hit:
            yield Breach(f"{name} stays in {fight.target} without a unit", facts, clause="12j")
        else:
            yield Breach(f"{name} must retreat and stays in {fight.target}", facts, clause="14a")


@SETTLING.rule(rules, clause="12k 14i")
def aircraft_on_the_ground_leave(position: Position, fight: Fight) -> Iterator[Breach]:
    """Based on the attacked hex: to the box if the attack missed lone assets, eliminated if they must go."""
    if not must_retreat(position, fight):
        return
    for piece in based(position, fight):
        if piece.where != fight.target:
            continue
        facts: Facts = {"unit": piece.id, "hex": fight.target}
        if fight.attack_hit:
            says = f"{piece.id} cannot retreat from {fight.target} and is not eliminated"
            yield Breach(says, facts, clause="14i")
        else:
            says = f"{piece.id} was missed alone and does not go to the box"
            yield Breach(says, facts, clause="12k")


@rules.on("to box", clause="14i")
def aircraft_driven_from_their_base_are_lost(position: Position, action: Action) -> Breach | None:
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if fight is None or not must_retreat(position, fight) or not fight.attack_hit:
        return None
    units = any(is_unit(each) for each in targets(position, fight))
    if piece not in based(position, fight) or not units or piece.where == box(piece.side, "returning"):
        return None
    says = f"{piece.id} lies on the attacked airfield, cannot retreat, and goes to the box"
    return Breach(says, {"unit": piece.id, "hex": fight.target})


@rules.proposes
def retreats(position: Position, piece: Piece) -> Iterator[Action]:
    """Every way out for those who must go."""
    for fight in SETTLING.open(position):
        if not must_retreat(position, fight) or piece.where != fight.target or is_air(piece):
            continue
        if piece.id in (*fight.defenders, *fight.replaced):
            ways = ways_out(position, fight, piece)
            yield from (Action("retreat", (piece.id,), way, battle=fight.number) for way in ways)
