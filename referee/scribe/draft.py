"""The draft of a record: the current position, what has been read, and what is still open.

Every action is carried out at once, legal or not, so that the rules can be asked what may come next. If the
table differs from the position, the table is right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import define, evolve, field

from referee.carrying_out import carry_out
from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.idiom import Idiom
from referee.engine.position import UNDERWAY, Position, World
from referee.engine.rulings import Breach, Grade, Ruling, doubted
from referee.record import Content, Place, Statement
from referee.scribe.attempts import Attempt, is_near_enemies, is_overstacked
from referee.scribe.engagements import Battle
from referee.scribe.facts import NOWHERE, UNKNOWN, CounterFact, Fact
from referee.scribe.left_out import LeftOut
from referee.scribe.reading import Certainty, Reading, Unjudged, Unread
from referee.scribe.still_open import OpenBattles, OpenMarks, OpenMoves, UndeclaredDice
from referee.setup_checks import misplaced
from vassalgen.game.game import Game
from vassalgen.problems import BadInput, Failure

SILENT = "something that the module does not announce, such as a battle, led to it"
NOT_SHOWN = "the log shows none of the battles, and one led to it"
BARE_DIE = "a die that was rolled without a declaration in this phase was for something else"
MARKED_EARLY = "the turn track was advanced late, and the marker was placed for the new phase"
NO_DICE = "there are no dice in the log: rolls made elsewhere are not known"
NOT_MADE = "the attack was given up: the log contains no die for it"
PUT_ASIDE = "a unit of this battle that was put aside is back, or was meant to be eliminated"
ON_THEIR_WAY = "units that were still on their way had moved before the phase ended"
BATTLE_BEFORE = "it resulted from a battle before the log begins"
DIE_AT_HOME = "a die that is not in the log was rolled for it: the log lacks the dice of other battles"
NO_ATTACK_FITS = "the die was not for an attack that was possible in the phase"
WORDED = "what players said of the battle before its die, without the command for it, changed the odds"
EARLIER_DIE = "a die that was rolled without a declaration leaves open what happened to this counter"


@define(eq=False)
class Draft:
    """The record that the scribe is writing, and what is still open in it.

    ``track`` is what the turn track shows; the position follows with the next action, because the track may
    have been advanced too early. ``turned`` are the phases to which it was advanced since then, each with the
    step; ``opened`` is what it showed at the beginning of the log; ``lagging``: the last action was done
    behind the track. What is open about battles, marks, moves and dice is in ``still_open``.
    ``begun`` is the position at the beginning of the log, as long as results of earlier battles may be
    carried out. ``setting_up``: whether play has not begun yet, None if it is unknown when it does.
    ``cautious``: careless habits may excuse breaches; only the proof reads without this, to count what the
    excuses let through. ``left_out`` is what the log does not contain.
    """

    world: World
    idiom: Idiom
    position: Position
    readings: list[Reading] = field(factory=list)
    unread: list[Unread] = field(factory=list)
    unjudged: list[Unjudged] = field(factory=list)
    log: int = -1
    players: Mapping[int, str] = field(factory=dict)
    track: Clock | None = None
    opened: Clock | None = None
    turned: list[tuple[Clock, int]] = field(factory=list)
    lagging: bool = False
    battles: OpenBattles = field(factory=OpenBattles)
    marks: OpenMarks = field(factory=OpenMarks)
    moves: OpenMoves = field(factory=OpenMoves)
    dice: UndeclaredDice = field(factory=UndeclaredDice)
    setting_up: bool | None = None
    begun: Position | None = None
    cautious: bool = True
    left_out: LeftOut = LeftOut()

    @property
    def game(self) -> Game:
        """The game's data."""
        return self.world.game

    @property
    def passive_side(self) -> str:
        """The inactive side; empty in phases of no side."""
        active = self.position.side
        return next((side for side in self.game.sides if active and side != active), "")

    @property
    def losses(self) -> frozenset[str]:
        """The verbs for losses."""
        return frozenset((self.idiom.eliminate, *self.idiom.other_losses, self.idiom.steps[0]))

    def is_on_a_mission(self, name: str) -> bool:
        """Whether a counter is on a mission to a battle, over which it fights."""
        verbs = self.idiom.overhead.get(self.game.counters[name].kind, ())
        declared = self.game.declarations
        states = [declared[one].state for one, verb in self.idiom.declared.items() if verb in verbs]
        return any(state and self.position.pieces[name].is_(state) for state in states)

    @property
    def beginning(self) -> Clock:
        """The beginning of the game."""
        return Clock(self.world.calendar.first_turn)

    @property
    def is_setting_up(self) -> bool:
        """Whether counters may still be placed on the map and removed again before play begins."""
        first = self.position.clock == self.beginning
        return bool(self.idiom.deploy) and first and self.setting_up is not False

    def copy(self) -> Draft:
        """Return an independent copy of the draft."""
        return self.copy_with(list(self.readings), list(self.unread), list(self.unjudged))

    def copy_with(self, readings: list[Reading], unread: list[Unread], unjudged: list[Unjudged]) -> Draft:
        """Return a copy in which something else has been read, with the same still open."""
        return evolve(
            self,
            readings=readings,
            unread=unread,
            unjudged=unjudged,
            turned=list(self.turned),
            battles=self.battles.copy(),
            marks=self.marks.copy(),
            moves=self.moves.copy(),
            dice=self.dice.copy(),
        )

    def trial(self) -> Draft:
        """Return a copy of the draft for trying something out."""
        return self.copy_with([], [], [])

    def attempt(self, action: Action, position: Position | None = None) -> Attempt | None:
        """Try an action, here or in another position, without writing anything.

        None if it makes no sense: an air unit cannot get stuck in a swamp.
        """
        here = position or self.position
        try:
            ruling, after = carry_out(here, Statement(action))
        except BadInput:
            return None
        return Attempt(action, here, ruling, after) if ruling is not None else None

    def is_legal(self, action: Action, position: Position | None = None) -> bool:
        """Return whether an action makes sense, here or in another position, and breaks no rule.

        False if a rule fails at it: the failure is noted when the action is carried out.
        """
        try:
            return self.world.rulebook.allows(position or self.position, action)
        except Exception:
            return False

    def is_ruled_out(self, action: Action, position: Position) -> bool:
        """Return whether an action makes no sense in a position or is illegal; faster than an attempt.

        False if a rule fails at it.
        """
        try:
            return self.world.rulebook.rules_out(position, action)
        except BadInput:
            return True
        except Exception:
            return False

    def write(self, attempt: Attempt, fact: Fact, certainty: Certainty, steps: tuple[int, ...] = ()) -> None:
        """Write down an attempt; if it was tried elsewhere, it is repeated here."""
        outcome: tuple[Ruling | None, Position] = attempt.ruling, attempt.after
        if attempt.before is not self.position:
            outcome = carry_out(self.position, Statement(attempt.action))
        self._write(Statement(attempt.action), outcome, steps or (fact.step,), certainty, fact.side)

    def act(self, action: Action, fact: Fact, certainty: Certainty) -> None:
        """Carry out an action that was read from a fact and write it down."""
        outcome = carry_out(self.position, Statement(action))
        self._write(Statement(action), outcome, (fact.step,), certainty, fact.side)

    def state(self, content: Content, step: int, certainty: Certainty) -> None:
        """Carry out a statement that is not an action and write it down."""
        statement = Statement(content)
        ruling, after = carry_out(self.position, statement)
        if isinstance(content, Place) and any(misplaced(after, content.pieces)):
            statement = Statement(evolve(content, as_found=True))
        self._write(statement, (ruling, after), (step,), certainty, "")

    def _write(
        self,
        statement: Statement,
        outcome: tuple[Ruling | None, Position],
        steps: tuple[int, ...],
        certainty: Certainty,
        side: str,
    ) -> None:
        before = self.position
        ruling, self.position = outcome
        if ruling is not None and ruling.grade is Grade.illegal and self.marks.dates and self.cautious:
            ruling = self._dated_by_the_track(before, statement, ruling)
        if ruling is not None and self.is_open_in(before, ruling):
            is_known = self.dice.until is not None and before.clock <= self.dice.until
            unless = self._of_a_die(BARE_DIE if is_known else DIE_AT_HOME)
            breaches = tuple(doubted(one, unless) for one in ruling.breaches)
            ruling = evolve(ruling, breaches=breaches)
        elif ruling is not None and self._may_be_unannounced(before, statement.content):
            unless = SILENT if self.left_out.announcements else NOT_SHOWN
            breaches = tuple(
                one if is_overstacked(before, one) else doubted(one, unless) for one in ruling.breaches
            )
            ruling = evolve(ruling, breaches=breaches)
        elif ruling is not None and self._may_be_of_a_battle_before(ruling.action, before):
            breaches = tuple(doubted(one, BATTLE_BEFORE) for one in ruling.breaches)
            ruling = evolve(ruling, breaches=breaches)
        elif ruling is not None and self._is_unsure(ruling.action, before):
            breaches = tuple(
                doubted(one, NO_DICE if self.left_out.all_dice else EARLIER_DIE) for one in ruling.breaches
            )
            ruling = evolve(ruling, breaches=breaches)
        elif ruling is not None and self._may_lack_a_die(ruling.action, before):
            breaches = tuple(doubted(one, DIE_AT_HOME) for one in ruling.breaches)
            ruling = evolve(ruling, breaches=breaches)
        if ruling is not None and ruling.action.battle in self.battles.worded:
            ruling = evolve(ruling, breaches=tuple(doubted(one, WORDED) for one in ruling.breaches))
        player = self.players.get(steps[-1], "")
        if ruling is not None and ruling.failure:
            self.fail(steps[-1], ruling.failure, ruling.action)
        self.readings.append(
            Reading(statement, steps, certainty, before, self.position, ruling, self.log, side, player)
        )

    def leave_date_open(self, name: str, state: str) -> None:
        """Note in which player turn a dated state was set if the track, which was not advanced, was right."""
        self.marks.dates.pop((name, state), None)
        mark = self.position.pieces[name].states.get(state)
        if self.track is not None and self.track < self.position.clock and mark is not None:
            shown = self.world.calendar.date(self.track)
            if mark.since not in (None, shown):
                self.marks.dates[name, state] = shown

    def by_the_track(self, position: Position) -> tuple[Position, str]:
        """The position with states dated as the track showed, and these dates in words, if there are any."""
        pieces, said = dict(position.pieces), list[str]()
        for (name, state), date in self.marks.dates.items():
            mark = pieces[name].states.get(state)
            if mark is not None and mark.since not in (None, date):
                states = {**pieces[name].states, state: evolve(mark, since=date)}
                pieces[name] = evolve(pieces[name], states=states)
                title, when = self.game.states[state].title, self.world.calendar.say_date(date)
                said.append(f"{pieces[name].counter.name} is {title} since {when}, as the turn track showed")
        return evolve(position, pieces=pieces) if said else position, " and ".join(said)

    def _dated_by_the_track(self, before: Position, statement: Statement, ruling: Ruling) -> Ruling:
        """The ruling, with breaches made unproven that do not exist if states began when the track showed."""
        position, unless = self.by_the_track(before)
        if not unless:
            return ruling
        other, _ = carry_out(position, statement)
        known = {one.clause for one in other.breaches} if other is not None else set()
        breaches = (one if one.clause in known else doubted(one, unless) for one in ruling.breaches)
        return evolve(ruling, breaches=tuple(breaches))

    @property
    def is_doubtful(self) -> bool:
        """Return whether a die of unknown purpose was rolled in this phase."""
        return self.dice.until is not None and self.position.clock <= self.dice.until

    def is_open_in(self, position: Position, ruling: Ruling) -> bool:
        """Return whether such a die was rolled in the phase of a position, and a ruling may depend on it.

        Away from phases of battles a die may be for a test of some unit; it never moves a unit, sets it up
        or turns it face up, except if the rules say which units may act after a test.
        """
        if not self.cautious:
            return False
        by_no_die = (*self.idiom.faces, self.idiom.deploy)
        unit_is_tested = not ruling.action.path and ruling.action.verb not in by_no_die
        if self.dice.until is None or position.clock > self.dice.until:
            led_to = unit_is_tested and not self._is_begun_by_players(ruling.action, position)
            left_out, tested = self.left_out, led_to or self.idiom.tested
            return (led_to and left_out.some_dice) or (tested and left_out.all_dice)
        may_result = bool(ruling.action.path) and self._is_beside_battles(position.clock.stop)
        return unit_is_tested or may_result or self.has_battles(position.phase)

    def _is_beside_battles(self, stop: int) -> bool:
        """Whether battles are fought in a phase, or in the one before, which may not be over."""
        stops = self.world.calendar.stops
        return any(self.has_battles(one.phase.id) for one in stops[max(0, stop - 1) : stop + 1])

    def _of_a_die(self, unless: str) -> str:
        """Why a die leaves something open, or why the lack of dice in a log does."""
        return NO_DICE if self.left_out.all_dice else unless

    def _is_begun_by_players(self, action: Action, position: Position) -> bool:
        """Whether an action is an attack, or an entry that needs no die: neither results from one."""
        attacks = (self.idiom.attack, *self.idiom.attacks.values())
        is_entry = action.verb in self.idiom.entries
        return action.verb in attacks or (is_entry and not self._needs_a_die(action, position))

    def _needs_a_die(self, action: Action, position: Position) -> bool:
        """Whether an entry is legal after some roll away from battles, and no such roll is in the log."""
        if action.verb not in self.idiom.entries:
            return False
        contents = (one.statement.content for one in self.readings)
        alone = {*self.idiom.alone.values()}
        if any(isinstance(one, Action) and one.verb in alone for one in contents):
            return False
        return any(
            rolled is not None and rolled.is_legal and self.is_legal(action, rolled.after)
            for dice, verb in self.idiom.alone.items()
            if not self.slots(verb) & {"PIECE", "PIECES"}
            for face in range(1, self.game.dice[dice].sides + 1)
            for rolled in (self.attempt(Action(verb, dice=(face,)), position),)
        )

    def has_battles(self, phase: str) -> bool:
        """Whether battles are fought in a phase."""
        return any("NUMBER" in self.slots(one.verb) for one in self.idiom.move_verbs.get(phase, ()))

    def _may_be_unannounced(self, position: Position, content: Content | None) -> bool:
        """Whether an action may depend on something that the module never announces, or the log never shows.

        Moves are seen, unless they may be the late result of a battle; all other actions may have been
        required, and what comes only by a die may have had one.
        """
        if not self.left_out.announcements and not (self.left_out.battles and self.cautious):
            return False
        verb = content.verb if isinstance(content, Action) else ""
        if self._is_beside_battles(position.clock.stop):
            return self.left_out.announcements or not self._marks_without_a_battle(verb)
        moves = (one.verb for one in self.idiom.move_verbs.get(position.phase, ()))
        entries = (one for verbs in (self.idiom.entries, *self.idiom.out_of.values()) for one in verbs)
        is_seen = verb in {*moves, *entries, self.idiom.deploy}
        return not is_seen or (isinstance(content, Action) and self._needs_a_die(content, position))

    def _marks_without_a_battle(self, verb: str) -> bool:
        """Whether a verb sets or clears a state, but never as the result of a battle."""
        return "NUMBER" not in self.slots(verb) and any(verb in verbs for verbs in self.idiom.states.values())

    def _may_be_of_a_battle_before(self, action: Action, position: Position) -> bool:
        """Whether a loss near enemies, of a unit that fought in no battle, may belong to one before the log
        began.
        """
        if not (self.cautious and self.begun is not None and action.pieces and action.verb in self.losses):
            return False
        fought = {name for battle in self.battles.declared for name in battle.participants}
        piece = position.pieces[action.piece]
        return fought.isdisjoint(action.pieces) and is_near_enemies(piece, position, self.begun)

    def _may_lack_a_die(self, action: Action, position: Position) -> bool:
        """Whether a roll, a loss or the end of a battle may come after a roll that is not in the log."""
        is_result = bool(action.dice) or action.verb in {*self.losses, NEXT.name, self.idiom.settle}
        return self.cautious and self.left_out.some_dice and is_result and self.has_battles(position.phase)

    def _is_unsure(self, action: Action, position: Position) -> bool:
        """Whether it is open what happened to the acting counter in a battle with an undeclared die."""
        until = (self.dice.counters[name] for name in action.pieces if name in self.dice.counters)
        return self.cautious and any(position.clock <= clock for clock in until)

    def leave_open(self, battle: Battle) -> None:
        """Note that a battle's die may have been for something else."""
        self._leave_open((*battle.attackers, *battle.defenders))

    def leave_result_open(self, fact: Fact) -> None:
        """Note that effects of an undeclared battle may be corrected in the next phase."""
        if isinstance(fact, CounterFact):
            following = self.world.calendar.after(self.position.clock)
            self.dice.counters[fact.counter] = max(following, self.dice.counters.get(fact.counter, following))

    def _leave_open(self, names: Iterable[str]) -> None:
        """Note until the end of the next turn that a die leaves open what happened to counters."""
        last = Clock(self.position.turn + 1, len(self.world.calendar.stops) - 1)
        self.dice.counters.update(dict.fromkeys(names, last))

    def leave_test_open(self, names: Iterable[str]) -> None:
        """Note until the end of the turn that a die may have been for a test of any of some counters."""
        now = max(self.position.clock, self.track or self.position.clock)
        last = Clock(now.turn, len(self.world.calendar.stops) - 1)
        self.dice.counters.update(dict.fromkeys(names, last))

    def forget_battles(self) -> None:
        """Forget what is open in a log that is not continued: the outcome is not shown."""
        self.battles.forget()
        self.moves.hints.clear()

    def settle(self, fact: Fact, battles: Sequence[Battle]) -> None:
        """Settle battles: later actions no longer belong to them."""
        for battle in tuple(battles):
            self.battles.settling.remove(battle)
            due = self.battles.overdue.pop(battle, fact)
            if self.idiom.settle:
                action = Action(self.idiom.settle, battle=battle.number)
                self.act(action, evolve(due, side=battle.side), Certainty.seen)
                if battle.participants & self.moves.aside:
                    self.doubt(len(self.readings) - 1, PUT_ASIDE, only=True)

    def settle_if_done(self, fact: Fact, battles: Sequence[Battle]) -> None:
        """Settle battles of which nothing is left to do.

        Something left undone may be excused before the phase ends: enemies who retreat into a hex that should
        have been entered excuse the attackers. It is reported only then, with the current place.
        """
        for battle in battles:
            action = Action(self.idiom.settle, battle=battle.number)
            if self.idiom.settle and not self.is_legal(action):
                self.battles.overdue.setdefault(battle, fact)
        self.settle(fact, [battle for battle in battles if battle not in self.battles.overdue])

    def go_on(self, clock: Clock, fact: Fact, certainty: Certainty) -> None:
        """Go on to a phase: battles are over, and announcements are forgotten.

        Counters on their way are put back in the meantime: their current places may be only tries.
        """
        turned = {to: step for to, step in self.turned if to > self.position.clock}
        last, fact = fact, evolve(fact, step=min(turned.values(), default=fact.step))
        self.settle(fact, self.battles.settling)
        self.moves.hints.clear()
        self.moves.spoke.clear()
        self.battles.fought = False
        self.battles.worded.clear()
        self.turned = [(to, step) for to, step in self.turned if to > clock]
        now = {name: self.position.pieces[name].where for name in self.moves.underway}
        for name, start in self.moves.underway.items():
            self.take_over(name, start, fact.step)
        for to in sorted(stop for stop in turned if stop < clock):
            self.act(Action(NEXT.name, clock=to), evolve(fact, step=turned[to]), certainty)
        left = min((step for to, step in turned.items() if to >= clock), default=last.step)
        ending = Action(NEXT.name, clock=clock)
        made, first = self._as_on_the_table(now), len(self.readings)
        self.act(ending, evolve(fact, step=left), certainty)
        if now and (ruling := self.readings[first].ruling) is not None and ruling.breaches:
            other, _ = carry_out(made, Statement(ending))
            known = {one.says for one in other.breaches} if other is not None else set()
            late = {one.clause for one in ruling.breaches if one.says not in known}
            self.doubt(first, ON_THEIR_WAY, only=True, clauses=late)
        self.suspect(self.dice.wrong, NOT_MADE if self.left_out.all_dice else NO_ATTACK_FITS, first)
        coming_off, self.marks.coming_off, self.dice.wrong = self.marks.coming_off or {}, None, ()
        for action in coming_off.values():
            if self.is_legal(action):
                self.act(action, last, Certainty.seen)
        for name, place in now.items():
            self.take_over(name, place, fact.step)

    @property
    def is_unseen(self) -> bool:
        """Whether this phase began before the log, and the track is still where it was then."""
        return self.position.note(UNDERWAY) is not None and self.track == self.opened

    def _as_on_the_table(self, places: Mapping[str, str]) -> Position:
        """The position with counters that are on their way at these places."""
        position = self.position
        for name, place in places.items():
            position = position.with_piece(name, where=place)
        return position

    def lose_track(self, *, generic: bool = False) -> None:
        """Note that the purpose of a die is unknown: later actions in the phase may be its result.

        Counters on a mission may show its effects only when they are back. With ``generic`` dice this is the
        usual way to fight, and not a reason for doubt.
        """
        self.dice.generic = generic
        self.dice.until = max(self.position.clock, self.track or self.position.clock)
        self._leave_open(name for name in self.position.pieces if self.is_on_a_mission(name))

    def doubt(
        self, first: int, unless: str, *, only: bool = False, clauses: Collection[str] | None = None
    ) -> None:
        """Make the findings since a reading unproven, or ``only`` those of this reading; ``unless`` is the
        circumstance that makes it legal.

        If ``clauses`` are named, the other findings are unchanged.
        """
        for place in range(first, first + 1 if only else len(self.readings)):
            reading = self.readings[place]
            if reading.ruling is not None and reading.ruling.breaches:
                breaches = tuple(
                    doubted(one, unless) if clauses is None or one.clause in clauses else one
                    for one in reading.ruling.breaches
                )
                self.readings[place] = evolve(reading, ruling=evolve(reading.ruling, breaches=breaches))

    def suspect(self, breaches: Iterable[Breach], unless: str, since: int = 0) -> bool:
        """Add to the last action read since a place what would be illegal in another reading, as unproven.

        A clause that this action breaks is not added again. Returns false if there is no action to add it to.
        """
        for place in reversed(range(since, len(self.readings))):
            ruling = self.readings[place].ruling
            if ruling is not None:
                known = {one.clause for one in ruling.breaches}
                more = (doubted(one, unless) for one in breaches if one.clause not in known)
                ruling = evolve(ruling, breaches=(*ruling.breaches, *more))
                self.readings[place] = evolve(self.readings[place], ruling=ruling)
                return True
        return False

    def suspect_early_marks(self) -> None:
        """Make marks that were placed before their phase unproven, if nothing is found at the end of that
        phase.
        """
        for place, breaches in self.marks.early.items():
            rulings = [one.ruling for one in self.readings[place:] if one.ruling is not None]
            marked, *later = rulings
            ending = next((one for one in later if one.action.verb == NEXT.name), None)
            if ending is None or not ending.accuses(marked.action.piece):
                doubts = tuple(doubted(one, MARKED_EARLY) for one in breaches)
                self.readings[place] = evolve(
                    self.readings[place], ruling=evolve(marked, breaches=(*marked.breaches, *doubts))
                )
        self.marks.early.clear()

    def remark(self, step: int, text: str, *, hidden: bool = False) -> None:
        """Note something that is not an action."""
        self.unread.append(Unread(step, text, self.log, hidden))

    def fail(self, step: int, failure: Failure, action: Action | None = None) -> None:
        """Note that something could not be judged because the referee failed."""
        self.unjudged.append(Unjudged(self.log, step, failure, action))

    def battles_of(self, name: str) -> tuple[Battle | None, ...]:
        """Return the unsettled battles in which a counter is, the last first. (None,) if it is in none."""
        return tuple(battle for battle in reversed(self.battles.settling) if name in battle.participants) or (
            None,
        )

    def slots(self, verb: str) -> frozenset[str]:
        """Return the slots of a verb's form: HEX, PIECES, DIE and so on."""
        known = self.world.rulebook.verbs
        return known[verb].slots if verb in known else frozenset()

    def needs(self, verb: str) -> frozenset[str]:
        """Return the slots of a verb's form that are not optional."""
        known = self.world.rulebook.verbs
        return known[verb].needs if verb in known else frozenset()

    def numbered(self, verb: str, battle: Battle | None) -> int:
        """Return the number of a battle for an action of a verb, 0 if the verb takes none."""
        return battle.number if battle is not None and "NUMBER" in self.slots(verb) else 0

    def take_over(self, name: str, place: str, step: int) -> None:
        """Put a counter where it is on the table."""
        piece = self.position.pieces[name]
        place = (self.lost_box(name) or "") if place in (NOWHERE, *self.idiom.lost) else place
        if place not in (UNKNOWN, "", piece.where):
            self.state(Place((name,), place, states=dict(piece.states)), step, Certainty.adopted)

    def is_off_the_hexes(self, place: str) -> bool:
        """Return whether a place is out of play: off the hexes, or in a hex that no unit may enter."""
        hex_ = self.game.map.hexes.get(place)
        return place == NOWHERE or (hex_ is not None and self.game.terrain[hex_.terrain].closed)

    def exit_verb(self, name: str, box: str) -> str:
        """Return the verb for a counter that leaves the map for a box: it is lost if it is not its own."""
        verb, counter = self.world.rulebook.verbs[self.idiom.exits[box]], self.game.counters[name]
        is_ours = self.game.map.boxes[box].side in ("", counter.side)
        fits = is_ours and (not verb.kinds or counter.kind in verb.kinds)
        return verb.name if fits or not self.idiom.eliminate else self.idiom.eliminate

    def is_lost_in(self, name: str, box: str) -> bool:
        """Return whether a counter that leaves the map for a box, not that of losses, is lost."""
        return box in self.idiom.exits and self.exit_verb(name, box) == self.idiom.eliminate

    def lost_box(self, name: str) -> str | None:
        """Return the box for the losses of a counter's side, None if the game has none."""
        side, boxes = self.game.counters[name].side, self.game.map.boxes
        return next((box for box in self.idiom.lost if boxes[box].side in ("", side)), None)
