"""Reads the facts of logs as actions, and keeps the position that they lead to.

Everything that was done is carried out at once, so that what a move may mean can be asked of the rules: of
several readings the one is taken that breaks nothing, for what is hidden or forgotten is read in the players'
favour. After each step the position is compared with the table, and what no action explains is taken over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from referee.engine.actions import NEXT, Action, Part
from referee.engine.clock import Clock
from referee.engine.position import Mark, Position, World
from referee.engine.rulings import Grade
from referee.judge import carry_out
from referee.record import At, Deed, Place, Statement
from referee.scribe import facts
from referee.scribe.facts import NOWHERE, UNKNOWN, Fact, Standing
from referee.scribe.idiom import Idiom, Way
from referee.scribe.reading import Certainty, Reading, Unread
from referee.scribe.story import Battle, Story, tell
from referee.scribe.witness import Witnessed


@frozen
class Attempt:
    """One way to read something: the statements, the worst grade of the rulings on them, where it leads."""

    statements: tuple[Statement, ...]
    grade: Grade
    position: Position


class Scribe:
    """Reads the logs of one game, one after the other."""

    def __init__(self, world: World, idiom: Idiom) -> None:
        self.world = world
        self.game = world.game
        self.idiom = idiom
        self.position = world.rulebook.empty(world)
        self.readings: list[Reading] = []
        self.unread: list[Unread] = []
        self.log = -1
        self.players: dict[int, str] = {}
        self._hints: dict[str, Way] = {}
        self._declared: set[int] = set()
        self._said: set[tuple[int, str]] = set()
        self._settling: list[Battle] = []
        self._turned = False
        self._numbers = 0

    @property
    def rolling(self) -> frozenset[str]:
        """The dice that resolve battles."""
        return frozenset(dice for dice, verb in self.idiom.dice.items() if verb == self.idiom.roll)

    def read(self, log: Witnessed) -> None:
        """Read one more log."""
        self.log += 1
        self.players = {step.step: step.player for step in log.steps}
        story = tell(self.game, log, self.rolling)
        self._open(log)
        self._turned = any(isinstance(fact, facts.Turned) for fact in story.facts)
        after = {step.step: step.after for step in log.steps}
        for place, fact in enumerate(story.facts):
            self._take(story, place, fact)
            last_of_step = place + 1 == len(story.facts) or story.facts[place + 1].step != fact.step
            if last_of_step:
                self._compare(story, place, after.get(fact.step, {}))
        self._settle_all(0)

    # the beginning

    def _open(self, log: Witnessed) -> None:
        """Take over how things stand when a log begins: all of it for the first one, then what differs."""
        if self.log == 0:
            moment = log.moment or Clock(min((turn.number for turn in self.world.scenario.turns), default=1))
            self._state(At(moment), (0,), Certainty.seen)
        elif log.moment is not None and log.moment != self.position.clock:
            self._state(At(log.moment), (0,), Certainty.adopted)
        changed: list[tuple[Place, list[str]]] = []
        for name, standing in log.opening.items():
            place = self._adoption(name, standing, everything=True)
            if place is None:
                continue
            same = [names for other, names in changed if evolve(other, pieces=place.pieces) == place]
            if same:
                same[0].append(name)
            else:
                changed.append((place, [name]))
        for place, names in changed:
            self._state(evolve(place, pieces=tuple(names)), (0,), Certainty.adopted)
        if self.log > 0 and changed:
            told = ", ".join(name for _, names in changed for name in names)
            self._remark(0, f"{log.log} does not begin as the log before it ended: {told}")

    # one fact after another

    def _take(self, story: Story, place: int, fact: Fact) -> None:
        match fact:
            case facts.Remark():
                self._remark(fact.step, fact.text)
            case facts.Turned():
                self._turn(fact)
            case facts.Shifted():
                self._shift(story, place, fact)
            case facts.Changed():
                self._change(story, place, fact)
            case facts.Declared():
                self._declare(story, place, fact)
            case facts.CalledOff():
                self._call_off(story, place, fact)
            case facts.Resolved():
                self._resolve(story, place, fact)
            case facts.Thrown():
                self._throw(story, place, fact)
            case facts.Marked():
                self._mark(fact)

    def _turn(self, fact: facts.Turned) -> None:
        self._settle_all(fact.step)
        self._hints.clear()
        if fact.moment == self.position.clock:
            return
        if fact.moment < self.position.clock and self._ran_ahead:
            self._remark(fact.step, "the turn track catches up with what was done already")
            return
        self._act(Action(NEXT.name, moment=fact.moment), fact, Certainty.seen)

    @property
    def _ran_ahead(self) -> bool:
        """Whether the phase was inferred because nobody turned the track."""
        for reading in reversed(self.readings):
            deed = reading.statement.deed
            if isinstance(deed, Action) and deed.verb == NEXT.name:
                return reading.certainty is Certainty.inferred
        return False

    # moves

    def _shift(self, story: Story, place: int, fact: facts.Shifted) -> None:
        if place in story.during:
            if not story.during[place].plain:
                self._take_over(fact.counter, fact.target, fact.step)
            return
        drag = story.drags[place]
        start = drag.points[0] if drag.points[0] != UNKNOWN else self.position.pieces[fact.counter].where
        if not drag.plain and self.position.pieces[fact.counter].where != start:
            self._take_over(fact.counter, start, fact.step)
        points = tuple(point for point in (start, *drag.points[1:]) if point != UNKNOWN)
        if drag.points[-1] == UNKNOWN:
            self._remark(fact.step, f"{fact.counter} lies on no hex and in no box of the game")
            return
        steps = tuple(dict.fromkeys(story.facts[number].step for number in drag.places))
        if len(points) < 2:
            return
        self._moved(story, place, fact, points, steps)

    def _moved(
        self, story: Story, place: int, fact: facts.Shifted, points: tuple[str, ...], steps: tuple[int, ...]
    ) -> None:
        """Read a whole move of a counter, from the first of the points to the last."""
        grid = self.game.map.grid
        start, end = points[0], points[-1]
        name = fact.counter
        if end not in grid:
            if start in grid and (end in self.idiom.lost or end == NOWHERE):
                battle = self._battle_of(name)
                action = Action(self.idiom.eliminate, (name,), battle=battle.number if battle else 0)
                self._act(action, fact, Certainty.seen, steps)
            else:
                self._take_over(name, end, fact.step)
            return
        if start not in grid:
            self._entered(story, place, fact, points, steps)
            return
        on_map = tuple(point for point in points if point in grid)
        walked = len(on_map) > 2 and all(grid.are_neighbours(here, there) for here, there in pairwise(on_map))
        path = on_map if walked else (on_map[0], on_map[-1])
        hint = self._hints.pop(name, None)
        ways = (hint,) if hint else self._ways()
        attempts = [self._way(name, way, path, dragged=not walked) for way in ways]
        self._best(story, place, fact, attempts, steps, told=hint is not None)

    def _ways(self) -> tuple[Way, ...]:
        ways = self.idiom.ways.get(self.position.phase, ())
        opening = self.position.clock == Clock(min(turn.number for turn in self.world.scenario.turns))
        if opening and self.idiom.deploy:
            return (Way(self.idiom.deploy), *ways)
        return ways or tuple({way: None for group in self.idiom.ways.values() for way in group})

    def _way(self, name: str, way: Way, path: tuple[str, ...], *, dragged: bool) -> tuple[Action, ...]:
        battle = self._battle_of(name)
        number = battle.number if battle and self._has(way.verb, "NUMBER") else 0
        if self._has(way.verb, "PATH"):
            action = Action(way.verb, (name,), path, dragged=dragged, words=way.words, battle=number)
        else:
            action = Action(way.verb, (name,), target=path[-1], words=way.words, battle=number)
        return (action,)

    def _entered(
        self, story: Story, place: int, fact: facts.Shifted, points: tuple[str, ...], steps: tuple[int, ...]
    ) -> None:
        """A counter came from a box to the map."""
        name, end = fact.counter, points[-1]
        kind = self.game.counters[name].kind
        if kind in self.idiom.overhead:
            own, other = self.idiom.overhead[kind]
            side = self.game.counters[name].side
            verb = own if side == self.position.side else other
            self._take_over(name, end, fact.step)
            if any(battle.target == end for battle in story.battles.values()):
                self._before(story, place, self._battle_at(story, place, end))
                self._best(story, place, fact, [(Action(verb, (name,), target=end),)], steps)
            return
        first = next(point for point in points if point in self.game.map.grid)
        verbs = self.idiom.entries
        if self.position.clock == Clock(min(turn.number for turn in self.world.scenario.turns)):
            verbs = (self.idiom.deploy, *verbs) if self.idiom.deploy else verbs
        attempts: list[tuple[Action, ...]] = [(Action(verb, (name,), target=end),) for verb in verbs]
        if first != end:
            attempts += [
                (Action(verb, (name,), target=first), Action(way.verb, (name,), (first, end), dragged=True))
                for verb in verbs
                for way in self._ways()
                if self._has(way.verb, "PATH")
            ]
        self._best(story, place, fact, attempts, steps)

    def _best(
        self,
        story: Story,
        place: int,
        fact: Fact,
        attempts: Sequence[tuple[Action, ...]],
        steps: tuple[int, ...],
        *,
        told: bool = False,
    ) -> None:
        """Of several ways to read something take one that is legal, else the one that breaks least."""
        tried = [self._try(self.position, actions) for actions in attempts]
        if not tried:
            return
        legal = [attempt for attempt in tried if attempt.grade == Grade.legal]
        if legal:
            alone = len(legal) == 1
            certainty = Certainty.inferred if alone else Certainty.ambiguous
            certainty = Certainty.announced if told else Certainty.seen if len(tried) == 1 else certainty
            self._carry(legal[0], fact, certainty, steps)
            return
        later = self._forgotten_turn(story, place, fact, attempts)
        if later is not None:
            moment, attempt = later
            self._act(Action(NEXT.name, moment=moment), fact, Certainty.inferred, steps)
            again = self._try(self.position, [_action(statement) for statement in attempt.statements])
            self._carry(again, fact, Certainty.inferred, steps)
            return
        best = min(tried, key=lambda attempt: attempt.grade)
        certainty = (
            Certainty.announced if told else Certainty.seen if len(tried) == 1 else Certainty.ambiguous
        )
        self._carry(best, fact, certainty, steps)

    def _forgotten_turn(
        self, story: Story, place: int, fact: Fact, attempts: Sequence[tuple[Action, ...]]
    ) -> tuple[Clock, Attempt] | None:
        """The later phase in which what was done would be legal, if nobody turned the track to it.

        Only the clock is changed for the question, so that what is wrong in every phase stays wrong. The
        track must not be turned to an earlier phase afterwards, nor may the side whose turn the track shows
        go on, if it is the other side that acts.
        """
        calendar = self.world.calendar
        end = story.ends[place]
        limit = story.facts[end] if end < len(story.facts) else None
        clock, side = calendar.after(self.position.clock), self.position.side
        for _ in range(len(calendar.stops)):
            if isinstance(limit, facts.Turned) and clock > limit.moment:
                return None
            if calendar.side(clock) != side and side and self._goes_on(story, place, end, side):
                return None
            if self._turned and clock.turn > self.position.turn + 1:
                return None
            later = evolve(self.position, clock=clock)
            for actions in attempts:
                phases = self.idiom.ways.get(calendar.phase(clock), ())
                if all(self._fits_phase(action, phases) for action in actions):
                    attempt = self._try(later, actions)
                    if attempt.grade == Grade.legal:
                        return clock, attempt
            clock = calendar.after(clock)
        return None

    def _fits_phase(self, action: Action, ways: Sequence[Way]) -> bool:
        known = {way.verb for group in self.idiom.ways.values() for way in group}
        return action.verb not in known or any(way.verb == action.verb for way in ways)

    def _goes_on(self, story: Story, place: int, end: int, side: str) -> bool:
        """Whether a side still moves or attacks before the track is turned."""
        for number in range(place + 1, end):
            fact = story.facts[number]
            if isinstance(fact, facts.Enlisted) and fact.role == "A":
                if self.game.counters[fact.counter].side == side:
                    return True
            elif isinstance(fact, facts.Shifted) and fact.origin in self.game.map.grid:
                counter = self.game.counters[fact.counter]
                fighting = any(fact.counter in battle.participants for battle in story.battles.values())
                if counter.side == side and fact.target in self.game.map.grid and not fighting:
                    return True
        return False

    # states and markers

    def _change(self, story: Story, place: int, fact: facts.Changed) -> None:
        verbs = self.idiom.states.get(fact.state)
        if verbs is None:
            return
        verb = verbs[0] if fact.new else verbs[1]
        piece = self.position.pieces[fact.counter]
        if not verb or (fact.new and not fact.old and piece.is_(fact.state)):
            return
        battle = self._battle_of(fact.counter)
        number = battle.number if battle and fact.new and self._has(verb, "NUMBER") else 0
        self._best(story, place, fact, [(Action(verb, (fact.counter,), battle=number),)], (fact.step,))

    def _mark(self, fact: facts.Marked) -> None:
        """A marker laid by hand stands for a state if it can be that of one counter only."""
        states = [state for state in self.game.states.values() if state.marker == fact.marker]
        if not fact.laid or not states or fact.place not in self.game.map.grid:
            return
        state = states[0]
        possible = [
            piece
            for piece in self.position.at(fact.place)
            if piece.counter.kind in state.kinds and not piece.is_(state.id)
        ]
        verb = self.idiom.states.get(state.id, ("", ""))[0]
        if len(possible) == 1 and verb:
            battle = self._battle_of(possible[0].id)
            number = battle.number if battle and self._has(verb, "NUMBER") else 0
            self._act(Action(verb, (possible[0].id,), battle=number), fact, Certainty.inferred)
        else:
            text = f"a marker {state.title} was laid in {fact.place}; whose it is cannot be told"
            self._remark(fact.step, text)

    # battles

    def _battle_of(self, name: str) -> Battle | None:
        """The battle whose result is being carried out and in which a counter is."""
        for battle in reversed(self._settling):
            if name in battle.participants:
                return battle
        return None

    def _battle_at(self, story: Story, place: int, target: str) -> Battle | None:
        """The battle about a hex that is at hand, declared now or a little later."""
        found = [(at, battle) for at, battle in story.battles.items() if battle.target == target]
        near = [battle for at, battle in found if at <= story.ends[place]]
        return near[-1] if near else None

    def _before(self, story: Story, place: int, battle: Battle | None) -> None:
        """Declare a battle, with everybody who took part in it in the end, if that was not done yet."""
        if battle is None or id(battle) in self._declared or not battle.attackers or not battle.target:
            return
        self._declared.add(id(battle))
        fact = story.facts[place]
        names = tuple(name for name in self.game.counters if name in battle.attackers)
        self._settle_others(fact, battle, place)
        action = Action(self.idiom.attack, names, target=battle.target, battle=battle.number)
        self._best(story, place, fact, [(action,)], (fact.step,), told=True)

    def _declare(self, story: Story, place: int, fact: facts.Declared) -> None:
        declaration = fact.declaration
        if declaration in self.idiom.announced:
            if fact.counter:
                self._hints[fact.counter] = self.idiom.announced[declaration]
            return
        verb = self.idiom.declared.get(declaration)
        if verb is None:
            return
        battle = story.battles.get(place)
        self._before(story, place, battle)
        key = (id(battle), declaration)
        if declaration in self.idiom.once:
            if key in self._said:
                return
            self._said.add(key)
        faces = fact.faces or self._thrown_with(story, place, fact)
        action = self._filled(verb, fact.counter, battle, faces)
        if action is None:
            self._remark(fact.step, f"{declaration} was declared, but of which battle is not told")
            return
        self._best(story, place, fact, [(action,)], (fact.step,), told=True)

    def _thrown_with(self, story: Story, place: int, fact: facts.Declared) -> tuple[int, ...]:
        """The dice thrown in the same step, for a declaration that does not say them."""
        wanted = (
            self.game.declarations[fact.declaration].dice
            if fact.declaration in self.game.declarations
            else ""
        )
        for other in story.facts[place + 1 :]:
            if other.step != fact.step:
                break
            if isinstance(other, facts.Thrown) and other.dice == wanted:
                return other.faces
        return ()

    def _filled(
        self, verb: str, counter: str, battle: Battle | None, faces: tuple[int, ...]
    ) -> Action | None:
        """An action by the form of its verb; None if something is missing for it."""
        slots = self._slots(verb)
        action = Action(verb)
        if {"PIECE", "PIECES"} & slots:
            if not counter:
                return None
            action = evolve(action, pieces=(counter,))
        if "HEX" in slots:
            if battle is None or not battle.target:
                return None
            action = evolve(action, target=battle.target)
        if {"DIE", "DICE"} & slots:
            if not faces:
                return None
            action = evolve(action, dice=faces if "DICE" in slots else faces[:1])
        if "NUMBER" in slots and battle is not None:
            action = evolve(action, battle=battle.number)
        return action

    def _slots(self, verb: str) -> frozenset[str]:
        return frozenset(_slots(self.world.rulebook.verbs[verb].parts))

    def _has(self, verb: str, slot: str) -> bool:
        return verb in self.world.rulebook.verbs and slot in self._slots(verb)

    def _call_off(self, story: Story, place: int, fact: facts.CalledOff) -> None:
        battle = story.battles.get(place)
        if battle is None or battle.dice:
            return
        self._before(story, place, battle)
        if id(battle) in self._declared:
            self._act(Action(self.idiom.call_off, battle=battle.number), fact, Certainty.announced)

    def _resolve(self, story: Story, place: int, fact: facts.Resolved) -> None:
        battle = story.battles[place]
        if self._again(battle, place, fact.step, fact.faces):
            return
        self._before(story, place, battle)
        if id(battle) not in self._declared:
            self._remark(fact.step, f"battle {fact.battle} has no attackers or no hex that is attacked")
            return
        number = battle.number
        if fact.column != "none" and self.idiom.odds:
            words = (fact.column, f"attack {_halves(fact.attack)}", f"defence {_halves(fact.defence)}")
            self._act(Action(self.idiom.odds, words=words, battle=number), fact, Certainty.announced)
        self._act(Action(self.idiom.roll, dice=fact.faces[:1], battle=number), fact, Certainty.announced)
        if fact.result != "none" and self.idiom.result:
            action = Action(self.idiom.result, words=(fact.result,), battle=number)
            self._act(action, fact, Certainty.announced)
        self._settling.append(battle)

    def _again(self, battle: Battle, place: int, step: int, faces: tuple[int, ...]) -> bool:
        """Whether the die of a battle was thrown already: then the first throw counts."""
        if not battle.dice or battle.dice[0] == place:
            return False
        thrown = "+".join(map(str, faces))
        self._remark(
            step, f"the die of battle {battle.number} was thrown again ({thrown}); the first one counts"
        )
        return True

    def _throw(self, story: Story, place: int, fact: facts.Thrown) -> None:
        """Dice thrown by a button, without a declaration."""
        verb = self.idiom.dice.get(fact.dice)
        if verb is None or self._belongs_to_declaration(story, place, fact):
            return
        battle = story.battles.get(place)
        if verb == self.idiom.roll:
            if battle is None:
                self._undeclared(story, place, fact)
            elif not self._again(battle, place, fact.step, fact.faces):
                self._before(story, place, battle)
                if id(battle) in self._declared:
                    action = Action(verb, dice=fact.faces[:1], battle=battle.number)
                    self._act(action, fact, Certainty.announced)
                    self._settling.append(battle)
            return
        self._before(story, place, battle)
        self._thrown_for(story, place, fact, verb, battle)

    def _belongs_to_declaration(self, story: Story, place: int, fact: facts.Thrown) -> bool:
        return any(
            isinstance(other, facts.Declared)
            and other.step == fact.step
            and other.declaration in self.game.declarations
            and self.game.declarations[other.declaration].dice == fact.dice
            for other in story.facts[max(0, place - 5) : place]
        )

    def _thrown_for(
        self, story: Story, place: int, fact: facts.Thrown, verb: str, battle: Battle | None
    ) -> None:
        """A throw whose counter nobody named: the one for which it is legal, if there is only one."""
        if not {"PIECE", "PIECES"} & self._slots(verb):
            action = self._filled(verb, "", battle, fact.faces)
            if action is not None and (battle is not None or "NUMBER" not in self._slots(verb)):
                self._best(story, place, fact, [(action,)], (fact.step,), told=True)
            else:
                self._not_read(fact)
            return
        possible = []
        for name in self.position.pieces:
            action = self._filled(verb, name, battle, fact.faces)
            if action is not None and self._try(self.position, (action,)).grade == Grade.legal:
                possible.append(action)
        if len(possible) == 1:
            self._act(possible[0], fact, Certainty.inferred)
        else:
            self._not_read(fact)

    def _not_read(self, fact: facts.Thrown) -> None:
        faces = "+".join(map(str, fact.faces))
        self._remark(fact.step, f"{self.game.dice[fact.dice].title}: {faces}; for what cannot be told")

    def _undeclared(self, story: Story, place: int, fact: facts.Thrown) -> None:
        """A combat die without a battle: the attack is inferred from what it led to, if only one fits."""
        battle = self._inferred(story, place, fact)
        if battle is None:
            self._not_read(fact)
            return
        self._declared.add(id(battle))
        names = tuple(name for name in self.game.counters if name in battle.attackers)
        self._settle_others(fact, battle, place)
        action = Action(self.idiom.attack, names, target=battle.target, battle=battle.number)
        self._act(action, fact, Certainty.inferred)
        action = Action(self.idiom.roll, dice=fact.faces[:1], battle=battle.number)
        self._act(action, fact, Certainty.inferred)
        self._settling.append(battle)

    def _inferred(self, story: Story, place: int, fact: facts.Thrown) -> Battle | None:
        """The one attack that a die without a declaration can have been for, None if there is no such one."""
        touched, last = self._led_to(story, place)
        side = self.position.side
        enemies = [name for name in touched if self.game.counters[name].side != side]
        targets = {self.position.pieces[name].where for name in enemies} & set(self.game.map.grid.names)
        if len(targets) != 1:
            return None
        target = targets.pop()
        own = {name for name in touched if self.game.counters[name].side == side}
        near = [
            piece.id
            for hex_ in self.game.map.grid.neighbours(target)
            for piece in self.position.at(hex_)
            if piece.side == side and self._may_attack(piece.id, target)
        ]
        if len(near) != 1 or not own <= set(near):
            return None
        number = 100 + self._numbers
        self._numbers += 1
        attackers = {near[0]: self.position.pieces[near[0]].where}
        defenders = {piece.id: target for piece in self.position.at(target)}
        return Battle(number, side, attackers, defenders, [place], last=last)

    def _may_attack(self, name: str, target: str) -> bool:
        action = Action(self.idiom.attack, (name,), target=target, battle=999)
        return self._try(self.position, (action,)).grade <= Grade.slip

    def _led_to(self, story: Story, place: int) -> tuple[list[str], int]:
        """The counters that something happened to before the next die, and the place of the last of it."""
        touched: dict[str, None] = {}
        last = place
        for number in range(place + 1, story.ends[place]):
            fact = story.facts[number]
            if isinstance(fact, facts.Resolved | facts.Thrown):
                break
            if isinstance(fact, facts.Shifted | facts.Changed):
                touched[fact.counter] = None
                last = number
        return list(touched), last

    def _settle_others(self, fact: Fact, battle: Battle, place: int) -> None:
        """When a battle begins, those whose consequences lie behind are done with."""
        for other in [other for other in self._settling if other is not battle and other.last < place]:
            self._settle(other, fact.step)

    def _settle_all(self, step: int) -> None:
        for battle in list(self._settling):
            self._settle(battle, step)

    def _settle(self, battle: Battle, step: int) -> None:
        self._settling.remove(battle)
        if self.idiom.settle and step:
            fact = facts.Remark(step=step, side=battle.side, text="")
            self._act(Action(self.idiom.settle, battle=battle.number), fact, Certainty.seen)

    # writing down

    def _try(self, position: Position, actions: Sequence[Action]) -> Attempt:
        grade = Grade.legal
        statements = []
        for action in actions:
            statement = Statement(action)
            ruling, position = carry_out(position, statement)
            statements.append(statement)
            grade = max(grade, ruling.grade if ruling else Grade.legal)
        return Attempt(tuple(statements), grade, position)

    def _carry(self, attempt: Attempt, fact: Fact, certainty: Certainty, steps: tuple[int, ...]) -> None:
        for statement in attempt.statements:
            self._write(statement, steps, certainty, fact.side)

    def _act(self, action: Action, fact: Fact, certainty: Certainty, steps: tuple[int, ...] = ()) -> None:
        self._write(Statement(action), steps or (fact.step,), certainty, fact.side)

    def _state(self, deed: Deed, steps: tuple[int, ...], certainty: Certainty) -> None:
        self._write(Statement(deed), steps, certainty, "")

    def _write(self, statement: Statement, steps: tuple[int, ...], certainty: Certainty, side: str) -> None:
        before = self.position
        ruling, self.position = carry_out(before, statement)
        player = self.players.get(steps[-1], "")
        self.readings.append(
            Reading(statement, steps, certainty, before, self.position, ruling, self.log, side, player)
        )

    def _remark(self, step: int, text: str) -> None:
        self.unread.append(Unread(step, text, self.log))

    # the table wins

    def _compare(self, story: Story, place: int, after: Mapping[str, Standing]) -> None:
        """Take over what lies otherwise on the table than in the position; moves that go on can wait."""
        going = {
            story.facts[drag.places[0]].counter  # type: ignore[attr-defined]  # drags are made of shifts
            for at, drag in story.during.items()
            if at <= place < drag.places[-1]
        }
        for name, standing in after.items():
            if name in going:
                continue
            adoption = self._adoption(name, standing, everything=False)
            if adoption is not None:
                self._state(adoption, (story.facts[place].step,), Certainty.adopted)

    def _adoption(self, name: str, standing: Standing, *, everything: bool) -> Place | None:
        """What must be put right about a counter so that it stands as on the table, None if nothing.

        A counter off the map may lie in any box. Of states only those count that the game has verbs for,
        unless ``everything`` is wanted, as when a log begins.
        """
        piece = self.position.pieces.get(name)
        if piece is None:
            return None
        grid = self.game.map.grid
        where = standing.place if standing.place not in (UNKNOWN, NOWHERE) else None
        if where is not None and (
            where == piece.where or (not everything and where not in grid and piece.where not in grid)
        ):
            where = None
        if standing.place == NOWHERE and piece.where in grid and self.idiom.lost:
            where = self._lost_box(name)
        steps = standing.steps if standing.steps not in (None, piece.steps) else None
        wanted = dict(piece.states)
        for state in self.game.states if everything else self.idiom.states:
            condition = standing.states.get(state)
            if condition is None:
                if state in self.idiom.states or everything:
                    wanted.pop(state, None)
            elif state not in wanted:
                dated = self.game.states[state].dated
                since = condition.since or (self.position.date if dated else None)
                wanted[state] = Mark(condition.level, since)
        if where is None and steps is None and wanted == dict(piece.states):
            return None
        return Place((name,), where, steps, wanted)

    def _lost_box(self, name: str) -> str | None:
        side = self.game.counters[name].side
        boxes = self.game.map.boxes
        return next((box for box in self.idiom.lost if boxes[box].side in ("", side)), None)

    def _take_over(self, name: str, place: str, step: int) -> None:
        piece = self.position.pieces[name]
        if place == NOWHERE:
            box = self._lost_box(name)
            place = box or ""
        if place not in (UNKNOWN, "") and place != piece.where:
            self._state(Place((name,), place, states=dict(piece.states)), (step,), Certainty.adopted)


def _action(statement: Statement) -> Action:
    assert isinstance(statement.deed, Action)
    return statement.deed


def _slots(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        if part.kind == "slot":
            yield part.text
        yield from _slots(part.parts)


def _halves(amount: float) -> str:
    return f"{amount:g}"
