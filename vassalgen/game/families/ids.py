"""The names that rules refer to, the conditions with which they choose counters and hexes, and the fields of
every entry.
"""

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
"""An action: a kind of movement or combat by its name, or one of ACTIVITIES."""
Doing = NewType("Doing", str)
"""What a unit did: an activity, or the placing of a marker, by the name of its entry."""
Spending = NewType("Spending", str)
"""What points are spent on: a kind of movement or combat, or a term that players enter by hand."""
Times = NewType("Times", Fraction)
"""A factor by which something is multiplied; 0 means that it does not count."""
Who = NewType("Who", Condition)
"""A condition on counters."""
Where = NewType("Where", Condition)
"""A condition on hexes."""
Near = NewType("Near", Condition)
"""A condition on counters near another one: friendly units, unless it says ``enemy``."""
WordId = NewType("WordId", str)
VerbId = NewType("VerbId", str)
"""The first words of a statement in records: ``move``, ``roll combat``."""
CheckId = NewType("CheckId", str)
CombatId = NewType("CombatId", str)
"""A kind of combat by its name."""
Amount: TypeAlias = int | str
"""A number, or a word instead of one."""
FactorAmount: TypeAlias = int | FactorId
"""A number, or the name of the factor that gives it."""
EntryAmount: TypeAlias = int | EntryId
"""A number, or the name of the turn track entry that gives it."""

ACTIVITIES = ("enter", "replace", "exit", "recover", "retreat", "advance")
RELATIONS = ("friend", "enemy", "comrade", "compatriot", "superior")
"""Relations between counters: comrades are of the same formation, compatriots of the same nation.

A superior is of the same formation, or of one that it is part of: the leader of its corps.
"""
ANYBODY, ANYWHERE = Who(Condition()), Where(Condition())
NOBODY, NOWHERE = Who(Condition("-")), Where(Condition("-"))
ANYBODY_NEAR, NOBODY_NEAR = Near(Condition()), Near(Condition("-"))
NO_CLAUSE, NO_EFFECT = ClauseId(""), EffectId("")


@frozen(kw_only=True)
class Part:
    """An entry of the file: its clause, and the provenance of the rule."""

    clause: ClauseId
    provenance: Provenance = Provenance("rulebook")
