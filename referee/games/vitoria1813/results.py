"""Results: steps lost, retreats, routs, displaced units, advances."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_for, fights, party, share
from referee.games.vitoria1813.facts import (
    DISORDERED,
    FRENCH,
    ROUTED,
    SIDES,
    bodies_at,
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
from vassalgen.game.provenance import Provenance

rules = Section("Results of combat", Provenance("rulebook", "7.4 to 7.8"))


@rules.on("lose", clause="7.4a 6.1f")
def steps_are_lost_to_a_result(position: Position, action: Action) -> Breach | None:
    """Beyond what the result demands none is lost; by fire none of those who fire [6.1f]."""
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or not fight.rolled:
        return None
    if position.note("owes", piece.id, str) is not None or position.note("owes step", piece.id, bool):
        return None
    facts: Facts = {"unit": piece.id, "result": fight.given}
    if fight.is_fire and piece.side == fight.side:
        return Breach(f"{piece.id} fired and loses nothing by it", facts, clause="6.1f")
    wanted = share(position, fight, piece.side)
    amount, lost = int(action.words[0]), _lost(fight, piece.side)
    if wanted.eliminated or lost + amount <= wanted.steps:
        return None
    says = f"{wanted.steps} steps are lost by the result, not {lost + amount}"
    return Breach(says, facts, clause="7.4a")


def _lost(fight: Fight, side: str) -> int:
    return sum(amount for name, amount in fight.lost.items() if name in party(fight, side))


@rules.on("lose", clause="7.4e")
def steps_are_lost_before_retreats(position: Position, action: Action) -> Breach | None:
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or not fight.rolled or position.note("owes step", piece.id, bool):
        return None
    gone = tuple(name for name in fight.gone if name in party(fight, piece.side))
    if not gone or piece.id in gone:
        return None
    wanted = share(position, fight, piece.side)
    if _lost(fight, piece.side) + int(action.words[0]) > wanted.steps:
        return None
    says = f"{piece.id} loses steps after {', '.join(gone)} has gone"
    return Breach(says, {"unit": piece.id, "gone": gone})


@rules.on("move", "retreat", "attack", "fire", "rout", clause="7.4f")
def who_has_no_steps_is_destroyed(position: Position, action: Action) -> Breach | None:
    for name in action.pieces:
        if position.note("spent", name, bool):
            return Breach(f"{name} has no steps left", {"unit": name})
    return None


@rules.does("lose")
def lose(position: Position, action: Action) -> Position:
    """Take steps off the roster; the last one leaves the unit to be removed."""
    piece, amount = position.pieces[action.piece], int(action.words[0])
    fight = fight_for(position, action)
    owed = position.note("owes", piece.id, str) is not None or position.note("owes step", piece.id, bool)
    if owed:
        position = position.without_note("owes", piece.id).without_note("owes step", piece.id)
    elif fight is not None and fight.rolled:
        lost = {**fight.lost, piece.id: fight.lost.get(piece.id, 0) + amount}
        position = position.with_battle(evolve(fight, lost=lost))
    scored = position.note("steps lost", piece.side, int) or 0
    taken = min(amount, piece.steps)
    position = position.with_note("steps lost", piece.side, scored + taken, "never")
    left = piece.steps - amount
    if left <= 0:
        return position.with_note("spent", piece.id, True, "never").with_piece(piece.id, steps=1)
    return position.with_piece(piece.id, steps=left)


@rules.does("eliminate")
def eliminate(position: Position, action: Action) -> Position:
    """Take off the map; what steps it had are lost."""
    piece = position.pieces[action.piece]
    if is_combat(piece) or piece.counter.kind == "park":
        scored = position.note("steps lost", piece.side, int) or 0
        left = 0 if position.note("spent", piece.id, bool) else piece.steps
        position = position.with_note("steps lost", piece.side, scored + left, "never")
    fight = fight_for(position, action)
    if fight is not None and fight.rolled:
        lost = {**fight.lost, piece.id: fight.steps.get(piece.id, 0)}
        position = position.with_battle(evolve(fight, lost=lost, gone={**fight.gone, piece.id: ()}))
    if is_general(piece):
        position = position.with_note("fell in", piece.id, piece.where, "player turn")
        position = position.with_note("general lost", piece.id, True, "never")
    position = position.with_note("owes", piece.id, "").without_note("owes", piece.id)
    return position.with_piece(piece.id, where=f"{piece.side}-lost", states={})


@SETTLING.rule(rules, clause="7.4a")
def so_many_steps_are_lost(position: Position, fight: Fight) -> Iterator[Breach]:
    for side in SIDES:
        wanted = share(position, fight, side)
        names = party(fight, side)
        most = sum(fight.steps.get(name, 0) for name in names)
        due = min(wanted.steps, most)
        lost = _lost(fight, side)
        if due > lost and not wanted.eliminated:
            says = f"{due} steps are lost by the result, and {lost} were"
            yield Breach(says, {"result": fight.given, "units": names}, Grade.illegal)


@SETTLING.rule(rules, clause="7.4d")
def all_are_eliminated(position: Position, fight: Fight) -> Iterator[Breach]:
    for side in SIDES:
        if not share(position, fight, side).eliminated:
            continue
        left = tuple(name for name in party(fight, side) if is_on_map(position, position.pieces[name]))
        if left:
            yield Breach(f"{', '.join(left)} must be eliminated", {"units": left, "result": fight.given})


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


@rules.on("retreat", clause="7.4b 4.5c")
def a_retreat_is_of_so_many_hexes(position: Position, action: Action) -> Breach | None:
    """Less than demanded is wrong where a way of the full length was open; without cause nobody goes."""
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if is_general(piece):
        return None
    facts: Facts = {"unit": piece.id, "way": action.path}
    if fight is None or not fight.rolled:
        return Breach(f"{piece.id} retreats without cause", facts, clause="4.5c")
    wanted = share(position, fight, piece.side)
    if not wanted.goes:
        clause = "4.5c" if piece.id not in fight.everybody else "7.4b"
        return Breach(f"{piece.id} retreats without cause", {**facts, "result": fight.given}, clause=clause)
    if wanted.rout:
        return None
    distance = position.game.map.grid.distance(action.path[0], action.end)
    steps = distance if action.dragged else len(action.path) - 1
    if steps == wanted.retreat and distance == wanted.retreat:
        return None
    says = f"{piece.id} retreats {steps} hexes to a distance of {distance}; the result is R{wanted.retreat}"
    if distance == wanted.retreat or (
        steps == wanted.retreat and not _straight(position, piece, wanted.retreat)
    ):
        return None
    return Breach(says, {**facts, "distance": distance}, clause="7.4b")


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
    """By dominance only: another hex, as far back and better by a lower preference, was open."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if fight is None or is_general(piece) or action.dragged or len(action.path) < 2:
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
        return Breach(says, {"unit": piece.id, "into": first, "better": near}, clause=clause)
    return None


