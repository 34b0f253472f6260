"""Retreats: two hexes, away from enemies and their zones of control."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, is_or_are, name_of, names_of
from referee.games.patton1943.battle import (
    SETTLING,
    Fight,
    based,
    defenders,
    fight_for,
    flown,
    grade_of_hit,
    is_alone,
    must_retreat,
    targets,
)
from referee.games.patton1943.facts import (
    is_air,
    is_on_map,
    is_unit,
    occupied,
    of_side,
    other,
    passed,
    threats,
)
from referee.games.patton1943.retreat_paths import may_step, retreat_paths
from referee.games.patton1943.stacking import has_room
from vassalgen.game.provenance import Provenance

rules = Section("Retreat", Provenance("rulebook", "14"))

rules.on("retreat", clause="14b")(begins_where_it_stands)
BOX = "Return to Base box"
CLAUSES = ("14c", "14e", "14d", "14b")


@rules.on("retreat", clause="14i")
def aircraft_do_not_retreat(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not is_air(piece):
        return None
    says = f"{name_of(position, piece.id)} retreats to {action.end}; an air asset cannot retreat."
    return Breach(says, {"unit": piece.id, "to": action.end})


@rules.on("retreat", clause="14l")
def no_piece_retreats_without_cause(position: Position, action: Action) -> Breach | None:
    """Aircraft never do."""
    if is_air(position.pieces[action.piece]):
        return None
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    facts: Facts = {"unit": piece.id}
    name = name_of(position, piece.id)
    if fight is None or not fight.rolled:
        return Breach(f"{name} retreats to {action.end}; only pieces that were attacked do.", facts)
    if piece.side == fight.side:
        return Breach(f"{name} retreats to {action.end}; attackers do not retreat.", facts)
    if piece.id not in defenders(position, fight):
        return Breach(
            f"{name} retreats to {action.end}; only pieces in the attacked hex, {fight.target}, do.", facts
        )
    if must_retreat(position, fight) or fight.is_disputed(fight.enemy) or fight.is_disputed(fight.side):
        return None
    missed = not fight.hit(fight.enemy)
    why = "the attack missed" if missed else "its defence hit as well"
    says = f"{name} retreats to {action.end}; {why}, so it stays in {fight.target}."
    grade = grade_of_retreat(position, fight, attack=not missed, defence=None if missed else True)
    return Breach(says, {**facts, "target": fight.target}, grade)


def grade_of_retreat(
    position: Position, fight: Fight, *, attack: bool | None = None, defence: bool | None = None
) -> Grade:
    """Return how certain it is that the dice of a battle require a retreat or not.

    ``attack`` and ``defence`` are the results on which it depends: a result is certain if it was carried out,
    announced, or came from a natural 1 or 12.
    """
    sure = all(
        bool(fight.suffered.get(side)) is hit or grade_of_hit(position, fight, side) is Grade.illegal
        for side, hit in ((fight.enemy, attack), (fight.side, defence))
        if hit is not None
    )
    return Grade.illegal if sure else Grade.unproven


@rules.on("retreat", clause="14b 14c 14d 14e")
def a_retreat_is_a_path_of_two_hexes(position: Position, action: Action) -> Iterator[Breach]:
    """A drag is interpreted in favour of the player: one legal path is enough. A known path is checked step
    by step.
    """
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or not fight.rolled or is_air(piece):
        return
    if action.path[0] != fight.target:
        if piece.id in fight.retreated:  # it continues to a hex to which it could have retreated at once
            before = position.with_piece(piece.id, where=fight.target)
            yield from _dragged(before, fight, evolve(action, path=(fight.target, action.end)))
    elif action.dragged:
        yield from _dragged(position, fight, action)
    else:
        yield from (_breach(position, action, clause) for clause in _broken(position, fight, piece, action))


def _dragged(position: Position, fight: Fight, action: Action) -> Iterator[Breach]:
    """A retreat of which only the ends are known."""
    piece = position.pieces[action.piece]

    def leads_there(*waived: str) -> bool:
        return any(
            path[-1] == action.end for path in retreat_paths(position, fight, piece, frozenset(waived))
        )

    if not leads_there():
        default = "14b" if _distance(position, action) != _length(position) else "14e"
        yield _breach(position, action, next((each for each in CLAUSES if leads_there(each)), default))


def _broken(position: Position, fight: Fight, piece: Piece, action: Action) -> Iterator[str]:
    index = position.game.map.grid.index
    path = tuple(index[name] for name in action.path)
    steps = tuple(pairwise(path))
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


def _among_enemies(position: Position, action: Action) -> str:
    """Say which hex of a retreat contains an enemy or is in his zone; in a drag only the last
    hex is known.
    """
    piece, name = position.pieces[action.piece], name_of(position, action.piece)
    for where in action.path[1:]:
        there = tuple(each.id for each in of_side(position, where, other(piece.side)))
        by = threats(position, where, piece.side)
        way = "" if where == action.end else f" through {where}"
        if there:
            enemies = f"{names_of(position, there)} {is_or_are(there)}"
            return (
                f"{name} retreats to {action.end}{way}, where {enemies}; no retreat may enter an enemy hex."
            )
        if by:
            zone = f"in the EZOC of {names_of(position, by)}"
            return f"{name} retreats to {action.end}{way}, {zone}; no retreat may enter an EZOC."
    return (
        f"{name} retreats to {action.end}; each path of {_length(position)} hexes there leads through an"
        " enemy hex or an EZOC, and no retreat may."
    )


def _breach(position: Position, action: Action, clause: str) -> Breach:
    distance, name = _distance(position, action), name_of(position, action.piece)
    walked = distance if action.dragged else len(action.path) - 1
    says = {
        "14b": f"{name} retreats {counted(walked, 'hex')}, to {action.end}; it must retreat exactly 2."
        if walked != _length(position)
        else f"{name} retreats to {action.end}, {counted(distance, 'hex')} away; it must end exactly 2 away.",
        "14c": f"{name} retreats to {action.end} through forbidden terrain or across an impassable hexside;"
        " no retreat may.",
        "14d": f"{name} retreats to {action.end}, where it exceeds the stacking limit; no retreat may.",
        "14e": _among_enemies(position, action),
    }[clause]
    map_ = Provenance("reconstruction", remark="the map") if clause == "14c" else None
    facts: Facts = {"unit": action.piece, "from": action.path[0], "to": action.end, "distance": distance}
    return Breach(says, facts, clause=clause, provenance=map_)


@rules.does("retreat")
def retreat(position: Position, action: Action) -> Position:
    """Put the piece at the end of its path."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    after = position.with_piece(piece.id, where=action.end)
    if fight is not None:
        after = after.with_battle(evolve(fight, retreated=(*fight.retreated, piece.id)))
    return occupied(passed(after, piece, action.path[1:-1]), piece, action.end)


