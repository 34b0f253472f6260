"""What counters and sides declare: every method makes one or two steps of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, frozen

from tools.proof.logs.battles import Battles
from tools.proof.logs.writer import NOTHING, LogWriter
from vassalgen import announcements
from vassalgen.game.sequence import Declaration
from vassalgen.templates import Announcement, Named
from vassalgen.vassal.commands import Command


@frozen
class Check:
    """What the module announces about a roll that it checks."""

    total: int
    modifier: int | None = None
    support: int | None = None
    factor: int | None = None
    result: str | None = None


@define(eq=False)
class Declarations:
    """Declarations by commands of the module, with their rolls and points."""

    log: LogWriter
    battles: Battles

    def declare(
        self,
        names: Sequence[str],
        declaration: str,
        battle: int = 0,
        faces: Sequence[int] = (),
        points: int | None = None,
        towards: str | None = None,
        check: Check | None = None,
    ) -> None:
        """Let counters declare something together, with a roll, points or a direction if the declaration has
        one.
        """
        self.log.mark()
        known = self.log.game.declarations[declaration]
        dice = self.log.game.dice[known.dice].yes if faces and known.dice else ()
        commands: list[Command] = [NOTHING] * 2
        for name in names:
            seat = self.log.seat(name)
            said: Announcement = announcements.Declared(
                self.log.located(name),
                Named(declaration, known.title),
                seat.side,
                battle or None,
                tuple(faces) or None,
                (faces[0] in dice) if dice else None,
                points,
                towards,
            )
            if check is not None:
                said = self._checked(name, known, battle, faces, check)
            commands += self.log.board.set(name, **self._values_declared(name, known, battle, points))
            commands += self.log.rolled_faces(known.dice, faces, seat) if faces else []
            commands.append(self.log.said(said))
            if battle and known.die:
                commands.append(self.log.counted("BattleNo", str(battle)))
                self.log.battle = battle
        self.log.step(*commands)

    def _checked(
        self, name: str, known: Declaration, battle: int, faces: Sequence[int], check: Check
    ) -> Announcement:
        """The line about a checked roll."""
        return announcements.CheckMade(
            self.log.located(name),
            Named(known.id, known.title),
            battle,
            tuple(faces),
            check.total,
            self.log.seat(name).side,
            check.modifier,
            check.support,
            check.factor,
            check.result,
        )

    def _values_declared(
        self, name: str, known: Declaration, battle: int, points: int | None
    ) -> dict[str, str]:
        """What a counter remembers of a declaration, with its state or the points that it takes."""
        key, counter = announcements.declaration_property(known.id), self.log.board.pieces[name]
        values = {key: str(battle)} if battle else {}
        times = counter.value(announcements.SAID)
        if times is not None and counter.value(key) is None:
            values[announcements.SAID] = str(int(times) + 1)
        if known.joins:
            values |= {announcements.BATTLE: str(battle), announcements.ROLE: "A", "BattleResult": "-"}
        if known.clears:
            values[announcements.state_property(known.clears)] = "0"
        if known.state:
            key = announcements.state_property(known.state)
            left = int(self.log.board.pieces[name].value(key) or "0") - (points or 0)
            counts = self.log.game.states[known.state].is_count
            if counts:
                values[key] = str(0 if known.whole else left)
            elif not self._is_in(name, self.log.game.states[known.state].unless):
                values[key] = "1"
        return values

    def _is_in(self, name: str, state: str) -> bool:
        """Whether a counter is in a state; the empty name stands for no state."""
        shown = self.log.board.pieces[name].value(announcements.state_property(state)) if state else None
        return shown not in (None, "0")

    def say_of_side(self, declaration: str, side: str, battle: int = 0) -> None:
        """Let a side declare something that belongs to no counter."""
        self.log.mark()
        known = self.log.game.declarations[declaration]
        said = announcements.SideDeclared(
            Named(declaration, known.title), self.log.seat_of(side).side, battle or None
        )
        self.log.step(self.log.said(said))

    def choose(self, declaration: str, battle: int, points: Mapping[str, int]) -> None:
        """Let the sides choose points for a battle in secret, in this order; after the last choice all are
        shown.
        """
        known, named = self.log.game.declarations[declaration], self.log.game.sides
        self.battles.turn_to(battle)
        for count, (side, chosen) in enumerate(points.items(), 1):
            self.log.mark()
            seat, title = self.log.seat_of(side), named[side].title
            chose = announcements.PointsChosen(battle, title, Named(declaration, known.title), seat.side)
            key = announcements.choice_property(declaration, side)
            self.log.rolled.setdefault(key, "-1")
            commands: list[Command] = [self.log.said(chose), self.log.counted(key, str(chosen))]
            if count == len(named):
                first, second = named.values()
                worth = (1 if self.log.calendar.side(self.log.clock) == first.id else -1) * (
                    points[first.id] - points[second.id]
                )
                shown = announcements.PointsShown(
                    battle,
                    Named(declaration, known.title),
                    first.title,
                    points[first.id],
                    second.title,
                    points[second.id],
                    seat.side,
                    worth * known.columns if known.columns else None,
                    worth * known.die if isinstance(known.die, int) and known.die else None,
                )
                commands.append(self.log.said(shown))
                commands += [
                    self.log.counted(announcements.choice_property(declaration, one), "-1") for one in named
                ]
            self.log.step(*commands)
