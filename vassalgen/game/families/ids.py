"""The names that rules refer to, the conditions they choose by, and what every entry has."""

from __future__ import annotations

from fractions import Fraction
from typing import NewType, TypeAlias

from attrs import frozen

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
RoadKindId = NewType("RoadKindId", str)
PlaceId = NewType("PlaceId", str)
KindId = NewType("KindId", str)
ColumnId = NewType("ColumnId", str)
MarkerId = NewType("MarkerId", str)
ScenarioId = NewType("ScenarioId", str)
Activity = NewType("Activity", str)
"""Something done: a kind of movement or a kind of combat by its name, or one of ACTIVITIES."""
Spending = NewType("Spending", str)
"""What points are spent on: a kind of movement or of combat, or a term that players enter by hand."""
Times = NewType("Times", Fraction)
"""How many times something counts, 0 for not at all."""
Who = NewType("Who", Condition)
"""A condition on counters."""
Where = NewType("Where", Condition)
"""A condition on hexes."""
Near = NewType("Near", Condition)
"""A condition on counters that are near another: friends of it, if not said to be its ``enemy``."""
WordId = NewType("WordId", str)
CheckId = NewType("CheckId", str)
CombatId = NewType("CombatId", str)
"""A kind of combat by its name."""
Amount: TypeAlias = int | str
"""A number, or a word in its place."""
FactorAmount: TypeAlias = int | FactorId
"""A number, or the factor that holds it."""
EntryAmount: TypeAlias = int | EntryId
"""A number, or the entry of the turn track that holds it."""

ACTIVITIES = ("enter", "replace", "exit", "recover", "retreat", "advance")
RELATIONS = ("friend", "enemy", "comrade", "compatriot", "superior")
"""What counters may be to another: comrades are of the same formation, compatriots of the same nation.

A superior is of the same formation, or of one that this is part of: the leader of its corps.
"""
ANYBODY, ANYWHERE = Who(Condition()), Where(Condition())
NOBODY, NOWHERE = Who(Condition("-")), Where(Condition("-"))
NOBODY_NEAR = Near(Condition("-"))
NO_CLAUSE, NO_EFFECT = ClauseId(""), EffectId("")


@frozen(kw_only=True)
class Part:
    """An entry of the file: its clause, and where the rule was read."""

    clause: ClauseId
    provenance: Provenance = Provenance("rulebook")
