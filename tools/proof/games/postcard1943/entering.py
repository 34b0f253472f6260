"""Breaches at set-up and with reinforcements: wrong places, wrong turns, too many."""

from __future__ import annotations

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.postcard1943.facts import enemy, land, stack

breaker = Breaker()
NORTH = {"allied": ("B1", "C1"), "axis": ("B5", "A4")}
FROM_ALAMEIN = {"allied": "eighth-army", "axis": "alamein-army"}
ALAMEIN = {"allied": ("I1", "I2", "I3", "I4", "I5", "I6", "H5", "H6"), "axis": ("G5", "F5", "E6")}


def _deployed_wrongly(moment: Moment, names: tuple[str, ...], right: tuple[str, ...]) -> Broken:
    position = moment.position
    if position.turn == 1 and position.phase == "reinforcements":
        for name in names:
            for where in land(position):
                if where not in right:
                    yield (Action("deploy", (name,), target=where),)


breaker.alike(
    _deployed_wrongly,
    ("deploy", "next"),
    blade_force_elsewhere=("setup.1", ("blade",), ("B1",)),
    hart_force_elsewhere=("setup.2", ("hart",), ("C1",)),
    first_axis_units_elsewhere=("setup.3", ("pz10", "broich", "superga"), NORTH["axis"]),
)


@breaker.breaks("setup.5", "attack")
def meaaf_bombs_too_soon(moment: Moment) -> Broken:
    position = moment.position
    if (position.turn, position.side, position.phase) == (1, "allied", "combat"):
        yield moment.action, Action("bomb", ("meaaf",), target=moment.action.target)


def _waiting(position: Position, box: str) -> list[Piece]:
    return [
        piece for piece in position.pieces.values() if piece.where == box and piece.counter.kind == "unit"
    ]


def _free(position: Position, side: str, hexes: tuple[str, ...]) -> list[str]:
    return [where for where in hexes if not stack(position, where, enemy(side))]


@breaker.breaks("seq.1", "move", "next")
def arrives_after_the_opening(moment: Moment) -> Broken:
    """After somebody has moved; before that, the turn track may have been advanced too early.

    And if something more is done in the turn: otherwise it may belong to the next turn, with the track late.
    What happens to the other side in combat may come from an undeclared battle.
    """
    position = moment.position
    after = [step for step in moment.game[moment.place :] if step.before.turn == position.turn]
    if all(step.action.verb == NEXT.name for step in after):
        return
    late = position.phase in ("combat", "recovery") or position.side == "axis"
    moved = late or moment.did()
    if position.phase in ("movement", "combat", "recovery") and position.turn > 1 and moved:
        for side, entries in NORTH.items():
            if position.phase == "combat" and side != position.side:
                continue
            for piece in _waiting(position, f"{side}-north"):
                for where in _free(position, side, entries):
                    yield (Action("arrive", (piece.id,), target=where),)


@breaker.breaks("reinf.1", "arrive", "next")
def one_too_many_arrives(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "reinforcements" or position.turn == 1:
        return
    for side, entries in NORTH.items():
        came = sum(
            len(step.action.pieces)
            for step in moment.earlier("arrive")
            if position.pieces[step.action.piece].side == side
            and position.pieces[step.action.piece].counter.formation != FROM_ALAMEIN[side]
        )
        if came >= 2:
            for piece in _waiting(position, f"{side}-north"):
                if piece.counter.stack:
                    for where in _free(position, side, entries):
                        yield (Action("arrive", (piece.id,), target=where),)


@breaker.breaks("reinf.2", "arrive")
def two_of_one_nation_arrive(moment: Moment) -> Broken:
    position = moment.position
    first = position.pieces[moment.action.piece]
    if first.side != "allied" or first.counter.formation != "first-army" or position.turn > 3:
        return
    others = [piece for piece in _waiting(position, "allied-north") if piece.id != first.id]
    if {nation(piece) for piece in others} <= {nation(first)}:
        return
    for piece in others:
        if nation(piece) == nation(first):
            for where in _free(position, "allied", NORTH["allied"]):
                yield moment.action, Action("arrive", (piece.id,), target=where)


def nation(piece: Piece) -> str:
    """Return the nation of a unit; New Zealanders are British."""
    return {"nz": "uk"}.get(piece.counter.nation, piece.counter.nation)


@breaker.breaks("reinf.3", "arrive")
def arrives_elsewhere(moment: Moment) -> Broken:
    position, unit = moment.position, moment.position.pieces[moment.action.piece]
    if unit.counter.formation == FROM_ALAMEIN[unit.side] or len(moment.action.pieces) > 1:
        return
    for where in land(position):
        if where not in NORTH[unit.side]:
            yield (Action("arrive", (unit.id,), target=where),)


def _army(moment: Moment, side: str) -> Broken:
    position = moment.position
    if position.phase != "reinforcements" or not 1 < position.turn <= 4:
        return
    for piece in _waiting(position, f"{side}-alamein"):
        for where in land(position):
            if position.turn < 4 or where not in ALAMEIN[side]:
                yield (Action("arrive", (piece.id,), target=where),)


breaker.alike(
    _army,
    ("arrive", "next"),
    eighth_army_too_soon_or_elsewhere=("reinf.5", "allied"),
    axis_army_too_soon_or_elsewhere=("reinf.6", "axis"),
)


@breaker.breaks("reinf.1", "arrive", "next")
def a_lost_unit_comes_in_again(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "reinforcements" and position.turn > 1:
        for piece in position.pieces.values():
            if piece.where == f"{piece.side}-lost" and piece.counter.formation != FROM_ALAMEIN[piece.side]:
                for where in _free(position, piece.side, NORTH[piece.side]):
                    yield (Action("arrive", (piece.id,), target=where),)
