"""Results: retreats."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.combat import ways
from referee.engine.position import UNSEEN, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_for, fights, party, share
from referee.games.vitoria1813.facts import (
    FRENCH,
    ROUTED,
    SIDES,
    combat_at,
    controlled,
    destroyed,
    in_ezoc,
    is_artillery,
    is_combat,
    is_general,
    is_on_map,
    occupied,
    other,
    the_field,
)
from referee.games.vitoria1813.losses import still_to_lose
from referee.games.vitoria1813.notes import (
    CAME_FROM,
    CAME_INTO,
    CROSSED,
    DISPLACED,
    FORCED,
    MADE_WAY,
    MATE,
    MAY_OWE_STEP,
    OWES_STEPS,
    PUSHED_INTO,
    RAN,
    ROUT_UNSEEN,
)
from referee.games.vitoria1813.stacking import has_to_make_room
from vassalgen.game.provenance import Provenance

rules = Section("Retreats", Provenance("rulebook", "4.5, 7.5, 7.6"))


@SETTLING.rule(rules, clause="6.2b 7.4b 7.4c")
def all_who_must_have_gone(position: Position, fight: Fight) -> Iterator[Breach]:
    for side in SIDES:
        wanted = share(position, fight, side)
        if not wanted.goes or wanted.eliminated:
            continue
        for name in party(fight, side):
            piece = position.pieces[name]
            if not is_on_map(position, piece) or not is_combat(piece) or name in fight.gone:
                continue
            if piece.where != fight.stood.get(name):
                continue
            facts: Facts = {"unit": name, "result": fight.given}
            clause = "7.4c" if wanted.rout else "7.4b"
            if is_artillery(piece) and any(mate in fight.gone for mate in party(fight, side)):
                clause = "6.2b"
            what = "rout" if wanted.rout else f"retreat {wanted.retreat}"
            yield Breach(f"{name} must {what} and stays in {piece.where}", facts, clause=clause)


@rules.on("retreat", clause="2b 7.4b 4.5c")
def a_retreat_is_of_so_many_hexes(position: Position, action: Action) -> Breach | None:
    """Less than demanded is wrong where a way of the full length was open; without cause nobody goes.

    Out of a hex that nobody left or crossed it is no more than a move, and too late [2b].
    """
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "way": action.path}
    if is_general(piece):
        thrown = (one for one in fights(position) if one.rolled)
        if any(share(position, one, piece.side).goes for one in thrown):
            return None
        return Breach(f"{piece.id} retreats, and nobody of his side must", facts, clause="4.5c")
    if fight is None or not fight.rolled:
        return _without_cause(position, piece, facts)
    wanted, involved = share(position, fight, piece.side), piece.id in party(fight, piece.side)
    if not wanted.goes or not involved:
        facts = {**facts, "result": fight.given}
        if not involved:
            return _without_cause(position, piece, facts)
        return Breach(f"{piece.id} retreats without cause", facts, clause="7.4b")
    if wanted.rout:
        return None
    distance = position.game.map.grid.distance(action.path[0], action.end)
    steps = distance if action.dragged else len(action.path) - 1
    if steps == wanted.retreat and distance == wanted.retreat:
        return None
    says = f"{piece.id} retreats {steps} hexes to a distance of {distance}; the result is R{wanted.retreat}"
    if distance == wanted.retreat or (
        _is_so_long(position, action, wanted.retreat) and not _straight(position, piece, wanted.retreat)
    ):
        return None
    return Breach(says, {**facts, "distance": distance}, clause="7.4b")


def _is_so_long(position: Position, action: Action, length: int) -> bool:
    """Tell whether a way has so many hexes; of a drag, whether one that has leads to its end."""
    if not action.dragged:
        return len(action.path) - 1 == length
    return any(way[-1] == action.end for way in walks(position, position.pieces[action.piece], length))


def _without_cause(position: Position, piece: Piece, facts: Facts) -> Breach:
    clause = needless(position, piece.where)
    does = "retreats without cause" if clause == "4.5c" else f"moves in the {position.phase} phase"
    return Breach(f"{piece.id} {does}", facts, clause=clause)


def needless(position: Position, where: str) -> str:
    """Return the clause of one who goes out of a hex for no reason: 4.5c where others left or crossed it."""
    ways = (way for fight in fights(position) for way in fight.gone.values())
    return "4.5c" if any(where in way for way in ways) else "2b"


def _straight(position: Position, piece: Piece, length: int) -> bool:
    """Tell whether a hex at the full distance can be reached at all."""
    return any(
        position.game.map.grid.distance(piece.where, way[-1]) == length
        for way in open_ways(position, piece, length)
    )


def open_ways(position: Position, piece: Piece, length: int) -> tuple[tuple[str, ...], ...]:
    """Return the ways of a retreat hex by hex, farther with each, around enemies and the impassable."""
    grid, links = position.game.map.grid, the_field(position).links(destroyed(position))
    shut = occupied(position, other(piece.side))
    if piece.where not in grid:
        return ()
    found: list[tuple[str, ...]] = [(piece.where,)]
    for taken in range(length):
        found = [
            (*way, near)
            for way in found
            for near in grid.neighbours(way[-1])
            if links[grid.index[way[-1]]] >> grid.index[near] & 1
            and not shut >> grid.index[near] & 1
            and grid.distance(piece.where, near) == taken + 1
        ]
    return tuple(found)


@rules.on("retreat", clause="7.5i 7.5j 7.5k")
def a_retreat_takes_the_better_hex(position: Position, action: Action) -> Breach | None:
    """By dominance only: another hex, as far back and better by a lower preference, was open.

    Of a unit that was dragged into the combat it is not known which way is back, nor of one that did not
    move since a record begins in the middle of a game.
    """
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    known = not action.dragged or position.game.map.grid.are_neighbours(action.path[0], action.end)
    if fight is None or is_general(piece) or not known or len(action.path) < 2:
        return None
    if action.dragged and share(position, fight, piece.side).retreat != 1:
        return None
    here, first = action.path[0], action.path[1]
    mine = _merits(position, piece, here, first)
    best = [
        (near, merits)
        for way in open_ways(position, piece, 1)
        for near, merits in ((way[1], _merits(position, piece, here, way[1])),)
        if near != first and merits[0] == mine[0] and merits[1:] > mine[1:]
    ]
    for near, merits in best:
        better = [place for place, (a, b) in enumerate(zip(merits[1:], mine[1:], strict=True)) if a != b]
        if any(merits[1:][place] < mine[1:][place] for place in better):
            continue
        clause = ("7.5i", "7.5j", "7.5k")[better[0]]
        why = ("out of zones of control", "empty", "less crowded")[better[0]]
        says = f"{piece.id} retreats into {first}, and {near} was {why}"
        grade = Grade.illegal if _knows_the_way_back(position, piece) else Grade.unproven
        return Breach(says, {"unit": piece.id, "into": first, "better": near}, grade, clause)
    return None


def _knows_the_way_back(position: Position, piece: Piece) -> bool:
    """Tell whether it is known from where a unit came last, or that it never moved."""
    came = position.note(CAME_FROM, piece.id)
    return bool(came) if came is not None else not position.note(UNSEEN)


def _merits(position: Position, piece: Piece, here: str, where: str) -> tuple[object, bool, bool, bool]:
    """How good a hex is for a retreat: direction, no zones, no friends, room [7.5g to 7.5k]."""
    grid = position.game.map.grid
    friends = [each for each in combat_at(position, where, piece.side) if each.id != piece.id]
    came = position.note(CAME_FROM, piece.id)
    back = grid.distance(where, came) if came else 0
    east = _across(position, where) - _across(position, here)
    home = east if piece.side == FRENCH else -east
    return (back, home), not in_ezoc(position, where, piece.side), not friends, len(friends) < 2


def _across(position: Position, where: str) -> int:
    """How far east a hex lies, in halves of a hex."""
    grid = position.game.map.grid
    column, row = grid.places[grid.index[where]]
    return 2 * column + grid.is_shifted(row)


@rules.on("retreat", "rout", "displace", clause="7.5b")
def the_owner_moves_his_units(position: Position, action: Action) -> Breach | None:
    """Told only where a record says that the enemy moved the unit."""
    if "by the enemy" not in action.words:
        return None
    return Breach(f"{action.piece} is moved by the enemy", {"unit": action.piece})


@rules.leaving("fire", "combat", "movement", clause="7.6")
def a_retreat_into_a_zone_costs_a_step(position: Position) -> Iterator[Breach]:
    for name, owes in position.noted(OWES_STEPS).items():
        if owes and is_on_map(position, position.pieces[name]):
            says = f"{name} retreated into a zone of control and loses no step for it"
            yield Breach(says, {"unit": name, "hex": position.pieces[name].where})


@rules.does("retreat", "rout", "displace")
def go_back(position: Position, action: Action) -> Position:
    """Put the unit at the end of its way; note whom it crosses, and the step it owes."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    near = controlled(position, piece.side)
    index = position.game.map.grid.index
    crossed = action.path[1:-1] if not action.dragged else ()
    covered = [
        where
        for where in ((action.end,) if action.dragged else action.path[1:])
        if near >> index[where] & 1 and not combat_at(position, where, piece.side)
    ]
    full = len(combat_at(position, action.end, piece.side)) >= 2
    after = position.with_piece(piece.id, where=action.end)
    if full:
        there = tuple(each.id for each in combat_at(position, action.end, piece.side))
        after = after.with_note(CAME_INTO, action.end, piece.id).with_note(FORCED, action.end, True)
        after = after.with_note(MADE_WAY, action.end, there)
    if is_combat(piece) and not covered:
        for name in _who_may_owe(position, action):
            after = after.with_note(MAY_OWE_STEP, name, True)
    needless = _is_needless(position, action, fight)
    if covered and is_combat(piece) and not needless:
        every = position.game.adopted("retreat-step") == "each"
        owed = (position.note(OWES_STEPS, piece.id) or 0) + len(covered) if every else 1
        after = after.with_note(OWES_STEPS, piece.id, owed)
    if fight is not None and action.verb != "displace":
        after = after.with_battle(evolve(fight, gone={**fight.gone, piece.id: action.path}))
    if action.verb == "displace":
        after = after.with_note(PUSHED_INTO, piece.id, action.end)
    if action.verb == "displace" and not needless:
        after = after.with_note(DISPLACED, piece.id, action.end)
    if action.verb == "rout" and action.dragged:
        after = after.with_note(ROUT_UNSEEN, piece.id, (action.path[0], action.end))
    if action.verb == "rout":
        after = after.with_note(RAN, piece.id, True)
        for where in crossed:
            for each in combat_at(position, where, piece.side):
                after = after.with_note(CROSSED, each.id, where)
        for mate in combat_at(position, action.path[0], piece.side):
            if mate.id != piece.id and not mate.is_(ROUTED):
                after = after.with_note(CROSSED, mate.id, action.path[0]).with_note(MATE, mate.id, True)
    return after