def _merits(position: Position, piece: Piece, here: str, where: str) -> tuple[object, bool, bool, bool]:
    """How good a hex is for a retreat: direction, no zones, no friends, room [7.5g to 7.5k]."""
    grid = position.game.map.grid
    friends = [each for each in combat_at(position, where, piece.side) if each.id != piece.id]
    came = position.note("came from", piece.id, str)
    back = grid.distance(where, came) if came is not None and came in grid else 0
    east = _across(position, where) - _across(position, here)
    home = east if piece.side == FRENCH else -east
    return (back, home), not in_ezoc(position, where, piece.side), not friends, len(friends) < 2


def _across(position: Position, where: str) -> int:
    """How far east a hex lies, in halves of a hex."""
    grid = position.game.map.grid
    column, row = grid.places[grid.index[where]]
    return 2 * column + grid.is_shifted(row)


@rules.on("retreat", "rout", "displace", clause="7.5f")
def nobody_stops_at_the_edge(position: Position, action: Action) -> Breach | None:
    """A rout that reaches the edge with hexes still to go leads off the map."""
    if action.verb != "rout" or action.dragged:
        return None
    most = position.game.values["rout"].values.integer("hexes")
    if len(action.path) - 1 >= most or not position.game.map.grid.edges(action.end):
        return None
    says = f"{action.piece} routs to the edge of the map and is destroyed"
    return Breach(says, {"unit": action.piece, "hex": action.end, "hexes": len(action.path) - 1})


