"""Odds, the die and its result announced wrongly, as by players who forget one clause.

Values are calculated literally, without any one clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rulings import number
from referee.games.vitoria1813.battle import Fight
from tools.oracles.games.vitoria1813.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.vitoria1813.facts import ARMS, SHAKEN

breaker = Breaker()
COVER, BUILT_UP = ("wood", "village", "town"), ("village", "town")
SUMMED = ("5.3b", "6.2c", "7.7c", "8d", "7.3b")
ADDED = ("5.3d", "5.3e", "10g")
FAR_OFF = 4


@frozen
class Calculation:
    """A combat before its die, without one clause."""

    position: Position
    fight: Fight
    without: str = ""

    @property
    def defenders(self) -> list[Piece]:
        """The attacked units."""
        kinds = (*ARMS, "park", "convoy")
        there = [piece for where in self.fight.targets for piece in self.position.at(where)]
        return [
            piece
            for piece in there
            if piece.side == self.fight.enemy
            and piece.counter.kind in kinds
            and piece.id not in self.fight.spared
        ]

    @property
    def attackers(self) -> list[Piece]:
        """The attacking units."""
        return [self.position.pieces[name] for name in self.fight.attackers]

    @property
    def attack(self) -> int:
        """The sum of the attackers [7.1i]."""
        return sum(map(self._worth, self.attackers))

    @property
    def defence(self) -> int:
        """The sum of the defenders [7.1h]."""
        return sum(map(self._worth, self.defenders))

    @property
    def words(self) -> tuple[str, ...]:
        """The announcement of the odds: the column first."""
        return self.words_in(self.column)

    @property
    def column(self) -> int:
        """The index of the column: the ratio rounded for the defender [7.2d], and one more for near fire."""
        attack, defence = max(self.attack, 1), self.defence
        if attack >= defence:
            whole = min(attack // defence, 5) if defence else 5
            near = whole == 1 and 2 * attack >= 3 * defence
            label = "3:2" if near else f"{whole}:1"
        else:
            label = f"1:{min(-(-defence // attack), 3)}"
        return min(self.columns.index(label) + self.shift, len(self.columns) - 1)

    @property
    def shift(self) -> int:
        """One column more if all guns fire from an adjacent hex [6.1g, 7.3c]."""
        grid = self.position.game.map.grid
        there = [one.where for one in self.attackers if one.where in grid]
        gaps = [grid.distance(where, self.fight.target) for where in there]
        return int(self.fight.is_fire and max(gaps, default=0) == 1 and self.without != "7.3c")

    def result(self, column: int, die: int) -> str:
        """The result of the table for a die with its modifier [7.2e]."""
        table = self.position.game.tables["crt"]
        row = "0-" if die <= 0 else "7+" if die > 6 else str(die)
        return table.cells[table.rows.index(row)][column]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return self.position.game.tables["crt"].columns

    def words_in(self, place: int) -> tuple[str, ...]:
        """The announcement of the sums in a column."""
        return self.columns[place], f"attack {number(self.attack)}", f"defence {number(self.defence)}"

    def _worth(self, piece: Piece) -> int:
        if piece.counter.kind == "convoy":
            return 0
        attacks, worth, factor = piece.id in self.fight.attackers, piece.steps, Fraction(1)
        if not attacks and any(state in piece.states for state in SHAKEN) and self.without != "7.7c":
            worth = max(worth // 2, 1)
        hexes = (piece.where, *self.fight.targets) if attacks else (piece.where,)
        covered = any(self._terrain(where) in COVER for where in hexes)
        if covered and piece.counter.kind in ("cavalry", "artillery") and self.without != "5.3b":
            factor /= 2
        stacked = any(len(self._stack(where)) > 1 for where in self.fight.targets)
        if attacks and stacked and piece.counter.kind == "artillery" and self.without != "6.2c":
            factor *= 2
        open_ = all(self._terrain(where) not in COVER for where in self.fight.targets)
        charges = attacks and open_ and piece.id in self.fight.charging and not self.fight.is_fire
        if charges and self.without != "8d" and not self._is_across(piece.where):
            factor *= 2
        return floor(worth * factor) if self.without == "7.3b" else ceil(worth * factor)

    def _is_across(self, here: str) -> bool:
        """Whether a slope, a stream or a bridge is in front of an attacked hex, so that no charge crosses it
        [5.3c].
        """
        map_ = self.position.game.map
        for there in self.fight.targets:
            if here not in map_.hexes or not map_.grid.are_neighbours(here, there):
                continue
            between = set(map_.hexside(here, there).features)
            if map_.hexes[here].level == map_.hexes[there].level:
                between.discard("slope")
            if between & {"slope", "stream", "bridge", "ford"}:
                return True
        return False

    def _terrain(self, where: str) -> str:
        hexes = self.position.game.map.hexes
        return hexes[where].terrain if where in hexes else ""

    def _stack(self, where: str) -> list[Piece]:
        there = self.position.at(where)
        return [one for one in there if one.side == self.fight.enemy and one.counter.kind in ARMS]

    @property
    def added(self) -> int:
        """The modifier of the die: the best of both sides, generals, terrain, engineers [7.3d]."""
        best = [
            max((_tactical(one, factor) for one in units), default=0)
            for units, factor in ((self.attackers, "attack_modifier"), (self.defenders, "defence_modifier"))
        ]
        total = best[0] - best[1]
        for name in (*self.fight.leaders, *self.fight.helpers):
            general = self.position.pieces[name]
            bonus = general.counter.extra.integer("bonus", 0)
            total += bonus if general.side == self.fight.side else -bonus
        return total + self._ground() + self._engineers()

    def _ground(self) -> int:
        game, where = self.position.game, self.fight.target
        near = game.map.grid.neighbours(where)
        roads = any(game.map.roads_across(where, beside) for beside in near)
        hex_ = game.terrain[self._terrain(where)].effects.integer("modifier", 0)
        if roads and self.without == "5.3d":
            hex_ = 0
        sides = [self._side(one.where, where) for one in self.attackers]
        side = max(sides) if sides and all(sides) and not self.fight.is_fire else 0
        return min(hex_, side) if side and hex_ and self.without == "5.3e" else hex_ + side

    def _side(self, here: str, there: str) -> int:
        map_, board = self.position.game.map, Board.of(self.position)
        if here not in map_.grid.neighbours(there):
            return 0
        found = set(board.features(here, there))
        if "bridge" in found:
            found -= {"river", "stream"}
        elif "ford" in found:
            found -= {"river"}
        if map_.hexes[there].level <= map_.hexes[here].level:
            found.discard("slope")
        return sum(self.position.game.features[name].effects.integer("modifier", 0) for name in found)

    def _engineers(self) -> int:
        shaken = ("disordered", "routed", "uncontrolled")
        helped = any(
            one.counter.kind == "engineer"
            and self._terrain(one.where) in BUILT_UP
            and not any(one.is_(state) for state in shaken)
            for one in self.defenders
        )
        return -1 if helped and self.without != "10g" else 0


def _tactical(piece: Piece, factor: str) -> int:
    return piece.factor(factor) if factor in piece.counter.faces[0].factors else 0


def waiting(moment: Moment) -> Iterator[Fight]:
    """The combat about to be rolled for, if no unit is spared."""
    number_ = moment.action.battle or (moment.position.battles[-1].number if moment.position.battles else 0)
    fight = moment.position.battle(number_)
    if isinstance(fight, Fight) and not fight.rolled and not fight.spared and fight.attackers:
        yield fight


def _summed_without(moment: Moment, clause: str) -> Broken:
    """The sums without a clause, if leaving out no other one gives the same."""
    for fight in waiting(moment):
        if fight.pursuit:
            continue
        right, wrong = (Calculation(moment.position, fight, without) for without in ("", clause))
        others = [Calculation(moment.position, fight, one).words[1:] for one in SUMMED if one != clause]
        if wrong.words[1:] not in (right.words[1:], *others):
            yield (Action("odds", words=wrong.words, battle=fight.number),)


breaker.alike(
    _summed_without,
    ("roll combat",),
    guns_and_riders_in_a_wood_count_in_full=("5.3b", "5.3b"),
    guns_are_not_doubled_against_two=("6.2c", "6.2c"),
    rounded_down=("7.3b", "7.3b"),
    the_disordered_defend_in_full=("7.7c", "7.7c"),
    a_charge_counts_once=("8d", "8d"),
)


@breaker.breaks("8e", "roll combat")
def a_charge_counts_once_in_pursuit(moment: Moment) -> Broken:
    for fight in waiting(moment):
        right, wrong = (Calculation(moment.position, fight, without) for without in ("", "8d"))
        if fight.pursuit and wrong.words[1:] != right.words[1:]:
            yield (Action("odds", words=wrong.words, battle=fight.number),)


@breaker.breaks("6.1e", "roll combat")
def fire_in_another_column(moment: Moment) -> Broken:
    for fight in waiting(moment):
        right, plain = (Calculation(moment.position, fight, without) for without in ("", "7.3c"))
        shifts = (plain.column, plain.column + 1)  # a shift left out or claimed is 6.1g or 7.3c
        for place in (right.column - 1, right.column + 1):
            if fight.is_fire and 0 <= place < len(right.columns) and place not in shifts:
                yield (Action("odds", words=right.words_in(place), battle=fight.number),)


@breaker.breaks("7.3c", "roll combat")
def near_fire_does_not_shift(moment: Moment) -> Broken:
    for fight in waiting(moment):
        right, plain = (Calculation(moment.position, fight, without) for without in ("", "7.3c"))
        if right.column != plain.column:
            yield (Action("odds", words=right.words_in(plain.column), battle=fight.number),)


def _added_without(moment: Moment, clause: str) -> Broken:
    for fight in waiting(moment):
        right, wrong = (Calculation(moment.position, fight, without).added for without in ("", clause))
        others = [Calculation(moment.position, fight, one).added for one in ADDED if one != clause]
        if wrong not in (right, *others):
            yield (Action("modifier", words=(str(wrong),), battle=fight.number),)


@breaker.breaks("5.3e", "roll combat")
def one_terrain_of_two(moment: Moment) -> Broken:
    """For one hex: if several are attacked at once, the literal calculation knows only the first."""
    return [actions for actions in _added_without(moment, "5.3e") if not _is_of_several(moment, actions[0])]


def _is_of_several(moment: Moment, action: Action) -> bool:
    """Return whether several hexes are attacked in the battle of an action."""
    return any(len(fight.targets) > 1 for fight in waiting(moment) if fight.number == action.battle)


breaker.alike(
    _added_without,
    ("roll combat",),
    a_road_shelters=("5.3d", "5.3d"),
    engineers_do_not_help=("10g", "10g"),
)


@breaker.breaks("7.3d", "roll combat")
def another_number_on_the_die(moment: Moment) -> Broken:
    for fight in waiting(moment):
        wrong = Calculation(moment.position, fight).added + FAR_OFF
        yield (Action("modifier", words=(str(wrong),), battle=fight.number),)


@breaker.breaks("7.2e", "roll combat")
def another_result(moment: Moment) -> Broken:
    position, table = moment.position, moment.position.game.tables["crt"]
    for fight in waiting(moment):
        right = Calculation(position, fight)
        die = moment.action.dice[0] + (fight.modifier if fight.modifier is not None else right.added)
        cell = right.result(right.column if fight.column is None else fight.column, die)
        other = moment.rng.choice(sorted({one for line in table.cells for one in line} - {cell}))
        yield moment.action, Action("result", words=(other.replace(" ", "+"),), battle=fight.number)
