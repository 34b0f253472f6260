"""Supply, states, replacements, and victory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal

from attrs import field, frozen

from vassalgen.game.families.ids import (
    ANYBODY,
    ANYWHERE,
    NO_CLAUSE,
    NO_EFFECT,
    NOBODY,
    NOBODY_NEAR,
    NOWHERE,
    Activity,
    Amount,
    BoxId,
    ClauseId,
    DiceId,
    EffectId,
    EntryAmount,
    EntryId,
    FactorAmount,
    FactorId,
    FeatureId,
    KindId,
    MarkerId,
    Near,
    Part,
    PhaseId,
    PlaceId,
    RoadKindId,
    ScenarioId,
    SideId,
    Spending,
    StateId,
    Times,
    Where,
    Who,
)
from vassalgen.game.tables import span


@frozen(kw_only=True)
class Line(Part):
    """A line of supply for some units, instead of the usual one or ``besides`` it: one of them is enough.

    It follows ``roads`` without limit, with ``by`` only roads of these kinds. With ``to_own`` the units it
    runs ``through`` pass supply on only to units of their own formation. ``marked_block`` are markers that
    block it; it does not run across features ``not_across``. Without ``zones`` the zones of the map are not
    sources for it.
    """

    who: Who = ANYBODY
    length: int = 0
    cost: EffectId = NO_EFFECT
    not_across: tuple[FeatureId, ...] = ()
    roads: bool = False
    by: tuple[RoadKindId, ...] = ()
    through: tuple[KindId, ...] = ()
    only_through: bool = False
    to_own: bool = False
    reach: FactorAmount = FactorId("")
    marked_block: tuple[MarkerId, ...] = ()
    sources: Who = NOBODY
    towns: Where = NOWHERE
    zones: bool = True
    besides: bool = False


@frozen(kw_only=True)
class SupplyRule(Part):
    """How units are supplied, and the state of those that are not. ``lines`` are for particular units.
    Besides the zones of the map, counters that are ``sources`` supply their side, and so do ``towns`` that
    it holds. Units ``through`` which a line runs pass supply on; ``only_through``: every line needs one of
    them. ``to_own``, ``marked_block`` and ``not_across`` are as in a line. After ``lasting`` turns out of
    supply a unit is eliminated, or loses ``lasting_loses`` steps each turn, its last one only with
    ``lasting_last``.
    """

    length: int
    state: StateId
    who: Who = ANYBODY
    cost: EffectId = NO_EFFECT
    not_across: tuple[FeatureId, ...] = ()
    roads: ClauseId = NO_CLAUSE
    by: tuple[RoadKindId, ...] = ()
    through: tuple[KindId, ...] = ()
    only_through: bool = False
    to_own: bool = False
    reach: FactorAmount = FactorId("")
    marked_block: tuple[MarkerId, ...] = ()
    zoc: ClauseId = NO_CLAUSE
    enemies: bool = True
    when: tuple[str, ...] = ("always",)
    lasting: int = 0
    lasting_clause: ClauseId = NO_CLAUSE
    lasting_loses: Amount = "all"
    lasting_last: bool = True
    sources: Who = NOBODY
    towns: Where = NOWHERE
    lines: Mapping[str, Line] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Closer:
    """Recovery near other units: a different number within so many hexes of one, or a factor of it."""

    who: Who
    hexes: FactorAmount
    need: FactorAmount


@frozen(kw_only=True)
class ByMoving(Part):
    """A state that units ``who`` enter when they move ``into`` such a hex, or ``across`` such a hexside."""

    who: Who = ANYBODY
    into: Where = NOWHERE
    across: tuple[FeatureId, ...] = ()
    movements: tuple[Activity, ...] = ()


@frozen(kw_only=True)
class StateRule(Part):
    """What a state forbids, and how units recover from it.

    ``forbids_clauses`` and ``counts_clauses`` are the clauses of what it forbids and of what it makes of
    factors, where these are not ``clause``.

    ``adds``, the best such factor of a unit in the same hex or within ``adds_within`` hexes, and
    ``changes`` make the recovery roll easier, as in a check. ``becomes`` is the state after recovery,
    ``fatal`` are rolls on which the unit is eliminated, except ``fatal_not``. Units ``unrolled`` recover
    without a roll. In the phases ``begins`` players may put units ``begins_who`` (by default ``who``) into
    the state, at ``most`` so many of a side at a time, in the phases ``given_up`` they may take them out,
    for so many movement points (``"all"``: units that have not moved). ``reacts`` are phases of the enemy
    in which ``reacts_who`` may be put into it. ``recovers_by``: whose units recover. ``ends_by`` are
    activities that end it. ``by_moving`` says where units enter it by moving.
    """

    forbids: tuple[Activity, ...] = ()
    forbids_clauses: Mapping[Activity, ClauseId] = field(factory=dict, hash=False)
    counts_clauses: Mapping[FactorId, ClauseId] = field(factory=dict, hash=False)
    again: Amount = ""
    again_clause: ClauseId = NO_CLAUSE
    recovers: tuple[PhaseId, ...] = ()
    recovers_by: Literal["active", "passive", "both"] = "active"
    recovery: ClauseId = NO_CLAUSE
    dice: DiceId = DiceId("")
    need: FactorAmount = 0
    at_least: bool = False
    not_in_zoc: ClauseId = NO_CLAUSE
    automatic: bool = False
    adds: FactorId = FactorId("")
    adds_within: FactorAmount = 0
    changes: Mapping[Who, int] = field(factory=dict, hash=False)
    near: Closer | None = None
    becomes: StateId = StateId("")
    fatal: tuple[int, ...] = ()
    fatal_not: Who = NOBODY
    fatal_clause: ClauseId = NO_CLAUSE
    unrolled: Who = NOBODY
    begins: tuple[PhaseId, ...] = ()
    begins_who: Who = ANYBODY
    begins_who_clause: ClauseId = NO_CLAUSE
    begins_clause: ClauseId = NO_CLAUSE
    most: EntryAmount = 0
    given_up: tuple[PhaseId, ...] = ()
    given_up_clause: ClauseId = NO_CLAUSE
    who: Who = ANYBODY
    reacts: tuple[PhaseId, ...] = ()
    reacts_who: Who = ANYBODY
    points: Amount = 0
    ends_by: tuple[Activity, ...] = ()
    by_moving: Mapping[str, ByMoving] = field(factory=dict, hash=False)

    @property
    def clauses(self) -> tuple[ClauseId, ...]:
        """The clauses of what the state forbids, of what it makes of factors, and of entering it twice."""
        found = (
            self.clause,
            self.again_clause,
            *self.counts_clauses.values(),
            *self.forbids_clauses.values(),
        )
        return tuple(clause for clause in found if clause)

    @property
    def beginners(self) -> Who:
        """The units that may enter the state by their owner's choice."""
        return self.begins_who if self.begins_who.text else self.who

    @property
    def recoverers(self) -> Who:
        """The units that may recover."""
        return self.who if self.begins_who.text or not self.begins else ANYBODY

    def forbidding(self, *activities: str) -> ClauseId:
        """Return the clause of what the state forbids: of the first of these activities that has its own."""
        own = (self.forbids_clauses[one] for one in self.forbids_clauses if one in activities)
        return next(own, self.clause)

    def clauses_for(self, factors: Iterable[object]) -> set[ClauseId]:
        """Return the clauses of what the state makes of factors."""
        return {self.clause_of(str(factor)) for factor in factors}

    def clause_of(self, factor: str) -> ClauseId:
        """Return the clause of what the state makes of a factor."""
        return self.counts_clauses.get(FactorId(factor), self.clause)