@rules.on("rout", clause="7.4c")
def a_rout_is_of_five_hexes(position: Position, action: Action) -> Breach | None:
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "way": action.path}
    if fight is None or not share(position, fight, piece.side).rout:
        return Breach(f"{piece.id} routs without cause", facts)
    most = position.game.values["rout"].values.integer("hexes")
    steps = (
        position.game.map.grid.distance(action.path[0], action.end)
        if action.dragged
        else len(action.path) - 1
    )
    if steps == most or position.game.map.grid.edges(action.end):
        return None
    return Breach(f"{piece.id} routs {steps} hexes, a rout is of {most}", {**facts, "hexes": steps})


@rules.on("rout", clause="7.8b")
def a_rout_leads_away(position: Position, action: Action) -> Breach | None:
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or position.game.adopted("rout-direction") == "priorities":
        return None
    enemies = [fight.stood[name] for name in party(fight, other(piece.side)) if name in fight.stood]
    grid = position.game.map.grid
    pairs = [(action.path[0], action.end)] if action.dragged else list(pairwise(action.path))
    for here, there in pairs:
        if enemies and all(grid.distance(there, foe) < grid.distance(here, foe) for foe in enemies):
            says = f"{piece.id} routs towards {', '.join(sorted(set(enemies)))} in {there}"
            return Breach(says, {"unit": piece.id, "hex": there, "away from": tuple(enemies)})
    return None


@rules.on("advance", clause="7.5c")
def one_or_two_of_the_winners_advance(position: Position, action: Action) -> Iterator[Breach]:
    piece = position.pieces[action.piece]
    fight = fight_for(position, action)
    facts: Facts = {"unit": piece.id, "to": action.end}
    if fight is None:
        yield Breach(f"{piece.id} took no part in a combat", facts)
        return
    if fight.is_fire:
        yield Breach(f"{piece.id} advances after fire", facts)
    vacated = {fight.stood[name] for name in party(fight, other(piece.side)) if name in fight.stood}
    if action.end not in vacated:
        yield Breach(
            f"{piece.id} advances to {action.end}, which nobody left", {**facts, "left": tuple(vacated)}
        )
    elif bodies_at(position, action.end, other(piece.side)):
        yield Breach(f"{piece.id} advances into {action.end}, which is not empty", facts)
    units = [name for name in fight.advanced if is_combat(position.pieces[name])]
    if is_combat(piece) and len(units) >= 2 and piece.id not in units:
        yield Breach(f"{', '.join((*units, piece.id))} advance, two at most", facts)


@rules.on("advance", clause="7.5d")
def an_advance_is_made_at_once(position: Position, action: Action) -> Breach | None:
    fight = fight_for(position, action)
    if fight is None:
        return None
    later = tuple(each.target for each in fights(position) if each.order > fight.order)
    if not later:
        return None
    says = f"{action.piece} advances after another combat"
    return Breach(says, {"unit": action.piece, "since": later})


@rules.on("retreat", "rout", "displace", clause="7.5b")
def the_owner_moves_his_units(position: Position, action: Action) -> Breach | None:
    """Told only where a record says that the enemy moved the unit."""
    if "by the enemy" not in action.words:
        return None
    return Breach(f"{action.piece} is moved by the enemy", {"unit": action.piece})


@rules.on("displace", clause="4.5c 4.5d")
def who_makes_room_goes_one_hex(position: Position, action: Action) -> Breach | None:
    """Out of a hex that is full, and no farther; without need nobody goes."""
    piece = position.pieces[action.piece]
    where, grid = action.path[0], position.game.map.grid
    facts: Facts = {"unit": piece.id, "from": where, "to": action.end}
    if position.note("crossed", piece.id, str) is not None:
        return None
    if len(combat_at(position, where, piece.side)) <= 2 and not position.note("came into", where, str):
        return Breach(f"{piece.id} is displaced without need", facts, clause="4.5c")
    if grid.distance(where, action.end) != 1:
        return Breach(f"{piece.id} is displaced to {action.end}, more than a hex", facts, clause="4.5d")
    return None


