"""The rules of a game as data: families of rules with their parameters, each bound to a clause.

What ``rules.toml`` says, as values. How it is judged is the referee's affair. A key that holds a clause
alone says that the rule holds, and which clause it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NewType, TypeAlias

from attrs import field, frozen

from vassalgen.game.conditions import Condition
from vassalgen.game.provenance import Provenance

ClauseId = NewType("ClauseId", str)
FactorId = NewType("FactorId", str)
StateId = NewType("StateId", str)
PhaseId = NewType("PhaseId", str)
TableId = NewType("TableId", str)
DiceId = NewType("DiceId", str)
ModifierId = NewType("ModifierId", str)
EffectId = NewType("EffectId", str)
EntryId = NewType("EntryId", str)
BoxId = NewType("BoxId", str)
SideId = NewType("SideId", str)
FeatureId = NewType("FeatureId", str)
PlaceId = NewType("PlaceId", str)
KindId = NewType("KindId", str)
ScenarioId = NewType("ScenarioId", str)
Activity = NewType("Activity", str)
"""Something done: a kind of movement or a kind of combat by its name, or one of ACTIVITIES."""
Who = NewType("Who", Condition)
"""A condition on counters."""
Where = NewType("Where", Condition)
"""A condition on hexes."""
Near = NewType("Near", Condition)
"""A condition on counters that are near another: friends of it, if not said to be its ``enemy``."""
WordId = NewType("WordId", str)
CheckId = NewType("CheckId", str)
Amount: TypeAlias = "int | str"
"""A number, or a word in its place."""
FactorAmount: TypeAlias = "int | FactorId"
"""A number, or the factor that holds it."""
EntryAmount: TypeAlias = "int | EntryId"
"""A number, or the entry of the turn track that holds it."""

ACTIVITIES = ("enter", "replace", "exit", "recover", "retreat", "advance")
RELATIONS = ("friend", "enemy", "comrade")
"""What counters near another may be to it; comrades are of the same formation."""
ANYBODY, ANYWHERE = Who(Condition()), Where(Condition())
NOBODY, NOWHERE = Who(Condition("-")), Where(Condition("-"))
NOBODY_NEAR = Near(Condition("-"))
NO_CLAUSE, NO_EFFECT = ClauseId(""), EffectId("")


@frozen(kw_only=True)
class Part:
    """An entry of the file: its clause, and where the rule was read."""

    clause: ClauseId
    provenance: Provenance = Provenance("rulebook")


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
class Word:
    """A word of the game's own, which conditions on counters may use: when it is true of one.

    All that is said must hold: ``near`` are others, ``count`` of them at least, within so many ``hexes`` of
    it (0: in its hex), by a number or a factor of theirs. ``judged``: it holds as when that phase began,
    until such a phase begins again.
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
    passed: CheckId = CheckId("")
    failed: CheckId = CheckId("")
    judged: PhaseId = PhaseId("")


