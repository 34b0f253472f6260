"""Odds and results as VASSAL expressions, made from a game's combat table.

The table is the first one whose columns are ratios and which names its dice. Factors are counted in halves,
because VASSAL calculates with whole numbers; a column applies from its own ratio upwards. Words of a table
for what is off its ends are obeyed if they say ``as`` a column; otherwise there is no column below the first,
and the last one applies above. If a table continues ``beyond`` its ends, indices of columns continue too,
from -1 downwards at the left, and the excess modifies the dice. If the rules are data, columns may be
differences of the factors, or factors of the attack alone, and each kind of combat has its table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite

from attrs import frozen

from vassalgen.announcements import STEPS, dice_property
from vassalgen.game.counters import Counter, Printed
from vassalgen.game.families import Combat, DefenceOf, Families, TableId
from vassalgen.game.game import Game
from vassalgen.game.sequence import Dice
from vassalgen.game.tables import Table
from vassalgen.parts.dice import faces
from vassalgen.parts.fighting_phases import is_stop, stops_of
from vassalgen.templates import quoted

ATTACK = ("attack", "combat", "strength")
DEFENCE = ("defence", "defense", "combat", "strength")
NONE = "none"


@frozen
class Odds:
    """A table of odds with its dice; ``kind`` says what its columns are: ratios, differences, or the attack.
    ``changed``: the dice are modified although the table does not say so.
    """

    table: Table
    dice: Dice
    kind: str = "odds"
    changed: bool = False

    @property
    def rolls(self) -> tuple[tuple[str, Dice], ...]:
        """The dice that are rolled for a battle, with the condition for each."""
        return (("", self.dice),)

    @property
    def cells(self) -> frozenset[tuple[Table, str]]:
        """All cells, each with its table."""
        return frozenset((self.table, cell) for row in self.table.cells for cell in row)

    @property
    def modified(self) -> bool:
        """Whether the dice are modified."""
        return bool(self.table.modifiers or self.table.beyond or self.changed)

    def column(self, attack: str, defence: str, shift: str) -> str:
        """The expression for the index of the column, -1 for none; factors in halves."""
        if self.kind != "odds":
            return self._range(attack if self.kind == "fire" else f"({attack})-({defence})", shift)
        ratios = self.table.ratios
        reached = "+".join(f"(({attack})*{low}>=({defence})*{high}?1:0)" for high, low in ratios)
        if self.table.beyond:
            return f"({reached}-1{self._further(attack, defence)}+({shift}))"
        lowest = 0 if self.table.below.startswith("as ") else -1
        return f"Math.max({lowest},Math.min({len(ratios) - 1},{reached}-1+({shift})))"

    def _range(self, value: str, shift: str) -> str:
        """The expression for the index of the column whose range contains a value in halves."""
        lows = [low for low, _ in self.table.column_ranges]
        reached = "+".join("1" if low == -inf else f"(({value})>={2 * int(low)}?1:0)" for low in lows)
        lowest = 0 if self.table.below.startswith("as ") else -1
        return f"Math.max({lowest},Math.min({len(lows) - 1},{reached}-1+({shift})))"

    def _further(self, attack: str, defence: str) -> str:
        """The expression for the number of columns by which a ratio is beyond the ends: 5/1 one, 1/4 minus
        one.
        """
        (first, least), (most, last) = self.table.ratios[0], self.table.ratios[-1]
        counts = f"({defence})>0&&({attack})>=({defence})*{most}"  # against nothing there is no ratio
        above = f"({counts}?({attack})/Math.max(1,{defence})-{most}:0)"
        under = f"((({defence})+({attack})-1)/Math.max(1,{attack})-{least}-1)"
        below = f"(({attack})*{least}<({defence})*{first}?{under}:0)"
        return f"+{above if last == 1 else 0}-{below if first == 1 else 0}"

    def modifier(self, column: str, die: str) -> str:
        """The expression for the die roll modifier: that of the players, and the excess beyond the table."""
        if not self.table.beyond:
            return die
        beyond = self.table.beyond
        return f"(({die})+{beyond}*({column})-{beyond}*{self._on_table(column)})"

    def _on_table(self, column: str) -> str:
        last = len(self.table.columns) - 1
        return f"Math.max(0,Math.min({last},{column}))" if self.table.beyond else column

    def title(self, column: str) -> str:
        """The expression for a column's label."""
        return _looked_up(self.table.columns, {self._on_table(column): 1}, self._unless(column))

    def result(self, column: str, modifier: str) -> str:
        """The expression for the result of a column and the modified dice last rolled."""
        totals = self._totals
        low, high = totals[0], totals[-1]
        rows = [self.table.cells[self.table.row_of(total)] for total in totals]
        cells = [cell for row in rows for cell in row]
        total = self._rolled
        if self.modified:
            total = f"Math.max({low},Math.min({high},{total}+({modifier})))"
        columns = len(self.table.columns)
        places = {total: columns, self._on_table(column): 1, "1": -low * columns}
        return _looked_up(cells, places, self._unless(column))

    def _unless(self, column: str) -> str:
        """The value if there is no column: nothing if the table continues beyond its ends."""
        return "" if self.table.beyond else f"({column})<0"

    @property
    def _totals(self) -> range:
        """The possible totals of the dice; if they are modified, all that have a row of their own."""
        if not self.modified:
            return range(self.dice.count, self.dice.count * self.dice.sides + 1)
        ends = [int(end) for pair in self.table.row_ranges for end in pair if isfinite(end)]
        return range(min(ends), max(ends) + 1)

    @property
    def faces(self) -> str:
        """The expression for the faces rolled."""
        return faces(self.dice)

    @property
    def _rolled(self) -> str:
        return f"{dice_property(self.dice.id)}_total"


