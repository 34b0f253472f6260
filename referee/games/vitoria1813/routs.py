"""Results: routs, and whom they sweep up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.combat import ways
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_for, party, share
from referee.games.vitoria1813.facts import (
    DISORDERED,
    ROUTED,
    SIDES,
    destroyed,
    is_combat,
    is_on_map,
    occupied,
    other,
    the_field,
)
from referee.games.vitoria1813.losses import still_to_lose
from referee.games.vitoria1813.notes import CROSSED, MATE
from vassalgen.game.provenance import Provenance

rules = Section("Routs", Provenance("rulebook", "7.4, 7.5, 7.8"))


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
    if fight is None or not _routs(position, fight, piece):
        return Breach(f"{piece.id} routs without cause", {"unit": piece.id, "way": action.path})
    return _wrong_length(position, action, fight)


@rules.on("retreat", clause="7.4c")
def who_must_rout_does_not_retreat(position: Position, action: Action) -> Breach | None:
    """Nor is it more than the wrong word if he goes as far as a rout leads.

    If another result was announced than the table's it may be the table's by which he retreats.
    """
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or not is_combat(piece) or not _routs(position, fight, piece):
        return None
    says = f"{piece.id} routs, and is said to retreat"
    slip = Breach(says, {"unit": piece.id, "result": fight.given}, Grade.slip)
    wrong = _wrong_length(position, action, fight) or slip
    return evolve(wrong, grade=Grade.unproven) if fight.disputed else wrong


def _wrong_length(position: Position, action: Action, fight: Fight) -> Breach | None:
    """What is wrong with the length of a rout; of a drag only where no way of the right length ends there."""
    piece, most = position.pieces[action.piece], position.game.values["rout"].values.integer("hexes")
    steps = len(action.path) - 1
    if action.dragged:
        steps = position.game.map.grid.distance(action.path[0], action.end)
        if any(way[-1] == action.end for way in away(position, fight, piece)):
            return None
    if steps == most or position.game.map.grid.edges(action.end):
        return None
    facts: Facts = {"unit": piece.id, "way": action.path, "hexes": steps}
    return Breach(f"{piece.id} routs {steps} hexes, a rout is of {most}", facts)


def _routs(position: Position, fight: Fight, piece: Piece) -> bool:
    """Tell whether a result makes a combat unit rout: its side's, if it took part."""
    return piece.id in party(fight, piece.side) and share(position, fight, piece.side).rout


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


@rules.leaving("fire", "combat", clause="4.5f 7.8a")
def who_is_crossed_by_a_rout_is_disordered(position: Position) -> Iterator[Breach]:
    """And goes back a hex [4.5f]; mates of the hex it came from are disordered as well."""
    both = position.game.adopted("crossed-by-rout") == "both"
    for name, where in position.noted(CROSSED).items():
        piece = position.pieces[name]
        if not is_on_map(position, piece):
            continue
        if not piece.is_(DISORDERED) and not piece.is_(ROUTED):
            yield Breach(f"{name} was crossed by a rout and is not disordered", {"unit": name}, clause="7.8a")
        if both and piece.where == where and not position.note(MATE, name):
            says = f"{name} was crossed by a rout and stays in {where}"
            yield Breach(says, {"unit": name, "hex": where}, clause="4.5f")


@SETTLING.rule(rules, clause="7.8a")
def the_routed_are_marked(position: Position, fight: Fight) -> Iterator[Breach]:
    for side in SIDES:
        if not share(position, fight, side).rout:
            continue
        for name in party(fight, side):
            piece = position.pieces[name]
            if name in fight.gone and is_on_map(position, piece) and not piece.is_(ROUTED):
                yield Breach(f"{name} routs and is not marked", {"unit": name})


@rules.does("disorder")
def disorder(position: Position, action: Action) -> Position:
    """Mark the unit."""
    return position.with_state(action.piece, DISORDERED, Mark(since=position.date))


@rules.does("mark rout")
def mark_rout(position: Position, action: Action) -> Position:
    """Mark the unit."""
    return position.with_state(action.piece, ROUTED, Mark())


@rules.proposes
def routs(position: Position, piece: Piece) -> Iterator[Action]:
    """The ways of those who rout, away from the enemy; who cannot is destroyed."""
    for fight in SETTLING.open(position):
        ran = bool(fight.gone.get(piece.id)) and share(position, fight, piece.side).rout
        if ran and is_on_map(position, piece) and is_combat(piece) and not piece.is_(ROUTED):
            yield Action("mark rout", (piece.id,), battle=fight.number)
        beaten = piece.id in party(fight, piece.side) and share(position, fight, piece.side).rout
        if not beaten or not is_on_map(position, piece) or not is_combat(piece):
            continue
        if piece.id in fight.gone or still_to_lose(position, fight, piece.side):
            continue
        found = away(position, fight, piece)
        for way in found:
            yield Action("rout", (piece.id,), way, battle=fight.number)
        if not found:
            yield Action("eliminate", (piece.id,), battle=fight.number)


def away(position: Position, fight: Fight, piece: Piece) -> tuple[tuple[str, ...], ...]:
    """Return the ways of a rout: none of its steps leads nearer to all enemies who caused it."""
    grid, links = position.game.map.grid, the_field(position).links(destroyed(position))
    shut, names = occupied(position, other(piece.side)), position.game.map.grid.names
    foes = [fight.stood[name] for name in party(fight, other(piece.side)) if name in fight.stood]

    def is_open(here: int, there: int, after: int) -> bool:
        gaps = [grid.distance(names[there], foe) - grid.distance(names[here], foe) for foe in foes]
        leads_away = not gaps or (min(gaps) >= 0 and max(gaps) > 0)
        return leads_away and bool(links[here] >> there & 1) and not shut >> there & 1

    length = position.game.values["rout"].values.integer("hexes")
    found = ways(grid.adjacent, grid.index[piece.where], length, is_open)
    return tuple(tuple(names[at] for at in way) for way in found)
