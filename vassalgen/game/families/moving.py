"""How units move, stack and enter the map, and what they may not do."""

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
    CombatId,
    Doing,
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
    """What is done in a phase, by which side and which counters, in which turns (default: all).

    ``turns_of`` are the turns of a side for which they differ. A phase that belongs to no side may be that
    of the ``side`` that this entry of the turn track names, or of the other one (``not_side``). ``passive``
    is what the other side may do meanwhile.
    """

    does: tuple[Activity, ...] = ()
    passive: tuple[Activity, ...] = ()
    by: Literal["active", "passive", "both"] = "active"
    side: EntryId = EntryId("")
    not_side: EntryId = EntryId("")
    who: Who = ANYBODY
    turns: tuple[int, ...] = ()
    turns_of: Mapping[SideId, tuple[int, ...]] = field(factory=dict, hash=False)

    @property
    def activities(self) -> tuple[Activity, ...]:
        """Everything that is done in it, by either side."""
        return (*self.does, *self.passive)


@frozen(kw_only=True)
class Activations(Part):
    """In a phase, units act only while one of their leaders is active; leaders are activated one after
    another.

    An activation begins when a leader enters the ``state``, and ends when the next one begins. Units that
    have the formation (or side, or whatever ``of`` names) of the leader act with it, and units of its side
    that are ``free``. Each leader is activated ``once`` a turn, or so many ``times``.
    """

    phase: PhaseId
    state: StateId
    of: Literal["side", "nation", "formation", "kind"] | ColumnId = "formation"
    free: Who = NOBODY
    once: ClauseId = NO_CLAUSE
    times: Mapping[Who, int] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Word:
    """A word defined by the game for conditions on counters.

    It is true of a counter if all its conditions hold: ``near``: at least ``count`` such counters are within
    so many ``hexes`` of it (0: in its hex), by a number or a factor of theirs. ``judged``: it keeps the
    value that it had when that phase began, until such a phase begins again. ``out_of_supply``: the counter
    has been out of supply for so many turns; with ``traced`` the distance is that of a path around hexes
    with enemy units or, with ``zones``, also around enemy zones of control; ``lost``: its side has lost so
    many steps or, with ``lost_of``, units with so much of that factor. ``factor``: it is printed on the
    counter, with the steps that it has, and ``at_least`` or ``at_most`` so much.
    """

    who: Who = ANYBODY
    near: Near = NOBODY_NEAR
    hexes: FactorAmount = 0
    count: int = 1
    traced: Literal["", "enemies", "zones"] = ""
    within: Where = ANYWHERE
    zoc: bool = False
    did: tuple[Doing, ...] = ()
    turns: tuple[int, ...] = ()
    track: Mapping[EntryId, str] = field(factory=dict, hash=False)
    marked: MarkerId = MarkerId("")
    passed: CheckId = CheckId("")
    failed: CheckId = CheckId("")
    out_of_supply: int = 0
    lost: int = 0
    lost_of: FactorId = FactorId("")
    factor: FactorId = FactorId("")
    at_least: int | None = None
    at_most: int | None = None
    judged: tuple[PhaseId, ...] = ()
    stays: bool = False


@frozen(kw_only=True)
class StackLimit(Part):
    """A stacking limit that the module does not know: at most ``limit`` of ``who`` in a hex.

    They count by their weight in stacking, one each, by their steps or by a factor. ``alike``: they are of
    one nation or formation, or have the same entry in a column; ``unless``: the limit does not apply if one
    of these is with them, ``if_any``: it applies only if one is.
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
    """When the stacking limits of the game are checked. ``clauses`` are those of its limits, in order."""

    when: Literal["phase", "move", "always"] = "phase"
    clauses: tuple[ClauseId, ...] = ()
    free: Who = NOBODY
    limits: Mapping[str, StackLimit] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Allowance(Part):
    """A different allowance for some units: other ``points``, ``times`` as many, or so many more or fewer
    (``add``).
    """

    who: Who = ANYBODY
    points: FactorAmount = FactorId("")
    times: Fraction = Fraction(1)
    add: int = 0
    round: Literal["down", "up", "exact"] = "down"


@frozen(kw_only=True)
class Movement(Part):
    """A kind of movement. ``cost`` and ``cost_of`` are effects of the terrain chart.

    Units that stay on roads for the whole move have ``road_bonus`` extra points. Such a move begins in hexes
    ``start`` and ends in hexes ``end``. No unit may pass through the hexes of friendly units ``not_through``.
    At ``most`` so many units of a side may use it in a phase; each counts as ``most_of`` says by who, or 1.
    Units that are ``carried_by`` such a unit move
    only together with it, from hex to hex; each ``carries`` so many. Units ``must_who`` have to move this
    way, ending nearer to the ``homeward`` hexes of their side.
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
    road_bonus_who: Who = ANYBODY
    minimum: ClauseId = NO_CLAUSE
    minimum_who: Who = ANYBODY
    enemies: ClauseId = NO_CLAUSE
    distance: int = 0
    distance_clause: ClauseId = NO_CLAUSE
    after: Activity = Activity("")
    after_clause: ClauseId = NO_CLAUSE
    not_after: tuple[Activity, ...] = ()
    not_after_clause: ClauseId = NO_CLAUSE
    not_through: Who = NOBODY
    not_through_clause: ClauseId = NO_CLAUSE
    start: Where = ANYWHERE
    end: Where = ANYWHERE
    ends_clause: ClauseId = NO_CLAUSE
    most: EntryAmount = 0
    most_of: Mapping[Who, FactorAmount] = field(factory=dict, hash=False)
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
    """A move directly from place to place, such as from port to port, at ``most`` so many in a phase."""

    start: Where = ANYWHERE
    end: Where = ANYWHERE
    who: Who = ANYBODY
    most: EntryAmount = 0
    most_clause: ClauseId = NO_CLAUSE
    zoc: ClauseId = NO_CLAUSE


