"""Set-up broken: pieces where they may not start, before the sides say that they have set up."""

from __future__ import annotations

from collections.abc import Callable

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.notes import SETTING_UP
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import board_of

breaker = Breaker()
PLACED = ("uk-para", "uk-6a", "de-broich", "it-laspezia", "it-marines", "it-messe")
MOST = 6


def _elsewhere(
    moment: Moment,
    fits: Callable[[Piece], bool],
    where: Callable[[str], bool],
    side: str,
    *,
    beside: bool = False,
) -> Broken:
    """Put pieces that fit on hexes that do, by a side that has not yet said that it has set up.

    ``beside``: enemies may be there, as they are on all crests.
    """
    position, rng = moment.position, moment.rng
    later = [step.action for step in moment.game[moment.place :] if step.action.verb == "complete"]
    if position.turn != 1 or not any(action.words == (side,) for action in later):
        return
    board = board_of(position)
    hexes = [name for name in board.map.grid.names if board.is_ground(name) and where(name)]
    pieces = [piece for piece in position.pieces.values() if piece.side == side and fits(piece)]
    for _ in range(MOST if hexes and pieces else 0):
        piece, goal = rng.choice(pieces), rng.choice(hexes)
        if (beside or not board.is_enemy_there(goal, side)) and piece.where != goal:
            yield (Action("deploy", (piece.id,), target=goal),)


def _crested(formation: str, *kinds: str) -> Callable[[Piece], bool]:
    def fits(piece: Piece) -> bool:
        named = piece.counter.formation == formation and piece.counter.kind in kinds
        return named and piece.id not in PLACED

    return fits


def _zone(moment: Moment, *zones: str) -> set[str]:
    known = moment.position.game.map.zones
    return {name for zone in zones for name in known[zone].hexes}


def _is_free(piece: Piece) -> bool:
    crests = ("eighth-army", "second-corps", "second-corps-patton")
    return piece.counter.kind == "unit" and piece.counter.formation not in crests and piece.id not in PLACED


@breaker.breaks("5a", "deploy")
def an_allied_piece_in_tunisia(moment: Moment) -> Broken:
    algeria = _zone(moment, "algeria")
    return _elsewhere(moment, _is_free, lambda at: at not in algeria, "allied")


@breaker.breaks("5b", "deploy")
def a_piece_that_waits(moment: Moment) -> Broken:
    algeria = _zone(moment, "algeria")
    return _elsewhere(
        moment,
        lambda piece: piece.counter.kind == "battlegroup" or piece.counter.formation == "second-corps-patton",
        lambda at: at in algeria,
        "allied",
    )


@breaker.breaks("5c", "deploy")
def the_eighth_army_off_its_crests(moment: Moment) -> Broken:
    zone = _zone(moment, "eighth-army")
    return _elsewhere(moment, _crested("eighth-army", "unit"), lambda at: at not in zone, "allied")


@breaker.breaks("5d", "deploy")
def the_paratroops_elsewhere(moment: Moment) -> Broken:
    return _elsewhere(moment, lambda piece: piece.id == "uk-para", lambda at: at != "7607", "allied")


@breaker.breaks("5e", "deploy")
def the_sixth_armoured_far_from_bone(moment: Moment) -> Broken:
    zone = _zone(moment, "near-bone")
    return _elsewhere(moment, lambda piece: piece.id == "uk-6a", lambda at: at not in zone, "allied")


@breaker.breaks("5g", "deploy")
def the_corps_off_its_symbols(moment: Moment) -> Broken:
    zone = _zone(moment, "second-corps")
    fits = _crested("second-corps", "unit", "support")
    return _elsewhere(moment, fits, lambda at: at not in zone, "allied")


@breaker.breaks("5h", "complete")
def a_symbol_is_left_empty(moment: Moment) -> Broken:
    position, zone = moment.position, sorted(_zone(moment, "second-corps"))
    if moment.action.words != ("allied",):
        return
    for where in zone:
        there = [one for one in position.at(where) if one.counter.formation == "second-corps"]
        for goal in zone if len(there) == 1 else ():
            if goal != where:
                yield Action("deploy", (there[0].id,), target=goal), moment.action


@breaker.breaks("5i", "deploy")
def allied_aircraft_off_their_airfields(moment: Moment) -> Broken:
    zone = _zone(moment, "allied-airfields")
    return _elsewhere(moment, lambda piece: piece.counter.kind == "air", lambda at: at not in zone, "allied")


