"""Plain facts of a position, read from the map and the counters."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.patton1943.battle import Fight
from referee.games.patton1943.notes import ATTACKED, FLOWN, MOVED
from tools.oracles.games.patton1943.board import Board
from tools.proof.breaking import Moment
from tools.proof.playing import Step

UNITS, GROUND = ("unit", "battlegroup"), ("unit", "battlegroup", "support")


def enemy(side: str) -> str:
    """Return the other side."""
    return "axis" if side == "allied" else "allied"


def on_map(position: Position, side: str = "", *kinds: str) -> list[Piece]:
    """Return the pieces of a side and of some kinds that are on the map and not flying."""
    return [
        piece
        for piece in Board.of(position).pieces
        if side in ("", piece.side) and (not kinds or piece.counter.kind in kinds) and not piece.is_("flying")
    ]


def is_fresh(position: Position, piece: Piece) -> bool:
    """Return whether a piece has not moved in this phase."""
    return (MOVED, piece.id) not in position.notes


def fights_in(position: Position) -> list[Fight]:
    """Return the battles of the phase."""
    return [battle for battle in position.battles if isinstance(battle, Fight)]


def has_attacked(position: Position, name: str) -> bool:
    """Return whether a unit or asset is or was in an attack of this player turn."""
    declared = any(name in (*one.attackers, *one.mates, *one.replaced) for one in fights_in(position))
    return declared or (ATTACKED, name) in position.notes


def has_flown(position: Position, piece: Piece) -> bool:
    """Return whether an air asset is or was in a battle of this player turn."""
    declared = any(piece.id in one.flown.get(piece.side, ()) for one in fights_in(position))
    return declared or (FLOWN, piece.id) in position.notes


def fight_after(moment: Moment) -> Fight | None:
    """Return the battle of a step, as it is after the step."""
    battle = moment.step.after.battle(moment.action.battle)
    return battle if isinstance(battle, Fight) else None


def left_as_it_is(moment: Moment, fight: Fight, *steps: Action) -> Iterator[tuple[Action, ...]]:
    """The steps, and then the end of the battle, unless the die of another battle follows, which had to wait
    [7.2d].
    """
    if not any(_is_rolled_in_another(step, fight) for step in moment.later()):
        yield *steps, Action("settle", battle=fight.number)


def _is_rolled_in_another(step: Step, fight: Fight) -> bool:
    battle = step.before.battle(step.action.battle)
    return step.action.verb == "roll attack" and battle is not None and battle.number != fight.number


def struck(moment: Moment) -> Fight | None:
    """Return the battle whose last die a step rolls."""
    fight = fight_after(moment)
    return fight if fight is not None and fight.rolled and fight.defence_die else None
