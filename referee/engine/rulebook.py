"""The rulebook of a game: its sections put together, to judge actions and to carry them out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from referee.engine import machine
from referee.engine.actions import NEXT, Action, AskedWhere, Verb
from referee.engine.clock import Calendar, Clock
from referee.engine.combat import Calculation
from referee.engine.idiom import ADD, Idiom
from referee.engine.moves import Move
from referee.engine.position import TO_BEGIN, UNDERWAY, UNSEEN, Mark, Note, Piece, Position, World
from referee.engine.rules import Effect, Following, Rule, Section, StateRule, done_twice
from referee.engine.rulings import Breach, Grade, Ruling, doubted
from referee.engine.supply import Supply
from vassalgen.game.game import Game, unknown
from vassalgen.problems import BadInput, Problem

Calculating: TypeAlias = Callable[[Position, str, tuple[str, ...]], Calculation]
Moving: TypeAlias = Callable[[Position, Action], Move[Any]]
Recount: TypeAlias = Callable[[Position, int], Calculation | None]
Meaning: TypeAlias = Callable[[Position, Action], Action]
Supplying: TypeAlias = Callable[[Position, str], Supply | None]
Spending: TypeAlias = Callable[[Position, str, Fraction], Position]
Impossible: TypeAlias = Callable[[Position, Piece], Iterable[tuple[str, str]]]
Alternatives: TypeAlias = Callable[[Position, Action], Iterable[Position]]
MOVE = "move"
"""What a move is called in all games."""
UNSEEN_BEFORE = "the position was different before the log begins"
RULES_UNCLEAR = "the rules are interpreted differently"
MOVED_OTHERWISE = "the unit moved by another kind of movement, which the log does not show"
UNMARKED = "its leader was activated, and not marked so"
PHASE_UNSEEN = "the log does not show the beginning of the phase in which this is judged"


@frozen
class Bridges:
    """Bridges that can be destroyed: the feature of a hexside, and the note about ``hex/hex`` that one is."""

    feature: str
    destroyed: Note[bool]


@frozen
class Played:
    """An action carried out: the ruling on it, and the position it leads to."""

    ruling: Ruling
    position: Position


@frozen(eq=False, kw_only=True)
class Rulebook:
    """The rules of a game: verbs of its own, and sections in the order of the printed rules.

    ``clock_clause`` is what a phase marker moved backwards breaks. ``prepare`` turns data into what fast
    searches need, once for each game and scenario; ``odds`` calculates an attack on a hex by some pieces,
    ``recount`` those of a current battle by its number, with all that was declared in it; ``moves`` are by
    verb what a move costs and which clauses forbid it; ``supply`` says how a piece stands with supply, None
    for one that needs none. ``unjudged`` are the readings of open questions, by ruling, that the data offer
    and the rules cannot judge by, perhaps each with the reason. ``unseen_alternatives`` returns positions
    that are as likely in a game whose beginning is unknown: what breaks no rule in one of them is unproven.
    ``consequences`` are by phase the verbs for what may come of a battle, or a roll, before anybody saw the
    phase; ``may_be_late`` are those for what a phase ended without: done after all it is not reported again;
    ``may_follow`` are those that are still in time as the first thing done in the next phase.

    For records that set up a case: ``ground`` are the kinds of counters that are never in a closed hex, nor
    in one with an enemy of such a kind; ``impossible`` is what of a counter can never be, each with what
    would be right; ``spent`` notes that a piece has spent points of movement already;
    ``spare`` are kinds of counters that are where the set-up has them, if no statement has put them anywhere;
    in a record that begins later only those that wait in a box;
    ``bridges`` are those that can be destroyed; ``unseen`` is what of turns before matters, in words, and is
    unknown if the record begins later. ``unclear_alternatives`` returns such positions in every game, where
    the rules are not clear; ``phase_alternatives``, where what is judged when a phase begins was not seen;
    ``move_alternatives``, where a unit may have been dragged by another kind of movement;
    ``unmarked_alternatives``, where a leader may have been activated without being marked.

    ``idiom`` says which verb is meant by what players do in the module, ``meant`` which action by one whose
    verb the rulebook uses for several things. With ``by_name`` a move is one only if it is called so: the
    game names its own kinds of movement. ``keeping`` notes what counters that
    are put somewhere with nothing asked keep of what they were, given the positions before and after.

    ``winner`` returns the side that has won in a position, ``draw``, or nothing as long as it is open.

    BadInput if two sections say what a verb does.
    """

    game: str
    own_verbs: tuple[Verb, ...]
    sections: tuple[Section, ...]
    clock_clause: str
    prepare: Callable[[Game], object] = lambda game: None
    odds: Calculating | None = None
    moves: Mapping[str, Moving] = field(factory=dict)
    idiom: Idiom = Idiom()
    meant: Meaning = lambda position, action: action
    by_name: bool = False
    consequences: Mapping[str, Collection[str]] = field(factory=dict)
    may_be_late: Mapping[str, Collection[str]] = field(factory=dict)
    may_follow: tuple[str, ...] = ()
    keeping: Callable[[Position, Position], Position] = lambda before, after: after
    unjudged: Mapping[str, Collection[str]] = field(factory=dict)
    recount: Recount | None = None
    supply: Supplying | None = None
    unseen_alternatives: Alternatives | None = None
    unclear_alternatives: Alternatives | None = None
    phase_alternatives: Alternatives | None = None
    move_alternatives: Alternatives | None = None
    unmarked_alternatives: Alternatives | None = None
    ground: tuple[str, ...] = ()
    impossible: Impossible = lambda position, piece: ()
    spent: Spending | None = None
    spare: tuple[str, ...] = ()
    bridges: Bridges | None = None
    unseen: tuple[str, ...] = ()
    winner: Callable[[Position], str] | None = None

    def __attrs_post_init__(self) -> None:
        said: dict[str, str] = {}
        for section in self.sections:
            for verb in section.effects:
                if verb in said:
                    raise done_twice(verb, said[verb], section.title)
                said[verb] = section.title

    @cached_property
    def verbs(self) -> Mapping[str, Verb]:
        """All verbs by name; to go on is one in every game."""
        return {verb.name: verb for verb in (NEXT, *self.own_verbs)}

    @cached_property
    def rules(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules for each verb, in order."""
        return {
            verb: tuple(rule for section in self.sections for rule in section.rules.get(verb, ()))
            for verb in self.verbs
        }

    @cached_property
    def consulted(self) -> Mapping[str, tuple[str, ...]]:
        """The clauses that look at actions of each verb."""
        return {
            verb: tuple(dict.fromkeys(clause for rule in rules for clause in rule.clauses))
            for verb, rules in self.rules.items()
        }

    @cached_property
    def leavings(self) -> Mapping[str, tuple[StateRule, ...]]:
        """The rules that look at the end of each phase."""
        phases = {phase for section in self.sections for phase in section.leavings}
        return {
            phase: tuple(rule for section in self.sections for rule in section.leavings.get(phase, ()))
            for phase in phases
        }

    @cached_property
    def effects(self) -> Mapping[str, Effect]:
        """What each verb does."""
        return {verb: effect for section in self.sections for verb, effect in section.effects.items()}

    @cached_property
    def followings(self) -> Mapping[str, tuple[Following, ...]]:
        """The further effects of actions of each verb, besides its own."""
        return {
            verb: tuple(one for section in self.sections for one in section.followings.get(verb, ()))
            for verb in self.verbs
        }

    @cached_property
    def clauses(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the predicates by clause: what coverage is computed from."""
        found: dict[str, list[str]] = {}
        for section in self.sections:
            lists: Iterable[list[Rule] | list[StateRule]] = (
                *section.rules.values(),
                *section.leavings.values(),
                section.states,
            )
            for rules in lists:
                for rule in rules:
                    for clause in rule.clauses:
                        names = found.setdefault(clause, [])
                        name = getattr(rule.find, "__name__", "rule")
                        if name not in names:
                            names.append(name)
        return {clause: tuple(names) for clause, names in found.items()}

    def world(self, game: Game, scenario: str = "") -> World:
        """Bind the rules to a game's data and one of its scenarios, the first if none is named.

        BadInput if there is no such scenario, or for readings adopted that are not judged.
        """
        name = scenario or next(iter(game.scenarios))
        if name not in game.scenarios:
            raise BadInput(Problem(game.id, name, "there is no such scenario", unknown(name, game.scenarios)))
        if problems := tuple(self._unjudged(game)):
            raise BadInput(problems)
        chosen = game.scenarios[name]
        return World(game, chosen, self, Calendar.of(game, chosen), self.prepare(game))

    def judged_readings(self, game: Game, ruling: str) -> tuple[str, ...]:
        """Return the readings of an open question by which these rules can judge."""
        unjudged = self.unjudged.get(ruling, ())
        return tuple(reading for reading in game.rulings[ruling].readings if reading not in unjudged)

    def why_unjudged(self, ruling: str, reading: str) -> str:
        """Return why a reading is not judged, with a colon in front; nothing if no reason is given."""
        found = self.unjudged.get(ruling)
        return f": {found[reading]}" if isinstance(found, Mapping) and reading in found else ""

    def _unjudged(self, game: Game) -> Iterator[Problem]:
        for name, ruling in game.rulings.items():
            known = self.judged_readings(game, name)
            if ruling.adopted not in known:
                why = self.why_unjudged(name, ruling.adopted)
                wrong = f"its reading {ruling.adopted!r} is not judged yet{why}"
                yield game.problem(f"ruling/{name}/adopted", wrong, f"judged are {', '.join(known)}")

    def empty(self, world: World) -> Position:
        """Return a position with every counter off the table, at the first stop of the first turn."""
        pieces = {
            counter.id: Piece(counter, steps=counter.steps)
            for counter in world.game.counters.values()
            if not world.game.kinds[counter.kind].marker
        }
        return Position(world, pieces, Clock(world.calendar.first_turn))

    def start(self, world: World) -> Position:
        """Return the scenario's set-up: counters on their hexes, the others in the boxes where they wait.

        Its first phase is yet to begin.
        """
        position = self.empty(world)
        pieces = dict(position.pieces)
        for arrival in world.scenario.arrivals:
            for name in arrival.counters:
                pieces[name] = evolve(pieces[name], where=arrival.waiting)
        for placement in world.scenario.setup:
            for name in placement.counters:
                if name in pieces:  # markers are none
                    pieces[name] = evolve(pieces[name], where=placement.at)
        if world.scenario.face_down:
            hidden = [name for name, piece in pieces.items() if world.game.kinds[piece.counter.kind].hidden]
            pieces.update({name: evolve(pieces[name], face="down") for name in hidden})
        return self._with_markers(evolve(position, pieces=pieces)).with_note(TO_BEGIN, "", True)

    def _with_markers(self, position: Position) -> Position:
        """Return the set-up with the markers that mean something in their hexes."""
        for placement in position.scenario.setup if ADD in self.effects else ():
            for name in placement.counters:
                if name not in position.pieces and placement.at in position.game.map.grid:
                    laid = Action(ADD, target=placement.at, words=(name,))
                    position = self.effects[ADD](position, laid)
        return position

    def status(self, position: Position) -> tuple[Breach, ...]:
        """Return every reason why a position is impossible."""
        return tuple(
            breach
            for section in self.sections
            for rule in section.states
            for breach in rule.breaches(position)
        )

    def check(self, position: Position, action: Action) -> None:
        """Raise BadInput for an action that the game lacks: an unknown verb, or a piece that cannot do it."""
        verb = self.verbs.get(action.verb)
        if verb is None:
            raise BadInput(
                Problem("", action.verb, "there is no such verb", unknown(action.verb, self.verbs))
            )
        for name in action.pieces:
            piece = position.pieces.get(name)
            if piece is None:
                raise BadInput(Problem("", name, "there is no such counter", unknown(name, position.pieces)))
            if not self.can(piece.counter.kind, verb):
                titles = ", ".join(position.game.kinds[kind].title for kind in verb.kinds)
                raise BadInput(
                    Problem("", name, f"cannot {verb.name}", f"only a counter of kind {titles} can")
                )

    def can(self, kind: str, verb: Verb) -> bool:
        """Return whether counters of a kind may be named with a verb, if only for what others do by it."""
        return not verb.kinds or any(kind in self.verbs[one].kinds for one in (verb.name, verb.others) if one)

    def _by_kind(self, position: Position, action: Action) -> tuple[Action, ...]:
        """An action, and apart from it what those do who are not of its kinds: generals lead an attack."""
        verb, pieces = self.verbs[action.verb], position.pieces
        others = tuple(name for name in action.pieces if pieces[name].counter.kind not in verb.kinds)
        if not (others and verb.others):
            return (action,)
        target = action.target if "HEX" in self.verbs[verb.others].slots else ""
        of_others = evolve(action, verb=verb.others, pieces=others, target=target)
        own = tuple(name for name in action.pieces if name not in others)
        return (evolve(action, pieces=own), of_others) if own else (of_others,)

    def _meant(self, position: Position, action: Action) -> Action:
        """The action that is meant. Where counters change hexes by other verbs before they move, what is
        called a move is that which the first of them makes legal."""
        action = _located(position, action)
        by_kind = self._by_kind(position, action)
        action = self.meant(position, by_kind[0] if len(by_kind) == 1 else action)
        likely = [one for one in self.idiom.move_verbs.get(position.phase, ()) if one.verb in self.verbs]
        if self.by_name or action.verb != MOVE or not likely or likely[0].verb == MOVE or not action.path:
            return action
        kinds = {position.pieces[name].counter.kind for name in action.pieces}
        for one in likely:
            verb = self.verbs[one.verb]
            if verb.name == MOVE or "PATH" not in verb.needs or (verb.kinds and not kinds <= {*verb.kinds}):
                continue
            instead = evolve(action, verb=verb.name, words=one.words)
            if self.allows(position, instead):
                return instead
        return action

    def judge(self, position: Position, action: Action) -> Ruling:
        """Rule on an action in a position; BadInput if it is not an action."""
        position = machine.begun(self, position)
        self.check(position, action)
        action = self._meant(position, action)
        if action.verb == NEXT.name or self._is_many(position, action):
            return self.play(position, action).ruling
        return Ruling(action, self._breaches(position, action), self.consulted[action.verb])

    def allows(self, position: Position, action: Action) -> bool:
        """Return whether an action is legal; rules are asked no further than to the first breach."""
        position = machine.begun(self, position)
        if action.verb == NEXT.name or self._is_many(position, action):
            return self.play(position, action).ruling.grade == Grade.legal
        self.check(position, action)
        action = self._meant(position, action)
        key = ("breaches", action)
        if key not in position.memory:
            if any(True for rule in self.rules[action.verb] for _ in rule.found(position, action)):
                return False
            position.memory[key] = ()
        return not position.memory[key]

    def rules_out(self, position: Position, action: Action) -> bool:
        """Return whether a rule proves an action illegal; rules are asked no further than to the first.

        Of an action that is judged piece by piece, or of going on, nothing is said.
        """
        position = machine.begun(self, position)
        self.check(position, action)
        if action.verb == NEXT.name or self._is_many(position, action):
            return False
        if self._has_unseen_cause(position, action):
            return False
        action = self._meant(position, action)
        return any(self._is_proved_by(rule, position, action) for rule in self.rules[action.verb])

    def _is_proved_by(self, rule: Rule, position: Position, action: Action) -> bool:
        """Whether a rule proves an action illegal; not if it asks where an action is that may be anywhere."""
        try:
            return any(
                self._proves(rule, breach, position, action) for breach in rule.found(position, action)
            )
        except AskedWhere:
            return False

    def _proves(self, rule: Rule, breach: Breach, position: Position, action: Action) -> bool:
        """Whether a breach is one in each of the positions that are as likely."""
        return breach.grade is Grade.illegal and all(
            any(
                one.grade is Grade.illegal and rule.about(one) == rule.about(breach)
                for one in rule.found(other, action)
            )
            for other, _ in self._others(position, action)
        )

    def play(self, position: Position, action: Action) -> Played:
        """Rule on an action and carry it out."""
        position = machine.begun(self, position)
        if action.verb == NEXT.name:
            return self._gone_on(position, action)
        self.check(position, action)
        action = self._meant(position, action)
        if not self._is_many(position, action):
            breaches = self._breaches(position, action)
            after = self.effects[action.verb](position, action) if action.verb in self.effects else position
            for following in self.followings[action.verb]:
                after = following(position, after, action)
            return Played(Ruling(action, breaches, self.consulted[action.verb]), after)
        found: list[Breach] = []
        for part in self._parts(position, action):
            played = self.play(position, part)
            found += played.ruling.breaches
            position = played.position
        return Played(Ruling(action, tuple(found), self.consulted[action.verb]), position)

    def _gone_on(self, position: Position, action: Action) -> Played:
        """Go on to the next phase, or to a later one; who reads a log asks often where that leads."""
        key = ("gone on", action)
        if key not in position.memory:
            passed = machine.go(self, position, action.clock)
            breaches = self._proved(position, action, passed.breaches, self._left_undone)
            position.memory[key] = Played(Ruling(action, breaches, passed.consulted), passed.position)
        played: Played = position.memory[key]
        return played

    def options(self, position: Position, pieces: tuple[str, ...] = ()) -> tuple[Played, ...]:
        """Return the legal ones among all proposed actions of some pieces, or of all."""
        position = machine.begun(self, position)
        found = []
        for piece in [position.pieces[name] for name in pieces] if pieces else position.pieces.values():
            for section in self.sections:
                for proposal in section.proposals:
                    legal = (action for action in proposal(position, piece) if self.allows(position, action))
                    found += [self.play(position, action) for action in legal]
        return tuple(found)

    def _is_many(self, position: Position, action: Action) -> bool:
        each = self.verbs[action.verb].each
        return len(action.pieces) > 1 and (each or len(self._by_kind(position, action)) > 1)

    def _parts(self, position: Position, action: Action) -> Iterator[Action]:
        """What is judged by itself of an action of several pieces: by each, or by those of a kind."""
        if not self.verbs[action.verb].each:
            yield from self._by_kind(position, action)
            return
        for piece in action.pieces:
            company = tuple(other for other in action.pieces if other != piece)
            yield evolve(action, pieces=(piece,), company=company)

    def _breaches(self, position: Position, action: Action) -> tuple[Breach, ...]:
        key = ("breaches", action)
        known: tuple[Breach, ...] | None = position.memory.get(key)
        if known is None:
            found = self._broken(position, action)
            if self._has_unseen_cause(position, action):
                found = tuple(doubted(breach, PHASE_UNSEEN) for breach in found)
            known = position.memory[key] = self._proved(position, action, found, self._broken)
        return known

    def _broken(self, position: Position, action: Action) -> tuple[Breach, ...]:
        found: list[Breach] = []
        for rule in self.rules[action.verb]:
            found += rule.breaches(position, action)
        return tuple(found)

    def _has_unseen_cause(self, position: Position, action: Action) -> bool:
        """Whether an action may come of a battle that was fought before anybody saw the phase.

        Once a battle is seen, what came of those before it has been carried out.
        """
        verbs = self.consequences.get(position.phase, ())
        unseen = action.verb in verbs and position.note(UNDERWAY) is not None
        return unseen and not position.battles

    def _left_undone(self, position: Position, action: Action) -> tuple[Breach, ...]:
        return machine.go(self, position, action.clock).breaches

    def _others(self, position: Position, action: Action) -> Iterator[tuple[Position, str]]:
        """Other positions that are as likely, and why."""
        if self.unseen_alternatives is not None and position.note(UNSEEN):
            yield from ((other, UNSEEN_BEFORE) for other in self.unseen_alternatives(position, action))
        if self.unclear_alternatives is not None:
            yield from ((other, RULES_UNCLEAR) for other in self.unclear_alternatives(position, action))
        if self.phase_alternatives is not None:
            yield from ((other, PHASE_UNSEEN) for other in self.phase_alternatives(position, action))
        if self.move_alternatives is not None:
            yield from ((other, MOVED_OTHERWISE) for other in self.move_alternatives(position, action))
        if self.unmarked_alternatives is not None:
            yield from ((other, UNMARKED) for other in self.unmarked_alternatives(position, action))

    def _proved(
        self,
        position: Position,
        action: Action,
        breaches: tuple[Breach, ...],
        find: Callable[[Position, Action], tuple[Breach, ...]],
    ) -> tuple[Breach, ...]:
        """Make unproven what is not a breach in one of the positions that are as likely.

        A move that costs too much there by another clause does so in any case.
        """
        if not any(breach.grade is Grade.illegal for breach in breaches):
            return breaches
        for other, why in self._others(position, action):
            found = [breach for breach in find(other, action) if breach.grade is Grade.illegal]
            there, dear = {_about(breach) for breach in found}, {_too_dear(breach) for breach in found}
            breaches = tuple(
                breach
                if _about(breach) in there or (_too_dear(breach) and _too_dear(breach) in dear)
                else doubted(breach, why)
                for breach in breaches
            )
        return breaches


def _located(position: Position, action: Action) -> Action:
    """An action with the hexes that it leaves to the table: where a counter is that moves, or is attacked."""
    if action.path[:1] == ("",):
        places = {position.pieces[name].where or action.path[1] for name in action.pieces}
        action = evolve(action, path=(*places, *action.path[1:])) if len(places) == 1 else action
    target = position.pieces.get(action.target)
    return evolve(action, target=target.where) if target is not None else action


def _about(breach: Breach) -> tuple[str, object]:
    """Which clause a breach is of, and by whom."""
    return breach.clause, breach.facts.get("unit")


def _too_dear(breach: Breach) -> tuple[object, ...]:
    """The move that costs more than there is, if a breach is of one: whose, from where and to where."""
    facts = breach.facts
    return tuple(facts.get(key) for key in ("unit", "from", "to")) if "cost" in facts else ()


def placed(
    position: Position, names: Iterable[str], where: str | None, states: Mapping[str, Mark]
) -> Position:
    """Put pieces somewhere, nothing asked, as free set-ups and corrections do; None leaves them in place."""
    pieces = dict(position.pieces)
    for name in names:
        there = pieces[name].where if where is None else where
        pieces[name] = evolve(pieces[name], where=there, states=dict(states))
    return position.world.rulebook.keeping(position, evolve(position, pieces=pieces))
