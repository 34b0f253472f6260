"""Random positions: crowded fronts, full stacks, states of all kinds, moves made and attacks begun."""

from __future__ import annotations

from random import Random

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.clock import Clock, Date
from referee.engine.position import Mark, Piece, World
from referee.record import At, Place, Statement
from tools.oracles.comparing import Scattering
from tools.oracles.games.postcard1943.board import LIMIT, Board, stack_weight
from tools.oracles.games.postcard1943.fighting import Fight, fights_of
from tools.oracles.games.postcard1943.recovering import recovers

PHASES = {"movement": 9, "combat": 11, "recovery": 1, "end": 2}
ENTRIES = {"allied": ("B1", "C1"), "axis": ("B5", "A4")}


def scatter(world: World, rng: Random) -> tuple[Statement, ...]:
    """Return the statements that make a random position."""
    scattering = Scattering(world, rng)
    phase = rng.choices(list(PHASES), list(PHASES.values()))[0]
    side = "" if phase == "end" else rng.choice(["allied", "axis"])
    clock = world.calendar.find(rng.randint(1, 7), phase, side)
    scattering.do(At(clock))
    place(scattering, strict=False)
    if phase == "movement":
        _arrive(scattering, clock)
        for _ in range(rng.choice([0, 0, 1, 2, 5])):
            _move(scattering)
    if phase == "combat":
        for number in range(1, rng.choice([2, 2, 3, 4])):
            _attack(scattering, number)
    return scattering.said


def place(scattering: Scattering, *, strict: bool) -> None:
    """Crowd units into a part of the map, with hexes that belong to either side at random.

    ``strict``: over the whole map, within the stacking limits, and without aircraft.
    """
    rng, board = scattering.rng, Board(scattering.position)
    land = [name for name in board.map.grid.names if board.is_land(name)]
    sources = rng.sample(["B1", "C1", "A4", "B5", "H6"], rng.choice([0, 0, 1, 3]))
    front = land if strict else [*scattering.front(board, board.is_land), *sources]
    owner = {name: rng.choice(["allied", "axis"]) for name in front}
    share, most = rng.choice([0.3, 0.6, 0.95]), rng.choice([LIMIT, LIMIT, LIMIT, LIMIT + (not strict)])
    for piece in scattering.position.pieces.values():
        if piece.counter.kind == "air" and not strict and rng.random() < 0.3:
            scattering.do(Place((piece.id,), rng.choice(land)))
        if piece.counter.kind != "unit" or rng.random() > share:
            continue
        mine = [name for name in front if owner[name] == piece.side]
        room = [name for name in mine if _fits(scattering, piece, name, most)]
        if room:
            where = rng.choice(room)
            scattering.do(Place((piece.id,), where, states=_states(scattering, piece, board.is_swamp(where))))


def _fits(scattering: Scattering, piece: Piece, where: str, most: int) -> bool:
    return Board(scattering.position).weight(where, piece.side) + stack_weight(piece) <= most


def _states(scattering: Scattering, piece: Piece, swamp: bool) -> dict[str, Mark]:
    rng, now = scattering.rng, scattering.position.date
    since = Date(max(1, now.turn - rng.choice([0, 0, 1, 2])), rng.choice(["allied", "axis"]))
    if scattering.world.calendar.number(since) > scattering.world.calendar.number(now):
        since = now
    states = {}
    if (
        scattering.position.phase in ("movement", "combat")
        and recovers(scattering.position, piece, since) != "illegal"
    ):
        since = now  # otherwise only its marker would have been forgotten
    if piece.id != "broich" and rng.random() < 0.25:
        states["disrupted"] = Mark(since=since)
    if swamp and rng.random() < 0.4:
        own = Date(now.turn, piece.side)
        number = scattering.world.calendar.number
        last = own if number(own) <= number(now) else Date(now.turn - 1, piece.side)
        # one from before its side's last player turn would only be forgotten [terrain.7]
        states["stuck"] = Mark(since=since if number(since) >= number(last) else now)
    if piece.side == "allied" and rng.random() < 0.1:
        states["lent"] = Mark()
    return states


def _arrive(scattering: Scattering, clock: Clock) -> None:
    """Some units that have entered on this turn."""
    rng, position = scattering.rng, scattering.position
    waiting = [p for p in position.pieces.values() if p.counter.kind == "unit" and not p.where]
    coming = [p for p in waiting if p.side == position.side]
    if not coming or rng.random() < 0.4:
        return
    scattering.do(At(evolve(clock, stop=0)))
    for piece in rng.sample(coming, min(2, len(coming))):
        north = piece.counter.formation in ("first-army", "panzer-army")
        where = rng.choice(ENTRIES[piece.side]) if north else rng.choice(["H6", "G5"])
        if not Board(scattering.position).is_held_against(piece.side, where):
            scattering.do(Action("arrive", (piece.id,), target=where))
    scattering.do(At(clock))


