"""Odds calculated literally, with any one clause left out, and announced so."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rulings import number
from referee.games.tunisia1943.battle import Attack
from tools.oracles.games.tunisia1943.board import TIGERS, Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.aiming import aimed
from tools.proof.games.tunisia1943.attacking import open_attacks
from tools.proof.games.tunisia1943.fights import consequence
from tools.proof.games.tunisia1943.plain import enemy, is_armour

breaker = Breaker()
COLUMNS = ("1/2", "1/1", "3/2", "2/1", "3/1", "4/1")
WORST_GROUND = -3
FIGHTERS = ("unit", "garrison")
SUMMED = ("7.2b", "7.2c", "9.2b", "9.2c", "G.2", "7.1g", "11d", "11e", "7.3b", "7.3c")
TESTED = ("12d", "12e", "12f", "9.2d", "C1.4", "G.3", "0.1f")
AIMED = (*TESTED, "2.1b", "7.3f")
"""Clauses that few attacks turn on."""
TOTALS = range(2, 13)
ROLLED = ("6.2g", "6.2i", "2.1a", "2.1b", "7.3f", "7.3h")


@frozen
class Sums:
    """The strengths of both sides, the column, and what is added to the die."""

    attack: Fraction
    defence: Fraction
    column: str
    die: int

    @property
    def words(self) -> tuple[str, ...]:
        """How the odds are announced: the column first."""
        return self.column, f"attack {number(self.attack)}", f"defence {number(self.defence)}"


@frozen
class Calculation:
    """An attack before its die, as if one clause were not written."""

    board: Board
    attack: Attack
    without: str = ""

    @property
    def position(self) -> Position:
        """The position."""
        return self.board.position

    @property
    def attackers(self) -> list[Piece]:
        """Who attacks."""
        return [self.position.pieces[name] for name in self.attack.attackers]

    def defenders(self, *kinds: str) -> list[Piece]:
        """Who is attacked, of some kinds; but for the weakest of several units if one is forgotten [7.1g]."""
        found = self.board.at(self.attack.target, enemy(self.attack.side), *kinds)
        units_ = [piece for piece in found if piece.counter.kind == "unit"]
        if self.without == "7.1g" and len(units_) > 1:
            found = [piece for piece in found if piece is not units_[0]]
        return found

    def sums(self) -> Sums:
        """Calculate the odds."""
        natural = self._natural()
        reached = natural + self.shift()
        last = len(COLUMNS) - 1
        beyond = max(reached - last, 0) * (self.without != "7.3f") + min(reached, 0) * (
            self.without != "7.3h"
        )
        die = self._ground() + self._artillery() + beyond
        return Sums(self._attack(), self._defence(), COLUMNS[min(max(reached, 0), last)], die)

    def shift(self) -> int:
        """The columns by which aviation and armour shift the ratio."""
        return self._air() + self._armour()

    def _attack(self) -> Fraction:
        values = []
        for piece in self.attackers:
            if piece.counter.kind != "unit":
                continue  # an EM that attacks against the rules has no factors
            steps = piece.counter.steps if self.without == "7.2b" else piece.steps
            printed = piece.counter.factor("attack", steps)
            cut = self.board.is_out_of_supply(piece) and self.without != "9.2b"
            values.append(min(printed, 1) if cut else printed)
        return Fraction(sum(values))

    def _defence(self) -> Fraction:
        values = []
        for piece in self.defenders("unit"):
            steps = piece.counter.steps if self.without == "7.2b" else piece.steps
            printed = piece.counter.factor("defence", steps)
            halved = self.board.is_out_of_supply(piece) and self.without != "9.2c"
            values.append(ceil(Fraction(printed, 2)) if halved else printed)
        places = self.board.map.places.values()
        city = any(one.hex == self.attack.target and one.kind in ("city", "port") for one in places)
        doubled = 2 if city and self.without != "7.2c" else 1
        garrison = 3 if self.defenders("garrison") and self.without != "G.2" else 0
        return Fraction(sum(values) * doubled + garrison)

    def _natural(self) -> int:
        attack, defence = self._attack(), self._defence()
        if not defence:
            return len(COLUMNS)
        if attack >= 2 * defence:
            return int(attack // defence) + 1
        if 2 * attack >= 3 * defence:
            return 2
        return 1 if attack >= defence else 2 - ceil(defence / attack)

    def _air(self) -> int:
        mine, his = (self.attack.air.get(side, 0) for side in (self.attack.side, enemy(self.attack.side)))
        if self.without == "11e":
            return 0
        if self.without == "11d":
            return mine or -his
        return mine - his

    def _armour(self) -> int:
        armour = [piece for piece in self.attackers if is_armour(piece)]
        if not armour or not self.attack.tests:
            return 0
        stopped = self._is_stopped(self.attack.tests[0])
        if self.without in ("7.3b", "7.3c"):
            stopped = self.without == "7.3b" or (stopped and self.without != "7.3c")
        return 0 if stopped else 1

    def _is_stopped(self, total: int) -> bool:
        if any(piece.id in TIGERS for piece in self.defenders("unit")) and self.without != "12f":
            return True
        tigers = sum(piece.id in TIGERS for piece in self.attackers)
        kinds = ("unit",) if self.without == "G.3" else ("unit", "garrison")
        return any(self._passes(piece, total, tigers) for piece in self.defenders(*kinds))

    def _passes(self, piece: Piece, total: int, tigers: int) -> bool:
        if piece.id in TIGERS:
            return self.without != "12f"
        value = piece.counter.factor("cohesion", piece.steps)
        value -= 2 * (tigers if self.without == "12e" else min(tigers, 1)) * (self.without != "12d")
        if piece.counter.kind == "unit":
            value -= self.board.is_out_of_supply(piece) and self.without != "9.2d"
        early = self.board.campaign == 1 and self.position.turn <= 4
        value -= 2 * (early and piece.counter.nation == "us" and self.without != "C1.4")
        return total < value if self.without == "0.1f" else total <= value

    def _artillery(self) -> int:
        pieces = self.position.pieces
        if self.without == "6.2g":
            return 0
        placed = {name: count for name, count in self.attack.artillery.items() if count}
        mine = [count for name, count in placed.items() if pieces[name].side == self.attack.side]
        his = [count for name, count in placed.items() if pieces[name].side != self.attack.side]
        if self.without == "6.2i":
            mine, his = sorted(mine)[-1:], sorted(his)[-1:]
        return sum(mine) - sum(his)

    def _ground(self) -> int:
        if self.without == "2.1a":
            return 0
        game, board, target = self.position.game, self.board, self.attack.target
        ground = int(game.terrain[board.map.hexes[target].terrain].effects.number("die", 0))
        sides = [board.lies(piece.where, target) for piece in self.attackers]
        flooded = board.is_flooded() != (self.without == "2.1b")
        for feature in frozenset.intersection(*sides):
            row = game.features[feature].effects
            ground += int((row.group("flooded") if feature == "wadi" and flooded else row).number("die", 0))
        return max(ground, WORST_GROUND)


def _next(moment: Moment) -> list[Attack]:
    """The attack whose die is rolled now."""
    number_ = moment.action.battle or (moment.position.battles[-1].number if moment.position.battles else 0)
    return [attack for attack in open_attacks(moment.position) if attack.number == number_]


def _words(board: Board, attack: Attack, clause: str) -> tuple[str, ...]:
    """Column and sums as those announce them who forget a clause, where no other comes to the same."""
    right, wrong = Calculation(board, attack), Calculation(board, attack, clause)
    if not wrong.defenders(*FIGHTERS) or wrong.sums().words == right.sums().words:
        return ()
    general = () if clause in TESTED else SUMMED[-2:]  # who passes comes before what it is good for
    compared = (*SUMMED[:-2], *general, *TESTED)
    others = [Calculation(board, attack, one) for one in compared if one != clause]
    confused = [one.sums().words for one in others if one.defenders(*FIGHTERS)]
    return () if wrong.sums().words in confused else wrong.sums().words


def _modifier(board: Board, attack: Attack, clause: str) -> tuple[str, ...]:
    """The modifier of the die as those announce it who forget a clause, where no other comes to the same."""
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
    """The dice with which nothing comes of a column, and something of the one before it, which is right."""
    board, cells = Board(position), position.game.tables["crt"].cells
    right = Calculation(board, attack).sums()
    if column != COLUMNS.index(right.column) + 1 or column == len(COLUMNS):
        return []
    rows = {face: cells[min(max(face + right.die, 0), len(cells) - 1)] for face in range(1, 7)}
    return [face for face, row in rows.items() if row[column] == "FA" and row[column - 1] != "FA"]


@consequence(breaker, "7.2b", "roll combat")
def the_result_of_a_better_column_carried_out(moment: Moment) -> Broken:
    """A column too far to the right is announced alone; the die for which it matters follows it.

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
    """It is said with the die."""
    position = moment.position
    table = position.game.tables["crt"]
    rolled = moment.place > 0 and moment.game[moment.place - 1].action.verb == "roll combat"
    for attack in position.battles[-1:] if rolled else ():
        if isinstance(attack, Attack) and attack.die is not None:
            others = [code for code in table.results if code != attack.result.removesuffix("*")]
            yield (Action("result", words=(moment.rng.choice(others),), battle=attack.number),)