def _looked_up(texts: Sequence[str], places: Mapping[str, int], unless: str) -> str:
    """Select one of several texts by index: all are in one text, padded to the same width. The index is the
    sum of some values with multipliers. ``unless``: the value if there is none.
    """
    width = max(map(len, texts))
    padded = quoted("".join(text.ljust(width) for text in texts))
    place = "+".join(f"({value})*{times * width}" for value, times in places.items() if times)
    found = f"{padded}.substring({place}).substring(0,{width}).trim()"
    return f"({unless}?{quoted(NONE)}:{found})" if unless else found


@frozen
class Several:
    """Tables of several kinds of combat; the phase decides which is used."""

    tables: tuple[Odds, ...]
    stops: tuple[tuple[str, ...], ...]
    """The phases of each by their names on the turn track; the last table is used in all other phases."""

    @property
    def modified(self) -> bool:
        """Whether some of the dice are modified."""
        return any(one.modified for one in self.tables)

    @property
    def cells(self) -> frozenset[tuple[Table, str]]:
        """All cells of all tables."""
        return frozenset().union(*(one.cells for one in self.tables))

    @property
    def dice(self) -> Dice:
        """The dice that are displayed: the largest number of them, with the sides of the first."""
        return max((one.dice for one in self.tables), key=lambda dice: (dice.sides, dice.count))

    @property
    def rolls(self) -> tuple[tuple[str, Dice], ...]:
        """The dice that are rolled for a battle, with the condition for each."""
        when = [self._when(place) for place in range(len(self.tables) - 1)]
        rest = "&&".join(f"!({one})" for one in when)
        return tuple(zip((*when, rest), (one.dice for one in self.tables), strict=True))

    def _when(self, place: int) -> str:
        return is_stop(self.stops[place])

    def _one_of(self, expressions: Sequence[str]) -> str:
        found = expressions[-1]
        for place in range(len(expressions) - 2, -1, -1):
            found = f"({self._when(place)}?{expressions[place]}:{found})"
        return found

    def column(self, attack: str, defence: str, shift: str) -> str:
        """The expression for the index of the column, -1 for none; factors in halves."""
        return self._one_of([one.column(attack, defence, shift) for one in self.tables])

    def modifier(self, column: str, die: str) -> str:
        """The expression for the die roll modifier."""
        return self._one_of([one.modifier(column, die) if one.modified else "0" for one in self.tables])

    def title(self, column: str) -> str:
        """The expression for a column's label."""
        return self._one_of([one.title(column) for one in self.tables])

    def result(self, column: str, modifier: str) -> str:
        """The expression for the result of a column and the modified dice last rolled."""
        return self._one_of([one.result(column, modifier) for one in self.tables])

    @property
    def faces(self) -> str:
        """The expression for the faces rolled."""
        return self._one_of([one.faces for one in self.tables])


def _of_rules(game: Game, rules: Families) -> Odds | Several | None:
    """The tables by which the rules that are data say that battles are resolved.

    None if the clerk cannot calculate the defence, see ``defence_of``, or the strengths, because it adds up
    one factor of the attackers and one of the defenders in all battles.
    """
    if len({one.attack for one in rules.combat.values()}) > 1 or len(_defences(rules)) > 1:
        return None
    found = dict[TableId, tuple[Odds, tuple[str, ...]]]()
    for name, combat in rules.combat.items():
        table, dice = game.tables.get(combat.table), game.dice.get(combat.dice)
        counted = combat.kind == "fire" or combat.defence_of == defence_of(game)
        if table is None or dice is None or not counted or not _is_usable(table, dice, combat):
            continue
        before = found[combat.table][1] if combat.table in found else ()
        odds = Odds(table, dice, combat.kind, _is_changed(game, combat))
        found[combat.table] = odds, (*before, *stops_of(game, (name,)))
    if len(found) < len({one.table for one in rules.combat.values()}):
        return None
    tables, listed = tuple(one for one, _ in found.values()), tuple(stops for _, stops in found.values())
    known = [one for stops in listed for one in stops]
    if len(tables) == 1:
        return tables[0]
    return Several(tables, listed) if tables and len(known) == len(set(known)) else None


