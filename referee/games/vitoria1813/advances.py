"""Advances after melee."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_for, fights, party, share
from referee.games.vitoria1813.facts import (
    bodies_at,
    combat_at,
    destroyed,
    in_ezoc,
    is_combat,
    is_general,
    is_on_map,
    other,
    phase_of,
    the_field,
)
from referee.games.vitoria1813.notes import FOUGHT_ON
from referee.games.vitoria1813.outcomes import by_result
from referee.games.vitoria1813.stacking import may_stay
from vassalgen.game.provenance import Provenance

rules = Section("Advances", Provenance("rulebook", "7.5"))


@by_result(rules, "advance", clause="7.5c")
def the_winner_advances_into_the_next_hex(position: Position, action: Action) -> Breach | None:
    """Not a unit that must retreat itself; and only one hex, over open ground."""
    piece, fight = position.pieces[action.piece], _fight_of(position, action)
    if fight is None or fight.is_fire:
        return None
    facts: Facts = {"unit": piece.id, "path": action.path}
    if share(position, fight, piece.side).goes:
        says = (
            f"{name_of(position, piece.id)} advances, but the result, {fight.given}, makes it retreat;"
            " only the winner advances."
        )
        return Breach(says, facts)
    grid = position.game.map.grid
    steps = grid.distance(action.path[0], action.end) if action.dragged else len(action.path) - 1
    if steps != 1 and not fight.pursuit:
        says = f"{name_of(position, piece.id)} advances {counted(steps, 'hex')}; the limit is 1 hex."
        return Breach(says, {**facts, "hexes": steps})
    links = the_field(position).links(destroyed(position), piece.counter.kind)
    if steps == 1 and not links[grid.index[action.path[0]]] >> grid.index[action.end] & 1:
        says = (
            f"{name_of(position, piece.id)} advances into {action.end} over impassable terrain; no unit may."
        )
        return Breach(says, facts)
    return None


@SETTLING.rule(rules, clause="7.5c")
def a_general_advances_with_a_unit(position: Position, fight: Fight) -> Iterator[Breach]:
    """Alone into an enemy zone of control breaks 4.2c."""
    for name in fight.advanced:
        piece = position.pieces[name]
        if in_ezoc(position, piece.where, piece.side):
            continue
        if (
            is_general(piece)
            and is_on_map(position, piece)
            and not combat_at(position, piece.where, piece.side)
        ):
            says = (
                f"{name_of(position, name)} advances into {piece.where} alone; a general advances only "
                "with a unit."
            )
            yield Breach(says, {"general": name, "hex": piece.where})


@rules.on("advance", clause="7.5c 7.5d")
def one_or_two_of_the_winners_advance(position: Position, action: Action) -> Iterator[Breach]:
    piece = position.pieces[action.piece]
    fight = _fight_of(position, action)
    facts: Facts = {"unit": piece.id, "to": action.end}
    if fight is None:
        late = position.phase != "combat" and _has_just_fought(position, piece)
        says = f"{name_of(position, piece.id)} advances, but took part in no combat; only units that did may."
        if late:
            says = (
                f"{name_of(position, piece.id)} advances in the {phase_of(position)}; an advance must be "
                "made at once after the melee."
            )
        yield Breach(says, facts, clause="7.5d" if late else "7.5c")
        return
    if fight.is_fire:
        says = f"{name_of(position, piece.id)} advances after fire; only melee is followed by an advance."
        yield Breach(says, facts)
    if not is_general(piece) and piece.id not in party(fight, piece.side):
        # 7.1f leaves out a unit attacked before; when it came into the hex is too uncertain to accuse
        grade = Grade.unproven if piece.id in fight.spared else Grade.illegal
        says = (
            f"{name_of(position, piece.id)} advances, but did not take part in the melee;"
            " only units that did may."
        )
        yield Breach(says, facts, grade)
    vacated = {fight.stood[name] for name in party(fight, other(piece.side)) if name in fight.stood}
    if action.end not in vacated:
        says = (
            f"{name_of(position, piece.id)} advances to {action.end};"
            " an advance must enter a hex that beaten units have left."
        )
        yield Breach(says, {**facts, "left": tuple(vacated)})
    elif bodies_at(position, action.end, other(piece.side)):
        says = (
            f"{name_of(position, piece.id)} advances into {action.end}, where there are still enemies;"
            " none may be left there."
        )
        yield Breach(says, facts)
    units = [name for name in fight.advanced if is_combat(position.pieces[name])]
    if is_combat(piece) and len(units) >= 2 and piece.id not in units:
        yield Breach(f"{names_of(position, (*units, piece.id))} advance; at most 2 units may.", facts)


def _has_just_fought(position: Position, piece: Piece) -> bool:
    """Return whether a unit was in a combat in this player turn or in the one before it."""
    fought, order = position.note(FOUGHT_ON, piece.id), position.world.calendar.order
    if fought is None:
        return False
    ago = (position.turn - fought.turn) * len(order) + order.index(position.side) - order.index(fought.side)
    return ago <= 1


def _fight_of(position: Position, action: Action) -> Fight | None:
    """Return the combat after which a counter advances; a general advances with the units in his hex."""
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is not None or not is_general(piece):
        return fight
    rolled_fights = [one for one in fights(position) if one.rolled and not one.is_fire]
    with_him = [
        one
        for one in rolled_fights
        if any(one.stood.get(name) == piece.where for name in party(one, piece.side))
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
    says = (
        f"{name_of(position, action.piece)} advances after the next combat; an advance must be made at once."
    )
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
    """The winners next to the hexes that the losers left, once each."""
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
