"""Crowds of counters in which rules can be broken at once: scattered around a place, or in a ring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from attrs import evolve, frozen

from referee.engine.position import Mark, Piece, Position, World
from tools.oracles.games.tunisia1943.board import HARBOURS, TIGERS, Board
from tools.proof.games.tunisia1943.facts import EM, GARRISON, UNIT, enemy, is_armour

SIDES = ("allied", "axis")
CLOSING = ("end",)
FIRST = 2
"""The first turn of a crowd: in a log that begins one turn earlier, no unit can have been lost already."""
LAND = 26
"""How many hexes around a place are fought over."""


@frozen
class Crowd:
    """Units of both sides crowded together around a place, their headquarters among them.

    It begins in a ``phase``, of some ``turns`` and a ``side`` if they are given, otherwise in one of the
    second side of the turn or, if it is not ``late``, of either. ``land`` is the number of hexes. ``marked``
    units are out of supply; of the EMs some are ``face_down``, some ``lost``, and one is ``sustained``.
    ``thin``: of each division one unit with its last step; ``harbour``: around a harbour with its garrison,
    alone or not; ``shut``: hexes held by the enemy of the ``side``; ``fours``: units of four steps come
    first; ``nation``: its units do; ``tigers``: one Tiger is in a full hex and the other beside it, in combat
    with enemies around them.
    """

    phase: str
    turns: tuple[int, ...] = ()
    side: str = ""
    late: bool = True
    land: int = LAND
    marked: float = 0.15
    face_down: float = 0.0
    lost: float = 0.0
    sustained: bool = False
    thin: bool = False
    harbour: bool = False
    tigers: bool = False
    shut: tuple[str, ...] = ()
    fours: bool = False
    nation: str = ""

    def __call__(self, world: World, rng: Random) -> Position:
        """Make one."""
        position = self._beginning(world, rng)
        board = Board(position)
        here = list(around(board, rng.choice(HARBOURS if self.harbour else _land(board)), self.land))
        owner = {where: rng.choice(SIDES) for where in here}
        if self.harbour:
            owner |= {here[0]: "axis"} | {
                where: "allied" for where in board.around(here[0]) if where in owner
            }
            position = position.with_piece(_garrison(position, here[0]), where=here[0])
        room = {where: _room(position, owner[where]) for where in here}
        if self.harbour:
            room[here[0]] = rng.choice((0, room[here[0]]))
        names = _known(world, rng)
        if self.thin:
            names = _thinned(position, names)
        if self.fours:
            names.sort(key=lambda name: position.pieces[name].counter.pieces, reverse=True)
        if self.nation:
            names.sort(key=lambda name: position.pieces[name].counter.nation == self.nation, reverse=True)
        if (self.tigers or self.harbour) and self.side == "allied":
            names.sort(key=lambda name: _is_armour_of(position.pieces[name], "allied"), reverse=True)
        if self.tigers:
            about = "allied" if self.phase == "combat" else self.side
            position = _with_tigers(position, board, owner, room, about)
        if self.shut:
            opponents = [name for name in names if position.pieces[name].counter.kind == UNIT]
            opponents = [name for name in opponents if position.pieces[name].side == enemy(self.side)]
            for name, where in zip(opponents, self.shut, strict=False):
                position = position.with_piece(name, where=where)
                room[where] = 0
        for name in sorted(names, key=lambda name: position.pieces[name].counter.kind == EM):
            if not position.pieces[name].where:
                position = self._placed(position, name, owner, room, rng)
        if self.sustained:
            ems = [
                em for em in position.pieces.values() if em.counter.kind == EM and em.side == position.side
            ]
            free = [
                em for em in ems if em.where in owner and not em.counter.extra.flag("panzer_division", False)
            ]
            for em in free[:1]:
                position = position.with_state(em.id, "sustained", Mark())
        return _with_losses(position, _known(world, rng))

    def _beginning(self, world: World, rng: Random) -> Position:
        turn = rng.choice(self.turns or range(FIRST, world.calendar.last_turn + 1))
        side = self.side or (world.calendar.order[-1] if self.late else rng.choice(world.calendar.order))
        side = "" if self.phase in CLOSING else side
        clock = world.calendar.find(turn, self.phase, side)
        return evolve(world.rulebook.empty(world), clock=clock)

    def _placed(
        self, position: Position, name: str, owner: dict[str, str], room: dict[str, int], rng: Random
    ) -> Position:
        piece = position.pieces[name]
        is_em = piece.counter.kind == EM
        if is_em and rng.random() < self.lost:
            return position.with_piece(name, where=f"{piece.side}-lost")
        hexes = [at for at in owner if owner[at] == piece.side and (is_em or room[at])]
        if not hexes or (is_em and piece.counter.formation not in _led(position)):
            return position
        where = rng.choice(hexes)
        room[where] -= not is_em
        states = {"out-of-supply": Mark()} if rng.random() < self.marked else {}
        if is_em and rng.random() < self.face_down:
            states["artillery-left"] = Mark(0)
        least = min(2, piece.counter.steps) if self.fours else 1
        steps = 1 if self.thin else rng.randint(least, piece.counter.steps)
        return position.with_piece(name, where=where, steps=steps, states=states)


@frozen
class Ring:
    """A stack in the middle of six hexes, in combat, and some more units farther away.

    ``about`` says what is in each of the six: ``F`` enemies that may move, ``O`` friends, as many as fit,
    ``.`` nothing. They may be rotated. ``weak``: the stack is one unit with its last step.
    """

    about: str
    weak: bool = False

    def __call__(self, world: World, rng: Random) -> Position:
        """Make one."""
        side = world.calendar.order[-1]
        clock = world.calendar.find(rng.randint(FIRST, world.calendar.last_turn), "combat", side)
        position = evolve(world.rulebook.empty(world), clock=clock)
        board = Board(position)
        middle = rng.choice([where for where in _land(board) if _is_open_around(board, where)])
        ring = _in_turn(board, board.around(middle))
        turned = rng.randrange(len(ring))
        holds = dict(zip((*ring[turned:], *ring[:turned]), self.about, strict=True))
        own = enemy(side)
        owner = {where: side if what == "F" else own for where, what in holds.items() if what != "."}
        owner[middle] = own
        room = {where: _room(position, held) for where, held in owner.items()}
        if self.weak:
            room[middle] = 1
        beyond = [where for where in around(board, middle, LAND) if where not in (middle, *ring)]
        for name in _known(world, rng):
            piece = position.pieces[name]
            hexes = [where for where in owner if owner[where] == piece.side and room[where]]
            if not hexes or piece.counter.kind == EM:
                continue
            where = max(hexes, key=lambda where: room[where]) if piece.side == side else hexes[-1]
            room[where] -= 1
            steps = 1 if self.weak and where == middle else rng.randint(1, piece.counter.steps)
            position = position.with_piece(name, where=where, steps=steps)
        led = _led(position)
        for piece in position.pieces.values():
            if piece.counter.kind == EM and piece.counter.formation in led:
                position = position.with_piece(piece.id, where=rng.choice(beyond))
        return _with_losses(position, _known(world, rng))


@frozen
class Beginning:
    """The set-up of the campaign."""

    def __call__(self, world: World, rng: Random) -> Position:
        """Make one."""
        return world.rulebook.start(world)


def around(board: Board, middle: str, count: int) -> Iterator[str]:
    """A hex, and a number of the nearest hexes that can be held."""
    found = [middle]
    for where in found:
        yield where
        if len(found) < count:
            found += [at for at in board.around(where) if at not in found and not board.is_impassable(at)]


def _land(board: Board) -> list[str]:
    return [name for name in board.map.grid.names if not board.is_impassable(name)]


def _is_open_around(board: Board, where: str) -> bool:
    """Whether all six hexes around a hex can be held, and no crest keeps zones of control out
    of any of them.
    """
    ring = board.around(where)
    return len(ring) == 6 and not any(
        board.is_impassable(at) or "crest" in board.lies(where, at) for at in ring
    )


def _with_losses(position: Position, names: Iterable[str]) -> Position:
    """The position with the units that have no hex among the losses."""
    for name in names:
        piece = position.pieces[name]
        if not piece.where:
            position = position.with_piece(name, where=f"{piece.side}-lost")
    return position


def _led(position: Position) -> set[str]:
    """The divisions and armies of the units on the map."""
    grid = position.game.map.grid
    return {piece.counter.formation for piece in position.pieces.values() if piece.where in grid}


def _in_turn(board: Board, ring: list[str]) -> list[str]:
    """The six hexes around another, each next to the one before."""
    found = ring[:1]
    while len(found) < len(ring):
        found.append(next(at for at in ring if at in board.around(found[-1]) and at not in found))
    return found


def _room(position: Position, side: str) -> int:
    early = position.scenario.id == "campaign1" and position.turn < 3
    return 1 if side == "allied" and early else 2


def _known(world: World, rng: Random) -> list[str]:
    """The units and EMs of a scenario, in random order."""
    groups = [one.counters for one in world.scenario.setup]
    groups += [one.counters for one in world.scenario.arrivals]
    names = [name for group in groups for name in group if world.game.counters[name].kind in (UNIT, EM)]
    names = list(dict.fromkeys(names))
    rng.shuffle(names)
    return names


def _thinned(position: Position, names: Iterable[str]) -> list[str]:
    """The EMs, and of each division one unit."""
    units: dict[str, str] = {}
    ems = []
    for name in sorted(names, key=lambda name: position.pieces[name].counter.steps):
        piece = position.pieces[name]
        if piece.counter.kind == EM:
            ems.append(name)
        else:
            units.setdefault(piece.counter.formation, name)
    return [*units.values(), *ems]


def _is_armour_of(piece: Piece, side: str) -> bool:
    return piece.side == side and is_armour(piece)


def _garrison(position: Position, where: str) -> str:
    for one in position.scenario.setup:
        for name in one.counters if one.at == where else ():
            if position.pieces[name].counter.kind == GARRISON:
                return name
    raise LookupError(f"there is no garrison in {where}")


def _with_tigers(
    position: Position, board: Board, owner: dict[str, str], room: dict[str, int], side: str
) -> Position:
    """One Tiger in a hex with two units, the other one next to it; a side holds the hexes around them."""
    mine = [where for where in owner if owner[where] == "axis"]
    pairs = [(one, other) for one in mine for other in board.around(one) if other in mine]
    if not pairs:
        return position
    one, other = pairs[0]
    owner |= {at: side for where in (one, other) for at in board.around(where) if at in owner}
    owner |= {one: "axis", other: "axis"}
    full = [p.id for p in position.pieces.values() if p.side == "axis" and p.counter.kind == UNIT]
    for name in [name for name in full if name not in TIGERS][:2]:
        position = position.with_piece(name, where=one)
    room[one] = 0
    return position.with_piece(TIGERS[0], where=one).with_piece(TIGERS[1], where=other)