@rules.leaving("fire", "combat", clause="4.5e")
def the_displaced_are_disordered(position: Position) -> Iterator[Breach]:
    for name in position.noted("displaced"):
        piece = position.pieces[name]
        if is_on_map(position, piece) and not piece.is_(DISORDERED) and not piece.is_(ROUTED):
            yield Breach(f"{name} was displaced and is not disordered", {"unit": name})


@rules.leaving("fire", "combat", "movement", clause="7.6")
def a_retreat_into_a_zone_costs_a_step(position: Position) -> Iterator[Breach]:
    for name, owes in position.noted("owes step").items():
        if owes and is_on_map(position, position.pieces[name]):
            says = f"{name} retreated into a zone of control and loses no step"
            yield Breach(says, {"unit": name, "hex": position.pieces[name].where})


@rules.leaving("fire", "combat", clause="4.5f 7.8a")
def who_is_crossed_by_a_rout_is_disordered(position: Position) -> Iterator[Breach]:
    """And goes back a hex [4.5f]; mates of the hex it came from are disordered as well."""
    both = position.game.adopted("crossed-by-rout") == "both"
    for name, where in position.noted("crossed").items():
        piece = position.pieces[name]
        if not is_on_map(position, piece):
            continue
        if not piece.is_(DISORDERED) and not piece.is_(ROUTED):
            yield Breach(f"{name} was crossed by a rout and is not disordered", {"unit": name}, clause="7.8a")
        if both and piece.where == where and not position.note("mate", name, bool):
            says = f"{name} was crossed by a rout and stays in {where}"
            yield Breach(says, {"unit": name, "hex": str(where)}, clause="4.5f")


@SETTLING.rule(rules, clause="7.8a")
def the_routed_are_marked(position: Position, fight: Fight) -> Iterator[Breach]:
    for side in SIDES:
        if not share(position, fight, side).rout:
            continue
        for name in party(fight, side):
            piece = position.pieces[name]
            if name in fight.gone and is_on_map(position, piece) and not piece.is_(ROUTED):
                yield Breach(f"{name} routs and is not marked", {"unit": name})


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
        after = after.with_note("came into", action.end, piece.id).with_note("forced", action.end, True)
    if covered and is_combat(piece):
        after = after.with_note("owes step", piece.id, True, "phase")
    if fight is not None and action.verb != "displace":
        after = after.with_battle(evolve(fight, gone={**fight.gone, piece.id: action.path}))
    if action.verb == "displace":
        after = after.with_note("displaced", piece.id, action.end)
    if action.verb == "rout":
        after = after.with_state(piece.id, ROUTED, Mark())
        for where in crossed:
            for each in combat_at(position, where, piece.side):
                after = after.with_note("crossed", each.id, where)
        for mate in combat_at(position, action.path[0], piece.side):
            if mate.id != piece.id and not mate.is_(ROUTED):
                after = after.with_note("crossed", mate.id, action.path[0]).with_note("mate", mate.id, True)
    return after


@rules.does("advance")
def advance(position: Position, action: Action) -> Position:
    """Put the unit into the hex."""
    fight = fight_for(position, action)
    after = position.with_piece(action.piece, where=action.end)
    if fight is not None:
        after = after.with_battle(evolve(fight, advanced=(*fight.advanced, action.piece)))
    return after


@rules.does("disorder")
def disorder(position: Position, action: Action) -> Position:
    """Mark the unit."""
    return position.with_state(action.piece, DISORDERED, Mark(since=position.date))


@rules.does("mark rout")
def mark_rout(position: Position, action: Action) -> Position:
    """Mark the unit."""
    return position.with_state(action.piece, ROUTED, Mark())


@rules.proposes
def retreats(position: Position, piece: Piece) -> Iterator[Action]:
    """The ways of those who must go."""
    for fight in SETTLING.open(position):
        if piece.id not in party(fight, piece.side) or piece.id in fight.gone:
            continue
        wanted = share(position, fight, piece.side)
        if wanted.retreat and not wanted.rout:
            for way in open_ways(position, piece, wanted.retreat):
                yield Action("retreat", (piece.id,), way)
