"""Attacks as the clauses describe them: who may attack, the odds, the result, and what must follow.

Any one clause on the odds may be left out: then they are those of players who forget it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from attrs import define, field

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rulings import number
from referee.judge import Judged
from tools.oracles.games.postcard1943.board import Board

LONGSTOP, BEHIND_THE_LINE = "B4", "G5"
CLOSE_SUPPORT = ("lw-afrika", "desert-af")


@define(eq=False)
class Fight:
    """An attack as its actions state it, perhaps ``without`` a clause on its odds.

    ``at_die`` is the position in which its die was rolled.
    """

    number: int
    target: str
    attackers: tuple[str, ...]
    now: Position
    at_die: Position | None = None
    bombers: list[str] = field(factory=list)
    beaten: list[str] = field(factory=list)
    no_retreat: bool = False
    pressed: int = 0
    die: int = 0
    lost: list[str] = field(factory=list)
    gone: dict[str, int] = field(factory=dict)
    advanced: list[str] = field(factory=list)
    without: str = ""

    @property
    def then(self) -> Position:
        """The position that counts for the odds: at the die, or now."""
        return self.at_die or self.now

    @cached_property
    def board(self) -> Board:
        """The board in that position."""
        return Board.of(self.then)

    @property
    def side(self) -> str:
        """The attacker's side."""
        return self.then.pieces[self.attackers[0]].side

    @cached_property
    def defending(self) -> list[Piece]:
        """The units in the target."""
        return [unit for unit in self.board.against(self.side) if unit.where == self.target]

    @property
    def defenders(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(unit.id for unit in self.defending)

    @property
    def is_on_churchills_alone(self) -> bool:
        """The Churchills are the only units in the target [church.3]."""
        return self.defenders == ("nih",)

    # ------------------------------------------------------------------ odds

    def used(self, unit: str) -> Fraction:
        """The attack factors of a unit, halved out of supply [combat.3, supply.5]."""
        piece = self.then.pieces[unit]
        printed = Fraction(piece.counter.factor("attack"))
        return printed if self.without == "supply.5" or self.board.is_supplied(piece) else printed / 2

    @cached_property
    def attack(self) -> Fraction:
        """All attack factors."""
        return sum(map(self.used, self.attackers), Fraction(0))

    def _more_than_half_across(self, feature: str) -> bool:
        across = [
            u for u in self.attackers if feature in self.board.lies(self.then.pieces[u].where, self.target)
        ]
        return sum(map(self.used, across), Fraction(0)) * 2 > self.attack

    @property
    def defence(self) -> Fraction:
        """All defence factors, and what the terrain adds [terrain.1 to 3, church.1]."""
        printed = sum((Fraction(unit.counter.factor("defence")) for unit in self.defending), Fraction(0))
        return printed + self._bonus

    @property
    def _bonus(self) -> Fraction:
        infantry = [
            unit
            for unit in self.defending
            if (unit.id == "nz" and self.without != "terrain.9") or not self.board.is_armour(unit)
        ]
        if not infantry:
            return Fraction(0)
        own = sum((Fraction(unit.counter.factor("defence")) for unit in infantry), Fraction(0))
        in_line = self.target == BEHIND_THE_LINE and self.then.turn > 4 and self.without != "terrain.3"
        if in_line and self._more_than_half_across("mareth-line"):
            return min(Fraction(2), own)
        if self.board.map.hexes[self.target].terrain != "hill" or self.without == "terrain.1":
            return Fraction(0)
        longstop = self.target == LONGSTOP and self.without != "terrain.2"
        bonus = min(Fraction(2), own) if longstop else Fraction(1)
        cancels = "nih" in self.attackers and self.without != "church.1"
        return max(bonus - 1, Fraction(0)) if cancels else bonus

    @property
    def shift(self) -> int:
        """All shifts of columns [terrain.4, disrupt.3, air.5, pressed.2]."""
        found = {
            "pressed.2": self.pressed,
            "terrain.4": -self._more_than_half_across("river"),
            "disrupt.3": any(unit.is_("disrupted") for unit in self.defending),
            "air.5": any(name in CLOSE_SUPPORT and name not in self.beaten for name in self.bombers),
        }
        return sum(columns for clause, columns in found.items() if clause != self.without)

    @property
    def is_off_the_table(self) -> bool:
        """The ratio is less than that of the first column."""
        defence, attack = self.then.game.tables["crt"].columns[0].split(":")[::-1]
        return self.attack * int(defence) < self.defence * int(attack)

    @property
    def words(self) -> tuple[str, ...]:
        """The announcement of the odds: the column first."""
        label = self.then.game.tables["crt"].columns[self.column]
        return label, f"attack {number(self.attack)}", f"defence {number(self.defence)}"

    @cached_property
    def column(self) -> int:
        """The column of the table, rounded in the defender's favour and shifted [combat.3, crt.1]."""
        columns = self.then.game.tables["crt"].columns
        fitting = [
            place
            for place, label in enumerate(columns)
            if self.attack * int(label.split(":")[1]) >= self.defence * int(label.split(":")[0])
        ]
        return max(0, min(len(columns) - 1, max(fitting, default=0) + self.shift))

    @property
    def printed(self) -> str:
        """The result as the table has it."""
        table = self.then.game.tables["crt"]
        return table.cells[table.rows.index(str(self.die))][self.column]

    @cached_property
    def result(self) -> str:
        """The result that counts: after No Retreat Dr is D and DR is DE [retreat.5]."""
        if self.no_retreat and self.printed in ("Dr", "DR"):
            return {"Dr": "D", "DR": "DE"}[self.printed]
        return self.printed

    # ------------------------------------------------------------------ what follows

    def disrupts(self) -> list[str]:
        """The units that the result Disrupts, or eliminates: Churchills [crt.3 to 7, disrupt.4, church.2]."""
        found = [u for u in self.attackers if self.result in ("AD", "BD") and u != "nih"]
        if self.result in ("BD", "D", "Dr", "DR") and not self.is_on_churchills_alone:
            found += self.defenders
        return [unit for unit in found if unit != "broich"]

    def losses(self) -> str:
        """Rule on the attackers lost to AE: legal, or how they were chosen wrongly [crt.2]."""
        worth = sum((Fraction(unit.counter.factor("defence")) for unit in self.defending), Fraction(0))
        factors = {
            u: Fraction(self.then.pieces[u].counter.factor("attack")) for u in self.attackers if u != "nih"
        }
        picks = [pick for count in range(len(factors) + 1) for pick in combinations(factors, count)]
        sums = [sum((factors[unit] for unit in pick), Fraction(0)) for pick in picks]
        best = max(total for total in sums if total <= worth)
        lost = sum((factors[unit] for unit in self.lost if unit in factors), Fraction(0))
        if lost == best:
            return "legal"
        return "illegal" if best and not lost else "unproven"

    def coverers(self) -> list[str]:
        """The undisrupted Germans next to the target and to an attacker that they could reach
        [combat.5, 6].
        """
        if self.side != "allied":
            return []
        found = []
        for unit in self.board.mine("axis"):
            hexes = [self.then.pieces[name].where for name in self.attackers]
            touched = [where for where in hexes if where in self.board.around(unit.where)]
            if unit.counter.nation != "de" or unit.where == self.target or not self.board.is_sound(unit):
                continue
            if self.target in self.board.around(unit.where):
                found += [unit.id] * any(self.board.could_act(unit, where) for where in touched)
        return found


def fights_of(history: Sequence[Judged]) -> list[Fight]:
    """Return the attacks that were declared, with everything that has been done in them."""
    fights: list[Fight] = []
    for each in history:
        action = each.statement.content
        if not isinstance(action, Action):
            continue
        if action.verb == "attack":
            fights.append(Fight(action.battle, action.target, action.pieces, each.after))
        elif action.verb == "roll air-battle":
            over = next(fight for fight in fights if action.piece in fight.bombers and not fight.die)
            over.beaten += [action.piece] if action.dice[0] > 3 else []
        elif action.verb == "bomb":
            next(fight for fight in fights if fight.target == action.target).bombers += action.pieces
        elif fight := next((fight for fight in fights if fight.number == action.battle), None):
            _note(fight, action, each.before)
    for fight in fights:
        fight.now = history[-1].after
    return fights


def _note(fight: Fight, action: Action, before: Position) -> None:
    if action.verb == "no retreat":
        fight.no_retreat = True
    elif action.verb == "roll press":
        fight.pressed = 1 if action.dice[0] <= 3 else -1
    elif action.verb == "roll combat":
        fight.die, fight.at_die = action.dice[0], before
    elif action.verb == "eliminate":
        fight.lost += action.pieces
    elif action.verb == "retreat":
        fight.gone[action.piece] = fight.gone.get(action.piece, 0) + len(action.path) - 1
    elif action.verb == "advance":
        fight.advanced += action.pieces


def with_markers(position: Position, fights: Sequence[Fight]) -> Position:
    """Return the position with all units marked that a result has Disrupted, whether they have a marker or
    not.
    """
    for fight in fights:
        for unit in fight.disrupts() if fight.die else ():
            if position.pieces[unit].where in position.game.map.hexes:
                position = position.with_state(unit, "disrupted", Mark())
    return position
