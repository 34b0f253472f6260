"""A game that was played by the rules, repeated by players at VASSAL's table.

They drag and press as people do: a path hex by hex or at once, a stack together, a step undone and done
again, some chat in between. The actions are those of the game; only the way they are carried out is random.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from attrs import define, evolve, field

from referee.engine.actions import NEXT
from referee.engine.idiom import ADD, REMOVE, Idiom
from referee.engine.position import Battle, Position
from referee.games import find_idiom
from tools.proof.logs.battles import Battles, Odds
from tools.proof.logs.catching_up import CatchingUp
from tools.proof.logs.counter_actions import CounterActions
from tools.proof.logs.declarations import Declarations
from tools.proof.logs.loggable import HABITS, PLAIN, Habits, UnloggableError
from tools.proof.logs.opening import SOLO, Opening
from tools.proof.logs.roll_announcements import RollAnnouncements, find_roll_announcements
from tools.proof.logs.writer import LogWriter, Seat
from tools.proof.playing import Step
from vassalgen import announcements
from vassalgen.announcements import waiting
from vassalgen.parts.names import TRACK

CHAT = ("hm", "your turn soon", "wait", "ok", "3:1, I think", "nice one", "Battle 1: cancelled (Axis)")
"""What players say besides; some of it looks like an announcement, but is not."""


NONE = range(0)
"""No steps."""
SAID = 0.7
"""How likely a counter is sent to a box with its command, and not dragged."""


@define(eq=False)
class GameLogger:
    """Writes the steps of a game as a log. ``lines`` gives, for each of them, its steps of the log.

    ``numbers`` are the module's numbers of battles by those of the phase, ``announced`` the odds that are
    announced wrongly on purpose. The paths of the steps in ``walked`` are dragged hex by hex.
    """

    writer: LogWriter
    idiom: Idiom
    roll_announcements: RollAnnouncements
    rng: Random
    habits: Habits = PLAIN
    walked: range = NONE
    lines: list[range] = field(factory=list)
    numbers: dict[int, int] = field(factory=dict)
    said: dict[int, tuple[str, ...]] = field(factory=dict)
    modified: dict[int, int] = field(factory=dict)
    chosen: set[tuple[int, str]] = field(factory=set)
    counter_actions: CounterActions = field(init=False)
    battles: Battles = field(init=False)
    declarations: Declarations = field(init=False)
    catching_up: CatchingUp = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.counter_actions, self.battles = CounterActions(self.writer), Battles(self.writer)
        self.declarations = Declarations(self.writer, self.battles)
        self.catching_up = CatchingUp(self.writer, self.counter_actions, self.idiom)

    def perform(self, game: Sequence[Step]) -> None:
        """Play all steps."""
        for place, step in enumerate(game):
            first = self.writer.number + 1
            if self.rng.random() < self.habits.chat:
                self.writer.say(self.rng.choice(CHAT))
            self._do(step, game[place + 1 :])
            self.catch_up(step)
            self.lines.append(range(first, self.writer.number + 1))

    def catch_up(self, step: Step) -> None:
        """Make the table show what the rules did by themselves at a step."""
        self.catching_up.catch_up(step.after)

    def _do(self, step: Step, following: Sequence[Step]) -> None:
        action, idiom = step.action, self.idiom
        verb = action.verb
        states = {verbs: state for state, pair in idiom.states.items() for verbs in pair}
        declared = {known: declaration for declaration, known in idiom.declared.items()}
        meant = (
            one
            for one, word in idiom.words.items()
            if action.words in {(word.format(side=side),) for side in step.before.game.sides}
        )
        declared |= {idiom.declared[one]: one for one in meant if idiom.declared[one] == verb}
        if verb == NEXT.name:
            self._forget_battles()
            self.counter_actions.turn(step.after.clock)
        elif verb in (idiom.attack, *idiom.attacks.values()):
            self._attack(step)
        elif verb and verb == idiom.also:
            self.battles.open(self._number(step), self._defenders(step, step.action.target))
        elif verb and verb in idiom.faces:
            for name in action.pieces:
                self.counter_actions.turn_over(name, up=verb == idiom.faces[0])
        elif verb == idiom.call_off:
            self.battles.call_off(self._number(step))
        elif verb in idiom.all_rolls:
            self._roll(step, following)
        elif verb == idiom.odds:
            self.said[self._battle(step).number] = action.words
        elif verb == idiom.modifier:
            self.modified[self._battle(step).number] = int(action.words[0])
        elif verb in declared:
            self._declare(step, declared[verb], following)
        elif verb in states:
            self._state(step, states[verb])
        elif verb in (*idiom.dice.values(), *idiom.alone.values()):
            dice = next(one for one, known in (*idiom.dice.items(), *idiom.alone.items()) if known == verb)
            alone = verb in idiom.alone.values()
            self.battles.roll(dice, action.dice, 0 if alone else self._number(step))
        elif verb == idiom.steps[1] and action.target and self.writer.game.families:
            self._drag(step)
        elif verb in (*idiom.steps, idiom.eliminate, *idiom.other_losses):
            self._lose(step)
        elif verb == ADD and idiom.hex_markers:
            self.counter_actions.lay_marker(action.words[0], action.target)
        elif verb == REMOVE and idiom.hex_markers:
            self.counter_actions.take_marker(action.words[0], action.target)
        elif verb in idiom.exits.values():
            self._exit(step)
        elif verb and verb == idiom.away:
            self._put_away(step)
        elif action.path or verb in (idiom.deploy, *idiom.entries, *_shifts(idiom)):
            self._drag(step)

    def _forget_battles(self) -> None:
        self.numbers.clear()
        self.said.clear()
        self.modified.clear()
        self.chosen.clear()

    def _battle(self, step: Step) -> Battle:
        """The battle of a step, as it is after the step if it is still open."""
        number = step.action.battle
        for position in (step.after, step.before):
            found = [one for one in position.battles if number in (0, one.number)]
            if step.action.target:
                found = [one for one in found if one.target == step.action.target] or found
            if found:
                return found[-1]
        raise UnloggableError(f"{step.action.verb}: no battle")

    def _number(self, step: Step) -> int:
        """The module's number of the battle of a step."""
        before = [one for one in step.before.battles if step.action.battle in (0, one.number)]
        battle = before[-1] if before and not step.action.target else self._battle(step)
        if battle.number not in self.numbers:
            raise UnloggableError(f"battle {battle.number} was not declared")
        return self.numbers[battle.number]

    def _attack(self, step: Step) -> None:
        known = {one.number for one in step.before.battles}
        new = [one for one in step.after.battles if one.number not in known]
        battle = new[-1] if new else self._battle(step)
        side = step.after.pieces[battle.attackers[0]].side if battle.attackers else ""
        target = step.action.target
        defenders = [one.id for one in step.after.at(target) if one.side != side]
        if not defenders:
            raise UnloggableError(f"nobody to attack in {target}")
        if new:
            self.numbers[battle.number] = self.writer.count + 1
            self.battles.open(self.numbers[battle.number], defenders)
        kinds = (one for one, verb in self.idiom.attacks.items() if verb == step.action.verb)
        if (kind := next(kinds, "")) and self.writer.game.declarations[kind].joins:
            for name in battle.attackers:
                self.declarations.declare((name,), kind, self.numbers[battle.number])
        else:
            self.battles.join(self.numbers[battle.number], battle.attackers or step.action.pieces)

    def _defenders(self, step: Step, target: str) -> list[str]:
        """The enemies in a further attacked hex."""
        side = step.after.pieces[self._battle(step).attackers[0]].side
        return [one.id for one in step.after.at(target) if one.side != side]

    def _rejoined(self, battle: Battle, position: Position) -> None:
        """Let units join a battle again if they were put into another one since."""
        number = self.numbers[battle.number]
        side = self.writer.game.counters[battle.attackers[0]].side if battle.attackers else ""
        there = {*self.battles.participants(number, "A"), *self.battles.participants(number, "D")}
        defenders = [one.id for one in position.at(battle.target) if one.side not in (side, "")]
        if not defenders or there >= {*defenders, *battle.attackers}:
            return
        self.battles.open(number, [name for name in defenders if name not in there])
        on_table = self.writer.board.pieces  # lost counters may be deleted
        self.battles.join(number, [one for one in battle.attackers if one in on_table and one not in there])

    def _roll(self, step: Step, following: Sequence[Step]) -> None:
        number = self._number(step)
        battle = next(one for one in step.before.battles if self.numbers.get(one.number) == number)
        self._rejoined(battle, step.before)
        if self.roll_announcements.odds is None:
            declared = {verb: declaration for declaration, verb in self.idiom.declared.items()}
            said = declared[self.idiom.roll], number, step.action.dice
            if roller := (step.action.pieces or battle.attackers)[:1]:
                self.declarations.declare(roller, *said, check=self.roll_announcements.check(step))
            else:
                self.battles.roll(self.writer.game.declarations[said[0]].dice, step.action.dice, number)
            return
        odds = self.roll_announcements.odds(step.before, step.after, battle)
        words = self.said.pop(battle.number, None)
        if words is not None:
            odds = _as_said(odds, words)
        if battle.number in self.modified:
            odds = evolve(odds, modifier=self.modified.pop(battle.number))
        for other in following[:1]:
            if other.action.verb == self.idiom.result:
                odds = evolve(odds, result=other.action.words[0])
        rolled = self.idiom.roll_of(battle)
        dice = next(dice for dice, verb in self.idiom.dice.items() if verb == rolled)
        self.battles.resolve(number, odds, dice, step.action.dice)

    def _declare(self, step: Step, declaration: str, following: Sequence[Step]) -> None:
        action = step.action
        known = self.writer.game.declarations[declaration]
        number = self._number(step) if known.about == "battle" else 0
        if action.target and known.about == "battle" and self._battle(step).target != action.target:
            raise UnloggableError(f"{action.target} is not attacked")
        if known.secret:
            self._choose(step, declaration, number, following)
        elif not action.pieces and not known.kinds:
            self._say_of_side(step, declaration, number)
        elif known.towards:
            self.declarations.declare(action.pieces, declaration, number, towards=self._towards(step))
        elif declaration in self.idiom.beside:
            speaker, companion = action.pieces[0], action.pieces[-1]
            self.declarations.declare((companion,), self.idiom.beside[declaration])
            self.declarations.declare((speaker,), declaration, number, action.dice)
        else:
            points = int(action.words[-1]) if known.points else None
            if points is not None and points not in known.points:
                raise UnloggableError(f"{points} points of {known.title} cannot be declared")
            for name in action.pieces or (self._speaker(step, declaration),):
                said = ((name,), declaration, number, action.dice, points)
                self.declarations.declare(*said, check=self.roll_announcements.check(step))
                if known.to_battle:
                    self._fly(name, number)
                elif self.rng.random() < self.habits.undo and not action.dice:
                    self.writer.undo()
                    self.declarations.declare(*said)

    def _say_of_side(self, step: Step, declaration: str, number: int) -> None:
        """A declaration of a side. A player of all sides makes none for the active side: the module would
        take it as the other side's.

        The end of set-up is declared for each side in its turn, by either player.
        """
        known, active = self.writer.game.declarations[declaration], step.before.side
        passive = next((one for one in self.writer.game.sides if one != active), "")
        named = (one for one in self.writer.game.sides if "".join(step.action.words[:1]).startswith(one))
        side = next(named, passive if known.by == "passive" else active)
        heard = side == passive or self.writer.has_seat(side)
        is_claim = known.about == "game" and step.action.verb != self.idiom.begin
        if step.action.words and is_claim and not heard:
            raise UnloggableError(f"nobody speaks for the {side} side")
        if heard or known.about == "game":
            self.declarations.say_of_side(declaration, side, number)

    def _towards(self, step: Step) -> str:
        """The direction of the hex that is named."""
        grid, action = self.writer.game.map.grid, step.action
        here = step.before.pieces[action.piece].where
        found = [
            way for way in grid.directions if here in grid and grid.neighbour(here, way) == action.target
        ]
        if not found:
            raise UnloggableError(f"{action.target} is not next to {here}")
        return found[0]

    def _choose(self, step: Step, declaration: str, number: int, following: Sequence[Step]) -> None:
        """Points chosen in secret: with the first side's choice both are announced; the other side's is read
        ahead.
        """
        game, verb = self.writer.game, step.action.verb
        battle = self._battle(step)
        if (battle.number, declaration) in self.chosen:
            return
        points: dict[str, int] = {}
        for other in (step, *following):
            if other.action.verb == NEXT.name:
                break
            if other.action.verb == verb and self._battle(other).number == battle.number:
                side, count = other.action.words[0], int(other.action.words[1])
                points[side] = points.get(side, 0) + count
        if any(count not in game.declarations[declaration].points for count in points.values()):
            raise UnloggableError(f"{points} points of {declaration} cannot be chosen")
        if any(points.values()):
            points = {**dict.fromkeys(game.sides, 0), **points}
        self.chosen.add((battle.number, declaration))
        self.declarations.choose(declaration, number, points)

    def _speaker(self, step: Step, declaration: str) -> str:
        """A counter that can make a declaration belonging to no counter, of the right side.

        Units of a battle are declared again if they were in another one since.
        """
        number = self._number(step)
        names = self._speakers(step, declaration, number)
        if not names:
            self._rejoined(self._battle(step), step.before)
            names = self._speakers(step, declaration, number)
        if not names:
            raise UnloggableError(f"nobody to declare {declaration}")
        return self.rng.choice(names)

    def _speakers(self, step: Step, declaration: str, number: int) -> list[str]:
        game = self.writer.game
        known, side = game.declarations[declaration], next(iter(step.action.words), "")
        for role in ("D", "A") if known.by == "passive" else ("A", "D"):
            names = [
                name
                for name in self.battles.participants(number, role)
                if game.counters[name].kind in known.kinds
                and (side not in game.sides or game.counters[name].side == side)
            ]
            if names:
                return names
        return []

    def _fly(self, name: str, battle: int) -> None:
        """Drag an aircraft to its side's hex of a battle."""
        game = self.writer.game
        for other in (*self.battles.participants(battle, "A"), *self.battles.participants(battle, "D")):
            if game.counters[other].side == game.counters[name].side and other != name:
                self._along((name,), (self._place(other),))
                return

    def _lose(self, step: Step) -> None:
        """Lose or regain steps; after the last step the counter is removed."""
        for name in step.action.pieces:
            after = step.after.pieces[name]
            if after.where in self.idiom.lost or after.where not in self.writer.game.map.grid:
                self.eliminate(name, after.where)
            else:
                self.counter_actions.lose(name, after.steps)

    def eliminate(self, name: str, box: str) -> None:
        """Send a counter to the losses, or to where counters of its kind wait for their return."""
        game = self.writer.game
        kind = game.counters[name].kind
        away = [one for one in game.declarations.values() if one.away and kind in one.kinds]
        last = self.writer.calendar.last_turn
        turn = self.writer.clock.turn + away[0].away if away else 0
        if away and turn <= last:
            self.counter_actions.send(name, away[0].id, waiting(TRACK, turn))
        else:
            self.counter_actions.eliminate(name, box)

    def _exit(self, step: Step) -> None:
        """Move a counter off the map to a box, with the declaration for that if there is one."""
        game = self.writer.game
        for name in step.action.pieces:
            box = step.after.pieces[name].where
            said = [one.id for one in game.declarations.values() if box in one.to]
            if said and self.rng.random() < SAID:
                self.counter_actions.send(name, said[0], box)
            else:
                self.counter_actions.drag((name,), box)

    def _put_away(self, step: Step) -> None:
        """Move a counter off the map to a box that is not for losses."""
        for name in step.action.pieces:
            side = step.after.pieces[name].side
            boxes = [one for one in self.writer.game.map.boxes.values() if one.side in ("", side)]
            box = next((one.id for one in boxes if not one.losses), "")
            if not box:
                raise UnloggableError(f"there is no box for {name}")
            self.counter_actions.drag((name,), box)

    def _state(self, step: Step, state: str) -> None:
        before, after = step.before.pieces, step.after.pieces
        names = [name for name in before if before[name].is_(state) != after[name].is_(state)]
        names = [name for name in names if name in step.action.pieces] or names
        for name in names or step.action.pieces:
            self.counter_actions.state(name, state, on=step.action.verb == self.idiom.states[state][0])

    def _drag(self, step: Step) -> None:
        """Drag the pieces of an action, as a stack if they are in one."""
        action = step.action
        key = (action.verb, action.words)
        commands = {(one.verb, one.words): declaration for declaration, one in self.idiom.announced.items()}
        number = 0
        if key in commands and self.writer.game.declarations[commands[key]].about == "battle":
            if action.battle or step.before.battles:
                number = self._fought(step)
            else:  # friends make room in the movement phase: there is no battle to announce it with
                del commands[key]
        groups: dict[str, list[str]] = {}
        for name in action.pieces:
            groups.setdefault(self.writer.board.pieces[name].spot.name, []).append(name)
        for names in groups.values():
            points = self._points(step, names)
            parts = [[point] for point in points] if self.habits.in_parts else [points]
            for part in parts or [[]]:
                if key in commands:
                    for name in names:
                        self.declarations.declare((name,), commands[key], number)
                if action.verb in self.idiom.entries:
                    self._turned_first(step, names)
                self._along(names, part)

    def _turned_first(self, step: Step, names: Sequence[str]) -> None:
        """The counters that come onto the map with other steps than they show."""
        for name in names:
            steps = str(step.after.pieces[name].steps)
            if self.writer.board.pieces[name].value(announcements.STEPS) not in (None, steps):
                self.counter_actions.lose(name, int(steps))

    def _fought(self, step: Step) -> int:
        """The module's number of the battle after which pieces are moved."""
        battle = step.action.battle
        if battle in self.numbers:
            return self.numbers[battle]
        for one in reversed(step.before.battles):
            if one.number in self.numbers:
                return self.numbers[one.number]
        raise UnloggableError("no battle was fought")

    def _points(self, step: Step, names: Sequence[str]) -> list[str]:
        action = step.action
        if not action.path:
            return [action.target]
        points = list(action.path[1:])
        walks = len(self.lines) in self.walked
        if action.dragged or (not walks and self.rng.random() >= self.habits.stepwise):
            points = points[-1:]
        start = step.before.pieces[names[0]].where
        return points if points != [start] else []

    def _along(self, names: Sequence[str], points: Sequence[str]) -> None:
        for point in points:
            moving = [name for name in names if self._place(name) != point]
            if not moving:
                continue
            if self.rng.random() < self.habits.undo:
                self.counter_actions.drag(moving, point)
                self.writer.undo()
            self.counter_actions.drag(moving, point)

    def _place(self, name: str) -> str:
        return self.writer.board.pieces[name].spot.name


