"""Random positions: crowded fronts, reduced units, lost headquarters, markers, moves and one attack."""

from __future__ import annotations

from random import Random

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, World
from referee.record import At, Place, Statement
from tools.oracles.comparing import Scattering
from tools.oracles.games.tunisia1943.board import HARBOURS, TIGERS, Board
from tools.oracles.games.tunisia1943.marching import VERBS

PHASES = {"movement": 7, "exploitation": 4, "combat": 9, "supply": 3}
GARRISONS = dict(zip(("garrison-tunis", "garrison-bizerte"), HARBOURS, strict=True))
RESULTS = ("DD", "SD", "DD*", "SD*")


def scatter(world: World, rng: Random) -> tuple[Statement, ...]:
    """Return the statements that make a random position."""
    scattering = Scattering(world, rng)
    phase = rng.choices(list(PHASES), list(PHASES.values()))[0]
    side = rng.choice(["allied", "axis"])
    scattering.do(At(world.calendar.find(rng.randint(1, 7), phase, side)))
    _place(scattering)
    if phase in VERBS:
        for _ in range(rng.choice([0, 0, 1, 2])):
            _move(scattering, VERBS[phase])
    if phase == "combat":
        _attack(scattering)
    return scattering.said


def _place(scattering: Scattering) -> None:
    """Crowd units into a part of the map, with hexes that belong to either side at random, some far from the
    front.
    """
    rng, board = scattering.rng, Board(scattering.position)
    land = (*HARBOURS, *HARBOURS, "0316", "1823")
    front = scattering.front(board, lambda where: not board.is_impassable(where), land)
    owner = {name: rng.choice(["allied", "axis"]) for name in front}
    for garrison, where in GARRISONS.items():
        if owner.get(where) != "allied" and rng.random() < 0.6:
            scattering.do(Place((garrison,), where))
    share, most = rng.choice([0.1, 0.25, 0.5]), rng.choice([2, 2, 3])
    full: dict[str, int] = {}
    for piece in scattering.position.pieces.values():
        if piece.counter.kind not in ("unit", "em") or rng.random() > share:
            continue
        is_em = piece.counter.kind == "em"
        mine = [name for name in front if owner[name] == piece.side and (is_em or full.get(name, 0) < most)]
        if is_em and rng.random() < 0.15:
            scattering.do(Place((piece.id,), f"{piece.side}-lost"))
        elif mine:
            where = rng.choice(mine)
            full[where] = full.get(where, 0) + (not is_em and piece.id not in TIGERS)
            scattering.do(Place((piece.id,), where, scattering.steps(piece), _states(scattering, piece)))


def _states(scattering: Scattering, piece: Piece) -> dict[str, Mark]:
    rng, states = scattering.rng, {}
    if rng.random() < 0.15:
        states["out-of-supply"] = Mark()
    if piece.counter.kind == "unit" and rng.random() < 0.15:
        states["zoc-lost"] = Mark()
    if piece.counter.kind == "em" and piece.side == scattering.position.side and rng.random() < 0.3:
        states["sustained"] = Mark()
    return states


def _move(scattering: Scattering, verb: str) -> None:
    """Move a unit of the active side, but not over headquarters."""
    rng, board = scattering.rng, Board(scattering.position)
    mine = [piece for piece in board.pieces if piece.side == scattering.position.side]
    mine = [piece for piece in mine if piece.counter.kind != "garrison"]
    enemy = board.enemy(scattering.position.side)
    if mine:
        scattering.do_some(
            rng.choice(mine).id,
            verb,
            lambda action: not any(board.has_lone_em(name, enemy) for name in action.path),
        )


def _attack(scattering: Scattering) -> None:
    """An attack with a result that makes the defenders retreat; some of them have already retreated."""
    rng, board, side = scattering.rng, Board(scattering.position), scattering.position.side
    targets = sorted({unit.where for unit in board.combat_units(board.enemy(side))})
    able = {
        target: [unit.id for at in board.around(target) for unit in board.at(at, side, "unit")]
        for target in targets
    }
    able = {target: units for target, units in able.items() if units}
    if not able:
        return
    target = rng.choice(list(able))
    attackers = rng.sample(able[target], rng.randint(1, min(4, len(able[target]))))
    scattering.do(Action("attack", tuple(sorted(attackers)), target=target, battle=1))
    scattering.do(Action("roll combat", dice=(rng.randint(1, 6),), battle=1))
    scattering.do(Action("result", words=(rng.choice(RESULTS),), battle=1))
    for unit in board.at(target, board.enemy(side), "unit"):
        if rng.random() < 0.25:
            scattering.do_some(unit.id, "retreat")
