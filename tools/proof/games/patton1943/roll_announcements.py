"""What the module of Patton's First Victory announces about rolls in battles, calculated literally."""

from __future__ import annotations

from referee.engine.position import Piece, Position
from referee.games.patton1943.battle import Fight
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.fighting import chart
from tools.proof.games.patton1943.facts import UNITS
from tools.proof.logs.declarations import Check
from tools.proof.logs.roll_announcements import RollAnnouncements
from tools.proof.playing import Step


def check(step: Step) -> Check | None:
    """What is added to a die of a battle, the total, and whether that is a hit."""
    action, position = step.action, step.before
    fight = position.battle(action.battle)
    if not isinstance(fight, Fight) or not action.dice:
        return None
    if action.verb == "roll air":
        makes = action.dice[0] + position.pieces[action.piece].factor("support")
        return Check(makes, support=makes - action.dice[0])
    if action.verb == "roll attack":
        added = chart(Board.of(position), fight.target, fight.stood)
        roller = action.pieces[0] if action.pieces else fight.unit
        factor = position.pieces[roller].factor("combat")
        return _against(action.dice[0], factor, added, _support(position, fight, fight.side))
    if action.verb == "roll defence":
        factor = _defending(position, fight)
        return _against(action.dice[0], factor, None, _support(position, fight, fight.enemy))
    return None


def _defending(position: Position, fight: Fight) -> int:
    """The factor of the attacked unit [12a]."""
    return next((_factor(piece, fight, "combat") for piece in _attacked(position, fight, *UNITS)), 0)


def _attacked(position: Position, fight: Fight, *kinds: str) -> list[Piece]:
    """The attacked pieces of some kinds that were there when the attack die was rolled."""
    if not fight.rolled:
        return Board.of(position).at(fight.target, fight.enemy, *kinds)
    return [position.pieces[name] for name in fight.defenders if position.pieces[name].counter.kind in kinds]


def _factor(piece: Piece, fight: Fight, factor: str) -> int:
    """A printed factor; for a piece that has lost a step since the attack die, the factor that
    it had then.
    """
    lost = sum(names.count(piece.id) for names in fight.suffered.values())
    return piece.counter.factor(factor, min(piece.steps + lost, piece.counter.steps))


def _support(position: Position, fight: Fight, side: str) -> int:
    """What the best two assets of a stack, and the aircraft that won, subtract from a die [10f, 11i, 12c]."""
    attacks = side == fight.side
    there = (
        Board.of(position).at(fight.stood, side, "support")
        if attacks
        else _attacked(position, fight, "support")
    )
    taking_part = [piece for piece in there if piece.id not in fight.left_out and not piece.is_("left-out")]
    ground = sorted(_factor(piece, fight, "support") for piece in taking_part)[:2]
    flying = [position.pieces[name] for name in fight.flown.get(side, ()) if name not in fight.beaten][:1]
    return sum(ground) + sum(_factor(piece, fight, "support") for piece in flying)


def _against(die: int, factor: int, chart_: int | None, support_: int) -> Check:
    """A roll of 1 always hits, one of 12 never [11m, 12g]."""
    total = die + (chart_ or 0) + support_
    hits = die == 1 or (die != 12 and total <= factor)
    return Check(total, chart_, support_, factor, "hit" if hits else "miss")


ROLL_ANNOUNCEMENTS = RollAnnouncements(check=check)