@frozen(kw_only=True)
class Roll(Part):
    """A roll of a phase for weather, replacements or an event; it sets the turn track entry ``sets``.

    The entry applies to the side whose phase it is, or to both in a phase of neither, until the next roll.
    It also sets these other entries, to what they say of the outcome. If the turn track has a word of
    ``values_of`` for ``season``, those values replace ``values``.
    """

    dice: DiceId
    phase: PhaseId
    sets: str
    values: Mapping[str, Amount] = field(factory=dict, hash=False)
    season: EntryId = EntryId("")
    values_of: Mapping[str, Mapping[str, Amount]] = field(factory=dict, hash=False)
    also: Mapping[str, Mapping[str, Amount]] = field(factory=dict, hash=False)
    turns: tuple[int, ...] = ()
    may: bool = False

    def meaning(self, total: int, season: str = "") -> str:
        """Return what a total sets the entry to, None if it has no meaning."""
        for label, value in self.values_of.get(season, self.values).items():
            low, high = span(label)
            if low <= total <= high:
                return str(value)
        return ""


@frozen(kw_only=True)
class Store(Part):
    """Points that a side spends on its actions: supply points, ammunition, fuel.

    It has ``start`` of them, and gets so many ``points`` each turn; unless it ``saves`` them, unspent points
    are lost at the end of the turn. At most ``keeps`` of them are kept for the next turn. A kind of combat
    ``costs`` so much or, with ``each``, so much for each attacker that matches ``who``; a kind of movement
    costs it for each unit, a term entered by hand for the first of its values.
    """

    points: Mapping[SideId, EntryAmount] = field(factory=dict, hash=False)
    start: Mapping[SideId, int] = field(factory=dict, hash=False)
    saves: bool = True
    keeps: int = 0
    costs: Mapping[Spending, int] = field(factory=dict, hash=False)
    each: bool = False
    who: Who = ANYBODY