@frozen(kw_only=True)
class StackLimit(Part):
    """A limit of stacking that the module does not know: at most ``limit`` of ``who`` in a hex.

    They count by their weight in stacking, one each, by their steps or by a factor. ``alike``: they are of
    one nation or formation; ``unless``: not where one of these is with them.
    """

    who: Who = ANYBODY
    limit: int = 0
    by: Literal["weight", "units", "steps"] | FactorId = "weight"
    hexes: Where = ANYWHERE
    alike: Literal["", "nation", "formation", "kind"] = ""
    unless: Who = NOBODY
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

    ``not_through`` are friends through whose hexes nobody passes. At ``most`` so many units of a side move
    so in a phase.
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
    roads: Who = ANYBODY
    road_clause: ClauseId = NO_CLAUSE
    road_in_zoc: bool = True
    only_roads: ClauseId = NO_CLAUSE
    minimum: ClauseId = NO_CLAUSE
    enemies: ClauseId = NO_CLAUSE
    distance: int = 0
    distance_clause: ClauseId = NO_CLAUSE
    after: Activity = Activity("")
    not_after: tuple[Activity, ...] = ()
    not_through: Who = NOBODY
    not_through_clause: ClauseId = NO_CLAUSE
    most: EntryAmount = 0
    most_clause: ClauseId = NO_CLAUSE
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
    """Who may not go, or attack, into hexes or across hexsides; or, with ``stops``, ends its move there.

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


@frozen(kw_only=True)
class Zoc(Part):
    """Zones of control: who has them, where they extend, what they do to whom."""

    who: Who = ANYBODY
    on: Who = ANYBODY
    not_into: Where = NOWHERE
    not_across: tuple[FeatureId, ...] = ()
    where_can_move: bool = False
    cancelled_by: Who = ANYBODY
    cancelled_for: tuple[Literal["move", "retreat", "supply"], ...] = ()
    limits: Mapping[str, ZocLimit] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class ByHand:
    """A term of a battle that players enter, as no modifier can say when it holds: with it or without it."""

    clause: ClauseId
    to: Literal["die", "columns"]
    values: tuple[int, ...]


@frozen(kw_only=True)
class Term(Part):
    """A term of a battle that players enter, and that the referee works out.

    It holds if one of the attackers fulfils ``attacker`` (with ``all_attackers`` each does), one of the
    defenders ``defender``, and the target is in such a ``hexes``. ``opposite``: attackers are in hexes
    opposite each other; ``from_hexes``: they attack from so many. It adds ``worth``, and the best ``factor``
    of attackers, less the best ``less`` of defenders; with ``times`` it multiplies the strengths of
    ``attacker`` or ``defender``.
    """

    to: Literal["die", "columns", "attack", "defence"]
    worth: int = 0
    factor: FactorId = FactorId("")
    less: FactorId = FactorId("")
    times: Fraction = Fraction(1)
    round: Literal["down", "up", "exact"] = "up"
    attacker: Who = ANYBODY
    all_attackers: bool = False
    defender: Who = ANYBODY
    all_defenders: bool = False
    hexes: Where = ANYWHERE
    opposite: bool = False
    from_hexes: int = 0


@frozen(kw_only=True)
class Partner(Part):
    """Attackers ``who`` attack only together with ``one`` such."""

    who: Who
    one: Who


@frozen(kw_only=True)
class AtRange:
    """What an attack counts at a range: so many times, with so much added to the die or the columns."""

    times: Fraction = Fraction(1)
    die: int = 0
    columns: int = 0


@frozen(kw_only=True)
class Combat(Part):
    """A kind of combat: who attacks whom, and how the column is found.

    ``odds`` is the clause of the column and the modifiers, if it has one of its own. ``per_hex`` is added to
    the die for each hex of range beyond the first. ``sight`` is the clause of the line of sight, which hexes
    that are ``blocked_by`` something, and with ``units_block`` units, break.

    The attack counts ``multiply`` times. ``several``: hexes may be attacked together. ``one_hex``: attackers
    are in one hex. It costs ``points`` of movement. Only units that ``moved`` in the phase are attacked.
    ``at_range`` says what ranges such as ``3-4`` change. An ``observer`` near it sees the target for those
    who are not next to it. ``natural`` is what follows from dice that show so much by themselves.
    """

    kind: Literal["odds", "differential", "fire"]
    table: TableId
    dice: DiceId
    attack: FactorId
    defence: FactorId = FactorId("")
    defence_of: Literal["sum", "best", "worst"] = "sum"
    rounding: Literal["defender", "nearest", "attacker"] = "defender"
    who: Who = ANYBODY
    against: Who = ANYBODY
    range: FactorAmount = 1
    range_clause: ClauseId = NO_CLAUSE
    below: ClauseId = NO_CLAUSE
    modifiers: Mapping[ModifierId, ClauseId] = field(factory=dict, hash=False)
    unit_once: ClauseId = NO_CLAUSE
    target_once: ClauseId = NO_CLAUSE
    whole_stack: ClauseId = NO_CLAUSE
    must_attack: ClauseId = NO_CLAUSE
    must_attack_who: Who = ANYBODY
    must_be_attacked: ClauseId = NO_CLAUSE
    not_after: tuple[Activity, ...] = ()
    not_after_clause: ClauseId = NO_CLAUSE
    odds: ClauseId = NO_CLAUSE
    by_hand: Mapping[str, ByHand] = field(factory=dict, hash=False)
    per_hex: int = 0
    per_hex_clause: ClauseId = NO_CLAUSE
    sight: ClauseId = NO_CLAUSE
    blocked_by: Where = NOWHERE
    units_block: bool = False
    state_after: StateId = StateId("")
    multiply: Fraction = Fraction(1)
    several: ClauseId = NO_CLAUSE
    one_hex: ClauseId = NO_CLAUSE
    must_attack_not_in: Where = NOWHERE
    points: int = 0
    points_clause: ClauseId = NO_CLAUSE
    moved: ClauseId = NO_CLAUSE
    at_range: Mapping[str, AtRange] = field(factory=dict, hash=False)
    at_range_clause: ClauseId = NO_CLAUSE
    observer: Who = NOBODY
    observer_hexes: int = 1
    observer_clause: ClauseId = NO_CLAUSE
    terms: Mapping[str, Term] = field(factory=dict, hash=False)
    partners: Mapping[str, Partner] = field(factory=dict, hash=False)
    alike: Literal["", "nation", "formation", "kind"] = ""
    alike_clause: ClauseId = NO_CLAUSE
    most: int = 0
    most_clause: ClauseId = NO_CLAUSE
    natural: Mapping[str, Outcome] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Consequence:
    """What a result does to a side. ``check``: each unit makes it, and what follows is the check's."""

    lose: Amount = 0
    by: Literal["factors", "steps"] = "factors"
    each: bool = False
    retreat: Amount = 0
    state: StateId = StateId("")
    one: bool = False
    or_lose: int = 0
    or_lose_each: int = 0
    or_lose_in: Where = ANYWHERE
    who: Who = ANYBODY
    check: CheckId = CheckId("")


