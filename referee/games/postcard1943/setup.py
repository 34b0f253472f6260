"""Set-up: where units are before the first turn."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import listed, name_of
from referee.engine.zones import indices
from referee.games.postcard1943.facts import limit, put, the_field, units_at, weight
from referee.games.postcard1943.reinforcements import waiting_box
from vassalgen.game.provenance import Provenance
from vassalgen.game.scenarios import Placement

rules = Section("Set-up", Provenance("rulebook", "Setup"))

ALONE = {"setup.1": "blade", "setup.2": "hart"}


def impossible(position: Position, piece: Piece) -> Iterator[tuple[str, str]]:
    """Return what a unit can never be, and what would be right: stuck on dry land, Disrupted
    although immune.
    """
    grid, prepared = position.game.map.grid, the_field(position)
    in_swamp = piece.where in grid and prepared.swamps >> grid.index[piece.where] & 1
    if piece.is_("stuck") and not in_swamp:
        swamps = listed([grid.names[at] for at in indices(prepared.swamps)], "or")
        where = f"in {piece.where}, which is not a swamp" if piece.where in grid else "off the map"
        yield f"{piece.id} cannot be stuck {where}", f"in {swamps}"
    if piece.is_("disrupted") and prepared.is_(piece.id, "undisruptable"):
        yield f"{piece.id} can never be disrupted", "without the state"


@rules.does("deploy")
def deploy(position: Position, action: Action) -> Position:
    """Put the unit on the map."""
    return put(position, action.piece, action.target)


@rules.on("deploy", clause="setup.1 setup.2 setup.3")
def set_up_is_before_the_first_turn(position: Position, action: Action) -> Breach | None:
    if position.turn == 1 and position.phase == "reinforcements":
        return None
    clause = {unit: clause for clause, unit in ALONE.items()}.get(action.piece, "setup.3")
    says = (
        f"{name_of(position, action.piece)} is set up in {action.target} after the game has begun;"
        " set-up ends before the first turn."
    )
    return Breach(says, {"unit": action.piece, "hex": action.target}, clause=clause)


@rules.on("deploy", clause="setup.1 setup.2 setup.3")
def first_units_start_where_they_must(position: Position, action: Action) -> Breach | None:
    return _misplaced(position, action.piece, action.target)


@rules.leaving("reinforcements", clause="setup.1 setup.2 setup.3")
def set_up_is_right_when_the_game_begins(position: Position) -> Iterator[Breach]:
    """Checked once, when the first player turn begins."""
    if position.turn != 1:
        return
    for name in ALONE.values():
        if breach := _misplaced(position, name, position.pieces[name].where):
            yield breach
    units = the_field(position).units
    for piece in position.pieces.values():
        on_map = piece.where in position.game.map.grid
        starts = _placement(position, piece.id) is not None
        if piece.id not in units or piece.id in ALONE.values() or not (on_map or starts):
            continue
        if breach := _misplaced(position, piece.id, piece.where):
            yield breach
    if position.game.adopted("setup-stacking") == "holds":
        for where in position.by_place:
            yield from _too_many(position, where)


@rules.leaving("reinforcements", clause="setup.3")
def the_others_wait_in_their_own_box(position: Position) -> Iterator[Breach]:
    """Before the first player turn counters may be sorted into boxes; they may arrive from any box:
    bookkeeping.
    """
    if position.turn != 1:
        return
    boxes, units = position.game.map.boxes, the_field(position).units
    from_start = position.game.adopted("desert-af-arrival") == "from-start"
    for unit, piece in position.pieces.items():
        home, box = boxes.get(waiting_box(position, unit)), boxes.get(piece.where)
        if home and box and box != home and (unit in units or not from_start):
            says = f"{name_of(position, unit)} begins the game in “{box.title}”; it waits in “{home.title}”."
            yield Breach(says, {"unit": unit, "box": box.id}, Grade.slip)


def _too_many(position: Position, where: str) -> Iterator[Breach]:
    for side in position.game.sides:
        total = weight(position, where, side)
        if where in position.game.map.grid and total > limit(position):
            says = f"The stack in {where} counts {total} at set-up; the limit is {limit(position)}."
            stack = tuple(piece.id for piece in units_at(position, where, side))
            yield Breach(says, {"hex": where, "units": stack, "weight": total}, clause="setup.3")


def _placement(position: Position, unit: str) -> Placement | None:
    for placement in position.scenario.setup:
        if unit in placement.counters and (placement.at in position.game.map.grid or placement.zone):
            return placement
    return None


def _misplaced(position: Position, unit: str, where: str) -> Breach | None:
    """Say that a unit that starts in one place must start in another, if it must."""
    clause = {unit: clause for clause, unit in ALONE.items()}.get(unit)
    if clause is None:
        return _in_the_towns(position, unit, where)
    placement = _placement(position, unit)
    right = placement.at if placement else ""
    if where == right:
        return None
    says = f"{name_of(position, unit)} must start in {right}; it is {_place(position, where)}."
    return Breach(says, {"unit": unit, "hex": where or "none"}, clause=clause)


def _place(position: Position, where: str) -> str:
    """Say where a unit is."""
    box = position.game.map.boxes.get(where)
    return f"in {box.title if box else where}" if where else "off the map"


def _in_the_towns(position: Position, unit: str, where: str) -> Breach | None:
    placement, name = _placement(position, unit), name_of(position, unit)
    facts = {"unit": unit, "hex": where or "none"}
    if placement is None:
        says = f"{name} is in {where} at the start; it does not start on the map."
        return Breach(says, facts, clause="setup.3")
    zone = position.game.map.zones[placement.zone]
    if where in zone.hexes:
        return None
    towns = listed(zone.hexes, "or")
    says = f"{name} must start in {towns}; it is {_place(position, where)}."
    return Breach(says, facts, clause="setup.3")


@rules.proposes
def first_places(position: Position, piece: Piece) -> Iterator[Action]:
    """Where a unit may start."""
    placement = _placement(position, piece.id)
    if placement and position.turn == 1 and position.phase == "reinforcements":
        zone = position.game.map.zones[placement.zone].hexes if placement.zone else (placement.at,)
        yield from (Action("deploy", (piece.id,), target=where) for where in zone if where != piece.where)