def _two_on_a_field(moment: Moment, side: str) -> Broken:
    """With an aircraft that is not moved on."""
    later = {name for step in moment.game[moment.place :] for name in step.action.pieces}
    aircraft = [piece for piece in board_of(moment.position).pieces if piece.counter.kind == "air"]
    fields = {piece.where for piece in aircraft if piece.id not in later}
    fields &= _zone(moment, f"{side}-airfields") - ({"8016", "7914"} if side == "allied" else set())
    return _elsewhere(moment, lambda piece: piece.counter.kind == "air", lambda at: at in fields, side)


breaker.alike(
    _two_on_a_field,
    ("deploy",),
    two_allied_aircraft_on_a_field=("5j", "allied"),
    two_axis_aircraft_on_a_field=("5q", "axis"),
)


@breaker.breaks("5l", "deploy")
def an_axis_piece_in_algeria(moment: Moment) -> Broken:
    algeria, corps = _zone(moment, "algeria"), _zone(moment, "second-corps", "eighth-army")
    return _elsewhere(
        moment,
        lambda piece: piece.counter.kind == "unit" and piece.id not in PLACED,
        lambda at: at in algeria and at not in corps,
        "axis",
    )


@breaker.breaks("5m", "deploy")
def an_axis_piece_on_a_crest(moment: Moment) -> Broken:
    zone = _zone(moment, "second-corps", "eighth-army")
    return _elsewhere(moment, _is_free, lambda at: at in zone, "axis", beside=True)


@breaker.breaks("5n", "deploy")
def broich_elsewhere(moment: Moment) -> Broken:
    zone = _zone(moment, "axis-setup")
    return _elsewhere(moment, lambda piece: piece.id == "de-broich", lambda at: at in zone - {"8306"}, "axis")


@breaker.breaks("5o", "deploy")
def mareth_without_its_garrison(moment: Moment) -> Broken:
    zone, garrison = _zone(moment, "axis-setup"), ("it-laspezia", "it-marines", "it-messe")
    return _elsewhere(moment, lambda piece: piece.id in garrison, lambda at: at in zone - {"8519"}, "axis")


@breaker.breaks("5p", "deploy")
def axis_aircraft_off_their_airfields(moment: Moment) -> Broken:
    zone = _zone(moment, "axis-airfields")
    return _elsewhere(moment, lambda piece: piece.counter.kind == "air", lambda at: at not in zone, "axis")


@breaker.breaks("5r", "deploy")
def an_axis_battlegroup(moment: Moment) -> Broken:
    zone = _zone(moment, "axis-setup")
    return _elsewhere(
        moment, lambda piece: piece.counter.kind == "battlegroup", lambda at: at in zone, "axis"
    )


@breaker.breaks("5k", "deploy")
def an_allied_piece_after_the_axis(moment: Moment) -> Broken:
    position, algeria = moment.position, sorted(_zone(moment, "algeria"))
    if not position.note(SETTING_UP, "axis"):
        return
    board, rng = board_of(position), moment.rng
    for piece in [one for one in position.pieces.values() if one.side == "allied" and _is_free(one)]:
        goal = rng.choice(algeria)
        if piece.where != goal and board.room(goal, piece) and not board.is_enemy_there(goal, "allied"):
            yield (Action("deploy", (piece.id,), target=goal),)


@breaker.breaks("5s", "deploy")
def an_axis_piece_beside_the_enemy(moment: Moment) -> Broken:
    board = board_of(moment.position)
    later = [step.action.words for step in moment.game[moment.place :] if step.action.verb == "complete"]
    pieces = [one for one in moment.position.pieces.values() if one.side == "axis" and _is_free(one)]
    hexes = sorted({one.where for one in board.pieces if one.side == "allied"})
    if ("axis",) in later and ("allied",) not in later and moment.position.turn == 1:
        for piece in moment.rng.sample(pieces, min(MOST, len(pieces))):
            yield (Action("deploy", (piece.id,), target=moment.rng.choice(hexes)),)


@breaker.breaks("5s", "complete")
def two_allied_units_in_a_hex(moment: Moment) -> Broken:
    board = board_of(moment.position)
    if moment.action.words != ("allied",):
        return
    pieces = [one for one in board.pieces if one.side == "allied" and _is_free(one)]
    for piece in pieces:
        for other in pieces:
            if other.where != piece.where and board.at(other.where, "allied", "unit"):
                yield Action("deploy", (piece.id,), target=other.where), moment.action
