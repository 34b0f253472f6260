"""The two Allied armies: whether they act together, and units lent from one to the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import is_or_are, names_of
from referee.games.postcard1943.facts import the_field, units_at
from vassalgen.game.provenance import Provenance

rules = Section("Set-up: players", Provenance("rulebook", "Setup"))

LENT, ALLIES = "lent", "allied"


@rules.does("lend")
def lend(position: Position, action: Action) -> Position:
    """Hand units to the other Allied army, until they are given back."""
    for unit in action.pieces:
        position = position.with_state(unit, LENT, Mark())
    return position


@rules.does("give back")
def give_back(position: Position, action: Action) -> Position:
    """Return lent units to their own army."""
    for unit in action.pieces:
        position = position.with_state(unit, LENT, None)
    return position


@rules.on("lend", "give back", clause="players.2")
def only_the_allies_lend(position: Position, action: Action) -> Breach | None:
    """There is a single Axis player: lending him his own units changes nothing."""
    axis = tuple(name for name in action.pieces if position.pieces[name].side != ALLIES)
    if not axis:
        return None
    done = "lent" if action.verb == "lend" else "given back"
    says = f"{names_of(position, axis)} {is_or_are(axis)} {done}; only Allied units can be."
    return Breach(says, {"units": axis}, Grade.slip)


@rules.on("lend", "give back", clause="players.2")
def loans_are_for_whole_turns(position: Position, action: Action) -> Breach | None:
    """In an interpretation that is not adopted; what players agreed on before they said it here
    is not known.
    """
    if position.game.adopted("loans") != "whole-turns" or position.phase in ("reinforcements", "end"):
        return None
    done = "lent" if action.verb == "lend" else "given back"
    units = f"{names_of(position, action.pieces)} {is_or_are(action.pieces)}"
    says = f"{units} {done} during a game turn; a loan begins and ends with a game turn."
    return Breach(says, {"units": action.pieces, "phase": position.phase}, Grade.unproven)


@rules.on("attack", clause="players.1")
def armies_attack_apart(position: Position, action: Action) -> Breach | None:
    """In an interpretation that is not adopted; a loan may have been agreed on without a word here."""
    if not _are_apart(position):
        return None
    return _mixed(position, (position.pieces[name] for name in action.pieces), "attack together")


@rules.leaving("reinforcements", "movement", "combat", clause="players.1")
def armies_stack_apart(position: Position) -> Iterator[Breach]:
    """In an interpretation that is not adopted, as above."""
    if not _are_apart(position):
        return
    for where in filter(position.game.map.grid.__contains__, position.by_place):
        if breach := _mixed(position, units_at(position, where, ALLIES), f"stack in {where}"):
            yield breach


def _are_apart(position: Position) -> bool:
    return position.game.adopted("allied-cooperation") == "apart"


def _mixed(position: Position, units: Iterable[Piece], done: str) -> Breach | None:
    allies = [piece for piece in units if piece.side == ALLIES]
    if len({_is_southern(position, piece) for piece in allies}) < 2:
        return None
    facts: Facts = {"units": tuple(piece.id for piece in allies)}
    names = names_of(position, (piece.id for piece in allies))
    says = f"{names} belong to different Allied armies and {done}; that takes a loan, and none was announced."
    return Breach(says, facts, Grade.unproven)


def _is_southern(position: Position, piece: Piece) -> bool:
    """Return whether a unit belongs to the army from Alamein: its own unit, or lent to it."""
    return (piece.id in the_field(position).alamein) != piece.is_(LENT)
