"""How units move, stack and come on the map, and what they may not do."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from attrs import field, frozen

from vassalgen.game.families.ids import (
    ANYBODY,
    ANYWHERE,
    NO_CLAUSE,
    NOBODY,
    NOBODY_NEAR,
    NOWHERE,
    Activity,
    Amount,
    BoxId,
    CheckId,
    ClauseId,
    ColumnId,
    EffectId,
    EntryAmount,
    EntryId,
    FactorAmount,
    FactorId,
    FeatureId,
    MarkerId,
    Near,
    Part,
    PhaseId,
    ScenarioId,
    SideId,
    StateId,
    Where,
    Who,
)


@frozen(kw_only=True)
class PhaseRule(Part):
    """What is done in a phase, by which side and which counters, in which turns (always, if none is said).

    ``turns_of`` are the turns of a side that differs. ``passive`` is what the other side does meanwhile.
    """

    does: tuple[Activity, ...] = ()
    passive: tuple[Activity, ...] = ()
    by: Literal["active", "passive", "both"] = "active"
    who: Who = ANYBODY
    turns: tuple[int, ...] = ()
    turns_of: Mapping[SideId, tuple[int, ...]] = field(factory=dict, hash=False)

    @property
    def activities(self) -> tuple[Activity, ...]:
        """What is done in it, by either side."""
        return (*self.does, *self.passive)


@frozen(kw_only=True)
class Activations(Part):
    """In a phase units act only while a leader of theirs is active, one leader after another.

    An activation begins when a leader comes into the ``state``, and ends when the next one begins. With the
    leader act those ``of`` its formation, side or whatever it is, and those of its side that are ``free``.
    Each leader is activated ``once`` a turn, or so many ``times``.
    """

    phase: PhaseId
    state: StateId
    of: Literal["side", "nation", "formation", "kind"] | ColumnId = "formation"
    free: Who = NOBODY
    once: ClauseId = NO_CLAUSE
    times: Mapping[Who, int] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Word:
    """A word of the game's own, which conditions on counters may use: when it is true of one.

    All that is said must hold: ``near`` are others, ``count`` of them at least, within so many ``hexes`` of
    it (0: in its hex), by a number or a factor of theirs. ``judged``: it holds as when that phase began,
    until such a phase begins again. ``out_of_supply``: it has been for so many turns; ``lost``: its side has
    lost so many steps, or with ``lost_of`` so many of that factor in units lost.
    """

    who: Who = ANYBODY
    near: Near = NOBODY_NEAR
    hexes: FactorAmount = 0
    count: int = 1
    within: Where = ANYWHERE
    zoc: bool = False
    did: tuple[Activity, ...] = ()
    turns: tuple[int, ...] = ()
    track: Mapping[EntryId, str] = field(factory=dict, hash=False)
    marked: MarkerId = MarkerId("")
    passed: CheckId = CheckId("")
    failed: CheckId = CheckId("")
    out_of_supply: int = 0
    lost: int = 0
    lost_of: FactorId = FactorId("")
    judged: PhaseId = PhaseId("")
    stays: bool = False


@frozen(kw_only=True)
class StackLimit(Part):
    """A limit of stacking that the module does not know: at most ``limit`` of ``who`` in a hex.

    They count by their weight in stacking, one each, by their steps or by a factor. ``alike``: they are of
    one nation or formation, or have the same in a column; ``unless``: not where one of these is with them,
    ``if_any``: only there.
    """

    who: Who = ANYBODY
    limit: int = 0
    by: Literal["weight", "units", "steps"] | FactorId = "weight"
    hexes: Where = ANYWHERE
    alike: Literal["", "nation", "formation", "kind"] | ColumnId = ""
    unless: Who = NOBODY
    if_any: Who = ANYBODY
    side: SideId = SideId("")


@frozen(kw_only=True)
class Stacking(Part):
    """When the stacking limits of the game are looked at. ``clauses`` are those of its limits in order."""

    when: Literal["phase", "move", "always"] = "phase"
    clauses: tuple[ClauseId, ...] = ()
    free: Who = NOBODY
    limits: Mapping[str, StackLimit] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Allowance(Part):
    """Another allowance of some: other ``points``, ``times`` as many, so many more or fewer (``add``)."""

    who: Who
    points: FactorAmount = FactorId("")
    times: Fraction = Fraction(1)
    add: int = 0
    round: Literal["down", "up", "exact"] = "down"


@frozen(kw_only=True)
class Movement(Part):
    """A kind of movement. ``cost`` and ``cost_of`` are effects of the terrain chart.

    Units that keep to roads all the time have ``road_bonus`` points more.

    Such a move begins in hexes ``start`` and is over in hexes ``end``.
    ``not_through`` are friends through whose hexes nobody passes. At ``most`` so many units of a side move
    so in a phase. Units that are ``carried_by`` such a one move so with it alone, from hex to hex; each
    ``carries`` so many. Units ``must_who`` have to move so, each side's nearer to its hexes of ``homeward``.
    """

    points: FactorAmount
    who: Who = ANYBODY
    unit: str = "MP"
    multiply: Fraction = Fraction(1)
    round: Literal["down", "up", "exact"] = "down"
    add: EntryId = EntryId("")
    cost: EffectId = EffectId("move")
    cost_of: Mapping[Who, EffectId] = field(factory=dict, hash=False)
    season: EntryId = EntryId("")
    season_clause: ClauseId = NO_CLAUSE
    roads: Who = ANYBODY
    road_clause: ClauseId = NO_CLAUSE
    road_in_zoc: bool = True
    only_roads: ClauseId = NO_CLAUSE
    road_bonus: int = 0
    road_bonus_clause: ClauseId = NO_CLAUSE
    minimum: ClauseId = NO_CLAUSE
    minimum_who: Who = ANYBODY
    enemies: ClauseId = NO_CLAUSE
    distance: int = 0
    distance_clause: ClauseId = NO_CLAUSE
    after: Activity = Activity("")
    not_after: tuple[Activity, ...] = ()
    not_through: Who = NOBODY
    not_through_clause: ClauseId = NO_CLAUSE
    start: Where = ANYWHERE
    end: Where = ANYWHERE
    ends_clause: ClauseId = NO_CLAUSE
    most: EntryAmount = 0
    most_clause: ClauseId = NO_CLAUSE
    carried_by: Who = NOBODY
    carried_clause: ClauseId = NO_CLAUSE
    carries: int = 1
    must: ClauseId = NO_CLAUSE
    must_who: Who = ANYBODY
    homeward: Mapping[SideId, Where] = field(factory=dict, hash=False)
    allowances: Mapping[str, Allowance] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Transfer(Part):
    """A move from a place to another far away, such as from port to port, at ``most`` so many a phase."""

    start: Where = ANYWHERE
    end: Where = ANYWHERE
    who: Who = ANYBODY
    most: EntryAmount = 0
    most_clause: ClauseId = NO_CLAUSE
    zoc: ClauseId = NO_CLAUSE


@frozen(kw_only=True)
class Bar(Part):
    """Units that may not move or attack into hexes or across hexsides, or with ``stops`` must stop there.

    Without hexes and hexsides they may not do it at all.
    """

    who: Who = ANYBODY
    into: Where = ANYWHERE
    across: tuple[FeatureId, ...] = ()
    except_by_road: bool = False
    stops: bool = False
    to: tuple[Activity, ...] = ()

    @property
    def is_ban(self) -> bool:
        """Whether it holds everywhere."""
        return not self.into and not self.across


@frozen(kw_only=True)
class ZocLimit:
    """What zones of control do to units that move. ``does`` is a number of points, or a word."""

    clause: ClauseId = NO_CLAUSE
    on: Literal["entering", "leaving", "through"]
    does: Amount
    who: Who = ANYBODY
    against: Who = ANYBODY
    movements: tuple[Activity, ...] = ()
    unless_whole_move: bool = False
    unless_friend: Who = NOBODY

    @property
    def is_stopping(self) -> bool:
        """Whether units stop wherever they enter a zone."""
        return (
            self.on == "entering"
            and self.does == "stop"
            and not self.unless_whole_move
            and self.unless_friend == NOBODY
        )

    @property
    def is_locking(self) -> bool:
        """Whether units do not leave a zone."""
        return self.on == "leaving" and self.does == "forbid"


@frozen(kw_only=True)
class Zoc(Part):
    """Zones of control: which units exert them, where they extend, and their effects."""

    who: Who = ANYBODY
    on: Who = ANYBODY
    not_into: Where = NOWHERE
    not_across: tuple[FeatureId, ...] = ()
    where_can_move: bool = False
    cancelled_by: Who = ANYBODY
    cancelled_for: tuple[Literal["move", "retreat", "supply"], ...] = ()
    limits: Mapping[str, ZocLimit] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Marker(Part):
    """Markers placed in hexes, such as interdiction and mines, and their effect on units that enter.

    ``does`` is a number of points for each hex within so many ``hexes`` of one, or a word. Features that one
    ``closes``, such as bridges, are not there on the hexsides of its hex, nor do roads cross these hexsides.

    They are ``laid`` in these phases, of the player turns of ``side``, ``into`` such hexes, at ``most`` so
    many at a time, and are off the map when the phase ``gone`` ends, or any phase in which one of the units
    that they are ``removed_by`` is in their hex.
    """

    marker: MarkerId
    laid: tuple[PhaseId, ...] = ()
    side: SideId = SideId("")
    into: Where = ANYWHERE
    most: int = 0
    gone: PhaseId = PhaseId("")
    removed_by: Who = NOBODY
    closes: tuple[FeatureId, ...] = ()
    hexes: int = 0
    does: Amount = 0
    who: Who = ANYBODY
    movements: tuple[Activity, ...] = ()


@frozen(kw_only=True)
class SetUp(Part):
    """That owners set up units themselves, in the zones that the scenario names."""


@frozen(kw_only=True)
class Reinforcements(Part):
    """How those that arrive come on.

    Where enemies or their zones of control are in all hexes of entry, they come on within so many of one
    (``blocked_within``).
    """

    not_in_zoc: ClauseId = NO_CLAUSE
    pays: ClauseId = NO_CLAUSE
    movement: Activity = Activity("move")
    late: bool = True
    blocked_within: int = 0


@frozen(kw_only=True)
class Exit(Part):
    """How units leave the map."""

    hexes: Where
    to: BoxId
    who: Who = ANYBODY
    cost: int = 1


@frozen(kw_only=True)
class Withdrawal(Part):
    """Units that are off the map when a phase of a turn ends, or a ``count`` of them by choice.

    They are not taken from an enemy zone of control by the clause ``not_in_zoc``.
    """

    who: Who
    turn: int
    phase: PhaseId
    count: int = 0
    not_in_zoc: ClauseId = NO_CLAUSE
    scenarios: tuple[ScenarioId, ...] = ()
