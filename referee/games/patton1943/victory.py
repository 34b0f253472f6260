"""Winning."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Position, of_force
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, is_or_are, listed, names_of
from referee.games.patton1943.facts import ALLIES, AXIS, box, is_on_map, last_turn, ports_held, the_field
from referee.games.patton1943.notes import WON
from vassalgen.game.provenance import Provenance

rules = Section("Winning", Provenance("rulebook", "4; hexes of the ports: reconstruction"))
PHASES = ("movement", "battles", "return", "replacement", "supply", "end")


def axis_left(position: Position) -> tuple[str, ...]:
    """Return the Axis pieces that are left: on the map or in the box for return [4a]."""
    return _left(position, AXIS)


@of_force()
def _left(position: Position, side: str) -> tuple[str, ...]:
    """The pieces of a side on the map or in the box for return."""
    returning = box(side, "returning")
    return tuple(
        piece.id for piece in position.of_side(side) if is_on_map(position, piece) or piece.where == returning
    )


def all_ports(position: Position) -> bool:
    """Return whether Allied units are in all ports [4b]."""
    tested = position.game.adopted("port-victory") == "any-phase" or position.phase == "end"
    return tested and len(ports_held(position)) == len(the_field(position).ports)


def winner(position: Position) -> str:
    """Return who has won, or nothing."""
    if not axis_left(position) or all_ports(position):
        return ALLIES
    over = position.turn > last_turn(position) or (
        position.phase == "end" and position.turn >= last_turn(position)
    )
    return AXIS if over else ""


def _is_partial(position: Position) -> bool:
    """Return whether Axis pieces are nowhere, as in a position that is not a whole game."""
    return any(piece.side == AXIS and not piece.where for piece in position.pieces.values())


def _hold_with_assets(position: Position, ports: tuple[str, ...]) -> bool:
    """Return whether only Allied support assets stand in these ports [4b]."""
    where = the_field(position).ports
    return all(any(piece.side == ALLIES for piece in position.at(where[name])) for name in ports)


@rules.on("claim", clause="4a 4b 4c")
def a_claim_is_looked_at(position: Position, action: Action) -> Breach | None:
    """An Allied claim is attributed to the condition that is nearer to being met."""
    claimed, right = action.words[0], winner(position)
    if claimed == right:
        return None
    left, held = axis_left(position), ports_held(position)
    facts: Facts = {"turn": position.turn, "ports held": held, "Axis pieces": len(left)}
    if claimed == ALLIES:
        missing = tuple(name for name in the_field(position).ports if name not in held)
        if right == AXIS and not _hold_with_assets(position, missing):
            return Breach(
                "An Allied victory is claimed; the last turn is over and the Axis wins.",
                facts,
                Grade.slip,
                "4c",
            )
        if right != AXIS and len(left) < len(missing):
            says = (
                "An Allied victory is claimed; no Axis piece may be left, and"
                f" {counted(len(left), 'Axis piece')} {is_or_are(left)} left: {names_of(position, left)}."
            )
            return Breach(says, facts, Grade.slip, "4a")
        says = (
            "An Allied victory is claimed;"
            f" an Allied unit must be in each port, and none is in {listed(missing, 'or')}."
        )
        return Breach(says, {**facts, "missing": missing}, Grade.slip, "4b")
    if right == ALLIES:
        return Breach(
            "An Axis victory is claimed; the Allies have won.",
            facts,
            Grade.slip,
            "4b" if all_ports(position) else "4a",
        )
    says = "An Axis victory is claimed before the last turn is over; the Axis wins only then."
    return Breach(says, facts, Grade.slip, "4c")


@rules.leaving(*PHASES, clause="4a 4b 4c")
def the_game_ends_when_it_is_won(position: Position) -> Iterator[Breach]:
    won = winner(position)
    if not won or position.note(WON):
        return
    if won == AXIS and position.turn <= last_turn(position):
        return  # the last phase is over, and play has not continued yet
    facts: Facts = {"turn": position.turn, "ports held": ports_held(position)}
    if won == AXIS:
        yield Breach("The last turn is over and the Axis has won, but play goes on.", facts, Grade.slip, "4c")
    elif not axis_left(position) and not _is_partial(position):
        yield Breach("No Axis piece is left: the Allies have won, but play goes on.", facts, Grade.slip, "4a")
    elif all_ports(position):
        yield Breach(
            "Allied units are in all 5 ports: the Allies have won, but play goes on.", facts, Grade.slip, "4b"
        )


@rules.following(*PHASES)
def reported_once(position: Position) -> Position:
    """A victory is reported once."""
    won = winner(position)
    plays_on = won == ALLIES or (won == AXIS and position.turn > last_turn(position))
    return position.with_note(WON, "", True) if plays_on else position
