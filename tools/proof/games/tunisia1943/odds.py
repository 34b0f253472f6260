"""Odds calculated literally without one clause, and announced like that."""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import number
from referee.games.tunisia1943.battle import Attack
from tools.oracles.games.tunisia1943.board import TIGERS, Board
from tools.oracles.games.tunisia1943.fighting import COLUMNS, LAST, Fight, passes
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.aiming import aimed
from tools.proof.games.tunisia1943.attacking import open_attacks
from tools.proof.games.tunisia1943.facts import enemy, is_armour
from tools.proof.games.tunisia1943.fights import consequence

breaker = Breaker()
FIGHTERS = ("unit", "garrison")
SUMMED = ("7.2b", "7.2c", "9.2b", "9.2c", "G.2", "7.1g", "11d", "11e", "7.3b", "7.3c")
TESTED = ("12d", "12e", "12f", "9.2d", "C1.4", "G.3", "0.1f")
AIMED = (*TESTED, "2.1b", "7.3f")
"""Clauses that decide few attacks."""
TOTALS = range(2, 13)
ROLLED = ("6.2g", "6.2i", "2.1a", "2.1b", "7.3f", "7.3h")


@frozen
class Sums:
    """The strengths of both sides, the column, and the modifier of the die."""

    attack: Fraction
    defence: Fraction
    column: str
    die: int

    @property
    def words(self) -> tuple[str, ...]:
        """The announcement of the odds: the column first."""
        return self.column, f"attack {number(self.attack)}", f"defence {number(self.defence)}"


class Calculation(Fight):
    """An attack before its die, without one clause, with everything declared for it."""

    def __init__(self, board: Board, declared: Attack, without: str = "") -> None:
        super().__init__(board, declared.target, declared.attackers, without)
        self.declared = declared

    def sums(self) -> Sums:
        """Calculate the odds."""
        reached = self.natural + self.shift()
        die = self.ground + self._artillery() + self.beyond(reached)
        return Sums(self.attack, self.defence, COLUMNS[min(max(reached, 0), LAST)], die)

    def shift(self) -> int:
        """The columns by which aviation and armour shift the ratio."""
        return self._air() + self._armour()

    def _air(self) -> int:
        mine, his = (
            self.declared.air.get(side, 0) for side in (self.declared.side, enemy(self.declared.side))
        )
        if self.without == "11e":
            return 0
        if self.without == "11d":
            return mine or -his
        return mine - his

    def _armour(self) -> int:
        armour = [piece for piece in self.attackers if is_armour(piece)]
        if not armour or not self.declared.tests:
            return 0
        stopped = self._is_stopped(self.declared.tests[0])
        if self.without in ("7.3b", "7.3c"):
            stopped = self.without == "7.3b" or (stopped and self.without != "7.3c")
        return 0 if stopped else 1

    def _is_stopped(self, total: int) -> bool:
        if any(piece.id in TIGERS for piece in self.defenders("unit")) and self.without != "12f":
            return True
        tigers = sum(piece.id in TIGERS for piece in self.attackers)
        kinds = ("unit",) if self.without == "G.3" else ("unit", "garrison")
        return any(passes(self.board, piece, total, tigers, self.without) for piece in self.defenders(*kinds))

    def _artillery(self) -> int:
        pieces = self.board.position.pieces
        if self.without == "6.2g":
            return 0
        placed = {name: count for name, count in self.declared.artillery.items() if count}
        mine = [count for name, count in placed.items() if pieces[name].side == self.declared.side]
        his = [count for name, count in placed.items() if pieces[name].side != self.declared.side]
        if self.without == "6.2i":
            mine, his = sorted(mine)[-1:], sorted(his)[-1:]
        return sum(mine) - sum(his)


def _next(moment: Moment) -> list[Attack]:
    """The attack whose die is rolled now."""
    number_ = moment.action.battle or (moment.position.battles[-1].number if moment.position.battles else 0)
    return [attack for attack in open_attacks(moment.position) if attack.number == number_]


