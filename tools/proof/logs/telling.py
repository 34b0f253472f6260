"""A game that was played by the rules, done again by players at VASSAL's table.

They drag and press as people do: a way hex by hex or at once, a stack together, a step taken back and done
again, a word in between. What they do is what was played; only how they do it is left to chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import import_module
from random import Random

from attrs import define, field, frozen

from referee.engine.actions import NEXT
from referee.engine.position import Battle, Position, World
from referee.scribe.idiom import Idiom, find_idiom
from tools.proof.logs.opening import SOLO, Opening
from tools.proof.logs.writer import LogWriter, Odds, Seat
from tools.proof.playing import Played, Step, play
from vassalgen import announcements

CHAT = ("hm", "your turn soon", "wait", "ok", "3:1, I think", "nice one", "Battle 1: cancelled (Axis)")
"""What players say besides; some of it looks like an announcement, and is none."""


@frozen
class Talk:
    """What the tellers must know of a game that its idiom does not say.

    ``odds``: the odds that the module announces for a battle at its die, thrown between two positions.
    """

    odds: Callable[[Position, Position, Battle], Odds]


@frozen
class Habits:
    """How likely players do things in a way that the log does not need."""

    chat: float = 0.04
    undo: float = 0.05
    stray: float = 0.06
    stepwise: float = 0.5


HABITS = Habits()
PLAIN = Habits(0, 0, 0, 0)
"""Players who do nothing but what they must."""


class UntellableError(Exception):
    """What was played cannot be done with the module."""


@define(eq=False)
class Teller:
    """Does steps of a game on a log. ``lines`` gives for each of them the steps of the log that it took.

    ``numbers`` are the module's numbers of battles by those of the phase, ``announced`` the words with which
    odds are announced otherwise than they are.
    """

    writer: LogWriter
    idiom: Idiom
    talk: Talk
    rng: Random
    habits: Habits = PLAIN
    lines: list[range] = field(factory=list)
    numbers: dict[int, int] = field(factory=dict)
    said: dict[int, tuple[str, ...]] = field(factory=dict)

    def tell(self, game: Sequence[Step]) -> None:
        """Do all steps."""
        for place, step in enumerate(game):
            first = self.writer.number + 1
            if self.rng.random() < self.habits.chat:
                self.writer.say(self.rng.choice(CHAT))
            self._do(step, game[place + 1 :])
            self._put_right(step.after)
            self.lines.append(range(first, self.writer.number + 1))

    def _do(self, step: Step, following: Sequence[Step]) -> None:
        action, idiom = step.action, self.idiom
        verb = action.verb
        states = {verbs: state for state, pair in idiom.states.items() for verbs in pair}
        declared = {known: declaration for declaration, known in idiom.declared.items()}
        if verb == NEXT.name:
            self.numbers.clear()
            self.said.clear()
            self.writer.turn(step.after.clock)
        elif verb == idiom.attack:
            self._attack(step)
        elif verb == idiom.call_off:
            self.writer.call_off(self._number(step))
        elif verb == idiom.roll:
            self._roll(step, following)
        elif verb == idiom.odds:
            self.said[self._battle(step).number] = action.words
        elif verb in declared:
            self._declare(step, declared[verb])
        elif verb in states:
            self._state(step, states[verb])
        elif verb == idiom.eliminate:
            for name in action.pieces:
                self.writer.eliminate(name, step.after.pieces[name].where)
        elif action.path or verb in (idiom.deploy, *idiom.entries):
            self._drag(step)

    def _battle(self, step: Step) -> Battle:
        """The battle that a step is about, as it stands after it if it is still there."""
        number = step.action.battle
        for position in (step.after, step.before):
            found = [one for one in position.battles if number in (0, one.number)]
            if step.action.target:
                found = [one for one in found if one.target == step.action.target] or found
            if found:
                return found[-1]
        raise UntellableError(f"{step.action.verb}: no battle")

    def _number(self, step: Step) -> int:
        """The module's number of the battle that a step is about."""
        before = [one for one in step.before.battles if step.action.battle in (0, one.number)]
        battle = before[-1] if before and not step.action.target else self._battle(step)
        if battle.number not in self.numbers:
            raise UntellableError(f"battle {battle.number} was not declared")
        return self.numbers[battle.number]

    def _attack(self, step: Step) -> None:
        known = {one.number for one in step.before.battles}
        new = [one for one in step.after.battles if one.number not in known]
        battle = new[-1] if new else self._battle(step)
        side = step.after.pieces[battle.attackers[0]].side if battle.attackers else ""
        target = step.action.target
        defenders = [one.id for one in step.after.at(target) if one.side != side]
        busy = [name for name in (*defenders, *battle.attackers) if self._is_fighting(name, step.after)]
        if busy and new:
            raise UntellableError(f"{', '.join(busy)} cannot take part in two battles at once")
        if not defenders:
            raise UntellableError(f"nobody to attack in {target}")
        if new:
            self.numbers[battle.number] = self.writer.count + 1
            self.writer.open(self.numbers[battle.number], defenders)
        self.writer.join(self.numbers[battle.number], battle.attackers)

    def _is_fighting(self, name: str, position: Position) -> bool:
        """Whether a counter stands in a battle on the table that has not had its die."""
        number = int(self.writer.board.lying[name].value(announcements.BATTLE) or "0")
        known = {ours: theirs for theirs, ours in self.numbers.items()}
        battle = position.battle(known[number]) if number in known else None
        return battle is not None and not getattr(battle, "rolled", False)

    def _roll(self, step: Step, following: Sequence[Step]) -> None:
        number = self._number(step)
        battle = next(one for one in step.before.battles if self.numbers.get(one.number) == number)
        odds = self.talk.odds(step.before, step.after, battle)
        words = self.said.pop(battle.number, None)
        if words is not None:
            odds = _as_said(odds, words)
        for other in following[:1]:
            if other.action.verb == self.idiom.result:
                odds = Odds(odds.attack, odds.defence, odds.column, other.action.words[0], odds.shift)
        dice = next(dice for dice, verb in self.idiom.dice.items() if verb == self.idiom.roll)
        self.writer.resolve(number, odds, dice, step.action.dice)

    def _declare(self, step: Step, declaration: str) -> None:
        action = step.action
        known = self.writer.game.declarations[declaration]
        number = self._number(step) if known.about == "battle" else 0
        if action.target and known.about == "battle" and self._battle(step).target != action.target:
            raise UntellableError(f"{action.target} is not attacked")
        die = action.dice[0] if action.dice else 0
        speakers = action.pieces or (self._speaker(step, declaration),)
        for name in speakers:
            self.writer.declare(name, declaration, number, die)
            if self.rng.random() < self.habits.undo and not die:
                self.writer.undo()
                self.writer.declare(name, declaration, number, die)

    def _speaker(self, step: Step, declaration: str) -> str:
        """Some counter that may declare what belongs to none: of the side whose declaration it is."""
        known = self.writer.game.declarations[declaration]
        number = self._number(step)
        roles = ("D", "A") if known.by == "passive" else ("A", "D")
        for role in roles:
            names = self.writer.participants(number, role)
            if names:
                return self.rng.choice(names)
        raise UntellableError(f"nobody to declare {declaration}")

    def _state(self, step: Step, state: str) -> None:
        before, after = step.before.pieces, step.after.pieces
        names = [name for name in before if before[name].is_(state) != after[name].is_(state)]
        names = [name for name in names if name in step.action.pieces] or names
        for name in names or step.action.pieces:
            self.writer.state(name, state, on=step.action.verb == self.idiom.states[state][0])

    def _drag(self, step: Step) -> None:
        """Drag the pieces of an action: together where they lie together."""
        action = step.action
        way = (action.verb, action.words)
        spoken = {(one.verb, one.words): declaration for declaration, one in self.idiom.announced.items()}
        number = 0
        if way in spoken:
            number = self._fought(step)
        groups: dict[str, list[str]] = {}
        for name in action.pieces:
            groups.setdefault(self.writer.board.lying[name].spot.name, []).append(name)
        for names in groups.values():
            if way in spoken:
                for name in names:
                    self.writer.declare(name, spoken[way], number)
            self._along(names, self._points(step, names))

    def _fought(self, step: Step) -> int:
        """The module's number of the battle after which pieces are moved."""
        battle = step.action.battle
        if battle in self.numbers:
            return self.numbers[battle]
        for one in reversed(step.before.battles):
            if one.number in self.numbers:
                return self.numbers[one.number]
        raise UntellableError("no battle was fought")

    def _points(self, step: Step, names: Sequence[str]) -> list[str]:
        action = step.action
        if not action.path:
            return [action.target]
        points = list(action.path[1:])
        if action.dragged or self.rng.random() >= self.habits.stepwise:
            points = points[-1:]
        start = step.before.pieces[names[0]].where
        return points if points != [start] else []

    def _along(self, names: Sequence[str], points: Sequence[str]) -> None:
        for point in points:
            moving = [name for name in names if self._place(name) != point]
            if not moving:
                continue
            if self.rng.random() < self.habits.undo:
                self.writer.drag(moving, point)
                self.writer.undo()
            self.writer.drag(moving, point)

    def _place(self, name: str) -> str:
        return self.writer.board.lying[name].spot.name

    def _put_right(self, position: Position) -> None:
        """Have the table show what the rules did by themselves: markers, and what changes its box."""
        game = self.writer.game
        kept = {one.state for one in game.declarations.values() if one.state and one.about == "battle"}
        for name, piece in position.pieces.items():
            one = self.writer.board.lying.get(name)
            if one is None:
                continue
            on_map = piece.where in game.map.grid
            for state, known in game.states.items():
                if not on_map or piece.counter.kind not in known.kinds or state in kept:
                    continue
                shown = one.value(announcements.state_property(state)) not in (None, "0")
                if shown != piece.is_(state):
                    self.writer.state(name, state, on=piece.is_(state))
            if piece.where and piece.where not in game.map.grid and piece.where not in self.idiom.lost:
                wanted = self.writer.spot(name, piece.where).name
                if not one.spot.name.startswith(wanted):
                    self.writer.drag((name,), piece.where)


