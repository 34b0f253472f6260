"""Victory: strategic conditions, and points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.position import UNSEEN, Piece, Position
from referee.engine.rules import Found, Section, of_clause
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed
from referee.games.vitoria1813.convoy import is_pillaged
from referee.games.vitoria1813.facts import (
    ALLIES,
    FRENCH,
    ROUTED,
    SIDES,
    combat_at,
    is_combat,
    is_general,
    is_train,
    other,
    pillage_targets,
    rank,
    the_field,
)
from referee.games.vitoria1813.notes import OWNER, SPENT
from vassalgen.game.provenance import Provenance
from vassalgen.game.values import Values

rules = Section("Victory", Provenance("rulebook", "12.2"))
STRATEGIC, MAJOR, MINOR, DRAW = "strategic", "major", "minor", "draw"


def _values(position: Position) -> Values:
    return position.game.values["points"].values


def owner(position: Position, where: str) -> str:
    """Return the side that had the last combat unit in a hex; at the start that of the set-up."""
    for side in SIDES:
        if combat_at(position, where, side):
            return side
    return position.note(OWNER, where) or FRENCH


def _grade(position: Position, right: Callable[[Position], bool]) -> Grade:
    """How certain it is that an announcement is wrong: it is not if it may be right with other unknown
    owners.
    """
    unproven = any(map(right, _as_owned(position)))
    return Grade.unproven if unproven else Grade.slip


def _as_owned(position: Position) -> Iterator[Position]:
    """The position with each side that may own the places in which no unit was since the record began.

    Of the road one hex is enough in addition: a side that lacks it lacks the road [12.2a].
    """
    hexes = the_field(position).owned if position.note(UNSEEN) else ()
    unknown = {at for at in hexes if not combat_at(position, at) and position.note(OWNER, at) is None}
    zones = position.game.map.zones
    places = [zones[zone].hexes[0] for zone in _values(position).group("places").entries]
    open_ = [at for at in places if at in unknown]
    open_ += [at for at in zones["strategic-road"].hexes if at in unknown and at not in places][:1]
    for owners in product(SIDES, repeat=len(open_)) if open_ else ():
        as_owned = position
        for where, side in zip(open_, owners, strict=True):
            as_owned = as_owned.with_note(OWNER, where, side)
        yield as_owned


@rules.entering("leaders", "fire", "combat", "rally", "movement")
def owners_of_places_are_noted(position: Position) -> Position:
    """The hexes of the road and of victory, by the last combat unit in them."""
    for where in sorted(the_field(position).owned):
        for side in SIDES:
            if combat_at(position, where, side) and position.note(OWNER, where) != side:
                position = position.with_note(OWNER, where, side)
    return position


@rules.follows("move", "flee", "retreat", "rout", "pursue", "exit")
def who_passes_is_noted(before: Position, after: Position, action: Action) -> Position:
    """A combat unit that moves on owns the hexes of its path; the path of a drag is not known."""
    piece = before.pieces[action.piece]
    if not is_combat(piece):
        return after
    passed = (piece.where, *(() if action.dragged else action.path[1:-1]))
    places = the_field(before).owned
    return after.with_noted(*((OWNER, where, piece.side) for where in passed if where in places))


def steps_lost(position: Position, side: str) -> int:
    """Return the points of a side for steps of the enemy [12.2c]."""
    found = sum(_lost(position, piece) for piece in position.pieces.values() if piece.side == other(side))
    return found * _values(position).integer("step")


def _lost(position: Position, piece: Piece) -> int:
    """How many steps a counter has lost: all, if it was destroyed or routed off the map."""
    if not (is_combat(piece) or piece.counter.kind == "park"):
        return 0
    gone = piece.where in (f"{piece.side}-lost", f"{piece.side}-routed") or _is_routed_off(piece)
    spent = (SPENT, piece.id) in position.notes
    return piece.counter.steps if gone or spent else piece.counter.steps - piece.steps


def _is_routed_off(piece: Piece) -> bool:
    """Return whether a unit left by 3206 in rout: it is lost, not evacuated [12.2f]."""
    return piece.where == "left-by-3206" and piece.is_(ROUTED)


def for_generals(position: Position, side: str) -> int:
    """Return the points of a side for generals of the enemy [12.2d]."""
    values = _values(position)
    return sum(
        values.integer("chief" if rank(piece) == "chief" else "general")
        for piece in position.pieces.values()
        if is_general(piece) and piece.where == f"{other(side)}-lost"
    )


def for_convoy(position: Position) -> int:
    """Return the Allied points for elements pillaged or destroyed [12.2e]."""
    lost = {piece.id for piece in pillage_targets(position) if is_pillaged(position, piece)}
    lost |= {
        piece.id
        for piece in position.pieces.values()
        if piece.counter.kind in ("convoy", "park") and piece.where == "french-lost"
    }
    return sum(position.pieces[name].counter.extra.integer("points", 0) for name in lost)


def for_evacuation(position: Position) -> int:
    """Return the French points for counters that left by 3206 [12.2f]."""
    values, found = _values(position), 0
    for piece in position.at("left-by-3206"):
        if is_combat(piece) and not _is_routed_off(piece):
            found += values.integer("evacuated_step") * piece.steps
        elif is_train(piece):
            found += values.integer("evacuated_element")
    return found


def for_places(position: Position, side: str) -> int:
    """Return the points of a side for the three hexes [12.2g]."""
    places = _values(position).group("places")
    return sum(
        places.integer(zone)
        for zone in places.entries
        if owner(position, position.game.map.zones[zone].hexes[0]) == side
    )


THINGS = {
    "steps": ("12.2c", steps_lost),
    "generals": ("12.2d", for_generals),
    "places": ("12.2g", for_places),
}


def points_for(position: Position, side: str, thing: str) -> int:
    """Return the points of a side for one thing, or for all."""
    if thing in THINGS:
        return THINGS[thing][1](position, side)
    if thing == "convoy":
        return for_convoy(position) if side == ALLIES else 0
    if thing == "evacuation":
        return for_evacuation(position) if side == FRENCH else 0
    return sum(points_for(position, side, each) for each in (*THINGS, "convoy", "evacuation"))


def _counts_points(clause: str) -> None:
    @rules.on("points", clause=clause)
    def points_are_counted_rightly(position: Position, action: Action) -> Found:
        return of_clause(clause, _wrong_points(position, action))


for _clause in ("12.2c", "12.2d", "12.2e", "12.2f", "12.2g"):
    _counts_points(_clause)


def _wrong_points(position: Position, action: Action) -> Breach | None:
    """Find wrong points in ``points 15 allied for places``, by the clause of what they are for."""
    said, side, thing = int(action.words[0]), action.words[1], action.words[2]
    clause = {"convoy": "12.2e", "evacuation": "12.2f"}.get(thing) or THINGS.get(thing, ("",))[0]
    if not clause or side not in SIDES:
        return None
    right = points_for(position, side, thing)
    if said == right:
        return None
    says = (
        f"The {position.game.sides[side].adjective} side has {counted(right, 'point')} for {thing}; "
        f"{said} {'was' if said == 1 else 'were'} announced."
    )
    grade = _grade(position, lambda one: points_for(one, side, thing) == said)
    return Breach(says, {"announced": said, "right": right}, grade, clause)


@frozen
class Outcome:
    """The winner, and the level: strategic, major, minor, or a draw."""

    side: str
    level: str
    clause: str
    margin: int = 0


def french_strategy(position: Position) -> tuple[str, ...]:
    """Return what is missing for a French strategic victory [12.2a]."""
    zones = position.game.map.zones
    hexes = dict.fromkeys(zones["strategic-road"].hexes)
    if position.game.adopted("strategic-town") == "all":
        hexes.update(dict.fromkeys(zones["vitoria"].hexes))
    missing = [where for where in hexes if owner(position, where) != FRENCH]
    elements = [
        piece
        for piece in position.pieces.values()
        if is_train(piece)
        or (piece.counter.kind == "park" and position.game.adopted("strategic-park") == "yes")
    ]
    missing += [piece.id for piece in elements if piece.where != "left-by-3206"]
    return tuple(missing)


def english_strategy(position: Position) -> tuple[str, ...]:
    """Return what is missing for an Allied strategic victory [12.2b]."""
    zones = position.game.map.zones
    missing = [
        zones[zone].hexes[0]
        for zone in _values(position).group("places").entries
        if owner(position, zones[zone].hexes[0]) != ALLIES
    ]
    gone = [
        piece.id for piece in position.pieces.values() if is_train(piece) and piece.where == "left-by-3206"
    ]
    if len(gone) > _values(position).integer("escaped"):
        missing += gone
    return tuple(missing)


def outcome(position: Position) -> Outcome:
    """Return the winner if the game ended now."""
    values = _values(position)
    if position.game.adopted("strategic-first") == "strategy":
        if not french_strategy(position):
            return Outcome(FRENCH, STRATEGIC, "12.2a")
        if not english_strategy(position):
            return Outcome(ALLIES, STRATEGIC, "12.2b")
    allied, french = (points_for(position, side, "all") for side in (ALLIES, FRENCH))
    if allied == french:
        return Outcome("", DRAW, "12.2h")
    side, margin = (ALLIES, allied - french) if allied > french else (FRENCH, french - allied)
    major = values.integer(f"major_{side}")
    return Outcome(side, MAJOR if margin >= major else MINOR, "12.2h", margin)


def _victory(position: Position, side: str, level: str) -> str:
    """A text for a claim or outcome: ``minor French victory``."""
    known = position.game.sides.get(side)
    return f"{level} {known.adjective} victory".strip() if known else side


def winner(position: Position) -> str:
    """Return the winner, empty before the last phase of the last turn."""
    calendar = position.world.calendar
    if position.clock < Clock(calendar.last_turn, len(calendar.stops) - 1):
        return ""
    return outcome(position).side or DRAW


def _missing(position: Position, name: str) -> str:
    """A text for what prevents a strategic victory: a hex of the other side, an element of the convoy."""
    if name in position.game.map.grid:
        return f"{name} (not controlled)"
    piece = position.pieces[name]
    has = "has left" if piece.where == "left-by-3206" else "has not left"
    return f"{piece.counter.name} ({has} by 3206)"


@rules.on("claim", clause="12.2a 12.2b 12.2h")
def a_claim_is_looked_at(position: Position, action: Action) -> Breach | None:
    """``claim french strategic``: the side and the level, as two words in one joined by a hyphen."""
    side, _, level = action.words[0].partition("-")
    right = outcome(position)
    if _is_claimed(right, side, level):
        return None
    grade = _grade(position, lambda one: _is_claimed(outcome(one), side, level))
    facts: Facts = {
        "claimed": f"{side} {level}".rstrip(),
        "right": f"{right.side} {right.level}".lstrip(),
        "margin": right.margin,
    }
    if level == STRATEGIC:
        missing = french_strategy(position) if side == FRENCH else english_strategy(position)
        clause = "12.2a" if side == FRENCH else "12.2b"
        if missing:
            says = (
                "A strategic victory is claimed; it is prevented by "
                f"{listed([_missing(position, one) for one in missing[:6]])}."
            )
            return Breach(says, {**facts, "missing": missing}, grade, clause)
    says = f"A {_victory(position, side, level)} is claimed; the score makes a {DRAW}."
    if right.side:
        scored = _victory(position, right.side, right.level)
        why = f"a lead of {counted(right.margin, 'point')} makes a {scored}"
        if right.level == STRATEGIC:
            why = f"the conditions of a {scored} are met"
        says = f"A {_victory(position, side, level)} is claimed; {why}."
    return Breach(says, facts, grade, right.clause)


def _is_claimed(right: Outcome, side: str, level: str) -> bool:
    return (side, level) == (right.side, right.level) or (right.level == DRAW and side == DRAW)
