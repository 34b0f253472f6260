"""Attacks begun at a step of a game and rolled so that the result is in a certain cell of the table.

Random play seldom gets as far as the dice, so most breaches in battles begin with an attack of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.standard.battle import Fight
from referee.standard.combat import faces_of
from referee.standard.odds import calculate
from referee.standard.outcomes import result_at
from tools.proof.breaking import Moment, Mutate
from tools.proof.standard.reading import Reading
from vassalgen.game.families import Combat, Families
from vassalgen.game.game import Game

ATTACK = "attack"
ON = Action(NEXT.name)
MOST_FIGHTS = 4
"""How many attacks are begun at a step."""
Registered = tuple[str, str, Mutate]
"""A clause, the name of the mutator, the mutator."""


@frozen
class Fought:
    """An attack with its dice: the actions, the position after them, and the battle."""

    actions: tuple[Action, ...]
    position: Position
    fight: Fight


@frozen
class Attacks:
    """A kind of combat, and the attacks that can be made at a step."""

    game: Game
    rules: Families
    name: str
    combat: Combat

    def fought(self, moment: Moment, code: str = "", side: str = "") -> Iterator[Fought]:
        """Attacks that are declared and rolled here with a cell that contains a code for a side."""
        if moment.position.battles:
            return
        for attack, target in self.attacks(moment):
            fight = self.as_fight(moment, attack.pieces, target)
            if calculate(moment.position, fight).below:
                continue
            for roll in self.rolled_for(moment, fight, code, side):
                position = moment.position.play(attack).position.play(roll).position
                rolled = position.battle(fight.number)
                if isinstance(rolled, Fight):
                    yield Fought((attack, roll), position, rolled)
                    break

    def has(self, cell: str, code: str, side: str) -> bool:
        """Whether a cell contains a code; only the side's part counts if it has parts."""
        before, sign, after = cell.partition(self.combat.parts) if self.combat.parts else (cell, "", "")
        part = before if not sign or side == "attacker" else after if side else cell
        codes = self.game.tables[self.combat.table].codes(part)
        return code in codes or (code == "#" and any(one.isdecimal() and int(one) for one in codes))

    def rolled_for(self, moment: Moment, fight: Fight, code: str, side: str = "") -> Iterator[Action]:
        """Dice for a battle that lead to a cell with a code, one roll for each such total."""
        odds = calculate(moment.position, fight)
        dice = self.game.dice[self.combat.dice]
        totals = list(range(dice.count, dice.count * dice.sides + 1))
        moment.rng.shuffle(totals)
        for total in totals:
            cell = result_at(moment.position, fight, odds.column, total + odds.modifier)
            if not code or self.has(cell, code, side):
                faces = faces_of(total, dice.count, dice.sides)
                yield Action(f"roll {dice.id}", dice=faces, battle=fight.number)

    def rolled(self, fight: Fight, face: int) -> tuple[Action, ...]:
        """Dice for a battle that all show the same face."""
        dice = self.game.dice[self.combat.dice]
        return (Action(f"roll {dice.id}", dice=(face,) * dice.count, battle=fight.number),)

    def attacks(self, moment: Moment) -> Iterator[tuple[Action, str]]:
        """The attacks that may be made now: by a unit alone, and by all units that can reach the hex."""
        if moment.position.battles:
            return
        able = [piece for piece, _ in self.able(moment)]
        found: list[tuple[Action, str]] = []
        for target in self.targets(moment, self.side(moment)):
            names = [piece.id for piece in able if target in self.near(moment, piece)]
            for pieces in ((name,) for name in names):
                found.append((Action(self.verb(moment), pieces, target=target), target))
            if len(names) > 1:
                found.append((Action(self.verb(moment), tuple(names), target=target), target))
        moment.rng.shuffle(found)
        yield from found[:MOST_FIGHTS]

    def as_fight(self, moment: Moment, names: tuple[str, ...], target: str) -> Fight:
        """The battle that would come of an attack."""
        number = max((battle.number for battle in moment.position.battles), default=0) + 1
        stood = {name: moment.position.pieces[name].where for name in names}
        return Fight(number, target, names, kind=self.name, side=self.side(moment), stood=stood)

    def verb(self, moment: Moment) -> str:
        """The verb for an attack of this kind in the phase."""
        rule = self.rules.sequence.get(moment.position.phase)  # type: ignore[call-overload]
        kinds = [name for name in self.rules.combat if rule is not None and name in rule.does]
        return self.name if len(kinds) > 1 or not kinds else ATTACK

    def is_phase(self, moment: Moment) -> bool:
        """Whether the phase has this kind of combat."""
        rule = self.rules.sequence.get(moment.position.phase)  # type: ignore[call-overload]
        return rule is not None and self.name in rule.does

    def side(self, moment: Moment) -> str:
        """The side that attacks in the phase."""
        rule = self.rules.sequence.get(moment.position.phase)  # type: ignore[call-overload]
        side = moment.position.side
        if rule is not None and rule.by == "passive":
            return next(one for one in self.game.sides if one != side)
        return side

    def reach(self, moment: Moment, piece: Piece) -> int:
        """The range at which a unit attacks."""
        reading = Reading(moment.position, self.rules)
        own = [far for who, far in self.combat.range_of.items() if reading.fits(who, piece)]
        return self.number(piece, (*own, self.combat.range)[0])

    def idle(self, moment: Moment, side: str) -> list[Piece]:
        """Units on the map that are in no battle."""
        fighting = {name for battle in moment.position.battles for name in battle.attackers}
        units = Reading(moment.position, self.rules).units(side)
        found = [piece for piece in units if piece.id not in fighting]
        moment.rng.shuffle(found)
        return found

    def able(self, moment: Moment, *, barred: bool = False) -> Iterator[tuple[Piece, Reading]]:
        """Units that may attack now, and have done nothing that forbids it; or also those that
        a rule bars.
        """
        if not self.is_phase(moment):
            return
        reading = Reading(moment.position, self.rules)
        bans = [bar for bar in self.rules.bars.values() if bar.is_ban and {ATTACK, self.name} & set(bar.to)]
        for piece in self.idle(moment, self.side(moment)):
            printed = piece.counter.printed(self.combat.attack, piece.steps)
            forbidden = any(
                {ATTACK, self.name} & set(rule.forbids)
                for state, rule in self.rules.states.items()
                if state in piece.states
            )
            if (
                isinstance(printed, int)
                and printed > 0
                and not forbidden
                and reading.fits(self.combat.who, piece)
                and (barred or not any(reading.fits(bar.who, piece) for bar in bans))
            ):
                yield piece, reading

    def targets(self, moment: Moment, side: str) -> list[str]:
        """The hexes of a side's enemies."""
        reading = Reading(moment.position, self.rules)
        return sorted({piece.where for piece in reading.units() if piece.side != side})

    def near(self, moment: Moment, piece: Piece) -> list[str]:
        """The enemy hexes within a unit's range."""
        grid = self.game.map.grid
        return [
            target
            for target in self.targets(moment, piece.side)
            if 1 <= grid.distance(piece.where, target) <= self.reach(moment, piece)
        ]

    def in_company(self, moment: Moment) -> Iterator[tuple[str, list[Piece]]]:
        """Hexes with the units that may attack them now."""
        able = [piece for piece, _ in self.able(moment)]
        for target in self.targets(moment, self.side(moment)):
            yield target, [piece for piece in able if target in self.near(moment, piece)]

    def number(self, piece: Piece, amount: int | str) -> int:
        """A number, or the factor of a unit that a name stands for."""
        printed = amount if isinstance(amount, int) else piece.counter.printed(amount, piece.steps)
        return printed if isinstance(printed, int) else 0

    def of_side(self, fought: Fought, side: str) -> list[Piece]:
        """The units of a side in a battle."""
        names = fought.fight.attackers if side == "attacker" else fought.fight.defenders
        return [fought.position.pieces[name] for name in names]

    def is_amid_moves(self, moment: Moment) -> bool:
        """Whether units also move in the phase, so that a drag after a battle may be a move."""
        rule = self.rules.sequence.get(moment.position.phase)  # type: ignore[call-overload]
        return rule is not None and bool(set(rule.activities) & {*self.rules.movement, *self.rules.transfers})

    def steps_back(self, fought: Fought, code: str, side: str) -> int:
        """How far the result makes a side retreat, by the cell or by the rule."""
        cell = fought.fight.result
        before, sign, after = cell.partition(self.combat.parts) if self.combat.parts else (cell, "", "")
        part = before if sign and side == "attacker" else after if sign else cell
        codes = self.game.tables[self.combat.table].codes(part)
        said = next((int(one) for one in codes if one.isdecimal()), 0)
        return said if code == "#" else self.length(code, side)

    def length(self, code: str, side: str) -> int:
        """How far a result makes a side retreat; 0 if that is not the number asked for."""
        outcome = self.rules.results[self.combat.table][code]
        found = [what.retreat for what in outcome.of(side)]
        return max((far for far in found if isinstance(far, int)), default=0)

    def open_beside(self, position: Position, piece: Piece, far: int) -> list[tuple[str, ...]]:
        """Paths of a length that avoid enemies, zones and friends."""
        reading, grid = Reading(position, self.rules), position.game.map.grid
        movement = next(iter(self.rules.movement.values()))
        paths: list[tuple[str, ...]] = [(piece.where,)]
        for _ in range(far):
            paths = [
                (*path, to)
                for path in paths
                for to in grid.neighbours(path[-1])
                if to not in path
                and reading.cost(piece, movement, path[-1], to) < 100
                and not position.at(to)
                and not reading.zones(piece.side, to, purpose="retreat")
                and grid.distance(path[0], to) == len(path)
            ]
        return paths
