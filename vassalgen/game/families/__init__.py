"""The rules of a game as data: families of rules with their parameters, each bound to a clause.

These are the values of ``rules.toml``; the referee applies them. A key whose value is only a clause turns a
rule on and says which clause it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from vassalgen.game.families.combat import (
    AtRange,
    ByHand,
    Captured,
    Combat,
    DefenceOf,
    FaceDown,
    Led,
    Partner,
    Term,
)
from vassalgen.game.families.ids import (
    ACTIVITIES,
    ANYBODY,
    ANYWHERE,
    NO_CLAUSE,
    NO_EFFECT,
    NOBODY,
    NOBODY_NEAR,
    NOWHERE,
    RELATIONS,
    Activity,
    Amount,
    BoxId,
    CheckId,
    ClauseId,
    ColumnId,
    CombatId,
    DiceId,
    Doing,
    EffectId,
    EntryAmount,
    EntryId,
    FactorAmount,
    FactorId,
    FeatureId,
    KindId,
    MarkerId,
    ModifierId,
    Near,
    Part,
    PhaseId,
    PlaceId,
    RoadKindId,
    ScenarioId,
    SideId,
    Spending,
    StateId,
    TableId,
    Times,
    VerbId,
    Where,
    Who,
    WordId,
)
from vassalgen.game.families.moving import (
    Activations,
    Allowance,
    Bar,
    Exit,
    Garrison,
    Marker,
    Movement,
    PhaseRule,
    Reinforcements,
    SetUp,
    Stacking,
    StackLimit,
    Transfer,
    Withdrawal,
    Word,
    Zoc,
    ZocLimit,
)
from vassalgen.game.families.results import (
    Advance,
    Check,
    Consequence,
    Outcome,
    Retreat,
)
from vassalgen.game.families.upkeep import (
    ByMoving,
    Closer,
    Line,
    Points,
    Pool,
    Replacements,
    Roll,
    Scored,
    StateRule,
    Store,
    SupplyRule,
    Victory,
    Win,
)
from vassalgen.game.provenance import Provenance

__all__ = [
    "ACTIVITIES",
    "ANYBODY",
    "ANYWHERE",
    "NOBODY",
    "NOBODY_NEAR",
    "NOWHERE",
    "NO_CLAUSE",
    "NO_EFFECT",
    "RELATIONS",
    "Activations",
    "Activity",
    "Advance",
    "Allowance",
    "Amount",
    "AtRange",
    "Bar",
    "BoxId",
    "ByHand",
    "ByMoving",
    "Captured",
    "Check",
    "CheckId",
    "ClauseId",
    "Closer",
    "ColumnId",
    "Combat",
    "CombatId",
    "Consequence",
    "DefenceOf",
    "DiceId",
    "Doing",
    "EffectId",
    "EntryAmount",
    "EntryId",
    "Exit",
    "FaceDown",
    "FactorAmount",
    "FactorId",
    "Families",
    "FeatureId",
    "Garrison",
    "KindId",
    "Led",
    "Line",
    "Marker",
    "MarkerId",
    "ModifierId",
    "Movement",
    "Near",
    "Outcome",
    "Part",
    "Partner",
    "PhaseId",
    "PhaseRule",
    "PlaceId",
    "Points",
    "Pool",
    "Reinforcements",
    "Replacements",
    "Retreat",
    "RoadKindId",
    "Roll",
    "ScenarioId",
    "Scored",
    "SetUp",
    "SideId",
    "Spending",
    "StackLimit",
    "Stacking",
    "StateId",
    "StateRule",
    "Store",
    "SupplyRule",
    "TableId",
    "Term",
    "Times",
    "Transfer",
    "VerbId",
    "Victory",
    "Where",
    "Who",
    "Win",
    "Withdrawal",
    "Word",
    "WordId",
    "Zoc",
    "ZocLimit",
]


@frozen(kw_only=True)
class Families:
    """All rules of a game that are data. Mappings use the names in the file as keys.

    ``called`` are the names that players give the statements of records.
    """

    clock: ClauseId
    provenance: Provenance = Provenance("rulebook")
    words: Mapping[WordId, Word] = field(factory=dict, hash=False)
    sequence: Mapping[PhaseId, PhaseRule] = field(factory=dict, hash=False)
    activations: Activations | None = None
    setup: SetUp | None = None
    stacking: Stacking | None = None
    movement: Mapping[str, Movement] = field(factory=dict, hash=False)
    transfers: Mapping[str, Transfer] = field(factory=dict, hash=False)
    bars: Mapping[str, Bar] = field(factory=dict, hash=False)
    zoc: Zoc | None = None
    markers: Mapping[str, Marker] = field(factory=dict, hash=False)
    combat: Mapping[str, Combat] = field(factory=dict, hash=False)
    face_down: FaceDown | None = None
    captured: Captured | None = None
    results: Mapping[TableId, Mapping[str, Outcome]] = field(factory=dict, hash=False)
    retreat: Retreat | None = None
    advance: Advance | None = None
    supply: SupplyRule | None = None
    states: Mapping[StateId, StateRule] = field(factory=dict, hash=False)
    stores: Mapping[str, Store] = field(factory=dict, hash=False)
    rolls: Mapping[str, Roll] = field(factory=dict, hash=False)
    checks: Mapping[CheckId, Check] = field(factory=dict, hash=False)
    withdrawals: Mapping[str, Withdrawal] = field(factory=dict, hash=False)
    garrisons: Mapping[str, Garrison] = field(factory=dict, hash=False)
    reinforcements: Reinforcements | None = None
    replacements: Replacements | None = None
    exits: Mapping[str, Exit] = field(factory=dict, hash=False)
    victory: Victory | None = None
    called: Mapping[VerbId, tuple[str, ...]] = field(factory=dict, hash=False)
