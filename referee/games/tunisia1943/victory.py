"""Victory in both campaigns."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of, names_of
from referee.games.tunisia1943.battle import city_of
from referee.games.tunisia1943.facts import (
    ALLIES,
    AXIS,
    campaign,
    ems_at,
    is_out_of_supply,
    is_unit,
    units_at,
)
from referee.games.tunisia1943.notes import CONTROLLED
from vassalgen.game.provenance import Provenance

rules = Section("Victory", Provenance("rulebook", "Campaigns"))


def hexes(position: Position, key: str) -> tuple[str, ...]:
    """Return the hexes of a zone that the scenario's conditions name."""
    zone = position.scenario.victory.text(key)
    return position.game.map.zones[zone].hexes


def supplied_units(position: Position, where: str, side: str) -> tuple[Piece, ...]:
    """Return the combat units of a side in a hex that are in supply by their last check [C1.12, 9.3a]."""
    return tuple(piece for piece in units_at(position, where, side) if not is_out_of_supply(position, piece))


def harbours_of_the_allies(position: Position) -> tuple[str, ...]:
    """Return the harbours that the Allies hold: control in the first campaign, occupation in the second."""
    first = campaign(position) == "C1"
    reading = position.game.adopted("control-of-a-harbour" if first else "occupying")
    needs_supply = reading == "supplied"
    found = supplied_units if needs_supply else units_at
    return tuple(where for where in hexes(position, "harbours") if found(position, where, ALLIES))


def exited(position: Position) -> tuple[str, ...]:
    """Return the combat units that have left the map to the west [C1.13]."""
    box = position.scenario.victory.text("exited_to")
    return tuple(piece.id for piece in position.at(box) if is_unit(position, piece))


def controls_tebessa(position: Position) -> bool:
    """Return whether the Axis controls Tebessa at the end of this turn, or has at that of another [C1.12]."""
    now = any(supplied_units(position, where, AXIS) for where in hexes(position, "tebessa"))
    if position.game.adopted("tebessa-when") == "any-turn":
        return now or position.note(CONTROLLED, AXIS) is not None
    return now


@frozen
class Outcome:
    """The winner, with the clause and the reason; and the winner in the strict interpretation of C1.9."""

    winner: str
    clause: str
    says: str
    strictly: str = ""


def outcome(position: Position) -> Outcome:
    """Return the winner if the game ends now."""
    taken = harbours_of_the_allies(position)
    if campaign(position) == "C2":
        if len(taken) == len(hexes(position, "harbours")):
            return Outcome(ALLIES, "C2.8", "The Allies occupy both harbours")
        return Outcome(AXIS, "C2.9", "The Allies do not occupy both harbours")
    tebessa = controls_tebessa(position)
    gone, needed = len(exited(position)), position.scenario.victory.integer("exited")
    lost = position.note(CONTROLLED, AXIS) is not None
    controls = "controls" if tebessa else "no longer controls" if lost else "does not control"
    has = f"The Axis {controls} Tebessa and {gone} of {needed} units have left the map"
    if len(taken) == len(hexes(position, "harbours")):
        return Outcome(ALLIES, "C1.11", "The Allies control both harbours")
    met = tebessa + (gone >= needed)
    if taken:
        says = f"The Allies control {city_of(position, taken[0])}, so the Axis needs both conditions. {has}"
        return Outcome(AXIS if met == 2 else ALLIES, "C1.10", says)
    asked = 1 if position.game.adopted("one-condition-or-two") == "one" else 2
    strictly = AXIS if met == 2 else ALLIES
    return Outcome(AXIS if met >= asked else ALLIES, "C1.9", has, strictly)


CONDITIONS = "C1.9 C1.10 C1.11 C1.12 C1.13 C2.8 C2.9"


@rules.on("claim", clause=CONDITIONS)
def the_winner_meets_the_conditions(position: Position, action: Action) -> Iterator[Breach]:
    """A claim is compared with the conditions when the last turn ends."""
    side, found = action.words[0], outcome(position)
    clause = "C2.8" if found.clause == "C2.9" and side == ALLIES else found.clause
    facts: Facts = {
        "claimed": side,
        "turn": position.turn,
        "harbours of the Allies": harbours_of_the_allies(position),
    }
    if campaign(position) == "C1":
        facts = {**facts, "exited": exited(position)}
    if not is_over(position):
        says = f"Victory is claimed before the game ends with turn {position.world.calendar.last_turn}."
        yield Breach(says, facts, Grade.slip, clause)
        return
    if side == found.winner:
        return
    grade = Grade.unproven if _ems_occupy(position) else Grade.slip
    claimed = (
        f"Victory of the {position.game.sides[side].adjective} side" if side in (ALLIES, AXIS) else "A draw"
    )
    says = f"{claimed} is claimed, but {_title(position, found.winner)}. {found.says}."
    details = tuple(_details(position, side, found, facts))
    if not details or clause != "C1.9":
        yield Breach(says, facts, grade, clause)
    for one in details:  # by which C1.9 is not met either
        yield evolve(one, says=f"{says} {one.says}") if clause == "C1.9" else one


def _ems_occupy(position: Position) -> bool:
    """Whether the Allies would have both harbours of the second campaign if an EM alone occupied one."""
    taken = harbours_of_the_allies(position)
    left = [where for where in hexes(position, "harbours") if where not in taken]
    second = campaign(position) == "C2" and bool(left)
    return second and all(ems_at(position, where, ALLIES) for where in left)


def _details(position: Position, side: str, found: Outcome, facts: Facts) -> Iterator[Breach]:
    """What the claim may depend on: an EM or a unit without supply, one exit too few."""
    if campaign(position) == "C2":
        return
    if side != AXIS or found.clause == "C1.11":
        return
    for where in hexes(position, "tebessa"):
        present = (*units_at(position, where, AXIS), *ems_at(position, where, AXIS))
        if present and not controls_tebessa(position):
            says = (
                f"{name_of(position, present[0].id)} does not control"
                f" Tebessa; that takes a combat unit in supply."
            )
            yield Breach(says, facts, Grade.slip, "C1.12")
    box = position.scenario.victory.text("exited_to")
    others = tuple(piece.id for piece in position.at(box) if not is_unit(position, piece))
    if others:
        says = f"{names_of(position, others)} left the map; only combat units count."
        yield Breach(says, facts, Grade.slip, "C1.13")


def _title(position: Position, side: str) -> str:
    return f"the {position.game.sides[side].title} {'have' if side == ALLIES else 'has'} won"


def is_over(position: Position) -> bool:
    """Return whether the last turn has come to its end."""
    last = position.world.calendar.last_turn
    return position.turn > last or (position.turn == last and position.phase == "end")


def winner(position: Position) -> str:
    """Return the winner, empty before the game is over."""
    return outcome(position).winner if is_over(position) else ""


@rules.entering("end")
def tebessa_is_looked_at(position: Position) -> Position:
    """Remember that the Axis controlled Tebessa at the end of a turn."""
    if campaign(position) == "C1" and controls_tebessa(position):
        return position.with_note(CONTROLLED, AXIS, True)
    return position


@rules.leaving("end", clause=CONDITIONS)
def the_winner_is_announced(position: Position) -> Breach | None:
    """The game ends when the marker moves on from the last turn."""
    if position.turn < position.world.calendar.last_turn:
        return None
    found = outcome(position)
    says = f"The game is over. {found.says}; {_title(position, found.winner)}"
    if found.strictly and found.strictly != found.winner:
        says += f"; by the strict reading of the conditions {_title(position, found.strictly)}"
    return Breach(f"{says}.", {"turn": position.turn}, Grade.slip, found.clause)