def _defences(rules: Families) -> set[str]:
    """The factors that count for defenders."""
    return {one.defence for one in rules.combat.values() if one.kind != "fire" and one.defence}


def defence_of(game: Game) -> DefenceOf:
    """Which of several defenders count: the same in all battles of a game, or the sum.

    If a defender may count 0 the clerk, which starts at 0, cannot find the worst of them.
    """
    combats = game.families.combat.values() if game.families else ()
    found = {"sum" if one.defence_of == "one" else one.defence_of for one in combats if one.kind != "fire"}
    factor = factor_of(game, DEFENCE)
    able = [one for one in game.counters.values() if has_factor(game, one.kind, factor)]
    zero = any(not strength(one, factor, steps) for one in able for steps in range(1, one.steps + 1))
    zero = zero or any(state.counts.get(factor) == "0" for state in game.states.values())
    return found.pop() if len(found) == 1 and not (zero and "worst" in found) else "sum"


def _is_changed(game: Game, combat: Combat) -> bool:
    """Whether the dice of a kind of combat may be modified."""
    to: list[str] = [game.modifiers[one].to for one in combat.modifiers if one in game.modifiers]
    to += [term.to for term in combat.terms.values()] + [term.to for term in combat.by_hand.values()]
    return "die" in to or bool(combat.per_hex) or any(one.die for one in combat.at_range.values())


def _is_usable(table: Table, dice: Dice, combat: Combat) -> bool:
    """Whether columns ascend and every roll has a row."""
    if combat.kind == "odds":
        return bool(table.ratios) and _covers(table, dice)
    lows = [low for low, _ in table.column_ranges]
    return bool(lows) and lows == sorted(lows) and not table.beyond


def odds_of(game: Game) -> Odds | Several | None:
    """The game's table of odds, or tables of combat; None if the clerk cannot resolve battles with any of
    them.
    """
    if game.families and game.families.combat:
        return _of_rules(game, game.families)
    for table in game.tables.values():
        if table.ratios and table.dice in game.dice:
            dice = game.dice[table.dice]
            if _covers(table, dice):
                return Odds(table, dice)
    return None


def _covers(table: Table, dice: Dice) -> bool:
    rolled = range(dice.count, dice.count * dice.sides + 1)
    return all(any(low <= total <= high for low, high in table.row_ranges) for total in rolled)


def factor_of(game: Game, names: tuple[str, ...]) -> str:
    """The factor that counts in attack or defence: the first of these names that the game has, or nothing.

    If the rules are data they say which factors a combat uses.
    """
    said: tuple[str, ...] = ()
    if game.families:
        combats = game.families.combat.values()
        said = tuple(one.attack if names == ATTACK else one.defence for one in combats)
    return next((name for name in (*said, *names) if name in game.factors), "")


def counted_property(game: Game, names: tuple[str, ...]) -> str:
    """The property of a counter for its strength in attack or defence: one property if both are the same
    factor.
    """
    same = factor_of(game, ATTACK) == factor_of(game, DEFENCE)
    return "AttackFactor" if names == ATTACK or same else "DefenceFactor"


def fights(game: Game, kind: str) -> bool:
    """Whether counters of a kind have factors to fight with, or may be attacked without one."""
    if kind in game.kinds and game.kinds[kind].attacked:
        return True
    wanted = {factor_of(game, ATTACK), factor_of(game, DEFENCE)} - {""}
    return any(has_factor(game, kind, factor) for factor in wanted)


def has_factor(game: Game, kind: str, factor: str) -> bool:
    """Whether a counter of a kind has a factor."""
    mine = (counter for counter in game.counters.values() if counter.kind == kind)
    return any(factor in face.factors for counter in mine for face in counter.faces)


def strength(counter: Counter, factor: str, steps_left: int) -> int:
    """What a counter's factor adds to a sum: 0 if it has none, or one that is not a number."""
    printed: Printed | None = counter.printed(factor, steps_left) if factor else None
    return printed if isinstance(printed, int) else 0


def by_steps(values: Mapping[int, object]) -> str:
    """The expression for a value that depends on the steps left."""
    if len(values) > 1 and all(value == steps for steps, value in values.items()):
        return STEPS
    most = max(values)
    found = quoted(str(values[most])) if isinstance(values[most], str) else str(values[most])
    for steps in sorted(values, reverse=True):
        if steps < most:
            value = values[steps]
            written = quoted(value) if isinstance(value, str) else str(value)
            found = f"(Steps<={steps}?{written}:{found})"
    return found
