"""Breaches at the end of game turns: Patton's arrival, the exchange of II Corps, Rommel's recall."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.notes import OWNER
from tools.oracles.games.patton1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import on_map

breaker = Breaker()
LATEST, MARETH = 3, "8519"


@breaker.breaks("16a", "roll patton")
def no_roll_for_patton(moment: Moment) -> Broken:
    if moment.position.turn < LATEST:
        yield (Action("next"),)


def _corps(moment: Moment) -> list[Piece]:
    """The units of II Corps on the map."""
    units = on_map(moment.position, "allied", "unit")
    return [one for one in units if one.counter.formation == "second-corps"]


def _in_tunisia(moment: Moment) -> int:
    """How many of them are in Tunisia."""
    hexes = moment.position.game.map.hexes
    return sum(hexes[one.where].country == "Tunisia" for one in _corps(moment))


def _landings(moment: Moment) -> Iterator[Action]:
    """Patton placed with each unit of II Corps whose hex has room for him."""
    patton = moment.position.pieces["us-patton"]
    for piece in _corps(moment):
        if Board.of(moment.position).room(piece.where, patton):
            yield Action("arrive", (patton.id,), target=piece.where)


@breaker.breaks("16b", "roll patton")
def patton_comes_on_too_high_a_die(moment: Moment) -> Broken:
    count = _in_tunisia(moment)
    if moment.position.turn < LATEST and count < 11:
        roll = Action("roll patton", dice=(moment.rng.randint(count + 2, 12),))
        for landing in _landings(moment):
            yield roll, landing


@breaker.breaks("16b", "roll patton")
def patton_stays_on_a_low_die(moment: Moment) -> Broken:
    count = _in_tunisia(moment)
    if moment.position.turn < LATEST and count:
        yield Action("roll patton", dice=(moment.rng.randint(1, count),)), Action("next")


@breaker.breaks("16c", "arrive")
def patton_lands_elsewhere(moment: Moment) -> Broken:
    patton = moment.position.pieces["us-patton"]
    for piece in on_map(moment.position, "allied", "unit"):
        other = not piece.counter.formation.startswith("second-corps")
        if other and Board.of(moment.position).room(piece.where, patton):
            yield (Action("arrive", (patton.id,), target=piece.where),)


@breaker.breaks("16d", "arrive", "roll patton")
def patton_is_late(moment: Moment) -> Broken:
    if moment.position.turn == LATEST and _corps(moment):
        yield (Action("next"),)


@breaker.breaks("16e", "swap")
def a_unit_of_the_corps_is_not_exchanged(moment: Moment) -> Broken:
    if moment.position.pieces[_twin(moment)].where != "allied-dead":
        yield (Action("next"),)


def _twin(moment: Moment) -> str:
    """The piece of II Corps that is replaced by the one being placed."""
    return moment.action.piece.removesuffix("-2s")


@breaker.breaks("16f", "swap")
def the_new_piece_shows_the_wrong_side(moment: Moment) -> Broken:
    new = moment.step.after.pieces[moment.action.piece]
    if new.counter.steps == 2:
        yield moment.action, Action("rebuild" if new.steps == 1 else "lose", (new.id,))


@breaker.breaks("16g", "swap")
def what_stands_for_the_dead_comes_in_anywhere(moment: Moment) -> Broken:
    """To an open hex that is no village, instead of to its own village."""
    position, board = moment.position, Board.of(moment.position)
    if position.pieces[_twin(moment)].where != "allied-dead":
        return
    piece = position.pieces[moment.action.piece]
    for where in board.around(moment.action.target):
        free = board.room(where, piece) and not board.is_enemy_there(where, "allied")
        if free and board.is_ground(where) and where not in board.towns("village"):
            yield (Action("swap", (piece.id,), target=where),)


@breaker.breaks("16h", "rebuild", "reclaim", "next")
def patton_comes_before_his_time(moment: Moment) -> Broken:
    """At the end of the third turn he comes in any case: the turn track may have been advanced too late."""
    position = moment.position
    waits = position.pieces["us-patton"].where == "allied-pool" and position.turn < LATEST
    if waits and position.side == "allied" and position.phase in ("replacement", "supply") and moment.did():
        for landing in _landings(moment):
            yield (landing,)


@breaker.breaks("17a", "roll rommel")
def no_roll_for_rommel(moment: Moment) -> Broken:
    yield (Action("next"),)


def _ports(moment: Moment) -> int:
    """How many ports hold an Allied unit."""
    board = Board.of(moment.position)
    return sum(bool(board.at(where, "allied", "unit", "battlegroup")) for where in board.towns("port"))


def _is_at_mareth(moment: Moment) -> bool:
    """Return whether any piece on the map could give Mareth to the Allies, or has been there."""
    return (OWNER, MARETH) in moment.position.notes or bool(Board.of(moment.position).at(MARETH, "allied"))


def _recalled(moment: Moment, above: int) -> Broken:
    """Rommel is recalled on a die that exceeds the number of ports by a certain amount."""
    rommel, count = moment.position.pieces["de-rommel"], _ports(moment)
    if rommel.where in moment.position.game.map.grid and count + above <= 12:
        roll = Action(
            "roll rommel", dice=(moment.rng.randint(count + above, 12 if above > 1 else count + 1),)
        )
        yield roll, Action("recall", (rommel.id,))


@breaker.breaks("17b", "roll rommel")
def rommel_is_recalled_on_too_high_a_die(moment: Moment) -> Broken:
    return _recalled(moment, 2)


@breaker.breaks("17b", "roll rommel")
def rommel_stays_on_a_low_die(moment: Moment) -> Broken:
    rommel, count = moment.position.pieces["de-rommel"], _ports(moment)
    if rommel.where in moment.position.game.map.grid and count:
        yield Action("roll rommel", dice=(moment.rng.randint(1, count),)), Action("next")


@breaker.breaks("17c", "roll rommel")
def rommel_is_recalled_for_mareth_that_is_not_allied(moment: Moment) -> Broken:
    if not _is_at_mareth(moment):
        yield from _recalled(moment, 1)