def _as_said(odds: Odds, words: Sequence[str]) -> Odds:
    """Odds as players announced them."""
    said = {word.partition(" ")[0]: word.partition(" ")[2] for word in words[1:]}
    return Odds(
        Fraction(said.get("attack", odds.attack)),
        Fraction(said.get("defence", odds.defence)),
        words[0],
        odds.result,
        odds.shift,
    )


def find_talk(game: str) -> Talk:
    """Return what is known of how a game is talked about; LookupError if nobody has written it."""
    try:
        talk = import_module(f"tools.proof.games.{game}").TALK
    except (ModuleNotFoundError, AttributeError) as error:
        raise LookupError(f"there is no talk of {game}") from error
    assert isinstance(talk, Talk)
    return talk


def unsaid(idiom: Idiom) -> frozenset[str]:
    """The verbs that players do not say one by one: the module announces odds and results with the die."""
    return frozenset({idiom.odds, idiom.result, idiom.settle, "claim"} - {""})


def play_for_log(world: World, seed: int, turns: int = 0, start: Position | None = None) -> Played:
    """Play a random game of what a log can hold, from the start or from another position."""
    return play(world, seed, turns, unsaid(find_idiom(world.game.id)), start)


def tell_game(
    opening: Opening, game: Sequence[Step], seed: int, habits: Habits = HABITS, seats: Sequence[Seat] = SOLO
) -> Teller:
    """Do a game again as a log that begins with its first position; the same seed gives the same log."""
    known = game[0].before.game.id
    writer = opening.writer(game[0].before, seats)
    rng = Random(seed)  # noqa: S311 - a game, not a secret
    teller = Teller(writer, find_idiom(known), find_talk(known), rng, habits)
    teller.tell(game)
    return teller
