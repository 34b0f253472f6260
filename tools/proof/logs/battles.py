"""Battles as players declare and resolve them: every method makes one or two steps of the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from attrs import define, frozen

from tools.proof.logs.counter_actions import SPENT
from tools.proof.logs.writer import NOTHING, SUMS, LogWriter
from vassalgen import announcements
from vassalgen.vassal.commands import Command


@frozen
class Odds:
    """What the module announces when a battle is resolved."""

    attack: Fraction
    defence: Fraction
    column: str
    result: str
    shift: int = 0
    modifier: int | None = None


@define(eq=False)
class Battles:
    """Battles, their participants, and their dice."""

    log: LogWriter

    def turn_to(self, battle: int) -> None:
        """Make a battle the current one, to which buttons apply."""
        if battle and self.log.battle != battle:
            self.log.mark()
            self.log.battle = battle
            self.log.step(NOTHING, self.log.counted("BattleNo", str(battle)), *self.summing_up(battle))

    def attack(self, battle: int, target: Sequence[str], attackers: Sequence[str]) -> None:
        """Declare an attack: one press on a defender includes all defenders, another one the attackers."""
        self.open(battle, target)
        self.join(battle, attackers)

    def open(self, battle: int, defenders: Sequence[str]) -> None:
        """Begin a battle with its defenders."""
        self.log.mark()
        self.log.battle, self.log.count = battle, max(self.log.count, battle)
        number: list[Command] = [
            self.log.counted("BattleNo", str(battle)),
            self.log.counted("BattleCount", str(battle)),
        ]
        self._enlist(battle, defenders, "D", number)

    def join(self, battle: int, attackers: Sequence[str]) -> None:
        """Let counters join the attack in the current battle."""
        self.log.mark()
        self._enlist(battle, attackers, "A", [])

    def _enlist(self, battle: int, names: Sequence[str], role: str, before: list[Command]) -> None:
        values = {announcements.BATTLE: str(battle), announcements.ROLE: role, "BattleResult": "-"}
        changed = [command for name in names for command in self.log.board.set(name, **values)]
        if changed:
            line = self.summing_up(battle)
            self.log.step(NOTHING, NOTHING, *before, *changed, *line)

    def summing_up(self, battle: int) -> list[Command]:
        """The line in which the module sums up a battle, with the properties that it uses for that."""
        attackers, defenders = self.participants(battle, "A"), self.participants(battle, "D")
        attack, defence = self._strength(attackers, "attack"), self._strength(defenders, "defence")
        seat = self.log.seat("")
        said = announcements.BattleDeclared(
            battle,
            tuple(map(self.log.located, attackers)),
            tuple(map(self.log.located, defenders)),
            attack,
            defence,
            seat.side,
        )
        sums = {
            "BAtk": " + ".join(str(self.log.located(name)) for name in attackers),
            "BDef": " + ".join(str(self.log.located(name)) for name in defenders),
            "BAF": f"{2 * attack:g}",
            "BDF": f"{2 * defence:g}",
        }
        return [*self.log.summed(sums), self.log.said(said)]

    def _strength(self, names: Iterable[str], kind: str) -> float:
        counters = [self.log.game.counters[name] for name in names]
        factors = [one.face().factors.get(kind, 0) for one in counters]
        return float(sum(factor for factor in factors if isinstance(factor, int | float | Fraction)))

    def participants(self, battle: int, role: str) -> list[str]:
        """The counters that take part in a battle in a role."""
        wanted = (str(battle), role)
        return [
            name
            for name, one in self.log.board.pieces.items()
            if (one.value(announcements.BATTLE), one.value(announcements.ROLE)) == wanted
        ]

    def resolve(self, battle: int, odds: Odds, dice: str, faces: Sequence[int]) -> None:
        """Roll the die of a battle; the module announces odds and result."""
        self.log.mark()
        seat = self.log.seat("")
        said = announcements.BattleResolved(
            battle,
            float(odds.attack),
            float(odds.defence),
            odds.shift,
            odds.column,
            tuple(faces),
            odds.result,
            seat.side,
            odds.modifier,
        )
        names = [*self.participants(battle, "D"), *self.participants(battle, "A")]
        marked = [command for name in names for command in self.log.board.set(name, BattleResult=odds.result)]
        summed = self.log.summed(self.log.sums)
        rolled = self.log.rolled_faces(dice, faces, seat, battle)
        self.log.step(
            self.log.counted("BattleNo", str(battle)), *summed, *rolled, self.log.said(said), *marked
        )

    def call_off(self, battle: int) -> None:
        """Call a battle off."""
        self.log.mark()
        names = [*self.participants(battle, "D"), *self.participants(battle, "A")]
        said = announcements.BattleCancelled(battle, self.log.seat("").side)
        done = [command for name in names for command in self.log.board.set(name, **SPENT)]
        self.log.battle = 0
        self.log.step(
            NOTHING,
            self.log.said(said),
            *done,
            self.log.counted("BattleNo", "0"),
            *self.log.summed(SUMS),
        )

    def roll(self, dice: str, faces: Sequence[int], battle: int = 0) -> None:
        """Press the button for some dice, with a current battle if one is named."""
        if battle:
            self.turn_to(battle)
        self.log.mark()
        self.log.step(*self.log.rolled_faces(dice, faces, self.log.seat("")))
