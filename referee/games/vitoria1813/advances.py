"""Advances after melee."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_for, fights, party, share
from referee.games.vitoria1813.facts import (
    bodies_at,
    destroyed,
    is_combat,
    is_general,
    is_on_map,
    other,
    the_field,
)
from referee.games.vitoria1813.stacking import may_stay
from vassalgen.game.provenance import Provenance

rules = Section("Advances", Provenance("rulebook", "7.5"))


@rules.on("advance", clause="7.5c")
def one_or_two_of_the_winners_advance(position: Position, action: Action) -> Iterator[Breach]:
    piece = position.pieces[action.piece]
    fight = _fight_of(position, action)
    facts: Facts = {"unit": piece.id, "to": action.end}
    if fight is None:
        yield Breach(f"{piece.id} took no part in a combat", facts)
        return
    if fight.is_fire:
        yield Breach(f"{piece.id} advances after fire", facts)
    if not is_general(piece) and piece.id not in party(fight, piece.side):
        # who was attacked before is left out by 7.1f; when he came into the hex is not sure enough to accuse
        grade = Grade.unproven if piece.id in fight.spared else Grade.illegal
        yield Breach(f"{piece.id} did not take part in the melee", facts, grade)
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


def _fight_of(position: Position, action: Action) -> Fight | None:
    """The combat after which a counter advances; a general goes with those in whose hex he stands."""
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is not None or not is_general(piece):
        return fight
    thrown = [one for one in fights(position) if one.rolled and not one.is_fire]
    with_him = [
        one for one in thrown if any(one.stood.get(name) == piece.where for name in party(one, piece.side))
    ]
    return with_him[-1] if with_him else None


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


@rules.does("advance")
def advance(position: Position, action: Action) -> Position:
    """Put the counter into the hex."""
    fight = _fight_of(position, action)
    after = position.with_piece(action.piece, where=action.end)
    if fight is not None:
        after = after.with_battle(evolve(fight, advanced=(*fight.advanced, action.piece)))
    return after


@rules.proposes
def advances(position: Position, piece: Piece) -> Iterator[Action]:
    """The winners next to the hexes that the beaten left, once each."""
    grid, links = position.game.map.grid, the_field(position).links(destroyed(position))
    for fight in SETTLING.open(position):
        beaten = other(piece.side)
        goes = not fight.is_fire and piece.id in party(fight, piece.side) and is_combat(piece)
        if not goes or not share(position, fight, beaten).goes or not is_on_map(position, piece):
            continue
        if piece.id in {*fight.gone, *fight.pursued, *fight.advanced} or piece.counter.kind == "engineer":
            continue
        for where in dict.fromkeys(fight.stood[name] for name in party(fight, beaten) if name in fight.stood):
            linked = links[grid.index[piece.where]] >> grid.index[where] & 1
            if linked and may_stay(position, piece, where):
                yield Action("advance", (piece.id,), (piece.where, where), battle=fight.number)
