"""What players do besides: nudge counters, clear trails, place markers of their own, drag others along, roll
again.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from tools.proof.habits import MARKED, NUDGED, ROLLED_AGAIN, SWEPT_ALONG, WIPED
from tools.proof.habits.handling import HandlingLogger
from tools.proof.habits.steps import is_by_hand
from tools.proof.logs.board import MARKER
from tools.proof.playing import Step
from vassalgen.vassal.commands import AddPiece, Command, RemovePiece
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState


@define(eq=False)
class FiddlingLogger(HandlingLogger):
    """Plays the steps of a game as players with some habits do."""

    markers: list[str] = field(factory=list)
    """The ids of pieces that players put on the map as markers."""

    def _try_out(self, step: Step) -> None:
        super()._try_out(step)
        if NUDGED in self.careless and self.rng.random() < 0.1:
            self._nudge()
        if WIPED in self.careless and self.rng.random() < 0.1:
            self._wipe()

    def _on_map(self) -> list[str]:
        game = self.writer.game
        return [
            one
            for one in self.writer.board.pieces
            if self._place(one) in game.map.grid and one in game.counters
        ]

    def _nudge(self) -> None:
        """Drag a counter a little within its hex, without any report."""
        if names := self._on_map():
            name = self.rng.choice(names)
            spots = {name: self.writer.board.pieces[name].spot}
            self.writer.mark()
            self.writer.step(*self.writer.board.drag((name,), spots, self.writer.seat(name).password))

    def _wipe(self) -> None:
        """Remove all trails and marks of moved counters during the phase."""
        board, found = self.writer.board, list[Command]()
        self.writer.mark()
        for name in self._on_map():
            found += board.change(name, board.end_of_way(name))
        self.writer.step(*found)

    def _do_in_turn(self, step: Step) -> None:
        super()._do_in_turn(step)
        rolls = step.action.verb == self.idiom.roll and ROLLED_AGAIN in self.careless
        if rolls and self.rng.random() < 0.5:
            self._stray()

    def _attack(self, step: Step) -> None:
        super()._attack(step)
        if MARKED in self.careless and step.action.target in self.writer.game.map.grid:
            self._lay_a_marker(step)

    def _lay_a_marker(self, step: Step) -> None:
        """Place a marker of the player's own on a hex that is attacked."""
        spot = self.writer.spot(step.action.piece, step.action.target)
        piece = Piece.of((BasicPiece(name="Target"), BasicPieceState(map=spot.map, x=spot.x, y=spot.y)))
        self._lay(piece)

    def _lay(self, piece: Piece) -> None:
        """Place a piece that is removed when the phase ends."""
        type_text, state_text = piece.encode()
        self.markers.append(f"{MARKER}{self.writer.number}")
        self.writer.mark()
        self.writer.step(AddPiece(id=self.markers[-1], type=type_text, state=state_text))
        state = piece.basic_state
        self.writer.board.join_stack(self.markers[-1], (state.map or "", state.x, state.y))

    def _end(self, step: Step) -> None:
        for marker in self.markers:
            self.writer.mark()
            self.writer.step(RemovePiece(id=marker))
            self.writer.board.leave_stack(marker)
        self.markers.clear()
        super()._end(step)

    def _drag(self, step: Step) -> None:
        if not self._sweeps_along(step):
            super()._drag(step)

    def _sweeps_along(self, step: Step) -> bool:
        """Drag counters over a hex with friends, which are dragged along by mistake and put back."""
        action, pieces = step.action, self.writer.board.pieces
        is_move = is_by_hand(step, self.idiom) and not step.before.battles and len(action.path) > 2
        can = is_move and not action.dragged and action.verb not in self.idiom.entries
        if SWEPT_ALONG not in self.careless or not can or len(self.lines) in self.walked:
            return False
        start, places = action.path[0], {self._place(name) for name in action.pieces}
        side = step.before.pieces[action.piece].side
        swept: Sequence[str] = ()
        for here in action.path[1:-1]:
            swept = [one.id for one in step.before.at(here) if one.side == side and one.id in pieces]
            swept = [one for one in swept if one not in action.pieces and self._place(one) == here]
            if swept and places == {start}:
                self._along(action.pieces, [here])
                self.counter_actions.drag([*action.pieces, *swept], action.path[-1])
                self.counter_actions.drag(swept, here)
                return True
        return False
