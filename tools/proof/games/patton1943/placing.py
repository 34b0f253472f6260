"""Breaches at set-up: pieces where they may not start, before the sides declare that set-up is complete."""

from __future__ import annotations

from collections.abc import Callable, Collection

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.notes import SETTING_UP
from tools.oracles.games.patton1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment

breaker = Breaker()
GARRISON = ("it-laspezia", "it-marines", "it-messe")
PLACED = ("uk-para", "uk-6a", "de-broich", *GARRISON)
MOST = 6


def _hexes(moment: Moment, *names: str) -> set[str]:
    """The hexes of some zones, and further hexes by name."""
    zones = moment.position.game.map.zones
    return {where for name in names for where in (zones[name].hexes if name in zones else (name,))}


def _elsewhere(
    moment: Moment,
    side: str,
    fits: Callable[[Piece], bool],
    inside: Collection[str],
    outside: Collection[str],
    *,
    beside: bool = False,
) -> Broken:
    """Place pieces that fit inside some hexes and outside others, for a side that has not completed its
    set-up.

    Inside all hexes if none are named. ``beside``: enemies may be there, as they are on all crests.
    """
    position, rng = moment.position, moment.rng
    later = [step.action for step in moment.game[moment.place :] if step.action.verb == "complete"]
    if position.turn != 1 or not any(action.words == (side,) for action in later):
        return
    board, within, without = Board.of(position), _hexes(moment, *inside), _hexes(moment, *outside)
    hexes = [name for name in board.map.grid.names if board.is_ground(name) and name not in without]
    hexes = [name for name in hexes if name in within or not inside]
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


def _is_free(piece: Piece) -> bool:
    return _is_unplaced(piece) and piece.counter.formation not in (*CRESTS, "second-corps-patton")


def _is_unplaced(piece: Piece) -> bool:
    return piece.counter.kind == "unit" and piece.id not in PLACED


def _waits(piece: Piece) -> bool:
    return piece.counter.kind == "battlegroup" or piece.counter.formation == "second-corps-patton"


def _is_battlegroup(piece: Piece) -> bool:
    return piece.counter.kind == "battlegroup"


def _flies(piece: Piece) -> bool:
    return piece.counter.kind == "air"


def _named(*names: str) -> Callable[[Piece], bool]:
    return lambda piece: piece.id in names


CRESTS = ("second-corps", "eighth-army")
SET_UP = ("axis-setup",)

breaker.alike(
    _elsewhere,
    ("deploy",),
    an_allied_piece_in_tunisia=("5a", "allied", _is_free, (), ("algeria",)),
    a_piece_that_waits=("5b", "allied", _waits, ("algeria",), ()),
    the_eighth_army_off_its_crests=("5c", "allied", _crested("eighth-army", "unit"), (), ("eighth-army",)),
    the_paratroops_elsewhere=("5d", "allied", _named("uk-para"), (), ("7607",)),
    the_sixth_armoured_far_from_bone=("5e", "allied", _named("uk-6a"), (), ("near-bone",)),
    the_corps_off_its_symbols=(
        *("5g", "allied", _crested("second-corps", "unit", "support"), (), ("second-corps",)),
    ),
    allied_aircraft_off_their_airfields=("5i", "allied", _flies, (), ("allied-airfields",)),
    an_axis_piece_in_algeria=("5l", "axis", _is_unplaced, ("algeria",), CRESTS),
    an_axis_piece_on_a_crest=("5m", "axis", _is_free, CRESTS, (), {"beside": True}),
    broich_elsewhere=("5n", "axis", _named("de-broich"), SET_UP, ("8306",)),
    mareth_without_its_garrison=("5o", "axis", _named(*GARRISON), SET_UP, ("8519",)),
    axis_aircraft_off_their_airfields=("5p", "axis", _flies, (), ("axis-airfields",)),
    an_axis_battlegroup=("5r", "axis", _is_battlegroup, SET_UP, ()),
)


@breaker.breaks("5h", "complete")
def a_symbol_is_left_empty(moment: Moment) -> Broken:
    position, zone = moment.position, sorted(_hexes(moment, "second-corps"))
    if moment.action.words != ("allied",):
        return
    for where in zone:
        there = [one for one in position.at(where) if one.counter.formation == "second-corps"]
        for goal in zone if len(there) == 1 else ():
            if goal != where:
                yield Action("deploy", (there[0].id,), target=goal), moment.action


def _two_on_a_field(moment: Moment, side: str) -> Broken:
    """With an aircraft that is not moved again."""
    later = {name for step in moment.game[moment.place :] for name in step.action.pieces}
    aircraft = [piece for piece in Board.of(moment.position).pieces if piece.counter.kind == "air"]
    fields = {piece.where for piece in aircraft if piece.id not in later}
    fields &= _hexes(moment, f"{side}-airfields") - ({"8016", "7914"} if side == "allied" else set())
    yield from _elsewhere(moment, side, _flies, fields, ()) if fields else ()


breaker.alike(
    _two_on_a_field,
    ("deploy",),
    two_allied_aircraft_on_a_field=("5j", "allied"),
    two_axis_aircraft_on_a_field=("5q", "axis"),
)


@breaker.breaks("5k", "deploy")
def an_allied_piece_after_the_axis(moment: Moment) -> Broken:
    position, algeria = moment.position, sorted(_hexes(moment, "algeria"))
    if not position.note(SETTING_UP, "axis"):
        return
    board, rng = Board.of(position), moment.rng
    for piece in [one for one in position.pieces.values() if one.side == "allied" and _is_free(one)]:
        goal = rng.choice(algeria)
        if piece.where != goal and board.room(goal, piece) and not board.is_enemy_there(goal, "allied"):
            yield (Action("deploy", (piece.id,), target=goal),)


@breaker.breaks("5s", "deploy")
def an_axis_piece_beside_the_enemy(moment: Moment) -> Broken:
    board = Board.of(moment.position)
    later = [step.action.words for step in moment.game[moment.place :] if step.action.verb == "complete"]
    pieces = [one for one in moment.position.pieces.values() if one.side == "axis" and _is_free(one)]
    hexes = sorted({one.where for one in board.pieces if one.side == "allied"})
    if ("axis",) in later and ("allied",) not in later and moment.position.turn == 1:
        for piece in moment.rng.sample(pieces, min(MOST, len(pieces))):
            yield (Action("deploy", (piece.id,), target=moment.rng.choice(hexes)),)


@breaker.breaks("5s", "complete")
def two_allied_units_in_a_hex(moment: Moment) -> Broken:
    board = Board.of(moment.position)
    if moment.action.words != ("allied",):
        return
    pieces = [one for one in board.pieces if one.side == "allied" and _is_free(one)]
    for piece in pieces:
        for other in pieces:
            if other.where != piece.where and board.at(other.where, "allied", "unit"):
                yield Action("deploy", (piece.id,), target=other.where), moment.action
