"""Small random positions: a few pieces close together, so that rare situations come up at once."""

from __future__ import annotations

from random import Random

from attrs import define, evolve

from referee.engine.position import Piece, Position, World
from tools.oracles.games.patton1943.board import Board
from tools.proof.games.patton1943.facts import UNITS, enemy

PATTONS = "second-corps-patton"


@define
class Drawing:
    """A position being composed: waiting pieces are in the pools, all others are dead until
    they are placed.
    """

    position: Position
    rng: Random

    @classmethod
    def of(cls, world: World, rng: Random) -> Drawing:
        """Begin with an empty map."""
        position = world.rulebook.empty(world)
        for name, piece in position.pieces.items():
            if piece.counter.kind == "marker":
                continue
            waits = piece.counter.kind == "battlegroup" or piece.counter.formation == PATTONS
            box = "pool" if waits else "dead"
            position = position.with_piece(name, where=f"{piece.side}-{box}", steps=piece.counter.steps)
        return cls(position, rng)

    @property
    def board(self) -> Board:
        """The position, read literally."""
        return Board(self.position)

    def at(self, turn: int, phase: str, side: str) -> Position:
        """The finished position, in a phase."""
        return evolve(self.position, clock=self.position.world.calendar.find(turn, phase, side))

    def dead(self, side: str, *kinds: str) -> list[Piece]:
        """The pieces of a side and of some kinds that have not been placed, in random order."""
        found = [one for one in self.position.at(f"{side}-dead") if not kinds or one.counter.kind in kinds]
        return self.rng.sample(found, len(found))

    def generals(self, side: str) -> list[Piece]:
        """The generals that have not been placed."""
        return [one for one in self.dead(side, "support") if one.counter.extra.flag("general", False)]

    def put(self, piece: Piece | None, where: str, steps: int = 0) -> None:
        """Place a piece, sometimes reduced, if there is room and no enemy; None otherwise."""
        board = self.board
        if piece is None or not where or not board.room(where, piece):
            return
        if board.is_enemy_there(where, piece.side) or not board.is_ground(where):
            return
        full = piece.counter.steps
        steps = steps or (self.rng.randint(1, full) if self.rng.random() < 0.5 else full)
        self.position = self.position.with_piece(piece.id, where=where, steps=min(steps, full))

    def some(self, side: str, kind: str, where: str, likely: float = 1, steps: int = 0) -> None:
        """Place any piece of a kind, with some probability."""
        found = self.dead(side, kind)
        if found and self.rng.random() < likely:
            self.put(found[0], where, steps)

    def strongest(self, side: str, kind: str, count: int) -> list[Piece]:
        """Some of the pieces of a kind that have the highest factors and have not been placed."""
        factor = "combat" if kind == "unit" else "support"
        found = self.dead(side, kind)
        return sorted(found, key=lambda one: -abs(one.counter.factor(factor, one.counter.steps)))[:count]

    def land(self) -> str:
        """A hex surrounded by land, over hexsides that can be crossed."""
        board = self.board
        names = [name for name in board.map.grid.names if board.is_ground(name)]
        open_ = [name for name in names if len(self.around(name)) == 6]
        return self.rng.choice(open_)

    def around(self, where: str) -> list[str]:
        """The adjacent hexes that can be entered from a hex, in random order."""
        board = self.board
        found = [name for name in board.around(where) if board.is_passable(where, name)]
        return self.rng.sample(found, len(found))

    def ring(self, where: str) -> list[str]:
        """The land hexes two hexes away, in random order."""
        board = self.board
        found = sorted({far for near in board.around(where) for far in board.around(near)})
        found = [far for far in found if board.distance(where, far) == 2 and board.is_ground(far)]
        return self.rng.sample(found, len(found))

    def fields(self, side: str) -> list[str]:
        """The airfields of a side, in random order."""
        hexes = sorted(self.board.map.zones[f"{side}-airfields"].hexes)
        return self.rng.sample(hexes, len(hexes))

    def base(self, side: str, count: int) -> None:
        """Place some aircraft on free airfields of a side."""
        for where in self.fields(side):
            if count and not self.board.at(where, side, "air"):
                self.some(side, "air", where)
                count -= 1

    def scarps(self) -> list[tuple[str, str]]:
        """The hexsides that cannot be crossed, in both directions."""
        sides = self.position.game.map.hexsides.values()
        found = [tuple(one.hexes) for one in sides if "impassable" in one.features]
        board = self.board
        return [
            (here, there)
            for pair in found
            for here, there in (pair, pair[::-1])
            if board.is_ground(here) and board.is_ground(there)
        ]


def homecoming(side: str, world: World, rng: Random) -> Position:
    """Aircraft of both sides in their boxes, and in every second game enemies on most airfields
    of one side.
    """
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    drawn.base(side, 1)
    for whose in (side, opponent):
        drawn.some(whose, "unit", drawn.land())
        for piece in drawn.dead(whose, "air")[: rng.choice((1, 2))]:
            drawn.position = drawn.position.with_piece(piece.id, where=f"{whose}-returning")
    if rng.random() < 0.5:
        whose = rng.choice((side, opponent))
        free = [at for at in drawn.fields(whose) if not drawn.board.at(at, whose)]
        for where in free[rng.choice((0, 1)) :]:
            drawn.some(enemy(whose), "unit", where)
    return drawn.at(rng.choice((5, 6)), "return", side)