def _move(scattering: Scattering) -> None:
    """Move a unit, and roll for it if it came into a swamp."""
    rng = scattering.rng
    mine = Board(scattering.position).mine(scattering.position.side)
    unit = rng.choice(mine).id if mine else ""
    moved = unit and scattering.do_some(unit, "move")
    if moved and Board(scattering.position).is_swamp(scattering.position.pieces[unit].where):
        scattering.do(Action("roll swamp", (unit,), dice=(rng.randint(1, 6),)))


def _attack(scattering: Scattering, number: int) -> None:
    """An attack, up to its die, and some of what follows."""
    rng, board, side = scattering.rng, Board(scattering.position), scattering.position.side
    fought = {fight.target for fight in fights_of(scattering.history)}
    targets = {unit.where for unit in board.against(side)} - fought
    able = {
        target: [u.id for u in board.mine(side) if board.is_sound(u) and board.could_act(u, target)]
        for target in sorted(targets)
    }
    able = {target: units for target, units in able.items() if units}
    if not able:
        return
    target = rng.choice(list(able))
    count = rng.randint(1, len(able[target]))
    attackers = tuple(sorted(rng.sample(able[target], count)))
    scattering.do(Action("attack", attackers, target=target, battle=number))
    if rng.random() < 0.4:
        _fly(scattering, number, target)
    if rng.random() < 0.2:
        scattering.do(Action("no retreat", battle=number))
    if rng.random() < 0.2:
        scattering.do(Action("roll press", dice=(rng.randint(1, 6),), battle=number))
    if rng.random() < 0.9:
        scattering.do(Action("roll combat", dice=(rng.randint(1, 6),), battle=number))
        _follow(scattering, number)


def _fly(scattering: Scattering, number: int, target: str) -> None:
    """Bombers over the target, perhaps intercepted; their hits are marked."""
    rng, side = scattering.rng, scattering.position.side
    actions = [
        each.statement.content for each in scattering.history if isinstance(each.statement.content, Action)
    ]
    flown = {name for action in actions for name in action.pieces}
    air = [piece for piece in scattering.position.pieces.values() if piece.counter.kind == "air"]
    air = [piece for piece in air if piece.id not in flown]
    bombers = [p.id for p in air if p.side == side and rng.random() < 0.7]
    interceptors = [p.id for p in air if p.side != side and rng.random() < 0.3]
    for name in bombers:
        scattering.do(Action("bomb", (name,), target=target))
    if not bombers:
        return
    for name in interceptors:
        scattering.do(Action("intercept", (name,), target=target))
    through = []
    for name in bombers:
        die = rng.randint(1, 6)
        if interceptors:
            scattering.do(Action("roll air-battle", (name,), dice=(die,)))
        if not interceptors or die <= 3:
            through.append(name)
    for unit in Board(scattering.position).at(target, "axis" if side == "allied" else "allied"):
        for _ in through:
            die = rng.randint(1, 6)
            scattering.do(Action("roll bombing", (unit.id,), dice=(die,), battle=number))
            if die <= 3 and unit.id != "broich":
                scattering.do(Action("disrupt", (unit.id,), battle=number))


def _follow(scattering: Scattering, number: int) -> None:
    """Some of what a result requires or allows; sometimes something is left out or done wrongly."""
    rng = scattering.rng
    fight = next(fight for fight in fights_of(scattering.history) if fight.number == number)
    _mark(scattering, fight)
    for unit in fight.defenders:
        if fight.result in ("D", "Dr", "DR") and rng.random() < 0.6:
            _step(scattering, fight, "retreat", unit)
    if rng.random() < 0.5:
        for unit in fight.attackers:
            _step(scattering, fight, "advance", unit)


def _mark(scattering: Scattering, fight: Fight) -> None:
    rng, number = scattering.rng, fight.number
    for unit in fight.disrupts():
        if rng.random() < 0.75:
            scattering.do(Action("disrupt", (unit,), battle=number))
    lost = fight.defenders if fight.result == "DE" or fight.is_on_churchills_alone else ()
    if fight.result in ("AE", "AD", "BD"):
        lost = (*lost, *(unit for unit in fight.attackers if unit == "nih"))
    for unit in lost:
        if rng.random() < 0.8:
            scattering.do(Action("eliminate", (unit,), battle=number))
    if fight.result == "AE":
        for unit in fight.attackers:
            if unit != "nih" and rng.random() < 0.4:
                scattering.do(Action("eliminate", (unit,), battle=number))


def _step(scattering: Scattering, fight: Fight, verb: str, unit: str) -> None:
    """A retreat or an advance that the rules list, or sometimes only its first hex."""
    if scattering.position.pieces[unit].where not in scattering.position.game.map.hexes:
        return
    found = [action for action in scattering.listed(unit, verb) if action.battle == fight.number]
    if found:
        action = scattering.rng.choice(found)
        if scattering.rng.random() < 0.2:
            action = evolve(action, path=action.path[:2])
        scattering.do(action)
