"""The rulebook of a game: its sections combined, to judge actions and to carry them out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from referee.engine import machine
from referee.engine.actions import GOING_BACK, NEXT, Action, Anywhere, AskedWhere, Verb
from referee.engine.clock import Calendar, Clock
from referee.engine.combat import Calculation
from referee.engine.idiom import ADD, Idiom
from referee.engine.meaning import MOVE, all_verbs, meant_move, meant_roll
from referee.engine.moves import Move
from referee.engine.position import TO_BEGIN, UNDERWAY, UNSEEN, Mark, Note, Piece, Position, World
from referee.engine.rules import Change, Effect, Following, Rule, Section, StateRule, done_twice
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
UNSEEN_BEFORE = "the position was different before the log begins"
RULES_UNCLEAR = "the rules are interpreted differently"
MOVED_OTHERWISE = "the unit moved by another kind of movement, which the log does not show"
UNROLLED = "a roll that was due is not in the log"
UNMARKED = "its leader was activated, and not marked so"
PHASE_UNSEEN = "the log does not show the beginning of the phase in which this is judged"

T = TypeVar("T")


@frozen
class Bridges:
    """Bridges that can be destroyed: the hexside feature, and the note about ``hex/hex`` for a
    destroyed one.
    """

    feature: str
    destroyed: Note[bool]


@frozen
class Played:
    """An action carried out: the ruling on it, and the resulting position."""

    ruling: Ruling
    position: Position


@frozen(eq=False, kw_only=True)
class Rulebook:
    """The rules of a game: its own verbs, and sections in the order of the printed rules.

    ``clock_clause`` is broken when the phase marker moves backwards. ``prepare`` converts data for fast
    searches, once for each game and scenario; ``odds`` calculates an attack on a hex by some pieces,
    ``recount`` those of a current battle by its number, with everything declared in it; ``moves`` are by verb
    the moves with their costs and clauses; ``supply`` returns the supply state of a piece, None if it needs
    none. ``unjudged`` are readings of open questions, by ruling, that the data offer but the rules cannot
    apply, optionally with the reason.

    Alternative positions: an action that breaks no rule in one of them is unproven. ``unseen_alternatives``
    returns positions that are equally likely in a game whose beginning is unknown; ``unclear_alternatives``
    in every game, if the rules are unclear; ``phase_alternatives`` if facts that are judged at the beginning
    of a phase were not seen; ``move_alternatives`` if a unit may have been dragged by another kind of
    movement; ``unmarked_alternatives`` if a leader may have been activated without being marked;
    ``unrolled_alternatives`` if a roll that was due was not seen.

    ``whose`` returns the side whose phase it is, in phases that belong to no side by the order of play.

    ``consequences`` are by phase the verbs for what may result from a battle, or a roll, before the first
    step of the log; ``may_be_late`` are those for duties that a phase ended without: if they are fulfilled
    later they are not reported again; ``may_follow`` are those that are still in time as the first action of
    the next phase. By the clauses ``once_fixed`` an attack is judged when it can no longer be called off.

    For records that set up a case: ``ground`` are the kinds of counters that are never in a closed hex, nor
    in one with an enemy of such a kind; ``impossible`` returns impossible facts about a counter, each with
    what would be right; ``spent`` notes that a piece has already spent movement points; ``spare`` are kinds
    of counters that keep their place in the set-up if no statement places them, in a record that begins later
    only if they wait in a box; ``bridges`` are those that can be destroyed; ``unseen`` describes what matters
    about earlier turns, and is unknown if the record begins later.

    ``idiom`` says which verb is meant by what players do in the module, ``meant`` which action is meant by a
    verb that the rulebook uses for several things. With ``by_name`` a move is only an action with that name,
    because the game names its own kinds of movement. ``keeping`` notes what counters that are placed without
    a ruling keep of their previous condition, given the positions before and after. ``winner`` returns the
    side that has won in a position, ``draw``, or nothing while it is open. BadInput if two sections define
    the effects of a verb.
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
    once_fixed: tuple[str, ...] = ()
    keeping: Callable[[Position, Position], Position] = lambda before, after: after
    unjudged: Mapping[str, Collection[str]] = field(factory=dict)
    recount: Recount | None = None
    supply: Supplying | None = None
    unseen_alternatives: Alternatives | None = None
    unclear_alternatives: Alternatives | None = None
    phase_alternatives: Alternatives | None = None
    move_alternatives: Alternatives | None = None
    unmarked_alternatives: Alternatives | None = None
    unrolled_alternatives: Alternatives | None = None
    whose: Callable[[Position], str] = lambda position: ""
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
        """All verbs by name, with those that all games have."""
        return all_verbs(self.own_verbs)

    @cached_property
    def rules(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules for each verb, in order."""
        return {
            verb: tuple(rule for section in self.sections for rule in section.rules.get(verb, ()))
            for verb in self.verbs
        }

    @cached_property
    def consulted(self) -> Mapping[str, tuple[str, ...]]:
        """The clauses whose rules examine actions of each verb."""
        return {
            verb: tuple(dict.fromkeys(clause for rule in rules for clause in rule.clauses))
            for verb, rules in self.rules.items()
        }

    @cached_property
    def leavings(self) -> Mapping[str, tuple[StateRule, ...]]:
        """The rules that examine the end of each phase."""
        return _by_phase([section.leavings for section in self.sections])

    @cached_property
    def entries(self) -> Mapping[str, tuple[Change, ...]]:
        """The automatic effects at the beginning of each phase."""
        return _by_phase([section.entries for section in self.sections])

    @cached_property
    def memories(self) -> Mapping[str, tuple[Change, ...]]:
        """What each phase remembers about the one before it."""
        return _by_phase([section.memories for section in self.sections])

    @cached_property
    def effects(self) -> Mapping[str, Effect]:
        """The effects of each verb."""
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
        """The names of the predicates by clause, from which coverage is computed."""
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
        """Bind the rules to a game's data and one of its scenarios, by default the first.

        BadInput if there is no such scenario, or for adopted readings that the rules cannot apply.
        """
        name = scenario or next(iter(game.scenarios))
        if name not in game.scenarios:
            raise BadInput(Problem(game.id, name, "there is no such scenario", unknown(name, game.scenarios)))
        if problems := tuple(self._unjudged(game)):
            raise BadInput(problems)
        chosen = game.scenarios[name]
        return World(game, chosen, self, Calendar.of(game, chosen), self.prepare(game))

    def judged_readings(self, game: Game, ruling: str) -> tuple[str, ...]:
        """Return the readings of an open question that these rules can apply."""
        unjudged = self.unjudged.get(ruling, ())
        return tuple(reading for reading in game.rulings[ruling].readings if reading not in unjudged)

    def why_unjudged(self, ruling: str, reading: str) -> str:
        """Return why a reading cannot be applied, with a colon in front; empty if no reason is given."""
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
        """Return the scenario's set-up: counters in their hexes, the others in the boxes where they wait.

        Its first phase has not begun yet.
        """
        position = self.empty(world)
        pieces = dict(position.pieces)
        for arrival in world.scenario.arrivals:
            for name in arrival.counters:
                pieces[name] = evolve(pieces[name], where=arrival.waiting)
        for placement in world.scenario.setup:
            for name in placement.counters:
                if name in pieces:  # markers do not count
                    pieces[name] = evolve(pieces[name], where=placement.at)
        if world.scenario.face_down:
            hidden = [name for name, piece in pieces.items() if world.game.kinds[piece.counter.kind].hidden]
            pieces.update({name: evolve(pieces[name], face="down") for name in hidden})
        return self._with_markers(evolve(position, pieces=pieces)).with_note(TO_BEGIN, "", True)

    def _with_markers(self, position: Position) -> Position:
        """Return the set-up with the markers that have an effect in their hexes."""
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
        """Raise BadInput for an action that the game does not have: an unknown verb, or a piece that cannot
        do it.
        """
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
        """Return whether counters of a kind may be named with a verb, even if only its ``others`` verb
        applies to them.
        """
        if not verb.kinds or kind in verb.kinds:
            return True
        return bool(verb.others) and kind in self.verbs[verb.others].kinds

    def _by_kind(self, position: Position, action: Action) -> tuple[Action, ...]:
        """Split an action from the actions of counters that are not of its kinds: generals lead an attack."""
        verb, pieces = self.verbs[action.verb], position.pieces
        if not verb.others:
            return (action,)
        others = tuple(name for name in action.pieces if pieces[name].counter.kind not in verb.kinds)
        if not others:
            return (action,)
        target = action.target if "HEX" in self.verbs[verb.others].slots else ""
        of_others = evolve(action, verb=verb.others, pieces=others, target=target)
        own = tuple(name for name in action.pieces if name not in others)
        return (evolve(action, pieces=own), of_others) if own else (of_others,)

    def _meant(self, position: Position, action: Action) -> Action:
        """The action that is meant, if the position shows it."""
        action = self._off_the_map(position, _located(position, action))
        by_kind = self._by_kind(position, action)
        action = self.meant(position, by_kind[0] if len(by_kind) == 1 else action)
        action = meant_roll(self.verbs, self.allows, position, action)
        if self.by_name or action.verb != MOVE or not action.path:
            return action
        return meant_move(self.verbs, self.idiom, self.allows, position, action)

    def _off_the_map(self, position: Position, action: Action) -> Action:
        """What an action means that puts counters from one box into another, if they are on the map: where no
        verb of its own says that they are put aside, they leave the map as in a log.
        """
        idiom = self.idiom
        if action.verb != idiom.between or action.verb in (idiom.away, *idiom.exits.values()):
            return action
        grid = position.game.map.grid
        if not all(position.pieces[name].where in grid for name in action.pieces):
            return action
        verb = idiom.exits.get(next(iter(action.words), ""), idiom.eliminate)
        return evolve(action, verb=verb, words=()) if verb in self.verbs else action

    def judge(self, position: Position, action: Action) -> Ruling:
        """Rule on an action in a position; BadInput if the game has no such action."""
        position = machine.begun(self, position)
        self.check(position, action)
        action = self._meant(position, action)
        if action.verb == NEXT.name or self._is_many(position, action):
            return self.play(position, action).ruling
        return Ruling(action, self._breaches(position, action), self.consulted[action.verb])

    def allows(self, position: Position, action: Action) -> bool:
        """Return whether an action is legal; stops at the first breach."""
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
        """Return whether a rule proves an action illegal; stops at the first.

        Actions that are judged piece by piece, and advancing the clock, are never ruled out.
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
        """Whether a rule proves an action illegal; not if it needs the hex of an action that
        may be anywhere.
        """
        try:
            return any(
                self._proves(rule, breach, position, action) for breach in rule.found(position, action)
            )
        except AskedWhere:
            return False

    def _proves(self, rule: Rule, breach: Breach, position: Position, action: Action) -> bool:
        """Whether a breach occurs in each of the equally likely positions."""
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
        """Advance to the next phase, or to a later one; cached, because reading a log needs this often."""
        key = ("gone on", action)
        if key not in position.memory:
            passed = machine.go(self, position, action.clock)
            breaches = self._proved(position, action, passed.breaches, self._left_undone)
            position.memory[key] = Played(Ruling(action, breaches, passed.consulted), passed.position)
        played: Played = position.memory[key]
        return played

    def options(self, position: Position, pieces: tuple[str, ...] = ()) -> tuple[Played, ...]:
        """Return the legal actions among all proposed ones of some pieces, or of all."""
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
        """The parts of an action of several pieces that are judged separately: by each piece, or by those of
        a kind.
        """
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
            known = self._broken(position, action)
            if known and self._has_unseen_cause(position, action):
                known = tuple(doubted(breach, PHASE_UNSEEN) for breach in known)
            if known:
                known = self._proved(position, action, known, self._broken)
            position.memory[key] = known
        return known

    def _broken(self, position: Position, action: Action) -> tuple[Breach, ...]:
        broken: list[Breach] = []
        for rule in self.rules[action.verb]:
            found = rule.find(position, action)
            if found is not None:
                broken += rule.filled(found, position.game)
        return tuple(broken)

    def _has_unseen_cause(self, position: Position, action: Action) -> bool:
        """Whether an action may result from a battle that was fought before the first step of the log.

        Once a battle has been seen, the results of earlier ones have been carried out.
        """
        verbs = self.consequences.get(position.phase, ())
        unseen = action.verb in verbs and position.note(UNDERWAY) is not None
        return unseen and not position.battles

    def _left_undone(self, position: Position, action: Action) -> tuple[Breach, ...]:
        return machine.go(self, position, action.clock).breaches

    def _others(self, position: Position, action: Action) -> Iterator[tuple[Position, str]]:
        """The equally likely positions, and why."""
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
        if self.unrolled_alternatives is not None:
            yield from ((other, UNROLLED) for other in self.unrolled_alternatives(position, action))

    def _proved(
        self,
        position: Position,
        action: Action,
        breaches: tuple[Breach, ...],
        find: Callable[[Position, Action], tuple[Breach, ...]],
    ) -> tuple[Breach, ...]:
        """Downgrade to unproven what is not a breach in one of the equally likely positions.

        A move that costs too much there under another clause, or whose way is closed, is a breach either way.
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


def _by_phase(of_sections: Iterable[Mapping[str, Iterable[T]]]) -> dict[str, tuple[T, ...]]:
    """What the sections list for each phase, in their order."""
    found: dict[str, tuple[T, ...]] = {}
    for listed in of_sections:
        for phase, ones in listed.items():
            found[phase] = (*found.get(phase, ()), *ones)
    return found


def _located(position: Position, action: Action) -> Action:
    """An action with the hexes that it leaves out and the position shows: the hex of a moving or attacked
    counter. A move to a neighbouring hex is a step. A retreat may name only the hexes entered.
    """
    grid = position.game.map.grid
    if action.verb in GOING_BACK and action.path and not action.dragged and action.path[0] in grid:
        here = {position.pieces[name].where for name in action.pieces} - {*action.path}
        if len(here) == 1 and here <= {*grid.neighbours(action.path[0])}:
            action = evolve(action, path=(*here, *action.path))
    if action.path[:1] == ("",):
        found = (position.pieces[name].where for name in action.pieces)
        places = {where if where in grid else action.path[1] for where in found}
        path = (*places, *action.path[1:])
        is_step = len(path) == 2 and all(where in grid for where in path) and grid.are_neighbours(*path)
        action = evolve(action, path=path, dragged=not is_step) if len(places) == 1 else action
    target = None if isinstance(action, Anywhere) else position.pieces.get(action.target)
    return evolve(action, target=target.where) if target is not None else action


def _about(breach: Breach) -> tuple[str, object]:
    """The clause of a breach, and the pieces that committed it."""
    return breach.clause, breach.facts.get("unit")


def _too_dear(breach: Breach) -> tuple[object, ...]:
    """The move that exceeds the allowance, or whose way is closed, if a breach is about one: the piece, the
    start and the end.
    """
    facts = breach.facts
    is_limit = "cost" in facts or {"allowance", "from", "to"} <= facts.keys()
    return tuple(facts.get(key) for key in ("unit", "from", "to")) if is_limit else ()


def placed(
    position: Position, names: Iterable[str], where: str | None, states: Mapping[str, Mark]
) -> Position:
    """Place pieces without a ruling, for free set-ups and corrections; None leaves them in place."""
    pieces = dict(position.pieces)
    for name in names:
        there = pieces[name].where if where is None else where
        pieces[name] = evolve(pieces[name], where=there, states=dict(states))
    return position.world.rulebook.keeping(position, evolve(position, pieces=pieces))