@frozen(kw_only=True)
class Bar(Part):
    """Units that may not move or attack into hexes or across hexsides or, with ``stops``, must stop there.

    Without hexes and hexsides they may not act at all. With ``against`` they may not attack hexes with such a
    unit. With ``ends`` no such unit may be on the map, or in these hexes, when the phase ends.
    """

    who: Who = ANYBODY
    against: Who = ANYBODY
    into: Where = ANYWHERE
    across: tuple[FeatureId, ...] = ()
    except_by_road: bool = False
    stops: bool = False
    to: tuple[Activity, ...] = ()
    ends: tuple[PhaseId, ...] = ()

    @property
    def is_ban(self) -> bool:
        """Whether it applies everywhere."""
        return not self.into and not self.across and not self.against and not self.ends


@frozen(kw_only=True)
class ZocLimit:
    """The effect of zones of control on moving units. ``does`` is a number of points, or a word."""

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
        """Whether units must stop wherever they enter a zone."""
        return (
            self.on == "entering"
            and self.does == "stop"
            and not self.unless_whole_move
            and self.unless_friend == NOBODY
        )

    @property
    def is_locking(self) -> bool:
        """Whether units may not leave a zone."""
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
    """Markers placed in hexes, such as interdiction and mines, and their effect on units that enter those
    hexes.

    ``does`` is a number of points for each hex within so many ``hexes`` of a marker, or a word. For
    movement, features that a marker ``closes``, such as bridges, are absent from the hexsides of its hex,
    and no road crosses these hexsides. Markers are ``laid`` in these phases, in the player turns of
    ``side``, ``into`` such hexes, or by units that they are ``laid_by``, in the hex or ``laid_within`` so
    many hexes, which are ``laid_seen`` as in this kind of combat: at ``most`` so many at a time,
    ``most_side`` of a side, ``most_each`` of each unit. They must be off the map by the end of the phase
    ``gone`` (``gone_of``: those of the side whose phase it is, or of its enemy), and by the end of a phase
    in which a unit that they are ``removed_by`` is in their hex, such as an enemy of the side that placed
    them. They are taken off only in the phases ``lifted``, from a hex with a unit that they are
    ``lifted_by``: bridges that engineers repair. To place one costs a unit of ``laid_by`` so many
    ``points`` of movement. They are taken off when no unit that they are ``kept_by`` is in their hex, and
    when the unit that placed them is no longer such a ``placer`` or, with ``placer_stays``, has left the
    hex.
    """

    marker: MarkerId
    laid: tuple[PhaseId, ...] = ()
    laid_by: Who = ANYBODY
    laid_within: FactorAmount = 0
    laid_seen: CombatId = CombatId("")
    laid_clause: ClauseId = NO_CLAUSE
    points: Amount = 0
    side: SideId = SideId("")
    into: Where = ANYWHERE
    most: int = 0
    most_side: int = 0
    most_each: int = 0
    most_clause: ClauseId = NO_CLAUSE
    gone: PhaseId = PhaseId("")
    gone_of: Literal["", "own", "enemy"] = ""
    gone_clause: ClauseId = NO_CLAUSE
    removed_by: Near = NOBODY_NEAR
    kept_by: Who = NOBODY
    placer: Who = ANYBODY
    placer_stays: bool = False
    kept_clause: ClauseId = NO_CLAUSE
    removed_clause: ClauseId = NO_CLAUSE
    lifted: tuple[PhaseId, ...] = ()
    lifted_by: Who = ANYBODY
    lifted_clause: ClauseId = NO_CLAUSE
    closes: tuple[FeatureId, ...] = ()
    hexes: int = 0
    does: Amount = 0
    who: Who = ANYBODY
    movements: tuple[Activity, ...] = ()


@frozen(kw_only=True)
class SetUp(Part):
    """Owners set up units themselves, in the zones that the scenario names."""


@frozen(kw_only=True)
class Reinforcements(Part):
    """How arriving units enter.

    If enemy units or their zones of control are in all entry hexes, units enter within so many hexes of one
    (``blocked_within``). At ``most`` so many units of a side enter in a turn, ``hex_most`` in one hex.
    """

    not_in_zoc: ClauseId = NO_CLAUSE
    pays: ClauseId = NO_CLAUSE
    movement: Activity = Activity("move")
    late: bool = True
    blocked_within: int = 0
    most: EntryAmount = 0
    most_clause: ClauseId = NO_CLAUSE
    hex_most: int = 0
    hex_most_clause: ClauseId = NO_CLAUSE


@frozen(kw_only=True)
class Garrison(Part):
    """Hexes that a side may not leave without ``at_least`` so many units ``who``, when phases end."""

    who: Who
    hexes: Where
    when: tuple[PhaseId, ...]
    at_least: int = 1
    turns: tuple[int, ...] = ()


@frozen(kw_only=True)
class Exit(Part):
    """How units exit the map."""

    hexes: Where
    to: BoxId
    who: Who = ANYBODY
    cost: int = 1


@frozen(kw_only=True)
class Withdrawal(Part):
    """Units that must be off the map when a phase of a turn ends, or a ``count`` of them chosen by the owner.

    With the clause ``not_in_zoc`` they may not be withdrawn from an enemy zone of control.
    """

    who: Who
    turn: int
    phase: PhaseId
    count: int = 0
    not_in_zoc: ClauseId = NO_CLAUSE
    scenarios: tuple[ScenarioId, ...] = ()
