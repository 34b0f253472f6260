"""What leads up to a breach: attacks, their consequences, and breakthroughs that the clauses allow.

They are found by a literal reading; the rules under proof only carry them out, without a ruling.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.battle import Attack
from referee.games.tunisia1943.notes import BOUND, TRAIL, Bound
from tools.oracles.games.tunisia1943.board import TIGERS, Board
from tools.oracles.games.tunisia1943.retreating import LENGTH, Retreat
from tools.proof.games.tunisia1943.attacking import fresh, strong
from tools.proof.games.tunisia1943.facts import EM, GARRISON, UNIT, enemy
from tools.proof.playing import Step

OWN_LOSSES = {"RA": 1, "FF": 1}
THEIR_LOSSES = {"FF": 1, "DD": 1, "SD": 2}


def done(position: Position, action: Action) -> Step:
    """Return an action as a step of a game: the table after it, whatever the rules say about it."""
    played = position.play(action)
    return Step(action, position, played.position, played.ruling)


def may_attack_together(position: Position, target: str, pieces: list[Piece]) -> bool:
    """Whether units may join in an attack, however strong they are [7.1a, 7.1b, 7.1h, 8a, 8b, 4.3j]."""
    board, side = Board(position), pieces[0].side
    able = {piece.id for piece in fresh(position, side)}
    if any(piece.id not in able or piece.where not in board.around(target) for piece in pieces):
        return False
    hexes = {piece.where for piece in pieces}
    stacks = [[piece for piece in pieces if piece.where == where] for where in hexes]
    one_only = board.campaign == 1 and side == "allied" and position.turn <= 2
    for stack in stacks:
        tigers = sum(piece.id in TIGERS for piece in stack)
        if len(stack) - min(tigers, 1) > (1 if one_only else 2):
            return False
    led = {em.counter.formation for em in position.pieces.values() if em.counter.kind == EM}
    groups = {
        piece.counter.formation if piece.counter.formation in led else piece.id
        for piece in pieces
        if piece.id not in TIGERS
    }
    nations = {position.game.nations[piece.counter.nation].counts_as for piece in pieces}
    apart = board.campaign == 1 and side == "allied" and position.turn <= 3
    if len(groups) > 2 or (apart and len(nations) > 1):
        return False
    names = {piece.id for piece in pieces}
    return all(_is_kept(position, name, bound.targets, target, names) for name, bound in _bound(position))


def _bound(position: Position) -> Iterator[tuple[str, Bound]]:
    able = {piece.id for piece in fresh(position, position.side)}
    yield from ((name, bound) for name, bound in position.noted(BOUND).items() if name in able)


def _is_kept(position: Position, name: str, stoppers: tuple[str, ...], target: str, names: set[str]) -> bool:
    """Whether a unit that must attack takes part if it is this one, and does not otherwise."""
    return (target in {position.pieces[one].where for one in stoppers}) == (name in names)


def may_attack(position: Position, target: str, pieces: list[Piece]) -> bool:
    """Return whether units may attack a hex, at a ratio that allows it [7.3g]."""
    return may_attack_together(position, target, pieces) and strong(position, target, pieces)


def following(position: Position) -> list[Action]:
    """What current results require: losses, free paths of retreat, lost EMs, advances."""
    fought = [one for one in position.battles if isinstance(one, Attack) and one.rolled and not one.settled]
    return [action for attack in fought for action in _of(Board(position), attack)]


def _of(board: Board, attack: Attack) -> Iterator[Action]:
    pieces, number = board.position.pieces, attack.number
    ours = [pieces[name] for name in attack.attackers if _stands(board, pieces[name])]
    theirs = [pieces[name] for name in attack.defenders if _stands(board, pieces[name])]
    ems = [pieces[name] for name in (*attack.ems, *attack.isolated) if _stands(board, pieces[name])]
    for piece in (*_with_step_due(attack, ours), *_hit(attack, theirs)):
        yield Action("lose", (piece.id,), battle=number)
    if attack.code == "SU":
        yield from (Action("eliminate", (piece.id,), battle=number) for piece in theirs)
    if attack.isolated or not theirs:
        yield from (Action("eliminate", (em.id,), battle=number) for em in ems)
    if attack.code in LENGTH:
        yield from _back(board, attack, theirs, ems)
    yield from _forward(board, attack, ours)


def _stands(board: Board, piece: Piece) -> bool:
    return piece.where in board.map.hexes


def _with_step_due(attack: Attack, ours: list[Piece]) -> list[Piece]:
    """Attackers that still have to lose a step."""
    if attack.code == "BA":
        return [piece for piece in ours if not attack.lost.get(piece.id)]
    lost = sum(attack.lost.get(name, 0) for name in attack.attackers)
    return ours if lost < OWN_LOSSES.get(attack.code, 0) else []


def _hit(attack: Attack, theirs: list[Piece]) -> list[Piece]:
    """Defenders that still have to lose a step; a garrison loses the first [G.6]."""
    lost = sum(attack.lost.get(name, 0) for name in attack.defenders)
    if lost >= THEIR_LOSSES.get(attack.code, 0):
        return []
    return [piece for piece in theirs if piece.counter.kind == GARRISON] or theirs


def _back(board: Board, attack: Attack, theirs: list[Piece], ems: list[Piece]) -> Iterator[Action]:
    """Paths of retreat without loss, and those of EMs, which go with a companion [6.3d]."""
    company, number = [*attack.defenders, *attack.ems], attack.number
    for piece in theirs:
        if piece.counter.kind == UNIT and piece.id not in attack.retreated:
            found = Retreat(board, piece, attack.target, attack.code, company)
            for path, doubtful in found.paths.items():
                if len(path) > 1 and not doubtful and _is_free(board, piece, path, company):
                    yield Action("retreat", (piece.id,), path, battle=number)
    paths = [path for name, path in attack.retreated.items() if name in attack.defenders]
    gone = [path for path in paths if any(piece.where == path[-1] for piece in theirs)]
    for em in ems:
        if em.where == attack.target:
            yield from (Action("retreat", (em.id,), path, battle=number) for path in gone)


def _is_free(board: Board, piece: Piece, path: tuple[str, ...], company: list[str]) -> bool:
    """Whether a path has the right length, and avoids zones of control or is beside friends [7.5b, 7.5c]."""
    return all(
        board.has_friends(there, piece.side, company) or not board.is_controlled(piece.side, there)
        for there in path[1:]
    )


def _forward(board: Board, attack: Attack, ours: list[Piece]) -> Iterator[Action]:
    """Advances of attackers into a hex without enemies [7.6a, 7.6b, C1.5]."""
    emptied = not board.at(attack.target, enemy(attack.side), UNIT, EM, GARRISON)
    one_only = board.campaign == 1 and attack.side == "allied" and board.position.turn <= 2
    if not emptied or len(attack.advanced) >= (1 if one_only else 2):
        return
    for piece in ours:
        beside = piece.where in board.around(attack.target)
        if beside and piece.id not in attack.advanced and board.room(attack.target, piece):
            path = (piece.where, attack.target)
            yield Action("advance", (piece.id,), path, battle=attack.number)


def left(position: Position, piece: Piece) -> Fraction:
    """The movement points that a piece has left after what it has paid in this step."""
    trail = position.note(TRAIL, piece.id)
    spent = Fraction(trail.spent, parts(position)) if trail is not None else Fraction(0)
    return piece.counter.factor("movement", piece.steps) - spent


def parts(position: Position) -> int:
    """The fraction of a movement point in which payments are noted: all costs are whole multiples of it."""
    game = position.game
    rows = [
        row.effects for row in (*game.terrain.values(), *game.features.values(), *game.road_kinds.values())
    ]
    rows += [row.group("flooded") for row in rows if "flooded" in row]
    return lcm(*(Fraction(str(row.number("move", 1))).denominator for row in rows))


def goals(position: Position, group: list[Piece]) -> list[str]:
    """The hexes that armour in a zone of control may name as the goal of a breakthrough [4.3d, 5.1d]."""
    board, armour = Board(position), group[0]
    return [
        there
        for there in board.around(armour.where)
        if not board.is_impassable(there)
        and not board.at(there, enemy(armour.side), UNIT, EM, GARRISON)
        and all(_has(board, piece) >= board.cost(armour.where, there) for piece in group[:1])
        and board.room(there, *group)
    ]


def _has(board: Board, piece: Piece) -> Fraction:
    """The points that a piece has left, reduced by lack of supply and fuel [9.2e, C2.4]."""
    has, printed = left(board.position, piece), piece.counter.factor("movement", piece.steps)
    most = 1 if board.is_out_of_supply(piece) else printed
    if board.campaign == 2 and board.position.turn in (6, 7) and piece.side == "axis":
        most = min(most, 3)
    return has - printed + min(printed, most)