@frozen(kw_only=True)
class Pool:
    """Replacement points for some units only."""

    who: Who
    points: Mapping[SideId, EntryAmount] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Replacements(Part):
    """Lost steps that are regained, so many for each turn and side.

    A step costs what ``costs`` says by who, one point if nothing matches. Unused points are kept with
    ``saves``, at most ``keeps`` of them. The first step of an eliminated unit costs ``rebuild_costs``, or
    what ``rebuild_costs_of`` says by who. ``pools`` are points for some units, which take no others.
    ``places`` give a side that holds them extra points each turn. Eliminated units ``rebuild_who`` return
    within ``beside_hexes`` of a friendly unit ``beside``; ``rebuild_most`` of a side in the whole game.
    """

    points: Mapping[SideId, EntryAmount] = field(factory=dict, hash=False)
    places: Mapping[SideId, Mapping[PlaceId, int]] = field(factory=dict, hash=False)
    rebuild: ClauseId = NO_CLAUSE
    rebuild_who: Who = ANYBODY
    rebuild_most: int = 0
    rebuild_most_clause: ClauseId = NO_CLAUSE
    hexes: Where = ANYWHERE
    beside: Near = NOBODY_NEAR
    beside_hexes: int = 0
    not_in_zoc: ClauseId = NO_CLAUSE
    in_supply: ClauseId = NO_CLAUSE
    unit_once: ClauseId = NO_CLAUSE
    who: Who = ANYBODY
    costs: Mapping[Who, FactorAmount] = field(factory=dict, hash=False)
    saves: bool = False
    keeps: int = 0
    rebuild_costs: int = 0
    rebuild_costs_of: Mapping[Who, FactorAmount] = field(factory=dict, hash=False)
    pools: Mapping[str, Pool] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Scored(Part):
    """What a side has or needs for victory; in all scenarios unless some are named."""

    side: SideId
    scenarios: tuple[ScenarioId, ...] = ()


@frozen(kw_only=True)
class Points(Scored):
    """What gives a side victory points; losses, steps and exits count once for ``each`` so many.

    With ``every_turn`` places count at the end of each turn. ``of`` is a factor of units that are eliminated
    or leave: each counts that much, as printed at full strength. ``units`` on the map, within the ``hexes``,
    count too.
    """

    places: Mapping[PlaceId, int] = field(factory=dict, hash=False)
    every_turn: bool = False
    of: FactorId = FactorId("")
    units: int = 0
    hexes: Where = ANYWHERE
    losses: int = 0
    steps: int = 0
    each: int = 1
    exits: BoxId = BoxId("")
    worth: int = 1
    who: Who = ANYBODY


@frozen(kw_only=True)
class Win(Scored):
    """When a side wins; ``otherwise``: only if no win without it applies.

    It has at least ``ratio`` times the points of each other side.

    The side holds all ``places``, or ``some`` of them: at least so many. Of the ``units``, of either side,
    ``at_least`` and ``at_most`` so many are on the map within the ``hexes``. The win may be claimed only in
    these ``turns``.
    """

    points: int = 0
    lead: int = 0
    ratio: Times = Times(Fraction(0))
    places: tuple[PlaceId, ...] = ()
    some: int = 0
    units: Who = NOBODY
    hexes: Where = ANYWHERE
    at_least: int = 0
    at_most: int = 999
    when: Literal["end", "any"] = "end"
    otherwise: bool = False
    turns: tuple[int, ...] = ()


@frozen(kw_only=True)
class Victory(Part):
    """Points and wins; the clause is broken by a false claim of victory.

    The game ends before its last turn when an entry of the turn track, set by a roll, says what ``ends``
    does.
    """

    ends: Mapping[EntryId, str] = field(factory=dict, hash=False)
    points: Mapping[str, Points] = field(factory=dict, hash=False)
    wins: Mapping[str, Win] = field(factory=dict, hash=False)
