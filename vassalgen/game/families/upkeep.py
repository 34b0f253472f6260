"""Supply, states, replacements, and who wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

from vassalgen.game.families.ids import (
    ANYBODY,
    ANYWHERE,
    NO_CLAUSE,
    NO_EFFECT,
    NOBODY,
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
    KindId,
    MarkerId,
    Part,
    PhaseId,
    PlaceId,
    RoadKindId,
    ScenarioId,
    SideId,
    Spending,
    StateId,
    Where,
    Who,
)
from vassalgen.game.tables import span


@frozen(kw_only=True)
class Line(Part):
    """A line of supply of some units, in place of the usual one, or ``besides`` it: one of them is enough.

    It follows ``roads`` without limit, with ``by`` only those of these kinds. With ``to_own`` those it runs
    ``through`` pass it on to units of their own formation alone. ``marked_block`` are markers that block it.
    Without ``zones`` the zones of the map are no sources for it.
    """

    who: Who
    length: int = 0
    cost: EffectId = NO_EFFECT
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
    """How units are supplied, and the state of those that are not. ``lines`` are those of some.

    Besides the zones of the map, counters that are ``sources`` supply their side, and hexes that it holds
    among the ``towns``. Units ``through`` which a line runs pass it on, ``only_through``: no line runs
    without one. ``to_own`` and ``marked_block`` are as of a line.

    After ``lasting`` turns out of supply they lose everything, or so many steps each turn
    (``lasting_loses``), the last one only with ``lasting_last``.
    """

    length: int
    state: StateId
    who: Who = ANYBODY
    cost: EffectId = NO_EFFECT
    roads: ClauseId = NO_CLAUSE
    by: tuple[RoadKindId, ...] = ()
    through: tuple[KindId, ...] = ()
    only_through: bool = False
    to_own: bool = False
    reach: FactorAmount = FactorId("")
    marked_block: tuple[MarkerId, ...] = ()
    zoc: ClauseId = NO_CLAUSE
    enemies: bool = True
    when: str = "always"
    lasting: int = 0
    lasting_clause: ClauseId = NO_CLAUSE
    lasting_loses: Amount = "all"
    lasting_last: bool = True
    sources: Who = NOBODY
    towns: Where = NOWHERE
    lines: Mapping[str, Line] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Closer:
    """Recovery near others: units within so many hexes of one, or a factor of it, need less."""

    who: Who
    hexes: FactorAmount
    need: FactorAmount


@frozen(kw_only=True)
class StateRule(Part):
    """What a state forbids, and how it goes.

    The roll to recover is easier by ``adds``, the best such factor of a unit in the same hex, or
    ``adds_within`` so many hexes, and by ``changes``, as a check is. ``becomes`` is the state in
    which one is that recovered, ``fatal`` are rolls by which it is lost, but not
    those ``fatal_not``.

    Players put units into it as they like in the phases ``begins``, and out of it in the phases ``given_up``:
    ``who`` may, for so many points of movement (``"all"``: units that have not moved). ``reacts`` are phases
    of the enemy in which ``reacts_who`` may be put into it, too. ``ends_by`` are activities by which it is
    over.
    """

    forbids: tuple[Activity, ...] = ()
    again: Amount = ""
    recovers: PhaseId = PhaseId("")
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
    begins: tuple[PhaseId, ...] = ()
    begins_clause: ClauseId = NO_CLAUSE
    given_up: tuple[PhaseId, ...] = ()
    who: Who = ANYBODY
    reacts: tuple[PhaseId, ...] = ()
    reacts_who: Who = ANYBODY
    points: Amount = 0
    ends_by: tuple[Activity, ...] = ()


@frozen(kw_only=True)
class Roll(Part):
    """A roll of a phase for weather, replacements, an event: what it ``sets`` an entry of the turn track to.

    The entry holds for the side whose phase it is, for both in a phase of neither, until the next roll. Where
    the turn track says a word for ``season``, ``values_of`` that word hold in place of the ``values``.
    """

    dice: DiceId
    phase: PhaseId
    sets: str
    values: Mapping[str, Amount] = field(factory=dict, hash=False)
    season: EntryId = EntryId("")
    values_of: Mapping[str, Mapping[str, Amount]] = field(factory=dict, hash=False)
    turns: tuple[int, ...] = ()
    may: bool = False

    def meaning(self, total: int, season: str = "") -> str:
        """Return what a total sets the entry to, or nothing if it means nothing."""
        for label, value in self.values_of.get(season, self.values).items():
            low, high = span(label)
            if low <= total <= high:
                return str(value)
        return ""


@frozen(kw_only=True)
class Store(Part):
    """Points that a side spends on what it does: supply points, ammunition, fuel.

    It has ``start`` of them, and gets so many ``points`` each turn; unless it ``saves`` them, those of a turn
    are gone with it. At most so many as it ``keeps`` are left for the next turn. A combat ``costs`` so much,
    with ``each`` so much for each attacker ``who`` is meant, a kind of movement for each unit, a term entered
    by hand for the first of its values.
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
    """Points of replacements for some units alone."""

    who: Who
    points: Mapping[SideId, EntryAmount] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Replacements(Part):
    """Steps that are regained, so many a turn and side.

    A step costs what ``costs`` says by who, one point if nothing fits. Points that are not used are kept if
    it ``saves`` them, at most so many as it ``keeps``. The first step of a lost unit ``rebuild_costs`` so
    much. ``pools`` hold points for some units, which are not of the ``points`` of all.
    ``places`` bring so many points more each turn to a side that holds them.
    Lost units come back within ``beside_hexes`` of a friend ``beside`` whom they may.
    """

    points: Mapping[SideId, EntryAmount] = field(factory=dict, hash=False)
    places: Mapping[SideId, Mapping[PlaceId, int]] = field(factory=dict, hash=False)
    rebuild: ClauseId = NO_CLAUSE
    hexes: Where = ANYWHERE
    beside: Who = NOBODY
    beside_hexes: int = 0
    not_in_zoc: ClauseId = NO_CLAUSE
    in_supply: ClauseId = NO_CLAUSE
    unit_once: ClauseId = NO_CLAUSE
    who: Who = ANYBODY
    costs: Mapping[Who, FactorAmount] = field(factory=dict, hash=False)
    saves: bool = False
    keeps: int = 0
    rebuild_costs: int = 0
    pools: Mapping[str, Pool] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Scored(Part):
    """What a side has or needs for victory; in all scenarios, if none are said."""

    side: SideId
    scenarios: tuple[ScenarioId, ...] = ()


@frozen(kw_only=True)
class Points(Scored):
    """What a side has victory points for; losses, steps and exits count once for ``each`` so many.

    With ``every_turn`` places count at the end of each turn. ``of`` is a factor of units that are lost: they
    count so much each, as printed at full strength. ``units`` on the map, within the ``hexes``, count too.
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
    """When a side has won; ``otherwise``: only where no win without it holds.

    It holds all ``places``, or ``some`` of them: so many. Of the ``units``, of either side, ``at_least`` and
    ``at_most`` so many are on the map within the ``hexes``. It may be claimed in these ``turns`` alone.
    """

    points: int = 0
    lead: int = 0
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
    """Points and wins; the clause is that of a claim that is not true."""

    points: Mapping[str, Points] = field(factory=dict, hash=False)
    wins: Mapping[str, Win] = field(factory=dict, hash=False)