def losses_made_good(side: str, world: World, rng: Random, *, shut: bool = False) -> Position:
    """Reduced units, some next to enemies, and dead pieces to replace.

    ``shut``: enemies are near all airfields.
    """
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    for where in drawn.fields(side) if shut else ():
        drawn.some(opponent, "unit", drawn.around(where)[0])
    for _ in range(5):
        where = drawn.land()
        drawn.some(side, "unit", where, steps=1)
        drawn.some(side, "support", where, 0.3)
        drawn.some(opponent, "unit", drawn.around(where)[0], 0.3, steps=1)
    towns = drawn.rng.sample(drawn.board.towns("village", "port"), 4)
    for where in (*towns, *drawn.fields(side)[:2]):
        drawn.some(opponent, "unit", drawn.around(where)[0], 0.5)
    for name in ("us-art", "us-td", "de-rommel"):
        piece = drawn.position.pieces[name]
        if piece.side == side and piece.where == f"{side}-dead":
            drawn.position = drawn.position.with_piece(name, where=f"{side}-out")
    if side == "allied":
        drawn.put(drawn.position.pieces["us-patton"], drawn.land())
    return drawn.at(rng.choice((5, 6)), "replacement", side)


def cut_off(side: str, world: World, rng: Random, *, near: bool) -> Position:
    """A piece surrounded by zones of control, and others in supply, ``near`` the enemy or not."""
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    drawn.base(side, 2)
    where = drawn.land()
    drawn.some(side, "unit", where)
    board = drawn.board
    corners = [
        far for far in drawn.ring(where) if len(set(board.around(far)) & set(board.around(where))) == 2
    ]
    for far in corners:
        if not drawn.board.at(far, side) and any(
            not drawn.board.is_controlled(side, at) for at in board.around(where)
        ):
            drawn.some(opponent, "unit", far)
    for field in drawn.fields(side)[:3]:
        for at in (field, *drawn.around(field)[:1]):
            if not drawn.board.is_controlled(side, at):
                drawn.some(side, "unit", at, steps=2)
    for far in corners[:1] if near else ():
        drawn.some(side, "unit", next((at for at in drawn.around(far) if at not in corners), ""), steps=2)
    return drawn.at(rng.choice((5, 6)), "replacement", side)


def crowded(side: str, world: World, rng: Random) -> Position:
    """Units and assets in stacks close to each other and to an airfield with an air asset on it."""
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    field = drawn.fields(side)[0]
    drawn.some(side, "air", field)
    for where in (field, *drawn.around(field)[:3], *drawn.ring(field)[:2]):
        drawn.some(side, "unit", where, 0.7)
        for _ in range(2):
            drawn.some(side, "support", where, 0.8)
    for where in drawn.ring(drawn.ring(field)[0])[:3]:
        drawn.some(opponent, "unit", where, 0.7)
    drawn.base(opponent, 1)
    return drawn.at(rng.choice((5, 6)), "movement", side)


def late(world: World, rng: Random) -> Position:
    """The end of one of the last turns: Allied units in some of the ports, and Rommel still on the map."""
    drawn = Drawing.of(world, rng)
    for where in rng.sample(drawn.board.towns("port"), rng.choice((0, 1, 2, 3))):
        drawn.some("allied", "unit", where)
    drawn.put(drawn.position.pieces["de-rommel"], drawn.land())
    drawn.some("axis", "unit", drawn.land())
    drawn.some("allied", "unit", "8519", 0.3)
    drawn.put(drawn.position.pieces["us-patton"], drawn.land())
    drawn.base("allied", 1)
    drawn.base("axis", 1)
    return drawn.at(rng.choice((10, 11)), "supply", "allied")


def patton_is_near(world: World, rng: Random) -> Position:
    """The end of one of the first turns: II Corps in Tunisia, reduced and at full strength, one or two of its
    pieces dead.
    """
    drawn = Drawing.of(world, rng)
    corps = [one for one in drawn.dead("allied") if one.counter.formation == "second-corps"]
    country = {name for name, hex_ in drawn.board.map.hexes.items() if hex_.country == "Tunisia"}
    for piece in corps[rng.choice((0, 1, 2)) :]:
        where = next(at for at in iter(drawn.land, "") if at in country or rng.random() < 0.2)
        drawn.put(piece, where)
    for kind in UNITS[:1] * 3:
        drawn.some("allied", kind, drawn.land())
        drawn.some("axis", kind, drawn.land())
    drawn.base("allied", 1)
    drawn.base("axis", 1)
    return drawn.at(rng.choice((1, 2, 2, 3)), "supply", "allied")


def patton_waits(world: World, rng: Random) -> Position:
    """The replacement phase of one of the first turns: reduced units of II Corps and others."""
    drawn = Drawing.of(world, rng)
    corps = [one for one in drawn.dead("allied", "unit") if one.counter.formation == "second-corps"]
    for piece in (*corps[:2], *drawn.dead("allied", "unit")[:2]):
        drawn.put(piece, drawn.land(), steps=1)
    drawn.some("axis", "unit", drawn.land())
    drawn.base("allied", 1)
    return drawn.at(rng.choice((1, 2)), "replacement", "allied")
