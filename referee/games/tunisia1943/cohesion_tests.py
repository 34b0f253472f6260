"""Cohesion tests, and the current armoured breakthrough."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from referee.engine.position import Piece, Position
from referee.games.tunisia1943.facts import (
    campaign,
    controllers,
    is_out_of_supply,
    is_tiger,
    other,
    the_field,
    this_turn,
    units_at,
)
from referee.games.tunisia1943.lines import fights_out_of_supply
from referee.games.tunisia1943.notes import BREAKTHROUGH, Breakthrough


def breakthrough(position: Position) -> Breakthrough | None:
    """Return the current breakthrough."""
    return position.note(BREAKTHROUGH)


@frozen
class Modifier:
    """A change of a cohesion, with the clause that gives it."""

    clause: str
    amount: int


def modifiers(position: Position, piece: Piece, against_tiger: bool) -> tuple[Modifier, ...]:
    """Return what changes the cohesion of a unit that tests [9.2d, 12d, 12e, C1.4]; for a garrison only
    Tigers do.
    """
    values, found = position.game.values, []
    if piece.counter.kind != "garrison" and fights_out_of_supply(position, piece):
        found.append(Modifier("9.2d", values["out-of-supply"].values.integer("cohesion")))
    if against_tiger:
        found.append(Modifier("12d", values["tiger"].values.integer("cohesion")))
    turn = this_turn(position)
    if "cohesion" in turn and piece.counter.nation in turn.group("cohesion"):
        clause = f"{campaign(position)}.4"
        found.append(Modifier(clause, turn.group("cohesion").integer(piece.counter.nation)))
    return tuple(found)


def cohesion(
    position: Position, piece: Piece, against_tiger: bool = False, waived: Iterable[str] = ()
) -> int | None:
    """Return the cohesion with which a unit or garrison tests, None for a Tiger, which always passes [12f].

    Modifiers by clauses in ``waived`` are left out.
    """
    if is_tiger(position, piece):
        return None
    without = set(waived)
    changes = modifiers(position, piece, against_tiger)
    if not _adds_up(position, changes):
        changes = (min(changes, key=lambda change: change.amount),)
    full = position.game.adopted("values-of-the-back") == "front-movement"
    printed = piece.counter.factor("cohesion") if full else piece.factor("cohesion")
    return printed + sum(change.amount for change in changes if change.clause not in without)


def _adds_up(position: Position, changes: tuple[Modifier, ...]) -> bool:
    """Whether changes of a cohesion add up; in other interpretations only the greatest counts [12e, C1.4]."""
    clauses = {change.clause for change in changes}
    alone = {"12d": "tiger-and-other-modifiers", "C1.4": "american-modifier"}
    return len(changes) < 2 or not any(
        clause in clauses and position.game.adopted(ruling) == "no" for clause, ruling in alone.items()
    )


def passes(
    position: Position, piece: Piece, total: int, against_tiger: bool = False, waived: Iterable[str] = ()
) -> bool:
    """Return whether a unit passes a test with a total rolled [0.1f]."""
    if position.game.adopted("natural-rolls") == "yes" and total in (2, 12):
        return total == 2
    value = cohesion(position, piece, against_tiger, waived)
    if value is None:
        return position.game.adopted("tiger-passes") == "always" or not is_out_of_supply(position, piece)
    return total <= value


def testers(position: Position, attempt: Breakthrough) -> tuple[Piece, ...]:
    """Return the units that test against a breakthrough: those whose ZOC includes its hex [4.3f]."""
    side = position.pieces[attempt.armour].side
    found = [position.pieces[name] for name in controllers(position, side, attempt.at)]
    if position.game.adopted("who-tests") == "yes":
        found += _garrisons_beside(position, other(side), attempt.at)
    return tuple(found)


def _garrisons_beside(position: Position, side: str, where: str) -> list[Piece]:
    """The garrisons whose zone of control would include a hex, if they had one."""
    index, zones = position.game.map.grid.index, the_field(position).zones
    return [
        piece
        for piece in position.pieces.values()
        if piece.counter.kind == "garrison"
        and piece.side == side
        and piece.where in index
        and zones[index[piece.where]] >> index[where] & 1
    ]


def is_shielded(position: Position, piece: Piece) -> bool:
    """Return whether a Tiger is in a unit's hex, so that it cannot be forced by breakthrough [12g]."""
    return any(is_tiger(position, friend) for friend in units_at(position, piece.where, piece.side))


def stopping_units(position: Position, attempt: Breakthrough, total: int) -> tuple[str, ...]:
    """Return the units that pass the test against a breakthrough, or whose hex a Tiger shields."""
    tiger = is_tiger(position, position.pieces[attempt.armour])
    found = tuple(
        piece
        for piece in testers(position, attempt)
        if is_shielded(position, piece) or passes(position, piece, total, tiger)
    )
    tigers = tuple(piece for piece in found if is_tiger(position, piece))
    if tigers and position.game.adopted("tiger-shield") == "tiger":
        found = tigers
    return tuple(piece.id for piece in found)