def _as_said(odds: Odds, words: Sequence[str]) -> Odds:
    """Odds as players announced them."""
    said = {word.partition(" ")[0]: word.partition(" ")[2] for word in words[1:]}
    attack, defence = (
        Fraction(said.get(name, right))
        for name, right in (("attack", odds.attack), ("defence", odds.defence))
    )
    return evolve(odds, attack=attack, defence=defence, column=words[0])


def _shifts(idiom: Idiom) -> frozenset[str]:
    """The verbs that a shift from hex to hex may stand for."""
    return frozenset(one.verb for group in idiom.move_verbs.values() for one in group)


def log_game(
    opening: Opening,
    game: Sequence[Step],
    seed: int,
    habits: Habits = HABITS,
    seats: Sequence[Seat] = SOLO,
    walked: range = NONE,
) -> GameLogger:
    """Repeat a game as a log that begins with its first position; the same seed gives the same log.

    The paths of the steps in ``walked`` are dragged hex by hex.
    """
    logger = logger_of(opening, game[0].before, seed, habits, seats, walked)
    logger.perform(game)
    return logger


def logger_of(
    opening: Opening,
    position: Position,
    seed: int,
    habits: Habits = HABITS,
    seats: Sequence[Seat] = SOLO,
    walked: range = NONE,
) -> GameLogger:
    """Begin a log with a position, from which a game can be continued at the table."""
    known = position.game
    rng = Random(seed)  # noqa: S311 - a game, not a secret
    writer = opening.writer(position, seats)
    return GameLogger(writer, find_idiom(known), find_roll_announcements(known), rng, habits, walked)
