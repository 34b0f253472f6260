"""Retreats and advances as the clauses describe them, and what a result leaves undone."""

from __future__ import annotations

from itertools import pairwise

from referee.engine.position import Piece, Position
from tools.oracles.board import remembered
from tools.oracles.comparing import Scene
from tools.oracles.games.postcard1943.board import LIMIT, Board, stack_weight
from tools.oracles.games.postcard1943.fighting import Fight, fights_of, with_markers

MOST = 2
GRADES = ("legal", "unproven", "illegal")


class Aftermath:
    """A scene after some dice: its battles, and the board with every marker that they require."""

    def __init__(self, scene: Scene) -> None:
        self.position: Position = scene.position
        self.fights = [fight for fight in fights_of(scene.history) if fight.die]
        self.board = Board.of(self.position)
        self.marked = Board(with_markers(self.position, self.fights))

    @classmethod
    def of(cls, scene: Scene) -> Aftermath:
        """The aftermath of a scene, always the same one."""
        return remembered(scene.position, cls, lambda: cls(scene))

    def fight(self, number: int) -> Fight:
        """Return a battle by its number."""
        return next(fight for fight in self.fights if fight.number == number)

    # ------------------------------------------------------------------ retreats

    def retreat(self, fight: Fight, unit: str, path: tuple[str, ...]) -> str:
        """Rule on a retreat of which every step is known."""
        piece = self.position.pieces[unit]
        if unit not in fight.defenders or fight.result in ("AE", "AD", "BD", "DE"):
            return "illegal"
        length = fight.gone.get(unit, 0) + len(path) - 1
        goes_on = fight.result == "DR" and length < MOST
        if length > MOST or (fight.result == "D" and fight.advanced):
            return "illegal"
        if not all(self._step(fight, piece, here, there) for here, there in pairwise(path)):
            return "illegal"
        if not goes_on and self._is_full(piece, path[-1]):
            return "illegal"
        if fight.result == "DR" and not goes_on and self._distance(fight.target, path[-1]) < MOST:
            return "illegal" if self._routs(fight, unit, far=True) else "unproven"
        return "unproven" if fight.no_retreat else "legal"

    def drag(self, fight: Fight, unit: str, end: str) -> str:
        """Rule on a retreat of which only the end is known, by the best path to it."""
        start = self.position.pieces[unit].where
        paths: list[tuple[str, ...]] = [(start, end)] if end in self.board.around(start) else []
        paths += [
            (start, middle, end) for middle in self.board.around(start) if end in self.board.around(middle)
        ]
        grades = [self.retreat(fight, unit, path) for path in paths]
        return min(grades, key=GRADES.index, default="illegal")

    def _step(self, fight: Fight, piece: Piece, here: str, there: str) -> bool:
        """Return whether a step is open to a retreat [retreat.1, retreat.2, move.4, move.5, move.15]."""
        if not self.board.crosses(piece, here, there) or self.board.is_held_against(piece.side, there):
            return False
        stood = [fight.then.pieces[name] for name in fight.attackers if name not in fight.lost]
        return not any(self.board.crosses(attacker, attacker.where, there) for attacker in stood)

    def _is_full(self, piece: Piece, where: str) -> bool:
        if stack_weight(piece) == 0 or piece.where == where:
            return False
        return self.board.weight(where, piece.side) + stack_weight(piece) > LIMIT

    def _distance(self, start: str, end: str) -> int:
        near = self.board.around(start)
        return 0 if start == end else 1 if end in near else 2 if self._common(near, end) else 3

    def _common(self, near: list[str], end: str) -> bool:
        return any(name in self.board.around(end) for name in near)

    def paths(self, fight: Fight, unit: str, length: int) -> list[tuple[str, ...]]:
        """Every path of a certain length out of the target."""
        piece = self.position.pieces[unit]
        found: list[tuple[str, ...]] = [(fight.target,)]
        for _ in range(length):
            found = [
                (*path, there)
                for path in found
                for there in self.board.around(path[-1])
                if there not in path and self._step(fight, piece, path[-1], there)
            ]
        return [path for path in found if not self._is_full(piece, path[-1])]

    def _routs(self, fight: Fight, unit: str, *, far: bool) -> bool:
        """Return whether a rout has a path, or one that ends two hexes from its start [crt.7]."""
        paths = self.paths(fight, unit, MOST)
        return any(not far or self._distance(fight.target, path[-1]) == MOST for path in paths)

    # ------------------------------------------------------------------ advances

    def advance(self, fight: Fight, unit: str, path: tuple[str, ...]) -> str:
        """Rule on an advance of which every step is known."""
        piece = self.position.pieces[unit]
        if unit not in fight.attackers or self.board.is_held_against(piece.side, fight.target):
            return "illegal"
        if self._is_full(piece, path[-1]):
            return "illegal"
        steps = path if unit in fight.advanced else path[1:]
        if steps[0] != fight.target or len(steps) > MOST:
            return "illegal"
        return "legal" if len(steps) == 1 or self._second(piece, *steps) else "illegal"

    def _second(self, piece: Piece, here: str, there: str) -> bool:
        """Return whether a second hex is open to an advance [advance.3, advance.4]."""
        board = self.board
        if not board.is_armour(piece) or self.marked.threats(piece.side, here):
            return False
        if not board.crosses(piece, here, there) or board.is_held_against(piece.side, there):
            return False
        return bool(board.roads(here, there)) or board.map.hexes[there].terrain == "clear"

    def must_advance(self, fight: Fight) -> bool:
        """Return whether an attacker has yet to enter a hex emptied by force [advance.2]."""
        if self.board.is_held_against(fight.side, fight.target) or fight.advanced:
            return False
        if fight.result not in ("Dr", "DR", "DE") and not fight.is_on_churchills_alone:
            return False
        results = [other for other in self.fights if other.number <= fight.number]
        board = Board(with_markers(self.position, results))
        return any(self._could_advance(fight, board, board.position.pieces[unit]) for unit in fight.attackers)

    def _could_advance(self, fight: Fight, board: Board, piece: Piece) -> bool:
        if piece.id in fight.lost or piece.where not in self.board.map.hexes:
            return False
        room = self.board.weight(fight.target, piece.side) + stack_weight(piece) <= LIMIT
        return room and board.is_sound(piece) and board.could_act(piece, fight.target)

    # ------------------------------------------------------------------ what is left undone

    def undone(self, fight: Fight) -> dict[str, str]:
        """Return, by clause, the grade of what the result requires and was not done."""
        found: dict[str, str] = {}
        if fight.is_on_churchills_alone:
            if "nih" not in fight.lost:
                found["church.3"] = "illegal"
        else:
            self._stayed(fight, found)
            if fight.result == "DE" and set(fight.defenders) - set(fight.lost):
                found["crt.8"] = "illegal"
        self._unmarked(fight, found)
        bad_for_churchills = fight.result in ("BD", "AD", "AE") and "nih" in fight.attackers
        if bad_for_churchills and "nih" not in fight.lost:
            found["church.2"] = "illegal"
        if fight.result == "AE" and fight.losses() != "legal":
            found["crt.2"] = fight.losses()
        if self.must_advance(fight):
            found["advance.2"] = "illegal"
        return found

    def _stayed(self, fight: Fight, found: dict[str, str]) -> None:
        length = {"Dr": 1, "DR": 2}.get(fight.result, 0)
        clause = {"Dr": "crt.6", "DR": "crt.7"}.get(fight.result, "")
        for unit in fight.defenders:
            if unit in fight.lost or fight.gone.get(unit, 0) >= length:
                continue
            paths = self.paths(fight, unit, length)
            here = self.position.pieces[unit].where
            is_end = not self._routs(fight, unit, far=True) and any(path[-1] == here for path in paths)
            if paths and not (unit in fight.gone and is_end):
                found[clause] = "illegal"
            elif fight.result == "DR":
                found.setdefault(clause, "unproven")

    def _unmarked(self, fight: Fight, found: dict[str, str]) -> None:
        clauses = {"AD": "crt.3", "BD": "crt.4", "D": "crt.5", "Dr": "crt.6", "DR": "crt.7"}
        for unit in fight.disrupts():
            is_lost = unit in fight.lost or self.position.pieces[unit].is_("disrupted")
            stands = fight.result in ("Dr", "DR") and unit not in fight.gone
            if not is_lost and not stands:
                found[clauses[fight.result]] = "illegal"