@frozen(kw_only=True)
class Check(Part):
    """A roll of a unit against a number: morale, cohesion, a leader in danger.

    It is passed with ``need`` (a number or factor) or less, or with ``at_least`` that much or more. It is
    easier by ``adds``, the best such factor of another unit in its hex, and by ``changes``, what each of them
    is worth to those who fulfil it. Who fails has what ``failed`` says; who fails by so much or more, what
    the highest ``failed_by`` says in its place. ``after_losses``: who is in a
    hex with a unit that lost steps in a battle makes it.

    ``must``: the phase in which each of ``who`` makes it; ``may``: phases in which they may.
    """

    dice: DiceId
    need: FactorAmount
    at_least: bool = False
    adds: FactorId = FactorId("")
    changes: Mapping[Who, int] = field(factory=dict, hash=False)
    who: Who = ANYBODY
    failed: Consequence | None = None
    failed_by: Mapping[str, Consequence] = field(factory=dict, hash=False)
    after_losses: bool = False
    must: PhaseId = PhaseId("")
    may: tuple[PhaseId, ...] = ()


@frozen(kw_only=True)
class Outcome(Part):
    """What a code of a combat table means."""

    attacker: Consequence | None = None
    defender: Consequence | None = None


@frozen(kw_only=True)
class Retreat(Part):
    """How units retreat.

    ``toward``: each step leads no farther from the hexes that ``home`` names by side. Zones of control may
    be entered for ``zoc_loses`` steps a hex. With ``displaces`` friends make room: they may be moved.
    ``disorders`` is the state of friends that are passed through, but those ``disorders_not``.
    """

    by: Literal["owner", "enemy"] = "owner"
    away: ClauseId = NO_CLAUSE
    each_step: ClauseId = NO_CLAUSE
    zoc: ClauseId = NO_CLAUSE
    stacking: ClauseId = NO_CLAUSE
    further: bool = False
    blocked: ClauseId = NO_CLAUSE
    blocked_loses: Amount = "all"
    toward: ClauseId = NO_CLAUSE
    home: Mapping[SideId, Where] = field(factory=dict, hash=False)
    zoc_loses: int = 0
    displaces: ClauseId = NO_CLAUSE
    disorders: StateId = StateId("")
    disorders_not: Who = NOBODY
    disorders_clause: ClauseId = NO_CLAUSE


@frozen(kw_only=True)
class Advance(Part):
    """How units advance after combat. ``hexes`` by who; the first that fits holds, else one.

    They advance ``into`` such hexes only. With ``defenders`` those who were attacked may advance, too, into
    a hex from which they were.
    """

    who: Who = ANYBODY
    hexes: Mapping[Who, int] = field(factory=dict, hash=False)
    units: int = 0
    units_clause: ClauseId = NO_CLAUSE
    must: ClauseId = NO_CLAUSE
    must_except: Who = NOBODY
    zoc: ClauseId = NO_CLAUSE
    into: Where = ANYWHERE
    into_clause: ClauseId = NO_CLAUSE
    defenders: bool = False


@frozen(kw_only=True)
class Line(Part):
    """A line of supply of some units, in place of the usual one."""

    who: Who
    length: int
    cost: EffectId = NO_EFFECT
    roads: bool = False
    through: tuple[KindId, ...] = ()
    reach: FactorAmount = 0
    sources: Who = NOBODY
    towns: Where = NOWHERE