def _is_needless(position: Position, action: Action, fight: Fight | None) -> bool:
    """Tell whether nothing makes a unit go: then it is told so, and owes nothing besides."""
    piece = position.pieces[action.piece]
    if action.verb == "displace":
        return not has_to_make_room(position, piece, action.path[0])
    return fight is None or piece.id not in party(fight, piece.side)


def _who_may_owe(position: Position, action: Action) -> Iterator[str]:
    """Yield who may owe a step as the first of those who came into a hex, or for a hex on the way.

    Of those who came one after the other nobody tells who was first: it may be the one who goes now, or any
    of those who were pushed there before.
    """
    piece, grid = position.pieces[action.piece], position.game.map.grid
    mates = combat_at(position, action.end, piece.side)
    pushed = [mate.id for mate in mates if position.note(PUSHED_INTO, mate.id) == action.end]
    is_far = action.verb == "rout" or grid.distance(action.path[0], action.end) > 1
    after_one_who_owes = any((OWES_STEPS, mate.id) in position.notes for mate in mates)
    if pushed or after_one_who_owes or (action.dragged and is_far):
        yield piece.id
    yield from pushed


@rules.proposes
def retreats(position: Position, piece: Piece) -> Iterator[Action]:
    """The ways of those who must go, once the steps are lost; who cannot is destroyed."""
    for fight in SETTLING.open(position):
        wanted = share(position, fight, piece.side)
        goes = wanted.retreat and not wanted.rout and not still_to_lose(position, fight, piece.side)
        if not goes or not is_on_map(position, piece):
            continue
        if is_general(piece):
            yield from _rides_along(position, fight, piece)
        if piece.id not in party(fight, piece.side) or piece.id in fight.gone:
            continue
        found = open_ways(position, piece, wanted.retreat) or walks(position, piece, wanted.retreat)
        for way in found:
            yield Action("retreat", (piece.id,), way, battle=fight.number)
        if not found:
            yield Action("eliminate", (piece.id,), battle=fight.number)


def _rides_along(position: Position, fight: Fight, general: Piece) -> Iterator[Action]:
    """A general goes the way of a unit that left his hex."""
    for name in party(fight, general.side):
        way = fight.gone.get(name, ())
        if len(way) > 1 and way[0] == general.where:
            yield Action("retreat", (general.id,), way, battle=fight.number)


def walks(position: Position, piece: Piece, length: int) -> tuple[tuple[str, ...], ...]:
    """Return all ways of so many hexes, none of them twice, around enemies and the impassable."""
    grid, links = position.game.map.grid, the_field(position).links(destroyed(position))
    shut = occupied(position, other(piece.side))
    if piece.where not in grid:
        return ()

    def is_open(here: int, there: int, after: int) -> bool:
        return bool(links[here] >> there & 1) and not shut >> there & 1

    found = ways(grid.adjacent, grid.index[piece.where], length, is_open)
    return tuple(tuple(grid.names[at] for at in way) for way in found)
