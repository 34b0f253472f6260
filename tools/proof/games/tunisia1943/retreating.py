"""Breaches in retreats and losses: unpaid, past friends, into full hexes; garrisons spared, others hit
instead.
"""

from __future__ import annotations

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece
from referee.games.tunisia1943.battle import Attack
from tools.oracles.games.tunisia1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.aiming import aimed
from tools.proof.games.tunisia1943.attacking import attacks_of, open_attacks
from tools.proof.games.tunisia1943.facts import GARRISON, UNIT, enemy, units
from tools.proof.games.tunisia1943.fights import FACES, consequence
from tools.proof.games.tunisia1943.legal_actions import done
from tools.proof.games.tunisia1943.results import after, path_out, retreating, rolled, standing

breaker = Breaker()
ON = Action(NEXT.name)
AFTER = ("lose", "retreat", "advance", "next", "lose zoc", "eliminate")
SPARING = ("BA", "RA", "FA")
"""Results that cost the defenders no step."""
HEMMED = 2
"""The steps that a unit loses if it cannot retreat."""


def _exits(board: Board, attack: Attack, piece: Piece) -> tuple[list[str], list[str]]:
    """The hexes to which a retreat can lead: all, and those of them without a loss [7.5b, 7.5c]."""
    company = (*attack.defenders, *attack.ems)
    open_ = path_out(board, attack)
    return open_, [
        there
        for there in open_
        if board.has_friends(there, piece.side, company) or not board.is_controlled(piece.side, there)
    ]


def _is_paid(attack: Attack) -> bool:
    """Return whether exactly the step was lost that a disordered defence costs."""
    return attack.code == "DD" and sum(attack.lost.get(name, 0) for name in attack.defenders) == 1


@consequence(breaker, "7.5a", "lose", "eliminate")
def units_hemmed_in_lose_too_little(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    for attack, piece in retreating(position):
        ring = board.around(attack.target)
        opponents = [there for there in ring if board.at(there, board.enemy(piece.side), "unit", "em")]
        if len(opponents) == len(ring) == 6 and attack.lost.get(piece.id, 0) < HEMMED:
            yield (ON,)


@consequence(breaker, "7.5b", "lose", "retreat", "eliminate")
def through_zones_of_control_for_nothing(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    for attack, piece in retreating(position):
        open_, free = _exits(board, attack, piece)
        for there in open_ if _is_paid(attack) and not free else ():
            if board.room(there, piece):
                yield (after(attack, "retreat", piece, there), ON)


@consequence(breaker, "7.5c", "lose", "retreat", "eliminate")
def past_a_friend_for_nothing(moment: Moment) -> Broken:
    """If zones of control cover all hexes, including those with friends."""
    position, board = moment.position, Board(moment.position)
    for attack, piece in retreating(position):
        open_, free = _exits(board, attack, piece)
        covered = free and all(board.is_controlled(piece.side, there) for there in free)
        first = _is_paid(attack) and not attack.retreated
        for there in set(open_) - set(free) if first and covered else ():
            yield (after(attack, "retreat", piece, there),)


@consequence(breaker, "7.5e", "lose", "retreat", "eliminate")
def a_retreat_into_a_full_hex(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    for attack, piece in retreating(position):
        _, free = _exits(board, attack, piece)
        for there in free if attack.code == "DD" else ():
            if not board.room(there, piece):
                yield (after(attack, "retreat", piece, there), ON)


@consequence(breaker, "7.1f", *AFTER)
def two_hexes_suffer(moment: Moment) -> Broken:
    """After the last die and before the next attack, so that the loss belongs to that one, whose own
    defenders have already lost their steps.
    """
    position, grid = moment.position, moment.position.game.map.grid
    known = {name for one in attacks_of(position) for name in one.defenders}
    last = list(attacks_of(position))[-1:]
    for attack in last if last == list(rolled(position))[-1:] else ():
        for piece in units(position, enemy(attack.side)) if _is_paid(attack) else ():
            beside = grid.distance(piece.where, attack.target) == 1
            if beside and piece.id not in known and piece.steps > 1:
                yield (after(attack, "lose", piece),)


@consequence(breaker, "0.1j", *AFTER)
def a_unit_of_four_steps_goes_at_once(moment: Moment) -> Broken:
    """It loses all its steps for the one that the attackers lose."""
    position = moment.position
    for attack in rolled(position):
        one = attack.code in ("BA", "RA", "FF") and not attack.lost and not attack.retreated
        for piece in standing(position, attack.attackers) if one else ():
            if piece.counter.pieces > 1 and piece.steps > 1:
                yield (after(attack, "eliminate", piece),)


def _is_on_a_garrison(board: Board, attack: Attack) -> bool:
    """Return whether only the garrison of a harbour is attacked."""
    there = board.at(attack.target, board.enemy(attack.side), UNIT, GARRISON)
    return bool(there) and all(piece.counter.kind == GARRISON for piece in there)


@aimed(breaker, "G.5", _is_on_a_garrison)
def into_a_harbour_that_its_garrison_holds(moment: Moment) -> Broken:
    """After a result that costs the defenders no step: the garrison would lose the first one [G.6]."""
    position, board = moment.position, Board(moment.position)
    for attack in open_attacks(position):
        for face in FACES if _is_on_a_garrison(board, attack) else ():
            rolled = done(position, Action("roll combat", dice=(face,), battle=attack.number))
            fought = rolled.after.battle(attack.number)
            if not isinstance(fought, Attack) or fought.code not in SPARING:
                continue
            for piece in standing(position, attack.attackers):
                yield (rolled.action, after(attack, "advance", piece, attack.target))


@consequence(breaker, "G.6", "lose", "eliminate")
def a_garrison_is_spared(moment: Moment) -> Broken:
    """Only among the defenders: everything else that the result costs has been lost."""
    position = moment.position
    for attack in rolled(position):
        garrison = [name for name in attack.defenders if position.pieces[name].counter.kind == GARRISON]
        alive = garrison and position.pieces[garrison[0]].where == attack.target
        mine = [name for name in attack.defenders if name not in garrison]
        none = not any(attack.lost.get(name) for name in attack.defenders)
        if alive and none and attack.code in ("FF", "DD"):
            for piece in standing(position, tuple(mine)):
                if piece.steps > 1 and piece.counter.kind == UNIT:
                    yield (after(attack, "lose", piece), ON)
