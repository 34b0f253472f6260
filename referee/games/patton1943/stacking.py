"""Stacking: one unit, two assets, three with an air asset."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import counted, names_of
from referee.games.patton1943.battle import SETTLING, Fight, fight_of, force
from referee.games.patton1943.facts import SIDES, is_air, is_asset, is_unit, of_side
from referee.games.patton1943.notes import TOO_MANY
from vassalgen.game.provenance import Provenance

rules = Section("Stacking", Provenance("rulebook", "6"))
PHASES = ("movement", "battles", "return", "replacement", "supply", "end")


def overstacked(position: Position, where: str, side: str) -> Iterator[Breach]:
    """Say what is wrong with the stack of a side in a hex [6a, 6b, 6c]."""
    there = of_side(position, where, side)
    if len(there) < 2:
        return
    units, assets, air = (
        tuple(piece for piece in there if is_of_kind(piece)) for is_of_kind in (is_unit, is_asset, is_air)
    )
    together = len(assets) + len(air)
    if len(units) <= 1 and together <= 2:
        return
    names = tuple(piece.id for piece in (*units, *assets, *air))
    facts: Facts = {"hex": where, "pieces": names}
    if len(units) > 1:
        says = (
            f"{names_of(position, (unit.id for unit in units))} are stacked in {where}; the limit is 1 unit."
        )
        yield Breach(says, facts, clause="6a")
    if air and together > 3:
        says = (
            f"{counted(together, 'support asset')} are stacked in {where};"
            " the limit is 3, air assets included."
        )
        yield Breach(says, facts, clause="6c")
    elif len(assets) > (2 if not air or _strict(position) else 3):
        says = f"{counted(len(assets), 'ground asset')} are stacked in {where}; the limit is 2."
        yield Breach(says, facts, clause="6b")


def too_many_with(position: Position, piece: Piece, where: str) -> Iterator[Breach]:
    """Say which limits for its kind are exceeded where a piece is put; it does not affect others."""
    if not of_side(position, where, piece.side):
        return
    after = position.with_piece(piece.id, where=where, states={})
    for breach in overstacked(after, where, piece.side):
        if (breach.clause == "6a") == is_unit(piece):
            yield breach


def has_room(position: Position, piece: Piece, where: str) -> bool:
    """Return whether a piece can be put in a hex within the limits of stacking [5s, 14d]."""
    return not any(too_many_with(position, piece, where))


def _strict(position: Position) -> bool:
    return position.game.adopted("three-assets") == "two-and-one"


def every(position: Position, sides: tuple[str, ...] = SIDES) -> Iterator[Breach]:
    """Find every stack over the limits, of all sides if none are named."""
    for where, pieces in position.by_place.items():
        if len(pieces) > 1 and where in position.game.map.grid:
            for side in sides:
                yield from overstacked(position, where, side)


@rules.always(clause="6a 6b 6c")
def no_hex_holds_more_than_its_limits(position: Position) -> Iterator[Breach]:
    yield from every(position)


@rules.leaving(*PHASES, clause="6a 6b 6c")
def stacks_are_within_the_limits_at_the_end_of_a_phase(position: Position) -> Iterator[Breach]:
    """Each stack is reported once, until more pieces join it."""
    soon = {where for fight in SETTLING.open(position) for where in _held_after_breakthrough(position, fight)}
    for breach in every(position):
        if breach.facts["hex"] not in soon and not _is_known(position, breach):
            yield breach


@SETTLING.rule(rules, clause="6a 6b 6c")
def stacks_are_within_the_limits_after_a_breakthrough(position: Position, fight: Fight) -> Iterator[Breach]:
    """A breakthrough ends with its attack; without one at the latest with the phase [15c]."""
    for where in _held_after_breakthrough(position, fight):
        for breach in overstacked(position, where, fight.side):
            if not _is_known(position, breach):
                yield breach


def _held_after_breakthrough(position: Position, fight: Fight) -> tuple[str, ...]:
    """The hexes of a stack whose second attack has been rolled for."""
    hexes = (position.pieces[name].where for name in force(position, fight)) if fight.second else ()
    return tuple(where for where in dict.fromkeys(hexes) if where in position.game.map.grid)


def _is_known(position: Position, breach: Breach) -> bool:
    """Return whether a stack over the limits was reported before, with the same pieces or with more."""
    known = position.note(TOO_MANY, str(breach.facts["hex"])) or ()
    return {*_names(breach)} <= {*known}


def _names(breach: Breach) -> tuple[str, ...]:
    names = breach.facts["pieces"]
    return names if isinstance(names, tuple) else ()


@rules.follows("advance", "retreat", "battlegroup", "arrive", "swap", "return", "reclaim")
def a_stack_that_was_reported_is_noted(before: Position, after: Position, action: Action) -> Position:
    return _noted(after, (action.target or action.end,))


@rules.follows("settle")
def stacks_of_a_breakthrough_are_noted(before: Position, after: Position, action: Action) -> Position:
    fight = fight_of(before, action)
    return after if fight is None else _noted(after, _held_after_breakthrough(before, fight))


@rules.following(*PHASES)
def stacks_reported_at_the_end_of_a_phase_are_noted(position: Position) -> Position:
    hexes = dict.fromkeys((*position.noted(TOO_MANY), *position.by_place))
    return _noted(position, tuple(where for where in hexes if where in position.game.map.grid))


def _noted(position: Position, hexes: tuple[str, ...]) -> Position:
    for where in hexes:
        position = position.without_note(TOO_MANY, where) if position.note(TOO_MANY, where) else position
        held = position.by_place.get(where, ())
        for side in {piece.side for piece in held} if len(held) > 1 else ():
            for breach in overstacked(position, where, side):
                position = position.with_note(TOO_MANY, where, _names(breach))
    return position


@rules.on("move", clause="6a 6b 6c")
def stacks_are_within_the_limits_after_each_move(position: Position, action: Action) -> Iterator[Breach]:
    """In an interpretation that is not adopted."""
    if position.game.adopted("stacking-moment") == "end-of-phase":
        return
    piece = position.pieces[action.piece]
    yield from overstacked(position.with_piece(piece.id, where=action.end), action.end, piece.side)


@rules.on("advance", clause="6a 6b")
@rules.on("arrive", clause="6b 6c")
@rules.on("return", clause="6c")
@rules.on("reclaim", clause="6a 6b 6c")
def a_piece_is_put_where_there_is_room(position: Position, action: Action) -> Iterator[Breach]:
    piece, where = position.pieces[action.piece], action.target or action.end
    if where in position.game.map.grid and piece.where != where:
        yield from too_many_with(position, piece, where)
