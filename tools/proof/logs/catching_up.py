"""What the rules do by themselves, done by hand on the table: markers, and counters sent to a box."""

from __future__ import annotations

from attrs import define, field

from referee.engine.idiom import Idiom
from referee.engine.position import Piece, Position
from tools.proof.logs.board import LoggedPiece
from tools.proof.logs.counter_actions import CounterActions
from tools.proof.logs.writer import LogWriter
from vassalgen import announcements


@define(eq=False)
class CatchingUp:
    """Makes the table catch up with the game. ``seen`` is each counter when both last agreed."""

    writer: LogWriter
    counter_actions: CounterActions
    idiom: Idiom
    seen: dict[str, tuple[Piece, LoggedPiece]] = field(factory=dict)

    @property
    def _kept(self) -> set[str]:
        """The states that stay on counters as long as a battle lasts, or that are set when a move is
        announced.
        """
        declared = [one for one in self.writer.game.declarations.values() if one.state]
        return {one.state for one in declared if one.about == "battle" or one.id in self.idiom.announced}

    def catch_up(self, position: Position) -> None:
        """Make the table show what the rules did by themselves: markers, and changes of box.

        A counter that has changed neither in the game nor on the table since then is still right.
        """
        pieces = self.writer.board.pieces
        for name, piece in position.pieces.items():
            if name not in pieces:
                continue
            seen = self.seen.get(name)
            if seen is None or seen[0] is not piece or seen[1] is not pieces[name]:
                self._put_one_right(name, piece)
                pieces = self.writer.board.pieces
                self.seen[name] = piece, pieces[name]

    def _put_one_right(self, name: str, piece: Piece) -> None:
        game, one = self.writer.game, self.writer.board.pieces[name]
        is_on_map = piece.where in game.map.grid
        if is_on_map or piece.where in self.idiom.lost:
            for state, known in game.states.items():
                shown, mark = one.value(announcements.state_property(state)), piece.states.get(state)
                if piece.counter.kind not in known.kinds:
                    continue
                if known.is_count:
                    left = mark.level if mark is not None else known.most(piece.counter)
                    is_right = shown in (None, str(left))
                else:
                    is_shown = shown not in (None, "0")
                    is_right = is_shown == (mark is not None) or (is_shown and state in self._kept)
                    is_right |= not is_shown and self._is_left_unmarked(piece, state)
                if not is_right:
                    self.counter_actions.state(name, state, on=mark is not None)
        elif piece.where and not one.spot.name.startswith(self.writer.spot(name, piece.where).name):
            self.counter_actions.drag((name,), piece.where)

    def _is_left_unmarked(self, piece: Piece, state: str) -> bool:
        """Whether players do not mark a state that an action implies: only the first side is so careful."""
        return state in self.idiom.implied and piece.side != next(iter(self.writer.game.sides))
