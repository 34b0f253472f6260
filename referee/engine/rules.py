"""How a rulebook is written down: sections of small predicates, each with its clause.

A section of a game reads like the section of its rulebook::

    rules = Section("Disruption", Provenance("rulebook", "Disruption"))

    @rules.on("move", clause="disrupt.1")
    def disrupted_units_do_not_move(position, action):
        if position.pieces[action.piece].is_("disrupted"):
            return Breach(f"{action.piece} is Disrupted and cannot move")

The same predicates judge what was done and filter possible actions for legal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from attrs import evolve, field, frozen

from referee.engine.actions import Action
from referee.engine.grammar import agreed
from referee.engine.position import Mark, Piece, Position
from referee.engine.rulings import Breach
from vassalgen.game.game import Game
from vassalgen.game.provenance import RECONSTRUCTION, Provenance
from vassalgen.problems import BadInput, Problem

Found: TypeAlias = "Breach | Iterable[Breach] | None"
Predicate: TypeAlias = Callable[[Position, Action], Found]
Check: TypeAlias = Callable[[Position], Found]
Effect: TypeAlias = Callable[[Position, Action], Position]
Change: TypeAlias = Callable[[Position], Position]
Following: TypeAlias = Callable[[Position, Position, Action], Position]
Proposal: TypeAlias = Callable[[Position, Piece], Iterable[Action]]


@frozen
class Rule:
    """A predicate on actions, with the clauses that it may find broken and the data on which it relies."""

    clauses: tuple[str, ...]
    find: Predicate
    relies_on: Provenance

    def found(self, position: Position, action: Action) -> Iterable[Breach]:
        """Return its result unchanged: enough to know whether there is a breach, and how certain it is."""
        found = self.find(position, action)
        return () if found is None else (found,) if isinstance(found, Breach) else found

    def breaches(self, position: Position, action: Action) -> Iterable[Breach]:
        """Return its breaches, with clause and provenance filled in."""
        found = self.find(position, action)
        return () if found is None else self.filled(found, position.game)

    def filled(self, found: Breach | Iterable[Breach], game: Game) -> list[Breach]:
        """Return breaches that it found, with clause and provenance filled in."""
        return _filled(found, self.clauses, self.relies_on, game)

    def about(self, breach: Breach) -> tuple[str, object]:
        """Return the clause of a breach that it found, and the pieces that broke it."""
        return breach.clause or self.clauses[0], breach.facts.get("unit")


@frozen
class StateRule:
    """A predicate on positions: at the end of a phase, or always."""

    clauses: tuple[str, ...]
    find: Check
    relies_on: Provenance

    def breaches(self, position: Position) -> Iterable[Breach]:
        """Return its breaches, with clause and provenance filled in."""
        found = self.find(position)
        return () if found is None else _filled(found, self.clauses, self.relies_on, position.game)


def _filled(
    found: Breach | Iterable[Breach], clauses: tuple[str, ...], relies_on: Provenance, game: Game
) -> list[Breach]:
    filled = []
    for breach in (found,) if isinstance(found, Breach) else found:
        says = agreed(breach.says, game.plural_names)
        if breach.clause and breach.provenance and says == breach.says:
            filled.append(breach)
        else:
            provenance = breach.provenance or relies_on
            filled.append(
                evolve(breach, says=says, clause=breach.clause or clauses[0], provenance=provenance)
            )
    return filled


def done_twice(verb: str, first: str, second: str) -> BadInput:
    """Return the error that two places define the effects of a verb: one of them would be lost."""
    where = f"sections {first!r} and {second!r}" if first != second else f"section {first!r}, twice"
    right = "one place that carries it out; further effects are registered with follows"
    return BadInput(Problem("", verb, f"is carried out by {where}", right))


def of_clause(clause: str, found: Found) -> Iterator[Breach]:
    """Yield the breaches of one clause among those found by a check that several clauses share."""
    breaches = () if found is None else (found,) if isinstance(found, Breach) else found
    return (breach for breach in breaches if breach.clause == clause)


def _clauses(clause: str) -> tuple[str, ...]:
    return tuple(clause.split())


@frozen
class Section:
    """A section of a rulebook under construction: its decorators collect rules and effects.

    ``clause`` may name several, separated by spaces; a rule with several names its clause in each breach.
    """

    title: str
    relies_on: Provenance = RECONSTRUCTION
    rules: dict[str, list[Rule]] = field(factory=dict, init=False)
    leavings: dict[str, list[StateRule]] = field(factory=dict, init=False)
    states: list[StateRule] = field(factory=list, init=False)
    effects: dict[str, Effect] = field(factory=dict, init=False)
    followings: dict[str, list[Following]] = field(factory=dict, init=False)
    entries: dict[str, list[Change]] = field(factory=dict, init=False)
    memories: dict[str, list[Change]] = field(factory=dict, init=False)
    proposals: list[Proposal] = field(factory=list, init=False)

    def on(self, *verbs: str, clause: str) -> Callable[[Predicate], Predicate]:
        """Register a predicate on actions of these verbs."""

        def register(find: Predicate) -> Predicate:
            for verb in verbs:
                self.rules.setdefault(verb, []).append(Rule(_clauses(clause), find, self.relies_on))
            return find

        return register

    def leaving(self, *phases: str, clause: str) -> Callable[[Check], Check]:
        """Register a predicate on the position when a phase is left."""

        def register(find: Check) -> Check:
            for phase in phases:
                self.leavings.setdefault(phase, []).append(StateRule(_clauses(clause), find, self.relies_on))
            return find

        return register

    def always(self, clause: str) -> Callable[[Check], Check]:
        """Register a predicate on any position, for its ``status``."""

        def register(find: Check) -> Check:
            self.states.append(StateRule(_clauses(clause), find, self.relies_on))
            return find

        return register

    def does(self, *verbs: str) -> Callable[[Effect], Effect]:
        """Register the effect of actions of these verbs on a position, whether or not they are legal.

        BadInput if the effects of a verb are defined in two places: further effects are for ``follows``.
        """

        def register(effect: Effect) -> Effect:
            for verb in verbs:
                if verb in self.effects:
                    raise done_twice(verb, self.title, self.title)
                self.effects[verb] = effect
            return effect

        return register

    def marks(self, *verbs: str, state: str, dated: bool = False) -> None:
        """Register that actions of these verbs put their piece into a state, which may be ``dated``."""

        @self.does(*verbs)
        def mark(position: Position, action: Action) -> Position:
            return position.with_state(action.piece, state, Mark(since=position.date) if dated else Mark())

    def clears(self, *verbs: str, state: str) -> None:
        """Register that actions of these verbs remove a state from their piece."""

        @self.does(*verbs)
        def clear(position: Position, action: Action) -> Position:
            return position.with_state(action.piece, state, None)

    def places(self, *verbs: str) -> None:
        """Register that actions of these verbs put their piece in the hex that they name."""

        @self.does(*verbs)
        def place(position: Position, action: Action) -> Position:
            return position.with_piece(action.piece, where=action.target)

    def follows(self, *verbs: str) -> Callable[[Following], Following]:
        """Register further effects of actions of these verbs, in addition to their own.

        The function receives the position before the action, the resulting position, and the action.
        """

        def register(following: Following) -> Following:
            for verb in verbs:
                self.followings.setdefault(verb, []).append(following)
            return following

        return register

    def entering(self, *phases: str) -> Callable[[Change], Change]:
        """Register automatic effects at the beginning of a phase."""

        def register(change: Change) -> Change:
            for phase in phases:
                self.entries.setdefault(phase, []).append(change)
            return change

        return register

    def following(self, *phases: str) -> Callable[[Change], Change]:
        """Register what these phases remember about the phase before them.

        A phase in which a record begins has no phase before it.
        """

        def register(change: Change) -> Change:
            for phase in phases:
                self.memories.setdefault(phase, []).append(change)
            return change

        return register

    def proposes(self, proposal: Proposal) -> Proposal:
        """Register a source of actions that a piece might do; the rules filter them."""
        self.proposals.append(proposal)
        return proposal