@frozen(kw_only=True)
class SupplyRule(Part):
    """How units are supplied, and the state of those that are not. ``lines`` are those of some.

    Besides the zones of the map, counters that are ``sources`` supply their side, and hexes that it holds
    among the ``towns``.

    After ``lasting`` turns out of supply they lose everything, or so many steps each turn
    (``lasting_loses``), the last one only with ``lasting_last``.
    """

    length: int
    state: StateId
    who: Who = ANYBODY
    cost: EffectId = NO_EFFECT
    roads: ClauseId = NO_CLAUSE
    through: tuple[KindId, ...] = ()
    reach: FactorAmount = 0
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
    """Recovery near others: units within so many hexes of one need less."""

    who: Who
    hexes: int
    need: FactorAmount


@frozen(kw_only=True)
class StateRule(Part):
    """What a state forbids, and how it goes.

    ``adds`` is a factor of a unit in the same hex that is added to the roll. ``becomes`` is the state in
    which one is that recovered, ``fatal`` are rolls by which it is lost.

    Players put units into it as they like in the phases ``begins``, and out of it in the phases ``given_up``:
    ``who`` may, for so many points of movement (``"all"``: units that have not moved). ``ends_by`` are
    activities by which it is over.
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
    near: Closer | None = None
    becomes: StateId = StateId("")
    fatal: tuple[int, ...] = ()
    begins: tuple[PhaseId, ...] = ()
    begins_clause: ClauseId = NO_CLAUSE
    given_up: tuple[PhaseId, ...] = ()
    who: Who = ANYBODY
    points: Amount = 0
    ends_by: tuple[Activity, ...] = ()


@frozen(kw_only=True)
class Reinforcements(Part):
    """How those that arrive come on."""

    not_in_zoc: ClauseId = NO_CLAUSE
    pays: ClauseId = NO_CLAUSE
    movement: Activity = Activity("move")
    late: bool = True


@frozen(kw_only=True)
class Pool:
    """Points of replacements for some units alone."""

    who: Who
    points: Mapping[SideId, EntryAmount] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Replacements(Part):
    """Steps that are regained, so many a turn and side.

    A step costs what ``costs`` says by who, one point if nothing fits. Points that are not used are kept if
    it ``saves`` them. ``pools`` hold points for some units, which are not of the ``points`` of all.
    """

    points: Mapping[SideId, EntryAmount] = field(factory=dict, hash=False)
    rebuild: ClauseId = NO_CLAUSE
    hexes: Where = ANYWHERE
    not_in_zoc: ClauseId = NO_CLAUSE
    in_supply: ClauseId = NO_CLAUSE
    who: Who = ANYBODY
    costs: Mapping[Who, FactorAmount] = field(factory=dict, hash=False)
    saves: bool = False
    pools: Mapping[str, Pool] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Withdrawal(Part):
    """Units that are off the map at the end of a phase, of a turn or of every one from then on."""

    who: Who
    turn: int
    phase: PhaseId
    scenarios: tuple[ScenarioId, ...] = ()


@frozen(kw_only=True)
class Exit(Part):
    """How units leave the map."""

    hexes: Where
    to: BoxId
    who: Who = ANYBODY
    cost: int = 1


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
    ``at_most`` so many are on the map within the ``hexes``.
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


@frozen(kw_only=True)
class Victory(Part):
    """Points and wins; the clause is that of a claim that is not true."""

    points: Mapping[str, Points] = field(factory=dict, hash=False)
    wins: Mapping[str, Win] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class Families:
    """All rules of a game that are data. Mappings are by the names that the file gives."""

    clock: ClauseId
    provenance: Provenance = Provenance("rulebook")
    words: Mapping[WordId, Word] = field(factory=dict, hash=False)
    sequence: Mapping[PhaseId, PhaseRule] = field(factory=dict, hash=False)
    stacking: Stacking | None = None
    movement: Mapping[str, Movement] = field(factory=dict, hash=False)
    transfers: Mapping[str, Transfer] = field(factory=dict, hash=False)
    bars: Mapping[str, Bar] = field(factory=dict, hash=False)
    zoc: Zoc | None = None
    combat: Mapping[str, Combat] = field(factory=dict, hash=False)
    results: Mapping[TableId, Mapping[str, Outcome]] = field(factory=dict, hash=False)
    retreat: Retreat | None = None
    advance: Advance | None = None
    supply: SupplyRule | None = None
    states: Mapping[StateId, StateRule] = field(factory=dict, hash=False)
    checks: Mapping[CheckId, Check] = field(factory=dict, hash=False)
    withdrawals: Mapping[str, Withdrawal] = field(factory=dict, hash=False)
    reinforcements: Reinforcements | None = None
    replacements: Replacements | None = None
    exits: Mapping[str, Exit] = field(factory=dict, hash=False)
    victory: Victory | None = None