def _words(board: Board, attack: Attack, clause: str) -> tuple[str, ...]:
    """The column and sums of players who forget a clause, if no other one leads to the same."""
    right, wrong = Calculation(board, attack), Calculation(board, attack, clause)
    if not wrong.defenders(*FIGHTERS) or wrong.sums().words == right.sums().words:
        return ()
    general = () if clause in TESTED else SUMMED[-2:]  # which units pass comes before the effect of passing
    compared = (*SUMMED[:-2], *general, *TESTED)
    others = [Calculation(board, attack, one) for one in compared if one != clause]
    confused = [one.sums().words for one in others if one.defenders(*FIGHTERS)]
    return () if wrong.sums().words in confused else wrong.sums().words


def _modifier(board: Board, attack: Attack, clause: str) -> tuple[str, ...]:
    """The modifier of players who forget a clause, if no other one leads to the same."""
    right = Calculation(board, attack).sums().die
    wrong = Calculation(board, attack, clause).sums().die
    if wrong == right:
        return ()
    others = [Calculation(board, attack, one).sums().die for one in ROLLED if one != clause]
    return () if wrong in others else (str(wrong),)


def _register(clause: str) -> None:
    verb, words = ("modifier", _modifier) if clause in ROLLED else ("odds", _words)

    def decides(board: Board, attack: Attack) -> bool:
        return bool(Calculation(board, attack).defenders(*FIGHTERS) and words(board, attack, clause))

    def announced(moment: Moment) -> Broken:
        board, grid = Board(moment.position), moment.position.game.map.grid
        for attack in _next(moment):
            here = all(moment.position.pieces[name].where in grid for name in attack.attackers)
            if here and decides(board, attack):
                yield (Action(verb, words=words(board, attack, clause), battle=attack.number),)

    announced.__name__ = f"announced_without_{clause.replace('.', '_')}"
    if clause in AIMED:
        aimed(breaker, clause, decides, TOTALS if clause in TESTED else TOTALS[-1:])(announced)
    else:
        consequence(breaker, clause, "roll combat")(announced)


for _clause in (*SUMMED, *TESTED, *ROLLED):
    _register(_clause)


def faces_of_a_better_column(position: Position, attack: Attack, column: int) -> list[int]:
    """The dice that have no effect in a column, and an effect in the column before it, which is the right
    one.
    """
    board, cells = Board(position), position.game.tables["crt"].cells
    right = Calculation(board, attack).sums()
    if column != COLUMNS.index(right.column) + 1 or column == len(COLUMNS):
        return []
    rows = {face: cells[min(max(face + right.die, 0), len(cells) - 1)] for face in range(1, 7)}
    return [face for face, row in rows.items() if row[column] == "FA" and row[column - 1] != "FA"]


@consequence(breaker, "7.2b", "roll combat")
def the_result_of_a_better_column_carried_out(moment: Moment) -> Broken:
    """A column too far to the right is announced; the die for which it matters follows it.

    A test that the defenders did not pass would explain it as well.
    """
    for attack in (one for one in _next(moment) if not one.tests):
        board = Board(moment.position)
        if Calculation(board, attack).defenders(*FIGHTERS):
            column = COLUMNS.index(Calculation(board, attack).sums().column) + 1
            if faces_of_a_better_column(moment.position, attack, column):
                yield (Action("odds", words=(COLUMNS[column],), battle=attack.number),)


@consequence(breaker, "7.2g", "lose", "next")
def another_result_announced(moment: Moment) -> Broken:
    """It is announced with the die."""
    position = moment.position
    table = position.game.tables["crt"]
    rolled = moment.place > 0 and moment.game[moment.place - 1].action.verb == "roll combat"
    for attack in position.battles[-1:] if rolled else ():
        if isinstance(attack, Attack) and attack.die is not None:
            others = [code for code in table.results if code != attack.result.removesuffix("*")]
            yield (Action("result", words=(moment.rng.choice(others),), battle=attack.number),)
