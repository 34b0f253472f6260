"""Commands that change a property of other pieces. [counters.SetPieceProperty]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.compounds import (
    PROPERTY_COMMANDS,
    CommandKind,
    CommandTarget,
    Constraints,
    PropertyCommand,
    target,
)
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class SetPieceProperty(Trait):
    """Commands on a piece that change the dynamic property ``name`` of every piece they reach.

    They reach the pieces that pass ``target`` and ``match``, within ``range`` if ``restrict_range`` (or
    within the value of ``range_property`` unless ``fixed_range``), and in decks the first ``deck_count`` (-1:
    all).
    """

    CODE: ClassVar[str] = "setpieceprop;"
    name: str = records.text("name")
    constraints: Constraints = records.of(records.whole(Constraints), Constraints())
    commands: tuple[PropertyCommand, ...] = records.of(PROPERTY_COMMANDS, ())
    description: str = records.text()
    target: CommandTarget = target(CommandKind.COUNTER)
    match: str = records.match()
    restrict_range: bool = records.boolean()
    range: int = records.integer(1)
    fixed_range: bool = records.boolean(True)
    range_property: str = records.text()
    deck_count: str = records.text("-1")
    override_constraints: bool = records.boolean()