@rules.on("eliminate", clause="14f")
def a_piece_that_can_retreat_is_not_eliminated(position: Position, action: Action) -> Breach | None:
    """It hurts its owner: in the adopted interpretation it is only reported as unproven."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if fight is None or not must_retreat(position, fight) or piece.id not in defenders(position, fight):
        return None
    if is_air(piece) or not is_on_map(position, piece) or not _has_lost_already(fight, piece):
        return None
    paths = retreat_paths(position, fight, piece)
    if not paths:
        return None
    never = position.game.adopted("chosen-elimination") == "never"
    says = f"{name_of(position, piece.id)} is eliminated; it could have retreated to {paths[0][-1]}."
    facts: Facts = {"unit": piece.id, "path": paths[0]}
    return Breach(says, facts, Grade.illegal if never else Grade.unproven)


def _has_lost_already(fight: Fight, piece: Piece) -> bool:
    """Return whether the enemy did not hit, or the hit has been taken already."""
    return not fight.hit(fight.enemy) or bool(fight.suffered.get(piece.side))


@SETTLING.rule(rules, clause="12j 14a 14f")
def the_defenders_leave(position: Position, fight: Fight) -> Iterator[Breach]:
    """A piece that must retreat has left the hex; one that stays and cannot retreat is eliminated [14f]."""
    if not must_retreat(position, fight):
        return
    alone = not any(is_unit(piece) for piece in targets(position, fight))
    for name in defenders(position, fight):
        piece = position.pieces[name]
        if piece.where != fight.target or is_air(piece):
            continue
        facts: Facts = {"unit": name, "hex": fight.target}
        unit = name_of(position, name)
        grade = Grade.illegal if alone else grade_of_retreat(position, fight, attack=True, defence=False)
        if not retreat_paths(position, fight, piece):
            says = f"{unit} cannot retreat from {fight.target} and must be eliminated; it is still there."
            yield Breach(says, facts, grade, "14f")
        elif alone and not fight.hit(fight.enemy):
            says = (
                f"{unit} was attacked without a unit in its hex and must retreat; it stays in {fight.target}."
            )
            yield Breach(says, facts, clause="12j")
        elif alone or fight.suffered.get(fight.enemy) or not fight.hit(fight.enemy):
            # a hit that was not carried out at all is reported as such [11k]
            yield Breach(f"{unit} must retreat 2 hexes; it stays in {fight.target}.", facts, grade, "14a")


@SETTLING.rule(rules, clause="12k 13g 14i")
def aircraft_on_the_ground_leave(position: Position, fight: Fight) -> Iterator[Breach]:
    """On the attacked airfield: to the box if the attack missed assets, eliminated if they were hit or driven
    off.
    """
    if not must_retreat(position, fight):
        return
    for piece in based(position, fight):
        if piece.where != fight.target:
            continue
        facts: Facts = {"unit": piece.id, "hex": fight.target}
        name = name_of(position, piece.id)
        if not fight.hit(fight.enemy):
            says = f"{name} was missed with no unit in its hex and must go to the {BOX}; it stays."
            yield Breach(says, facts, clause="12k")
        elif is_alone(position, fight):
            says = (
                f"{name} was hit alone on its airfield, {fight.target}, and must be eliminated;"
                " it is still there."
            )
            yield Breach(says, facts, clause="13g")
        else:
            says = (
                f"{name} is an air asset and cannot retreat from {fight.target};"
                " it must be eliminated and is still there."
            )
            with_unit = any(is_unit(one) for one in targets(position, fight))
            grade = grade_of_air_loss(position, fight) if with_unit else Grade.illegal
            yield Breach(says, facts, grade, "14i")


def grade_of_air_loss(position: Position, fight: Fight) -> Grade:
    """Return how certain it is that aircraft on an attacked airfield are lost [13g, 14i]."""
    if any(is_unit(piece) for piece in targets(position, fight)):
        return grade_of_retreat(position, fight, attack=True, defence=False)
    return grade_of_retreat(position, fight, attack=True)


@rules.on("to box", clause="14i")
def aircraft_driven_from_their_base_are_lost(position: Position, action: Action) -> Breach | None:
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if fight is None or not must_retreat(position, fight) or not fight.hit(fight.enemy):
        return None
    if piece not in based(position, fight) or is_alone(position, fight):
        return None
    if not is_on_map(position, piece) or flown(position, piece.id):
        return None
    says = (
        f"{name_of(position, piece.id)} is put in the {BOX}; it cannot retreat from {fight.target}"
        " and must be eliminated."
    )
    facts: Facts = {"unit": piece.id, "hex": fight.target}
    return Breach(says, facts, grade_of_air_loss(position, fight))


@rules.proposes
def retreats(position: Position, piece: Piece) -> Iterator[Action]:
    """Every path for the pieces that must retreat."""
    for fight in SETTLING.open(position):
        if not must_retreat(position, fight) or piece.where != fight.target or is_air(piece):
            continue
        if piece.id in defenders(position, fight):
            paths = retreat_paths(position, fight, piece)
            yield from (Action("retreat", (piece.id,), path, battle=fight.number) for path in paths)
