"""Set-up: where units are before the first turn."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of
from referee.games.tunisia1943.battle import is_garrison
from referee.games.tunisia1943.facts import (
    AXIS,
    LOST,
    campaign,
    ems_at,
    exit_box,
    harbour_of,
    is_em,
    is_on_map,
    is_tiger,
    is_unit,
    the_field,
    units_at,
)
from referee.games.tunisia1943.stacking import overfull
from vassalgen.game.provenance import RECONSTRUCTION, Provenance
from vassalgen.game.scenarios import Placement

rules = Section("Set-up", Provenance("rulebook", "Campaigns"))

TIGERS = {"C1": ("C1.7", "C1.8"), "C2": ("C2.6", "C2.7")}


rules.places("deploy")


def impossible(position: Position, piece: Piece) -> Iterator[tuple[str, str]]:
    """Return where a counter can never be, and where it can: a garrison never leaves its harbour."""
    home, exits = harbour_of(position, piece.id), exit_box(position)
    if is_garrison(piece) and home and piece.where not in (home, LOST[piece.side], ""):
        yield f"{piece.id} cannot be in {piece.where}", f"in {home} or {LOST[piece.side]}"
    elif is_em(piece) and exits and piece.where == exits:
        yield f"{piece.id} cannot be in {exits}", "only combat units leave the map"


@rules.on("deploy", clause="S.1")
def a_piece_is_set_up_where_the_campaign_says(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not is_beginning(position):
        says = (
            f"{name_of(position, piece.id)} is put on the map after the set-up;"
            " units come in later only as reinforcements."
        )
        return Breach(says, {"unit": piece.id, "hex": action.target})
    return _misplaced(position, piece, action.target)


@rules.leaving("sustain", clause="S.1")
def the_set_up_is_that_of_the_campaign(position: Position) -> Iterator[Breach]:
    if not is_beginning(position):
        return
    for piece in position.pieces.values():
        if breach := _misplaced(position, piece, piece.where):
            yield breach


def is_beginning(position: Position) -> bool:
    """Return whether the first player phase of the game begins."""
    return position.turn == 1 and position.clock.stop == 0


def _placement(position: Position, name: str) -> Placement | None:
    return next((one for one in position.scenario.setup if name in one.counters), None)


def _misplaced(position: Position, piece: Piece, where: str) -> Breach | None:
    """Say what is wrong with a piece's starting place; Tigers have rules of their own."""
    placement, map_ = _placement(position, piece.id), position.game.map
    if is_tiger(position, piece) and placement is not None and where in map_.grid:
        return None
    if position.game.adopted("set-up-chart") == "silent":
        return None
    facts: Facts = {"unit": piece.id, "hex": where or "none"}
    if placement is None:
        if where not in map_.grid:
            return None
        return Breach(
            f"{name_of(position, piece.id)} is set up in {where}, but is not on the map at the start of"
            " this campaign.",
            facts,
            provenance=RECONSTRUCTION,
        )
    right = map_.zones[placement.zone].hexes if placement.zone else (placement.at,)
    if where in right:
        return None
    place = map_.zones[placement.zone].title if placement.zone else placement.at
    box = map_.boxes.get(where)
    found = f"“{box.title}”" if box else where or "a box"
    return Breach(
        f"{name_of(position, piece.id)} must start in {place}, not in {found}.",
        facts,
        provenance=RECONSTRUCTION,
    )


@rules.leaving("sustain", clause="5.1b")
def the_stacking_limit_holds_at_set_up(position: Position) -> Iterator[Breach]:
    """A breach of the first turns' limit alone is unproven: the set-up itself may require it."""
    if is_beginning(position):
        for breach in overfull(position):
            grade = Grade.unproven if breach.clause == "C1.5" else Grade.illegal
            if breach.clause == "C1.5" and position.game.adopted("allied-limit-at-setup") == "no":
                continue
            yield Breach(breach.says, breach.facts, grade)


@rules.leaving("sustain", clause="C1.7 C2.6")
def one_tiger_starts_with_its_division(position: Position) -> Breach | None:
    if not is_beginning(position) or any(_is_with_division(position, tiger) for tiger in _tigers(position)):
        return None
    division = position.game.formations[position.scenario.rules.text("tiger_with")].title
    says = f"No Tiger starts with a unit of the {division}; one must."
    return Breach(says, _where(position), clause=TIGERS[campaign(position)][0])


@rules.leaving("sustain", clause="C1.8 C2.7")
def the_other_tiger_starts_on_the_west_front(position: Position) -> Iterator[Breach]:
    """One of those with the division is the first; each other one must be with a unit there."""
    if not is_beginning(position):
        return
    tigers = list(_tigers(position))
    with_division = [tiger for tiger in tigers if _is_with_division(position, tiger)]
    if with_division:
        tigers.remove(with_division[0])
    elif tigers:
        tigers.remove(min(tigers, key=lambda tiger: _is_on_front(position, tiger)))
    for tiger in tigers:
        if not _is_on_front(position, tiger):
            zone = position.game.map.zones[position.scenario.rules.text("tigers_in")].title
            says = f"{name_of(position, tiger.id)} must start with a unit in the zone “{zone}”; it does not."
            yield Breach(says, _where(position), clause=TIGERS[campaign(position)][1])


def _tigers(position: Position) -> tuple[Piece, ...]:
    return tuple(position.pieces[name] for name in sorted(the_field(position).tigers))


def _companions(position: Position, tiger: Piece) -> tuple[Piece, ...]:
    return tuple(unit for unit in units_at(position, tiger.where, AXIS) if not is_tiger(position, unit))


def _is_with_division(position: Position, tiger: Piece) -> bool:
    division = position.scenario.rules.text("tiger_with")
    pieces = list(_companions(position, tiger))
    if position.game.adopted("first-tiger") == "em-too":
        pieces += ems_at(position, tiger.where, AXIS)
    return any(piece.counter.formation == division for piece in pieces)


def _is_on_front(position: Position, tiger: Piece) -> bool:
    rules = position.scenario.rules
    companions = _companions(position, tiger)
    if position.game.adopted("other-tiger") == "other-division":
        companions = tuple(unit for unit in companions if unit.counter.formation != rules.text("tiger_with"))
    return tiger.where in position.game.map.zones[rules.text("tigers_in")].hexes and bool(companions)


def _where(position: Position) -> Facts:
    return {tiger.id: tiger.where or "off the map" for tiger in _tigers(position)}


@rules.proposes
def first_places(position: Position, piece: Piece) -> Iterator[Action]:
    """Where a piece may start."""
    placement = _placement(position, piece.id)
    if placement is None or not is_beginning(position) or is_on_map(position, piece):
        return
    if not is_em(piece) and not is_unit(position, piece):
        return
    hexes = position.game.map.zones[placement.zone].hexes if placement.zone else (placement.at,)
    yield from (Action("deploy", (piece.id,), target=where) for where in hexes)
